"""Floor 4: lists of None that are filled with arrays, for compiled code.

Numba's lists have items of one type: `[None] * n` has the type of what its entries become, where
all that happens to it is that entries are replaced and read, and `backend.jit.forms` makes it of
empty arrays. A program that reads one too soon fails with NumPy as well.
"""

from __future__ import annotations

import ast
from typing import Any

from s2sgrad.analysis.costs import COMPILED, present
from s2sgrad.analysis.other_names import with_other_names
from s2sgrad.errors import Span
from s2sgrad.frontend.values import Sequence, Static
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Stmt, Var
from s2sgrad.ir.types import BOTTOM, NONE, Array, List, Maybe, Number, Scalar, Type


class Filled(Exception):
    """Start again: these expressions make lists whose entries are arrays by the time of use.

    unsure: it turned out otherwise; they hold None.
    """

    def __init__(self, found: set[ast.AST], unsure: bool = False) -> None:
        super().__init__()
        self.nodes, self.unsure = found, unsure


def filled_later(lowered: Any) -> Any:
    """What was lowered, with such lists made of empty arrays; raises Filled if they are not known
    to be some yet."""
    lowering = lowered.lowering
    places: dict[Span, ast.AST] = lowering.lists_of_none
    if not places or present() is not COMPILED:
        return lowered
    function = lowered.function
    made = {
        target: places[value.span]
        for stmt in nodes.walk_block(function.body)
        if isinstance(stmt, nodes.Assign)
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        if isinstance(value, Call) and value.function == "list*" and value.span in places
    }
    known = {name for name, node in made.items() if node in lowering.filled}
    if known:
        types = function.types
        if not all(_holds_arrays(types[n]) for n in known) or not _plain(lowered, known):
            raise Filled({made[n] for n in known}, unsure=True)
        return lowered
    new = {n for n in made if made[n] not in lowering.with_none and _may_hold(function.types[n])}
    new = {n for n in new if _plain(lowered, {n})}
    if new:
        raise Filled({made[n] for n in new})
    return lowered


def _holds_arrays(kind: Type) -> bool:
    """Whether a type is a list of arrays of one rank and dtype."""
    item = kind.item if isinstance(kind, List) else None
    return isinstance(item, Array) and item.dtype is not None and bool(item.shape)


def _may_hold(kind: Type) -> bool:
    item = kind.item if isinstance(kind, List) else None
    inner = item.item if isinstance(item, Maybe) else item
    return isinstance(inner, Array) or inner == Number()


def repeated_kind(lowering: Any, contents: Any, kind: Type, node: ast.AST) -> Type:
    """The type of a display that is repeated; of None in a list that is filled later, of nothing
    yet."""
    if not isinstance(contents, Sequence) or any(v != Static(None) for v in contents.items):
        return kind
    lowering.lists_of_none[lowering.span(node)] = node
    return List(BOTTOM) if node in lowering.filled else kind


# --- what happens to them ------------------------------------------------------------------
def _plain(lowered: Any, lists: set[str]) -> bool:
    """Whether nothing asks for None, and lists are only read and set entry by entry."""
    body = lowered.function.body
    result = getattr(lowered.result, "expr", None)
    if result is None or not isinstance(result.type, Scalar | Array):
        return False
    names = with_other_names(frozenset(lists), body)
    if nodes.names_in(result) & names:
        return False
    return all(_entries_only(stmt, names) for stmt in nodes.walk_block(body))


def _entries_only(stmt: Stmt, names: frozenset[str]) -> bool:
    if isinstance(stmt, nodes.Mutate) and nodes.names_in(stmt.base) & names:
        return False
    tests = [stmt.test] if isinstance(stmt, nodes.If | nodes.While) else []
    whole: list[Expr] = []
    match stmt:
        case nodes.Assign(values=values):
            whole = [v for v in values if isinstance(v, Var)]  # another name for it
        case nodes.Store(base=Var(name=name) as base, index=index, op=op) if name in names:
            if len(index) != 1 or not _is_place(index[0]) or op:
                return False
            whole = [base]
    inside = [e for e in nodes.expressions(stmt) if not any(e is w for w in whole)]
    return not any(isinstance(t.type, Maybe) for t in tests) and all(
        _reads_entries(e, names) for e in inside
    )


def _reads_entries(expr: Expr, names: frozenset[str]) -> bool:
    match expr:
        case Var(name=name):
            return name not in names
        case nodes.Index(base=Var(name=name), index=(place,)) if name in names:
            return _is_place(place) and _reads_entries(place, names)
        case Call(function=function, args=(Var(name=name),)) if name in names:
            return function is len
        case Call(args=args) if any(_is_none(a) or isinstance(a.type, Maybe) for a in args):
            if expr.text in _QUESTIONS:
                return False
        case nodes.Choice(test=test) if isinstance(test.type, Maybe):
            return False
    return all(_reads_entries(child, names) for child in nodes.children(expr))


_QUESTIONS = frozenset({"is", "is not", "==", "!=", "not", "and", "or", "in", "not in", "bool"})


def _is_place(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.dtype.startswith("int")


def _is_none(expr: Expr) -> bool:
    return expr.type == NONE or expr == Const(None)


__all__ = ["Filled", "filled_later"]

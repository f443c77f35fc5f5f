"""Floor 5: sets of values that the reverse sweep still needs."""

from __future__ import annotations

from collections.abc import Mapping

from s2sgrad.analysis.effects import root
from s2sgrad.analysis.maybe_real import may_be_real
from s2sgrad.errors import Span
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.sizes import Size, changes
from s2sgrad.ir.types import Array, Dict, List, Maybe, Number, Scalar, Type

Names = frozenset[str]
Needs = frozenset[tuple[str, int]]  # (variable, statement whose reverse code reads it)
Places = dict[tuple[int, str], list[nodes.Index] | None]  # (statement, array) -> what is read
RESULT = Span("<result>", 0)  # marks a read of what the statement itself has just written


def names_of(needs: Needs) -> Names:
    """The names that are needed."""
    return frozenset(n for n, _ in needs)


def lasting_shape(kind: Type | None) -> bool:
    """Whether all that a variable is bound to has the same shape and dtype."""
    return isinstance(kind, Array) and kind.dtype is not None and not shape_may_change(kind)


def _may_vary(size: Size) -> bool:
    return any(map(changes, size.letters()))


def shape_may_change(kind: Type | None) -> bool:
    """Whether two values of a type may be of different shapes."""
    if isinstance(kind, Maybe):
        return shape_may_change(kind.item)
    if isinstance(kind, Array):
        return kind.shape is None or any(s is None or _may_vary(s) for s in kind.shape)
    return isinstance(kind, Number | List | Dict)


def lasting_size(kind: Type | None) -> bool:
    """Whether all that a variable is bound to is the same size of the function's arguments."""
    size = kind.size if isinstance(kind, Scalar) else None
    return size is not None and not any(map(changes, size.letters()))


def memory_of(group: str) -> str:
    """Stands for the memory that a group of names shares, whoever holds it."""
    return f"[{group}]"


def read_by(stmt: Stmt) -> Names:
    """The names that a statement reads."""
    return frozenset[str]().union(*map(nodes.names_in, nodes.expressions(stmt)))


def read_places(stmt: nodes.Store | nodes.Mutate) -> Names:
    """The names that say where a statement writes, and what it took away."""
    names = nodes.names_in(stmt.base) | frozenset(nodes.targets_of(stmt))  # what was popped
    for part in stmt.index if isinstance(stmt, nodes.Store) else stmt.args[:1]:
        names |= nodes.names_in(part)
    return names


def note_places(expr: Expr, site: int, names: Names, found: Places) -> None:
    """Note where a statement's reverse code reads these arrays; None where it is not said."""
    if isinstance(expr, nodes.Index) and isinstance(expr.base, Var) and expr.base.name in names:
        held = found.setdefault((site, expr.base.name), [])
        if held is not None:
            held.append(expr)
        for part in expr.index:
            note_places(part, site, names, found)
        return
    if isinstance(expr, Call) and expr.text in ("np.zeros_like", "shape", "np.shape"):
        return
    if isinstance(expr, Var) and expr.name in names:
        found[site, expr.name] = None
    for child in nodes.children(expr):
        note_places(child, site, names, found)


def part_of(path: Expr | None) -> nodes.Index | None:
    """What a name is a view of, if that is a part of a variable's array."""
    match path:
        case nodes.Index(base=Var(type=Array())):
            return path
    return None


def reads_what_it_writes(stmt: Stmt, name: str, places: list[nodes.Index] | None) -> bool:
    """Whether all that the reverse code of a write reads of an array is what the write replaces.

    That is put back just before: what is written there later on need not be saved for it.
    places: what is read; None where that is not known.
    """
    if not places or not isinstance(stmt, nodes.Store) or not isinstance(stmt.base, Var):
        return False
    if stmt.base.name != name or not isinstance(stmt.base.type, Array):
        return False  # a list may have become shorter by then
    return all(place.index == stmt.index and place.span is not RESULT for place in places)


def made_of_none(block: Block) -> Names:
    """The variables that may hold what was made of None, where a name has no value yet: they need
    not have the shape that their type says."""
    stmts = tuple(nodes.walk_block(block))
    assigned = [s for s in stmts if isinstance(s, nodes.Assign)]
    found = {t for s in assigned if any(map(_is_none, s.values)) for t in s.targets}
    size = 0
    while len(found) != size:
        size = len(found)
        for stmt in stmts:
            if nodes.blocks(stmt) and not isinstance(stmt, nodes.For):
                continue
            if read_by(stmt) & found:
                held = root(stmt.base) if isinstance(stmt, nodes.Store | nodes.Mutate) else None
                found |= {*nodes.targets_of(stmt), *([held] if held else [])}
    return frozenset(found)


def _is_none(value: nodes.Expr) -> bool:
    return isinstance(value, nodes.Const) and value.value is None


def breaks(block: Block) -> bool:
    """Whether a loop with this body may be left by `break`."""
    for stmt in block:
        if isinstance(stmt, nodes.Exit) and stmt.kind == "break":
            return True
        if isinstance(stmt, nodes.If) and (breaks(stmt.then) or breaks(stmt.orelse)):
            return True
    return False


def asks_for_order(block: Block) -> bool:
    """Whether anything here depends on how arrays lie in memory: `np.ravel(a, order="K")`."""
    exprs = (e for s in nodes.walk_block(block) for e in nodes.expressions(s))
    parts = (part for expr in exprs for part in nodes.walk(expr))
    named = (p.value for p in parts if isinstance(p, nodes.Const) and isinstance(p.value, str))
    return any(value in ("K", "A") for value in named)


def turning_complex(body: Block, types: Mapping[str, Type]) -> Names:
    """The arrays that may be complex at one time and real at another."""
    arrays = {n: k for n, k in types.items() if isinstance(k, Array) and is_complex_dtype(k.dtype)}
    return frozenset(arrays) if arrays and may_be_real(body, types) else frozenset()

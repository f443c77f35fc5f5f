"""Floor 6: Python's integers that may need more than the 64 bits of compiled code.

A width is how many bits an integer has at most. Counters, lengths and what is given have those of
what can be counted in a run; products and sums have those that follow. What may be wider than a
machine word is computed by functions that notice when it is; Python runs the code then. Places in
arrays and lengths are left out, and names that are nothing else: what lies in an array is short.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TypeGuard

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Stmt
from s2sgrad.ir.types import Array, Dict, List, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_block, map_stmt_exprs

WORD = 63  # bits, and one for the sign
COUNT = 31  # of what counts something: a square of it fits
_GROWING = {
    "+": "whole_sum", "-": "whole_difference", "*": "whole_product", "**": "whole_power",
}  # fmt: skip
_SIGNS = {name: sign for sign, name in _GROWING.items()}
_SIGNS |= {"whole_quotient": "//", "whole_remainder": "%"}


def with_long_integers_noticed(body: Block) -> Block:
    """The body with sums, differences and products that may be too long asked whether they are."""
    widths, short = _Widths(body), _only_places(body)
    return map_block(body, lambda e: e, lambda s: [_noticed(s, widths, short)])


def _only_places(body: Block) -> frozenset[str]:
    """The names that places in arrays alone are computed from."""
    found: set[str] = set()
    others: set[str] = set()
    for stmt in nodes.walk_block(body):
        places = set(_in_places(stmt))
        for expr in nodes.expressions(stmt):
            for node in nodes.walk(expr):
                if isinstance(node, nodes.Var):
                    (found if id(node) in places else others).add(node.name)
    return frozenset(found - others)


def _noticed(stmt: Stmt, widths: _Widths, short: frozenset[str]) -> Stmt:
    places = set(_in_places(stmt))
    if isinstance(stmt, nodes.Assign) and short.issuperset(stmt.targets):
        places.update(id(part) for value in stmt.values for part in _ring(value))

    def guarded(expr: Expr) -> Expr:
        if id(expr) in places or not _grows(expr) or widths.needed(expr) <= WORD:
            return expr
        from s2sgrad_runtime import numba_whole

        name = _GROWING[expr.text]
        function = getattr(numba_whole, name)
        return Call(function, name, expr.args, type=expr.type, span=expr.span)

    return map_stmt_exprs(stmt, guarded)  # type: ignore[arg-type]


def _in_places(stmt: Stmt) -> Iterator[int]:
    """The parts of places in arrays, and of lengths, in a statement, by identity."""
    if isinstance(stmt, nodes.Store) and isinstance(stmt.base.type, Array):
        yield from (id(part) for index in stmt.index for part in _ring(index))
    for expr in nodes.expressions(stmt):
        for node in nodes.walk(expr):
            if isinstance(node, Index) and isinstance(node.base.type, Array):
                yield from (id(part) for index in node.index for part in _ring(index))
            elif isinstance(node, Call) and node.function in (np.empty, np.zeros):
                yield from (id(part) for part in _ring(node.args[0]))
            elif isinstance(node, Call) and node.function is range:
                counts = (a for a in node.args if all(map(_is_count, _ring(a))))
                yield from (id(part) for count in counts for part in _ring(count))


def _ring(expr: Expr) -> Iterator[Expr]:
    """A number that is short, and what it is the sum, difference or product of: these may be long,
    and lose what does not fit into a word, which the number does not depend on."""
    yield expr
    is_sum = isinstance(expr, Call) and expr.form == "operator" and expr.text in ("+", "-", "*")
    if is_sum or isinstance(expr, nodes.Sequence | nodes.Slice):
        for part in nodes.children(expr):
            yield from _ring(part)


def _is_count(expr: Expr) -> bool:
    """Whether this is a number, a length, or computed of such parts."""
    match expr:
        case Const() | Call(form="operator", text="+" | "-" | "*") | Call(text="len"):
            return True
        case Index(base=Call(form="attribute", text="shape")):
            return True
    return False


def _grows(expr: Expr) -> TypeGuard[Call]:
    """Whether it is a sum, difference or product of Python's integers."""
    return (
        isinstance(expr, Call)
        and expr.form == "operator"
        and expr.text in _GROWING
        and len(expr.args) == 2
        and all(map(_is_integer, (expr, *expr.args)))
    )


def _is_integer(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.dtype == "int"


def _holds_integers(kind: Type) -> bool:
    """Whether lists and dicts hold integers of Python's, at some depth."""
    while isinstance(kind, List | Dict):
        kind = kind.item
    return isinstance(kind, Scalar) and kind.dtype == "int"


class _Widths:
    """How long the integers of one function are. values: what each name gets, or holds items of."""

    def __init__(self, body: Block) -> None:
        self.values: defaultdict[str, list[Expr]] = defaultdict(list)
        for stmt in nodes.walk_block(body):
            for name, value in _given(stmt):
                if _is_integer(value) or _holds_integers(value.type):
                    self.values[name].append(value)
        self.depends = self._closure()
        self.known: dict[str, int] = {}

    def _closure(self) -> dict[str, set[str]]:
        """The names that each name is computed from, by way of others."""
        found = {
            name: {n for value in values for n in nodes.names_in(value)}
            for name, values in self.values.items()
        }
        while True:
            wider = {n: v.union(*(found.get(m, ()) for m in v)) for n, v in found.items()}
            if wider == found:
                return found
            found = wider

    def of(self, expr: Expr) -> int:
        """The width of a value; that of the widest item for lists."""
        return min(self.needed(expr), WORD)

    def needed(self, expr: Expr) -> int:
        """The bits that the value would need if it could have more than a word's."""
        match expr:
            case Const(value=int(value)):
                return value.bit_length()
            case nodes.Var(name=name):
                return self.name(name)
            case Index(base=base) if _holds_integers(base.type):
                return self.of(base)
            case nodes.Sequence(items=items):
                return max(map(self.of, items), default=0)
            case Call(text=sign, form="operator", args=(left, right)):
                return self._operator(sign, left, right)
            case Call(text="-" | "+" | "abs" | "max" | "min" | "list" | "copy_tree", args=args):
                return max(map(self.of, args), default=COUNT)
            case nodes.Choice(then=then, orelse=orelse):
                return max(self.of(then), self.of(orelse))
            case Call(text="whole_shift"):
                return WORD
            case Call(text=name, args=(left, right)) if name in _SIGNS:
                return self._operator(_SIGNS[name], left, right)
        return COUNT

    def _operator(self, sign: str, left: Expr, right: Expr) -> int:
        a, b = self.of(left), self.of(right)
        match sign:
            case "*":
                return a + b
            case "**":
                return a * int(right.value) if isinstance(right, Const) else WORD
            case "+" | "-":
                return max(a, b) + 1 if min(a, b) else max(a, b)
            case "%":
                return b
            case "&":
                return min(
                    [w for e, w in ((left, a), (right, b)) if _is_mask(e)], default=max(a, b)
                )
        return max(a, b)

    def name(self, name: str) -> int:
        """The width of what a name holds."""
        if name not in self.known:
            self.known[name] = COUNT  # of what it is computed from by itself
            if name in self.depends.get(name, ()):
                self.known[name] = self._growing(name)
            elif name in self.values:
                self.known[name] = max(map(self.of, self.values[name]))
        return self.known[name]

    def _growing(self, name: str) -> int:
        """That of a name whose values come from earlier ones: it steps, adds up, or multiplies."""
        return max(COUNT, *(self._step(value, name) for value in self.values[name]))

    def _step(self, value: Expr, name: str) -> int:
        """The width that a name gets to by one of its values, again and again."""
        if not self._comes(value, name) or isinstance(value, nodes.Var):
            return self.of(value)
        match value:
            case Call(text="+" | "-", form="operator", args=(left, right)):
                if self._comes(left, name) and self._comes(right, name):
                    return WORD
                one, other = (left, right) if self._comes(left, name) else (right, left)
                step = 0 if isinstance(other, Const) else self.of(other) + COUNT
                return min(max(step, self._step(one, name)), WORD)
            case Call(text="%" | "whole_remainder", args=(_, right)):
                return self.of(right)
            case Call(text="//" | ">>" | "whole_quotient" | "max" | "min", args=args):
                return max(self._step(arg, name) for arg in args)
            case nodes.Choice(then=then, orelse=orelse):
                return max(self._step(then, name), self._step(orelse, name))
        return WORD

    def _comes(self, expr: Expr, name: str) -> bool:
        """Whether a value comes from what the name holds."""
        names = nodes.names_in(expr)
        return name in names or any(name in self.depends.get(n, ()) for n in names)


def _given(stmt: Stmt) -> Iterator[tuple[str, Expr]]:
    """(name, what it gets) in a statement; lists and dicts get their new items."""
    match stmt:
        case nodes.Assign(targets=targets, values=values):
            yield from zip(targets, values, strict=True)
        case nodes.Store(base=base, value=value) if isinstance(base.type, List | Dict):
            yield from ((name, value) for name in nodes.names_in(base))
        case nodes.Mutate(base=base, args=args, target=target):
            yield from ((name, arg) for name in nodes.names_in(base) for arg in args)
            if target is not None:
                yield target, base
        case nodes.For(targets=targets, sources=sources):
            for source in sources:
                if _holds_integers(source.type):
                    yield from ((target, source) for target in targets)


def _is_mask(expr: Expr) -> bool:
    return isinstance(expr, Const) and bool(expr.value >= 0)


__all__ = ["with_long_integers_noticed"]

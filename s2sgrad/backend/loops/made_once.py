"""Floor 6: arrays that every iteration of a loop makes for itself alone, made once before it.

A new array costs what a hundred additions do, and the array of the last iteration does as well,
where nothing else holds it and each iteration fills what it reads. Not for loops on several cores,
whose iterations would write into one array at the same time.

`for k in range(1, n): part = np.empty(k)` makes the longest one, where only single entries of the
array are used, none of them counted from its end, and no iteration is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.contraction import allocated
from s2sgrad.backend.loops.entries import only_entries
from s2sgrad.backend.loops.storage import Lengths
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Index, Sequence, Stmt, Var
from s2sgrad.ir.sizes import Size, at_least_two
from s2sgrad.ir.types import INT, Array, Scalar
from s2sgrad.transform.writing.rewrite import map_loops

_INTO = ("product_in_place", "add_product_in_place", "subtract_product_in_place")
_PRODUCTS = ("@", "np.dot", "matrix_product", "dot_product")


def with_arrays_made_once(function: Function, outer: Function | None = None) -> Function:
    """The function with such arrays made ahead of the loops.

    outer: the function that it is a piece of, and that goes on to use the arrays it takes.
    """
    return replace(function, body=_Mover(function, outer).block(function.body))


class _Mover:
    def __init__(self, function: Function, outer: Function | None) -> None:
        bound = Counter(t for s in nodes.walk_block(function.body) for t in nodes.targets_of(s))
        self.sizes = Lengths(function, set(bound))
        uses = list(_uses(function.body, function))
        self.count = Counter(use.name for use in uses)
        groups = Groups(function, outer)
        sharing = Counter(groups.of(n) for n in {*function.types, *self.count, *bound})
        held = {use.name for use in uses if not use.alone}
        self.own = {
            n for n in self.count if bound[n] == 1 and sharing[groups.of(n)] == 1 and n not in held
        }

    def block(self, block: Block) -> Block:
        return map_loops(block, self._loop)

    def _loop(self, loop: nodes.For | nodes.While) -> list[Stmt]:
        made, body = self._taken(loop, self.block(loop.body))
        return [*made, replace(loop, body=body)]

    def _taken(self, loop: nodes.For | nodes.While, body: Block) -> tuple[list[Stmt], Block]:
        """(statements that make arrays, the loop's body without them)."""
        bound = {t for s in (loop, *nodes.walk_block(body)) for t in nodes.targets_of(s)}
        made: list[Stmt] = []
        rest: list[Stmt] = []
        for k, stmt in enumerate(body):
            name = allocated(stmt)
            if name in self.own and self._stays(name, body[k + 1 :]):
                new = self._outside(stmt, bound)
                if new is None and only_entries(name, loop):
                    new = self._outside(stmt, bound, loop)
                if new is not None:
                    made.append(new)
                    continue
            rest.append(stmt)
        return made, tuple(rest)

    def _stays(self, name: str, after: Block) -> bool:
        """Whether nothing but these statements uses an array."""
        named = chain.from_iterable(map(nodes.expressions, nodes.walk_block(after)))
        return sum(n == Var(name) for e in named for n in nodes.walk(e)) == self.count[name]

    def _outside(
        self, made: Stmt, bound: set[str], loop: nodes.For | nodes.While | None = None
    ) -> Stmt | None:
        """The statement that makes an array, with lengths known ahead of the loop.

        loop: may be longer than an iteration needs, as long as the longest of this loop."""
        assert isinstance(made, nodes.Assign)
        value = made.values[0]
        assert isinstance(value, Call)
        shape = value.args[0]
        lengths = shape.items if isinstance(shape, Sequence) else (shape,)
        sizes: tuple[Size | None, ...] = (None,) * len(lengths)
        if isinstance(value.type, Array) and len(value.type.shape or ()) == len(lengths):
            sizes = value.type.shape or ()
        found = [self._length(*both, bound) for both in zip(lengths, sizes, strict=True)]
        if isinstance(loop, nodes.For):
            pairs = zip(found, lengths, strict=True)
            found = [self.sizes.longest(e, loop) if f is None else f for f, e in pairs]
            found = [e if e is not None and _is_length(e) else None for e in found]
        if any(e is None for e in found):
            return None
        shape = Sequence("tuple", tuple(found)) if len(found) > 1 else found[0]  # type: ignore[arg-type, assignment]
        return replace(made, values=(replace(value, args=(shape, *value.args[1:])),))

    def _length(self, length: Expr, size: Size | None, bound: set[str]) -> Expr | None:
        if nodes.names_in(length) & bound:
            known = self.sizes.size(size)
            if known is None or nodes.names_in(known) & bound:
                return None
            length = known
        if _is_length(length):
            return length
        least = (length, Const(0, type=INT))
        return Call(max, "max", least, type=INT) if _is_difference(length) else None


def _is_length(expr: Expr) -> bool:
    """Whether an expression can't be negative: the loop may run no single time."""
    match expr:
        case Const(value=int(value)):
            return value >= 0
        case Index(base=Call(form="attribute", text="shape")):
            return True
        case Call(function=function, args=args) if function is max:
            return any(map(_is_length, args))
        case Call(form="operator", text="+" | "*", args=args):
            return all(map(_is_length, args))
    return False


def _is_difference(expr: Expr) -> bool:
    """Whether an expression is computed from lengths of arrays: it may be negative where these
    are shorter than the loop needs, if it runs."""
    match expr:
        case Call(form="operator", text="-" | "+" | "*", args=args):
            return all(map(_is_difference, args))
        case Var(type=Scalar(dtype="int", size=Size() as size)):
            return all(map(at_least_two, size.letters()))
    return isinstance(expr, Const) or _is_length(expr)


@dataclass(frozen=True)
class _Use:
    """A place where an array is named. alone: nothing else holds the array, or a part, after it."""

    name: str
    alone: bool


def _uses(block: Block, function: Function) -> Iterator[_Use]:
    for stmt in nodes.walk_block(block):
        match stmt:
            case nodes.Store(base=Var(name=name), index=index, value=value):
                yield _Use(name, True)
                for expr in (*index, value):
                    yield from _in(expr, function)
                continue
            case nodes.Do(value=Call(text=text, args=args)) if text in _INTO:
                for expr in args:
                    yield from _in(expr, function, passing=True)
                continue
        for expr in nodes.expressions(stmt):
            yield from _in(expr, function)


def _in(expr: Expr, function: Function, passing: bool = False) -> Iterator[_Use]:
    """passing: the value is used up at once, whatever it is."""
    match expr:
        case Var(name=name):
            yield _Use(name, passing or isinstance(expr.type, Scalar))
        case Index(base=base, index=index):
            entry = isinstance(base, Var) and _is_entry(base.name, index, function)
            yield from _in(base, function, passing or entry)
            for part in index:
                yield from _in(part, function)
        case Call(form="attribute", text=text, args=(base,)):
            yield from _in(base, function, passing or text in ("shape", "size"))
        case Call(text=text, args=args) if text in _PRODUCTS:
            for arg in args:
                yield from _in(arg, function, passing=True)
        case _:
            for child in nodes.children(expr):
                yield from _in(child, function)


def _is_entry(name: str, index: tuple[Expr, ...], function: Function) -> bool:
    """Whether a subscript takes a number out of an array."""
    kind = function.types.get(name)
    if not isinstance(kind, Array) or len(kind.shape or ()) != len(index):
        return False
    return all(isinstance(p.type, Scalar) and not isinstance(p, nodes.Slice) for p in index)


__all__ = ["with_arrays_made_once"]

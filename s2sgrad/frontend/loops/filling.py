"""Floor 4: numbers before a loop that the loop makes arrays of, begun as arrays.

`s = 0.0` before `for row in A: s = s + row` becomes `s = np.zeros(n)`, where nothing can tell the
two apart (analysis/still_numbers.py): the code after the loop and the reverse sweep then know what
`s` is.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s2sgrad.analysis.definite import bound_after
from s2sgrad.analysis.effects import root
from s2sgrad.analysis.still_numbers import becomes_arrays, begun_as_arrays
from s2sgrad.frontend.loops.carried import Slot, held_expressions, slots_of
from s2sgrad.frontend.state import State, constant
from s2sgrad.frontend.values import Dyn
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr
from s2sgrad.ir.sizes import Size, changes, known
from s2sgrad.ir.types import INT, Array, Known, Scalar, Tuple, Type, join, shape_of

Make = Callable[[Type], nodes.Var]
MAKERS = {0: "zeros", 1: "ones"}


@dataclass
class Places:
    """The names before one loop that were looked at, over its attempts."""

    filled: set[Slot] = field(default_factory=set)
    refused: set[Slot] = field(default_factory=set)


class Filling:
    """The numbers that one attempt at a loop begins as arrays.

    An attempt that leaves them numbers comes first: it shows what is done with them. arrays:
    variable of the head -> the array in place of the number. numbers: variable -> its place,
    where it might be begun as an array and is not.
    """

    def __init__(
        self,
        origin: dict[Any, Expr],
        entry: State,
        places: Places,
        unsure: Callable[[], Set[str]] = frozenset,
    ) -> None:
        self.origin, self.entry, self.places = origin, entry, places
        self._unsure = unsure
        self.arrays: dict[str, Expr] = {}
        self.numbers: dict[str, Slot] = {}
        self.shared = False

    def variable(self, slot: Slot, kinds: Sequence[Type], make: Make) -> Expr | None:
        """The variable of a head that is begun as an array."""
        array = self._given(kinds) if slot in self.places.filled else None
        if array is None:
            return None
        var = make(array.type)
        self.arrays[var.name] = array
        return var

    def changed(self, name: str, state: State, waits: bool) -> None:
        """A variable is written in place: whatever else holds it would have kept the number.

        waits: values that were read before the write wait for their operation.
        """
        if name in self.arrays:
            holders = [e for e in held_expressions(state) if name in nodes.names_in(e)]
            self.shared |= len(holders) > 1 or waits

    def note(self, slot: Slot, kinds: Sequence[Type], name: str) -> None:
        """A variable is a number that becomes an array."""
        if slot not in self.places.refused and self._given(kinds) is not None:
            self.numbers[name] = slot

    def _given(self, kinds: Sequence[Type]) -> Expr | None:
        """The array to begin with, where a variable is one number first and arrays later."""
        numbers = {k.value for k in kinds if isinstance(k, Scalar)}
        arrays = [k for k in kinds if isinstance(k, Array)]
        if len(numbers) != 1 or not arrays:
            return None
        if sum(isinstance(k, Scalar) for k in kinds) + len(arrays) != len(kinds):
            return None
        kind = arrays[0]
        for other in arrays[1:]:
            kind = join(kind, other)  # type: ignore[assignment]
        (value,) = numbers
        return self._array(value, kind) if type(value) in (int, float, complex) else None

    def _array(self, value: Any, kind: Array) -> Expr | None:
        if not kind.shape or not known(kind.shape) or kind.dtype is None:
            return None
        if any(map(changes, {n for s in kind.shape if s is not None for n in s.letters()})):
            return None
        if np.result_type(kind.dtype, value) != np.dtype(kind.dtype):
            return None
        name = "" if str(value)[0] == "-" else MAKERS.get(value, "")
        model = self._alike(kind)
        if name and model is not None:
            return Call(getattr(np, f"{name}_like"), f"np.{name}_like", (model,), type=kind)
        shape = self._shape(kind)
        if shape is None:
            return None
        kwargs = () if kind.dtype == "float64" else (("dtype", _dtype(kind.dtype)),)
        if name:
            return Call(getattr(np, name), f"np.{name}", (shape,), kwargs, type=kind)
        if type(value) is int and not kwargs:
            value = float(value)
        return Call(np.full, "np.full", (shape, constant(value)), kwargs, type=kind)

    def _alike(self, kind: Array) -> Expr | None:
        """A variable there is already, of the same shape and dtype."""
        return next((var for var in self._arrays() if var.type == kind), None)

    def _arrays(self) -> Iterator[nodes.Var]:
        """The arrays that variables hold when the loop begins, whichever way a run came there."""
        for held in self.entry.vars.values():
            var = held.expr if isinstance(held, Dyn) else None
            if not isinstance(var, nodes.Var) or not isinstance(var.type, Array):
                continue
            if var.name not in self._unsure():
                yield var

    def _shape(self, kind: Array) -> Expr | None:
        lengths = [self._length(s) for s in kind.shape or () if s is not None]
        if any(n is None for n in lengths):
            return None
        if len(lengths) == 1:
            return lengths[0]
        return nodes.Sequence("tuple", tuple(lengths), type=Tuple((INT,) * len(lengths)))  # type: ignore[arg-type]

    def _length(self, size: Size) -> Expr | None:
        if size.constant is not None:
            return constant(size.constant)
        if size in self.origin:
            return self.origin[size]
        if size.letter in self.origin:
            return self.origin[size.letter]
        shapes = ((array, shape_of(array.type) or ()) for array in self._arrays())
        found = ((array, shape.index(size)) for array, shape in shapes if size in shape)
        return next((_length_of(array, axis) for array, axis in found), None)

    def again(self, loop: nodes.Stmt) -> bool:
        """Whether another attempt is due: with arrays for numbers, or without where they fail."""
        if self.arrays:
            shared = self.shared or _handed_on(loop, self.arrays)
            if not shared and _is(begun_as_arrays, loop, self.arrays):
                return False
            self.places.refused |= self.places.filled
            self.places.filled = set()
            return True
        found = {slot for n, slot in self.numbers.items() if _is(becomes_arrays, loop, [n])}
        found -= self.places.filled  # their shapes were not known in this attempt
        self.places.filled |= found
        self.places.refused |= set(self.numbers.values()) - found
        return bool(found)


def perhaps_unbound(blocks: Sequence[Sequence[nodes.Stmt]], begun_inside: Set[str]) -> Set[str]:
    """Variables of open blocks that may have no value, or none of their own, where these end.

    begun_inside: those at the heads of the loops around, to which only a turn gives a value.
    """
    bound: frozenset[str] = frozenset()
    found, unsure = set[str](), set(begun_inside)
    moves: list[tuple[str, Expr]] = []
    for block in blocks:
        for stmt in nodes.walk_block(tuple(block)):
            names = nodes.targets_of(stmt)
            found.update(names)
            if isinstance(stmt, nodes.Assign):
                unsure.update(names if stmt.nothing else ())
                moves += zip(stmt.targets, stmt.values, strict=True)
        bound = bound_after(tuple(block), bound)
    unsure |= found - bound
    while more := {n for n, e in moves if isinstance(e, nodes.Var) and e.name in unsure} - unsure:
        unsure |= more
    return unsure


def begun_inside(entry: State, phis: dict[Slot, Any], unsure: Set[str]) -> Iterator[str]:
    """Variables of a head that have no value before the loop, or none for certain."""
    before = slots_of(entry)
    for slot, phi in phis.items():
        held = getattr(before.get(slot), "expr", None)
        sure = slot in before and not (isinstance(held, nodes.Var) and held.name in unsure)
        if not sure and isinstance(phi, Dyn) and isinstance(phi.expr, nodes.Var):
            yield phi.expr.name


def _handed_on(loop: nodes.Stmt, arrays: Container[str]) -> bool:
    """Whether one that is written in place gets another name on some path of the loop."""
    stmts = list(nodes.walk_block((loop,)))
    written = {root(s.base) for s in stmts if isinstance(s, nodes.Store)}
    return any(
        name in written and name in arrays and target not in arrays
        for stmt in stmts
        if isinstance(stmt, nodes.Assign)
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        for name in _named(value)
    )


def _named(value: Expr) -> tuple[str, ...]:
    """The variables that a value may be."""
    if isinstance(value, nodes.Choice):
        return (*_named(value.then), *_named(value.orelse))
    return (value.name,) if isinstance(value, nodes.Var) else ()


def _is(question: Callable[..., bool], loop: nodes.Stmt, names: Iterable[str]) -> bool:
    return isinstance(loop, nodes.For) and question(loop, frozenset(names))


def _length_of(array: nodes.Var, axis: int) -> Expr:
    kind = Tuple((INT,) * len(array.type.shape))  # type: ignore[attr-defined]
    shape = Call(np.shape, "shape", (array,), form="attribute", type=kind)
    return nodes.Index(shape, (constant(axis),), type=INT)


def _dtype(name: str) -> Expr:
    return nodes.Const(name, type=Known(name))


__all__ = ["Filling", "begun_inside", "perhaps_unbound"]

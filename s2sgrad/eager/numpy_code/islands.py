"""One call of an ordinary NumPy function on traced arrays, inside code that is not traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.arrays import Traced
from s2sgrad.eager.numpy_code.losses import LostWriteError, watched
from s2sgrad.eager.numpy_code.relocated import relocated
from s2sgrad.eager.numpy_code.tracing import (
    Leaf,
    cotangents,
    entered,
    is_active,
    is_plain_object,
    left,
    mapped,
    of_its_own,
    returned,
    running,
    writable,
)
from s2sgrad.eager.passes.dual_levels import new_level
from s2sgrad.eager.settings.modes import enable_grad
from s2sgrad.eager.tensors.tensor import Tensor, wrap
from s2sgrad.errors import IslandError
from s2sgrad_runtime.objects import attributes


class Island:
    """A call `function(*args, **kwargs)` for the inputs `wrt`: positions, then keywords."""

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        wrt: tuple[int, ...] | None,
    ) -> None:
        self.function, self.count, self.names = function, len(args), tuple(kwargs)
        self.inputs = [*args, *kwargs.values()]
        chosen = range(len(self.inputs)) if wrt is None else wrt
        self.leaves: dict[int, list[Leaf]] = {i: [] for i in chosen}
        self.seen = [
            entered(value, self.leaves[i]) if i in self.leaves else of_its_own(value, True)
            for i, value in enumerate(self.inputs)
        ]
        self.before = [list(_entries(value)) for value in self.seen]
        self.outputs: list[Any] = []
        self.shared = False  # whether the function's own result was (a view of) an argument

    @property
    def nested(self) -> bool:
        """Whether an input belongs to an outer graph."""
        return any(
            type(leaf.given) is Traced or isinstance(leaf.given, Tensor)
            for leaves in self.leaves.values()
            for leaf in leaves
        )

    def run(self) -> Any:
        """The result, still traced."""
        kwargs = dict(zip(self.names, self.seen[self.count :], strict=True))
        args = self.seen[: self.count]
        if not self.leaves:
            return self.function(*args, **kwargs)
        try:
            function = self.function
            with enable_grad(), writable(), watched(), running(), relocated(function) as moved:
                return moved(*args, **kwargs)
        except LostWriteError as error:  # the caller on tensors may make the array itself
            name = getattr(self.function, "__name__", "the function")
            raise IslandError(f"{name} writes into an array that it is given") from error

    def reverse(self) -> Any:
        """The value; `pullback` may be called then."""
        self.value = left(self.run(), self.nested, self.outputs)
        return self._apart(self.value)

    def pullback(self, y_bar: Any) -> tuple[Any, ...]:
        """The cotangents of all inputs from that of the value; None for those not asked for."""
        bars: list[Any] = []
        _zip(self.value, y_bar, bars)
        every = [leaf for leaves in self.leaves.values() for leaf in leaves]
        found = iter(cotangents(self.outputs, bars, every, self.nested))
        made = {
            i: returned(self.inputs[i], leaves, found) if leaves else _still(self.inputs[i], None)
            for i, leaves in self.leaves.items()
        }
        # Generated code adds to cotangents in place; here two may be one array.
        return tuple(of_its_own(made.get(i), True) for i in range(len(self.inputs)))

    def forward(self, dots: list[Any]) -> tuple[Any, Any]:
        """The value and its tangent. dots: the tangents of the inputs `wrt`."""
        pushed: list[Any] = []
        for i, dot in zip(self.leaves, dots, strict=True):
            _zip(self.inputs[i], dot, pushed)
        leaves = [leaf for leaves in self.leaves.values() for leaf in leaves]
        tensors = [t for value in self.seen for t in _tensors(value)]
        nested = self.nested or any(isinstance(d, Tensor) for d in pushed)
        with new_level() as level:
            for leaf, t, dot in zip(leaves, tensors, pushed, strict=True):
                made = dot if isinstance(dot, Tensor) else wrap(_like(dot, leaf.tensor._array))
                level.set(t, made)
            result = self.run()
            value = left(result, nested, self.outputs)
            dots_out = iter([_tangent(level, out, nested) for out in self.outputs])
            dot = mapped(value, lambda e: next(dots_out) if is_active(e) else _still(e))
        return self._apart(value), dot

    def _apart(self, value: Any) -> Any:
        """The value; arrays that share memory with an input are copied."""
        arrays = self._memory()

        def own(entry: Any) -> Any:
            if type(entry) is np.ndarray and any(np.may_share_memory(entry, a) for a in arrays):
                self.shared = True
                return entry.copy()
            return entry

        return mapped(value, own)

    def _memory(self) -> list[Any]:
        passed = [*self.inputs, *self.seen]  # what is not followed is seen as a copy
        given = [e for value in passed for e in _entries(value) if type(e) is np.ndarray]
        return given + [t._array for value in self.seen for t in _tensors(value)]

    def changed(self) -> str | None:
        """What the function wrote into, in words; None if nothing."""
        for i, (value, before) in enumerate(zip(self.seen, self.before, strict=True)):
            after = list(_entries(value))
            same = [*map(id, after)] == [*map(id, before)]
            if not same or any(_written(e) for e in after) or _differs(after, self.inputs[i]):
                return (
                    f"argument {i + 1}"
                    if i < self.count
                    else f"argument '{self.names[i - self.count]}'"
                )
        return None


def _entries(value: Any) -> Any:
    found: list[Any] = []
    mapped(value, found.append, True)
    return found


def _still(entry: Any, other: Any = ...) -> Any:
    """Zeros for whole numbers and truth values, which generated code may take for others.

    other: what anything else gives; itself by default.
    """
    if isinstance(entry, (int, np.integer, np.bool_)):
        return 0.0
    if type(entry) is np.ndarray and entry.dtype.kind in "iub":
        return np.zeros(entry.shape)
    return entry if other is ... else other


def _tensors(value: Any) -> list[Tensor]:
    return [e.tensor for e in _entries(value) if type(e) is Traced]


def _written(entry: Any) -> bool:
    return type(entry) is Traced and entry.tensor._version > 0


def _differs(after: list[Any], given: Any) -> bool:
    """Whether a copied array is no longer what was given."""
    pairs = zip(after, _entries(given), strict=False)
    return any(
        type(a) is np.ndarray and type(b) is np.ndarray and a is not b
        and not np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")
        for a, b in pairs
    )  # fmt: skip


def _zip(value: Any, bar: Any, bars: list[Any]) -> None:
    """The entries of `bar` that belong to active entries of `value`, in order."""
    if isinstance(value, (list, tuple)) and not isinstance(value, np.ndarray):
        for i, entry in enumerate(value):
            _zip(entry, None if bar is None else bar[i], bars)
    elif isinstance(value, dict):
        for key, entry in value.items():
            _zip(entry, None if bar is None else bar[key], bars)
    elif is_plain_object(value):
        for key, entry in attributes(value).items():
            _zip(entry, None if bar is None else getattr(bar, key), bars)
    elif is_active(value):
        shape = np.shape(getattr(value, "tensor", value))
        if bar is None:
            bars.append(np.zeros(shape))
        elif type(bar) is Traced:
            bars.append(bar.tensor)
        elif np.shape(bar) != shape:
            bars.append(np.broadcast_to(bar, shape))
        else:
            bars.append(bar)


def _like(dot: Any, array: Any) -> Any:
    return np.array(np.broadcast_to(dot, array.shape), array.dtype)


def _tangent(level: Any, out: Tensor, nested: bool) -> Any:
    dot = level.get(out)
    made = wrap(np.zeros_like(out._array)) if dot is None else dot
    if nested:
        return Traced(made)
    return made._array if made._array.ndim else made._array[()]


__all__ = ["Island"]

"""Forward mode: what each dual level knows, and how a tangent passes through an operation.

A tangent belongs to an array object, not to a tensor: a value saved for the backward pass keeps
its tangent, so forward mode over reverse mode needs nothing else. Levels form a chain; while one
computes tangents, the next outer one is active and sees these computations too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import NeedsExamples
from s2sgrad.eager.batches.examples import Refused
from s2sgrad.eager.passes.tangents import Tangents, alias
from s2sgrad.eager.recording.record import Op
from s2sgrad.eager.settings.state import LIVE, STATE, refresh
from s2sgrad.eager.tensors.tensor import Tensor, floats, wrap
from s2sgrad.eager.tensors.views import in_order, view

OTHER_SIZE = (
    "Trying to set a forward gradient that has a different size than that of the original Tensor,"
    " this is not supported. Tensor is of size {} while the given forward gradient is of size {}."
)


class Level:
    """The tangents of one dual level. `outer` is the level around it, or None."""

    def __init__(self, outer: Level | None) -> None:
        self.outer = outer
        self.table: dict[int, tuple[Any, Tensor | None]] = {}  # id(array) -> (array, tangent)
        self.late: set[int] = set()  # arrays that got a tangent when they were written to

    def get(self, value: Any) -> Tensor | None:
        """The tangent of a tensor at this level, or None."""
        if not isinstance(value, Tensor):
            return None
        found = self.table.get(id(value._array))
        if found is not None:
            return found[1]
        return self._of_part(value) if self.late and value._view is not None else None

    def _of_part(self, t: Tensor) -> Tensor | None:
        """The tangent of a view that was there before its base got one."""
        info = t._view
        dot = self.get(info.base) if id(info.base._array) in self.late else None
        if dot is None:
            return None
        with self.outside():
            for op, arguments in in_order(info.steps):
                dot = view(op, dot, *arguments)
        self.set(t, dot)
        return dot

    def without(self, t: Tensor) -> Tensor:
        """The tensor, said to have no tangent, whatever it is a part of."""
        self.table[id(t._array)] = (t._array, None)
        return t

    def set(self, t: Tensor, tangent: Tensor | None) -> None:
        """Give a tensor a tangent (None: take it away)."""
        if tangent is None:
            self.table.pop(id(t._array), None)
        else:
            self.table[id(t._array)] = (t._array, tangent)

    @contextmanager
    def outside(self) -> Iterator[None]:
        """A block in which only the outer levels are active."""
        before = STATE.duals
        STATE.duals = self.outer
        refresh()
        try:
            yield
        finally:
            STATE.duals = before
            refresh()

    def same(self, made: Tensor, t: Tensor, copied: bool = False) -> None:
        """Give `made` the tangents of `t` at this level and all outer ones.

        copied: in memory of their own, as `made` itself is; else the two share memory.
        """
        level: Level | None = self
        while level is not None:
            dot = level.get(t)
            if copied and dot is not None:
                with level.outside():
                    dot = dot.clone()
            level.set(made, dot)
            level = level.outer

    def concerns(self, values: Any) -> bool:
        """Whether a value has a tangent at this level or an outer one."""
        return self.any_tangent(values) or (self.outer is not None and self.outer.concerns(values))

    def cut_off(self, t: Tensor) -> Tensor:
        """A tensor and its tangents without their histories."""
        made = alias(t)
        level: Level | None = self
        while level is not None:
            dot = level.get(made)
            if dot is not None:
                with level.outside():
                    level.set(made, alias(dot))
            level = level.outer
        return made

    # ------------------------------------------------------------ called by the operations

    def propagate(self, op: Op, args: Any, kwargs: dict[str, Any], outputs: Any) -> None:
        """Compute the tangents of an operation's outputs from those of its inputs."""
        if STATE.inference:
            return
        with self.outside():
            if self.outer is not None:
                self.outer.propagate(op, args, kwargs, outputs)
            if not self.any_tangent((*args, *kwargs.values())):
                return
            if isinstance(outputs, Tensor) and not floats(outputs._array.dtype):
                return
            self.store(outputs, Tangents(self, op, args, kwargs, outputs).of_outputs())

    def propagate_function(self, cls: Any, node: Any, args: Any, result: Any) -> None:
        """The same for a user's Function, by its `jvp`."""
        with self.outside():
            if self.outer is not None:
                self.outer.propagate_function(cls, node, args, result)
            if not self.any_tangent(args):
                return
            dots = []
            for a in args:
                dot = self.get(a)
                if dot is None and isinstance(a, Tensor) and node.materialize_grads:
                    dot = wrap(np.zeros_like(a._array))
                dots.append(dot)
            found = cls.jvp(node, *dots)
            check_jvp(result, found)
            outputs = result if isinstance(result, tuple) else (result,)
            for out, dot in zip(
                outputs, found if isinstance(found, tuple) else (found,), strict=True
            ):
                if isinstance(out, Tensor):
                    self.set(out, dot)

    def moved(self, t: Tensor, result: Any) -> None:
        """`t` has been overwritten with `result`: its tangent is now the tangent of that."""
        with self.outside():
            if self.outer is not None:
                self.outer.moved(t, result)
            new, old = self.get(result), self.get(t)
            if new is None and old is None:
                return
            if old is None:
                old = self._blank(t)
            try:
                old.copy_(0 if new is None else new)
            except Refused:  # a tangent of one example, and others for each are to be written
                raise NeedsExamples from None

    def _blank(self, t: Tensor) -> Tensor:
        """A zero tangent for `t`: a part of its base's tangent where `t` is a view."""
        info = t._view
        if info is None:
            made = wrap(np.zeros_like(t._array))
            self.late.add(id(t._array))
        else:
            made = self.get(info.base)
            if made is None:
                made = wrap(np.zeros_like(info.base._array))
                self.set(info.base, made)
                self.late.add(id(info.base._array))
            for op, arguments in in_order(info.steps):
                made = view(op, made, *arguments)
        self.set(t, made)
        return made

    def any_tangent(self, values: Any) -> bool:
        """Whether a value, or an entry of one, has a tangent here."""
        if not self.table:
            return False
        for value in values:
            if isinstance(value, Tensor):
                if self.get(value) is not None:
                    return True
            elif isinstance(value, (list, tuple)) and self.any_tangent(value):
                return True
        return False

    def store(self, outputs: Any, dots: Any) -> None:
        """Remember the tangents of one output or of several."""
        if isinstance(outputs, Tensor):
            dots = dots[0] if isinstance(dots, tuple) and len(dots) == 1 else dots
            if dots is not None:
                self.set(outputs, dots)
        elif dots is not None:
            for out, dot in zip(outputs, dots, strict=True):
                if isinstance(out, Tensor) and dot is not None:
                    self.set(out, dot)


def check_jvp(result: Any, dots: Any) -> None:
    """What a Function's `jvp` gave must be like the result."""
    results = result if isinstance(result, tuple) else (result,)
    listed = dots if isinstance(dots, tuple) else (dots,)
    if len(results) != len(listed):
        raise RuntimeError(
            "Function's jvp returned an invalid number of forward gradients (expected "
            f"{len(results)} but got {len(listed)})"
        )
    for i, (y, dot) in enumerate(zip(results, listed, strict=True)):
        if dot is not None and not isinstance(dot, Tensor):
            kind = type(dot).__name__
            raise RuntimeError(f"expected Variable or None (got {kind}) for grad output {i}.")
        if dot is not None and not floats(dot._array.dtype):
            raise RuntimeError(
                "Expected both tensor and its forward grad to be floating point or complex"
            )
        if dot is not None and dot._array.shape != y._array.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the "
                f"original Tensor, this is not supported. Tensor is of size "
                f"{list(y._array.shape)} while the given forward gradient is of size "
                f"{list(dot._array.shape)}."
            )


def check_floats(name: str, t: Tensor) -> None:
    """A dual number is made of floats."""
    if not (t.is_floating_point() or t.is_complex()):
        raise ValueError(f"Expected {name} to be floating point or complex, but got: {t.dtype}")


@contextmanager
def new_level() -> Iterator[Level]:
    """A block with one more dual level."""
    before = STATE.duals
    STATE.duals = level = Level(before)
    LIVE.append(level)
    refresh()
    try:
        yield level
    finally:
        LIVE.remove(level)
        STATE.duals = before
        refresh()

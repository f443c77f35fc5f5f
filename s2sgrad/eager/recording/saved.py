"""Values kept for the backward pass, with the checks that they are still what was saved."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import Batched
from s2sgrad.eager.recording.node import LEAF, Node, Output
from s2sgrad.eager.settings.state import STATE, Anomaly
from s2sgrad.eager.tensors.counters import SAVED_INFERENCE
from s2sgrad.eager.tensors.tensor import Tensor, new

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)
_HINT = (
    "Hint: enable anomaly detection to find the operation that failed to compute its gradient, "
    "with torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
_ANOMALY_HINT = (
    "Hint: the backtrace further above shows the operation that failed to compute its gradient. "
    "The variable in question was changed in there or anywhere later. Good luck!"
)
PACK_WRITES = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
    "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
    "Please open an issue if you need to perform in-place operations on the input to a pack hook."
)
OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph "
    "was originally recorded."
)
_ZERO = np.zeros(2, np.complex128)


def freed() -> Any:
    """Raise: the graph's saved values are gone."""
    raise RuntimeError(FREED)


def type_name(value: Any) -> str:
    """The name of a value's type as the C API has it: with its module where it is made in C."""
    kind = type(value)
    in_python = kind.__flags__ & (1 << 9) or kind.__module__ == "builtins"
    return kind.__name__ if in_python else f"{kind.__module__}.{kind.__name__}"


def stub(array: Any) -> Any:
    """An array of this shape and dtype that takes no memory; its values are meaningless."""
    if array.__class__ is Batched:
        return Batched(stub(array.whole), array.level)
    return np.ndarray(array.shape, array.dtype, _ZERO, 0, (0,) * array.ndim)


def is_stub(value: Any) -> bool:
    """Whether a value is what `stub` makes."""
    return value.__class__ is np.ndarray and value.base is _ZERO


def short_name(edge: Any) -> str:
    """`Exp` for an ExpBackward0, as torch words it."""
    owner = edge.parents[0] if isinstance(edge, Output) else edge
    return re.sub(r"Backward0?(\d*)$", r"\1", owner.name())


def modified(
    array: Any, vc: list[Any], expected: int, edge: Any, own: bool = False, turned: bool = False
) -> Any:
    """Raise: a saved value has been written to.

    `edge`: what made it (a Tensor: a leaf). own: it is the result of the node that saved it;
    else the writing operation, noted beside the version, is what its history shows now; that of a
    view is made anew. turned: what torch keeps is a transposed view of it.
    """
    from s2sgrad.eager.tensors.dtypes import from_numpy

    shape = list(array.shape)[:: -1 if turned else 1]
    what = f"[{from_numpy(array.dtype).native_name} {shape}]"
    is_view = getattr(edge, "is_view", False) and not edge.name().startswith("Unsafe")
    if is_view or (turned and edge is not None):
        what += ", which is output 0 of AsStrided,"
    elif len(vc) > 1 and not own and not isinstance(edge, Tensor):
        what += f", which is output 0 of {vc[1]},"
    elif isinstance(edge, Node):
        number = edge.index if isinstance(edge, Output) else 0
        what += f", which is output {number} of {short_name(edge)},"
    raise RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: {what} is at version {vc[0]}; expected version {expected} instead. "
        + (_ANOMALY_HINT if Anomaly.enabled else _HINT)
    )


class Foreign(Tensor):
    """A tensor on an array that the caller may write to without anyone noticing."""

    __slots__ = ()


class Saved:
    """One tensor kept by value: `edge` is where its history is, "self" for a node's own result."""

    __slots__ = ("__weakref__", "array", "edge", "vc", "version")

    def __init__(self, t: Tensor, edge: Any) -> None:
        self.array, self.vc, self.version, self.edge = t._array, t._vc, t._vc[0], edge

    def value(self, node: Any) -> Any:
        """The array; RuntimeError where it has been written to meanwhile."""
        if self.vc[0] != self.version:
            modified(self.array, self.vc, self.version, history(self.edge, node), is_own(self.edge))
        return self.array

    def tensor(self, node: Any) -> Tensor:
        """The value as a tensor with its history, whose memory is written to as before."""
        made = rebuilt(self.value(node), history(self.edge, node))
        made._vc = self.vc
        return made

    def own_copy(self) -> None:
        """Keep a private copy from now on, before the shared memory is written to."""
        if self.vc[0] == self.version:
            before, self.array, self.vc = self.array, self.array.copy(), [self.version]
            if STATE.duals is not None:
                STATE.duals.same(rebuilt(self.array, None), rebuilt(before, None), copied=True)


class Watched(Saved):
    """A value saved in a block in which it may be written to; there alone it can be read."""

    __slots__ = ("block",)
    block: Any

    def value(self, node: Any) -> Any:
        if STATE.mutation is None or STATE.mutation.number is not self.block:
            raise AssertionError(OUTSIDE)
        return super().value(node)


class Packed:
    """A saved tensor handed to a pack hook; the unpack hook gives it back.

    The hooks see a node's own result with its history. It has none in between: the node would
    hold itself where a hook keeps the tensor.
    """

    __slots__ = ("edge", "packed", "shown", "unpack")

    def __init__(self, t: Tensor, edge: Any, hooks: Any, node: Any = None) -> None:
        pack, self.unpack = hooks
        self.edge = edge
        before, version = (STATE.grad, STATE.hooks, STATE.fast), t._vc[0]
        STATE.grad, STATE.fast = False, False
        shown = rebuilt(t._array, history(edge, node), t)
        try:
            self.packed = pack(shown)
            if t._vc[0] != version:
                raise RuntimeError(PACK_WRITES)
        finally:
            STATE.grad, STATE.hooks, STATE.fast = before
            if is_own(edge):
                shown._node = None
        self.shown = node is not None and is_own(edge) and self.packed is shown

    def value(self, node: Any) -> Any:
        if self.shown:
            self.packed._node = history(self.edge, node)
        try:
            found = self.unpack(self.packed)
        finally:
            if self.shown:
                self.packed._node = None
        if not isinstance(found, Tensor):
            raise TypeError("Output of saved tensor unpack_hook expected to be a Tensor but got "
                            f"result of type {type_name(found)}")  # fmt: skip
        return found._array

    def tensor(self, node: Any) -> Tensor:
        return rebuilt(self.value(node), history(self.edge, node))


def is_own(edge: Any) -> bool:
    """Whether a saved value is a result of the node that saves it."""
    return edge.__class__ is tuple or edge == "self"


def history(edge: Any, node: Any) -> Any:
    """The edge of a saved value: a node's own results are saved as "self" or ("output", n)."""
    if edge == "self":
        return node
    if edge.__class__ is tuple:
        return Output.of(node, edge[1]) if node is not None else None
    return edge


def rebuilt(array: Any, edge: Any, original: Any = None) -> Tensor:
    """A tensor on `array` whose history is `edge`; the leaf itself where that has this array.

    A copy of a leaf (made by hooks, or before it was written to) has that leaf as its edge.
    """
    if isinstance(edge, Tensor) and edge._node is LEAF and edge._array is array:
        return edge
    made = new(Tensor)
    made._array, made._node, made._view = array, edge, None
    made._vc = original._vc if original is not None else [0]
    return made


def save(t: Tensor, edge: Any, node: Any = None) -> Any:
    """Keep a tensor for the backward pass of `node`, through the hooks that are on."""
    if t._vc.__class__ is not list and not STATE.inference and not STATE.transforms:
        raise RuntimeError(SAVED_INFERENCE)
    hooks = STATE.hooks
    if hooks:
        return Packed(t, edge, hooks[-1], node)
    made: Any
    if STATE.mutation is not None and STATE.mutation.readable_inside_only:
        made = Watched(t, edge)
        made.block = STATE.mutation.number
    else:
        made = Saved(t, edge)
    if t.__class__ is Foreign:
        made.own_copy()
    if STATE.mutation is not None:
        STATE.mutation.watch(made)
    return made

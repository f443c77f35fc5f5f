"""What a write through a view leaves in the graph: CopySlices, and the view's new history."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import as_array
from s2sgrad.eager.recording.fastpath import FastNode
from s2sgrad.eager.recording.node import LEAF, Node, next_order, public_edge, retained_by
from s2sgrad.eager.recording.reuse import HELD_BY_CALL, is_unshared
from s2sgrad.eager.recording.swift import fitted_to
from s2sgrad.eager.tensors.tensor import Tensor, new
from s2sgrad.eager.tensors.views import from_base, in_order, view

getrefcount = sys.getrefcount


class CopySlices(Node):
    """History of a base after a write through a view.

    parents: the old base, what was written, and what was added where the write was a `+=`.
    before: the edge of the view before a `+=` or `-=`. same: the view's own value was written.
    """

    __slots__ = ("axes", "before", "same", "steps")
    saves = False
    axes: Any
    before: Any
    same: bool
    steps: Any

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The old base, then what was written depends on beside the view itself."""
        base, written = self.parents[:2]
        others = written.parents[1:] if isinstance(written, Node) else (written,)
        return tuple(public_edge(p) for p in (base, *others))

    def backward(self, y_bar: Any) -> Any:
        if self.same:
            return y_bar, None, None
        before = self.before
        if before is not None and before.hooks is None and self.parents[1].hooks is None:
            return y_bar, None, self.added(y_bar)
        own = getrefcount(y_bar) <= HELD_BY_CALL and self.axes is None and is_unshared(y_bar)
        kept = y_bar if own else laid_out(y_bar, self.axes)
        part = replay(kept, self.steps)
        written = part.copy()
        part[...] = 0
        return (kept if self.parents[0] is not None else None), written, None

    def added(self, y_bar: Any) -> Any:
        """The cotangent of what was added to the view; that of the view itself is part of y_bar."""
        if self.parents[2] is None:
            return None
        written = self.parents[1]
        whole = y_bar if self.axes is None else laid_out(y_bar, self.axes)
        part = replay(whole, self.steps)
        if written.op.function is np.subtract:
            part = -part
        return part if written.fit is None else fitted_to(part, written.fit[1])

    def backward_graph(self, y_bar: Any) -> Any:
        kept = y_bar.clone()
        if self.axes is not None:
            kept = y_bar.permute(self.axes).clone().permute(back_in_order(self.axes))
        part = kept
        for op, arguments in in_order(self.steps):
            part = view(op, part, *arguments)
        written = part.clone()
        part.zero_()
        return kept, written, None


def axes_in_memory(array: Any) -> Any:
    """The axes from the slowest to the fastest; None in C order."""
    if array.flags.c_contiguous:
        return None
    return tuple(np.argsort([-abs(stride) for stride in array.strides], kind="stable").tolist())


def back_in_order(axes: Any) -> Any:
    """The permutation that undoes `axes`."""
    return tuple(np.argsort(axes).tolist())


def laid_out(array: Any, axes: Any) -> Any:
    """A copy with axes in that order of memory: steps that are views there are views here."""
    if axes is None:
        return as_array(array).copy(order="C")
    return np.transpose(array, axes).copy(order="C").transpose(back_in_order(axes))


def replay(array: Any, steps: Any) -> Any:
    """The same view of another base array."""
    for op, arguments in in_order(steps):
        array = op.function(array, *arguments)
    return array


def copy_slices(t: Tensor, written: Any, same: bool = False) -> None:
    """Give the base of the view `t` a CopySlices node and `t` a fresh history."""
    info = t._view
    base = info.base
    node = new(CopySlices)
    node.order, node.hooks = next_order(), None
    base_edge = base._node if base._node is not LEAF else None
    pass_hooks_by(written, t, base_edge)
    node.same, node.before, other = same, None, None
    if is_sum(written, t._node, base_edge):
        node.before, other = t._node, written.parents[1]
    node.parents, node.steps = (base_edge, written, other), info.steps
    node.axes = axes_in_memory(base._array)
    retained_by(base, base._node, node)
    base._node = node
    info.version = -1
    info.refresh(t)


def pass_hooks_by(written: Any, t: Tensor, base_edge: Any) -> None:
    """What was written over a view takes the place of its value in the base: gradients go on from
    there, and no hooks are called that the view, or one that it is a part of, had by then."""
    before = t._node
    if not isinstance(written, Node) or not written.parents or written.parents[0] is not before:
        return
    node, hooked = before, False
    while isinstance(node, Node) and node.is_view and node is not base_edge:
        hooked |= node.hooks is not None
        node = node.parents[0]
    if hooked and node is base_edge:
        written.parents = (from_base(t._view.steps, base_edge), *written.parents[1:])


def is_sum(written: Any, before: Any, base_edge: Any) -> bool:
    """Whether what was written is the view's own value plus or minus something else."""
    if before is None or base_edge is None or not isinstance(written, FastNode):
        return False
    if written.op.function not in (np.add, np.subtract) or len(written.parents) != 2:
        return False
    return written.parents[0] is before and before.is_view and before.parents == (base_edge,)


def is_place_of(value: Any, place: Tensor) -> bool:
    """Whether a tensor is a view of the same memory, with a history of its own base."""
    info, here = value._view, place._view
    if info is None or here is None or info.base is not here.base or info.meta or here.meta:
        return False
    ours, other = place._array, value._array
    if ours.shape != other.shape or ours.strides != other.strides or ours.dtype != other.dtype:
        return False
    return value._edge() is not None and value.data_ptr() == place.data_ptr()

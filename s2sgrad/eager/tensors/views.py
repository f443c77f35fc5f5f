"""Views: tensors on a part of another's memory, and what in-place writes do to both.

A view knows its base and the steps that lead to it. After a write through either, the base gets
a CopySlices node and the view's history is rebuilt from it the next time someone asks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import Batched, as_array
from s2sgrad.eager.batches.examples import call
from s2sgrad.eager.recording.cotangents import cast
from s2sgrad.eager.recording.node import LEAF, Node, next_order, retained_by
from s2sgrad.eager.recording.record import Op
from s2sgrad.eager.recording.saved import stub
from s2sgrad.eager.recording.swift import SMALL, compiled
from s2sgrad.eager.settings.interception import intercept
from s2sgrad.eager.settings.state import STATE, Anomaly
from s2sgrad.eager.tensors.dtypes import F32, F64
from s2sgrad.eager.tensors.tensor import Tensor, floats, new
from s2sgrad.eager.tensors.view_texts import BASE_WRITTEN, inherited, refusal
from s2sgrad_runtime import take_items


class View:
    """Where a view comes from: `steps` from `base`, the last one first.

    steps: (what came before or None, op, arguments, input shape, input dtype), a linked list, so
    that views of views of views take no more time than the first one.
    version: the version counter when the view's history was last right. meta: "" or why the view
    may not be written to ("no_grad", "inference", "n:name" for one output of several, or
    "n:name:custom" for that of a user's Function). What a Function returns has no steps.
    """

    __slots__ = ("base", "meta", "steps", "version")
    base: Tensor
    steps: Any
    version: int
    meta: str

    def refresh(self, t: Tensor) -> None:
        """Rebuild the history of the view `t` after its memory was written to."""
        self.version = t._vc[0]
        edge = self.base._edge()
        if edge is None or not floats(t._array.dtype):
            return
        if self.meta:
            self.version = -1
            raise RuntimeError(refusal(self.meta, BASE_WRITTEN))
        node = from_base(self.steps, edge)
        retained_by(t, t._node, node)
        t._node = node


class ViewNode(Node):
    """Node of a view op: nothing is saved, the rule needs only shapes and arguments."""

    __slots__ = ("arguments", "dtype", "shape")
    saves = False
    is_view = True
    op: Op
    arguments: Any
    dtype: Any
    shape: Any

    def backward(self, y_bar: Any) -> Any:
        return (back(self.op, y_bar, self.shape, self.dtype, self.arguments),)

    def backward_graph(self, y_bar: Any) -> Any:
        return (back_graph(self.op, y_bar, self.shape, self.dtype, self.arguments),)

    def part_of(self, whole: Any) -> Any:
        """The entries of another array that the result has of its input."""
        return whole[self.arguments[0]]


def back(op: Op, y_bar: Any, shape: Any, dtype: Any, arguments: Any) -> Any:
    """The cotangent of a view op's input, as an array."""
    like: Any = np.ndarray(shape, dtype, _ZERO, 0, (0,) * len(shape))
    if y_bar.__class__ is Batched:
        partial = op.batched(op.rule.arguments[0])
        x_bar = call(partial, (y_bar, None, like, *arguments), {})
        return x_bar if x_bar.dtype == dtype else cast(x_bar, dtype)
    partial = _PARTIALS.get(op)
    if partial is None:
        partial = _PARTIALS[op] = compiled(op.rule, op.rule.arguments[0])
    x_bar = partial(y_bar, None, like, *arguments)
    return x_bar if x_bar.dtype == dtype else cast(np.asarray(x_bar), dtype)


def back_graph(op: Op, y_bar: Any, shape: Any, dtype: Any, arguments: Any) -> Any:
    """The same with tensors."""
    like = np.ndarray(shape, dtype, _ZERO, 0, (0,) * len(shape))
    x_bar = op.lifted(op.rule.arguments[0])(y_bar, None, like, *arguments)
    return x_bar if x_bar._array.dtype == dtype else x_bar.to(dtype)


def scattered(node: Any, y_bar: Any) -> Any:
    """The cotangent of `x` in `x[index]` for a basic index, as `back` gives it."""
    if y_bar.__class__ is not np.ndarray or y_bar.size > SMALL or y_bar.dtype is not node.dtype:
        return (back(node.op, y_bar, node.shape, node.dtype, node.arguments),)
    x_bar = np.zeros(node.shape, node.dtype)
    x_bar[node.arguments[0]] = y_bar
    return (x_bar,)


def spread(node: Any, y_bar: Any) -> Any:
    """The cotangent of `x` in a sum of all its entries, as `back` gives it."""
    shape, dtype = node.shape, node.dtype
    whole = node.arguments[0] is None and y_bar.__class__ is np.ndarray and not y_bar.ndim
    if whole and y_bar.dtype is dtype and math.prod(shape) <= SMALL:
        x_bar = np.empty(shape, dtype)
        x_bar.fill(y_bar)
        return (x_bar,)
    return (back(node.op, y_bar, shape, dtype, node.arguments),)


QUICK = {take_items: scattered, np.sum: spread}
_PARTIALS: dict[Op, Any] = {}
_CLASSES: dict[Op, Any] = {}
_ZERO = np.zeros(2, np.complex128)


def view_class(op: Op) -> Any:
    """The node class of a view op, and the defaults of its rule's further parameters."""
    found = _CLASSES.get(op)
    if found is None:
        fields = {"__slots__": (), "op": op, "takes_part": op.function is take_items}
        if op.function in QUICK:
            fields["backward"] = QUICK[op.function]
        cls = type(op.name, (ViewNode,), fields)
        defaults = tuple(default for _, default in op.rule.signature)
        found = _CLASSES[op] = (cls, defaults)
    return found


def view(op: Op, x: Tensor, *arguments: Any, meta: str = "") -> Tensor:
    """Apply a view op to a tensor: the result shares its memory and version counter."""
    xa = x._array
    if STATE.fast and xa.__class__ is np.ndarray and x._vc.__class__ is list:
        return recorded(op, x, xa, op.function(xa, *arguments), arguments, meta)
    if STATE.interceptors:
        return intercept(op, (x, *arguments), {}, lambda: view(op, x, *arguments, meta=meta))
    if isinstance(xa, Batched):
        ya = call(op.function, (xa, *arguments), {})
        ya.shared = xa.shared
    else:
        ya = op.function(xa, *arguments)
    y = new(Tensor)
    y._array = ya if ya.__class__ is np.ndarray else as_array(ya)
    y._vc = vc = x._vc
    y._node = None
    edge = x._edge()
    cls, defaults = _CLASSES.get(op) or view_class(op)
    full = arguments + defaults[len(arguments) + 1 :]
    shape, dtype = xa.shape, xa.dtype
    parent = x._view
    recording = STATE.grad and not STATE.inference
    if not recording:
        meta = "inference" if STATE.inference else "no_grad"
    y._view = info = new(View)
    if parent is None:
        info.base, info.steps, info.meta = x, (None, op, arguments, full, shape, dtype), meta
    else:
        info.base, info.meta = parent.base, meta or inherited(parent.meta, op.name)
        info.steps = (parent.steps, op, arguments, full, shape, dtype)
    if vc.__class__ is not list:  # an inference tensor
        y._inference, y._view = True, None
    else:
        info.version = vc[0]
    if edge is not None and (dtype is F32 or dtype is F64 or floats(y._array.dtype)):
        if recording:
            y._node = node = new(cls)
            node.order, node.hooks, node.parents = next_order(), None, (edge,)
            node.arguments, node.shape, node.dtype = full, shape, dtype
            if Anomaly.enabled:
                from s2sgrad.eager.passes.anomaly import remember_place

                remember_place(node)
        elif not x._inference and info.base._edge() is not None:
            y._node = LEAF  # as in torch: the base's flag stays, the history does not
    if STATE.duals is not None:
        STATE.duals.propagate(op, (x, *arguments), {}, y)
    return y


def recorded(op: Op, x: Tensor, xa: Any, ya: Any, arguments: Any, meta: str) -> Tensor:
    """`view` where nothing but recording is on; `ya` is the result on arrays."""
    y = new(Tensor)
    y._array = ya
    y._vc = vc = x._vc
    parent = x._view
    y._view = info = new(View)
    info.version = vc[0]
    cls, defaults = _CLASSES.get(op) or view_class(op)
    full = arguments + defaults[len(arguments) + 1 :]
    shape, dtype = xa.shape, xa.dtype
    if parent is None:
        edge = x if x._node is LEAF else x._node
        info.base, info.steps, info.meta = x, (None, op, arguments, full, shape, dtype), meta
    else:
        edge = x._edge()
        info.base, info.meta = parent.base, meta or inherited(parent.meta, op.name)
        info.steps = (parent.steps, op, arguments, full, shape, dtype)
    if edge is None or not (dtype is F64 or dtype is F32 or floats(ya.dtype)):
        y._node = None
        return y
    y._node = node = new(cls)
    node.order, node.hooks, node.parents = next_order(), None, (edge,)
    node.arguments, node.shape, node.dtype = full, shape, dtype
    return y


class AsStridedBackward0(Node):
    """History of a view after a write: the steps from its base, taken back one by one."""

    __slots__ = ("steps",)
    saves = False
    is_view = takes_part = True
    steps: Any

    def backward(self, y_bar: Any) -> Any:
        steps = self.steps
        while steps is not None:
            steps, op, _, full, shape, dtype = steps
            y_bar = back(op, y_bar, shape, dtype, full)
        return (y_bar,)

    def backward_graph(self, y_bar: Any) -> Any:
        steps = self.steps
        while steps is not None:
            steps, op, _, full, shape, dtype = steps
            y_bar = back_graph(op, y_bar, shape, dtype, full)
        return (y_bar,)

    def part_of(self, whole: Any) -> Any:
        """The entries of another array that the view has of its base; None where they are copies.

        An entry that is seen several times is none of this array alone.
        """
        for op, arguments in in_order(self.steps):
            if op.function not in _ONE_TO_ONE:
                return None
            whole = op.function(whole, *arguments)
        return whole


def from_base(steps: Any, edge: Any) -> AsStridedBackward0:
    """The history of a view whose base has this one."""
    node = new(AsStridedBackward0)
    node.order, node.hooks, node.parents = next_order(), None, (edge,)
    node.steps = steps
    return node


_ONE_TO_ONE = (take_items, np.reshape, np.transpose, np.squeeze, np.expand_dims)


def in_order(steps: Any) -> list[Any]:
    """(op, arguments) of each step, from the base on."""
    found = []
    while steps is not None:
        steps, op, arguments, *_ = steps
        found.append((op, arguments))
    found.reverse()
    return found


def returned_view(value: Tensor, base: Tensor, meta: str) -> Tensor:
    """What a Function returns where that lies in the memory of an input."""
    made = value.detach()
    made._view = info = new(View)
    info.base, info.steps, info.meta, info.version = base, None, meta, made._vc[0]
    return made


__all__ = ["View", "in_order", "stub", "view"]

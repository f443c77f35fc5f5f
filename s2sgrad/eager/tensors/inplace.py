"""In-place operations: checks, the write itself, the version counter and the new history."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from s2sgrad.eager.batches.examples import check_write
from s2sgrad.eager.recording.node import LEAF, Node, next_order, retained_by
from s2sgrad.eager.recording.saved import short_name, stub
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.slices import copy_slices, is_place_of
from s2sgrad.eager.tensors.tensor import INFERENCE, Tensor, floats, new, unwrapped
from s2sgrad.eager.tensors.view_texts import VIEW_WRITTEN, refusal

LEAF_IN_PLACE = "a leaf Variable that requires grad is being used in an in-place operation."
VIEW_OF_LEAF = (
    "a view of a leaf Variable that requires grad is being used in an in-place operation."
)
CAPTURED = (
    "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call "
    "in-place operation (aten::{}) that would mutate a captured Tensor. This is not supported; "
    "please rewrite the function being transformed to explicitly accept the mutated Tensor(s) as "
    "inputs."
)
OVERLAPPING = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)


def check_inplace(t: Tensor) -> None:
    """Whether `t` may be written to; RuntimeError in torch's words otherwise."""
    if t._vc.__class__ is not list and not STATE.inference:
        raise RuntimeError(INFERENCE)
    if STATE.captured and id(t._vc) in STATE.captured:
        raise RuntimeError(CAPTURED.format(operation(sys._getframe(1))))
    if STATE.grad:
        check_history(t)
    if not t._array.flags.writeable and 0 in t._array.strides:
        raise RuntimeError(OVERLAPPING)
    if STATE.mutation is not None:
        STATE.mutation.before_write(t)


def operation(frame: Any) -> str:
    """torch's name of the write that a frame is about to do."""
    name, held = frame.f_code.co_name, frame.f_locals
    if name == "overwrite":
        return _OVERWRITING.get(held["node_class"].__name__, "copy_")
    if name == "put" or (name == "stored" and isinstance(held["index"], (list, np.ndarray))):
        return "index_put_"
    if "function" not in held:
        return "copy_"
    own = held["function"].__name__
    return _ARITHMETIC.get(own, f"{own}_")


_OVERWRITING = {
    "ZeroBackward0": "zero_", "FillBackward2": "fill_.Scalar", "FillBackward3": "fill_.Tensor",
}  # fmt: skip
_ARITHMETIC = {
    "add": "add_.Tensor", "sub": "sub_.Tensor", "subtract": "sub_.Tensor",
    "multiply": "mul_.Tensor", "divide": "div_.Tensor", "power": "pow_.Scalar",
}  # fmt: skip


def check_history(t: Tensor) -> None:
    """Whether what is recorded of `t` allows that it is written to."""
    info = t._view
    if info is None:
        if t._node is LEAF:
            raise RuntimeError(LEAF_IN_PLACE)
        return
    if t._node is None and t._edge() is None and info.base._node is None:
        return
    if info.meta:
        raise RuntimeError(refusal(info.meta, VIEW_WRITTEN))
    if info.base._node is LEAF or info.base._node is None:
        raise RuntimeError(VIEW_OF_LEAF)


def check_tracked(t: Tensor, result: Tensor) -> None:
    """A view that may not get a history must not be given a tracked value."""
    meta = t._view.meta
    if result._edge() is None or not meta:
        return
    raise RuntimeError(refusal(meta, VIEW_WRITTEN))


def write(t: Tensor, result: Any, moved: bool = True) -> Tensor:
    """Store `result` in the memory of `t` and take over its history; returns `t`."""
    source = unwrapped(result)
    target = t._array
    if t._view is not None and t._view.meta and STATE.grad and isinstance(result, Tensor):
        check_tracked(t, result)
    if isinstance(source, np.ndarray) and source.shape != target.shape:
        check_shapes(target, source)
    if STATE.mutation is not None:  # the operation itself may have saved a part of `t`
        STATE.mutation.before_write(t, result)
    check_write(target, source)
    np.copyto(target, source, casting="unsafe" if moved else "same_kind")
    t._vc[0] += 1
    if STATE.duals is not None:
        STATE.duals.moved(t, result)
    if STATE.grad:
        edge = result._edge() if isinstance(result, Tensor) else None
        if isinstance(edge, Node) and STATE.mutation is None and STATE.duals is None:
            repoint(edge, source, t)
        rebase(t, edge)
    return t


def repoint(node: Node, array: Any, t: Tensor) -> None:
    """Let a node that saved its own result see it where it lives now, in the memory of `t`."""
    if array.dtype is not t._array.dtype or array.shape != t._array.shape:
        return
    saved = getattr(node, "saved", None) if node.saves else None
    if saved.__class__ is tuple:
        for i, entry in enumerate(saved):
            if entry is array:
                fresh = (t._array, t._vc, t._vc[0])
                node.saved = (*saved[:i], *fresh, *saved[i + 3 :])
                return
    elif saved.__class__ is dict and getattr(saved["y"], "array", None) is array:
        own = saved["y"]
        own.array, own.vc, own.version = t._array, t._vc, t._vc[0]


def check_shapes(target: Any, source: Any, otherwise: Any = None) -> None:
    """A result that does not fit into the target, in torch's words."""
    from s2sgrad.eager.tensors.dtypes import Size

    try:
        fits = np.broadcast_shapes(target.shape, source.shape) == target.shape
    except ValueError:
        if otherwise is not None:
            raise otherwise(target, source) from None
        fits = False
    if not fits:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape "
            f"{list(Size(source.shape))}"
        )


def rebase(t: Tensor, edge: Any, same: bool = False) -> None:
    """Make `edge` (None: a constant) the history of the value now in `t`.

    same: the value written through a view is the one that was there.
    """
    if not floats(t._array.dtype):
        return
    info = t._view
    if info is not None:
        if edge is None and info.base._node in (None, LEAF):
            return
        copy_slices(t, edge, same)
        t._vc[1:] = ["torch::autograd::CopySlices"]
        return
    if edge is None and t._node is None:
        return
    old = t._node
    t._node = edge
    if isinstance(edge, Node):
        t._vc[1:] = [short_name(edge)]
        retained_by(t, old, edge)


def stand_in(t: Tensor, copy: bool) -> Tensor:
    """`t` as it is now, for an out-of-place computation whose result replaces it."""
    if not copy or not STATE.grad:
        return t
    made = new(Tensor)
    made._array, made._node, made._vc, made._view = t._array.copy(), t._edge(), [0], None
    if made._node is t:
        made._node = LEAF
    if STATE.duals is not None:
        STATE.duals.same(made, t, copied=True)
    return made


class CopyBackwards(Node):
    """History after `copy_`: the old value is gone, the source gets everything."""

    __slots__ = ("like",)
    saves = False
    like: Any

    def name(self) -> str:
        own = type(self).__name__
        return f"torch::autograd::{own}" if own == "CopyBackwards" else own

    def backward(self, y_bar: Any) -> Any:
        old = np.zeros_like(y_bar) if self.parents[0] is not None else None
        return self.both(old, y_bar)

    def backward_graph(self, y_bar: Any) -> Any:
        return self.both(y_bar * 0 if self.parents[0] is not None else None, y_bar)

    def both(self, old: Any, y_bar: Any) -> Any:
        """The cotangents of the old value and of the source, where there is one."""
        from s2sgrad.eager.recording.cotangents import fitted

        if len(self.parents) == 1:
            return (old,)
        return old, (None if self.parents[1] is None else fitted(y_bar, self.like))


class ZeroBackward0(CopyBackwards):
    """History after `zero_`."""

    __slots__ = ()


class FillBackward2(CopyBackwards):
    """History after `fill_` with a number."""

    __slots__ = ()


class FillBackward3(CopyBackwards):
    """History after `fill_` with a 0-d tensor."""

    __slots__ = ()


def overwrite(t: Tensor, source: Any, node_class: Any) -> Tensor:
    """`t[...] = source` with the old value forgotten."""
    check_inplace(t)
    value = unwrapped(source)
    if isinstance(value, np.ndarray) and value.shape != t._array.shape:
        from s2sgrad.eager.tensors.promotion import broadcast_error

        try:
            np.broadcast_to(value, t._array.shape)
        except ValueError:
            check_shapes(t._array, value, broadcast_error)
    old_edge = t._edge() if STATE.grad else None
    source_edge = source._edge() if STATE.grad and isinstance(source, Tensor) else None
    same = source_edge is not None and STATE.duals is None and is_place_of(source, t)
    if source_edge is not None and STATE.mutation is not None:
        STATE.mutation.before_write(t, source)
    if not same:
        check_write(t._array, value)
        np.copyto(t._array, value, casting="unsafe")
    t._vc[0] += 1
    if STATE.duals is not None:
        STATE.duals.moved(t, source)
    if (old_edge is None and source_edge is None) or not floats(t._array.dtype):
        return t
    node = new(node_class)
    node.order, node.hooks, node.parents = next_order(), None, (old_edge, source_edge)
    node.like = stub(value) if source_edge is not None else None
    if t._view is not None and source_edge is None:
        node = None
    elif t._view is not None:
        node.parents = (None, source_edge)
    elif node_class in _ONE_PARENT:
        node.parents = (old_edge,)
    rebase(t, node, same)
    return t


_ONE_PARENT = (ZeroBackward0, FillBackward2)


def copy_(t: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Overwrite with another tensor, array or number (broadcast)."""
    return overwrite(t, src, CopyBackwards)


def fill_(t: Tensor, value: Any) -> Tensor:
    """Overwrite with one number or 0-d tensor."""
    if isinstance(value, Tensor) and value._array.ndim:
        raise RuntimeError("fill_ only supports 0-dimension value tensor but got tensor with "
                           f"{value._array.ndim} dimensions.")  # fmt: skip
    return overwrite(t, value, FillBackward3 if isinstance(value, Tensor) else FillBackward2)


def zero_(t: Tensor) -> Tensor:
    """Overwrite with zeros."""
    alone = t._node is None and t._view is None and t._vc.__class__ is list
    if alone and STATE.bare and STATE.captured is None:
        t._array.fill(0)
        t._vc[0] += 1
        return t
    return overwrite(t, 0, ZeroBackward0)


def from_copying(function: Any, name: str, copy: bool = True) -> Any:
    """`t.exp_()` from `exp`: compute, then write."""

    def in_place(t: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        check_inplace(t)
        result = function(stand_in(t, copy), *args, **kwargs)
        if isinstance(result, Tensor):
            check_cast(t, result)
        return write(t, result)

    in_place.__name__ = in_place.__qualname__ = name
    in_place.__doc__ = f"`{name[:-1]}` in place; returns the tensor itself."
    return in_place


def check_cast(t: Tensor, result: Tensor) -> None:
    """A result may not lose its category (floating into integer, complex into real)."""
    if result.dtype.category > t.dtype.category:
        word = {"float32": "Float", "float64": "Double", "int64": "Long"}
        a, b = result.dtype.name, t.dtype.name
        raise RuntimeError(
            f"result type {word.get(a, result.dtype.type_name)} can't be cast to the desired "
            f"output type {word.get(b, t.dtype.type_name)}"
        )


def reshaping(function: Any, name: str, further: int) -> Any:
    """`t.unsqueeze_(0)`: the tensor itself takes the shape that the view op gives.

    further: what torch adds to the number in the name of the view op's node.
    """
    kinds: dict[type, type] = {}

    def in_place(t: Tensor, *args: Any) -> Tensor:
        if t._vc.__class__ is not list and not STATE.inference:
            raise RuntimeError(INFERENCE)
        if STATE.grad:
            check_history(t)
        made = function(t, *args)
        t._array = made._array
        t._vc[0] += 1
        if isinstance(made._node, Node):
            kind = type(made._node)
            if kind not in kinds:
                node_name = f"{kind.__name__[:-1]}{int(kind.__name__[-1]) + further}"
                kinds[kind] = type(node_name, (kind,), {"__slots__": ()})
            made._node.__class__ = kinds[kind]
            t._node = made._node
        return t

    in_place.__name__ = in_place.__qualname__ = name
    return in_place

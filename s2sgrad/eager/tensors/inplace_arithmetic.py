"""In-place arithmetic, straight into the array where the node keeps nothing of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.recording.fastpath import classes_of
from s2sgrad.eager.recording.node import next_order
from s2sgrad.eager.recording.record import op_of
from s2sgrad.eager.settings.floating import Silence
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.dtypes import F32, F64
from s2sgrad.eager.tensors.inplace import (
    check_cast,
    check_inplace,
    copy_,
    fill_,
    from_copying,
    rebase,
    write,
    zero_,
)
from s2sgrad.eager.tensors.tensor import Tensor, new


def scaled(function: Any, ufunc: Any, name: str) -> Any:
    """`t.add_(other, alpha=a)` and `t.sub_(other, alpha=a)`."""

    def in_place(t: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
        if is_plain(t, other):
            by = other._array if other.__class__ is Tensor else getattr(other, "_array", other)
            ufunc(t._array, by if alpha == 1 else alpha * by, t._array)
            t._vc[0] += 1
            return t
        check_inplace(t)
        if alpha == 1 and STATE.fast and STATE.mutation is None and adds_directly(t, other):
            return added(t, other, op)
        result = function(t, other, alpha=alpha)
        check_cast(t, result)
        return write(t, result)

    op = op_of(ufunc)
    in_place.__name__ = in_place.__qualname__ = name
    in_place.__doc__ = f"`t.{name}(other, alpha=a)`: a times other added to (taken from) t."
    return in_place


def adds_directly(t: Tensor, other: Any) -> bool:
    """Whether a sum can go straight into the array: one dtype, and the shape stays."""
    array = t._array
    if array.dtype is not F32 and array.dtype is not F64:
        return False
    if not isinstance(other, Tensor) or other._array.dtype is not array.dtype:
        return False
    if not array.flags.writeable or (t._view is not None and t._view.meta):
        return False
    shape = other._array.shape
    return shape == array.shape or (
        len(shape) <= array.ndim
        and all(n in (1, m) for n, m in zip(shape[::-1], array.shape[::-1], strict=False))
    )


def added(t: Tensor, other: Tensor, op: Any) -> Tensor:
    """`t += other` or `t -= other` in the array, and its node: neither keeps a value."""
    edges = t._edge(), other._edge()
    untracked = edges[0] is None, edges[1] is None
    name = {(False, True): "First", (True, False): "Second"}.get(untracked)
    op.function(t._array, other._array, t._array)
    t._vc[0] += 1
    if edges == (None, None):
        rebase(t, None)
        return t
    node = new(classes_of(op)[name or "Both"])
    node.order, node.hooks, node.parents, node.saved = next_order(), None, edges, ()
    shapes = t._array.shape, other._array.shape
    node.fit = None if shapes[0] == shapes[1] else shapes
    rebase(t, node)
    return t


def direct(general: Any, ufunc: Any) -> Any:
    """`t.mul_(other)` and `t.div_(other)`: without recording, straight into the array."""

    def in_place(t: Tensor, other: Any, **options: Any) -> Tensor:
        if not options and is_plain(t, other):
            with Silence():
                ufunc(t._array, getattr(other, "_array", other), t._array)
            t._vc[0] += 1
            return t
        return general(t, other, **options)

    in_place.__name__ = in_place.__qualname__ = general.__name__
    in_place.__doc__ = general.__doc__
    return in_place


def is_plain(t: Tensor, other: Any) -> bool:
    """Whether a write needs no history, no checks and no conversion."""
    if STATE.grad or not STATE.bare or t._vc.__class__ is not list:
        return False
    array = t._array
    if array.dtype is not F32 and array.dtype is not F64:
        return False
    if other.__class__ is float or other.__class__ is int:
        return True
    if not isinstance(other, Tensor) or other._array.dtype is not array.dtype:
        return False
    return array.flags.writeable and other._array.shape in (array.shape, ())


def install(copying: dict[str, Any]) -> None:
    """Attach `name_` for every function of the dict, and the in-place operators."""
    T: Any = Tensor
    for name, function in copying.items():
        setattr(T, f"{name}_", from_copying(function, f"{name}_"))
    T.copy_, T.fill_, T.zero_ = copy_, fill_, zero_
    T.add_ = scaled(copying["add"], np.add, "add_")
    T.sub_ = T.subtract_ = scaled(copying["sub"], np.subtract, "sub_")
    T.mul_ = T.multiply_ = direct(T.mul_, np.multiply)
    T.div_ = T.divide_ = T.true_divide_ = direct(T.div_, np.divide)
    T.__iadd__ = lambda t, other: t.add_(other)
    T.__isub__ = lambda t, other: t.sub_(other)
    T.__imul__ = lambda t, other: t.mul_(other)
    T.__itruediv__ = lambda t, other: t.div_(other)
    T.__ipow__ = lambda t, other: t.pow_(other)

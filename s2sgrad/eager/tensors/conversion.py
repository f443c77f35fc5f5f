"""Copies and conversions: clone, to, float, contiguous and their like."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import full as full_array
from s2sgrad.eager.recording.node import Node, next_order
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.recording.saved import type_name
from s2sgrad.eager.settings.floating import quiet
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.devices import device as Place
from s2sgrad.eager.tensors.devices import placed, require_cpu
from s2sgrad.eager.tensors.dtypes import dtype as Dtype
from s2sgrad.eager.tensors.legacy import TensorType, dtype_of
from s2sgrad.eager.tensors.tensor import Tensor, floats, new, wrap
from s2sgrad.eager.tensors.tensor_values import first_time

CLONE = op_of(np.copy, "CloneBackward0")


class ToCopyBackward0(Node):
    """A cast: the cotangent is cast back (its real part, for a real input)."""

    __slots__ = ("dtype",)
    saves = False
    dtype: Any

    def backward(self, y_bar: Any) -> Any:
        from s2sgrad.eager.recording.cotangents import cast

        return (cast(y_bar, self.dtype),)

    def backward_graph(self, y_bar: Any) -> Any:
        if y_bar._array.dtype.kind == "c" and self.dtype.kind != "c":
            y_bar = y_bar.real
        return (to(y_bar, self.dtype),)


def clone(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """A copy, recorded."""
    if STATE.interceptors or STATE.duals is not None:
        return apply(CLONE, (input,), {})
    made = wrap(input._array.copy("K"))
    edge = input._edge()
    if edge is not None and STATE.grad and not STATE.inference:
        node = new(CloneBackward0)
        node.order, node.hooks, node.parents = next_order(), None, (edge,)
        made._node = node
    return made


class CloneBackward0(Node):
    """A copy: the cotangent passes through."""

    __slots__ = ()
    saves = False

    def backward(self, y_bar: Any) -> Any:
        return (y_bar,)

    backward_graph = backward


IMAGINARY = (
    "Casting complex values to real discards the imaginary part (Triggered internally at s2sgrad.)"
)
_cast = quiet(lambda array, target: array.astype(target))  # nan has no place among whole numbers


def destination(
    args: tuple[Any, ...], device: Any = None, dtype: Any = None, non_blocking: bool = False,
    copy: bool = False, other: Any = None, memory_format: Any = None,
) -> tuple[Any, Any, bool]:  # fmt: skip
    """(place, dtype, whether to copy) of the arguments of `to`, None for what is not given.

    They are `(device, dtype, non_blocking, copy)`; a dtype or a tensor may stand first instead.
    """
    first, rest = args[0] if args else None, args[1:]
    if isinstance(first, Tensor):
        other = first
    elif isinstance(first, (Dtype, np.dtype, type)):
        dtype = first
    elif first is None or isinstance(first, (str, Place, int)):
        device = device if first is None else first
        if rest and not isinstance(rest[0], bool):
            dtype, rest = rest[0], rest[1:]
    else:
        device = first
    copy = rest[1] if len(rest) > 1 else copy
    dtype = dtype if other is None else other.dtype
    if not isinstance(device, (str, Place, int, type(None))) or isinstance(dtype, (str, Place)):
        raise TypeError(COMBINATIONS.format(", ".join(type_name(a) for a in args)))
    return device, None if dtype is None else dtypes.as_dtype(dtype), copy


COMBINATIONS = (
    "to() received an invalid combination of arguments - got ({}), but expected one of:\n"
    " * (torch.device device = None, torch.dtype dtype = None, bool non_blocking = False, "
    "bool copy = False, *, torch.memory_format memory_format = None)\n"
    " * (torch.dtype dtype, bool non_blocking = False, bool copy = False, *, "
    "torch.memory_format memory_format = None)\n"
    " * (Tensor tensor, bool non_blocking = False, bool copy = False, *, "
    "torch.memory_format memory_format = None)\n"
)


def to(input: Tensor, *args: Any, **options: Any) -> Tensor:
    """Another dtype (`t.to(torch.float64)`, `t.to(other)`, `t.to("cpu")`), recorded."""
    place, dtype, copy = destination(args, **options)
    require_cpu(place)
    target = input._array.dtype if dtype is None else dtype.np
    if target == input._array.dtype:
        return clone(input) if copy else input
    if STATE.interceptors or STATE.duals is not None:
        return apply(op_of(np.astype, "ToCopyBackward0"), (input, target), {})
    array = input._array
    if array.dtype.kind == "c" and target.kind not in "cb":
        if first_time("imaginary"):
            warnings.warn(IMAGINARY, UserWarning, stacklevel=3)
        array = array.real
    made = wrap(_cast(array, target))
    edge = input._edge()
    if edge is not None and STATE.grad and not STATE.inference and floats(target):
        node = new(ToCopyBackward0)
        node.order, node.hooks, node.parents = next_order(), None, (edge,)
        node.dtype = input._array.dtype
        made._node = node
    return made


def type_(input: Tensor, dtype: Any = None) -> Any:
    """The type's name, or the tensor in another dtype."""
    if dtype is None:
        return f"torch.{input.dtype.type_name}Tensor"
    if isinstance(dtype, (str, TensorType)):
        found = dtype_of(dtype)
        if found is None:
            raise ValueError(f"invalid type: '{dtype}'")
        dtype = found
    return to(input, dtype)


def contiguous(input: Tensor, memory_format: Any = None) -> Tensor:
    """The tensor itself if contiguous, else a copy."""
    return input if input._array.flags.c_contiguous else clone(input)


def new_like(value: Any) -> Any:
    """`t.new_zeros(sizes)` and its like: the dtype of `t`."""
    from s2sgrad.eager.tensors.creation import finished, sizes_of

    @placed
    def made(
        t: Tensor, *sizes: Any, size: Any = None, dtype: Any = None, requires_grad: bool = False,
        **_: Any,
    ) -> Any:  # fmt: skip
        target = t._array.dtype if dtype is None else dtypes.as_dtype(dtype).np
        shape = sizes_of(sizes or (size,))
        return finished(full_array(t._array, shape, value, target), requires_grad)

    return made


def new_full(t: Tensor, size: Any, fill_value: Any, **options: Any) -> Tensor:
    """A tensor of the dtype of `t` with one value everywhere."""
    from s2sgrad.eager.tensors.creation import full

    options.setdefault("dtype", t.dtype)
    return full(size, fill_value, **options)


def new_tensor(t: Tensor, data: Any, **options: Any) -> Tensor:
    """A tensor of the dtype of `t` from data."""
    from s2sgrad.eager.tensors.creation import tensor

    options.setdefault("dtype", t.dtype)
    return tensor(data, **options)


def _deepcopy(t: Tensor, memo: dict[int, Any]) -> Tensor:
    """A leaf's copy with its flags and gradient."""
    if not t.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
            "protocol at the moment.  If you were attempting to deepcopy a module, this may be "
            "because of a torch.nn.utils.weight_norm usage, see "
            "https://github.com/pytorch/pytorch/pull/103001"
        )
    if id(t) in memo:
        return memo[id(t)]
    made = wrap(_copied(t._array, memo), t._node, type(t))
    if t._grad is not None:
        made._grad = _deepcopy(t._grad, memo)
    memo[id(t)] = made
    vars(made).update(copy.deepcopy(_own_attributes(t), memo))
    return made


def _copied(array: Any, memo: dict[Any, Any]) -> Any:
    """A copy of an array; those that shared memory share it again."""
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if array.__class__ is not np.ndarray or not owner.flags.c_contiguous or not array.size:
        return array.copy()
    memory = memo.setdefault(("memory", id(owner)), (owner.copy(), owner))[0]
    start = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    return np.ndarray(array.shape, array.dtype, memory, start, array.strides)


def _own_attributes(t: Tensor) -> dict[str, Any]:
    """What the user has stored on a tensor."""
    ours = ("hooks", "_grad", "_inference")
    return {name: value for name, value in vars(t).items() if name not in ours}


def _reduced(t: Tensor, _: Any) -> Any:
    """How a tensor is pickled: its numbers, its flag and what is stored on it."""
    for hook in (t._backward_hooks or {}).values():
        warnings.warn(
            f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you "
            "can decorate the function with @torch.utils.hooks.unserializable_hook to suppress "
            "this warning",
            stacklevel=3,
        )
    return _rebuild, (type(t), t._array, t._node is not None, _own_attributes(t))


def _rebuild(cls: Any, array: Any, requires_grad: bool, attributes: Any = ()) -> Any:
    from s2sgrad.eager.tensors.tensor import LEAF

    made = wrap(array, LEAF if requires_grad else None, cls)
    vars(made).update(attributes)
    return made


def _install() -> None:
    T: Any = Tensor
    T.clone, T.to, T.type, T.contiguous = clone, to, type_, contiguous
    T.type_as = lambda t, other: to(t, other.dtype)
    T.cpu = T.resolve_conj = T.resolve_neg = lambda t: t
    names = {
        "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16",
        "int": "int32", "long": "int64", "short": "int16", "bool": "bool", "cfloat": "complex64",
        "cdouble": "complex128",
    }  # fmt: skip
    for method, name in names.items():
        setattr(T, method, lambda t, _name=name, **_: to(t, dtypes.by_name(_name)))
    T.new_zeros, T.new_ones, T.new_empty = new_like(0), new_like(1), new_like(0)
    T.new_full, T.new_tensor = new_full, new_tensor
    T.astype = lambda t, dtype, copy=True: to(t, dtype, copy=copy)  # NumPy's spelling
    T.__deepcopy__ = _deepcopy
    T.__reduce_ex__ = _reduced


_install()
FUNCTIONS: dict[str, Any] = {"clone": clone}

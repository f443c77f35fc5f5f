"""What functions refuse before they compute anything, in torch's words.

One entry per function: a check of its arguments that raises. NumPy would compute something else,
or raise an error of its own.
"""

from __future__ import annotations

import contextlib
import functools
from typing import Any

from s2sgrad.eager.operations import dtype_refusals
from s2sgrad.eager.operations.dtype_refusals import Check, kind, name_of, of_kinds, of_one_dtype
from s2sgrad.eager.operations.shaping import axis_of
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.tensor import Tensor


def of_axes(count: int, text: str) -> Check:
    """At least this many axes; `{}` stands for how many there are."""

    def check(input: Tensor, *_: Any, **__: Any) -> None:
        if input._array.ndim < count:
            raise RuntimeError(text.format(input._array.ndim))

    return check


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1, **_: Any) -> None:
    first, second = (axis_of(d, input._array.ndim) for d in (dim1, dim2))
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")


def masked_select(input: Tensor, mask: Tensor, **_: Any) -> None:
    if kind(mask) != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")


def take(input: Tensor, index: Tensor, **_: Any) -> None:
    if index._array.dtype.name != "int64":
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {name_of(index)}")


def kthvalue(input: Tensor, k: int, dim: int = -1, *_: Any, **__: Any) -> None:
    axis = axis_of(dim, input._array.ndim)
    if not 1 <= k <= (input._array.shape[axis] if input._array.ndim else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {axis}")


def split(input: Tensor, split_size: Any, *_: Any, **__: Any) -> None:
    if isinstance(split_size, int) and split_size < 0:
        raise RuntimeError(
            f"split expects split_size be non-negative, but got split_size={split_size}"
        )


def quantile(input: Tensor, q: Any, *_: Any, **__: Any) -> None:
    if STATE.autocast is None and input._array.dtype.name not in ("float32", "float64"):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if not isinstance(q, Tensor):
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q}")
        return
    if q._array.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if q._array.dtype != input._array.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if not ((q._array >= 0) & (q._array <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")


def hsplit(input: Tensor, *places: Any) -> None:
    along = 0 if input._array.ndim == 1 else 1
    if input._array.ndim == 0:
        raise RuntimeError("torch.hsplit requires a tensor with at least 1 dimension, but got a "
                           "tensor with 0 dimensions!")  # fmt: skip
    divisible("hsplit", input, along, places)


def vsplit(input: Tensor, *places: Any) -> None:
    if input._array.ndim < 2:
        raise RuntimeError("torch.vsplit requires a tensor with at least 2 dimension, but got a "
                           f"tensor with {input._array.ndim} dimensions!")  # fmt: skip
    divisible("vsplit", input, 0, places)


def dsplit(input: Tensor, *places: Any) -> None:
    if input._array.ndim < 3:
        raise RuntimeError("torch.dsplit requires a tensor with at least 3 dimension, but got a "
                           f"tensor with {input._array.ndim} dimensions!")  # fmt: skip
    divisible("dsplit", input, 2, places)


def divisible(name: str, input: Tensor, axis: int, places: Any) -> None:
    """A number of pieces must divide the size."""
    if len(places) != 1 or not isinstance(places[0], int):
        return
    size, pieces = input._array.shape[axis], places[0]
    if pieces == 0 or size % pieces:
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {axis}, but the size of the "
            f"dimension {size} is not divisible by the split_size {pieces}!"
        )


def adjoint(input: Tensor) -> None:
    if input._array.ndim == 1:
        raise RuntimeError("tensor.adjoint() is only supported on matrices or batches of matrices. "
                           "Got 1-D tensor.")  # fmt: skip


CHECKS: dict[str, Check] = {
    "trace": lambda input: None if input._array.ndim == 2 else _raise(
        f"trace: expected a matrix, but got tensor with dim {input._array.ndim}"),
    "tril": of_axes(2, "tril: input tensor must have at least 2 dimensions"),
    "triu": of_axes(2, "triu: input tensor must have at least 2 dimensions"),
    "fliplr": of_axes(2, "Input must be >= 2-d."),
    "flipud": of_axes(1, "Input must be >= 1-d."),
    "logdet": of_axes(2, "logdet: The input tensor A must have at least 2 dimensions."),
    "rot90": of_axes(2, "expected total dims >= 2, but got total dims = {}"),
    "var": of_kinds("fc", "std and var only support floating point and complex dtypes"),
    "std": of_kinds("fc", "std and var only support floating point and complex dtypes"),
    "norm": of_kinds("fc", "linalg.vector_norm: Expected a floating point or complex tensor as "
                           "input. Got {}"),
    "nanmean": of_kinds("fc", "nanmean(): expected input to have floating point or complex dtype "
                              "but got {}"),
    "sort": of_kinds("fiub", " Sort does not support complex dtypes on CPU"),
    "argsort": of_kinds("fiub", " Sort does not support complex dtypes on CPU"),
    "frexp": of_kinds("f", "torch.frexp() only supports floating-point dtypes"),
    "clamp": of_kinds("fiub", "clamp is not supported for complex types", NotImplementedError),
    "bitwise_not": of_kinds("iub", "\"bitwise_not_cpu\" not implemented for '{}'",
                            NotImplementedError),
    "bincount": of_kinds("iu", "\"bincount_cpu\" not implemented for '{}'", NotImplementedError),
    **dtype_refusals.CHECKS,
    "inner": of_one_dtype("both inputs should have same dtype"),
    "allclose": of_one_dtype("{} did not match {}"),
    "isclose": of_one_dtype("{} did not match {}"),
    "vdot": of_one_dtype("dot : expected both vectors to have same dtype, but found {} and {}"),
    "diagonal": diagonal, "masked_select": masked_select, "take": take, "kthvalue": kthvalue,
    "split": split, "quantile": quantile, "nanquantile": quantile, "hsplit": hsplit,
    "vsplit": vsplit, "dsplit": dsplit, "adjoint": adjoint,
}  # fmt: skip


def _raise(text: str) -> None:
    raise RuntimeError(text)


def checked(function: Any, check: Check) -> Any:
    """The function behind its check; calls that the check does not understand go on."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], Tensor):
            given = {k: v for k, v in kwargs.items() if k != "out"}
            # The function itself says what is wrong with arguments of other types.
            with contextlib.suppress(TypeError, AttributeError):
                check(*args, **given)
        return function(*args, **kwargs)

    return call


def install(functions: dict[str, Any]) -> None:
    """Put the checks before the functions of the namespace and the methods."""
    for name, check in CHECKS.items():
        if name in functions:
            functions[name] = checked(functions[name], check)
        method = getattr(Tensor, name, None)
        if method is not None:
            setattr(Tensor, name, checked(method, check))

"""Complex numbers seen as pairs of real ones, and the reverse, in the same memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.operations.complaints import no_tensor
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.eager.tensors.views import view
from s2sgrad.rules import structural

_COMPLEX = {"e": np.complex64, "f": np.complex64, "d": np.complex128}


def parts_of(a: Any) -> Any:
    """Real and imaginary parts along a last axis: a view. Recorded for tensors."""
    if isinstance(a, Tensor):
        return apply(op_of(parts_of, "ViewAsRealBackward0"), (a,), {})
    shape, strides = (*a.shape, 2), (*a.strides, a.itemsize // 2)
    return np.lib.stride_tricks.as_strided(a.real, shape, strides)


def numbers_of(a: Any) -> Any:
    """Complex numbers of the pairs along the last axis: a view. Recorded for tensors."""
    if isinstance(a, Tensor):
        return apply(op_of(numbers_of, "ViewAsComplexBackward0"), (a,), {})
    if a.strides[-1] != a.itemsize:
        a = np.ascontiguousarray(a)
    return a.view(_COMPLEX[a.dtype.char])[..., 0]


@structural(parts_of, holomorphic=False)
def _parts_of(y_bar, y, a):  # type: ignore[no-untyped-def]
    """The cotangents of the parts are the parts of the cotangent."""
    return numbers_of(y_bar)


@structural(numbers_of, holomorphic=False)
def _numbers_of(y_bar, y, a):  # type: ignore[no-untyped-def]
    """The parts of the cotangent."""
    return parts_of(y_bar)


def view_as_real(input: Tensor) -> Tensor:
    """A view with real and imaginary part along a last axis."""
    if not isinstance(input, Tensor):
        raise no_tensor("view_as_real", input)
    if input._array.dtype.kind != "c":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    return view(op_of(parts_of, "ViewAsRealBackward0"), input)


def view_as_complex(input: Tensor) -> Tensor:
    """A view as the complex numbers whose parts lie along the last axis."""
    if not isinstance(input, Tensor):
        raise no_tensor("view_as_complex", input)
    array = input._array
    if array.dtype.char not in _COMPLEX:
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a "
            f"tensor of scalar type: {input.dtype.type_name}"
        )
    if not array.ndim or array.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if array.strides[-1] != array.itemsize:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    return view(op_of(numbers_of, "ViewAsComplexBackward0"), input)

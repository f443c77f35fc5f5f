"""The attributes T, mT, H and mH of tensors."""

from __future__ import annotations

import warnings
from typing import Any

from s2sgrad.eager.operations.shaping import permute, transpose
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.eager.tensors.tensor_values import fact, first_time

IDENTITY, ADVICE = "This function is the identity in these cases.", "Consider using x.conj()."
MANY_AXES = (
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and"
    " it will throw an error in a future release. Consider `x.mT` to transpose batches of matrices "
    "or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor."
)


def reversed_axes(t: Tensor) -> Tensor:
    """`t.T`: all axes in reverse order; meant for matrices."""
    ndim = t._array.ndim
    if ndim == 0:
        deprecated("T", IDENTITY)
    elif ndim != 2 and first_time("T of more axes"):
        warnings.warn(MANY_AXES, UserWarning, stacklevel=2)
    return permute(t, tuple(reversed(range(ndim))))


def exchanged(name: str, conjugated: bool, advice: str) -> Any:
    """The attribute that exchanges the last two axes."""

    def made(t: Tensor) -> Tensor:
        ndim = t._array.ndim
        if ndim == 0:
            deprecated(name, advice)
            return t.conj() if conjugated else t
        if ndim == 1 or (name == "H" and ndim > 2):
            some = "matrices (2-D tensors)" if name == "H" else "matrices or batches of matrices"
            more = " For batches of matrices, consider using tensor.mH" if ndim > 2 else ""
            raise RuntimeError(
                f"tensor.{name} is only supported on {some}. Got {ndim}-D tensor.{more}"
            )
        swapped = transpose(t, -2, -1)
        return swapped.conj() if conjugated else swapped

    return fact(made).named(name)


def deprecated(name: str, advice: str) -> None:
    """Warn, once a process, of an attribute of a number."""
    if first_time(f"{name} of a number"):
        text = f"Tensor.{name} is deprecated on 0-D tensors. {advice}"
        warnings.warn(text, UserWarning, stacklevel=3)


_T: Any = Tensor
_T.T = fact(reversed_axes).named("T")
_T.mT = exchanged("mT", False, IDENTITY)
_T.H = exchanged("H", True, ADVICE)
_T.mH = exchanged("mH", True, ADVICE)

"""Functions that ask something of tensors, without derivatives: allclose, nonzero, numel..."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.promotion import result_type as promoted
from s2sgrad.eager.tensors.tensor import Tensor, wrap


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether all entries agree within `atol + rtol * |other|`."""
    return bool(np.allclose(input._array, other._array, rtol, atol, equal_nan))


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether shape and all entries are the same."""
    return bool(np.array_equal(input._array, other._array))


def isclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8) -> Tensor:
    """Which entries agree."""
    return wrap(np.isclose(input._array, other._array, rtol, atol))


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The indices of entries that are not zero."""
    found = np.nonzero(np.atleast_1d(input._array))
    if as_tuple:
        return tuple(map(wrap, found))
    return wrap(np.stack(found, 1)[:, : input._array.ndim])


def result_type(a: Any, b: Any) -> dtypes.dtype:
    """The dtype of an operation on both."""
    return promoted(a, b)


def numel(input: Tensor) -> int:
    """How many entries."""
    return input._array.size


def is_tensor(obj: Any) -> bool:
    """Whether this is a tensor."""
    return isinstance(obj, Tensor)

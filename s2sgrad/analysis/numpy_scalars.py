"""Floor 3: the types of NumPy's numbers."""

from __future__ import annotations

from s2sgrad.ir.types import Scalar, Truth


def numpy_scalar(dtype: str) -> Scalar:
    """The type of a number of a dtype that NumPy has made."""
    return Truth() if dtype == "bool" else Scalar(dtype)


__all__ = ["numpy_scalar"]

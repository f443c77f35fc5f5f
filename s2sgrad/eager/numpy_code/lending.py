"""Memory of traced constants that plain arrays share.

Functions that know nothing of traced values get the array of one that is constant so far. As long
as an array on that memory lives, a write with a history is refused: the array would not show it.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.losses import LostWriteError, lost
from s2sgrad.eager.passes.graph import copying_on_write
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.tensor import Tensor

_MANY = 16  # loans from which on those that are over are looked for


class Loan:
    """What every array on lent memory holds: NumPy gives it as the base of views of views too."""

    __slots__ = ("__array_interface__", "__weakref__", "array")

    def __init__(self, array: Any) -> None:
        self.array, self.__array_interface__ = array, array.__array_interface__


class lending(copying_on_write):
    """A block that knows which memory is lent."""

    def __init__(self) -> None:
        super().__init__()
        self.loans: list[tuple[Any, Any]] = []

    def lend(self, t: Tensor) -> Any:
        """The array of a tensor; as it may be written to, what is saved of it gets a copy."""
        self.before_write(t)
        if len(self.loans) >= _MANY:
            self.loans = [pair for pair in self.loans if pair[0]() is not None]
        loan = Loan(t._array)
        self.loans.append((weakref.ref(loan), t._vc))
        return np.asarray(loan)

    def watch(self, saved: Any) -> None:
        """See `copying_on_write`; of memory that is lent a copy is kept at once."""
        if self.is_lent(saved.vc):
            saved.own_copy()
        super().watch(saved)

    def is_lent(self, vc: Any) -> bool:
        """Whether an array on the memory with this version counter lives."""
        return any(lent is vc and loan() is not None for loan, lent in self.loans)

    def before_write(self, t: Tensor, value: Any = None) -> None:
        """See `copying_on_write`; refuses a value with a history for memory that is lent."""
        super().before_write(t, value)
        if isinstance(value, Tensor) and value.requires_grad and self.is_lent(t._vc):
            raise lost("writing a traced value into memory of a plain array", LostWriteError)


def lent(t: Tensor) -> Any:
    """The array of a constant, for functions that know nothing of tensors."""
    array = t._array
    if type(STATE.mutation) is not lending or not array.ndim or array.dtype.kind not in "biufc":
        return array
    return STATE.mutation.lend(t)

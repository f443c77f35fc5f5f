"""`autograd.Variable`: the old name of tensors, which still makes them."""

from __future__ import annotations

from typing import Any

from s2sgrad.eager.tensors.tensor import Tensor


class _IsTensor(type):
    """Every tensor counts as an instance."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, Tensor)


class Variable(metaclass=_IsTensor):
    """`Variable(tensor, requires_grad)`: a new leaf on the memory of a tensor."""

    def __new__(cls, data: Any, requires_grad: bool = False, volatile: Any = None) -> Any:
        return data.detach().requires_grad_(requires_grad)

"""Parameters and buffers: tensors that a Module finds and keeps."""

from __future__ import annotations

from typing import Any

from s2sgrad.eager._core import Tensor, zeros
from s2sgrad.eager.settings.modes import is_inference_mode_enabled

__all__ = ["Buffer", "Parameter"]


class _ParameterType(type(Tensor)):  # type: ignore[misc]
    """`isinstance(x, Parameter)` holds for parameters of any tensor class."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or (
            isinstance(instance, Tensor) and getattr(instance, "_is_param", False)
        )


class Parameter(Tensor, metaclass=_ParameterType):
    """A leaf tensor that a Module registers when it is assigned as an attribute.

    `Parameter(data, requires_grad=True)` shares the memory of `data`.
    """

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        source = zeros(0) if data is None else data
        made = Tensor.__new__(cls, source.detach())
        if requires_grad and not (made.is_floating_point() or made.is_complex()):
            raise RuntimeError(
                "Only Tensors of floating point and complex dtype can require gradients"
            )
        if requires_grad and source.is_inference() and not is_inference_mode_enabled():
            source.requires_grad_()  # raises
        made.requires_grad = requires_grad
        return made

    def __init__(self, data: Any = None, requires_grad: bool = True) -> None:
        pass

    def __repr__(self) -> str:
        return "Parameter containing:\n" + Tensor.__repr__(self)

    __str__ = __repr__

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.detach().clone(), self.requires_grad)
        return memo[id(self)]


class Buffer(Tensor):
    """A tensor that a Module keeps in its state without training it."""

    persistent: bool

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Any:
        source = zeros(0) if data is None else data
        made = Tensor.__new__(cls, source.detach())
        made.requires_grad = source.requires_grad
        made.persistent = persistent
        return made

    def __init__(self, data: Any = None, *, persistent: bool = True) -> None:
        pass


def is_parameter(value: Any) -> bool:
    """Whether a value is a Parameter."""
    return isinstance(value, Parameter)

"""Activation functions as modules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.eager._core import Tensor, full
from s2sgrad.eager.nn import functional
from s2sgrad.eager.nn.module import Module
from s2sgrad.eager.nn.parameter import Parameter


class _Activation(Module):
    """A function of one tensor with fixed options.

    options: (name, default) in the order of the constructor.
    """

    function: Callable[..., Tensor]
    options: tuple[tuple[str, Any], ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        values = {**dict(self.options), **self._given(args, kwargs)}
        for name, value in values.items():
            setattr(self, name, value)

    def _given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        names = [name for name, _ in self.options]
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        name = type(self).__name__
        for key in given:
            if key not in names:
                raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{key}'")
        if len(args) > len(names):
            raise TypeError(f"{name}.__init__() takes {len(names) + 1} positional arguments but"
                            f" {len(args) + 1} were given")  # fmt: skip
        return given

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name, _ in self.options}

    def forward(self, input: Tensor) -> Tensor:
        return type(self).function(input, **self._values())

    def extra_repr(self) -> str:
        parts: list[str] = []
        for name, value in self._values().items():
            if name == "inplace":
                if value:
                    parts.append("inplace=True")
            else:
                shown = f"'{value}'" if isinstance(value, str) else value
                parts.append(f"{name}={shown}")
        return ", ".join(parts)


_INPLACE = ("inplace", False)


def _made(name: str, function: Callable[..., Tensor], *options: tuple[str, Any]) -> Any:
    """A module class around a function of `nn.functional`."""
    return type(
        name,
        (_Activation,),
        {
            "__doc__": function.__doc__,
            "__module__": __name__,
            "function": staticmethod(function),
            "options": options,
        },
    )


ReLU = _made("ReLU", functional.relu, _INPLACE)
ReLU6 = _made("ReLU6", functional.relu6, _INPLACE)
GELU = _made("GELU", functional.gelu, ("approximate", "none"))
SiLU = _made("SiLU", functional.silu, _INPLACE)
Mish = _made("Mish", functional.mish, _INPLACE)
Sigmoid = _made("Sigmoid", functional.sigmoid)
LogSigmoid = _made("LogSigmoid", functional.logsigmoid)
Tanh = _made("Tanh", functional.tanh)
Softplus = _made("Softplus", functional.softplus, ("beta", 1.0), ("threshold", 20.0))
Softsign = _made("Softsign", functional.softsign)
Tanhshrink = _made("Tanhshrink", functional.tanhshrink)
Softshrink = _made("Softshrink", functional.softshrink, ("lambd", 0.5))
Hardshrink = _made("Hardshrink", functional.hardshrink, ("lambd", 0.5))
Softshrink.extra_repr = Hardshrink.extra_repr = lambda self: str(self.lambd)
Hardsigmoid = _made("Hardsigmoid", functional.hardsigmoid, _INPLACE)
Hardswish = _made("Hardswish", functional.hardswish, _INPLACE)
Hardtanh = _made("Hardtanh", functional.hardtanh, ("min_val", -1.0), ("max_val", 1.0), _INPLACE)
ELU = _made("ELU", functional.elu, ("alpha", 1.0), _INPLACE)
SELU = _made("SELU", functional.selu, _INPLACE)
CELU = _made("CELU", functional.celu, ("alpha", 1.0), _INPLACE)
LeakyReLU = _made("LeakyReLU", functional.leaky_relu, ("negative_slope", 0.01), _INPLACE)
GLU = _made("GLU", functional.glu, ("dim", -1))
Softmax = _made("Softmax", functional.softmax, ("dim", None))
Softmin = _made("Softmin", functional.softmin, ("dim", None))
LogSoftmax = _made("LogSoftmax", functional.log_softmax, ("dim", None))


class Threshold(Module):
    """input, or `value` where it is not above the threshold."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input: Tensor) -> Tensor:
        return functional.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        text = f"threshold={self.threshold}, value={self.value}"
        return text + ", inplace=True" if self.inplace else text


class PReLU(Module):
    """`leaky_relu` with a learned slope: one, or one for each channel."""

    def __init__(self, num_parameters: int = 1, init: float = 0.25) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(full((num_parameters,), init))

    def forward(self, input: Tensor) -> Tensor:
        return functional.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"

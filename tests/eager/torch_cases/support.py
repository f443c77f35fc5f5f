"""What the cases share: plain values of tensors, captured prints, errors and warnings."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

CASES: dict[str, Callable[[Any], Any]] = {}
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


def case(what: str) -> Callable[[Any], Any]:
    """Enter a case; `what` says what it is about."""

    def enter(function: Any) -> Any:
        function.__doc__ = what
        CASES[function.__name__] = function
        return function

    return enter


def without_address(text: str) -> str:
    """The text with object addresses replaced."""
    return _ADDRESS.sub("0xADDR", text)


class Out(list):  # type: ignore[type-arg]
    """Stands for print(): keeps the text instead of writing it."""

    def __call__(self, *args: Any) -> None:
        self.append(without_address(" ".join(str(a) for a in args)))


def v(t: Any) -> Any:
    """Plain value of a tensor, or of a nest of tensors."""
    if t is None or isinstance(t, (bool, int, float, str)):
        return t
    if isinstance(t, complex):
        return {"re": t.real, "im": t.imag}
    if isinstance(t, dict):
        return {k: v(x) for k, x in t.items()}
    if isinstance(t, (list, tuple)):
        return [v(x) for x in t]
    if isinstance(t, (np.ndarray, np.generic)):
        return v(t.tolist())
    return v(t.detach().tolist())


def shape(t: Any) -> list[int]:
    """The shape as a list."""
    return [int(n) for n in t.shape]


def node(t: Any) -> str | None:
    """Class name of the grad_fn."""
    return None if t.grad_fn is None else type(t.grad_fn).__name__


def catch(fn: Callable[[], Any]) -> dict[str, Any]:
    """The error that a call raises, as type and message."""
    try:
        result = fn()
    except Exception as error:
        return {"raises": type(error).__name__, "message": without_address(str(error))}
    return {"raises": None, "result_type": type(result).__name__}


def warned(fn: Callable[[], Any]) -> tuple[Any, list[dict[str, str]]]:
    """A call's result and the first sentence of each of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = fn()
    return result, [
        {"category": w.category.__name__, "message": str(w.message).split(". ")[0]} for w in caught
    ]


def rnd(
    torch: Any, *shape: int, seed: int = 0, dtype: Any = None, requires_grad: bool = False
) -> Any:
    """Stands for torch.randn: the same numbers for every module."""
    array = np.random.default_rng(seed).standard_normal(shape)
    return torch.tensor(array, dtype=dtype or torch.float32, requires_grad=requires_grad)


def _matmul_function(torch):
    class MatMul(torch.autograd.Function):
        @staticmethod
        def forward(ctx, input, weight):
            ctx.save_for_backward(input, weight)
            return input @ weight

        @staticmethod
        def backward(ctx, grad_output):
            input, weight = ctx.saved_tensors
            grad_input = grad_output @ weight.t()
            grad_weight = input.t() @ grad_output
            return grad_input, grad_weight

    return MatMul


def _mlp(torch, seed=20, din=3, dhid=4, dout=2):
    """A small nn.Module with weights taken from NumPy (so nothing depends on an initialiser)."""

    class MLP(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w1 = torch.nn.Parameter(rnd(torch, din, dhid, seed=seed))
            self.b1 = torch.nn.Parameter(rnd(torch, dhid, seed=seed + 1))
            self.w2 = torch.nn.Parameter(rnd(torch, dhid, dout, seed=seed + 2))

        def forward(self, x):
            return torch.tanh(x @ self.w1 + self.b1) @ self.w2

    return MLP()


def _one_layer(torch):
    x = torch.ones(5)
    y = torch.zeros(3)
    w = rnd(torch, 5, 3, seed=30, requires_grad=True)
    b = rnd(torch, 3, seed=31, requires_grad=True)
    z = torch.matmul(x, w) + b
    loss = torch.nn.functional.binary_cross_entropy_with_logits(z, y)
    return x, y, w, b, z, loss


def _my_silu(torch):
    class MySiLU(torch.autograd.Function):
        """x * sigmoid(x)"""

        @staticmethod
        def forward(ctx, x):
            s = torch.sigmoid(x)
            ctx.save_for_backward(x, s)
            return x * s

        @staticmethod
        def backward(ctx, grad_output):
            x, s = ctx.saved_tensors
            return grad_output * (s * (1 + x * (1 - s)))

    return MySiLU

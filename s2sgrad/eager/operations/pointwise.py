"""Functions of one tensor, entry by entry, under torch's names."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.operations import primitives
from s2sgrad.eager.operations.complaints import UNFIT, filled, no_tensor, refusing
from s2sgrad.eager.operations.primitives import second_power
from s2sgrad.eager.recording.fastpath import unary
from s2sgrad.eager.recording.names import node_name
from s2sgrad.eager.recording.record import Op, op_of
from s2sgrad.eager.recording.reuse import passing
from s2sgrad.eager.tensors.promotion import general_unary
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.rules import lookup

# torch name -> (NumPy function, whether integers become floats)
UNARY: dict[str, tuple[Any, bool]] = {
    **{
        name: (getattr(np, source), True)
        for name, source in (
            ("exp", "exp"), ("exp2", "exp2"), ("expm1", "expm1"), ("log", "log"),
            ("log2", "log2"), ("log10", "log10"), ("log1p", "log1p"), ("sqrt", "sqrt"),
            ("sin", "sin"), ("cos", "cos"), ("tan", "tan"), ("sinh", "sinh"), ("cosh", "cosh"),
            ("tanh", "tanh"), ("asin", "arcsin"), ("acos", "arccos"), ("atan", "arctan"),
            ("asinh", "arcsinh"), ("acosh", "arccosh"), ("atanh", "arctanh"),
            ("reciprocal", "reciprocal"), ("deg2rad", "deg2rad"), ("rad2deg", "rad2deg"),
            ("sinc", "sinc"),
        )
    },
    "sigmoid": (primitives.sigmoid_array, True),
    "rsqrt": (primitives.rsqrt_array, True),
    "relu": (primitives.relu_array, False),
    "frac": (primitives.frac_array, False),
    "sign": (primitives.sign_array, False),
    "sgn": (primitives.sign_array, False),
    **{
        name: (getattr(np, source), False)
        for name, source in (
            ("neg", "negative"), ("positive", "positive"), ("abs", "absolute"),
            ("floor", "floor"), ("ceil", "ceil"), ("trunc", "trunc"),
            ("conj", "conjugate"), ("isnan", "isnan"), ("isinf", "isinf"),
            ("isfinite", "isfinite"), ("logical_not", "logical_not"), ("signbit", "signbit"),
            ("bitwise_not", "invert"),
        )
    },
}  # fmt: skip
ALIASES = {
    "negative": "neg", "absolute": "abs", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
    "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "fix": "trunc",
    "conj_physical": "conj", "expit": "sigmoid",
}  # fmt: skip
_NODE_NAMES = {
    "deg2rad": "Deg2RadBackward0", "rad2deg": "Rad2DegBackward0",
    "log1p": "Log1PBackward0", "abs": "AbsBackward0", "sigmoid": "SigmoidBackward0",
    "rsqrt": "RsqrtBackward0", "relu": "ReluBackward0", "frac": "FracBackward0",
    "sign": "SignBackward0", "sgn": "SgnBackward0",
}  # fmt: skip


def _function(name: str, function: Any, to_float: bool) -> Any:
    """`torch.name` and the method; the fast path is written when one of them is first called."""
    fast: Any = None

    def build() -> Any:
        nonlocal fast
        op = op_of(function, _NODE_NAMES.get(name))
        general = general_unary(op, to_float)
        fast = unary(op, refusing(name, general) if name in UNFIT else general)
        for attribute, held in list(vars(Tensor).items()):
            if held is method:
                setattr(Tensor, attribute, fast)
        return fast

    def made(input: Any, *, out: Any = None) -> Any:
        if out is not None:
            return filled(out, name, fast or build(), input)
        try:
            return (fast or build())(input)
        except AttributeError:
            if isinstance(input, Tensor):
                raise
            raise no_tensor(name, input) from None

    def method(input: Any) -> Any:
        return (fast or build())(input)

    passing(made)
    passing(method)
    made.__name__ = made.__qualname__ = method.__name__ = name
    made.__doc__ = method.__doc__ = f"`{name}` of every entry."
    return made, method


FUNCTIONS: dict[str, Any] = {}  # torch.sin and the rest
METHODS: dict[str, Any] = {}
for _name, (_numpy, _to_float) in UNARY.items():
    if lookup(_numpy) is not None:
        FUNCTIONS[_name], METHODS[_name] = _function(_name, _numpy, _to_float)
for _name, _target in ALIASES.items():
    if _target in FUNCTIONS:
        FUNCTIONS[_name], METHODS[_name] = FUNCTIONS[_target], METHODS[_target]

_square_op: Op = op_of(second_power, "PowBackward0")
_general_square = general_unary(_square_op, False)


def _number_squared(x: Any) -> Any:
    return _general_square(x.long() if x._array.dtype.kind == "b" else x)


square_fast = unary(_square_op, _number_squared)
FUNCTIONS["square"] = METHODS["square"] = square_fast


def positive(input: Tensor) -> Tensor:
    """The tensor itself."""
    if input._array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


FUNCTIONS["positive"] = METHODS["positive"] = positive
_conj = METHODS["conj"]


def conj(input: Tensor) -> Tensor:
    """The complex conjugate; a real tensor is its own."""
    return _conj(input) if input._array.dtype.kind == "c" else input


for _name in ("conj", "conj_physical"):
    FUNCTIONS[_name] = METHODS[_name] = conj


def _install() -> None:
    """Attach the methods to Tensor."""
    for name, method in METHODS.items():
        setattr(Tensor, name, method)
    T: Any = Tensor
    T.__neg__, T.__pos__, T.__abs__ = METHODS["neg"], positive, METHODS["abs"]
    T.__invert__ = METHODS.get("bitwise_not")


_install()

__all__ = ["FUNCTIONS", "METHODS", "node_name"]

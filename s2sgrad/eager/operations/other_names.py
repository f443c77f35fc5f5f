"""Further names that torch has for functions which are there: methods, in-place forms, aliases."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from s2sgrad.eager.operations import further, named, products
from s2sgrad.eager.operations.operators import comparison
from s2sgrad.eager.recording.node import named_as
from s2sgrad.eager.recording.record import Op, apply
from s2sgrad.eager.tensors import conversion
from s2sgrad.eager.tensors.inplace import from_copying
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.rules import lookup
from s2sgrad.rules.methods import SPECIAL_METHODS

ORDERS = {"greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le",
          "not_equal": "ne"}  # fmt: skip
_T: Any = Tensor


def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """`beta * input` plus `alpha` times the sum of the products of a batch."""
    whole = products.bmm(batch1, batch2).sum(0)
    made = (input if beta == 1 else input * beta) + (whole if alpha == 1 else whole * alpha)
    return named_as(made, "AddbmmBackward0")


def split_with_sizes(input: Tensor, split_sizes: Any, dim: int = 0) -> Any:
    """Parts of these sizes along a dim."""
    return input.split(split_sizes, dim)  # type: ignore[attr-defined]


def nuclear_norm(input: Tensor, *_: Any) -> Any:
    """The sum of the singular values."""
    return named.FUNCTIONS["svd"](input)[1].sum()


def fill(input: Tensor, value: Any) -> Any:
    """One value everywhere, as a copy."""
    return input.clone().fill_(value)  # type: ignore[attr-defined]


def put_(t: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Stored at flat indices, in place."""
    t.view(-1).index_put_((index.reshape(-1),), source.reshape(-1), accumulate)  # type: ignore[attr-defined]
    return t


def flat_comparison(name: str, function: Any) -> Any:
    """A comparison whose result stays in the dtype of its input, with zeros for a gradient."""

    def compared(a: Any, b: Any) -> Any:
        return np.asarray(function(a, b)).astype(a.dtype)

    word = ORDERS.get(name, name).capitalize()
    op = Op(compared, lookup(np.floor), f"{word}Backward0")  # type: ignore[arg-type]
    return lambda t, other: apply(op, (t, getattr(other, "_array", other)), {})


def float_power(t: Tensor, exponent: Any) -> Any:
    """`t ** exponent` for what is in double precision already."""
    wide = further.float_power(t, exponent)
    if wide._array.dtype != t._array.dtype:
        word = "Double" if wide.is_floating_point() else "ComplexDouble"
        raise RuntimeError(
            f"the base given to float_power_ has dtype {t.dtype.type_name} but the operation's "
            f"result requires dtype {word}"
        )
    return wide


def of_nn(name: str) -> Any:
    """A function of `nn.functional` as a method."""

    def method(t: Tensor, *args: Any, **options: Any) -> Any:
        functional = importlib.import_module("s2sgrad.eager.nn.functional")
        return getattr(functional, name)(t, *args, **options)

    method.__name__ = method.__qualname__ = name
    return method


def _orders() -> dict[str, Any]:
    functions = {s: SPECIAL_METHODS[f"__{s}__"] for s in (*ORDERS.values(), "eq")}
    return {**functions, **{name: functions[short] for name, short in ORDERS.items()}}


def _methods() -> None:
    """Attach what is a function only, then the in-place forms that are missing."""
    orders = _orders()
    for name in ORDERS:
        setattr(Tensor, name, comparison(orders[name]))
    _T.addmm, _T.addbmm, _T.ger = products.addmm, addbmm, products.outer
    _T.split_with_sizes = _T.unsafe_split_with_sizes = split_with_sizes
    _T.unsafe_split, _T.unsafe_chunk, _T.put_ = _T.split, _T.chunk, put_
    _T.is_nonzero = further.is_nonzero
    _T.polygamma = lambda t, n: named.FUNCTIONS["polygamma"](n, t)
    _T.hardshrink, _T.prelu = of_nn("hardshrink"), of_nn("prelu")
    _T.mvlgamma = named.FUNCTIONS["mvlgamma"]
    _T.is_conj = _T.is_neg = _T.is_shared = _T.is_distributed = lambda t: False
    _T.byte = lambda t: conversion.to(t, conversion.dtypes.by_name("uint8"))
    _T.char = lambda t: conversion.to(t, conversion.dtypes.by_name("int8"))
    copying = {
        **{n: flat_comparison(n, f) for n, f in orders.items()}, "float_power": float_power,
        **{n: getattr(Tensor, n) for n in IN_PLACE if hasattr(Tensor, n)},
        "addbmm": addbmm, "baddbmm": products.baddbmm, "addmm": products.addmm,
    }  # fmt: skip
    for name, function in copying.items():
        if not hasattr(Tensor, f"{name}_"):
            setattr(Tensor, f"{name}_", from_copying(function, f"{name}_"))


IN_PLACE = (
    "addmv", "addr", "arctan2", "atan2", "bitwise_and", "bitwise_left_shift", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "clamp_max", "clamp_min", "copysign",
    "fmod", "gcd", "heaviside", "hypot", "i0", "lcm", "ldexp", "logical_and", "logical_or",
    "logical_xor", "mvlgamma", "nextafter", "polygamma", "renorm",
)  # fmt: skip
_methods()


def in_place(name: str) -> Any:
    """`torch.relu_` and its like: the method as a function; None where there is no such method."""
    method = getattr(Tensor, name, None)
    if method is None or not name.endswith("_") or name.startswith("_"):
        return None

    def function(input: Tensor, *args: Any, **options: Any) -> Any:
        return getattr(input, name)(*args, **options)

    function.__name__ = function.__qualname__ = name
    return function


def detach(input: Tensor) -> Tensor:
    """The values without their history."""
    return input.detach()


def index_put(input: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Any:
    """A copy with values stored at indices."""
    return input.index_put(indices, values, accumulate)  # type: ignore[attr-defined]


FUNCTIONS: dict[str, Any] = {
    **{name: getattr(Tensor, name) for name in ORDERS},
    "addbmm": addbmm, "split_with_sizes": split_with_sizes, "unsafe_chunk": _T.chunk,
    "unsafe_split": _T.split, "nuclear_norm": nuclear_norm, "fill": fill, "detach": detach,
    "index_put": index_put,
    "resolve_conj": lambda input: input, "resolve_neg": lambda input: input,
    "get_device": lambda input: input.get_device(), "is_conj": lambda input: False,
    "is_neg": lambda input: False, "typename": lambda o: o.type() if isinstance(o, Tensor)
    else f"{type(o).__module__}.{type(o).__qualname__}",
}  # fmt: skip

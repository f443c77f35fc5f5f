"""Arithmetic: operators of Tensor and the functions behind them."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.operations.complaints import check_bools, check_quotient, filled
from s2sgrad.eager.operations.primitives import pow_number, quotient, whole_quotient
from s2sgrad.eager.recording.fastpath import binary, number_only
from s2sgrad.eager.recording.record import Op, op_of
from s2sgrad.eager.recording.reuse import passing
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.dtypes import INTEGER
from s2sgrad.eager.tensors.promotion import general_binary, numeric, operand, result_type
from s2sgrad.eager.tensors.tensor import Tensor, wrap
from s2sgrad.rules import lookup
from s2sgrad.rules.methods import SPECIAL_METHODS

ADD, SUB, MUL = (op_of(f) for f in (np.add, np.subtract, np.multiply))
DIV = Op(np.divide, op_of(quotient).rule, "DivBackward0")
RSUB = op_of(np.subtract, "RsubBackward1")
POW, POW_TENSOR = op_of(pow_number, "PowBackward0"), op_of(np.power, "PowBackward1")
POW_SCALAR_BASE = op_of(np.power, "PowBackward2")
SQUARE, RECIPROCAL = op_of(np.square, "PowBackward0"), op_of(np.reciprocal)
REMAINDER, REMAINDER_OF_TWO = op_of(np.remainder), op_of(np.remainder, "RemainderBackward1")
NO_REMAINDER = op_of(np.remainder, "NotImplemented")

add_plain = binary(ADD, general_binary(ADD))
_general_sub = general_binary(SUB)


def _checked_sub(x: Any, other: Any) -> Any:
    check_bools(x, other)
    return _general_sub(x, other)


sub_plain = binary(SUB, _checked_sub)
mul = binary(MUL, general_binary(MUL))
div_plain = binary(DIV, general_binary(DIV, to_float=True))


def _general_power(x: Any, other: Any) -> Any:
    x, other = operand(x), operand(other)
    if other is None or x is None:
        return NotImplemented
    if isinstance(other, Tensor):
        return numeric(POW_TENSOR if isinstance(x, Tensor) else POW_SCALAR_BASE, (x, other))
    common = result_type(x, other)
    if common.category <= 1 and other < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return numeric(POW, (x, other))


_power_of_two = binary(POW_TENSOR, _general_power)
_power_of_number = number_only(POW, _general_power)


@passing
def power(x: Any, other: Any) -> Any:
    """`x ** other`; the square has a rule of its own."""
    if other.__class__ is int and other == 2 and isinstance(x, Tensor):
        return square(x)
    if not isinstance(x, Tensor):
        return _general_power(x, other)
    return (_power_of_two if isinstance(other, Tensor) else _power_of_number)(x, other)


@passing
def square(x: Any) -> Any:
    """`x ** 2`."""
    from s2sgrad.eager.operations.pointwise import square_fast

    return square_fast(x)


def reflected_sub(x: Tensor, other: Any) -> Any:
    """`other - x`."""
    other = operand(other)
    if other is None:
        return NotImplemented
    check_bools(other, x)
    return sub_plain(other, x) if isinstance(other, Tensor) else numeric(RSUB, (other, x))


def reflected_div(x: Tensor, other: Any) -> Any:
    """`other / x`, as torch does it: the reciprocal times `other`."""
    other = operand(other)
    if other is None:
        return NotImplemented
    if isinstance(other, Tensor):
        return div_plain(other, x)
    return mul(numeric(RECIPROCAL, (x,), to_float=True), other)


def reflected_power(x: Tensor, other: Any) -> Any:
    """`other ** x`."""
    return _general_power(other, x)


def commuted(function: Any) -> Any:
    """`other + x` for a commutative function."""

    def reflected(x: Tensor, other: Any) -> Any:
        return function(x, other)

    return passing(reflected, turned=True)


def _times(input: Any, other: Any, alpha: Any) -> Any:
    if alpha == 1:
        return other
    if isinstance(alpha, (float, complex)) and result_type(input, other).category <= INTEGER:
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating "
                           "point number.")  # fmt: skip
    return mul(other, alpha) if isinstance(other, Tensor) else other * alpha


def add(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    """`input + alpha * other`."""
    if out is not None:
        return filled(out, "add", add, input, other, alpha=alpha)
    return _both(add_plain, input, _times(input, other, alpha))


def sub(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    """`input - alpha * other`."""
    if out is not None:
        return filled(out, "sub", sub, input, other, alpha=alpha)
    return _both(sub_plain, input, _times(input, other, alpha))


def _both(function: Any, a: Any, b: Any) -> Any:
    """A fast function whose first operand may be a number."""
    if isinstance(a, Tensor):
        return function(a, b)
    if isinstance(b, Tensor):
        if function is sub_plain:
            return reflected_sub(b, a)
        return reflected_div(b, a) if function is div_plain else function(b, a)
    raise TypeError(f"expected a Tensor, got {type(a).__name__}")


def multiply(input: Any, other: Any, *, out: Any = None) -> Any:
    """`input * other`."""
    if out is not None:
        return filled(out, "mul", multiply, input, other)
    return _both(mul, input, other)


def divide(input: Any, other: Any, *, rounding_mode: str | None = None, out: Any = None) -> Any:
    """`input / other`, rounded to "floor" or "trunc" if asked to."""
    if out is not None:
        return filled(out, "div", divide, input, other, rounding_mode=rounding_mode)
    if rounding_mode is None:
        return _both(div_plain, input, other)
    if rounding_mode not in ("floor", "trunc"):
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    check_quotient(f"div_{rounding_mode}", input, other)
    if result_type(input, other).category <= INTEGER:
        whole = np.floor_divide if rounding_mode == "floor" else whole_quotient
        return numeric(op_of(whole, "NotImplemented"), (operand(input), operand(other)))
    function = np.floor if rounding_mode == "floor" else np.trunc
    return op_of(function, "DivBackward2")(_both(div_plain, input, other))


def floor_divide(x: Any, other: Any) -> Any:
    """`x // other`."""
    other = operand(other)
    if other is None:
        return NotImplemented
    check_quotient("div_floor", x, other)
    # torch has no derivative; the rules of a recorded pass use it, and there it is zero.
    name = "NotImplemented" if STATE.task is None else None
    return numeric(op_of(np.floor_divide, name), (x, other))


def remainder(x: Any, other: Any) -> Any:
    """`x % other`."""
    other = operand(other)
    if other is None:
        return NotImplemented
    check_quotient("remainder", x, other)
    op = REMAINDER if not isinstance(other, Tensor) else REMAINDER_OF_TWO
    return numeric(op if isinstance(x, Tensor) else NO_REMAINDER, (x, other))


_ORDER = (np.less, np.less_equal, np.greater, np.greater_equal)
_BITWISE = (np.bitwise_and, np.bitwise_or, np.bitwise_xor)
_C_NAMES = {
    np.less: "lt", np.less_equal: "le", np.greater: "gt", np.greater_equal: "ge",
    np.bitwise_and: "bitwise_and", np.bitwise_or: "bitwise_or", np.bitwise_xor: "bitwise_xor",
}  # fmt: skip


def shifted(function: Any, name: str) -> Any:
    """`x << n` and `x >> n` of integers."""

    def shift(x: Any, other: Any) -> Any:
        if x._array.dtype.kind not in "iu":
            from s2sgrad.eager.operations.complaints import not_implemented

            raise not_implemented(name, x)
        return wrap(function(x._array, getattr(other, "_array", other)))

    return shift


def comparison(function: Any) -> Any:
    """A comparison or bit operation: no derivative."""
    op = op_of(function)
    plain = general_binary(op)

    needs = "iub" if op.function in _BITWISE else "fiubV" if op.function in _ORDER else ""

    def compare(input: Any, other: Any) -> Any:
        if needs and isinstance(input, Tensor) and input._array.dtype.kind not in needs:
            from s2sgrad.eager.operations.complaints import not_implemented

            raise not_implemented(_C_NAMES[op.function], input)
        return plain(input, other)

    compare.__name__ = function.__name__
    return compare


def _install() -> None:
    """Attach the operators to Tensor."""
    T: Any = Tensor
    T.__add__, T.__radd__ = add_plain, commuted(add_plain)
    T.__sub__, T.__rsub__ = sub_plain, reflected_sub
    T.__mul__, T.__rmul__ = mul, commuted(mul)
    T.__truediv__, T.__rtruediv__ = div_plain, reflected_div
    T.__pow__, T.__rpow__ = power, reflected_power
    T.__floordiv__, T.__mod__ = floor_divide, remainder
    T.__rfloordiv__ = lambda x, other: floor_divide(operand(other), x)
    T.__rmod__ = lambda x, other: remainder(operand(other), x)
    for name in ("lt", "le", "gt", "ge", "eq", "ne", "and", "or", "xor"):
        function = SPECIAL_METHODS[f"__{name}__"]
        if lookup(function) is not None:
            setattr(T, f"__{name}__", comparison(function))
    for name in ("and", "or", "xor"):
        setattr(T, f"__r{name}__", getattr(T, f"__{name}__", None))
    T.__lshift__ = shifted(np.left_shift, "lshift")
    T.__rshift__ = shifted(np.right_shift, "rshift")
    T.__rlshift__ = lambda x, other: wrap(np.left_shift(other, x._array))
    T.__hash__ = object.__hash__


_install()

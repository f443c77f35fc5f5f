"""Array functions that torch has and NumPy lacks, with their rules in the one table."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import ARRAYS, Batched
from s2sgrad.eager.batches.examples import call
from s2sgrad.eager.recording.swift import lift, where
from s2sgrad.rules import elementwise, structural
from s2sgrad.rules.declare import zero_derivative
from s2sgrad_runtime import (
    expand_reduced,
    kept_writes,
    matmul_bar_left,
    matmul_bar_right,
    take_along_axis_bar,
    unbroadcast,
)


def index_put(a: Any, values: Any, index: Any, accumulate: bool = False) -> Any:
    """A copy of `a` with `values` stored (or added up) at `index`."""
    y = a.copy()
    if accumulate:
        np.add.at(y, index, values)
    else:
        y[index] = values
    return y


def cleared(y_bar: Any, index: Any) -> Any:
    """A copy of `y_bar` that is zero at `index`."""
    arrays = y_bar.__class__ is index.__class__ is np.ndarray
    if arrays and index.dtype.kind == "b" and index.shape == y_bar.shape:
        return where(index, 0.0, y_bar)
    made = np.copy(y_bar)
    made[index] = 0
    return made


def put_bar_base(y_bar: Any, index: Any, accumulate: bool) -> Any:
    """Cotangent of the base of `index_put`."""
    return y_bar if accumulate else cleared(y_bar, index)


def put_bar_values(y_bar: Any, values: Any, index: Any, accumulate: bool) -> Any:
    """Cotangent of the values of `index_put`: of several writes to an entry the last one counts."""
    return unbroadcast(y_bar[index] if accumulate else kept_writes(y_bar, index), values)


@structural(index_put)
def _index_put(y_bar, y, a, values, index, accumulate=False):  # type: ignore[no-untyped-def]
    """The base keeps what was not overwritten; the values get what they were written to."""
    return (
        put_bar_base(y_bar, index, accumulate),
        put_bar_values(y_bar, values, index, accumulate),
        None,
    )


def unpick(y_bar: Any, a: Any, index: Any, axis: int) -> Any:
    """Zeros shaped as `a` with `y_bar` where `index`, which names no entry twice, says."""
    arrays = (y_bar, index)
    if any(v.__class__ is Batched for v in arrays):
        return call(take_along_axis_bar, (y_bar, a, index, axis), {})
    if any(v.__class__ is not np.ndarray for v in arrays):
        return lift(take_along_axis_bar)(y_bar, a, index, axis)
    whole = index.shape[axis] == a.shape[axis]
    made = np.empty(a.shape, y_bar.dtype) if whole else np.zeros(a.shape, y_bar.dtype)
    np.put_along_axis(made, index, y_bar, axis)
    return made


def vector_norm(a: Any, order: float, axis: Any = None, keepdims: bool = False) -> Any:
    """(sum |a|**order)**(1/order) over the axes; max and min of |a| for infinite orders."""
    if order == 2 and a.dtype.kind != "c":
        return np.sqrt((a * a).sum(axis=axis, keepdims=keepdims))
    size = np.abs(a)
    if order == np.inf:
        return size.max(axis=axis, keepdims=keepdims)
    if order == -np.inf:
        return size.min(axis=axis, keepdims=keepdims)
    if order == 0:
        return (size != 0).sum(axis=axis, keepdims=keepdims).astype(size.dtype)
    if order == 1:
        return size.sum(axis=axis, keepdims=keepdims)
    if order == 2:
        return np.sqrt((size * size).sum(axis=axis, keepdims=keepdims))
    return (size**order).sum(axis=axis, keepdims=keepdims) ** (1.0 / order)


def vector_norm_bar(y_bar: Any, y: Any, a: Any, order: float, axis: Any, keepdims: bool) -> Any:
    """Cotangent of `vector_norm`: 0 where the norm is 0."""
    bar, norm = expand_reduced(y_bar, a, axis, keepdims), expand_reduced(y, a, axis, keepdims)
    if order in (np.inf, -np.inf):
        attained = np.abs(a) == norm
        return np.sign(a) * attained * (bar / np.sum(attained, axis=axis, keepdims=True))
    if order == 0:
        return 0.0 * a * bar
    if order == 1:
        return bar * np.sign(a)
    safe = np.where(norm == 0, 1.0, norm)
    if order == 2:
        return np.where(norm == 0, 0.0, bar / safe) * a
    size = np.abs(a)
    inner = np.where(size == 0, 0.0, np.where(size == 0, 1.0, size) ** (order - 1.0))
    return np.where(norm == 0, 0.0, bar / safe ** (order - 1.0)) * inner * np.sign(a)


@structural(vector_norm, holomorphic=False)
def _vector_norm(y_bar, y, a, order=2.0, axis=None, keepdims=False):  # type: ignore[no-untyped-def]
    """dy/da = sign(a) |a|**(p-1) / y**(p-1)."""
    return vector_norm_bar(y_bar, y, a, order, axis, keepdims)


def pick(a: Any, index: Any, axis: int, keepdim: bool) -> Any:
    """The entries that `index` names along an axis, which is left out if they are one each."""
    y = np.take_along_axis(a, index, axis)
    return y if keepdim else np.squeeze(y, axis)


@structural(pick, linear=("a",))
def _pick(y_bar, y, a, index, axis=-1, keepdim=True):  # type: ignore[no-untyped-def]
    """Each cotangent goes to the entry that was picked."""
    wide = y_bar if keepdim else np.expand_dims(y_bar, axis)
    return unpick(wide, a, index, axis), None


def pick_again(a: Any, index: Any, axis: int, keepdim: bool) -> Any:
    """`pick` where `index` may name an entry several times."""
    return pick(a, index, axis, keepdim)


@structural(pick_again, linear=("a",))
def _pick_again(y_bar, y, a, index, axis=-1, keepdim=True):  # type: ignore[no-untyped-def]
    """The cotangents of an entry add up."""
    wide = y_bar if keepdim else np.expand_dims(y_bar, axis)
    return take_along_axis_bar(wide, a, index, axis), None


def lower_median(a: Any) -> Any:
    """The lower median of all entries."""
    return np.partition(a.reshape(-1), (a.size - 1) // 2)[(a.size - 1) // 2]


@structural(lower_median)
def _lower_median(y_bar, y, a):  # type: ignore[no-untyped-def]
    """The entries equal to the median share evenly."""
    attained = a == y
    return np.where(attained, y_bar / np.sum(attained), 0.0)


def sigmoid_array(x: Any) -> Any:
    """1 / (1 + exp(-x)). For real numbers an overflow is harmless: 1 / inf is 0."""
    if x.dtype.kind == "c":
        return 0.5 * np.tanh(0.5 * x) + 0.5
    y = np.exp(-x)
    y = y + 1.0
    return 1.0 / y


@elementwise(sigmoid_array)
def _sigmoid(y_bar, y, x):  # type: ignore[no-untyped-def]
    """dy/dx = y (1 - y)."""
    return y_bar * (y * (1.0 - y))


def relu_array(x: Any) -> Any:
    """max(x, 0); NaN stays."""
    return np.maximum(x, 0)


def gated(a: Any, gate: Any) -> Any:
    """a where the gate is positive or NaN, else 0; recorded for tensors."""
    if a.__class__ in ARRAYS:
        return where(gate <= 0, 0.0, a)
    from s2sgrad.eager.recording.record import apply, op_of

    return apply(op_of(gated, "ThresholdBackwardBackward0"), (a, gate), {})


@elementwise(gated)
def _gated(y_bar, y, a, gate):  # type: ignore[no-untyped-def]
    """Linear in a, flat in the gate."""
    return gated(y_bar, gate), np.zeros_like(y_bar)


@elementwise(relu_array)
def _relu(y_bar, y, x):  # type: ignore[no-untyped-def]
    """1 for y > 0, 0 at the kink, whatever the cotangent is."""
    return gated(y_bar, y)


def rsqrt_array(x: Any) -> Any:
    """1 / sqrt(x)."""
    return 1.0 / np.sqrt(x)


@elementwise(rsqrt_array)
def _rsqrt(y_bar, y, x):  # type: ignore[no-untyped-def]
    """dy/dx = -y**3 / 2."""
    return -0.5 * y_bar * y * y * y


def frac_array(x: Any) -> Any:
    """x without its whole part."""
    return x - np.trunc(x)


@elementwise(frac_array, linear=())
def _frac(y_bar, y, x):  # type: ignore[no-untyped-def]
    """Slope 1 almost everywhere."""
    return y_bar


def whole_quotient(x1: Any, x2: Any) -> Any:
    """x1 / x2 of whole numbers, rounded towards zero."""
    y = np.floor_divide(x1, x2)
    return y + ((y * x2 != x1) & ((x1 < 0) != (x2 < 0)))


zero_derivative(whole_quotient)


def logaddexp_array(x1: Any, x2: Any) -> Any:
    """log(exp(x1) + exp(x2))."""
    if np.result_type(x1, x2).kind != "c":
        return np.logaddexp(x1, x2)
    peak = np.maximum(np.real(x1), np.real(x2))
    return peak + np.log(np.exp(x1 - peak) + np.exp(x2 - peak))


@elementwise(logaddexp_array)
def _logaddexp(y_bar, y, x1, x2):  # type: ignore[no-untyped-def]
    """The shares of the terms; written without y: as in torch, the result may be overwritten."""
    return y_bar / (1.0 + np.exp(x2 - x1)), y_bar / (1.0 + np.exp(x1 - x2))


def sign_array(x: Any) -> Any:
    """The sign of real numbers, flat almost everywhere, 0 for NaN; of complex ones x / |x|."""
    if x.dtype.kind == "b":
        return x.copy()
    y = np.sign(x)
    return np.where(np.isnan(x), np.zeros((), y.dtype), y) if y.dtype.kind == "f" else y


zero_derivative(sign_array)


def unit_array(x: Any) -> Any:
    """x / |x| for complex x, 0 at 0."""
    return np.sign(x)


@elementwise(unit_array, holomorphic=False)
def _unit(y_bar, y, x):  # type: ignore[no-untyped-def]
    """Only the part of the cotangent across x passes, over |x|; 0 at 0."""
    size = np.abs(x)
    across = y_bar - y * np.real(np.conj(y) * y_bar)
    return np.where(size == 0.0, 0.0, across / np.where(size == 0.0, 1.0, size))


def complex_array(real: Any, imag: Any) -> Any:
    """real + 1j imag."""
    return real + 1j * imag


@elementwise(complex_array, holomorphic=False)
def _complex(y_bar, y, real, imag):  # type: ignore[no-untyped-def]
    """The parts of the cotangent."""
    return np.real(y_bar), np.imag(y_bar)


def lerp_array(start: Any, end: Any, weight: Any) -> Any:
    """start + weight (end - start)."""
    return start + weight * (end - start)


@elementwise(lerp_array)
def _lerp(y_bar, y, start, end, weight):  # type: ignore[no-untyped-def]
    """Linear in each argument."""
    return y_bar * (1.0 - weight), y_bar * weight, y_bar * (end - start)


def addcmul_array(a: Any, b: Any, c: Any, value: Any = 1) -> Any:
    """a + value b c."""
    return a + value * b * c


@elementwise(addcmul_array)
def _addcmul(y_bar, y, a, b, c, value=1):  # type: ignore[no-untyped-def]
    """Linear in each argument."""
    return y_bar, y_bar * (value * c), y_bar * (value * b)


def addcdiv_array(a: Any, b: Any, c: Any, value: Any = 1) -> Any:
    """a + value b / c."""
    return a + value * b / c


@elementwise(addcdiv_array)
def _addcdiv(y_bar, y, a, b, c, value=1):  # type: ignore[no-untyped-def]
    """The quotient rule."""
    return y_bar, y_bar * (value / c), -y_bar * (value * b / (c * c))


def addmm_array(a: Any, b: Any, c: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta a + alpha b c."""
    product = b.dot(c)
    return (a if beta == 1 else beta * a) + (product if alpha == 1 else alpha * product)


@structural(addmm_array)
def _addmm(y_bar, y, a, b, c, beta=1, alpha=1):  # type: ignore[no-untyped-def]
    """Products with the transposes."""
    return (
        unbroadcast(y_bar * beta, a),
        matmul_bar_left(y_bar * alpha, b, c),
        matmul_bar_right(y_bar * alpha, b, c),
    )


def pow_number(x: Any, exponent: Any) -> Any:
    """x**exponent for a Python number."""
    return x**exponent


@elementwise(pow_number)
def _pow_number(y_bar, y, x, exponent):  # type: ignore[no-untyped-def]
    """dy/dx = exponent x**(exponent - 1), 0 for exponent 0."""
    return (
        np.zeros_like(y_bar) if exponent == 0 else y_bar * (exponent * x ** (exponent - 1))
    ), None


def clamp_numbers(a: Any, low: Any = None, high: Any = None) -> Any:
    """`a` cut to two Python numbers, of which one may be None."""
    return np.clip(a, low, high)


def inside(a: Any, low: Any, high: Any) -> Any:
    """Whether `clamp_numbers` leaves an entry alone, the bounds included; an array."""
    values = getattr(a, "_array", a)
    if low is None:
        return values <= high
    return values >= low if high is None else (values >= low) & (values <= high)


@elementwise(clamp_numbers, selects=True)
def _clamp_numbers(y_bar, y, a, low=None, high=None):  # type: ignore[no-untyped-def]
    """The bounds themselves pass; written without y, as in torch: it may be overwritten."""
    return np.where(inside(a, low, high), y_bar, 0.0)


def quotient(x1: Any, x2: Any) -> Any:
    """x1 / x2."""
    return np.divide(x1, x2)


@elementwise(quotient)
def _quotient(y_bar, y, x1, x2):  # type: ignore[no-untyped-def]
    """dy/dx2 = -x1 / x2**2, written without y: as in torch, the result may be overwritten."""
    return y_bar / x2, -y_bar * ((x1 / x2) / x2)


def second_power(x: Any) -> Any:
    """x**2."""
    return np.square(x)


def first_power(x: Any) -> Any:
    """x itself; for a tensor x**1, which has a derivative of its own."""
    return x if x.__class__ in ARRAYS else x**1


@elementwise(second_power)
def _second_power(y_bar, y, x):  # type: ignore[no-untyped-def]
    """dy/dx = 2 x.

    Written with x**1 so that a recorded derivative depends on x once more: a third derivative is
    then zero, as in torch, and not an error.
    """
    return y_bar * (2.0 * first_power(x))

"""torch's type promotion, and the general path of elementwise functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import Batched, NeedsExamples, as_array
from s2sgrad.eager.batches.examples import call
from s2sgrad.eager.recording.record import (
    Op,
    any_edge,
    plain,
    record,
    wrapped,
)
from s2sgrad.eager.recording.saved import Foreign
from s2sgrad.eager.recording.two_bytes import narrowed, two_bytes, widened
from s2sgrad.eager.settings.floating import Silence, calm
from s2sgrad.eager.settings.interception import intercept
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.dtypes import BOOLEAN, F32, F64, FLOATING, INTEGER, dtype
from s2sgrad.eager.tensors.tensor import Tensor, new, wrap

Function = Callable[..., Any]


def result_type(*values: Any) -> dtype:
    """The dtype an operation on these tensors and numbers has in torch.

    Tensors with axes count first, then 0-d tensors, then Python numbers; a lower rank decides
    only if it is of a higher category (bool, integer, floating, complex).
    """
    ranks: list[dtype | None] = [None, None, None]
    for value in values:
        if isinstance(value, Tensor):
            rank, kind = (0 if value._array.ndim else 1), value.dtype
        elif isinstance(value, np.ndarray):
            rank, kind = (0 if value.ndim else 1), dtypes.from_numpy(value.dtype)
        else:
            rank, kind = 2, dtypes.python_scalar_dtype(value)
        known = ranks[rank]
        ranks[rank] = kind if known is None else dtypes.promote_types(known, kind)
    result: dtype | None = None
    for lower in ranks:
        if lower is None:
            continue
        if result is None:
            result = lower
        elif lower.category > result.category:
            result = _complex_of(result, lower) if lower.category == 3 else lower
    assert result is not None
    return result


def _complex_of(known: dtype, lower: dtype) -> dtype:
    """A complex number beside tensors of a higher rank: these say with how many digits."""
    if known.category < FLOATING:
        return lower
    return dtypes.promote_types(known, dtypes.complex64)


def broadcast_error(a: Any, b: Any) -> RuntimeError:
    """torch's error for shapes that do not broadcast."""
    sa, sb = a.shape, b.shape
    n = max(len(sa), len(sb))
    pa, pb = (1,) * (n - len(sa)) + sa, (1,) * (n - len(sb)) + sb
    for i in reversed(range(n)):
        if pa[i] != pb[i] and 1 not in (pa[i], pb[i]):
            return RuntimeError(
                f"The size of tensor a ({pa[i]}) must match the size of tensor b ({pb[i]}) at "
                f"non-singleton dimension {i}"
            )
    return RuntimeError("shapes do not broadcast")


def operand(value: Any) -> Any:
    """An operand as tensor or Python number; None for what operators do not take."""
    if isinstance(value, (Tensor, bool, int, float, complex)):
        return value
    if isinstance(value, np.ndarray):
        return wrap(value, None, Foreign)
    return value.item() if isinstance(value, np.generic) else None


def numeric(op: Op, values: tuple[Any, ...], *, to_float: bool = False, kind: Any = None) -> Any:
    """Apply an elementwise op with torch's promotion and record it with the original operands.

    to_float: integers become the default floating type (true division, exp). kind: the dtype to
    compute in, where the caller knows it.
    """
    if STATE.interceptors:
        again = {"to_float": to_float, "kind": kind}
        return intercept(op, values, {}, lambda: numeric(op, values, **again))
    common = kind or result_type(*values)
    if to_float and common.category <= INTEGER:
        common = dtypes.get_default_dtype()
    arrays: list[Any] = []
    for value in values:
        if isinstance(value, Tensor):
            array = value._array
            arrays.append(array if array.dtype == common.np else array.astype(common.np))
        else:
            arrays.append(np.asarray(value, common.np) if common.np.kind in "Vc" else value)
    if common.category <= INTEGER and len(arrays) > 1:
        arrays = [a if a.__class__ is Batched else np.asarray(a, common.np) for a in arrays]
    elif common.category >= FLOATING:
        arrays = [float(a) if type(a) in (bool, int) and abs(a) > 2**31 else a for a in arrays]
    try:
        short = two_bytes(arrays)
        with Silence():
            given = arrays if short is None else list(map(widened, arrays))
            try:
                result = op.function(*given)
            except NeedsExamples:
                result = call(op.function, given, {})
            if short is not None:
                result = narrowed(result, short)
    except ValueError:
        if len(arrays) == 2:
            raise broadcast_error(*(np.asarray(a) for a in arrays)) from None
        raise
    if common.category == FLOATING and result.dtype.kind == "f" and result.dtype != common.np:
        result = result.astype(common.np)  # widened by NumPy (bfloat16) or by SciPy (numbers)
    outputs = wrapped(result)
    if op.rule.kind != "none":
        if STATE.grad and not STATE.inference and any_edge(values, {}):
            record(op, values, {}, outputs)
        if STATE.duals is not None:
            STATE.duals.propagate(op, values, {}, outputs)
    return outputs


def constant(array: Any) -> Tensor:
    """A tensor without history, made while nothing is recorded."""
    y = new(Tensor)
    y._array = array if array.__class__ is np.ndarray else as_array(array)
    y._node, y._vc, y._view = None, [0], None
    return y


def general_unary(op: Op, to_float: bool) -> Function:
    """The general path of a function of one tensor."""

    quick = calm(op.function)

    def general(x: Any) -> Any:
        if STATE.bare and not STATE.grad and (x._array.dtype is F64 or x._array.dtype is F32):
            return constant(quick(x._array))
        return numeric(op, (x,), to_float=to_float)

    return general


def general_binary(op: Op, to_float: bool = False) -> Function:
    """The general path of an operator; NotImplemented for operands it does not take."""

    quick = calm(op.function)

    def general(x: Any, other: Any) -> Any:
        if STATE.bare and not STATE.grad and isinstance(x, Tensor):
            d = x._array.dtype
            if d is F64 or d is F32:
                kind = other.__class__
                try:
                    if kind is float or kind is int:
                        return constant(quick(x._array, other))
                    if isinstance(other, Tensor) and other._array.dtype is d:
                        return constant(quick(x._array, other._array))
                except ValueError:
                    raise broadcast_error(x._array, np.asarray(plain(other))) from None
        other = operand(other)
        x = operand(x)
        if other is None or x is None:
            return NotImplemented
        return numeric(op, (x, other), to_float=to_float)

    return general


__all__ = ["BOOLEAN", "general_binary", "general_unary", "numeric", "operand", "result_type"]

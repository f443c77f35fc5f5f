"""Evaluate one partial of a rule, and fit its result to the input it belongs to."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from s2sgrad.eager.batches import levels
from s2sgrad.eager.batches.array import Batched, top
from s2sgrad.eager.batches.examples import call
from s2sgrad.eager.recording.record import lift
from s2sgrad.eager.recording.two_bytes import two_bytes, widened
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.tensor import Tensor, wrap
from s2sgrad.rules import Rule
from s2sgrad_runtime import masked, unbroadcast, unreduce

ndarray: Any = np.ndarray
SUMMED_BY = ("axis", "keepdims", "where")


def of_argument(op: Any, argument: str, y_bar: Any, values: dict[str, Any], graph: bool) -> Any:
    """The cotangent of one argument: `partial(y_bar, y, *parameters)`.

    A holomorphic rule is conjugated around for complex values, so that cotangents follow the
    convention in which a step against them descends. Once a pass has gone through np.where
    or its kin, zeros of a branch not taken are kept out of infinite slopes; torch.where does not
    do that.
    """
    rule = op.rule
    if rule.kind == "zero":
        return 0.0 * y_bar if isinstance(y_bar, Tensor) else np.zeros_like(y_bar)
    if op.leaves_out:
        STATE.masked = True
    made = evaluated(op, argument, y_bar, values, graph)
    if graph and isinstance(made, ndarray):  # zeros, say: a tensor that needs no history
        made = wrap(made)
    beside = rule.reduces and argument != rule.arguments[0]  # of another shape: weights, a mean
    if STATE.masked and made is not None and counts_entries(rule) and not beside:
        counts = either(y_bar) if isinstance(y_bar, (list, tuple)) else y_bar
        if rule.reduces:
            said = {name: values[name] for name in SUMMED_BY if name in values}
            counts = _helped(unreduce, (counts, values[rule.arguments[0]]), said, graph)
        return _helped(masked, (made, counts), {}, graph)
    return made + 0.0 if op.plain_zeros and not graph else made


def counts_entries(rule: Rule) -> bool:
    """Whether a zero in the cotangent of a result leaves out what that entry was made from."""
    return rule.reduces or (rule.kind == "elementwise" and not rule.selects)


def either(bars: Any) -> Any:
    """Where one of the cotangents of several results is not zero."""
    return functools.reduce(np.logical_or, [bar != 0 for bar in bars])


def _helped(helper: Any, args: tuple[Any, ...], kwargs: dict[str, Any], graph: bool) -> Any:
    """What a helper gives: recorded, for batches, or as it is."""
    if graph:
        return lift(helper)(*args, **kwargs)
    return call(helper, args, kwargs) if top(args) else helper(*args, **kwargs)


def evaluated(op: Any, argument: str, y_bar: Any, values: dict[str, Any], graph: bool) -> Any:
    """The partial's value; None where there is no partial."""
    rule = op.rule
    partial = rule.partials.get(argument)
    if partial is None:
        return None
    fn = op.lifted(argument) if graph else op.quick(argument)
    if not graph and top((y_bar, values["y"], *values.values())):
        fn = functools.partial(_for_batches, op.batched(argument))
    parameters = [values[name] for name in rule.parameters]
    y = values["y"]
    if not graph and two_bytes([y_bar]) is not None:
        y_bar, y = widened(y_bar), widened(y)
        parameters = [widened(p) for p in parameters]
    if rule.holomorphic and any(map(is_complex, (y_bar, y, *parameters))):
        made = fn(conj(y_bar), y, *parameters)
        return [unsigned(m) for m in made] if isinstance(made, (list, tuple)) else unsigned(made)
    return fn(y_bar, y, *parameters)


def is_complex(value: Any) -> bool:
    """Whether a value is a complex array or tensor (or holds one)."""
    if isinstance(value, Tensor):
        value = value._array
    if isinstance(value, (list, tuple)):
        return any(is_complex(v) for v in value)
    return isinstance(value, complex) or getattr(getattr(value, "dtype", None), "kind", "") == "c"


def conj(value: Any) -> Any:
    """The conjugate, of each entry for a sequence."""
    if isinstance(value, (list, tuple)):
        return [conj(v) for v in value]
    return np.conj(value) if is_complex(value) else value


def unsigned(value: Any) -> Any:
    """The conjugate of a cotangent, with 0 for -0."""
    made = conj(value)
    return made + 0 if made.__class__ is np.ndarray and made.dtype.kind == "c" else made


def fitted(x_bar: Any, like: Any) -> Any:
    """`x_bar` summed down to the shape of the input and cast to its dtype."""
    if x_bar.__class__ is ndarray:
        if x_bar.shape != like.shape:
            x_bar = unbroadcast(x_bar, like)
        return x_bar if x_bar.dtype == like.dtype else cast(x_bar, like.dtype)
    if isinstance(x_bar, Batched):
        return fitted_batch(x_bar, like)
    if isinstance(x_bar, (list, tuple)):  # of an array in the place of a sequence
        return fitted(np.stack(x_bar), like)
    if not isinstance(x_bar, Tensor):
        return fitted(np.asarray(x_bar), like)
    if isinstance(x_bar._array, Batched):
        x_bar = levels.summed(x_bar, like)
    if x_bar._array.shape != like.shape:
        x_bar = unbroadcast(x_bar, like)
    if x_bar._array.dtype.kind == "c" and like.dtype.kind != "c":
        x_bar = x_bar.real
    return x_bar if x_bar._array.dtype == like.dtype else x_bar.to(like.dtype)


def fitted_batch(x_bar: Any, like: Any) -> Any:
    """`fitted` for a batch: examples that have one input in common are added up."""
    x_bar = levels.summed(x_bar, like)
    if x_bar.shape != like.shape:
        x_bar = unbroadcast(x_bar, like)
    return x_bar if x_bar.dtype == like.dtype else cast(x_bar, like.dtype)


def _for_batches(function: Any, *args: Any) -> Any:
    return call(function, args, {})


def cast(x_bar: Any, dtype: Any) -> Any:
    """`x_bar` in the dtype of its input: a real input takes the real part."""
    if x_bar.dtype.kind == "c" and dtype.kind != "c":
        x_bar = x_bar.real
    return x_bar.astype(dtype)

"""NumPy's protocols: ufuncs and functions called with tensors.

Every call is answered from the rule table; a function without a rule raises MissingRuleError.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code import models, numpy_views
from s2sgrad.eager.numpy_code.lists import holds_traced, joined
from s2sgrad.eager.numpy_code.writers import WRITERS, no_history
from s2sgrad.eager.operations.equations import lettered
from s2sgrad.eager.recording.record import Op, apply, has_tensor, op_of, plain, wrapped
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.tensor import Tensor, wrap
from s2sgrad.errors import MissingRuleError
from s2sgrad.rules import lookup
from s2sgrad.rules.declare import qualified_name
from s2sgrad.rules.methods import place_of_out
from s2sgrad.rules.spelled_out import NAMED, SPELLED_OUT

# Functions that only look at shape or type.
FACTS: dict[Any, Any] = {
    np.shape: lambda a: a._array.shape,
    np.ndim: lambda a: a._array.ndim,
    np.size: lambda a, axis=None: np.size(plain(a), axis),
    np.iscomplexobj: lambda x: x._array.dtype.kind == "c",
    np.isrealobj: lambda x: x._array.dtype.kind != "c",
    np.result_type: lambda *a: np.result_type(*map(plain, a)),
    np.can_cast: lambda *a, **k: np.can_cast(*map(plain, a), **k),
    np.may_share_memory: lambda a, b, *r: np.may_share_memory(plain(a), plain(b), *r),
    np.shares_memory: lambda a, b, *r: np.shares_memory(plain(a), plain(b), *r),
    np.array_repr: lambda a, *r, **k: repr(a),
    np.array_str: lambda a, *r, **k: str(a),
}


def _filled(function: Any) -> Any:
    def made(*args: Any, **kwargs: Any) -> Any:
        return wrap(function(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()}))

    return made


for _f in (np.zeros_like, np.ones_like, np.empty_like, np.full_like):
    FACTS[_f] = _filled(_f)


def array_ufunc(self: Tensor, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """`np.sin(t)`, `np.add(a, t, out=u)`, `np.add.reduce(t)`."""
    out = kwargs.pop("out", None)
    if method == "at":
        return write_at(ufunc, inputs)
    if method != "__call__":
        result = by_method(ufunc, method, inputs, kwargs)
    else:
        mask = kwargs.pop("where", True)
        result = served(ufunc, inputs, kwargs)
        if mask is not True:
            return chosen(mask, result, out)
    return result if out is None else stored(result, out)


def chosen(mask: Any, result: Any, out: Any) -> Any:
    """`where=`: the result at the mask, else what is in `out` (zeros if there is none).

    The function is evaluated everywhere; what it gives beside the mask has no derivative.
    """
    several = isinstance(result, tuple)
    results = result if several else (result,)
    targets = out if isinstance(out, tuple) else (out,) * len(results)
    select = numpy_op(np.where)
    kept = tuple(
        apply(
            select, (mask, value, np.zeros(value.shape, value._array.dtype) if t is None else t), {}
        )
        for value, t in zip(results, targets, strict=True)
    )
    made: Any = kept if several else kept[0]
    return made if out is None else stored(made, out)


def numpy_op(function: Any) -> Op:
    """The Op of a function called by its name in NumPy; np.where and its kin have their own."""
    found = _SELECTING.get(function)
    if found is not None:
        return found
    op = op_of(function)
    if op.rule.selects:
        op = _SELECTING[function] = Op(function, op.rule)
        op.leaves_out = True
    return op


_SELECTING: dict[Any, Op] = {}


def differences(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """`np.diff`: with values put before and after, the differences of the joined array."""
    shape = list(np.shape(a))
    shape[axis] = 1
    ends = [e if e is None or np.ndim(e) else np.broadcast_to(e, shape) for e in (prepend, append)]
    parts = [e for e in (ends[0], a, ends[1]) if e is not None]
    joined = np.concatenate(parts, axis=axis) if len(parts) > 1 else a
    return apply(op_of(np.diff), (joined, n, axis), {})


def without_nan(x: Any, copy: bool = True, *args: Any, **kwargs: Any) -> Any:
    """`np.nan_to_num`, which may write into its argument."""
    made = apply(op_of(np.nan_to_num), (x, True, *args), kwargs)
    if copy or not isinstance(x, Tensor):
        return made
    x[...] = made  # type: ignore[index]
    return x


REWRITTEN: dict[Any, Any] = {np.diff: differences, np.nan_to_num: without_nan}


def stored(result: Any, out: Any) -> Any:
    """The result written into `out=`: into a tensor with history, into an array without."""
    targets = out if isinstance(out, tuple) else (out,)
    results = result if isinstance(result, tuple) else (result,)
    for target, value in zip(targets, results, strict=True):
        if isinstance(target, Tensor):
            target.copy_(value)
        elif target is not None:
            if value.requires_grad:
                raise no_history()
            target[...] = value._array
    return out[0] if isinstance(out, tuple) and len(out) == 1 else out


def by_method(ufunc: Any, method: str, inputs: Any, kwargs: dict[str, Any]) -> Any:
    """`np.add.reduce(t, axis)` through the rule of `np.sum`, and so on."""
    function = NAMED.get((ufunc, method))
    if function is None:
        return SPELLED_OUT[method](ufunc, *inputs, **kwargs)
    if len(inputs) == 1:
        kwargs.setdefault("axis", 0)
    return apply(op_of(function), inputs, kwargs)


def write_at(ufunc: Any, inputs: Any) -> None:
    """`np.add.at(t, index, values)`, `np.subtract.at`: in place, repeats add up."""
    if ufunc not in (np.add, np.subtract) or not isinstance(inputs[0], Tensor):
        raise MissingRuleError(f"np.{ufunc.__name__}.at")
    target, index, values = inputs
    values = values if ufunc is np.add else -values
    target.index_put_(index if isinstance(index, tuple) else (index,), values, accumulate=True)


_OF_ARRAYS = (np.ix_, np.meshgrid, np.broadcast_arrays)


def arranged(function: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a call of NumPy's as rules take them: letters for einsum, and arrays for
    lists of numbers."""
    if function in _OF_ARRAYS:
        return tuple(joined(a) if holds_traced(a) else a for a in args)
    return lettered(function, args)


def array_function(self: Tensor, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """`np.sum(t, axis=0)`, `np.concatenate([t, a])`, ... for tensors."""
    args = arranged(function, args)
    fact = FACTS.get(function) or WRITERS.get(function)
    if fact is not None:
        return fact(*args, **kwargs)
    shared = numpy_views.result(function, args, kwargs)
    return computed(function, args, kwargs) if shared is None else shared


def computed(function: Any, args: Any, kwargs: Any) -> Any:
    """The function's result in memory of its own (or in `out`)."""
    out = kwargs.pop("out", None) if "out" in kwargs else None
    place = place_of_out(function)
    if place is not None and len(args) > place and args[place] is not None:
        out, args = args[place], (*args[:place], None, *args[place + 1 :])
    if function in REWRITTEN:
        return REWRITTEN[function](*args, **kwargs)
    rule = lookup(function)
    if rule is None:
        raise MissingRuleError(qualified_name(function))
    if isinstance(kwargs.get("output"), (Tensor, np.ndarray)):  # of scipy.ndimage
        out = kwargs.pop("output")
    args, kwargs = kept_inputs(rule, args, kwargs)
    result = served(function, args, kwargs)
    return result if out is None else stored(result, out)


def served(function: Any, args: Any, kwargs: Any) -> Any:
    """A function by its rule, or by the compiler's model for a call that the rule doesn't serve."""
    op = numpy_op(function)
    if "not_for" in op.rule.extra and not models.serves(op.rule, args, kwargs, has_tensor):
        return modelled(op, args, kwargs)
    if models.model_of_stacks(function, op.rule, args, kwargs) is not None:
        return modelled(op, args, kwargs)
    try:
        return apply(op, args, kwargs)
    except (TypeError, MissingRuleError):
        return modelled(op, args, kwargs)


def modelled(op: Op, args: Any, kwargs: Any) -> Any:
    """What the compiler's model of a function gives for tensors; else what the rule says."""
    from s2sgrad.eager.numpy_code.arrays import Traced, bare

    def lifted(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)(map(lifted, value))
        return Traced(value) if isinstance(value, Tensor) else value

    model = models.model_for_call(op.function, op.rule, args, kwargs, has_tensor)
    if model is None:
        return apply(op, args, kwargs)
    if STATE.duals is not None:  # a model takes tensors without a gradient for constants
        raise MissingRuleError(op.rule.name, why="forward mode on tensors goes through rules alone")
    options = {name: lifted(value) for name, value in kwargs.items()}
    return wrapped(bare(models.traced_call(model, tuple(map(lifted, args)), options)))


def kept_inputs(rule: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The arguments without `overwrite_a=True` and its kin: backward reads what they destroy."""
    pairs = zip_longest(args, rule.parameters[: len(args)], fillvalue="")
    args = tuple(False if name.startswith("overwrite_") else a for a, name in pairs)
    return args, {k: v for k, v in kwargs.items() if not k.startswith("overwrite_")}


Tensor.__array_ufunc__ = array_ufunc  # type: ignore[attr-defined]
Tensor.__array_function__ = array_function  # type: ignore[attr-defined]

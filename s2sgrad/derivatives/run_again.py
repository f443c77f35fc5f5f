"""Floor 8: calls that failed and are run again, where the function itself does not fail.

Under `np.seterr(all="raise")`, or where warnings are errors, a division by zero whose result a
mask leaves out is an error in the gradient alone: both sides of a mask are computed there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2sgrad.backend.jit.tied import writes_given
from s2sgrad.calls.binding import Binder
from s2sgrad.ir import nodes
from s2sgrad.pipeline import Product
from s2sgrad.rules.declare import is_opaque
from s2sgrad_runtime.objects import attributes, copied, has_attributes

NUMBERS_FAIL = FloatingPointError, RuntimeWarning  # what NumPy raises of numbers, if told to


def may_run_again(product: Any) -> bool:
    """Whether nothing has happened by the time a call fails: no draws, nothing that is printed.

    Code of an earlier process (no Product) is made anew first.
    """
    if not isinstance(product, Product) or product.calls_islands:
        return False
    body = [stmt for part in product.compiled.parts for stmt in nodes.walk_block(part.body)]
    settings = {name for stmt in body for name in _of_settings(stmt)}
    calls = [
        e
        for stmt in body
        for expr in nodes.expressions(stmt)
        for e in nodes.walk(expr)
        if isinstance(e, nodes.Call) and not _is_setting(e, settings)
    ]
    told = any(
        isinstance(s, nodes.Do) and s.keyword == "" and not _asks(s.value, settings) for s in body
    )
    once = any(e.function == "opaque" or is_opaque(e.function) for e in calls)
    return not told and not once and not writes_given(product.function)


def _asks(value: nodes.Expr, settings: set[str]) -> bool:
    """Whether a statement may raise, or tell NumPy when to warn, and does nothing else."""
    function = getattr(value, "function", None)
    ours = getattr(function, "__module__", "") or ""
    return (
        isinstance(value, nodes.Var)
        or ours.startswith("s2sgrad_runtime")
        or _is_setting(value, settings)
    )


def _of_settings(stmt: nodes.Stmt) -> tuple[str, ...]:
    """The name of `np.errstate(...)` that a statement makes."""
    match stmt:
        case nodes.Assign(targets=(name,), values=(value,)) if _is_setting(value, set()):
            return (name,)
    return ()


def _is_setting(expr: nodes.Expr, settings: set[str]) -> bool:
    """Whether an expression makes `np.errstate(...)`, or enters or leaves one of those."""
    match expr:
        case nodes.Call(function="opaque", text="errstate", args=(nodes.Ref(value=owner),)):
            return owner is np
        case nodes.Call(text="__enter__" | "__exit__", args=(nodes.Var(name=name), *_)):
            return name in settings
    return False


def quietly(
    error: Exception,
    product: Any,
    run: Callable[[], Any],
    function: Callable[..., Any],
    binder: Binder,
    values: tuple[Any, ...],
    looked_at: Callable[[Any], Any] = lambda found: found,
) -> Any:
    """What a derivative comes to without NumPy's errors, where the function itself has none.

    run: the generated code, again. Where the result, or what is looked at of it, is infinite or
    NaN, the error stands.
    """
    if not isinstance(error, NUMBERS_FAIL) or not may_run_again(product):
        raise error
    bound = binder.signature.bind_partial()
    bound.arguments.update(zip(binder.names, copied(values), strict=True))
    function(*bound.args, **bound.kwargs)  # raises what is its own
    return unwarned(error, run, looked_at)


def unwarned(
    error: Exception, run: Callable[[], Any], looked_at: Callable[[Any], Any] = lambda found: found
) -> Any:
    """What generated code comes to without NumPy's errors; an error where that is not finite."""
    if not isinstance(error, NUMBERS_FAIL):
        raise error
    with np.errstate(all="ignore"):
        found = run()
    if not all(np.all(np.isfinite(part)) for part in _numbers(looked_at(found))):
        raise error
    return found


def _numbers(value: Any) -> Iterator[Any]:
    """All floats and arrays of them in a result."""
    if isinstance(value, dict):
        value = list(value.values())
    elif has_attributes(value):
        value = list(attributes(value).values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, float | complex | np.ndarray | np.generic):
        yield from (value,) if np.asarray(value).dtype.kind in "fc" else ()


__all__ = ["NUMBERS_FAIL", "may_run_again", "quietly", "unwarned"]

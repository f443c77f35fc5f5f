"""Floor 4: what is read in place of a function of a library."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from s2sgrad.frontend.models.standins import FURTHER, READABLE, STANDINS
from s2sgrad.frontend.source import is_of_numba
from s2sgrad.frontend.values import Dyn, Value
from s2sgrad.ir.types import Array
from s2sgrad.rules.declare import lookup, qualified_name
from s2sgrad.rules.unserved import is_one_by_one


def stand_in(function: Any) -> Any:
    """What is read in place of a function or class of the standard library, if anything."""
    try:
        found = STANDINS.get(function)
    except TypeError:
        return None
    home = _home(function)
    if found is None and home is not None:
        return importlib.import_module(home).table().get(function)
    return _without_numba(function) if found is None and lookup(function) is None else found


def stands_for(model: type) -> Any:
    """The one class or function of a library that a class is read for; None for all others."""
    if not model.__module__.startswith("s2sgrad."):
        return None
    tables = [STANDINS]
    if model.__module__.startswith("s2sgrad.standins."):
        homes = {home for package, home in READABLE.items() if package in sys.modules}
        tables += [importlib.import_module(home).table() for home in sorted(homes)]
    found = {real for table in tables for real, standin in table.items() if standin is model}
    return found.pop() if len(found) == 1 else None


def _without_numba(function: Any) -> Any:
    """The Python function, or the range, that Numba's decorators and `prange` stand for."""
    if is_of_numba(function):
        return function.py_func
    if type(function).__name__ == "DUFunc" and type(function).__module__.startswith("numba."):
        return np.vectorize(function._dispatcher.py_func)
    of_numba = str(getattr(function, "__module__", "")).startswith("numba.")
    return range if of_numba and getattr(function, "__name__", "") == "prange" else None


def _home(function: Any) -> str | None:
    """The module with what is read in place of functions from a function's package."""
    package = ".".join(str(getattr(function, "__module__", None) or "").split(".")[:2])
    package = package or "scipy.special"  # whose ufuncs don't say where they are from
    return READABLE.get(package) if package in sys.modules else None


def spelled_out(function: Any) -> Any:
    """What is read in place of a function with a rule where the rule does not serve, if anything:
    for arguments that the rule does not know, or has no partial for."""
    try:
        found = FURTHER.get(function)
    except TypeError:
        return None
    home = _home(function)
    if found is None and home is not None:
        return getattr(importlib.import_module(home), "further", dict)().get(function)
    return found


def rank_of(value: Any) -> int:
    """The rank of an argument; 0: it is no array."""
    kind = value.type if isinstance(value, Dyn) else None
    return len(kind.shape or ()) if isinstance(kind, Array) else 0


def of_stacks(
    function: Any,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    rank: Callable[[Any], int] = rank_of,
) -> Any:
    """What is read in place of a function with a rule that gets stacks of matrices, where its rule
    knows one matrix."""
    bound = bound_by_rule(function, args, kwargs)
    if not bound or not is_one_by_one(qualified_name(function), bound, rank):
        return None
    return importlib.import_module("s2sgrad.standins.equations").stacked().get(function)


def bound_by_rule(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by their names; none where the function's rule does not know them."""
    rule = lookup(function)
    try:
        return {} if rule is None else rule.bind(tuple(args), dict(kwargs))
    except TypeError:
        return {}


def fits(standin: Any, args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Whether what is read instead knows the arguments: not `out=`, which is another's matter."""
    try:
        inspect.signature(standin).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def serves(
    function: Any, args: list[Value], kwargs: dict[str, Value], constant: Callable[[Value], Any]
) -> bool:
    """Whether the rule of a function knows the arguments of a call. constant: what is known of a
    value."""
    rule, bound = lookup(function), bound_by_rule(function, args, kwargs)
    refused = {} if rule is None else rule.extra.get("not_for", {})
    given = [(bound[name], values) for name, values in refused.items() if name in bound]
    return bool(bound) and not any(isinstance(v, Value) and constant(v) in vs for v, vs in given)

"""Floor 4: functions that have a rule, written out so that they can be differentiated alone.

`grad(np.sin)` differentiates `def sin(x, **options): return np.sin(x, **options)`.
"""

from __future__ import annotations

import ast
import functools
import inspect
from typing import Any

import numpy as np

from s2sgrad.frontend.functions.standing_in import stand_in
from s2sgrad.frontend.source import Source, is_of_numba, remember_source, unwrap
from s2sgrad.rules.declare import Rule, is_opaque, lookup, qualified_name
from s2sgrad.rules.methods import EQUIVALENTS


def written(function: Any) -> Any:
    """A function with a rule as a plain one that calls it; any other function itself, without what
    Numba's decorators and `functools.lru_cache` made of it. So is what a `functools.partial` holds.
    """
    if type(function) is functools.partial:
        inner = written(unwrap(function.func))
        same = inner is function.func
        return function if same else functools.partial(inner, *function.args, **function.keywords)
    remembers = type(function) is functools._lru_cache_wrapper
    if remembers and inspect.isfunction(function.__wrapped__):  # not one of C's
        return function.__wrapped__
    try:
        hash(function)
    except TypeError:  # a function loaded by ctypes can't be a key
        return function if lookup(function) is None else _written.__wrapped__(function)
    function = EQUIVALENTS.get(function, function)
    known = lookup(function) is not None and not is_opaque(function)
    if known and not isinstance(function, type):
        return _written(function)
    found = stand_in(function)  # `grad(scipy.stats.gmean)` reads what is read in its place
    if inspect.isfunction(found):
        return found
    return function.py_func if is_of_numba(function) else function


@functools.lru_cache(maxsize=256)
def _written(function: Any) -> Any:
    rule = lookup(function)
    assert rule is not None
    name = getattr(function, "__name__", "function")
    name = name if name.isidentifier() else "function"
    called = qualified_name(function)
    root = called.split(".")[0]
    if root != "np":
        called = root = f"{name}_itself"
    taken, passed = _parameters(function, rule)
    text = f"def {name}({taken}):\n return {called}({passed})"
    tree = ast.parse(text)
    names: dict[str, Any] = {"__name__": __name__, "np": np}
    names |= {} if root == "np" else {root: function}
    exec(compile(tree, "<a function with a rule>", "exec"), names)
    made, node = names[name], tree.body[0]
    assert isinstance(node, ast.FunctionDef)
    remember_source(made.__code__, Source(node, "<a function with a rule>", name, {}, {}, 0))
    return made


def _parameters(function: Any, rule: Rule) -> tuple[str, str]:
    """The parameters of the new function, and how it passes them on."""
    if inspect.isfunction(function) and not rule.variadic:
        given = list(inspect.signature(function).parameters.values())
        if all(p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty for p in given):
            names = [p.name for p in given]
            return ", ".join(names), ", ".join(names)
    names = [n for n, default in rule.signature if default is inspect.Parameter.empty]
    names = [f"*{n}" if n == rule.variadic else n for n in names]
    both = ", ".join([*names, "**options"])
    return both, both

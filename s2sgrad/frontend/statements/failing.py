"""Floor 4: statements in a `try` that fail for every value of these types.

Python itself is asked, on stand-in values: what raises for all of them, because of their types,
has a handler that runs.
"""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from s2sgrad.analysis.samples import CannotSample, Samples
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.values import Dyn, Mapping, Sequence, Static, Value
from s2sgrad.ir.types import Scalar

Lookup = Callable[[str], Value | None]
Contents = Callable[[Value], Any]
_ATTEMPTS = ((0, False), (1, False), (2, False), (0, True), (1, True))  # Python's numbers too
_PURE = ("numpy", "scipy", "math", "cmath")
_IMPURE = ("random", "io", "lib", "ctypeslib", "testing", "datasets")  # or of no use here
_BUILTINS = {
    abs, all, any, bool, complex, dict, divmod, enumerate, float, frozenset, getattr, hasattr, int,
    isinstance, issubclass, iter, len, list, max, min, pow, range, reversed, round, set, slice,
    sorted, str, sum, tuple, type, zip,
}  # fmt: skip


class _Unknown(Exception):
    """Something that has no stand-in, or must not run while compiling."""


def failures(stmt: ast.stmt, lookup: Lookup, contents: Contents) -> list[Exception]:
    """What a simple statement raises for values of these types; [] if that it does is not sure."""
    if not isinstance(stmt, ast.Assign | ast.AugAssign | ast.Expr | ast.Return):
        return []
    raised: list[Exception] = []
    try:
        for call in (n for n in ast.walk(stmt) if isinstance(n, ast.Call)):
            _check_pure(call.func, lookup)
        for attempt in _ATTEMPTS:
            error = _raised(stmt, lookup, contents, *attempt)
            if error is None or not _by_type(error, stmt, lookup, contents):
                return []
            raised.append(error)
    except (_Unknown, CannotSample, UnsupportedError):
        return []
    return raised


def _by_type(error: Exception, stmt: ast.stmt, lookup: Lookup, contents: Contents) -> bool:
    """Whether an exception is about the types of the values, not about the values."""
    if isinstance(error, TypeError | AttributeError | NameError):
        return True
    text = str(error)
    if isinstance(error, IndexError):
        return "too many indices" in text or text == "tuple index out of range"
    if isinstance(error, KeyError):
        return _keys_known(stmt, lookup, contents)
    return isinstance(error, np.linalg.LinAlgError) and "dimensional" in text


def _keys_known(stmt: ast.stmt, lookup: Lookup, contents: Contents) -> bool:
    """Whether every subscript in a statement is known while compiling."""
    keys = [node.slice for node in ast.walk(stmt) if isinstance(node, ast.Subscript)]
    names = [n.id for key in keys for n in ast.walk(key) if isinstance(n, ast.Name)]
    return bool(keys) and all(_is_known(lookup(name), contents) for name in names)


def _is_known(value: Value | None, contents: Contents) -> bool:
    held = None if value is None else contents(value)
    if isinstance(held, Sequence):
        return all(_is_known(item, contents) for item in held.items)
    return isinstance(value, Static)


def _check_pure(called: ast.expr, lookup: Lookup) -> None:
    """Raise where what is called may do more than compute."""
    path: list[str] = []
    while isinstance(called, ast.Attribute):
        path.insert(0, called.attr)
        called = called.value
    if not isinstance(called, ast.Name):
        return  # a method of something computed here
    value = lookup(called.id)
    if not isinstance(value, Static):
        if path or value is None:
            return  # a method of a stand-in; or a name that nothing has
        raise _Unknown
    found = value.value
    for name in path:
        if not isinstance(found, ModuleType):
            break
        found = getattr(found, name, None)
    home = getattr(found, "__module__", None) or type(found).__module__
    parts = home.split(".")
    pure = parts[0] in _PURE and not any(p in _IMPURE for p in (*parts, *path))
    if not pure and not _is_builtin(found) and not (path and isinstance(value.value, str)):
        raise _Unknown


def _is_builtin(function: Any) -> bool:
    try:
        return function in _BUILTINS
    except TypeError:
        return False


def _raised(
    stmt: ast.stmt, lookup: Lookup, contents: Contents, which: int, plain: bool
) -> Exception | None:
    samples = Samples()
    scope: dict[str, Any] = {}
    for node in ast.walk(stmt):
        if isinstance(node, ast.Name) and node.id not in scope:
            value = lookup(node.id)
            if value is not None:
                scope[node.id] = _stand_in(value, contents, samples, which, plain)
    if isinstance(stmt, ast.Return):
        stmt = ast.copy_location(ast.Expr(stmt.value or ast.Constant(None)), stmt)
        ast.fix_missing_locations(stmt)
    code = compile(ast.Module([stmt], []), "<try>", "exec")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(code, scope)
    except Exception as error:
        return error.with_traceback(None)
    return None


def _stand_in(value: Value, contents: Contents, samples: Samples, which: int, plain: bool) -> Any:
    """A value like this one. plain: numbers are Python's own, not NumPy's."""
    held = contents(value)
    if isinstance(held, Sequence) and held.made_by is None:
        items = [_stand_in(v, contents, samples, which, plain) for v in held.items]
        return tuple(items) if held.kind == "tuple" else items
    if isinstance(held, Mapping):
        return {k: _stand_in(v, contents, samples, which, plain) for k, v in held.items}
    if isinstance(value, Static):
        known = value.value
        if callable(known) or isinstance(known, ModuleType):
            return known
        try:
            return copy.deepcopy(known)
        except Exception:
            raise _Unknown from None
    if not isinstance(value, Dyn):
        raise _Unknown
    found = samples.value(value.expr.type, which)
    if isinstance(value.expr.type, Scalar):
        found = np.asarray(found)[()]
        return found.item() if plain else found
    return found


__all__ = ["failures"]

"""Stores into local arrays that begin to be traced when a traced value is written to them.

`a = table.copy(); a[i] = x[i]` writes into a plain array, which keeps no history. In the copy of a
function that runs on traced values, a statement that stores through a local name first asks
`followed` for what the name shall stand for: a traced array on the same memory where the name alone
holds the array, so that nobody else can see it without its history. The code is made from the
module's source, and only where that is what the function was compiled from.
"""

from __future__ import annotations
import __future__

import ast
import dis
import linecache
import sys
import types
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.arrays import Traced
from s2sgrad.eager.numpy_code.store_statements import FOLLOWED, Follower
from s2sgrad.eager.tensors.tensor import floats, wrap

_FUTURES = sum(getattr(__future__, n).compiler_flag for n in __future__.all_feature_names)
getrefcount = sys.getrefcount


def followed(array: Any, stored: Any = None, *callee: Any) -> Any:
    """What a local name stands for that `stored` (unknown if None) is about to be written to.

    callee: what is going to write; of functions, only Python's own are given traced arrays.
    """
    if type(array) is not np.ndarray or not floats(array.dtype):
        return array
    if getrefcount(array) > ALONE or not (stored is None or is_tracked(stored)):
        return array
    if callee and type(callee[0]) not in (types.FunctionType, types.MethodType):
        return array
    base = array.base
    if base is None:
        alone = array.flags.owndata
    else:
        alone = type(base) is np.ndarray and base.flags.owndata and getrefcount(base) <= OF_BASE
    return Traced(wrap(array)) if alone and array.flags.writeable and array.ndim else array


def is_tracked(value: Any) -> bool:
    """Whether a derivative hangs on a value, or on an entry of nested lists."""
    kind: Any = type(value)
    if kind is list or kind is tuple:
        return any(map(is_tracked, value))
    return kind is Traced and bool(value.tensor.requires_grad)


def following(code: types.CodeType) -> types.CodeType:
    """The code with its stores followed; itself where it has none, or its source is not at hand."""
    return _of_file(code) if stores(code) else code


@lru_cache(maxsize=4096)
def _of_file(code: types.CodeType) -> types.CodeType:
    linecache.checkcache(code.co_filename)
    source = "".join(linecache.getlines(code.co_filename))
    place = source, code.co_filename, code.co_flags & _FUTURES
    found = _changed(*place, True).get(code, code)
    # Names of functions around it belong to somebody else.
    return _changed(*place, False).get(code, code) if sets_outer(found) else found


def sets_outer(code: types.CodeType) -> bool:
    """Whether code, or a function inside it, assigns to a name of a function around it."""
    return any(
        step.opname == "STORE_DEREF" and step.argval in code.co_freevars
        for inner in codes(code)
        for step in dis.get_instructions(inner)
    )


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A function's code and that of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


@lru_cache(maxsize=4096)
def stores(code: types.CodeType) -> bool:
    """Whether a function, or one inside it, may store into parts of something or in place."""
    return any(
        step.opname in ("STORE_SUBSCR", "STORE_SLICE", "POP_TOP", "KW_NAMES", "CALL_KW")
        or (step.opname == "BINARY_OP" and step.argrepr.endswith("="))
        for inner in codes(code)
        for step in dis.get_instructions(inner)
    )


@lru_cache(maxsize=64)
def _changed(
    source: str, filename: str, flags: int, outer: bool
) -> dict[types.CodeType, types.CodeType]:
    """The codes of all functions in a module with what they become.

    outer: functions follow what they store into names of functions around them, too.
    """
    try:
        plain = compile(source, filename, "exec", flags, dont_inherit=True)
        tree = Follower(outer).visit(ast.parse(source, filename))
        new = compile(ast.fix_missing_locations(tree), filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    return dict(_pairs(plain, new))


def _pairs(
    plain: types.CodeType, new: types.CodeType
) -> Iterator[tuple[types.CodeType, types.CodeType]]:
    inner = [[c for c in code.co_consts if isinstance(c, types.CodeType)] for code in (plain, new)]
    for a, b in zip(*inner, strict=True):
        yield a, b
        yield from _pairs(a, b)


def _count() -> tuple[int, int]:
    """What getrefcount says in `followed` of an array that a name alone holds, and of its base."""

    def counted(array: Any) -> tuple[int, int]:
        base = array.base
        return getrefcount(array), getrefcount(base)

    def probe() -> Any:
        a: Any = np.empty(2)[:1]
        a = counted(a)
        return a

    return probe()  # type: ignore[no-any-return]


ALONE, OF_BASE = _count()

__all__ = ["FOLLOWED", "codes", "followed", "following"]

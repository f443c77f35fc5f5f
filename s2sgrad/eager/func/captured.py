"""Tensors that a transformed function reads from outside: it may not write to them."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.tensor import Tensor


@contextmanager
def guarding(function: Any) -> Iterator[None]:
    """Block in which the tensors that `function` captures are not written to."""
    found = {id(t._vc): t for t in captured(function)}
    before = STATE.captured
    STATE.captured = {**(before or {}), **found} if found else before
    try:
        yield
    finally:
        STATE.captured = before


def captured(function: Any, depth: int = 3) -> Iterator[Tensor]:
    """The tensors in a function's closure, globals and owner, and in functions of its closure."""
    if isinstance(function, functools.partial):
        yield from captured(function.func, depth)
        return
    if isinstance(function, types.MethodType):
        owner = getattr(function.__self__, "__dict__", {})
        yield from (held for held in owner.values() if isinstance(held, Tensor))
        function = function.__func__
    if not isinstance(function, types.FunctionType) or not depth:
        return
    for cell in function.__closure__ or ():
        try:
            held = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
        if isinstance(held, Tensor):
            yield held
        else:
            yield from captured(held, depth - 1)
    outside = function.__globals__
    for name in names(function.__code__):
        if isinstance(outside.get(name), Tensor):
            yield outside[name]


@functools.lru_cache(maxsize=4096)
def names(code: types.CodeType) -> frozenset[str]:
    """The global names (and attributes) in a function and those inside it."""
    inner = (names(c) for c in code.co_consts if isinstance(c, types.CodeType))
    return frozenset(code.co_names).union(*inner)

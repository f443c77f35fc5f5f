"""Floor 6: rewrite generated code into forms that Numba compiles."""

from __future__ import annotations

from s2sgrad.ir.nodes import Function


def numba_forms(function: Function) -> Function:
    return function

"""Floor 6: the text of a module that Numba compiles."""

from __future__ import annotations

from s2sgrad.analysis.other_names import with_other_names
from s2sgrad.backend.jit.cache import Module
from s2sgrad.backend.jit.lengths import known_lengths
from s2sgrad.backend.jit.options import Jit
from s2sgrad.backend.jit.outside import NumbaPrinter
from s2sgrad.backend.loops.counts import falling_counters
from s2sgrad.backend.loops.growing import growing
from s2sgrad.backend.loops.held import begun_as_none
from s2sgrad.backend.module import import_lines, references
from s2sgrad.backend.outside_names import variables_apart
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Function
from s2sgrad.ir.types import Scalar
from s2sgrad_runtime.told import told_once


def module_of(function: Function, jit: Jit) -> tuple[Module, dict[int, int]]:
    """The text of the module, and generated line -> the user's."""
    decorator = "part_of_loop_fast" if jit.fastmath else "part_of_loop"
    names = references([function])
    function = variables_apart(function, names.keys())
    printer = NumbaPrinter(function.name, decorator)
    body = printer.function(function)
    shared = [n for n in ("share", "threads_for") if names.pop(n, None) is not None]
    imports = import_lines(names)
    if printer.loops:
        from s2sgrad_runtime import numba_threads

        used = ["on_threads", decorator, *shared]
        names |= {n: getattr(numba_threads, n) for n in used}
        imports.append(f"from s2sgrad_runtime.numba_threads import {', '.join(used)}")
    if len(printer.helpers) > printer.loops:
        from numba import njit, objmode

        names |= {"njit": njit, "objmode": objmode}
        imports.append("from numba import njit, objmode")
    if printer.tells:
        names["told_once"] = told_once
        imports.append("from s2sgrad_runtime.told import told_once")
    head = "\n".join(imports) + "\n\n\n"
    helpers = "".join(printer.helpers)
    first = (head + helpers).count("\n") + 1
    lines = {first + n: line for n, line in enumerate(printer.user_lines) if line}
    plain = _plain(function)
    sets = (function.counters, function.inside, falling_counters(function.body))
    counters, inside, falling = (tuple(sorted(known)) for known in sets)
    text = head + helpers + body
    return (
        Module(
            function.name, text, head, names,
            plain=plain, counters=counters, inside=inside, falling=falling,
            lengths=known_lengths(function),
        ),
        lines,
    )  # fmt: skip


def _plain(function: Function) -> tuple[str, ...]:
    """Variables that only ever hold numbers of one type, or arrays that grow: of one type too."""
    bound = nodes.bound_in(function.body)
    kinds = {n: function.types.get(n) for n in bound.difference(function.parameters)}
    unsure = with_other_names(begun_as_none(function.body), function.body)
    plain = [
        n
        for n, k in kinds.items()
        if isinstance(k, Scalar) and k.dtype in _NUMBERS and n not in unsure
    ]
    return tuple(sorted({*plain, *growing(function)}))


_NUMBERS = ("float", "float64", "int", "int64")


__all__ = ["module_of"]

"""Floor 8: what is written down of a compiled function, and how it runs in a later process.

It is machine code as a whole, or Python around pieces that are. A piece whose machine code is not
there for the types it meets is compiled from its text: Python lines before it have run by then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from s2sgrad.backend.jit.attempt import Attempt
from s2sgrad.backend.jit.cache import Module, can_keep, load
from s2sgrad.backend.jit.crossing import Crossing
from s2sgrad.backend.jit.errors import watch
from s2sgrad.backend.jit.files import directory
from s2sgrad.backend.jit.machine import Forgotten, runner
from s2sgrad.backend.module import Compiled, executed, import_lines
from s2sgrad.calls.footprint import Unknowable

Origin = dict[int, tuple[str, int]]


@dataclass(frozen=True)
class Part:
    """One function in machine code. name: its own; text: the file it was compiled from.

    module: its text and import lines, and what `Module` says of its variables. options: Numba's.
    plain: it has no Python in the midst of it; what has is left to Numba's own cache.
    """

    name: str
    text: str
    origin: Origin
    crossing: Crossing
    module: tuple[str, str, tuple[str, ...], tuple[str, ...]]
    options: dict[str, Any]
    plain: bool


@dataclass(frozen=True)
class Divided:
    """A function in Python, and what it calls by name. head: its import lines."""

    name: str
    text: str
    origin: Origin
    head: str
    pieces: tuple[tuple[str, Part | Divided], ...]


def part_of(attempt: Attempt) -> Part | Divided:
    """What is written down of one function; raises where it can't run without the compiler."""
    whole, divided = attempt.settled, attempt.divided
    if whole is not None:
        compiled, module = whole.compiled, whole.module
        if not compiled.filename.endswith(".py"):
            raise Unknowable
        text = Path(compiled.filename).name
        told = (module.text, module.head, module.plain, module.counters)
        crossing, options = whole.boundary.crossing, attempt.jit.numba()
        plain = "objmode" not in compiled.source
        return Part(whole.name, text, compiled.origin, crossing, told, options, plain)
    if divided is None:
        raise Unknowable
    pieces = tuple((piece.__name__, part_of(piece)) for piece in divided.pieces)
    own = {*(name for name, _ in pieces), *attempt.others}
    names = {n: v for n, v in divided.compiled.references.items() if n not in own}
    if not can_keep(names):
        raise Unknowable
    compiled, head = divided.compiled, "\n".join(import_lines(names))
    if attempt.tells and not pieces and "may_tell" not in compiled.source:
        raise Unknowable  # Python alone, which would print again where it is made anew
    return Divided(attempt.__name__, compiled.source, compiled.origin, head, pieces)


def tells(part: Part | Divided) -> bool:
    """Whether a function, or one that it calls, counts what it prints and logs."""
    if isinstance(part, Part):
        return "told_once" in part.module[0]
    return "may_tell" in part.text or any(tells(piece) for _, piece in part.pieces)


def running(parts: tuple[Part | Divided, ...]) -> tuple[Compiled, ...]:
    """What runs the functions of one product: each may call the others."""
    scopes: list[dict[str, Any]] = []
    found = tuple(_running(part, scopes, alone=True) for part in parts)
    functions = {part.name: made.fn for part, made in zip(parts, found, strict=True)}
    for scope in scopes:
        scope.update({name: fn for name, fn in functions.items() if name not in scope})
    return found


def _running(part: Part | Divided, scopes: list[dict[str, Any]], alone: bool = False) -> Compiled:
    """scopes: collects where the names of functions in Python are looked up."""
    if isinstance(part, Part):
        parameters = [name for name, _, _ in part.crossing.leaves]
        code = runner(directory() / part.text, part.name, parameters)
        run = part.crossing.outer(code if alone and part.plain else _or_compiled(code, part))
        return Compiled(run, "", str(directory() / part.text), {}, part.origin)
    names: dict[str, Any] = {}
    exec(part.head, names)  # import statements
    names.update({name: _running(piece, scopes).fn for name, piece in part.pieces})
    scope, filename = executed(part.text, part.name, names)
    scopes.append(scope)
    return Compiled(scope[part.name], part.text, filename, {}, part.origin)


def _or_compiled(code: Callable[..., Any], part: Part) -> Callable[..., Any]:
    """The machine code; where there is none for the types of a call, it is compiled."""
    made: list[Callable[..., Any]] = []

    def run(*args: Any) -> Any:
        if not made and part.plain:
            try:
                return code(*args)
            except Forgotten:
                pass
        if not made:
            made.append(_compiled(part))
        return made[0](*args)

    return run


def _compiled(part: Part) -> Callable[..., Any]:
    text, head, plain, counters = part.module
    names: dict[str, Any] = {}
    exec(head, names)
    names.pop("__builtins__", None)
    module = Module(part.name, text, head, names, plain=plain, counters=counters)
    return watch(load(module, part.options), part.name, module.filename, part.origin)


__all__ = ["Divided", "Part", "part_of", "running", "tells"]

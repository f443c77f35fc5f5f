"""Floor 6: texts for Numba on disk, keyed by the generated function they were written from.

Writing one takes much longer than reading it: Numba is asked about many calls. A plan that is
broken, or belongs to another user, counts as absent.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from s2sgrad.backend.jit.cache import Module, can_keep, versions
from s2sgrad.backend.jit.files import directory, read_bytes, write_bytes
from s2sgrad.backend.jit.options import Jit
from s2sgrad.backend.module import references
from s2sgrad.backend.parallel.loops import Verdict
from s2sgrad.backend.statements import Printer
from s2sgrad.errors import Span
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import Assumptions
from s2sgrad.ir.nodes import Function
from s2sgrad.ir.sizes import Size


@dataclass
class Plan:
    """A module for Numba. lines: generated line -> the user's. threads: it has parallel loops.

    relied: sizes that must not be negative where it is used.
    """

    module: Module
    lines: dict[int, int]
    loops: list[Verdict]
    threads: bool
    relied: tuple[Size, ...] = ()

    def suits(self, known: Assumptions | None) -> bool:
        """Whether what it relies on holds for the present call; if so that is noted."""
        return not self.relied or (known is not None and known.hold(self.relied))


@dataclass(frozen=True)
class Split:
    """What Numba refused of a function. whys: ((file, line) or None, why) of what runs in Python.

    lines: the user's lines of it; None: all of it. alone: threads were refused, too.
    """

    lines: frozenset[int] | None
    whys: tuple[tuple[Span | None, str], ...]
    alone: bool


def fingerprint(
    function: Function,
    jit: Jit,
    outer: Function | None,
    checks: tuple[bool, ...],
    lasting: bool = True,
) -> str | None:
    """A key for everything that the module depends on; None where that can't be told.

    lasting: everything it names must mean the same in the next process.
    """
    parts: list[str] = [repr((jit, checks)), repr(versions()), repr(compiler())]
    for part in (function, *((outer,) if outer is not None else ())):
        names = references([part])
        if lasting and not can_keep(names):
            return None
        printer = Printer()
        parts.append(printer.function(part))
        parts.append(repr(printer.user_lines))
        parts.append(part.span.filename if part.span else "")
        parts += [f"{n}:{getattr(v, '__module__', '')}" for n, v in sorted(names.items())]
        parts += [f"{n}={_plain(k)}" for n, k in sorted(part.types.items())]
        for stmt in nodes.walk_block(part.body):
            for expr in nodes.expressions(stmt):
                parts += [_plain(e.type) for e in nodes.walk(expr)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


@cache
def compiler() -> list[tuple[str, int, int]]:
    """The files that write modules, as they are now: a changed one makes every plan anew."""
    package = Path(__file__).parents[2]
    folders = (package / "backend", package / "analysis")
    files = [p for folder in folders for p in sorted(folder.rglob("*.py"))]
    return [(p.name, p.stat().st_size, p.stat().st_mtime_ns) for p in files]


def _plain(kind: Any) -> str:
    """A type as text, without places in memory."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(kind))


def _path(key: str) -> Path:
    return directory() / f"plan_{key}.json"


def kept(key: str) -> Plan | None:
    """The plan that is on disk; None where there is none that can be trusted."""
    try:
        return _plan(_read(_path(key)))
    except _BROKEN:
        return None


_BROKEN = (OSError, ValueError, KeyError, TypeError, ImportError, SyntaxError)


def _read(path: Path) -> Any:
    """What a file of ours holds; raises where it is not there, broken or not ours."""
    return json.loads(read_bytes(path))


def _write(path: Path, held: Any) -> None:
    write_bytes(path, json.dumps(held).encode())


def kept_split(key: str) -> Split | None:
    """What an earlier process found out. If it no longer holds, that costs time, nothing else."""
    try:
        held = _read(directory() / f"split_{key}.json")
        lines = None if held["lines"] is None else frozenset(map(int, held["lines"]))
        whys = tuple((Span(*at) if at else None, str(why)) for at, why in held["whys"])
        return Split(lines, whys, bool(held["alone"]))
    except _BROKEN:
        return None


def keep_split(key: str, split: Split) -> None:
    """Write down what Numba refused: asking again takes as long as compiling."""
    held = {
        "lines": None if split.lines is None else sorted(split.lines),
        "whys": [([s.filename, s.line] if s else None, why) for s, why in split.whys],
        "alone": split.alone,
    }
    _write(directory() / f"split_{key}.json", held)


def _plan(held: dict[str, Any]) -> Plan:
    names: dict[str, Any] = {}
    exec(held["head"], names)  # import statements
    names.pop("__builtins__", None)
    module = Module(
        held["name"],
        held["text"],
        held["head"],
        names,
        plain=tuple(held["plain"]),
        counters=tuple(held["counters"]),
        inside=tuple(held["inside"]),
        falling=tuple(held["falling"]),
        lengths=tuple(map(tuple, held["lengths"])),
    )
    loops = [
        Verdict(Span(*place) if place else None, target, why)
        for place, target, why in held["loops"]
    ]
    lines = {int(n): line for n, line in held["lines"].items()}
    relied = tuple(
        Size(tuple((tuple(letters), factor) for letters, factor in terms))
        for terms in held["relied"]
    )
    return Plan(module, lines, loops, held["threads"], relied)


def keep(key: str, plan: Plan) -> None:
    """Write a plan to disk, if its names mean the same in the next process."""
    module = plan.module
    if not can_keep(module.names):
        return
    held = {
        "name": module.name,
        "text": module.text,
        "head": module.head,
        "plain": module.plain,
        "counters": module.counters,
        "inside": module.inside,
        "falling": module.falling,
        "lengths": module.lengths,
        "lines": plan.lines,
        "loops": [
            ([v.span.filename, v.span.line] if v.span else None, v.target, v.why)
            for v in plan.loops
        ],
        "threads": plan.threads,
        "relied": [size.terms for size in plan.relied],
    }
    _write(_path(key), held)


__all__ = ["Plan", "Split", "fingerprint", "keep", "keep_split", "kept", "kept_split"]

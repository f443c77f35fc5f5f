"""Floor 6: compiled code on disk, keyed by the text it was compiled from.

A module's text lies in the cache directory under a name made from its hash; Numba keeps machine
code beside it. What does not fit (another text, broken data, another owner) counts as absent.
"""

from __future__ import annotations

import contextlib
import hashlib
import linecache
import os
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from itertools import count
from pathlib import Path
from typing import Any

from s2sgrad.backend.jit.files import directory, foreign
from s2sgrad.backend.jit.machine import keep_code
from s2sgrad.backend.jit.typing import stays_inside
from s2sgrad.ir.names import GENERATED

_NUMBERS = count(1)
_TRUSTED = ("numpy", "scipy", "s2sgrad_runtime", "math", "cmath", "builtins", "itertools", "numba")


@dataclass
class Module:
    """A generated module. head: its import lines; names: what they bind.

    plain: variables that only ever hold numbers of one type. counters: subscripts with one of these
    are not negative. inside: subscripts with one of these, alone or with a constant, fit.
    falling: counters of loops around others that go down. lengths: (name, axis, entries) of axes
    that surely have so many.
    """

    name: str
    text: str
    head: str
    names: dict[str, Any]
    filename: str = field(default="")
    plain: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    falling: tuple[str, ...] = ()
    lengths: tuple[tuple[str, int, int], ...] = ()


def load(module: Module, options: dict[str, Any]) -> Any:
    """Numba's dispatcher for the module's function, backed by the disk where that works."""
    import numba

    from s2sgrad_runtime.numba_compiler import Compiler

    path = _written(module, options) if can_keep(module.names) else None
    options = {**options, "pipeline_class": Compiler}
    if path is not None:
        try:
            dispatcher = numba.njit(cache=True, **options)(_function(module, str(path)))
        except (RuntimeError, OSError):
            path = None
        else:
            dispatcher._cache = CheckedCache(dispatcher._cache, path)
            return dispatcher
    name = f"{GENERATED}{module.name} jit {next(_NUMBERS)}>"
    return numba.njit(**options)(_function(module, name))


def _function(module: Module, filename: str) -> Callable[..., Any]:
    """Execute the text under a file name; errors and debuggers show its lines."""
    module.filename = filename
    stem = Path(filename).stem if filename.endswith(".py") else str(next(_NUMBERS))
    home = types.ModuleType(f"s2sgrad_generated_{stem}")
    home.__file__ = filename
    sys.modules[home.__name__] = home  # where Numba looks for the names of a loaded function
    scope = vars(home)
    scope.update(module.names)
    body = "\n" * module.head.count("\n") + module.text[len(module.head) :]
    exec(compile(body, filename, "exec"), scope)
    linecache.cache[filename] = (len(module.text), None, module.text.splitlines(True), filename)
    function = scope[module.name]
    parts = [v.py_func for n, v in scope.items() if n.startswith(f"{module.name}_loop_")]
    for part in (function, *parts):
        part.s2sgrad_plain = module.plain
        part.s2sgrad_counters = frozenset(module.counters)
        part.s2sgrad_inside = frozenset(module.inside)
        part.s2sgrad_falling = frozenset(module.falling)
        part.s2sgrad_lengths = {(name, axis): least for name, axis, least in module.lengths}
    return function  # type: ignore[return-value]


def can_keep(names: dict[str, Any]) -> bool:
    """Whether every name means the same in the next process."""
    return all(map(_lasting, names.values()))


def _lasting(value: Any) -> bool:
    """Whether a value is a module or function of a package whose version is in the key."""
    if type(value).__name__ == "module":
        home = value.__name__
    else:
        home = getattr(value, "__module__", None) or type(value).__module__
    return str(home).split(".")[0] in _TRUSTED


def _written(module: Module, options: dict[str, Any]) -> Path | None:
    """The file with the module's text, rewritten if it is not what it should be."""
    facts = (
        module.text, module.plain, module.counters, module.inside, module.falling, module.lengths
    )  # fmt: skip
    key = hashlib.sha256(repr((*facts, versions(), sorted(options.items()))).encode()).hexdigest()
    folder = directory()
    path = folder / f"{module.name[:40]}_{key[:24]}.py"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if foreign(folder):
            return None
        if not _holds(path, module.text):
            temporary = folder / f".{path.name}.{os.getpid()}"
            temporary.write_text(module.text, encoding="utf-8")
            os.replace(temporary, path)
    except OSError:
        return None
    return path


def _holds(path: Path, text: str) -> bool:
    """Whether a file of ours has exactly this text."""
    try:
        return not foreign(path) and path.read_text(encoding="utf-8") == text
    except (OSError, ValueError):
        return False


@cache
def versions() -> tuple[str, ...]:
    """Everything besides the text that machine code depends on."""
    import numba
    import numpy

    return (
        *map(_version, ("s2sgrad", "scipy")),
        numba.__version__,
        numpy.__version__,
        sys.version,
        _stamp(),
    )


def _stamp() -> str:
    """The state of the compiler and its helpers: one that has been changed writes other code."""
    import s2sgrad_runtime

    homes = (Path(__file__).parents[2], Path(s2sgrad_runtime.__file__).parent)
    found = hashlib.sha256()
    for home in homes:
        for folder, inside, files in os.walk(home):
            inside[:] = sorted(set(inside) - {"__pycache__", "eager"})
            for name in sorted(files):
                state = os.stat(os.path.join(folder, name))
                found.update(f"{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return found.hexdigest()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"


class CheckedCache:
    """Numba's cache of one function, with checksums: what does not match is as if not there.

    It holds what can't be kept as plain machine code. text: the file with the module's text.
    """

    def __init__(self, inner: Any, text: Path) -> None:
        self._inner, self._text = inner, text

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            if not self._intact():
                self._forget()
                return None
            return self._inner.load_overload(signature, context)
        except Exception:
            self._forget()
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        if stays_inside(result.signature.return_type):
            return  # it is about to be refused
        try:
            if keep_code(self._text, tuple(signature), result):
                return
            self._inner.save_overload(signature, result)
            self._note()
        except Exception:  # a full or read-only disk: the code in memory works all the same
            self._forget()

    # --- files -------------------------------------------------------------------------------
    def _index(self) -> Path:
        return Path(self._inner._cache_file._index_path)

    def _sums(self) -> Path:
        return self._index().with_suffix(".sums")

    def _files(self) -> list[Path]:
        index = self._index()
        return [index, *sorted(index.parent.glob(f"{index.stem}.*.nbc"))]

    def _digests(self) -> str:
        pairs = ((p.name, hashlib.sha256(p.read_bytes()).hexdigest()) for p in self._files())
        return "\n".join(f"{name} {digest}" for name, digest in pairs)

    def _intact(self) -> bool:
        """Whether the files are ours and as they were written."""
        if not self._index().exists():
            return True
        if any(map(foreign, self._files())):
            return False
        return self._sums().read_text(encoding="utf-8") == self._digests()

    def _note(self) -> None:
        temporary = self._sums().with_suffix(f".{os.getpid()}")
        temporary.write_text(self._digests(), encoding="utf-8")
        os.replace(temporary, self._sums())

    def _forget(self) -> None:
        for path in (self._index(), self._sums()):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

"""The shell's way in: `python -m s2sgrad show FILE.py:FUNC --arg "x=float64[n,d]"`.

Commands: show (the generated code), explain (what is saved, what fell back), check (against
central differences), export (to a module of its own).
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import s2sgrad

SIZES = (5, 3, 7, 4, 6, 2, 8, 9)  # what the letters of a shape stand for, in order
KIND = re.compile(r"(?P<dtype>[a-z]+\d*)(\[(?P<shape>[^\]]*)\])?$")
EPILOG = """examples:
  python -m s2sgrad show model.py:loss --arg "w=float64[d]" --arg "x=float64[n,d]"
  python -m s2sgrad export model.py:loss --arg "w=float64[d]" --arg "x=float64[n,d]" -o grad.py
  python -m s2sgrad check model.py:loss --arg "w=float64[d]" --arg "steps=5" --arg "mode='mean'"
"""


class UsageError(Exception):
    """Something on the command line that can't be understood."""


def load(place: str) -> Callable[..., Any]:
    """The function named by `FILE.py:FUNC`; FUNC may be dotted (`Model.loss`)."""
    file, colon, name = place.rpartition(":")
    path = Path(file)
    if not colon or not name:
        raise UsageError(f"{place}: expected FILE.py:FUNC, the function's name behind a colon")
    if not path.is_file():
        raise UsageError(f"{place}: expected FILE.py:FUNC, and found no file {file!r}")
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{place}: {file!r} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
        if found is None:
            raise UsageError(f"{path} has no function {name!r}")
    return found


class Examples:
    """Makes example arguments from texts such as `x=float64[n,d]`, `steps=5`, `mode='mean'`."""

    def __init__(self) -> None:
        self.letters: dict[str, int] = {}
        self.rng = np.random.default_rng(0)

    def size(self, text: str) -> int:
        """The length that a size in a shape stands for."""
        if text.isdigit():
            return int(text)
        if not text.isidentifier():
            raise UsageError(f"a size is a number or a letter, not {text!r}")
        return self.letters.setdefault(text, SIZES[len(self.letters) % len(SIZES)])

    def value(self, text: str) -> Any:
        """An example value for one description."""
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):
            pass
        match = KIND.match(text.replace(" ", ""))
        if match is None:
            raise UsageError(f"{text!r} is neither a value nor a kind such as float64[n,d]")
        try:
            dtype = np.dtype(match["dtype"])
        except TypeError:
            raise UsageError(f"unknown dtype {match['dtype']!r}") from None
        if match["shape"] is None:
            return {"f": 0.5, "c": 0.5 + 0.5j, "i": 3, "u": 3, "b": True}.get(dtype.kind, 0.5)
        shape = tuple(self.size(part) for part in match["shape"].split(",") if part)
        return self.array(dtype, shape)

    def array(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> np.ndarray:
        """Floats between 0.5 and 1.5, integers 0 and 1: valid as labels and exponents."""
        if dtype.kind in "iu":
            return self.rng.integers(0, 2, shape).astype(dtype)
        if dtype.kind == "b":
            return self.rng.integers(0, 2, shape).astype(bool)
        values = self.rng.uniform(0.5, 1.5, shape)
        if dtype.kind == "c":
            return (values + 1j * self.rng.uniform(0.5, 1.5, shape)).astype(dtype)
        return values.astype(dtype)

    def arguments(self, texts: list[str]) -> dict[str, Any]:
        """Example values for the function's parameters."""
        found = {}
        for text in texts:
            name, equals, kind = text.partition("=")
            if not equals:
                raise UsageError(f"--arg {text!r}: expected NAME=KIND or NAME=VALUE")
            found[name.strip()] = self.value(kind.strip())
        return found


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m s2sgrad",
        description="Gradients of plain NumPy code, as plain NumPy code.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("command", choices=("show", "explain", "check", "export"))
    made.add_argument("function", metavar="FILE.py:FUNC")
    made.add_argument("--arg", action="append", default=[], metavar="NAME=KIND", dest="args")
    made.add_argument("--argnums", help="names or positions, comma-separated; default: the first")
    made.add_argument("--value", action="store_true", help="value and gradient")
    made.add_argument("--jit", action="store_true", help="for Numba (export: for NumPy)")
    made.add_argument("--parallel", action="store_true", help="with --jit: on all cores")
    made.add_argument("--fastmath", action="store_true", help="with --jit: sums in any order")
    made.add_argument("-o", "--output", type=Path, help="file to export to")
    made.add_argument("--inline-runtime", action="store_true", help="export: needs NumPy only")
    return made


def argnums_of(text: str | None) -> Any:
    """`argnums` from the command line's text; the first argument by default."""
    if text is None:
        return 0
    parts = [int(p) if p.lstrip("-").isdigit() else p for p in text.replace(" ", "").split(",")]
    return parts[0] if len(parts) == 1 else tuple(parts)


def carry_out(options: argparse.Namespace) -> None:
    """Run what the command line asks for."""
    if (options.parallel or options.fastmath) and not options.jit:
        raise UsageError("--parallel and --fastmath are options of compiled code: add --jit")
    function = load(options.function)
    arguments = Examples().arguments(options.args)
    make = s2sgrad.value_and_grad if options.value else s2sgrad.grad
    derivative = make(
        function, argnums_of(options.argnums), jit=options.jit, parallel=options.parallel,
        fastmath=options.fastmath, fallback="error",
    )  # fmt: skip
    if options.command == "show":
        print(derivative.source(**arguments).rstrip())
    elif options.command == "explain":
        print(derivative.explain(**arguments))
    elif options.command == "check":
        check(function, arguments, options)
        print(f"{options.function}: the gradient agrees with central differences")
    else:
        name = options.function.rpartition(":")[2].rpartition(".")[2]  # a lambda has no other
        path = options.output or Path(f"{name}_grad.py")
        inline = options.inline_runtime
        s2sgrad.export(derivative, path, **arguments, inline_runtime=inline)
        print(path)


def check(function: Any, arguments: dict[str, Any], options: argparse.Namespace) -> None:
    """Compare with central differences; keyword-only arguments stay as they were given."""
    bound = inspect.signature(function).bind(**arguments)
    bound.apply_defaults()
    called = function
    if bound.kwargs:
        called = functools.partial(function, **bound.kwargs)
        called.__name__ = function.__name__  # type: ignore[attr-defined]
    which = None if options.argnums is None else argnums_of(options.argnums)
    try:
        called(*copy.deepcopy(bound.args))
    except Exception as error:
        file = Path(options.function.rpartition(":")[0]).resolve()
        frames = traceback.extract_tb(error.__traceback__)[1:]
        last = next((f for f in reversed(frames) if Path(f.filename) == file), frames[-1])
        place = f'  File "{last.filename}", line {last.lineno}\n    {last.line}'
        what = f"{options.function} raises {type(error).__name__}: {error}\n{place}"
        raise UsageError(what) from error
    s2sgrad.check_grad(called, *bound.args, argnums=which, jit=options.jit)


def main(argv: list[str] | None = None) -> int:
    """Carry out a command line; errors of the user's code are reported without a traceback."""
    options = parser().parse_args(argv)
    try:
        carry_out(options)
    except (s2sgrad.S2sgradError, UsageError, TypeError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Floor 6: what Numba can't compile, told at the user's line; and a note where it takes long."""

from __future__ import annotations

import contextlib
import logging
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from typing import Any

from s2sgrad.backend.collection import uncollected
from s2sgrad.backend.jit.machine import revived
from s2sgrad.backend.jit.typing import stays_inside
from s2sgrad.errors import Span, UnsupportedError

Origin = dict[int, tuple[str, int]]
PATIENCE = 1.0  # seconds before a note says that Numba is at work
_logger = logging.getLogger("s2sgrad")
_SKIPPED = (
    "Failed in", "During", "There are", "- Of which", "Overload", "File", "with argument",
    "- Resolution", "- Application", "Rejected", "This error", "For more", "To find", "<source",
)  # fmt: skip


class NotCompiled(UnsupportedError):
    """Numba gave up before anything ran."""


def watch(dispatcher: Any, name: str, filename: str, origin: Origin) -> Any:
    """The dispatcher, whose compilations report errors and slowness in our words.

    Code that lies on disk from an earlier process is taken from there.
    """
    try:
        _check_results(dispatcher)  # another use of the same code may have compiled it
    except TypeError as error:
        return _refusing(unsupported(error, filename, origin))
    compile_for = dispatcher._compile_for_args
    text = Path(filename) if filename.endswith(".py") else None

    def compile_and_tell(*args: Any, **kwargs: Any) -> Any:
        with progress(name), quiet():
            try:
                entry = None if text is None else revived(text, dispatcher, args)
                return entry or _compiled(dispatcher, compile_for, args, kwargs)
            except Exception as error:  # nothing of the user's runs here: Numba gave up
                raise unsupported(error, filename, origin) from None

    dispatcher._compile_for_args = compile_and_tell
    return dispatcher


def _refusing(error: NotCompiled) -> Any:
    def refuse(*args: Any) -> Any:
        raise error

    return refuse


def _compiled(
    dispatcher: Any, compile_for: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    from s2sgrad_runtime.numba_errors import short_errors

    with short_errors(), uncollected():
        entry = compile_for(*args, **kwargs)
    _check_results(dispatcher)
    return entry


def _check_results(dispatcher: Any) -> None:
    """Refuse code whose results Numba can't hand to Python."""
    for signature in dispatcher.nopython_signatures:
        if stays_inside(signature.return_type):
            raise TypeError(f"a dict of several kinds of values can't leave: {signature}")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Numba's warnings are about generated code: nothing that the user could change."""
    from numba.core import errors

    with warnings.catch_warnings():
        for kind in (errors.NumbaWarning, errors.NumbaPerformanceWarning, RuntimeWarning):
            warnings.simplefilter("ignore", kind)
        yield


@contextlib.contextmanager
def progress(name: str) -> Iterator[None]:
    """Say that Numba compiles, once that takes longer than `PATIENCE`."""

    def tell() -> None:
        message = f"s2sgrad: compiling {name} with Numba..."
        _logger.info(message)
        if sys.stderr is not None and sys.stderr.isatty():
            print(message, file=sys.stderr, flush=True)

    timer = threading.Timer(PATIENCE, tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def unsupported(error: Exception, filename: str, origin: Origin) -> NotCompiled:
    """The error of the product for one of Numba's."""
    place = _user_place(_generated_line(error, filename), origin)
    span = Span(place[0], place[1]) if place else None
    if span is not None and place is not None:
        text = span.text()
        span = Span(place[0], place[1], len(text) - len(text.lstrip()), place[1], len(text))
    return NotCompiled(
        "Numba can't compile the code generated for this line", span,
        f"Numba says: {reason(error)}",
        "leave out jit=True, or write the line with operations that Numba knows",
    )  # fmt: skip


def _generated_line(error: Exception, filename: str) -> int | None:
    named = re.findall(rf'File "{re.escape(filename)}", line (\d+)', str(error))
    if named:
        return int(named[0])
    loc = getattr(error, "loc", None)
    if loc is not None and loc.filename == filename:
        return int(loc.line)
    found = [held["inst"].loc for held in _held(error) if hasattr(held.get("inst"), "loc")]
    return next((loc.line for loc in reversed(found) if loc.filename == filename), None)


def _held(error: Exception) -> list[dict[str, Any]]:
    """The local variables of the functions that an error went through, the innermost last."""
    return [dict(frame.f_locals) for frame, _ in walk_tb(error.__traceback__)]


def _assertion(error: Exception) -> str:
    """What an assertion of Numba's own, which has no text, is about."""
    held = _held(error)
    for values in reversed(held):
        if "fromty" in values and "toty" in values:
            return f"it can't turn {values['fromty']} into {values['toty']}"
    for values in reversed(held):
        if hasattr(values.get("inst"), "loc"):
            return f"it fails to write machine code for {values['inst']}"
    return "an assertion of its own fails"


def _user_place(line: int | None, origin: Origin) -> tuple[str, int] | None:
    """The user's line; that of the nearest line before where a line has none of its own."""
    while line is not None and line > 0:
        if line in origin:
            return origin[line]
        line -= 1
    return None


def reason(error: Exception) -> str:
    """The telling line of Numba's message."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in str(error).splitlines()]
    unknown = re.search(r"Untyped global name '(\w+)':.*<class 'function'>", " ".join(lines))
    if unknown:
        return f"there is no compiled form of {unknown[1]}"
    telling = [n for n in lines if n and not n.startswith(_SKIPPED) and n.strip("^ >-")]
    for pattern in (
        "Use of unsupported",
        "not supported",
        "No implementation",
        "Unknown attribute",
        "Cannot unify",
        "cannot determine",
    ):
        for n, line in enumerate(telling):
            if pattern.lower() in line.lower():
                follow = telling[n + 1] if line.endswith(":") and n + 1 < len(telling) else ""
                return f"{line} {follow.lstrip('>- ')}".strip()
    if not telling and isinstance(error, AssertionError):
        return _assertion(error)
    return telling[0] if telling else type(error).__name__

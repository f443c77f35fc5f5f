"""Floor 8: warnings of what runs on dynamic-graph tensors, at the user's own line."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

from s2sgrad.errors import LocatedError, MissingRuleError, S2sgradError, Span, UnsupportedError

_HERE = os.path.dirname(os.path.dirname(__file__)) + os.sep  # the package


def warn(text: str) -> None:
    """A UserWarning that points to the nearest caller outside of this package."""
    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(text, stacklevel=depth)


def tell_whole(function: Any, reason: S2sgradError) -> None:
    """The whole of a function runs on tensors."""
    name = getattr(function, "__name__", "f")
    warn(f"{name} runs on dynamic-graph tensors, because it can't be transformed:\n{reason}")


def refusing(run: Callable[..., Any], reason: S2sgradError) -> Callable[..., Any]:
    """The run on tensors, which says why there is no other where it lacks something itself."""

    def run_or_refuse(*values: Any) -> Any:
        try:
            return run(*values)
        except MissingRuleError as error:  # tensors do not know the line, the compiler does
            if isinstance(reason, MissingRuleError) and reason.name == error.name:
                raise reason from error
            raise
        except UnsupportedError as error:
            error.placed(_users_place(error))
            if isinstance(reason, MissingRuleError) and reason.lineno == error.lineno:
                raise reason from error  # which names the function
            raise
        except NotImplementedError as error:
            if _raised_here(error):
                raise reason from error
            raise

    return run_or_refuse


def _users_place(error: BaseException) -> Span | None:
    """The innermost line outside of this package, and of packages that are installed, on the way
    to an error; tensors do not know the line that they are in."""
    found, trace = None, error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        inner = ("site-packages", "s2sgrad_runtime")
        library = code.co_filename.startswith(_HERE) or any(n in code.co_filename for n in inner)
        if not library:
            found = Span(code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    return found


def _raised_here(error: BaseException) -> bool:
    """Whether code of this package raised an error, and not the user's."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_filename.startswith(_HERE)


def too_deep(function: Any) -> UnsupportedError:
    """What is said of linked structures with more nodes than Python's limit for recursion."""
    code = getattr(function, "__code__", None)
    return UnsupportedError(
        "a linked list or tree with this many nodes",
        Span(code.co_filename, code.co_firstlineno) if code else None,
        "cotangents of nodes are made and added whole, down to the last one, and this exceeds "
        "Python's limit for recursion",
        "keep the numbers of long chains in lists or arrays",
    )


def tell_island(function: Any, callee: Any, reason: S2sgradError) -> None:
    """A callee runs on tensors, the rest of the function does not."""
    outer, inner = (getattr(f, "__name__", "f") for f in (function, callee))
    warn(
        f"{inner} runs on dynamic-graph tensors, because it can't be transformed; the rest of "
        f"{outer} stays compiled:\n{reason}"
    )


def place(reason: S2sgradError) -> str:
    """` (file:line)` of an error, if it has a place."""
    located = isinstance(reason, LocatedError) and reason.lineno
    return f" ({reason.filename}:{reason.lineno})" if located else ""  # type: ignore[attr-defined]


__all__ = ["place", "refusing", "tell_island", "tell_whole", "warn"]

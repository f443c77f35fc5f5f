"""Floor 4: what is asked of a lowering as a whole: that it gets on, and that its result holds."""

from __future__ import annotations

from typing import Any

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.holding import seen_too_late
from s2sgrad.frontend.source import Source, find_source
from s2sgrad.frontend.values import Dyn, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import FLOAT, Type

ATTEMPTS = 1000


def check_progress(seen: set[str], known: tuple[Any, ...], function: Any) -> None:
    """Refuse where what is known by now was known before: another attempt would end the same.

    And where there is no end of attempts: each reads what was made anew by the one before.
    """
    now = repr([sorted(map(repr, facts)) for facts in known]) + repr(list(known[2].values()))
    if now in seen or len(seen) > ATTEMPTS:
        source = find_source(function)
        raise UnsupportedError(
            "functions that call each other can't be written out here",
            source.span(source.node),
            "neither values that are known while compiling nor those of a run end their calls",
            "write a loop over a list of what is left to do",
        )
    seen.add(now)


def nested_too_deeply(source: Source) -> UnsupportedError:
    """The error for code that Python itself can't go down into."""
    what, why = "the code is nested too deeply", "Python's own limit for recursion was reached"
    fix = "take it apart into functions or statements of their own"
    return UnsupportedError(what, source.span(source.node), why, fix)


def ended(body: nodes.Block, result: Value) -> tuple[nodes.Block, Value]:
    """Body and result; where all calls of this kind raise, there is none, and a number serves."""
    for k, stmt in enumerate(body):
        if isinstance(stmt, nodes.Do) and stmt.keyword == "raise":
            return body[: k + 1], Dyn(nodes.Const(0.0, type=FLOAT))
    return body, result


def check_filled(body: nodes.Block, types: dict[str, Type], source: Source) -> None:
    """Refuse what is filled after another container took it in as empty."""
    late = seen_too_late(body, types)
    if late is not None:
        raise UnsupportedError(
            "a list or dict that is filled after it was put into another",
            late.span or source.span(source.node),
            "it is seen too late what the other one holds",
            "fill it first, and put it into the other then",
        )

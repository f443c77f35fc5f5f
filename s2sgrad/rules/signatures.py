"""Floor 2: whether the parameters of a user's rule fit those of the function it is for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from s2sgrad.errors import RuleError, Span

Function = Callable[..., Any]


def check_parameters(function: Function, declaration: Function, jvp: Function | None) -> None:
    """RuleError for a rule that can't serve the function's calls, and for such a tangent."""
    own = list(inspect.signature(declaration).parameters.values())
    _check_own(function, declaration, own)
    if jvp is not None:
        _check_tangent(jvp, [p.name for p in own[2:]])


def _check_own(function: Function, declaration: Function, own: list[inspect.Parameter]) -> None:
    shown = ", ".join(map(_shown, own))
    name = getattr(function, "__name__", "the function")
    theirs = _parameters(function)
    whole = ", ".join(["y_bar", "y", *map(_shown, theirs or own[2:])])
    what = f"rule '{declaration.__name__}' takes ({shown}), which does not fit {name}"
    fix = f"def {declaration.__name__}({whole})"
    why = "a rule takes the cotangent of the result, the result, and the function's parameters"
    if any(p.kind is p.VAR_KEYWORD for p in own):
        why = "the keywords of a rule have names: **options can't be inlined"
        raise RuleError(what, _span(declaration), why, "name them, with their defaults")
    if len(own) < 3:
        raise RuleError(what, _span(declaration), why, fix)
    if theirs is None or any(p.kind is p.VAR_POSITIONAL for p in (*own, *theirs)):
        return
    needed, asked = ([p for p in ps if p.default is p.empty] for ps in (theirs, own[2:]))
    if len(own) - 2 < len(needed) or len(asked) > len(theirs):  # those with defaults may be its own
        raise RuleError(what, _span(declaration), why, fix)


def _check_tangent(jvp: Function, names: list[str]) -> None:
    given = list(inspect.signature(jvp).parameters)[1:]
    known = {*names, *(f"{name}_dot" for name in names)}
    strange = [name for name in given if name not in known]
    if strange or not any(name.endswith("_dot") and name not in names for name in given):
        dots = ", ".join(f"{name}_dot" for name in names[:1])
        raise RuleError(
            f"tangent '{jvp.__name__}' takes ({', '.join(['y', *given])})",
            _span(jvp),
            "a tangent takes the result, the rule's arguments, and <argument>_dot for each of "
            "those that it differentiates",
            f"def {jvp.__name__}(y, {', '.join(names)}, *, {dots})",
        )


def _parameters(function: Function) -> list[inspect.Parameter] | None:
    """Those of the function; None where Python can't tell, or any keyword is taken."""
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    return None if any(p.kind is p.VAR_KEYWORD for p in found) else found


def _shown(parameter: inspect.Parameter) -> str:
    return str(parameter.replace(annotation=inspect.Parameter.empty))


def _span(function: Function) -> Span | None:
    code = getattr(function, "__code__", None)
    return None if code is None else Span(code.co_filename, code.co_firstlineno)


__all__ = ["check_parameters"]

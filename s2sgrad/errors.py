"""Floor 0: source spans and every exception class of the product.

An error says what, where (file, line, caret), why, and what to write instead.
"""

from __future__ import annotations

import linecache
import os
from dataclasses import dataclass
from typing import Any

_HERE = os.path.dirname(__file__) + os.sep  # the package


@dataclass(frozen=True, slots=True)
class Span:
    """A place in the user's source: 1-based lines, 0-based columns."""

    filename: str
    line: int
    column: int = 0
    end_line: int = 0
    end_column: int = 0

    @property
    def ours(self) -> bool:
        """Whether it is in a file of the package, which is read in place of a library's."""
        return self.filename.startswith(_HERE)

    def text(self) -> str:
        """The source line the span starts on, or '' when the file can't be read."""
        return linecache.getline(self.filename, self.line).rstrip("\n")

    def caret(self) -> str:
        """The source line and a line of carets below the spanned part."""
        line = self.text()
        if not line:
            return ""
        one_line = self.end_line == self.line and self.end_column > self.column
        stop = self.end_column if one_line else len(line)
        shown = line.lstrip()
        shift = len(line) - len(shown)
        start = max(self.column - shift, 0)
        width = max(stop - self.column, 1)
        return f"    {shown}\n    {' ' * start}{'^' * width}"

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}"


class S2sgradError(Exception):
    """Base class of every error that s2sgrad raises on purpose."""


class LocatedError(S2sgradError):
    """An error about a place in the user's source.

    Attributes: `reason` (what), `filename`, `lineno`, `offset` (1-based column), `why`, `fix`.
    """

    def __init__(self, reason: str, span: Span | None = None, why: str = "", fix: str = "") -> None:
        self.reason, self.span, self.why, self.fix = reason, span, why, fix
        self.filename = span.filename if span else None
        self.lineno = span.line if span else None
        self.offset = span.column + 1 if span else None
        super().__init__(self._render())

    def placed(self, span: Span | None) -> None:
        """Say where it is, if no place in the user's code is known yet."""
        known = self.span is not None and not self.span.ours
        if not known and span is not None and not span.ours:
            LocatedError.__init__(self, self.reason, span, self.why, self.fix)

    def _render(self) -> str:
        lines = [self.reason]
        if self.span is not None:
            lines.append(f'  File "{self.span.filename}", line {self.span.line}')
            caret = self.span.caret()
            if caret:
                lines.append(caret)
        if self.why:
            lines.append(f"  why: {self.why}")
        if self.fix:
            lines.append(f"  fix: {self.fix}")
        return "\n".join(lines)


class UnsupportedError(LocatedError):
    """The source uses something that can't be transformed; `fix` says what to write instead.

    culprit: the innermost user function in which it arose, where it is not the outermost one.
    decisive: whether it is what to say, though attempts before were refused for other reasons.
    """

    culprit: Any = None
    decisive: bool = False


class IslandError(S2sgradError):
    """A function that runs on tensors inside generated code does what can't be followed there."""


OWN_RULE = (  # where the function has no name that a rule could be given to
    "compute it with plain Python or NumPy, or call it in a function of your own that has a rule "
    "(s2sgrad.rule)"
)


class MissingRuleError(LocatedError):
    """A function without a derivative rule is applied to a value that needs a derivative.

    function: the one whose rule lacks the partial of an argument, where it has a rule.
    argument: of which the rule has no derivative. tangent: forward mode asks for it. why: may say
    what to write instead, after a semicolon; else a rule to be filled in is shown.
    """

    def __init__(
        self,
        name: str,
        span: Span | None = None,
        why: str = "",
        function: Any = None,
        argument: str = "",
        tangent: bool = False,
    ) -> None:
        self.name, self.function = name, function
        if argument:
            what = f"{'the tangent of ' * tangent}{name} with respect to '{argument}'"
            fix = (
                "give s2sgrad.rule the tangent as jvp="
                if tangent
                else "hold it fixed (s2sgrad.stop_gradient), or let a rule of yours return its "
                f"cotangent; one that has a default is named to it: optional=('{argument}',)"
            )
            super().__init__(f"no derivative rule for {what}", span, why, fix)
            return
        why, _, instead = why.partition("; ")
        if name.rsplit(".", 1)[-1].startswith("__") or name.startswith("_"):  # not to be named
            instead = instead or OWN_RULE
        if instead:
            super().__init__(f"no derivative rule for {name}", span, why, instead)
            return
        short = name.rsplit(".", 1)[-1].strip("<>") or "f"
        skeleton = (
            "give it a rule:\n"
            f"    @s2sgrad.rule({name})\n"
            f"    def {short}(y_bar, y, x):\n"
            "        return y_bar * ...  # dy/dx, written with y and x"
        )
        super().__init__(f"no derivative rule for {name}", span, why, skeleton)


class RuleError(LocatedError):
    """A rule declaration is malformed, or its derivative is wrong."""


class ShapeError(S2sgradError, ValueError):
    """A cotangent or tangent does not have the shape of its value."""


OWN_MISTAKES = (KeyError, AttributeError, AssertionError, UnboundLocalError)


def own_mistake(name: str, span: Span | None, error: Exception) -> UnsupportedError:
    """What to raise where the compiler itself has failed."""
    return UnsupportedError(
        f"the compiler fails at {name}",
        span,
        f"a mistake of its own, not of this code: {type(error).__name__}: {error}",
        "report it, please; without fallback='error' the function runs on tensors",
    )

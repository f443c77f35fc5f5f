"""Floor 4: a loop while it is being lowered."""

from __future__ import annotations

import ast
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import Any

from s2sgrad.frontend.loops.filling import Filling
from s2sgrad.frontend.state import Frame, Path
from s2sgrad.frontend.values import Value


@dataclass(eq=False)
class Loop:
    """A loop being lowered. paths: its jumps and where they happen."""

    frame: Frame
    unrolled: bool = False
    paths: list[tuple[str, Path]] = field(default_factory=list)
    broke: bool = False
    broke_flag: str = ""
    entry: dict[int, Any] = field(default_factory=dict)  # containers that exist before the loop
    strict: bool = False  # names without a value are errors
    skipped: bool = False  # something was left out since a name has no value yet
    node: ast.AST | None = None
    first_frame: int = 0  # the first activation in it
    filling: Filling | None = None  # numbers that are begun as arrays
    unsure: Callable[[], Set[str]] = set  # tells what may have no value of its own before it
    begun_inside: set[str] = field(default_factory=set)  # variables of its head, not set before it
    rows: Value | None = None  # how many turns of an unrolled loop a run takes

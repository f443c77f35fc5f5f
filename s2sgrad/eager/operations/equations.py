"""The equations of `einsum`: letters for lists of numbers, and errors in torch's words."""

from __future__ import annotations

import string
from typing import Any

import numpy as np

Shapes = list[tuple[int, ...]]


def by_letters(arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """(equation, operands) of `einsum(a, [0, 1], b, [1, 2], [0, 2])`."""
    operands = arguments[: len(arguments) // 2 * 2 : 2]
    lists = [_letters(entry) for entry in arguments[1::2]]
    result = f"->{_letters(arguments[-1])}" if len(arguments) % 2 else ""
    return ",".join(lists[: len(operands)]) + result, operands


def lettered(function: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a call of NumPy's, whose einsum takes lists of numbers too."""
    if function is not np.einsum or len(args) < 2 or isinstance(args[0], str):
        return args
    equation, operands = by_letters(args)
    return equation, *operands


def _letters(entries: Any) -> str:
    letters = string.ascii_uppercase + string.ascii_lowercase
    return "".join("..." if e is Ellipsis else letters[e] for e in entries)


def check_equation(equation: str, shapes: Shapes) -> None:
    """Refuse an equation that is none, or that does not fit the shapes of the operands."""
    if not isinstance(equation, str):
        kind = type(equation).__name__
        raise TypeError(f"einsum(): argument 'equation' (position 1) must be str, not {kind}")
    if not shapes:
        raise ValueError("einsum(): must specify the equation string and at least one operand, or "
                         "at least one operand and its subscripts list")  # fmt: skip
    plain = equation.replace(" ", "")
    left, arrow, right = plain.partition("->")
    for i, letter in enumerate(plain):
        if not (letter in string.ascii_letters or letter in ".,->"):
            raise _error(f"invalid subscript given at index {i} in the equation string, subscripts "
                         "must be in [a-zA-Z]")  # fmt: skip
    parts = left.split(",")
    for number, part in enumerate(parts):
        if part.count("...") > 1:
            raise _error(f"found '.' for operand {number} for which an ellipsis was already found")
        if "." in part.replace("...", ""):
            raise _error(f"found '.' for operand {number} that is not part of any ellipsis")
    if "." in right.replace("...", ""):
        raise _error("found '.' for output that is not part of any ellipsis (...)")
    if len(parts) != len(shapes):
        more = "more" if len(parts) < len(shapes) else "fewer"
        raise _error(f"{more} operands were provided than specified in the equation")
    _check_sizes(parts, shapes)
    if arrow:
        _check_result(left, right.replace("...", ""))


def _check_sizes(parts: list[str], shapes: Shapes) -> None:
    """Every letter stands for one size, and there are as many as axes."""
    seen: dict[str, int] = {}
    for number, (part, shape) in enumerate(zip(parts, shapes, strict=True)):
        before, dots, after = part.partition("...")
        count, own = len(before) + len(after), dict[str, int]()
        if (count > len(shape)) if dots else (count != len(shape)):
            raise _error(
                f"the number of subscripts in the equation ({count}) "
                + ("is more than" if dots else "does not match")
                + f" the number of dimensions ({len(shape)}) for operand {number}"
                + ("" if dots else " and no ellipsis was given")
            )
        sizes = [*shape[: len(before)], *shape[len(shape) - len(after) :]]
        for letter, size in zip(before + after, sizes, strict=True):
            if own.setdefault(letter, size) != size:
                raise _error(f"subscript {letter} is repeated for operand {number} but the sizes "
                             f"don't match, {size} != {own[letter]}")  # fmt: skip
            known = seen.get(letter, 1)
            if known != size and 1 not in (known, size):
                raise _error(
                    f"subscript {letter} has size {size} for operand {number} which does not "
                    f"broadcast with previously seen size {known}"
                )
            seen[letter] = max(known, size)


def _check_result(left: str, right: str) -> None:
    for i, letter in enumerate(right):
        if letter in right[:i]:
            raise _error(f"output subscript {letter} appears more than once in the output")
        if letter not in left:
            raise _error(f"output subscript {letter} does not appear in the equation for any "
                         "input operand")  # fmt: skip


def _error(text: str) -> RuntimeError:
    return RuntimeError(f"einsum(): {text}")

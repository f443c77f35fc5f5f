"""Floor 3: contractions of arrays whose summed lengths are not known to be equal.

`np.tensordot(image[:, i:i + k], w, axes=([1], [0]))` runs only where they are; a run on samples
needs the same length for both. What the result looks like does not depend on it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import UNKNOWN, Array, Known, Scalar, Tuple, Type

Places = list[tuple[int, int]]  # (operand, axis)

# Cotangents of an operand: what they are like, by its place among the arguments.
_LIKE = {s2sgrad_runtime.tensordot_bar_left: 1, s2sgrad_runtime.tensordot_bar_right: 2}


def with_equal_sums(
    function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]
) -> tuple[Type, ...]:
    """The arguments of a contraction with equal lengths for what is summed over together; of any
    other function as they are."""
    if function in (np.tensordot, np.linalg.tensordot):
        axes = kwargs.get("axes", args[2] if len(args) > 2 else None)
        return _with_equal(args, _of_tensordot(args[:2], axes))
    if function is np.einsum and args:
        return (args[0], *_with_equal(args[1:], _of_einsum(_value(args[0]), args[1:])))
    if function in (np.matmul, np.dot, np.inner) and len(args) == 2:
        return _with_equal(args, _of_product(args, turned=function is np.inner))
    return args


def cotangent_type(function: Any, args: tuple[Type, ...]) -> Type | None:
    """The type of an operand's cotangent, where the function gives one."""
    like = args[_LIKE[function]] if function in _LIKE else None
    if not isinstance(like, Array) or any(getattr(a, "dtype", None) is None for a in args[:3]):
        return None
    dtypes = (str(a.dtype) for a in args[:3])  # type: ignore[attr-defined]
    return Array(str(np.result_type(*dtypes)), like.shape)


def _with_equal(args: tuple[Type, ...], groups: list[Places]) -> tuple[Type, ...]:
    """The arguments with one length for all axes of a group: the first that is known."""
    new = list(args)
    for group in groups:
        known = [size for k, axis in group if (size := _size(args[k], axis)) is not None]
        for k, axis in group if known else ():
            kind = new[k]
            assert isinstance(kind, Array) and kind.shape is not None
            shape = tuple(known[0] if i == axis else s for i, s in enumerate(kind.shape))
            new[k] = replace(kind, shape=shape)
    return tuple(new)


def _value(kind: Type) -> Any:
    """The constant that a type tells, in tuples too; None where it does not."""
    if isinstance(kind, Tuple):
        items = tuple(map(_value, kind.items))
        return None if None in items else items
    value = kind.value if isinstance(kind, Scalar | Known) else UNKNOWN
    return None if value is UNKNOWN else value


def _size(kind: Type, axis: int) -> Size | None:
    assert isinstance(kind, Array) and kind.shape is not None
    return kind.shape[axis]


def _rank(kind: Type) -> int | None:
    return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else None


def _of_tensordot(args: tuple[Type, ...], axes: Type | None) -> list[Places]:
    left, right = map(_rank, args)
    given = 2 if axes is None else _value(axes)
    if left is None or right is None or given is None:
        return []
    if isinstance(given, int):
        pairs = [(left - given + k, k) for k in range(given)]
    else:
        first, second = (np.ravel(part).tolist() for part in given)
        pairs = [(i % left, k % right) for i, k in zip(first, second, strict=False)]
    fits = all(0 <= i < left and 0 <= k < right for i, k in pairs)
    return [[(0, i), (1, k)] for i, k in pairs] if fits else []


def _of_einsum(subscripts: Any, operands: tuple[Type, ...]) -> list[Places]:
    if not isinstance(subscripts, str) or "." in subscripts:
        return []
    terms = subscripts.replace(" ", "").partition("->")[0].split(",")
    if [len(term) for term in terms] != [_rank(o) for o in operands]:
        return []
    found: dict[str, Places] = {}
    for k, term in enumerate(terms):
        for axis, letter in enumerate(term):
            found.setdefault(letter, []).append((k, axis))
    return [places for places in found.values() if len(places) > 1]


def _of_product(args: tuple[Type, ...], turned: bool) -> list[Places]:
    left, right = map(_rank, args)
    if not left or not right:
        return []
    inner = right - 1 if turned or right == 1 else right - 2
    return [[(0, left - 1), (1, inner)]]


__all__ = ["cotangent_type", "with_equal_sums"]

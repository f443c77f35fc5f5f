"""Functions without a derivative: of whole numbers and bits, of membership, of signs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad.eager import random
from s2sgrad.eager.batches.array import as_array
from s2sgrad.eager.operations.complaints import not_implemented
from s2sgrad.eager.operations.operators import comparison
from s2sgrad.eager.tensors.creation import finished
from s2sgrad.eager.tensors.dtypes import Size, as_dtype
from s2sgrad.eager.tensors.tensor import Tensor, wrap


def of_arrays(function: Any, name: str | None = None) -> Any:
    """A NumPy function of one or two tensors or numbers, whose result has no history.

    name: what torch calls it where it is for whole numbers only.
    """

    def made(input: Any, *others: Any) -> Tensor:
        arrays = [getattr(v, "_array", v) for v in (input, *others)]
        if name is not None and arrays[0].dtype.kind not in "iu":
            raise not_implemented(name, input)
        return wrap(np.asarray(function(*arrays)))  # type: ignore[no-any-return]

    made.__name__ = made.__qualname__ = function.__name__
    return made


def isin(elements: Any, test_elements: Any, *, invert: bool = False, **_: Any) -> Tensor:
    """Which entries occur among others."""
    entries, others = (getattr(v, "_array", v) for v in (elements, test_elements))
    return wrap(np.isin(entries, others, invert=invert))  # type: ignore[no-any-return]


def isreal(input: Tensor) -> Tensor:
    """Which entries have no imaginary part."""
    return wrap(np.isreal(input._array))  # type: ignore[no-any-return]


def argwhere(input: Tensor) -> Tensor:
    """The indices of entries that are not zero, one a row."""
    return wrap(np.argwhere(input._array))  # type: ignore[no-any-return]


def is_signed(input: Tensor) -> bool:
    """Whether the dtype has negative numbers."""
    return input.dtype.is_signed


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape that these broadcast to."""
    full = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    try:
        return Size(np.broadcast_shapes(*full))
    except ValueError:
        raise RuntimeError(
            "Shape mismatch: objects cannot be broadcast to a single shape"
        ) from None


def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """The coordinates that flat indices stand for."""
    return tuple(wrap(np.asarray(i)) for i in np.unravel_index(indices._array, tuple(shape)))


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """Every run of equal entries as one entry (of equal slices along `dim`)."""
    axis, given = (0, input.reshape(-1)) if dim is None else (dim, input)  # type: ignore[attr-defined]
    rows = np.moveaxis(given._array, axis, 0)
    if not rows.size and len(rows):
        raise RuntimeError(
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
        )
    rows = rows.reshape(len(rows), math.prod(rows.shape[1:]))
    starts = np.concatenate([[True], (rows[1:] != rows[:-1]).any(1)])[: len(rows)]
    first = np.flatnonzero(starts)
    found: list[Any] = [given.index_select(axis, wrap(first))]
    if return_inverse:
        number = np.cumsum(starts) - 1
        found.append(wrap(number.reshape(input._array.shape) if dim is None else number))
    if return_counts:
        found.append(wrap(np.diff(np.append(first, len(rows)))))
    return tuple(found) if len(found) > 1 else found[0]


def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """Indices drawn with these weights, row by row."""
    weights = np.atleast_2d(input._array.astype(float))
    source = generator if isinstance(generator, np.random.Generator) else random.source()
    rows = [source.choice(len(w), num_samples, replacement, w / w.sum()) for w in weights]
    return wrap(np.stack(rows).reshape(*input._array.shape[:-1], num_samples))  # type: ignore[no-any-return]


def randint_like(input: Tensor, low: int, high: Any = None, *, dtype: Any = None) -> Tensor:
    """Integers from low (0) to below high in the shape and dtype of a tensor."""
    low, high = (0, low) if high is None else (low, high)
    target = input._array.dtype if dtype is None else as_dtype(dtype).np

    def draw(rng: Any, shape: Any) -> Any:
        return rng.integers(low, high, shape)

    found = random.drawn(None, input._array.shape, draw)
    return finished(as_array(found).astype(target), False)  # type: ignore[no-any-return]


def frexp(input: Tensor) -> Any:
    """Mantissas and exponents."""
    mantissa, exponent = np.frexp(input._array)
    return wrap(np.asarray(mantissa)), wrap(np.asarray(exponent, np.int32))


_BITS = {name: f"bitwise_{name}" for name in ("and", "or", "xor")}
FUNCTIONS: dict[str, Any] = {
    **{full: comparison(getattr(np, full)) for full in _BITS.values()},
    "bitwise_left_shift": of_arrays(np.left_shift, "lshift"),
    "bitwise_right_shift": of_arrays(np.right_shift, "rshift"),
    "gcd": of_arrays(np.gcd, "gcd"), "lcm": of_arrays(np.lcm, "lcm"),
    "isposinf": of_arrays(np.isposinf),
    "isneginf": of_arrays(np.isneginf), "isreal": isreal, "isin": isin, "argwhere": argwhere,
    "is_signed": is_signed, "broadcast_shapes": broadcast_shapes, "unravel_index": unravel_index,
    "unique_consecutive": unique_consecutive, "multinomial": multinomial,
    "randint_like": randint_like, "frexp": frexp,
}  # fmt: skip
_NO_METHODS = ("isin", "broadcast_shapes", "unravel_index", "randint_like")
for _name, _function in FUNCTIONS.items():
    if _name not in _NO_METHODS:
        setattr(Tensor, _name, _function)

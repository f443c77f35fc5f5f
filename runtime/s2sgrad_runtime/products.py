"""Cotangents of products of arrays. None of them conjugates: the caller does, for complex dtypes.

Each `..._bar_left` is the transpose of `left -> product(left, right)`, in the shape of `left`.
"""

from __future__ import annotations

import math
from functools import cache
from string import ascii_letters
from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.shapes import unbroadcast

__all__ = [
    "cross_bar_left",
    "cross_bar_right",
    "dot_bar_left",
    "dot_bar_right",
    "einsum_bar",
    "einsum_bar_dot",
    "einsum_bar_operands",
    "einsum_bars",
    "einsum_bars_dot",
    "einsum_bars_operands",
    "einsum_dot",
    "einsum_with",
    "inner_bar_left",
    "inner_bar_right",
    "kron_bar_left",
    "kron_bar_right",
    "matmul_bar_left",
    "matmul_bar_right",
    "tensordot_bar_left",
    "tensordot_bar_right",
]


def _row(v: Any) -> Any:
    return np.expand_dims(v, -2)


def _column(v: Any) -> Any:
    return np.expand_dims(v, -1)


def _turned(x: Any) -> Any:
    """The last two axes exchanged; sparse matrices have no others."""
    return np.swapaxes(x, -1, -2) if isinstance(x, np.ndarray) else x.T


@shape_only(1)
def matmul_bar_left(y_bar: Any, x1: Any, x2: Any) -> Any:
    """Cotangent of x1 in `x1 @ x2`: y_bar x2^T, summed over broadcast batches."""
    if np.ndim(x1) == 1 and np.ndim(x2) == 1:
        return y_bar * x2
    if np.ndim(x2) == 1:
        return unbroadcast(_column(y_bar) * x2, x1)
    if np.ndim(x1) == 1:
        return unbroadcast((x2 @ _column(y_bar))[..., 0], x1)
    return unbroadcast(y_bar @ _turned(x2), x1)


@shape_only(2)
def matmul_bar_right(y_bar: Any, x1: Any, x2: Any) -> Any:
    """Cotangent of x2 in `x1 @ x2`: x1^T y_bar, summed over broadcast batches."""
    if np.ndim(x1) == 1 and np.ndim(x2) == 1:
        return y_bar * x1
    if np.ndim(x2) == 1:
        return unbroadcast((_row(y_bar) @ x1)[..., 0, :], x2)
    if np.ndim(x1) == 1:
        return unbroadcast(_column(x1) * _row(y_bar), x2)
    return unbroadcast(_turned(x1) @ y_bar, x2)


@shape_only(1)
def dot_bar_left(y_bar: Any, a: Any, b: Any) -> Any:
    """Cotangent of a in `np.dot(a, b)`."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return unbroadcast(y_bar * b, a)
    if np.ndim(b) == 1 or np.ndim(a) <= 2 >= np.ndim(b):
        return matmul_bar_left(y_bar, a, b)
    others = [i for i in range(np.ndim(b)) if i != np.ndim(b) - 2]
    return np.tensordot(y_bar, b, (list(range(np.ndim(a) - 1, np.ndim(y_bar))), others))


@shape_only(2)
def dot_bar_right(y_bar: Any, a: Any, b: Any) -> Any:
    """Cotangent of b in `np.dot(a, b)`."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return unbroadcast(y_bar * a, b)
    if np.ndim(a) <= 2 >= np.ndim(b):
        return matmul_bar_right(y_bar, a, b)
    batch = list(range(np.ndim(a) - 1))
    b_bar = np.tensordot(a, y_bar, (batch, batch))
    return b_bar if np.ndim(b) == 1 else np.moveaxis(b_bar, 0, -2)


@shape_only(1)
def inner_bar_left(y_bar: Any, a: Any, b: Any) -> Any:
    """Cotangent of a in `np.inner(a, b)`, which sums over both last axes."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return unbroadcast(y_bar * b, a)
    behind = list(range(np.ndim(a) - 1, np.ndim(y_bar)))
    return np.tensordot(y_bar, b, (behind, list(range(np.ndim(b) - 1))))


@shape_only(2)
def inner_bar_right(y_bar: Any, a: Any, b: Any) -> Any:
    """Cotangent of b in `np.inner(a, b)`."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return unbroadcast(y_bar * a, b)
    front = list(range(np.ndim(a) - 1))
    return np.tensordot(y_bar, a, (front, front))


def _contracted(a: Any, b: Any, axes: Any) -> tuple[list[int], list[int]]:
    """The summed axes of both operands of `np.tensordot(a, b, axes)`, non-negative."""
    if np.ndim(axes) == 0 and not isinstance(axes, (tuple, list)):
        count = int(axes)
        return list(range(np.ndim(a) - count, np.ndim(a))), list(range(count))
    left, right = axes
    left = list(left) if isinstance(left, (tuple, list, np.ndarray)) else [left]
    right = list(right) if isinstance(right, (tuple, list, np.ndarray)) else [right]
    return [int(i) % np.ndim(a) for i in left], [int(i) % np.ndim(b) for i in right]


def _place_axes(a: Any, order: list[int]) -> Any:
    """Axis k of `a` becomes axis order[k]."""
    return np.transpose(a, tuple(int(i) for i in np.argsort(order)))


@shape_only(1)
def tensordot_bar_left(y_bar: Any, a: Any, b: Any, axes: Any = 2) -> Any:
    """Cotangent of a in `np.tensordot(a, b, axes)`."""
    summed_a, summed_b = _contracted(a, b, axes)
    free_a = [i for i in range(np.ndim(a)) if i not in summed_a]
    free_b = [i for i in range(np.ndim(b)) if i not in summed_b]
    behind = list(range(len(free_a), np.ndim(y_bar)))
    found = np.tensordot(y_bar, b, (behind, free_b))
    partner = [summed_a[summed_b.index(i)] for i in sorted(summed_b)]
    return _place_axes(found, free_a + partner)


@shape_only(2)
def tensordot_bar_right(y_bar: Any, a: Any, b: Any, axes: Any = 2) -> Any:
    """Cotangent of b in `np.tensordot(a, b, axes)`."""
    summed_a, summed_b = _contracted(a, b, axes)
    free_a = [i for i in range(np.ndim(a)) if i not in summed_a]
    free_b = [i for i in range(np.ndim(b)) if i not in summed_b]
    front = list(range(len(free_a)))
    found = np.tensordot(a, y_bar, (free_a, front))
    partner = [summed_b[summed_a.index(i)] for i in sorted(summed_a)]
    return _place_axes(found, partner + free_b)


def _padded(a: Any, ndim: int) -> tuple[int, ...]:
    shape = tuple(np.shape(a))
    return (1,) * (ndim - len(shape)) + shape


@shape_only(1)
def kron_bar_left(y_bar: Any, a: Any, b: Any) -> Any:
    """Cotangent of a in `np.kron(a, b)`: each block of y_bar against b."""
    ndim = max(np.ndim(a), np.ndim(b))
    sa, sb = _padded(a, ndim), _padded(b, ndim)
    blocks = np.reshape(y_bar, tuple(n for pair in zip(sa, sb, strict=True) for n in pair))
    inner = list(range(1, 2 * ndim, 2))
    found = np.tensordot(blocks, np.reshape(b, sb), (inner, list(range(ndim))))
    return np.reshape(found, np.shape(a))


@shape_only(2)
def kron_bar_right(y_bar: Any, a: Any, b: Any) -> Any:
    """Cotangent of b in `np.kron(a, b)`: the blocks of y_bar weighted by a."""
    ndim = max(np.ndim(a), np.ndim(b))
    sa, sb = _padded(a, ndim), _padded(b, ndim)
    blocks = np.reshape(y_bar, tuple(n for pair in zip(sa, sb, strict=True) for n in pair))
    outer = list(range(0, 2 * ndim, 2))
    found = np.tensordot(blocks, np.reshape(a, sa), (outer, list(range(ndim))))
    return np.reshape(found, np.shape(b))


def _cross_axes(axisa: int, axisb: int, axisc: int, axis: int | None) -> tuple[int, int, int]:
    return (axisa, axisb, axisc) if axis is None else (axis, axis, axis)


def _three(vectors: Any) -> Any:
    """Vectors of two entries lie in the plane of the first two axes."""
    if np.shape(vectors)[-1] == 3:
        return vectors
    return np.concatenate([vectors, np.zeros_like(vectors[..., :1])], axis=-1)


def _as_vectors(y_bar: Any, a: Any, b: Any, axisc: int) -> Any:
    """Cotangents of products as vectors; that of two vectors in the plane is a number."""
    if np.shape(a)[-1] == 2 == np.shape(b)[-1]:
        zeros = np.zeros_like(y_bar)
        return np.stack([zeros, zeros, y_bar], axis=-1)
    return np.moveaxis(y_bar, axisc, -1)


@shape_only(1)
def cross_bar_left(
    y_bar: Any, a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None
) -> Any:
    """Cotangent of a in `a x b`: b x y_bar."""
    axisa, axisb, axisc = _cross_axes(axisa, axisb, axisc, axis)
    a, b = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    found = np.cross(_three(b), _as_vectors(y_bar, a, b, axisc))[..., : np.shape(a)[-1]]
    return np.moveaxis(unbroadcast(found, a), -1, axisa)


@shape_only(2)
def cross_bar_right(
    y_bar: Any, a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None
) -> Any:
    """Cotangent of b in `a x b`: y_bar x a."""
    axisa, axisb, axisc = _cross_axes(axisa, axisb, axisc, axis)
    a, b = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    found = np.cross(_as_vectors(y_bar, a, b, axisc), _three(a))[..., : np.shape(b)[-1]]
    return np.moveaxis(unbroadcast(found, b), -1, axisb)


def _parse(subscripts: str, operands: tuple[Any, ...]) -> tuple[list[str], str]:
    """Input and output subscripts of an einsum, with '...' spelled out in fresh letters."""
    if not isinstance(subscripts, str):
        raise TypeError("the derivative of np.einsum takes subscripts as a string")
    terms, output = _spelled_out(subscripts, tuple(map(np.ndim, operands)))
    return list(terms), output


@cache  # a loop asks for the same a thousand times
def _spelled_out(subscripts: str, axes: tuple[int, ...]) -> tuple[tuple[str, ...], str]:
    """The subscripts of an einsum of operands of so many axes."""
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    used = set(subscripts)
    fresh = [chr(c) for c in range(192, 256) if chr(c) not in used]
    ranks = [n - len(t.replace("...", "")) for t, n in zip(terms, axes, strict=True)]
    longest = max([r for t, r in zip(terms, ranks, strict=True) if "..." in t], default=0)
    spelled = "".join(fresh[:longest])
    if not arrow:
        letters = sorted(set(inputs) - set(",."))
        output = "..." + "".join(c for c in letters if inputs.count(c) == 1)
    named = (
        t.replace("...", spelled[longest - r :] if r else "")
        for t, r in zip(terms, ranks, strict=True)
    )
    return tuple(named), output.replace("...", spelled)


def _renamed(term: str, numbers: dict[str, int]) -> str:
    """The subscripts of a term in letters that NumPy takes, in order of their first use."""
    return "".join(ascii_letters[numbers.setdefault(c, len(numbers))] for c in term)


def einsum_bar(y_bar: Any, k: int, subscripts: str, operands: Any) -> Any:
    """The cotangent of operand k of `np.einsum(subscripts, *operands)`."""
    return _einsum_bar(y_bar, k, *_parse(subscripts, operands), operands)


def einsum_with(x: Any, k: int, subscripts: str, operands: Any) -> Any:
    """The einsum with x in place of operand k: the transpose of `einsum_bar`."""
    return np.einsum(subscripts, *operands[:k], x, *operands[k + 1 :])


def einsum_bar_operands(bar: Any, y_bar: Any, k: int, subscripts: str, operands: Any) -> list[Any]:
    """Cotangents of the operands of `einsum_bar(y_bar, k, subscripts, operands)`."""
    changed = (*operands[:k], bar, *operands[k + 1 :])
    found = []
    for j in tuple(range(len(operands))):
        if j == k:
            found.append(np.zeros_like(operands[j]))
        else:
            found.append(einsum_bar(y_bar, j, subscripts, changed))
    return found


def einsum_bar_dot(dots: Any, y_bar: Any, k: int, subscripts: str, operands: Any) -> Any:
    """Tangent of `einsum_bar(y_bar, k, subscripts, operands)` along those of the operands."""
    total = np.zeros_like(operands[k])
    for j, dot in enumerate(dots):
        if j != k and dot is not None:
            changed = (*operands[:j], dot, *operands[j + 1 :])
            total = total + einsum_bar(y_bar, k, subscripts, changed)
    return total


def _einsum_bar(y_bar: Any, k: int, terms: list[str], output: str, operands: Any) -> Any:
    """Contract y_bar with the other operands, put repeats on the diagonal."""
    shape = np.shape(operands[k])
    wanted, present, inputs, subscripts = _contraction(k, tuple(terms), output)
    arrays = [y_bar, *operands[:k], *operands[k + 1 :]]
    found = np.einsum(subscripts, *arrays, optimize=_worth_ordering(inputs, arrays))
    sizes = [shape[terms[k].index(c)] for c in wanted]
    missing = tuple(i for i, c in enumerate(wanted) if c not in present)
    found = np.expand_dims(found, missing) if missing else found
    ones = tuple(i for i, n in enumerate(sizes) if n == 1 and found.shape[i] != 1)
    found = np.sum(found, axis=ones, keepdims=True) if ones else found
    if np.shape(found) != tuple(sizes) or len(arrays) == 1:
        found = np.broadcast_to(found, sizes)  # of one array einsum gives a view
    if wanted == terms[k]:
        return found
    bar = np.zeros(shape, np.asarray(found).dtype)
    letters = {c: i for i, c in enumerate(wanted)}
    np.einsum(bar, [letters[c] for c in terms[k]], list(range(len(wanted))))[...] = found
    return bar


@cache
def _contraction(
    k: int, terms: tuple[str, ...], output: str
) -> tuple[str, tuple[str, ...], tuple[str, ...], str]:
    """For the cotangent of operand k: its letters once each, those that others have, and the
    subscripts that contract y_bar with the others (each one's, and all)."""
    numbers: dict[str, int] = {}
    wanted = "".join(dict.fromkeys(terms[k]))
    inputs = tuple(_renamed(term, numbers) for term in (output, *terms[:k], *terms[k + 1 :]))
    present = tuple(c for c in wanted if c in numbers)
    return wanted, present, inputs, f"{','.join(inputs)}->{_renamed(''.join(present), numbers)}"


def _worth_ordering(inputs: tuple[str, ...], arrays: list[Any]) -> bool:
    """Whether it pays to look for the best order, and for products of matrices: 0.3 ms."""
    if len(arrays) == 2:
        return sum(map(np.size, arrays)) > 8192
    if math.prod(map(np.size, arrays)) <= 32768:  # the product of all lengths is no greater
        return False
    lengths: dict[str, int] = {}
    for term, array in zip(inputs, arrays, strict=True):
        for letter, length in zip(term, np.shape(array), strict=True):
            lengths[letter] = max(length, lengths.get(letter, 1))
    return math.prod(lengths.values()) > 32768


def einsum_bars(y_bar: Any, subscripts: str, operands: tuple[Any, ...]) -> list[Any]:
    """The cotangents of all operands of `np.einsum(subscripts, *operands)`."""
    terms, output = _parse(subscripts, operands)
    return [_einsum_bar(y_bar, k, terms, output, operands) for k in range(len(operands))]


def einsum_dot(operands_dot: Any, subscripts: str, operands: tuple[Any, ...]) -> Any:
    """Tangent of `np.einsum(subscripts, *operands)`: each operand's turn, added up.

    A None among `operands_dot` stands for zeros.
    """
    total: Any = None
    for k, x_dot in enumerate(operands_dot):
        if x_dot is not None:
            term = np.einsum(subscripts, *operands[:k], x_dot, *operands[k + 1 :])
            total = term if total is None else total + term
    return total


def einsum_bars_operands(
    bars: Any, y_bar: Any, subscripts: str, operands: tuple[Any, ...]
) -> list[Any]:
    """Cotangents of the operands of `einsum_bars(y_bar, subscripts, operands)`."""
    totals: list[Any] = [None] * len(operands)
    for k, bar in enumerate(bars):
        changed = (*operands[:k], bar, *operands[k + 1 :])
        for j in tuple(range(len(operands))):
            if j != k:
                term = einsum_bar(y_bar, j, subscripts, changed)
                totals[j] = term if totals[j] is None else totals[j] + term
    if len(operands) == 1:  # of which the bars do not depend
        kind = y_bar.dtype if isinstance(y_bar, np.ndarray | np.generic) else float
        return [np.zeros(np.shape(operands[0]), kind)]
    return totals


def einsum_bars_dot(
    operands_dot: Any, y_bar: Any, subscripts: str, operands: tuple[Any, ...]
) -> list[Any]:
    """Tangent of `einsum_bars(y_bar, subscripts, operands)`: its own transpose."""
    bars = [
        np.zeros(np.shape(x)) if x_dot is None else x_dot
        for x, x_dot in zip(operands, operands_dot, strict=True)
    ]
    return einsum_bars_operands(bars, y_bar, subscripts, operands)

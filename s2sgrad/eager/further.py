"""Less common functions of torch's namespace, made of the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.creation import tensor
from s2sgrad.eager.joining import cat, stack
from s2sgrad.eager.misc import _picked, meshgrid
from s2sgrad.eager.record import plain
from s2sgrad.eager.reducing import mean, norm, std, var
from s2sgrad.eager.shaping import axis_of
from s2sgrad.eager.tensor import Tensor, wrap


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The k-th smallest value along a dim, counted from 1, and where it is."""
    axis = axis_of(dim, input._array.ndim)
    order = np.argsort(input._array, axis=axis, kind="stable")
    return _picked("kthvalue", input, np.take(order, [k - 1], axis=axis), axis, keepdim)


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """The most frequent value along a dim (the smallest of them) and where it is last."""
    axis = axis_of(dim, input._array.ndim)

    def last_of(row: np.ndarray[Any, Any]) -> int:
        values, counts = np.unique(row, return_counts=True)
        return int(np.nonzero(row == values[np.argmax(counts)])[0][-1])

    index = np.apply_along_axis(last_of, axis, input._array)
    return _picked("mode", input, np.expand_dims(index, axis), axis, keepdim)


def cumulative_extreme(name: str, better: Any) -> Any:
    """`cummax` and `cummin`: running extreme along a dim, the last one where there are several."""

    def scan(input: Tensor, dim: int) -> Any:
        axis = axis_of(dim, input._array.ndim)
        rows = np.moveaxis(input._array, axis, 0)
        index = np.zeros(rows.shape, np.int64)
        for i in range(1, rows.shape[0]):
            before = np.take_along_axis(rows, index[i - 1][None], 0)[0]
            index[i] = np.where(better(rows[i], before), i, index[i - 1])
        return _picked(name, input, np.moveaxis(index, 0, axis), axis)

    return scan


def std_mean(input: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean."""
    keep = {k: v for k, v in kwargs.items() if k in ("dim", "keepdim")}
    return std(input, *args, **kwargs), mean(input, *args[:1], **keep)


def var_mean(input: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
    """Variance and mean."""
    keep = {k: v for k, v in kwargs.items() if k in ("dim", "keepdim")}
    return var(input, *args, **kwargs), mean(input, *args[:1], **keep)


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The p-norm of the difference."""
    return norm(input - other, p)


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distance of each row of x1 to each row of x2."""
    return norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), p, -1)


def block_diag(*tensors: Tensor) -> Tensor:
    """The matrices along the diagonal, zeros elsewhere."""
    shapes = [t._array.shape for t in tensors]
    width = sum(s[1] for s in shapes)
    rows, start = [], 0
    for t, (n, m) in zip(tensors, shapes, strict=True):
        left, right = t.new_zeros(n, start), t.new_zeros(n, width - start - m)
        rows.append(cat([left, t, right], 1))
        start += m
    return cat(rows, 0)


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All combinations of entries, one a row."""
    return stack([g.reshape(-1) for g in meshgrid(*tensors)], 1)


def view_as_real(input: Tensor) -> Tensor:
    """A last axis with real and imaginary part."""
    return stack([input.real, input.imag], -1)


def view_as_complex(input: Tensor) -> Tensor:
    """The complex numbers whose parts lie along the last axis."""
    from s2sgrad.eager.creation import complex_

    return complex_(input[..., 0], input[..., 1])


def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """`abs * exp(1j * angle)`."""
    from s2sgrad.eager.creation import complex_

    return complex_(abs * angle.cos(), abs * angle.sin())


def real(input: Tensor) -> Tensor:
    """The real part."""
    return input.real


def imag(input: Tensor) -> Tensor:
    """The imaginary part."""
    return input.imag


def unique(input: Tensor, sorted: bool = True, return_inverse: bool = False,
           return_counts: bool = False, dim: int | None = None) -> Any:  # fmt: skip
    """The different values, in order."""
    options: dict[str, Any] = {"return_inverse": return_inverse, "return_counts": return_counts}
    found: Any = np.unique(input._array, axis=dim, **options)
    return tuple(map(wrap, found)) if isinstance(found, tuple) else wrap(found)


def tril_indices(row: int, col: int, offset: int = 0, **_: Any) -> Tensor:
    """Row and column numbers of the lower triangle."""
    return tensor(np.stack(np.tril_indices(row, offset, col)))


def triu_indices(row: int, col: int, offset: int = 0, **_: Any) -> Tensor:
    """Row and column numbers of the upper triangle."""
    return tensor(np.stack(np.triu_indices(row, offset, col)))


def bucketize(input: Any, boundaries: Tensor, *, right: bool = False) -> Tensor:
    """The number of the bucket each entry falls into."""
    side: Any = "right" if right else "left"
    return wrap(np.asarray(np.searchsorted(boundaries._array, plain(input), side)))


def atleast(count: int) -> Any:
    """`atleast_1d` and its like."""

    def at_least(input: Tensor) -> Tensor:
        while input._array.ndim < count:
            input = input.unsqueeze(2 if input._array.ndim == 2 else 0)
        return input

    return at_least


def is_nonzero(input: Tensor) -> bool:
    """Whether the one entry is not zero."""
    return bool(input)


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether the shapes agree."""
    return input._array.shape == other._array.shape


FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        kthvalue, mode, std_mean, var_mean, dist, cdist, block_diag, cartesian_prod, view_as_real,
        view_as_complex, polar, real, imag, unique, tril_indices, triu_indices, bucketize,
        is_nonzero, is_same_size,
    )
}  # fmt: skip
FUNCTIONS["cummax"] = cumulative_extreme("cummax", np.greater_equal)
FUNCTIONS["cummin"] = cumulative_extreme("cummin", np.less_equal)
for _count in (1, 2, 3):
    FUNCTIONS[f"atleast_{_count}d"] = atleast(_count)
for _name in ("kthvalue", "mode", "dist", "unique", "cummax", "cummin"):
    setattr(Tensor, _name, FUNCTIONS[_name])

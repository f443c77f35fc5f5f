"""Less common functions of torch's namespace, made of the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.operations.complex_views import view_as_complex, view_as_real
from s2sgrad.eager.operations.joining import cat, stack
from s2sgrad.eager.operations.misc import _picked, alone, meshgrid, shared_nan, sort
from s2sgrad.eager.operations.named import FUNCTIONS as FUNCTIONS_OF_MATRICES
from s2sgrad.eager.operations.named import RETURNED
from s2sgrad.eager.operations.primitives import lower_median
from s2sgrad.eager.operations.reducing import amax, amin, mean, norm, some_along, std, var
from s2sgrad.eager.operations.shaping import axis_of
from s2sgrad.eager.recording.node import named_as
from s2sgrad.eager.recording.record import apply, op_of, plain
from s2sgrad.eager.tensors.creation import sizes_of, tensor
from s2sgrad.eager.tensors.dtypes import by_name, get_default_dtype
from s2sgrad.eager.tensors.promotion import numeric
from s2sgrad.eager.tensors.tensor import Tensor, floats, wrap


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The k-th smallest value along a dim, counted from 1, and where it is."""
    axis = axis_of(dim, input._array.ndim)
    order = np.argsort(input._array, axis=axis, kind="stable")
    return _picked("kthvalue", input, np.take(order, [k - 1], axis=axis), axis, keepdim)


def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """The most frequent value along a dim (the smallest of them) and where it is last."""
    axis = axis_of(dim, input._array.ndim)
    if input._array.ndim == 0:
        return alone("mode", input)
    some_along("mode", input, axis)
    if input._array.size == 0:
        places = np.zeros(np.delete(input._array.shape, axis), np.int64)
        return _picked("mode", input, np.expand_dims(places, axis), axis, keepdim)

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

    scan.__name__ = scan.__qualname__ = name
    return scan


def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant; nan where that is negative."""
    sign, value = FUNCTIONS_OF_MATRICES["slogdet"](input)
    none = np.where(sign._array < 0, np.nan, 0.0).astype(value._array.dtype)
    return named_as(value + wrap(none), "WhereBackward0")  # type: ignore[no-any-return]


def renorm(input: Tensor, p: float, dim: int, maxnorm: float) -> Tensor:
    """The slices along a dim, scaled down to a p-norm of at most `maxnorm`."""
    axis = axis_of(dim, input._array.ndim)
    others = [i for i in range(input._array.ndim) if i != axis]
    sizes = norm(input, p, others, True)
    factor = (maxnorm / (sizes + 1e-7)).clamp(max=1)
    return named_as(input * factor, "RenormBackward0")  # type: ignore[no-any-return]


def std_mean(input: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean."""
    keep = {k: v for k, v in kwargs.items() if k in ("dim", "keepdim")}
    pair = std(input, *args, **kwargs), mean(input, *args[:1], **keep)
    return named_as(pair[0], "StdMeanBackward0"), named_as(pair[1], "StdMeanBackward0")


def var_mean(input: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
    """Variance and mean."""
    keep = {k: v for k, v in kwargs.items() if k in ("dim", "keepdim")}
    pair = var(input, *args, **kwargs), mean(input, *args[:1], **keep)
    return named_as(pair[0], "VarMeanBackward0"), named_as(pair[1], "VarMeanBackward0")


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """The p-norm of the difference."""
    return norm(input - other, p, name="DistBackward0")


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm distance of each row of x1 to each row of x2."""
    for name, t in (("X1", x1), ("X2", x2)):
        if t._array.ndim < 2:
            raise RuntimeError(
                f"cdist only supports at least 2D tensors, {name} got: {t._array.ndim}D"
            )
    n, m = x1._array.shape[-1], x2._array.shape[-1]
    if n != m:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {n} X2: {m}")
    return norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), p, -1, name="CdistBackward0")


def block_diag(*tensors: Tensor) -> Tensor:
    """The matrices along the diagonal, zeros elsewhere."""
    tensors = tuple(t.reshape(1, -1) if t._array.ndim < 2 else t for t in tensors)  # type: ignore[attr-defined]
    shapes = [t._array.shape for t in tensors]
    width = sum(s[1] for s in shapes)
    rows, start = [], 0
    for t, (n, m) in zip(tensors, shapes, strict=True):
        left, right = t.new_zeros(n, start), t.new_zeros(n, width - start - m)
        rows.append(cat([left, t, right], 1))
        start += m
    return named_as(cat(rows, 0), "BlockDiagBackward0")  # type: ignore[no-any-return]


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All combinations of entries, one a row; a vector alone stays as it is."""
    if len(tensors) == 1:
        return tensors[0]
    return stack([g.reshape(-1) for g in meshgrid(*tensors)], 1)


def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """`abs * exp(1j * angle)`."""
    from s2sgrad.eager.tensors.creation import complex_

    return named_as(complex_(abs * angle.cos(), abs * angle.sin()), "PolarBackward0")  # type: ignore[no-any-return]


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
    _, first, *more = np.unique(input._array, return_index=True, axis=dim, **options)
    axis, given = (0, input.reshape(-1)) if dim is None else (dim, input)  # type: ignore[attr-defined]
    values = given.index_select(axis, wrap(first))  # one of the equal entries stands for all
    if dim is None:
        named_as(values, "Unique2Backward0")
    return (values, *map(wrap, more)) if more else values


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

    def at_least(input: Any, *others: Any) -> Any:
        if others or isinstance(input, (list, tuple)):
            return tuple(at_least(t) for t in ((input, *others) if others else input))
        while input._array.ndim < count:
            input = input.unsqueeze(2 if input._array.ndim == 2 else 0)
        return input

    return at_least


def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    """The smallest and the largest value."""
    where = () if dim is None else dim
    pair = amin(input, where, keepdim), amax(input, where, keepdim)
    return RETURNED["aminmax"](*(named_as(t, "AminmaxBackward0") for t in pair))


def nanmedian(input: Tensor) -> Tensor:
    """The lower median of the entries that are numbers; NaN where there are none."""
    if np.isnan(input._array).all():
        return named_as(shared_nan(input), "NanmedianBackward0")
    return apply(op_of(lower_median, "NanmedianBackward0"), (input[~input.isnan()],), {})


def ldexp(input: Tensor, other: Tensor) -> Tensor:
    """`input * 2**other`."""
    power = pow(2.0, other)
    if floats(input._array.dtype) and not floats(other._array.dtype):
        power = power.to(input.dtype)  # type: ignore[attr-defined]
    return named_as(input * power, "LdexpBackward0")  # type: ignore


def rsub(input: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """`other - alpha * input`."""
    name = "RsubBackward0" if isinstance(other, Tensor) else "RsubBackward1"
    return numeric(op_of(np.subtract, name), (other, input if alpha == 1 else input * alpha))


def float_power(input: Tensor, exponent: Any) -> Tensor:
    """`input ** exponent` in double precision."""
    wide = input.to(by_name("complex128" if input._array.dtype.kind == "c" else "float64"))  # type: ignore
    if isinstance(exponent, Tensor):
        exponent = exponent.to(wide.dtype)  # type: ignore[attr-defined]
    return wide**exponent  # type: ignore[no-any-return]


def msort(input: Tensor) -> Tensor:
    """Sorted along the first axis."""
    return sort(input, 0 if input._array.ndim else -1).values


def sum_to_size(input: Tensor, *size: Any) -> Tensor:
    """Summed over the axes that a broadcast from `size` would repeat."""
    wanted, own = sizes_of(size), input._array.shape
    extra = len(own) - len(wanted)
    dims = [*range(extra), *(i for i, n in enumerate(wanted, extra) if n == 1 and own[i] != 1)]
    made = input.sum(dims, keepdim=True) if dims else input  # type: ignore[attr-defined]
    return made.view(wanted) if extra else made  # type: ignore[attr-defined]


def corrcoef(input: Tensor) -> Tensor:
    """The correlations of the rows."""
    given = (
        input if input.is_floating_point() or input.is_complex() else input.to(get_default_dtype())
    )  # type: ignore[attr-defined]
    return apply(op_of(np.corrcoef, "ClampBackward1"), (given,), {"dtype": given._array.dtype})


def fill_diagonal_(input: Tensor, value: Any) -> Tensor:
    """One value on the diagonal, in place."""
    input.diagonal().fill_(value)  # type: ignore[attr-defined]
    return input


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
        is_nonzero, is_same_size, aminmax, nanmedian, ldexp, rsub, msort, corrcoef,
        float_power, logdet, renorm,
    )
}  # fmt: skip
FUNCTIONS["cummax"] = cumulative_extreme("cummax", np.greater_equal)
FUNCTIONS["cummin"] = cumulative_extreme("cummin", np.less_equal)
for _count in (1, 2, 3):
    FUNCTIONS[f"atleast_{_count}d"] = atleast(_count)
for _name in ("kthvalue", "mode", "dist", "unique", "cummax", "cummin", "aminmax", "nanmedian",
              "ldexp", "msort", "corrcoef", "is_same_size",
              "float_power", "logdet", "renorm"):  # fmt: skip
    setattr(Tensor, _name, FUNCTIONS[_name])
_T: Any = Tensor
_T.sum_to_size, _T.fill_diagonal_ = sum_to_size, fill_diagonal_

"""Cotangents of banded, circulant and sparse solves, and of least squares in scipy.linalg."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime.elementwise import safe_divide
from s2sgrad_runtime.inverses import (
    as_columns,
    lstsq_bar_left,
    lstsq_bar_right,
    lstsq_dot_left,
    lstsq_dot_right,
)
from s2sgrad_runtime.linalg import only_if
from s2sgrad_runtime.scipy_helpers import (
    scipy_solve_banded,
    scipy_solve_toeplitz,
)
from s2sgrad_runtime.shapes import real_like, unbroadcast
from s2sgrad_runtime.trees import stop_gradient

Bands = tuple[int, int]

__all__ = [
    "banded_bar_left",
    "banded_bar_right",
    "banded_outer",
    "banded_product",
    "banded_transpose",
    "circulant_bar_left",
    "circulant_bar_right",
    "circulant_dot_left",
    "circulant_dot_right",
    "fiedler_pullback",
    "fiedler_pushforward",
    "hermitian_banded_product",
    "hermitian_banded_pullback",
    "hermitian_bands",
    "scipy_lstsq_bar_left",
    "scipy_lstsq_bar_right",
    "scipy_lstsq_dot_left",
    "scipy_lstsq_dot_right",
    "shifted",
    "shifted_rows",
    "sparse_adjoint",
    "toeplitz_bar_column",
    "toeplitz_bar_right",
    "toeplitz_bar_row",
    "toeplitz_product",
    "toeplitz_solution",
    "with_residual_vector",
]


def shifted(row: Any, k: int) -> Any:
    """row[j + k] at place j, 0 where there is none."""
    n = len(row)
    if k >= 0:
        return np.concatenate([row[min(k, n) :], np.zeros(min(k, n), row.dtype)])
    return np.concatenate([np.zeros(min(-k, n), row.dtype), row[: max(n + k, 0)]])


def banded_transpose(ab: Any, bands: Bands) -> Any:
    """The bands of the transpose of the matrix with bands `ab` = (lower, upper)."""
    lower, upper = bands
    return np.stack([shifted(ab[upper - k], k) for k in range(-lower, upper + 1)])


def banded_outer(b_bar: Any, y: Any, bands: Bands) -> Any:
    """The bands of b_bar y^H."""
    left, right = as_columns(b_bar), np.conj(as_columns(y))
    lower, upper = bands
    columns = [shifted_rows(left, -k) * right for k in range(upper, -lower - 1, -1)]
    return np.stack([np.sum(c, axis=-1) for c in columns])


def shifted_rows(a: Any, k: int) -> Any:
    """a[i + k] at row i, 0 where there is none."""
    n = len(a)
    none = np.zeros((min(abs(k), n), *np.shape(a)[1:]), a.dtype)
    if k >= 0:
        return np.concatenate([a[min(k, n) :], none])
    return np.concatenate([none, a[: max(n + k, 0)]])


def banded_product(ab: Any, bands: Bands, x: Any) -> Any:
    """The matrix with bands `ab` times x."""
    lower, upper = bands
    columns = as_columns(x)
    total = 0.0
    for k in range(-lower, upper + 1):
        total = total + shifted_rows(ab[upper - k][:, np.newaxis] * columns, k)
    return np.reshape(total, np.shape(x))


def banded_bar_right(y_bar: Any, bands: Bands, ab: Any) -> Any:
    """Cotangent of b in y = solve_banded(bands, ab, b)."""
    lower, upper = bands
    return scipy_solve_banded((upper, lower), np.conj(banded_transpose(ab, bands)), y_bar)


def banded_bar_left(y_bar: Any, y: Any, bands: Bands, ab: Any) -> Any:
    """Cotangent of ab in y = solve_banded(bands, ab, b); corners that are not read get 0."""
    return -banded_outer(banded_bar_right(y_bar, bands, ab), y, bands)


def hermitian_bands(ab: Any, lower: bool) -> Any:
    """All bands of the Hermitian matrix whose upper or lower half `ab` holds."""
    reach = len(ab) - 1
    rows = [ab[k] if lower else np.conj(shifted(ab[reach - k], k)) for k in range(reach + 1)]
    rows[0] = np.real(rows[0]) + 0 * rows[0]
    above = [np.conj(shifted(rows[k], -k)) for k in range(reach, 0, -1)]
    return np.stack([*above, *rows])


def hermitian_banded_pullback(b_bar: Any, y: Any, ab: Any, lower: bool) -> Any:
    """Cotangent of ab in y = solveh_banded(ab, b, lower), given that of b."""
    reach = len(ab) - 1
    full = -banded_outer(b_bar, y, (reach, reach))
    rows = [np.real(full[reach]) + 0 * full[reach]]
    for k in range(1, reach + 1):
        rows.append(full[reach + k] + np.conj(shifted(full[reach - k], k)))
    if lower:
        return np.stack(rows)
    return np.stack([np.conj(shifted(rows[k], -k)) for k in range(reach, -1, -1)])


def hermitian_banded_product(ab: Any, x: Any, lower: bool) -> Any:
    """The Hermitian banded matrix times x."""
    reach = len(ab) - 1
    return banded_product(hermitian_bands(ab, lower), (reach, reach), x)


def circulant_bar_right(
    y_bar: Any, c: Any, b: Any, singular: str, tol: Any, caxis: int, baxis: int, outaxis: int
) -> Any:
    """Cotangent of b in y = solve_circulant(c, b, singular, tol, caxis, baxis, outaxis)."""
    inverse = np.conj(_inverse_spectrum(c, singular, tol, caxis))
    found = np.fft.ifft(np.fft.fft(np.moveaxis(y_bar, outaxis, -1)) * inverse)
    return np.moveaxis(unbroadcast(found, np.moveaxis(b, baxis, -1)), -1, baxis)


def circulant_bar_left(
    y_bar: Any, y: Any, c: Any, singular: str, tol: Any, caxis: int, outaxis: int
) -> Any:
    """Cotangent of c: minus a circular correlation of y and the cotangent of b."""
    inverse = np.conj(_inverse_spectrum(c, singular, tol, caxis))
    spectrum = np.conj(np.fft.fft(np.moveaxis(y, outaxis, -1)))
    found = -np.fft.ifft(np.fft.fft(np.moveaxis(y_bar, outaxis, -1)) * inverse * spectrum)
    return np.moveaxis(unbroadcast(found, np.moveaxis(c, caxis, -1)), -1, caxis)


def circulant_dot_right(
    b_dot: Any, y: Any, c: Any, singular: str, tol: Any, caxis: int, baxis: int, outaxis: int
) -> Any:
    """Tangent of y = solve_circulant(c, b, ...) along b_dot: the solution for it."""
    inverse = _inverse_spectrum(c, singular, tol, caxis)
    found = np.fft.ifft(np.fft.fft(np.moveaxis(b_dot, baxis, -1)) * inverse)
    return np.moveaxis(real_like(found, y), -1, outaxis)


def circulant_dot_left(
    c_dot: Any, y: Any, c: Any, singular: str, tol: Any, caxis: int, outaxis: int
) -> Any:
    """Tangent of y = solve_circulant(c, b, ...) along c_dot: the solution for -c_dot * y."""
    inverse = _inverse_spectrum(c, singular, tol, caxis)
    spectrum = np.fft.fft(np.moveaxis(y, outaxis, -1))
    found = -np.fft.ifft(np.fft.fft(np.moveaxis(c_dot, caxis, -1)) * inverse * spectrum)
    return np.moveaxis(real_like(found, y), -1, outaxis)


def _inverse_spectrum(c: Any, singular: str, tol: Any, caxis: int) -> Any:
    """What solve_circulant multiplies the spectrum of b by: 0 where c has none to divide by."""
    spectrum = np.fft.fft(np.moveaxis(c, caxis, -1))
    if singular == "raise":
        return 1.0 / spectrum
    sizes = np.abs(stop_gradient(spectrum))
    least = np.max(sizes, axis=-1, keepdims=True) * np.shape(sizes)[-1] * np.finfo(sizes.dtype).eps
    return safe_divide(
        np.ones_like(spectrum), np.where(sizes <= (least if tol is None else tol), 0.0, spectrum)
    )


def with_residual_vector(y: Any) -> Any:
    """scipy.linalg.lstsq's results, the residuals as a vector as NumPy has them."""
    return y[0], np.atleast_1d(y[1]), y[2], y[3]


def _factors(y: Any, a: Any, driver: Any) -> Any:
    """What scipy.linalg.lstsq found, as NumPy has it. `gelsy` leaves out other vectors."""
    by_singular_values = driver != "gelsy" or y[2] == min(np.shape(a))
    return with_residual_vector(only_if(by_singular_values, y, "lstsq by gelsy, without full rank"))


def scipy_lstsq_bar_left(y_bar: Any, y: Any, a: Any, b: Any, driver: Any = None) -> Any:
    """Cotangent of a in scipy.linalg.lstsq(a, b)."""
    return lstsq_bar_left(with_residual_vector(y_bar), _factors(y, a, driver), a, b)


def scipy_lstsq_bar_right(y_bar: Any, y: Any, a: Any, b: Any, driver: Any = None) -> Any:
    """Cotangent of b in scipy.linalg.lstsq(a, b)."""
    return lstsq_bar_right(with_residual_vector(y_bar), _factors(y, a, driver), a, b)


def scipy_lstsq_dot_left(a_dot: Any, y: Any, a: Any, b: Any, driver: Any = None) -> Any:
    """Tangent of scipy.linalg.lstsq(a, b) along a_dot."""
    x, residuals, rank, s = lstsq_dot_left(a_dot, _factors(y, a, driver), a, b)
    return x, np.reshape(residuals, np.shape(y[1])), rank, s


def scipy_lstsq_dot_right(b_dot: Any, y: Any, a: Any, b: Any, driver: Any = None) -> Any:
    """Tangent of scipy.linalg.lstsq(a, b) along b_dot."""
    x, residuals, rank, s = lstsq_dot_right(b_dot, _factors(y, a, driver), a, b)
    return x, np.reshape(residuals, np.shape(y[1])), rank, s


def fiedler_pullback(y_bar: Any, a: Any) -> Any:
    """Cotangent of a in fiedler(a), the matrix of |a_i - a_j|."""
    sign = np.sign(a[..., :, np.newaxis] - a[..., np.newaxis, :])
    return np.sum(sign * (y_bar + np.swapaxes(y_bar, -1, -2)), axis=-1)


def fiedler_pushforward(a_dot: Any, a: Any) -> Any:
    """Tangent of fiedler(a) along a_dot."""
    sign = np.sign(a[..., :, np.newaxis] - a[..., np.newaxis, :])
    return np.real(np.conj(sign) * (a_dot[..., :, np.newaxis] - a_dot[..., np.newaxis, :]))


def sparse_adjoint(a: Any) -> Any:
    """The conjugate transpose of a sparse or dense matrix or linear operator."""
    return a.H if hasattr(a, "H") else a.conj().T


def toeplitz_solution(c: Any, r: Any, b: Any) -> Any:
    """The solution for a vector b; the matrix has first column c and first row r, without r[0]."""
    return scipy_solve_toeplitz((c, r), b)


def toeplitz_product(c: Any, r: Any, x: Any) -> Any:
    """The matrix with first column c and first row r, without r[0], times x."""
    n = len(x)
    return np.convolve(np.concatenate((np.flip(r[1:]), c)), x)[n - 1 : 2 * n - 1]


def toeplitz_bar_right(y_bar: Any, c: Any, r: Any) -> Any:
    """Cotangent of b: the solution with the adjoint matrix."""
    return toeplitz_solution(np.conj(np.concatenate((c[:1], r[1:]))), np.conj(c), y_bar)


def toeplitz_bar_column(b_bar: Any, y: Any) -> Any:
    """Cotangent of the first column: sums along the diagonals of -b_bar y^H."""
    return -np.correlate(b_bar, y, "full")[len(y) - 1 :]


def toeplitz_bar_row(b_bar: Any, y: Any) -> Any:
    """Cotangent of the first row, whose first entry is not read."""
    sums = np.correlate(b_bar, y, "full")[: len(y) - 1]
    return -np.concatenate((np.zeros(1, sums.dtype), np.flip(sums)))

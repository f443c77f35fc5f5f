"""Floor 4: polynomials of NumPy that are read in place of its own functions.

`np.poly`, `np.polyfit` and `np.polydiv` have coefficients from the highest power down; those of
`np.polynomial` from the constant up.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def poly(seq_of_zeros: Any) -> Any:
    """np.poly: the polynomial with these roots, or the characteristic one of a matrix."""
    if np.ndim(seq_of_zeros) == 2:
        found = _from_roots(np.linalg.eigvals(seq_of_zeros))
        return found if np.iscomplexobj(seq_of_zeros) else np.real(found)
    return _from_roots(np.atleast_1d(seq_of_zeros))


def _from_roots(roots: Any) -> Any:
    p = np.ones(1)
    for root in roots:
        p = np.concatenate((p, np.zeros(1))) - np.concatenate((np.zeros(1), p * root))
    return p


def fitted(basis: Any, y: Any, rcond: Any, w: Any) -> Any:
    """The coefficients of least squares, with columns of length one, as NumPy solves for: high
    powers of large numbers would seem to depend on each other."""
    if w is not None:
        basis = basis * np.reshape(w, (-1, 1))
        y = y * w if np.ndim(y) == 1 else y * np.reshape(w, (-1, 1))
    lengths = np.sqrt(np.sum(basis * basis, axis=0))
    least = len(basis) * np.finfo(float).eps if rcond is None else rcond
    found = np.linalg.lstsq(basis / lengths, y, rcond=least)[0]
    return found / lengths if np.ndim(y) == 1 else found / np.reshape(lengths, (-1, 1))


def fitted_to_some(vander: Any, x: Any, y: Any, deg: Any, rcond: Any, w: Any) -> Any:
    """The same where `deg` is a list of the degrees that are there; the others have zeros."""
    if np.ndim(deg) == 0:
        return fitted(vander(x, deg), y, rcond, w)
    there = np.sort(deg)
    found = fitted(vander(x, there[-1])[:, there], y, rcond, w)
    c = np.zeros((there[-1] + 1, *np.shape(found)[1:]), found.dtype)
    c[there] = found
    return c


def polyfit(
    x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None,
    cov: Any = False,
) -> Any:  # fmt: skip
    """np.polyfit: its coefficients, and how they vary together."""
    if full:
        raise NotImplementedError("np.polyfit(full=True): leave it out")
    y = np.asarray(y)
    rows = np.vander(x, deg + 1)
    c = fitted(rows, y, rcond, w)
    if cov is False:
        return c
    gap = y - rows @ c
    if w is not None:
        rows, gap = rows * np.expand_dims(w, 1), np.transpose(np.transpose(gap) * w)
    spread = np.linalg.inv(rows.T @ rows)
    if isinstance(cov, str):
        return c, spread
    factor = np.sum(gap**2, axis=0) / (len(rows) - deg - 1)
    return c, spread * factor if np.ndim(y) == 1 else np.expand_dims(spread, -1) * factor


def polydiv(u: Any, v: Any) -> Any:
    """np.polydiv: quotient and remainder."""
    v = np.asarray(v)
    n = len(v)
    r = np.array(u) + 0.0 * v[0]
    q = np.zeros(max(len(u) - n + 1, 1), r.dtype)
    for k in range(len(u) - n + 1):
        q[k] = r[k] / v[0]
        r[k : k + n] -= q[k] * v
    while len(r) > 1 and np.allclose(r[0], 0, rtol=1e-14):
        r = r[1:]
    return q, r


def _spread(c: Any, x: Any, tensor: bool) -> Any:
    """Coefficients with an axis for each of x's behind, where they are a table for all of x."""
    return np.reshape(c, np.shape(c) + (1,) * np.ndim(x)) if tensor and np.ndim(c) > 1 else c


def polyval(x: Any, c: Any, tensor: bool = True) -> Any:
    """np.polynomial.polynomial.polyval."""
    c = _spread(c, x, tensor)
    found = c[-1] + 0.0 * x
    for k in range(2, len(c) + 1):
        found = c[-k] + found * x
    return found


def _clenshaw(x: Any, c: Any, tensor: bool, first: Any, second: Any, last: Any) -> Any:
    """The sum of c_n p_n(x), where p_(n+1) = first(n) p_n - second(n) p_(n-1), p_1 = last."""
    c = _spread(c, x, tensor)
    later, found = 0.0 * x, c[-1] + 0.0 * x
    for n in range(len(c) - 2, 0, -1):
        later, found = found, c[n] + first(n) * found - second(n + 1) * later
    return c[0] + last * found - second(1) * later if len(c) > 1 else found


def chebval(x: Any, c: Any, tensor: bool = True) -> Any:
    """np.polynomial.chebyshev.chebval."""
    return _clenshaw(x, c, tensor, lambda n: 2.0 * x, lambda n: 1.0, x)


def legval(x: Any, c: Any, tensor: bool = True) -> Any:
    """np.polynomial.legendre.legval."""
    return _clenshaw(x, c, tensor, lambda n: (2 * n + 1) / (n + 1) * x, lambda n: n / (n + 1), x)


def hermval(x: Any, c: Any, tensor: bool = True) -> Any:
    """np.polynomial.hermite.hermval."""
    return _clenshaw(x, c, tensor, lambda n: 2.0 * x, lambda n: 2.0 * n, 2.0 * x)


def hermeval(x: Any, c: Any, tensor: bool = True) -> Any:
    """np.polynomial.hermite_e.hermeval."""
    return _clenshaw(x, c, tensor, lambda n: x, lambda n: 1.0 * n, x)


def lagval(x: Any, c: Any, tensor: bool = True) -> Any:
    """np.polynomial.laguerre.lagval."""
    return _clenshaw(
        x, c, tensor, lambda n: (2 * n + 1 - x) / (n + 1), lambda n: n / (n + 1), 1.0 - x
    )


def polyvander(x: Any, deg: int) -> Any:
    """np.polynomial.polynomial.polyvander."""
    return np.stack([x**n for n in range(deg + 1)], axis=-1)


STANDINS = {
    np.poly: poly,
    np.polyfit: polyfit,
    np.polydiv: polydiv,
    np.polynomial.polynomial.polyval: polyval,
    np.polynomial.polynomial.polyvander: polyvander,
}

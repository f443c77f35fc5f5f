"""Floor 4: functions of np.polynomial's modules, coefficients from the constant up.

Coefficients are kept as they are given: those of the highest powers are not cut off where they
are zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.frontend.models.polynomials import (
    chebval,
    fitted,
    hermeval,
    hermval,
    lagval,
    legval,
    polyval,
)


def _sum(c1: Any, c2: Any) -> Any:
    n = max(len(c1), len(c2))
    return np.concatenate((c1, np.zeros(n - len(c1)))) + np.concatenate((c2, np.zeros(n - len(c2))))


def polyadd(c1: Any, c2: Any) -> Any:
    """np.polynomial.polynomial.polyadd, and that of the other bases."""
    return _sum(np.atleast_1d(c1), np.atleast_1d(c2))


def polysub(c1: Any, c2: Any) -> Any:
    """np.polynomial.polynomial.polysub, and that of the other bases."""
    return _sum(np.atleast_1d(c1), -np.atleast_1d(c2))


def polymul(c1: Any, c2: Any) -> Any:
    """np.polynomial.polynomial.polymul."""
    return np.convolve(np.atleast_1d(c1), np.atleast_1d(c2))


def polymulx(c: Any) -> Any:
    """np.polynomial.polynomial.polymulx."""
    return np.concatenate((np.zeros(1), c))


def polypow(c: Any, pow: int, maxpower: Any = None) -> Any:
    """np.polynomial.polynomial.polypow."""
    found = np.ones(1)
    for _ in range(pow):
        found = np.convolve(found, c)
    return found


def polyder(c: Any, m: int = 1, scl: Any = 1, axis: int = 0) -> Any:
    """np.polynomial.polynomial.polyder."""
    found = np.moveaxis(np.asarray(c), axis, -1)
    for _ in range(m):
        n = np.shape(found)[-1]
        found = scl * found[..., 1:] * np.arange(1, n) if n > 1 else 0.0 * found
    return np.moveaxis(found, -1, axis)


def polyint(c: Any, m: int = 1, k: Any = (), lbnd: Any = 0, scl: Any = 1, axis: int = 0) -> Any:
    """np.polynomial.polynomial.polyint."""
    constants = list(k) if np.iterable(k) else [k]
    found = np.moveaxis(np.asarray(c), axis, 0)
    for i in range(m):
        n = len(found)
        over = np.reshape(np.arange(1, n + 1), (n,) + (1,) * (np.ndim(found) - 1))
        raised = np.concatenate((0.0 * found[:1], scl * found / over))
        first = (constants[i] if i < len(constants) else 0.0) - polyval(lbnd, raised)
        found = np.concatenate((found[:1] * 0.0 + first, raised[1:]))
    return np.moveaxis(found, 0, axis)


def polyfromroots(roots: Any) -> Any:
    """np.polynomial.polynomial.polyfromroots."""
    return np.poly(roots)[::-1]


def polyroots(c: Any) -> Any:
    """np.polynomial.polynomial.polyroots."""
    return np.sort(np.roots(np.asarray(c)[::-1]))


def polyline(off: Any, scl: Any) -> Any:
    """np.polynomial.polynomial.polyline."""
    return np.array([off, scl])


def polyvalfromroots(x: Any, r: Any, tensor: bool = True) -> Any:
    """np.polynomial.polynomial.polyvalfromroots, of one list of roots."""
    return np.prod(np.asarray(x)[..., None] - r, axis=-1)


def chebvander(x: Any, deg: int) -> Any:
    """np.polynomial.chebyshev.chebvander."""
    return np.moveaxis(chebval(np.atleast_1d(x), np.eye(deg + 1)), 0, -1)


def legvander(x: Any, deg: int) -> Any:
    """np.polynomial.legendre.legvander."""
    return np.moveaxis(legval(np.atleast_1d(x), np.eye(deg + 1)), 0, -1)


def hermvander(x: Any, deg: int) -> Any:
    """np.polynomial.hermite.hermvander."""
    return np.moveaxis(hermval(np.atleast_1d(x), np.eye(deg + 1)), 0, -1)


def hermevander(x: Any, deg: int) -> Any:
    """np.polynomial.hermite_e.hermevander."""
    return np.moveaxis(hermeval(np.atleast_1d(x), np.eye(deg + 1)), 0, -1)


def lagvander(x: Any, deg: int) -> Any:
    """np.polynomial.laguerre.lagvander."""
    return np.moveaxis(lagval(np.atleast_1d(x), np.eye(deg + 1)), 0, -1)


def polyfit(x: Any, y: Any, deg: int, rcond: Any = None, *, w: Any = None) -> Any:
    """np.polynomial.polynomial.polyfit, its coefficients alone."""
    return fitted(np.vander(x, deg + 1, increasing=True), y, rcond, w)


def chebfit(x: Any, y: Any, deg: int, rcond: Any = None, *, w: Any = None) -> Any:
    """np.polynomial.chebyshev.chebfit, its coefficients alone."""
    return fitted(chebvander(x, deg), y, rcond, w)


def legfit(x: Any, y: Any, deg: int, rcond: Any = None, *, w: Any = None) -> Any:
    """np.polynomial.legendre.legfit, its coefficients alone."""
    return fitted(legvander(x, deg), y, rcond, w)


def hermfit(x: Any, y: Any, deg: int, rcond: Any = None, *, w: Any = None) -> Any:
    """np.polynomial.hermite.hermfit, its coefficients alone."""
    return fitted(hermvander(x, deg), y, rcond, w)


def hermefit(x: Any, y: Any, deg: int, rcond: Any = None, *, w: Any = None) -> Any:
    """np.polynomial.hermite_e.hermefit, its coefficients alone."""
    return fitted(hermevander(x, deg), y, rcond, w)


def lagfit(x: Any, y: Any, deg: int, rcond: Any = None, *, w: Any = None) -> Any:
    """np.polynomial.laguerre.lagfit, its coefficients alone."""
    return fitted(lagvander(x, deg), y, rcond, w)


_POWERS = (
    polyadd, polysub, polymul, polymulx, polypow, polyder, polyint, polyfromroots, polyroots,
    polyline, polyvalfromroots, polyfit,
)  # fmt: skip
_BASES = {
    np.polynomial.chebyshev: ("cheb", chebvander, chebfit),
    np.polynomial.legendre: ("leg", legvander, legfit),
    np.polynomial.hermite: ("herm", hermvander, hermfit),
    np.polynomial.hermite_e: ("herme", hermevander, hermefit),
    np.polynomial.laguerre: ("lag", lagvander, lagfit),
}
STANDINS = {
    **{getattr(np.polynomial.polynomial, read.__name__): read for read in _POWERS},
    **{
        getattr(module, prefix + name): read
        for module, (prefix, vander, fit) in _BASES.items()
        for name, read in (
            ("add", polyadd), ("sub", polysub), ("vander", vander), ("fit", fit),
        )
    },
}  # fmt: skip

"""Floor 4: np.polynomial's classes beside Polynomial, as classes that the compiler can read.

All they do is done by the functions of their modules, on an argument that goes from the domain to
the window. Coefficients are kept as they are given: those that are zero are not cut off.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre


class Series:
    """A sum of polynomials of one family; the constant comes first."""

    FIELDS = ("coef", "domain", "window")
    ENDS = (-1.0, 1.0)
    # NumPy's functions of the family
    value: Any
    fitted: Any
    zeros: Any
    power: Any
    sum: Any
    product: Any
    slope: Any
    integral: Any

    def __init__(self, coef: Any, domain: Any = None, window: Any = None) -> None:
        self.coef = np.array(coef) * 1.0
        self.domain = np.array(self.ENDS if domain is None else domain) * 1.0
        self.window = np.array(self.ENDS if window is None else window) * 1.0

    @classmethod
    def fit(
        cls, x: Any, y: Any, deg: Any, domain: Any = None, rcond: Any = None, full: bool = False,
        w: Any = None, window: Any = None,
    ) -> Any:  # fmt: skip
        if full:
            raise NotImplementedError("fit(full=True): leave it out")
        ends = np.stack((np.min(x), np.max(x))) if domain is None else np.array(domain) * 1.0
        made = cls(np.zeros(1), ends, window)
        offset, scale = made.mapparms()
        return cls(cls.fitted(offset + scale * x, y, deg, rcond, w=w), ends, window)

    @classmethod
    def basis(cls, deg: int, domain: Any = None, window: Any = None) -> Any:
        return cls(np.eye(deg + 1)[deg], domain, window)

    def mapparms(self) -> Any:
        scale = (self.window[1] - self.window[0]) / (self.domain[1] - self.domain[0])
        return self.window[0] - scale * self.domain[0], scale

    def __call__(self, arg: Any) -> Any:
        offset, scale = self.mapparms()
        return self.value(offset + scale * arg, self.coef)

    def __len__(self) -> int:
        return len(self.coef)

    def degree(self) -> int:
        return len(self.coef) - 1

    def roots(self) -> Any:
        offset, scale = self.mapparms()
        return (self.zeros(self.coef) - offset) / scale

    def _like(self, coef: Any) -> Any:
        return self.__class__(coef, self.domain, self.window)

    def _given(self, other: Any) -> Any:
        return other.coef if hasattr(other, "coef") else np.atleast_1d(other) * 1.0

    def __neg__(self) -> Any:
        return self._like(-self.coef)

    def __add__(self, other: Any) -> Any:
        return self._like(self.sum(self.coef, self._given(other)))

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __sub__(self, other: Any) -> Any:
        return self._like(self.sum(self.coef, -self._given(other)))

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        return self._like(self.product(self.coef, self._given(other)))

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __truediv__(self, other: Any) -> Any:
        return self._like(self.coef / other)

    def __pow__(self, exponent: int) -> Any:
        return self._like(self.power(self.coef, exponent))

    def deriv(self, m: int = 1) -> Any:
        return self._like(self.slope(self.coef, m, self.mapparms()[1]))

    def integ(self, m: int = 1, k: Any = (), lbnd: Any = None) -> Any:
        offset, scale = self.mapparms()
        start = 0.0 if lbnd is None else offset + scale * lbnd
        return self._like(self.integral(self.coef, m, k, start, 1.0 / scale))


class Chebyshev(Series):
    """np.polynomial.Chebyshev."""

    value, fitted = staticmethod(chebyshev.chebval), staticmethod(chebyshev.chebfit)
    zeros, power = staticmethod(chebyshev.chebroots), staticmethod(chebyshev.chebpow)
    sum, product = staticmethod(chebyshev.chebadd), staticmethod(chebyshev.chebmul)
    slope, integral = staticmethod(chebyshev.chebder), staticmethod(chebyshev.chebint)


class Legendre(Series):
    """np.polynomial.Legendre."""

    value, fitted = staticmethod(legendre.legval), staticmethod(legendre.legfit)
    zeros, power = staticmethod(legendre.legroots), staticmethod(legendre.legpow)
    sum, product = staticmethod(legendre.legadd), staticmethod(legendre.legmul)
    slope, integral = staticmethod(legendre.legder), staticmethod(legendre.legint)


class Hermite(Series):
    """np.polynomial.Hermite."""

    value, fitted = staticmethod(hermite.hermval), staticmethod(hermite.hermfit)
    zeros, power = staticmethod(hermite.hermroots), staticmethod(hermite.hermpow)
    sum, product = staticmethod(hermite.hermadd), staticmethod(hermite.hermmul)
    slope, integral = staticmethod(hermite.hermder), staticmethod(hermite.hermint)


class HermiteE(Series):
    """np.polynomial.HermiteE."""

    value, fitted = staticmethod(hermite_e.hermeval), staticmethod(hermite_e.hermefit)
    zeros, power = staticmethod(hermite_e.hermeroots), staticmethod(hermite_e.hermepow)
    sum, product = staticmethod(hermite_e.hermeadd), staticmethod(hermite_e.hermemul)
    slope, integral = staticmethod(hermite_e.hermeder), staticmethod(hermite_e.hermeint)


class Laguerre(Series):
    """np.polynomial.Laguerre, on [0, 1]."""

    ENDS = (0.0, 1.0)
    value, fitted = staticmethod(laguerre.lagval), staticmethod(laguerre.lagfit)
    zeros, power = staticmethod(laguerre.lagroots), staticmethod(laguerre.lagpow)
    sum, product = staticmethod(laguerre.lagadd), staticmethod(laguerre.lagmul)
    slope, integral = staticmethod(laguerre.lagder), staticmethod(laguerre.lagint)


STANDINS = {
    np.polynomial.Chebyshev: Chebyshev, np.polynomial.Legendre: Legendre,
    np.polynomial.Hermite: Hermite, np.polynomial.HermiteE: HermiteE,
    np.polynomial.Laguerre: Laguerre,
}  # fmt: skip

"""Floor 4: `np.poly1d` and `np.polynomial.Polynomial`, as classes that the compiler can read.

Coefficients are kept as they are given: leading ones that are zero are not cut off. FIELDS are the
attributes of NumPy's objects that are taken over where one comes from outside.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def _sum(a: Any, b: Any) -> Any:
    """The sum of two lists of coefficients that begin with the constants."""
    n = max(len(a), len(b))
    return np.concatenate((a, np.zeros(n - len(a)))) + np.concatenate((b, np.zeros(n - len(b))))


def _power(c: Any, exponent: int) -> Any:
    found = np.ones(1)
    for _ in range(exponent):
        found = np.convolve(found, c)
    return found


class Poly1d:
    """np.poly1d, made from coefficients or roots; the highest power comes first."""

    FIELDS: tuple[str, ...] = ("coeffs",)
    HELD_AS = "coeffs"  # where a function of NumPy gets it

    def __init__(self, c_or_r: Any, r: bool = False) -> None:
        self.coeffs = np.poly(c_or_r) if r else np.atleast_1d(np.array(c_or_r))

    @property
    def c(self) -> Any:
        return self.coeffs

    @property
    def coef(self) -> Any:
        return self.coeffs

    @property
    def coefficients(self) -> Any:
        return self.coeffs

    @property
    def order(self) -> int:
        return len(self.coeffs) - 1

    @property
    def o(self) -> int:
        return len(self.coeffs) - 1

    @property
    def roots(self) -> Any:
        return np.roots(self.coeffs)

    @property
    def r(self) -> Any:
        return np.roots(self.coeffs)

    def __call__(self, val: Any) -> Any:
        if isinstance(val, Poly1d):
            found = Poly1d(self.coeffs[:1])
            for k in range(1, len(self.coeffs)):
                found = Poly1d(np.convolve(found.coeffs, val.coeffs)) + self.coeffs[k]
            return found
        return np.polyval(self.coeffs, val)

    def __len__(self) -> int:
        return len(self.coeffs) - 1

    def __iter__(self) -> Any:
        return iter(self.coeffs)

    def __getitem__(self, power: int) -> Any:
        known = 0 <= power < len(self.coeffs)
        return self.coeffs[len(self.coeffs) - 1 - power] if known else 0.0

    def __neg__(self) -> Any:
        return Poly1d(-self.coeffs)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Poly1d):
            other = Poly1d(other)
        return Poly1d(_sum(self.coeffs[::-1], other.coeffs[::-1])[::-1])

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __sub__(self, other: Any) -> Any:
        return self + -(other if isinstance(other, Poly1d) else Poly1d(other))

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Poly1d):
            return Poly1d(np.convolve(self.coeffs, other.coeffs))
        return Poly1d(self.coeffs * other)

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Poly1d):
            quotient, rest = np.polydiv(self.coeffs, other.coeffs)
            return Poly1d(quotient), Poly1d(rest)
        return Poly1d(self.coeffs / other)

    def __pow__(self, exponent: int) -> Any:
        return Poly1d(_power(self.coeffs, exponent))

    def deriv(self, m: int = 1) -> Any:
        return Poly1d(np.polyder(self.coeffs, m))

    def integ(self, m: int = 1, k: Any = 0) -> Any:
        return Poly1d(np.polyint(self.coeffs, m, k))


class Polynomial:
    """np.polynomial.Polynomial; the constant comes first. Its argument goes from its domain to
    its window, as NumPy does it."""

    FIELDS = ("coef", "domain", "window")

    def __init__(self, coef: Any, domain: Any = None, window: Any = None) -> None:
        self.coef = np.array(coef) * 1.0
        self.domain = np.array([-1.0, 1.0]) if domain is None else np.array(domain) * 1.0
        self.window = np.array([-1.0, 1.0]) if window is None else np.array(window) * 1.0

    @staticmethod
    def fit(x: Any, y: Any, deg: Any, domain: Any = None, rcond: Any = None, w: Any = None) -> Any:
        ends = np.stack((np.min(x), np.max(x))) if domain is None else np.array(domain) * 1.0
        places = 2.0 * (x - ends[0]) / (ends[1] - ends[0]) - 1.0
        return Polynomial(np.polynomial.polynomial.polyfit(places, y, deg, rcond, w=w), ends)

    @staticmethod
    def fromroots(roots: Any) -> Any:
        return Polynomial(np.poly(roots)[::-1])

    def mapparms(self) -> Any:
        scale = (self.window[1] - self.window[0]) / (self.domain[1] - self.domain[0])
        return self.window[0] - scale * self.domain[0], scale

    def __call__(self, arg: Any) -> Any:
        offset, scale = self.mapparms()
        return np.polynomial.polynomial.polyval(offset + scale * arg, self.coef)

    def degree(self) -> int:
        return len(self.coef) - 1

    def roots(self) -> Any:
        offset, scale = self.mapparms()
        return (np.sort(np.roots(self.coef[::-1])) - offset) / scale

    def convert(self) -> Any:
        offset, scale = self.mapparms()
        found, line = self.coef[-1:], np.stack((offset, scale))
        for k in range(len(self.coef) - 2, -1, -1):
            found = _sum(np.convolve(found, line), self.coef[k : k + 1])
        return Polynomial(found[: len(self.coef)])

    def _like(self, coef: Any) -> Any:
        return Polynomial(coef, self.domain, self.window)

    def _given(self, other: Any) -> Any:
        return other.coef if isinstance(other, Polynomial) else np.atleast_1d(other) * 1.0

    def __neg__(self) -> Any:
        return self._like(-self.coef)

    def __add__(self, other: Any) -> Any:
        return self._like(_sum(self.coef, self._given(other)))

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __sub__(self, other: Any) -> Any:
        return self._like(_sum(self.coef, -self._given(other)))

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        return self._like(np.convolve(self.coef, self._given(other)))

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __truediv__(self, other: Any) -> Any:
        return self._like(self.coef / other)

    def __pow__(self, exponent: int) -> Any:
        return self._like(_power(self.coef, exponent))

    def deriv(self, m: int = 1) -> Any:
        found, scale = self.coef, self.mapparms()[1]
        for _ in range(m):
            found = scale * found[1:] * np.arange(1, len(found)) if len(found) > 1 else 0.0 * found
        return self._like(found)

    def integ(self, m: int = 1, k: Any = (), lbnd: Any = None) -> Any:
        found = self.coef
        offset, scale = self.mapparms()
        start = 0.0 if lbnd is None else offset + scale * lbnd
        for i in range(m):
            raised = np.concatenate((np.zeros(1), found / scale / np.arange(1, len(found) + 1)))
            below = np.polynomial.polynomial.polyval(start, raised)
            constant = (k[i] if i < len(k) else 0.0) - below
            found = np.concatenate((np.ones(1) * constant, raised[1:]))
        return self._like(found)


STANDINS = {np.poly1d: Poly1d, np.polynomial.Polynomial: Polynomial}

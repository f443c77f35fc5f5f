"""What SciPy writes in Python around its special functions, for one entry under Numba.

`taught()` names the functions; each has the arguments of SciPy's. Our own slopes of special
functions, which are marked as entrywise, compile from their own text.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable
from scipy import special

from s2sgrad_runtime import bessel, elliptic, gammas, numba_scalars, polygammas, scipy_helpers
from s2sgrad_runtime import special as slopes
from s2sgrad_runtime.elementwise import _BERNOULLI
from s2sgrad_runtime.polygammas import FAR, HIGHEST, TURNS

_zeta, _riemann_zeta, _lambertw = (
    getattr(special._ufuncs, name) for name in ("_zeta", "_riemann_zeta", "_lambertw")
)


def _is_number(kind: Any) -> bool:
    return isinstance(kind, types.Number | types.Boolean | int | float | complex | bool)


def polygamma(n: Any, x: Any) -> Any:
    """Derivatives of digamma; `polygammas` has the same for arrays."""
    if n == 0:
        return special.psi(1.0 * x)
    if not 1 <= n <= HIGHEST or not np.abs(x) < np.inf:
        return (1.0 if n % 2 == 1 else -1.0) * special.gamma(n + 1.0) * _zeta(n + 1.0, 1.0 * x)
    if x > 0.0:
        return _to_the_right(n, 1.0 * x)
    turn, near = TURNS[n, n + 1], x - np.rint(x)
    cot = np.divide(np.sin(np.pi * (0.5 - np.abs(near))), np.sin(np.pi * near))
    for k in range(n, -1, -1):
        turn = turn * cot + TURNS[n, k] if TURNS[n, k] != 0.0 else turn * cot
    reflected = _to_the_right(n, 1.0 - x)
    return (reflected if n % 2 == 0 else -reflected) - np.pi ** (n + 1) * turn


@register_jitable
def _to_the_right(n: Any, w: Any) -> Any:
    """The same for a positive number."""
    sign, factorial, total = 1.0 if n % 2 == 1 else -1.0, special.gamma(n + 1.0), 0.0
    while w < FAR + 2.0 * n:
        total += _whole_power(np.divide(1.0, w), n + 1)
        w += 1.0
    inverse, series, rising = 1.0 / w, 0.0, 0.5 * factorial * (n + 1.0)
    power = inverse * inverse
    for k in range(len(_BERNOULLI)):
        series += _BERNOULLI[k] * rising * power
        power *= inverse * inverse
        rising *= (2.0 * k + n + 2.0) * (2.0 * k + n + 3.0) / ((2.0 * k + 3.0) * (2.0 * k + 4.0))
    tail = (factorial / n + 0.5 * factorial * inverse + series) * _whole_power(inverse, n)
    return sign * (factorial * total + tail)


@register_jitable
def _whole_power(x: Any, n: Any) -> Any:
    """x**n, by n products."""
    found = x
    for _ in range(n - 1):
        found *= x
    return found


def zeta(x: Any, q: Any = None) -> Any:
    """Riemann's and Hurwitz's."""
    return _riemann_zeta(x) if q is None else _zeta(x, q)


def lambertw(z: Any, k: Any = 0, tol: Any = 1e-8) -> Any:
    """The branch k of Lambert's function, complex."""
    return _lambertw(z, k, tol)


def multigammaln(a: Any, d: Any) -> Any:
    """The logarithm of the multivariate gamma function."""
    total = 0.25 * d * (d - 1.0) * np.log(np.pi)
    for j in range(d):
        total += special.gammaln(a - 0.5 * j)
    return total


def binomial(N: Any, k: Any) -> Any:
    """The number of ways to take k of N, 0 where there is none."""
    return special.binom(N, k) if 0 <= k <= N else 0.0


def perm(N: Any, k: Any) -> Any:
    """The number of ordered ways to take k of N."""
    return special.poch(N - k + 1.0, k) if 0 <= k <= N else 0.0


def factorial(n: Any) -> Any:
    """gamma(n + 1), 0 where n is negative."""
    return special.gamma(n + 1.0) if n >= 0 else 0.0


def softplus(x: Any) -> Any:
    """log(1 + exp(x))."""
    return np.logaddexp(0.0, x)


def _bessel(function: Any, phase: float, outer: bool = False) -> Callable[..., Any]:
    """The n-th derivative by z, from the neighbouring orders (DLMF 10.6.7, 10.29.5)."""

    def derivative(v: Any, z: Any, n: Any = 1) -> Any:
        factor = 1.0
        total = function(1.0 * v - n, z)
        for i in range(1, n + 1):
            factor = phase * factor * (n - i + 1.0) / i
            total += factor * function(v - n + 2.0 * i, z)
        total = total / 2.0**n
        return -total if outer and n % 2 == 1 else total

    return derivative


def _spherical(name: str, odd: int) -> Callable[..., Any]:
    """A spherical Bessel function of an order, or its derivative, of real numbers; odd: 1 where
    that of order 0 is odd."""
    value = getattr(special._ufuncs, f"_{name}")
    slope = getattr(special._ufuncs, f"_{name}_d")

    def function(n: Any, z: Any, derivative: Any = False) -> Any:
        sign, size = np.copysign(1.0, z), np.abs(z)
        if derivative:
            return slope(n, size) * sign ** (n + odd + 1)
        return value(n, size) * sign ** (n + odd)

    return function


_FORMS: dict[str, Callable[..., Any]] = {
    "polygamma": polygamma,
    "zeta": zeta,
    "lambertw": lambertw,
    "multigammaln": multigammaln,
    "comb": binomial,
    "perm": perm,
    "factorial": factorial,
    "softplus": softplus,
    "jvp": _bessel(special.jv, -1.0),
    "yvp": _bessel(special.yv, -1.0),
    "kvp": _bessel(special.kv, 1.0, outer=True),
    "ivp": _bessel(special.iv, 1.0),
    "h1vp": _bessel(special.hankel1, -1.0),
    "h2vp": _bessel(special.hankel2, -1.0),
    "spherical_jn": _spherical("spherical_jn", 0),
    "spherical_in": _spherical("spherical_in", 0),
    "spherical_yn": _spherical("spherical_yn", 1),
}


def taught() -> set[Any]:
    """Teaches Numba all of them, for numbers; returns what works entry by entry."""
    found: set[Any] = set()
    helpers = {getattr(h, "path", None): h for h in vars(scipy_helpers).values()}
    for name, form in _FORMS.items():
        one = register_jitable(form)
        for function in (getattr(special, name, None), helpers.get(f"scipy.special.{name}")):
            if function is not None:
                _for_numbers(function, one)
                found.add(function)
    _for_numbers(polygammas.polygamma_at, register_jitable(polygamma))
    found.add(polygammas.polygamma_at)
    for home in (slopes, elliptic, bessel, gammas):
        for name in home.__all__:
            helper = vars(home)[name]
            _from_its_text(helper)
            if getattr(helper, "entrywise", False):
                found.add(helper)
    return found


def _from_its_text(helper: Any) -> None:
    """A version of one of our helpers, where the text means the same for numbers."""
    scope = {**helper.__globals__, "np": numba_scalars}
    version = FunctionType(helper.__code__, scope, helper.__name__, helper.__defaults__)

    @overload(helper, strict=False)
    def compiled(*args: Any) -> Any:
        return version if all(map(_is_number, args)) else None


def _for_numbers(function: Any, one: Any) -> None:
    """A version of a function whose arguments are numbers."""

    @overload(function, strict=False)
    def version(*args: Any) -> Any:
        if all(map(_is_number, args)):
            return lambda *args: one(*args)
        return None

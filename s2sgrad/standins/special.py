"""Floor 8: functions of scipy.special in terms of others, and zeta by its exponent."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from s2sgrad.api import stop_gradient
from s2sgrad.frontend.models.polynomial_classes import Poly1d
from s2sgrad_runtime import (
    found_by_scipy,
    scipy_eval_genlaguerre,
    sph_harm_slope,
    sph_harm_step,
)

TERMS = 14  # summed one by one; the rest by Euler and Maclaurin
CORRECTIONS = (  # Bernoulli numbers over factorials
    1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000,
    1 / 74724249600, -3617 / 10670622842880000, 43867 / 5109094217170944000,
)  # fmt: skip

ORTHOGONAL = (
    "chebyc", "chebys", "chebyt", "chebyu", "gegenbauer", "genlaguerre", "hermite", "hermitenorm",
    "jacobi", "laguerre", "legendre", "sh_chebyt", "sh_chebyu", "sh_jacobi", "sh_legendre",
)  # fmt: skip


def zeta(x: Any, q: Any = None, out: Any = None) -> Any:
    """scipy.special.zeta by its exponent (Euler and Maclaurin's sum, DLMF 25.11.28)."""
    start: Any = 1.0 if q is None else q
    end = start + TERMS
    total = end ** (1.0 - x) / (x - 1.0) + 0.5 * end**-x
    for k in range(TERMS):
        total = total + (start + k) ** -x
    term = x * end ** (-x - 1.0)
    for k in range(len(CORRECTIONS)):
        total = total + CORRECTIONS[k] * term
        term = term * (x + (2.0 * k + 1.0)) * (x + (2.0 * k + 2.0)) / end**2
    return total


def zetac(x: Any) -> Any:
    """scipy.special.zetac."""
    return zeta(x) - 1.0


def assoc_laguerre(x: Any, n: Any, k: Any = 0.0) -> Any:
    """scipy.special.assoc_laguerre."""
    return scipy_eval_genlaguerre(n, k, x)


def legendre_p_all(n: Any, z: Any, *, diff_n: int = 0) -> Any:
    """scipy.special.legendre_p_all."""
    return special.legendre_p(degrees(n, 0, z), z, diff_n=diff_n)


def assoc_legendre_p_all(
    n: Any, m: Any, z: Any, *, branch_cut: Any = 2, norm: bool = False, diff_n: int = 0
) -> Any:
    """scipy.special.assoc_legendre_p_all."""
    return special.assoc_legendre_p(
        degrees(n, 1, z), orders(m, z), z, branch_cut=branch_cut, norm=norm, diff_n=diff_n
    )


def sph_legendre_p_all(n: Any, m: Any, theta: Any, *, diff_n: int = 0) -> Any:
    """scipy.special.sph_legendre_p_all."""
    return special.sph_legendre_p(degrees(n, 1, theta), orders(m, theta), theta, diff_n=diff_n)


def sph_harm_y(n: Any, m: Any, theta: Any, phi: Any, *, diff_n: int = 0) -> Any:
    """scipy.special.sph_harm_y, with its derivatives by the two angles on further axes."""
    if diff_n not in (0, 1, 2):
        raise ValueError("diff_n is currently only implemented for orders 0, 1, and 2")
    y, turn = special.sph_harm_y(n, m, theta, phi), 1j * np.asarray(m)
    if diff_n == 0:
        return y
    slope = sph_harm_slope(n, m, theta, phi)
    first = np.stack([slope, turn * y], axis=-1)
    if diff_n == 1:
        return y, first
    above = sph_harm_step(n, m, theta) * np.exp(-1j * phi) * sph_harm_slope(n, m + 1, theta, phi)
    below = sph_harm_step(n, -m, theta) * np.exp(1j * phi) * sph_harm_slope(n, m - 1, theta, phi)
    by_theta = np.stack([0.5 * (above - below), turn * slope], axis=-1)
    by_phi = np.stack([turn * slope, turn * turn * y], axis=-1)
    return y, first, np.stack([by_theta, by_phi], axis=-2)


def sph_harm_y_all(n: Any, m: Any, theta: Any, phi: Any, *, diff_n: int = 0) -> Any:
    """scipy.special.sph_harm_y_all."""
    ranked = theta + phi
    return sph_harm_y(degrees(n, 1, ranked), orders(m, ranked), theta, phi, diff_n=diff_n)


def degrees(n: int, further: int, z: Any) -> Any:
    """0 to n on an axis before those of z, and so many others before those."""
    return np.reshape(np.arange(n + 1), (n + 1,) + (1,) * (further + np.ndim(z)))


def orders(m: int, z: Any) -> Any:
    """0 to m, then -m to -1, as SciPy lays them, on an axis before those of z."""
    both = np.concatenate((np.arange(m + 1), np.arange(-m, 0)))
    return np.reshape(both, (2 * m + 1,) + (1,) * np.ndim(z))


def comb(N: Any, k: Any, *, exact: bool = False, repetition: bool = False) -> Any:
    """scipy.special.comb with repetition: k of N + k - 1."""
    if exact:
        return special.comb(N + k - 1, k, exact=True) if k else 1
    nothing = np.logical_and(np.equal(k, 0), np.equal(N, 0))  # where there is one choice still
    return np.where(nothing, 1.0, special.binom(N + k - 1.0, k))[()]


class Orthogonal(Poly1d):
    """What scipy.special.legendre and its kin give."""

    FIELDS = ("coeffs", "_eval_func")

    def __init__(self, coeffs: Any, evaluated: Any) -> None:
        self.coeffs, self._eval_func = coeffs, evaluated

    def __call__(self, v: Any) -> Any:
        if isinstance(v, Poly1d) or self._eval_func is None:
            return Poly1d(self.coeffs)(v)
        return self._eval_func(v)


def orthogonal(name: str) -> Callable[..., Any]:
    """What is read in place of scipy.special.legendre and its kin."""
    evaluate = getattr(special, f"eval_{name}")

    def made(n: Any, *parameters: Any, monic: bool = False) -> Any:
        fixed = [stop_gradient(p) for p in parameters]
        coeffs = np.asarray(found_by_scipy("scipy.special", name, n, *fixed))
        if monic:
            first = coeffs[0]
            return Orthogonal(coeffs / first, lambda v: evaluate(n, *parameters, v) / first)
        return Orthogonal(coeffs, lambda v: evaluate(n, *parameters, v))

    return made


@functools.cache
def table() -> dict[Any, Any]:
    """SciPy's function -> what is read in its place."""
    names = (
        "assoc_laguerre", "assoc_legendre_p_all", "legendre_p_all", "sph_harm_y_all",
        "sph_legendre_p_all", "zetac",
    )  # fmt: skip
    found = {getattr(special, n): globals()[n] for n in names if hasattr(special, n)}
    found[type(special.legendre(1))] = Orthogonal
    return found | {getattr(special, name): orthogonal(name) for name in ORTHOGONAL}


def further() -> dict[Any, Any]:
    """The same for arguments that the function's rule does not serve."""
    return {special.zeta: zeta, special.comb: comb, special.sph_harm_y: sph_harm_y}

"""SciPy's functions at the ends of their domains, where differences can't decide.

What is expected there are exact values: limits, written with each of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sgrad

special, stats = pytest.importorskip("scipy.special"), pytest.importorskip("scipy.stats")
INF = np.inf

# (function, the point, the derivative from inside of the support)
ENDS = [
    (lambda x: stats.gamma.logpdf(x, 1.0), 0.0, -1.0),  # log f = -x
    (lambda x: stats.gamma.logpdf(x, 2.0), 0.0, INF),  # log x - x
    (lambda x: stats.gamma.pdf(x, 1.0), 0.0, -1.0),
    (lambda a: stats.gamma.logpdf(0.0, a), 1.0, -INF),  # (a - 1) log 0
    (lambda x: stats.erlang.logpdf(x, 1.0), 0.0, -1.0),
    (lambda x: stats.chi2.logpdf(x, 2.0), 0.0, -0.5),  # -x / 2 - log 2
    (lambda x: stats.chi2.logpdf(x, 3.0), 0.0, INF),
    (lambda x: stats.chi.logpdf(x, 1.0), 0.0, 0.0),  # -x**2 / 2 and a constant
    (lambda x: stats.weibull_min.logpdf(x, 1.0), 0.0, -1.0),  # -x
    (lambda x: stats.weibull_min.logpdf(x, 2.0), 0.0, INF),
    (lambda x: stats.powerlaw.logpdf(x, 1.0), 0.0, 0.0),
    (lambda x: stats.beta.logpdf(x, 1.0, 2.0), 0.0, -1.0),  # log 2(1 - x)
    (lambda x: stats.beta.logpdf(x, 2.0, 1.0), 1.0, 1.0),  # log 2x
    (lambda x: stats.beta.logpdf(x, 2.0, 3.0), 1.0, -INF),
    (lambda b: stats.beta.logpdf(0.0, 1.0, b), 2.0, 0.5),  # log b
    (lambda x: stats.beta.pdf(x, 2.0, 1.0), 1.0, 2.0),
    (lambda x: stats.betaprime.logpdf(x, 1.0, 2.0), 0.0, -3.0),  # -3 log(1 + x) and a constant
    (lambda x: stats.nakagami.logpdf(x, 0.5), 0.0, 0.0),
    (lambda x: stats.f.logpdf(x, 2.0, 3.0), 0.0, -5.0 / 3.0),  # -2.5 log(1 + 2x / 3)
    (lambda x: stats.rayleigh.logpdf(x), 0.0, INF),
    (lambda m: stats.poisson.logpmf(0, m), 0.0, -1.0),  # -mu
    (lambda m: stats.poisson.logpmf(3, m), 0.0, INF),
    (lambda m: stats.poisson.pmf(0, m), 0.0, -1.0),
    (lambda m: stats.poisson.pmf(1, m), 0.0, 1.0),  # mu exp(-mu)
    (lambda m: stats.poisson.pmf(3, m), 0.0, 0.0),
    (lambda p: stats.binom.logpmf(0, 5, p), 0.0, -5.0),  # 5 log(1 - p)
    (lambda p: stats.binom.logpmf(5, 5, p), 1.0, 5.0),  # 5 log p
    (lambda p: stats.binom.pmf(1, 5, p), 0.0, 5.0),  # 5 p (1 - p)**4
    (lambda p: stats.binom.pmf(4, 5, p), 1.0, -5.0),
    (lambda p: stats.binom.pmf(2, 5, p), 0.0, 0.0),
    (lambda p: stats.bernoulli.pmf(1, p), 0.0, 1.0),
    (lambda p: stats.bernoulli.logpmf(0, p), 0.0, -1.0),
    (lambda p: stats.geom.logpmf(1, p), 1.0, 1.0),  # log p
    (lambda p: stats.geom.pmf(2, p), 1.0, -1.0),  # p (1 - p)
    (lambda p: stats.nbinom.logpmf(0, 3, p), 1.0, 3.0),  # 3 log p
    (lambda p: stats.nbinom.pmf(1, 3, p), 1.0, -3.0),  # 3 p**3 (1 - p)
    (lambda x: special.voigt_profile(x, 0.0, 1.0), 0.5, -0.64 / np.pi),  # 1 / (pi (1 + x**2))
    (lambda s: special.voigt_profile(0.5, s, 1.0), 0.0, 0.0),  # even in sigma
    (lambda g: special.voigt_profile(0.5, 0.0, g), 1.0, -0.48 / np.pi),  # g / (pi (g**2 + x**2))
    (lambda x: special.logit(x), 0.0, INF),
    (lambda x: special.lpmv(0, 2, x), 1.0, 3.0),  # (3 x**2 - 1) / 2
    (lambda x: special.lpmv(0, 2, x), -1.0, -3.0),
    (lambda x: special.lpmv(1, 2, x), 1.0, INF),  # -3 x sqrt(1 - x**2)
    (lambda x: special.lpmv(2, 3, x), -1.0, -30.0),  # 15 x (1 - x**2)
    (lambda x: special.lpmv(-2, 3, x), 1.0, -0.25),  # that over 120, the factorial of 5
    (lambda x: special.lpmv(3, 3, x), 1.0, 0.0),  # -15 (1 - x**2)**1.5
    (lambda x: special.lpmv(2, 1, x), 1.0, 0.0),
    (lambda x: special.lpmv(2, 2.5, x), 1.0, -14.765625),  # -2 (v - 1) v (v + 1) (v + 2) / 8
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("kind", [float, np.float64, lambda x: np.array([x])])
@pytest.mark.parametrize(("function", "point", "expected"), ENDS)
def test_ends_of_supports(function: Any, point: float, expected: float, kind: Any) -> None:
    """Python's floats give what NumPy's give, in both modes: inf and nan, but no errors."""
    x = kind(point)
    total = function if np.ndim(x) == 0 else lambda v: np.sum(function(v))
    np.testing.assert_allclose(np.ravel(s2sgrad.grad(total)(x))[0], expected, atol=1e-14)
    value, found = s2sgrad.jvp(total, (x,), (kind(1.0),))
    np.testing.assert_equal(value, total(x))
    np.testing.assert_allclose(found, expected, atol=1e-14)


CURVED = [
    (lambda x: stats.gamma.logpdf(x, 1.0), 0.0, 0.0),
    (lambda x: stats.beta.logpdf(x, 1.0, 2.0), 0.0, -1.0),
    (lambda m: stats.poisson.pmf(0, m), 0.0, 1.0),
    (lambda m: stats.poisson.pmf(1, m), 0.0, -2.0),
    (lambda p: stats.binom.pmf(2, 5, p), 0.0, 20.0),  # 10 p**2 (1 - p)**3
    (lambda x: special.lpmv(0, 2, x), -1.0, 3.0),
    (lambda x: special.lpmv(2, 3, x), 1.0, -90.0),
    (lambda x: special.lpmv(4, 5, x), -1.0, -7560.0),  # 945 x (1 - x**2)**2
    (lambda x: special.lpmv(3, 3, x), 1.0, -INF),
    (lambda s: special.voigt_profile(0.5, s, 1.0), 0.0, -0.256 / np.pi),  # that by x: (3x²-1)…
]


# at 0: (function, the second derivative)
AT_ZERO = [
    (lambda x: special.gammainc(1.0, x), -1.0),  # 1 - exp(-x)
    (lambda x: special.gammainc(1.5, x), INF),
    (lambda x: special.gammainc(2.0, x), 1.0),  # 1 - (1 + x) exp(-x)
    (lambda x: special.gammaincc(2.0, x), -1.0),
    (lambda x: special.gammainc(3.0, x), 0.0),
    (lambda x: special.struve(0.0, x), 0.0),  # odd
    (lambda x: special.modstruve(0.0, x), 0.0),
    (lambda x: special.struve(1.0, x), 4.0 / (3.0 * np.pi)),  # 2 x**2 / (3 pi) and so on
]
CURVED += [(function, 0.0, expected) for function, expected in AT_ZERO]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "point", "expected"), CURVED)
def test_second_order_at_ends(function: Any, point: float, expected: float) -> None:
    slope = s2sgrad.grad(function)
    for x in (point, np.float64(point)):
        found = s2sgrad.grad(slope)(x), s2sgrad.jvp(slope, (x,), (1.0,))[1]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("jit", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("z", [-7.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.5, -2.5])
@pytest.mark.parametrize("m", [1, 2, 3, 5])
def test_rising_factorials_at_whole_numbers(z: float, m: int, jit: bool) -> None:
    """poch(z, m) is the polynomial z (z + 1) ... (z + m - 1); gamma has poles there."""
    exact = np.poly1d(-np.arange(m), r=True)

    def rising(z: Any) -> Any:
        return special.poch(z, m)

    slope = s2sgrad.grad(rising, jit=jit)
    bend = s2sgrad.grad(s2sgrad.grad(rising), jit=jit)
    np.testing.assert_allclose(slope(z), exact.deriv()(z), rtol=1e-12)
    np.testing.assert_allclose(bend(z), exact.deriv(2)(z), rtol=1e-12, atol=1e-13)
    (_, tangent), (_, second) = (s2sgrad.jvp(f, (z,), (1.0,)) for f in (rising, slope))
    np.testing.assert_allclose([tangent, second], [slope(z), bend(z)], rtol=1e-12, atol=1e-13)


def test_rising_factorials_at_one_pole() -> None:
    """Where gamma(z) alone has a pole: gamma(-3 + 2.5) times the slope of 1 / gamma, -3! there."""
    found = s2sgrad.grad(lambda z: special.poch(z, 2.5))(-3.0)
    np.testing.assert_allclose(found, -6.0 * special.gamma(-0.5), rtol=1e-13)


@pytest.mark.parametrize("function", [special.perm, special.comb])
def test_nothing_can_be_chosen(function: Any) -> None:
    """perm and comb are 0, and flat, where k is larger than N or N below 0."""
    N = np.array([-1.0, -0.5, 0.0, 1.0, 1.5, 4.0])
    found = s2sgrad.grad(lambda N: np.sum(function(N, 2)))(N)
    share = 1.0 if function is special.perm else 0.5
    np.testing.assert_allclose(found, share * np.array([0, 0, 0, 0, 0, 7.0]), rtol=1e-13)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_chosen_with_repetition() -> None:
    """Of N + k - 1; whole numbers N too, where binom has a pole, and one choice of nothing."""
    N = np.array([-0.5, 0.0, 1.0, 2.6, 4.0])

    def chosen(N: Any) -> Any:
        return np.sum(special.comb(N, 2, repetition=True) * np.array([1.0, 2.0, 3.0, 4.0, 5.0]))

    np.testing.assert_allclose(
        s2sgrad.grad(chosen)(N), (N + 0.5) * np.array([1.0, 2.0, 3.0, 4.0, 5.0]), atol=1e-12
    )
    value, _ = s2sgrad.value_and_grad(lambda N: np.sum(special.comb(N, 0, repetition=True)))(N)
    np.testing.assert_equal(value, np.sum(special.comb(N, 0, repetition=True)))
    s2sgrad.check_grad(lambda k: special.comb(3.3, k, repetition=True), 2.4)


@pytest.mark.parametrize("name", ["eval_hermite", "eval_hermitenorm"])
def test_degrees_beside_single_precision(name: str) -> None:
    """The degree stays an integer: SciPy takes no other, also in the slope's own polynomial."""
    polynomial = getattr(special, name)
    x = np.array([0.3, 0.7, 1.2])

    def total(x: Any) -> Any:
        return np.sum(polynomial(3, x))

    for narrow in (x.astype(np.float32), np.array([1, 2], np.int16) / np.float32(3)):
        found = s2sgrad.grad(total)(narrow)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, s2sgrad.grad(total)(np.float64(narrow)), rtol=1e-6)
    s2sgrad.check_grad(total, x)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_second_order_of_a_root_at_zero() -> None:
    """sqrt(2 / (pi x)) (1 - cos x), whose slope is computed with powers of its argument."""
    twice = s2sgrad.grad(s2sgrad.grad(lambda x: special.struve(0.5, x)))
    assert twice(np.float64(0.0)) == INF


@pytest.mark.parametrize("jit", [False, True])
def test_digits_of_narrow_lines(jit: bool) -> None:
    """The Voigt profile's second derivative by sigma, where its terms cancel; by mpmath."""
    points = np.array([[0.03, 0.5, 1.0], [0.1, 0.5, 1.0], [0.01, 0.3, 0.01], [0.05, 0.0, 1.0]])
    sigma, x, gamma = points.T

    def total(sigma: Any) -> Any:
        return np.sum(special.voigt_profile(x, sigma, gamma))

    found = s2sgrad.hvp(total, jit=jit)(sigma, np.ones(4))
    expected = [-0.085447831624737157, -0.11992650166671069, 2.4286612333066217, -0.60883890112385]
    np.testing.assert_allclose(found, expected, rtol=1e-13)

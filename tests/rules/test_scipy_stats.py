"""scipy.stats: densities, distribution functions and their inverses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from harness import each_with_some
from numeric import assert_rule
from scipy import integrate, special
from test_unusual_calls import check

import s2sgrad
from s2sgrad.rules.scipy_stats_table import CONTINUOUS, DISCRETE

stats = pytest.importorskip("scipy.stats")

VALUES: dict[str, float] = {"a": 2.3, "b": 3.1, "c": 1.7, "s": 0.8, "df": 4.2, "dfn": 3.3}
VALUES |= {"beta": 1.6, "dfd": 5.1, "mu": 1.4, "kappa": 1.2, "n": 7, "p": 0.35, "d": 1.4}
VALUES |= {"nu": 0.8, "lambda_": 0.6, "chi": 1.3, "K": 1.4, "k": 2.1, "nc": 0.9, "m": 2.6}
VALUES |= {"h": 0.3, "lam": 0.4, "rho": 1.4, "skew": -0.8, "u": 0.3}
SPECIAL_VALUES = {"truncnorm": (-0.9, 1.3), "skewnorm": (1.1,), "triang": (0.3,)}
SPECIAL_VALUES |= {"skewcauchy": (0.4,), "genextreme": (-0.2,), "bradford": (0.7,)}
SPECIAL_VALUES |= {"alpha": (1.7,), "burr": (2.1, 1.4), "crystalball": (0.9, 2.6)}
SPECIAL_VALUES |= {"genexpon": (0.7, 1.1, 0.9), "genhalflogistic": (0.4,)}
SPECIAL_VALUES |= {"genhyperbolic": (0.6, 1.8, 0.5), "geninvgauss": (0.7, 1.4)}
SPECIAL_VALUES |= {"ncf": (3.3, 5.1, 0.8), "norminvgauss": (1.8, 0.5), "trapezoid": (0.3, 0.6)}
SPECIAL_VALUES |= {"reciprocal": (0.7, 3.1), "truncpareto": (1.7, 3.2), "wrapcauchy": (0.4,)}
SPECIAL_VALUES |= {"levy_stable": (1.6, 0.4)}
SPECIAL_VALUES |= {"truncweibull_min": (1.7, 0.3, 1.9), "kappa4": (0.3, -0.4)}
SPECIAL_VALUES |= {"betanbinom": (5, 2.3, 1.6), "boltzmann": (0.6, 7), "yulesimon": (1.4,)}
QUANTILES = np.array([0.15, 0.4, 0.8])
LOC, SCALE = 0.3, np.array([[1.2], [0.7]])


def shapes(item: Any) -> tuple[float, ...]:
    if item.name in SPECIAL_VALUES:
        return SPECIAL_VALUES[item.name]
    return tuple(VALUES[s] for s, _, _ in item.shapes)


METHODS = ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf")
SLOW = ("studentized_range", "levy_stable", "dpareto_lognorm")  # a second for each value


@pytest.mark.parametrize(
    ("item", "method"), each_with_some(CONTINUOUS, METHODS, every=3, slow=SLOW)
)
def test_continuous(item: Any, method: str) -> None:
    distribution, given = getattr(stats, item.name), shapes(item)
    function = getattr(distribution, method)
    if item.slope is None and "pdf" in method:
        pytest.skip("its density has no rule")
    x = distribution.ppf(QUANTILES, *given, LOC, SCALE)
    assert_rule(function, x, *given, LOC, SCALE, tolerance=1e-6)
    x = distribution.ppf(QUANTILES, *given, 0.0, 1.3)
    assert_rule(function, x, *given, scale=1.3, tolerance=1e-6)


@pytest.mark.parametrize(("item", "method"), each_with_some(CONTINUOUS, ("ppf", "isf"), slow=SLOW))
def test_inverse(item: Any, method: str) -> None:
    function = getattr(getattr(stats, item.name), method)
    assert_rule(function, QUANTILES, *shapes(item), LOC, SCALE, step=1e-3, tolerance=1e-5)


@pytest.mark.parametrize("c", [0.0, 1e-6, -3e-3, 0.3])
@pytest.mark.parametrize("name", ["genextreme", "genpareto"])
def test_shapes_around_zero(name: str, c: float) -> None:
    """Both families have a limit at c = 0."""
    for method in ("logpdf", "cdf"):
        function = getattr(getattr(stats, name), method)
        assert_rule(function, np.array([0.2, 0.9]), c, step=1e-3, tolerance=1e-5)


@pytest.mark.parametrize("shapes", [(0.0, 0.0), (1e-7, -1e-3), (0.3, 0.0), (-0.8, 0.4)])
def test_kappa_around_zero(shapes: tuple[float, ...]) -> None:
    for method in ("logpdf", "cdf", "logsf"):
        x = np.array([-0.3, 0.4, 1.2])
        assert_rule(getattr(stats.kappa4, method), x, *shapes, step=1e-3, tolerance=1e-5)


@pytest.mark.parametrize("skew", [0.0, 1e-2, -0.02, 0.3, 3.0])
def test_skewness_around_zero(skew: float) -> None:
    """SciPy's density is rounded too coarsely next to zero to be differenced there."""
    for method in ("cdf", "logsf", "logpdf")[: 2 if skew == 0.0 else 3]:
        x = np.array([-0.6, 0.2, 2.1])
        assert_rule(getattr(stats.pearson3, method), x, skew, step=1e-3, tolerance=1e-5)


def test_exponents_around_zero() -> None:
    """SciPy takes the logistic distribution itself closer to zero than 1e-4."""
    x, slope = 0.3, s2sgrad.grad(lambda x, lam: stats.tukeylambda.cdf(x, lam), argnums=1)
    change = stats.tukeylambda.cdf(x, 0.01) - stats.tukeylambda.cdf(x, -0.01)
    assert slope(x, 0.0) == pytest.approx(change / 0.02, rel=1e-4)


def rising(a, x):
    return special.gammainc(a, x)


def test_large_orders() -> None:
    """Beside the mean of 100 000 the mpmath of 45 digits gives this."""
    a = 1e5
    slope = s2sgrad.grad(rising, fallback="error")
    expected = -0.0011140633637148692
    x = a - 0.5 * np.sqrt(a)
    assert slope(a, x) == pytest.approx(expected, rel=1e-10)
    bend = 0.5 * (slope(a + 1.0, x) - slope(a - 1.0, x))
    found = s2sgrad.hvp(rising, fallback="error")(a, x, 1.0)
    assert found == pytest.approx(bend, rel=1e-5)


@pytest.mark.parametrize("method", ["logpmf", "pmf", "cdf", "sf", "logcdf", "logsf"])
@pytest.mark.parametrize("item", DISCRETE, ids=lambda d: d.name)
def test_discrete(item: Any, method: str) -> None:
    if all(cumulative is None for _, _, cumulative in item.shapes) and "pmf" not in method:
        pytest.skip("its distribution function has no rule")
    k = np.array([0, 1]) if item.name == "bernoulli" else np.array([1, 2, 4])
    k = k[:1] if item.name == "bernoulli" and method == "logsf" else k
    assert_rule(getattr(getattr(stats, item.name), method), k, *shapes(item), tolerance=1e-6)


@pytest.mark.parametrize("method", ["logpdf", "pdf"])
@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 4, 3)])
def test_multivariate_normal(method: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    root = rng.standard_normal((3, 3))
    covariance, x, mean = root @ root.T + np.eye(3), rng.standard_normal(shape), np.ones(3)
    function = getattr(stats.multivariate_normal, method)

    def constrain(d: np.ndarray) -> np.ndarray:
        return 0.5 * (d + d.T) if d.shape == (3, 3) else d

    assert_rule(function, x, mean, covariance, constrain=constrain)
    assert_rule(function, x, mean=mean, cov=covariance, constrain=constrain)


def orthants(x):
    spread = np.outer(x[0], x[0]) + np.diag(1.0 + x[1] ** 2)
    normal = stats.multivariate_normal
    found = normal.cdf(x[1:], x[0], spread), normal.cdf(x[2], x[1], 1.0 + x[0] ** 2)
    one, frozen = normal.cdf(x[:, 0], x[1, 1], x[0, 0] ** 2 + 1.0), normal(x[0], spread)
    return np.sum(found[0]) * found[1] + np.sum(one) + frozen.logcdf(x[1])


def test_distribution_function_of_two_normal_variables() -> None:
    check(orthants, np.random.default_rng(0).standard_normal((3, 2)))


def test_distribution_function_of_three_normal_variables() -> None:
    """SciPy integrates it at random places, but its gradient by fewer variables exactly."""
    root = np.random.default_rng(1).standard_normal((3, 3))
    mean, x = np.array([0.1, 0.2, -0.1]), np.array([0.3, -0.2, 0.5])

    def probability(x, mean, spread):
        normal = stats.multivariate_normal
        return normal.cdf(x, mean, spread, maxpts=3_000_000, abseps=1e-7, releps=1e-7)

    assert_rule_close(probability, x, mean, root @ root.T + np.eye(3))


def assert_rule_close(function: Any, *args: Any) -> None:
    """The gradient by all arguments along a line, against differences."""
    rng = np.random.default_rng(2)
    ways = [rng.standard_normal(a.shape) for a in args]
    ways = [w + w.T if w.ndim == 2 else w for w in ways]
    moved = [function(*[a + t * w for a, w in zip(args, ways, strict=True)]) for t in (-0.02, 0.02)]
    found = s2sgrad.grad(function, argnums=(0, 1, 2), fallback="error")(*args)
    slope = sum(np.sum(g * w) for g, w in zip(found, ways, strict=True))
    assert slope == pytest.approx((moved[1] - moved[0]) / 0.04, rel=2e-3)


@pytest.mark.parametrize("method", ["logpdf", "pdf"])
def test_dirichlet(method: str) -> None:
    x, alpha = np.array([0.2, 0.5, 0.3]), np.array([1.3, 2.1, 0.8])

    def inside(d: np.ndarray) -> np.ndarray:
        """Points of the simplex sum to 1, so a move sums to 0; so may one of alpha."""
        return d - np.mean(d)

    assert_rule(getattr(stats.dirichlet, method), x, alpha, constrain=inside)


def wisharts(x):
    a, scale, df = x @ x.T + np.eye(3), x.T @ x + np.eye(3), 4.5 + x[0, 0] ** 2
    several = np.stack([a, 2.0 * a], axis=-1)
    densities = stats.wishart.pdf(several, 5.0, scale) / stats.invwishart.pdf(several, df, scale)
    return (
        np.sum(np.sqrt(densities))
        + stats.wishart.logpdf(a, df, scale)
        + stats.invwishart.logpdf(a, df, scale)
    )


def test_wishart() -> None:
    check(wisharts, np.random.default_rng(0).standard_normal((3, 3)))


@pytest.mark.parametrize("kappa", [0.0, 1e-3, 5.0, 60.0, 1e4])
def test_concentrations(kappa: float) -> None:
    """By quadrature: SciPy's own distribution function is a normal one from 50 on."""
    z = 1.5 / np.sqrt(1.0 + kappa)

    def cumulative(k: float) -> float:
        area, _ = integrate.quad(lambda t: np.exp(k * (np.cos(t) - 1.0)), 0.0, z, epsabs=0.0)
        return area / (special.i0e(k) * np.exp(abs(k) - k))

    step = 1e-2 * (1.0 + kappa)
    change = (8.0 * cumulative(kappa + step) - 8.0 * cumulative(kappa - step)) - (
        cumulative(kappa + 2.0 * step) - cumulative(kappa - 2.0 * step)
    )
    slope = s2sgrad.grad(lambda k: stats.vonmises.cdf(z, k))(kappa)
    assert slope == pytest.approx(change / (24.0 * np.pi * step), rel=1e-4)


TAILS = [("norm", "logsf", 39.5), ("norm", "logcdf", -39.5), ("gumbel_l", "logsf", 10.0),
         ("rayleigh", "logsf", 39.5)]  # fmt: skip


@pytest.mark.parametrize(("name", "method", "x"), TAILS)
def test_logarithms_far_out_in_a_tail(name: str, method: str, x: float) -> None:
    """The density is zero there as a number, and the slope of the logarithm is not."""
    function = getattr(getattr(stats, name), method)
    expected = (function(x + 1e-4) - function(x - 1e-4)) / 2e-4
    slope = s2sgrad.grad(lambda x: function(x))
    assert slope(x) == pytest.approx(expected, rel=1e-6)
    bend = (function(x + 1e-2) - 2.0 * function(x) + function(x - 1e-2)) / 1e-4
    assert s2sgrad.grad(slope)(x) == pytest.approx(bend, rel=1e-3)


@pytest.mark.parametrize("jit", [False, True])
def test_location_and_scale_by_name_may_be_wider_than_the_argument(jit: bool) -> None:
    def total(x: np.ndarray, loc: np.ndarray, scale: np.ndarray) -> Any:
        wide = stats.logistic.pdf(x, loc=loc, scale=scale)
        return np.sum(np.sin(wide)) + np.sum(stats.uniform.logpdf(x, scale=scale) ** 2)

    x, loc = np.array([0.1, 0.4, 0.3]), np.array([[0.2], [-0.4]])
    scale = np.array([[1.2, 1.1, 0.9], [1.3, 1.6, 1.4]])
    s2sgrad.check_grad(total, x, loc, scale, jit=jit)
    gradient = s2sgrad.grad(total, fallback="error", jit=jit)
    slopes = gradient(x, loc, scale)
    assert slopes.shape == x.shape
    _, push = s2sgrad.jvp(lambda x: total(x, loc, scale), (x,), (x,), fallback="error")
    assert push == pytest.approx(np.sum(slopes * x))
    assert s2sgrad.hvp(total, fallback="error")(x, loc, scale, x).shape == x.shape


def test_results_read_as_tuples() -> None:
    """By place, from the end, by name and as a whole, as SciPy's own results are."""
    x, y = np.random.default_rng(0).standard_normal((2, 9))

    def line(x: Any, y: Any) -> Any:
        r = stats.linregress(x, y)
        return len(r) * r[0] * r[-1] + sum(r) * r._asdict()["rvalue"] + r.intercept_stderr

    def means(x: Any, y: Any) -> Any:
        r = stats.f_oneway(x, y)
        statistic, pvalue = r
        return len(r) * statistic * r.pvalue + pvalue * r[-2] + sum(r)

    for function in (line, means):
        s2sgrad.check_grad(function, x, y)
    value, _ = s2sgrad.vjp(lambda x: stats.linregress(x, y), x)
    own = stats.linregress(x, y)
    np.testing.assert_allclose(tuple(value), tuple(own), rtol=1e-10)
    assert (value._fields, len(value)) == (own._fields, len(own))
    assert value._asdict().keys() == own._asdict().keys()


def test_results_that_are_handed_out() -> None:
    """A result as a whole, and its cotangent, without tensors: each field counts once."""
    x, y = np.random.default_rng(0).standard_normal((2, 9))
    names = ("slope", "intercept", "rvalue", "pvalue", "stderr", "intercept_stderr")

    def line(x: Any) -> Any:
        return stats.linregress(x, y)

    def told(x: Any) -> Any:
        found = line(x)
        return sum(k * getattr(found, name) for k, name in enumerate(names, 1))

    value, pull = s2sgrad.vjp(line, x, fallback="error")
    for name in names:
        assert getattr(value, name) == pytest.approx(getattr(line(x), name), rel=1e-10)
    for k, name in enumerate(names, 1):
        setattr(value, name, float(k))
    s2sgrad.check_grad(told, x)
    np.testing.assert_allclose(pull(value)[0], s2sgrad.grad(told, fallback="error")(x))
    as_tuple = pull((1.0, 2.0, 3.0, 4.0, 5.0))[
        0
    ]  # as the result is one: without what stands beside
    value.intercept_stderr = 0.0
    np.testing.assert_allclose(as_tuple, pull(value)[0])
    _, moved = s2sgrad.jvp(line, (x,), (y,), fallback="error")
    total = sum(k * getattr(moved, name) for k, name in enumerate(names, 1))
    assert total == pytest.approx(s2sgrad.grad(told)(x) @ y)


@pytest.mark.parametrize("name", ["skewtest", "kurtosistest", "normaltest", "jarque_bera"])
@pytest.mark.parametrize("axis", [0, 1, None])
def test_tests_by_moments(name: str, axis: Any) -> None:
    x = np.random.default_rng(1).standard_normal((9, 8))

    def told(x: Any) -> Any:
        found = getattr(stats, name)(x, axis=axis)
        return np.sum(np.cos(found.statistic) + found[1])

    value, _ = s2sgrad.value_and_grad(told, fallback="error")(x)
    assert value == pytest.approx(told(x), rel=1e-10)
    s2sgrad.check_grad(told, x)
    _, moved = s2sgrad.jvp(told, (x,), (x,), fallback="error")
    assert moved == pytest.approx(np.sum(s2sgrad.grad(told)(x) * x))


def test_tests_by_ranks_are_flat() -> None:
    x, y = np.random.default_rng(2).standard_normal((2, 12))
    names = ("kendalltau", "spearmanr", "mannwhitneyu", "ranksums", "kruskal", "weightedtau")
    for name in names:
        function = getattr(stats, name)

        def told(x: Any, function: Any = function) -> Any:
            statistic, _ = found = function(x, y)
            return found.statistic * np.sum(x**2) + statistic

        slope = s2sgrad.grad(told, fallback="error")(x)
        np.testing.assert_allclose(slope, 2.0 * x * function(x, y)[0])
        _, moved = s2sgrad.jvp(told, (x,), (x,), fallback="error")
        assert moved == pytest.approx(slope @ x)


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
@pytest.mark.parametrize("name", ["theilslopes", "shapiro"])
def test_errors_of_statistics_without_a_rule(name: str) -> None:
    """They say the line of the call, on tensors too, and the name that users know."""
    x = np.arange(8.0) ** 1.3

    def by_place(x: Any) -> Any:
        z = 2.0 * x
        return getattr(stats, name)(z)[0]

    def by_name(x: Any) -> Any:
        return getattr(stats, name)(x).statistic

    line = by_place.__code__.co_firstlineno + 2
    for derive in (s2sgrad.grad(by_place), lambda x: s2sgrad.jvp(by_place, (x,), (x,))):
        with pytest.raises(s2sgrad.MissingRuleError, match=rf"scipy\.stats\.{name}\n") as caught:
            derive(x)
        assert caught.value.lineno == line
    with pytest.raises(s2sgrad.UnsupportedError, match="line ") as refused:
        s2sgrad.jvp(by_name, (x,), (x,))
    assert refused.value.lineno == by_name.__code__.co_firstlineno + 1

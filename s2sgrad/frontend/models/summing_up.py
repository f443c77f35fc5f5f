"""Floor 4: functions and classes of `statistics`, written out in plain Python."""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np

from s2sgrad.frontend.models.standard_library import sequence


def mean(data: Any) -> Any:
    """statistics.mean."""
    items = sequence(data)
    return sum(items) / len(items)


def fmean(data: Any, weights: Any = None) -> Any:
    """statistics.fmean."""
    items = sequence(data)
    if weights is None:
        return sum(items) / len(items)
    return sum([w * v for w, v in zip(weights, items, strict=True)]) / sum(weights)


def pvariance(data: Any, mu: Any = None) -> Any:
    """statistics.pvariance."""
    items = sequence(data)
    middle = sum(items) / len(items) if mu is None else mu
    return sum([(item - middle) ** 2 for item in items]) / len(items)


def variance(data: Any, xbar: Any = None) -> Any:
    """statistics.variance."""
    items = sequence(data)
    middle = sum(items) / len(items) if xbar is None else xbar
    return sum([(item - middle) ** 2 for item in items]) / (len(items) - 1)


def pstdev(data: Any, mu: Any = None) -> Any:
    """statistics.pstdev."""
    return np.sqrt(pvariance(data, mu))


def stdev(data: Any, xbar: Any = None) -> Any:
    """statistics.stdev."""
    return np.sqrt(variance(data, xbar))


def median(data: Any) -> Any:
    """statistics.median."""
    return np.median(np.array(sequence(data)))


def median_low(data: Any) -> Any:
    """statistics.median_low."""
    ordered = sorted(data)
    return ordered[(len(ordered) - 1) // 2]


def median_high(data: Any) -> Any:
    """statistics.median_high."""
    ordered = sorted(data)
    return ordered[len(ordered) // 2]


def geometric_mean(data: Any) -> Any:
    """statistics.geometric_mean."""
    items = sequence(data)
    return np.exp(sum([np.log(item) for item in items]) / len(items))


def harmonic_mean(data: Any, weights: Any = None) -> Any:
    """statistics.harmonic_mean."""
    items = sequence(data)
    if weights is None:
        return len(items) / sum([1.0 / item for item in items])
    return sum(weights) / sum([w / v for w, v in zip(weights, items, strict=True)])


def quantiles(data: Any, *, n: int = 4, method: str = "exclusive") -> Any:
    """statistics.quantiles."""
    ordered = sorted(data)
    count = len(ordered) - 1 if method == "inclusive" else len(ordered) + 1
    found = []
    for i in range(1, n):
        j = i * count // n
        if method == "inclusive":
            rest = i * count - j * n
            found.append((ordered[j] * (n - rest) + ordered[j + 1] * rest) / n)
        else:
            j = min(max(j, 1), len(ordered) - 1)
            rest = i * count - j * n
            found.append((ordered[j - 1] * (n - rest) + ordered[j] * rest) / n)
    return found


def _products(x: Any, y: Any) -> Any:
    """The sum of the products of what lies beside the means."""
    x_mean, y_mean = mean(x), mean(y)
    return sum([(a - x_mean) * (b - y_mean) for a, b in zip(x, y, strict=True)])


def covariance(x: Any, y: Any) -> Any:
    """statistics.covariance."""
    return _products(x, y) / (len(x) - 1)


def correlation(x: Any, y: Any) -> Any:
    """statistics.correlation."""
    return _products(x, y) / np.sqrt(_products(x, x) * _products(y, y))


def linear_regression(x: Any, y: Any, *, proportional: bool = False) -> Any:
    """statistics.linear_regression."""
    if proportional:
        slope = sum([a * b for a, b in zip(x, y, strict=True)]) / sum([a * a for a in x])
        return statistics.LinearRegression(slope=slope, intercept=0.0)
    slope = _products(x, y) / _products(x, x)
    return statistics.LinearRegression(slope=slope, intercept=mean(y) - slope * mean(x))


class NormalDist:
    """statistics.NormalDist."""

    def __init__(self, mu: Any = 0.0, sigma: Any = 1.0) -> None:
        if sigma < 0.0:
            raise statistics.StatisticsError("sigma must be non-negative")
        self._mu, self._sigma = mu, sigma

    @classmethod
    def from_samples(cls, data: Any) -> Any:
        """The one with mean and standard deviation of a sample."""
        items = sequence(data)
        return cls(mean(items), stdev(items))

    @property
    def mean(self) -> Any:
        return self._mu

    @property
    def median(self) -> Any:
        return self._mu

    @property
    def mode(self) -> Any:
        return self._mu

    @property
    def stdev(self) -> Any:
        return self._sigma

    @property
    def variance(self) -> Any:
        return self._sigma**2

    def pdf(self, x: Any) -> Any:
        """The density."""
        return math.exp(-(((x - self._mu) / self._sigma) ** 2) / 2.0) / (
            math.sqrt(2.0 * math.pi) * self._sigma
        )

    def cdf(self, x: Any) -> Any:
        """How much lies below x."""
        return 0.5 * math.erfc((self._mu - x) / (self._sigma * math.sqrt(2.0)))

    def inv_cdf(self, p: Any) -> Any:
        """Where the share p lies below."""
        from scipy.special import ndtri

        return self._mu + self._sigma * ndtri(p)

    def quantiles(self, n: int = 4) -> Any:
        """Where to cut into n parts that are equally likely."""
        return [self.inv_cdf(i / n) for i in range(1, n)]

    def zscore(self, x: Any) -> Any:
        """How many standard deviations x lies above the mean."""
        return (x - self._mu) / self._sigma

    def __add__(self, other: Any) -> Any:
        if isinstance(other, statistics.NormalDist):
            return NormalDist(self._mu + other.mean, math.hypot(self._sigma, other.stdev))
        return NormalDist(self._mu + other, self._sigma)

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, statistics.NormalDist):
            return NormalDist(self._mu - other.mean, math.hypot(self._sigma, other.stdev))
        return NormalDist(self._mu - other, self._sigma)

    def __mul__(self, other: Any) -> Any:
        return NormalDist(self._mu * other, self._sigma * abs(other))

    def __truediv__(self, other: Any) -> Any:
        return NormalDist(self._mu / other, self._sigma / abs(other))

    def __pos__(self) -> Any:
        return NormalDist(self._mu, self._sigma)

    def __neg__(self) -> Any:
        return NormalDist(-self._mu, self._sigma)

    def __radd__(self, other: Any) -> Any:
        return NormalDist(self._mu + other, self._sigma)

    def __rsub__(self, other: Any) -> Any:
        return NormalDist(other - self._mu, self._sigma)

    def __rmul__(self, other: Any) -> Any:
        return NormalDist(self._mu * other, self._sigma * abs(other))

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, statistics.NormalDist):
            return False
        return self._mu == other.mean and self._sigma == other.stdev


_FUNCTIONS = (
    mean, fmean, pvariance, variance, pstdev, stdev, median, median_low, median_high,
    geometric_mean, harmonic_mean, quantiles, covariance, correlation, linear_regression,
)  # fmt: skip
STANDINS: dict[Any, Any] = {getattr(statistics, f.__name__): f for f in _FUNCTIONS}
STANDINS[statistics.NormalDist] = NormalDist

"""Floor 8: scipy.stats: tests of a shape, by moments; and tests by ranks, which are flat."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from s2sgrad.api import stop_gradient
from s2sgrad.standins.relating import Outcome, pearsonr, tail
from s2sgrad.standins.summaries import kurtosis, size_of, skew
from s2sgrad_runtime import found_by_scipy, scipy_ndtr


def skewtest(
    a: Any, axis: Any = 0, nan_policy: str = "propagate", alternative: str = "two-sided", *,
    keepdims: bool = False,
) -> Outcome:  # fmt: skip
    """scipy.stats.skewtest."""
    z = _by_skew(a, axis, nan_policy, keepdims)
    return Outcome(z, tail(z, alternative, scipy_ndtr))


def _by_skew(a: Any, axis: Any, nan_policy: str, keepdims: bool) -> Any:
    """D'Agostino's statistic of the skewness."""
    n = size_of(a, axis) * 1.0
    y = skew(a, axis, nan_policy=nan_policy, keepdims=keepdims) * np.sqrt(
        (n + 1.0) * (n + 3.0) / (6.0 * (n - 2.0))
    )
    fourth = 3.0 * (n * n + 27.0 * n - 70.0) * (n + 1.0) * (n + 3.0)
    fourth = fourth / ((n - 2.0) * (n + 5.0) * (n + 7.0) * (n + 9.0))
    square = np.sqrt(2.0 * (fourth - 1.0)) - 1.0
    return np.arcsinh(y / np.sqrt(2.0 / (square - 1.0))) / np.sqrt(0.5 * np.log(square))


def kurtosistest(
    a: Any, axis: Any = 0, nan_policy: str = "propagate", alternative: str = "two-sided", *,
    keepdims: bool = False,
) -> Outcome:  # fmt: skip
    """scipy.stats.kurtosistest."""
    z = _by_kurtosis(a, axis, nan_policy, keepdims)
    return Outcome(z, tail(z, alternative, scipy_ndtr))


def _by_kurtosis(a: Any, axis: Any, nan_policy: str, keepdims: bool) -> Any:
    """Anscombe's and Glynn's statistic of the kurtosis."""
    n = size_of(a, axis) * 1.0
    spread = 24.0 * n * (n - 2.0) * (n - 3.0) / ((n + 1.0) ** 2 * (n + 3.0) * (n + 5.0))
    middle = 3.0 * (n - 1.0) / (n + 1.0)
    x = (kurtosis(a, axis, False, nan_policy=nan_policy, keepdims=keepdims) - middle) / np.sqrt(
        spread
    )
    ratio = 6.0 * (n + 3.0) * (n + 5.0) / (n * (n - 2.0) * (n - 3.0))
    beta = 6.0 * (n * n - 5.0 * n + 2.0) / ((n + 7.0) * (n + 9.0)) * np.sqrt(ratio)
    freedom = 6.0 + 8.0 / beta * (2.0 / beta + np.sqrt(1.0 + 4.0 / beta**2))
    share = (1.0 - 2.0 / freedom) / (1.0 + x * np.sqrt(2.0 / (freedom - 4.0)))
    return (1.0 - 2.0 / (9.0 * freedom) - np.cbrt(share)) / np.sqrt(2.0 / (9.0 * freedom))


def normaltest(
    a: Any, axis: Any = 0, nan_policy: str = "propagate", *, keepdims: bool = False
) -> Outcome:
    """scipy.stats.normaltest."""
    total = (
        _by_skew(a, axis, nan_policy, keepdims) ** 2
        + _by_kurtosis(a, axis, nan_policy, keepdims) ** 2
    )
    return Outcome(total, np.exp(-0.5 * total))


def jarque_bera(
    x: Any, *, axis: Any = None, nan_policy: str = "propagate", keepdims: bool = False
) -> Outcome:
    """scipy.stats.jarque_bera."""
    squares = skew(x, axis, nan_policy=nan_policy, keepdims=keepdims) ** 2
    squares = squares + 0.25 * kurtosis(x, axis, nan_policy=nan_policy, keepdims=keepdims) ** 2
    total = size_of(x, axis) / 6.0 * squares
    return Outcome(total, np.exp(-0.5 * total))


def pointbiserialr(x: Any, y: Any) -> Outcome:
    """scipy.stats.pointbiserialr."""
    return pearsonr(x, y)


def by_ranks(name: str, *samples: Any, **options: Any) -> Outcome:
    """A test that reads only which entries are larger: its results stay where the samples move."""
    held = [stop_gradient(sample) for sample in samples]
    found = found_by_scipy("scipy.stats", name, *held, **options)
    return Outcome(found[0], found[1])


RANKS = (
    "friedmanchisquare", "kendalltau", "kruskal", "mannwhitneyu", "ranksums", "spearmanr",
    "weightedtau",
)  # fmt: skip
READ: dict[str, Any] = {
    "jarque_bera": jarque_bera, "kurtosistest": kurtosistest, "normaltest": normaltest,
    "pointbiserialr": pointbiserialr, "skewtest": skewtest,
    **{name: functools.partial(by_ranks, name) for name in RANKS},
}  # fmt: skip

"""Floor 8: scipy.stats: how samples relate to each other and to what is expected; densities."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime import (
    scipy_betainc,
    scipy_boxcox,
    scipy_chdtrc,
    scipy_fdtrc,
    scipy_logsumexp,
    scipy_stdtr,
)


class Outcome:
    """A statistic and its p-value, as a tuple and by name: as SciPy's own results have them."""

    AS_OWN = True  # handed out to the user as it is: see is_record
    _fields = ("statistic", "pvalue")

    def __init__(self, statistic: Any, pvalue: Any, df: Any = None) -> None:
        self.statistic, self.pvalue, self.df = statistic, pvalue, df

    @property
    def correlation(self) -> Any:
        """The statistic by its older name."""
        return self.statistic

    def __iter__(self) -> Any:
        return iter((self.statistic, self.pvalue))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: int) -> Any:
        return (self.statistic, self.pvalue)[place]

    def __repr__(self) -> str:
        return f"Outcome(statistic={self.statistic!r}, pvalue={self.pvalue!r})"


class Line:
    """What scipy.stats.linregress gives."""

    AS_OWN = True
    _fields = ("slope", "intercept", "rvalue", "pvalue", "stderr")

    def __init__(self, found: Any, intercept_stderr: Any) -> None:
        self.slope, self.intercept, self.rvalue, self.pvalue, self.stderr = found
        self.intercept_stderr = intercept_stderr

    @property
    def found(self) -> Any:
        """What the tuple holds."""
        return self.slope, self.intercept, self.rvalue, self.pvalue, self.stderr

    def __iter__(self) -> Any:
        return iter(self.found)

    def __len__(self) -> int:
        return 5

    def __getitem__(self, place: int) -> Any:
        return self.found[place]

    def _asdict(self) -> dict[str, Any]:
        """All of it by name."""
        slope, intercept, rvalue, pvalue, stderr = self.found
        return {
            "slope": slope, "intercept": intercept, "rvalue": rvalue, "pvalue": pvalue,
            "stderr": stderr, "intercept_stderr": self.intercept_stderr,
        }  # fmt: skip

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={v!r}" for name, v in self._asdict().items())
        return f"Line({fields})"


def tail(statistic: Any, alternative: str, below: Any) -> Any:
    """The p-value of a statistic whose distribution is symmetric; below: its distribution."""
    if alternative == "less":
        return below(statistic)
    if alternative == "greater":
        return below(-statistic)
    return 2.0 * below(-np.abs(statistic))


def pearsonr(
    x: Any, y: Any, *, alternative: str = "two-sided", method: Any = None, axis: Any = 0
) -> Outcome:
    """scipy.stats.pearsonr."""
    if method is not None:
        raise NotImplementedError("pearsonr with method=: leave it out")
    left = np.asarray(x) - np.mean(x, axis=axis, keepdims=True)
    right = np.asarray(y) - np.mean(y, axis=axis, keepdims=True)
    squares = np.sum(left * left, axis=axis) * np.sum(right * right, axis=axis)
    r = np.sum(left * right, axis=axis) / np.sqrt(squares)
    half = 0.5 * np.shape(left)[axis] - 1.0
    return Outcome(r, tail(r, alternative, lambda t: scipy_betainc(half, half, 0.5 * (1.0 + t))))


def linregress(
    x: Any, y: Any, alternative: str = "two-sided", *, axis: Any = 0,
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Line:  # fmt: skip
    """scipy.stats.linregress of two vectors."""
    n, xmean, ymean = len(x), np.mean(x), np.mean(y)
    left, right = np.asarray(x) - xmean, np.asarray(y) - ymean
    xx, xy, yy = np.mean(left * left), np.mean(left * right), np.mean(right * right)
    slope, r = xy / xx, xy / np.sqrt(xx * yy)
    rest, df = 1.0 - r * r, n - 2
    t = r * np.sqrt(df / rest)
    stderr = np.sqrt(rest * yy / xx / df)
    found = (
        slope, ymean - slope * xmean, r, tail(t, alternative, lambda t: scipy_stdtr(df, t)), stderr
    )  # fmt: skip
    return Line(found, stderr * np.sqrt(xx + xmean**2))


def student(t: Any, df: Any, alternative: str) -> Outcome:
    """A statistic of Student's t."""
    return Outcome(t, tail(t, alternative, lambda t: scipy_stdtr(df, t)), df)


def ttest_1samp(
    a: Any, popmean: Any, axis: Any = 0, nan_policy: str = "propagate",
    alternative: str = "two-sided", *, keepdims: bool = False,
) -> Outcome:  # fmt: skip
    """scipy.stats.ttest_1samp."""
    n = np.size(a) if axis is None else np.shape(a)[axis]
    spread = np.sqrt(np.var(a, axis=axis, ddof=1, keepdims=keepdims) / n)
    away = np.mean(a, axis=axis, keepdims=keepdims) - popmean
    return student(away / spread, n - 1, alternative)


def ttest_rel(
    a: Any, b: Any, axis: Any = 0, nan_policy: str = "propagate", alternative: str = "two-sided",
    *, keepdims: bool = False,
) -> Outcome:  # fmt: skip
    """scipy.stats.ttest_rel."""
    return ttest_1samp(
        np.asarray(a) - np.asarray(b), 0.0, axis, nan_policy, alternative, keepdims=keepdims
    )


def ttest_ind(
    a: Any, b: Any, *, axis: Any = 0, equal_var: bool = True, nan_policy: str = "propagate",
    alternative: str = "two-sided", trim: Any = 0, method: Any = None, keepdims: bool = False,
) -> Outcome:  # fmt: skip
    """scipy.stats.ttest_ind; with equal_var=False the p-value has no derivative: it goes by the
    degrees of freedom too."""
    if trim != 0 or method is not None:
        raise NotImplementedError("ttest_ind with trim= or method=: leave it out")
    n, m = (np.size(a), np.size(b)) if axis is None else (np.shape(a)[axis], np.shape(b)[axis])
    left = np.var(a, axis=axis, ddof=1, keepdims=keepdims)
    right = np.var(b, axis=axis, ddof=1, keepdims=keepdims)
    away = np.mean(a, axis=axis, keepdims=keepdims) - np.mean(b, axis=axis, keepdims=keepdims)
    if not equal_var:
        left, right = left / n, right / m
        df = (left + right) ** 2 / (left**2 / (n - 1.0) + right**2 / (m - 1.0))
        return student(away / np.sqrt(left + right), df, alternative)
    pooled = ((n - 1.0) * left + (m - 1.0) * right) / (n + m - 2.0)
    return student(away / np.sqrt(pooled * (1.0 / n + 1.0 / m)), n + m - 2.0, alternative)


def f_oneway(
    *samples: Any, axis: Any = 0, equal_var: bool = True, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Outcome:  # fmt: skip
    """scipy.stats.f_oneway."""
    if not equal_var:
        raise NotImplementedError("f_oneway(equal_var=False): Welch's statistic has no model here")
    counts = [np.shape(one)[axis] for one in samples]
    total = sum(counts)
    middle = sum([np.sum(one, axis=axis) for one in samples]) / total
    between: Any = 0.0
    inside: Any = 0.0
    for one in samples:
        between = between + np.shape(one)[axis] * (np.mean(one, axis=axis) - middle) ** 2
        inside = inside + np.shape(one)[axis] * np.var(one, axis=axis)
    few, many = len(samples) - 1, total - len(samples)
    found = (between / few) / (inside / many)
    return Outcome(found, scipy_fdtrc(few, many, found))


def chisquare(
    f_obs: Any, f_exp: Any = None, ddof: Any = 0, axis: Any = 0, *, sum_check: bool = True
) -> Outcome:
    """scipy.stats.chisquare along one axis."""
    seen = np.asarray(f_obs)
    expected = np.mean(seen, axis=axis, keepdims=True) if f_exp is None else f_exp
    found = np.sum((seen - expected) ** 2 / expected, axis=axis)
    count = np.size(seen) if axis is None else np.shape(seen)[axis]
    return Outcome(found, scipy_chdtrc(count - 1 - ddof, found))


# --- transformations ------------------------------------------------------------------------------
def boxcox_llf(lmb: Any, data: Any, *, axis: Any = 0, keepdims: bool = False) -> Any:
    """scipy.stats.boxcox_llf."""
    logs = np.log(data)
    count = np.shape(logs)[axis]
    spread = np.var(logs, axis=axis) if lmb == 0 else np.var(data**lmb / lmb, axis=axis)
    return (lmb - 1.0) * np.sum(logs, axis=axis) - 0.5 * count * np.log(spread)


def boxcox(x: Any, lmbda: Any = None, alpha: Any = None, optimizer: Any = None) -> Any:
    """scipy.stats.boxcox of a given exponent."""
    if lmbda is None:
        raise NotImplementedError("boxcox chooses its exponent itself: give it as lmbda")
    return scipy_boxcox(x, lmbda)


def yeojohnson(x: Any, lmbda: Any = None) -> Any:
    """scipy.stats.yeojohnson of a given exponent."""
    if lmbda is None:
        raise NotImplementedError("yeojohnson chooses its exponent itself: give it as lmbda")
    up = np.asarray(x) >= 0.0
    grown, shrunk = np.where(up, x, 0.0), np.where(up, 0.0, x)
    if abs(lmbda) < 1e-10:
        right = np.log1p(grown)
    else:
        right = np.expm1(lmbda * np.log1p(grown)) / lmbda
    if abs(lmbda - 2.0) < 1e-10:
        left = -np.log1p(-shrunk)
    else:
        left = -np.expm1((2.0 - lmbda) * np.log1p(-shrunk)) / (2.0 - lmbda)
    return np.where(up, right, left)


# --- densities ------------------------------------------------------------------------------------
class gaussian_kde:
    """scipy.stats.gaussian_kde."""

    def __init__(self, dataset: Any, bw_method: Any = None, weights: Any = None) -> None:
        self.dataset = np.atleast_2d(dataset)
        self.d, self.n = np.shape(self.dataset)
        shares = np.ones(self.n) if weights is None else np.asarray(weights)
        self.weights = shares / np.sum(shares)
        self.neff = 1.0 / np.sum(self.weights**2)
        if bw_method is None or bw_method == "scott":
            self.factor = self.neff ** (-1.0 / (self.d + 4))
        elif bw_method == "silverman":
            self.factor = (self.neff * (self.d + 2.0) / 4.0) ** (-1.0 / (self.d + 4))
        else:
            self.factor = bw_method
        away = self.dataset - np.reshape(self.dataset @ self.weights, (-1, 1))
        spread = (away * self.weights) @ away.T / (1.0 - np.sum(self.weights**2))
        self.covariance = spread * self.factor**2

    def logpdf(self, x: Any) -> Any:
        places = np.reshape(np.asarray(x), (self.d, -1))
        root = np.linalg.cholesky(self.covariance)
        away = np.linalg.solve(root, self.dataset), np.linalg.solve(root, places)
        gaps = away[1][:, :, None] - away[0][:, None, :]
        scale = 0.5 * self.d * np.log(2.0 * np.pi) + np.sum(np.log(np.diag(root)))
        parts = np.log(self.weights) - 0.5 * np.sum(gaps * gaps, axis=0)
        return scipy_logsumexp(parts, axis=1) - scale

    def pdf(self, x: Any) -> Any:
        return np.exp(self.logpdf(x))

    def evaluate(self, points: Any) -> Any:
        return self.pdf(points)

    def __call__(self, points: Any) -> Any:
        return self.pdf(points)


READ = (
    "boxcox", "boxcox_llf", "chisquare", "f_oneway", "gaussian_kde", "linregress", "pearsonr",
    "ttest_1samp", "ttest_ind", "ttest_rel", "yeojohnson",
)  # fmt: skip

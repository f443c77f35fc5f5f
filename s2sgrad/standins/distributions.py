"""Floor 8: frozen distributions of scipy.stats: methods that hand the parameters on."""

from __future__ import annotations

import functools
from typing import Any

from scipy import stats

from s2sgrad.standins import hypotheses, probabilities, relating, several_numbers, summaries


class Frozen:
    """A distribution with its parameters, `scipy.stats.norm(loc, scale)`."""

    FIELDS = ("dist", "args", "kwds")

    def __init__(self, dist: Any, args: Any, kwds: Any) -> None:
        self.dist, self.args, self.kwds = dist, args, kwds

    def cdf(self, x: Any) -> Any:
        return self.dist.cdf(x, *self.args, **self.kwds)

    def isf(self, q: Any) -> Any:
        return self.dist.isf(q, *self.args, **self.kwds)

    def logcdf(self, x: Any) -> Any:
        return self.dist.logcdf(x, *self.args, **self.kwds)

    def logpdf(self, x: Any) -> Any:
        return self.dist.logpdf(x, *self.args, **self.kwds)

    def logpmf(self, k: Any) -> Any:
        return self.dist.logpmf(k, *self.args, **self.kwds)

    def logsf(self, x: Any) -> Any:
        return self.dist.logsf(x, *self.args, **self.kwds)

    def median(self) -> Any:
        return self.dist.ppf(0.5, *self.args, **self.kwds)

    def entropy(self) -> Any:
        return self.dist.entropy(*self.args, **self.kwds)

    def mean(self) -> Any:
        return self.dist.mean(*self.args, **self.kwds)

    def std(self) -> Any:
        return self.dist.std(*self.args, **self.kwds)

    def var(self) -> Any:
        return self.dist.var(*self.args, **self.kwds)

    def pdf(self, x: Any) -> Any:
        return self.dist.pdf(x, *self.args, **self.kwds)

    def pmf(self, k: Any) -> Any:
        return self.dist.pmf(k, *self.args, **self.kwds)

    def ppf(self, q: Any) -> Any:
        return self.dist.ppf(q, *self.args, **self.kwds)

    def sf(self, x: Any) -> Any:
        return self.dist.sf(x, *self.args, **self.kwds)


class FrozenNormals:
    """`scipy.stats.multivariate_normal(mean, cov)`, made outside the function."""

    FIELDS = ("mean", "cov")

    def __init__(self, mean: Any, cov: Any) -> None:
        self.mean, self.cov = mean, cov

    def logpdf(self, x: Any) -> Any:
        return stats.multivariate_normal.logpdf(x, self.mean, self.cov)

    def pdf(self, x: Any) -> Any:
        return stats.multivariate_normal.pdf(x, self.mean, self.cov)

    def cdf(self, x: Any) -> Any:
        return stats.multivariate_normal.cdf(x, self.mean, self.cov)

    def logcdf(self, x: Any) -> Any:
        return stats.multivariate_normal.logcdf(x, self.mean, self.cov)


def freeze(dist: Any, *args: Any, **kwds: Any) -> Any:
    """The distribution with these parameters."""
    return Frozen(dist, args, kwds)


@functools.cache
def table() -> dict[Any, Any]:
    """SciPy's distribution, as it is called -> what is read in its place."""
    found = [d for d in vars(stats).values() if hasattr(d, "logpdf") or hasattr(d, "logpmf")]
    made: dict[Any, Any] = {type(stats.norm()): Frozen, type(stats.binom(1, 0.5)): Frozen}
    made[type(stats.multivariate_normal())] = FrozenNormals
    for module in (relating, summaries):
        made |= {getattr(stats, n): getattr(module, n) for n in module.READ}
    made |= {getattr(stats, name): read for name, read in hypotheses.READ.items()}
    for name, methods in (*several_numbers.READ.items(), *probabilities.READ.items()):
        dist = getattr(stats, name, None)  # some are younger than others
        if dist is not None:
            made |= {getattr(dist, method): read for method, read in methods.items()}
    return made | {d: functools.partial(freeze, d) for d in found if not isinstance(d, type)}

"""Floor 8: summaries of samples in scipy.stats: moments, means, distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime import scipy_entr

QUARTILE = 0.6744897501960817  # of the normal distribution


def _propagates(nan_policy: str) -> None:
    if nan_policy != "propagate":
        raise NotImplementedError("nan_policy: leave the NaN out with a[~np.isnan(a)]")


# --- moments --------------------------------------------------------------------------------------
def central(a: Any, order: Any, axis: Any) -> Any:
    """The mean of a power of what is left without the mean; its axes stay."""
    away = np.asarray(a) - np.mean(a, axis=axis, keepdims=True)
    return np.mean(away**order, axis=axis, keepdims=True)


def without(a: Any, axis: Any, keepdims: bool) -> Any:
    """An array without its axes of length one that were reduced."""
    if keepdims:
        return a
    return np.squeeze(a)[()] if axis is None else np.squeeze(a, axis)


def size_of(a: Any, axis: Any) -> Any:
    """How many entries are reduced along axes."""
    return np.size(a) / max(np.size(np.sum(a, axis=axis)), 1)


def moment(
    a: Any, order: Any = 1, axis: Any = 0, nan_policy: str = "propagate", *, center: Any = None,
    keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.moment, of one order or of several."""
    _propagates(nan_policy)
    if np.ndim(order) > 0:
        several = [moment(a, k, axis, nan_policy, center=center, keepdims=keepdims) for k in order]
        return np.stack(several)
    if center is None:
        return without(central(a, order, axis), axis, keepdims)
    return np.mean((np.asarray(a) - center) ** order, axis=axis, keepdims=keepdims)


def skew(
    a: Any, axis: Any = 0, bias: bool = True, nan_policy: str = "propagate", *,
    keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.skew."""
    _propagates(nan_policy)
    found = central(a, 3, axis) / central(a, 2, axis) ** 1.5
    n = size_of(a, axis)
    if not bias and n > 2:
        found = found * (np.sqrt((n - 1.0) * n) / (n - 2.0))
    return without(found, axis, keepdims)


def kurtosis(
    a: Any, axis: Any = 0, fisher: bool = True, bias: bool = True, nan_policy: str = "propagate",
    *, keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.kurtosis."""
    _propagates(nan_policy)
    found = central(a, 4, axis) / central(a, 2, axis) ** 2
    n = size_of(a, axis)
    if not bias and n > 3:
        found = ((n**2 - 1.0) * found - 3.0 * (n - 1.0) ** 2) / ((n - 2.0) * (n - 3.0)) + 3.0
    return without(found - 3.0 if fisher else found, axis, keepdims)


def variation(
    a: Any, axis: Any = 0, nan_policy: str = "propagate", ddof: Any = 0, *, keepdims: bool = False
) -> Any:
    """scipy.stats.variation."""
    _propagates(nan_policy)
    spread = np.std(a, axis=axis, ddof=ddof, keepdims=keepdims)
    return spread / np.mean(a, axis=axis, keepdims=keepdims)


def sem(
    a: Any, axis: Any = 0, ddof: Any = 1, nan_policy: str = "propagate", *, keepdims: bool = False
) -> Any:
    """scipy.stats.sem."""
    _propagates(nan_policy)
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / np.sqrt(size_of(a, axis))


def zmap(
    scores: Any, compare: Any, axis: Any = 0, ddof: Any = 0, nan_policy: str = "propagate"
) -> Any:
    """scipy.stats.zmap."""
    _propagates(nan_policy)
    away = np.asarray(scores) - np.mean(compare, axis=axis, keepdims=True)
    return away / np.std(compare, axis=axis, ddof=ddof, keepdims=True)


def zscore(a: Any, axis: Any = 0, ddof: Any = 0, nan_policy: str = "propagate") -> Any:
    """scipy.stats.zscore."""
    return zmap(a, a, axis, ddof, nan_policy)


def gzscore(a: Any, *, axis: Any = 0, ddof: Any = 0, nan_policy: str = "propagate") -> Any:
    """scipy.stats.gzscore."""
    return zscore(np.log(a), axis, ddof, nan_policy)


def gstd(
    a: Any, axis: Any = 0, ddof: Any = 1, *, keepdims: bool = False, nan_policy: str = "propagate"
) -> Any:
    """scipy.stats.gstd."""
    _propagates(nan_policy)
    return np.exp(np.std(np.log(a), axis=axis, ddof=ddof, keepdims=keepdims))


def kstat(
    data: Any, n: int = 2, *, axis: Any = None, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.kstat: unbiased estimates of the first four cumulants."""
    _propagates(nan_policy)
    count, second = size_of(data, axis), central(data, 2, axis)
    if n == 1:
        return np.mean(data, axis=axis, keepdims=keepdims)
    if n == 2:
        found = second * (count / (count - 1.0))
    elif n == 3:
        found = central(data, 3, axis) * (count**2 / ((count - 1.0) * (count - 2.0)))
    else:
        both = (count + 1.0) * central(data, 4, axis) - 3.0 * (count - 1.0) * second**2
        found = both * (count**2 / ((count - 1.0) * (count - 2.0) * (count - 3.0)))
    return without(found, axis, keepdims)


# --- means ----------------------------------------------------------------------------------------
def gmean(
    a: Any, axis: Any = 0, dtype: Any = None, weights: Any = None, *,
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.gmean."""
    _propagates(nan_policy)
    return np.exp(weighted(np.log(a), weights, axis, keepdims))


def hmean(
    a: Any, axis: Any = 0, dtype: Any = None, *, weights: Any = None,
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.hmean."""
    _propagates(nan_policy)
    return 1.0 / weighted(1.0 / np.asarray(a), weights, axis, keepdims)


def pmean(
    a: Any, p: Any, *, axis: Any = 0, dtype: Any = None, weights: Any = None,
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.pmean."""
    _propagates(nan_policy)
    if p == 0:
        return gmean(a, axis, dtype, weights, keepdims=keepdims)
    return weighted(np.asarray(a) ** p, weights, axis, keepdims) ** (1.0 / p)


def weighted(a: Any, weights: Any, axis: Any, keepdims: Any) -> Any:
    """The mean by weights."""
    if weights is None:
        return np.mean(a, axis=axis, keepdims=keepdims)
    return np.average(a, axis=axis, weights=weights, keepdims=keepdims)


def trim_mean(
    a: Any, proportiontocut: Any, axis: Any = 0, *, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.trim_mean along one axis or of all entries."""
    _propagates(nan_policy)
    rows = np.ravel(a) if axis is None else np.moveaxis(np.asarray(a), axis, 0)
    cut = int(proportiontocut * len(rows))
    found = np.mean(np.sort(rows, axis=0)[cut : len(rows) - cut], axis=0)
    if not keepdims:
        return found
    return np.reshape(found, (1,) * np.ndim(a)) if axis is None else np.expand_dims(found, axis)


def within(a: Any, limits: Any, inclusive: Any) -> Any:
    """Where entries lie between limits, of which some may be None."""
    low, high = (None, None) if limits is None else limits
    kept = np.ones(np.shape(a), bool)
    if low is not None:
        kept = kept & ((a >= low) if inclusive[0] else (a > low))
    if high is not None:
        kept = kept & ((a <= high) if inclusive[1] else (a < high))
    return kept


def tmean(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = None, *,
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.tmean."""
    _propagates(nan_policy)
    return np.mean(a, axis=axis, keepdims=keepdims, where=within(a, limits, inclusive))


def tvar(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = 0, ddof: Any = 1, *,
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.tvar."""
    _propagates(nan_policy)
    kept = within(a, limits, inclusive)
    return np.var(a, axis=axis, ddof=ddof, keepdims=keepdims, where=kept)


def tstd(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = 0, ddof: Any = 1, *,
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.tstd."""
    return np.sqrt(tvar(a, limits, inclusive, axis, ddof, nan_policy=nan_policy, keepdims=keepdims))


def tsem(
    a: Any, limits: Any = None, inclusive: Any = (True, True), axis: Any = 0, ddof: Any = 1, *,
    nan_policy: str = "propagate", keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.tsem."""
    spread = tstd(a, limits, inclusive, axis, ddof, nan_policy=nan_policy, keepdims=keepdims)
    return spread / np.sqrt(np.sum(within(a, limits, inclusive), axis=axis, keepdims=keepdims))


def iqr(
    x: Any, axis: Any = None, rng: Any = (25, 75), scale: Any = 1.0,
    nan_policy: str = "propagate", interpolation: Any = "linear", keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.iqr."""
    _propagates(nan_policy)
    low, high = min(rng[0], rng[1]), max(rng[0], rng[1])
    ends = np.percentile(x, (low, high), axis=axis, method=interpolation, keepdims=keepdims)
    return (ends[1] - ends[0]) / (2.0 * QUARTILE if isinstance(scale, str) else scale)


def median_abs_deviation(
    x: Any, axis: Any = 0, center: Any = np.median, scale: Any = 1.0,
    nan_policy: str = "propagate", *, keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.median_abs_deviation."""
    _propagates(nan_policy)
    middle = center(x, axis=axis)
    middle = middle if axis is None else np.expand_dims(middle, axis)
    found = np.median(np.abs(np.asarray(x) - middle), axis=axis, keepdims=keepdims)
    return found / (QUARTILE if isinstance(scale, str) else scale)


# --- angles ---------------------------------------------------------------------------------------
def resultant(samples: Any, high: Any, low: Any, axis: Any, keepdims: bool) -> Any:
    """The mean sine and the mean cosine of angles."""
    angles = (np.asarray(samples) - low) * (2.0 * np.pi / (high - low))
    s = np.mean(np.sin(angles), axis=axis, keepdims=keepdims)
    return s, np.mean(np.cos(angles), axis=axis, keepdims=keepdims)


def circmean(
    samples: Any, high: Any = 2.0 * np.pi, low: Any = 0.0, axis: Any = None,
    nan_policy: str = "propagate", *, keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.circmean."""
    _propagates(nan_policy)
    s, c = resultant(samples, high, low, axis, keepdims)
    turn = np.arctan2(s, c)
    turn = np.where(turn < 0.0, turn + 2.0 * np.pi, turn)
    return turn * ((high - low) / (2.0 * np.pi)) + low


def circvar(
    samples: Any, high: Any = 2.0 * np.pi, low: Any = 0.0, axis: Any = None,
    nan_policy: str = "propagate", *, keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.circvar."""
    _propagates(nan_policy)
    s, c = resultant(samples, high, low, axis, keepdims)
    return 1.0 - np.hypot(s, c)


def circstd(
    samples: Any, high: Any = 2.0 * np.pi, low: Any = 0.0, axis: Any = None,
    nan_policy: str = "propagate", *, normalize: bool = False, keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.circstd."""
    found = np.sqrt(
        -2.0 * np.log(1.0 - circvar(samples, high, low, axis, nan_policy, keepdims=keepdims))
    )
    return found if normalize else found * ((high - low) / (2.0 * np.pi))


# --- entropies and distances ----------------------------------------------------------------------
def entropy(
    pk: Any, qk: Any = None, base: Any = None, axis: Any = 0, *, nan_policy: str = "propagate",
    keepdims: bool = False,
) -> Any:  # fmt: skip
    """scipy.stats.entropy."""
    _propagates(nan_policy)
    p = np.asarray(pk) / np.sum(pk, axis=axis, keepdims=True)
    found = np.sum(scipy_entr(p), axis=axis, keepdims=keepdims)
    if qk is not None:
        q = np.asarray(qk) / np.sum(qk, axis=axis, keepdims=True)
        logs = np.log(np.where(p > 0.0, q, 1.0))
        found = -found - np.sum(p * logs, axis=axis, keepdims=keepdims)
    return found if base is None else found / np.log(base)


def steps(values: Any, places: Any, weights: Any) -> Any:
    """The share of values up to each of the places."""
    order = np.argsort(values)
    counts = np.searchsorted(np.asarray(values)[order], places, "right")
    if weights is None:
        return counts / len(values)
    sums = np.concatenate((np.zeros(1), np.cumsum(np.asarray(weights)[order])))
    return sums[counts] / sums[-1]


def between(u_values: Any, v_values: Any, u_weights: Any, v_weights: Any) -> Any:
    """The differences of two empirical distribution functions, and how long each lasts."""
    places = np.sort(np.concatenate((np.asarray(u_values), np.asarray(v_values))))
    gaps = steps(u_values, places[:-1], u_weights) - steps(v_values, places[:-1], v_weights)
    return gaps, np.diff(places)


def wasserstein_distance(
    u_values: Any, v_values: Any, u_weights: Any = None, v_weights: Any = None
) -> Any:
    """scipy.stats.wasserstein_distance."""
    gaps, lengths = between(u_values, v_values, u_weights, v_weights)
    return np.sum(np.abs(gaps) * lengths)


def energy_distance(
    u_values: Any, v_values: Any, u_weights: Any = None, v_weights: Any = None
) -> Any:
    """scipy.stats.energy_distance."""
    gaps, lengths = between(u_values, v_values, u_weights, v_weights)
    return np.sqrt(2.0 * np.sum(gaps * gaps * lengths))


READ = (
    "circmean", "circstd", "circvar", "energy_distance", "entropy", "gmean", "gstd", "gzscore",
    "hmean", "iqr", "kstat", "kurtosis", "median_abs_deviation", "moment", "pmean", "sem", "skew",
    "tmean", "trim_mean", "tsem", "tstd", "tvar", "variation", "wasserstein_distance", "zmap",
    "zscore",
)  # fmt: skip

"""Derivatives of the distribution function of several normal variables.

By one of the limits it is the density there, times the distribution function of the others, given
that the one is at its limit. So derivatives of any order are distribution functions of fewer
variables times Hermite polynomials. Those by the covariances are derivatives by two limits.
"""

from __future__ import annotations

import importlib
import itertools
import math
from typing import Any

import numpy as np

__all__ = ["orthant_slopes"]


def orthant_slopes(
    rows: Any, cov: Any, order: int = 0, limit: Any = None, near: Any = 1e-5, close: Any = 1e-5
) -> Any:
    """The derivatives of some order of P(X <= row) by the row's entries, in rows of n**order.

    X has mean zero and the covariance cov. limit, near and close: SciPy's maxpts, abseps and
    releps, for what is integrated.
    """
    n = np.shape(rows)[1]
    places = list(itertools.product(range(n), repeat=order))
    found = np.empty((np.shape(rows)[0], n**order))
    for row, into in zip(np.asarray(rows, float), found, strict=True):
        known = {
            tuple(sorted(p)): _mixed(row, cov, tuple(sorted(p)), (limit, near, close))
            for p in itertools.combinations_with_replacement(range(n), order)
        }
        into[:] = [known[tuple(sorted(p))] for p in places]
    return found


def _probability(row: Any, cov: Any, accuracy: Any) -> float:
    if len(row) == 0:
        return 1.0
    if len(row) == 1:
        return float(importlib.import_module("scipy.special").ndtr(row[0] / np.sqrt(cov[0, 0])))
    normal = importlib.import_module("scipy.stats").multivariate_normal
    limit, near, close = accuracy
    given = {"allow_singular": True, "maxpts": limit, "abseps": near, "releps": close}
    return float(normal.cdf(row, None, cov, **given))


def _density(z: float, sigma: float, order: int) -> float:
    """A derivative of the normal density, by Hermite polynomials."""
    t, last, this = z / sigma, 0.0, 1.0
    for k in range(order):
        last, this = this, t * this - k * last
    scale = math.sqrt(2.0 * math.pi) * sigma ** (order + 1)
    return (-1.0) ** order * this * math.exp(-0.5 * t * t) / scale


def _mixed(row: Any, cov: Any, places: tuple[int, ...], accuracy: Any) -> float:
    """The derivative of P(X <= row) by the entries of the row at some places, in turn."""
    if not places:
        return _probability(row, cov, accuracy)
    first = places[0]
    others = [k for k in range(len(row)) if k != first]
    variance = cov[first, first]
    pull = cov[others, first] / variance
    left = row[others] - pull * row[first]
    spread = cov[np.ix_(others, others)] - np.outer(pull, pull) * variance
    rest = tuple(others.index(k) for k in places[1:] if k != first)
    again = sum(k == first for k in places[1:])
    total = 0.0
    for moved in range(again + 1):  # how many of them move the others' limits
        share = math.comb(again, moved) * _density(row[first], math.sqrt(variance), again - moved)
        for ways in itertools.product(range(len(others)), repeat=moved):
            factor = math.prod(-float(pull[k]) for k in ways)
            total += share * factor * _mixed(left, spread, rest + ways, accuracy)
    return total

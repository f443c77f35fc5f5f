"""Samples of reductions.py and nanreductions.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import (
    COMPLEX,
    CUBE,
    EMPTY,
    MASK,
    MATRIX,
    SINGLE,
    VECTOR,
    WIDE,
    ZERO_D,
)

HOLES = np.where(MASK, MATRIX, np.nan)
ZEROS = np.array([[0.0, 1.2, 0.7], [0.9, 0.0, 0.0]])
AXES = (None, 0, -1, (0, 2), (-1, 1))


def plain(empty: bool = True, where: bool = True, tuples: bool = True) -> list[Any]:
    """Every kind of axis, keepdims, 0-d, single precision, and what else the function takes."""
    found = [Sample(CUBE, axis=a) for a in (AXES if tuples else (None, 0, -1, 1))]
    found += [Sample(CUBE, axis=a, keepdims=True) for a in ((0, 2) if tuples else 1, None)]
    found += [Sample(MATRIX, 1), Sample(SINGLE, axis=0), Sample(VECTOR), Sample(MATRIX.T)]
    if empty:
        found += [Sample(EMPTY), Sample(EMPTY, axis=0)]
    if where:
        found += [Sample(MATRIX, where=MASK), Sample(MATRIX, axis=1, where=MASK, keepdims=True)]
    return found


NANS = [
    Sample(HOLES),
    Sample(HOLES, axis=0),
    Sample(HOLES, axis=1, keepdims=True),
    Sample(MATRIX, axis=1),
]
ABOUT = [  # another mean, which may move too
    Sample(MATRIX, axis=1, mean=np.mean(MATRIX, axis=1, keepdims=True) + 0.1),
    Sample(MATRIX, mean=np.array([[0.2]])),
]
SPREAD = [Sample(MATRIX, axis=1), Sample(CUBE, axis=(0, 2), ddof=1), Sample(CUBE, keepdims=True)]

SAMPLES: dict[Any, list[Any]] = {
    np.sum: [
        *plain(),
        Sample(ZERO_D),
        Sample(0.7),
        Sample(COMPLEX, axis=0),
        Sample(MATRIX, initial=2.0),
    ],
    np.mean: [*plain(empty=False), Sample(ZERO_D), Sample(COMPLEX, axis=1)],
    np.average: [
        Sample(MATRIX),
        Sample(MATRIX, axis=1),
        Sample(MATRIX, weights=np.abs(WIDE)),
        Sample(MATRIX, axis=0, weights=np.array([0.3, 0.7])),
        Sample(CUBE, axis=(2, 0), weights=np.arange(1.0, 9.0).reshape(4, 2)),
        Sample(MATRIX, axis=1, keepdims=True),
        Sample(MATRIX, axis=0, weights=np.array([0.3, 0.7]), keepdims=True),
    ],
    np.prod: [
        *plain(),
        Sample(ZEROS),
        Sample(ZEROS, axis=0),
        Sample(ZEROS, axis=1, keepdims=True),
        Sample(COMPLEX, axis=1),
        Sample(MATRIX, axis=1, initial=2.0),
        Sample(ZERO_D),
    ],
    np.max: [
        *plain(empty=False, where=False),
        Sample(MATRIX, initial=-9.0, where=MASK, axis=1),
        Sample(ZERO_D),
    ],
    np.min: [*plain(empty=False, where=False), Sample(MATRIX, initial=9.0, where=MASK, axis=1)],
    np.amax: [Sample(MATRIX, 0)],
    np.amin: [Sample(MATRIX, 0)],
    np.ptp: plain(empty=False, where=False),
    np.var: [
        *plain(empty=False),
        *SPREAD,
        Sample(COMPLEX, axis=1),
        Sample(MATRIX, correction=1),
        *ABOUT,
    ],
    np.std: [
        *plain(empty=False),
        *SPREAD,
        Sample(COMPLEX, axis=1),
        Sample(MATRIX, correction=1),
        *ABOUT,
    ],
    np.median: plain(empty=False, where=False),
    np.quantile: [
        Sample(CUBE, 0.3),
        Sample(CUBE, 0.3, axis=1),
        Sample(CUBE, np.array([0.1, 0.55, 1.0]), axis=(0, 2), constant=("q",)),
        Sample(CUBE, np.array([[0.1, 0.55]]), axis=1, keepdims=True),
        Sample(SINGLE, 0.25, axis=0),
        *[Sample(VECTOR, 0.4, method=m) for m in ("lower", "higher", "midpoint", "nearest")],
        *[Sample(CUBE, 0.43, axis=2, method=m) for m in ("hazen", "weibull", "median_unbiased")],
        Sample(CUBE, 0.4, method="normal_unbiased"),
        Sample(CUBE, 0.4, method="interpolated_inverted_cdf"),
    ],
    np.percentile: [Sample(MATRIX, 30.0, axis=1), Sample(MATRIX, np.array([10.0, 90.0]))],
    np.nansum: NANS,
    np.nanmean: NANS,
    np.nanprod: NANS,
    np.nanmax: NANS,
    np.nanmin: NANS,
    np.nanvar: NANS,
    np.nanmedian: NANS,
    np.nanquantile: [
        Sample(HOLES, 0.3),
        Sample(HOLES, 0.3, axis=0),
        Sample(HOLES, np.array([0.2, 0.9]), axis=1, keepdims=True),
        Sample(MATRIX, 0.6, axis=1, method="higher"),
    ],
    np.nanpercentile: [Sample(HOLES, 30.0, axis=1), Sample(HOLES, [10, 90])],
    np.nanstd: [Sample(HOLES), Sample(HOLES, axis=1, keepdims=True)],
}

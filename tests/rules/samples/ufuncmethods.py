"""Samples of ufuncmethods.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from s2sgrad_runtime import outer_sum_left, outer_sum_right
from tests.rules.samples.arrays import CUBE, MASK, MATRIX, ROW, SINGLE, VECTOR

REDUCTIONS = [
    Sample(MATRIX),
    Sample(CUBE, axis=(0, 2)),
    Sample(CUBE, 1, keepdims=True),
    Sample(CUBE, axis=None),
    Sample(SINGLE),
]
MASKED = [*REDUCTIONS, Sample(MATRIX, where=MASK, axis=1)]
RUNNING = [Sample(MATRIX), Sample(CUBE, 1)]
OUTER = [Sample(MATRIX, CUBE), Sample(VECTOR, ROW), Sample(ROW, np.array(0.4))]

SAMPLES: dict[Any, list[Any]] = {
    np.add.reduce: [*MASKED, Sample(MATRIX, initial=2.0)],
    np.multiply.reduce: MASKED,
    np.maximum.reduce: REDUCTIONS,
    np.minimum.reduce: REDUCTIONS,
    np.logaddexp.reduce: REDUCTIONS,
    np.add.accumulate: RUNNING,
    np.multiply.accumulate: RUNNING,
    np.add.outer: OUTER,
    np.subtract.outer: OUTER,
    np.multiply.outer: OUTER,
    outer_sum_left: [Sample(CUBE, MATRIX[:, 0], np.ones((3, 4))), Sample(MATRIX, MATRIX, 0.5)],
    outer_sum_right: [Sample(CUBE, MATRIX[:, 0], np.ones((3, 4)))],
}

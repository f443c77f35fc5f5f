"""Samples of accumulations.py and the running sums that skip NaN."""

from __future__ import annotations

from typing import Any

import numpy as np

import s2sgrad_runtime as runtime
from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import COMPLEX, CUBE, EMPTY, MASK, MATRIX, SINGLE, VECTOR

HOLES = np.where(MASK, MATRIX, np.nan)
ZEROS = np.array([[0.0, 1.2, 0.7, 0.0, 1.5], [0.9, 0.0, 0.3, 0.8, 0.6]])
MANY = np.where(np.arange(39) % 17 == 9, 0.5, 1.0 + 0.3 * np.sin(np.arange(39.0)))
PLAIN = [
    Sample(MATRIX),
    Sample(CUBE, axis=1),
    Sample(CUBE, axis=-1),
    Sample(COMPLEX, axis=0),
    Sample(SINGLE, axis=0),
    Sample(VECTOR),
]

DISTINCT = np.array([[0.3, -1.2, 2.0], [0.9, 1.7, -0.4]])
TWICE = np.array([1.5, 0.2, 1.5, -0.3])

SAMPLES: dict[Any, list[Any]] = {
    np.unique: [Sample(DISTINCT), Sample(VECTOR)],
    np.unique_values: [Sample(DISTINCT)],
    runtime.group_means: [Sample(np.array([1.0, 0.4, -2.0, 0.3]), TWICE, constant=("like",))],
    runtime.group_shares: [Sample(np.array([1.0, 0.4, -2.0]), TWICE, constant=("like",))],
    np.cumsum: [*PLAIN, Sample(EMPTY, axis=0)],
    np.cumprod: [
        *PLAIN,
        Sample(ZEROS, axis=1),
        Sample(ZEROS),
        Sample(EMPTY, axis=0),
        Sample(MANY),
        Sample(np.stack([MANY, 1.0 / MANY[::-1]]), axis=1),
        Sample(np.stack([MANY, MANY[::-1]], axis=-1), axis=0),
    ],
    runtime.cumprod_bar: [
        Sample(MATRIX.ravel()[::-1], MATRIX),
        Sample(CUBE[:, ::-1], CUBE, 1),
        Sample(ZEROS[::-1] + 0.4, ZEROS, 1),
        Sample(np.cos(MANY), MANY, 0),
        Sample(COMPLEX[::-1], COMPLEX, 0),
        Sample(EMPTY, EMPTY, 0),
    ],
    np.cumulative_sum: [
        Sample(VECTOR),
        Sample(VECTOR, include_initial=True),
        Sample(MATRIX, axis=1, include_initial=True),
    ],
    np.cumulative_prod: [
        Sample(VECTOR),
        Sample(VECTOR, include_initial=True),
        Sample(MATRIX, axis=1, include_initial=True),
    ],
    np.nancumsum: [Sample(HOLES), Sample(HOLES, axis=1)],
    np.nancumprod: [Sample(HOLES), Sample(HOLES, axis=1)],
    np.diff: [
        Sample(VECTOR),
        Sample(CUBE, axis=1),
        Sample(CUBE, n=2, axis=1),
        Sample(CUBE, 3, 2),
        Sample(VECTOR, n=0),
        Sample(COMPLEX, axis=0),
        Sample(VECTOR[:1]),
        Sample(EMPTY, axis=0),
        Sample(VECTOR, n=6),
    ],
    np.ediff1d: [
        Sample(VECTOR),
        Sample(MATRIX, to_begin=1.0),
        Sample(MATRIX, to_end=[1.0, 2.0], to_begin=[3.0]),
    ],
    np.sort: [*PLAIN[:3], Sample(SINGLE), Sample(CUBE, axis=None), Sample(EMPTY, axis=0)],
    np.partition: [Sample(VECTOR, 2), Sample(CUBE, 1, axis=1), Sample(CUBE, 5, axis=None)],
}

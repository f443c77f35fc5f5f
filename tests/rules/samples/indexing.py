"""Samples of indexing.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from s2sgrad_runtime import (
    item,
    kept_writes,
    scatter,
    take_along_axis_bar,
    take_bar,
    take_items,
    unitem,
    unkept_writes,
)
from tests.rules.samples.arrays import (
    COLUMN,
    COMPLEX,
    CUBE,
    MASK,
    MATRIX,
    ROW,
    SINGLE,
    VECTOR,
    WIDE,
    ZERO_D,
)

PICKS = np.array([[2, 0], [1, 1]])
TRIPLE = (np.array([0, 1, 1]), np.array([2, 0, 0]))

SAMPLES: dict[Any, list[Any]] = {
    np.take: [
        Sample(VECTOR, PICKS),
        Sample(MATRIX, [0, 2, 2], axis=1),
        Sample(CUBE, PICKS, axis=1),
        Sample(CUBE, 1, axis=-1),
        Sample(MATRIX, 4),
        Sample(VECTOR, [-1, 6], mode="wrap"),
        Sample(VECTOR, [-3, 9], mode="clip"),
        Sample(COMPLEX, [-1, 0], axis=0),
        Sample(SINGLE, [0, 0]),
    ],
    kept_writes: [Sample(MATRIX, [0, 1, 1]), Sample(VECTOR, PICKS)],
    unkept_writes: [Sample(PICKS * 0.37, VECTOR, PICKS)],
    take_bar: [
        Sample(PICKS * 0.37, VECTOR, PICKS),
        Sample(MATRIX, np.zeros((2, 5)), [0, 2, 2], 1),
    ],
    np.take_along_axis: [
        Sample(MATRIX, np.array([[0, 2, 1, 1], [1, 1, 0, 2]]), axis=1),
        Sample(MATRIX, np.array([[1, 0, 1]]), axis=0),
        Sample(MATRIX, np.array([5, 0, 0]), axis=None),
        Sample(CUBE, np.argsort(CUBE, axis=-1)),
        Sample(COLUMN, np.array([[0, 0, 1]]), axis=0),
    ],
    take_along_axis_bar: [Sample(WIDE, MATRIX, np.array([[0, 2, 2], [1, 1, 0]]), 1)],
    take_items: [
        Sample(MATRIX, (0, slice(None))),
        Sample(MATRIX, TRIPLE),
        Sample(MATRIX, MASK),
        Sample(CUBE, (Ellipsis, None, 1)),
        Sample(VECTOR, [0, 0, 3]),
    ],
    scatter: [
        Sample(ROW, MATRIX, TRIPLE),
        Sample(VECTOR, MATRIX, MASK),
        Sample(ROW, MATRIX, 1),
        Sample(COLUMN, MATRIX, (slice(None), slice(1, 2))),
    ],
    item: [Sample(MATRIX, (1, 2)), Sample(MATRIX, 4), Sample(ZERO_D), Sample(MATRIX, (3,))],
    unitem: [Sample(0.7, MATRIX, (1, 2)), Sample(0.7, MATRIX, 4)],
    np.compress: [
        Sample([True, False, True], MATRIX, axis=1),
        Sample(np.array([False, True, True]), MATRIX),
    ],
    np.extract: [Sample(MASK, MATRIX)],
    np.choose: [
        Sample(np.array([[0, 1, 1], [1, 0, 0]]), [MATRIX, WIDE]),
        Sample(np.array([0, 1, 2]), (ROW, MATRIX, 0.5)),
        Sample(np.array([0, 5, -3]), [ROW, MATRIX], mode="wrap"),
    ],
    np.select: [
        Sample([MATRIX > 1, MATRIX > 0], [MATRIX, WIDE]),
        Sample([MATRIX > 1, WIDE > 0], [ROW, WIDE], default=COLUMN),
        Sample([MASK], [MATRIX], 0.25),
    ],
    np.bincount: [Sample(np.array([0, 2, 2, 5]), VECTOR, minlength=8)],
}

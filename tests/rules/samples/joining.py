"""Samples of joining.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import (
    COLUMN,
    COMPLEX,
    CUBE,
    EMPTY,
    MATRIX,
    OTHER,
    ROW,
    SINGLE,
    VECTOR,
    WIDE,
)

SAMPLES: dict[Any, list[Any]] = {
    np.concatenate: [
        Sample([MATRIX, WIDE]),
        Sample((MATRIX, COLUMN, WIDE), axis=1),
        Sample((MATRIX, CUBE), axis=None),
        Sample([CUBE, CUBE[..., :1]], axis=-1),
        Sample([EMPTY, MATRIX]),
        Sample([COMPLEX, MATRIX], 0),
        Sample([SINGLE, SINGLE]),
        Sample(CUBE, axis=1),
    ],
    np.stack: [
        Sample([MATRIX, WIDE]),
        Sample((MATRIX, WIDE), axis=-1),
        Sample([MATRIX, WIDE, MATRIX], 1),
        Sample([0.3, 0.7]),
    ],
    np.vstack: [
        Sample([MATRIX, ROW]),
        Sample((VECTOR, OTHER)),
        Sample([0.2, 0.9]),
        Sample([CUBE, CUBE]),
    ],
    np.hstack: [Sample([MATRIX, COLUMN]), Sample((VECTOR, ROW)), Sample([0.2, 0.9])],
    np.dstack: [Sample([MATRIX, WIDE]), Sample((VECTOR, OTHER)), Sample([CUBE, CUBE[..., :1]])],
    np.column_stack: [Sample([VECTOR, OTHER]), Sample((COLUMN[:, 0], MATRIX))],
    np.block: [
        Sample([VECTOR, ROW]),
        Sample([[MATRIX, COLUMN], [WIDE, COLUMN]]),
        Sample([[MATRIX], [ROW]]),
        Sample([0.3, VECTOR]),
        Sample(
            [[MATRIX, np.array([[0.1], [0.2]])], [np.array([[0.5, 0.6]]), np.array([[1.0, 2.0]])]]
        ),
    ],
    np.append: [
        Sample(VECTOR, ROW),
        Sample(MATRIX, WIDE),
        Sample(MATRIX, COLUMN, axis=1),
        Sample(VECTOR, 0.5),
    ],
    np.insert: [
        Sample(VECTOR, 1, 0.5),
        Sample(VECTOR, [0, 2, 2], ROW),
        Sample(VECTOR, 4, ROW),
        Sample(VECTOR, -1, 0.7),
        Sample(MATRIX, 1, COLUMN[:, 0], axis=1),
        Sample(MATRIX, [1], COLUMN, axis=1),
        Sample(MATRIX, 1, COLUMN.T, axis=1),
        Sample(MATRIX, 0, ROW, axis=0),
        Sample(MATRIX, 2, 0.25),
        Sample(VECTOR, slice(1, 3), ROW[:2]),
    ],
    np.delete: [
        Sample(VECTOR, 1),
        Sample(VECTOR, [0, -1]),
        Sample(MATRIX, 1, axis=1),
        Sample(CUBE, slice(0, 2), axis=2),
        Sample(MATRIX, 3),
    ],
    np.split: [
        Sample(VECTOR, 2),
        Sample(MATRIX, [1], axis=1),
        Sample(CUBE, (1, 3), 2),
        Sample(VECTOR, np.array([3, 1, -1])),
    ],
    np.array_split: [Sample(VECTOR, 3), Sample(MATRIX, 2, axis=1)],
    np.hsplit: [Sample(VECTOR, 2), Sample(MATRIX, 3)],
    np.vsplit: [Sample(MATRIX, 2)],
    np.dsplit: [Sample(CUBE, 2)],
    np.unstack: [Sample(MATRIX), Sample(CUBE, axis=1)],
}

"""Samples of shaping.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import (
    COLUMN,
    COMPLEX,
    CUBE,
    EMPTY,
    FORTRAN,
    MATRIX,
    ROW,
    SINGLE,
    VECTOR,
    ZERO_D,
)

ALL = [
    Sample(MATRIX),
    Sample(FORTRAN),
    Sample(CUBE),
    Sample(COMPLEX),
    Sample(SINGLE),
    Sample(EMPTY),
]
SAME = [*ALL, Sample(ZERO_D), Sample(0.7)]
MODES = ("edge", "reflect", "symmetric", "wrap", "constant")

SAMPLES: dict[Any, list[Any]] = {
    np.lib.stride_tricks.sliding_window_view: [
        Sample(VECTOR, 2),
        Sample(MATRIX, (2, 2)),
        Sample(CUBE, 2, axis=-1),
        Sample(CUBE, (2, 1), axis=(0, 2)),
        Sample(COMPLEX, 1, 0),
    ],
    np.lib.stride_tricks.as_strided: [
        Sample(VECTOR, (2, 2), (8, 8)),
        Sample(MATRIX, (2,), strides=(32,)),
        Sample(MATRIX.T, (2, 2, 2), (8, 0, 24)),
        Sample(COMPLEX, (2,), (0,)),
    ],
    np.reshape: [
        Sample(MATRIX, (3, 2)),
        Sample(CUBE, -1),
        Sample(CUBE, (4, -1), order="F"),
        Sample(FORTRAN, (3, 2), order="A"),
        Sample(EMPTY, (3, 0)),
        Sample(ZERO_D, (1, 1)),
        Sample(COMPLEX, 6),
    ],
    np.ravel: [
        *ALL,
        Sample(FORTRAN, "F"),
        Sample(FORTRAN, "A"),
        Sample(CUBE, order="F"),
        Sample(FORTRAN, "K"),
    ],
    np.transpose: [*ALL, Sample(CUBE, (1, 2, 0)), Sample(CUBE, [-1, 0, 1]), Sample(VECTOR)],
    np.matrix_transpose: [Sample(MATRIX), Sample(CUBE)],
    np.swapaxes: [Sample(CUBE, 0, 2), Sample(CUBE, -1, 1)],
    np.moveaxis: [Sample(CUBE, 0, -1), Sample(CUBE, (0, 1), (-1, 0))],
    np.rollaxis: [Sample(CUBE, 2), Sample(CUBE, 0, 3), Sample(CUBE, -1, 1), Sample(CUBE, 1, -1)],
    np.squeeze: [Sample(COLUMN), Sample(COLUMN, axis=1), Sample(CUBE[None], axis=(0,))],
    np.expand_dims: [Sample(MATRIX, 0), Sample(MATRIX, (0, -1)), Sample(ZERO_D, 0)],
    np.atleast_1d: SAME,
    np.atleast_2d: [*SAME, Sample(VECTOR)],
    np.atleast_3d: [*SAME, Sample(VECTOR)],
    np.broadcast_to: [
        Sample(ROW, (4, 3)),
        Sample(COLUMN, (2, 5)),
        Sample(ZERO_D, (2, 2)),
        Sample(0.3, (2,)),
        Sample(COLUMN, (3, 2, 1)),
    ],
    np.broadcast_arrays: [Sample(ROW, COLUMN), Sample(MATRIX, ROW, 0.5), Sample(VECTOR)],
    np.meshgrid: [
        Sample(VECTOR, ROW),
        Sample(VECTOR, ROW, indexing="ij"),
        Sample(VECTOR, ROW, COLUMN[:, 0]),
        Sample(VECTOR, ROW, sparse=True),
        Sample(VECTOR),
    ],
    np.ix_: [Sample(VECTOR, ROW), Sample(VECTOR, ROW, COLUMN[:, 0]), Sample(VECTOR)],
    np.flip: [*ALL, Sample(CUBE, 1), Sample(CUBE, (0, 2))],
    np.fliplr: [Sample(MATRIX)],
    np.flipud: [Sample(MATRIX)],
    np.rot90: [Sample(MATRIX), Sample(MATRIX, 2), Sample(CUBE, -1, (1, 2))],
    np.roll: [
        Sample(MATRIX, 1),
        Sample(CUBE, 2, axis=1),
        Sample(CUBE, (1, -2), axis=(0, 2)),
        Sample(VECTOR, -7),
    ],
    np.repeat: [
        Sample(MATRIX, 2),
        Sample(MATRIX, 3, axis=1),
        Sample(MATRIX, [0, 2], axis=0),
        Sample(VECTOR, np.array([1, 2, 0, 3])),
        Sample(0.4, 3),
        Sample(COMPLEX, 2, axis=-1),
    ],
    np.tile: [
        Sample(MATRIX, 2),
        Sample(VECTOR, (3, 2)),
        Sample(MATRIX, (2, 1, 2)),
        Sample(CUBE, (2,)),
        Sample(MATRIX, (2, 0)),
        Sample(0.4, 3),
    ],
    np.resize: [Sample(MATRIX, (3, 5)), Sample(VECTOR, 3), Sample(VECTOR, (2, 4))],
    np.pad: [
        *[Sample(MATRIX, ((1, 2), (0, 2)), mode=mode) for mode in MODES],
        *[Sample(VECTOR, 6, mode) for mode in MODES],
        Sample(MATRIX, 1),
        Sample(MATRIX, (1, 2), constant_values=3.0),
        Sample(COMPLEX, 1, mode="edge"),
        Sample(MATRIX, ((1, 2), (0, 2)), mode="linear_ramp", end_values=3.0),
        Sample(MATRIX, ((1, 2), (0, 2)), mode="mean"),
        Sample(CUBE, 2, mode="mean", stat_length=2),
        Sample(MATRIX, 1, mode="reflect", reflect_type="odd"),
        Sample(VECTOR, 2, mode="symmetric", reflect_type="odd"),
    ],
    np.copy: ALL,
    np.asarray: SAME,
    np.asanyarray: SAME,
    np.ascontiguousarray: ALL,
    np.asfortranarray: ALL,
    np.asarray_chkfinite: ALL,
    np.require: ALL,
    np.array: [*SAME, Sample(MATRIX, ndmin=3)],
    np.astype: [Sample(MATRIX, np.float64), Sample(MATRIX, complex), Sample(SINGLE, np.float64)],
    np.float64: [Sample(MATRIX), Sample(0.7)],
    np.longdouble: [Sample(0.7)],
    np.complex128: [Sample(MATRIX), Sample(0.7)],
    np.clongdouble: [Sample(0.7)],
    np.float32: [Sample(SINGLE)],
    np.complex64: [Sample(SINGLE)],
}

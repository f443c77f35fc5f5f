"""Samples of helpers.py: the runtime helpers that have rules of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

import s2sgrad_runtime as runtime
from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import (
    COLUMN,
    COMPLEX,
    COMPLEX_OTHER,
    CUBE,
    MATRIX,
    POSITIVE,
    ROW,
    TILE,
    VECTOR,
    WIDE,
    ZERO_D,
)
from tests.rules.samples.calculus import LONG, UNEVEN

SQUARE = MATRIX @ WIDE.T
BOTH = [Sample(SQUARE, MATRIX, WIDE.T), Sample(COMPLEX @ COMPLEX_OTHER.T, COMPLEX, COMPLEX_OTHER.T)]

SAMPLES: dict[Any, list[Any]] = {
    runtime.unbroadcast: [Sample(MATRIX, ROW), Sample(MATRIX, COLUMN), Sample(MATRIX, ZERO_D)],
    runtime.broadcast_like: [Sample(ROW, MATRIX), Sample(COLUMN, MATRIX), Sample(MATRIX, WIDE)],
    runtime.as_cotangent: [Sample(MATRIX, MATRIX + 1.0), Sample(0.7, MATRIX)],
    runtime.real_like: [Sample(COMPLEX, MATRIX), Sample(MATRIX, WIDE)],
    runtime.settled_result: [Sample(MATRIX, True)],
    runtime.far_refused: [Sample(MATRIX, True)],
    runtime.reshape_like: [Sample(MATRIX, WIDE.T)],
    runtime.expand_reduced: [Sample(ROW, MATRIX, 0), Sample(ROW[None], MATRIX, 0, True)],
    runtime.unreduce: [
        Sample(ROW, MATRIX, 0),
        Sample(COLUMN, MATRIX, 1, True),
        Sample(0.7, CUBE),
        Sample(ROW, MATRIX, 0, False, MATRIX > 0),
    ],
    runtime.unreshape: [Sample(MATRIX, WIDE.T), Sample(MATRIX, WIDE.T, "F")],
    runtime.reread: [
        Sample(MATRIX, MATRIX, MATRIX.size),
        Sample(MATRIX, np.asfortranarray(MATRIX), MATRIX.size, "K"),
        Sample(CUBE, CUBE.transpose(1, 0, 2).copy().transpose(1, 0, 2), CUBE.size, "K"),
    ],
    runtime.laid_as: [Sample(MATRIX, MATRIX.T.copy().T, order) for order in ("C", "A", "K")],
    runtime.untranspose: [Sample(CUBE), Sample(CUBE, (1, 2, 0))],
    runtime.unrepeat: [Sample(CUBE, CUBE[:, :, :2], 2, 2), Sample(VECTOR, VECTOR[:2], 2)],
    runtime.untile: [Sample(CUBE, CUBE[0, :, :2], (2, 1, 2))],
    runtime.unaccumulate: [Sample(CUBE, TILE.reshape(2, 3, 4), 1), Sample(VECTOR, SQUARE)],
    runtime.undiff: [Sample(VECTOR[1:], VECTOR), Sample(CUBE, np.ones((2, 5, 4)), 2, 1)],
    runtime.running: [
        Sample(VECTOR, VECTOR[::-1]),
        Sample(CUBE, np.cos(CUBE)),
        Sample(COMPLEX, COMPLEX_OTHER),
        Sample(LONG, np.cos(LONG) * (LONG[3] != LONG)),
    ],
    runtime.products_of_others: [
        Sample(MATRIX),
        Sample(VECTOR * (VECTOR[1] != VECTOR)),
        Sample(CUBE, 1),
        Sample(CUBE, (0, 2), 0.5),
        Sample(MATRIX, 0, 1, MATRIX > 0),
        Sample(COMPLEX, 0),
    ],
    runtime.diagonal_view: [Sample(MATRIX), Sample(MATRIX, -1), Sample(CUBE, 1, 0, 2)],
    runtime.undiagonal: [Sample(COLUMN[:, 0], MATRIX), Sample(np.array([0.7]), MATRIX, 1)],
    runtime.split_like: [Sample(CUBE, [CUBE[:, :1], CUBE[:, 1:]], 1)],
    runtime.unstack: [Sample(CUBE, 1)],
    runtime.mesh_like: [
        Sample([VECTOR[:3], VECTOR[:2]], [np.zeros((2, 3))] * 2, constant=("grids",)),
        Sample(
            [VECTOR[:3], VECTOR[:2]],
            [np.zeros((3, 1)), np.zeros((1, 2))],
            "ij",
            constant=("grids",),
        ),
    ],
    runtime.cross_like: [
        Sample([VECTOR[:3], VECTOR[:2]], [np.zeros((3, 1)), np.zeros((1, 2))], constant=("grids",)),
    ],
    runtime.uncross: [
        Sample([CUBE[0, :, :1], CUBE[1, :1]], [np.zeros(i), np.zeros(j)], constant=("vectors",))
        for i, j in [CUBE.shape[1:]]
    ],
    runtime.laid_beside: [Sample(MATRIX, [MATRIX.T.copy().T, ROW], constant=("arrays",))],
    runtime.unmesh: [
        Sample([CUBE[0], CUBE[1]], [np.zeros(i), np.zeros(j)], "ij", constant=("vectors",))
        for i, j in [CUBE.shape[1:]]
    ],
    runtime.pad_dot: [Sample(MATRIX, ((1, 2), (0, 2)), mode) for mode in ("mean", "edge")],
    runtime.pad_bar: [Sample(CUBE, np.zeros((2, 1, 2)), ((0, 0), (1, 1), (2, 0)), "edge")]
    + [Sample(LONG, VECTOR, 4, mode) for mode in ("reflect", "wrap", "constant")],
    runtime.gradient_bar: [
        Sample(CUBE, TILE.reshape(2, 3, 4), (), 1),
        Sample(LONG, UNEVEN, (UNEVEN,), constant=("spacings",)),
        Sample((MATRIX, WIDE), MATRIX, (0.5,)),
    ],
    runtime.masked: [Sample(MATRIX, MATRIX), Sample(MATRIX, np.zeros_like(MATRIX))],
    runtime.power_bar_base: [
        Sample(WIDE, POSITIVE, MATRIX),
        Sample(WIDE, MATRIX, 3),
        Sample(WIDE, MATRIX, 1, constant=("x2",)),
    ],
    runtime.power_bar_exponent: [Sample(WIDE, POSITIVE**MATRIX, POSITIVE, MATRIX)],
    runtime.matmul_bar_left: BOTH,
    runtime.matmul_bar_right: BOTH,
    runtime.dot_bar_left: BOTH,
    runtime.dot_bar_right: BOTH,
    runtime.inner_bar_left: [Sample(SQUARE, MATRIX, WIDE), Sample(MATRIX, CUBE[..., 0], VECTOR)][
        :1
    ],
    runtime.inner_bar_right: [Sample(SQUARE, MATRIX, WIDE)],
    runtime.kron_bar_left: [Sample(np.kron(MATRIX, WIDE), MATRIX, WIDE)],
    runtime.kron_bar_right: [Sample(np.kron(MATRIX, WIDE), MATRIX, WIDE)],
    runtime.tensordot_bar_left: [
        Sample(SQUARE, MATRIX, WIDE, (1, 1)),
        Sample(CUBE.sum(axis=(0, 2))[:, None] * ROW, CUBE, TILE, ([0, 2], [0, 1])),
    ],
    runtime.tensordot_bar_right: [
        Sample(SQUARE, MATRIX, WIDE, (1, 1)),
        Sample(CUBE.sum(axis=(0, 2))[:, None] * ROW, CUBE, TILE, ([2, 0], [1, 0])),
    ],
    runtime.cross_bar_left: [Sample(WIDE + 0.3, MATRIX, WIDE), Sample(WIDE, ROW, MATRIX)],
    runtime.cross_bar_right: [Sample(WIDE + 0.3, MATRIX, WIDE), Sample(WIDE, MATRIX, ROW)],
}

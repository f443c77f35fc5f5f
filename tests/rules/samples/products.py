"""Samples of products.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import (
    COLUMN,
    COMPLEX,
    COMPLEX_OTHER,
    COMPLEX_VECTOR,
    CUBE,
    EMPTY,
    MATRIX,
    OTHER,
    ROW,
    SINGLE,
    TILE,
    VECTOR,
    WIDE,
)

FOUR = CUBE.reshape(2, 1, 3, 4) * 0.7

MATRIX_PRODUCTS = [
    Sample(MATRIX, WIDE.T),
    Sample(MATRIX, ROW),
    Sample(ROW, WIDE.T),
    Sample(VECTOR, OTHER),
    Sample(SINGLE, SINGLE.T),
    Sample(COMPLEX, COMPLEX_OTHER.T),
    Sample(MATRIX, COMPLEX_OTHER.T),
    Sample(EMPTY, MATRIX.T),
    Sample(CUBE, VECTOR),
]

SAMPLES: dict[Any, list[Any]] = {
    np.matmul: [
        *MATRIX_PRODUCTS,
        Sample(CUBE, TILE),
        Sample(MATRIX, CUBE),
        Sample(TILE, MATRIX.T),
        Sample(FOUR, TILE),
        Sample(ROW, CUBE),
        Sample(FOUR, VECTOR),
    ],
    np.dot: [
        *MATRIX_PRODUCTS,
        Sample(CUBE, TILE),
        Sample(ROW, CUBE),
        Sample(MATRIX, CUBE),
        Sample(TILE, MATRIX.T),
        Sample(1.3, MATRIX),
        Sample(MATRIX, np.array(0.4)),
        Sample(0.5, 0.7),
    ],
    np.inner: [
        Sample(VECTOR, OTHER),
        Sample(MATRIX, WIDE),
        Sample(CUBE, VECTOR),
        Sample(VECTOR, CUBE),
        Sample(0.3, MATRIX),
        Sample(COMPLEX, COMPLEX_OTHER),
    ],
    np.outer: [
        Sample(VECTOR, ROW),
        Sample(MATRIX, ROW),
        Sample(COMPLEX_VECTOR, ROW),
        Sample(0.3, ROW),
    ],
    np.tensordot: [
        Sample(MATRIX, WIDE),
        Sample(CUBE, TILE, axes=([2, 0], [1, 0])),
        Sample(CUBE, TILE, axes=([0, 2], [0, 1])),
        Sample(CUBE, VECTOR, 1),
        Sample(CUBE, VECTOR, axes=(2, 0)),
        Sample(MATRIX, ROW, axes=0),
        Sample(CUBE, TILE, axes=((-1,), (-2,))),
        Sample(COMPLEX, COMPLEX_OTHER, axes=(1, 1)),
    ],
    np.einsum: [
        Sample("ij,kj->ik", MATRIX, WIDE),
        Sample("ij,j", MATRIX, ROW),
        Sample("ijk,ikl,l->ij", CUBE, TILE, ROW, optimize=True),
        Sample("ii->i", MATRIX @ WIDE.T),
        Sample("ii", MATRIX @ WIDE.T),
        Sample("ij->j", MATRIX),
        Sample("ij->", MATRIX),
        Sample("...j,jk->...k", CUBE, CUBE[0].T),
        Sample("...ij,...jk->...ik", CUBE, TILE[0]),
        Sample("ij,ij->ij", MATRIX, COLUMN),
        Sample("i,j->ij", VECTOR, ROW),
        Sample("iji->j", np.ones((2, 3, 2)) * COLUMN[:, :, None] * ROW[:, None]),
        Sample("ij,kj->ik", COMPLEX, COMPLEX_OTHER),
        Sample("i,i,i->i", ROW, ROW, WIDE[0]),
    ],
    np.vdot: [Sample(VECTOR, OTHER), Sample(MATRIX, WIDE), Sample(COMPLEX, COMPLEX_OTHER)],
    np.vecdot: [
        Sample(MATRIX, WIDE),
        Sample(CUBE, VECTOR),
        Sample(MATRIX, WIDE, axis=0),
        Sample(COMPLEX, COMPLEX_OTHER),
    ],
    np.matvec: [Sample(MATRIX, ROW), Sample(CUBE, VECTOR), Sample(COMPLEX, ROW)],
    np.vecmat: [Sample(ROW, WIDE.T), Sample(VECTOR, TILE), Sample(COMPLEX[0], COMPLEX_OTHER.T)],
    np.kron: [
        Sample(MATRIX, WIDE),
        Sample(VECTOR, ROW),
        Sample(MATRIX, ROW),
        Sample(ROW, CUBE),
        Sample(COMPLEX, COMPLEX_OTHER),
        Sample(0.4, MATRIX),
    ],
    np.cross: [
        Sample(ROW, WIDE[0]),
        Sample(MATRIX, WIDE),
        Sample(MATRIX, ROW),
        Sample(MATRIX.T, WIDE, axisa=0, axisb=1, axisc=0),
        Sample(MATRIX.T, WIDE.T, axis=0),
        Sample(COMPLEX, COMPLEX_OTHER),
    ],
    np.trace: [
        Sample(MATRIX),
        Sample(MATRIX, 1),
        Sample(MATRIX, -1),
        Sample(CUBE, axis1=2, axis2=0),
        Sample(MATRIX, 3),
    ],
}

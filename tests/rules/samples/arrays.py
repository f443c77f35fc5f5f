"""Arrays that samples share: fixed, generic, at least 0.01 away from kinks and ties."""

from __future__ import annotations

import numpy as np

RNG = np.random.default_rng(7)

EMPTY = np.zeros((0, 3))
VECTOR = np.array([0.7, -1.3, 2.1, 0.4])
OTHER = np.array([-0.6, 0.9, 1.7, 2.3])
MATRIX = np.array([[0.5, -1.2, 2.3], [1.4, 0.8, -0.35]])
WIDE = np.array([[1.9, 0.25, -0.75], [-1.6, 1.05, 0.65]])
ROW = np.array([0.45, -0.85, 1.55])
COLUMN = np.array([[0.95], [-0.55]])
CUBE = RNG.permutation(24).reshape(2, 3, 4) * 0.17 - 1.93
TILE = RNG.permutation(24).reshape(2, 4, 3) * 0.13 - 1.41
POSITIVE = np.abs(MATRIX) + 0.2
SMALL = np.tanh(MATRIX) * 0.9
SINGLE = MATRIX.astype(np.float32)
COMPLEX = MATRIX + 1j * WIDE
COMPLEX_VECTOR = VECTOR - 1j * OTHER
COMPLEX_OTHER = WIDE - 0.5j * POSITIVE
FORTRAN = np.asfortranarray(MATRIX)
STRIDED = np.repeat(MATRIX, 2, axis=1)[:, ::2]
SCALAR = np.float64(0.83)
ZERO_D = np.array(1.37)
MASK = np.array([[True, False, True], [False, True, True]])

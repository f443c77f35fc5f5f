"""Samples of matrices.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import COMPLEX, CUBE, MATRIX, OTHER, ROW, VECTOR

BANDS = [Sample(MATRIX), Sample(MATRIX, 1), Sample(CUBE, k=-1), Sample(VECTOR), Sample(COMPLEX)]

SAMPLES: dict[Any, list[Any]] = {
    np.triu: BANDS,
    np.tril: BANDS,
    np.diag: [
        Sample(MATRIX),
        Sample(MATRIX, 1),
        Sample(MATRIX, k=-1),
        Sample(VECTOR, -2),
        Sample(COMPLEX),
    ],
    np.diagonal: [
        Sample(MATRIX),
        Sample(MATRIX, offset=1),
        Sample(MATRIX, -1),
        Sample(CUBE, 0, 0, 2),
        Sample(CUBE, -1, 2, 1),
        Sample(MATRIX, 7),
    ],
    np.diagflat: [Sample(VECTOR), Sample(MATRIX, 1), Sample(VECTOR, k=-2)],
    np.vander: [Sample(VECTOR), Sample(VECTOR, 3), Sample(ROW, 5, increasing=True)],
    np.polyval: [Sample(ROW, MATRIX), Sample(VECTOR, 0.7), Sample(ROW[:1], VECTOR)],
    np.polyder: [Sample(VECTOR), Sample(VECTOR, 2), Sample(VECTOR, 4)],
    np.polyadd: [Sample(VECTOR, ROW), Sample(ROW, VECTOR), Sample(VECTOR, OTHER)],
    np.polymul: [Sample(VECTOR, ROW), Sample(ROW, VECTOR), Sample(ROW, ROW)],
    np.roots: [Sample(np.array([1.0, -3.0, 1.5, 0.3])), Sample(np.array([2.0, -3.0, 0.5]))],
    np.polyint: [Sample(VECTOR), Sample(ROW, 2), Sample(ROW, 1, 0.7, constant=("k",))],
    np.polysub: [Sample(VECTOR, ROW), Sample(ROW, VECTOR)],
}

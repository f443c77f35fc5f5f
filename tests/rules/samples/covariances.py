"""Samples of covariances.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import COMPLEX, COMPLEX_OTHER, CUBE, MATRIX, OTHER, VECTOR

PLAIN = [
    Sample(CUBE[0]),
    Sample(VECTOR),
    Sample(VECTOR, OTHER),
    Sample(CUBE[0], CUBE[1]),
    Sample(CUBE[0], rowvar=False),
    Sample(COMPLEX),
    Sample(MATRIX, COMPLEX_OTHER),
]

SAMPLES: dict[Any, list[Any]] = {
    np.cov: [
        *PLAIN,
        Sample(CUBE[0], bias=True),
        Sample(CUBE[0], ddof=0),
        Sample(CUBE[0], y=CUBE[1], rowvar=False),
        Sample(CUBE[0], fweights=np.array([1, 2, 1, 3])),
        Sample(CUBE[0], aweights=np.array([0.5, 1.0, 0.2, 0.7])),
        Sample(CUBE[0], fweights=np.array([1, 2, 1, 3]), aweights=np.array([0.5, 1.0, 0.2, 0.7])),
    ],
    np.corrcoef: [
        Sample(CUBE[0]),
        Sample(VECTOR, OTHER),
        Sample(CUBE[0], rowvar=False),
        Sample(CUBE[0], CUBE[1]),
        Sample(CUBE[0] + 1j * CUBE[1]),
    ],
}

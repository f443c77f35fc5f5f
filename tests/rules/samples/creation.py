"""Samples of creation.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import MATRIX, ROW, WIDE

ENDS = [
    Sample(0.4, 2.5, 7),
    Sample(0.4, 2.5, 5, endpoint=False),
    Sample(ROW + 1.0, 3.0, 4),
    Sample(0.5, ROW + 1.0, 4, axis=-1),
    Sample(ROW + 1.0, ROW + 2.5, 3, axis=1),
]

SAMPLES: dict[Any, list[Any]] = {
    np.full: [Sample((2, 3), 0.7), Sample((2, 3), ROW)],
    np.full_like: [Sample(MATRIX, 0.7, constant=("a",)), Sample(MATRIX, ROW), Sample(MATRIX, WIDE)],
    np.linspace: ENDS,
    np.logspace: [*ENDS, Sample(0.4, 2.5, 7, base=2.0)],
    np.geomspace: [
        Sample(0.4, 2.5, 7),
        Sample(ROW + 1.0, 3.0, 4),
        Sample(0.4, 2.5, 5, endpoint=False),
    ],
}

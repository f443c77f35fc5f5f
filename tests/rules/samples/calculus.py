"""Samples of calculus.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import (
    COMPLEX,
    COMPLEX_VECTOR,
    CUBE,
    MATRIX,
    OTHER,
    POSITIVE,
    ROW,
    SINGLE,
    VECTOR,
)

PLACES = np.array([0.1, 0.5, 1.7, 2.0])
LONG = np.sin(np.arange(12.0))
UNEVEN = np.cumsum(0.3 + np.cos(np.arange(12.0)) ** 2)
AT = np.array([[0.33, 1.2], [1.85, 2.9], [-0.4, 0.77]])
MODES = ("full", "same", "valid")

SAMPLES: dict[Any, list[Any]] = {
    np.gradient: [
        Sample(VECTOR),
        Sample(LONG, 0.25),
        Sample(LONG, UNEVEN, constant=("varargs",)),
        Sample(LONG, UNEVEN, edge_order=2),
        Sample(VECTOR, 0.5, edge_order=2),
        Sample(CUBE, axis=1),
        Sample(MATRIX),
        Sample(MATRIX, 0.5, PLACES[:3], axis=(0, 1)),
        Sample(CUBE, 2.0, axis=(0, 2)),
        Sample(VECTOR[:2]),
        Sample(COMPLEX, axis=1),
        Sample(SINGLE, axis=0),
    ],
    np.trapezoid: [
        Sample(VECTOR),
        Sample(VECTOR, dx=0.3),
        Sample(VECTOR, PLACES),
        Sample(VECTOR, PLACES, 0.3),
        Sample(MATRIX, PLACES[:3], axis=1),
        Sample(MATRIX, np.cumsum(POSITIVE, axis=1)),
        Sample(CUBE, PLACES[:3], axis=1),
        Sample(CUBE, dx=0.3, axis=0),
        Sample(VECTOR[:1]),
    ],
    np.interp: [
        Sample(AT, PLACES, VECTOR),
        Sample(0.77, PLACES, VECTOR),
        Sample(AT, PLACES, VECTOR, left=0.0),
        Sample(AT, PLACES, VECTOR, right=1.0, left=2.0),
    ],
    np.convolve: [
        *[Sample(VECTOR, ROW, mode) for mode in MODES],
        *[Sample(ROW, VECTOR, mode=mode) for mode in MODES],
        *[Sample(LONG, VECTOR, mode) for mode in MODES],
        *[Sample(COMPLEX_VECTOR, ROW, mode) for mode in MODES],
    ],
    np.correlate: [
        *[Sample(VECTOR, ROW, mode) for mode in MODES],
        *[Sample(ROW, VECTOR, mode=mode) for mode in MODES],
        *[Sample(VECTOR, LONG, mode) for mode in MODES],
        *[Sample(ROW, COMPLEX_VECTOR, mode) for mode in MODES],
        *[Sample(COMPLEX_VECTOR, COMPLEX[0], mode) for mode in MODES],
        Sample(VECTOR, OTHER),
    ],
}

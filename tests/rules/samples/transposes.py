"""Samples of transposes.py: cotangents in the shapes that the primal's results have."""

from __future__ import annotations

from typing import Any

import numpy as np

import s2sgrad_runtime as runtime
from s2sgrad.rules.checking import Sample
from tests.rules.samples.arrays import (
    COLUMN,
    COMPLEX_OTHER,
    COMPLEX_VECTOR,
    CUBE,
    MASK,
    MATRIX,
    OTHER,
    ROW,
    TILE,
    VECTOR,
    WIDE,
)
from tests.rules.samples.calculus import AT, LONG, PLACES

MODES = ("full", "same", "valid")


def like(y: Any) -> Any:
    """Numbers in the shape of y."""
    made = np.cos(1.7 * np.arange(float(np.size(y)))).reshape(np.shape(y))
    return made + 0.4j * made[::-1] if np.iscomplexobj(y) else made


def convolutions(primal: Any, pairs: list[Any]) -> list[Any]:
    return [Sample(like(primal(a, v, m)), a, v, m) for a, v in pairs for m in MODES]


PAIRS = [(VECTOR, ROW), (ROW, VECTOR), (COMPLEX_VECTOR, COMPLEX_OTHER[0])]
PICK = np.array([[0, 1, 1], [1, 0, 0]])
TERMS = "ij,kj,k->i"
FACTORS = (MATRIX, WIDE, COLUMN[:, 0])

SAMPLES: dict[Any, list[Any]] = {
    runtime.unresize: [Sample(CUBE, MATRIX), Sample(VECTOR[:3], VECTOR)],
    runtime.as_it_lies: [Sample(MATRIX, MATRIX.T.copy().T)],
    runtime.as_it_stands: [Sample(MATRIX.ravel(), MATRIX.T.copy().T)],
    runtime.unwindow: [
        Sample(np.lib.stride_tricks.sliding_window_view(CUBE, 2, 1).copy(), CUBE, 2, 1)
    ],
    runtime.unstrided: [Sample(MATRIX, VECTOR[:4], (2, 3), (8, 8)), Sample(CUBE[0], CUBE[0])],
    runtime.restrided: [Sample(VECTOR[:4], VECTOR[:4], (2, 3), (8, 8)), Sample(CUBE, CUBE)],
    runtime.unrollaxis: [Sample(np.rollaxis(CUBE, 2), CUBE, 2), Sample(CUBE, CUBE, 1, 1)],
    runtime.unaverage: [
        Sample(ROW, MATRIX, 0, np.array([0.3, 0.7])),
        Sample(COLUMN, MATRIX, 1, None, True),
        Sample(0.4, MATRIX),
    ],
    runtime.spread_weights: [
        Sample(np.array([0.3, 0.7]), MATRIX, 0),
        Sample(np.arange(1.0, 9.0).reshape(4, 2), CUBE, (2, 0)),
    ],
    runtime.gather_weights: [
        Sample(MATRIX, np.array([0.3, 0.7]), 0),
        Sample(CUBE, np.arange(1.0, 9.0).reshape(4, 2), (2, 0)),
    ],
    runtime.unsort: [Sample(WIDE, MATRIX), Sample(WIDE.ravel(), MATRIX, None)],
    runtime.unpartition: [Sample(WIDE, MATRIX, 1)],
    runtime.quantile_bar: [
        Sample(ROW, MATRIX, 0.3, 0, "linear"),
        Sample(WIDE[:, :2].T, MATRIX, np.array([0.3, 0.9]), 1, "linear"),
    ],
    runtime.nanquantile_bar: [Sample(ROW, MATRIX, 0.3, 0, "linear")],
    runtime.quantile_dot: [Sample(WIDE, MATRIX, 0.3, 0, "linear")],
    runtime.nanquantile_dot: [Sample(WIDE, MATRIX, 0.3, 0, "linear")],
    runtime.quantile_rank_dot: [Sample(0.7, WIDE, MATRIX, 0.3, 0, "hazen", False, False)],
    runtime.quantile_rank_bar: [Sample(ROW, WIDE, MATRIX, 0.3, 0, "hazen", False, True)],
    runtime.quantile_rise_bar: [Sample(ROW, 0.7, MATRIX, 0.3, 0, "linear", False, False)],
    runtime.ediff1d_bar: [Sample(VECTOR, ROW, 0.5, 0.7), Sample(VECTOR[:3], VECTOR)],
    runtime.cumulative_bar: [Sample(VECTOR, ROW, 0, True), Sample(WIDE, MATRIX, 1, False)],
    runtime.compress_bar: [Sample(WIDE[:, :2], [True, False, True], MATRIX, 1)],
    runtime.extract_bar: [Sample(VECTOR, MASK, MATRIX)],
    runtime.choose_bars: [Sample(WIDE, PICK, [MATRIX, ROW])],
    runtime.select_bars: [Sample(WIDE, [MATRIX > 1, MATRIX > 0], [ROW, MATRIX])],
    runtime.select_default_bar: [Sample(WIDE, [MATRIX > 1, MATRIX > 0], MATRIX)],
    runtime.vstack_bars: [Sample(CUBE[0], [MATRIX[:, [0, 1, 2, 0]], VECTOR])],
    runtime.hstack_bars: [Sample(WIDE, [MATRIX[:, :2], COLUMN]), Sample(VECTOR, [ROW, ROW[:1]])],
    runtime.fold: [Sample([0.3, -1.2, 0.7, 0.4], [1.0, 2.0])],
    runtime.dstack_bars: [Sample(CUBE, [CUBE[..., :1], CUBE[..., 1:]])],
    runtime.column_stack_bars: [Sample(WIDE, [COLUMN[:, 0], MATRIX[:, :2]])],
    runtime.block_bars: [Sample(CUBE[0], [[MATRIX, COLUMN], [VECTOR]])],
    runtime.delete_bar: [Sample(WIDE[:, :2], MATRIX, 1, 1)],
    runtime.unsplit: [Sample([MATRIX, MATRIX[:0], WIDE], WIDE, np.array([2, 0]), 0)],
    runtime.unsplit_h: [
        Sample([MATRIX[:, :2], COLUMN], WIDE, [2]),
        Sample([ROW, LONG[3:]], LONG, [3]),
    ],
    runtime.unbroadcast_each: [Sample([MATRIX, WIDE], [ROW, COLUMN])],
    runtime.undiag: [Sample(CUBE[0, :, :3], ROW), Sample(VECTOR[:2], MATRIX, 1)],
    runtime.undiagflat: [Sample(np.diagflat(ROW, 1) + 0.3, ROW, 1)],
    runtime.polyder_bar: [Sample(VECTOR[:3], VECTOR), Sample(VECTOR[:2], VECTOR, 2)],
    runtime.polyval_coefficients: [Sample(WIDE, VECTOR, MATRIX), Sample(0.3, VECTOR, 0.8)],
    runtime.convolve_bar_left: convolutions(np.convolve, PAIRS),
    runtime.convolve_bar_right: convolutions(np.convolve, PAIRS),
    runtime.correlate_bar_left: convolutions(np.correlate, PAIRS),
    runtime.correlate_bar_right: convolutions(np.correlate, PAIRS),
    runtime.trapezoid_weights: [
        Sample(VECTOR, PLACES),
        Sample(VECTOR, dx=0.4),
        Sample(CUBE, PLACES, axis=2),
        Sample(MATRIX, np.cumsum(WIDE**2, axis=1)),
    ],
    runtime.trapezoid_x_bar: [
        Sample(0.7, VECTOR, PLACES),
        Sample(VECTOR[:2], MATRIX, PLACES[:3]),
        Sample(VECTOR[:2], MATRIX, WIDE),
        Sample(CUBE[:, 0], CUBE, PLACES[:3], 1),
    ],
    runtime.interp_slope: [Sample(AT, PLACES, VECTOR)],
    runtime.interp_slope_bar: [Sample(AT + 1.0, AT, PLACES)],
    runtime.interp_points: [
        Sample(VECTOR, AT, PLACES),
        Sample(VECTOR, AT, PLACES, 0.0),
        Sample(OTHER, 0.77, PLACES),
    ],
    runtime.interp_points_bar: [
        Sample(AT * 0.3, AT, PLACES),
        Sample(AT * 0.3, AT, PLACES, None, 1.0),
    ],
    runtime.einsum_bar: [
        Sample(MATRIX[:, 0], 0, "ij,j->i", [MATRIX, MATRIX[0]]),
        Sample(MATRIX[0], 1, "i,ij,i->j", [MATRIX[:, 0], MATRIX, MATRIX[:, 1]]),
    ],
    runtime.einsum_bars: [
        Sample(VECTOR[:2], TERMS, FACTORS),
        Sample(CUBE, "...ij,jk->...ik", (TILE.reshape(2, 3, 4), np.eye(4) + 0.2)),
        Sample(CUBE[0, 0, :2], "ii->i", (MATRIX[:, :2],)),
    ],
}

"""Samples of ufuncs.py, exponentials.py, trigonometry.py and complexes.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from s2sgrad_runtime import bessel_i, circle_height, edge_ratio, gap, safe_divide, sinc_slope
from tests.rules.samples.arrays import (
    COLUMN,
    COMPLEX,
    COMPLEX_OTHER,
    EMPTY,
    FORTRAN,
    MATRIX,
    POSITIVE,
    ROW,
    SCALAR,
    SINGLE,
    SMALL,
    STRIDED,
    WIDE,
    ZERO_D,
)

FUNCTIONS_OF_ONE = (
    "negative positive square exp exp2 expm1 sin cos tan sinh cosh tanh arctan arcsinh sinc "
    "absolute fabs deg2rad radians rad2deg degrees conjugate real imag nan_to_num cbrt i0"
)
OF_POSITIVE = "sqrt log log2 log10 log1p reciprocal"
OF_SMALL = "arcsin arccos arctanh"
COMPLEX_ONES = (
    "negative positive square exp exp2 expm1 sin cos tan sinh cosh tanh arctan arcsinh absolute "
    "conjugate real imag sqrt log log2 log10 log1p reciprocal arcsin arccos arctanh arccosh angle"
)
OF_TWO = (
    "add subtract multiply divide maximum minimum fmax fmin hypot arctan2 logaddexp logaddexp2 "
    "copysign"
)
COMPLEX_TWOS = "add subtract multiply divide power"


def ones(x: Any) -> list[Any]:
    """One argument: plain, column-major, strided, single precision, 0-d, scalar and empty."""
    return [
        Sample(x),
        Sample(np.asfortranarray(x)),
        Sample(np.repeat(x, 2, axis=1)[:, ::2]),
        Sample(x.astype(np.float32)),
        Sample(x[1, 1]),
        Sample(np.array(x[0, 0])),
        Sample(float(x[0, 0])),
        Sample(EMPTY),
    ]


def twos(a: Any, b: Any) -> list[Any]:
    """Two arguments: equal shapes, broadcast both ways, scalars, 0-d, single, empty."""
    return [
        Sample(a, b),
        Sample(a[0], b),
        Sample(a[:, :1], b),
        Sample(a[:, :1], b[0]),
        Sample(a, float(b[0, 0])),
        Sample(float(a[1, 0]), b),
        Sample(float(a[1, 0]), float(b[0, 1])),
        Sample(np.array(a[0, 1]), b[:1]),
        Sample(a.astype(np.float32), b.astype(np.float32)),
        Sample(EMPTY, b[0]),
    ]


SAMPLES: dict[Any, list[Any]] = {
    **{getattr(np, name): ones(MATRIX) for name in FUNCTIONS_OF_ONE.split()},
    **{getattr(np, name): ones(POSITIVE) for name in OF_POSITIVE.split()},
    **{getattr(np, name): ones(SMALL) for name in OF_SMALL.split()},
    **{getattr(np, name): twos(MATRIX, WIDE) for name in OF_TWO.split()},
    np.arccosh: ones(POSITIVE + 1.0),
    np.angle: [],
    np.power: [
        *twos(POSITIVE, WIDE),
        Sample(MATRIX, 2),
        Sample(MATRIX, -3),
        Sample(MATRIX, 1),
        Sample(MATRIX, 0),
        Sample(MATRIX, 2.0, constant=("x2",)),
        Sample(SINGLE, 3),
        Sample(MATRIX, np.array([2, 0, 1])),
    ],
    np.float_power: [Sample(POSITIVE, WIDE), Sample(MATRIX, 2)],
    np.fmod: [Sample(3.0 * MATRIX, POSITIVE + 0.31), Sample(7.3, 2.0)],
    np.remainder: [Sample(3.0 * MATRIX, WIDE), Sample(-7.3, 2.0), Sample(MATRIX, COLUMN)],
    np.divmod: [Sample(3.0 * MATRIX, WIDE), Sample(MATRIX, COLUMN)],
    np.modf: [Sample(MATRIX), Sample(ZERO_D)],
    np.frexp: [Sample(1.1 * MATRIX)],
    np.ldexp: [Sample(MATRIX, 3), Sample(MATRIX, np.array([1, 0, -2]))],
    np.heaviside: [Sample(MATRIX, WIDE), Sample(MATRIX, 0.5)],
    np.clip: [
        Sample(MATRIX, -0.5, 1.0, constant=("a_min", "a_max")),
        Sample(MATRIX, -0.5, 1.0),
        Sample(MATRIX, None, ROW + 0.6),
        Sample(MATRIX, WIDE - 0.5, WIDE + 0.6),
        Sample(MATRIX, min=0.1),
        Sample(SINGLE, -0.5, 1.0),
        Sample(0.3, 0.0, 1.0),
    ],
    np.where: [
        Sample(MATRIX > 0, MATRIX, WIDE),
        Sample(ROW > 0, MATRIX, 0.5),
        Sample(COLUMN > 0, ROW, COLUMN),
        Sample(True, SCALAR, MATRIX),
        Sample(MATRIX > 0, COMPLEX, COMPLEX_OTHER),
        Sample(SINGLE > 0, SINGLE, 0.0),
    ],
    np.real_if_close: [Sample(MATRIX), Sample(COMPLEX)],
    np.unwrap: [Sample(4.0 * MATRIX), Sample(4.0 * MATRIX, axis=0)],
    sinc_slope: ones(MATRIX),
    circle_height: [Sample(MATRIX), Sample(COMPLEX)],
    gap: [Sample(MATRIX, COLUMN)],
    edge_ratio: [
        Sample(MATRIX, 1.5 + MATRIX**2),
        Sample(MATRIX, 2.0),
        Sample(3.0, 1.5 + MATRIX**2),
    ],
    safe_divide: [
        Sample(MATRIX, 1.5 + MATRIX**2),
        Sample(MATRIX, 2.0),
        Sample(3.0, 1.5 + MATRIX**2),
    ],
    bessel_i: [Sample(1, MATRIX), Sample(2, 3.0 * WIDE)],
}

for name in COMPLEX_ONES.split():
    SAMPLES[getattr(np, name)] += [Sample(COMPLEX), Sample(complex(0.4, -0.7))]
for name in COMPLEX_TWOS.split():
    SAMPLES[getattr(np, name)] += [
        Sample(COMPLEX, COMPLEX_OTHER),
        Sample(MATRIX, COMPLEX_OTHER[0]) if name != "power" else Sample(POSITIVE, COMPLEX[0]),
        Sample(COMPLEX[:, :1], POSITIVE),
    ]
SAMPLES[np.angle] += [Sample(COMPLEX, deg=True), Sample(COMPLEX[0, 0])]
SAMPLES[np.sign] = [Sample(COMPLEX), Sample(MATRIX)]
SAMPLES[np.multiply] += [Sample(FORTRAN, STRIDED), Sample(MATRIX, np.array([1, 2, 3]))]

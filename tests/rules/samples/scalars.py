"""Samples of scalars.py: functions of Python numbers."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from s2sgrad.rules.checking import Sample
from s2sgrad_runtime import polygamma

NUMBERS = [Sample(0.7), Sample(2.6), Sample(-0.4), Sample(-2.3)]

SAMPLES: dict[Any, list[Any]] = {
    math.erf: NUMBERS,
    math.erfc: NUMBERS,
    math.gamma: NUMBERS,
    math.lgamma: NUMBERS,
    polygamma: [Sample(n, x) for n in (0, 1, 2, 4) for x in (0.7, 15.3, -1.4)],
    math.log: [Sample(0.7), Sample(3.1, 2), Sample(3.1, 2.7)],
    math.remainder: [Sample(7.3, 2.1), Sample(-3.3, 2.0)],
    math.hypot: [Sample(0.3, -0.4), Sample(1.0, 2.0, -0.7)],
    math.dist: [Sample((1.0, 0.4), (0.3, -0.2))],
    math.fsum: [Sample([0.3, -0.4, 1.2]), Sample((0.3,)), Sample(np.array([0.3, 0.5]))],
    math.prod: [
        Sample([0.3, -0.4, 1.2]),
        Sample((0.3, 0.0, 0.7), start=2.0, constant=("start",)),
        Sample(np.array([0.3, 0.5])),
    ],
    builtins.float: [Sample(0.7)],
    builtins.complex: [Sample(0.7), Sample(0.3, -1.2)],
}

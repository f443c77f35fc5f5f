"""Orthogonal polynomials as scipy.special makes them: objects that are called."""

from __future__ import annotations

import numpy as np
from scipy import special

from programs.registry import normal, positive, program

KNOWN = [special.chebyu(n) for n in range(3)]
FIRST = special.legendre(3, monic=True)


@program(normal(), 3)
def a_sum_of_legendre_polynomials(x, n):
    total = 0.0
    for k in range(n + 1):
        total += special.legendre(k)(np.tanh(x)) * (2 * k + 1)
    return total


@program(normal(3), second=True)
def polynomials_made_outside(x):
    return sum(np.sum(p(x)) * (k + 1) for k, p in enumerate(KNOWN)) + FIRST(x[0]) ** 2


@program(normal(3), second=True)
def waves_of_an_oscillator(x):
    wave = special.hermite(3)
    slope = wave.deriv()
    return np.sum(wave(x) * np.exp(-(x**2) / 2) + slope(x)) + wave.coeffs[0] * x[0]


@program(positive(2))
def families_with_parameters(x):
    twice = special.legendre(2) * 2.0
    return np.sum(twice(x)) + special.jacobi(2, 0.5, 0.5)(x[0]) + special.genlaguerre(2, 1.5)(x[1])

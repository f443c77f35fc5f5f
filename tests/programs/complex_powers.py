"""Powers with complex exponents, known and not."""

import numpy as np

from programs.registry import program

X = np.array([0.31, 0.72, 0.53, 0.44])


@program(X, second=True)
def complex_constants(x):
    return x[0] * (2.0**1j).real + x[1] * 3**2.5 + x[2] * abs(2j**2) + x[3] * (1.5 // 0.4)


@program(X, second=True)
def complex_exponents(x):
    return ((x + 0j) ** 1j).real.sum() + abs(x[0] ** (1 + 2j)) + np.power(x + 1j, 2j).imag.sum()


@program(X, second=True)
def complex_powers_chosen(x):
    z = x[0] + 1j * x[1]
    return (
        np.where(x[2] > 0.3, (z**1j).real, 0.0)
        + np.where(x[2] > 0.3, (z ** (0.5 + 1j)).real, 0.0)
        + (z**2).imag
        + (2**z).real
        + (z**z).imag
    )

"""A rule for a function without Python source: Bessel functions from the C library."""

import ctypes
import ctypes.util

import s2sgrad

libm = ctypes.CDLL(ctypes.util.find_library("m"))
for name in ("j0", "j1"):
    getattr(libm, name).restype = ctypes.c_double
    getattr(libm, name).argtypes = [ctypes.c_double]


def bessel_j0(x):
    return libm.j0(float(x))


def bessel_j1(x):
    return libm.j1(float(x))


@s2sgrad.rule(bessel_j0)
def bessel_j0_rule(y_bar, y, x):
    """J0' = -J1."""
    return -y_bar * bessel_j1(x)


@s2sgrad.rule(bessel_j1)
def bessel_j1_rule(y_bar, y, x):
    """J1' = J0 - J1 / x."""
    return y_bar * (bessel_j0(x) - y / x)


def drum(radius, weights):
    """The height of a vibrating drum at a radius: a sum of modes."""
    height = 0.0
    for k in range(len(weights)):
        height += weights[k] * bessel_j0((2.4048 + 3.1153 * k) * radius)
    return height


def main():
    weights = [1.0, 0.5, 0.25]
    slope = s2sgrad.grad(drum)
    print(slope.source(0.3, weights))
    eps = 1e-6
    expected = (drum(0.3 + eps, weights) - drum(0.3 - eps, weights)) / (2 * eps)
    print("slope", slope(0.3, weights), "by differences", expected)
    assert abs(slope(0.3, weights) - expected) < 1e-8


if __name__ == "__main__":
    main()

"""Slices of one array; everything is elementwise but the final sum."""

import numpy as np


def primal(x):
    # distance from the curved valley
    valley = x[1:] - x[:-1] ** 2
    slope = 1.0 - x[:-1]
    return np.sum(100.0 * valley**2 + slope**2)


def target(x):
    """x: float64[n]. Returns the value and x_bar: float64[n]."""
    # distance from the curved valley
    valley = x[1:] - x[:-1] ** 2
    slope = 1.0 - x[:-1]
    value = np.sum(100.0 * valley**2 + slope**2)

    valley_bar = 200.0 * valley
    slope_bar = 2.0 * slope
    x_bar = np.zeros_like(x)
    x_bar[:-1] -= slope_bar
    x_bar[1:] += valley_bar
    x_bar[:-1] -= valley_bar * 2.0 * x[:-1]
    return value, x_bar


def arguments(rng):
    return (rng.normal(size=7),)


wrt = (0,)

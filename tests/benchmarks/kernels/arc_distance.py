"""Distances on a sphere, between two lists of points."""

import numpy as np


def primal(theta_1, phi_1, theta_2, phi_2):
    temp = (
        np.sin((theta_2 - theta_1) / 2) ** 2
        + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2
    )
    distance = 2 * np.arctan2(np.sqrt(temp), np.sqrt(1 - temp))
    return np.sum(distance)


SIZES = {"test": 6, "S": 100_000, "M": 1_000_000}
argnums = (0, 1, 2, 3)


def arguments(rng, size="S"):
    return tuple(rng.uniform(size=SIZES[size]) for _ in range(4))

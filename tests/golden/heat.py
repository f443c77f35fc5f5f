"""Explicit steps on a plate: a copy written in the middle and at one edge, then the next field."""

import numpy as np


def primal(u, kappa, steps):
    for _ in range(steps):
        new = u.copy()
        new[1:-1, 1:-1] = u[1:-1, 1:-1] + kappa * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
        new[0, :] = new[1, :]
        u = new
    return np.sum(u**2)


def target(u, kappa, steps):
    """u: float64[m, n], kappa: a number, steps: an integer (inactive).

    Returns the value and (u_bar, kappa_bar). Nothing but the Laplacians is kept.
    """
    laplacian_saved = []
    for _ in range(steps):
        new = u.copy()
        laplacian = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        laplacian_saved.append(laplacian)
        new[1:-1, 1:-1] = u[1:-1, 1:-1] + kappa * laplacian
        new[0, :] = new[1, :]
        u = new
    value = np.sum(u**2)

    u_bar = 2.0 * u
    kappa_bar = 0.0
    for _ in range(steps):
        laplacian = laplacian_saved.pop()
        new_bar = u_bar
        edge_bar = new_bar[0, :].copy()
        new_bar[0, :] = 0.0
        new_bar[1, :] += edge_bar
        inner_bar = new_bar[1:-1, 1:-1].copy()
        new_bar[1:-1, 1:-1] = 0.0
        u_bar = new_bar
        u_bar[1:-1, 1:-1] += inner_bar
        kappa_bar += np.sum(inner_bar * laplacian)
        laplacian_bar = inner_bar * kappa
        u_bar[2:, 1:-1] += laplacian_bar
        u_bar[:-2, 1:-1] += laplacian_bar
        u_bar[1:-1, 2:] += laplacian_bar
        u_bar[1:-1, :-2] += laplacian_bar
        u_bar[1:-1, 1:-1] -= 4.0 * laplacian_bar
    return value, (u_bar, kappa_bar)


def arguments(rng):
    return rng.normal(size=(6, 5)), 0.1, 4


wrt = (0, 1)

"""Time stepping in place on slices: the overwritten interior is saved once a step, in one array."""

import numpy as np


def primal(u0, nu, dt, dx, steps):
    u = u0.copy()
    for _ in range(steps):
        advection = u[1:-1] * (u[2:] - u[:-2]) / (2.0 * dx)
        diffusion = nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        u[1:-1] += dt * (diffusion - advection)
    return np.sum(u**2)


def target(u0, nu, dt, dx, steps):
    """u0: float64[n], nu: float64; dt, dx: float64 and steps: int are inactive.

    Returns the value and (u0_bar: float64[n], nu_bar: float64).
    """
    u_saved = np.empty((steps, len(u0) - 2))
    u = u0.copy()
    for k in range(steps):
        u_saved[k] = u[1:-1]
        advection = u[1:-1] * (u[2:] - u[:-2]) / (2.0 * dx)
        diffusion = nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) / dx**2
        u[1:-1] += dt * (diffusion - advection)
    value = np.sum(u**2)

    u_bar = 2.0 * u
    nu_bar = 0.0
    for k in reversed(range(steps)):
        u[1:-1] = u_saved[k]
        step_bar = dt * u_bar[1:-1]
        # diffusion
        nu_bar += np.sum(step_bar * (u[2:] - 2.0 * u[1:-1] + u[:-2])) / dx**2
        second_bar = nu * step_bar / dx**2
        # advection
        centre_bar = -step_bar * (u[2:] - u[:-2]) / (2.0 * dx)
        gap_bar = -step_bar * u[1:-1] / (2.0 * dx)
        u_bar[2:] += second_bar + gap_bar
        u_bar[1:-1] += centre_bar - 2.0 * second_bar
        u_bar[:-2] += second_bar - gap_bar
    return value, (u_bar, nu_bar)


def arguments(rng):
    return rng.normal(size=9), 0.3, 0.01, 0.5, 6


wrt = (0, 1)

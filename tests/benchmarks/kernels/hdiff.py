"""Horizontal diffusion of a weather model: a Laplacian, and fluxes that a limiter switches off."""

import numpy as np


def primal(in_field, coeff):
    nx, ny, _ = coeff.shape
    lap = 4.0 * in_field[1 : nx + 3, 1 : ny + 3] - (
        in_field[2 : nx + 4, 1 : ny + 3]
        + in_field[: nx + 2, 1 : ny + 3]
        + in_field[1 : nx + 3, 2 : ny + 4]
        + in_field[1 : nx + 3, : ny + 2]
    )
    # flux in x, limited where it would run up the gradient
    res = lap[1:, 1 : ny + 1] - lap[:-1, 1 : ny + 1]
    step = in_field[2 : nx + 3, 2 : ny + 2] - in_field[1 : nx + 2, 2 : ny + 2]
    flx = np.where(res * step > 0.0, 0.0, res)
    # flux in y
    res = lap[1 : nx + 1, 1:] - lap[1 : nx + 1, :-1]
    step = in_field[2 : nx + 2, 2 : ny + 3] - in_field[2 : nx + 2, 1 : ny + 2]
    fly = np.where(res * step > 0.0, 0.0, res)
    divergence = flx[1:] - flx[:-1] + fly[:, 1:] - fly[:, :-1]
    out = in_field[2 : nx + 2, 2 : ny + 2] - coeff * divergence
    return np.sum(out)


SIZES = {"test": (4, 5, 2), "S": (64, 64, 60), "M": (128, 128, 160)}
argnums = (0, 1)


def arguments(rng, size="S"):
    nx, ny, nz = SIZES[size]
    return rng.uniform(size=(nx + 4, ny + 4, nz)), rng.uniform(size=(nx, ny, nz))

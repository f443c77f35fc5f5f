"""Vertical advection of a weather model: a tridiagonal solve in every column, in place."""

import numpy as np

BET_M = 0.5
BET_P = 0.5


def primal(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    nx, ny, nz = utens_stage.shape
    ccol = np.zeros((nx, ny, nz))
    dcol = np.zeros((nx, ny, nz))
    out = np.zeros((nx, ny, nz))

    # forward elimination
    gcv = 0.25 * (wcon[1:, :, 1] + wcon[:-1, :, 1])
    ccol[:, :, 0] = gcv * BET_P
    bcol = dtr_stage - ccol[:, :, 0]
    correction = -gcv * BET_M * (u_stage[:, :, 1] - u_stage[:, :, 0])
    dcol[:, :, 0] = dtr_stage * u_pos[:, :, 0] + utens[:, :, 0] + utens_stage[:, :, 0] + correction
    ccol[:, :, 0] /= bcol
    dcol[:, :, 0] /= bcol
    for k in range(1, nz - 1):
        gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
        acol = gav * BET_P
        ccol[:, :, k] = gcv * BET_P
        bcol = dtr_stage - acol - ccol[:, :, k]
        correction = -gav * BET_M * (u_stage[:, :, k - 1] - u_stage[:, :, k])
        correction -= gcv * BET_M * (u_stage[:, :, k + 1] - u_stage[:, :, k])
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction
        )
        divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
        ccol[:, :, k] *= divided
        dcol[:, :, k] = (dcol[:, :, k] - dcol[:, :, k - 1] * acol) * divided
    gav = -0.25 * (wcon[1:, :, -1] + wcon[:-1, :, -1])
    acol = gav * BET_P
    bcol = dtr_stage - acol
    correction = -gav * BET_M * (u_stage[:, :, -2] - u_stage[:, :, -1])
    dcol[:, :, -1] = (
        dtr_stage * u_pos[:, :, -1] + utens[:, :, -1] + utens_stage[:, :, -1] + correction
    )
    divided = 1.0 / (bcol - ccol[:, :, -2] * acol)
    dcol[:, :, -1] = (dcol[:, :, -1] - dcol[:, :, -2] * acol) * divided

    # back substitution
    datacol = dcol[:, :, -1]
    out[:, :, -1] = dtr_stage * (datacol - u_pos[:, :, -1])
    for k in range(nz - 2, -1, -1):
        datacol = dcol[:, :, k] - ccol[:, :, k] * datacol
        out[:, :, k] = dtr_stage * (datacol - u_pos[:, :, k])
    return np.sum(out)


SIZES = {"test": (3, 2, 5), "S": (60, 60, 40), "M": (112, 112, 80)}
argnums = (0, 1, 2, 3, 4)


def arguments(rng, size="S"):
    nx, ny, nz = SIZES[size]

    def field(extra=0):
        return rng.uniform(size=(nx + extra, ny, nz))

    return field(), field(), field(extra=1), field(), field(), 3.0 / 20.0

"""Kernels without in-place writes, for any package with NumPy's names: xp is that package."""

from __future__ import annotations

from itertools import pairwise
from typing import Any


def hdiff(xp: Any, in_field: Any, coeff: Any) -> Any:
    nx, ny, _ = coeff.shape
    lap = 4.0 * in_field[1 : nx + 3, 1 : ny + 3] - (
        in_field[2 : nx + 4, 1 : ny + 3]
        + in_field[: nx + 2, 1 : ny + 3]
        + in_field[1 : nx + 3, 2 : ny + 4]
        + in_field[1 : nx + 3, : ny + 2]
    )
    res = lap[1:, 1 : ny + 1] - lap[:-1, 1 : ny + 1]
    step = in_field[2 : nx + 3, 2 : ny + 2] - in_field[1 : nx + 2, 2 : ny + 2]
    flx = xp.where(res * step > 0.0, 0.0, res)
    res = lap[1 : nx + 1, 1:] - lap[1 : nx + 1, :-1]
    step = in_field[2 : nx + 2, 2 : ny + 3] - in_field[2 : nx + 2, 1 : ny + 2]
    fly = xp.where(res * step > 0.0, 0.0, res)
    divergence = flx[1:] - flx[:-1] + fly[:, 1:] - fly[:, :-1]
    return xp.sum(in_field[2 : nx + 2, 2 : ny + 2] - coeff * divergence)


def vadv(xp: Any, us: Any, u: Any, wcon: Any, u_pos: Any, utens: Any, dtr: Any) -> Any:
    nz = us.shape[2]
    ccol: list[Any] = []
    dcol: list[Any] = []
    for k in range(nz):
        acol, bcol = 0.0, dtr
        d = dtr * u_pos[:, :, k] + utens[:, :, k] + us[:, :, k]
        if k > 0:
            gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
            acol = gav * 0.5
            bcol = bcol - acol
            d = d - gav * 0.5 * (u[:, :, k - 1] - u[:, :, k])
        c = 0.0 * d
        if k < nz - 1:
            gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
            c = gcv * 0.5
            bcol = bcol - c
            d = d - gcv * 0.5 * (u[:, :, k + 1] - u[:, :, k])
        if k > 0:
            bcol = bcol - ccol[-1] * acol
            d = d - dcol[-1] * acol
        ccol.append(c / bcol)
        dcol.append(d / bcol)
    datacol = dcol[-1]
    total = xp.sum(dtr * (datacol - u_pos[:, :, -1]))
    for k in range(nz - 2, -1, -1):
        datacol = dcol[k] - ccol[k] * datacol
        total = total + xp.sum(dtr * (datacol - u_pos[:, :, k]))
    return total


def pairs(pos: Any) -> tuple[Any, Any, Any]:
    return tuple(pos[None, :, i] - pos[:, None, i] for i in range(3))


def acceleration(xp: Any, pos: Any, mass: Any, G: float, softening: float) -> Any:
    dx, dy, dz = pairs(pos)
    inv_r3 = (dx**2 + dy**2 + dz**2 + softening**2) ** -1.5
    return xp.stack([G * ((d * inv_r3) @ mass)[:, 0] for d in (dx, dy, dz)], 1)


def energy(xp: Any, pos: Any, vel: Any, mass: Any, G: float, eye: Any) -> Any:
    kinetic = 0.5 * xp.sum(mass * vel**2)
    dx, dy, dz = pairs(pos)
    # ones on the diagonal, so that no derivative of 1 / sqrt(0) is ever taken
    inv_r = (1.0 - eye) / xp.sqrt(dx**2 + dy**2 + dz**2 + eye)
    return kinetic - 0.5 * G * xp.sum(mass * mass.T * inv_r)


def nbody(
    xp: Any, mass: Any, pos: Any, vel: Any, Nt: int, dt: float, G: float, soft: float, eye: Any
) -> Any:
    vel = vel - xp.mean(mass * vel, 0) / xp.mean(mass)
    acc = acceleration(xp, pos, mass, G, soft)
    total = energy(xp, pos, vel, mass, G, eye)
    for _ in range(Nt):
        vel = vel + acc * dt / 2.0
        pos = pos + vel * dt
        acc = acceleration(xp, pos, mass, G, soft)
        vel = vel + acc * dt / 2.0
        total = total + energy(xp, pos, vel, mass, G, eye)
    return total


def spmv(xp: Any, A_row: Any, A_col: Any, A_val: Any, x: Any) -> Any:
    rows = [int(r) for r in A_row]
    y = [A_val[a:b] @ x[A_col[a:b]] for a, b in pairwise(rows)]
    return xp.sum(xp.stack(y))


def conv2d_bias(xp: Any, inputs: Any, weights: Any, bias: Any) -> Any:
    K = weights.shape[0]
    height, width = inputs.shape[1] - K + 1, inputs.shape[2] - K + 1
    total = 0.0
    for i in range(height):
        for j in range(width):
            window = inputs[:, i : i + K, j : j + K, :, None]
            total = total + xp.sum(xp.sum(window * weights[None], (1, 2, 3)) + bias)
    return total


def go_fast(xp: Any, a: Any) -> Any:
    trace = 0.0
    for i in range(a.shape[0]):
        trace = trace + xp.tanh(a[i, i])
    return xp.sum(a + trace)


def arc_distance(xp: Any, theta_1: Any, phi_1: Any, theta_2: Any, phi_2: Any) -> Any:
    temp = (
        xp.sin((theta_2 - theta_1) / 2) ** 2
        + xp.cos(theta_1) * xp.cos(theta_2) * xp.sin((phi_2 - phi_1) / 2) ** 2
    )
    return xp.sum(2 * xp.arctan2(xp.sqrt(temp), xp.sqrt(1 - temp)))


def atax(xp: Any, A: Any, x: Any) -> Any:
    return xp.sum((A @ x) @ A)


def k2mm(xp: Any, alpha: float, beta: float, A: Any, B: Any, C: Any, D: Any) -> Any:
    return xp.sum(alpha * A @ B @ C + beta * D)

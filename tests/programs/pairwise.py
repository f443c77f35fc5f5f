"""Interactions of pairs: differences of all with all, masks, kernels, joins of columns."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program


@program(positive(4), normal(4, 3), normal(4, 3), 2, wrt=(0, 1, 2), jit=True)
def softened_gravity(mass, pos, vel, steps):
    for _ in range(steps):
        d = pos[None, :, :] - pos[:, None, :]
        r2 = np.sum(d**2, axis=-1) + 0.3
        w = mass[None, :] * r2**-1.5
        vel = vel + 0.1 * np.sum(d * w[:, :, None], axis=1)
        pos = pos + 0.1 * vel
    return np.sum(vel**2) + np.sum(pos**2)


@program(normal(5, 3), 1.3, wrt=(0, 1), jit=True)
def lennard_jones_within_a_distance(pos, sigma):
    x, y, z = pos[:, 0], pos[:, 1], pos[:, 2]
    dx = x[:, None] - x[None, :]
    dy = y[:, None] - y[None, :]
    dz = z[:, None] - z[None, :]
    r2 = 0.5 + dx**2 + dy**2 + dz**2
    near = (r2 < 6.0) & ~(r2 == 0.5)
    s6 = np.zeros_like(r2)
    s6[near] = (sigma**2 / r2[near]) ** 3
    return np.sum(s6**2 - s6)


@program(normal(4, 2), normal(5, 2), normal(5), wrt=(0, 1, 2), jit=True)
def gaussian_kernel(x, y, weights):
    d = x[:, None, :] - y[None, :, :]
    kernel = np.exp(-0.5 * np.sum(d**2, axis=-1))
    return np.sum((kernel @ weights) ** 2) + np.sum(weights @ kernel.T)


@program(normal(4, 3), positive(4, 1), 2, wrt=(0, 1), jit=True)
def columns_joined_in_steps(pos, mass, steps):
    for _ in range(steps):
        x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
        dx, dy, dz = x.T - x, y.T - y, z.T - z
        w = (dx**2 + dy**2 + dz**2 + 0.2) ** -0.5
        pos = pos + 0.1 * np.hstack(((dx * w) @ mass, (dy * w) @ mass, (dz * w) @ mass))
    return np.sum(np.stack((pos[:, 0], pos[:, 2] ** 2), axis=1)) + np.sum(
        np.concatenate((pos[1:], pos**2)) * 0.5
    )


@program(normal(5), normal(5), wrt=(0, 1), jit=True)
def differences_after_their_numbers_change(x, y):
    d = x[:, None] - y[None, :]
    total = np.sum(d**2)
    z = x * y
    e = z[:, None] - z[None, :]
    z[1:3] = 0.5
    for k in range(2):
        total = total + np.sum((e + k) ** 3) + np.sum(z * x)
        z[k] = total * 0.01
    return total + np.sum(e * d)

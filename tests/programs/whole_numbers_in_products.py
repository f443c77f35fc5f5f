"""Tables of integers and truths that are multiplied with what varies: velocities, masks, counts."""

import numpy as np

from programs.registry import normal, positive, program

VELOCITIES = np.array(
    [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]]
)
WEIGHTS = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
OPPOSITE = [0, 3, 4, 1, 2, 7, 8, 5, 6]
KEPT = np.array([[True, False, True], [False, True, True]])


@program(normal(4, 3, 2), normal(9, 4, 3), wrt=(0, 1), jit=True)
def moments(u, f):
    cu = np.einsum("qd,xyd->qxy", VELOCITIES, u)
    m = np.tensordot(f, VELOCITIES, axes=(0, 0))
    w = np.tensordot(VELOCITIES, f, axes=([0], [0]))
    g = np.einsum("qxy,qd->xyd", f, VELOCITIES)
    return np.sum(cu**2 * f) + np.sum(m * u) + np.sum(w**2) + np.sum(g**3)


@program(normal(3, 4), normal(2, 3), wrt=(0, 1), jit=True)
def truths_as_factors(x, y):
    a = KEPT @ x
    b = np.einsum("ij,ij->i", y, KEPT)
    d = x.T @ np.arange(3)
    e = np.matmul(np.ones((4, 2, 2), int), y)
    return np.sum(a**2) + b @ b + d @ d + np.sum(e**2)


def equilibrium(rho, u):
    cu = np.einsum("qd,xyd->qxy", VELOCITIES, u)
    usq = np.einsum("xyd,xyd->xy", u, u)
    return WEIGHTS[:, None, None] * rho * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * usq)


@program(positive(5, 4), 0.1, 3, wrt=(0, 1), jit=True)
def lattice_boltzmann(rho0, omega, steps):
    u = np.zeros((*rho0.shape, 2))
    u[..., 0] = 0.05 * rho0
    f = equilibrium(rho0, u)
    solid = np.zeros(rho0.shape, bool)
    solid[2, 1] = True
    for _ in range(steps):
        for q, (cx, cy) in enumerate(VELOCITIES):
            f[q] = np.roll(np.roll(f[q], cx, axis=0), cy, axis=1)
        bounced = f[:, solid]
        rho = f.sum(axis=0)
        u = np.tensordot(f, VELOCITIES, axes=(0, 0)) / rho[..., None]
        f += omega * 10 * (equilibrium(rho, u) - f)
        f[:, solid] = bounced[OPPOSITE]
    return np.sum(u[..., 0] ** 2) * 100 + np.sum(rho * np.arange(20.0).reshape(5, 4)) * 0.01


@program(normal(3, 4, 5), normal(4, 5), jit=True)
def masks_behind_another_axis(f, g):
    solid = g > 0.2
    h = f.copy()
    bounced = h[:, solid]
    h *= 1.5
    h[:, solid] = bounced[[2, 0, 1]] * 2
    h[1, solid] += 0.3
    h[1:, ~solid] *= f[1:, ~solid]
    return np.sum(h**2 * np.arange(5)) + h[0, solid].sum()


@program(normal(3, 3, 3), normal(3, 3), jit=True)
def masks_beside_a_new_axis(f, g):
    m = g > 0.1
    h = f.copy()
    h[m] *= 2.0
    h[:, m] -= 0.1 * f[:, m] ** 2
    return np.sum(h[None, m] ** 2) + np.sum(h[:, m] * f[m].T) + np.sum(h[..., m])

"""Gravity of N bodies by leapfrog; the loss is the energy summed over time."""

import numpy as np


def acceleration(pos, mass, G, softening):
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    near = inv_r3 > 0
    inv_r3[near] = inv_r3[near] ** (-1.5)
    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass
    return np.hstack((ax, ay, az))


def energy(pos, vel, mass, G):
    kinetic = 0.5 * np.sum(mass * vel**2)
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r = dx**2 + dy**2 + dz**2
    near = inv_r > 0
    inv_r[near] = 1.0 / np.sqrt(inv_r[near])
    potential = G * np.sum(np.triu(-(mass * mass.T) * inv_r, 1))
    return kinetic, potential


def primal(mass, pos, vel, Nt, dt, G, softening):
    # in the centre-of-mass frame
    vel = vel - np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = acceleration(pos, mass, G, softening)
    kinetic = np.zeros(Nt + 1)
    potential = np.zeros(Nt + 1)
    kinetic[0], potential[0] = energy(pos, vel, mass, G)
    for i in range(Nt):
        vel = vel + acc * dt / 2.0
        pos = pos + vel * dt
        acc = acceleration(pos, mass, G, softening)
        vel = vel + acc * dt / 2.0
        kinetic[i + 1], potential[i + 1] = energy(pos, vel, mass, G)
    return np.sum(kinetic) + np.sum(potential)


SIZES = {"test": (4, 3), "S": (25, 40), "M": (50, 100)}
argnums = (0, 1, 2)


def arguments(rng, size="S"):
    n, steps = SIZES[size]
    mass = 20.0 * np.ones((n, 1)) / n
    return mass, rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), steps, 0.05, 1.0, 0.1

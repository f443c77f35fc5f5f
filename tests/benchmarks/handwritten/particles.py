"""Gravity of N bodies, with the whole trajectory saved."""

import numpy as np

from tests.benchmarks.handwritten.compiling import compiled


@compiled
def _acceleration(pos, mass, G, soft, acc):
    N = pos.shape[0]
    for i in range(N):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(N):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            dz = pos[j, 2] - pos[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + soft * soft
            ir = 1.0 / (r2 * np.sqrt(r2)) if r2 > 0 else r2
            m = G * ir * mass[j, 0]
            ax += dx * m
            ay += dy * m
            az += dz * m
        acc[i, 0] = ax
        acc[i, 1] = ay
        acc[i, 2] = az


@compiled
def _acceleration_adjoint(pos, mass, G, soft, ab, posb, massb):
    N = pos.shape[0]
    for i in range(N):
        for j in range(N):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            dz = pos[j, 2] - pos[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + soft * soft
            if r2 > 0:
                ir = 1.0 / (r2 * np.sqrt(r2))
                s = G * (dx * ab[i, 0] + dy * ab[i, 1] + dz * ab[i, 2])
                massb[j, 0] += s * ir
                f = -1.5 * s * mass[j, 0] * ir / r2 * 2.0
                m = G * ir * mass[j, 0]
                gx = m * ab[i, 0] + f * dx
                gy = m * ab[i, 1] + f * dy
                gz = m * ab[i, 2] + f * dz
                posb[j, 0] += gx
                posb[i, 0] -= gx
                posb[j, 1] += gy
                posb[i, 1] -= gy
                posb[j, 2] += gz
                posb[i, 2] -= gz


@compiled
def _energy(pos, vel, mass, G):
    N = pos.shape[0]
    KE = 0.0
    PE = 0.0
    for i in range(N):
        KE += mass[i, 0] * (vel[i, 0] ** 2 + vel[i, 1] ** 2 + vel[i, 2] ** 2)
        for j in range(i + 1, N):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            dz = pos[j, 2] - pos[i, 2]
            r = np.sqrt(dx * dx + dy * dy + dz * dz)
            if r > 0:
                PE -= mass[i, 0] * mass[j, 0] / r
    return 0.5 * KE, G * PE


@compiled
def _energy_adjoint(pos, vel, mass, G, kb, pb, posb, velb, massb):
    N = pos.shape[0]
    for i in range(N):
        massb[i, 0] += 0.5 * kb * (vel[i, 0] ** 2 + vel[i, 1] ** 2 + vel[i, 2] ** 2)
        for c in range(3):
            velb[i, c] += kb * mass[i, 0] * vel[i, c]
        for j in range(i + 1, N):
            dx = pos[j, 0] - pos[i, 0]
            dy = pos[j, 1] - pos[i, 1]
            dz = pos[j, 2] - pos[i, 2]
            r2 = dx * dx + dy * dy + dz * dz
            if r2 > 0:
                ir = 1.0 / np.sqrt(r2)
                massb[i, 0] -= pb * G * mass[j, 0] * ir
                massb[j, 0] -= pb * G * mass[i, 0] * ir
                f = pb * G * mass[i, 0] * mass[j, 0] * ir * ir * ir
                posb[j, 0] += f * dx
                posb[i, 0] -= f * dx
                posb[j, 1] += f * dy
                posb[i, 1] -= f * dy
                posb[j, 2] += f * dz
                posb[i, 2] -= f * dz


@compiled
def nbody(mass, pos0, vel0, Nt, dt, G, soft):
    N = pos0.shape[0]
    P = np.empty((Nt + 1, N, 3))
    V = np.empty((Nt + 1, N, 3))
    mm = np.mean(mass)
    mv = np.zeros(3)
    for i in range(N):
        for c in range(3):
            mv[c] += mass[i, 0] * vel0[i, c] / N
    for i in range(N):
        for c in range(3):
            V[0, i, c] = vel0[i, c] - mv[c] / mm
            P[0, i, c] = pos0[i, c]
    acc = np.empty((N, 3))
    vh = np.empty((N, 3))
    _acceleration(P[0], mass, G, soft, acc)
    KE = np.empty(Nt + 1)
    PE = np.empty(Nt + 1)
    KE[0], PE[0] = _energy(P[0], V[0], mass, G)
    for t in range(Nt):
        for i in range(N):
            for c in range(3):
                vh[i, c] = V[t, i, c] + acc[i, c] * dt / 2.0
                P[t + 1, i, c] = P[t, i, c] + vh[i, c] * dt
        _acceleration(P[t + 1], mass, G, soft, acc)
        for i in range(N):
            for c in range(3):
                V[t + 1, i, c] = vh[i, c] + acc[i, c] * dt / 2.0
        KE[t + 1], PE[t + 1] = _energy(P[t + 1], V[t + 1], mass, G)
    val = np.sum(KE) + np.sum(PE)
    posb = np.zeros((N, 3))
    velb = np.zeros((N, 3))
    massb = np.zeros_like(mass)
    ab = np.zeros((N, 3))
    for t in range(Nt - 1, -1, -1):
        _energy_adjoint(P[t + 1], V[t + 1], mass, G, 1.0, 1.0, posb, velb, massb)
        for i in range(N):
            for c in range(3):
                ab[i, c] += velb[i, c] * dt / 2.0
        _acceleration_adjoint(P[t + 1], mass, G, soft, ab, posb, massb)
        for i in range(N):
            for c in range(3):
                velb[i, c] += posb[i, c] * dt
                ab[i, c] = velb[i, c] * dt / 2.0
    _energy_adjoint(P[0], V[0], mass, G, 1.0, 1.0, posb, velb, massb)
    _acceleration_adjoint(P[0], mass, G, soft, ab, posb, massb)
    # centre-of-mass
    mvb = np.zeros(3)
    mmb = 0.0
    for i in range(N):
        for c in range(3):
            mvb[c] -= velb[i, c] / mm
            mmb += velb[i, c] * mv[c] / (mm * mm)
    for i in range(N):
        massb[i, 0] += mmb / N
        for c in range(3):
            massb[i, 0] += mvb[c] * vel0[i, c] / N
            velb[i, c] += mvb[c] * mass[i, 0] / N
    return val, massb, posb, velb

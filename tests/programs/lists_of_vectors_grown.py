"""Bases that grow vector by vector, fields that are probed, sums in arrays without axes."""

import numpy as np

from programs.registry import normal, positive, program, spd


@program(spd(5), normal(5), wrt=1, jit=True, rtol=1e-5)
def lanczos(A, v):
    V = [v / np.linalg.norm(v)]
    alphas, betas = [], []
    w = A @ V[-1]
    alphas.append(w @ V[-1])
    w -= alphas[-1] * V[-1]
    for j in range(1, 4):
        betas.append(np.linalg.norm(w))
        V.append(w / betas[-1])
        w = A @ V[-1] - betas[-1] * V[-2]
        alphas.append(w @ V[-1])
        w -= alphas[-1] * V[-1]
        for u in V[:-1]:
            w -= (w @ u) * u
    T = np.diag(alphas) + np.diag(betas, 1) + np.diag(betas, -1)
    e, U = np.linalg.eigh(T)
    return np.sum(U[0] ** 2 * np.log(e))


@program(normal(20), positive(20), 10, wrt=(0, 1), jit=True)
def field_in_time(src, eps, steps):
    ez, hy = np.zeros(20), np.zeros(19)
    probe = []
    for t in range(steps):
        hy += 0.5 * np.diff(ez)
        left, right = ez[1].copy(), ez[-2].item()
        ez[1:-1] += 0.5 / eps[1:-1] * np.diff(hy)
        ez[5] += src[t]
        ez[0], ez[-1] = left, right
        probe.append(ez[12])
    return np.dot(probe, probe) + ez.sum()


@program(normal(5), jit=True)
def summed_into_no_axes(f):
    acc = np.zeros(f.shape[1:])
    for v in f:
        acc += np.sin(v)
    return acc * f[0]


@program(normal(5), jit=True)
def made_of_no_axes(f):
    acc = np.zeros(())
    e = np.empty((), dtype=float)
    e[()] = f[2]
    for v in f:
        acc += np.sin(v)
    return float(acc) * f[0] + e

"""The kernels in JAX, statement by statement: `.at[]` for assignments, `fori_loop` for loops.

Where a bound depends on an outer loop's variable, a mask stands for it, since reverse mode needs
static trip counts.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import jax.numpy as jnp
from jax import lax

from tests.benchmarks.kernel_peers import functional


def jacobi_2d(TSTEPS: int, A: Any, B: Any) -> Any:
    def body(_: Any, carry: Any) -> Any:
        A, B = carry
        B = B.at[1:-1, 1:-1].set(
            0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        )
        A = A.at[1:-1, 1:-1].set(
            0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])
        )
        return A, B

    return jnp.sum(lax.fori_loop(1, TSTEPS, body, (A, B))[0])


def seidel_2d(TSTEPS: int, N: int, A: Any) -> Any:
    def column(j: Any, carry: Any) -> Any:
        A, i = carry
        A = A.at[i, j].add(A[i, j - 1])
        return A.at[i, j].divide(9.0), i

    def row(i: Any, A: Any) -> Any:
        A = A.at[i, 1:-1].add(
            A[i - 1, :-2]
            + A[i - 1, 1:-1]
            + A[i - 1, 2:]
            + A[i, 2:]
            + A[i + 1, :-2]
            + A[i + 1, 1:-1]
            + A[i + 1, 2:]
        )
        return lax.fori_loop(1, N - 1, column, (A, i))[0]

    def sweep(_: Any, A: Any) -> Any:
        return lax.fori_loop(1, N - 1, row, A)

    return jnp.sum(lax.fori_loop(0, TSTEPS - 1, sweep, A))


def vadv(us: Any, u: Any, wcon: Any, u_pos: Any, utens: Any, dtr: Any) -> Any:
    nz = us.shape[2]
    first = 0.25 * (wcon[1:, :, 1] + wcon[:-1, :, 1]) * 0.5
    d = dtr * u_pos[:, :, 0] + utens[:, :, 0] + us[:, :, 0] - first * (u[:, :, 1] - u[:, :, 0])
    ccol = jnp.zeros_like(us).at[:, :, 0].set(first / (dtr - first))
    dcol = jnp.zeros_like(us).at[:, :, 0].set(d / (dtr - first))

    def eliminate(k: Any, carry: Any) -> Any:
        ccol, dcol = carry
        gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
        acol = gav * 0.5
        ccol = ccol.at[:, :, k].set(gcv * 0.5)
        bcol = dtr - acol - ccol[:, :, k]
        correction = -gav * 0.5 * (u[:, :, k - 1] - u[:, :, k])
        correction = correction - gcv * 0.5 * (u[:, :, k + 1] - u[:, :, k])
        dcol = dcol.at[:, :, k].set(
            dtr * u_pos[:, :, k] + utens[:, :, k] + us[:, :, k] + correction
        )
        divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
        ccol = ccol.at[:, :, k].multiply(divided)
        return ccol, dcol.at[:, :, k].set((dcol[:, :, k] - dcol[:, :, k - 1] * acol) * divided)

    ccol, dcol = lax.fori_loop(1, nz - 1, eliminate, (ccol, dcol))
    gav = -0.25 * (wcon[1:, :, -1] + wcon[:-1, :, -1])
    acol = gav * 0.5
    d = dtr * u_pos[:, :, -1] + utens[:, :, -1] + us[:, :, -1]
    d = d - acol * (u[:, :, -2] - u[:, :, -1])
    datacol = (d - dcol[:, :, -2] * acol) / (dtr - acol - ccol[:, :, -2] * acol)
    out = jnp.zeros_like(us).at[:, :, -1].set(dtr * (datacol - u_pos[:, :, -1]))

    def substitute(step: Any, carry: Any) -> Any:
        datacol, out = carry
        k = nz - 2 - step
        datacol = dcol[:, :, k] - ccol[:, :, k] * datacol
        return datacol, out.at[:, :, k].set(dtr * (datacol - u_pos[:, :, k]))

    return jnp.sum(lax.fori_loop(0, nz - 1, substitute, (datacol, out))[1])


def nbody(mass: Any, pos: Any, vel: Any, Nt: int, dt: float, G: float, soft: float) -> Any:
    eye = jnp.eye(len(pos))
    vel = vel - jnp.mean(mass * vel, 0) / jnp.mean(mass)
    acc = functional.acceleration(jnp, pos, mass, G, soft)
    energies = jnp.zeros(Nt + 1).at[0].set(functional.energy(jnp, pos, vel, mass, G, eye))

    def body(i: Any, carry: Any) -> Any:
        pos, vel, acc, energies = carry
        vel = vel + acc * dt / 2.0
        pos = pos + vel * dt
        acc = functional.acceleration(jnp, pos, mass, G, soft)
        vel = vel + acc * dt / 2.0
        now = functional.energy(jnp, pos, vel, mass, G, eye)
        return pos, vel, acc, energies.at[i + 1].set(now)

    return jnp.sum(lax.fori_loop(0, Nt, body, (pos, vel, acc, energies))[3])


def trmm(alpha: float, A: Any, B: Any) -> Any:
    m, n = B.shape
    rows = jnp.arange(m)

    def column(j: Any, carry: Any) -> Any:
        B, i = carry
        return B.at[i, j].add(jnp.dot(jnp.where(rows > i, A[:, i], 0.0), B[:, j])), i

    def row(i: Any, B: Any) -> Any:
        return lax.fori_loop(0, n, column, (B, i))[0]

    return jnp.sum(alpha * lax.fori_loop(0, m, row, B))


def cholesky(A: Any) -> Any:
    n = A.shape[0]
    before = jnp.arange(n)

    def column(j: Any, carry: Any) -> Any:
        A, i = carry
        new = (A[i, j] - jnp.dot(jnp.where(before < j, A[i], 0.0), A[j])) / A[j, j]
        return A.at[i, j].set(jnp.where(j < i, new, A[i, j])), i

    def row(i: Any, A: Any) -> Any:
        A, _ = lax.fori_loop(0, n, column, (A, i))
        left = jnp.where(before < i, A[i], 0.0)
        return A.at[i, i].set(jnp.sqrt(A[i, i] - jnp.dot(left, left)))

    return jnp.sum(lax.fori_loop(1, n, row, A.at[0, 0].set(jnp.sqrt(A[0, 0]))))


def lu(A: Any) -> Any:
    rows = jnp.arange(A.shape[0])

    def column(k: Any, carry: Any) -> Any:
        A, i = carry
        factor = A[i, k] / A[k, k]
        new = jnp.where(rows > k, A[i] - factor * A[k], A[i]).at[k].set(factor)
        return A.at[i].set(jnp.where(k < i, new, A[i])), i

    def row(i: Any, A: Any) -> Any:
        return lax.fori_loop(0, A.shape[0], column, (A, i))[0]

    return jnp.sum(lax.fori_loop(0, A.shape[0], row, A))


def gramschmidt(A: Any) -> Any:
    n = A.shape[1]

    def column(j: Any, carry: Any) -> Any:
        A, Q, R, k = carry
        r = jnp.where(j > k, jnp.dot(Q[:, k], A[:, j]), 0.0)
        R = R.at[k, j].add(r)
        return A.at[:, j].add(-Q[:, k] * r), Q, R, k

    def step(k: Any, carry: Any) -> Any:
        A, Q, R = carry
        R = R.at[k, k].set(jnp.sqrt(jnp.dot(A[:, k], A[:, k])))
        Q = Q.at[:, k].set(A[:, k] / R[k, k])
        return lax.fori_loop(0, n, column, (A, Q, R, k))[:3]

    _, Q, R = lax.fori_loop(0, n, step, (A, jnp.zeros_like(A), jnp.zeros((n, n))))
    return jnp.sum(Q) + jnp.sum(R)


def durbin(r: Any) -> Any:
    n = r.shape[0]
    index = jnp.arange(n)

    def step(k: Any, carry: Any) -> Any:
        y, alpha, beta = carry
        flipped = jnp.where(index < k, k - 1 - index, 0)
        inside = index < k
        beta = beta * (1.0 - alpha * alpha)
        alpha = -(r[k] + jnp.sum(jnp.where(inside, r[flipped] * y, 0.0))) / beta
        y = y + alpha * jnp.where(inside, y[flipped], 0.0)
        return y.at[k].set(alpha), alpha, beta

    start = (jnp.zeros(n).at[0].set(-r[0]), -r[0], jnp.ones(()))
    return jnp.sum(lax.fori_loop(1, n, step, start)[0])


def spmv(A_row: Any, A_col: Any, A_val: Any, x: Any) -> Any:
    m = A_row.shape[0] - 1
    place = jnp.arange(A_val.shape[0])

    def row(i: Any, y: Any) -> Any:
        inside = (place >= A_row[i]) & (place < A_row[i + 1])
        return y.at[i].set(jnp.sum(jnp.where(inside, A_val * x[A_col], 0.0)))

    return jnp.sum(lax.fori_loop(0, m, row, jnp.zeros(m)))


def softmax(x: Any, W: Any) -> Any:
    e = jnp.exp(x - jnp.max(x, axis=-1, keepdims=True))
    return jnp.sum(e / jnp.sum(e, axis=-1, keepdims=True) * W)


def conv2d_bias(inputs: Any, weights: Any, bias: Any) -> Any:
    K = weights.shape[0]
    n, _, _, c_in = inputs.shape
    height, width = inputs.shape[1] - K + 1, inputs.shape[2] - K + 1

    def pixel(j: Any, carry: Any) -> Any:
        out, i = carry
        window = lax.dynamic_slice(inputs, (0, i, j, 0), (n, K, K, c_in))
        value = jnp.sum(window[..., None] * weights[None], axis=(1, 2, 3))
        return out.at[:, i, j, :].set(value), i

    def row(i: Any, out: Any) -> Any:
        return lax.fori_loop(0, width, pixel, (out, i))[0]

    out = jnp.zeros((n, height, width, weights.shape[3]))
    return jnp.sum(lax.fori_loop(0, height, row, out) + bias)


def go_fast(a: Any) -> Any:
    trace = lax.fori_loop(0, a.shape[0], lambda i, t: t + jnp.tanh(a[i, i]), 0.0)
    return jnp.sum(a + trace)


hdiff = partial(functional.hdiff, jnp)
arc_distance = partial(functional.arc_distance, jnp)
atax = partial(functional.atax, jnp)
k2mm = partial(functional.k2mm, jnp)

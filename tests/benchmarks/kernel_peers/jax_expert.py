"""The kernels in JAX as someone who knows it well rewrites them: scans, library calls, no masks."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tests.benchmarks.kernel_peers import functional
from tests.benchmarks.kernel_peers.jax_as_is import arc_distance, atax, hdiff, k2mm

__all__ = ["arc_distance", "atax", "hdiff", "k2mm"]


def _five_points(X: Any, Y: Any) -> Any:
    inner = 0.2 * (X[1:-1, 1:-1] + X[1:-1, :-2] + X[1:-1, 2:] + X[2:, 1:-1] + X[:-2, 1:-1])
    return lax.dynamic_update_slice(Y, inner, (1, 1))


def jacobi_2d(TSTEPS: int, A: Any, B: Any) -> Any:
    def step(carry: Any, _: Any) -> Any:
        A, B = carry
        B = _five_points(A, B)
        return (_five_points(B, A), B), None

    (A, _), _ = lax.scan(step, (A, B), None, length=TSTEPS - 1)
    return jnp.sum(A)


def seidel_2d(TSTEPS: int, N: int, A: Any) -> Any:
    # x_j <- (x_j + x_{j-1}) / 9 along a row is one triangular matrix
    i = np.arange(N - 2)
    decay = jnp.asarray(np.tril(9.0 ** -(np.maximum(i[:, None] - i[None, :], 0) + 1.0)))
    edge = jnp.asarray(9.0 ** -(i + 1.0))

    def sweep(A: Any, _: Any) -> Any:
        def row(above: Any, rows: Any) -> Any:
            now, below = rows
            total = now[1:-1] + above[:-2] + above[1:-1] + above[2:] + now[2:]
            total = total + below[:-2] + below[1:-1] + below[2:]
            inner = decay @ total + edge * now[0]
            new = jnp.concatenate([now[:1], inner, now[-1:]])
            return new, new

        _, middle = lax.scan(row, A[0], (A[1:-1], A[2:]))
        return jnp.concatenate([A[:1], middle, A[-1:]]), None

    return jnp.sum(lax.scan(sweep, A, None, length=TSTEPS - 1)[0])


def vadv(us: Any, u: Any, wcon: Any, u_pos: Any, utens: Any, dtr: Any) -> Any:
    us, u, w, u_pos, utens = (jnp.moveaxis(f, 2, 0) for f in (us, u, wcon, u_pos, utens))
    g = 0.125 * (w[:, 1:] + w[:, :-1])
    zero = jnp.zeros_like(us[:1])
    a = jnp.concatenate([zero, -g[1:]])
    c = jnp.concatenate([g[1:], zero])
    difference = jnp.diff(u, axis=0)
    d = dtr * u_pos + utens + us
    d = d + a * jnp.concatenate([zero, difference]) - c * jnp.concatenate([difference, zero])

    def eliminate(carry: Any, row: Any) -> Any:
        c_before, d_before = carry
        a, c, d = row
        divided = 1.0 / (dtr - a - c - c_before * a)
        new = (c * divided, (d - d_before * a) * divided)
        return new, new

    _, (ccol, dcol) = lax.scan(eliminate, (zero[0], zero[0]), (a, c, d))

    def substitute(after: Any, row: Any) -> Any:
        data = row[1] - row[0] * after
        return data, data

    _, data = lax.scan(substitute, zero[0], (ccol, dcol), reverse=True)
    return jnp.sum(dtr * (data - u_pos))


def nbody(mass: Any, pos: Any, vel: Any, Nt: int, dt: float, G: float, soft: float) -> Any:
    eye = jnp.eye(len(pos))
    vel = vel - jnp.mean(mass * vel, 0) / jnp.mean(mass)
    acc = functional.acceleration(jnp, pos, mass, G, soft)

    def step(carry: Any, _: Any) -> Any:
        pos, vel, acc = carry
        vel = vel + acc * dt / 2.0
        pos = pos + vel * dt
        acc = functional.acceleration(jnp, pos, mass, G, soft)
        vel = vel + acc * dt / 2.0
        return (pos, vel, acc), functional.energy(jnp, pos, vel, mass, G, eye)

    first = functional.energy(jnp, pos, vel, mass, G, eye)
    return first + jnp.sum(lax.scan(step, (pos, vel, acc), None, length=Nt)[1])


def trmm(alpha: float, A: Any, B: Any) -> Any:
    return alpha * jnp.sum(B + jnp.tril(A, -1).T @ B)


def cholesky(A: Any) -> Any:
    symmetric = jnp.tril(A) + jnp.tril(A, -1).T
    return jnp.sum(jnp.tril(jnp.linalg.cholesky(symmetric))) + jnp.sum(jnp.triu(A, 1))


def lu(A: Any) -> Any:
    rows = jnp.arange(A.shape[0])

    def eliminate(A: Any, k: Any) -> Any:
        factors = jnp.where(rows > k, A[:, k] / A[k, k], 0.0)
        below = A - jnp.outer(factors, jnp.where(rows > k, A[k], 0.0))
        return below.at[:, k].set(jnp.where(rows > k, factors, A[:, k])), None

    return jnp.sum(lax.scan(eliminate, A, rows)[0])


def gramschmidt(A: Any) -> Any:
    Q, R = jnp.linalg.qr(A)
    sign = jnp.sign(jnp.diag(R))
    return jnp.sum(Q * sign) + jnp.sum(R * sign[:, None])


def durbin(r: Any) -> Any:
    n = r.shape[0]
    # reversed and padded, so that flip(r[:k]) is a slice that starts at n - k
    flipped = jnp.concatenate([r[::-1], jnp.zeros(n)])
    index = jnp.arange(n)

    def step(carry: Any, k: Any) -> Any:
        y, alpha, beta = carry
        beta = beta * (1.0 - alpha * alpha)
        alpha = -(r[k] + lax.dynamic_slice(flipped, (n - k,), (n,)) @ y) / beta
        y_flipped = jnp.roll(y[::-1], k)
        y = y + alpha * jnp.where(index < k, y_flipped, 0.0)
        return (jnp.where(index == k, alpha, y), alpha, beta), None

    start = (jnp.where(index == 0, -r[0], 0.0), -r[0], jnp.ones(()))
    return jnp.sum(lax.scan(step, start, jnp.arange(1, n))[0][0])


def spmv(A_row: Any, A_col: Any, A_val: Any, x: Any) -> Any:
    rows = jnp.repeat(
        jnp.arange(A_row.shape[0] - 1), jnp.diff(A_row), total_repeat_length=A_val.shape[0]
    )
    return jnp.sum(jax.ops.segment_sum(A_val * x[A_col], rows, A_row.shape[0] - 1))


def softmax(x: Any, W: Any) -> Any:
    return jnp.sum(jax.nn.softmax(x, axis=-1) * W)


def conv2d_bias(inputs: Any, weights: Any, bias: Any) -> Any:
    layout = ("NHWC", "HWIO", "NHWC")
    out = lax.conv_general_dilated(inputs, weights, (1, 1), "VALID", dimension_numbers=layout)
    return jnp.sum(out + bias)


def go_fast(a: Any) -> Any:
    return jnp.sum(a + jnp.sum(jnp.tanh(jnp.diag(a))))

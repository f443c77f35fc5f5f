"""Arrays of one number, as long as a counter says: cheaper made again than kept."""

import numpy as np

from programs.registry import normal, program


@program(normal(5), second=True)
def ones_as_long_as_a_counter(x):
    total = 0.0
    for n in range(1, 4):
        y = np.ones((n, n + 1)) * x[0]
        total += np.sum(y**2) * x[n]
    return total


@program(normal(5), second=True)
def unit_matrices(x):
    total = 0.0
    for n in range(1, 4):
        e = np.eye(3) * x[n] + np.full((3, 3), 0.1 * n)
        total += np.sum(e @ x[:3]) ** 2
    return total


@program(normal(5), second=True)
def zeros_written_into(x):
    total = 0.0
    for n in range(2, 5):
        y = np.zeros(n)
        y[: n - 1] = x[1:n] * x[0]
        y[-1] += x[n] ** 2
        z = np.full(n, x[0])
        z *= y
        total += np.sum(z * y)
    return total


@program(normal(4), second=True)
def stacked_and_inverted(x):
    total = 0.0
    for n in range(1, 4):
        y = np.vstack([np.ones((n, n + 1)) * x[0], x[: n + 1][None]])
        e = np.eye(n) * (2.0 + x[1] ** 2) + np.diag(np.ones(n - 1), 1)
        total += np.trace(y) + np.linalg.inv(e).sum() + np.sum(np.outer(x[:n], x[: n + 1]))
        total += np.sum(y @ np.arange(n + 1.0)) + np.hstack([y[0], x]).sum() ** 2
    return total

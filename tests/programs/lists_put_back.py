"""Lists grown in loops that go back, joined, into the array they were made of; draws by name."""

import numpy as np
from numpy.random import multivariate_normal

from programs.registry import normal, positive, program


@program(positive(3, 4), jit=True, second=True)
def columns_put_back(x):
    y = x / 2.0
    columns = []
    for i in range(x.shape[1] - 1):
        mean = y[:, i + 1 :].mean(axis=1)
        columns.append(np.sin(y[:, i]) * mean)
    y[:, : x.shape[1] - 1] = np.column_stack(columns)
    rows = []
    for row in y:
        rows.append(row * row[0])
    y[:] = np.array(rows)
    parts = []
    for i in range(2):
        parts.append(y[i : i + 1] ** 2 * y[i + 1 : i + 2])
    y[:-1] = np.concatenate(parts)
    y[0, :2] = [rows[1][0] * y[2, 1], rows[2][3]]
    return np.sum(y**2)


@program(normal(2), jit=True)
def ensemble_of_draws(x):
    np.random.seed(3)
    cov = np.array([[2.0, 0.3], [0.3, 1.0]])
    members = multivariate_normal(mean=x, cov=cov, size=4)
    noise = np.random.multivariate_normal([0.0, 1.0], cov)
    spread = np.random.default_rng(5).gamma(2.0, scale=x[0] ** 2 + 1.0, size=3)
    return np.sum(members**2 * noise) + np.sum(spread)


@program([normal(2), normal(2)], normal(2), wrt=(0, 1), jit=True)
def entries_changed_and_replaced(ws, x):
    """What is written in place is in the list no more, or at another place, when it is read."""
    for k, w in enumerate(ws):
        x = np.tanh(w * x)
        w += x
        ws[k] = w * 2.0
    for _ in range(2):
        w = ws[-1]
        x = np.tanh(x * w)
        w += x
        ws.append(np.sin(w * x))
    for _ in range(2):
        w = ws[0]
        x = np.tanh(x * w)
        w *= x
        ws.insert(0, np.cos(w * x))
    return np.sum(x) + np.sum(ws[0] * ws[1] - ws[-1]) + np.sum(ws[2] * ws[3] * ws[4])

"""`try` with handlers: keys that are not there, values of several kinds, matrices that may fail."""

import numpy as np

from programs.registry import normal, positive, program

_ORDERS = {"forward": (0, 1, 2), "backward": (2, 1, 0)}


def _order(name):
    try:
        first, second, third = _ORDERS[name]
    except (KeyError, TypeError):
        first, second, third = name
    return first, second, third


def _rows(value):
    try:
        count = len(value)
    except TypeError as error:
        assert "len" in str(error)
        value, count = [value], 1
    return value, count


def _as_column(value):
    try:
        columns = value.shape[1]
    except IndexError:
        value, columns = value[:, None], 1
    finally:
        scale = 2.0
    return value * scale, columns


@program(positive(3), second=True)
def kinds_of_values(x):
    a, b, c = _order("backward")
    d, e, f = _order((1, 0, 2))
    total = x[a] * x[b] ** 2 + x[d] * x[e] * x[f] - x[c]
    for part in (x, x[0], 2.0):
        values, count = _rows(part)
        for k in range(count):
            total += values[k] ** 3
    left, n = _as_column(x)
    right, m = _as_column(np.outer(x, x))
    return total + n * np.sum(left * right) / m


def _gain(p, h, noise):
    s = h @ p @ h.T + noise
    try:
        return p @ h.T @ np.linalg.inv(s)
    except np.linalg.LinAlgError:  # one measurement, without axes
        return p @ h / s


@program(positive(2), normal(2, 2), second=True)
def gains(x, h):
    p = np.diag(x) + 0.1 * np.outer(x, x)
    whole = _gain(p, h + np.eye(2), x[0] * np.eye(2))
    single = _gain(p, h[0] + 1.0, x[1])
    return np.sum(whole**2) + single @ x


def _is_definite(a):
    try:
        np.linalg.cholesky(a)
        return True
    except np.linalg.LinAlgError:
        return False


@program(positive(3), 2, second=True)
def checked_before_use(x, steps):
    a = np.diag(x) + np.outer(x, x)
    try:
        for _ in range(steps):
            a = a @ a + np.eye(3)
            if not np.all(np.isfinite(a)):
                raise OverflowError("too large")
        y = np.linalg.solve(a, x)
    except (OverflowError, np.linalg.LinAlgError):
        y = x
    else:
        y = y * 2.0
    return np.sum(y * x) if _is_definite(a) else 0.0

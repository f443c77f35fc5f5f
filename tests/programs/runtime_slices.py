"""Slices whose bounds come from the data: negative, beyond the end, in order or not."""

import numpy as np

from programs.registry import normal, register

PLACES = {"negative": -2.0, "beyond": 11.0, "inside": 3.0, "zero": 0.0}


def to_the_end(x, y):
    k = int(y.sum())
    t = x[k:]
    return (t * t).sum() + x @ x


def from_the_start(x, y):
    k = int(y.sum())
    t = x[:k]
    return (t * t).sum() * x[0] + x @ x


def three_entries(x, y):
    k = int(y.sum())
    t = x[k : k + 3]
    return (t * t).sum() + t.sum() * x[1] + x @ x


def view_written(x, y):
    k = int(y.sum())
    z = x.copy()
    t = z[k : k + 3]
    t *= 2
    t[:] = t * t
    return (z * z).sum() + x @ x


def slice_added_to(x, y):
    k = int(y.sum())
    z = x.copy()
    z[k : k + 2] += z[0]
    return (z * z).sum() + x @ x


def iterated(x, y):
    k = int(y.sum())
    s = 0.0
    for v in x[k:]:
        s += v * v * s + v
    return s + x @ x


def two_parts(x, y):
    k = int(y.sum())
    h = x[:k]
    t = x[k:]
    return h.sum() * t.sum() + (h[-2:] ** 2).sum() + (t[:2] ** 3).sum() + x @ x


def both_parts_written(x, y):
    k = int(y.sum())
    w = np.zeros(8)
    w[k:] = x[k:] ** 2
    w[:k] -= x[:k]
    return (w**2).sum() + x @ x


def two_axes(x, y):
    k = int(y.sum())
    A = np.outer(x, x)
    B = A[k:, :k]
    return (B**2).sum() + A[0, 0] + x @ x


def reversed_part(x, y):
    k = int(y.sum())
    z = x[k:][::-1]
    return (z * np.arange(len(z))).sum() + x @ x


def clipped_by_hand(x, y):
    k = int(y.sum())
    t = x[max(k, 0) : min(k + 4, 8)]
    m = len(t)
    return (t * x[:m]).sum() + x @ x


def joined_again(x, y):
    k = int(y.sum())
    return np.concatenate([x[:k], x[k:]]) @ np.sin(x) + x @ x


for function in (
    to_the_end,
    from_the_start,
    three_entries,
    view_written,
    slice_added_to,
    iterated,
    two_parts,
    both_parts_written,
    two_axes,
    reversed_part,
    clipped_by_hand,
    joined_again,
):
    for name, place in PLACES.items():
        where = f"runtime_slices.{function.__name__}_{name}"
        register(where, function, normal(8), np.array([place]), second=True)

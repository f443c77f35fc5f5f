"""Attention with weights made a distribution in place."""

import numpy as np


def primal(wq, wk, wv, x):
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = q @ k.T / np.sqrt(k.shape[1])
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return np.mean((p @ v) ** 2)


def target(wq, wk, wv, x):
    """wq, wk: float64[d, m], wv: [d, e], x: [n, d] (inactive). Returns the value and
    (wq_bar, wk_bar, wv_bar).
    """
    q, k, v = x @ wq, x @ wk, x @ wv
    root = np.sqrt(k.shape[1])
    scores = q @ k.T / root
    top = scores.max(axis=1, keepdims=True)
    e = np.exp(scores - top)
    total = e.sum(axis=1, keepdims=True)
    p = e / total
    out = p @ v
    value = np.mean(out**2)

    out_bar = 2.0 * out / out.size
    p_bar = out_bar @ v.T
    v_bar = p.T @ out_bar
    e_bar = p_bar / total
    e_bar = e_bar - np.sum(e_bar * p, axis=1, keepdims=True)
    scores_bar = e_bar * e
    top_bar = -np.sum(scores_bar, axis=1, keepdims=True)
    attained = scores == top
    scores_bar = scores_bar + attained * top_bar / np.sum(attained, axis=1, keepdims=True)
    product_bar = scores_bar / root
    return value, (x.T @ (product_bar @ k), x.T @ (product_bar.T @ q), x.T @ v_bar)


def arguments(rng):
    return tuple(rng.normal(size=s) for s in ((3, 4), (3, 4), (3, 2), (5, 3)))


wrt = (0, 1, 2)

"""Parameters with one entry, in dicts that are updated in place."""

import numpy as np

from programs.registry import program

rng = np.random.default_rng(3)

X = rng.normal(size=6)

M = rng.normal(size=(4, 3))


@program(X, second=True)
def bias_of_one_entry(x):
    b = x[3:4] * 1.0
    for epoch in range(2):
        r = M @ x[:3] + b - np.arange(4.0)
        b -= 0.1 * np.array([2 * r.mean()])
    return np.sum((M @ x[:3] + b) ** 2)


@program(X, second=True)
def updated_in_a_dict(x):
    p = {"w": x[:3].copy(), "b": x[3:4] * 1.0}
    for epoch in range(2):
        r = M @ p["w"] + p["b"]
        gr = {"w": M.T @ r, "b": np.array([r.mean()])}
        for k, g in gr.items():
            p[k] -= 0.1 * g**2
    return np.sum((M @ p["w"] + p["b"]) ** 2)


@program(X, second=True)
def with_momentum(x):
    p = {"w": x[:3].copy(), "b": x[3:4] * 1.0}
    st = {k: np.zeros_like(v) for k, v in p.items()}
    for epoch in range(2):
        r = M @ p["w"] + p["b"]
        gr = {"w": M.T @ r, "b": np.array([r.mean()])}
        for k, g in gr.items():
            st[k] = 0.9 * st[k] + 0.1 * g
            p[k] -= 0.1 * st[k]
    return np.sum((M @ p["w"] + p["b"]) ** 2)

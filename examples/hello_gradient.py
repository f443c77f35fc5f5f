"""The smallest use: write NumPy, get the gradient, read it."""

import numpy as np

import s2sgrad


@s2sgrad.differentiable
def loss(w, x, y):
    residual = x @ w - y
    return np.mean(residual * residual)


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 3))
    y = x @ np.array([1.0, -2.0, 0.5])
    w = np.zeros(3)

    print(loss.grad.source(w, x, y))
    s2sgrad.check_grad(loss, w, x, y)

    for _ in range(200):
        w -= 0.3 * loss.grad(w, x, y)
    print("loss", loss(w, x, y))
    print("w   ", w.round(6))
    assert np.allclose(w, [1.0, -2.0, 0.5])


if __name__ == "__main__":
    main()

"""A network with its parameters in a dict of dicts, trained by SciPy's L-BFGS."""

import numpy as np
from scipy.optimize import minimize

import s2sgrad


def layer(params, x):
    return x @ params["weight"] + params["bias"]


def loss(params, x, target):
    """Logistic loss of a network with one hidden layer; target holds 0 and 1."""
    hidden = np.tanh(layer(params["first"], x))
    score = layer(params["second"], hidden)[:, 0]
    # log(1 + exp(score)) without overflow
    return np.mean(np.logaddexp(0.0, score) - target * score)


def two_spirals(rng, n=200):
    angle = np.sqrt(rng.uniform(0.05, 1.0, n)) * 2.5 * np.pi
    side = rng.integers(0, 2, n)
    radius = angle / 8.0 * (2 * side - 1)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return points, side.astype(float)


def start(rng, width=24):
    return {
        "first": {"weight": rng.normal(size=(2, width)) * 2.0, "bias": rng.normal(size=width)},
        "second": {"weight": rng.normal(size=(width, 1)) * 0.3, "bias": np.zeros(1)},
    }


def flatten(params):
    return np.concatenate([leaf.ravel() for part in params.values() for leaf in part.values()])


def unflatten(theta, like):
    result, at = {}, 0
    for name, part in like.items():
        result[name] = {}
        for key, leaf in part.items():
            result[name][key] = theta[at : at + leaf.size].reshape(leaf.shape)
            at += leaf.size
    return result


def main():
    rng = np.random.default_rng(0)
    x, target = two_spirals(rng)
    params = start(rng)
    loss_and_grad = s2sgrad.value_and_grad(loss)
    print(loss_and_grad.source(params, x, target))
    s2sgrad.check_grad(loss, params, x, target)

    def objective(theta):
        value, params_bar = loss_and_grad(unflatten(theta, params), x, target)
        return value, flatten(params_bar)

    found = minimize(objective, flatten(params), jac=True, method="L-BFGS-B")
    print(f"loss {loss(params, x, target):.3f} -> {found.fun:.4f} in {found.nit} iterations")
    assert found.fun < 0.1


if __name__ == "__main__":
    main()

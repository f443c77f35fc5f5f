"""A recurrent network: a loop over time, a subroutine, a list of states. Trained with Adam."""

import numpy as np

import s2sgrad


def cell(params, h, x):
    return np.tanh(h @ params["w"] + x * params["u"] + params["b"])


def loss(params, xs):
    """Mean squared error of predicting each value from those before it."""
    h = np.zeros(len(params["b"]))
    predictions = []
    for x in xs[:-1]:
        h = cell(params, h, x)
        predictions.append(h @ params["out"])
    return np.mean((np.stack(predictions) - xs[1:]) ** 2)


def adam(loss_and_grad, params, args, steps=300, rate=0.01):
    first = {key: np.zeros_like(value) for key, value in params.items()}
    second = {key: np.zeros_like(value) for key, value in params.items()}
    for t in range(1, steps + 1):
        value, bars = loss_and_grad(params, *args)
        for key, bar in bars.items():
            first[key] = 0.9 * first[key] + 0.1 * bar
            second[key] = 0.99 * second[key] + 0.01 * bar**2
            step = first[key] / (1 - 0.9**t) / (np.sqrt(second[key] / (1 - 0.99**t)) + 1e-8)
            params[key] = params[key] - rate * step
    return params, value


def main():
    rng = np.random.default_rng(0)
    n = 12
    params = {
        "w": rng.normal(size=(n, n)) / np.sqrt(n),
        "u": rng.normal(size=n),
        "b": np.zeros(n),
        "out": rng.normal(size=n) * 0.1,
    }
    time = np.arange(60) * 0.3
    xs = np.sin(time) * np.cos(0.31 * time)

    loss_and_grad = s2sgrad.value_and_grad(loss)
    print(loss_and_grad.source(params, xs))
    s2sgrad.check_grad(loss, params, xs)

    before = loss(params, xs)
    params, after = adam(loss_and_grad, params, (xs,))
    print(f"prediction error {before:.4f} -> {after:.6f}")
    assert after < 0.02 * before


if __name__ == "__main__":
    main()

"""The sensitivities of option prices: a binomial tree walked back in place, and Monte Carlo."""

import math

import numpy as np

import s2sgrad


def american_put(spot, strike, rate, sigma, years, steps=100):
    """The price on a Cox-Ross-Rubinstein tree; exercised where that is worth more."""
    dt = years / steps
    up = math.exp(sigma * math.sqrt(dt))
    p = (math.exp(rate * dt) - 1.0 / up) / (up - 1.0 / up)
    discount = math.exp(-rate * dt)
    ups = np.arange(steps + 1)
    value = np.maximum(strike - spot * up ** (2.0 * ups - steps), 0.0)
    for step in range(steps - 1, -1, -1):
        price = spot * up ** (2.0 * ups[: step + 1] - step)
        held = discount * (p * value[1 : step + 2] + (1.0 - p) * value[: step + 1])
        value[: step + 1] = np.maximum(held, strike - price)
    return value[0]


def asian_call(spot, strike, rate, sigma, years, normals):
    """Monte Carlo over paths; normals: float64[paths, steps]."""
    dt = years / normals.shape[1]
    log_price = np.cumsum((rate - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * normals, axis=1)
    average = np.mean(spot * np.exp(log_price), axis=1)
    return np.exp(-rate * years) * np.mean(np.maximum(average - strike, 0.0))


def report(name, price, greeks):
    delta, rho, vega = greeks
    print(f"{name}: price {price:.4f} delta {delta:.4f} rho {rho:.4f} vega {vega:.4f}")


def main():
    market = (100.0, 105.0, 0.03, 0.2, 1.0)
    wanted = ("spot", "rate", "sigma")

    tree = s2sgrad.value_and_grad(american_put, argnums=wanted)
    print(tree.source(*market))
    price, greeks = tree(*market)
    report("American put", price, greeks)
    for i, found in zip((0, 2, 3), greeks, strict=True):
        step = 1e-5 * np.eye(5)[i]
        high = american_put(*(np.array(market) + step))
        low = american_put(*(np.array(market) - step))
        assert abs(found - (high - low) / 2e-5) < 1e-4 * (1 + abs(found))

    normals = np.random.default_rng(0).normal(size=(20_000, 12))
    paths = s2sgrad.value_and_grad(asian_call, argnums=wanted)
    price, greeks = paths(*market, normals)
    report("Asian call  ", price, greeks)
    s2sgrad.check_grad(asian_call, *market, normals)


if __name__ == "__main__":
    main()

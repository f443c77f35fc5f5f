"""An option on a binomial tree, exercised early: arrays that are one shorter in each step."""

import numpy as np


def primal(spot, strike, rate, sigma, n):
    dt = 1.0 / n
    up = np.exp(sigma * np.sqrt(dt))
    down = 1.0 / up
    p = (np.exp(rate * dt) - down) / (up - down)
    discount = np.exp(-rate * dt)
    prices = spot * up ** np.arange(n, -n - 1, -2)
    v = np.maximum(strike - prices, 0.0)
    for _ in range(n):
        prices = prices[:-1] * down
        v = np.maximum(discount * (p * v[:-1] + (1.0 - p) * v[1:]), strike - prices)
    return v[0]


def target(spot, strike, rate, sigma, n):
    """All arguments are numbers, n is an integer. Returns the value and (spot_bar, sigma_bar)."""
    dt = 1.0 / n
    root = np.sqrt(dt)
    up = np.exp(sigma * root)
    down = 1.0 / up
    spread = up - down
    p = (np.exp(rate * dt) - down) / spread
    discount = np.exp(-rate * dt)
    steps = np.arange(n, -n - 1, -2)
    powers = up**steps
    prices = spot * powers
    payoff = strike - prices
    v = np.maximum(payoff, 0.0)
    v_saved = []
    prices_saved = []
    hold_saved = []
    for _ in range(n):
        prices_saved.append(prices)
        prices = prices[:-1] * down
        v_saved.append(v)
        hold = discount * (p * v[:-1] + (1.0 - p) * v[1:])
        hold_saved.append(hold)
        v = np.maximum(hold, strike - prices)
    value = v[0]

    v_bar = np.zeros_like(v)
    v_bar[0] = 1.0
    prices_bar = np.zeros_like(prices)
    p_bar = 0.0
    down_bar = 0.0
    for _ in range(n):
        hold = hold_saved.pop()
        v = v_saved.pop()
        exercise = strike - prices
        chosen = 0.5 * ((hold > exercise) + 1.0 * (hold >= exercise))
        prices_bar = prices_bar - v_bar * (1.0 - chosen)
        sum_bar = v_bar * chosen * discount
        p_bar += np.sum(sum_bar * v[:-1]) - np.sum(sum_bar * v[1:])
        v_bar = np.zeros_like(v)
        v_bar[:-1] += sum_bar * p
        v_bar[1:] += sum_bar * (1.0 - p)
        prices = prices_saved.pop()
        down_bar += np.sum(prices_bar * prices[:-1])
        grown_bar = np.zeros_like(prices)
        grown_bar[:-1] += prices_bar * down
        prices_bar = grown_bar
    prices_bar = prices_bar - v_bar * 0.5 * ((payoff > 0.0) + 1.0 * (payoff >= 0.0))
    spot_bar = np.sum(prices_bar * powers)
    up_bar = np.sum(prices_bar * spot * steps * up ** (steps - 1.0))
    spread_bar = -p_bar * p / spread
    down_bar -= p_bar / spread + spread_bar
    up_bar += spread_bar - down_bar * down**2
    sigma_bar = up_bar * up * root
    return value, (spot_bar, sigma_bar)


def arguments(rng):
    return 100.0, 101.3, 0.05, 0.2, 6


wrt = (0, 3)

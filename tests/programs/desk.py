"""Pricing, risk and statistics, in a quant's style."""

import bisect
import functools
import itertools
import logging
import math
import operator
import statistics
import time
from dataclasses import dataclass

import numpy as np

from programs.registry import normal, positive, program, spd, using

log = logging.getLogger("programs.desk")


@dataclass
class Market:
    """What a price depends on."""

    spot: float
    vol: float
    rate: float


@dataclass
class Option:
    """A contract."""

    strike: float
    expiry: float
    call: bool = True

    def payoff(self, s):
        return np.maximum(s - self.strike, 0.0) if self.call else np.maximum(self.strike - s, 0.0)


def _tree(option, market, n):
    dt = option.expiry / n
    up = np.exp(market.vol * np.sqrt(dt))
    p = (np.exp(market.rate * dt) - 1 / up) / (up - 1 / up)
    values = option.payoff(market.spot * up ** np.arange(-n, n + 1, 2))
    for _ in range(n):
        values = np.exp(-market.rate * dt) * (p * values[1:] + (1 - p) * values[:-1])
    return values[0]


@program(Market(1.02, 0.3, 0.04), 6)
def book_of_options(market, n):
    book = [(2.0, Option(1.0, 1.0)), (-1.0, Option(1.1, 0.5, call=False)), (0.5, Option(0.9, 2.0))]
    start = time.perf_counter()
    total = 0.0
    for quantity, option in book:
        value = _tree(option, market, n)
        log.debug("%s: %s", option, value)
        total += quantity * value
    log.info("priced in %.3f s", time.perf_counter() - start)
    return total


@program(normal(6), positive(3), second=True)
def garch_likelihood(returns, params):
    omega, alpha, beta = 0.1 * params
    variance = np.var(returns)
    score = 0.0
    for r in returns:
        score -= 0.5 * (math.log(2 * math.pi * variance) + r * r / variance)
        variance = omega + alpha * r * r + beta * variance
    return score


@program(positive(5), positive(), second=True)
def yield_curve_bootstrap(rates, notional):
    maturities = [0.5, 1.0, 1.5, 2.0, 3.0]
    discounts = {}
    for t, rate in zip(maturities, rates, strict=True):
        coupons = sum(0.05 * rate * d for s, d in discounts.items() if s < t)
        discounts[t] = (1.0 - coupons) / (1.0 + 0.05 * rate)

    def discount(t):
        k = bisect.bisect_left(maturities, t)
        lo, hi = maturities[k - 1], maturities[k]
        w = (t - lo) / (hi - lo)
        return discounts[lo] ** (1 - w) * discounts[hi] ** w

    return notional * (discount(0.8) + discount(1.7) + discount(2.6))


@program(normal(5), spd(5), positive(), second=True)
def portfolio_with_largest_positions(weights, covariance, aversion):
    w = np.exp(weights) / np.sum(np.exp(weights))
    order = sorted(range(len(w)), key=lambda k: w[k], reverse=True)
    top = order[:3]
    concentration = sum(w[k] ** 2 for k in top)
    risk = math.sqrt(w @ covariance @ w)
    worst = min(enumerate(w), key=operator.itemgetter(1))
    return aversion * risk + concentration + worst[1] * (worst[0] + 1)


@program(normal(8), positive(2), second=True)
def drawdown_of_a_strategy(moves, params):
    window, fast = [], []
    wealth, peak, deepest = 1.0, 1.0, 0.0
    for day, move in enumerate(moves):
        window.append(move)
        fast.append(move * params[0])
        if len(window) > 3:
            del window[0]
        signal = math.tanh(statistics.fmean(fast[-2:]) - sum(window) / len(window))
        wealth *= math.exp(0.1 * signal * params[1] * move)
        peak = max(peak, wealth)
        deepest = max(deepest, 1.0 - wealth / peak)
        if day == 6:
            continue
        wealth -= 0.001
    return deepest * 10.0 + wealth


@program(normal(4, 3), normal(3), second=True)
def fama_macbeth_loop(returns, factor):
    slopes = []
    for row in returns:
        x = np.column_stack([np.ones_like(factor), factor])
        (a, b), *_ = (np.linalg.solve(x.T @ x, x.T @ row),)
        slopes.append(b + 0.1 * a)
    mean = sum(slopes) / len(slopes)
    spread = math.sqrt(sum((s - mean) ** 2 for s in slopes) / (len(slopes) - 1))
    return mean / spread


@program(positive(3), 4, 5)
def asian_option_over_all_paths(params, steps, seed):
    spot, vol, rate = params
    rng = np.random.default_rng(seed)
    shocks = rng.normal(size=(6, steps))
    payoffs = []
    for path in shocks:
        prices = list(
            itertools.accumulate(
                path, lambda s, z: s * np.exp(0.1 * vol * z + 0.01 * rate), initial=spot
            )
        )
        payoffs.append(max(statistics.fmean(prices) - 0.9, 0.0) ** 2)
    return math.exp(-0.1 * rate) * sum(payoffs) / len(payoffs)


@program(
    normal(3),
    using(lambda rng: rng.normal(size=(6, 3))),
    using(lambda rng: [0, 1, 1, 0, 1, 0]),
    second=True,
)
def metropolis_log_density(beta, x, labels):
    prior = {"scale": 2.0, "shift": None}
    scale, shift = prior["scale"], prior.get("shift") or 0.0

    def log_prior(b):
        return -0.5 * np.sum(((b - shift) / scale) ** 2)

    def log_likelihood(b):
        total = 0.0
        for row, label in zip(x, labels, strict=True):
            z = row @ b
            total += (z if label else 0.0) - np.logaddexp(0.0, z)
        return total

    parts = [f(beta) for f in (log_prior, log_likelihood)]
    return functools.reduce(operator.add, parts)


@program(normal(3, 3), normal(3, 2), normal(3), second=True)
def hidden_markov_forward(transition, emission, start):
    def normalised(a):
        e = np.exp(a - a.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    a, b, belief = normalised(transition), normalised(emission), normalised(start)
    loglik = 0.0
    for k, symbol in enumerate([0, 1, 1, 0]):
        if k:
            belief = belief @ a
        belief = belief * b[:, symbol]
        scale = belief.sum()
        loglik += np.log(scale)
        belief /= scale
    return loglik + belief[0] * 0.5


@program(normal(5), normal(4), second=True)
def alignment_by_memoised_table(x, y):
    table = {}
    for i in range(len(x) + 1):
        table[i, 0] = 0.4 * i
    for j in range(len(y) + 1):
        table[0, j] = 0.4 * j
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            step = table[i - 1, j - 1] + (x[i - 1] - y[j - 1]) ** 2
            skip = min(table[i - 1, j], table[i, j - 1]) + 0.4
            table[i, j] = -np.logaddexp(-3.0 * step, -3.0 * skip) / 3.0
    return table[len(x), len(y)]


@program(positive(4), normal(4), second=True)
def spline_by_thomas_algorithm(widths, values):
    n = len(values)
    below, main, above, right = [0.0], [1.0], [0.0], [0.0]
    for i in range(1, n - 1):
        below.append(widths[i - 1])
        main.append(2.0 * (widths[i - 1] + widths[i]))
        above.append(widths[i])
        right.append(
            6.0
            * (
                (values[i + 1] - values[i]) / widths[i]
                - (values[i] - values[i - 1]) / widths[i - 1]
            )
        )
    below.append(0.0), main.append(1.0), above.append(0.0), right.append(0.0)
    for i in range(1, n):
        w = below[i] / main[i - 1]
        main[i] -= w * above[i - 1]
        right[i] -= w * right[i - 1]
    curvature = [0.0] * n
    curvature[-1] = right[-1] / main[-1]
    for i in range(n - 2, -1, -1):
        curvature[i] = (right[i] - above[i] * curvature[i + 1]) / main[i]
    return sum(c * c for c in curvature) + curvature[1] * values[2]


@program(normal(6), positive(), second=True)
def rolling_quantile_loss(x, tau):
    level = tau / 2.0
    ordered = sorted(x)
    middle = ordered[len(ordered) // 2]
    low, *_, high = ordered
    loss = 0.0
    for v in x:
        gap = v - middle
        loss += level * gap if gap > 0 else (level - 1.0) * gap
    groups = itertools.groupby if False else None
    return loss + 0.1 * (high - low) ** 2 + (0.0 if groups is None else 1.0)

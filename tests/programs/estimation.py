"""Statistics and finance: filters, likelihoods, options, dynamic programmes."""

import numpy as np
from scipy import stats

from programs.registry import normal, positive, program, spd, using


@program(spd(2), normal(5, 2), positive(), wrt=(0, 1, 2), jit=True)
def kalman_filter(q, measurements, noise):
    transition = np.array([[1.0, 0.1], [0.0, 1.0]])
    observe = np.array([[1.0, 0.0]])
    mean = np.zeros(2)
    cov = np.eye(2)
    log_likelihood = 0.0
    for z in measurements:
        mean = transition @ mean
        cov = transition @ cov @ transition.T + 0.1 * q
        innovation = z[:1] - observe @ mean
        s = observe @ cov @ observe.T + noise * np.eye(1)
        gain = cov @ observe.T @ np.linalg.inv(s)
        mean = mean + gain @ innovation
        cov = (np.eye(2) - gain @ observe) @ cov
        log_likelihood -= 0.5 * (innovation @ np.linalg.solve(s, innovation) + np.log(s[0, 0]))
    return log_likelihood


@program(1.05, 0.2, 0.03, wrt=(0, 1, 2), jit=True)
def binomial_option(spot, sigma, rate):
    n, maturity, strike = 6, 1.0, 1.0
    dt = maturity / n
    up = np.exp(sigma * np.sqrt(dt))
    down = 1.0 / up
    p = (np.exp(rate * dt) - down) / (up - down)
    discount = np.exp(-rate * dt)
    values = np.zeros(n + 1)
    for j in range(n + 1):
        values[j] = max(spot * up**j * down ** (n - j) - strike, 0.0)
    for step in range(n - 1, -1, -1):
        for j in range(step + 1):
            values[j] = discount * (p * values[j + 1] + (1.0 - p) * values[j])
    return values[0]


@program(1.05, 0.25, wrt=(0, 1), jit=True)
def american_put(spot, sigma):
    n = 5
    dt = 1.0 / n
    up = np.exp(sigma * np.sqrt(dt))
    p = (np.exp(0.05 * dt) - 1.0 / up) / (up - 1.0 / up)
    values = [max(1.2 - spot * up ** (2 * j - n), 0.0) for j in range(n + 1)]
    for step in range(n - 1, -1, -1):
        for j in range(step + 1):
            hold = np.exp(-0.05 * dt) * (p * values[j + 1] + (1.0 - p) * values[j])
            exercise = 1.2 - spot * up ** (2 * j - step)
            values[j] = max(hold, exercise)
    return values[0]


@program(positive(), positive(), 1.0, wrt=(0, 1))
def black_scholes(spot, sigma, strike):
    from math import erf, exp, log, sqrt

    def phi(z):
        return 0.5 * (1.0 + erf(z / sqrt(2.0)))

    d1 = (log(spot / strike) + 0.03 + 0.5 * sigma**2) / sigma
    d2 = d1 - sigma
    return spot * phi(d1) - strike * exp(-0.03) * phi(d2)


@program(1.0, 0.3, wrt=(0, 1))
def monte_carlo_path(spot, sigma):
    rng = np.random.default_rng(7)
    payoff = 0.0
    for _ in range(4):
        s = spot
        average = 0.0
        for z in rng.normal(size=5):
            s = s * np.exp(-0.5 * sigma**2 * 0.2 + sigma * np.sqrt(0.2) * z)
            average += s / 5
        payoff += np.maximum(average - 0.7, 0.0)
    return payoff / 4


@program(normal(3, 3), normal(3, 2), wrt=(0, 1))
def hmm_forward(transition_scores, emission_scores):
    transition = np.exp(transition_scores)
    transition /= transition.sum(axis=1, keepdims=True)
    emission = np.exp(emission_scores)
    emission = emission / emission.sum(axis=1)[:, None]
    observed = [0, 1, 1, 0]
    alpha = np.ones(3) / 3.0
    log_likelihood = 0.0
    for symbol in observed:
        alpha = (alpha @ transition) * emission[:, symbol]
        total = np.sum(alpha)
        log_likelihood += np.log(total)
        alpha = alpha / total
    return log_likelihood


@program(normal(3, 3), normal(4, 3), wrt=(0, 1))
def crf_log_partition(transition, scores):
    alpha = scores[0]
    for t in range(1, len(scores)):
        table = alpha[:, None] + transition + scores[t]
        top = table.max(axis=0)
        alpha = top + np.log(np.sum(np.exp(table - top), axis=0))
    return np.log(np.sum(np.exp(alpha)))


@program(normal(3, 3), normal(4, 3), wrt=(0, 1))
def viterbi_score(transition, scores):
    best = scores[0].copy()
    back = []
    for t in range(1, len(scores)):
        table = best[:, None] + transition
        back.append(np.argmax(table, axis=0))
        best = np.max(table, axis=0) + scores[t]
    state = int(np.argmax(best))
    path = [state]
    for pointers in reversed(back):
        state = pointers[state]
        path.append(state)
    return best.max() ** 2 + sum(scores[-1 - k, s] for k, s in enumerate(path))


@program(normal(4), normal(5), wrt=(0, 1), jit=True)
def dynamic_time_warping(x, y):
    n, m = len(x), len(y)
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            d = (x[i - 1] - y[j - 1]) ** 2
            cost[i, j] = d + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[n, m]


@program(normal(4), normal(5), wrt=(0, 1))
def soft_dtw(x, y):
    gamma = 0.5
    table = {(0, 0): 0.0}
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            moves = [table[key] for key in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if key in table]
            soft = -gamma * np.log(sum(np.exp(-v / gamma) for v in moves))
            table[i, j] = (x[i - 1] - y[j - 1]) ** 2 + soft
    return table[len(x), len(y)]


@program(
    {"means": normal(2, 2), "logits": normal(2), "scales": positive(2)}, normal(5, 2), second=True
)
def gaussian_mixture(params, x):
    weights = np.exp(params["logits"]) / np.sum(np.exp(params["logits"]))
    total = 0.0
    for point in x:
        density = 0.0
        for k in range(len(weights)):
            r = (point - params["means"][k]) / params["scales"][k]
            density += weights[k] * np.exp(-0.5 * r @ r) / params["scales"][k] ** 2
        total += np.log(density)
    return total / len(x)


@program(normal(6), positive(2), wrt=(0, 1), jit=True)
def garch_likelihood(returns, parameters):
    alpha = 0.1 * parameters[0]
    beta = 0.5 * parameters[1]
    variance = np.var(returns)
    total = 0.0
    for r in returns:
        total += np.log(variance) + r**2 / variance
        variance = 0.1 + alpha * r**2 + beta * variance
    return 0.5 * total


@program(normal(3, 2), using(lambda rng: rng.normal(size=(4, 2))), 2, wrt=(0, 1))
def k_means_steps(centres, points, steps):
    centres = centres.copy()
    for _ in range(steps):
        d2 = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
        nearest = d2.argmin(axis=1)
        for k in range(len(centres)):
            members = points[nearest == k]
            if len(members) > 0:
                centres[k] = 0.5 * centres[k] + 0.5 * members.mean(axis=0)
    return np.sum(np.min(((points[:, None] - centres[None]) ** 2).sum(axis=2), axis=1))


@program(normal(5), normal(2), wrt=(0, 1), jit=True)
def autoregressive_forecast(history, phi):
    series = list(history)
    for _ in range(4):
        series.append(phi[0] * series[-1] + phi[1] * np.tanh(series[-2]))
    forecast = np.array(series[-4:])
    return np.sum(forecast**2) / 4


@program(positive(3), normal(2), wrt=(0, 1), jit=True)
def gauss_newton_fit(theta, y):
    t = np.array([0.5, 1.5])
    a, k, c = theta
    for _ in range(3):
        e = np.exp(-k * t)
        r = a * e + c - y
        jac = -a * t * e
        k = k - 0.3 * (jac @ r) / (jac @ jac + 0.5)
    return np.sum((a * np.exp(-k * t) + c - y) ** 2) + k


@program(positive(4), positive(4), 3, jit=True)
def knapsack_value(values, extra, capacity):
    weights = [1, 2, 3, 1]
    best = [0.0] * (capacity + 1)
    for v, w, e in zip(values, weights, extra):
        for c in range(capacity, w - 1, -1):
            taken = best[c - w] + v
            if taken > best[c]:
                best[c] = taken
    return best[capacity] ** 2 + extra[0]


@program(positive(3, 3), jit=True)
def shortest_path(lengths):
    n = len(lengths)
    d = lengths + 0.2
    for i in range(n):
        d[i, i] = 0.0
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through
    return np.sum(d**2)


PRIOR = stats.gamma(2.0, scale=np.array([1.0, 2.0, 3.0]))


class Posterior:
    """Distributions that were given their parameters outside."""

    def __init__(self):
        self.prior, self.noise = stats.beta(2.0, 3.0), stats.t(4.0)
        self.joint = stats.multivariate_normal([0.0, 1.0], [[1.0, 0.2], [0.2, 2.0]])

    def log_density(self, x):
        share = 1.0 / (1.0 + np.exp(-x[0]))
        return self.prior.logpdf(share) + np.sum(self.noise.logpdf(x)) + self.joint.logpdf(x[:2])


POSTERIOR = Posterior()


@program(normal(3), second=True)
def distributions_with_their_parameters(x):
    inside = stats.norm(loc=x[0], scale=np.exp(x[1]))
    total = np.sum(PRIOR.logpdf(np.abs(x) + 0.1)) + PRIOR.mean() @ x + inside.sf(0.2)
    return total + POSTERIOR.log_density(x) + np.sum(inside.logpdf(x)) * PRIOR.std()[1]

"""Statistics with special functions, filters in classes, sequences in logs, draws and grids."""

import dataclasses
import math

import numpy as np
from scipy import special
from scipy.special import expit, gammaln, logit, logsumexp, ndtr, xlogy

from programs.registry import normal, positive, program, using


def counts(n):
    """Whole numbers from a Poisson distribution."""
    return using(lambda rng: rng.poisson(3.0, size=n))


@program(normal(3), normal(12, 3), counts(12), second=True)
def poisson_regression_by_scalars(w, design, seen):
    total = 0.0
    for k in range(len(seen)):
        rate = math.exp(min(float(design[k] @ w), 5.0))
        total += seen[k] * math.log(rate) - rate - gammaln(seen[k] + 1.0)
    return -total / len(seen)


@program(positive(2), counts(9), second=True)
def negative_binomial_likelihood(shape, seen):
    r, mean = shape[0] + 0.5, shape[1] + 1.0
    p = r / (r + mean)
    terms = gammaln(seen + r) - gammaln(r) - gammaln(seen + 1.0) + xlogy(seen, 1.0 - p)
    return -np.sum(terms + r * np.log(p))


@program(normal(2), normal(10), using(lambda rng: rng.random(10) < 0.4), second=True)
def probit_with_a_loop(w, x, hit):
    s = 0.0
    for v, h in zip(x, hit, strict=True):
        p = ndtr(w[0] + w[1] * v)
        s -= math.log(p if h else 1.0 - p)
    return s + 0.1 * logit(expit(w[0])) ** 2


@program(positive(3), positive(6), second=True)
def gamma_mixture(theta, x):
    a, b, share = theta[0] + 1.0, theta[1] + 2.0, expit(theta[2])
    first = (a - 1.0) * np.log(x) - x - gammaln(a)
    second = (b - 1.0) * np.log(x) - 2.0 * x - gammaln(b) + b * np.log(2.0)
    return -np.sum(np.logaddexp(np.log(share) + first, np.log(1.0 - share) + second))


@program(positive(4), 3)
def bessel_beams(width, orders):
    """A sum over modes; each needs a Bessel function of whole order."""
    field = 0.0
    for n in range(orders):
        for w in width:
            field += special.jv(n, w) * special.kn(n, w + 1.0) - 0.1 * special.iv(0.5, w)
    return field


@program(positive(5))
def error_function_profile(depth):
    """Diffusion into a half space, and its integral."""
    conc = special.erfc(depth / 2.0) + 0.2 * special.erfcx(depth) - special.exp1(depth + 1.0)
    return np.sum(conc**2) + special.beta(depth[0], 2.5) * special.digamma(depth[1] + 1.0)


@program(positive(4))
def digamma_newton(x):
    """The maximum of a gamma likelihood by Newton's steps."""
    a, target = 1.5, np.log(np.mean(x)) - np.mean(np.log(x)) + 0.2
    for _ in range(4):
        f = math.log(a) - special.psi(a) - target
        slope = 1.0 / a - special.polygamma(1, a)
        a = a - 0.5 * f / slope
    return a**2 + float(special.gammainc(1.5, a))


@program(positive(45), second=True)
def beta_shapes_that_grow(a):
    """The slope of log beta is the digamma function of sums, before a change and after it."""
    b = a[::-1] + 0.5
    total = np.sum(special.betaln(a, b) * a)
    b[1:] += a[:-1]
    return total + np.mean(special.betaln(a, b) + np.log(special.beta(a + b, b)))


class Kalman:
    """A linear filter that remembers what it saw."""

    def __init__(self, turn, noise):
        self.turn, self.noise = turn, noise
        self.mean, self.cov = np.zeros(2), np.eye(2)
        self.likelihood = 0.0
        self.innovations = []

    def predict(self):
        self.mean = self.turn @ self.mean
        self.cov = self.turn @ self.cov @ self.turn.T + self.noise * np.eye(2)

    def update(self, seen, spread):
        gap = seen - self.mean[0]
        size = self.cov[0, 0] + spread
        gain = self.cov[:, 0] / size
        self.mean = self.mean + gain * gap
        self.cov = self.cov - np.outer(gain, self.cov[0])
        self.likelihood -= 0.5 * (gap**2 / size + np.log(2.0 * np.pi * size))
        self.innovations.append(gap / np.sqrt(size))


@program(normal(7), positive(), positive(), wrt=(0, 1, 2))
def kalman_filter_in_a_class(seen, noise, spread):
    filt = Kalman(np.array([[1.0, 0.3], [0.0, 0.9]]), noise)
    for y in seen:
        filt.predict()
        filt.update(y, spread)
    return filt.likelihood + 0.1 * sum(v**2 for v in filt.innovations)


@program(normal(3), normal(3, 3), normal(3, 4), using(lambda rng: rng.integers(0, 4, 8)))
def hidden_markov_in_logs(start, moves, emits, seen):
    log_a = moves - logsumexp(moves, axis=1, keepdims=True)
    log_b = emits - logsumexp(emits, axis=1, keepdims=True)
    alpha = start - logsumexp(start) + log_b[:, seen[0]]
    for symbol in seen[1:]:
        alpha = logsumexp(alpha[:, None] + log_a, axis=0) + log_b[:, symbol]
    return logsumexp(alpha)


@program(
    positive(),
    positive(),
    using(lambda rng: rng.normal(size=(20, 6))),
    "down",
    wrt=(0, 1),
)
def barrier_option(spot, vol, draws, kind):
    """Paths end early where the price falls through a barrier."""
    total, dt = 0.0, 1.0 / draws.shape[1]
    barrier = 0.35 * spot if kind == "down" else 3.0 * spot
    for path in draws:
        price, alive = spot, True
        for z in path:
            price *= math.exp(-0.5 * vol**2 * dt + vol * math.sqrt(dt) * z)
            if (kind == "down" and price < barrier) or (kind == "up" and price > barrier):
                alive = False
                break
        if alive:
            total += max(price - 0.9 * spot, 0.0)
    return total / len(draws)


@dataclasses.dataclass
class Csr:
    """A sparse matrix by rows."""

    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray

    def __matmul__(self, x):
        y = np.zeros(len(self.indptr) - 1)
        for i in range(len(y)):
            for k in range(self.indptr[i], self.indptr[i + 1]):
                y[i] += self.data[k] * x[self.indices[k]]
        return y


@program(normal(6), normal(4), wrt=(0, 1))
def power_iteration_on_csr(entries, x):
    matrix = Csr(entries, np.array([0, 2, 1, 3, 0, 2]), np.array([0, 2, 3, 4, 6]))
    for _ in range(3):
        x = matrix @ x + 0.1 * x
        x = x / np.sqrt(1.0 + x @ x)
    return x @ (matrix @ x)


def _euler(rate, t, y, h):
    return y + h * rate(t, y)


def _rk4(rate, t, y, h):
    k1 = rate(t, y)
    k2 = rate(t + 0.5 * h, y + 0.5 * h * k1)
    k3 = rate(t + 0.5 * h, y + 0.5 * h * k2)
    k4 = rate(t + h, y + h * k3)
    return y + h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0


STEPPERS = {"euler": _euler, "rk4": _rk4}


@program(normal(2), positive(2), "rk4", wrt=(0, 1))
def runge_kutta_with_callables(y, theta, method):
    def rate(t, state):
        return np.array([state[1], -theta[0] * state[0] - theta[1] * state[1] * np.cos(t)])

    step, t = STEPPERS[method], 0.0
    energy = []
    for _ in range(5):
        y = step(rate, t, y, 0.1)
        t += 0.1
        energy.append(0.5 * (y @ y))
    return np.sum(np.array(energy) ** 2)


@program({"conv": normal(3, 3), "gain": positive(), "bias": normal()}, normal(6, 5), "edge")
def image_filter_with_settings(params, image, border):
    padded = np.pad(image, 1, mode=border)
    out = np.zeros_like(image)
    for i in range(3):
        for j in range(3):
            out += params["conv"][i, j] * padded[i : i + image.shape[0], j : j + image.shape[1]]
    out = np.maximum(params["gain"] * out + params["bias"], 0.01 * out)
    return np.mean(out**2)


@program([normal(3), normal(5), normal(2)], positive())
def ragged_lists(groups, weight):
    means, spread = [], 0.0
    for group in groups:
        middle = np.mean(group)
        means.append(middle)
        spread += np.sum((group - middle) ** 2) / len(group)
    grand = sum(means) / len(means)
    return spread + weight * sum((m - grand) ** 2 for m in means)


@program(normal(3, 3), normal(3), normal(4, 3), wrt=(0, 1))
def gaussian_log_likelihood(root, mean, x):
    factor = np.linalg.cholesky(root @ root.T + np.eye(3))
    total = 0.0
    for row in x:
        z = np.linalg.solve(factor, row - mean)
        total -= 0.5 * (z @ z) + np.sum(np.log(np.diag(factor)))
    return total

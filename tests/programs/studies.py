"""Studies as users of many trades write them: physics, finance, robots, learning."""

import enum
import functools
import itertools
import math
import operator
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

import numpy as np

from programs.registry import normal, positive, program


@dataclass
class Body:
    mass: float
    pos: np.ndarray
    vel: np.ndarray
    acc: np.ndarray = field(default_factory=lambda: np.zeros(2))

    def kinetic(self) -> float:
        return 0.5 * self.mass * float(self.vel @ self.vel)


@dataclass
class System:
    bodies: list[Body]
    g: float = 1.0
    soft: float = 0.05

    def accelerate(self):
        for b in self.bodies:
            b.acc = np.zeros(2)
        for a, b in itertools.combinations(self.bodies, 2):
            d = b.pos - a.pos
            r3 = (d @ d + self.soft) ** 1.5
            a.acc += self.g * b.mass * d / r3
            b.acc -= self.g * a.mass * d / r3

    def leapfrog(self, dt):
        for b in self.bodies:
            b.vel += 0.5 * dt * b.acc
            b.pos += dt * b.vel
        self.accelerate()
        for b in self.bodies:
            b.vel += 0.5 * dt * b.acc

    @property
    def energy(self):
        t = sum(b.kinetic() for b in self.bodies)
        u = 0.0
        for a, b in itertools.combinations(self.bodies, 2):
            u -= self.g * a.mass * b.mass / np.sqrt(np.sum((a.pos - b.pos) ** 2) + self.soft)
        return t + u


@program(positive(3), normal(3, 2), wrt=0, second=True)
def n_body_with_dataclasses(m, x0):
    v0 = np.array([[0.1, 0.4], [-0.3, 0.2], [0.2, -0.1]])
    s = System([Body(m[i], x0[i].copy(), v0[i].copy()) for i in range(3)])
    s.accelerate()
    for _ in range(4):
        s.leapfrog(0.1)
    return s.energy + sum(b.pos[0] ** 2 for b in s.bodies)


C = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)


def equilibrium(rho, u):
    feq = np.empty((9,) + rho.shape)
    usq = 1.5 * (u[0] ** 2 + u[1] ** 2)
    for k, (cx, cy) in enumerate(C):
        cu = 3.0 * (cx * u[0] + cy * u[1])
        feq[k] = W[k] * rho * (1 + cu + 0.5 * cu**2 - usq)
    return feq


@program(positive(4, 5), 0.8, wrt=(0, 1))
def lattice_boltzmann(rho0, tau):
    u = np.zeros((2,) + rho0.shape)
    u[0, 1:3] = 0.05
    f = equilibrium(rho0, u)
    for _ in range(3):
        for k, c in enumerate(C):
            f[k] = np.roll(np.roll(f[k], c[0], axis=0), c[1], axis=1)
        rho = f.sum(axis=0)
        u = np.einsum("ki,kxy->ixy", C, f) / rho
        f += (equilibrium(rho, u) - f) / tau
    return np.sum(u**2) * 1e2 + np.sum(rho[1:, 2] ** 2)


@program(positive(12), 5, second=True)
def fdtd_one_dimension(eps, steps):
    n = len(eps)
    ez, hy = np.zeros(n), np.zeros(n - 1)
    for t in range(steps):
        hy += 0.5 * (ez[1:] - ez[:-1])
        ez[1:-1] += 0.5 / eps[1:-1] * (hy[1:] - hy[:-1])
        ez[n // 2] += np.exp(-((t - 2.0) ** 2))
        ez[0], ez[-1] = ez[1], ez[-2]
    return np.sum(ez**2) + hy[2]


@program(positive(5, 5), 0.4, wrt=(0, 1))
def ising_mean_field(field_, beta):
    m = np.full(field_.shape, 0.1)
    for sweep in range(3):
        for i, j in np.ndindex(*m.shape):
            s = m[(i + 1) % 5, j] + m[i - 1, j] + m[i, (j + 1) % 5] + m[i, j - 1]
            m[i, j] = np.tanh(beta * (s + field_[i, j]))
    return m.mean() ** 2


def thomas(a, b, c, d):
    n = len(d)
    cp, dp = np.zeros(n), np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i - 1] * cp[i - 1]
        if i < n - 1:
            cp[i] = c[i] / m
        dp[i] = (d[i] - a[i - 1] * dp[i - 1]) / m
    x = np.empty(n)
    x[-1] = dp[-1]
    for i in reversed(range(n - 1)):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


@program(positive(6), 0.3, wrt=(0, 1))
def crank_nicolson(u0, alpha):
    n = u0.size
    lower = np.full(n - 1, -alpha / 2)
    main = np.full(n, 1.0 + alpha)
    u = u0
    history = [u]
    for _ in range(3):
        rhs = (1 - alpha) * u
        rhs[1:] += alpha / 2 * u[:-1]
        rhs[:-1] += alpha / 2 * u[1:]
        u = thomas(lower, main, lower, rhs)
        history.append(u)
    return sum(float(np.dot(h, h)) * (k + 1) for k, h in enumerate(history))


def smooth(u, f, h, sweeps=2):
    for _ in range(sweeps):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] + h * h * f[1:-1])
    return u


def v_cycle(u, f, h):
    u = smooth(u, f, h)
    if len(u) <= 3:
        return u
    r = np.zeros_like(u)
    r[1:-1] = f[1:-1] + (u[:-2] - 2 * u[1:-1] + u[2:]) / h**2
    coarse = v_cycle(np.zeros((len(u) + 1) // 2), r[::2].copy(), 2 * h)
    e = np.zeros_like(u)
    e[::2] = coarse
    e[1::2] = 0.5 * (coarse[:-1] + coarse[1:])
    return smooth(u + e, f, h)


@program(normal(9), second=True)
def multigrid(f):
    u = np.zeros(9)
    for _ in range(2):
        u = v_cycle(u, f, 1.0 / 8)
    return np.sum(u * u) * 1e3


class Option(enum.Enum):
    CALL = 1
    PUT = -1

    def payoff(self, s, k):
        return np.maximum(self.value * (s - k), 0.0)


@program(1.05, 0.2, 0.03, wrt=(0, 1, 2))
def binomial_tree(s0, sigma, r, n=7, kind=Option.PUT, american=True):
    dt = 0.5 / n
    up = math.exp(sigma * math.sqrt(dt))
    p = (math.exp(r * dt) - 1 / up) / (up - 1 / up)
    disc = math.exp(-r * dt)
    s = s0 * up ** np.arange(-n, n + 1, 2)
    v = kind.payoff(s, 1.1)
    for level in range(n, 0, -1):
        v = disc * (p * v[1:] + (1 - p) * v[:-1])
        s = s[1:] / up
        if american:
            v = np.maximum(v, kind.payoff(s, 1.1))
    assert v.size == 1
    return v[0]


class Heston(NamedTuple):
    kappa: float
    theta: float
    xi: float
    rho: float = -0.5
    v0: float = 0.04

    def paths(self, z1, z2, dt):
        v = np.full(z1.shape[1], self.v0)
        x = np.zeros(z1.shape[1])
        for a, b in zip(z1, z2):
            w = self.rho * a + math.sqrt(1 - self.rho**2) * b
            vp = np.maximum(v, 1e-4)
            x = x - 0.5 * vp * dt + np.sqrt(vp * dt) * a
            v = v + self.kappa * (self.theta - vp) * dt + self.xi * np.sqrt(vp * dt) * w
        return np.exp(x)


@program(np.array([1.5, 0.05, 0.3]))
def heston_call(p, seed=3):
    rng = np.random.default_rng(seed)
    z1, z2 = rng.standard_normal((2, 6, 20))
    s = Heston(*p).paths(z1, z2, 1 / 6)
    return np.mean(np.where(s > 0.98, s - 0.98, 0.0))


def bootstrap_rate(price, coupon, dfs, guess=0.03, tol=1e-12):
    """Newton for the discount rate of the last period."""
    r, n = guess, len(dfs) + 1
    known = coupon * sum(dfs)
    it = 0
    while True:
        df = (1 + r) ** -n
        err = known + (1 + coupon) * df - price
        if abs(err) < tol or it >= 30:
            break
        r -= err / (-n * (1 + coupon) * df / (1 + r))
        it += 1
    else:
        raise RuntimeError("never")
    return r


@program(np.array([1.0, 0.99, 0.985, 0.97]), second=True)
def bond_curve(prices):
    dfs: list[float] = []
    rates = {}
    for k, (price, coupon) in enumerate(zip(prices, (0.02, 0.025, 0.03, 0.035)), start=1):
        r = bootstrap_rate(price, coupon, dfs)
        rates[f"{k}y"] = r
        dfs.append((1 + r) ** (-k))
    return sum(w * r for w, r in zip((1, 2, 3, 4), rates.values())) * 10


@program(
    {"AAPL": 0.3, "MSFT": 0.5, "BOND": 0.2},
    {"AAPL": normal(6), "MSFT": normal(6), "BOND": normal(6)},
    wrt=0,
    second=True,
)
def portfolio_of_dicts(weights, returns):
    total = sum(weights.values())
    norm = {k: w / total for k, w in weights.items()}
    series = functools.reduce(operator.add, (norm[k] * returns[k] for k in sorted(norm)))
    mean, var = series.mean(), series.var(ddof=1)
    worst = min(series)
    herfindahl = sum(map(lambda w: w**2, norm.values()))
    return mean / math.sqrt(var) - 0.1 * herfindahl + 0.05 * worst


def dh(theta, d, a, alpha):
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [
            [ct, -st * ca, st * sa, a * ct],
            [st, ct * ca, -ct * sa, a * st],
            [0, sa, ca, d],
            [0, 0, 0, 1],
        ]
    )


@program(normal(3), second=True)
def forward_kinematics(q):
    links = [(0.3, 0.1, np.pi / 2), (0.0, 0.5, 0.0), (0.1, 0.4, -np.pi / 2)]
    frames = [np.eye(4)]
    for theta, link in zip(q, links):
        frames.append(frames[-1] @ dh(theta, *link))
    *_, tip = frames
    target = np.array([0.3, 0.2, 0.5])
    reach = sum(float(np.linalg.norm(f[:3, 3])) for f in frames[1:])
    return np.sum((tip[:3, 3] - target) ** 2) + 0.01 * reach


class EKF:
    """Range and bearing of a beacon."""

    def __init__(self, x, P, Q, R):
        self.x, self.P, self.Q, self.R = x, P, Q, R
        self.nll = 0.0

    def predict(self, v, w, dt):
        px, py, th = self.x
        self.x = np.array([px + v * dt * np.cos(th), py + v * dt * np.sin(th), th + w * dt])
        F = np.eye(3)
        F[0, 2] = -v * dt * np.sin(th)
        F[1, 2] = v * dt * np.cos(th)
        self.P = F @ self.P @ F.T + self.Q

    def update(self, z):
        px, py, th = self.x
        r = np.hypot(px, py)
        h = np.array([r, np.arctan2(py, px) - th])
        H = np.array([[px / r, py / r, 0.0], [-py / r**2, px / r**2, -1.0]])
        S = H @ self.P @ H.T + self.R
        K = np.linalg.solve(S, H @ self.P).T
        e = z - h
        self.nll += 0.5 * (e @ np.linalg.solve(S, e) + np.linalg.slogdet(S)[1])
        self.x = self.x + K @ e
        self.P -= K @ S @ K.T


@program(np.array([0.1, 0.2]), second=True)
def extended_kalman_filter(noise):
    kf = EKF(np.array([1.0, 0.5, 0.1]), 0.1 * np.eye(3), noise[0] * np.eye(3), np.diag(noise))
    for k in range(3):
        kf.predict(v=1.0, w=0.2, dt=0.1)
        kf.update(np.array([1.2 + 0.1 * k, 0.3]))
    return kf.nll


@program(normal(4, 1), np.array([1.0, 0.0]), second=True)
def ilqr_rollout_and_backward_pass(us, x0):
    A = np.array([[1.0, 0.1], [0.0, 1.0]])
    B = np.array([[0.0], [0.1]])
    Q, R = np.diag([1.0, 0.1]), 0.01 * np.eye(1)
    xs = [x0]
    for u in us:
        xs.append(A @ xs[-1] + B @ u + np.array([0.0, -0.05 * np.sin(xs[-1][0])]))
    V, v = Q.copy(), Q @ xs[-1]
    gains = []
    for x, u in zip(reversed(xs[:-1]), us[::-1]):
        Qu = R @ u + B.T @ v
        Qx = Q @ x + A.T @ v
        Quu = R + B.T @ V @ B
        Qux = B.T @ V @ A
        K, k = -np.linalg.solve(Quu, Qux), -np.linalg.solve(Quu, Qu)
        v = Qx + K.T @ Quu @ k + K.T @ Qu + Qux.T @ k
        V = Q + A.T @ V @ A + Qux.T @ K
        gains.insert(0, (K, k))
    cost = sum(x @ Q @ x for x in xs)
    return cost + sum(np.sum(K**2) * 1e-2 + np.sum(k**2) for K, k in gains)


class PID:
    def __init__(self, kp, ki, kd, limit=2.0):
        self.gains = (kp, ki, kd)
        self.limit = limit
        self.reset()

    def reset(self):
        self.integral = 0.0
        self.last: Optional[float] = None

    def __call__(self, error, dt):
        kp, ki, kd = self.gains
        self.integral += error * dt
        slope = 0.0 if self.last is None else (error - self.last) / dt
        self.last = error
        u = kp * error + ki * self.integral + kd * slope
        return max(-self.limit, min(self.limit, u))


@program(np.array([1.2, 0.4, 0.1]), second=True)
def pid_tuning(gains):
    pid = PID(*gains)
    y, v, cost, dt = 0.0, 0.0, 0.0, 0.1
    for step in range(12):
        if step == 6:
            pid.reset()
        u = pid(1.0 - y, dt)
        v += dt * (u - 0.5 * v - y)
        y += dt * v
        cost += (1.0 - y) ** 2 * dt
    return cost


class Quaternion:
    __slots__ = ("w", "v")

    def __init__(self, w, v):
        self.w, self.v = w, v

    @classmethod
    def from_axis(cls, axis, angle):
        axis = axis / np.linalg.norm(axis)
        return cls(np.cos(angle / 2), np.sin(angle / 2) * axis)

    def __mul__(self, other):
        if isinstance(other, Quaternion):
            return Quaternion(
                self.w * other.w - self.v @ other.v,
                self.w * other.v + other.w * self.v + np.cross(self.v, other.v),
            )
        return Quaternion(self.w * other, self.v * other)

    __rmul__ = __mul__

    def __invert__(self):
        return Quaternion(self.w, -self.v)

    def __abs__(self):
        return np.sqrt(self.w**2 + self.v @ self.v)

    def __matmul__(self, x):
        return (self * Quaternion(0.0, x) * ~self).v

    def __eq__(self, other):
        return self.w == other.w

    def __iter__(self):
        yield self.w
        yield from self.v


@program(normal(3, 3), normal(3), wrt=0)
def quaternion_chain(axes, p):
    q = functools.reduce(
        operator.mul, [Quaternion.from_axis(a, 0.3 * (i + 1)) for i, a in enumerate(axes)]
    )
    rotated = q @ p
    return rotated[0] + 2 * rotated[1] ** 2 + abs(2.0 * q) * q.w


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


class LSTMCell:
    def __init__(self, params, hidden):
        self.W, self.U, self.b = params["W"], params["U"], params["b"]
        self.n = hidden

    def __call__(self, x, state):
        h, c = state
        z = x @ self.W + h @ self.U + self.b
        i, f, o, g = (z[..., k * self.n : (k + 1) * self.n] for k in range(4))
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        return h, (h, c)


@program({"W": normal(3, 8), "U": normal(2, 8), "b": normal(8)}, normal(4, 2, 3), second=True)
def lstm_over_time(params, xs):
    cell = LSTMCell(params, 2)
    state = (np.zeros((2, 2)), np.zeros((2, 2)))
    loss = 0.0
    for t, x in enumerate(xs):
        out, state = cell(x, state)
        if t % 2:
            loss += np.mean((out - 0.1 * t) ** 2)
    return loss


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@program(normal(4, 6), normal(6, 6), normal(6, 6), normal(6, 6), wrt=(1, 2, 3))
def multi_head_attention(x, wq, wk, wv, heads=2):
    n, d = x.shape

    def split(m):
        return (x @ m).reshape(n, heads, d // heads).transpose(1, 0, 2)

    q, k, v = map(split, (wq, wk, wv))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(d // heads)
    mask = np.triu(np.ones((n, n), dtype=bool), k=1)
    scores[:, mask] = -1e9
    out = softmax(scores) @ v
    out = out.transpose(1, 0, 2).reshape(n, d)
    return np.sum((out - x) ** 2)


class BatchNorm:
    momentum = 0.9

    def __init__(self, gamma, beta):
        self.gamma, self.beta = gamma, beta
        self.mean = np.zeros_like(gamma)
        self.var = np.ones_like(gamma)

    def forward(self, x, training=True):
        if training:
            mu, var = x.mean(0), x.var(0)
            self.mean = self.momentum * self.mean + (1 - self.momentum) * mu
            self.var = self.momentum * self.var + (1 - self.momentum) * var
        else:
            mu, var = self.mean, self.var
        return self.gamma * (x - mu) / np.sqrt(var + 1e-5) + self.beta


@program(normal(3, 5, 2), normal(2), normal(2), wrt=(0, 1, 2))
def batch_norm_running(batches, gamma, beta):
    bn = BatchNorm(gamma, beta)
    for batch in batches:
        y = bn.forward(batch)
    z = bn.forward(batches[0], training=False)
    return np.sum(y**3) + np.sum(z**2) + np.sum(bn.var)


@program(normal(10, 2), np.array([[0.5, 0.5], [-0.5, -0.5]]), wrt=(0, 1))
def k_means(points, centres):
    c = centres
    for _ in range(3):
        d = ((points[:, None, :] - c[None]) ** 2).sum(-1)
        label = d.argmin(axis=1)
        c = np.stack(
            [points[label == k].mean(axis=0) if np.any(label == k) else c[k] for k in range(2)]
        )
    return float(np.min(((points[:, None] - c) ** 2).sum(-1), axis=1).sum())


@program(
    {"mu": np.array([-1.0, 1.0]), "logsig": np.array([0.1, -0.1]), "logit": np.array([0.0, 0.3])},
    normal(12),
    second=True,
)
def gaussian_mixture_em(p, x):
    mu, sig, pi = p["mu"], np.exp(p["logsig"]), softmax(p["logit"])
    for _ in range(2):
        logp = -0.5 * ((x[:, None] - mu) / sig) ** 2 - np.log(sig) + np.log(pi)
        r = softmax(logp, axis=1)
        nk = r.sum(axis=0)
        mu = (r * x[:, None]).sum(0) / nk
        sig = np.sqrt((r * (x[:, None] - mu) ** 2).sum(0) / nk + 1e-2)
        pi = nk / len(x)
    logp = -0.5 * ((x[:, None] - mu) / sig) ** 2 - np.log(sig) + np.log(pi)
    return -np.sum(np.log(np.sum(np.exp(logp), axis=1)))


def logsumexp(a, axis=None):
    m = np.max(a, axis=axis, keepdims=True)
    s = np.log(np.sum(np.exp(a - m), axis=axis, keepdims=True)) + m
    return s.squeeze(axis) if axis is not None else s.item()


@program(normal(3, 3), normal(3, 4), [0, 2, 1, 3, 3], wrt=(0, 1))
def hmm_forward(trans, emit, obs):
    logA = trans - logsumexp(trans, axis=1)[:, None]
    logB = emit - logsumexp(emit, axis=1)[:, None]
    alpha = logB[:, obs[0]] - np.log(3)
    for o in obs[1:]:
        alpha = logsumexp(alpha[:, None] + logA, axis=0) + logB[:, o]
    return logsumexp(alpha)


@program(normal(5, 3), normal(3, 3), np.array([0, 1, 2, 2, 0]), wrt=(0, 1))
def crf_negative_log_likelihood(emissions, trans, tags):
    score = emissions[0, tags[0]]
    for i in range(1, len(tags)):
        score += trans[tags[i - 1], tags[i]] + emissions[i, tags[i]]
    alpha = emissions[0].copy()
    for row in emissions[1:]:
        nxt = np.zeros(3)
        for j in range(3):
            nxt[j] = logsumexp(alpha + trans[:, j]) + row[j]
        alpha = nxt
    return logsumexp(alpha) - score


def conv2d(x, w, stride=1, pad=0):
    x = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
    oc, ic, kh, kw = w.shape
    oh = (x.shape[1] - kh) // stride + 1
    ow = (x.shape[2] - kw) // stride + 1
    y = np.zeros((oc, oh, ow))
    for i, j in itertools.product(range(oh), range(ow)):
        patch = x[:, i * stride : i * stride + kh, j * stride : j * stride + kw]
        y[:, i, j] = np.tensordot(w, patch, axes=3)
    return y


def max_pool(x, k=2):
    c, h, w = x.shape
    return x[:, : h // k * k, : w // k * k].reshape(c, h // k, k, w // k, k).max(axis=(2, 4))


@program(normal(1, 6, 6), [normal(2, 1, 3, 3), normal(3, 2, 2, 2)], normal(3), wrt=(1, 2))
def conv_net(image, filters, head):
    h = image
    for k, w in enumerate(filters):
        h = np.maximum(conv2d(h, w, pad=1 - k), 0.0)
        if h.shape[-1] >= 4:
            h = max_pool(h)
    feature = h.mean(axis=(1, 2))
    return np.log1p(np.exp(-head @ feature))


TREE = {
    "feature": 0,
    "threshold": 0.1,
    "left": {"feature": 1, "threshold": -0.2, "left": {"leaf": 0}, "right": {"leaf": 1}},
    "right": {"feature": 2, "threshold": 0.3, "left": {"leaf": 2}, "right": {"leaf": 3}},
}


@program(normal(3), normal(4), wrt=(0, 1))
def soft_decision_tree(x, leaves):
    def walk(node, prob):
        if "leaf" in node:
            return prob * leaves[node["leaf"]]
        go = sigmoid(4.0 * (x[node["feature"]] - node["threshold"]))
        return walk(node["left"], prob * (1 - go)) + walk(node["right"], prob * go)

    return walk(TREE, 1.0) ** 2


@program(normal(4, 3), normal(4, 3), 0.5, wrt=(0, 2))
def contrastive_loss(a, b, temperature):
    def normalise(z):
        return z / np.linalg.norm(z, axis=1, keepdims=True)

    sim = normalise(a) @ normalise(b).T / temperature
    rows = [sim[i, i] - logsumexp(sim[i]) for i in range(len(sim))]
    cols = [sim[j, j] - logsumexp(sim[:, j]) for j in range(sim.shape[1])]
    return -(sum(rows) + sum(cols)) / (2 * len(rows))

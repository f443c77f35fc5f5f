"""Arms, filters, bodies, waves, frames: programs of robotics and physics."""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from programs.registry import program

rng = np.random.default_rng(11)

X = rng.normal(size=6)

P = rng.uniform(0.5, 1.5, size=6)

S = rng.normal(size=(3, 3))

S = S @ S.T + 3 * np.eye(3)


def norm_cdf(z):
    return 0.5 * (1 + math.erf(z / math.sqrt(2)))


def bs(S, K, T, r, vol, kind="call"):
    d1 = (math.log(S / K) + (r + 0.5 * vol**2) * T) / (vol * math.sqrt(T))
    d2 = d1 - vol * math.sqrt(T)
    if kind == "call":
        return S * norm_cdf(d1) - K * math.exp(-r * T) * norm_cdf(d2)
    elif kind == "put":
        return K * math.exp(-r * T) * norm_cdf(-d2) - S * norm_cdf(-d1)
    raise ValueError(kind)


class Link:
    def __init__(self, length, offset=0.0):
        self.length = length
        self.offset = offset

    def T(self, q):
        c, s = (np.cos(q + self.offset), np.sin(q + self.offset))
        return np.array([[c, -s, self.length * c], [s, c, self.length * s], [0, 0, 1]])


class Arm:
    def __init__(self, *links):
        self.links = links

    def fk(self, q):
        T = np.eye(3)
        frames = [T]
        for l, qi in zip(self.links, q):
            T = T @ l.T(qi)
            frames.append(T)
        return frames

    def tip(self, q):
        return self.fk(q)[-1][:2, 2]

    def __len__(self):
        return len(self.links)


ARM = Arm(Link(1.0), Link(0.7, 0.1), Link(0.4))


@program(P, second=True)
def inverse_kinematics(q):
    target = np.array([1.2, 0.5])
    qq = q[:3].copy()
    for it in range(4):
        e = target - ARM.tip(qq)
        J = np.zeros((2, len(ARM)))
        for k in range(len(ARM)):
            d = np.zeros(3)
            d[k] = 0.001
            J[:, k] = (ARM.tip(qq + d) - ARM.tip(qq - d)) / 0.002
        qq += J.T @ np.linalg.solve(J @ J.T + 0.01 * np.eye(2), e)
    return np.sum((target - ARM.tip(qq)) ** 2) + np.sum(qq**2) * q[3]


def quat_mul(a, b):
    w1, x1, y1, z1 = a
    w2, x2, y2, z2 = b
    return (
        w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2,
        w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
        w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2,
        w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2,
    )


def quat_rot(q, v):
    w, x, y, z = q
    p = quat_mul(quat_mul(q, (0.0, *v)), (w, -x, -y, -z))
    return np.array(p[1:])


@program(X, second=True)
def quaternions(x):
    q = (1.0, 0.0, 0.0, 0.0)
    pos = np.zeros(3)
    for i in range(0, 6, 3):
        om = x[i : i + 3]
        th = np.linalg.norm(om)
        ax = om / th
        dq = (math.cos(th / 2), *ax * math.sin(th / 2))
        q = quat_mul(q, dq)
        n = math.sqrt(sum((c * c for c in q)))
        q = tuple((c / n for c in q))
        pos += quat_rot(q, [1.0, 0.2 * i, -0.5])
    return pos @ np.array([1.0, 2.0, 3.0]) + q[0] * q[3]


@program(X, second=True)
def kalman_filter(x):
    mu = np.zeros(2)
    C = np.eye(2)
    ll = 0.0
    A = np.array([[1, 0.1], [0, 1.0]])
    H = np.array([[1.0, 0.0]])
    Q = 0.1 * np.eye(2) * x[0] ** 2
    R = np.array([[0.5 + x[1] ** 2]])
    for z in x[2:]:
        mu = A @ mu
        C = A @ C @ A.T + Q
        y = z - (H @ mu)[0]
        Sg = H @ C @ H.T + R
        K = C @ H.T @ np.linalg.inv(Sg)
        mu = mu + K[:, 0] * y
        C = (np.eye(2) - K @ H) @ C
        ll -= 0.5 * (y**2 / Sg[0, 0] + np.log(Sg[0, 0]))
    return ll + mu[1]


@program(P, second=True)
def controller(g):
    kp, ki, kd = g[:3]
    class_state = {"i": 0.0, "prev": None}
    y, v, cost = (0.0, 0.0, 0.0)
    for k in range(20):
        e = 1.0 - y
        class_state["i"] += e * 0.1
        d = 0.0 if class_state["prev"] is None else (e - class_state["prev"]) / 0.1
        class_state["prev"] = e
        u = kp * e + ki * class_state["i"] + kd * d
        u = max(-2.0, min(2.0, u))
        v += 0.1 * (u - 0.5 * v - g[3] * y)
        y += 0.1 * v
        cost += e * e + 0.001 * u * u
    return cost


@program(X, second=True)
def natural_spline(x):
    pts = [(0.0, x[0]), (1.0, x[1]), (2.5, x[2]), (4.0, x[3])]
    n = len(pts) - 1
    h = [pts[i + 1][0] - pts[i][0] for i in range(n)]
    al = [0.0] * (n + 1)
    for i in range(1, n):
        al[i] = 3 / h[i] * (pts[i + 1][1] - pts[i][1]) - 3 / h[i - 1] * (pts[i][1] - pts[i - 1][1])
    l = [1.0] + [0.0] * n
    mu = [0.0] * (n + 1)
    z = [0.0] * (n + 1)
    for i in range(1, n):
        l[i] = 2 * (pts[i + 1][0] - pts[i - 1][0]) - h[i - 1] * mu[i - 1]
        mu[i] = h[i] / l[i]
        z[i] = (al[i] - h[i - 1] * z[i - 1]) / l[i]
    c = [0.0] * (n + 1)
    b = [0.0] * n
    d = [0.0] * n
    for j in reversed(range(n)):
        c[j] = z[j] - mu[j] * c[j + 1]
        b[j] = (pts[j + 1][1] - pts[j][1]) / h[j] - h[j] * (c[j + 1] + 2 * c[j]) / 3
        d[j] = (c[j + 1] - c[j]) / 3 / h[j]
    tot = 0.0
    for t in np.linspace(0.1, 3.9, 7):
        for j in range(n):
            if pts[j][0] <= t < pts[j + 1][0]:
                u = t - pts[j][0]
                tot += (pts[j][1] + u * (b[j] + u * (c[j] + u * d[j]))) ** 2
                break
    return tot


@dataclass
class Body:
    m: float
    r: np.ndarray
    v: np.ndarray

    def ke(self):
        return 0.5 * self.m * self.v @ self.v


@program(X, second=True)
def bodies(x):
    bs = [
        Body(1.0 + 0.5 * i, x[2 * i : 2 * i + 2].copy(), np.array([0.1 * i, -0.2]))
        for i in range(3)
    ]
    for _ in range(5):
        acc = [np.zeros(2) for _ in bs]
        for i, j in itertools.combinations(range(len(bs)), 2):
            d = bs[j].r - bs[i].r
            f = d / (d @ d + 0.1) ** 1.5
            acc[i] += bs[j].m * f
            acc[j] -= bs[i].m * f
        for b, a in zip(bs, acc):
            b.v += 0.05 * a
            b.r += 0.05 * b.v
    e = sum((b.ke() for b in bs))
    for i in range(3):
        for j in range(i):
            e -= bs[i].m * bs[j].m / np.linalg.norm(bs[i].r - bs[j].r)
    return e + bs[0].r[0]


@program(X, second=True)
def spins(x):
    spins = np.array([[1, -1, 1], [1, 1, -1], [-1, 1, 1]])
    J = x[0]
    h = x[1:4]
    e = 0.0
    n = len(spins)
    for i in range(n):
        for j in range(n):
            for di, dj in ((0, 1), (1, 0)):
                e -= J * spins[i, j] * spins[(i + di) % n][(j + dj) % n]
            e -= h[i] * spins[i][j] ** 2 * np.tanh(x[4])
    return np.logaddexp(e, -e) + np.exp(-0.1 * e)


@program(X, second=True)
def wave_on_a_string(x):
    n = 12
    u = np.zeros(n)
    u[3:9] = x
    old = u.copy()
    c = 0.4 + 0.05 * x[0]
    for t in range(8):
        new = np.zeros_like(u)
        new[1:-1] = 2 * u[1:-1] - old[1:-1] + c**2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        new[0], new[-1] = (new[1], 0.0)
        old, u = (u, new)
    return np.sum(u**2) + u[4] * old[5]


@program(P, second=True)
def bar_of_elements(k):
    n = 5
    K = np.zeros((n + 1, n + 1))
    F = np.zeros(n + 1)
    for e in range(n):
        ke = k[e] * np.array([[1.0, -1.0], [-1.0, 1.0]])
        dof = [e, e + 1]
        for a in range(2):
            for b in range(2):
                K[dof[a], dof[b]] += ke[a, b]
        F[dof] += 0.5 * k[5]
    free = [i for i in range(n + 1) if i not in (0,)]
    u = np.zeros(n + 1)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], F[free])
    return u @ F + u[-1] ** 2


@program(X, second=True)
def truss(x):
    nodes = {"A": np.array([0.0, 0.0]), "B": np.array([1.0, x[0]]), "C": np.array([x[1], 1.0])}
    bars = [("A", "B", 1.0), ("B", "C", x[2]), ("A", "C", 2.0)]
    energy = 0.0
    forces = {n: np.zeros(2) for n in nodes}
    for a, b, k in bars:
        d = nodes[b] - nodes[a]
        L = np.hypot(*d)
        f = k * (L - 1.0) * d / L
        forces[a] = forces[a] + f
        forces[b] = forces[b] - f
        energy += 0.5 * k * (L - 1) ** 2
    return energy + max((np.linalg.norm(f) for f in forces.values()))

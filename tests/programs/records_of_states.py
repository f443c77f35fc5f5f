"""Named tuples and dataclasses that carry a state from step to step."""

from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy import pi

from programs.registry import normal, program, using


class KalmanState(NamedTuple):
    x: np.ndarray
    P: np.ndarray
    ll: float = 0.0


def predict(s, F, Q):
    return s._replace(x=F @ s.x, P=F @ s.P @ F.T + Q)


def update(s, z, H, R):
    y = z - H @ s.x
    S = H @ s.P @ H.T + R
    K = np.linalg.solve(S, H @ s.P).T
    ll = s.ll - 0.5 * (y @ np.linalg.solve(S, y) + np.linalg.slogdet(2 * pi * S)[1])
    return KalmanState(s.x + K @ y, (np.eye(len(s.x)) - K @ H) @ s.P, ll)


@program(normal(2), normal(5, 1), 0.1, 0.4, wrt=(0, 1, 2, 3), jit=True, rtol=1e-5)
def kalman_smoother(x0, zs, q, r):
    F, H = np.array([[1, 0.1], [0, 1.0]]), np.array([[1.0, 0.0]])
    Q, R = q * np.eye(2), np.array([[r]])
    s = KalmanState(x0, np.eye(2))
    filt, pred = [], []
    for z in zs:
        p = predict(s, F, Q)
        s = update(p, z, H, R)
        pred.append(p)
        filt.append(s)
    xs = filt[-1].x
    total = xs @ xs
    for f, p in zip(filt[-2::-1], pred[:0:-1]):
        G = f.P @ F.T @ np.linalg.inv(p.P)
        xs = f.x + G @ (xs - p.x)
        total += xs @ xs
    return total - s.ll


class Glass(NamedTuple):
    index: float
    count: int
    width: float = 1.0

    def path(self):
        return self.index * self.width * self.count


Pair = namedtuple("Pair", "count index")


@program(Glass(1.5, 2), jit=True)
def named_fields(g):
    return g.path() ** 2 + g.index * g[2] + g.count


@program([Glass(1.5, 2), Glass(1.2, 3, 0.5)], normal(2), wrt=(0, 1), jit=True)
def lenses(gs, x):
    total = 0.0
    for g, v in zip(gs, x):
        total += g.path() * v + g.index**2
        h = g._replace(index=g.index * v)
        total += h.index * h.count
    p = Pair(total, gs[0].index)
    return p.count * p.index


@program(normal(3), jit=True)
def the_largest_of_some(x):
    gs = [Glass(v, k) for k, v in enumerate(x)]
    best = max(gs, key=lambda g: g.index)
    return sum(g.index * g.count for g in gs) + best.index**2 + best.count


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def layer_norm(x, g, b, eps=1e-5):
    mu = x.mean(-1, keepdims=True)
    return g * (x - mu) / np.sqrt(((x - mu) ** 2).mean(-1, keepdims=True) + eps) + b


@dataclass
class Block:
    wq: np.ndarray
    wk: np.ndarray
    wv: np.ndarray
    wo: np.ndarray
    g: np.ndarray
    b: np.ndarray
    heads: int = 2

    def attend(self, x, mask):
        T, D = x.shape
        d = D // self.heads

        def split(z):
            return z.reshape(T, self.heads, d).transpose(1, 0, 2)

        q, k, v = map(split, (x @ self.wq, x @ self.wk, x @ self.wv))
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(d)
        scores = np.where(mask, scores, -np.inf)
        out = softmax(scores) @ v
        return out.transpose(1, 0, 2).reshape(T, D) @ self.wo

    def __call__(self, x, mask):
        return x + self.attend(layer_norm(x, self.g, self.b), mask)


def block_args(r):
    return Block(*(r.normal(size=(4, 4)) for _ in range(4)), np.ones(4), r.normal(size=4))


@program(using(block_args), normal(5, 4), wrt=(0, 1), jit=True, rtol=1e-5)
def transformer(block, x):
    mask = np.tril(np.ones((len(x), len(x)), dtype=bool))
    pos = np.arange(len(x))[:, None] / 10 ** (2 * (np.arange(4) // 2) / 4)
    enc = np.where(np.arange(4) % 2 == 0, np.sin(pos), np.cos(pos))
    y = block(block(x + enc, mask), mask)
    logp = y - np.log(np.sum(np.exp(y), axis=-1, keepdims=True))
    return -logp[np.arange(4), [0, 3, 1, 2]].mean()

"""Programs of a trading desk: objects, books of orders, option prices."""

import math
from dataclasses import dataclass, field

import numpy as np

from programs.registry import program

rng = np.random.default_rng(11)

X = rng.normal(size=6)

P = rng.uniform(0.5, 1.5, size=6)

S = rng.normal(size=(3, 3))

S = S @ S.T + 3 * np.eye(3)


class Instrument:
    def __init__(self, notional):
        self.notional = notional

    def price(self, curve):
        raise NotImplementedError

    @property
    def label(self):
        return type(self).__name__


class Bond(Instrument):
    def __init__(self, notional, coupon, years):
        super().__init__(notional)
        self.coupon = coupon
        self.years = years

    def flows(self):
        return [
            (t, self.coupon * self.notional + (self.notional if t == self.years else 0.0))
            for t in range(1, self.years + 1)
        ]

    def price(self, curve):
        return sum((cf * curve.df(t) for t, cf in self.flows()))


class Swap(Instrument):
    def __init__(self, notional, rate, years):
        super().__init__(notional)
        self.rate = rate
        self.years = years

    def price(self, curve):
        fixed = 0.0
        for t in range(1, self.years + 1):
            fixed += self.rate * curve.df(t)
        return self.notional * (1 - curve.df(self.years) - fixed)


class Curve:
    def __init__(self, times, rates):
        self.times = times
        self.rates = rates

    def rate(self, t):
        if t <= self.times[0]:
            return self.rates[0]
        for i in range(1, len(self.times)):
            if t <= self.times[i]:
                w = (t - self.times[i - 1]) / (self.times[i] - self.times[i - 1])
                return (1 - w) * self.rates[i - 1] + w * self.rates[i]
        return self.rates[-1]

    def df(self, t):
        return np.exp(-self.rate(t) * t)


@program(P * 0.05, second=True)
def portfolio(r):
    curve = Curve([1.0, 2.0, 3.0, 5.0, 7.0, 10.0], r)
    book = [Bond(100.0, 0.05, 4), Swap(1000.0, 0.03, 6), Bond(50.0, 0.02, 8)]
    by = {}
    for ins in book:
        by.setdefault(ins.label, []).append(ins.price(curve))
    return sum((sum(v) for v in by.values())) + by["Swap"][0] ** 2 * 0.001


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


@program(P, second=True)
def implied_volatility(p):
    target = bs(p[0], p[1], 1.0, 0.02, p[2] * 0.3)
    lo, hi = (0.01, 2.0)
    vol = 0.3
    for _ in range(50):
        diff = bs(p[0], p[1], 1.0, 0.02, vol) - target
        d1 = (math.log(p[0] / p[1]) + (0.02 + 0.5 * vol**2)) / vol
        vega = p[0] * math.exp(-(d1**2) / 2) / math.sqrt(2 * math.pi)
        if abs(diff) < 1e-12:
            break
        vol = vol - diff / vega
    else:
        raise RuntimeError("no convergence")
    return vol**2 + bs(p[0], p[1], 0.5, 0.01, vol, "put")


@program(P, second=True)
def american_put(p):
    n = 12
    s0, k, vol = (p[0], p[1], 0.3 * p[2])
    dt = 1.0 / n
    u = np.exp(vol * np.sqrt(dt))
    d = 1 / u
    q = (np.exp(0.03 * dt) - d) / (u - d)
    v = [max(k - s0 * u**j * d ** (n - j), 0.0) for j in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1):
            cont = np.exp(-0.03 * dt) * (q * v[j + 1] + (1 - q) * v[j])
            v[j] = max(cont, k - s0 * u**j * d ** (i - j))
        v.pop()
    return v[0]


@program(X, second=True)
def drawdowns(x):
    eq = np.cumprod(1 + 0.1 * x)
    peak = -np.inf
    worst = 0.0
    start = None
    spans = []
    for t, e in enumerate(eq):
        if e > peak:
            peak = e
            if start is not None:
                spans.append((start, t))
                start = None
        else:
            if start is None:
                start = t
            worst = min(worst, e / peak - 1)
    if start is not None:
        spans.append((start, len(eq)))
    pen = 0.0
    for a, b in spans:
        pen += np.sum(eq[a:b] ** 2) * (b - a)
    return worst * 3 + pen


@dataclass
class Order:
    side: str
    qty: float
    px: float


@dataclass
class Book:
    bids: list = field(default_factory=list)
    asks: list = field(default_factory=list)
    cash: float = 0.0

    def add(self, o):
        side = self.bids if o.side == "B" else self.asks
        side.append(o)
        side.sort(key=lambda q: q.px, reverse=o.side == "B")
        return self.match()

    def match(self):
        done = 0
        while self.bids and self.asks and (self.bids[0].px >= self.asks[0].px):
            b, a = (self.bids[0], self.asks[0])
            q = min(b.qty, a.qty)
            self.cash += q * (b.px - a.px) * 0.5
            b.qty -= q
            a.qty -= q
            done += 1
            if b.qty <= 1e-12:
                self.bids.pop(0)
            if a.qty <= 1e-12:
                self.asks.pop(0)
        return done


@program(P, second=True)
def order_book(p):
    bk = Book()
    for i, v in enumerate(p):
        bk.add(Order("B" if i % 2 else "S", 1.0 + 0.1 * i, v))
    return bk.cash + sum((o.qty * o.px for o in bk.bids)) - sum((o.qty * o.px**2 for o in bk.asks))


@program(X, second=True)
def moving_variance(x):
    lam = 0.9
    var = None
    out = []
    for r in x:
        var = r * r if var is None else lam * var + (1 - lam) * r * r
        out.append(math.sqrt(var))
    return max(out) + sum(out) / len(out)


@program(X, second=True)
def garch(th):
    w, a, b = np.exp(th[:3]) * 0.1
    r = th[3:]
    h = np.empty(len(r) + 1)
    h[0] = 1.0
    ll = 0
    for t in range(len(r)):
        ll += np.log(h[t]) + r[t] ** 2 / h[t]
        h[t + 1] = w + a * r[t] ** 2 + b * h[t]
    return ll + h[-1]


@program(X, second=True)
def rebalancing(x):
    w = np.ones(3) / 3
    rets = x.reshape(2, 3) * 0.1
    wealth = 1.0
    turnover = 0.0
    for r in rets:
        wealth *= 1 + w @ r
        drift = w * (1 + r)
        drift /= drift.sum()
        new = np.clip(drift + 0.1 * (r - r.mean()), 0, None)
        new /= new.sum()
        turnover += np.abs(new - w).sum()
        w[:] = new
    return np.log(wealth) - 0.01 * turnover + w[0] * w[1]

"""Layers as objects, optimizers, clusters, attention: programs of machine learning."""

from collections import defaultdict

import numpy as np

from programs.registry import program

rng = np.random.default_rng(12)

X = rng.normal(size=6)

M = rng.normal(size=(4, 3))


class Module:
    def __init__(self):
        self._params = {}

    def register(self, name, v):
        self._params[name] = v

    def __getitem__(self, name):
        return self._params[name]

    def __call__(self, x):
        return self.forward(x)


class Dense(Module):
    def __init__(self, W, b, act=None):
        super().__init__()
        self.register("W", W)
        self.register("b", b)
        self.act = act or (lambda z: z)

    def forward(self, x):
        return self.act(x @ self["W"] + self["b"])


class Seq(Module):
    def __init__(self, *mods):
        super().__init__()
        self.mods = list(mods)

    def forward(self, x):
        for m in self.mods:
            x = m(x)
        return x

    @property
    def n(self):
        return len(self.mods)


D = rng.normal(size=(5, 2))


@program(X, second=True)
def layers_of_objects(th):
    def relu(z):
        return np.maximum(z, 0.0)

    W1 = th[:4].reshape(2, 2)
    b1 = np.zeros(2)
    W2 = th[4:6].reshape(2, 1)
    net = Seq(Dense(W1, b1, np.tanh), Dense(W2, np.array([0.1])))
    if net.n > 1:
        net.mods.append(lambda z: z**2)
    out = net(D)
    return out.mean() + 0.01 * sum((np.sum(m["W"] ** 2) for m in net.mods[:2]))


class Adam:
    def __init__(self, params, lr=0.1, betas=(0.9, 0.99)):
        self.lr, self.betas = (lr, betas)
        self.state = {k: {"m": np.zeros_like(v), "v": np.zeros_like(v)} for k, v in params.items()}
        self.t = 0

    def step(self, params, grads):
        self.t += 1
        b1, b2 = self.betas
        for k, g in grads.items():
            st = self.state[k]
            st["m"] = b1 * st["m"] + (1 - b1) * g
            st["v"] = b2 * st["v"] + (1 - b2) * g**2
            mh = st["m"] / (1 - b1**self.t)
            vh = st["v"] / (1 - b2**self.t)
            params[k] -= self.lr * mh / (np.sqrt(vh) + 0.001)


@program(X, second=True)
def adam(x):
    params = {"w": x[:3].copy(), "b": x[3:4] * 1.0}
    opt = Adam(params, lr=0.05)
    for epoch in range(4):
        pred = M @ params["w"] + params["b"]
        r = pred - np.arange(4.0)
        grads = {"w": 2 * M.T @ r / 4, "b": np.array([2 * r.mean()])}
        opt.step(params, grads)
    return np.sum((M @ params["w"] + params["b"] - np.arange(4.0)) ** 2)


@program(X, second=True)
def k_means(x):
    pts = x.reshape(3, 2)
    cen = [pts[0] * 0.9, pts[1] * 1.1 + 0.1]
    for it in range(3):
        groups = defaultdict(list)
        for p in pts:
            k = min(range(len(cen)), key=lambda j: np.sum((p - cen[j]) ** 2))
            groups[k].append(p)
        for k, g in groups.items():
            cen[k] = sum(g) / len(g)
    return sum((np.min([np.sum((p - c) ** 2) for c in cen]) for p in pts)) + cen[0] @ cen[1]


@program(X, second=True)
def attention(x):
    q, k, v = np.split(x.reshape(3, 2), 3)
    tokens = np.concatenate([q, k, v])
    heads = []
    mask = np.triu(np.ones((3, 3), bool), 1)
    for h in range(2):
        s = np.outer(tokens[:, h], tokens[:, 1 - h]) / np.sqrt(2)
        s[mask] = -1000000000.0
        s -= s.max(axis=-1, keepdims=True)
        w = np.exp(s)
        w /= w.sum(-1, keepdims=True)
        heads.append(w @ tokens)
    return np.sum(np.hstack(heads) ** 2)


@program(X, second=True)
def lstm(x):
    W = x[:4]
    h = c = 0.0
    gates = ("i", "f", "o", "g")
    for v in (0.5, -0.3, 0.8):
        z = {g: W[n] * v + x[4] * h + 0.1 for n, g in enumerate(gates)}

        def sg(a):
            return 1 / (1 + np.exp(-a))

        i, f, o = (sg(z[k]) for k in "ifo")
        c = f * c + i * np.tanh(z["g"])
        h = o * np.tanh(c)
    return h * x[5] + c


@program(X)
def decision_tree(x):
    tree = {
        "feat": 0,
        "thr": 0.1,
        "left": {"leaf": 0},
        "right": {"feat": 1, "thr": -0.2, "left": {"leaf": 1}, "right": {"leaf": 2}},
    }
    leaves = x[:3]

    def predict(node, row):
        if "leaf" in node:
            return leaves[node["leaf"]]
        return predict(node["left"] if row[node["feat"]] <= node["thr"] else node["right"], row)

    return sum(((predict(tree, r) - t) ** 2 for r, t in zip(D, np.arange(5.0))))


@program(X, second=True)
def batch_norm(x):
    class_stats = {"mean": 0.0, "var": 1.0}
    a = x.reshape(3, 2)
    out = []
    for b in range(0, 3, 2):
        blk = a[b : b + 2]
        mu = blk.mean(0)
        var = blk.var(0)
        class_stats.update(
            mean=0.9 * class_stats["mean"] + 0.1 * mu, var=0.9 * class_stats["var"] + 0.1 * var
        )
        out.append((blk - mu) / np.sqrt(var + 0.1))
    y = np.vstack(out)
    return np.sum(y**3) + np.sum(class_stats["mean"] * class_stats["var"])

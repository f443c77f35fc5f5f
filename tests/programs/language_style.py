"""Star arguments, nested breaks, views of views, settings, closures, match, slices of lists."""

import functools
from enum import Enum

import numpy as np

from programs.registry import program

rng = np.random.default_rng(13)

X = rng.normal(size=6)


@program(X, second=True)
def star_arguments(x):

    def agg(first, *rest, scale=1.0, **kw):
        t = first
        for i, r in enumerate(rest, 1):
            t = t + r * i
        for k in sorted(kw):
            t *= kw[k]
        return t * scale

    opts = {"scale": x[0], "b": x[1]}
    return agg(*x[2:5], **opts, a=2.0) + agg(x[5])


@program(X, second=True)
def nested_breaks(x):
    total = 0.0
    for i in range(6):
        if x[i] < -0.5:
            continue
        for j in range(i, 6):
            if x[j] > 1.2:
                break
            k = 0
            while True:
                k += 1
                if k > 3:
                    break
                if (i + j + k) % 3 == 0:
                    continue
                total += x[i] * x[j] / k
        else:
            total *= 1.1
            continue
        total -= x[i]
    return total


@program(X, second=True)
def views_of_views(x):
    a = x.reshape(2, 3).copy()
    r = a[0]
    col = a[:, 1]
    flat = a.ravel()
    r *= 2.0
    col += r[0]
    flat[4] = flat[0] * flat[5]
    b = a
    b[1, 0] -= col[1]
    views = [a[i] for i in range(2)]
    for v in views:
        v[::2] = v[::2] ** 2
    a[a > 1.0] *= 0.5
    return np.sum(a**2) + r[1]


def scale_inplace(v, k):
    v *= k
    return v


@program(X, second=True)
def written_arguments(x):
    y = x.copy()
    z = scale_inplace(y[1:4], x[0])
    w = scale_inplace(y, 2.0)
    out = np.empty_like(y)
    np.multiply(y, w, out=out)
    np.add(out[:3], z, out=out[:3])
    out[np.abs(out) > 3] = x[5]
    return out.sum() + y[2]


@program(X, second=True)
def merged_settings(x):
    cfg = {
        "lr": x[0],
        "layers": [{"w": x[1], "act": "tanh"}, {"w": x[2], "act": "id"}],
        "reg": {"l2": x[3]},
    }
    new = {**cfg, "lr": cfg["lr"] * 2}
    new["layers"] = [{**l, "w": l["w"] * 2} for l in cfg["layers"]]
    acts = {"tanh": np.tanh, "id": lambda z: z}
    h = 1.0
    for l in new["layers"]:
        h = acts[l["act"]](l["w"] * h + cfg["lr"])
    inv = {v["act"]: v["w"] for v in cfg["layers"]}
    first, *others = sorted(inv)
    return (
        h * new["lr"]
        + sum(inv.values()) * inv[first]
        + new["reg"].get("l2", 0) * new.get("none", 1.5)
    )


@program(X, second=True)
def functions_that_count(x):
    count = 0
    hist = []

    def make(k):

        def inner(v):
            nonlocal count
            count += 1
            hist.append(v * k)
            return v**k

        return inner

    fs = [make(k) for k in (1, 2, 3)]
    s = sum((f(v) for f, v in zip(fs, x)))
    comp = functools.reduce(lambda f, g: lambda v: f(g(v)), fs)
    return s + comp(x[3]) * count + sum(hist)


class Color(Enum):
    RED = "r"
    GREEN = "g"


@program(X, second=True)
def match_of_kinds(x):
    tot = 0.0
    cmds = [("move", 1, 2), ("scale", 3), {"op": "rot", "by": 4}, Color.GREEN, ("noop",)]
    for c in cmds:
        match c:
            case ["move", i, j]:
                tot += x[i] * x[j]
            case ["scale", k] if x[k] > -10:
                tot *= x[k]
            case {"op": "rot", "by": k}:
                tot += np.sin(x[k])
            case Color.GREEN:
                tot -= x[5]
            case [name, *_]:
                tot += len(name) * x[0]
            case _:
                raise ValueError
    return tot


@program(X, second=True)
def walrus(x):
    tot = 0.0
    i = 0
    data = list(x)
    while (n := len(data)) > 1:
        if (m := data.pop(0)) > 0:
            tot += m * n
        else:
            data[-1] += m * 0.5
    return tot + data[0] ** 2


@program(X, second=True)
def slices_of_lists(x):
    l = list(x)
    l[1:3] = [l[0] * l[1]]
    l[::2] = [v * 2 for v in l[::2]]
    del l[0]
    l.insert(1, x[0])
    l.reverse()
    a, (b, *c), d = (l[0], l[1:3], l[-1])
    m = l.copy()
    m += l
    m.remove(m[0]) if False else None
    return a * b + sum(c) * d + sum((v * i for i, v in enumerate(m)))

"""Programs of several fields, each with many corners of the language in it at once."""

from types import SimpleNamespace

import numpy as np

from programs.registry import normal, positive, program, using


class Layer:
    """One that may keep what it computed, seen from the other end."""

    def __init__(self, w):
        self.w = w
        self.kept = None

    def __call__(self, x, keep):
        h = np.tanh(x @ self.w)
        if keep:
            self.kept = h[..., ::-1]
        return h


class Residual(Layer):
    def __call__(self, x, keep):
        h = super().__call__(x, keep)
        if self.kept is not None:
            self.kept *= 2.0
        h += x
        return h


@program(normal(2, 3), using(lambda rng: [rng.normal(size=(3, 3)) for _ in range(2)]), wrt=(0, 1))
def views_kept_in_layers(x, ws):
    """What may be None is a view of an array that is changed under both names."""
    layers = [Residual(w) for w in ws]
    h = x.copy()
    for k, layer in enumerate(layers):
        h = layer(h, k == 0)
    penalty = 0
    for layer in layers:
        if layer.kept is not None:
            penalty = penalty + (layer.kept[..., 0] ** 2).sum()
            layer.kept[...] = 0.0
    return h.mean() + 0.1 * penalty


@program(positive(5), [2, 4], second=True)
def segments_described(x, cuts):
    bounds = [0, *cuts, len(x)]
    found = {}
    for name, part in zip("abcd", [x[a:b] for a, b in zip(bounds, bounds[1:])]):
        found[name] = SimpleNamespace(mean=part.mean(), n=len(part))
    total = 0.0
    for name, s in sorted(found.items(), key=lambda item: -item[1].n):
        s.mean += s.mean**2 / s.n
        total += s.mean if name != "b" else s.mean**2
    return total

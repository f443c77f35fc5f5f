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


class Station:
    """What a sensor has sent: where it stands, the last reading and all readings."""

    def __init__(self, place):
        self.place = place
        self.last = None
        self.readings = []


@program(normal(3), using(lambda rng: [rng.normal(size=3) for _ in range(2)]), wrt=(0, 1))
def stations_zipped_with_a_list(x, weights):
    """Lists of which only some paths see what comes into them; a field that is None again."""
    stations = [Station(x), Station(2.0 * x[::-1])]
    for s, w in zip(stations, weights):
        s.readings.append(s.place[1:] * w[0])
    others = [Station(w) for w in weights]
    for s in others:
        s.last = None
        s.last = s.place
    total = sum((s.last**2).sum() for s in others)
    for s in stations:
        total += sum(np.sum(r) for r in s.readings)
    return total


@program(normal(3))
def stations_taken_by_number(x):
    """One of three objects, as a run chooses, keeps what it is given."""
    stations = [Station(x), Station(2.0 * x), Station(x[::-1])]
    k, total = 0, 0.0
    while k < 2 * len(stations):
        s = stations[k % 3]
        k += 1
        s.readings.append(np.sin(s.place) * k)
        total += sum(np.sum(r) for r in s.readings)
    return total + len(stations[0].readings) * x[0] ** 2

"""Networks whose layers are tuples, records or objects in a list, each layer of its own size."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass

import numpy as np

from programs.registry import normal, program, using

SIZES = (3, 5, 4, 2)
Layer = namedtuple("Layer", "weights bias")  # noqa: PYI024


@dataclass
class Network:
    layers: list
    scale: float


def pairs(rng, sizes=SIZES):
    return [(0.5 * rng.normal(size=s), rng.normal(size=s[1])) for s in zip(sizes, sizes[1:])]


def _records(rng):
    return [{"W": W, "b": b} for W, b in pairs(rng)]


def _by_name(rng):
    return [Layer(*pair) for pair in pairs(rng)]


def _with_factors(rng):
    return [(W, (b, float(k + 1))) for k, (W, b) in enumerate(pairs(rng))]


layers = using(pairs)


@program(layers, normal(4, 3), wrt=(0, 1), jit=True)
def one_after_the_other(params, x):
    for W, b in params:
        x = np.tanh(x @ W + b)
    return np.sum(x**2)


@program(layers, normal(4, 3), second=True, jit=True)
def the_last_one_apart(params, x):
    for W, b in params[:-1]:
        x = np.tanh(x @ W + b)
    W, b = params[-1]
    return np.sum((x @ W + b) ** 2)


@program(using(_by_name), normal(4, 3), jit=True)
def layers_by_name(params, x):
    for layer in params:
        x = np.tanh(x @ layer.weights + layer.bias)
    return np.sum(x**2)


@program(using(_with_factors), normal(4, 3), jit=True)
def pairs_in_pairs(params, x):
    for W, (b, factor) in params:
        x = np.tanh(x @ W + b) * factor
    return np.sum(x**2) + np.sum(x)


@program(using(_records), normal(4, 3), second=True, jit=True)
def records_by_number(params, x):
    for k in range(len(params) - 1):
        x = np.tanh(x @ params[k]["W"] + params[k]["b"])
    return np.sum((x @ params[-1]["W"] + params[-1]["b"]) ** 2)


@program(using(lambda rng: {"layers": pairs(rng), "scale": 1.3}), normal(4, 3), jit=True)
def layers_in_a_dict(model, x):
    for W, b in model["layers"]:
        x = np.tanh(x @ W + b)
    return np.sum(x * model["scale"])


@program(using(lambda rng: Network(pairs(rng), 1.3)), normal(4, 3), jit=True)
def layers_of_an_object(model, x):
    for W, b in model.layers[:-1]:
        x = np.tanh(x @ W + b)
    W, b = model.layers[-1]
    return np.sum((x @ W + b) * model.scale)


@program(layers, normal(4, 3), jit=True)
def one_layer_held_for_later(params, x):
    last = params[-1]
    for k in range(len(params) - 1):
        W, b = params[k]
        x = np.tanh(x @ W + b)
    W, b = last
    return np.sum((x @ W + b) ** 2) + np.sum(last[1])


@program(layers, normal(4, 3), jit=True)
def a_layer_replaced(params, x):
    W, b = params[0]
    params[0] = (W * 2, b + 1)
    for W, b in params:
        x = np.tanh(x @ W + b)
    return np.sum(x**2)


@program(layers, normal(4, 3), jit=True)
def biases_doubled_in_place(params, x):
    for W, b in params:
        b *= 2.0
        x = np.tanh(x @ W + b)
    return np.sum(x**2) + np.sum(params[0][1] ** 2)


@program(layers, normal(4, 3), jit=True)
def layers_made_of_layers(params, x):
    made = []
    for W, b in params:
        made.append((W * 2, b * b))
    for W, b in made:
        x = np.sin(x @ W + b)
    return np.sum(x)


@program(layers, jit=True)
def neighbours(params):
    total = 0.0
    for (W, b), (V, c) in zip(params, params[1:]):
        total += np.sum(b) * np.sum(c) + np.sum(W @ V)
    return total


@program(layers, normal(4, 3), jit=True)
def layers_taken_from_the_front(params, x):
    rest = list(params)
    while rest:
        W, b = rest.pop(0)
        x = np.tanh(x @ W + b)
    return np.sum(x**2)


@program(using(lambda rng: [pairs(rng), pairs(rng, (3, 2))]), normal(4, 3), jit=True)
def networks_in_a_list(networks, x):
    total = 0.0
    for network in networks:
        h = x
        for W, b in network:
            h = np.tanh(h @ W + b)
        total += np.sum(h**2)
    return total


@program(layers, normal(2, 3), jit=True)
def a_network_in_each_step(params, y):
    def slope(y):
        for W, b in params:
            y = np.tanh(y @ W + b)
        return y

    for _ in range(4):
        y = y + 0.1 * slope(y)[:, :1] + 0.05 * np.sum(slope(0.5 * y))
    return np.sum(y**2)


@program(using(lambda rng: [(rng.normal(size=n), rng.normal(size=m)) for n, m in [(3, 4), (2, 1)]]))
def lengths_that_have_nothing_in_common(ps):
    return sum(np.sum(a**2) * np.sum(np.cos(b)) for a, b in ps)


@program(using(lambda rng: [W for W, _ in pairs(rng, (3, 9, 7, 2))]), normal(4, 3), jit=True)
def an_argument_that_takes_each_size_in_turn(Ws, x):
    """What an iteration makes for itself has another size in each of them."""
    for k in range(len(Ws)):
        t = np.tanh(x @ Ws[k])
        x = t * 2.0
    return np.sum(x**2)


def _bodies(rng):
    return [{"p": rng.normal(size=3), "v": rng.normal(size=3), "m": 1.0 + k} for k in range(4)]


@program(using(_bodies), jit=True)
def energy_of_bodies(bodies):
    energy = 0.0
    for i in range(len(bodies)):
        energy += 0.5 * bodies[i]["m"] * np.sum(bodies[i]["v"] ** 2)
        for j in range(i):
            d = bodies[i]["p"] - bodies[j]["p"]
            energy -= bodies[i]["m"] * bodies[j]["m"] / np.sqrt(d @ d + 0.1)
    return energy


@program(using(_bodies), jit=True)
def bodies_that_move(bodies):
    for _ in range(3):
        for i in range(len(bodies)):
            bodies[i]["p"] = bodies[i]["p"] + 0.1 * bodies[i]["v"]
            bodies[i]["v"] = bodies[i]["v"] - 0.1 * bodies[i]["p"] * bodies[i]["m"]
    return sum(np.sum(body["p"] ** 2) for body in bodies)

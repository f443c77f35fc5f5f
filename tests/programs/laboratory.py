"""Physics, chemistry and biology, in the style of a scientist's notebook."""

import math
import warnings
from collections import defaultdict, namedtuple
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import combinations, product

import numpy as np
import numpy.linalg as la

from programs.registry import normal, positive, program, using

Particle = namedtuple("Particle", "position velocity mass")


@program(normal(3, 2), positive(3), second=True)
def particles_as_dicts(places, masses):
    bodies = [
        {"place": p, "speed": np.zeros(2), "mass": m} for p, m in zip(places, masses, strict=True)
    ]
    dt = 0.05
    for _ in range(4):
        for i, body in enumerate(bodies):
            pull = np.zeros(2)
            for j, other in enumerate(bodies):
                if i != j:
                    away = other["place"] - body["place"]
                    pull = pull + other["mass"] * away / (away @ away + 0.2) ** 1.5
            body["speed"] = body["speed"] + dt * pull
        for body in bodies:
            body["place"] = body["place"] + dt * body["speed"]
    return sum(0.5 * b["mass"] * (b["speed"] @ b["speed"]) for b in bodies) + bodies[0]["place"][1]


@program(normal(4, 3), positive(4), second=True)
def pair_energies_by_kind(places, charges):
    kinds = ["Na", "Cl", "Na", "Cl"]
    energy = defaultdict(float)
    for (i, a), (j, b) in combinations(enumerate(kinds), 2):
        r = la.norm(places[i] - places[j])
        energy[a, b] += charges[i] * charges[j] / (r + 0.5)
        if a == b:
            energy["repulsion"] += 0.1 * math.exp(-r)
    return energy["Na", "Cl"] - energy["Cl", "Na"] * 0.5 + energy["repulsion"] * energy["Na", "Na"]


@program(normal(3), normal(3), positive(3), wrt=(0, 1, 2))
def named_particles_on_a_line(x, v, m):
    crowd = [Particle(*row) for row in zip(x, v, m, strict=True)]
    for _ in range(3):
        moved = []
        for p in crowd:
            force = -p.position - 0.1 * p.velocity
            v_new = p.velocity + 0.1 * force / p.mass
            moved.append(p._replace(position=p.position + 0.1 * v_new, velocity=v_new))
        crowd = moved
    return sum(0.5 * p.mass * p.velocity**2 + 0.5 * p.position**2 for p in crowd)


@program(positive(4), using(lambda rng: {"A": 1.0, "B": 0.2, "C": 0.0}), second=True)
def reaction_network(rates, start):
    reactions = [
        (("A",), ("B",), 0),
        (("B", "B"), ("C",), 1),
        (("C",), ("A", "B"), 2),
        (("A", "C"), ("B",), 3),
    ]
    amount = dict(start)
    for _ in range(10):
        change = dict.fromkeys(amount, 0.0)
        for used, made, k in reactions:
            flow = rates[k]
            for name in used:
                flow = flow * amount[name]
            for name in used:
                change[name] -= flow
            for name in made:
                change[name] += flow
        amount = {name: value + 0.05 * change[name] for name, value in amount.items()}
    return amount["C"] ** 2 + amount["A"] * amount["B"]


@program(normal(6), positive(2), second=True)
def ising_energy_over_a_grid(field_, couplings):
    rows, columns = 2, 3
    spins = np.tanh(field_).reshape(rows, columns)
    total = 0.0
    for i, j in product(range(rows), range(columns)):
        for di, dj in ((0, 1), (1, 0)):
            k, l = (i + di) % rows, (j + dj) % columns  # noqa: E741
            total -= couplings[di] * spins[i, j] * spins[k, l]
    for index, s in np.ndenumerate(spins):
        total += 0.1 * (index[0] + 1) * s**2
    return total


@dataclass(frozen=True)
class Grid:
    """A rod and its temperature."""

    u: np.ndarray
    dx: float
    time: float = 0.0
    log: list = field(default_factory=list)


def _step(grid, conductivity, dt):
    u = grid.u
    k = conductivity(u)
    flux = 0.5 * (k[1:] + k[:-1]) * np.diff(u) / grid.dx
    new = u.copy()
    new[1:-1] += dt / grid.dx * np.diff(flux)
    return replace(grid, u=new, time=grid.time + dt)


@program(normal(7), positive(2), second=True)
def nonlinear_heat_with_frozen_state(u, coefficients):
    a, b = coefficients

    def conductivity(t):
        return a + b * t**2

    grid = Grid(u, 0.5)
    while grid.time < 0.25 - 1e-9:
        grid = _step(grid, conductivity, 0.05)
    return np.sum(grid.u**2) * grid.dx


@program(normal(5), positive(3), wrt=(0, 1))
def truss_by_assembly(loads, areas):
    nodes = {0: (0.0, 0.0), 1: (1.0, 0.0), 2: (0.0, 1.0), 3: (1.0, 1.0)}
    bars = [(0, 2), (1, 3), (2, 3), (0, 3), (1, 2)]
    stiffness = np.zeros((8, 8))
    for number, (i, j) in enumerate(bars):
        (x1, y1), (x2, y2) = nodes[i], nodes[j]
        length = math.hypot(x2 - x1, y2 - y1)
        c, s = (x2 - x1) / length, (y2 - y1) / length
        direction = np.array([-c, -s, c, s])
        local = areas[number % 3] / length * np.outer(direction, direction)
        dofs = np.array([2 * i, 2 * i + 1, 2 * j, 2 * j + 1])
        stiffness[np.ix_(dofs, dofs)] += local
    free = slice(4, 8)
    force = loads[:4]
    u = la.solve(stiffness[free, free], force)
    return force @ u + loads[4] * u[0]


@program(positive(4), normal(4))
def beam_deflection_by_integration(stiffness, load):
    h = 0.25
    shear, moment, slope, deflection = [0.0], [0.0], [0.0], [0.0]
    for q in reversed(load):
        shear.append(shear[-1] + h * q)
        moment.append(moment[-1] + h * shear[-2] + 0.5 * h * h * q)
    for k, e in enumerate(stiffness):
        m = 0.5 * (moment[-1 - k] + moment[-2 - k])
        slope += [slope[-1] + h * m / e]
        deflection.append(deflection[-1] + h * 0.5 * (slope[-1] + slope[-2]))
    return deflection[-1] ** 2 + max(abs(d) for d in deflection)


@program(normal(4, 6), positive(), second=True)
def image_filters_with_padding(image, width):
    kernel = np.exp(-(np.array([-1.0, 0.0, 1.0]) ** 2) / width)
    kernel = kernel / kernel.sum()
    padded = np.pad(image, 1, mode="edge")
    out = np.empty_like(image)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            window = padded[i : i + 3, j : j + 3]
            out[i, j] = kernel @ window @ kernel
    edges = np.hypot(out[1:, :-1] - out[:-1, :-1], out[:-1, 1:] - out[:-1, :-1])
    return np.sum(edges * (edges > 1e-3))


@program(positive(5), True, second=True)
def decay_chain_with_quiet_warnings(rates, quiet):
    context = warnings.catch_warnings() if quiet else nullcontext()
    with np.errstate(divide="ignore", over="ignore"):
        activity = np.exp(-rates * 2.0)
        for k in range(1, len(rates)):
            activity[k] += rates[k - 1] / (rates[k] + 1.0) * activity[k - 1]
    return np.sum(activity**2) + 0.0 * (context is None)


@program(using(lambda rng: np.array([1.0, 0.5, 0.3])), positive(3, 3), wrt=1, second=True)
def eigenvalue_by_power_iteration(start, matrix):
    a = matrix @ matrix.T + np.eye(3)
    v = start / la.norm(start)
    old = -1.0
    for count in range(1, 500):
        w = a @ v
        value = v @ w
        v = w / la.norm(w)
        if abs(value - old) < 1e-15 * value:
            break
        old = value
    else:
        count = -1
    return value * (1.0 if count > 0 else 0.0)


@program(positive(3), 6, second=True)
def logistic_populations(params, seasons):
    r, k, harvest = params
    if not seasons:
        return r
    history = [0.3]
    season = 0
    while True:
        n = history[-1]
        born = r * n * (1.0 - n / (k + 1.0))
        taken = harvest * 0.1 * n if season % 2 else 0.0
        history.append(n + born - taken)
        season += 1
        if season >= seasons:
            break
    early, *middle, late = history
    return late - early + sum(m**2 for m in middle) / len(middle)

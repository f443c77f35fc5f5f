"""Programs with objects, flags, nested containers and callables, as scientists keep them."""

import dataclasses
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np

from programs.registry import normal, positive, program, using


@dataclass
class Layer:
    w: np.ndarray
    b: np.ndarray
    kind: str = "tanh"


@dataclass
class Net:
    layers: list[Layer]
    scale: float = 1.0
    options: dict = field(default_factory=lambda: {"skip": True, "clip": 3.0})

    def __call__(self, x):
        for layer in self.layers:
            z = layer.w @ x + layer.b
            if layer.kind == "tanh":
                z = np.tanh(z)
            elif layer.kind == "relu":
                z = np.maximum(z, 0.0)
            x = x + z if self.options["skip"] and z.shape == x.shape else z
        return np.clip(self.scale * x, -self.options["clip"], self.options["clip"])


def _net(rng):
    return Net(
        [
            Layer(rng.normal(size=(3, 3)), rng.normal(size=3)),
            Layer(rng.normal(size=(3, 3)), rng.normal(size=3), "relu"),
            Layer(rng.normal(size=(2, 3)), rng.normal(size=2), "none"),
        ],
        0.3,
    )


@program(using(_net), normal(5, 3))
def network_of_dataclasses(net, batch):
    total = 0.0
    for x in batch:
        y = net(x)
        total += y[0] ** 2 - 0.5 * y[1]
    return total / len(batch)


def _params(rng):
    return {
        "encoder": [{"w": rng.normal(size=(4, 3)), "b": np.zeros(4)} for _ in range(2)],
        "head": {"w": rng.normal(size=4), "b": 0.1},
    }


@program(using(_params), normal(3), "sum")
def nested_parameters(params, x, mode):
    states = []
    for level in params["encoder"]:
        states.append(np.tanh(level["w"] @ x + level["b"]))
    joint = sum(states) if mode == "sum" else np.concatenate(states)
    out = params["head"]["w"] @ joint + params["head"]["b"]
    penalty = sum(np.sum(level["w"] ** 2) for level in params["encoder"])
    return out**2 + 0.01 * penalty


Body = namedtuple("Body", "mass position velocity")


@program([Body(1.0, (0.0, 0.1), (0.0, 0.2)), Body(0.5, (1.0, 0.0), (0.0, 0.9))], 6)
def two_bodies_in_tuples(bodies, steps):
    bodies = [(b.mass, np.array(b.position), np.array(b.velocity)) for b in bodies]
    dt = 0.05
    for _ in range(steps):
        forces = [np.zeros(2) for _ in bodies]
        for i in range(len(bodies)):
            for j in range(i):
                gap = bodies[j][1] - bodies[i][1]
                pull = bodies[i][0] * bodies[j][0] * gap / (gap @ gap + 0.01) ** 1.5
                forces[i] = forces[i] + pull
                forces[j] = forces[j] - pull
        moved = []
        for (mass, place, speed), force in zip(bodies, forces, strict=True):
            speed = speed + dt * force / mass
            moved.append((mass, place + dt * speed, speed))
        bodies = moved
    return sum(m * (v @ v) for m, _, v in bodies) + bodies[0][1][0]


class Grid:
    """A field with its own spacing and borders."""

    def __init__(self, values, spacing, periodic=True):
        self.values = values
        self.h = spacing
        self.periodic = periodic

    def laplacian(self):
        u = self.values
        if self.periodic:
            return (np.roll(u, 1) - 2.0 * u + np.roll(u, -1)) / self.h**2
        out = np.zeros_like(u)
        out[1:-1] = (u[2:] - 2.0 * u[1:-1] + u[:-2]) / self.h**2
        return out

    def step(self, dt):
        self.values = self.values + dt * (self.laplacian() + self.values * (1.0 - self.values))
        return self

    @property
    def mean(self):
        return float(np.mean(self.values))


@program(normal(8), positive(), False, wrt=(0, 1))
def fisher_equation_in_a_class(u, h, periodic):
    grid = Grid(u, h + 1.0, periodic)
    trace = []
    for _ in range(4):
        grid.step(0.02)
        trace.append(grid.mean)
    return sum(t * t for t in trace) + np.max(grid.values)


@program(normal(6), {"steps": 3, "rule": "armijo", "rate": 0.3})
def descent_with_backtracking(x, settings):
    def cost(z):
        return np.sum((z - 1.0) ** 4) + 0.5 * (z @ z)

    rate = settings["rate"]
    for _ in range(settings["steps"]):
        slope = 4.0 * (x - 1.0) ** 3 + x
        step = rate
        while settings["rule"] == "armijo" and cost(x - step * slope) > cost(x):
            step *= 0.5
        x = x - step * slope
    return cost(x)


@program(normal(5), using(lambda rng: [(0, 1), (1, 2), (0, 3), (3, 4)]), positive(4), wrt=(0, 2))
def graph_energy_by_adjacency(x, edges, weights):
    neighbours = {}
    for k, (i, j) in enumerate(edges):
        neighbours.setdefault(i, []).append((j, k))
        neighbours.setdefault(j, []).append((i, k))
    energy = 0.0
    for node in sorted(neighbours):
        for other, k in neighbours[node]:
            energy += 0.5 * weights[k] * (x[node] - x[other]) ** 2
    return energy


@program(normal(9))
def table_of_moments(x):
    table = {}
    for order in (1, 2, 3):
        table[f"m{order}"] = np.mean(x**order)
    table["var"] = table["m2"] - table["m1"] ** 2
    names = [k for k in table if k.startswith("m")]
    return sum(table[n] for n in names) / np.sqrt(table["var"])


@program(normal(4, 4), 1e-3, False)
def power_method_with_flags(a, tolerance, verbose=False):
    v, last = np.ones(a.shape[0]), 0.0
    for k in range(30):
        w = a @ a.T @ v
        size = np.linalg.norm(w)
        v = w / size
        if verbose:
            print(k, size)
        if abs(size - last) < tolerance * size:
            break
        last = size
    return size


@dataclass(frozen=True)
class Cell:
    pressure: float
    density: float

    def flux(self, other, gamma=1.4):
        left = np.sqrt(gamma * self.pressure / self.density)
        right = np.sqrt(gamma * other.pressure / other.density)
        return 0.5 * (left + right) * (self.density - other.density)


@program(positive(6), positive(6), wrt=(0, 1))
def cells_with_methods(pressure, density):
    cells = [Cell(p, d) for p, d in zip(pressure, density, strict=True)]
    for _ in range(2):
        fluxes = [a.flux(b) for a, b in zip(cells[:-1], cells[1:], strict=True)]
        for k in range(1, len(cells) - 1):
            rho = cells[k].density + 0.05 * (fluxes[k - 1] - fluxes[k])
            cells[k] = dataclasses.replace(cells[k], density=rho)
    return sum(c.density**2 * c.pressure for c in cells)


@program(normal(3), normal(3, 3), "l2", wrt=(0, 1))
def loss_chosen_by_name(w, x, name):
    losses = {
        "l2": lambda r: np.sum(r**2),
        "l1": lambda r: np.sum(np.abs(r)),
        "huber": lambda r: np.sum(np.where(np.abs(r) < 1.0, 0.5 * r**2, np.abs(r) - 0.5)),
    }
    return losses[name](x @ w - 1.0) + 0.1 * losses["huber"](w)


@program(normal(10), positive())
def rejection_and_restart(x, width):
    """Runs of growth; a run ends where the values fall, and its length decides its weight."""
    runs, current = [], [x[0]]
    for a, b in zip(x[:-1], x[1:], strict=True):
        if b > a:
            current.append(b)
        else:
            runs.append(current)
            current = [b]
    runs.append(current)
    total = 0.0
    for run in runs:
        if len(run) < 2:
            continue
        total += width * (run[-1] - run[0]) ** 2 / len(run)
    return total


@program(normal(5), normal(4))
def polynomials_as_lists(p, q):
    product = [0.0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    slope = [k * c for k, c in enumerate(product)][1:]
    value = 0.0
    for c in reversed(slope):
        value = value * 0.7 + c
    return value


@program(normal(4), 5)
def grid_of_lists(x, n):
    """A table filled as in a text on dynamic programming."""
    cost = [[0.0 for _ in range(n)] for _ in range(len(x))]
    for i in range(len(x)):
        for j in range(n):
            here = (x[i] - 0.3 * j) ** 2
            if i == 0:
                cost[i][j] = here
            else:
                cost[i][j] = here + min(cost[i - 1][max(j - 1, 0)], cost[i - 1][j])
    return min(cost[-1])

"""Programs of many trades: what went wrong in one of them, shortened."""

import contextlib
import enum
import logging
from dataclasses import InitVar, dataclass, field

import numpy as np

from programs.registry import normal, positive, program

BINS = np.array([0, 1, 1, 3, 0])
log = logging.getLogger(__name__)


@program(positive(5), second=True)
def lengths_of_vectors_turned_round(x):
    """Parts with negative steps, of floats and of complex numbers, one of them half of a matrix."""
    outer = np.outer(x, x + 1.0)
    wave = x[:3] + 1j * x[-3:]
    total = np.linalg.norm(x[::-1][:3]) * x[0] + np.linalg.norm(outer[::-1, 1][1:], ord=2)
    total += np.linalg.norm(wave[::-1][1:]) + np.linalg.norm(x[::-2], 3)
    return total + max(np.linalg.norm(row[::-1][1:]) for row in outer[::2])


@program(positive(5), second=True)
def entries_taken_and_summed_up_by_bins(x):
    """The cotangent of what a histogram sums up is taken by the same places, then added to."""
    y = np.sin(x)
    chosen = np.select([y > 0.6, y < 0.2], [y**2, -y], default=0.5 * y)
    sums = np.zeros(4)
    np.add.at(sums, BINS, y)
    return chosen.sum() + sums @ [1, 2, 3, 4]


@program(normal(5), second=True)
def masks_that_narrow_themselves(x):
    """Newton's method on the entries that are left, and an order that is turned by itself."""
    y = x + 3.0
    todo = np.ones(x.shape, bool)
    places = np.array([2, 0, 1, 4, 3])
    for _ in range(4):
        step = (y[todo] ** 2 - 2.0) / (2.0 * y[todo]) * (1.0 + 0.01 * x[todo])
        y[todo] -= step
        todo[todo] = np.abs(step) > 1e-2
        y[places] += 0.1 * x
        places[places] = (places + 1) % 5
        if not todo.any():
            break
    return np.sum(y * x)


@contextlib.contextmanager
def step_of(steps, name):
    steps.append(name)
    yield
    steps.append(f"end of {name}")


class Gates:
    table = {  # noqa: RUF012
        "H": np.array([[1.0, 1.0], [1.0, -1.0]]) / np.sqrt(2.0),
        "X": np.array([[0.0, 1.0], [1.0, 0.0]]),
        "R": lambda t: np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]),
        "D": lambda t: np.diag([t, t**2]),
    }

    def __init__(self):
        self.done = []

    def __repr__(self):
        return f"Gates({self.done})"

    def apply(self, name, angle, state):
        gate = self.table[name]
        if callable(gate):
            gate = gate(angle)
        self.done.append(name)
        return gate @ state


@program(positive(4), second=True)
def gates_that_are_matrices_or_functions(x):
    """What stands in a table is called where it can be; the log has objects and their steps."""
    gates, steps, queue = Gates(), [], []
    for angle in x:
        queue.append("R" if angle > 0.9 else "D")
        queue.append("H" if angle > 0.7 else "X")
    state = np.array([1.0, x[0]])
    for name in queue:
        with step_of(steps, name):
            state = gates.apply(name, x[1], state)
        log.debug("%r after %s", gates, steps)
    assert steps[-1].startswith("end")
    return state @ [1.0, len(steps)]


@dataclass
class Tank:
    area: float
    level: float = 1.0
    scale: InitVar[float] = 1.0
    kind: str = "a"
    filled: list = field(default_factory=list, init=False)

    def __post_init__(self, scale):
        self.area *= scale

    def __lt__(self, other):
        return self.level < other.level

    def __len__(self):
        return len(self.filled)

    def __getitem__(self, k):
        if isinstance(k, slice):
            return [self.filled[i] for i in range(*k.indices(len(self)))]
        return self.filled[k]


class Powers:
    def __init__(self, **given):
        vars(self).update(given)

    def __next__(self):
        self.value *= self.base
        return self.value


@program(positive(6), second=True)
def tanks_in_the_order_of_their_levels(x):
    """Objects with texts are sorted from a generator, step by step filled, and read in slices."""
    tanks = sorted(Tank(x[i], x[-i], scale=x[0], kind="ab"[i % 2]) for i in range(5))
    powers = Powers(base=x[1], value=1.0)
    powers.__dict__.update({**vars(powers), "base": vars(powers)["base"] * x[2]})
    for tank in tanks:
        for _ in range(3):
            tank.filled.append(next(powers) * (tank.area if tank.kind == "a" else tank.level))
    fullest = max(tank for tank in tanks if tank.level > 0.1)
    return sum(tanks[2][::-2]) + tanks[0][-1] + sum(fullest[-2:]) * next(powers)


class Phase(enum.Enum):
    HEAT = 1.5
    COOL = 0.5

    @property
    def other(self):
        return Phase.COOL if self is Phase.HEAT else Phase.HEAT


@program(positive(5), second=True)
def phases_that_the_state_chooses(x):
    """Members of an enumeration that a run chooses: their values, names, properties, in lists."""
    phase, level, seen = Phase.HEAT, x[0], []
    weights = {Phase.HEAT: x[1], Phase.COOL: x[2]}
    for v in x:
        level = level * v + phase.value * 0.2
        seen.append(phase)
        phase = phase.other if phase.name == "HEAT" else Phase.HEAT if level < 1.0 else Phase.COOL
        match phase:
            case Phase.HEAT:
                level += 0.1 * x[3]
            case _:
                level *= 0.9
    return level + sum(weights[p] * p.value for p in seen) + seen.count(Phase.COOL) * x[4]

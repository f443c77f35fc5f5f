"""Keys that are tuples with members of enumerations in them, as tables of state machines have."""

import enum
from collections import Counter, namedtuple

from programs.registry import positive, program


class State(enum.Enum):
    IDLE = "idle"
    RUN = "run"
    DONE = "done"


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 1


Key = namedtuple("Key", "state fast")


@program(positive(8), second=True, jit=True)
def table_of_a_state_machine(signal):
    state, cost, log = State.IDLE, 0.0, Counter()
    table = {(State.IDLE, True): State.RUN, (State.RUN, False): State.DONE}
    for s in signal:
        state = table.get((state, bool(s > 0.9)), state)
        log[state] += 1
        if state is State.RUN:
            cost += s**2
        elif state is State.DONE:
            cost *= 1.1
    return cost * log[State.RUN] + sum(signal)


@program(positive(6), second=True, jit=True)
def table_with_weights(signal):
    state, cost = State.IDLE, 0.0
    table = {(State.IDLE, "up"): (State.RUN, 0.5), (State.RUN, "down"): (State.DONE, signal[1])}
    for s in signal:
        state, weight = table.get((state, "up" if s > 0.9 else "down"), (State.IDLE, 1.0))
        cost += s * weight
    return cost**2


@program(positive(6), jit=True)
def levels_and_named_keys(signal):
    level, cost = Level.LOW, 0.0
    table = {(Level.LOW, True): Level.HIGH, (Level.HIGH, False): Level.LOW}
    prices = {
        Key(State.IDLE, True): 1.0,
        Key(State.RUN, False): 2.0,
        Key(State.RUN, True): signal[0],
    }
    for s in signal:
        level = table.get((level, bool(s > 0.9)), level)
        cost += s * (level + 1)
        cost += s * prices.get(Key(State.RUN if s > 0.8 else State.IDLE, bool(s > 0.9)), 0.3)
    return cost**2


@program({State.IDLE: 0.5, State.RUN: 1.5}, positive(4), jit=True, second=True)
def weights_by_members(weights, signal):
    cost = 0.0
    for s in signal:
        cost += weights[State.IDLE if s < 0.9 else State.RUN] * s
    return cost**2

"""What Python's own generators draw has a type: whole numbers are places, the rest are floats."""

import random
from random import gauss

import numpy as np
from numpy.random import rand

from programs.registry import normal, program


@program(normal(4, 5), 0.9, 0.1)
def table_of_values_by_random_steps(table, discount, rate):
    values = table.copy()
    rng = random.Random(3)
    state, total = 0, 0.0
    for step in range(12):
        greedy = rng.random() > 0.2
        action = int(np.argmax(values[state])) if greedy else rng.randrange(5)
        after = (state + action) % 4
        error = rng.choice([0.5, 1.5]) + discount * np.max(values[after]) - values[state, action]
        values[state, action] += rate * error
        total += discount**step * error**2
        state = after
    return total + values.sum()


@program(normal(4), second=True)
def module_draws_places_and_numbers(x):
    random.seed(5)
    total = 0.0
    for _ in range(6):
        place, other = random.randint(0, 3), random.randrange(len(x))
        total += x[place] ** 2 * random.uniform(0, 1) + random.gauss(0, 1) * x[other]
    return total


@program(normal(3), 3, jit=True)
def draws_by_many_names(x, n):
    random.seed(3)
    np.random.seed(4)
    total = x[0]
    for _ in range(n):
        total = total * x[1] + random.uniform(0.5, 2) * gauss(0, 1) + random.randint(1, 5)
        total += rand() * random.expovariate(2.0) * x[2]
    return total

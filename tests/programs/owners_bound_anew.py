"""`place += value`, where computing the value binds anew what the place is part of."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, program


class Holder:
    def __init__(self, value):
        self.value = value
        self.items = [value, 1.0]
        self.array = np.array([value, value])

    def step(self):
        self.value = self.value * 0.5
        self.items = [self.value, 2.0]
        return self.value * 3

    def run(self):
        self.items[0] += self.step()
        self.value += self.step()
        return self.items[0] + self.value


@program(normal(3))
def the_subscript_of_the_outer_list(x):
    j = 0
    rows = [[x[0]], [x[1]]]
    rows[j][0] += (j := 1) * x[2]
    return rows[0][0] * rows[1][0] ** 2


@program(normal(3))
def the_last_list_is_taken_away(x):
    rows = [[x[0]], [x[1]]]
    rows[-1][0] += rows.pop()[0] * x[2]
    return rows[0][0] ** 2 + len(rows)


@program(normal(3))
def the_entry_of_a_dict(x):
    table = {"a": [x[0]]}

    def replaced():
        table["a"] = [x[1]]
        return x[2]

    kept = table["a"]
    table["a"][0] += replaced()
    return table["a"][0] * kept[0] ** 2


@program(normal(3))
def the_object(x):
    holder = Holder(x[0])

    def replaced():
        nonlocal holder
        holder = Holder(x[1])
        return x[2]

    kept = holder
    holder.value += replaced()
    return holder.value * kept.value * holder.run()


@program(normal(3))
def the_array_of_an_object(x):
    holder = Holder(x[0])

    def replaced():
        holder.array = np.array([x[1], x[2]])
        return x[2]

    kept = holder.array
    holder.array[:] += replaced()
    holder.array += replaced()
    return holder.array[0] * kept[0] ** 2


@program(normal(4))
def places_from_an_iterator(x):
    turn = iter([0, 1, 2, 3])
    rows = [[x[0], x[1]], [x[2], x[3]]]
    rows[next(turn)][next(turn)] += next(turn) * x[next(turn)]
    return rows[0][1] * rows[1][0] + rows[0][0] * rows[1][1]


@program(normal(3))
def the_name_itself(x):
    y = x * 1.0
    z = y
    y += (y := x * 2.0)
    return y @ z * y[0] + np.sum(z)


class Field:
    def __init__(self, x):
        self.a = x * 1.0


@program(normal(3))
def the_object_of_an_array(x):
    field = Field(x)
    kept = field
    field.a += (field := Field(x * 3.0)).a
    return np.sum(kept.a**2) + np.sum(field.a * kept.a)

"""What classes say of attributes, subscripts and contexts, of objects that only a run knows."""

from enum import Enum

import numpy as np

from programs.registry import normal, program

X = np.array([0.5, 0.7, 0.9])


class Doubled:
    """A descriptor that writes beside the name it has."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, owner, cls=None):
        return getattr(owner, self.name) * 2.0

    def __set__(self, owner, value):
        setattr(owner, self.name, value * 0.7)


class Body:
    unit = 0.3
    rate = Doubled()

    def __init__(self, v, s):
        self.v, self.s = v, s
        self.rate = 0.5

    @property
    def size(self):
        return self.s * 2.0

    @size.setter
    def size(self, value):
        self.s = value * 0.5

    def used(self):
        return self.unit * self.s

    def __enter__(self):
        self.s = self.s * 1.5
        return self

    def __exit__(self, *problem):
        self.s = self.s * 0.8


class Second:
    """Stands for a number wherever Python asks for one, though it has items, too."""

    def __init__(self):
        self.items = [5, 6]

    def __index__(self):
        return 1

    def __len__(self):
        return 2

    def __getitem__(self, k):
        return self.items[k]


@program(X, 2)
def property_set_of_one_of_two(x, n):
    p, q = Body(x * 1.0, x[0]), Body(x * 2.0, x[1])
    one = p if x[0] > 0 else q
    one.size = 2 * x[0] * x[2]
    one.size += x[1]
    return np.sum(p.v) * p.s + q.s + q.size


@program(X, 2)
def property_set_before_loops(x, n):
    p, q = Body(x, x[0]), Body(x * 2, x[1])
    one = p
    p.size = 3.0 * x[2]
    for _ in range(n):
        for one in (p, q):
            one.rate = one.rate * x[0]
    one.size *= 0.5
    return np.sum(p.v) * p.s + q.s + q.size + p.rate


@program(X, 2)
def own_instead_of_the_class_s(x, n):
    p, q = Body(x * 1.0, x[0]), Body(x * 2.0, x[1])
    one = p
    for k in range(n):
        one = q if k % 2 else p
    one.unit = 0.6 * x[1]
    return one.unit + p.unit + q.unit + p.used()


@program(X, 1)
def own_instead_of_the_class_s_in_a_list(x, n):
    bodies = [Body(x * 1.0, x[0]), Body(x * 2.0, x[1])]
    for _ in range(n):
        bodies.append(Body(x, x[2]))
    bodies[-1].unit = 0.6 * x[1]
    return sum(o.unit for o in bodies) + sum(o.used() for o in bodies)


@program(X, 3)
def found_or_none_and_given_its_own(x, n):
    p, q = Body(x * 1.0, x[0]), Body(x * 2.0, x[1])
    one = None
    for _ in range(n):
        one = p
    if one is None:
        one = q
    one.unit = x[1] ** 2
    return one.unit + p.unit + q.used() + p.used()


@program(X, 2)
def context_of_one_of_two(x, n):
    p, q = Body(x * 1.0, x[0]), Body(x * 2.0, x[1])
    one = p
    for k in range(n):
        one = q if k % 2 else p
    with one as entered:
        total = entered.s * x[2]
    with q if n > 1 else p:
        total += q.s
    return total + p.s * q.s


@program(X, 2)
def several_targets(x, n):
    body = Body(x, x[0])
    y = x * 1.0
    body.w = body.size = body.u = x[1] * 0.2
    for k in range(n):
        body.p = body.q = np.sin(x[k])
        y[k] = body.size = z = body.r = y[1] = np.sum(y) * body.p
    return body.s * body.w + body.u + z * body.r + np.sum(y)


@program(X, 2)
def objects_for_numbers(x, n):
    second, y = Second(), x * 1.0
    y[second] = x[0] * x[2]
    y[second:] *= 1.5
    listed = [x[0], x[1] * 2.0]
    total = listed[second] + (x[0], x[2])[second] + sum([x[0]] * Second())
    for k in range(Second()):
        total += y[k] * second[k]
    return total + np.sum(y * np.reshape(x, (second, 3))[0]) + np.zeros(n + len(second))[second]


@program(X, 2)
def looked_at_only(x, n):
    body = Body(x, x[0])
    for _ in range(n):
        str(body.s), repr(x)
        any(x > 0.1)
        body.v.tolist()
        format(body.s, ".2f")
        body.s = body.s * x[1]
    return body.s


@program(X, np.arange(6.0).reshape(2, 3))
def as_they_lie(x, a):
    total = 0.0
    for k, entry in enumerate(np.nditer(x[::-1])):
        total += k * entry**2
    for k, entry in enumerate(np.nditer((a * x)[:, ::-1].T)):
        total += np.sin(k) * entry
    return total


@program(X, 2)
def entries_kept_as_they_lie(x, n):
    kept = []
    for _ in range(n):
        kept += [entry * 1.0 for entry in np.nditer(x * n)]
    return sum(e * e for e in kept)


@program(X, 2)
def one_or_the_other_by_and_or(x, n):
    p, q = Body(x * 1.0, x[0]), Body(x * 2.0, x[1])
    one = n > 1 and p or q
    other = n > 3 and x[0] > 0.1 and p or q
    one.size = one.size * x[2]
    bodies = [p, q]
    for _ in range(n):
        bodies.append(Body(x, x[2]))
    last = n > 1 and bodies[n % 3] or bodies[1]
    return one.s * other.s + p.size + last.s


class Awake(Body):
    def __bool__(self):
        return bool(self.s > 0.6)


@program(X, 2)
def asleep_or_not_there(x, n):
    sleepers = [Awake(x, x[0]), Awake(x * 2, x[1])]
    for _ in range(n):
        sleepers.append(Awake(x, x[2]))
    first = sleepers[0] if n > 1 else False
    second = n > 1 and sleepers[1]
    total = x[0] if first else x[1] * x[2]
    return total * (x[2] if second else 2.0) + sleepers[n % 2].s


class Logged:
    def __init__(self, s):
        self.s = s
        self.log = []


@program(X, 2)
def a_list_of_one_of_two(x, n):
    p, q = Logged(x[0]), Logged(x[1])
    one = p
    for k in range(n):
        one = q if k % 2 else p
    p.log.append(x[0] * x[2])
    return sum(p.log) * one.s


@program(X, 2)
def a_table_or_none(x, n):
    first, second = {"a": x[0] * 2, "b": x[1]}, {"a": x[2], "b": x[1] * x[0]}
    found = None
    for _ in range(n):
        found = first
    if found is None:
        found = second
    return sum(found.values()) * 0.7 + sum(first.values()) * sum(second.values())


@program(X, 2)
def keys_that_come_and_go(x, n):
    first, second = {"a": x[0], "b": x[1]}, {"a": x[2], "b": x[1] * x[0]}
    found, other = first, second
    for _ in range(n):
        found, other = other, found
    total = found.popitem()[1]
    total += sum((found | {"z": total}).values())
    if x[0] > 0.6:
        copied = second.copy()
        total += copied["a"] ** 2
    else:
        total += sum((other | {"y": total * x[2]}).values())
        second["z"] = total * x[1]
    return total + sum(found.values()) * 0.7 + sum(second.values())


class Pipeline:
    def __init__(self, a, v):
        self.a, self.v, self.steps = a, v, []

    def add(self, step):
        self.steps.append(step)
        return self

    def run(self):
        y = self.a
        for step in self.steps:
            y = step(y)
        return y * np.sum(self.v)


@program(X, 2)
def steps_of_one_of_two(x, n):
    t = 0.3 * x[0] + 0.2
    one = Pipeline(x[0], x * 2) if x[0] > 0.1 else Pipeline(x[2], x)
    one.add(lambda y: y * t)
    for _ in range(n):
        one.a = one.a * 0.9 + t * 0.1
    return one.run()


class Order(Enum):
    FIRST = 1
    SECOND = 2

    def scaled(self, v):
        return v * self.value


class Graded:
    def __init__(self, a, order=2):
        self.a, self.order = a, Order(order)


@program(X, 2)
def members_out_of_a_list(x, n):
    graded = [Graded(x[k]) for k in range(n + 1)]
    return graded[-1].order.scaled(graded[-1].a) * graded[0].order.value


class Basket:
    def __init__(self, a):
        self.a, self.items, self.labels = a, [a * 0.5], {"q": a}


@program(normal(3), 2, wrt=(0,), second=True)
def lists_of_two_lengths_in_the_chosen_one(x, n):
    first, second = Basket(x[0]), Basket(x[1])
    second.items = [*second.items, x[2]]
    second.labels["z"] = x[0]
    chosen = second
    if n > 1:
        chosen = first
    chosen.items.append(x[0])
    chosen.labels["q"] = x[1] * x[2]
    listed = [second]
    if n > 5:
        listed[0] = first
    for basket in reversed(listed):
        basket.items.append(x[1])
    total = sum(first.items) + 0.4 * sum(second.items) + len(first.items) * x[2]
    return total + sum(first.labels.values()) * 0.3 + sum(second.labels.values()) * x[0]

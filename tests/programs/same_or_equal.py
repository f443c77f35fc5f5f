"""The same thing, or an equal one: what lists, tuples and `in` ask of objects; objects that a
choice, a method or a `with` still holds when generated code builds the list that they are in."""

from __future__ import annotations

from dataclasses import dataclass, field

from programs.registry import normal, program


class Unequal:
    """Equal to nothing, not even to itself."""

    def __init__(self, a, k=0):
        self.a, self.k = a, k

    def __eq__(self, other):
        return False


class ByLevel:
    def __init__(self, a, k=0):
        self.a, self.k = a, k

    def __eq__(self, other):
        return isinstance(other, ByLevel) and self.k == other.k and self.k > 0

    def scale(self, u):
        self.a = self.a * u
        return self.a


class Place:
    def __init__(self, a):
        self.a = a


class Asked:
    """Says something else on the left of == than on the right."""

    def __init__(self, answer):
        self.answer = answer

    def __eq__(self, other):
        return self.answer


@dataclass
class Counter:
    a: float
    turns: int = 0
    items: list = field(default_factory=list)

    def __enter__(self):
        self.turns += 1
        return self

    def __exit__(self, *args):
        self.items.append(self.a)


def _counted(x, n, cls):
    objects = [cls(x[0], 0), cls(x[1], 1), cls(x[2], 1)]
    chosen = objects[n % 3]
    total = objects.count(objects[1]) * x[0] + objects.count(chosen) * x[1]
    total += objects.index(objects[2]) * x[2] + (chosen in objects) * x[0]
    total += ((chosen, 2) == (objects[1], 2)) * x[1]
    chosen.a = chosen.a * x[3]
    objects.remove(chosen)
    return total + sum(o.a for o in objects) * x[0]


@program(normal(4), 1, wrt=0, jit=True)
def the_same_is_equal(x, n):
    return _counted(x, n, Unequal) + _counted(x, n + 1, ByLevel)


@program(normal(4), 3, wrt=0, jit=True)
def objects_asked_in_lists_that_grow(x, n):
    objects, places, total = [], [], x[0]
    for k in range(n):
        objects.append(ByLevel(x[k % 4], k))
        places.append(Place(x[k % 4]))
    last = Place(x[1])
    total += (places[0] in places) * x[1] + (last in places) * x[2]
    places.append(last)
    total += (last in places) * x[3] + places.index(last) * x[0]
    for other in (ByLevel(x[0], 1), ByLevel(x[1], 9)):
        total += (objects[1] in objects) * x[1] + objects.count(objects[0]) * other.a
    return total


@program(normal(4), 2, wrt=0, jit=True)
def what_a_choice_holds_is_in_a_list_that_grows(x, n):
    rows = [[x[0]], [x[1]], [x[2]]]
    objects = [ByLevel(x[0]), ByLevel(x[1]), ByLevel(x[2])]
    row, chosen, scale = rows[n % 3], objects[n % 3], objects[1].scale
    for k in range(n):
        rows.append([x[k % 4]])
        objects.append(ByLevel(x[k % 4]))
    row[0] = row[0] * x[3]
    chosen.a = chosen.a * x[1]
    total = scale(x[2])
    return total + sum(r[0] for r in rows) * x[0] + sum(o.a for o in objects) * x[3]


@program(normal(4), 2, wrt=0, jit=True)
def a_context_is_put_into_a_list_in_its_block(x, n):
    first, held = Counter(x[0]), []
    if n > 1:
        with first as inner:
            held.append(first)
            for k in range(n):
                held.append(Counter(x[k]))
            inner.a = inner.a * x[3]
    return sum(c.a * (1 + c.turns) for c in held) + sum(first.items) * x[1]


@program(normal(4), 2, wrt=0, jit=True)
def an_object_that_no_list_holds(x, n):
    nodes = [Place(x[k % 4]) for k in range(n)]
    root, total = Place(x[0]), x[1]
    for node in nodes:
        total = total * (x[2] if node is root else x[3])
    nodes.append(root)
    for node in nodes:
        total = total * (x[2] if node is root else x[3])
    return total


@program(normal(4), wrt=0)
def the_item_is_on_the_left(x):
    yes, no = Asked(True), Asked(False)
    return (no in [yes]) * x[0] + (yes in [no]) * x[1] + [yes, no].count(no) * x[2] + x[3]


@program(normal(4), 1, wrt=0, jit=True)
def three_tests_in_one(x, n):
    names = [Asked(n == 0), Asked(n == 1), Asked(n == 2)]
    return x[0] if Place(x[1]) in names else x[2]


class Stepping:
    def __init__(self, a):
        self.a, self.turns, self.items = a, 0, [a]

    def step(self):
        self.turns += 1


class Striding(Stepping):
    pass


@program(normal(4), 0, 2, wrt=0, jit=True)
def one_of_two_classes_on_some_paths(x, few, more):
    total = x[3]
    for n in (few, more):
        first, second = Stepping(x[1]), Striding(x[0])
        table = {"l": first, "m": second}
        if n < 1:
            table["m"] = first
        else:
            for _ in range(2):
                second.step()
        total = total * sum(second.items) + table["m"].a + second.turns * x[2]
    return total

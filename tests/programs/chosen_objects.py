"""Objects, lists and dicts of which the path decides which one a name holds."""

import collections
import functools
import math

import numpy as np

from programs.registry import normal, program


class Circle:
    def __init__(self, r):
        self.r = r

    def area(self):
        return math.pi * self.r**2


class Square:
    def __init__(self, r):
        self.r = r

    def area(self):
        return self.r**2

    def grow(self, k):
        self.r = self.r * k
        return self


class Triangle(Square):
    side = 0.5

    def area(self):
        return self.side * super().area()


class Rectangle:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def area(self):
        return self.a * self.b


@program(normal(5), second=True)
def classes_with_the_same_fields(x):
    total = 0.0
    for v in x:
        shape = Circle(v) if v > 0 else Square(v)
        total += shape.area()
    return total


@program(normal(5), second=True)
def classes_with_other_fields(x):
    total = 0.0
    for v in x:
        if v > 0:
            shape = Circle(v)
        else:
            shape = Rectangle(v, x[0])
        total += shape.area() * v
    return total


@program(normal(5), second=True)
def changed_after_the_choice(x):
    total = 0.0
    for v in x:
        shape = Square(v) if v > 0 else Triangle(v)
        shape.grow(2.0)
        shape.r += x[0]
        total = total * 0.5 + shape.area() + shape.r
        if isinstance(shape, Triangle):
            total += v
        if type(shape) is Square:
            total -= x[1] * v
    return total


@program(normal(5), second=True)
def one_of_several_by_number(x):
    shapes = [Circle(x[0]), Square(x[1]), Triangle(x[2])]
    total = 0.0
    for i, v in enumerate(x):
        shape = shapes[i % 3] if v > 0 else shapes[0]
        total += shape.area() * v
        other = shapes[int(i * 1.5) % 3]
        other.r = other.r + 0.1 * v
    return total + sum(shape.area() for shape in shapes)


Forward = collections.namedtuple("Forward", "u v")
Backward = collections.namedtuple("Backward", "v u")


@program(normal(5), second=True)
def named_tuples_of_two_classes(x):
    total = 0.0
    for w in x:
        pair = Forward(w, x[0]) if w > 0 else Backward(w, x[0] * 2)
        total += pair.u * 3 + pair.v * w
    return total


@program(normal(5), second=True)
def dict_or_list(x):
    total = 0.0
    for v in x:
        held = {"a": v, "b": x[1]} if v > 0 else [v * 2, x[0]]
        if isinstance(held, dict):
            held["b"] += v * v
            total += held["b"]
        else:
            held[1] *= 2
            total += held[1] * held[0]
    return total


@program(normal(6), second=True)
def one_of_two_lists(x):
    keep, spare, acc = [], [1.0], x[0]
    for i, v in enumerate(x):
        target = keep if i % 2 else spare
        target.append(v * acc)
        acc = acc + v
    return acc * sum(keep) * spare[-1] + spare[1]


@program(normal(6), second=True)
def the_list_of_the_last_step(x):
    keep, spare, acc = [], [], x[0]
    current = keep
    for i, v in enumerate(x):
        current.append(v * acc)
        acc = acc + v
        current = keep if i % 3 else spare
    current.append(acc)
    return acc * sum(keep) * sum(spare) + len(keep) * len(spare) * x[0]


@program(normal(6), second=True)
def one_of_two_dicts(x):
    plus, minus = {}, {}
    for i, v in enumerate(x):
        table = plus if i % 3 else minus
        table[i % 4] = v * v
        if i == 2:
            plus[9] = x[0]
    return sum(plus.values()) * sum(minus.values())


@program(normal(6), second=True)
def a_list_in_a_list_or_another(x):
    rows, other = [[], []], []
    target = rows[0] if x[0] > 0 else other
    for v in x:
        target.append(v * 2)
    return sum(rows[0]) * 2 + sum(other) + sum(target) ** 2


@program(normal(6), second=True)
def lists_swapped_and_chosen(x):
    a, b = [], []
    for i, v in enumerate(x):
        target = a
        if i % 3 == 1:
            target = b
        target.append(v)
        a, b = b, a
    return sum(a) ** 2 + sum(b) ** 3


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right


@program(normal(5), second=True)
def tree_on_a_stack(x):
    stack = [Tree(x[0], Tree(x[1]), Tree(x[2], None, Tree(x[3] * x[4])))]
    total = 0.0
    while stack:
        node = stack.pop()
        if node is None:
            continue
        total = total * 0.9 + node.value**2
        stack.append(node.left)
        stack.append(node.right)
    return total


@program(normal(6), second=True)
def zipped_with_what_is_reversed(x):
    total = 0.0
    for i, v in enumerate(reversed(x)):
        total += i * v
    for a, b in zip(x, reversed(x[1:]), strict=False):
        total += a * b
    for i, j in zip(range(3), reversed(range(1, 9)), strict=False):
        total += x[i] * x[j % 6] * j
    listed = [v for v in x if v > -9]
    for a, k in zip(reversed(listed), range(1, 9), strict=False):
        listed[0] = a * k
    return total * listed[0] + sum(i * v for i, v in enumerate(reversed(listed), start=-2))


@program(normal(3), second=True)
def zipped_with_more_than_there_is(x):
    total = 0.0
    for a, b in zip([1.0, 2.0, x[0], 4.0, 5.0], x, strict=False):
        total += a * b
    for a, b in zip([1.0, 2.0, x[0], 4.0, 5.0], x[x > -9], strict=False):
        total += a * b**2
    for (i, a), b in zip(enumerate(x), [1.0, x[0]], strict=False):
        total += a * b * i
    return total


@program(normal(6), second=True)
def places_from_the_end(x):
    items = [v for v in x if v > -9]
    first = items.pop(-2)
    items.append(first * items[0])
    items.insert(-2, first * first)
    items.insert(99, first * 3)
    items.insert(-99, first * items[1])
    for k in range(-3, 4):
        item = items.pop(k)
        items.insert(-k * 3, item * item * 0.1)
        items.insert(k, items[0] * items[-1] * 0.1)
    items[::-1] = [v * 2 for v in items]
    items[4:0:-2] = [items[0] * items[1], x[3]]
    return sum(v * (i + 1) for i, v in enumerate(items))


def _scaled(a, b=1.0):
    a[:2] *= 3
    return a.sum() * b


@program(normal(8), second=True)
def values_computed_once(x):
    import functools

    def with_default(a=x * 2):
        a *= 2
        return a.sum()

    scale = functools.partial(_scaled, x * 2)
    tables = {"u": x[:4], "v": x[4:]}
    tables.update(w=tables.pop("v") + 1)
    tables["w"] *= 2
    tables.setdefault("z", x[2:4] + 1)[:1] *= x[1]
    parts = scale(x[1]) + scale(x[2]) + with_default() + with_default() * x[0]
    return parts + sum(np.sum(v**2) * (i + 1) for i, v in enumerate(tables.values()))


class Pipeline:
    def __init__(self):
        self.parts = []

    def add(self, part):
        self.parts.append(part)
        return self

    def area(self):
        return sum(part.area() for part in self.parts)


@functools.singledispatch
def outline(shape):
    raise TypeError(shape)


@outline.register
def _(shape: Circle):
    return shape.r**3


@outline.register(Rectangle)
def _(shape):
    return shape.a + shape.b**2


@program(normal(5), second=True)
def lists_of_several_classes(x):
    shapes, kinds = [], {"c": Circle, "s": Square}
    for i, v in enumerate(x):
        if v > 0.5:
            shapes.append(Circle(v))
        elif i % 2:
            shapes.append(kinds["cs"[i // 2]](v))
        else:
            shapes.append(Rectangle(v, x[0]))
    total = sum(shape.area() for shape in shapes)
    for shape in shapes:
        if isinstance(shape, Circle):
            total += shape.r * x[1]
        total += shape.area() ** 2
    both = [Circle(x[0])] + [Square(x[i]) for i in range(1, 4)]
    joint = Pipeline().add(Triangle(x[2]))
    for i in range(3):
        joint.add(both[i] if i else Rectangle(x[3], x[4]))
    return total + joint.area() * outline(both[0]) * outline(Rectangle(x[1], x[2]))


@program(normal(3), 0, second=True)
def array_or_list_or_number(x, k):
    def chosen(k):
        if k > 0:
            return x * 2.0
        if k == 0:
            return [x[0], x[1] * x[0], x[2] ** 2]
        return (x[0] + x[1]) * 3.0

    return sum(
        np.sum(x * chosen(k + shift) ** 2) if shift != 0 else np.sum(x * chosen(k))
        for shift in (-1, 0, 1)
    )


class Disc:
    def __init__(self, place, mass):
        self.place = place
        self.mass = mass


@program(np.array([[0.7, -0.3, 1.2], [0.4, 0.6, -0.2]]), second=True)
def sorted_on_one_path(m):
    """Objects are made anew and sorted, twice, on one path only: which one is first is kept."""
    discs = [Disc(m[0] * 1.0, m[1, 1]), Disc(0.7 * m[0], 0.4)]
    if m[0, 0] < 0.9:
        discs[0].place = discs[0].place + 0.1
    else:
        discs = [Disc(d.place * 0.5, d.mass) for d in discs]
        for _ in range(2):
            discs = sorted(discs, key=lambda d: d.mass)
    total = 0.0
    for d in discs:
        total = total + np.sum(d.place) * d.mass
    return total


class Gain:
    def __init__(self, by):
        self.by = by

    def __call__(self, w):
        return self.by * w


class Level:
    def __init__(self, by):
        self.by = by


def level_of(stage, w):
    return np.sum(stage(w)) if callable(stage) else np.sum(stage.by)


@program(np.array([0.9, 0.5, -0.2]), second=True)
def what_can_be_called(x):
    """`callable` of objects: of one made anew in a loop, of several classes, held in a list."""
    stage = Gain(x)
    for k in range(2):
        stage = Gain(x * k) if x[0] > 0.3 else stage
        x = x * 1.1 if callable(stage) else x * 3.0
    total = level_of(stage, x) + sum(level_of(s, x) for s in (Gain(x), Level(x * 2.0)))
    stages = []
    for k in range(3):
        stages.append(Gain(x * k))
    for s in stages:
        total = total + np.sin(level_of(s, x))
    return total

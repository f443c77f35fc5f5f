"""Trees of nested tuples that recursion builds and walks; expressions that `match` takes apart."""

from __future__ import annotations

from programs.registry import normal, positive, program


def _tree(masses, low, high):
    if high - low == 1:
        return (masses[low], float(low), None, None)
    middle = (low + high) // 2
    left, right = _tree(masses, low, middle), _tree(masses, middle, high)
    mass = left[0] + right[0]
    return (mass, (left[0] * left[1] + right[0] * right[1]) / mass, left, right)


def _pull(node, place, near):
    mass, centre, left, right = node
    d = centre - place
    if left is None or abs(d) > near:
        return mass / (1.0 + d * d)
    return _pull(left, place, near) + _pull(right, place, near)


@program(positive(6))
def far_ones_together(masses):
    tree = _tree(masses, 0, len(masses))
    return sum(_pull(tree, float(k), 1.5) for k in range(6))


def _grouped(points):
    if len(points) == 1:
        return (points[0][0], points[0][1], ())
    middle = len(points) // 2
    parts = (_grouped(points[:middle]), _grouped(points[middle:]))
    mass = sum(part[0] for part in parts)
    return (mass, sum(part[0] * part[1] for part in parts) / mass, parts)


def _felt(node, place):
    mass, centre, parts = node
    d = centre - place
    if not parts or abs(d) > 1.5:
        return mass / (1.0 + d * d)
    return sum(_felt(part, place) for part in parts)


@program(positive(4))
def parts_in_a_tuple(masses):
    tree = _grouped([(m, float(k)) for k, m in enumerate(masses)])
    return sum(_felt(tree, float(k)) for k in range(5))


def _value(tree):
    match tree:
        case ("+", left, right):
            return _value(left) + _value(right)
        case ("*", left, right):
            return _value(left) * _value(right)
        case ("neg", inner):
            return -_value(inner)
        case ("sum", *items):
            return sum(_value(item) for item in items)
        case _:
            return tree


@program(normal(4), second=True)
def an_expression(x):
    tree = ("+", ("*", x[0], ("neg", x[1])), ("sum", ("*", x[2], x[0]), x[3], 2.0))
    return _value(tree)


def _built(x, low, high):
    if high - low == 1:
        return x[low]
    middle = (low + high) // 2
    return ("+" if (high - low) % 4 else "*", _built(x, low, middle), _built(x, middle, high))


@program(normal(4))
def an_expression_by_recursion(x):
    return _value(_built(x, 0, 4))

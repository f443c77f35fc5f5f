"""Formulas as trees of objects, which the program itself derives and simplifies."""

from __future__ import annotations

from programs.registry import program


class _Formula:
    def __add__(self, other):
        return _Sum(self, _formula(other))

    def __mul__(self, other):
        return _Product(self, _formula(other))

    def __rmul__(self, other):
        return _Product(_formula(other), self)

    def __pow__(self, n):
        return _Power(self, n)

    def simple(self):
        return self


class _Number(_Formula):
    def __init__(self, v):
        self.v = v

    def at(self, where):
        return self.v

    def by(self, name):
        return _Number(0.0)


class _Symbol(_Formula):
    def __init__(self, name):
        self.name = name

    def at(self, where):
        return where[self.name]

    def by(self, name):
        return _Number(1.0 if name == self.name else 0.0)


class _Sum(_Formula):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def at(self, where):
        return self.a.at(where) + self.b.at(where)

    def by(self, name):
        return _Sum(self.a.by(name), self.b.by(name))

    def simple(self):
        a, b = self.a.simple(), self.b.simple()
        if isinstance(a, _Number) and a.v == 0:
            return b
        if isinstance(b, _Number) and b.v == 0:
            return a
        return _Sum(a, b)


class _Product(_Formula):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def at(self, where):
        return self.a.at(where) * self.b.at(where)

    def by(self, name):
        return _Sum(_Product(self.a.by(name), self.b), _Product(self.a, self.b.by(name)))

    def simple(self):
        a, b = self.a.simple(), self.b.simple()
        if isinstance(a, _Number) and a.v == 1:
            return b
        if isinstance(b, _Number) and b.v == 1:
            return a
        return _Product(a, b)


class _Power(_Formula):
    def __init__(self, a, n):
        self.a, self.n = a, n

    def at(self, where):
        return self.a.at(where) ** self.n

    def by(self, name):
        outer = _Product(_Number(float(self.n)), _Power(self.a, self.n - 1))
        return _Product(outer, self.a.by(name))

    def simple(self):
        return _Power(self.a.simple(), self.n)


def _formula(value):
    return value if isinstance(value, _Formula) else _Number(value)


@program(1.2, 0.7, 0.9, jit=True)
def more_versions_of_a_name_than_are_compared(a, x, y):
    """More than 64 numbers are called v, and what a run chooses is called v as well."""
    first, second = _Symbol("x"), _Symbol("y")
    formula = (a * first**3 + second * first * 2.0) * (first + 1.0)
    where = {"x": x, "y": y}
    slope = formula.by("x").simple()
    return slope.by("x").at(where) + formula.by("y").by("y").at(where)

"""Functions, and objects of several classes, in lists and names that a run fills."""

import numpy as np

from programs.registry import normal, program


def squares(w):
    return np.sum(w * w)


@program(normal(4), 0.3, 0.2, second=True)
def penalties_for_what_is_asked(w, ridge, lasso):
    """Functions in lists whose length a run decides, with weights, and one that may be None."""
    terms, steps, last = [(1.0, squares)], [np.tanh], None
    if ridge > 0:
        terms.append((ridge, lambda v: squares(v) * v[0]))
    for k in range(len(w)):
        if w[k] > 0:
            steps.append(np.sin)
        elif k != 1:
            steps.append(lambda v: v * lasso)
        if w[k] < lasso:
            last = squares if k > 0 else np.prod
    if lasso and last is not None:
        terms.append((lasso, last))
    z, best = w, last or np.max
    for step in reversed(steps):
        z = step(z) if step is not np.sin else 0.5 * step(z)
    known = 2.0 if squares in [g for _, g in terms] and np.sin in steps else 1.0
    return sum(c * g(z) for c, g in terms) * known + best(w) + steps.pop()(w[0])


class Balance:
    fee = 0.1

    def __init__(self, parts):
        self.parts = parts

    def __lt__(self, other):
        return self.total() < other.total()

    def __neg__(self):
        return type(self)([-p for p in self.parts])

    def __iadd__(self, p):
        self.parts = [*self.parts, p]
        return self

    def __len__(self):
        return len(self.parts)

    def __iter__(self):
        return iter(self.parts)

    def total(self):
        return sum(self.parts)


class Account(Balance):
    def __init__(self, parts, rate=0.2):
        super().__init__(parts)
        self.rate = rate

    def total(self):
        return super().total() * (1.0 - self.rate)


@program(normal(4))
def balances_change_places(x):
    """Objects of two classes that loops sort, go through, negate and enlarge."""
    one, other = Balance([x[0], x[1]]), Account([x[2] * 2.0, x[3], 0.3])
    total = 0.0
    for k in range(3):
        one, other = sorted([one, other])
        one += x[k] * 0.5
        for p, weight in zip(one, x):
            total += p * weight
        least = min(one, other)
        total += (-least).total() * len(other) + (0.5 if hasattr(one, "rate") else 0.2) * x[k]
    return total + max(p for p in other)


def _terms(count):
    terms = []
    for i in range(count):

        def term(x, i=i, *, gain=0.5 + i):
            return gain * np.sin(x) / (i + 1)

        terms.append(term)
    return terms + [lambda x: x * i for _ in range(2)]


@program(normal(4), 3)
def functions_with_and_without_numbers_in_one_list(x, count):
    return sum(f(x).sum() * k for k, f in enumerate(_terms(count), start=1))


@program(normal(4), 3)
def functions_beside_a_range_of_a_run(x, count):
    total = 0.0
    for k, (power, f) in enumerate(zip(range(count, 0, -2), _terms(3))):
        total = 0.5 * total + f(x).sum() * power * (k + 1)
        if total > 100.0:
            break
    else:
        total += x[0] ** 2
    return total


WAVES = [np.sin, np.cos, np.exp]


@program(normal(4), 2, second=True)
def as_many_functions_as_a_run_asks(x, count):
    """zip of known functions with a range of which only a run knows the length."""
    own, total, last = [lambda v: v * x[0], np.tanh, lambda v: v**3 + count], 0.0, -1
    for k, (i, wave) in enumerate(zip(range(count), WAVES, strict=False), start=1):
        total = total + k * wave(x[i])
    for wave, last, y in zip(own, range(count, -1, -1), x[::-1], strict=False):
        if total > 5.0:
            break
        total = total + (last + 1) * wave(y)
    else:
        total = total * 2.0
    inner = sum(wave(x[i]) for i, wave in zip(range(1, count + 1), WAVES, strict=False))
    return total + last * x[1] + inner


@program(normal(4), 0, second=True)
def no_functions_asked(x, none):
    return as_many_functions_as_a_run_asks(x, none) + np.sum(x * x)

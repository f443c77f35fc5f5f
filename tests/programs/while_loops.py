"""`while` loops: data-dependent trip counts, `else`, `while True`, nesting, counters."""

from collections import deque

import numpy as np

from programs.registry import normal, positive, program


@program(positive(), jit=True, second=True)
def halving(x):
    y = x * 40.0
    while y > 1.0:
        y = y * 0.5
    return y**2


@program(positive(), 2.0, jit=True, second=True)
def newton_sqrt(a, guess):
    x = guess
    while abs(x * x - a) > 1e-13 * a:
        x = 0.5 * (x + a / x)
    return x * a


@program(normal(4), 6, jit=True, second=True)
def counted(x, n):
    i = 0
    s = 0.0
    while i < n:
        s = s * 0.5 + np.sum(np.sin(x * i))
        i += 1
    return s


@program(normal(6), jit=True)
def countdown(x):
    i = len(x)
    s = 1.0
    while i > 0:
        i -= 1
        s = s * np.cos(x[i]) + x[i]
    return s


@program(normal(3), False, jit=True)
def never_entered(x, go):
    y = x**2
    while go:
        y = y * 2.0
    return np.sum(y)


@program(positive(3), jit=True, second=True)
def norm_limited(x):
    y = x.copy()
    while np.sum(y * y) < 50.0:
        y = y * 1.5 + 0.1 * x
    return np.sum(y)


@program(positive(), jit=True, second=True)
def while_true_break(x):
    y = x
    n = 0
    while True:
        y = y + np.exp(-y) * x
        n += 1
        if n >= 5 or y > 10.0:
            break
    return y * n


@program(positive(), jit=True)
def while_true_return(x):
    y = x
    k = 0
    while True:
        y = y * 1.3 + 0.05
        k += 1
        if y > 4.0:
            return y * y + x * k


@program(positive(5), jit=True)
def while_else(x):
    i = 0
    s = 0.0
    while i < 5:
        if x[i] > 50.0:
            break
        s += x[i] ** 3
        i += 1
    else:
        s *= 2.0
    return s


@program(positive(5), jit=True)
def while_else_broken(x):
    i = 0
    s = 0.0
    while i < 5:
        s += x[i] ** 3
        if s > 1.0:
            break
        i += 1
    else:
        s *= 2.0
    return s + x[4]


@program(normal(7), jit=True)
def while_continue(x):
    i = -1
    s = 0.5
    while i < 6:
        i += 1
        if i % 3 == 1:
            continue
        s = s * x[i] + np.sin(x[i])
    return s


@program(positive(3), 1e-3, jit=True)
def nested_while(x, tol):
    total = 0.0
    i = 0
    while i < 3:
        r = x[i]
        step = 1.0
        while step > tol:
            r = r - 0.5 * (r * r - x[i]) / r
            step = step * 0.1
        total += r * x[i]
        i += 1
    return total


@program(positive(4), jit=True, second=True)
def while_inside_for(x):
    s = 0.0
    for v in x:
        while v < 5.0:
            v = v * 2.0 + 0.01
        s += v**2
    return s


@program(positive(), jit=True)
def logistic_map(r):
    x = 0.3
    n = 0
    while n < 6:
        x = (2.0 + r) * x * (1.0 - x)
        n = n + 1
    return x


@program(positive(), positive(), wrt=(0, 1), jit=True)
def arithmetic_geometric_mean(a, b):
    while abs(a - b) > 1e-9:
        a, b = 0.5 * (a + b), np.sqrt(a * b)
    return a


@program(positive(4), jit=True)
def stack_of_work(x):
    work = [0, 1, 2, 3]
    s = 1.0
    while work:
        i = work.pop()
        s = s * x[i] + 0.5
        if i == 3 and len(work) < 6 and s < 2.5:
            work.append(0)
    return s


@program(positive(), 3, jit=True)
def collatz_path(x, n):
    while n != 1:
        if n % 2 == 0:
            x = 0.1 * np.sin(x) + x
            n //= 2
        else:
            x = x * 0.9 + 0.1 / x
            n = 3 * n + 1
    return x


@program(positive(), jit=True)
def bisection_fixed(c):
    lo, hi = 0.0, 3.0
    k = 0
    while k < 4:
        mid = 0.5 * (lo + hi)
        if mid * mid > 2.0:
            hi = mid * (1.0 + 0.01 * c)
        else:
            lo = mid * c**0.01
        k += 1
    return lo * hi


@program(normal(3))
def walrus_condition(x):
    y = x * 1.0
    n = 0
    while (size := np.sum(y**2)) > 0.05 and n < 4:
        y = y * 0.6 + 0.01 * size
        n += 1
    return np.sum(y) * size


@program(positive(4), jit=True)
def two_conditions(x):
    i = 0
    s = 0.0
    while i < len(x) and s < 3.0:
        s += x[i] * (1.0 + s)
        i += 1
    return s * x[0]


@program(positive(3), jit=True)
def adaptive_step(y0):
    t = 0.0
    h = 0.3
    y = y0
    while t < 1.0:
        if t + h > 1.0:
            h = 1.0 - t
        y = y + h * (-y + np.sin(t) * y**2)
        t += h
        h = h * 1.2
    return np.sum(y)


class _Line:
    def __init__(self):
        self.items = []

    def __len__(self):
        return len(self.items)


class _Lamp:
    def __init__(self):
        self.on, self.turns = True, 0

    def __bool__(self):
        return self.on


@program(positive(6), jit=True, second=True)
def while_one_of_several_objects_is_true(x):
    arrivals, waiting, lamp = np.cumsum(x), deque(), _Lamp()
    i, free, served = 0, 0.0, []
    while (i < len(arrivals) or waiting) and lamp:
        lamp.turns += 1
        lamp.on = lamp.turns < 50
        if i < len(arrivals) and (not waiting or arrivals[i] <= free):
            waiting.append(arrivals[i])
            i += 1
            continue
        came = waiting.popleft()
        free = max(came, free) + 0.5 + 0.1 * x[len(served)]
        served.append(free - came)
    large, small, total = _Line(), _Line(), 0.0
    for v in x:
        (large if v > 1.0 else small).items.append(v)
        if (large and not small) or (small and len(small) > 2):
            total += v**2
        elif not (large or small):
            total += 100.0
    return np.mean(served) + max(served) + total * (1.0 if large and small else 2.0)

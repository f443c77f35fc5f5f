"""`break`, `continue` and `return` anywhere, alone and nested."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(8), jit=True, second=True)
def skip_negative(x):
    s = 0.1
    for v in x:
        if v < 0.0:
            continue
        s = s * 0.5 + v * v + v * s
    return s


@program(positive(8), jit=True, second=True)
def stop_at_limit(x):
    s = 0.0
    for v in x:
        if s > 2.5:
            break
        s += v * (1.0 + 0.1 * s)
    return s


@program(positive(8), 2.0, jit=True)
def break_and_continue(x, limit):
    total = 0.0
    for i in range(len(x)):
        if x[i] < 0.7:
            continue
        if total > limit:
            break
        total = total * 0.5 + x[i] * total + x[i] ** 2
    return total


@program(positive(5), jit=True, second=True)
def return_in_loop(x):
    s = 1.0
    for v in x:
        s = s + v * s
        if s > 6.0:
            return s * v
    return s


@program(positive(5), jit=True)
def return_in_loop_not_taken(x):
    s = 1.0
    for v in x:
        s = s * v
        if s > 1e6:
            return v
    return s * s


@program(positive(3), jit=True)
def guard_clauses(x):
    if x[0] > 10.0:
        return x[0]
    if x[1] > 10.0:
        return x[1] * x[0]
    y = x[0] * x[1]
    if y > 10.0:
        return y
    return y * x[2] ** 2


@program(-0.4, jit=True)
def return_both_branches(x):
    if x > 0:
        return np.log(x)
    else:
        return x**2 + np.sin(x)


@program(positive(3, 4), jit=True, second=True)
def break_inner(a):
    s = 0.0
    for i in range(3):
        row = 0.0
        for j in range(4):
            row += a[i, j]
            if row > 2.0:
                break
            row *= 1.1
        s += row**2
    return s


@program(positive(3, 4), jit=True)
def break_outer_by_flag(a):
    s = 0.0
    found = False
    for i in range(3):
        for j in range(4):
            s += a[i, j] * (1.0 + 0.2 * s)
            if s > 6.0:
                found = True
                break
        if found:
            break
    return s * a[0, 0]


@program(normal(3, 4), jit=True)
def continue_outer_via_else(a):
    s = 0.0
    for i in range(3):
        for j in range(4):
            if a[i, j] > 1.0:
                break
        else:
            s += np.sum(a[i] ** 2)
            continue
        s += a[i, j] ** 3
    return s + a[2, 3]


@program(positive(3, 3), jit=True)
def return_from_nested_loops(a):
    p = 1.0
    for i in range(3):
        for j in range(3):
            p = p * a[i, j] + 0.3
            if i == 1 and j == 1:
                return p * a[i, j]
    return p


@program(positive(), jit=True)
def return_in_while(x):
    n = 0
    while n < 100:
        x = x * 1.2
        if x > 3.0:
            return x**2
        n += 1
    return x


@program(positive(6), jit=True)
def break_after_update(x):
    w = 1.0
    for i in range(6):
        w = w * x[i]
        if i == 3:
            w = w + x[5]
            break
    return w * x[i]


@program(positive(6), jit=True)
def continue_before_and_after(x):
    s = 0.0
    c = 0
    for v in x:
        s += v
        if s < 1.5:
            continue
        c += 1
        if c % 2:
            s *= 0.9
            continue
        s = np.sqrt(s)
    return s * c + s


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def both_values_returned_early(x, y):
    for a, b in zip(x, y):
        if a * b > 2.5:
            return a - b
        if a > 2.0:
            continue
        x = x * np.cos(b)
    return x @ y


@program(positive(4), jit=True)
def unreachable_tail(x):
    s = np.sum(x**2)
    if s > 0.0:
        return s * x[0]
    s = s * 3.0
    for v in x:
        s += v
    return s


@program(positive(4), jit=True)
def array_state_with_break(x):
    y = x
    for k in range(10):
        y = y + 0.2 * np.sin(y) * x
        if np.sum(y) > 6.0:
            break
    return np.sum(y * y) * (k + 1)


@program(positive(4), jit=True, second=True)
def inplace_with_continue(x):
    y = np.zeros(4)
    for i in range(4):
        y[i] = x[i] ** 2
        if i == 0:
            continue
        y[i] += y[i - 1] * x[i]
        if y[i] > 4.0:
            break
        y[i - 1] *= 0.5
    return np.sum(y)


@program(positive(5), jit=True)
def first_index_above(x):
    s = 0.0
    for i, v in enumerate(x):
        s += v
        if s > 2.0:
            break
    left = s - v
    return (2.0 - left) / v + i + left * 0.1


@program(positive(3), jit=True)
def return_in_else_of_loop(x):
    s = 0.0
    for v in x:
        if v > 9.0:
            break
        s += v * v
    else:
        return s * x[0]
    return s


@program(positive(3))
def return_inside_with(x):
    with np.errstate(divide="ignore"):
        y = np.log(x)
        if y.size == 3:
            return np.sum(y * x)
    return np.sum(y)


@program(normal(5), 1e-2, jit=True)
def converge_or_give_up(b, tol):
    x = np.zeros(5)
    for it in range(50):
        new = 0.4 * np.roll(x, 1) + 0.1 * x * x + 0.1 * b
        if it >= 3 and np.max(np.abs(new - x)) < tol:
            x = new
            break
        x = new
    else:
        return np.sum(x)
    return np.sum(x**2)


def _first_above(x, limit):
    for v in x:
        if v > limit:
            return 2.0 * v


def _twice_if_large(v):
    if v > 0.9:
        return 2.0 * v


@program(positive(5), second=True)
def helper_may_fall_off_its_end(x):
    s = 0.0
    found, missed = _first_above(x, 0.6), _first_above(x, 9.0)
    if found is not None:
        s += found**2
    s += 3.0 * x[0] if missed is None else missed
    for v in x:
        large = _twice_if_large(v)
        if large is None:
            continue
        s += large**2
    return s


def _search(x, limit):
    s = 1.0
    for _ in range(3):
        for v in x:
            if v > limit:
                return v * s
            s = s * 1.1
        else:
            s = s + x[0]
            continue
        s = s + 100.0
    return s


@program(positive(4), second=True)
def else_of_a_loop_that_returns(x):
    return _search(x, 9.0) + _search(x, 0.7) ** 2


@program(positive(4))
def return_beside_break_and_else(x):
    s = 0.0
    for v in x:
        for w in x:
            if w > 1.5 * v:
                break
            if w > 3.0:
                return s + w
        else:
            s = s + v
    return s * s


def _tail_from_first_above(x, limit):
    for k in range(3):
        if x[k] > limit:
            return 2.0 * x[k:]


@program(positive(5), second=True)
def array_or_nothing_from_a_search(x):
    found, missed = _tail_from_first_above(x, 0.6), _tail_from_first_above(x, 9.0)
    s = 0.0
    if found is not None:
        s += (found**2).sum()
    return s + (3.0 * x[0] if missed is None else missed.sum())


@program(positive(5), True, jit=True, second=True)
def left_by_known_flags_in_branches(x, stop):
    def first(values):
        for v in values:
            if v > 0.8:
                if stop:
                    return v
            elif stop:
                return v**2
        return values[4]

    total = first(x) * first(x[::-1])
    for v in x:
        total += v**3
        if v > 1.0:
            if stop:
                break
            total += 1.0
        else:
            total *= 2.0
            if stop:
                continue
            total *= 3.0
        total += v**2
    for v in x:
        total += v**3
        with np.errstate(over="ignore"):
            if stop:
                break
        total += v**2
    return total


def _part_of(x, k):
    if x[0] > 0.2:
        if x[1] < x[k]:
            return x[1:] * x[0]
        if x[2] < -0.4 or x[k] > 0.1:
            if 0.0 < x[2] < 5.7:
                return np.sin(x[: k + 1])
    return x[::-1] ** 2


@program(positive(4), 0.5, wrt=(0, 1), second=False, jit=True)
def returns_deep_in_branches(x, a):
    d = {"u": 0.4, "v": a}
    k = int(5.1 * a) % 3
    total = np.sum(_part_of(x, 0)) + np.sum(_part_of(x, k) ** 2) + np.sum(_part_of(-x, 1))
    if x[0] > 0.1:
        if x[k] < x[1] - 4.0:
            return x[1] * x[k]
        if x[1] < -0.4 or x[2] > 0.1:
            if 5.0 < x[2] < 6.7:
                return d["u"] * x[k] + x[3]
    return total + d["v"] * np.sum(x) * 0.7

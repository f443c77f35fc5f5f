"""What random programs found, shrunk: aliases, views and saved values at awkward places."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(3))
def overlapping_difference_added(x):
    x[:2] += x[1:] - x[:-1]
    return np.sum(x * np.arange(3.0))


@program(normal(3), normal(3), wrt=(0, 1))
def copy_taken_before_the_write(x, y):
    rows = [x * 1.0]
    x += 0.45 * y
    z = rows[0]
    return np.sum(z * y) + np.sum(x)


@program(normal(3, 3), normal(3), wrt=(0, 1))
def row_kept_after_its_loop(m, y):
    for z in m:
        pass
    m[:, 0] *= 0.9 * y
    m[2, -1] += y[0]
    return np.sum(z * y)


@program(normal(3), normal(3), wrt=(0, 1))
def alias_through_a_tuple(x, y):
    q = (0.3, x)
    w, x = q[1], x
    w *= y
    return np.sum(x * y) + np.sum(w)


@program(normal(3), 2)
def recursion_on_a_view_written_later(x, n):
    z = 0.5 * x
    t = _shrinking(z[::-1], 1.0, n)
    np.copyto(z, x * x)
    return t + np.sum(z)


def _shrinking(x, a, k):
    if k == 0:
        return a * x[0]
    return 0.6 * _shrinking(0.8 * x, x[1], k - 1) + a * x[1] * x[2]


@program(normal(3), positive())
def list_or_default(x, a):
    parts = [v * a for v in x if v > 1e3] or [a * x[0]]
    return parts[0] ** 2 + sum(parts)


@program(positive(), 3)
def filtered_list_in_while(a, n):
    s = 0.9 * a
    parts = [a, -a]
    while n > 0:
        n -= 1
        parts = [s * e for e in parts if e > 1e-6] or [s]
    return sum(parts) * s


@program(positive(), 3)
def return_in_a_while(a, n):
    s = 0.9 * a
    while n > 0 and s > 0.05:
        n -= 1
        s = 0.9 * s
        if s < 0.8 * a:
            return s * s + s
    return s * 1.3


@program(positive(3), 2)
def view_rebound_then_written(y, n):
    x = y * 2.0
    for i in range(n):
        x = y
    x = x + 0.0
    x += 0.45 * y
    return np.sum(x**2)


@program(normal(3), normal(3), wrt=(0, 1))
def swapped_argument_names_written(x, y):
    x, y = y, x
    x += 0.5 * y
    y[0] = x[1]
    return np.sum(x**2) + np.sum(y)


@program(normal(3, 3))
def transposed_name_written(m):
    m = m.T
    m[0] = 0.5 * m[1] * m[2]
    m = m.T
    m[:, 1] *= m[:, 0]
    return np.sum(m**2)


@program(normal(3))
def sum_output_written_over_its_input(x):
    np.sin(x, out=x)
    y = x[1:]
    np.add.at(x, [0, 2, 2], 0.5 * x)
    return np.sum(y * y) + x[0]


@program(normal(3))
def sorted_in_place_then_viewed(x):
    p = x[1:]
    x.sort()
    p[0] *= 2.0
    return np.sum(x * np.array([1.0, 2.0, 3.0])) + p[1]


@program(positive(3), 2)
def recursion_with_a_branch_in_a_loop(x, n):
    return _halving(x, x[2] * 0.5, n)


def _halving(x, a, k):
    s = 0.3 * a
    if k == 0:
        return a * x[0]
    for i in range(k):
        if x[i] > 0.137:
            s = 0.9 * s * x[i]
    return 0.6 * _halving(0.8 * x, s, k - 1) + a * x[1]


@program(positive(), 4)
def recursion_from_a_constant(x, n):
    return _horner(x, 1.0, n)


def _horner(x, accumulated, n):
    if n == 0:
        return accumulated
    return _horner(x, accumulated * x + n, n - 1)


@program(normal(3), 2)
def recursion_argument_written_later(x, n):
    z = 0.5 * x
    t = _plain_recursion(z, x[1], n)
    z -= 0.3 * x * x
    return t + np.sum(z)


@program(normal(3), positive(), 2, wrt=(0, 1))
def argument_named_like_the_callees(x, a, n):
    s = a * a
    t = _plain_recursion(x, x[2], n)
    return s * t + a


def _plain_recursion(x, a, k):
    if k == 0:
        return a * x[0]
    return 0.6 * _plain_recursion(0.8 * x, 0.3 * a, k - 1) + a * x[1]


@program(normal(2, 3), normal(3), wrt=(0, 1), jit=True)
def sums_over_rows_beside_other_vectors(x, y):
    z = np.sin(x) * y + x / (2.0 + y * y)
    z = z - 0.5 * y
    return np.sum(z * z)


@program(normal(3, 3), second=True)
def rows_replaced_by_their_own_values(a):
    m = a.copy()
    for k in range(2):
        m[k + 1] = m[k + 1] - m[k + 1, k] * m[k]
    return np.sum(m**3)


@program(normal(3, 3), second=True)
def diagonal_of_what_a_loop_divided(a):
    m = a.copy()
    for i in range(1, 3):
        m[i, i] /= m[0, 0]
    return np.prod(np.diag(m))


@program(normal(3, 3), second=True)
def rows_swapped_in_a_loop(a):
    m = a.copy()
    for k in range(2):
        m[[k, k + 1]] = m[[k + 1, k]]
        m[k + 1] *= m[k]
    return np.sum(m[2] ** 2 * m[0])


@program(normal(6))
def item_popped_on_one_path_only(x):
    goals = [0.5, 1.0, -0.4]
    place = cost = 0.0
    for v in x:
        place = place + v
        goal = goals[0]
        cost += (place - goal) ** 3
        if cost < 3.0 and len(goals) > 1:
            goals.pop(0)
    return cost


def _power(x, n, scale):
    if n == 0:
        return scale * np.ones_like(x)
    return _power(x, n - 1, scale) * x


@program(normal(3), 3)
def recursion_with_several_kinds_of_arguments(x, n):
    outer = _power(np.outer(x, x), n, x[2])
    return np.sum(_power(x, n, 2.0)) + _power(x[0], n, 1.5) * x[1] + np.sum(outer)


def _even(x, n):
    return x if n == 0 else _odd(np.sin(x), n - 1)


def _odd(x, n):
    return x * x if n == 0 else _even(x + 1.0, n - 1)


@program(normal(3), 3)
def functions_that_call_each_other(x, n):
    return np.sum(_even(x, n)) + _odd(x[0], n + 1)


@program(normal(3), normal(3), wrt=(0, 1))
def joined_number_used_again(x, y):
    first = x[0] * y[1]
    joined = np.hstack([first, x, y[2]])
    return np.sum(joined[::-1] * np.hstack([y, first, first**2])) * first


@program(np.array([0.5, -0.4, 0.9]), second=True)
def chosen_entries_into_part_of_a_buffer(y):
    w = np.zeros(3)
    w[1:] = np.sin(y[y > 0.1])
    return np.sum(w) * 0.7 + np.sum(y**2)

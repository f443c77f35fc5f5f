"""`for` loops: every iterable, any step, zero trips, nesting, `else`, the variable afterwards."""

import itertools

import numpy as np

from programs.registry import normal, positive, program


@program(normal(5), jit=True, second=True)
def range_stop(x):
    total = 0.0
    for i in range(5):
        total += np.sin(x[i]) * (i + 1)
    return total


@program(normal(6), jit=True, second=True)
def range_start_stop(x):
    total = 1.0
    for i in range(2, 6):
        total = total * np.tanh(x[i]) + x[i - 2]
    return total


@program(normal(7), jit=True)
def range_step(x):
    total = 0.0
    for i in range(0, len(x), 3):
        total += x[i] ** 3
    return total


@program(normal(6), jit=True, second=True)
def range_negative_step(x):
    acc = 0.5
    for i in range(len(x) - 1, -1, -1):
        acc = acc * x[i] + np.cos(acc)
    return acc


@program(normal(8), jit=True)
def range_negative_step_two(x):
    acc = 0.0
    for i in range(7, 0, -2):
        acc += x[i] * x[i - 1]
    return acc


@program(normal(6), 2, 5, 1, jit=True)
def range_from_arguments(x, start, stop, step):
    acc = 1.0
    for i in range(start, stop, step):
        acc = np.exp(-acc) + x[i] * acc
    return acc


@program(normal(5, 5), jit=True, second=True)
def dependent_bounds(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(i + 1, a.shape[1]):
            s += a[i, j] * a[j, i] * s + a[i, j]
    return s


@program(normal(4, 4), jit=True)
def triple_nest(a):
    s = 0.0
    for i in range(4):
        for j in range(i):
            for k in range(j, i):
                s += a[i, j] * a[j, k] + np.sin(a[k, i])
    return s + a[0, 0]


@program(normal(4), 0, jit=True)
def zero_trips(x, n):
    y = x[0] * 2.0
    for i in range(n):
        y = y * x[i + 1]
    return y * x[3]


@program(normal(4), 0, jit=True)
def zero_trips_array(x, n):
    y = x * x
    for _ in range(n):
        y = np.sin(y)
    return np.sum(y)


@program(normal(4), 5, jit=True, second=True)
def array_state(x, steps):
    y = x
    for _ in range(steps):
        y = np.tanh(y) + 0.1 * x
    return np.sum(y**2)


@program(normal(4, 3), normal(3), wrt=(0, 1), jit=True)
def over_rows(a, w):
    s = 0.0
    for row in a:
        s += np.tanh(row @ w)
    return s


@program(normal(6), jit=True, second=True)
def over_elements(x):
    s = 0.0
    p = 1.0
    for v in x:
        p = p * np.cos(v)
        s += p
    return s


@program(normal(5), jit=True, second=True)
def over_list(x):
    s = 0.0
    for v in [x[0], x[2] * 3.0, x[4] ** 2]:
        s += np.sin(v) * v
    return s


@program([normal(3), normal(3), normal(3)], second=True)
def over_argument_list(xs):
    h = np.zeros(3)
    for x in xs:
        h = np.tanh(h * 0.5 + x)
    return h.sum()


@program((normal(), normal(), normal()), jit=True)
def over_tuple(values):
    s = 0.0
    for v in values:
        s = s * v + v * v
    return s


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def over_zip(x, y):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b + np.sin(a - b) * s
    return s


@program(normal(4), [0.5, -1.0, 2.0], normal(5), wrt=(0, 2))
def over_zip_uneven(x, coefficients, z):
    s = 0.0
    for a, c, b in zip(x, coefficients, z):
        s += c * a * b**2
    return s


@program(normal(5), jit=True, second=True)
def over_enumerate(x):
    s = 0.0
    for i, v in enumerate(x):
        s += v ** (i + 1) / (i + 1)
    return s


@program([normal(2), normal(2)])
def over_enumerate_start(xs):
    s = 0.0
    for k, v in enumerate(xs, start=1):
        s += k * np.sum(np.sin(v))
    return s


@program(normal(5))
def over_reversed_array(x):
    h = 0.0
    for v in reversed(x):
        h = np.tanh(h + v)
    return h


@program(normal(5))
def over_reversed_range(x):
    h = 1.0
    for i in reversed(range(1, 5)):
        h = h * x[i] + x[i - 1]
    return h


@program(normal(4), jit=True)
def over_reversed_slice(x):
    h = 0.2
    for v in x[::-1]:
        h = np.sin(h * v) + v
    return h


@program({"a": normal(3), "b": normal(3), "c": normal(3)}, second=True)
def over_dict_items(params):
    s = 0.0
    for name, value in params.items():
        weight = 2.0 if name == "b" else 1.0
        s += weight * np.sum(value**2) * (1.0 + s)
    return s


@program({"a": normal(), "b": normal()})
def over_dict_values(params):
    s = 1.0
    for value in params.values():
        s = s * value + np.exp(value)
    return s


@program({"u": normal(2), "v": normal(2)}, {"u": 0.3, "v": -1.2})
def over_dict_keys(params, scales):
    s = 0.0
    for key in params:
        s += scales[key] * np.sum(np.cos(params[key]))
    return s


@program(normal(5), jit=True)
def loop_variable_afterwards(x):
    s = 0.0
    for i in range(3):
        s += x[i]
    return s * x[i] + x[i + 1] ** 2


@program(normal(5), jit=True)
def element_variable_afterwards(x):
    s = 0.0
    for v in x:
        s += v * v
    return s * v


@program(normal(5), jit=True)
def loop_variable_rebound(x):
    s = 0.0
    for i in range(4):
        i = i + 1
        s += x[i] * i
    return s * i + s**2


@program(normal(5), jit=True)
def element_rebound(x):
    s = 0.0
    for v in x:
        v = v * 2.0
        v = np.sin(v)
        s += v * s + v
    return s


@program(normal(5), jit=True)
def for_else_taken(x):
    s = 0.0
    for i in range(5):
        if x[i] > 100.0:
            break
        s += x[i] ** 2
    else:
        s = s * 3.0 + x[0]
    return s


@program(positive(5), jit=True)
def for_else_skipped(x):
    s = 0.0
    for i in range(5):
        s += x[i] ** 2
        if i == 3:
            break
    else:
        s = s * 3.0
    return s


@program(normal(3, 4), jit=True, second=True)
def nested_rows_and_elements(a):
    out = 0.0
    for row in a:
        inner = 1.0
        for v in row:
            inner = inner * np.cos(v)
        out += inner**2
    return out


@program(normal(5), 3, jit=True)
def shadow_loop_name(x, n):
    s = 0.0
    for i in range(n):
        s += x[i]
    for i in range(n + 1):
        s = s * 0.9 + x[i] ** 2
    return s


@program(normal(4), jit=True)
def inner_loop_state_reset(x):
    total = 0.0
    for i in range(4):
        p = 1.0
        for j in range(i + 1):
            p *= x[j]
        total += p
    return total


@program(normal(6), jit=True)
def two_carried(x):
    a, b = 0.0, 1.0
    for v in x:
        a, b = b * np.sin(v), a + v
    return a * b


@program(normal(4), normal(4, 4), wrt=(0, 1), jit=True)
def power_iteration(v, m):
    for _ in range(4):
        v = m @ v
        v = v / np.linalg.norm(v)
    return v @ (m @ v)


@program(normal(3), jit=True)
def polynomial_list_of_tuples(x):
    terms = [(1.0, 2), (0.5, 3), (-2.0, 1)]
    s = 0.0
    for coefficient, power in terms:
        s += coefficient * np.sum(x**power)
    return s


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def zip_enumerate_nested(x, y):
    s = 0.0
    for k, (a, b) in enumerate(zip(x, y)):
        s += (k + 1) * a * np.exp(0.3 * b)
    return s


@program(normal(6), jit=True)
def range_of_len_slice(x):
    s = 0.0
    for i in range(len(x[1:])):
        s += (x[i + 1] - x[i]) ** 2 * (1.0 + s)
    return s


@program(normal(3, 3), jit=True)
def over_transposed_rows(a):
    s = 0.0
    for column in a.T:
        s += np.prod(column) + column[0] * s
    return s


@program(normal(4), "forward")
def direction_flag(x, direction):
    order = range(len(x)) if direction == "forward" else range(len(x) - 1, -1, -1)
    s = 0.1
    for i in order:
        s = np.sin(s) + x[i] * s
    return s


@program(normal(5), [3, 1, 4, 1])
def index_list(x, order):
    s = 1.0
    for i in order:
        s = s * x[i] + x[i]
    return s


@program(normal(6), np.array([5, 0, 2, 2]), jit=True)
def index_array(x, order):
    s = 1.0
    for i in order:
        s = np.tanh(s + x[i] * s)
    return s


@program(normal(2, 3, 2), jit=True)
def over_matrices(stack):
    m = np.eye(2)
    for i in range(stack.shape[1]):
        m = m @ stack[:, i, :]
    return np.trace(m)


@program(positive(5), 0.0, jit=True)
def float_counter(x, t):
    s = 0.0
    for v in x:
        t = t + 0.25
        s += v * np.exp(-t * v)
    return s


@program(normal(5), jit=True)
def accumulate_and_max(x):
    best = -np.inf
    running = 0.0
    for v in x:
        running = 0.7 * running + v
        if running > best:
            best = running
    return best * 2.0 + running**2


@program(normal(5), second=True)
def counted_beside_others(x):
    s = 0.0
    for i, v in zip(itertools.count(2), x):  # noqa: B905
        s += i * v * v
    for (i, v), k in zip(enumerate(x[:-1], 1), itertools.count()):  # noqa: B905
        s += i * v * v * k
    for i, v in zip(itertools.count(3), [x[0], x[1] ** 2]):  # noqa: B905
        s += i * v
    return s**2


@program(normal(6), second=True)
def beside_what_has_no_end(x):
    total = x[0]
    for (a, b), w in zip(itertools.cycle([(1, x[1]), (2, 3.0)]), x, strict=False):
        total = total * 0.5 + a * b * w
    for i, (v, one) in enumerate(zip(x, itertools.repeat(x[2]), strict=False)):
        total += v * one * i
    return total + sum(a * b for a, b in zip(itertools.cycle(x[:2]), x, strict=False))

"""List, dict and generator comprehensions, and what consumes them."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4), jit=True, second=True)
def list_comprehension(x):
    values = [v * v for v in x]
    return values[0] * values[3] + sum(values)


@program(normal(6), jit=True)
def filtered(x):
    positives = [v for v in x if v > 0.0]
    others = [v**2 for v in x if not v > 0.0]
    return sum(positives) * 2.0 + sum(others)


@program(normal(3, 2), jit=True)
def nested_comprehension(a):
    table = [[np.sin(a[i, j]) for j in range(2)] for i in range(3)]
    return table[0][1] * table[2][0] + table[1][1]


@program(normal(2, 3))
def two_loops(a):
    products = [a[0, i] * a[1, j] for i in range(3) for j in range(3) if i != j]
    return sum(p**2 for p in products)


@program(normal(4), second=True)
def generator_in_sum(x):
    return sum(v**3 for v in x) + sum(x[i] * x[i + 1] for i in range(3))


@program(normal(4))
def generator_in_max(x):
    return max(v * v for v in x) + min(np.sin(v) for v in x)


@program({"a": normal(2), "b": normal(3)})
def dict_comprehension(params):
    squares = {name: np.sum(value**2) for name, value in params.items()}
    return squares["a"] * squares["b"]


@program({"a": normal(2), "b": normal(2)}, {"a": normal(2), "b": normal(2)}, wrt=(0, 1))
def dict_step(params, velocity):
    params = {k: params[k] - 0.1 * velocity[k] * params[k] for k in params}
    return sum(np.sum(v**2) for v in params.values())


@program(normal(3), normal(3), wrt=(0, 1))
def zip_comprehension(x, y):
    return np.sum(np.array([a * b + np.cos(a) for a, b in zip(x, y)]) ** 2)


@program(normal(4), jit=True)
def conditional_in_comprehension(x):
    y = np.array([v if v > 0 else 0.1 * v * v for v in x])
    return np.sum(y * x)


@program(normal(3, 4))
def stacked_comprehension(a):
    rows = np.stack([row / (1.0 + row @ row) for row in a])
    return np.sum(rows**2)


@program(normal(4), jit=True)
def enumerate_comprehension(x):
    return sum([(i + 1) * v for i, v in enumerate(x) if i != 2]) ** 2


@program(normal(3), jit=True)
def comprehension_variable_is_local(x):
    v = x[0]
    squares = [v * v for v in x]
    return v * squares[2]


@program(normal(3), jit=True)
def captures_outer(x):
    scale = np.sum(x)
    shift = x[0]
    return sum([scale * v + shift for v in x]) ** 2


@program(normal(4), jit=True)
def comprehension_in_loop(x):
    y = list(x)
    for _ in range(3):
        y = [0.5 * (y[i - 1] + y[i]) ** 2 for i in range(4)]
    return y[0] + y[2] * y[3]


@program(normal(4))
def set_of_indices(x):
    s = 0.0
    for i in sorted({k % 3 for k in range(7)}):
        s += x[i] ** 2 * (i + 1)
    return s


@program(normal(3))
def any_all_generators(x):
    if all(abs(v) < 100.0 for v in x) and not any(v > 100.0 for v in x):
        return np.sum(x**2)
    return np.sum(x)


@program(normal(2, 2), normal(2, 2), wrt=(0, 1))
def matmul_by_hand(a, b):
    c = [[sum(a[i][k] * b[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
    return c[0][0] * c[1][1] - c[0][1] * c[1][0] ** 2


@program(normal(3))
def walrus_in_comprehension(x):
    values = [s * s for v in x if (s := np.sin(v)) > -2.0]
    return values[0] * values[1] + values[2]


@program([normal(2, 2), normal(2, 2)], normal(2))
def function_of_comprehension(weights, x):
    outputs = [np.tanh(w @ x) for w in weights]
    return np.concatenate(outputs) @ np.hstack(outputs[::-1])


@program(positive(3))
def tuple_of_generator(x):
    a, b, c = tuple(np.log(v) for v in x)
    return a * b * c + a

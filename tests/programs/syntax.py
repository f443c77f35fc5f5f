"""Less common syntax: star expressions, nested targets, slices of lists, conditional calls."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(3))
def star_in_literals(x):
    a = [x[0], x[1]]
    b = (*a, x[2] * 2.0)
    c = [*b, *a]
    d = {**{"p": c[3]}, "q": c[2]}
    return d["p"] * d["q"] + c[4] ** 2 + b[0]


@program(normal(3), normal(3), wrt=(0, 1))
def star_in_calls(x, y):
    return np.sum(np.stack([*[x, y], x * y])) * max(*x, 0.1) + np.hypot(*x[:2])


@program(normal(3), jit=True)
def nested_loop_targets(x):
    items = [((0, 1.0), x[0]), ((1, 2.0), x[1] * x[2])]
    s = 0.0
    for k, ((i, w), v) in enumerate(items):
        s += w * v * x[i] * (k + 1)
    return s


@program(normal(4))
def starred_loop_target(x):
    s = 0.0
    for head, *rest in [[x[0], x[1], x[2]], [x[3], x[0]]]:
        s += head * sum(rest)
    return s


@program({"a": normal(2), "b": normal(2)})
def enumerate_items(params):
    s = 0.0
    for k, (name, value) in enumerate(params.items()):
        s += (k + 1) * len(name) * np.sum(value**2)
    return s


@program(normal(4), jit=True)
def loop_into_element(x):
    y = np.zeros(4)
    v = [0.0]
    for v[0] in x:
        y[1] += v[0] ** 2
    return y[1] * v[0]


@program(normal(4), jit=True)
def unpack_into_elements(x):
    y = np.zeros(4)
    y[0], y[1:3] = x[1] ** 2, x[2:]
    (y[3], s) = x[0] * x[1], np.sum(x)
    return np.sum(y * y) * s


@program(normal(4), jit=True)
def list_slice_assignment(x):
    values = [x[0], x[1], x[2], x[3]]
    values[1:3] = [x[0] * x[3]]
    values[:1] = [x[2], x[2] ** 2]
    return values[0] * values[1] + values[2] * values[3]


@program(normal(4), jit=True)
def list_sort_method(x):
    values = [x[0], x[1], x[2] * x[3]]
    values.sort()
    values.sort(key=lambda v: -v)
    return values[0] * 3.0 + values[1] * values[2]


@program(normal(4), jit=True)
def list_multiplication(x):
    row = [x[0]] * 3
    row[1] = x[1]
    table = [[0.0] * 2 for _ in range(2)]
    table[1][0] = row[0] * row[1]
    table[0][1] += row[2] * x[2]
    return table[1][0] + table[0][1] + table[0][0]


@program(normal(3), jit=True)
def dict_pop_and_setdefault(x):
    d = {"a": x[0] * x[1]}
    a = d.pop("a")
    b = d.setdefault("b", x[2])
    c = d.setdefault("b", 100.0)
    e = d.pop("missing", x[0])
    return a * b + c * e + len(d)


@program(normal(3))
def dict_delete(x):
    d = {"a": x[0], "b": x[1]}
    d["c"] = d["a"] * d["b"]
    del d["a"]
    return sum(d.values()) * x[2] + (1.0 if "a" in d else x[0] ** 2)


@program(normal(3))
def dict_of_lists(x):
    groups = {}
    for i, v in enumerate(x):
        groups.setdefault(i % 2, []).append(v * v)
    return sum(groups[0]) * groups[1][0]


@program(normal(4))
def defaultdict_totals(x):
    from collections import defaultdict

    totals = defaultdict(float)
    for i, v in enumerate(x):
        totals[i // 2] += v**2
    return totals[0] * totals[1]


@program(normal(3))
def itertools_products(x):
    import itertools

    s = 0.0
    for a, b in itertools.combinations(x, 2):
        s += a * b * s + a - b
    for i, j in itertools.product(range(2), range(2)):
        s += x[i] * x[j + 1]
    return s


@program(normal(3))
def conditional_call(x):
    y = (np.sin if x[0] < 100.0 else np.cos)(x)
    z = (lambda v: v * v)(y)
    return np.sum(z)


@program(normal(3), jit=True)
def string_keys_built(x):
    d = {}
    for i in range(3):
        d[f"w{i}"] = x[i] * (i + 1)
    return d["w0"] * d["w1"] + d["w" + str(2)] ** 2


@program(normal(3))
def tuple_comparison_and_unpacking(x):
    shape = x.shape
    if shape == (3,) and shape != (4,) and x.dtype == float:
        (n,) = shape
        return np.sum(x**2) / n
    return np.sum(x)


@program(normal(3), 1, jit=True)
def integer_power_chain(x, k):
    return np.sum(x ** (2 * k + 1)) + (-1) ** k * np.sum(x**2) + 2**k * x[0]


@program(normal(3), jit=True)
def chained_methods_and_index(x):
    return (x.reshape(3, 1) @ x.reshape(1, 3))[1:, ::2].sum(axis=0)[-1] ** 2 + (x * x)[0]


@program(positive(), jit=True)
def scalar_only_if_chain(x):
    y = 1.0
    if x > 0.2:
        y *= x
    if x > 0.3 and y > 0.1:
        y += x**2
    elif y < 0:
        y -= 1.0
    if not (y < 0 or x < 0):
        y = y**1.5
    return y


@program(normal(5), jit=True)
def break_in_else_of_inner(x):
    s = 0.0
    for i in range(5):
        for j in range(i):
            if x[j] > 50.0:
                break
            s += x[i] * x[j]
        else:
            if i == 3:
                break
            continue
    return s * x[i]


@program(normal(4), jit=True)
def early_return_of_tuple_helper(x):
    value, flag = _signed(x[0] * x[1])
    return value * x[2] if flag else value * x[3]


def _signed(v):
    if v > 0:
        return v, True
    return -v * 2.0, False


@program(normal(3), jit=True)
def none_then_array(x):
    best = None
    for i in range(3):
        candidate = x * (i + 1)
        if best is None or np.sum(candidate**2) > np.sum(best**2):
            best = candidate
    return np.sum(np.sin(best))


@program(normal(3), jit=True)
def optional_accumulator(x):
    total = None
    for v in x:
        total = v * v if total is None else total * 0.5 + v
    return total


@program(normal(4), jit=True)
def state_machine(x):
    state = "start"
    s = 0.0
    for v in x:
        if state == "start":
            s += v
            state = "middle"
        elif state == "middle":
            s *= v
            state = "end" if v < 0 else "start"
        else:
            s -= v**2
    return s + (1.0 if state == "end" else x[0])


@program(normal(3))
def lambda_with_default_and_star(x):
    f = lambda *args, scale=2.0: scale * sum(args)  # noqa: E731
    return f(x[0], x[1] * x[2]) * f(x[1], scale=x[0])


@program(normal(3), jit=True)
def local_function_shadowing(x):
    def sin(v):
        return v * v

    return np.sum(sin(x)) + np.sum(np.sin(x))


@program(normal(3), jit=True)
def matrix_literal_rows(x):
    a, b, c = x
    m = np.array([[a, b, c], [c, a, b], [b, c, a]])
    return np.linalg.det(m) + m[0] @ m[1]


@program(normal(3), jit=True)
def in_place_on_call_result(x):
    y = np.sin(x)
    y += 1.0
    z = np.square(y)
    z[0] *= y[1]
    z -= z.mean()
    return np.sum(z * x)


@program(normal(2, 3), jit=True)
def double_index_write(a):
    b = a * 1.0
    b[0][1] = b[1][2] * 3.0
    b[1][:2] += b[0][1:]
    return np.sum(b**2)


@program(normal(3))
def assert_walrus_and_print(x):
    assert (total := np.sum(x)) < 1e6
    print(f"{total=:.3f} {x.shape!s:>10} {[round(float(v), 2) for v in x]}")
    return total**2


@program(normal(3), jit=True)
def numeric_flags(x):
    use_square = 1
    use_sine = 0
    y = use_square * x**2 + use_sine * np.sin(x)
    return np.sum(y) if use_square and not use_sine else x[0]


@program(normal(4), jit=True)
def while_pop_list(x):
    pending = [v for v in x]
    s = 1.0
    while len(pending) > 1:
        a = pending.pop()
        b = pending.pop()
        pending.append(a * b + 0.1)
        s += pending[-1] * 0.5
    return s * pending[0]


@program(normal(5))
def order_of_values(x):
    sizes = [float(v) for v in np.abs(x)]
    order = sorted(range(5), key=lambda i: sizes[i])
    return x[order[0]] * x[order[4]] + np.sum(x**2)


@program(normal(2), 1)
def array_or_list(x, k):
    y = x if k > 0 else [x[0], x[1]]
    return np.sum(x * y)


@program(normal(2), 1)
def list_with_text(x, k):
    row = [x, "name", 3]
    return np.sum(x * row[0 if k > 0 else 2]) * row[2]


@program(normal(2), 1)
def dict_of_mixed_shapes(x, k):
    table = {0: x, 1: x[0] ** 2, 2: "text"}
    return np.sum(x * table[int(k)])


@program(normal(2))
def scalar_or_vector_parameter(x):
    return np.sum(x + _scaled(x * x, 1.5)) + np.sum(_scaled(x, np.array([2.0])))


def _scaled(x, k):
    return k * x if np.ndim(k) == 0 else k[0] * x


@program(normal(2), 1)
def dead_branch_would_fail(x, k):
    y = 2.0 * x if k > 0 else x.missing
    return np.sum(x * y)

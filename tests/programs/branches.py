"""`if`, conditional expressions, boolean operators, `is None`, flags, walrus, `match`."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4), jit=True)
def if_only(x):
    y = x[0] * x[1]
    if x[2] < 50.0:
        y = y * x[2]
    return y + x[3]


@program(-0.7, jit=True)
def if_else(x):
    if x > 0.0:
        y = np.exp(x)
    else:
        y = x * x * 3.0
    return y * x


@program(normal(6), jit=True, second=True)
def if_elif_else_in_loop(x):
    s = 0.0
    for v in x:
        if v > 0.8:
            s += v**2
        elif v > 0.0:
            s += np.sin(v) * 2.0
        elif v > -0.5:
            s = s * 0.5 - v
        else:
            s -= v * s
    return s


@program(normal(3), "cube")
def string_flag(x, kind):
    if kind == "square":
        y = x**2
    elif kind == "cube":
        y = x**3
    else:
        y = x
    return y.sum()


@program(normal(3), True, False, jit=True)
def bool_flags(x, scale, shift):
    y = x
    if scale:
        y = y * 3.0
    if not shift:
        y = np.sin(y)
    return y @ x


@program(normal(3), None)
def none_argument(x, bias):
    y = x * x
    if bias is None:
        bias = 0.5 * x
    return np.sum(y + bias)


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def not_none_argument(x, bias=None):
    y = x * x
    if bias is not None:
        y = y * bias
    return np.sum(y)


@program(normal(5), jit=True, second=True)
def conditional_expression(x):
    a = x[0] ** 2 if x[1] > -50.0 else x[2]
    b = x[3] if x[4] > 50.0 else np.cos(x[4])
    return a * b


@program(normal(6), jit=True)
def conditional_expression_in_sum(x):
    s = 0.0
    for v in x:
        s += v if v > 0 else 0.1 * v * v
    return s


@program(0.4, 0.6, wrt=(0, 1), jit=True)
def nested_conditional(x, y):
    return x * y if x > y else (y**2 if y > 0.5 else x**3) * x


@program(positive(3), jit=True)
def and_or(x):
    if x[0] > 0.0 and x[1] > 0.0:
        y = x[0] * x[1]
    else:
        y = x[2]
    if x[0] > 40.0 or x[2] > 0.1:
        y = y * x[2] ** 2
    return y


@program(normal(3), jit=True)
def not_operator(x):
    y = x
    if not (x[0] > 100.0):
        y = y * np.sin(y)
    return np.sum(y)


@program(0.5, jit=True)
def chained_comparison(x):
    if 0.0 < x < 1.0:
        y = x**2
    elif 1.0 <= x <= 2.0:
        y = x
    else:
        y = 0.0 * x
    if -1.0 < x != 3.0:
        y = y + np.log(x)
    return y


@program(positive(), None)
def or_default(x, scale):
    factor = scale or 2.5
    return factor * x * x


@program(positive(), 3.0, jit=True)
def and_value(x, scale):
    factor = scale and x
    return factor * x


@program(normal(4), second=True)
def walrus_in_if(x):
    if (n := np.sum(x * x)) > 1e-6:
        y = x / n
    else:
        y = x
    return np.sum(y**3) * n


@program(normal(4))
def walrus_in_expression(x):
    s = (t := np.sin(x[0] * x[1])) * t + t
    return s * x[2] + t * x[3]


@program(normal(3), "tanh")
def match_string(x, activation):
    match activation:
        case "relu":
            y = np.maximum(x, 0.0)
        case "tanh":
            y = np.tanh(x)
        case _:
            y = x
    return np.sum(y**2)


@program(normal(3), 2, jit=True)
def match_number(x, order):
    match order:
        case 1:
            y = np.sum(np.abs(x))
        case 2 | 4:
            y = np.sum(x**order)
        case None:
            y = 0.0
        case _:
            y = np.max(x)
    return y


@program(positive(), True, jit=True)
def match_guard(x, strict):
    match strict:
        case True if x > 0.0:
            return x**3
        case False:
            return x
        case _:
            return x**2


@program(normal(4), jit=True)
def bound_in_one_branch(x):
    if x[0] > -100.0:
        extra = x[1] * x[2]
    y = x[3] ** 2
    if x[0] > -100.0:
        y = y * extra
    return y


@program(normal(5), jit=True, second=True)
def bound_in_one_branch_in_loop(x):
    s = 0.0
    for i in range(5):
        if i == 0:
            previous = x[0]
        else:
            s += (x[i] - previous) ** 2
            previous = x[i] * 0.5 + 0.5 * previous
    return s


@program(normal(4))
def different_shapes_in_branches(x):
    if x.size > 3:
        y = np.outer(x, x)
    else:
        y = x
    return np.sum(np.sin(y))


@program(normal(4), jit=True)
def branch_on_shape(x):
    if x.ndim == 1:
        y = x[None, :]
    else:
        y = x
    return np.sum(y @ y.T)


@program(normal(4), {"order": 2, "center": True})
def config_dict(x, config):
    if config["center"]:
        x = x - np.mean(x)
    if config.get("order", 1) == 2:
        return np.sum(x**2 * np.arange(4))
    return np.sum(x)


@program(normal(3), jit=True)
def pass_branch(x):
    if x[0] > 1e3:
        pass
    else:
        x = x * 2.0
    return x @ x


@program(normal(5), jit=True)
def branch_assigns_many(x):
    if x[0] < 1e3:
        a, b = x[1], x[2] * x[3]
        c = a * b
    else:
        a = b = c = x[4]
    return a + b * c


@program(normal(6), jit=True)
def clamp_by_hand(x):
    y = np.zeros(6)
    for i in range(6):
        if x[i] > 1.5:
            y[i] = 1.5
        elif x[i] < -1.5:
            y[i] = -1.5
        else:
            y[i] = x[i] * (1.0 + x[i])
    return np.sum(y**2)


@program(positive(3), normal(3), wrt=(0, 1), jit=True)
def huber(scale, r):
    total = 0.0
    for k in range(3):
        d = abs(r[k])
        if d <= scale[k]:
            total += 0.5 * d**2
        else:
            total += scale[k] * (d - 0.5 * scale[k])
    return total


@program(normal(4), jit=True)
def in_operator(x):
    s = 0.0
    for i in range(4):
        if i in (0, 2):
            s += x[i] ** 2
        if i not in [1, 2]:
            s += np.sin(x[i])
    return s


@program(normal(4), jit=True)
def truth_of_container(x):
    parts = []
    if not parts:
        parts.append(x[0] * x[1])
    if parts:
        parts.append(parts[0] * x[2])
    return parts[0] + parts[1] * x[3]


@program(normal(3), 1.5, jit=True)
def isinstance_branch(x, scale):
    if isinstance(scale, float):
        x = x * scale
    else:
        x = x @ scale
    return np.sum(np.cos(x))


@program(normal(3), jit=True)
def any_all_conditions(x):
    if np.all(np.isfinite(x)) and not np.any(x > 1e6):
        x = x**2
    return np.sum(x)


@program(normal(5), jit=True)
def comparison_as_number(x):
    s = 0.0
    for v in x:
        s += (v > 0) * v**2 + (v <= 0) * 0.5 * v
    return s


@program(positive(3))
def number_or_array(x):
    total = np.sum(x)
    y = x[0]
    if total > 1e-3:
        y = x * 2.0
    return total + np.sum(y**2)


@program(positive(3))
def number_that_stays_one(x):
    y = x[0] * x[1]
    if np.sum(x) < 1e-3:
        y = x * 2.0
    return np.sum(x) + np.sum(y**2)


@program(positive(4))
def shorter_on_one_path(x):
    y = x * 1.0
    if np.sum(x) > 1e-3:
        y = x[1:] * 2.0
    return np.sum(x) + np.sum(y**2)


@program(positive(3))
def number_before_a_loop_of_arrays(x):
    y = x[0]
    for k in range(2):
        y = x * x[k]
    return np.sum(y**2)


@program(np.array([0.9, 0.5, -0.2, 0.7]), second=True)
def bound_on_some_paths(x):
    """An array and a list that one branch makes and another one changes."""
    c = 0
    if x[0] > 0.3:
        y = x * 2
        parts = [x[0] * x[3], x[1] * x[2]]
        for _ in range(2):
            parts.append(parts[-1] * parts[-2])
        c = 1 if x[1] > 0.2 else 2
    total = 0.0
    if c == 1:
        y[0] *= x[2]
        parts.append(x[3] ** 2)
        total = np.sum(y**2) + sum(parts)
        if x[2] > 0:
            parts[0] = x[2]
        else:
            total = total * parts[0]
    elif c == 2:
        y[1:] += x[3]
        total = y[1] * parts[1]
    return total * x[0]


def _made_on_some_paths(x):
    c = 0
    if x[0] > 0.3:
        y = [x[0], x[1] * x[2]]
        c = 1 if x[1] > 0.2 else 2
    t = x[3]
    if c == 1:
        y.append(x[3] ** 2)
        t = sum(y)
        if x[2] > 0:
            y[0] = x[2]
        else:
            t = t * y[0]
    elif c == 2:
        t = y[1]
    return t * x[0]


@program(np.array([0.9, 0.5, -0.2, 0.7]), second=True)
def list_made_on_some_paths(x):
    """Changed where the paths have met again: on some of them there is no list."""
    turned = x * np.array([1.0, -1.0, 1.0, 1.0])
    return _made_on_some_paths(x) + _made_on_some_paths(-x) + _made_on_some_paths(turned)


@program(np.linspace(-0.3, 1.4, 4), jit=True, second=True)
def truth_of_numbers(x):
    mask = x * np.array([0.0, 1.0, 0.0, 2.0])
    held = x[1]
    for _ in range(3):
        held = np.int64(3)
    s = 0.5 * x[2]
    s += held
    y = x * 1.0
    np.putmask(y, mask, x**2)
    s += np.sum(np.compress(mask, x) ** 2) + np.sum(np.extract(mask, y) * x[2])
    return np.sum(np.where(mask, x**3, y)) + s * (1.0 + np.any(mask))


def _of_two_or_more(v):
    if len(v) == 2:
        a, b = v
        return a * b**2
    return v @ v


@program(normal(4), jit=True, second=True)
def unpacked_on_a_path_of_another_length(x):
    pairs = sum(a * b for a, b in [x, 2.0 * x]) if x.shape[0] == 2 else x[1]
    return _of_two_or_more(x) * _of_two_or_more(x[1:3]) + pairs

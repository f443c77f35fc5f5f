"""Arrays that loops bind anew to what they compute from them: who else has the old one."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4, 3), normal(4, 3), wrt=(0, 1), jit=True)
def orbits_by_half_steps(x, v):
    for _ in range(5):
        r2 = np.sum(x * x, axis=1)
        v = v - 0.1 * x / (r2 + 0.1)[:, None]
        x = x + 0.1 * v
    return np.sum(x**2) + np.sum(v * x)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def begun_with_the_argument(x0, w):
    x = x0
    for k in range(4):
        x = x * w + 0.1 * np.sin(x)
    return np.sum(x * x0)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def begun_with_another_array(x, w):
    y = x * w
    z = y
    for k in range(3):
        z = z * w + k
        z = z - 0.5 * z * z
    return np.sum(z * y) + np.sum(y**2)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def the_old_one_is_read_later(x, w):
    total = 0.0
    for k in range(4):
        old = x
        x = x * w + 1.0
        total += np.sum(old * x)
        x = x - 0.1 * old
    return total + np.sum(x)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def the_old_one_is_kept_now_and_then(x, w):
    kept = x
    total = 0.0
    for k in range(6):
        if k % 2 == 0:
            kept = x
        x = x * w - 0.2 * x
        total += np.sum(kept * x) * k
    return total + np.sum(kept)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def kept_in_a_list_at_each_step(x, w):
    xs = [x]
    for k in range(4):
        x = x + 0.1 * w * x
        xs.append(x)
        x = x * 0.9
    return np.sum(np.stack(xs) ** 2)


@program(normal(6), positive(6), wrt=(0, 1), jit=True)
def a_part_of_the_old_one(x, w):
    total = 0.0
    for k in range(4):
        head = x[:3]
        x = x * w + 0.5
        total += np.sum(head * x[3:])
    return total


@program(normal(6), positive(6), wrt=(0, 1), jit=True)
def steps_that_read_neighbours(x, w):
    for k in range(4):
        x = x + 0.1 * (np.roll(x, 1) - x) * w
        x = np.concatenate((x[1:], x[:1] * 2.0)) + x
    return np.sum(x**2)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def steps_after_an_early_end(x, w):
    for k in range(6):
        x = x * w + 0.1
        if np.sum(x) > 3.0:
            continue
        x = x - 0.3 * x**2
        if np.sum(x**2) < 0.5:
            break
    return np.sum(x * w)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def two_that_are_one_at_first(x, w):
    a = x * 1.0
    b = a
    for k in range(3):
        a = a * w
        b = b + 0.1 * a
        b = b * 0.9 + k
    return np.sum(a * b)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def handed_to_a_helper_that_keeps_it(x, w):
    best = {"x": x}

    def seen(y):
        if np.sum(y) > np.sum(best["x"]):
            best["x"] = y

    for k in range(4):
        x = x * w + 0.2
        seen(x)
        x = x - 0.5 * x * x
    return np.sum(best["x"] ** 2) + np.sum(x)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def begun_with_an_array_that_it_writes(x, w):
    a = w * x
    old = a
    b = w
    for k in range(3):
        old += x - 0.1 * b
        old = b
        b = np.where(old > 0.2, b, old * w)
        old = old * w
    return np.sum(x * a) + np.sum(b * 0.3) + np.sum(old * x)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def scaled_by_a_number_in_a_loop(x, w):
    a = w * x
    b = a
    for k in range(4):
        b = b * 0.1
    return np.sum(x * a) + np.sum(b * 0.3)


@program(normal(3), positive(3), 1.3, wrt=(0, 1), jit=True)
def another_name_on_a_path_whose_lengths_are_known(x, y, a):
    u = np.concatenate([x, y])
    w = np.zeros(6)
    q = np.tanh(u + a)
    if 0.3 * a > 0.137:
        w = u
        for k in range(2, -1, -1):
            u = np.tanh(q)
            z = w[2:]
            z *= 0.6
    return np.sum(w) + np.sum(u * [0.4, 1.3, 0.7, 0.2, 0.9, 1.1])

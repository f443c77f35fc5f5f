"""Several corners at once: what goes wrong only in combination."""

from dataclasses import dataclass

import numpy as np

from programs.registry import normal, positive, program, using


@program({"w": normal(3), "b": normal(3)}, normal(3), wrt=(0, 1))
def arrays_in_dict_updated_in_place(params, g):
    params["w"] -= 0.1 * g * params["b"]
    params["b"][1:] *= params["w"][:-1]
    return np.sum(params["w"] ** 2) + np.sum(params["b"])


@program([normal(3), normal(3)])
def arrays_in_list_updated_in_place(parts):
    parts[0] += parts[1]
    parts[1][0] = parts[0][1] ** 2
    parts.append(parts[0])
    parts[2] *= 2.0
    return np.sum(parts[0] * parts[1])


@program([normal(2), normal(2)], 3)
def list_of_arrays_stepped(xs, steps):
    for _ in range(steps):
        for k in range(len(xs)):
            xs[k] = np.tanh(xs[k] + 0.5 * xs[k - 1])
    return sum(np.sum(v) for v in xs)


@dataclass
class Body:
    """Used as an argument whose arrays are written in place."""

    position: np.ndarray
    velocity: np.ndarray
    mass: float = 1.0


@program(using(lambda rng: Body(rng.normal(size=2), rng.normal(size=2), 1.3)))
def dataclass_argument_written(body):
    for _ in range(3):
        body.velocity -= 0.1 * np.sin(body.position) / body.mass
        body.position += 0.1 * body.velocity
    return np.sum(body.position**2) * body.mass


def _body(rng):
    return Body(rng.normal(size=2), rng.normal(size=2), rng.uniform(0.5, 1.5))


@program([using(_body), using(_body)])
def list_of_dataclasses(bodies):
    energy = 0.0
    for i, a in enumerate(bodies):
        energy += 0.5 * a.mass * np.sum(a.velocity**2)
        for b in bodies[:i]:
            d = a.position - b.position
            energy -= a.mass * b.mass / np.sqrt(d @ d + 0.5)
    return energy


@program(normal(4, 4), jit=True)
def in_place_loop_with_continue_and_alias(a):
    m = a.copy()
    for i in range(4):
        row = m[i]
        if i == 2:
            continue
        for j in range(4):
            if j == i:
                continue
            row[j] -= 0.3 * row[i] * m[j, i]
            if j == 3:
                break
        row *= 0.9
    return np.sum(m * a)


@program(normal(5), jit=True)
def while_with_inplace_and_list(x):
    y = x.copy()
    sizes = []
    k = 0
    while True:
        y[k] = np.sin(y[k - 1]) * y[k]
        sizes.append(np.sum(y**2))
        k += 1
        if k == 5:
            break
        if sizes[-1] > 1e3:
            return sizes[-1]
    return sizes[1] * sizes[4] + y[2]


@program(normal(3))
def recursion_with_inplace(x):
    buffer = np.zeros(3)

    def fill(i):
        if i < 0:
            return
        buffer[i] = x[i] * (buffer[i + 1] if i + 1 < 3 else 1.0)
        fill(i - 1)

    fill(2)
    return np.sum(buffer**2)


@program(normal(3), 2, jit=True)
def callee_with_loop_branch_and_return(x, n):
    total = 0.0
    for k in range(3):
        total += _damped(x, k, n) * (1.0 + total)
    return total


def _damped(x, k, n):
    y = x * 1.0
    for i in range(n):
        if k == 0:
            return np.sum(y)
        if k == 1 and i == 1:
            y[0] *= y[1]
            break
        y = np.cos(y) * x
    return y[k] ** 2 + y @ x


@program(normal(4))
def comprehension_of_calls_with_inplace(x):
    def shifted(v, k):
        out = v.copy()
        out[k:] += out[: len(v) - k] * 0.5
        return out

    rows = [shifted(x, k) for k in range(1, 4)]
    return np.sum(np.array(rows) ** 2)


@program(normal(3), jit=True)
def swap_in_branch_in_loop(x):
    a, b = x.copy(), 2.0 * x
    for k in range(4):
        if a[k % 3] < b[k % 3]:
            a, b = b, a
        a[k % 3] += 0.5 * b[(k + 1) % 3]
    return np.sum(a * x) - np.sum(b * b)


@program(normal(4), jit=True)
def alias_in_one_branch(x):
    y = x * 1.0
    for k in range(3):
        if k == 1:
            z = y
        else:
            z = y.copy()
        z[k] *= x[k + 1]
        y[k + 1] += z[k] ** 2
    return np.sum(y * z)


@program(normal(3, 3))
def list_of_row_views(a):
    m = a * 1.0
    rows = [m[i] for i in range(3)]
    rows[0] += rows[1]
    rows[2][:] = rows[0] * rows[1]
    rows.reverse()
    rows[0][1] = 0.0
    return np.sum(m**2)


@program(normal(3), 4)
def history_window(x, steps):
    history = [x]
    for t in range(steps):
        last = history[-1]
        before = history[-2] if len(history) > 1 else np.zeros(3)
        history.append(np.tanh(last - 0.3 * before))
        if len(history) > 3:
            history.pop(0)
    return sum(np.sum(h * (k + 1)) for k, h in enumerate(history))


@program(positive(3), jit=True)
def nested_functions_in_loops_with_break(x):
    def improve(guess, a):
        for _ in range(20):
            new = 0.5 * (guess + a / guess)
            if abs(new - guess) < 1e-13:
                return new
            guess = new
        return guess

    s = 0.0
    guess = 1.0
    for a in x:
        guess = improve(guess, a)
        s += guess * a
    return s


@program(normal(4), True)
def optional_work_array(x, reuse):
    work = None
    s = 0.0
    for k in range(3):
        if work is None or not reuse:
            work = np.zeros_like(x)
        work += x**k
        work[k] *= 2.0
        s += np.sum(work * x)
    return s


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def same_array_written_twice_in_step(x, y):
    u = x.copy()
    for v in y:
        u[0] = u[1] * v
        u[1] = u[0] + u[2]
        u[0] *= u[1]
        u[2] = np.sin(u[0])
    return np.sum(u)


@program(normal(6), jit=True)
def strided_views_interleaved(x):
    y = x.copy()
    even, odd = y[::2], y[1::2]
    for _ in range(3):
        even += 0.3 * odd
        odd -= 0.2 * even**2
    return np.sum(y * x)


@program(normal(4, 4), 2)
def multigrid_like(u, levels):
    total = 0.0
    for level in range(levels):
        coarse = 0.25 * (u[::2, ::2] + u[1::2, ::2] + u[::2, 1::2] + u[1::2, 1::2])
        u = np.repeat(np.repeat(coarse, 2, axis=0), 2, axis=1)[:4, :4] * u
        total += np.sum(coarse**2)
        if u.shape[0] < 4:
            break
    return total


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def broadcasting_in_place(x, y):
    m = np.zeros((3, 3))
    m += x
    m *= y[:, None]
    m[1:] -= x[0]
    m[:, 2] += np.sum(y)
    return np.sum(m**2)


@program(positive(3), jit=True)
def scalars_from_arrays_and_back(x):
    total = float(np.sum(x))
    y = np.array([total, x[0] / total])
    z = np.full(3, y[0]) * x
    z[1] = y[1]
    a = z.max()
    return a * z[1] + y @ y


@program(normal(3), 3, jit=True)
def rebinding_argument_in_loop(x, n):
    while n > 0:
        x = np.append(x, x[-1] * x[0])
        n -= 1
    return np.sum(x[3:] ** 2) + x.size * x[0]


@program(normal(2, 3), jit=True)
def loop_over_zip_of_views_writing(a):
    m = a * 1.0
    for top, weight in zip(m, [0.5, 2.0]):
        top *= weight
        top[0] = top[1] * top[2]
    for c, v in enumerate(m[1]):
        m[0, c] += v**2
    return np.sum(m**2)


@program(normal(4), jit=True)
def element_written_while_iterating(x):
    y = x * 1.0
    s = 0.0
    for i, v in enumerate(y):
        s += v * (i + 1)
        if i < 3:
            y[i + 1] += v**2
    return s * np.sum(y)


@program(normal(3), jit=True)
def returns_element_of_view(x):
    y = np.outer(x, x)
    d = y.T[1:]
    d[0, 1] = x[0]
    return d[0][1] * y[1, 1] + y[0, 1] * d[1, 0]


@program(normal(3))
def function_modifies_list_and_array(x):
    log = []

    def record(y, scale=2.0):
        y *= scale
        log.append(np.sum(y))
        return log

    y = x.copy()
    record(y)
    record(y[:2], scale=0.5)
    return log[0] * log[1] + y[0] * len(record(y))


@program(normal(3), {"rate": 0.1, "steps": 4, "clip": None, "mode": "momentum"})
def optimiser_with_settings(x, settings):
    velocity = np.zeros_like(x)
    for step in range(settings["steps"]):
        g = 2.0 * x + np.cos(x)
        if settings["clip"] is not None:
            g = np.clip(g, -settings["clip"], settings["clip"])
        match settings["mode"]:
            case "plain":
                x = x - settings["rate"] * g
            case "momentum":
                velocity = 0.8 * velocity - settings["rate"] * g
                x = x + velocity
    return np.sum(x**2 + np.sin(x))


@program(normal(3, 3), normal(3), wrt=(0, 1), jit=True)
def fixed_point_with_residual(a, b):
    x = np.zeros(3)
    residuals = []
    for it in range(25):
        new = np.tanh(0.2 * a @ x + b)
        residuals.append(np.sum((new - x) ** 2))
        x, old = new, x
        if residuals[-1] < 1e-16 and it > 5:
            break
    else:
        x = 0.5 * (x + old)
    return np.sum(x) + residuals[0]


@program(normal(4))
def everything_in_one_loop(x):
    y = np.zeros(4)
    seen = []
    s, last = 0.5, None
    for i, v in enumerate(x):
        if v > 5.0:
            break
        if i % 2 == 0 and last is not None:
            s = s * last if s < 3.0 else s - last
        elif i == 3:
            y[i] = s
            continue
        y[: i + 1] += v * np.sin(s)
        row = y[i:]
        row *= 1.0 + 0.1 * v
        last = np.sum(row) + v
        seen.append((i, last))
    else:
        s += sum(w * k for k, w in seen)
    return s * y[0] + np.sum(y**2)

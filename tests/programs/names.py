"""Names: rebinding, swapping, unpacking, `del`, globals, defaults, keywords, shadowed builtins."""

import numpy as np

from programs.registry import normal, positive, program

SCALE = 2.5
OFFSETS = np.array([0.1, -0.2, 0.3])
SETTINGS = {"gain": 1.5, "shape": (2, 2)}


@program(normal(4), jit=True, second=True)
def rebind_same_name(x):
    x = np.sin(x)
    x = x * x
    x = x + np.roll(x, 1)
    return np.sum(x)


@program(normal(4), jit=True)
def rebind_other_shape(x):
    x = np.outer(x, x)
    x = x.sum(axis=0)
    x = x[0] * x[1]
    return x


@program(positive(), jit=True)
def rebind_other_type(x):
    y = 3
    y = y * x
    y = [y, y * y]
    y = y[0] + y[1]
    return y


@program(normal(3), 2)
def rebind_in_loop_other_shape(x, n):
    y = x
    for _ in range(n):
        y = np.concatenate([y, y * 2.0])
    return np.sum(np.cos(y))


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def swap(a, b):
    a, b = b, a
    a = a * 2.0
    a, b = b * a, a
    return np.sum(a * b + a)


@program(normal(4), jit=True, second=True)
def swap_in_loop(x):
    a, b, c = 1.0, 0.5, 0.25
    for v in x:
        a, b, c = b, c * v, a + v
    return a + b * c


@program(normal(3), jit=True)
def chained_assignment(x):
    a = b = x * x
    a = a + 1.0
    return np.sum(a * b)


@program(normal(3), jit=True)
def annotated_assignment(x):
    y: np.ndarray = x * 2.0
    scale: float = 0.5
    unused: int
    z: "np.ndarray" = np.tanh(y * scale)
    return np.sum(z * y)


@program(normal(5), second=True)
def starred_unpacking(x):
    first, *middle, last = [x[0], x[1] ** 2, x[2] ** 3, x[4]]
    return first * last + sum(middle)


@program(normal(4))
def starred_tail(x):
    head, *tail = x[0], x[1], x[2] * x[3]
    return head * tail[0] + tail[1]


@program(normal(3), jit=True, second=True)
def unpack_array(x):
    a, b, c = x
    return a * b + np.sin(c) * a


@program(normal(3, 2), jit=True)
def unpack_rows(points):
    p, q, r = points
    u, v = q - p, r - p
    return 0.5 * (u[0] * v[1] - u[1] * v[0]) ** 2


@program(normal(4), jit=True)
def nested_unpacking(x):
    (a, b), c = (x[0], x[1] * x[2]), x[3]
    return a * b * c


@program(((normal(), normal()), normal(3)), jit=True)
def unpack_argument(pair):
    (a, b), v = pair
    return a * np.sum(v) + b * np.sum(v * v)


@program(normal(3), jit=True)
def unpack_shape(x):
    m = np.outer(x, x + 1.0)
    rows, columns = m.shape
    return np.sum(m) / (rows * columns)


@program(normal(3))
def delete_name(x):
    t = x * x
    y = np.sin(t)
    del t
    z = y * 2.0
    del y
    return np.sum(z)


@program(normal(4))
def delete_in_loop(x):
    s = 0.0
    for v in x:
        t = v * v
        s += t * np.cos(s)
        del t
    return s


@program(normal(3))
def global_constants(x):
    return SCALE * np.sum((x + OFFSETS) ** 2) + SETTINGS["gain"] * x[0]


@program(normal(3), jit=True)
def default_argument(x, power=3, scale=SCALE):
    return scale * np.sum(x**power)


@program(normal(3), positive(), wrt=(0, 1), jit=True)
def default_overridden(x, scale=1.0, shift=0.25):
    return np.sum(scale * np.sin(x + shift))


@program(normal(3), keywords={"scale": positive()}, wrt=0)
def keyword_only(x, *, scale=1.0, squared=True):
    y = scale * x
    return np.sum(y * y) if squared else np.sum(y)


@program(normal(3), keywords={"scale": positive()}, wrt="scale")
def keyword_only_differentiated(x, *, scale):
    return np.sum(np.exp(scale * x))


@program(normal(3), keywords={"shift": normal(3)}, wrt=("x", "shift"))
def by_name(x, power=2, shift=None):
    return np.sum((x - shift) ** power)


@program(normal(3), normal(3), normal(3), wrt=(0, 2), jit=True)
def variadic(*arrays):
    s = 1.0
    for a in arrays:
        s = s * np.sum(np.cos(a))
    return s


@program(normal(3), positive(), positive(), wrt=(0, 1, 2))
def variadic_rest(x, *coefficients):
    y = 0.0
    for k, c in enumerate(coefficients):
        y = y + c * x ** (k + 1)
    return np.sum(y)


@program(normal(3), keywords={"a": positive(), "b": positive()})
def keyword_dict(x, **options):
    y = x
    for name in options:
        y = y * options[name] + 0.1
    return np.sum(y**2) * options.get("c", 2.0)


@program(normal(3), keywords={"a": positive(), "b": positive()}, wrt=("x", "a"))
def keyword_dict_differentiated(x, **options):
    return np.sum(np.tanh(options["a"] * x)) / options["b"]


@program(normal(3), 2.0, wrt=0, jit=True)
def positional_only(x, gain, /, mode="sum"):
    y = np.tanh(gain * x)
    return np.sum(y) if mode == "sum" else np.max(y)


@program(normal(4), jit=True)
def shadowed_builtins(x):
    sum = x[0] * x[1]
    max = sum * 2.0
    len = np.sin(max)
    list = [sum, max, len]
    return list[0] + list[1] * list[2]


@program(normal(4), jit=True)
def shadowed_numpy_name(x):
    exp = x * 2.0
    sin = np.sin(exp)
    return np.sum(exp * sin)


@program(normal(3), jit=True)
def names_like_generated(x):
    x_bar = x * 2.0
    y = np.sin(x_bar)
    y_bar = y * x
    x_saved = y_bar + 1.0
    value = np.sum(x_saved * y_bar)
    return value


@program(normal(4), jit=True, second=True)
def names_like_generated_in_loop(x):
    h = 0.5
    h_saved = 0.0
    trips = 0
    for i_bar in range(4):
        h = np.tanh(h + x[i_bar])
        h_saved += h * h
        trips += 1
    return h_saved * h + trips


@program(normal(4), jit=True)
def augmented_names(x):
    y = x[0]
    y += x[1]
    y *= x[2]
    y -= x[3] ** 2
    y /= 1.0 + x[0] ** 2
    y **= 2
    return y


@program(positive(), jit=True)
def augmented_integers(x):
    n = 7
    n //= 2
    n %= 2
    n <<= 3
    n |= 1
    return x**n


@program(normal(3), jit=True)
def single_letter_reuse(x):
    a = x * 2
    b = a + x
    a = b * a
    b = a - b
    a = np.sum(a * b)
    return a


@program(normal(3), jit=True)
def unused_values(x):
    y = np.sin(x)
    _unused = np.exp(x) * y
    _other = [y, x]
    return np.sum(y)


@program(normal(3), jit=True)
def underscore(x):
    a, _, b = x
    for _ in range(2):
        a = a * b
    return a


@program(positive(), jit=True)
def unicode_names(θ):
    λ = np.sin(θ)
    Δ = λ * θ
    return Δ**2 + λ


@program(normal(3), normal(3), jit=True)
def same_value_twice(x, y):
    z = x
    w = x
    return np.sum(z * w * y) + np.sum(z)


class _Box:
    def __init__(self, inside):
        self.inside = inside


h_2, h_3, c_0, x_bar = np.array([1.0, 2.0]), 3.0, np.array([0.3, -1.0, 2.0]), 0.3
product, h_saved = _Box(np.array([0.5, 0.7])), _Box(1.1)
TABLE, ROW = {"k": np.array([0.5, 0.7])}, [2.0, 0.3]


@program(normal(2), second=True)
def globals_named_as_versions(h):
    h = np.sin(h) * h_3
    h = h * h_2
    return np.sum(h * h * h_2) * h_3


@program(normal(3), second=True)
def globals_named_as_setups(x):
    y = np.corrcoef(c_0, x)
    return np.sum(y * y)


@program(normal(2), second=True)
def globals_named_as_temporaries(h):
    for _ in range(3):
        h = np.sin(h) * product.inside * h_3
        h = h + 0.1 * np.exp(h * h_saved.inside) * h_2
    return np.sum(np.exp(0.1 * h) * product.inside) * x_bar


@program(normal(2), second=True)
def containers_first_read_in_a_loop(h):
    for _ in range(3):
        row = ROW
        h = np.sin(h) * TABLE["k"] * row[1]
        if h[0] > 0.0:
            h = h * h_saved.inside
    return np.sum(h * row[0])

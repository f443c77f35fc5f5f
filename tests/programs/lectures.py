"""Programs a teacher writes: networks, graphs, solvers, recursion, small languages."""

import abc
import functools
import itertools
import math
from collections import Counter, OrderedDict, deque

import numpy as np

from programs.registry import normal, positive, program, using


class Layer(abc.ABC):
    """What all layers share."""

    def __init__(self, name):
        self.name = name

    @abc.abstractmethod
    def forward(self, x):
        """The output."""

    def __call__(self, x):
        return self.forward(x)


class Dense(Layer):
    """x @ w + b."""

    def __init__(self, w, b):
        super().__init__("dense")
        self.w, self.b = w, b

    def forward(self, x):
        return x @ self.w + self.b


class Activation(Layer):
    """A function of each number."""

    def __init__(self, f):
        super().__init__("activation")
        self.f = f

    def forward(self, x):
        return self.f(x)


class Residual(Layer):
    """Layers with a way around them."""

    def __init__(self, *layers):
        super().__init__("residual")
        self.layers = layers

    def forward(self, x):
        y = x
        for layer in self.layers:
            y = layer(y)
        return x + 0.5 * y


class Model:
    """Layers in order."""

    def __init__(self):
        self.layers = []

    def add(self, layer):
        self.layers.append(layer)
        return self

    def __iter__(self):
        return iter(self.layers)

    def __len__(self):
        return len(self.layers)

    @property
    def depth(self):
        return sum(1 if layer.name == "dense" else 0 for layer in self)


@program(normal(4, 4), normal(4), normal(4, 2), normal(3, 4), wrt=(0, 1, 2))
def network_of_layer_objects(w1, b1, w2, x):
    model = Model()
    model.add(Dense(w1, b1)).add(Activation(np.tanh))
    model.add(Residual(Dense(w1.T, b1), Activation(lambda v: v / (1.0 + np.exp(-v)))))
    model.add(Dense(w2, 0.0))
    y = x
    for layer in model:
        y = layer(y)
    logits = y - y.max(axis=1, keepdims=True)
    loss = -np.mean((logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)))[:, 0])
    return loss + 0.01 * model.depth * np.sum(w1**2) / len(model)


class Gru:
    """A gated recurrent cell."""

    def __init__(self, params, size):
        self.params = params
        self.h = np.zeros(size)

    def gate(self, name, x):
        w, u, b = (self.params[f"{part}_{name}"] for part in ("w", "u", "b"))
        return w @ x + u @ self.h + b

    def step(self, x):
        z = 1.0 / (1.0 + np.exp(-self.gate("z", x)))
        r = 1.0 / (1.0 + np.exp(-self.gate("r", x)))
        n = np.tanh(self.params["w_n"] @ x + r * (self.params["u_n"] @ self.h) + self.params["b_n"])
        self.h = (1 - z) * n + z * self.h
        return self.h


_GRU = {
    **{f"w_{k}": normal(3, 2) for k in "zrn"},
    **{f"u_{k}": normal(3, 3) for k in "zrn"},
    **{f"b_{k}": normal(3) for k in "zrn"},
}


@program(_GRU, normal(4, 2), second=True)
def gru_over_a_sequence(params, xs):
    cell = Gru(params, 3)
    outputs = [cell.step(x) for x in xs]
    return np.sum(np.stack(outputs) ** 2) + outputs[-1][0]


@program(positive(6), 5, second=True)
def shortest_path_by_relaxation(weights, n):
    edges = [(0, 1), (1, 2), (0, 2), (2, 3), (1, 3), (3, 4)]
    distance = {0: 0.0}
    for _ in range(n - 1):
        for (a, b), w in zip(edges, weights, strict=True):
            if a in distance and (b not in distance or distance[a] + w < distance[b]):
                distance[b] = distance[a] + w
    return distance[4] ** 2 + distance[3]


@program(positive(6), second=True)
def breadth_first_flow(weights):
    neighbours = {0: [1, 2], 1: [3], 2: [3, 4], 3: [5], 4: [5], 5: []}
    flow = [1.0] + [0.0] * 5
    queue, seen = deque([0]), {0}
    while queue:
        node = queue.popleft()
        for other in neighbours[node]:
            flow[other] += flow[node] * weights[other] / (1.0 + weights[node])
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return flow[5] * flow[4] + flow[3]


@program(normal(5), second=True)
def expression_tree_by_recursion(x):
    tree = (
        "add",
        ("mul", ("x", 0), ("sin", ("x", 1))),
        ("add", ("x", 2), ("mul", ("x", 3), ("x", 4))),
    )

    def value(node):
        head, *rest = node
        if head == "x":
            return x[rest[0]]
        parts = [value(r) for r in rest]
        if head == "add":
            return sum(parts)
        if head == "mul":
            return math.prod(parts)
        return np.sin(parts[0])

    return value(tree)


@program(normal(6), second=True)
def stack_machine(x):
    text = "0 1 * 2 sin + 3 4 - 5 * *"
    stack = []
    for token in text.split():
        if token.isdigit():
            stack.append(x[int(token)])
        elif token == "sin":
            stack.append(np.sin(stack.pop()))
        else:
            b, a = stack.pop(), stack.pop()
            operation = {"+": lambda p, q: p + q, "-": lambda p, q: p - q, "*": lambda p, q: p * q}
            stack.append(operation[token](a, b))
    (result,) = stack
    return result


@program(normal(4, 4), second=True)
def lu_in_place_with_pivots(a):
    m = a.copy()
    n = len(m)
    sign = 1.0
    for k in range(n - 1):
        p = max(range(k, n), key=lambda i: abs(m[i, k]))
        if p != k:
            m[[k, p]] = m[[p, k]]
            sign = -sign
        for i in range(k + 1, n):
            m[i, k] /= m[k, k]
            m[i, k + 1 :] -= m[i, k] * m[k, k + 1 :]
    return sign * np.prod(np.diag(m)) + m[3, 0]


@program(normal(4, 3), second=True)
def gram_schmidt_list(vectors):
    basis = []
    for v in vectors.T:
        for b in basis:
            v = v - (v @ b) * b
        size = np.sqrt(v @ v)
        if size < 1e-9:
            continue
        basis.append(v / size)
    q = np.array(basis)
    return np.sum(q[0] * vectors[:, 1]) + q[1, 2] * q[2, 0] + len(basis)


@program(normal(3), normal(10), wrt=(0, 1))
def gauss_newton_fit(start, noise):
    t = np.linspace(0.0, 1.0, 10)
    y = 1.5 * np.exp(-0.8 * t) + 0.1 + 0.02 * noise
    theta, damping = np.array([1.0, 0.5, 0.0]) + 0.1 * start, 1e-2

    def residuals(p):
        return p[0] * np.exp(-p[1] * t) + p[2] - y

    cost = np.sum(residuals(theta) ** 2)
    for trial in range(12):
        decay = np.exp(-theta[1] * t)
        jac = np.stack([decay, -theta[0] * t * decay, np.ones_like(t)], axis=1)
        r = residuals(theta)
        step = np.linalg.solve(jac.T @ jac + damping * np.eye(3), -jac.T @ r)
        candidate = theta + step
        new = np.sum(residuals(candidate) ** 2)
        if new < cost:
            theta, damping, improved = candidate, damping * 0.3, cost - new
            cost = new
            if improved < 1e-3:
                break
        else:
            damping *= 4.0
    return theta @ theta + cost + 0.0 * trial


@program(positive(), positive(), 5, wrt=(0, 1))
def continued_fractions_and_fibonacci(a, b, depth):
    @functools.lru_cache(maxsize=None)  # noqa: UP033
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    def fraction(n):
        if n == 0:
            return b
        return a + n / fraction(n - 1)

    return fraction(depth) * fib(depth) / 5.0


@program(normal(5))
def polynomial_class_with_operators(c):
    p = _Poly(c[:3])
    q = _Poly([1.0, c[3]])
    r = p * q + p - q
    return r(0.7) + (r @ 2.0) * c[4]


class _Poly:
    def __init__(self, coefficients):
        self.c = list(coefficients)

    def __add__(self, other):
        pairs = itertools.zip_longest(self.c, other.c, fillvalue=0.0)
        return _Poly([a + b for a, b in pairs])

    def __neg__(self):
        return _Poly([-a for a in self.c])

    def __sub__(self, other):
        return self + (-other)

    def __mul__(self, other):
        made = [0.0] * (len(self.c) + len(other.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(other.c):
                made[i + j] += a * b
        return _Poly(made)

    def __call__(self, x):
        total = 0.0
        for a in reversed(self.c):
            total = total * x + a
        return total

    __matmul__ = __call__


@program(normal(7), second=True)
def word_counts_as_weights(x):
    text = "the cat and the dog and the bird"
    counts = Counter(text.split())
    table = OrderedDict((word, k) for k, word in enumerate(sorted(counts)))
    score = sum(counts[w] * x[table[w]] ** 2 for w in table)
    vowels = {c for c in text if c in "aeiou"}
    return score + len(vowels) * x[5] + x[6]


@program(normal(9), using(lambda rng: ["relu", "tanh", "relu"]), second=True)
def layers_chosen_by_name(x, names):
    table = {
        "relu": lambda v: np.maximum(v, 0.0),
        "tanh": np.tanh,
    }
    y = x.reshape(3, 3)
    for name in names:
        y = table[name](y @ y.T / 3.0 + 0.1)
    return y.sum()


@program(normal(4), positive(), wrt=1, second=True)
def newton_with_numeric_guard(x, target):
    def f(v):
        return v**3 + v - target

    def solve(v, tol=1e-12, most=30):
        for k in range(most):
            fv = f(v)
            if abs(fv) < tol:
                return v, k
            v = v - fv / (3 * v**2 + 1)
        raise RuntimeError(f"no root after {most} steps from {v}")

    roots = [solve(v)[0] for v in x]
    first, *_ = roots
    return first * len(roots) + sum(roots[1:])

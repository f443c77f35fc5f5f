"""Networks and training: recurrent, dense, convolution, attention, optimisers."""

import numpy as np

from programs.registry import normal, positive, program


def cell(h, x, w, u, b):
    return np.tanh(h @ w + x @ u + b)


@program(normal(3, 3), normal(2, 3), normal(3), normal(4, 2), wrt=(0, 1, 2, 3), jit=True)
def recurrent_network(w, u, b, xs):
    h = np.zeros(3)
    loss = 0.0
    for x in xs:
        h = cell(h, x, w, u, b)
        loss += np.sum((h - 0.5) ** 2)
    return loss / len(xs)


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


@program({"w": normal(5, 8), "b": normal(8)}, normal(4, 3), second=True)
def lstm(params, xs):
    hidden, memory = np.zeros(2), np.zeros(2)
    outputs = []
    for x in xs:
        z = np.concatenate([x, hidden]) @ params["w"] + params["b"]
        forget, write, read, new = np.split(z, 4)
        memory = sigmoid(forget) * memory + sigmoid(write) * np.tanh(new)
        hidden = sigmoid(read) * np.tanh(memory)
        outputs.append(hidden)
    return np.mean(np.stack(outputs) ** 2)


@program([(normal(3, 4), normal(4)), (normal(4, 2), normal(2))], normal(5, 3), normal(5, 2))
def dense_network(layers, x, y):
    for w, b in layers[:-1]:
        x = np.maximum(x @ w + b, 0.0)
    w, b = layers[-1]
    r = x @ w + b - y
    penalty = sum(np.sum(w**2) for w, _ in layers)
    return np.mean(np.sum(r**2, axis=1)) + 1e-2 * penalty


@program(normal(3), positive(), wrt=(0, 1), jit=True)
def logistic_regression_descent(w, rate):
    x = np.array([[0.2, 1.0, -0.4], [0.9, -0.7, 0.1], [-0.3, 0.4, 0.8], [0.5, 0.5, -0.9]])
    y = np.array([1.0, 0.0, 1.0, 0.0])
    for _ in range(4):
        p = sigmoid(x @ w)
        w = w - rate * x.T @ (p - y) / len(y)
    p = sigmoid(x @ w)
    return -np.mean(y * np.log(p) + (1.0 - y) * np.log(1.0 - p))


@program(normal(6), normal(3), wrt=(0, 1), jit=True)
def convolution_by_loops(signal, kernel):
    n, m = len(signal), len(kernel)
    out = np.zeros(n - m + 1)
    for i in range(n - m + 1):
        for j in range(m):
            out[i] += signal[i + j] * kernel[m - 1 - j]
    return np.sum(np.tanh(out) ** 2)


@program(normal(4, 4), normal(2, 2), wrt=(0, 1))
def convolution_and_pooling(image, kernel):
    out = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            out[i, j] = np.sum(image[i : i + 2, j : j + 2] * kernel)
    pooled = [np.max(out[i : i + 2, j : j + 2]) for i in range(2) for j in range(2)]
    return sum(p**2 for p in pooled)


@program(normal(3, 4), normal(3, 4), normal(3, 4), wrt=(0, 1, 2))
def attention(q, k, v):
    scores = q @ k.T / np.sqrt(q.shape[-1])
    mask = np.tril(np.ones((3, 3), dtype=bool))
    scores = np.where(mask, scores, -1e9)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.sum((weights @ v) ** 2)


@program(normal(4, 3), normal(3), normal(3), wrt=(0, 1, 2))
def layer_norm(x, gain, shift):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    y = gain * (x - mean) / np.sqrt(variance + 1e-5) + shift
    return np.sum(np.tanh(y) * x)


@program(normal(5, 2), np.array([[0, 1], [1, 2], [3, 4], [0, 4]]), normal(2, 2), wrt=(0, 2))
def graph_message_passing(features, edges, w):
    h = features
    for _ in range(2):
        messages = np.zeros_like(h)
        np.add.at(messages, edges[:, 1], np.tanh(h[edges[:, 0]] @ w))
        degree = np.bincount(edges[:, 1], minlength=len(h)) + 1.0
        h = h + messages / degree[:, None]
    return np.sum(h**2)


@program(normal(5), normal(5), wrt=(0, 1), jit=True)
def adam_steps(x, target):
    m = np.zeros_like(x)
    v = np.zeros_like(x)
    for t in range(1, 5):
        g = 2.0 * (x - target) + 0.1 * x**3
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g**2
        m_hat = m / (1.0 - 0.9**t)
        v_hat = v / (1.0 - 0.99**t)
        x = x - 0.1 * m_hat / (np.sqrt(v_hat) + 1e-2)
    return np.sum((x - target) ** 2)


@program(normal(3), normal(4, 3), wrt=(0, 1), jit=True)
def perceptron_with_margin(w, x):
    labels = [1, -1, 1, -1]
    mistakes = 0
    for row, label in zip(x, labels):
        score = label * (w @ row)
        if score < 0.4:
            w = w + 0.5 * label * row * (0.4 - score)
            mistakes += 1
    return np.sum(w**2) * (1 + mistakes)


@program(positive(3), positive(3), wrt=(0, 1), jit=True)
def sinkhorn(a, b):
    a = a / a.sum()
    b = b / b.sum()
    cost = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]])
    kernel = np.exp(-cost)
    v = np.ones(3)
    for _ in range(5):
        u = a / (kernel @ v)
        v = b / (kernel.T @ u)
    plan = u[:, None] * kernel * v
    return np.sum(plan * cost)


BATCH = np.random.default_rng(13).normal(size=(4, 4))


class Linear:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, z):
        self.seen = z
        return self.w @ z + self.b

    def back(self, g, rate):
        out = self.w.T @ g
        self.w -= rate * np.outer(g, self.seen)
        self.b = self.b - rate * g
        return out


class Tanh:
    def __call__(self, z):
        self.made = np.tanh(z)
        return self.made

    def back(self, g, rate):
        return g * (1.0 - self.made**2)


@program(normal(6), jit=True, second=True)
def trained_inside(x):
    """Layers keep rows of a global array, and write into arrays of their own."""
    net = [
        Linear(np.outer(x[:3], x[3:5]), x[:3] * 0.1),
        Tanh(),
        Linear(np.outer(x[4:], x[:3]), np.zeros(2)),
    ]
    for s in range(2):
        z = BATCH[s, :2]
        for layer in net:
            z = layer(z)
        g = z - BATCH[s, 2:]
        for layer in reversed(net):
            g = layer.back(g, x[5] ** 2)
    z = BATCH[3, :2]
    for layer in net:
        z = layer(z)
    return np.sum(z**2)

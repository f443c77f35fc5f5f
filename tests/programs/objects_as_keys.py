"""Objects as keys of dicts and in sets, while they are followed: which object it is tells."""

import math

import numpy as np

from programs.registry import normal, positive, program


class Value:
    """A number that knows what it was computed from, as teachers write it."""

    def __init__(self, data, parents=()):
        self.data, self.grad, self._parents = data, 0.0, set(parents)
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,))

        def backward():
            self.grad += (1 - t * t) * out.grad

        out._backward = backward
        return out

    __radd__, __rmul__ = __add__, __mul__

    def backward(self):
        order, seen = [], set()

        def build(v):
            if v not in seen:
                seen.add(v)
                for parent in v._parents:
                    build(parent)
                order.append(v)

        build(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()


@program(normal(3), second=True, jit=True)
def engine_of_a_lecture(x):
    a, b, c = map(Value, x)
    d = a * b + c
    e = (d * a).tanh() + 2.0 * b
    e.backward()
    return a.grad**2 + b.grad * c.grad + e.data


@program(normal(4), normal(3), second=True)
def neuron_of_a_lecture(w, x):
    weights = [Value(v) for v in w[:3]]
    out = sum((v * u for v, u in zip(weights, x)), Value(w[3])).tanh()
    out.backward()
    return sum(v.grad**2 for v in weights) + out.data


class Part:
    def __init__(self, mass):
        self.mass = mass


@program(normal(3), second=True, jit=True)
def parts_as_keys(x):
    a, b, c = map(Part, x)
    weights = {a: 1.0, b: x[1]}
    weights[c] = x[2] * 2
    weights[a] += x[0]
    del weights[b]
    total = sum(part.mass * w for part, w in weights.items())
    return total + (weights.get(b, a.mass) if b not in weights else 0.0) + len(weights)


@program(positive(3), second=True, jit=True)
def parts_visited_once(x):
    parts, seen, total = [Part(v) for v in x], set(), 0.0
    for i in (0, 1, 0, 2, 1):
        if parts[i] in seen:
            continue
        seen.add(parts[i])
        total += parts[i].mass * (i + 1)
    heat = {p: p.mass**2 for p in parts}
    for _ in range(2):
        for p in parts:
            heat[p] = 0.5 * heat[p] + 0.1 * sum(heat[q] for q in parts if q is not p)
    return total * len(seen) + sum(heat.values())


@program(normal(3), second=True)
def parts_in_keys_of_a_memo(x):
    """Records can't be keys: the objects are places in lists of their fields then."""
    parts, memo = [Part(v) for v in x], {}

    def cost(part, k):
        if (part, k) in memo:
            return memo[part, k]
        found = part.mass**k if k < 2 else cost(part, k - 1) * part.mass + cost(part, k - 2)
        memo[part, k] = found
        return found

    return sum(cost(p, 4) for p in parts)


@program(np.array([0.5, -0.3, 0.8]))
def one_of_two_in_a_set(x):
    a, b = Part(x[0]), Part(x[1])
    one = a if x[0] > 0 else b
    return x[2] ** 2 if one in {a} else x[1] * 3

"""Objects, sets of them and functions that hold them, made anew by each turn of a loop."""

from __future__ import annotations

import math

from programs.registry import normal, program


class Value:
    """A number that remembers what it was made of, and hands slopes back to that."""

    def __init__(self, data, children=(), op=""):
        self.data = data
        self.grad = 0
        self._backward = lambda: None
        self._prev = set(children)
        self._op = op

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()

        def visit(value):
            if value not in seen:
                seen.add(value)
                for child in value._prev:
                    visit(child)
                order.append(value)

        visit(self)
        self.grad = 1
        for value in reversed(order):
            value._backward()


@program(normal(3), wrt=(0,))
def slopes_by_a_graph_trained(x):
    weights = [Value(v) for v in x]
    for _ in range(2):
        pred = (weights[0] * 0.5 + weights[1] * 0.3 + weights[2]).tanh()
        miss = pred + -0.7
        loss = miss * miss
        for weight in weights:
            weight.grad = 0
        loss.backward()
        for weight in weights:
            weight.data += -0.1 * weight.grad
    return loss.data


@program(normal(2), wrt=(0,))
def a_graph_of_each_turn(x):
    a, b = Value(x[0]), Value(x[1])
    for _ in range(3):
        loss = a * b * a
        a.data -= 0.1 * loss.data
    return loss.data + len(loss._prev)


class Cell:
    def __init__(self, v):
        self.v = v
        self.read = lambda: 0.0

    def made(self, w):
        out = Cell(self.v * w)

        def read():
            return out.v * w + self.v

        out.read = read
        return out


@program(normal(3), 3, wrt=(0,))
def functions_of_objects_of_each_turn(x, n):
    total, cell = x[0], Cell(x[1])
    for _ in range(n):
        made = cell.made(total).made(x[2])
        total = total + made.read() + cell.read()
    return total


@program(normal(3), 3, wrt=(0,))
def methods_of_objects_of_each_turn(x, n):
    total, made = x[0], Cell(x[1]).made
    for _ in range(n):
        cell = made(total)
        total = total + cell.read()
        made = cell.made
    return total + made(0.5).read()

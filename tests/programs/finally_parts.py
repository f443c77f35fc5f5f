"""`try` with `finally`: what was changed for a while is put back on every way out."""

import numpy as np

from programs.registry import normal, positive, program


class Model:
    def __init__(self, weights):
        self.weights = weights
        self.calls = 0

    def loss(self, x):
        return np.sum(np.tanh(self.weights * x) ** 2)

    def loss_with(self, weights, x):
        old = self.weights
        self.weights = weights
        try:
            return self.loss(x)
        finally:
            self.weights = old
            self.calls += 1


@program(normal(3), positive(3), wrt=(0, 1))
def parameters_put_back(x, w):
    model = Model(w)
    moved = model.loss_with(w * 2.0, x) - model.loss_with(w[::-1], x)
    return moved * model.calls + model.loss(x)


@program(normal(4), second=True)
def every_way_out(x):
    s, log = x[0], []

    def step(k):
        nonlocal s
        try:
            if k > 1:
                return s * k
            s = s * x[1]
        finally:
            s = s + x[2]
            log.append(s)
        return s

    return step(0) + step(1) + step(2) + sum(log) * x[3]


@program(normal(5), second=True)
def in_loops(x):
    total, visits = 0.0, 0
    for v in x:
        try:
            if v < -0.5:
                continue
            for w in x:
                if w > v:
                    break
                total += w * v
            if total > 4.0:
                break
        finally:
            total = total * 0.9 + v
            visits += 1
    return total * visits


@program(normal(3), second=True)
def one_inside_another(x):
    trace = [x[0]]

    def inner(k):
        try:
            try:
                return trace[-1] * k
            finally:
                trace.append(trace[-1] + x[1])
        finally:
            trace.append(trace[-1] * x[2])

    return inner(1.0) + inner(2.0) + sum(trace)

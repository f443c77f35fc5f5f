"""Sums of arrays that begin with Python's 0: the list that they are in is surely filled."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program


@program(positive(8), second=True, jit=True)
def parts_of_a_list(x):
    parts = []
    for k in range(4):
        parts.append(x[k : k + 3] ** 2)
    s = sum(parts)
    return np.sum(s * s)


@program(positive(8), 5, jit=True)
def as_many_as_an_argument_says(x, n):
    parts = []
    for k in range(n):
        parts.append(np.sin(x[k : k + 3]))
    return np.sum(sum(parts) ** 2)


@program(positive(8), second=True, jit=True)
def of_a_comprehension(x):
    return np.sum(sum([x[k : k + 3] * x[k] for k in range(4)]) ** 2)


@program(positive(8), 4, jit=True)
def products_of_matrices(x, n):
    parts = []
    for k in range(n):
        parts.append(np.outer(x[:3], x[1:4]) * x[k])
    total = 0
    for p in parts:
        total = total + p @ p
    return np.sum(total**2)


@program(normal(4, 3), second=True, jit=True)
def counted_along(A):
    parts = [np.sin(r) for r in A]
    s = 0
    for k, p in enumerate(parts):
        s += p * k
    return np.sum(s * s)


@program(positive(8), 0)
def of_an_empty_list(x, n):
    parts = []
    for k in range(n):
        parts.append(x[k : k + 3])
    return np.sum(x**2 + sum(parts))


@program(positive(8))
def emptied_before(x):
    parts = []
    for k in range(3):
        parts.append(x[k : k + 3] ** 2)
    while parts:
        parts.pop()
    total = 1
    for p in parts:
        total = total + p
    return np.sum(total * x**2)


@program(positive(8))
def shortened_by_another_name(x):
    parts = []
    for k in range(3):
        parts.append(x[k : k + 3] ** 2)
    other = parts
    other.pop()
    s = sum(parts)
    return np.sum(s * s)


@program(positive(8))
def only_some_are_added(x):
    total = 0
    for k in range(5):
        if x[k] > 1.0:
            total = total + x[k : k + 3] * x[k]
    return np.sum((total + x[0]) ** 2)


@program(positive(4), jit=True)
def squares_of_a_list_that_grows_as_it_is_gone_through(x):
    queue = [x[0], x[1]]
    squares = []
    for v in queue:
        if len(queue) < 6 and v > 0.2:
            queue.append(v * x[2] + x[3])
        squares.append(v * v)
    return np.sum(np.array(squares)) * queue[-1]


@program(positive(6), jit=True)
def squares_of_a_list_that_shrinks_as_it_is_gone_through(x):
    left = [x[0], x[1], x[2], x[3], x[4]]
    squares = []
    for v in left:
        if len(left) > 3:
            left.pop()
        squares.append(v * v * x[5])
    return sum(squares) * left[-1] + len(squares)

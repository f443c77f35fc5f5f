"""Loops whose counters are set inside of them, by other loops or by assignment."""

import numpy as np

from programs.registry import program

X = np.array([0.31, 0.72, 0.53, 0.44])


@program(X, second=True)
def inner_loop_takes_the_counter(x):
    t = x[0]
    y = x * 1.0
    for i in range(3):
        for i in range(2):
            t = t * x[i] + np.sin(t)
        y = y * t
    return y.sum() * t


@program(X, second=True)
def counter_changed_in_its_loop(x):
    t = x[0]
    y = x * 1.0
    for i in range(3):
        t = np.sin(t) + x[i]
        i = i * 2 % 3
        y = y * t + x[i]
        t = t * t + y[i]
    return y.sum() * t


@program(X, second=True)
def loops_without_names(x):
    t = x[0]
    for _ in range(2):
        for _ in range(2):
            for _ in range(2):
                t = np.sin(t * x[1]) + x[2]
            t = t * t
        t = np.exp(-t) * x[3]
    return t


@program(X, second=True)
def counter_set_back(x):
    y = x * 1.0
    i = 0
    t = 0.0
    for i in range(4):
        y[i] = np.sin(y[i]) * y[i - 1]
        t = t * y[i] + y[i]
        if y[i] > 0.2:
            i = 0
        y[i] = y[i] * t
    for k in range(2):
        t = t * t + y[k]
        for k in range(3):
            t = np.cos(t) * y[k]
    return t + y @ y


@program(X, second=True)
def bound_changed_in_its_loop(x):
    t = x[0]
    y = x * 1.0
    for i in range(4):
        i -= 1
        y = np.sin(y) * x[i]
        t = t * y[i]
    k = 3
    for i in range(k):
        k -= 1
        y = np.cos(y) * t * x[k]
    return t + y.sum()

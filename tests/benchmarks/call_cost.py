"""What a call of `grad(f)` costs beyond the generated function itself."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

import s2sgrad
from tests.benchmarks import settings
from tests.benchmarks.timing import seconds_per_call, show_time, table


def one_scalar(x):
    return math.sin(x) * x


def six_arrays(a, b, c, d, e, f):
    return np.sum(a * b + c * d + e * f)


def a_dict_of_four(layers, x):
    return np.sum(layers["w1"] * x + layers["b1"] + layers["w2"] * x + layers["b2"])


def cases():
    """Small arrays: what is looked for would drown in the noise of longer computations."""
    small = tuple(np.ones(4) * i for i in range(6))
    yield "one float", one_scalar, (0.5,)
    yield "six small arrays", six_arrays, small
    layers = dict(zip(("w1", "b1", "w2", "b2"), small, strict=False))
    yield "a dict of four arrays, one array", a_dict_of_four, (layers, small[4])


def ways():
    """The cases as they are, and those of plain arguments under Numba."""
    for name, primal, args in cases():
        yield name, primal, args, False
        if settings.installed("numba") and not any(isinstance(a, dict) for a in args):
            yield f"{name}, jit", primal, args, True


def call_costs(rounds: int) -> str:
    """Through the guard and the cache, against the generated function called as it is."""
    rows = []
    for name, primal, args, jit in ways():
        function = s2sgrad.value_and_grad(primal, jit=jit, fallback="error")
        function(*args)
        bare = function.product(*args).compiled.fn
        if jit:
            bare = bare.dispatcher  # what Numba made, called as it is
        jobs = {"call": partial(function, *args), "bare": partial(bare, *args)}
        times = seconds_per_call(jobs, 2 * rounds)
        cost = times["call"] - times["bare"]
        shown = [show_time(times["bare"]), show_time(times["call"]), f"{cost * 1e6:.2f} us"]
        rows.append([name, *shown])
    return table("Call cost", ["arguments", "generated function", "through grad", "cost"], rows)

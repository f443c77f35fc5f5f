"""Questions about names that some ways leave without a value: the answer is known, the value may
be missing where nobody asks."""

import numpy as np

from programs.registry import normal, positive, program


@program(positive(4), jit=True, second=True)
def asked_only_where_it_is_bound(x):
    if x[0] > 0.0:
        scale = x[0] * 2.0
    if x[0] > 0.0 and scale is None:
        return x[1]
    return x[0] * scale**2 if x[0] > 0.0 else x[1]


@program(positive(4), jit=True)
def another_test_decides(x):
    if x[0] > 100.0:
        b = 2.0 * x[0]
    if x[0] < 100.0 or b is None:
        return x[0] ** 2
    return x[1] * b


@program(normal(5), jit=True)
def last_of_a_loop(x):
    for v in x:
        last = v * v
    if last is None:
        return x[0]
    return last * x[0]


@program(positive(5))
def pair_made_in_a_loop(x):
    for k in range(len(x)):
        pair = (x[k], x[k - 1] ** 2)
    return pair[0] * pair[1] if len(pair) == 2 else x[0]


@program(normal(4), jit=True)
def none_or_a_number_or_unbound(x):
    for k in range(len(x)):
        if np.sin(x[k]) > 0.3:
            b = x[k]
        elif k == 0:
            b = None
    return x[0] * 2.0 if b is None else b**2

"""dtypes that are worked out, named and compared; texts that only show numbers."""

import numpy as np

from programs.registry import program

X = np.array([0.31, 0.72, 0.53, 0.44])


@program(X, second=True)
def result_type_by_name(x):
    r = np.result_type(x, np.float32)
    y = np.zeros(4, r)
    y += x
    return (y * y).sum() * (1 if r == np.float64 else 2)


@program(X, second=True)
def promoted_by_name(x):
    p = np.promote_types("f4", "i8")
    narrow = np.result_type(np.float32, np.int8)
    scale = 1 if p == np.float64 else 3
    if narrow is not None and narrow != np.float64:
        scale = scale * 5
    return (x * x).sum() * scale


@program(X, second=True)
def shown_and_kept(x):
    shown = np.array2string(x[:2]) + np.format_float_positional(x[0])
    table = {"101": 2.0}
    if len(shown) < 2:
        raise ValueError(shown)
    return (x**2).sum() * table[np.base_repr(5)]

"""Lists that grow or change after a recursive helper has read them."""

import numpy as np

from programs.registry import positive, program


def total(z):
    if isinstance(z, dict):
        return sum(total(v) for v in z.values())
    if isinstance(z, (list, tuple)):
        return sum(total(v) for v in z)
    return np.sum(z * z)


@program(positive(3), 2, second=True)
def appended_to_after(x, n):
    s = x[2] * 1.5
    z = [x[0], x[1] * 2]
    for _ in range(n):
        s = s + total(z)
        z.append(x[2])
    return total(z) + s


@program(positive(3), 2, second=True)
def extended_before(x, n):
    s = x[2] * 1.5
    z = [x[0], x[1] * 2]
    for _ in range(n):
        z.extend([x[0], 1.0])
        s = s + total(z) * x[1]
    return total(z) + s


@program(positive(3), 2, second=True)
def items_written_after(x, n):
    s = x[2] * 1.5
    z = [x[0], x[1] * 2]
    for _ in range(n):
        z.append(z[0] * x[1])
        s = s + total(z) * x[1]
        z[0] = z[1] * 0.5
    return total(z) + s


@program(positive(3))
def extended_in_one_turn(x):
    s = x[2] * 1.5
    for i in range(2):
        z = [x[0], x[1] * 2]
        if i:
            z.extend([x[0], 1.0])
        s = s + total(z)
    return total(z) + s


@program(positive(3), 2, second=True)
def arrays_in_a_list_written_after(x, n):
    s = 0.0
    z = [x * 2.0, x[::-1] * x]
    for _ in range(n):
        s = s + total(z)
        z[0] *= x[0]
        z.append(x * 1.5)
    return total(z) + s

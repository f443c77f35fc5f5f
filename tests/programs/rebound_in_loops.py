"""Names that an inner loop binds anew to something that carries no derivative."""

import numpy as np

from programs.registry import normal, positive, program


@program(positive(3), second=True)
def view_by_a_loop(y):
    z = y[::-1]
    q = np.zeros(3)
    for e in q:
        z = q
    return (z * z).sum() + (z * y).sum() + y.sum()


@program(positive(3), second=True)
def view_by_a_branch(y):
    z = y[::-1]
    q = np.ones(3)
    if y[0] > 0:
        z = q
    return (z * z).sum() + (z * y).sum() + y.sum()


@program(positive(3), second=True)
def array_by_a_loop(y):
    z = y * 1.0
    q = np.ones(3)
    for e in q:
        z = q
    return (z * z).sum() + (z * y).sum() + y.sum()


@program(positive(3), second=True)
def view_of_a_growing_array(y):
    z = y[1:]
    q = np.ones(2)
    for i in range(2):
        for e in q:
            z = q
        y = y + z.sum()
    return (z * z).sum() + y.sum()


@program(positive(3), second=True)
def view_in_an_outer_loop(y):
    s = 0.0
    for i in range(2):
        z = y[1:]
        for e in np.ones(2):
            z = np.ones(2)
        s = s + z.sum() * 2
    return s + y.sum()


@program(positive(3), second=True)
def view_by_a_branch_in_a_loop(y):
    s = 0.0
    for i in range(2):
        z = y[1:]
        if i:
            z = np.ones(2)
        s = s + z.sum() * 2
    return s + y.sum()


@program(positive(3), second=True)
def view_by_while(y):
    s = 0.0
    for i in range(2):
        z = y[1:]
        j = 0
        while j < 2:
            z = np.ones(2)
            j += 1
        s = s + z.sum() * 2
    return s + y.sum()


@program(positive(3), second=True)
def alias_by_some_iterations(y):
    s = 0.0
    for i in range(2):
        z = y
        for e in range(i):
            z = np.ones(3)
        s = s + z.sum() * 2
    return s + y.sum()


@program(positive(3), second=True)
def in_a_branch_of_the_loop(y):
    s = 0.0
    for i in range(3):
        z = y[1:]
        for e in range(i):
            if e == 1:
                z = np.ones(2)
        s = s + (z * z).sum() * 2
    return s + y.sum()


@program(positive(3), second=True)
def after_its_use(y):
    s = 0.0
    for i in range(3):
        z = y[1:]
        for e in range(3):
            s = s + (z * z).sum()
            z = np.ones(2) * i
    return s + y.sum()


@program(positive(3), second=True)
def before_the_loop_too(y):
    s = 0.0
    z = y[1:]
    for e in range(3):
        s = s + (z * z).sum()
        z = np.ones(2) * e
    return s + y.sum()


@program(positive(3), second=True)
def chosen_by_the_counter(y):
    s = 0.0
    z = y[1:]
    for e in range(3):
        s = s + (z * z).sum()
        z = y[:2] if e == 1 else np.ones(2)
    return s + y.sum() + z.sum()


@program(positive(3), second=True)
def by_another_view(y):
    s = 0.0
    for i in range(2):
        z = y[1:]
        for e in range(i):
            z = y[:2]
        s = s + (z * z * z).sum() * 2
    return s + y.sum()


@program(positive(3), second=True)
def product_by_zeros(y):
    s = 0.0
    for i in range(2):
        z = y[1:] * y[0]
        for e in range(i + 1):
            z = np.zeros(2)
        s = s + (z * z * z).sum() * 2 + z.sum()
    return s + y.sum()


@program(positive(3), second=True)
def number_by_a_constant(y):
    s = 0.0
    for i in range(2):
        z = y[1] * y[0]
        for e in range(i + 1):
            z = 2.0
        s = s + z * 2
    return s + y.sum()


@program(positive(3), second=True)
def by_a_helper(y):
    z = y[1:]

    def mk():
        return np.ones(2)

    for i in range(2):
        z = mk()
    z = z * y[0]
    return z.sum() + y.sum()


@program(normal(3), normal(4), wrt=(0, 1), jit=True)
def rows_counted_by_what_the_loop_binds(x, m):
    total, y = 0.0, np.zeros((3, 2))
    for i in range(len(m)):
        z = x * m[i]
        for j in range(len(z)):
            y[0, :] = y[0, :] * z[j] + x[j]
            y[1:] += 0.3 * y[0] ** 2
            total = total + y[0, 0] * y[2, 1]
    return total

"""Names that the text leaves in doubt, and that each run has bound where it reads them."""

from __future__ import annotations

from programs.registry import normal, positive, program


@program(positive(4), jit=True)
def read_from_the_second_turn(x):
    s = 0.0
    for i in range(4):
        s += x[i] * (before if i > 0 else 1.0)  # noqa: F821
        before = x[i]  # noqa: F841
    return s


@program(normal(5), jit=True)
def by_a_flag(x):
    s, first = 0.0, True
    for v in x:
        if not first:
            s += (v - before) ** 2  # noqa: F821
        first, before = False, v  # noqa: F841
    return s


@program(positive(4))
def a_place_that_the_first_turn_finds(x):
    least, s = None, 0.0
    for i in range(4):
        if least is None or x[i] < least:
            least, k = x[i], i
        s += x[k] ** 2
    return s * least


@program(positive(3), 2)
def two_branches_of_three(x, n):
    if n == 1:
        y, kind = x[0], "first"
    elif n > 1:
        y, kind = x[1] ** 2, "second"
    return y * x[2] if kind == "second" else y

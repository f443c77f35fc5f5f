"""Code that asks for the class of a number which is an integer on some paths, a float on others.

What is asked is answered as in the primal, or refused: a wrong answer takes the other branch.
"""

from __future__ import annotations

import linecache

import numpy as np
import pytest

import s2sgrad

X = np.array([0.3, 1.3, 2.3])
ASKED = (
    "isinstance(s, float)",
    "isinstance(s, int)",
    "isinstance(s, (int, np.integer))",
    "isinstance(s, np.float64)",
    "type(s) is float",
    "type(s) is int",
    "hasattr(s, 'numerator')",
    "hasattr(s, 'is_integer')",
)
NUMBERS = (  # of x, a vector of three entries, and n = 2
    "len(x) or 0.4 * x[0]",
    "n and x[0]",
    "max(2, x[0])",
    "min(2, x[0] + n)",
    "3 * max(2, x[0])",
    "[1, x[0]][n % 2]",
    "(0, x[0])[int(x[1] > 100)]",
    "{'a': 1, 'b': x[0]}['ab'[n % 2]]",
    "{1: x[0]}.get(n, 0)",
    "sum([x[i] for i in range(n - 2)])",
    "next((v for v in x if v > n), 0)",
    "max([v for v in x if v > 9], default=0)",
    "x[0] if x[0] > 100 else n",
    "abs(x[0] if x[0] > 100 else n) + 1",
    "-(n or x[0])",
    "divmod(n if x[0] < 9 else x[0], 2)[0]",
    "round(x[0]) if n > 1 else x[0]",
    "grown(x)[n - 2]",
    "filled(x, n)[2]",
    "looked_up(x, n)",
    "nested(x, n)",
    "chosen(n, x[0])",
)
TEXT = """
import numpy as np

def grown(x):
    p = [1]
    for v in x:
        p.append(v)
    return p

def filled(x, n):
    p = [0] * 3
    for i in range(n):
        p[i] = x[i]
    return p

def looked_up(x, n):
    d = {{}}
    for i in range(n):
        d[i] = x[i]
    return d.get(5, 0)

def nested(x, n):
    s = x[0]
    for i in range(n):
        for j in range(n):
            s = i
    return s

def chosen(k, v):
    if k > 1:
        return k
    return v

def f(x, n):
    s = {number}
    if {asked}:
        return np.sum(x * x)
    return 2.0 * np.sum(x)
"""


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("number", NUMBERS)
def test_answered_as_in_the_primal_or_refused(number: str, asked: str) -> None:
    text, name = TEXT.format(number=number, asked=asked), f"<class of {number}: {asked}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope: dict = {"__name__": "asked"}
    exec(compile(text, name, "exec"), scope)
    try:
        value, _ = s2sgrad.value_and_grad(scope["f"], fallback="error")(X, 2)
    except s2sgrad.UnsupportedError as error:
        assert "can't tell while compiling" in str(error)
        return
    assert value == scope["f"](X, 2)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_float_that_stays_one_is_known(n: int) -> None:
    """Integers beside it, in other places, do not make it doubtful."""

    def f(x, n):
        parts, table = [0, 1], {"count": n, "rate": x[0]}
        s = 2 * x[1] + parts[0] + n
        if isinstance(s, float) and isinstance(table["rate"], float):
            return s * np.sum(x)
        return table["rate"]

    value, bar = s2sgrad.value_and_grad(f, fallback="error")(X, n)
    assert value == f(X, n)
    assert np.allclose(bar, f(X, n) / np.sum(X) + 2 * np.sum(X) * np.eye(3)[1])

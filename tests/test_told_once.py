"""Compiled code that gives up in the midst of a run tells nothing twice when it runs again."""

from __future__ import annotations

import logging
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sgrad

pytest.importorskip("numba")
LOG = logging.getLogger("told once")


def told(function: Any, *args: Any) -> tuple[Any, str]:
    try:
        return function(*args), ""
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def big_numbers(x: Any, n: int) -> Any:
    print("n", n)
    f = 1
    for k in range(1, n):
        f *= k
    print("done")
    return np.sum(x**2) / f


def lengths(x: Any, w: Any) -> Any:
    print("begin")
    s = 0.0
    for k in range(3):
        print(k)
        part = x[k : k + 2]
        s += np.sum((np.exp(part[: len(w)]) * w + part * w) ** 2)
    return s


def raised(x: Any, limit: float) -> Any:
    for i, v in enumerate(x):
        print(i)
        if v > limit:
            raise ValueError(f"{i} is above {limit:.1f}")
    return x @ x


def domain(x: Any, n: int) -> Any:
    s = 0.0
    for k in range(n):
        print("k", k)
        s += math.log(x + k)
    return s


def in_pieces(x: Any, names: Any) -> Any:
    s = 0.0
    for k in range(len(x)):
        s += x[k] ** 2
    print("so far", len(names))
    found = {name: s * len(name) for name in names}
    print(sorted(found))
    if len(names) > 2:
        raise ValueError("too many")
    return sum(found.values()) * s


CALLS = [
    (big_numbers, (np.ones(3), 4), (np.ones(3), 40)),
    (lengths, (np.ones(4), np.ones(2)), (np.ones(4), np.ones(1))),
    (raised, (np.ones(3), 2.0), (np.arange(3.0), 1.5)),
    (domain, (1.0, 3), (-1.0, 2)),
    (in_pieces, (np.ones(3), ["a", "bc"]), (np.ones(3), ["a", "b", "cd"])),
]


@pytest.mark.parametrize("case", CALLS, ids=lambda case: case[0].__name__)
def test_what_is_printed_is_printed_once(case: Any, capsys: Any) -> None:
    function, *calls = case
    derivative = s2sgrad.value_and_grad(function, jit=True, fallback="error")
    for args in (*calls, calls[0]):
        value, error = told(function, *args)
        expected = capsys.readouterr().out
        found, found_error = told(derivative, *args)
        assert capsys.readouterr().out == expected
        assert found_error == error
        if not error:
            np.testing.assert_allclose(found[0], value)


def test_what_is_logged_is_logged_once(caplog: Any) -> None:
    def f(x: Any, n: int) -> Any:
        LOG.warning("n is %d", n)
        logging.warning("of the root")
        f = 1
        for k in range(1, n):
            f *= k
        return np.sum(x) / f

    derivative = s2sgrad.grad(f, jit=True, fallback="error")
    for n in (3, 40):
        caplog.clear()
        derivative(np.ones(2), n)
        assert caplog.messages == [f"n is {n}", "of the root"]


def test_gradients_that_what_is_printed_asks_for_tell_on_their_own(capsys: Any) -> None:
    class Slope:
        def __init__(self, n: int) -> None:
            self.n = n

        def __str__(self) -> str:
            return f"{inner(2.0, self.n):.1f}"

    def told_inside(t: Any, n: int) -> Any:
        print("inside")
        f = 1
        for k in range(1, n):
            f *= k
        return t**2 / f * f

    inner = s2sgrad.grad(told_inside, jit=True)
    slope = Slope(30)

    def f(x: Any, n: int) -> Any:
        print(slope)
        print("first")
        f = 1
        for k in range(1, n):
            f *= k
        print(slope)
        return np.sum(x) / f

    derivative = s2sgrad.grad(f, jit=True, fallback="error")
    for n in (3, 40):
        derivative(np.ones(2), n)
        assert capsys.readouterr().out == "inside\n4.0\nfirst\ninside\n4.0\n"


def test_code_of_an_earlier_process_tells_once(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import test_told_once as t\n"
        "import s2sgrad\n"
        "for f, first, second in t.CALLS:\n"
        "    g = s2sgrad.value_and_grad(f, jit=True, fallback='error')\n"
        "    for args in (first, second):\n"
        "        print('#', f.__name__)\n"
        "        t.told(g, *args)\n"
    )
    found = [
        subprocess.run(
            [sys.executable, str(script)], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert found[0].count("done") == 2 and found[0] == found[1]

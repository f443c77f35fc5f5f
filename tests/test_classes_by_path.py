"""What is of another class on some paths is asked for its class as the code runs, or refused."""

from __future__ import annotations

import collections
import enum
import linecache
from typing import Any

import numpy as np
import pytest

import s2sgrad


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Base:
    scale = 2.0


class Sub(Base):
    scale = 3.0


TEXT = """
def f(v):
    if v > 1:
        r = {one}
    else:
        r = {other}
    return v * 2.0 if {asked} else v * v * 3.0
"""

# one, other, what is asked: answered in either branch
ANSWERED = [
    ("1", "True", "isinstance(r, bool)"),
    ("Level.LOW", "1", "isinstance(r, int)"),
    ("np.float64(v)", "v", "isinstance(r, np.floating)"),
    ("np.float64(v)", "v", "isinstance(r, float)"),
    ("1j", "1.0", "isinstance(r, complex)"),
    ("v * 1j", "v", "isinstance(r, complex)"),
    ("v * 1j", "v", "np.iscomplexobj(r)"),
    ("np.array([v * 1j])", "np.array([v])", "np.iscomplexobj(r)"),
    ("np.array([v * 1j])", "np.array([v])", "r.dtype == float"),
    ("1", "1.0", "f'{r}' == '1'"),
    ("1", "1.0", "np.array([r]).dtype == float"),
    ("0.0", "-0.0", "np.copysign(1.0, r) > 0"),
    ("None", "1.0", "np.array([r]).dtype == object"),
    ("Base", "Sub", "isinstance(r, type)"),
    ("Base()", "Sub()", "issubclass(type(r), Sub)"),
    ("(1, 2)", "(2, 3)", "hash(r) == hash((1, 2))"),
]
REFUSED = [
    ("False", "0", "type(r) is int"),
    ("Level.LOW", "1", "isinstance(r, Level)"),
    ("np.float64(v)", "float(v)", "type(r) is float"),
    ("defaultdict(float)", "{}", "type(r) is dict"),
    ("OrderedDict()", "{}", "type(r) is dict"),
    ("range(3)", "[0, 1, 2]", "isinstance(r, list)"),
]


def _asked(one: str, other: str, asked: str) -> Any:
    text, name = TEXT.format(one=one, other=other, asked=asked), f"<{one} or {other}: {asked}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope: dict[str, Any] = {"__name__": "by_path", "np": np, "Level": Level, "Base": Base}
    scope |= {"Sub": Sub, "OrderedDict": collections.OrderedDict}
    scope |= {"defaultdict": collections.defaultdict}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]


@pytest.mark.parametrize(("one", "other", "asked"), ANSWERED)
def test_answered_as_the_code_runs(one: str, other: str, asked: str) -> None:
    f = _asked(one, other, asked)
    answer = s2sgrad.value_and_grad(f, jit=False, fallback="error")
    for v in (2.5, 0.5):
        value, slope = answer(v)
        assert value == f(v)
        assert slope == (2.0 if f(v) == 2.0 * v else 6.0 * v)


@pytest.mark.parametrize(("one", "other", "asked"), REFUSED)
def test_refused(one: str, other: str, asked: str) -> None:
    with pytest.raises(s2sgrad.UnsupportedError, match="can't tell while compiling"):
        s2sgrad.grad(_asked(one, other, asked), jit=False, fallback="error")(2.5)


def test_a_loop_that_hands_on_another_class() -> None:
    def f(v: float) -> float:
        r: Any = 1
        total = 0.0
        for i in range(3):
            total += v if isinstance(r, bool) else v * v
            r = i > 0
        return total

    value, slope = s2sgrad.value_and_grad(f, jit=False, fallback="error")(2.0)
    assert (value, slope) == (f(2.0), 6.0)


def test_items_of_what_a_loop_binds_to_another_kind() -> None:
    def f(n: int, v: float) -> float:
        held: Any = {1.5, 2.5}
        total = 0.0
        for _ in range(n):
            total += next(iter(held)) * v
            held = [3.0, 4.0]
        return total

    with pytest.raises(s2sgrad.UnsupportedError, match="on some paths, and of another kind"):
        s2sgrad.grad(f, argnums=1, jit=False, fallback="error")(3, 1.5)


def test_the_hash_of_an_object_is_refused() -> None:
    def f(v: float) -> float:
        return v * hash(Base())

    with pytest.raises(s2sgrad.UnsupportedError, match="hash"):
        s2sgrad.grad(f, jit=False, fallback="error")(1.5)

"""A function that always raises for a kind of arguments: its derivative raises the same."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from programs.always_raised import layers_of_a_named_kind

import s2sgrad


def checked(x: Any, kind: str) -> Any:
    print("kind", kind)
    if kind not in ("a", "b"):
        raise KeyError(kind)
    return x @ x


class Model:
    def __init__(self, kind: str) -> None:
        if kind == "c":
            raise RuntimeError(f"no model {kind}")
        self.kind = kind

    def run(self, x: Any) -> Any:
        match self.kind:
            case "a":
                return x * 2
            case _:
                raise NotImplementedError(self.kind)


def made_in_a_loop(x: Any, kind: str) -> Any:
    total = 0.0
    for v in x:
        total += Model(kind).run(v) ** 2
    return total


def asked_in_a_test(x: Any, kind: str) -> Any:
    model = Model(kind)
    if x[0] > 0 and model.run(x[1]) > 0:
        return x[1] ** 2
    return model.run(x[2]) if x[0] > 100 else x @ x


def made_in_a_list(x: Any, kind: str) -> Any:
    model = Model(kind)
    return sum([model.run(v) for v in x])


def outcome(function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


FUNCTIONS = [checked, layers_of_a_named_kind, made_in_a_loop, asked_in_a_test, made_in_a_list]


@pytest.mark.parametrize("jit", [False, True], ids=["numpy", "jit"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_calls_that_always_raise(function: Any, jit: bool, capsys: Any) -> None:
    if jit:
        pytest.importorskip("numba")
    derivative = s2sgrad.value_and_grad(function, jit=jit, fallback="error")
    x = np.array([0.5, 1.0, -0.3])
    matrix = next(iter(inspect.signature(function).parameters)) == "w"
    at = np.outer(x, x) if matrix else x
    for kind in ("a", "b", "c", "tanh", "a"):
        for point in (at, at * 2.0, -at):
            expected = outcome(function, point, kind)
            printed = capsys.readouterr().out
            found = outcome(derivative, point, kind)
            assert capsys.readouterr().out == printed
            if isinstance(expected, tuple):
                assert found == expected
            else:
                np.testing.assert_allclose(found[0], expected)

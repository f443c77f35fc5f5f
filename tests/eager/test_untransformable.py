"""What runs on tensors instead has the derivatives of central differences, of every kind."""

from __future__ import annotations

import json
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eager.untransformable import PROGRAMS
from harness import some

import s2sgrad

X = np.array([0.4, -1.1, 0.7, 1.3])
V = np.array([0.3, -0.2, 0.5, 0.1])
REVERSE_ONLY = ("thread",)  # forward mode follows one thread


def differences(f: Callable[[Any], Any], step: float) -> np.ndarray:
    """Central differences of a scalar function at X."""
    return np.array([(f(X + step * e) - f(X - step * e)) / (2 * step) for e in np.eye(4)])


def as_island(f: Callable[..., Any]) -> Callable[..., Any]:
    """The program inside a function that is transformed around it."""

    def around(x):  # type: ignore[no-untyped-def]
        y = np.sin(x) * 1.5 + x
        return f(y) * np.sum(x)

    return around


@pytest.fixture(autouse=True)
def quietly() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("inside", [False, True], ids=["whole", "island"])
def test_derivatives(name: str, inside: bool) -> None:
    f = as_island(PROGRAMS[name]) if inside else PROGRAMS[name]
    wanted = differences(lambda x: float(f(x)), 1e-6)
    np.testing.assert_allclose(s2sgrad.grad(f)(X.copy()), wanted, atol=1e-6, rtol=1e-6)
    np.testing.assert_allclose(s2sgrad.vjp(f, X.copy())[1](1.0)[0], wanted, atol=1e-6, rtol=1e-6)
    np.testing.assert_allclose(s2sgrad.jacobian(f)(X.copy()), wanted, atol=1e-6, rtol=1e-6)
    if inside and name in REVERSE_ONLY:
        return
    _, y_dot = s2sgrad.jvp(f, (X.copy(),), (V,))
    np.testing.assert_allclose(y_dot, wanted @ V, atol=1e-6, rtol=1e-6)


@pytest.mark.parametrize(
    "name",
    some(PROGRAMS),
)
def test_second_derivatives(name: str) -> None:
    f = PROGRAMS[name]
    wanted = differences(lambda x: s2sgrad.grad(f)(x) @ V, 1e-5)
    np.testing.assert_allclose(s2sgrad.hvp(f)(X.copy(), V), wanted, atol=1e-4, rtol=1e-4)
    again = s2sgrad.grad(lambda x: s2sgrad.grad(f)(x) @ V)
    np.testing.assert_allclose(again(X.copy()), wanted, atol=1e-4, rtol=1e-4)


def test_one_warning_with_place_and_reason() -> None:
    df = s2sgrad.grad(PROGRAMS["try_raise"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        df(X)
        df(X)
    (warning,) = caught
    assert "untransformable.py" in str(warning.message) and "'try'" in str(warning.message)
    with pytest.raises(s2sgrad.UnsupportedError):
        s2sgrad.grad(PROGRAMS["try_raise"], fallback="error")(X)


def lost_by_fmean(x):  # type: ignore[no-untyped-def]
    import statistics

    try:
        return statistics.fmean(x)
    except LookupError:
        return 0.0


def lost_by_a_mask(x):  # type: ignore[no-untyped-def]
    try:
        return np.ma.masked_array(x, x < 0).sum()
    except LookupError:
        return 0.0


def lost_by_a_write(x):  # type: ignore[no-untyped-def]
    try:
        held = [np.sqrt(np.arange(4.0))]
        held[0][0] = x[0]
        return held[0].sum()
    except ZeroDivisionError:
        raise


def lost_by_pickling(x):  # type: ignore[no-untyped-def]
    try:
        return pickle.loads(pickle.dumps(x)).sum()
    except ZeroDivisionError:
        raise


def lost_among_texts(x):  # type: ignore[no-untyped-def]
    try:
        return float(np.array([x[0], "a"])[0])
    except ZeroDivisionError:
        raise


LOSSES = [lost_by_fmean, lost_by_a_mask, lost_by_a_write, lost_by_pickling, lost_among_texts]


@pytest.mark.parametrize("f", LOSSES)
def test_what_would_lose_the_derivative_is_refused(f: Any) -> None:
    for call in (lambda: s2sgrad.grad(f)(X), lambda: s2sgrad.jvp(f, (X,), (V,))):
        with pytest.raises(s2sgrad.UnsupportedError, match="loses the derivative"):
            call()


TEXTS = {
    "f-string": lambda x: sum(map(float, f"{x[0]:.3f},{x[1]:.3f}".split(","))),
    "array": lambda x: np.array([f"{v:.3f}" for v in x]).astype(float).sum(),
    "json": lambda x: sum(json.loads(f"[{x[0]:.3f}, {x[1]:.3f}]")),
}


@pytest.mark.parametrize("name", TEXTS)
def test_numbers_read_from_texts(name: str) -> None:
    def f(x: Any) -> Any:
        try:
            return TEXTS[name](x) + x[0]
        except ZeroDivisionError:
            raise

    with pytest.warns(UserWarning, match="text of a traced value loses the derivative"):
        s2sgrad.grad(f)(X)
    with pytest.raises(s2sgrad.UnsupportedError, match="text of a traced value"):
        s2sgrad.grad(lambda x: f(x) * (0.0 if x is None else eval(f"{x[0]}")))(X)


def test_a_loss_that_the_function_catches() -> None:
    def f(x: Any) -> Any:
        held = [np.sqrt(np.arange(4.0))]
        try:
            held[0][0] = x[0]
        except ValueError:
            held[0] = x * 2
        return held[0].sum()

    with pytest.warns(UserWarning, match="the function caught the error that says so"):
        s2sgrad.grad(f)(X)


class Plain:
    def __init__(self, value: Any) -> None:
        self.value = value

    def twice(self) -> Any:
        return np.array([self.value, self.value]).sum()


def test_objects_in_results_have_their_class_and_derivatives() -> None:
    def f(x: Any) -> Any:
        try:
            return [Plain(x[0] * 3), x[1], Plain(Plain(x[2]).twice())]
        except ZeroDivisionError:
            raise

    value, pullback = s2sgrad.vjp(f, X)
    assert type(value[0]) is Plain and type(value[0].value) is np.float64
    (found,) = pullback([Plain(1.0), 1.0, Plain(2.0)])
    np.testing.assert_allclose(found, [3.0, 1.0, 4.0, 0.0])
    with pytest.raises(s2sgrad.ShapeError, match="must have the attribute 'value'"):
        pullback([1.0, 1.0, None])

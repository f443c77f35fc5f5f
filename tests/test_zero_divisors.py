"""Divisions by a zero of Python's, where the function divides NumPy's numbers."""

import numpy as np
import pytest

import s2sgrad

X = np.array([1.5, 1.25, 2.0])


def quotient(x):
    return x[0] / (int(x[1]) - 1)


def mean(x, n):
    return np.sum(x) / n


def by_each(x, weights):
    return sum(v / w for v, w in zip(x, weights, strict=True))


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize(
    "f, args, slope",
    [
        (quotient, (X,), [np.inf, 0.0, 0.0]),
        (mean, (X, 0), [np.inf, np.inf, np.inf]),
        (by_each, (X, [1, 0, 2]), [1.0, np.inf, 0.5]),
    ],
)
def test_numpy_numbers_are_divided_by_zero(f, args, slope, jit):
    value, grad = s2sgrad.value_and_grad(f, fallback="error", jit=jit)(*args)
    assert value == np.inf
    assert list(grad) == slope
    assert list(s2sgrad.grad(f, jit=jit)(*args)) == slope


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_a_power_whose_slope_is_infinite():
    assert s2sgrad.value_and_grad(lambda x: x**0.5)(0.0) == (0.0, np.inf)


def test_python_numbers_are_not():
    with pytest.raises(ZeroDivisionError):
        s2sgrad.grad(lambda x, n: x / n)(1.0, 0)


def test_what_happens_once_is_not_done_again(capsys):
    def told(x, n):
        print("here")
        return x[0] / n

    with pytest.raises(ZeroDivisionError):
        s2sgrad.grad(told)(X, 0)
    assert capsys.readouterr().out == "here\n"

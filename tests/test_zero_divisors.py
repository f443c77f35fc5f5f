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


# --- where NumPy is told to raise --------------------------------------------------------------

A, B = np.array([1.3, 1.5, 2.0]), np.array([0.0, 2.0, 4.0])


def divided_where(a, b):
    return np.sum(np.divide(a, b, out=np.zeros_like(a), where=b != 0) ** 2)


def logarithms_where(a, b):
    out = np.zeros_like(b)
    np.log(b, where=b > 0, out=out)
    return np.sum(a * out)


def put_right_afterwards(a, b):
    with np.errstate(divide="ignore", invalid="ignore"):
        r = a / b
    r[~np.isfinite(r)] = 0.0
    return np.sum(r**2)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("settings", ["raise", "warn"])
@pytest.mark.parametrize("f", [divided_where, logarithms_where, put_right_afterwards])
def test_errors_of_numbers_that_the_function_does_not_have(f, settings):
    with np.errstate(all=settings):
        value, grads = s2sgrad.value_and_grad(f, argnums=(0, 1), fallback="error")(A, B)
        seconds = s2sgrad.hessian(f, argnums=0, fallback="error")(A, B)
        _, pullback = s2sgrad.vjp(f, A, B, fallback="error")
        pulled = pullback(1.0)
    assert value == f(A, B)
    assert np.all(np.isfinite(seconds))
    for grad, bar in zip(grads, pulled, strict=True):
        assert grad[0] == 0.0
        np.testing.assert_array_equal(grad, bar)


def test_errors_of_numbers_that_the_function_has_come_out():
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        s2sgrad.grad(lambda a, b: np.sum(a / b))(A, B)
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):  # the slope is infinite
        s2sgrad.grad(lambda b: np.sum(np.sqrt(b)))(B)

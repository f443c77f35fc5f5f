"""`differentiable`: functions, methods, calls from other differentiated code."""

from __future__ import annotations

import functools

import numpy as np

import s2sgrad

X = np.array([0.5, -1.0, 2.0])


@s2sgrad.differentiable
def square(x):
    """The sum of squares."""
    return np.sum(x * x)


def test_it_stays_the_function() -> None:
    assert square(X) == np.sum(X * X)
    assert square.__name__ == "square" and square.__doc__ == "The sum of squares."
    np.testing.assert_allclose(square.grad(X), 2.0 * X)
    value, gradient = square.value_and_grad(X)
    assert value == np.sum(X * X)
    np.testing.assert_allclose(gradient, 2.0 * X)


def test_other_functions_call_it() -> None:
    def twice(x):
        return square(x) * square(2.0 * x)

    np.testing.assert_allclose(s2sgrad.grad(twice, fallback="error")(X), 16.0 * np.sum(X * X) * X)


def test_the_transforms_take_it() -> None:
    np.testing.assert_allclose(s2sgrad.grad(square, fallback="error")(X), 2.0 * X)
    s2sgrad.check_grad(square, X)


def test_options() -> None:
    @s2sgrad.differentiable(argnums="w", fallback="error")
    def loss(x, w):
        return np.sum(x * w**2)

    np.testing.assert_allclose(loss.grad(X, X), 2.0 * X * X)


class Model:
    def __init__(self, scale: float) -> None:
        self.scale = scale

    @s2sgrad.differentiable
    def loss(self, x):
        return self.scale * np.sum(x**2)


def test_methods_bind() -> None:
    one, two = Model(1.0), Model(3.0)
    np.testing.assert_allclose(one.loss.grad(X), 2.0 * X)
    np.testing.assert_allclose(two.loss.grad(X), 6.0 * X)
    two.scale = 5.0
    np.testing.assert_allclose(two.loss.grad(X), 10.0 * X)
    assert one.loss is one.loss
    assert two.loss(X) == 5.0 * np.sum(X**2)


def test_tensors_make_one_node() -> None:
    from s2sgrad import eager

    t = eager.tensor(X, requires_grad=True)
    square(t).backward()
    np.testing.assert_allclose(t.grad.numpy(), 2.0 * X)


def test_what_a_partial_holds_may_be_decorated_or_of_a_library() -> None:
    class Model:
        @s2sgrad.differentiable
        def loss(self, x, power):
            return np.sum(x**power)

    cubes = functools.partial(Model().loss, power=3)
    np.testing.assert_allclose(s2sgrad.grad(cubes, fallback="error")(X), 3.0 * X**2)
    product = functools.partial(np.dot, X)
    np.testing.assert_allclose(s2sgrad.grad(product, fallback="error")(X + 1.0), X)
    means = s2sgrad.jacobian(functools.partial(np.mean, axis=1), fallback="error")
    np.testing.assert_allclose(means(np.ones((1, 2)))[0, 0], [0.5, 0.5])


# fmt: off
ON_ONE_LINE = (lambda x: np.sum(s2sgrad.grad(lambda x: np.sum(x**3))(x)), lambda *, x, k=2: np.sum(x**k), lambda x, /, k=2: np.sum(k * x))  # noqa: E501
# fmt: on


def test_lambdas_on_one_line_and_in_each_other() -> None:
    within, by_keyword, by_position = (s2sgrad.grad(f, "x", fallback="error") for f in ON_ONE_LINE)
    np.testing.assert_allclose(within(X), 6.0 * X)
    np.testing.assert_allclose(by_keyword(x=X, k=3), 3.0 * X**2)
    np.testing.assert_allclose(by_position(X), 2.0 * np.ones(3))

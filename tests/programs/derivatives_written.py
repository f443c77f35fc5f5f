"""Results of derivatives that the function writes into: they are arrays of their own."""

import functools

import numpy as np

import s2sgrad
from programs.registry import normal, positive, program


@program(positive(8), second=True)
def results_that_were_arguments(x):
    v, w = x[:4] * 1.0, x[4:] * 1.0
    gradient = s2sgrad.grad(lambda u: np.sum(u * w))(v)
    gradient[0] = 5 * x[1]
    product = s2sgrad.hvp(lambda u: 0.5 * np.sum(u * u))(w, v)
    product[1] = 3 * x[2]
    pushed = s2sgrad.jvp(lambda u: u * 1.0, (v,), (w,))[1]
    pushed[2] = x[0]
    value, back = s2sgrad.vjp(lambda u: u, v)
    value[0] = x[6]
    cotangent = back(w)[0]
    cotangent[3] = 2 * x[3]
    same, push = s2sgrad.linearize(lambda u: u + 1, v)
    tangent = push(w)
    tangent[3] *= same[1]
    return (gradient + product) @ w + np.sum(pushed * v * w) + cotangent @ w + tangent @ value


@program(positive(4), second=True)
def names_of_the_compiler(x):
    y_bar, function, place_0, y = x * 2, x * x, x[0], x[1]
    made = x * 1.0
    z, back = s2sgrad.vjp(lambda kept: kept * y_bar * function * place_0 + y, made)
    made[0] = y_bar[1]
    y_bar[2] = 0.5
    x_dot, unit, x_bar, value = x * 3, x[2], x * x, x[3]
    s, push = s2sgrad.linearize(lambda x: x * y_bar * unit + y * x_dot, x)
    g = s2sgrad.grad(lambda x: np.sum(x * x_bar * value + x * x * x_dot))(x)
    return np.sum(z * back(made)[0]) + push(x) @ s + g @ g


@program(normal(3))
def jacobian_of_products_made_before(x):
    product = s2sgrad.hvp(lambda z: np.sum(z**4))
    slope = s2sgrad.grad(lambda z: np.sum(z**3) * x[0])
    along = functools.partial(lambda a, v: a * v**2, x[1])
    found = s2sgrad.jacobian(lambda v: product(x, v) + slope(v) * along(v))(x)
    return np.sum(found @ x)

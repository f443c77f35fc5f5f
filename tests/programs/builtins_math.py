"""Python's own functions and the math module."""

import math
from math import exp, pi

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4), jit=True)
def sum_of_list(x):
    return sum([x[0], x[1] * x[2], x[3] ** 2]) ** 2


@program(normal(4), jit=True)
def sum_of_array(x):
    return sum(x * x) + sum(x[:2], x[3])


@program(normal(4), jit=True)
def min_max_of_scalars(x):
    return max(x[0], x[1]) * min(x[2], x[3]) + max(x[0], 0.0, -1.0) ** 2 + min(x[1], 10.0)


@program(normal(5), jit=True)
def min_max_of_array(x):
    return max(x) ** 2 + min(x) * max([x[0], x[1] * 2.0])


@program(normal(5))
def max_with_key(x):
    best = max(range(5), key=lambda i: x[i])
    return x[best] ** 2 + max(x, key=abs)


@program(normal(3))
def absolute(x):
    return abs(x[0]) * x[1] + np.sum(abs(x) ** 1.5)


@program(normal(4), jit=True)
def length(x):
    return np.sum(x**2) / len(x) + len([x, x]) * x[0]


@program(normal(4), jit=True)
def sorted_values(x):
    a = sorted(x)
    b = sorted(x, reverse=True)
    c = sorted([x[0], x[1] ** 2], key=lambda v: -v)
    return a[0] * b[1] + a[3] ** 2 + c[0]


@program(normal(4), jit=True)
def rounding(x):
    return np.sum(x**2) * (1.0 + round(x[0])) + x[1] * math.floor(x[2]) + x[3] * math.ceil(x[3])


@program(positive(3), jit=True)
def float_and_int(x):
    n = int(x[0] * 3.0)
    return float(x[1]) ** 2 * n + float(np.sum(x)) + x[2] * float(2)


@program(normal(3), jit=True)
def bool_conversion(x):
    flag = bool(x[0] > -100.0)
    return np.sum(x**2) if flag else x[0]


@program(positive(), jit=True, second=True)
def math_elementary(x):
    return math.sin(x) * math.cos(x) + math.exp(-x) + math.log(x) + math.sqrt(x) + math.tan(0.3 * x)


@program(positive(), jit=True)
def math_hyperbolic(x):
    return math.sinh(x) + math.cosh(x) * math.tanh(x) + math.asinh(x) + math.atanh(0.3 * x)


@program(0.4, jit=True)
def math_inverse(x):
    return math.asin(x) + math.acos(x) * math.atan(x) + math.acosh(x + 1.5)


@program(positive(), positive(), wrt=(0, 1), jit=True)
def math_two_arguments(x, y):
    return math.atan2(x, y) + math.hypot(x, y) + math.pow(x, y) + math.copysign(x, -y)


@program(positive())
def math_logs(x):
    return math.log2(x) + math.log10(x) + math.log1p(x) + math.log(x, 3.0) + math.expm1(x)


@program(positive(), jit=True, second=True)
def math_special(x):
    return math.erf(x) + math.erfc(0.5 * x) + math.lgamma(x + 1.0)


@program(positive(), jit=True)
def math_constants(x):
    return math.pi * x + math.e**x + exp(x / pi) + math.tau * math.degrees(x) * math.radians(x)


@program(positive(3), jit=True, second=True)
def math_of_elements(x):
    s = 0.0
    for v in x:
        s += math.sin(v) * math.sqrt(v + s)
    return s


@program(positive(3))
def math_sums(x):
    total = math.fsum(x) ** 2 + math.prod([x[0], x[1], x[2]]) + math.dist([x[0], x[1]], [0.1, 0.2])
    positive_ones = [v for v in x if v > 0.0]
    return total + math.fsum(v * v for v in positive_ones) + math.fsum(map(math.sin, x))


@program(positive(), jit=True, second=True)
def powers(x):
    return x**2 + x**-1 + x**0.5 + 2.0**x + pow(x, 3) + (-x) ** 2 + x**0


@program(positive(), positive(), wrt=(0, 1), jit=True)
def power_of_variables(x, y):
    return x**y + y ** (x * y) + (x + y) ** 2


@program(positive())
def modulo_and_floor_division(x):
    return (x * 3.0) % 0.7 + (x * 5.0 // 2.0) * x + math.fmod(x * 2.0, 0.9)


@program(positive(), positive(), wrt=(0, 1), jit=True)
def divmod_builtin(x, y):
    q, r = divmod(x * 7.3, y)
    return q * x + r**2


@program(normal(3), jit=True)
def unary_operators(x):
    return -x[0] * +x[1] + -(x[2] ** 2) - -x[0]


@program(positive(), jit=True)
def integer_arithmetic_mixed(x):
    n = 3
    return n * x + x / n + n**2 * x + (n - 1) ** x + 7 // 2 * x


@program(normal(4), jit=True)
def map_filter(x):
    squares = list(map(lambda v: v * v, x))
    kept = list(filter(lambda v: v > 0.0, x))
    return squares[0] * squares[1] + sum(kept)


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def zip_to_list(x, y):
    pairs = list(zip(x, y))
    (a, b), (c, d) = pairs[0], pairs[2]
    return a * b + c * d**2


@program(normal(4), jit=True)
def list_of_array(x):
    values = list(x)
    values[1] = values[1] ** 2
    return values[1] * values[3] + values[0]


@program(normal(4))
def tolist_and_back(x):
    values = x.tolist()
    values.append(values[0] * values[1])
    return np.sum(np.array(values) ** 2)


@program(normal(4))
def reversed_and_enumerate_to_list(x):
    s = 0.0
    for k, v in enumerate(reversed([x[0], x[1] * x[2], x[3]])):
        s += (k + 1) * v * v
    for k, v in reversed(list(enumerate(x))):
        s += k * np.sin(v)
    return s


@program(normal(3), jit=True)
def complex_number_parts(x):
    z = complex(x[0], x[1]) * (1.0 + 2.0j) + x[2]
    return z.real**2 + z.imag * abs(z)


@program(positive(4), jit=True)
def geometric_mean(x):
    product = 1.0
    for v in x:
        product *= v
    return product ** (1.0 / len(x))


@program(positive(), positive(), positive(), wrt=(0, 1, 2), jit=True)
def quadratic_root(a, b, c):
    b = b + 4.0
    return (-b + math.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)

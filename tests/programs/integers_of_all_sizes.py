"""Integers of few bits and of many, truth values as integers: constants and under Numba alike."""

import numpy as np

from programs.registry import normal, program

X = np.array([0.31, 0.72, 0.53, 0.44])
U8 = np.array([200, 100, 250, 3], np.uint8)
I32 = np.array([2**31 - 1, 5, -7, 3], np.int32)
I8 = np.array([100, 100, -100, 3], np.int8)
U64 = np.array([1, 2, 3, 4], np.uint64)
U32 = np.array([1, 2, 3, 4], np.uint32)
F32 = np.array([0.1, 0.2, 0.3, 0.7], np.float32)
F16 = np.array([0.1, 0.2, 0.3, 0.7], np.float16)
B = np.array([True, False, True, True])


@program(X, second=True)
def bytes_added(x):
    return (x * (U8 + U8)).sum()


@program(X, second=True)
def bytes_with_numbers(x):
    return (x * (U8 * 2)).sum() + (x * (U8 - np.uint8(201))).sum()


@program(X, second=True)
def short_integers(x):
    return (x * (I32 + 1)).sum() * 1e-09 + (x * (I32 * I32)).sum() * 1e-09


@program(X, second=True)
def signed_bytes(x):
    return (x * (I8 + I8)).sum() + (x * -I8).sum() + (x * abs(I8)).sum()


@program(X, second=True)
def bytes_in_a_loop(x):
    t = 0.0
    for k in range(4):
        t = t + x[k] * (U8[k] + U8[k])
    return t


@program(X, second=True)
def unsigned_wrapped(x):
    t = 0.0
    for k in range(4):
        t = t + x[k] * (U64[k] - U64[3] + 2.0)
    return t * 1e-18


@program(X, second=True)
def unsigned_arrays(x):
    return (x * (U64 - 1)).sum() + (x * (U32 - U32[1])).sum() * 1e-09


@program(X, second=True)
def single_products(x):
    total = (x * (F32 * F32)).sum()
    total = total + (x * (F32 + np.float32(100000000.0) - np.float32(100000000.0))).sum()
    return total


@program(X, second=True)
def single_in_a_loop(x):
    t = 0.0
    for k in range(4):
        t = t + x[k] * (F32[k] * F32[k] * np.float32(3))
    return t


@program(X, second=True)
def half_products(x):
    return (x * (F16 * F16)).sum() + (x * F16.sum()).sum() + (x * F16.mean()).sum()


@program(X, second=True)
def truths_in_arrays(x):
    total = (x * (B + B)).sum()
    total = total + (x * (B * B)).sum()
    total = total + (x * (B | ~B)).sum()
    total = total + (x * (B ^ B)).sum()
    total = total + (x * B.sum()).sum()
    total = total + (x * (B * 2)).sum()
    total = total + (x * (B & B)).sum()
    return total


@program(X, second=True)
def bytes_all_operators(x):
    total = (x * (U8 // 7)).sum()
    total = total + (x * (U8 % 7)).sum()
    total = total + (x * (U8 / 7)).sum()
    total = total + (x * U8**2).sum()
    total = total + (x * (I8 // 7)).sum()
    total = total + (x * (I8 % 7)).sum()
    total = total + (x * (U8 >> 1)).sum()
    total = total + (x * (U8 << 1)).sum()
    total = total + (x * ~U8).sum()
    return total


@program(X, second=True)
def bytes_reduced(x):
    total = (x * np.cumsum(U8)).sum()
    total = total + (x * U8.sum()).sum()
    total = total + (x * np.prod(I8)).sum() * 1e-06
    total = total + (x * U8.max()).sum()
    total = total + (x * np.dot(U8, U8)).sum()
    total = total + (x * (U8 @ U8)).sum()
    total = total + x[0] * U8.mean()
    total = total + x[1] * np.std(I8)
    return total


@program(X, second=True)
def short_scalars(x):
    total = (x * np.int32(2**30) * np.int32(2)).sum() * 1e-09
    total = total + (x * (np.int32(2**30) * np.int32(4))).sum()
    return total


@program(X, second=True)
def beyond_64_bits(x):
    n = 2**40
    m = n * n
    return x[0] * (m / 2**80) + x[1] * float(2**70) * 1e-20 + x[2] * (10**20 // 10**19)


@program(X, second=True)
def integers_written(x):
    acc = np.zeros(4, np.int64)
    for k in range(4):
        acc[k] = x[k] * 10
    return (acc * x).sum()


@program(X, second=True)
def bytes_written(x):
    c = np.zeros(4, np.uint8)
    for k in range(8):
        c[k % 4] += 100
    return (c * x).sum()


@program(X, second=True)
def integers_made(x):
    total = (x * np.arange(4, dtype=np.int8)).sum()
    total = total + (x * np.full(4, 300).astype(np.uint8)).sum()
    total = total + (x * np.array([1.9, -1.9, 2.5, -0.5]).astype(int)).sum()
    total = total + x[0] * int(-1.9)
    total = total + x[1] * np.int64(-1.9)
    return total


@program(X, second=True)
def python_remainders(x):
    total = x[0] * (7 // -2)
    total = total + x[1] * (-7 % 3)
    total = total + x[2] * (np.int64(-7) // 2)
    total = total + x[3] * (np.int64(-7) % 3)
    total = total + x[0] * (5.5 // -2)
    total = total + x[1] * (-5.5 % 2)
    total = total + x[2] * np.fmod(-5.5, 2)
    total = total + x[3] * divmod(-7, 2)[1]
    return total


@program(X, second=True)
def integer_subscripts(x):
    n = len(x)
    k = np.int32(3)
    j = U8[3]
    return x[k] * x[j] + x[-k] * x[n - j] + x[j - 4] if False else x[k] * x[j] + x[-k] * x[n - j]


@program(X, second=True)
def byte_scalars(x):
    total = x[0] * (np.uint8(5) - 3)
    total = total + x[1] * (np.uint8(200) // np.uint8(7))
    total = total + x[2] * -np.int8(-128) * 0.01
    total = total + x[3] * (np.uint8(3) - np.uint8(5))
    return total


@program(X, second=True)
def large_integer_decides(x):
    n = 2**40
    m = n * n
    return x[0] * 2 if m > 5 else x[0] * 3


@program(X, second=True)
def large_integer_doubled(x):
    n = 2**62
    m = n + n
    return x[0] * (1 if m > 0 else 2) + x[1] * (m / n)


@program(X, second=True)
def power_beyond_64_bits(x):
    k = 3**50
    return x[0] * (k % 7) + x[1] * (k // 3**49) + x[2] * float(k) * 1e-23


@program(X, second=True)
def truths_as_integers(x):
    a = True + True
    b = ~True
    c = -True
    d = True * 3
    e = True / 2
    g = True << 2
    h = True & False
    i = True | 2
    return x[0] * a + x[1] * b + x[2] * c + x[3] * d + x[0] * e + x[1] * g + x[2] * h + x[3] * i


@program(X, second=True)
def floors_of_constants(x):
    a = -7 // 2
    b = -7 % 3
    c = 7 // -2
    d = -7.5 // 2
    e = -7.5 % 2
    g = 2 ** (-1)
    h = (-8) ** (1 / 3)
    i = 0.0**0
    j = 7 % -3
    k = 5.5 % -2
    total = x[0] * a
    total = total + x[1] * b
    total = total + x[2] * c
    total = total + x[3] * d
    total = total + x[0] * e
    total = total + x[1] * g
    total = total + x[2] * h.real
    total = total + x[3] * i
    total = total + x[0] * j
    total = total + x[1] * k
    return total


@program(X, second=True)
def constants_not_finite(x):
    a = 1e308 * 10
    b = a - a
    c = 1e-320 / 10000000000.0
    return x[0] * (a > 1) + x[1] * (b != b) + x[2] * c


@program(X, second=True)
def integer_squared_each_turn(x):
    n = 10
    for i in range(3):
        n = n * n
    return x[0] * (n / 100000000.0) + x[1] * (n % 9)


@program(X, second=True)
def power_of_a_length(x):
    n = x.size
    m = n**40
    return x[0] * (m / 2**80) + x[1] * (m > 2**70) + x[2] * np.log2(float(m))


@program(normal(3))
def integers_grown_in_lists_and_rows(x):
    fibonacci, rows, steps = [1, 1], [[1]], [0, 0]
    for k in range(100):
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    for n in range(1, 70):
        row = [1]
        for k in range(1, n):
            row.append(rows[n - 1][k - 1] + rows[n - 1][k])
        row.append(1)
        rows.append(row)
    for k in range(40):
        steps[0] += steps[1] + 1
        steps[1] -= steps[0] * -2
    total = x[0] * (fibonacci[-1] / fibonacci[-2]) + x[1] * (fibonacci[95] % 10)
    return total + x[2] * (rows[69][34] / 1e19) + x[0] * (steps[0] / 1e20)


@program(normal(3))
def cubes_of_counters(x):
    total, cubes, n = x[0], 0, x.size * 1000000
    for k in range(0, 10**8, 10**5):
        cubes += k * k * k
    for k in range(3):
        m = 3000000 + k
        total = total + x[k] * (m * m * m) / 1e18
    return total + x[0] * (cubes / 1e26) + x[1] * (n * n * n) / 1e18


@program(normal(2))
def hash_of_a_text(x):
    h = 5381
    for letter in "the quick brown fox":
        h = ((h << 5) + h) + ord(letter)
    for k in range(3):
        h = (h & 1023) ^ h**2
    return x[0] * (h % 1000) + x[1] * (ord("b") - ord("a")) * len(bin(9))

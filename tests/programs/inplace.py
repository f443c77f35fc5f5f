"""Writing arrays: elements, slices, masks, every augmented assignment, `np.add.at`, `out=`."""

import numpy as np

from programs.registry import normal, positive, program, spd

TABLE = np.linspace(-1.0, 1.0, 6)


@program(normal(5), jit=True, second=True)
def write_elements(x):
    y = np.zeros(5)
    for i in range(5):
        y[i] = x[i] ** 2 * (i + 1)
    return np.sum(y * x)


@program(normal(5), jit=True, second=True)
def write_then_read_back(x):
    y = np.zeros(5)
    y[0] = x[0]
    for i in range(1, 5):
        y[i] = np.sin(y[i - 1]) + x[i] * y[i - 1]
    return y[4] + np.sum(y)


@program(normal(6), jit=True, second=True)
def write_slices(x):
    y = np.ones(6)
    y[1:4] = x[:3] * x[3:]
    y[::2] = y[::2] * x[::2]
    y[-1] = y[0] * y[1]
    return np.sum(y**2)


@program(normal(4), jit=True)
def overwrite_copy(x):
    y = x.copy()
    y[1] = y[0] * y[2]
    y[0] = np.sin(y[1])
    return np.sum(y * x)


@program(normal(4), jit=True)
def overwrite_with_constant(x):
    y = x * x
    y[2] = 0.0
    y[:2] = 1.5
    return np.sum(np.exp(y) * x)


@program(normal(5), jit=True)
def add_into_elements(x):
    y = np.zeros(5)
    for i in range(5):
        y[i] += x[i] * x[0]
        y[4 - i] += np.cos(x[i])
    return np.sum(y**2)


@program(normal(5), jit=True, second=True)
def augmented_into_elements(x):
    y = x * 1.5
    y[0] += x[1]
    y[1] -= x[2] * y[0]
    y[2] *= x[3]
    y[3] /= 2.0 + y[0] ** 2
    y[4] **= 2
    return np.sum(y * y)


@program(positive(5), jit=True, second=True)
def augmented_into_slices(x):
    y = x * 1.0
    y[1:] += x[:-1]
    y[:2] *= x[3:]
    y[2:4] -= y[:2] * 0.5
    y[::2] /= x[::2] + 1.0
    y[1:3] **= 3
    return np.sum(y)


@program(normal(5), jit=True)
def augmented_whole_array(x):
    y = np.zeros(5)
    y += x
    y *= x
    y -= np.sin(x)
    y /= 1.0 + x**2
    return np.sum(y * y)


@program(normal(6), jit=True)
def write_mask(x):
    y = x * 2.0
    y[y > 0.0] = 0.5
    y[x < -0.3] *= x[0]
    return np.sum(y**2)


@program(normal(6), jit=True, second=True)
def write_mask_values(x):
    y = x * 1.0
    m = x > 0.0
    y[m] = x[m] ** 2
    y[~m] += np.exp(x[~m])
    return np.sum(y * y)


@program(normal(5), np.array([3, 0, 4]), jit=True)
def write_integer_array(x, index):
    y = np.zeros(5)
    y[index] = x[:3] * x[2:]
    y[index] *= 2.0
    y[index] += x[index]
    return np.sum(y**2)


@program(normal(4), np.array([0, 2, 2, 1, 2]), second=True)
def add_at(x, index):
    y = np.zeros(3)
    np.add.at(y, index, np.sin(x[[0, 1, 2, 3, 3]]))
    return np.sum(y**2)


@program(normal(5), normal(2, 2), wrt=(0, 1))
def add_at_pairs(x, a):
    b = a * a
    np.add.at(b, (np.array([0, 1, 1, 0]), np.array([1, 1, 1, 0])), x[:4])
    return np.sum(np.cos(b)) * x[4]


@program(normal(4))
def subtract_at(x):
    y = x * 2.0
    np.subtract.at(y, [0, 0, 3], x[:3] ** 2)
    return np.sum(y**2)


@program(normal(5), jit=True, second=True)
def argument_written(x):
    x[0] = x[1] * x[2]
    x[3] += x[0] ** 2
    return np.sum(np.sin(x))


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def argument_augmented(x, y):
    x += y
    x *= y
    y[1:] -= x[:-1]
    return np.sum(x * y)


@program(normal(3, 3), jit=True)
def matrix_argument_written(a):
    for i in range(3):
        a[i, i] = a[i, i] ** 2
        for j in range(i):
            a[i, j] *= a[j, i]
    return np.sum(a * a)


@program(normal(4), normal(4), wrt=(0, 1))
def output_parameter(x, y):
    buffer = np.empty(4)
    np.multiply(x, y, out=buffer)
    np.add(buffer, x, out=buffer)
    z = np.sin(buffer)
    return np.sum(z * buffer)


@program(normal(4))
def output_parameter_reused(x):
    t = np.empty_like(x)
    s = 0.0
    for k in range(3):
        np.cos(x * (k + 1), out=t)
        s += np.sum(t * t * x)
    return s


@program(normal(4, 4), normal(4), wrt=(0, 1))
def output_of_matmul(a, x):
    y = np.zeros(4)
    np.matmul(a, x, out=y)
    np.dot(a, np.sin(y), out=y)
    return np.sum(y**2)


@program(normal(4), jit=True)
def fill_method(x):
    y = np.empty(4)
    y.fill(x[0] * x[1])
    y[2] = x[2]
    return np.sum(y * x)


@program(normal(4), jit=True)
def fill_slice(x):
    y = np.empty((2, 4))
    y[:] = x
    y[1, :] *= x[::-1]
    y[0, 1:3] = x[3]
    return np.sum(y**2)


@program(normal(4))
def broadcast_write(x):
    y = np.zeros((3, 4))
    y[1:] = x**2
    y[:, 0] = x[1]
    y[...] += x
    return np.sum(y**2)


@program(normal(6), jit=True)
def matrix_rows_written(x):
    a = np.zeros((3, 2))
    a[0] = x[:2]
    a[1] = a[0] * x[2:4]
    a[2, :] = a[1] - x[4:]
    return np.sum(a**3)


@program(spd(4), jit=True, second=True)
def cholesky_in_place(a):
    n = a.shape[0]
    L = np.tril(a)
    for j in range(n):
        L[j, j] = np.sqrt(L[j, j] - np.sum(L[j, :j] ** 2))
        for i in range(j + 1, n):
            L[i, j] = (L[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
    return np.sum(np.log(np.diag(L))) + np.sum(L)


@program(normal(7), positive(), wrt=(0, 1), jit=True)
def stencil(u0, nu):
    u = u0.copy()
    for _ in range(5):
        u[1:-1] += 0.1 * nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) - 0.05 * u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u**2)


@program(normal(6), jit=True, second=True)
def gauss_seidel_sweep(b):
    u = np.zeros(8)
    for _ in range(3):
        for i in range(1, 7):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + b[i - 1]) + 0.01 * u[i] ** 2
    return np.sum(u**2)


@program(normal(5), jit=True)
def prefix_sums_in_place(x):
    y = x * x
    for i in range(1, 5):
        y[i] += y[i - 1]
    for i in range(3, -1, -1):
        y[i] *= y[i + 1]
    return y[0]


@program(normal(5), jit=True)
def same_element_many_times(x):
    y = np.zeros(1)
    for i in range(5):
        y[0] = np.sin(y[0]) * x[i] + x[i]
    return y[0]


@program(normal(4), jit=True, second=True)
def swap_elements(x):
    y = x.copy()
    y[0], y[3] = y[3] * 2.0, y[0]
    y[1], y[2] = y[2], y[1] * y[0]
    return np.sum(y * np.arange(1.0, 5.0) * x)


@program(normal(5), jit=True)
def bubble_sort(x):
    y = x.copy()
    n = len(y)
    for i in range(n):
        for j in range(n - 1 - i):
            if y[j] > y[j + 1]:
                y[j], y[j + 1] = y[j + 1], y[j]
    return np.sum(y * np.array([1.0, 2.0, 4.0, 8.0, 16.0]))


@program(normal(3, 3))
def swap_rows(a):
    b = a.copy()
    b[[0, 2]] = b[[2, 0]]
    b[1] = b[0] * b[2]
    return np.sum(b * a)


@program(normal(3, 4), jit=True)
def column_writes(a):
    b = np.empty_like(a)
    for j in range(4):
        b[:, j] = a[:, j] / (1.0 + np.sum(a[:, j] ** 2))
    b[:, 1] += b[:, 0]
    return np.sum(b * b)


@program(normal(4), 0, jit=True)
def written_in_zero_trips(x, n):
    y = x * x
    for i in range(n):
        y[i] = 0.0
    return np.sum(y)


@program(normal(4), jit=True, second=True)
def conditional_write(x):
    y = x * 1.0
    for i in range(4):
        if y[i] > 0.0:
            y[i] *= y[(i + 1) % 4]
        else:
            y[i] = x[i] ** 2
    return np.sum(y)


@program(normal(4), jit=True)
def inactive_buffer(x):
    weights = np.zeros(4)
    for i in range(4):
        weights[i] = 1.0 / (i + 1)
    y = x * weights
    weights[0] = 100.0
    return np.sum(y * y) + weights[1] * x[0]


@program(normal(4))
def copyto_and_put(x):
    y = np.zeros(4)
    np.copyto(y, x * x)
    y[1:3] = y[1:3][::-1]
    return np.sum(y * x)


@program(normal(5), jit=True)
def reverse_in_place(x):
    y = x * 1.0
    y[:] = y[::-1] * x
    y[1:] = y[:-1] + y[1:]
    return np.sum(y**2)


@program(normal(4), normal(3), wrt=(0, 1), jit=True)
def written_value_keeps_its_cotangent(x, v):
    y = x * 2.0
    w = v * v
    y[:3] = w
    w = w * 3.0
    return np.sum(y**2) + np.sum(w)


@program(normal(4), jit=True)
def write_after_nonlinear_read(x):
    y = x * 1.0
    s = np.sum(np.sin(y))
    y[0] = s
    t = y[0] * y[1]
    y[1] = t
    return np.sum(y) * s


@program(normal(2, 3, 2), jit=True)
def three_dimensional_writes(a):
    b = np.zeros((2, 3, 2))
    for k in range(2):
        b[k] = a[k] * (k + 1)
        b[k, :, 0] += a[1 - k, :, 1]
        b[..., 1] *= 1.1
    return np.sum(b**2)


@program(normal(4))
def integer_buffer_beside(x):
    counts = np.zeros(2, dtype=int)
    sums = np.zeros(2)
    for v in x:
        k = 0 if v > 0 else 1
        counts[k] += 1
        sums[k] += v * v
    return np.sum(sums / np.maximum(counts, 1))


@program(normal(3, 3))
def maximum_into(a):
    best = a[0].copy()
    for i in range(1, 3):
        np.maximum(best, a[i], out=best)
    return np.sum(best**2)


@program(normal(4), jit=True)
def list_of_buffers(x):
    rows = [np.zeros(4) for _ in range(2)]
    rows[0][:] = x
    rows[1][1:] = rows[0][:-1] * x[1:]
    rows[0][2] += rows[1][3]
    return np.sum(rows[0] * rows[1]) + np.sum(rows[0])


@program(positive(4), second=True)
def array_without_axes_in_a_loop(x):
    s, t = np.zeros(()), np.array(0.0)
    for v in x:
        s[()] = s[()] * v + v
        t[...] = t * v + v**2
    t += 1
    return float(s) + t * t


@program(positive(4))
def update_of_number_or_array_with_another_name(x):
    parts = []
    for k in range(4):
        parts.append(x * 3.0 if k % 2 else x[0] * 3.0)
    s = 0.0
    for y in parts:
        z = y
        y += x[1]
        s += np.sum(z * y)
    return s


@program(normal(4), second=True)
def real_and_imaginary_parts_set(x):
    w = np.zeros(4, dtype=complex)
    w.real = 2.0 * x
    w.imag = np.sin(x)
    w.real[1:3] += x[:2] ** 2
    q = np.zeros((2, 2))
    q.flat = x * x
    return np.sum(np.abs(w**2) ** 2) + np.sum(q @ q)


@program(normal(6), second=True)
def triangle_filled_from_a_vector(p):
    L = np.zeros((3, 3))
    L[np.tril_indices(3)] = p
    np.fill_diagonal(L, np.exp(np.diagonal(L)))
    S = L @ L.T
    return np.linalg.slogdet(S)[1] + np.trace(np.linalg.inv(S))


@program(normal(2, 3), jit=True, second=True)
def sums_of_columns_written_to_rows(x):
    table = np.zeros((2, 3))
    table[1] = 2.0 * np.mean(x, axis=0)
    table[0] = np.sum(x, axis=0)
    return np.sum(table**3)


@program(normal(2, 3))
def sum_written_to_out(x):
    total = np.zeros(3)
    np.sum(x, axis=0, out=total)
    return np.sum(total**2) + np.sum(np.mean(x, axis=0, out=np.empty(3)) ** 2)


@program(np.linspace(-0.6, 0.9, 12), second=True)
def written_in_the_order_of_entries(x):
    """`.flat` of what lies in another order in memory, and np.put into it."""
    q = x.reshape(3, 4) * 1.0
    part = q[:, 1:]
    part.flat[4] = x[0] ** 2
    part.flat[-2:] *= x[:2]
    q.T.flat[2:5] += x[:3] ** 2
    np.put(q[:, ::2], [1, 5], [x[3] * x[4], 0.2])
    q[1].put(2, x[3])
    q.T.put([4, -1], x[:2] * x[5])
    m = q.T.copy()
    q[:, 1:].flat = x[:9] * x[3:]
    m.T.flat = np.cumsum(x[:5])
    return np.sum(q**2 * np.arange(4.0)) + np.sum(np.sin(m) * np.arange(3.0))


@program(normal(6), jit=True, second=True)
def begun_with_a_table_from_outside(x):
    """What is written into was made in the same round, though the name began as the table."""
    y = TABLE
    for _ in range(3):
        y = y * x
        y += np.sin(x)
    k = 0
    z = TABLE
    while k < 2:
        z = z + x * y
        z[1:] *= x[0]
        k += 1
    return np.sum(y * z)

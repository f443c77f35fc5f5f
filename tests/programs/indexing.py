"""Reading arrays: elements, slices, ellipsis, newaxis, integer arrays, masks."""

import numpy as np

from programs.registry import normal, positive, program, using


@program(normal(5), jit=True)
def element(x):
    return x[0] * x[3] + x[-1] ** 2


@program(normal(3, 4), jit=True)
def element_of_matrix(a):
    return a[1, 2] * a[0, -1] + a[-2][3]


@program(normal(6), jit=True, second=True)
def slices(x):
    return np.sum(x[1:4] * x[:3]) + np.sum(x[3:] ** 2) + np.sum(x[:-2])


@program(normal(6), jit=True)
def slices_with_step(x):
    return np.sum(x[::2] * x[1::2]) + np.sum(x[::-1] * x) + np.sum(x[4:0:-2] ** 2)


@program(normal(3, 4), jit=True, second=True)
def slices_of_matrix(a):
    return np.sum(a[1:, :-1] * a[:-1, 1:]) + np.sum(a[:, 2] ** 2) + np.sum(a[0] * a[2, ::-1])


@program(normal(2, 3, 4), jit=True)
def ellipsis(a):
    return np.sum(a[..., 0] * a[..., -1]) + np.sum(a[1, ...] ** 2)


@program(normal(3), normal(4), wrt=(0, 1), jit=True)
def newaxis(x, y):
    table = x[:, None] * y[np.newaxis, :]
    return np.sum(np.sin(table))


@program(normal(5), np.array([0, 2, 2, 4]), jit=True, second=True)
def integer_array(x, index):
    picked = x[index]
    return np.sum(picked**2 * np.arange(1, 5))


@program(normal(5))
def integer_list(x):
    return np.prod(x[[3, 1, 1]])


@program(normal(4, 3), np.array([0, 1, 3]), np.array([2, 0, 2]), jit=True)
def integer_pairs(a, rows, columns):
    return np.sum(a[rows, columns] ** 2) + np.sum(a[rows] * a[rows, columns][:, None])


@program(normal(4, 3), np.array([[0, 1], [3, 3]]), jit=True)
def integer_matrix_index(a, rows):
    return np.sum(np.sin(a[rows]))


@program(normal(4, 3), np.array([0, 2, 2]), jit=True)
def integer_and_slice(a, columns):
    return np.sum(a[:, columns] ** 2) + np.sum(a[1:3, columns] * a[0, columns])


@program(normal(4, 4))
def open_mesh(a):
    rows = np.array([0, 2, 3])
    block = a[np.ix_(rows, [1, 2])]
    return np.sum(block**3)


@program(normal(6), jit=True, second=True)
def mask(x):
    return np.sum(x[x > 0.0] ** 2) + np.prod(x[x < 0.0] - 1.0)


@program(normal(6), using(lambda rng: np.array([True, False, True, True, False, True])), jit=True)
def mask_argument(x, keep):
    kept = x[keep]
    return np.sum(kept * kept[::-1]) + np.sum(np.cos(x[~keep]))


@program(normal(3, 4))
def mask_of_matrix(a):
    return np.sum(a[a > 0.0] ** 2) + np.sum(a[a[:, 0] < 10.0])


@program(normal(3, 4), np.array([0, 2]))
def mask_rows(a, index):
    keep = np.zeros(3, dtype=bool)
    keep[index] = True
    return np.sum(a[keep] ** 2)


@program(normal(4, 4), jit=True)
def diagonal_by_index(a):
    n = len(a)
    i = np.arange(n)
    return np.prod(a[i, i]) + np.sum(a[i, n - 1 - i])


@program(normal(3, 4), np.array([1, 3, 0]), jit=True)
def pick_per_row(scores, labels):
    return np.sum(scores[np.arange(len(labels)), labels] ** 2)


@program(normal(5), jit=True)
def index_of_index(x):
    y = x[1:]
    z = y[::-1][:2]
    return z[0] * z[1] + y[1:][0]


@program(normal(5), jit=True)
def computed_index(x):
    i = int(np.argmax(x))
    j = len(x) // 2
    return x[i] ** 2 + x[i - j] * x[j]


@program(normal(5), jit=True)
def sorted_by_argsort(x):
    order = np.argsort(x)
    return np.sum(x[order] * np.arange(5.0))


@program(normal(5), slice(1, 4), jit=True)
def slice_object(x, window):
    return np.sum(x[window] ** 2) * x[slice(None, None, 2)][1]


@program(normal(3, 3))
def tuple_index(a):
    where = (1, 2)
    return a[where] ** 2 + a[tuple([0, 0])]


@program(normal(2, 3, 4), jit=True)
def chained_indexing(a):
    return a[0][1][2] * a[1, 2][3] + np.sum(a[1][0] ** 2)


@program(normal(6), 2, jit=True)
def moving_window(x, half):
    s = 0.0
    for i in range(half, len(x) - half):
        window = x[i - half : i + half + 1]
        s += np.sum(window) ** 2 / window.size
    return s


@program(normal(3, 3), jit=True)
def symmetric_pairs(a):
    upper = a[np.triu_indices(3)]
    return np.sum(upper**2) + upper[1] * a[np.tril_indices(3, -1)][0]


@program(normal(7), jit=True)
def negative_bounds(x):
    return np.sum(x[-3:] * x[-5:-2]) + np.sum(x[:-4:-1] ** 2)


@program(normal(4), jit=True)
def empty_slice(x):
    return np.sum(x[4:]) + np.sum(x[2:2] ** 2) + x[0] ** 2


@program(normal(4, 5), jit=True)
def rows_and_columns(a):
    out = 0.0
    for i in range(4):
        out += a[i] @ a[i, ::-1]
    for j in range(5):
        out += np.sum(a[:, j]) ** 2
    return out


@program(normal(6), np.array([2, 0, 1]), jit=True)
def nested_lookup(x, parent):
    s = 0.0
    for i in range(3):
        s += x[parent[i]] * x[parent[parent[i]] + 3]
    return s


@program(positive(5), 2.3, jit=True)
def interpolate_by_hand(y, t):
    i = int(t)
    w = t - i
    return (1.0 - w) * y[i] + w * y[i + 1] ** 2


@program(positive(5), 2.3, wrt=(0, 1), jit=True)
def interpolate_position(y, t):
    i = int(np.floor(t))
    w = t - i
    return (1.0 - w) * y[i] + w * y[i + 1] ** 2


@program(normal(4), using(lambda rng: np.array(2)))
def zero_dimensional_index(x, i):
    return x[i] ** 2 + x[int(i) - 1]


@program(normal(3, 4), jit=True)
def boolean_column_mask(a):
    columns = np.array([True, False, True, False])
    return np.sum(a[:, columns] ** 2) + np.sum(np.sin(a[1, ~columns]))


@program(normal(5, 3))
def take_rows_in_loop(a):
    s = np.zeros(3)
    for batch in [[0, 1], [1, 4], [2, 2]]:
        s = np.tanh(s + a[batch].sum(axis=0))
    return np.sum(s)


@program(positive(4), np.array([0, 1, 1]))
def scaled_where_an_index_stands_twice(x, i):
    # Of several writes to one entry the last one counts.
    y = x.copy()
    y[i] *= x[1:]
    y[np.ix_([2, 2])] /= x[:2]
    return np.sum(y**2)


@program(positive(3, 4))
def rows_scaled_by_chosen_rows(a):
    c = a.copy()
    c[(a @ a.T).argmax(0)] *= a
    return np.sum(c**2)


@program(positive(4))
def zero_dimensional_array_as_a_whole(x):
    s = np.array(0.5)
    for v in x:
        s[...] = s * v + x[0]
    y = x.copy()
    y[1, ...] = y[1, ...] * y[2] + x[0]
    return s * x[1] + np.sum(y**2)


@program(normal(4))
def indices_and_masks_change_after_their_use(x):
    i = np.array([0, 2])
    y = x.copy()
    y[i] = x[i] * x[1:3]
    z = np.take(x, i) ** 2
    i += 1
    m = y > 0.0
    w = np.where(m, y, 3.0 * y)
    w[m] *= 2.0
    m[:] = False
    return np.sum(w * w) + np.sum(z * x[i])


@program(normal(3))
def constant_arrays_change_after_their_use(x):
    a = np.eye(3) + 0.5
    y = np.linalg.solve(a, x) * (a[0] @ x)
    a[:] = 2.0 * np.eye(3)
    return np.sum(y * (a @ x))


@program(normal(3), np.array([2, 0, 1, 2]))
def last_of_rows_chosen_from_a_stack(x, places):
    rows = [x]
    while len(rows) < 4:
        rows.append(rows[-1] * np.sin(rows[-1]))
    return np.sum(np.stack([np.asarray(r) for r in rows])[places][-1])

"""Subscripts that give copies, read and written."""

import numpy as np

from programs.registry import program

X = np.array([0.31, 0.72, 0.53, 0.44])


@program(X, second=True)
def mask_that_is_true(x):
    A = x * x + 1
    flag = True
    A[flag] = A[flag][...] * x[0]
    return np.sum(A * A)


@program(X, second=True)
def copies_by_masks(x):
    A = x * x + 1
    flag = True
    B = A[flag]
    B *= 2
    A[[1, 2]][...]
    C = A[[1, 2]][:]
    C *= x[0]
    D = A[x > 0][1:]
    D *= x[0]
    return np.sum(A * A) + B.sum() + C.sum() + D.sum()


@program(X, second=True)
def rows_exchanged(x):
    A = x * x + 1
    A[[0, 1]] = A[[1, 0]][...] * x[0]
    A[[0, 1]] = A[[1, 0]][::-1] * x[0]
    A[x > 0] = A[x > 0][::-1] * x[0]
    return np.sum(A * A)


@program(X, second=True)
def rows_copied(x):
    A = x * x + 1
    c = A[[1, 0]]
    A[0] = 5 * x[0]
    d = A[[1, 0]][...]
    A[1] = x[2]
    return np.sum(A * A) + c.sum() * d.sum()


IMAGE = np.sin(np.arange(1.0, 31.0) ** 2).reshape(5, 6)
I, J = np.array([[1, 3, 3], [0, 2, 3]]), np.array([[4, 0, 0], [2, -2, 4]])


@program(IMAGE, 0.1 * IMAGE, jit=True)
def warped(image, shift):
    """Each point of an image from the four around where it came from."""
    h, w = image.shape
    rows, columns = np.meshgrid(np.arange(h), np.arange(w), indexing="ij")
    y = np.clip(rows + 3.0 * shift, 0.0, h - 1.01)
    x = np.clip(columns - 2.0 * shift, 0.0, w - 1.01)
    i, j = np.floor(y).astype(int), np.floor(x).astype(int)
    v, u = y - i, x - j
    upper = image[i, j] * (1 - u) + image[i, j + 1] * u
    lower = image[i + 1, j] * (1 - u) + image[i + 1, j + 1] * u
    return np.sum((upper * (1 - v) + lower * v) ** 3)


@program(IMAGE, I, J, IMAGE[:2, :3])
def pairs_of_places_written(image, i, j, w):
    y = image * 1.0
    y[i, j] = w * y[i + 1, j]
    y[i + 1, j - 1] *= w
    y[i] += w[0, 0] * y[j % 5]
    for k in range(2):
        y = y + 0.1 * y[(i + k) % 4, j].sum()
        y[i[:, k], j[:, k]] = y[i[:, None, 0], j[None, 1, :2]] @ w[0, :2]
    return np.sum(y**3)


@program(np.stack((IMAGE, IMAGE**2, 2.0 * IMAGE)), I[:, 0], IMAGE[0, :2], jit=True)
def places_between_slices(t, k, w):
    a = t[:, k, k + 1] * w + t[:, 1:, k][:, 2]
    b = t[k, :, k] ** 2
    c = t[1, :, k] ** 3 + np.sum(t[k - 1, 3, None, k].T * t[2, k[:, None], k[None, :]])
    return np.sum(a**2) + np.sum(b) + np.sum(c) + np.sum(t[k, None, 1] * w[0])

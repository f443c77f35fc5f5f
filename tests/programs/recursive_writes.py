"""Recursive functions that change their arguments, or what stands around them."""

import numpy as np

from programs.registry import positive, program


def _merge_sort(a, lo, hi, tmp):
    if hi - lo < 2:
        return
    mid = (lo + hi) // 2
    _merge_sort(a, lo, mid, tmp)
    _merge_sort(a, mid, hi, tmp)
    i = lo
    j = mid
    for k in range(lo, hi):
        if j >= hi or (i < mid and a[i] <= a[j]):
            tmp[k] = a[i]
            i += 1
        else:
            tmp[k] = a[j]
            j += 1
    a[lo:hi] = tmp[lo:hi]


def _butterflies(re, n):
    if n == 1:
        return
    h = n // 2
    for k in range(h):
        s = re[k] + re[k + h]
        d = (re[k] - re[k + h]) * re[k]
        re[k] = s
        re[k + h] = d
    _butterflies(re[:h], h)
    _butterflies(re[h:n], h)


def _cholesky(a, lo, hi):
    if hi - lo == 1:
        a[lo, lo] = np.sqrt(a[lo, lo])
        return
    mid = (lo + hi) // 2
    _cholesky(a, lo, mid)
    a[mid:hi, lo:mid] = np.linalg.solve(a[lo:mid, lo:mid], a[mid:hi, lo:mid].T).T
    a[mid:hi, mid:hi] -= a[mid:hi, lo:mid] @ a[mid:hi, lo:mid].T
    a[lo:mid, mid:hi] = 0.0
    _cholesky(a, mid, hi)


def _fft(re, im):
    n = re.shape[0]
    if n == 1:
        return
    _fft(re[::2], im[::2])
    _fft(re[1::2], im[1::2])
    e = re[::2].copy()
    f = im[::2].copy()
    o = re[1::2].copy()
    p = im[1::2].copy()
    h = n // 2
    for k in range(h):
        c = np.cos(2 * np.pi * k / n)
        s = -np.sin(2 * np.pi * k / n)
        tr = c * o[k] - s * p[k]
        ti = c * p[k] + s * o[k]
        re[k] = e[k] + tr
        im[k] = f[k] + ti
        re[k + h] = e[k] - tr
        im[k + h] = f[k] - ti


def _turn(a, i, j):
    if i >= j:
        return
    a[i], a[j] = (a[j] * a[i], a[i])
    _turn(a, i + 1, j - 1)


@program(positive(4), second=True)
def merge_sort_in_place(x):
    a = x.copy()
    tmp = np.zeros(4)
    _merge_sort(a, 0, 4, tmp)
    return np.sum(a * a * np.arange(1.0, 5.0))


@program(positive(4), second=True)
def butterflies_on_views(x):
    a = x * 1.0
    _butterflies(a, 4)
    return np.sum(a**2)


@program(positive(4), second=True)
def cholesky_by_halves(x):
    a = np.outer(x, x) + 4 * np.eye(4)
    _cholesky(a, 0, 4)
    return np.sum(a * np.arange(16.0).reshape(4, 4))


@program(positive(4), second=True)
def fft_of_real_and_imaginary_parts(x):
    re = np.concatenate([x, x**2])
    im = np.zeros(8)
    _fft(re, im)
    return np.sum((re**2 + im**2) * np.arange(8.0))


@program(positive(4), second=True)
def list_turned_round(x):
    a = [v for v in x]
    _turn(a, 0, 3)
    return a[0] * a[1] + a[2] ** 2 * a[3]


@program(positive(4), second=True)
def paths_of_three(x):
    path = []
    out = []

    def go(k):
        if k == 3:
            out.append(path[0] * path[1] ** 2 * path[2])
            return
        for i in range(3):
            path.append(x[i] * x[k])
            go(k + 1)
            path.pop()

    go(0)
    return sum(out)

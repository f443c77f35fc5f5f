"""Functions that are read in place of a library's, where its own does something of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy
import scipy.interpolate
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse
import scipy.sparse.linalg

import s2sgrad

X = np.array([-0.3, 1.7, 2.2, 0.9])
NODES = np.array([0.0, 1.1, 1.9, 3.2])
ROWS, COLUMNS = np.array([2, 0, 1, 0]), np.array([0, 1, 1, 1])
SAWTOOTH = np.array([-0.5, 0.4, 1.3, 2.8, 3.9])


def checked(f: Any, *args: Any) -> None:
    """The value is the function's own, and the gradient by all arguments that of differences."""
    places = tuple(range(len(args)))
    value, _ = s2sgrad.value_and_grad(f, places, fallback="error")(*args)
    np.testing.assert_allclose(value, f(*args), rtol=1e-9)
    s2sgrad.check_grad(f, *args, argnums=places)


def integers(x):
    """What is put among integers is rounded; an integer dtype has no derivative."""
    whole = np.array([1, 2, 4])
    found = np.sum(x.astype(np.dtype(int)) * x) + np.sum(whole, initial=x[1])
    found += np.sum(np.pad(whole, 1, constant_values=x[1]) * x[0])
    found += np.sum(np.logspace(0, 2, 4, base=x[2] + 0.1, dtype=int) * x)
    return found + np.sum(np.vectorize(lambda t: t * t, otypes=[int])(x) * x)


def options(x, period):
    short = np.fromiter((t * t for t in x), float, count=2)
    around = np.interp(x, NODES, x, period=-period)
    return np.sum(short) + np.sum(around * x) + np.sum(np.diff(x, 0, prepend=1.0) * NODES)


def in_memory(a):
    """np.nditer takes entries as they lie."""
    total = 0.0
    for k, entry in enumerate(np.nditer(a)):
        total += np.sin(k) * entry
    return total


def beyond_the_ends(x, y):
    steps = scipy.interpolate.interp1d(x, y, kind="previous", fill_value="extrapolate")(SAWTOOTH)
    known = np.where(np.isnan(steps), 7.0, steps)
    spline = scipy.interpolate.BSpline(np.arange(8.0), y, 3, extrapolate=False)
    return np.sum(known * SAWTOOTH) + spline.integrate(-1.0, 3.7)


def along_the_last_axis(x, y):
    points = SAWTOOTH[1:].reshape(2, 2)
    spline = scipy.interpolate.CubicSpline(x, np.stack((y, y * y)), axis=-1)(points)
    akima = scipy.interpolate.Akima1DInterpolator(x, np.stack((y, y * y)), axis=-1)(points / 2.0)
    return np.sum(np.sin(np.arange(8.0)) * (spline + akima).ravel())


def two_nodes(x, y):
    """Splines through two points are lines."""
    total = 0.0
    for kind in (scipy.interpolate.CubicSpline, scipy.interpolate.PchipInterpolator):
        total += np.sum(kind(x[:2], y[:2] * x[1:3])(SAWTOOTH) * SAWTOOTH)
    return total + scipy.interpolate.Akima1DInterpolator(x[:2], y[:2])(0.4) * y[2]


def narrow(x, width):
    weights = np.sin(np.arange(12.0)).reshape(3, 4)
    image = np.outer(np.arange(1.0, 4.0), x * x)
    return np.sum(scipy.ndimage.gaussian_filter(image, (0.0, width)) * weights)


def old_matrices(x):
    matrix = scipy.sparse.csr_matrix((x, (ROWS, COLUMNS)), shape=(3, 3))
    whole = scipy.sparse.coo_array((x, (ROWS, COLUMNS)), shape=(3, 3), dtype=int)
    return np.sum(matrix.sum(axis=1) * x[:3]) + np.sum(whole.toarray()) * x[0] + matrix.nnz * x[1]


def square_gap(y, a):
    return y * y + a


def far(y, a):
    return np.sum((y - a) ** 4)


def outcomes(x):
    """Solvers that succeed, and those that don't."""
    total = x[0] * x[1]
    for k in range(3):
        if scipy.optimize.root(square_gap, np.array([1.0]), args=(0.3 * (k - 1.5),)).success:
            total += x[k]
    few = {"maxiter": 1}
    if scipy.optimize.minimize(far, np.array([9.0]), args=(x[0],), options=few).success:
        total *= 2.0
    found = scipy.optimize.root_scalar(square_gap, args=(-x[1],), x0=1.5, x1=1.0, maxiter=99)
    return total + (found.root if found.converged else 5.0)


def iterated(x, b):
    matrix = scipy.sparse.csr_array((x + 4.0, (np.arange(4), np.arange(4)[::-1])), shape=(4, 4))
    return np.sum(scipy.sparse.linalg.gmres(matrix, b, rtol=1e-12, x0=b)[0] * NODES)


def by_a_shift(x, s):
    return np.sum(scipy.ndimage.fourier_shift(x + 0j, s).real * np.cos(x))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize(
    ("f", "args"),
    [
        (integers, (X,)), (options, (X, 2.45)),
        (in_memory, (np.asfortranarray(np.outer(X, NODES)),)),
        (beyond_the_ends, (NODES, X)), (along_the_last_axis, (NODES, X)), (narrow, (X, 0.8)),
        (two_nodes, (NODES, X)),
        (old_matrices, (X,)), (outcomes, (X,)), (iterated, (X, NODES + 1.0)),
        (by_a_shift, (SAWTOOTH, 0.7)),
    ],
)  # fmt: skip
def test_values_and_gradients(f: Any, args: Any) -> None:
    checked(f, *args)


def by_a_penalty(x, s):
    return np.sum(scipy.interpolate.make_smoothing_spline(NODES5, x, lam=s)(NODES))


NODES5 = np.arange(5.0)


def test_no_gradient_where_only_the_value_is_known() -> None:
    s2sgrad.grad(by_a_penalty, fallback="error")(SAWTOOTH, 0.7)
    with pytest.raises(s2sgrad.MissingRuleError):
        s2sgrad.grad(by_a_penalty, argnums=1, fallback="error")(SAWTOOTH, 0.7)


def in_order(x):
    return np.sum(scipy.sparse.csr_array((x, (ROWS, COLUMNS)), shape=(3, 3)).data * X)


def as_a_matrix(x):
    dense = scipy.sparse.csr_matrix((x, (ROWS, COLUMNS)), shape=(3, 3)).todense()
    return np.sum(dense * dense)


def around(x):
    spline = scipy.interpolate.CubicSpline(NODES, x * (x[0] - x), bc_type="periodic")
    return spline.integrate(-2.0, 9.0)


def too_few_steps(x):
    return np.sum(scipy.sparse.linalg.cg(np.diag(NODES + 1.0), x, maxiter=1)[0])


def rounded(x):
    """NumPy takes the dtype of the first result, an integer."""
    return np.sum(np.vectorize(lambda t: 0 if t < 0 else t * t)(x))


@pytest.mark.parametrize("f", [in_order, as_a_matrix, around, too_few_steps, rounded])
def test_refused_where_the_library_works_in_a_way_of_its_own(f: Any) -> None:
    with pytest.raises((s2sgrad.UnsupportedError, RuntimeError, ValueError)):
        s2sgrad.grad(f, fallback="error")(X)


def entries_that_are_written(x):
    y = x * 2.0
    entries = [entry for entry in np.nditer(y)]  # noqa: C416
    y *= 3.0
    return sum(entry * entry for entry in entries)


def written_on_the_way(x):
    y, total = x * 2.0, 0.0
    for entry in np.nditer(y):
        y[-1] *= 1.5
        total += entry * entry
    return total


@pytest.mark.parametrize("f", [entries_that_are_written, written_on_the_way])
def test_entries_that_show_what_is_written_are_refused(f: Any) -> None:
    with pytest.raises(s2sgrad.UnsupportedError, match=r"np.nditer gives is a view of 'y'"):
        s2sgrad.grad(f, fallback="error")(X)

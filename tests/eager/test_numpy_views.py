"""NumPy functions that hand out views, written through in traced code: values and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from s2sgrad import eager
from s2sgrad.eager.numpy_code.tracing import vjp

Function = Callable[..., Any]
X = np.random.default_rng(0).standard_normal((3, 4)) + 2
WINDOWS = np.lib.stride_tricks.sliding_window_view

VIEWS: dict[str, Function] = {
    "flip": np.flip,
    "flip one axis": lambda a: np.flip(a, axis=0),
    "fliplr": np.fliplr,
    "flipud": np.flipud,
    "rot90": np.rot90,
    "rot90 thrice": lambda a: np.rot90(a, k=3),
    "atleast_1d": np.atleast_1d,
    "atleast_2d": np.atleast_2d,
    "atleast_3d": np.atleast_3d,
    "atleast_2d of two": lambda a: np.atleast_2d(a, a[0])[1],
    "expand_dims": lambda a: np.expand_dims(a, axis=(0, 2)),
    "squeeze": lambda a: np.squeeze(a[:, :1]),
    "moveaxis": lambda a: np.moveaxis(a, 0, 1),
    "swapaxes": lambda a: np.swapaxes(a, 0, 1),
    "rollaxis": lambda a: np.rollaxis(a, 1),
    "transpose": np.transpose,
    "matrix_transpose": np.matrix_transpose,
    "linalg.matrix_transpose": np.linalg.matrix_transpose,
    "ravel": np.ravel,
    "ravel in Fortran's order": lambda a: np.ravel(a, order="F"),
    "ravel transposed": lambda a: np.ravel(a.T, order="F"),
    "ravel in the order of memory": lambda a: np.ravel(a.T, order="K"),
    "reshape": lambda a: np.reshape(a, (2, 6)),
    "reshape in Fortran's order": lambda a: np.reshape(a.T, (2, 6), order="F"),
    "real": np.real,
    "conj of the real": lambda a: a.conj(),
    "astype the same": lambda a: a.astype(float, copy=False),
    "asarray": np.asarray,
    "array without a copy": lambda a: np.array(a, copy=None),
    "view": lambda a: a.view(),
    "nan_to_num": lambda a: np.nan_to_num(a, copy=False),
    "split": lambda a: np.split(a, 2, axis=1)[1],
    "split at": lambda a: np.split(a, [1, 2])[1],
    "array_split": lambda a: np.array_split(a, 2)[0],
    "hsplit": lambda a: np.hsplit(a, 2)[1],
    "vsplit": lambda a: np.vsplit(a, 3)[1],
    "dsplit": lambda a: np.dsplit(a[:, :, None], 1)[0],
    "unstack": lambda a: np.unstack(a, axis=1)[1],
    "einsum of a diagonal": lambda a: np.einsum("ii->i", a[:, :3]),
    "einsum as transpose": lambda a: np.einsum("ij->ji", a),
    "broadcast_arrays": lambda a: np.broadcast_arrays(a, np.ones((3, 4)))[0],
    "ix_": lambda a: np.ix_(a[0], np.arange(2.0))[0],
    "diff of nothing": lambda a: np.diff(a, 0),
    "0-d": lambda a: a[1, 2, ...],
    # copies
    "copy": np.copy,
    "flatten": lambda a: a.flatten(),
    "reshape that copies": lambda a: np.reshape(a, (2, 6), order="F"),
    "number": lambda a: np.atleast_1d(a[1, 1]),
}  # fmt: skip
REFUSED = "read-only|more than one element"
READ_ONLY: dict[str, Function] = {
    "diagonal": np.diagonal,
    "linalg.diagonal": np.linalg.diagonal,
    "diag": np.diag,
    "broadcast_to": lambda a: np.broadcast_to(a, (2, 3, 4)),
    "windows": lambda a: WINDOWS(a, (2, 2)),
}


def weighed(y: Any) -> Any:
    """A sum in which every entry counts differently."""
    weights = np.cos(np.arange(int(np.prod(np.shape(y)))))
    return np.sum(y**3 * weights.reshape(np.shape(y)))


def written_through(part: Any, a: Any, x: Any) -> None:
    part *= x[1, 1]
    part[...] = part * x[0, 1]


def written_base(part: Any, a: Any, x: Any) -> None:
    a[0] = a[1] * x[2, 2]
    a *= x[0, 1]


def checked(view: Function, write: Function, start: Function) -> None:
    """The value and gradient of a function that writes, against NumPy and differences."""

    def f(x):
        a = start(x)
        part = view(a)
        write(part, a, x)
        return weighed(a) + weighed(part)

    value, pullback = vjp(f, X.copy())
    np.testing.assert_allclose(value, f(X.copy()))
    expected = np.zeros_like(X)
    for i in np.ndindex(X.shape):
        step = np.zeros_like(X)
        step[i] = 1e-6
        expected[i] = (f(X + step) - f(X - step)) / 2e-6
    np.testing.assert_allclose(pullback(1.0)[0], expected, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("write", [written_through, written_base])
@pytest.mark.parametrize("name", VIEWS)
def test_write(name: str, write: Function) -> None:
    checked(VIEWS[name], write, lambda x: x * x[0, 0])


@pytest.mark.parametrize("name", ["ravel", "einsum as transpose", "flip", "ravel transposed"])
def test_base_in_fortran_order(name: str) -> None:
    checked(VIEWS[name], written_through, lambda x: x.T * x[0, 0])
    row = lambda a: np.ravel(a, order="F")  # noqa: E731
    checked(row, written_through, lambda x: x.T * x[0, 0])


@pytest.mark.parametrize("name", READ_ONLY)
def test_read_only(name: str) -> None:
    checked(READ_ONLY[name], written_base, lambda x: x * x[0, 0])
    with pytest.raises((ValueError, RuntimeError), match=REFUSED):
        checked(READ_ONLY[name], written_through, lambda x: x * x[0, 0])


def test_overlapping_views_are_only_read() -> None:
    for view in (
        lambda a: WINDOWS(a, 2, axis=1, writeable=True),
        lambda a: np.meshgrid(a[0], a[1], copy=False)[0],
    ):
        checked(view, written_base, lambda x: x * x[0, 0])
        with pytest.raises((ValueError, RuntimeError), match=REFUSED):
            vjp(lambda x, view=view: np.sum(written_through(view(x), x, x)), X.copy())


def test_numbers_and_arrays_without_axes() -> None:
    def f(x):
        s = np.sum(x)
        row = np.atleast_1d(s)
        row[0] = row[0] * x[1, 1]  # s stays
        a = np.array(x[0, 0])
        a.reshape(1)[0] = x[0, 1] * x[1, 1]
        b = np.zeros(())
        c = b
        c += x[0, 2]
        t = s
        t *= 2.0
        return s * row[0] + a * x[2, 2] + b * x[2, 1] + t

    value, pullback = vjp(f, X.copy())
    np.testing.assert_allclose(value, f(X.copy()))
    step = np.zeros_like(X)
    for i in [(0, 0), (0, 1), (0, 2), (1, 1), (2, 1)]:
        step[...] = 0
        step[i] = 1e-6
        expected = (f(X + step) - f(X - step)) / 2e-6
        np.testing.assert_allclose(pullback(1.0)[0][i], expected, rtol=1e-5)


def test_rows_that_lie_apart_are_written_entry_by_entry() -> None:
    def f(x):
        x.T.flat[2] = 1.0
        return np.sum(x * x)

    value, pullback = vjp(f, X.copy())
    changed = X.copy()
    changed.T.flat[2] = 1.0
    np.testing.assert_allclose(value, np.sum(changed**2))
    kept = np.ones_like(X)
    kept.T.flat[2] = 0.0
    np.testing.assert_allclose(pullback(1.0)[0], 2 * X * kept)


@pytest.mark.parametrize("name", ["flip", "split", "einsum as transpose", "rot90"])
def test_tensors(name: str) -> None:
    """NumPy's functions give views of tensors too."""
    t = eager.tensor(X.copy(), requires_grad=True, dtype=eager.float64)
    a = t * 2
    VIEWS[name](a)[...] = 0.0
    expected = X * 2
    VIEWS[name](expected)[...] = 0.0
    np.testing.assert_array_equal(a.detach().numpy(), expected)
    a.sum().backward()
    np.testing.assert_array_equal(t.grad.numpy(), 2.0 * (expected != 0))


def test_diff_between_ends() -> None:
    def f(x):
        y = np.diff(x, 2, 0, prepend=0.0) ** 3
        z = np.diff(x[0], append=x[1, 1], prepend=[1.0, 2.0]) ** 2
        return np.sum(y) + np.sum(z) + np.sum(np.diff(x, axis=0, append=x) ** 2)

    value, pullback = vjp(f, X.copy())
    np.testing.assert_allclose(value, f(X.copy()))
    for i in np.ndindex(X.shape):
        step = np.zeros_like(X)
        step[i] = 1e-6
        expected = (f(X + step) - f(X - step)) / 2e-6
        np.testing.assert_allclose(pullback(1.0)[0][i], expected, rtol=1e-4, atol=1e-4)


def test_views_of_arrays_without_axes() -> None:
    def spread(x: np.ndarray) -> Any:
        d = np.zeros(())
        d[...] = x[0] * x[1]
        return np.sum(np.atleast_1d(d) ** 2) + np.sum(np.broadcast_arrays(d, np.ones(3))[0])

    x = np.array([0.5, -2.0])
    _, pullback = vjp(spread, x)
    np.testing.assert_allclose(pullback(1.0)[0], (2 * x[0] * x[1] + 3.0) * x[::-1])

"""Writes by index where entries are named twice, and arrays that change after they were used."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2sgrad import eager as torch
from s2sgrad.eager.func import jvp

RNG = np.random.default_rng(3)
TWICE = np.array([0, 2, 0, 0])
INDICES: dict[str, tuple[Any, tuple[int, ...]]] = {
    "rows": (TWICE, (4, 3)),
    "one row for all": (TWICE, (3,)),
    "columns": ((slice(None), np.array([1, 1, 2])), (4, 3)),
    "pairs": ((np.array([0, 1, 0]), np.array([1, 1, 1])), (3,)),
    "rows of a column": ((np.array([0, 1, 0]), 1), (3,)),
    "grid": (np.ix_([2, 2], [0, 0, 1]), (2, 3)),
    "list": ([1, 1, 1], ()),
    "mask": (np.arange(12).reshape(4, 3) % 2 == 0, (6,)),
    "mask of rows": ((np.array([True, False, True, True]), np.array([1, 1, 1])), (3,)),
    "new axis": ((None, TWICE[:2]), (1, 2, 3)),
}
SHAPE = (4, 3)


def store(b: Any, i: Any, v: Any) -> None:
    b[i] = v


def add(b: Any, i: Any, v: Any) -> None:
    b[i] += v * b[i]


def scale(b: Any, i: Any, v: Any) -> None:
    b[i] *= v


def divide(b: Any, i: Any, v: Any) -> None:
    b[i] /= v + 1.0


def difference(f: Any, x: Any, v: Any) -> Any:
    step = 1e-6
    return (f(x + step * v) - f(x - step * v)) / (2 * step)


@pytest.mark.parametrize("write", [store, add, scale, divide], ids=lambda f: f.__name__)
@pytest.mark.parametrize("name", INDICES)
def test_the_last_write_counts(name: str, write: Any) -> None:
    index, shape = INDICES[name]
    count = int(np.prod(shape))

    def f(z: Any) -> Any:
        b = np.copy(np.reshape(z[:12] * 1.5, SHAPE))
        write(b, index, np.reshape(z[12:] ** 2, shape))
        return np.sum(np.sin(b) * b)

    def slope(z: Any) -> Any:
        t = torch.tensor(z, requires_grad=True)
        return torch.autograd.grad(f(t), t)[0].numpy()

    z, v = RNG.normal(size=12 + count), RNG.normal(size=12 + count)
    np.testing.assert_allclose(slope(z) @ v, difference(f, z, v), rtol=1e-6, atol=1e-7)
    _, z_dot = jvp(f, (torch.tensor(z),), (torch.tensor(v),))
    np.testing.assert_allclose(z_dot.numpy(), slope(z) @ v, rtol=1e-9)
    t = torch.tensor(z, requires_grad=True)
    (first,) = torch.autograd.grad(f(t), t, create_graph=True)
    (second,) = torch.autograd.grad(first @ torch.tensor(v), t)
    np.testing.assert_allclose(second.numpy(), difference(slope, z, v), atol=1e-5)


@pytest.mark.parametrize("accumulate", [True, False])
def test_index_put(accumulate: bool) -> None:
    values = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    base = torch.zeros(3)
    base.index_put_((torch.tensor([1, 1, 0]),), values, accumulate=accumulate)
    assert base.tolist() == ([3.0, 3.0, 0.0] if accumulate else [3.0, 2.0, 0.0])
    (base * base).sum().backward()
    assert values.grad.tolist() == ([6.0, 6.0, 6.0] if accumulate else [0.0, 4.0, 6.0])


X = np.array([0.3, -0.7, 1.9])
USES: dict[str, tuple[Any, Any]] = {
    "times": (lambda x, a: x * a, np.array([1.0, 2.0, 3.0])),
    "array times": (lambda x, a: a * x, np.array([1.0, 2.0, 3.0])),
    "divided": (lambda x, a: x / a, np.array([1.0, 2.0, 3.0])),
    "product": (lambda x, a: x @ a, np.array([1.0, 2.0, 3.0])),
    "product from the left": (lambda x, a: a @ x, np.array([1.0, 2.0, 3.0])),
    "einsum": (lambda x, a: np.einsum("i,i->i", x, a), np.array([1.0, 2.0, 3.0])),
    "convolve": (np.convolve, np.array([1.0, 2.0, 3.0])),
    "where": (lambda x, a: np.where(a, x, x * x), np.array([True, False, False])),
    "select": (lambda x, a: np.select([a, ~a], [x, x * x]), np.array([True, False, False])),
    "indices": (lambda x, a: x[a], np.array([0, 1, 1])),
    "take": (np.take, np.array([0, 1, 1])),
}


@pytest.mark.parametrize("name", USES)
def test_an_array_that_changes_after_its_use(name: str) -> None:
    f, given = USES[name]
    gradients = []
    for changed in (False, True):
        a, x = given.copy(), torch.tensor(X, requires_grad=True)
        y = f(x, a).sum()
        if changed:
            a[:] = a[::-1].copy()
        gradients.append(torch.autograd.grad(y, x)[0].numpy())
    np.testing.assert_array_equal(*gradients)


MASK = np.array([[True, False, True], [False, True, True], [True, True, False], [False] * 3])
WRITERS: dict[str, Any] = {
    "copyto": lambda b, v: np.copyto(b, v[:3] * 2.0),
    "copyto where": lambda b, v: np.copyto(b, v[:3], where=MASK),
    "put": lambda b, v: np.put(b, [0, 5, 0, -1], v[:2]),
    "put wrapped": lambda b, v: np.put(b, [0, 13], v[:2], mode="wrap"),
    "putmask": lambda b, v: np.putmask(b, MASK, v[:2]),
    "place": lambda b, v: np.place(b, MASK, v[:4]),
    "put_along_axis": lambda b, v: np.put_along_axis(b, np.array([[0], [2], [1], [0]]), v[0], 1),
    "fill_diagonal": lambda b, v: np.fill_diagonal(b, v[:2]),
}


@pytest.mark.parametrize("name", WRITERS)
def test_functions_that_write(name: str) -> None:
    def f(z: Any) -> Any:
        b = np.copy(np.reshape(z[:12] * 1.5, SHAPE))
        WRITERS[name](b, z[12:] ** 2)
        return np.sum(np.sin(b) * b)

    z, v = RNG.normal(size=17), RNG.normal(size=17)
    t = torch.tensor(z, requires_grad=True)
    y = f(t)
    np.testing.assert_allclose(y.item(), f(z))
    (found,) = torch.autograd.grad(y, t)
    np.testing.assert_allclose(found.numpy() @ v, difference(f, z, v), rtol=1e-6, atol=1e-7)

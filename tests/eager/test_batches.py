"""NumPy functions on batches give what they give on each example.

What this can't detect: functions that have no line here; those fall back to one example at a time.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from s2sgrad.eager import batches  # noqa: F401  (attaches what computes)
from s2sgrad.eager.batches.array import Batched, NeedsExamples, bottom
from s2sgrad.eager.batches.examples import call, check_write

RNG = np.random.default_rng(0)
S = np.array(1.5)
V, A = RNG.standard_normal(4), RNG.standard_normal((2, 4))
M, SQUARE = RNG.standard_normal((4, 3)), RNG.standard_normal((4, 4)) + 4.0 * np.eye(4)
T, U = RNG.standard_normal((5, 2, 4)), RNG.standard_normal((5, 4, 3))
K, J = np.array([1, 0, 2]), np.array([1, 0])


def check(function: Callable[..., Any], *args: Any) -> None:
    """Every choice of batched arguments against the examples one by one."""
    for mask in itertools.product((False, True), repeat=len(args)):
        if not any(mask):
            continue
        stacks = [np.stack([varied(a, i) for i in range(3)]) for a in args]
        given = [Batched(s, 1) if m else a for s, a, m in zip(stacks, args, mask, strict=True)]
        found = call(function, given, {})
        wanted = [
            function(*(s[i] if m else a for s, a, m in zip(stacks, args, mask, strict=True)))
            for i in range(3)
        ]
        several = isinstance(found, tuple)
        for k, batch in enumerate(found if several else (found,)):
            expected = np.stack([np.asarray(w[k] if several else w) for w in wanted])
            assert batch.whole.shape == expected.shape
            assert batch.whole.dtype == expected.dtype
            np.testing.assert_allclose(batch.whole, expected, rtol=1e-9, atol=1e-12)


def varied(a: Any, i: int) -> Any:
    """Another example of the same kind: index arrays turned round, others scaled and flipped."""
    return np.roll(a, i) if a.dtype.kind in "ib" else np.flip(a) * (1 + 0.1 * i)


PAIRS = [(A, V), (V, A), (S, A), (A, S), (S, S), (A, A), (T, V), (V, T)]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: f"{p[0].ndim}-{p[1].ndim}")
def test_operands_broadcast_as_examples_do(pair: Any) -> None:
    for function in (np.add, np.multiply, np.hypot, lambda x, y: np.where(x > y, x, y)):
        check(function, *pair)


PRODUCTS = [(A, M), (V, M), (A, V), (V, V), (T, M), (T, U), (A, U), (V, U), (T, V), (U, J * 1.0)]


@pytest.mark.parametrize("pair", PRODUCTS[:-1], ids=lambda p: f"{p[0].ndim}-{p[1].ndim}")
def test_products(pair: Any) -> None:
    check(np.matmul, *pair)
    check(lambda x, y: x @ y, *pair)
    if pair[1].ndim < 3:
        check(np.dot, *pair)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1), ()], ids=str)
def test_reductions(axis: Any) -> None:
    functions = (np.sum, np.mean, np.max, np.prod, np.var, np.std, np.any, np.min)
    for function, keepdims in itertools.product(functions, (False, True)):
        check(lambda x, f=function, k=keepdims: f(x, axis=axis, keepdims=k), A)
    if axis in (None, 0, 1, -1):
        for function in (np.argmax, np.cumsum):
            check(lambda x, f=function: f(x, axis=axis), A)


INDICES: list[Any] = [
    0, -1, slice(1, 3), (0, 1), (slice(None), 1), (..., 0), None, (None, 0), (slice(None), None, 2),
    J, [1, 0], (slice(None), K), (J, J), (0, K), (J, slice(None)), (J[:, None], K),
    np.array([True, False]), (slice(None), np.array([True, False, True, False])),
    A < 10.0,
]  # fmt: skip
DEEP: list[Any] = [
    (slice(None), 0, K), (J, slice(None), J), (0, slice(None), K), (slice(None), J, J), (..., K),
    (J, None, J), (None, slice(None), J),
]  # fmt: skip


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_entries(index: Any) -> None:
    check(lambda x: x[index], A)


@pytest.mark.parametrize("index", DEEP, ids=repr)
def test_entries_of_many_axes(index: Any) -> None:
    check(lambda x: x[index], T)


def test_entries_at_batched_places() -> None:
    check(lambda x, i: x[i], A, J)
    check(lambda x, i: x[:, i], A, J)
    check(lambda x, i: x[i], V, np.array(2))
    check(lambda x, i: x[0, i], A, J)
    check(lambda x, i: x[:, i, 0], T, J)
    check(lambda x, i: x[i, :, i], T, J)


def test_writes() -> None:
    for index, value in (
        (0, V), (slice(None), V), ((slice(None), 1), np.ones(2)), ((..., 0), S), (0, S),
        ((0, 1), S), (J, A), ((slice(None), K), np.ones((2, 3))),
    ):  # fmt: skip
        whole, values = np.stack([varied(A, i) for i in range(3)]), np.stack([value, value * 2])
        values = np.stack([value, value * 2, value * 3])
        batch, wanted = Batched(whole.copy(), 1), whole.copy()
        batch[index] = Batched(values, 1)  # type: ignore[index]
        for example, v in zip(wanted, values, strict=True):
            example[index] = v
        np.testing.assert_array_equal(batch.whole, wanted)
    with pytest.raises(RuntimeError, match="inplace arithmetic"):
        check_write(np.zeros(4), Batched(A, 1))
    with pytest.raises(NeedsExamples):
        np.copyto(np.zeros(4), Batched(A, 1))  # type: ignore[arg-type]
    with pytest.raises(NeedsExamples):
        np.add.at(np.zeros(4), Batched(np.array([0, 1]), 1), 1.0)  # type: ignore[call-overload]
    with pytest.raises(NeedsExamples):
        np.add(A, Batched(A[None], 1), out=np.zeros((2, 4)))  # type: ignore[call-overload]
    with pytest.raises(NeedsExamples):
        np.zeros(4)[:] = Batched(A, 1)  # type: ignore[call-overload]


ONE: list[Any] = [
    np.transpose, lambda x: np.reshape(x, (-1,)), lambda x: x.reshape(4, 2), np.ravel, np.flip,
    lambda x: np.moveaxis(x, 0, -1), lambda x: np.swapaxes(x, 0, 1), np.tril, np.triu, np.trace,
    lambda x: np.expand_dims(x, (0, -1)), lambda x: np.broadcast_to(x, (3, 2, 4)), np.diagonal,
    lambda x: np.flip(x, 0), lambda x: np.roll(x, 1), lambda x: np.roll(x, 1, 0), np.diff, np.sort,
    lambda x: np.repeat(x, 2), lambda x: np.repeat(x, 2, 0), lambda x: np.tile(x, 2), np.sinc,
    lambda x: np.tile(x, (2, 1, 1)), lambda x: np.argsort(x, 0), np.linalg.norm, np.median,
    lambda x: np.linalg.norm(x, axis=0), lambda x: np.linalg.norm(x, 1), np.fft.fft, np.cov,
    lambda x: np.fft.rfft(x, axis=0), lambda x: np.take(x, [0, 1], 1), lambda x: np.pad(x, 1),
    lambda x: np.kron(x, x), lambda x: np.tensordot(x, x, 2), np.atleast_3d, np.zeros_like,
    lambda x: np.split(x, 2)[0], lambda x: np.vstack([x, x]), lambda x: x.T, lambda x: x.sum(),
    lambda x: np.quantile(x, 0.3, axis=0), lambda x: np.add.reduce(x, 0),
    lambda x: np.take_along_axis(x, np.array([[0], [1]]), 1), lambda x: np.add.reduce(x, (0, 1)),
    lambda x: np.add.accumulate(x, 1), lambda x: np.multiply.outer(x, x), lambda x: x.max(axis=1),
    lambda x: np.partition(x, 2), lambda x: x.copy(), lambda x: x.astype(np.float32),
    lambda x: np.lib.stride_tricks.sliding_window_view(x, 2, axis=1),
]  # fmt: skip


@pytest.mark.parametrize("function", ONE, ids=range(len(ONE)))
def test_functions_of_one(function: Any) -> None:
    check(function, A)


@pytest.mark.parametrize(
    "function",
    [np.sum, np.mean, np.max, np.squeeze, lambda x: x.reshape(1), lambda x: np.expand_dims(x, 0),
     lambda x: x[...], lambda x: x[None], np.ravel, np.copy],
    ids=range(10),
)  # fmt: skip
def test_functions_of_a_number(function: Any) -> None:
    check(function, S)


@pytest.mark.parametrize(
    "function",
    [lambda x, y: np.concatenate([x, y]), lambda x, y: np.concatenate([x, y], 1), np.outer,
     lambda x, y: np.concatenate([x, y], None), lambda x, y: np.stack([x, y]),
     lambda x, y: np.stack([x, y], -1), lambda x, y: np.einsum("ij,ij->j", x, y),
     lambda x, y: np.einsum("ij,kj", x, y), lambda x, y: np.clip(x, -0.1, y)],
    ids=range(9),
)  # fmt: skip
def test_functions_of_two(function: Any) -> None:
    check(function, A, A)


def test_matrices() -> None:
    functions: tuple[Any, ...] = (
        np.linalg.inv, np.linalg.det, np.linalg.slogdet, np.linalg.qr, np.linalg.svd,
        np.linalg.pinv, lambda x: np.linalg.matrix_power(x, 3),
    )  # fmt: skip
    for function in functions:
        check(function, SQUARE)
    for right in (V, M, np.stack([M, M])):
        check(np.linalg.solve, SQUARE, right)


def test_functions_of_scipy() -> None:
    special = pytest.importorskip("scipy.special")
    check(special.erf, A)
    check(lambda x, y: special.xlogy(x**2, y**2), A, V)


def test_batches_in_batches() -> None:
    both = RNG.standard_normal((2, 3, 4))
    inner = Batched(Batched(both, 1), 2)
    outer = Batched(RNG.standard_normal((2, 4)), 1)
    assert inner.shape == (4,)
    np.testing.assert_allclose(bottom(inner * outer), both * outer.whole[:, None])
    np.testing.assert_allclose(bottom(inner @ outer), np.einsum("abi,ai->ab", both, outer.whole))
    assert bottom(np.sum(inner)).shape == (2, 3)  # type: ignore[call-overload]
    assert bottom(np.concatenate([inner, outer])).shape == (2, 3, 8)  # type: ignore[list-item]


def test_values_are_not_to_be_had() -> None:
    batch = Batched(A, 1)
    for look in (lambda b: bool(b[0]), lambda b: float(b[0]), np.asarray, list, lambda b: b.item()):
        with pytest.raises(NeedsExamples):
            look(batch)

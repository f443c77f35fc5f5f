"""The fast paths give what the general path gives: values, node names, saved counts, gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sgrad_runtime as helpers
from s2sgrad import eager as torch
from s2sgrad.eager.operations import pointwise
from s2sgrad.eager.recording import swift
from s2sgrad.eager.settings.state import STATE, refresh

DOMAIN = {
    "acosh": (1.5, 3.0), "atanh": (-0.8, 0.8), "asin": (-0.8, 0.8), "acos": (-0.8, 0.8),
    "log": (0.2, 3.0), "log2": (0.2, 3.0), "log10": (0.2, 3.0), "log1p": (-0.5, 2.0),
    "sqrt": (0.2, 3.0), "rsqrt": (0.2, 3.0), "reciprocal": (0.4, 2.0),
}  # fmt: skip
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: (a * a + 1) ** b,
    "number": lambda a, b: 2 * a - 3 / b + b * 0.5 + a**3 + a**2 + (1 - b),
    "matmul": lambda a, b: (a.reshape(3, 1) @ b.reshape(1, 3))[1],
    "sum": lambda a, b: a.sum() * b.sum(0) + (a.reshape(3, 1) * b).sum(1),
    "mean": lambda a, b: a.mean() * b.mean(0) + (a.reshape(3, 1) * b).mean(1, keepdim=True),
}


class Slow:
    """A block in which only the general path is taken."""

    def __enter__(self) -> None:
        STATE.hooks = ((lambda t: t, lambda t: t),)
        refresh()
        assert not STATE.fast

    def __exit__(self, *_: object) -> None:
        STATE.hooks = ()
        refresh()


def outcome(f: Callable[..., Any], *arrays: Any) -> list[Any]:
    """Value, node name, first and second derivatives."""
    leaves = [torch.tensor(a, requires_grad=True) for a in arrays]
    y = f(*leaves)
    bars = torch.tensor(np.cos(np.arange(y.numel(), dtype=float)).reshape(y.shape))
    bars = bars.to(y.dtype)
    first = torch.autograd.grad(y, leaves, bars, create_graph=True)
    total = sum((g * g).sum() for g in first if g.requires_grad)
    second: Any = ()
    if isinstance(total, torch.Tensor):
        second = torch.autograd.grad(total, leaves, allow_unused=True, retain_graph=True)
    y.backward(bars)
    values = [y, *first, *(leaf.grad for leaf in leaves), *(s for s in second if s is not None)]
    return [type(y.grad_fn).__name__, *(v.detach().numpy() for v in values)]


def same(f: Callable[..., Any], *arrays: Any) -> None:
    fast = outcome(f, *arrays)
    with Slow():
        slow = outcome(f, *arrays)
    assert fast[0] == slow[0]
    assert len(fast) == len(slow)
    for a, b in zip(fast[1:], slow[1:], strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=1e-5 if a.dtype == np.float32 else 1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", sorted(set(pointwise.UNARY) - {"logical_not", "bitwise_not"}))
def test_unary(name: str, dtype: Any) -> None:
    low, high = DOMAIN.get(name, (-1.5, 1.5))
    x = np.linspace(low, high, 5).astype(dtype)
    f = pointwise.METHODS[name]
    if not f(torch.tensor(x, requires_grad=True)).requires_grad:
        return
    same(f, x)


@pytest.mark.parametrize("shapes", [((3,), (3,)), ((3,), ()), ((1,), (3,))])
@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str, shapes: Any) -> None:
    if name in ("matmul", "sum", "mean"):
        shapes = ((3,), (3,))
    rng = np.random.default_rng(0)
    same(BINARY[name], *(rng.uniform(0.5, 2.0, s) for s in shapes))


def test_constants_are_not_saved() -> None:
    """w is needed only for x, so it may change where x does not require grad."""
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    x = torch.tensor([3.0, 4.0])
    y = w * x
    with torch.no_grad():
        w.add_(1)
    y.sum().backward()
    assert w.grad.tolist() == [3.0, 4.0]


A = np.arange(12.0).reshape(3, 4)
HELPER_CALLS: list[tuple[str, tuple[Any, ...]]] = [
    ("matmul_bar_left", (np.ones((3, 2)), A, np.ones((4, 2)))),
    ("matmul_bar_right", (np.ones((3, 2)), A, np.ones((4, 2)))),
    ("matmul_bar_left", (np.ones((5, 3, 2)), np.ones((5, 3, 4)), np.ones((4, 2)))),
    ("unreduce", (np.float64(2.0), A)),
    ("unreduce", (np.arange(4.0), A, 0)),
    ("unreduce", (np.arange(3.0), A, -1)),
    ("unreduce", (np.arange(3.0)[:, None], A, 1, True)),
    ("unreduce", (np.float64(2.0), A, (0, 1))),
    ("reduced_count", (A,)),
    ("reduced_count", (A, 1)),
    ("scatter", (np.arange(4.0), A, 1)),
    ("scatter", (np.arange(2.0), A, (slice(1, 3), 0))),
    ("scatter", (np.ones((3, 4)), A, np.array([0, 0, 2]))),
    ("unreshape", (A, A.reshape(2, 6))),
    ("untranspose", (A.T, (1, 0))),
    ("untranspose", (np.ones((2, 3, 4)), (2, 0, 1))),
    ("unbroadcast", (A, np.ones(4))),
    ("unbroadcast", (A, np.ones((3, 1)))),
]


@pytest.mark.parametrize("name, args", HELPER_CALLS, ids=[n for n, _ in HELPER_CALLS])
def test_quick_helpers(name: str, args: Any) -> None:
    args = tuple(np.asarray(a) if isinstance(a, np.float64) else a for a in args)
    quick, plain = getattr(swift, name)(*args), getattr(helpers, name)(*args)
    np.testing.assert_array_equal(quick, plain)
    assert np.shape(quick) == np.shape(plain)

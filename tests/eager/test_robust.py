"""Depth, memory, threads and errors in the middle of a pass."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest

from s2sgrad import eager as torch
from s2sgrad.eager.state import STATE


def test_a_deep_chain_runs_and_goes_away() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 1
    root = weakref.ref(y.grad_fn)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    del y
    assert root() is None


def test_a_deep_chain_has_a_second_derivative() -> None:
    x = torch.tensor([0.5], dtype=torch.float64, requires_grad=True)
    y = x
    for _ in range(5_000):
        y = y * 1.0001
    (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    g.sum().backward()
    assert x.grad.item() == pytest.approx(2 * 1.0001**10_000)


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx: Any, y_bar: Any) -> Any:
        _, y = ctx.saved_tensors
        return y_bar * y


def training_step(weights: list[Any], data: Any) -> None:
    """A step that goes through views, writes, hooks, Functions and a second derivative."""
    for w in weights:
        w.grad = None
    h = torch.tanh(data @ weights[0])
    out = h @ weights[1]
    a = h * 1
    a[0] = 0
    a.mul_(2)
    a[1].add_(1)
    loss = (out**2).mean() + a.sum() + out.max(1)[0].sum() + torch.cat([h, h]).sum()
    loss = loss + sum(u.sum() for u in out.unbind(0)[:2]) + Scaled.apply(out * 0.01).sum()
    (g,) = torch.autograd.grad(loss, weights[0], create_graph=True)
    loss = loss + (g * g).sum() * 1e-3
    loss.register_hook(lambda bar: None)
    out.retain_grad()
    loss.backward()
    with torch.no_grad():
        for w in weights:
            w.add_(w.grad, alpha=-1e-4)


def test_no_reference_cycles() -> None:
    rng = np.random.default_rng(0)
    weights = [
        torch.tensor(rng.standard_normal(s) * 0.1, requires_grad=True) for s in ((6, 8), (8, 3))
    ]
    data = torch.tensor(rng.standard_normal((5, 6)))
    for _ in range(5):
        training_step(weights, data)
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(100):
            training_step(weights, data)
        after = len(gc.get_objects())
        assert gc.collect() == 0
    finally:
        gc.enable()
    assert after - before < 50


def test_threads_keep_their_modes_and_graphs() -> None:
    problems: list[str] = []

    def train(seed: int) -> None:
        w = torch.tensor(np.random.default_rng(seed).standard_normal(5), requires_grad=True)
        for _ in range(200):
            w.grad = None
            with torch.no_grad():
                if (w * 2).requires_grad:
                    problems.append("recorded under no_grad")
            (w * w).sum().backward()
            if not np.allclose(w.grad.numpy(), 2 * w.detach().numpy()):
                problems.append("wrong gradient")
            with torch.no_grad():
                w.sub_(w.grad, alpha=0.01)

    threads = [threading.Thread(target=train, args=(i,)) for i in range(4)]
    with torch.no_grad():
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert problems == []


def raising(*_: Any) -> Any:
    raise ZeroDivisionError


def test_errors_leave_the_modes_as_they_were() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    class Broken(torch.autograd.Function):
        forward = staticmethod(raising)

    class BrokenBackward(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        backward = staticmethod(raising)

    def with_hook() -> None:
        y = x * 2
        y.register_hook(raising)
        y.sum().backward()

    def with_pack() -> None:
        with torch.autograd.graph.saved_tensors_hooks(raising, raising):
            x.exp()

    calls = (
        lambda: Broken.apply(x),
        lambda: BrokenBackward.apply(x).sum().backward(),
        with_hook,
        with_pack,
    )
    for call in calls:
        with pytest.raises(ZeroDivisionError):
            call()
        assert (STATE.grad, STATE.fast, STATE.inference) == (True, True, False)
        assert STATE.task is None and STATE.hooks == ()
        (x * 2).sum().backward()


@pytest.mark.parametrize("n", [10, 10_000])
def test_parts_of_one_array_add_up(n: int) -> None:
    """Large cotangents of slices go into one array in place; what others hold is left alone."""
    x = torch.tensor(np.linspace(0.0, 1.0, n), requires_grad=True)
    bar = torch.ones(n, dtype=torch.float64)
    h = x * 1
    total = h + 0 * h
    parts = (h[1:] * h[:-1]).sum() + (h[::2] * 3).sum() + h[-1] * 5
    torch.autograd.backward([total, parts], [bar, None])
    a = np.linspace(0.0, 1.0, n)
    expected = np.ones(n)
    expected[1:] += a[:-1]
    expected[:-1] += a[1:]
    expected[::2] += 3
    expected[-1] += 5
    np.testing.assert_allclose(x.grad.numpy(), expected)
    assert bar.sum().item() == n

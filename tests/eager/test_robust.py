"""Depth, memory, threads and errors in the middle of a pass."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest
from harness import some

import s2sgrad
from s2sgrad import eager as torch
from s2sgrad.eager.settings.state import STATE


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


def test_views_of_views_take_no_longer_the_deeper_they_are() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1
    for _ in range(30_000):
        y = y.view(2)
    y.mul_(3)
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def guarded(v: Any) -> Any:
    try:
        return np.sin(v) * v
    finally:
        pass


def with_checkpoint(x: Any) -> None:
    checkpoint = torch.utils.checkpoint.checkpoint
    checkpoint(lambda a: a.exp() * a, x, use_reentrant=False).sum().backward()
    checkpoint(lambda a: a.exp() * a, x, use_reentrant=True).sum().backward()


def with_transforms(x: Any) -> None:
    x = x.detach()
    torch.func.vmap(torch.func.grad(lambda a: a**2))(x)
    torch.func.hessian(lambda a: (a**3).sum())(x)
    torch.autograd.functional.jacobian(lambda a: a**2, x)


def with_duals(x: Any) -> None:
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x.detach(), x.detach())
        forward_ad.unpack_dual((dual * dual).sum())


def with_saved_hooks(x: Any) -> None:
    graph = torch.autograd.graph
    with graph.saved_tensors_hooks(lambda t: t.detach().numpy(), torch.from_numpy):
        y = (x * x).exp()
    y.sum().backward()
    with graph.allow_mutation_on_saved_tensors():
        y = x.exp()
        z = y * y
        y.add_(1)
        z.sum().backward()


COMPILED = torch.compile(lambda a: np.sum(np.sin(a) * a))
ISLAND = s2sgrad.grad(lambda v: np.sum(guarded(v * 2.0) * v))


def with_compiled(x: Any) -> None:
    COMPILED(x).backward()


def with_island(x: Any) -> None:
    ISLAND(np.array([0.5, 1.5]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "step",
    some(
        (
            with_checkpoint,
            with_transforms,
            with_duals,
            with_saved_hooks,
            with_compiled,
            with_island,
        )
    ),
)
def test_counting_references_is_enough(step: Any) -> None:
    """What a step leaves behind goes away without the garbage collector."""

    def run() -> None:
        step(torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True))

    run()
    run()
    gc.collect()
    gc.disable()
    try:
        run()
        assert gc.collect() == 0
    finally:
        gc.enable()


def fail(*args: Any) -> Any:
    raise ValueError


def fail_later() -> Any:
    calls: list[int] = []

    def run(a: Any) -> Any:
        calls.append(1)
        return a * a if len(calls) == 1 else fail()

    return run


def failing_unpack(x: Any) -> None:
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, fail):
        y = x * x
    y.sum().backward()


FAILURES = {
    "vmap": lambda x: torch.func.vmap(fail)(x),
    "grad": lambda x: torch.func.grad(fail)(x),
    "jvp": lambda x: torch.func.jvp(fail, (x,), (x,)),
    "jacfwd": lambda x: torch.func.jacfwd(fail)(x),
    "hessian": lambda x: torch.autograd.functional.hessian(fail, x),
    "checkpoint": lambda x: torch.utils.checkpoint.checkpoint(fail, x, use_reentrant=False),
    "recomputed": lambda x: torch.utils.checkpoint.checkpoint(
        fail_later(), x, use_reentrant=False
    ).sum().backward(),
    "reentrant": lambda x: torch.utils.checkpoint.checkpoint(
        fail_later(), x, use_reentrant=True
    ).sum().backward(),
    "unpack hook": failing_unpack,
    "traced": lambda x: s2sgrad.grad(lambda v: fail(v) or np.sum(v))(x.detach().numpy()),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(FAILURES))
def test_errors_in_user_code_leave_every_mode(name: str) -> None:
    lasting = {"batched"}  # says that there may be batches, once there were any
    modes = [n for n in vars(type(STATE)) if not n.startswith("_") and n not in lasting]
    before = {n: getattr(STATE, n) for n in modes}
    with pytest.raises(ValueError):
        FAILURES[name](torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True))
    assert {n: getattr(STATE, n) for n in modes} == before

"""Optimizers, schedules, checkpoints and loops: numbers, memory, and what they leave as it was."""

from __future__ import annotations

import gc
import sys
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eager.checks import assert_same, needs_torch, plain, real_torch

from s2sgrad import eager as torch

Make = Callable[[Any, Any], Any]  # (library, module) -> optimizer, or (optimizer, schedule)


def scheduled(name: str, *args: Any, **kwargs: Any) -> Make:
    def make(library: Any, module: Any) -> Any:
        optimizer = library.optim.SGD(module.parameters(), 0.1)
        kind = getattr(library.optim.lr_scheduler, name)
        return optimizer, kind(optimizer, *args, **kwargs)

    return make


OPTIMIZERS: dict[str, Make] = {
    "sgd": lambda L, m: L.optim.SGD(m.parameters(), 0.1),
    "momentum": lambda L, m: L.optim.SGD(
        m.parameters(), 0.1, momentum=0.9, dampening=0.1, weight_decay=0.01
    ),
    "nesterov": lambda L, m: L.optim.SGD(
        m.parameters(), 0.1, momentum=0.9, nesterov=True, maximize=True
    ),
    "adam": lambda L, m: L.optim.Adam(m.parameters(), 0.1, weight_decay=0.1),
    "amsgrad": lambda L, m: L.optim.Adam(m.parameters(), 0.1, amsgrad=True, maximize=True),
    "adamw": lambda L, m: L.optim.AdamW(m.parameters(), 0.1),
    "adagrad": lambda L, m: L.optim.Adagrad(m.parameters(), 0.1, lr_decay=0.1, weight_decay=0.1),
    "rmsprop": lambda L, m: L.optim.RMSprop(m.parameters(), 0.1, centered=True, momentum=0.5),
    "groups": lambda L, m: L.optim.SGD(
        [{"params": m[0].parameters()}, {"params": m[2].parameters(), "lr": 0.01}], 0.1
    ),
    "StepLR": scheduled("StepLR", 2),
    "MultiStepLR": scheduled("MultiStepLR", [1, 3], 0.5),
    "ExponentialLR": scheduled("ExponentialLR", 0.9),
    "CosineAnnealingLR": scheduled("CosineAnnealingLR", 4),
    "LambdaLR": scheduled("LambdaLR", lambda epoch: 0.95**epoch),
    "LinearLR": scheduled("LinearLR"),
    "ConstantLR": scheduled("ConstantLR"),
}


def network(library: Any, seed: int = 0) -> Any:
    """A small double-precision network with the same numbers in every library."""
    nn, rng = library.nn, np.random.default_rng(seed)
    module = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)).double()
    with library.no_grad():
        for p in module.parameters():
            p.copy_(library.tensor(rng.normal(size=tuple(p.shape))))
    return module


def data(library: Any, n: int = 6) -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    return library.tensor(rng.normal(size=(n, 3))), library.tensor(rng.normal(size=(n, 2)))


def train(library: Any, make: Make, steps: int = 5) -> list[Any]:
    """Parameters and learning rates after some steps; the last one after loading the state."""
    module = network(library)
    made = make(library, module)
    optimizer, schedule = made if isinstance(made, tuple) else (made, None)
    x, y = data(library)

    def gradients() -> None:
        optimizer.zero_grad()
        library.nn.functional.mse_loss(module(x), y).backward()

    for _ in range(steps):
        gradients()
        optimizer.step()
        if schedule is not None:
            schedule.step()
    made = make(library, module)
    again = made[0] if isinstance(made, tuple) else made
    again.load_state_dict(optimizer.state_dict())
    gradients()
    again.step()
    return plain([*module.parameters(), *(g["lr"] for g in again.param_groups)])


@needs_torch
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_same_as_torch(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same(train(torch, OPTIMIZERS[name]), train(real_torch(), OPTIMIZERS[name]))


@pytest.mark.parametrize("name", ["sgd", "momentum", "adam", "adamw", "rmsprop", "adagrad"])
def test_loss_falls(name: str) -> None:
    module = network(torch)
    optimizer = OPTIMIZERS[name](torch, module)
    x, y = data(torch)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(module(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


def test_optimizer_step_between_two_passes_is_caught() -> None:
    module = network(torch)
    optimizer = torch.optim.SGD(module.parameters(), 0.1)
    loss = (module(data(torch)[0]) ** 2).sum()
    loss.backward(retain_graph=True)
    optimizer.step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


@pytest.mark.parametrize("checkpointed", [False, True])
def test_training_needs_no_garbage_collector(checkpointed: bool) -> None:
    module = network(torch)
    optimizer = torch.optim.Adam(module.parameters(), 0.01)
    x, y = data(torch)

    def step() -> Any:
        optimizer.zero_grad()
        if checkpointed:
            out = torch.utils.checkpoint.checkpoint(module, x, use_reentrant=False)
        else:
            out = module(x)
        torch.nn.functional.mse_loss(out, y).backward()
        optimizer.step()
        return weakref.ref(out)

    gc.collect()
    gc.disable()
    try:
        for _ in range(1200):  # until counters have outgrown Python's small integers
            step()
        before = sys.getallocatedblocks()
        for _ in range(300):
            alive = step()
            assert alive() is None
        assert sys.getallocatedblocks() - before < 100
    finally:
        gc.enable()


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoint_recomputes_and_agrees(reentrant: bool) -> None:
    calls = []

    def f(a: Any, b: Any) -> Any:
        calls.append(1)
        noise = torch.rand(3) + np.random.rand()
        return (a * b).sin() * noise

    def gradients(run: Any) -> Any:
        torch.manual_seed(0)
        np.random.seed(0)
        a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        b = torch.tensor([3.0, 2.0, 1.0], requires_grad=True)
        y = run(a, b)
        torch.rand(5)
        y.sum().backward()
        return plain([a.grad, b.grad])

    checkpoint = torch.utils.checkpoint.checkpoint
    wanted = gradients(f)
    calls.clear()
    assert_same(gradients(lambda a, b: checkpoint(f, a, b, use_reentrant=reentrant)), wanted)
    assert len(calls) == 2


def test_checkpoint_saves_memory() -> None:
    sizes = []

    def stored(checkpointed: bool) -> int:
        sizes.clear()
        x = torch.ones(1000, requires_grad=True)

        def count(t: Any) -> Any:
            sizes.append(t.numel())
            return t

        def block(a: Any) -> Any:
            for _ in range(10):
                a = (a * a).sin()
            return a

        with torch.autograd.graph.saved_tensors_hooks(count, lambda t: t):
            if checkpointed:
                torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)
            else:
                block(x)
        return sum(sizes)

    assert stored(True) <= stored(False) / 10


def test_nested_checkpoints_and_double_backward() -> None:
    checkpoint = torch.utils.checkpoint.checkpoint

    def inner(a: Any) -> Any:
        return a.sin() * a

    def outer(a: Any) -> Any:
        return checkpoint(inner, a.exp(), use_reentrant=False) * a

    def second(run: Any) -> Any:
        x = torch.tensor([0.5, 1.0], dtype=torch.double, requires_grad=True)
        (g,) = torch.autograd.grad(run(x).sum(), x, create_graph=True)
        (h,) = torch.autograd.grad((g**2).sum(), x)
        return plain([g, h])

    wanted = second(lambda a: inner(a.exp()) * a)
    assert_same(second(lambda a: checkpoint(outer, a, use_reentrant=False)), wanted)


def test_checkpoint_context_functions_surround_each_run() -> None:
    log = []

    class Note:
        def __init__(self, name: str) -> None:
            self.name = name

        def __enter__(self) -> None:
            log.append(self.name)

        def __exit__(self, *exc: object) -> None:
            log.append(f"end of {self.name}")

    x = torch.ones(2, requires_grad=True)
    y = torch.utils.checkpoint.checkpoint(
        lambda a: a.exp().sin(), x, use_reentrant=False,
        context_fn=lambda: (Note("forward"), Note("recompute")), early_stop=False,
    )  # fmt: skip
    y.sum().backward()
    assert log == ["forward", "end of forward", "recompute", "end of recompute"]


def test_loader_takes_arrays() -> None:
    x, y = np.arange(10.0).reshape(5, 2), np.arange(5)
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=2)
    batches = list(loader)
    assert [b[1].tolist() for b in batches] == [[0, 1], [2, 3], [4]]
    assert batches[0][0].dtype == torch.double
    shuffled = torch.utils.data.DataLoader(
        torch.utils.data.TensorDataset(x, y), batch_size=2, shuffle=True
    )
    torch.manual_seed(3)
    order = [i for b in shuffled for i in b[1].tolist()]
    torch.manual_seed(3)
    assert order == [i for b in shuffled for i in b[1].tolist()]
    assert sorted(order) == list(range(5))


def test_initializers() -> None:
    torch.manual_seed(0)
    w = torch.empty(200, 300)
    init = torch.nn.init
    for fill, deviation in (
        (lambda: init.normal_(w, 1.0, 2.0), 2.0),
        (lambda: init.uniform_(w, -1.0, 1.0), 1 / np.sqrt(3)),
        (lambda: init.xavier_normal_(w), np.sqrt(2 / 500)),
        (lambda: init.xavier_uniform_(w), np.sqrt(2 / 500)),
        (lambda: init.kaiming_normal_(w, nonlinearity="relu"), np.sqrt(2 / 300)),
        (lambda: init.kaiming_uniform_(w, nonlinearity="relu"), np.sqrt(2 / 300)),
    ):
        assert fill() is w
        assert abs(np.std(w.numpy()) / deviation - 1) < 0.02
    q = init.orthogonal_(torch.empty(5, 3)).numpy()
    np.testing.assert_allclose(q.T @ q, np.eye(3), atol=1e-6)
    layer = torch.nn.Linear(100, 50)
    assert np.abs(layer.weight.detach().numpy()).max() <= 0.1


def test_selective_checkpoint_recomputes_only_what_it_should() -> None:
    from functools import partial

    checkpoints = torch.utils.checkpoint
    runs: list[str] = []
    rng = np.random.default_rng(0)
    w = torch.tensor(rng.normal(size=(3, 3)), requires_grad=True)
    x = torch.tensor(rng.normal(size=(4, 3)), requires_grad=True)

    class Noted(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            runs.append("noted")
            return a * 1

        @staticmethod
        def backward(ctx: Any, y_bar: Any) -> Any:
            return y_bar

    def f(a: Any) -> Any:
        y = (a @ w).tanh()
        return Noted.apply(y) @ w + a.exp().sum()

    def gradients(run: Any) -> Any:
        runs.clear()
        return plain(torch.autograd.grad(run(x).sum(), (x, w)))

    wanted = gradients(f)
    seen = []

    def policy(ctx: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
        seen.append((ctx.is_recompute, function))
        keep = function == np.matmul
        kinds = checkpoints.CheckpointPolicy
        return kinds.MUST_SAVE if keep else kinds.PREFER_RECOMPUTE

    context_fn = partial(checkpoints.create_selective_checkpoint_contexts, [np.matmul])
    y = checkpoints.checkpoint(f, x, use_reentrant=False, context_fn=context_fn).sum()
    for keep in (True, False):
        assert_same(plain(torch.autograd.grad(y, (x, w), retain_graph=keep)), wanted)
    for chosen in ([np.matmul], [torch.matmul], policy):
        context_fn = partial(checkpoints.create_selective_checkpoint_contexts, chosen)
        found = gradients(
            lambda a: checkpoints.checkpoint(f, a, use_reentrant=False, context_fn=context_fn)  # noqa: B023
        )
        assert_same(found, wanted)
        assert runs == ["noted", "noted"]
    assert (False, np.matmul) in seen and not any(again for again, _ in seen)
    with pytest.raises(TypeError, match="must be either a function or a list"):
        checkpoints.create_selective_checkpoint_contexts(3)


def test_kept_products_are_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from functools import partial

    from s2sgrad.eager.operations import products

    counted = []
    original = np.matmul
    for op in (products.MM,):
        monkeypatch.setattr(op, "function", lambda a, b: (counted.append(1), original(a, b))[1])
    x = torch.ones(2, 2, requires_grad=True)

    def f(a: Any) -> Any:
        return ((a @ a).exp() @ a).sin()

    def run(context: Any) -> int:
        counted.clear()
        checkpoint = torch.utils.checkpoint.checkpoint
        options = {"context_fn": context} if context else {}
        y = checkpoint(f, x, use_reentrant=False, early_stop=False, **options)
        (grad,) = torch.autograd.grad(y.sum(), x)
        assert grad.shape == (2, 2)
        return len(counted)

    policies = torch.utils.checkpoint.CheckpointPolicy
    create = torch.utils.checkpoint.create_selective_checkpoint_contexts
    keep = partial(create, lambda *args, **kwargs: policies.MUST_SAVE)
    redo = partial(create, lambda *args, **kwargs: policies.MUST_RECOMPUTE)
    assert (run(keep), run(redo)) == (2, 4)


def test_adding_cotangents_in_place_harms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    from s2sgrad.eager.passes import engine

    monkeypatch.setattr(engine, "LARGE", 0)
    x = torch.tensor(np.arange(6.0).reshape(2, 3), requires_grad=True)
    given = torch.ones(2, 3, dtype=torch.double)
    seen = []
    y = x * 2
    y.register_hook(lambda g: seen.append(g))
    z = y + y
    z.register_hook(lambda g: seen.append(g))
    out = z + y.t().exp().t() + y + z * y
    out.backward(given)
    assert given.tolist() == [[1.0] * 3] * 2
    values, data = [plain(g) for g in seen], 2 * plain(x)
    np.testing.assert_allclose(values[0], 1 + data)
    np.testing.assert_allclose(values[1], 2 * (1 + data) + np.exp(data) + 1 + 2 * data)
    np.testing.assert_allclose(plain(x.grad), 2 * values[1])


def test_threads_train_apart() -> None:
    import threading

    def train(seed: int, results: dict[int, Any]) -> None:
        module = network(torch, seed)
        optimizer = torch.optim.Adam(module.parameters(), 0.01)
        x, y = data(torch)
        checkpoint = torch.utils.checkpoint.checkpoint
        for _ in range(30):
            optimizer.zero_grad()
            if seed < 2:
                tracked = x.detach().requires_grad_()
                out = checkpoint(module, tracked, use_reentrant=seed == 1)
            else:
                out = module(x)
                with torch.no_grad(), torch.autocast("cpu"):
                    module(x)
                torch.func.jvp(module, (x[:1],), (x[:1],))
            torch.nn.functional.mse_loss(out, y).backward()
            optimizer.step()
        results[seed] = plain(list(module.parameters()))

    alone: dict[int, Any] = {}
    together: dict[int, Any] = {}
    for seed in range(4):
        train(seed, alone)
    threads = [threading.Thread(target=train, args=(seed, together)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert torch.is_grad_enabled() and not torch.is_autocast_enabled("cpu")
    for seed in range(4):
        assert_same(together[seed], alone[seed], atol=0)


def test_generators() -> None:
    own = torch.Generator().manual_seed(3)
    assert own.initial_seed() == 3 and str(own.device) == "cpu"
    first, state = torch.rand(3, generator=own), own.get_state()
    assert state.dtype is torch.uint8 and torch.default_generator is torch.manual_seed(5)
    drawn = [
        torch.randn(2, generator=own), torch.randint(9, (4,), generator=own),
        torch.randperm(6, generator=own), torch.empty(3).uniform_(-1, 1, generator=own),
        torch.empty(3).normal_(generator=own), torch.empty(3).random_(5, generator=own),
        torch.bernoulli(torch.full((4,), 0.5), generator=own),
        torch.rand_like(first, generator=own),
    ]  # fmt: skip
    untouched = torch.get_rng_state()
    own.set_state(state)
    assert torch.equal(drawn[0], torch.randn(2, generator=own))
    assert torch.equal(drawn[1], torch.randint(9, (4,), generator=own))
    assert bool((drawn[5] < 5).all()) and torch.equal(untouched, torch.get_rng_state())
    assert torch.equal(torch.Generator().manual_seed(3).get_state(), own.manual_seed(3).get_state())
    assert torch.equal(first, torch.rand(3, generator=own))
    loader = torch.utils.data.DataLoader(range(10), 5, shuffle=True, generator=own)
    assert sorted(torch.cat(list(loader)).tolist()) == list(range(10))
    with pytest.raises(TypeError, match="ByteTensor"):
        own.set_state(3)


def test_rates_changed_by_hand_stay_changed() -> None:
    p = torch.ones(1, requires_grad=True)
    for make in (
        lambda o: torch.optim.lr_scheduler.StepLR(o, 2, 0.5),
        lambda o: torch.optim.lr_scheduler.MultiStepLR(o, [2, 4], 0.5),
        lambda o: torch.optim.lr_scheduler.ExponentialLR(o, 0.5),
        lambda o: torch.optim.lr_scheduler.LinearLR(o, 0.25, total_iters=3),
        lambda o: torch.optim.lr_scheduler.ConstantLR(o, 0.5, 2),
        lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 3),
    ):
        optimizers = [torch.optim.SGD([p], lr=1.0) for _ in range(2)]
        schedulers = [make(o) for o in optimizers]
        for epoch in range(7):
            for optimizer, scheduler in zip(optimizers, schedulers, strict=True):
                optimizer.step()
                scheduler.step()
            if epoch == 1:
                optimizers[1].param_groups[0]["lr"] *= 2
            plain, doubled = (s.optimizer.param_groups[0]["lr"] for s in schedulers)
            if not isinstance(schedulers[0], torch.optim.lr_scheduler.CosineAnnealingLR):
                assert doubled == pytest.approx(plain * (2 if epoch else 1))
        closed = make(torch.optim.SGD([p], lr=1.0))
        with pytest.warns(UserWarning):
            closed.step(7)
        assert closed.get_last_lr() == pytest.approx([plain])

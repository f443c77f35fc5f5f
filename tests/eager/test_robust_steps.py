"""Long chains of every kind, steps that leave nothing behind, and threads that use `vmap`.

What this can't detect: memory that is not held by objects Python's collector knows.
"""

from __future__ import annotations

import gc
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness import some

import s2sgrad
from s2sgrad import eager as torch
from s2sgrad.eager import func
from s2sgrad.eager.autograd import forward_ad
from s2sgrad.eager.nn import functional as F
from s2sgrad.eager.utils.checkpoint import checkpoint

LENGTH = 20_000


class Same(torch.autograd.Function):  # type: ignore[misc,name-defined]
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 1.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g


def written(y: Any) -> Any:
    y[1:] += 1e-9
    return y


LINKS: dict[str, Callable[[Any], Any]] = {
    "Function": Same.apply,
    "in place": lambda y: y.add_(1e-9),
    "view": lambda y: y[:],
    "joined": lambda y: torch.cat([y[:2], y[2:]]),
    "NumPy": lambda y: np.add(y, 1e-9),
    "slice written": written,
    "kernel": lambda y: F.softplus(y) * 0.0 + y,
    "two results": lambda y: torch.cat(y.unbind(0)) if y.ndim > 1 else torch.stack(y.unbind(0)),
}


@pytest.mark.parametrize("name", some(LINKS))
def test_long_chains(name: str) -> None:
    x = torch.ones(4, requires_grad=True)
    y = x * 1.0
    for _ in range(LENGTH):
        y = LINKS[name](y)
    y.sum().backward()
    assert x.grad.tolist() == [1.0] * 4
    del y


NET = torch.nn.Sequential(
    torch.nn.Linear(6, 8), torch.nn.LayerNorm(8), torch.nn.GELU(), torch.nn.Dropout(0.1),
    torch.nn.Linear(8, 3),
)  # fmt: skip
X, LABELS = torch.randn(5, 6), torch.tensor([0, 1, 2, 0, 1])
ADAM = torch.optim.Adam(NET.parameters())


def trained() -> None:
    ADAM.zero_grad()
    F.cross_entropy(NET(X), LABELS).backward()
    torch.nn.utils.clip_grad_norm_(NET.parameters(), 1.0)
    ADAM.step()


def penalty() -> None:
    x = X.detach().requires_grad_()
    (g,) = torch.autograd.grad(NET(x).sum(), x, create_graph=True)
    g.pow(2).sum().backward()


def of_each_example() -> None:
    parameters = {k: v.detach() for k, v in NET.named_parameters()}

    def loss(p: Any, x: Any) -> Any:
        return func.functional_call(NET, p, (x,)).sum()

    func.vmap(func.grad(loss), in_dims=(None, 0), randomness="different")(parameters, X)


def looked_at() -> None:
    func.vmap(lambda r: r * 2 if r.sum() > 0 else r)(X)


def batched() -> None:
    x = torch.ones(5, requires_grad=True)
    torch.autograd.grad(x * x, x, torch.eye(5), is_grads_batched=True)


def through_a_batch() -> None:
    x = X.clone().requires_grad_()
    func.vmap(lambda r: (r * x[0]).exp().sum())(x).sum().backward()


def hooked() -> None:
    y = X.clone().requires_grad_() * 2
    y.register_hook(lambda g: g * 2)
    y.retain_grad()
    y.grad_fn.register_prehook(lambda g: None)
    y.sum().backward()


def views() -> None:
    y = X.clone().requires_grad_() * 1
    y[1:].mul_(2)
    y[0] = 3
    y.t()[2:].add_(1)
    (y * y).sum().backward()


def checkpointed() -> None:
    x = X.clone().requires_grad_()
    for reentrant in (True, False):
        checkpoint(NET, x, use_reentrant=reentrant).sum().backward()


def failing() -> None:
    y = X.clone().requires_grad_() ** 2
    y.register_hook(lambda g: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        y.sum().backward()


def dual() -> None:
    with forward_ad.dual_level():
        forward_ad.unpack_dual(NET(forward_ad.make_dual(X, X)))


def anomaly() -> None:
    with torch.autograd.set_detect_anomaly(True):
        NET(X.clone().requires_grad_()).sum().backward()


def never_pulled() -> None:
    NET(X.clone().requires_grad_()).softmax(-1).logsumexp(0).sum()


def curvature() -> None:
    func.hessian(lambda x: (x**3).sum())(torch.ones(4))


def told_of_several() -> None:
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    for mode in ("all", "any"):
        torch.autograd.graph.register_multi_grad_hook((x, y), lambda g: None, mode=mode)
    y.grad_fn.next_functions  # noqa: B018
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        z = (y * x).exp()
    z.sum().backward()


def written_later() -> None:
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        x = torch.ones(3, requires_grad=True)
        y = x * 1
        z = y.sin()
        y.mul_(2)
        z.sum().backward()


class Scaled:
    """An object whose class is stood for while a function runs on tensors."""

    def __init__(self, a: Any) -> None:
        self.a = a

    def __getattr__(self, name: str) -> Any:
        return np.ones(2) * vars(self)["a"] * float(name[1:])


def rotated(a: Any) -> None:
    a[0], a[1] = a[1], a[0] * 2


def untransformable(x):  # type: ignore[no-untyped-def]
    try:
        y = Scaled(x).t3 * x
        rotated(y)
        return np.log(np.diag(np.linalg.cholesky(np.outer(y, y) + np.eye(2)))).sum()
    except ValueError:
        return 0.0


GRADIENT = s2sgrad.grad(untransformable)


def bridged() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        GRADIENT(np.array([0.5, 1.5]))


STEPS = (
    told_of_several, written_later, bridged,
    trained, penalty, of_each_example, looked_at, batched, through_a_batch, hooked, views,
    checkpointed, failing, dual, anomaly, never_pulled, curvature,
)  # fmt: skip


@pytest.mark.parametrize(
    "step",
    some(STEPS, 3),
)
def test_nothing_is_left_behind(step: Callable[[], None]) -> None:
    for _ in range(3):
        step()
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(20):
            step()
        assert len(gc.get_objects()) - before < 20
    finally:
        gc.enable()


def test_threads_with_batches_of_their_own() -> None:
    def work(k: int, found: dict[int, Any]) -> None:
        x = torch.arange(6.0).reshape(3, 2) + k
        for _ in range(50):
            found[k] = func.vmap(func.grad(lambda r: (r**2).sum() * k))(x).tolist()
            y = torch.ones(2, requires_grad=True)
            (y * k).sum().backward()
            assert y.grad.tolist() == [float(k)] * 2

    found: dict[int, Any] = {}
    threads = [threading.Thread(target=work, args=(k, found)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for k in range(4):
        expected = 2.0 * k * (np.arange(6.0).reshape(3, 2) + k)
        np.testing.assert_allclose(found[k], expected)

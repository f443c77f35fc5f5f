"""`vmap` computes all examples at once what it computes one by one, derivatives included.

What this can't detect: a function that falls back to one example at a time, except where the
table says that it must not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from s2sgrad import eager as torch
from s2sgrad.eager import func
from s2sgrad.eager.batches.array import NeedsExamples
from s2sgrad.eager.func import batching
from s2sgrad.eager.nn import functional as F

RNG = np.random.default_rng(1)
W = torch.tensor(RNG.standard_normal((4, 3)))
B = torch.tensor(RNG.standard_normal(4))
EYE = torch.eye(4, dtype=torch.float64)
ROW = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64)
KERNEL = torch.tensor(RNG.standard_normal((2, 3, 2)))
PICKED = torch.tensor([2, 0, 1])

# Functions of x (3, 4) and w (4,), both with derivatives.
FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, w: x + w,
    "sub": lambda x, w: w - x,
    "mul": lambda x, w: x * w * 2.0,
    "div": lambda x, w: x / (w * w + 1.0),
    "rdiv": lambda x, w: 1.0 / (x * x + 1.0) + w,
    "pow": lambda x, w: (x * x + 0.1) ** w,
    "pow2": lambda x, w: x**2 * w**3,
    "exp": lambda x, w: (x * w).exp(),
    "log": lambda x, w: (x * x + w * w).log(),
    "sqrt": lambda x, w: (x * x + 1.0).sqrt() * w,
    "trig": lambda x, w: x.sin() * w.cos() + (x / 9.0).tan(),
    "tanh": lambda x, w: (x * w).tanh().sigmoid(),
    "abs": lambda x, w: (x * w).abs(),
    "relu": lambda x, w: (x * w).relu(),
    "clamp": lambda x, w: (x * w).clamp(-0.5, 0.5),
    "clamp_tensor": lambda x, w: x.clamp(-w.abs(), w.abs()),
    "maximum": lambda x, w: torch.maximum(x, w) + torch.minimum(x * 2, w),
    "where": lambda x, w: torch.where(x > w, x * w, x - w),
    "masked_fill": lambda x, w: x.masked_fill(x > 0.3, 0.0) * w,
    "lerp": lambda x, w: torch.lerp(x, w, 0.3),
    "addcmul": lambda x, w: torch.addcmul(x, x, w, value=2.0),
    "atan2": lambda x, w: torch.atan2(x, w),
    "hypot": lambda x, w: torch.hypot(x, w),
    "logaddexp": lambda x, w: torch.logaddexp(x, w),
    "erf": lambda x, w: torch.erf(x * w),
    "sum": lambda x, w: x.sum() * w,
    "sum0": lambda x, w: (x * w).sum(0),
    "sum1k": lambda x, w: x / (x * x).sum(-1, keepdim=True) + w,
    "sum_several": lambda x, w: (x * w).sum((0, 1)),
    "mean": lambda x, w: (x * w).mean(1) * x.mean(),
    "var": lambda x, w: x.var(0) * w + x.std(),
    "prod": lambda x, w: (x * w).prod(1),
    "max": lambda x, w: x.max() * w,
    "max_dim": lambda x, w: (x * w).max(1)[0],
    "min_dim": lambda x, w: (x * w).min(0).values,
    "amax": lambda x, w: (x * w).amax(1),
    "sort": lambda x, w: (x * w).sort(1)[0],
    "topk": lambda x, w: (x * w).topk(2, 1)[0],
    "median": lambda x, w: (x * w).median(1)[0],
    "kthvalue": lambda x, w: (x * w).kthvalue(2, 1)[0],
    "cumsum": lambda x, w: x.cumsum(1) * w,
    "cumprod": lambda x, w: x.cumprod(0) * w,
    "logsumexp": lambda x, w: (x * w).logsumexp(1),
    "softmax": lambda x, w: (x * w).softmax(-1),
    "log_softmax": lambda x, w: F.log_softmax(x * w, 0),
    "norm": lambda x, w: x.norm() * w.norm(),
    "norm_dim": lambda x, w: (x * w).norm(dim=1),
    "norm1": lambda x, w: torch.linalg.norm(x * w, 1),
    "matmul": lambda x, w: x @ W + x @ w @ x @ W,
    "matmul_t": lambda x, w: W.t() @ x.t() * (x @ w),
    "mv": lambda x, w: x @ w,
    "vm": lambda x, w: w @ x.T,
    "dot": lambda x, w: x[0] @ w,
    "outer": lambda x, w: torch.outer(x[0], w),
    "gram": lambda x, w: (x * w).t() @ x @ W,
    "einsum": lambda x, w: torch.einsum("ij,j->i", x, w),
    "bmm": lambda x, w: torch.bmm(x.unsqueeze(0) * w, W.unsqueeze(0)),
    "addmm": lambda x, w: torch.addmm(w[:3], x * w, W),
    "linear": lambda x, w: F.linear(x, W.t(), w[:3]),
    "linear_no_bias": lambda x, w: F.linear(x * w, W.t()),
    "inv": lambda x, w: torch.linalg.inv(x.T @ x + EYE) * w,
    "solve": lambda x, w: torch.linalg.solve(x.T @ x + EYE, w),
    "det": lambda x, w: torch.linalg.det(x.T @ x + EYE) * w,
    "cholesky": lambda x, w: torch.linalg.cholesky(x.T @ x + EYE) * w,
    "eigvalsh": lambda x, w: torch.linalg.eigvalsh(x.T @ x + torch.diag(w)),
    "slogdet": lambda x, w: torch.linalg.slogdet(x.T @ x + EYE)[1] * w,
    "reshape": lambda x, w: x.reshape(4, 3) * w[:3],
    "view": lambda x, w: x.view(-1, 2) * w[:2],
    "flatten": lambda x, w: x.flatten() * w.repeat(3),
    "transpose": lambda x, w: x.transpose(0, 1) * w[:, None],
    "permute": lambda x, w: x[None].permute(2, 0, 1) * w[0],
    "unsqueeze": lambda x, w: x.unsqueeze(1) * w,
    "squeeze": lambda x, w: x[:1].squeeze(0) * w,
    "expand": lambda x, w: x[:, :1].expand(3, 4) * w,
    "movedim": lambda x, w: x.movedim(0, 1) * w[:, None],
    "flip": lambda x, w: x.flip(0) * w.flip(0),
    "roll": lambda x, w: x.roll(1, 1) * w,
    "cat": lambda x, w: torch.cat([x, w[None], x * 2]),
    "stack": lambda x, w: torch.stack([x[0], w, B]),
    "split": lambda x, w: x.split(2, 1)[1] * w[:2],
    "chunk": lambda x, w: x.chunk(3)[2] * w,
    "unbind": lambda x, w: x.unbind(0)[1] * w,
    "select": lambda x, w: x[1] * w,
    "slice": lambda x, w: x[1:, ::2] * w[:2],
    "index": lambda x, w: x[[0, 0, 2]] * w,
    "index_column": lambda x, w: x[:, [1, 3]] * w[:2],
    "index_pair": lambda x, w: x[[0, 1], [1, 1]] * w[:2],
    "gather": lambda x, w: x.gather(1, torch.tensor([[0, 1], [2, 2], [3, 0]])) * w[:2],
    "index_select": lambda x, w: x.index_select(1, torch.tensor([0, 0])) * w[:2],
    "take_along": lambda x, w: torch.take_along_dim(x, x.argsort(1), 1) * w,
    "masked": lambda x, w: x * (x > 0) + w,
    "diag": lambda x, w: torch.diag(w) @ x.T,
    "diagonal": lambda x, w: x.diagonal() * w[:3],
    "tril": lambda x, w: x.tril() + x.triu(1) * w,
    "trace": lambda x, w: x[:3, :3].trace() * w,
    "tile": lambda x, w: x.tile(2, 1) * w,
    "repeat": lambda x, w: x.repeat(2, 1) * w,
    "diff": lambda x, w: x.diff(dim=1) * w[:3],
    "pad": lambda x, w: F.pad(x * w, (1, 2)),
    "write_entry": lambda x, w: written(x, w, (0, 1), w.sum()),
    "write_row": lambda x, w: written(x, w, 1, w * 2),
    "write_column": lambda x, w: written(x, w, (slice(None), 1), w[:3]),
    "write_add": lambda x, w: added(x, w),
    "in_place": lambda x, w: (x * w).mul_(2.0).add_(w).exp_(),
    "mse": lambda x, w: F.mse_loss(x, w.expand(3, 4)),
    "l1": lambda x, w: F.smooth_l1_loss(x * w, B.expand(3, 4)),
    "cross_entropy": lambda x, w: F.cross_entropy(x * w, PICKED),
    "nll": lambda x, w: F.nll_loss(F.log_softmax(x * w, 1), PICKED),
    "bce": lambda x, w: F.binary_cross_entropy_with_logits(x * w, (B > 0).double().expand(3, 4)),
    "layer_norm": lambda x, w: F.layer_norm(x, (4,), w, B),
    "gelu": lambda x, w: F.gelu(x * w),
    "silu": lambda x, w: F.silu(x * w),
    "softplus": lambda x, w: F.softplus(x * w),
    "elu": lambda x, w: F.elu(x * w) + F.leaky_relu(x),
    "conv1d": lambda x, w: F.conv1d(x[None] * w, KERNEL),
    "pool": lambda x, w: F.avg_pool1d(x[None] * w, 2),
    "complex": lambda x, w: (torch.complex(x, x * w) ** 2).abs(),
    "fft": lambda x, w: torch.fft.rfft(x * w).abs(),
    "double_use": lambda x, w: (x * w + x) * x.sum(0),
    "constant": lambda x, w: w * 2.0 + x.shape[0],
    "detached": lambda x, w: x.detach() * w + x,
    "numpy": lambda x, w: np.sin(x) * np.sum(w) + np.concatenate([x, x])[:3],
    "unused": lambda x, w: w.exp(),
}  # fmt: skip
# Where one example at a time is as good as it gets, so far.
ONE_BY_ONE = {"tangents of det"}


def written(x: Any, w: Any, index: Any, value: Any) -> Any:
    y = x * w
    y[index] = value
    return y * x


def added(x: Any, w: Any) -> Any:
    y = x * w
    y[1:] += x[:2]
    y[:, 0] *= w[0]
    return y


def each_way(monkeypatch: pytest.MonkeyPatch, compute: Callable[[], Any], name: str = "") -> Any:
    """(all examples at once, one by one); the first way must not fall back."""
    fallen = []
    at_once = batching._at_once

    def watched(*args: Any) -> Any:
        try:
            return at_once(*args)
        except BaseException as error:
            fallen.append(error)
            raise

    monkeypatch.setattr(batching, "_at_once", watched)
    together = compute()
    assert bool(fallen) == (name in ONE_BY_ONE), repr(fallen)

    def refuse(*args: Any) -> Any:
        raise NeedsExamples

    monkeypatch.setattr(batching, "_at_once", refuse)
    return together, compute()


def same(pair: Any) -> None:
    """Both nests of tensors hold the same numbers."""
    (a, spec), (b, other) = (func.batching.tree_flatten(side) for side in pair)
    assert spec == other
    for x, y in zip(a, b, strict=True):
        assert x.dtype == y.dtype and x.shape == y.shape
        np.testing.assert_allclose(x.detach().numpy(), y.detach().numpy(), rtol=1e-9, atol=1e-11)


def data() -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    return torch.tensor(rng.standard_normal((5, 3, 4))), torch.tensor(rng.standard_normal(4))


def scalar(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A number that weighs the entries of a result differently."""

    def total(x: Any, w: Any) -> Any:
        y = f(x, w)
        weights = torch.linspace(0.5, 1.5, y.numel(), dtype=torch.float64)
        return (y * weights.reshape(y.shape)).sum()

    return total


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = data()
    f = FUNCTIONS[name]
    same(each_way(monkeypatch, lambda: func.vmap(f, in_dims=(0, None))(x, w), name))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_of_each_example(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = data()
    f = func.vmap(func.grad(scalar(FUNCTIONS[name]), argnums=(0, 1)), in_dims=(0, None))
    same(each_way(monkeypatch, lambda: f(x, w), name))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradient_through_a_batch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = data()

    def compute() -> Any:
        a, b = x.detach().requires_grad_(), w.detach().requires_grad_()
        y = func.vmap(scalar(FUNCTIONS[name]), in_dims=(0, None))(a, b)
        closed = func.vmap(lambda x: scalar(FUNCTIONS[name])(x, b))(a)
        return torch.autograd.grad((y**2).sum() + (closed**3).sum(), (a, b), allow_unused=True,
                                   materialize_grads=True)  # fmt: skip

    same(each_way(monkeypatch, compute, name))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_second_derivatives(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = data()
    inner = func.grad(scalar(FUNCTIONS[name]), argnums=1)
    twice = func.grad(lambda x, w: (inner(x, w) ** 2).sum())
    f = func.vmap(twice, in_dims=(0, None))
    same(each_way(monkeypatch, lambda: f(x, w), name))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_tangents(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = data()
    f = FUNCTIONS[name]

    def along(x: Any, w: Any) -> Any:
        return func.jvp(f, (x, w), (x * 0.5, w + 1.0))

    f_along = func.vmap(along, in_dims=(0, None))
    same(each_way(monkeypatch, lambda: f_along(x, w), f"tangents of {name}"))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_batches_in_batches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = data()
    ws = torch.stack([w, w * 2.0])
    inner = func.vmap(func.grad(scalar(FUNCTIONS[name])), in_dims=(None, 0))
    f = func.vmap(inner, in_dims=(0, None))
    same(each_way(monkeypatch, lambda: f(x, ws), name))


LABELLED: dict[str, Callable[[Any, Any], Any]] = {
    "cross_entropy": lambda x, i: F.cross_entropy(x, i),
    "cross_entropy of a row": lambda x, i: F.cross_entropy(x[None], i[None]),
    "entry": lambda x, i: x[i] ** 2,
    "gather": lambda x, i: x.gather(0, i[None]).sum(),
    "index_select": lambda x, i: x.index_select(0, i[None]).sum(),
    "embedding": lambda x, i: F.embedding(i[None], x[:, None] * W).sum(),
    "one_hot": lambda x, i: (F.one_hot(i, 4) * x).sum(),
}  # fmt: skip


@pytest.mark.parametrize("name", LABELLED)
def test_labels_of_each_example(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, i = data()[0][:, 0], torch.tensor([3, 1, 0, 2, 1])
    f = func.vmap(func.grad(LABELLED[name]))
    same(each_way(monkeypatch, lambda: f(x, i), name))


def test_looking_at_values_is_allowed() -> None:
    x = torch.tensor([[1.0, 2.0], [-3.0, 4.0]])
    signs = func.vmap(lambda r: r * 2 if r[0].item() > 0 else -r)(x)
    assert signs.tolist() == [[2.0, 4.0], [3.0, -4.0]]
    squares = func.vmap(lambda r: torch.tensor(np.asarray(r.numpy()) ** 2))(x)
    assert squares.tolist() == [[1.0, 4.0], [9.0, 16.0]]


def test_writing_to_the_input_happens_once() -> None:
    x = torch.tensor([[1.0, 2.0], [-3.0, 4.0]])
    func.vmap(lambda r: r.mul_(2.0) if r[0] > 0 else r.add_(1.0))(x)
    assert x.tolist() == [[2.0, 4.0], [-2.0, 5.0]]
    with pytest.raises(RuntimeError, match="has more elements than `self`"):
        z = torch.zeros(2)
        func.vmap(lambda r: z.copy_(r))(x)


def test_values_looked_at_in_a_derivative_outside() -> None:
    class Looks(torch.autograd.Function):  # type: ignore[misc,name-defined]
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any) -> Any:
            return x * 2

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            pass

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2 if g.sum() > 0 else g

    x = torch.ones(3, 2, requires_grad=True)
    with pytest.raises(RuntimeError, match="looks at the values of single examples"):
        func.vmap(Looks.apply)(x).sum().backward()
    inside = func.vmap(func.grad(lambda r: Looks.apply(r).sum()))(x.detach())
    assert inside.tolist() == [[2.0, 2.0]] * 3


def test_modes_are_as_before_after_an_error() -> None:
    def fails(x: Any) -> Any:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        func.vmap(fails)(torch.ones(2))
    assert torch.func.vmap(lambda x: x + 1)(torch.ones(2)).tolist() == [2.0, 2.0]
    x = torch.ones(2, requires_grad=True)
    assert (x * 2).grad_fn is not None and torch.rand(1).shape == (1,)


X = torch.tensor(RNG.standard_normal((5, 3)))


def accumulated_inside() -> Any:
    w = torch.ones(3, dtype=torch.float64, requires_grad=True)

    def step(x: Any) -> Any:
        (x * w).pow(2).sum().backward()
        return x * 1

    func.vmap(step)(X)
    return w.grad


def through_gradients_of_examples() -> Any:
    def total(w: Any) -> Any:
        g = func.grad(lambda w, x: (x * w).sin().sum() * w.sum())
        return (func.vmap(g, in_dims=(None, 0))(w, X) ** 2).sum()

    w = torch.ones(3, dtype=torch.float64)
    return func.grad(total)(w), func.jacfwd(func.grad(total))(w), func.hessian(total)(w)


def tracked_closure() -> Any:
    w = torch.ones(3, dtype=torch.float64, requires_grad=True)
    v = torch.full((3,), 2.0, dtype=torch.float64, requires_grad=True)

    def f(x: Any) -> Any:
        with torch.no_grad():
            c = (x * w).sum()
        return ((x * w * v).exp() * c + v.detach() * w).sum()

    return torch.autograd.grad((func.vmap(func.grad(f))(X) ** 3).sum(), (w, v))


def hook_inside() -> Any:
    def f(x: Any) -> Any:
        y = x * 2
        if y.requires_grad:
            y.register_hook(lambda g: g * 3)
        return (y**2).sum()

    return func.vmap(func.grad(f))(X)


def transforms_of_vmap() -> Any:
    y, pullback = func.vjp(lambda x: func.vmap(lambda r: (r * x[0]).cumsum(0))(x), X)
    pushed = func.jvp(lambda x: func.vmap(lambda r: (r * x[0]).prod())(x), (X,), (X * 0.5,))
    return pullback(y), pushed


def three_levels() -> Any:
    f = func.vmap(lambda a, b, c: a * b + c.sin(), in_dims=(None, None, 0))
    f = func.vmap(f, in_dims=(None, 0, None))
    return func.vmap(f, in_dims=(0, None, None), out_dims=2)(X[:, 0], X[:, 1], X[:, 2])


def module_closure() -> Any:
    net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    net.double()
    with torch.no_grad():
        for p in net.parameters():
            p.fill_(0.3)
    func.vmap(net)(X).sum().backward()
    return [p.grad for p in net.parameters()]


def own_function() -> Any:
    class Cubed(torch.autograd.Function):  # type: ignore[misc,name-defined]
        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any, w: Any) -> Any:
            return x * x * w

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            x, w = ctx.saved_tensors
            assert isinstance(g, torch.Tensor)
            return 2 * g * x * w, g * x * x

    w, x = torch.ones(3, dtype=torch.float64, requires_grad=True), X.clone().requires_grad_()
    y = func.vmap(lambda r: Cubed.apply(r, w).sum())(x)
    return torch.autograd.grad((y**2).sum(), (w, x))


@pytest.mark.parametrize(
    "compute",
    [accumulated_inside, through_gradients_of_examples, tracked_closure, hook_inside,
     transforms_of_vmap, three_levels, module_closure, own_function],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_what_batches_meet(compute: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    same(each_way(monkeypatch, compute))


def test_curvature_of_what_is_written_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        z = torch.zeros(3, dtype=torch.float64) + 0 * x
        z[0] = x[1]
        z[1:] += x[:2] * 2
        z *= x
        return z.sum()

    found = func.vmap(func.hessian(f))(X)  # tangents of one example are written over: one by one
    wanted = torch.tensor([[0.0, 3.0, 0.0], [3.0, 0.0, 2.0], [0.0, 2.0, 0.0]], dtype=torch.float64)
    np.testing.assert_allclose(found.numpy(), wanted.expand(5, 3, 3).numpy())


def test_what_is_written_in_a_batch_has_the_gradient_of_each_example() -> None:
    x, rows = torch.tensor([0.4, -1.1, 0.7]), torch.eye(3)

    def written(v: Any, u: Any) -> Any:
        z = v * u
        z.copy_(v * u * u)
        return z.sum()

    found = torch.func.jacrev(lambda u: torch.vmap(lambda v: written(v, u))(rows))(x)
    np.testing.assert_allclose(found.numpy(), np.diag(2 * x.numpy()), rtol=1e-6)

    def in_place(u: Any) -> Any:
        y = u * 1
        y.mul_(u)
        return (y * y).sum()

    hessian = torch.func.jacrev(torch.func.jacfwd(in_place))(x)
    np.testing.assert_allclose(hessian.numpy(), np.diag(12 * x.numpy() ** 2), rtol=1e-5)

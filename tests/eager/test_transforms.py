"""`func`, `autograd.functional` and forward mode: numbers, nesting, what is left behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from eager.checks import assert_gradient, assert_same, needs_torch, plain, real_torch

from s2sgrad import eager as torch
from s2sgrad.eager.autograd import forward_ad

A = np.random.default_rng(0).normal(size=(3, 3))
Case = Callable[[Any, Any], Any]  # (library, input) -> tensor


def in_place(library: Any, a: Any) -> Any:
    y = a * 1
    y[0] = a[1] * a[2]
    y[:, 1] += a[2]
    z = y.clone()
    z[[0, 2]] = a[1] * a[0]
    z.mul_(2)
    return z * a


CASES: dict[str, Case] = {
    "product": lambda L, a: a.sin() * a,
    "matmul": lambda L, a: (a @ a).tanh() @ a.t(),
    "sums": lambda L, a: a.sum(0) * a.mean(1) + a.max(),
    "prod": lambda L, a: a.prod(),
    "cat": lambda L, a: L.cat([a, a * a, L.ones_like(a)]),
    "stack": lambda L, a: L.stack([a, a * a], 1),
    "where": lambda L, a: L.where(a > 0, a, a * a),
    "index": lambda L, a: a[1:, [0, 2]] * a[0, 0],
    "in place": in_place,
    "amax": lambda L, a: a.amax(1),
    "cumsum": lambda L, a: a.cumsum(0),
    "norm": lambda L, a: a.norm(),
    "power": lambda L, a: (a.abs() + 1) ** a,
    "clamp": lambda L, a: a.clamp(-0.5, 0.5) * a,
    "chain": lambda L, a: a.exp().log1p().sqrt() / (a * a + 1),
    "variance": lambda L, a: a.var(0) + a.std(1),
    "detach": lambda L, a: a.detach() * a,
    "views": lambda L, a: a.reshape(-1).view(3, 3).t().unsqueeze(0).expand(2, 3, 3) * a,
    "nested": lambda L, a: L.func.grad(lambda b: (b**3 * a).sum())(a) * a,
    "nested forward": lambda L, a: L.func.jvp(lambda b: b**3 * a, (a,), (a,))[1] * a,
    "softmax": lambda L, a: L.nn.functional.softmax(a, dim=1),
    "cross entropy": lambda L, a: L.nn.functional.cross_entropy(a, L.tensor([0, 2, 1])),
    "layer norm": lambda L, a: L.nn.functional.layer_norm(a, (3,)),
    "linear": lambda L, a: L.nn.functional.linear(a, a, a[0]),
    "flip": lambda L, a: a.flip(0) * a,
    "masked": lambda L, a: a.masked_fill(a > 0, 0.0) * a,
}
TRANSFORMS: dict[str, Callable[[Any, Any], Any]] = {
    "jacrev": lambda L, f: L.func.jacrev(f),
    "jacfwd": lambda L, f: L.func.jacfwd(f),
    "hessian": lambda L, f: L.func.hessian(lambda a: (f(a) ** 2).sum()),
    "grad of grad": lambda L, f: L.func.grad(
        lambda a: L.func.grad(lambda b: (f(b) ** 2).sum())(a).sin().sum()
    ),
}


@pytest.mark.parametrize("name", [n for n in CASES if n != "detach"])
def test_against_differences(name: str) -> None:
    assert_gradient(lambda a: CASES[name](torch, a), A)


@needs_torch
@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("name", CASES)
def test_same_as_torch(name: str, transform: str) -> None:
    found = []
    for library in (torch, real_torch()):
        y = TRANSFORMS[transform](library, lambda a: CASES[name](library, a))(library.tensor(A))  # noqa: B023
        assert not y.requires_grad
        found.append(plain(y))
    assert_same(*found)


def test_gradients_through_closures_stay_attached() -> None:
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    x = torch.tensor([3.0, 4.0])
    g = torch.func.grad(lambda a: (a**2 * w).sum())(x)
    g.sum().backward()
    assert w.grad.tolist() == [6.0, 8.0]
    assert x.grad is None
    with torch.no_grad():
        assert not torch.func.grad(lambda a: (a**2 * w).sum())(x).requires_grad


def test_outer_gradient_through_a_transform() -> None:
    x = torch.tensor([3.0, 4.0], requires_grad=True)
    torch.func.grad(lambda a: (a**3).sum())(x).sum().backward()
    assert x.grad.tolist() == [18.0, 24.0]


def test_structures() -> None:
    params = {"w": torch.tensor([1.0, 2.0]), "rest": [torch.tensor(3.0)]}
    g = torch.func.grad(lambda p: (p["w"] ** 2).sum() * p["rest"][0])(params)
    assert g["w"].tolist() == [6.0, 12.0] and g["rest"][0].item() == 5.0
    g, (value, aux) = torch.func.grad_and_value(lambda x: (x.sum(), {"n": x * 7}), has_aux=True)(
        torch.ones(2)
    )
    assert (g.tolist(), value.item(), aux["n"].tolist()) == ([1.0, 1.0], 2.0, [7.0, 7.0])


def test_pullback_may_be_called_again() -> None:
    y, pullback = torch.func.vjp(lambda a, b: (a * b, a.sum()), torch.ones(2), torch.ones(2) * 3)
    for _ in range(2):
        a_bar, b_bar = pullback((torch.tensor([1.0, 2.0]), torch.tensor(10.0)))
        assert (a_bar.tolist(), b_bar.tolist()) == ([13.0, 16.0], [1.0, 2.0])
    assert not y[0].requires_grad


def test_linearize_runs_the_function_once() -> None:
    calls = []

    def f(a: Any) -> Any:
        calls.append(1)
        return a.sin() * a

    x = torch.tensor(A)
    _, push = torch.func.linearize(f, x)
    for seed in range(3):
        v = torch.tensor(np.random.default_rng(seed).normal(size=A.shape))
        assert_same(plain(push(v)), plain(torch.func.jvp(f, (x,), (v,))[1]))
    assert len(calls) == 1 + 3  # three more by jvp


def test_vmap_of_grad_gives_gradients_per_example() -> None:
    w = torch.tensor([1.0, 2.0])
    x = torch.tensor(np.arange(6.0).reshape(3, 2), dtype=torch.float32)
    rows = torch.func.vmap(torch.func.grad(lambda a, b: (a * b).sum() ** 2), (None, 0))(w, x)
    wanted = [2 * float((w * r).sum()) * np.array(r.tolist()) for r in x]
    np.testing.assert_allclose(rows.numpy(), wanted)


def test_vmap_allows_branches_on_values() -> None:
    f = torch.func.vmap(lambda a: a if a.item() > 0 else 10 * a)
    assert f(torch.tensor([1.0, -1.0])).tolist() == [1.0, -10.0]


def test_vmap_is_differentiable() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    torch.func.vmap(lambda a: a**3)(x).sum().backward()
    assert x.grad.tolist() == [3.0, 12.0]


def test_functional_call_restores_the_module() -> None:
    m = torch.nn.Linear(2, 1)
    before = m.weight
    with pytest.raises(RuntimeError):
        torch.func.functional_call(m, {"weight": torch.ones(1, 3)}, (torch.ones(2),))
    assert m.weight is before
    models = [torch.nn.Linear(2, 1) for _ in range(3)]
    params, buffers = torch.func.stack_module_state(models)
    x = torch.ones(4, 2)
    rows = torch.func.vmap(
        lambda p, b: torch.func.functional_call(models[0], (p, b), (x,)), (0, None)
    )(params, buffers)
    for row, model in zip(rows, models, strict=True):
        np.testing.assert_allclose(row.detach().numpy(), model(x).detach().numpy())


def test_errors_inside_leave_no_level_behind() -> None:
    def fails(a: Any) -> Any:
        raise ValueError("inside")

    x = torch.ones(2)
    for call in (
        lambda: torch.func.jvp(fails, (x,), (x,)),
        lambda: torch.func.grad(fails)(x),
        lambda: torch.func.vmap(fails)(x),
    ):
        with pytest.raises(ValueError, match="inside"):
            call()
    assert torch.is_grad_enabled()
    assert forward_ad.unpack_dual(x).tangent is None
    with forward_ad.dual_level():
        assert forward_ad.unpack_dual(forward_ad.make_dual(x, x)).tangent.tolist() == [1.0, 1.0]


def test_function_with_jvp_serves_both_modes() -> None:
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x**3

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx: Any, y_bar: Any) -> Any:
            return y_bar * 3 * ctx.saved_tensors[0] ** 2

        @staticmethod
        def jvp(ctx: Any, x_dot: Any) -> Any:
            return x_dot * 3 * ctx.saved_tensors[0] ** 2

    x = torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(Cube.apply, (x,), check_forward_ad=True)
    assert torch.func.grad(lambda a: Cube.apply(a).sum())(x.detach()).tolist() == [3.0, 12.0]


def test_complex_forward_mode() -> None:
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.cdouble, requires_grad=True)
    for f in (
        lambda a: a**2,
        lambda a: a.abs(),
        lambda a: a.conj() * a.exp(),
        lambda a: a.real * a,
        lambda a: torch.view_as_real(a) if hasattr(torch, "view_as_real") else a,
    ):
        assert torch.autograd.gradcheck(f, (z,), check_forward_ad=True)


def test_hessian_vector_products_agree() -> None:
    def f(a: Any) -> Any:
        return (a.sin() * a).sum() ** 2

    functional = torch.autograd.functional
    x, v = torch.tensor(A), torch.tensor(A[::-1].copy())
    H = functional.hessian(f, x).reshape(9, 9)
    wanted = plain(H @ v.reshape(9))
    for product in (functional.hvp, functional.vhp):
        assert_same(plain(product(f, x, v)[1].reshape(9)), wanted)
    for options in (
        {"vectorize": True},
        {"vectorize": True, "outer_jacobian_strategy": "forward-mode"},
    ):
        assert_same(plain(functional.hessian(f, x, **options)), plain(functional.hessian(f, x)))


def test_tangents_of_what_a_checkpoint_computes() -> None:
    x = torch.tensor([0.4, -1.1], dtype=torch.float64)

    def plainly(u: Any) -> Any:
        return (u.sin() * u).sum()

    def kept(u: Any) -> Any:
        return torch.utils.checkpoint.checkpoint(plainly, u, use_reentrant=False)

    jacobians = torch.func.jacrev, torch.func.jacfwd
    for outer in jacobians:
        for inner in jacobians:
            found, wanted = outer(inner(kept))(x), outer(inner(plainly))(x)
            np.testing.assert_allclose(found.numpy(), wanted.numpy())

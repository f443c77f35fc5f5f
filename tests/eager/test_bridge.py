"""Functions with a pullback of their own as single nodes: first and second derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sgrad
from s2sgrad import eager as torch
from s2sgrad.eager.numpy_code.bridge import call


def norm_and_scale(x, factors):
    """A primal with a nested argument and two results."""
    scaled = x * factors[0]
    return np.sum(scaled * scaled), np.sin(scaled) * factors[1]


def hand_vjp(x: Any, factors: Any) -> Any:
    """What a compiler would give for it."""
    a, b = factors
    scaled = x * a

    def pullback(bars: Any) -> Any:
        s_bar, y_bar = bars
        scaled_bar = 2 * scaled * s_bar + y_bar * np.cos(scaled) * b
        return scaled_bar * a, [np.sum(scaled_bar * x), np.sum(y_bar * np.sin(scaled))]

    return norm_and_scale(x, factors), pullback


def arguments() -> tuple[Any, Any]:
    x = torch.tensor(np.array([0.3, -1.2, 0.7]), requires_grad=True)
    return x, [torch.tensor(1.5, dtype=torch.float64, requires_grad=True), 2.0]


def both(x: Any, factors: Any, through: bool) -> Any:
    """A scalar of both results, through one node or recorded operation by operation."""
    s, y = call(norm_and_scale, hand_vjp, (x, factors)) if through else norm_and_scale(x, factors)
    return s + (y * y).sum()


def test_one_node_has_the_same_gradient() -> None:
    x, factors = arguments()
    value = both(x, factors, True)
    assert "CompiledBackward0" in {type(n).__name__ for n in reachable(value.grad_fn)}
    found = torch.autograd.grad(value, (x, factors[0]))
    expected = torch.autograd.grad(both(x, factors, False), (x, factors[0]))
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy())


def test_double_backward() -> None:
    x, factors = arguments()
    results = []
    for through in (True, False):
        (g,) = torch.autograd.grad(both(x, factors, through), x, create_graph=True)
        results.append(torch.autograd.grad((g * g).sum(), (x, factors[0])))
    for a, b in zip(*results, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy())


def test_constants_make_no_node() -> None:
    x, _ = arguments()
    s, y = call(norm_and_scale, hand_vjp, (x.detach(), [1.5, 2.0]))
    assert not s.requires_grad and not y.requires_grad


def test_writes_to_arguments_are_noticed() -> None:
    x, factors = arguments()
    h = x * 1
    s, _ = call(norm_and_scale, hand_vjp, (h, factors))
    h.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        s.backward()


def test_the_graph_is_freed() -> None:
    x, factors = arguments()
    value = both(x, factors, True)
    value.backward()
    with pytest.raises(RuntimeError, match="second time"):
        value.backward()


def reachable(node: Any) -> list[Any]:
    """All nodes below a node."""
    found, stack = [], [node]
    while stack:
        item = stack.pop()
        if item is not None and item not in found:
            found.append(item)
            stack.extend(n for n, _ in item.next_functions)
    return found


def mlp_loss(w, x):
    h = np.tanh(x @ w)
    return np.sum(h * h)


def test_compiled_on_tensors() -> None:
    compiled = torch.compile(mlp_loss, fallback="error")
    rng = np.random.default_rng(0)
    w, x = rng.standard_normal((3, 2)), rng.standard_normal((5, 3))
    results = []
    for f in (compiled, mlp_loss):
        leaf = torch.tensor(w, requires_grad=True)
        value = f(leaf, torch.tensor(x)) * 2
        (g,) = torch.autograd.grad(value, leaf, create_graph=True)
        (gg,) = torch.autograd.grad((g * g).sum(), leaf)
        results.append((value.item(), g.detach().numpy(), gg.numpy()))
    for a, b in zip(*results, strict=True):
        np.testing.assert_allclose(a, b)
    made = compiled(torch.tensor(w, requires_grad=True), torch.tensor(x))
    assert type(made.grad_fn).__name__ == "CompiledBackward0"
    assert compiled(w, x) == mlp_loss(w, x)


def test_double_backward_of_code_that_writes_over_what_it_read() -> None:
    def f(x):
        y = x.copy()
        y[1:] *= y[:-1]
        y *= y
        return np.sum(y * x)

    def first(a: Any) -> Any:
        t = torch.tensor(a, requires_grad=True)
        return torch.autograd.grad(torch.compile(f)(t), t)[0].numpy()

    x, v, step = np.array([0.3, -1.2, 0.7]), np.array([1.0, 0.5, -2.0]), 1e-6
    t = torch.tensor(x, requires_grad=True)
    (g,) = torch.autograd.grad(torch.compile(f)(t), t, create_graph=True)
    np.testing.assert_allclose(g.detach() @ v, (f(x + step * v) - f(x - step * v)) / (2 * step))
    (found,) = torch.autograd.grad(g @ torch.tensor(v), t)
    expected = (first(x + step * v) - first(x - step * v)) / (2 * step)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


def test_an_array_beside_the_tensors_may_change() -> None:
    x, a = torch.tensor(np.array([0.3, -1.2]), requires_grad=True), np.array([3.0, 4.0])
    y = torch.compile(lambda x, a: np.sum(np.sin(x) * a))(x, a)
    a[:] = 0.0
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    np.testing.assert_allclose(g.detach().numpy(), np.cos([0.3, -1.2]) * [3.0, 4.0])
    (second,) = torch.autograd.grad(g.sum(), x)
    np.testing.assert_allclose(second.numpy(), -np.sin([0.3, -1.2]) * [3.0, 4.0])


def scaled_by_its_sum(a):
    return np.sum(a * a) * a


def test_tangents_pass_through_compiled_functions() -> None:
    compiled, x = torch.compile(scaled_by_its_sum), torch.tensor([0.4, -1.1, 0.7])
    ones = torch.ones(3)
    for f in (compiled, scaled_by_its_sum):
        _, dot = torch.func.jvp(f, (x,), (ones,))
        np.testing.assert_allclose(dot.numpy(), 2 * x.sum() * x + (x * x).sum(), rtol=1e-5)
    hessian = torch.func.hessian(lambda a: compiled(a).sum())(x)
    again = torch.func.jacrev(torch.func.jacrev(lambda a: compiled(a).sum()))(x)
    np.testing.assert_allclose(hessian.numpy(), again.numpy(), rtol=1e-5)
    assert not dot.requires_grad and not hessian.requires_grad


def written_beside(x, out):
    try:
        out[0] = x[1] * 2
        return out[0] * x[0]
    except IndexError:
        return 0.0


def with_an_array_beside(x):
    out = np.zeros(3)
    total = written_beside(x, out)
    return total * out[0] + written_beside(x * x, out)


def test_an_island_writes_into_an_array_without_a_derivative() -> None:
    x = np.array([0.4, -1.1, 0.7])
    with pytest.warns(UserWarning, match="tensors"):
        found = s2sgrad.grad(with_an_array_beside)(x)
    a, b = x[0], x[1]  # 4 a b^2 + 2 a^2 b^2
    np.testing.assert_allclose(found, [4 * b**2 + 4 * a * b**2, 8 * a * b + 4 * a**2 * b, 0.0])

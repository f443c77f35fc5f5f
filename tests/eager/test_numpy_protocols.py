"""NumPy functions called with tensors: values, first and second derivatives, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2sgrad import eager as torch
from s2sgrad.errors import MissingRuleError, UnsupportedError

RNG = np.random.default_rng(0)
A = RNG.standard_normal((3, 3)) + 4 * np.eye(3)
B = RNG.standard_normal((3, 2))
V = np.array([0.3, -1.2, 0.7])

CALLS: dict[str, tuple[Any, Any]] = {
    "sin": (np.sin, V),
    "sum axis": (lambda t: np.sum(t, axis=0), A),
    "solve": (lambda t: np.linalg.solve(t, B), A),
    "matmul": (lambda t: t @ B, A),
    "array matmul": (lambda t: A @ t, V),
    "array plus": (lambda t: V + t, V),
    "concatenate": (lambda t: np.concatenate([t, V]), V),
    "stack": (lambda t: np.stack([t, V, t * 2]), V),
    "block": (lambda t: np.block([[t, B]]), A),
    "block of one": (lambda t: np.block([[t]]), V),
    "where": (lambda t: np.where(V > 0, t, t * t), V),
    "einsum": (lambda t: np.einsum("ij,jk->ik", t, B), A),
    "multiply.outer": (lambda t: np.multiply.outer(t, V), V),
    "add.reduce": (np.add.reduce, A),
    "add.accumulate": (np.add.accumulate, V),
    "eigh": (lambda t: np.linalg.eigh(t + t.T)[0], A),
    "cholesky": (lambda t: np.linalg.cholesky(t @ np.transpose(t)), A),
    "slogdet": (lambda t: np.linalg.slogdet(t)[1], A),
    "sort": (np.sort, V),
    "cumsum": (np.cumsum, V),
    "convolve": (lambda t: np.convolve(t, V), V),
    "fft": (lambda t: np.abs(np.fft.fft(t)), V),
    "split": (lambda t: np.split(t, 3)[1], V),
    "index": (lambda t: t[np.array([0, 0, 2])], V),
    "norm": (np.linalg.norm, A),
    "power": (lambda t: np.power(np.abs(t), 2.5), V),
    "var": (lambda t: np.var(t, axis=0), A),
    "median": (np.median, V),
}  # fmt: skip


def weighted(y: Any) -> Any:
    """A scalar in which every entry counts differently."""
    shape = np.shape(y)
    return np.sum(y * np.cos(np.arange(int(np.prod(shape)))).reshape(shape))


def numeric(f: Any, x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """Central differences of a scalar function."""
    out = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        out[i] = (float(f(up)) - float(f(down))) / (2 * step)
    return out


@pytest.mark.parametrize("name", CALLS)
def test_first_and_second_derivative(name: str) -> None:
    f, x = CALLS[name]
    t = torch.tensor(x, requires_grad=True)
    y = f(t)
    assert isinstance(y, torch.Tensor) and y.requires_grad
    np.testing.assert_allclose(y.detach().numpy(), f(x))
    weighted(y).backward()
    np.testing.assert_allclose(t.grad.numpy(), numeric(lambda a: weighted(f(a)), x), atol=2e-6)
    start = torch.tensor(x), torch.tensor(np.ones_like(x))
    _, slope_along = torch.func.jvp(lambda u: weighted(f(u)), start[:1], start[1:])
    np.testing.assert_allclose(slope_along.item(), t.grad.sum().item(), atol=1e-9)

    def slope(a: np.ndarray) -> float:
        u = torch.tensor(a, requires_grad=True)
        (g,) = torch.autograd.grad(weighted(f(u) * f(u)), u)
        return float(weighted(g.numpy()))

    u = torch.tensor(x, requires_grad=True)
    (g,) = torch.autograd.grad(weighted(f(u) * f(u)), u, create_graph=True)
    (gg,) = torch.autograd.grad(weighted(g), u)
    np.testing.assert_allclose(gg.numpy(), numeric(slope, x), atol=1e-4, rtol=1e-4)


def test_promotion_with_arrays_is_numpys() -> None:
    t = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    assert (t * V).dtype is torch.float64 and (V * t).dtype is torch.float64
    assert np.multiply(t, 2.0).dtype is torch.float32
    (t * V).sum().backward()
    assert t.grad.dtype is torch.float32


def test_out() -> None:
    t = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    held = torch.zeros(3)
    assert np.sin(t, out=held) is held
    held.sum().backward()
    np.testing.assert_allclose(t.grad.numpy(), np.cos(t.detach().numpy()))
    plain = np.zeros(3)
    with pytest.raises(UnsupportedError, match="into an array"):
        np.sin(t, out=plain)
    np.sin(t.detach(), out=plain)
    np.testing.assert_allclose(plain, np.sin([1.0, 2.0, 3.0]), rtol=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        np.histogram,
        lambda t: np.savetxt("x", t),
        lambda t: np.apply_along_axis(np.sum, 0, t),
    ],
)
def test_no_rule_no_answer(call: Any) -> None:
    with pytest.raises(MissingRuleError):
        call(torch.tensor([1.0, 2.0], requires_grad=True))


def test_no_silent_array() -> None:
    t = torch.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="requires grad"):
        np.asarray(t)
    array = np.ones(2)
    with pytest.raises(UnsupportedError, match="into an array"):
        array += t
    np.testing.assert_array_equal(array, 1.0)


def test_add_at() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    t = torch.zeros(3)
    np.add.at(t, np.array([0, 0]), x)
    assert t.tolist() == [3.0, 0.0, 0.0]
    t.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_no_array_drops_a_tangent() -> None:
    def through_an_array(t: Any) -> Any:
        return torch.tensor(np.asarray(t)) * 2

    with pytest.raises(RuntimeError, match="tangent would lose it"):
        torch.func.jvp(through_an_array, (torch.ones(2),), (torch.ones(2),))


@pytest.mark.parametrize(
    "call",
    [
        lambda t: np.gradient(np.sin(V), t),
        lambda t: np.cov(np.outer(V, V), aweights=t),
    ],
)
def test_arguments_that_models_serve(call: Any) -> None:
    """Reverse mode has their derivative; forward mode, which follows rules alone, refuses them."""
    x = np.array([0.1, 0.5, 0.9])
    t = torch.tensor(x, requires_grad=True)
    (slope,) = torch.autograd.grad((call(t) ** 2).sum(), t)
    steps = 1e-6 * np.eye(3)
    differences = [np.sum(call(x + h) ** 2) - np.sum(call(x - h) ** 2) for h in steps]
    np.testing.assert_allclose(slope.numpy(), np.array(differences) / 2e-6, rtol=1e-6, atol=1e-8)
    with pytest.raises(MissingRuleError):
        torch.func.jvp(call, (torch.tensor(x),), (torch.tensor(x),))


def test_where_of_ufuncs_leaves_the_rest_as_it_was() -> None:
    x = torch.tensor([0.0, 0.5, 0.8], dtype=torch.float64, requires_grad=True)
    mask = np.array([False, True, True])
    y = np.log(x, out=x * 2.0, where=mask)
    np.testing.assert_allclose(y.detach().numpy(), [0.0, np.log(0.5), np.log(0.8)])
    (g,) = torch.autograd.grad(y.sum(), x)
    np.testing.assert_allclose(g.numpy(), [2.0, 2.0, 1.25])
    (g,) = torch.autograd.grad(np.sqrt(x, where=torch.tensor(mask)).sum(), x)
    np.testing.assert_allclose(g.numpy(), [0.0, 0.5 / 0.5**0.5, 0.5 / 0.8**0.5])
    plain = np.sin(x.detach(), out=np.full(3, 7.0), where=mask)
    np.testing.assert_allclose(plain, [7.0, np.sin(0.5), np.sin(0.8)])
    filled = np.sin(np.ones(3), out=torch.full((3,), 7.0, dtype=torch.float64), where=mask)
    np.testing.assert_allclose(filled.numpy(), [7.0, np.sin(1.0), np.sin(1.0)])


def test_subtract_at_adds_up_repeats() -> None:
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
    y = x * 1.0
    np.subtract.at(y, [0, 0, 2], x)
    assert y.tolist() == [-2.0, 2.0, 0.0]
    (g,) = torch.autograd.grad((y * torch.tensor([1.0, 10.0, 100.0])).sum(), x)
    assert g.tolist() == [0.0, 9.0, 0.0]


@pytest.mark.parametrize(
    "call",
    [
        lambda t: np.logaddexp.reduce(t, axis=None),
        lambda t: np.logaddexp.reduce(t, axis=(0, -1), keepdims=True),
        lambda t: np.hypot.reduce(t, axis=1, initial=0.3),
        lambda t: np.hypot.accumulate(t, axis=1),
        lambda t: np.add.reduceat(t, [0, 1], axis=0),
        lambda t: np.subtract.outer(t, np.ones(2)),
    ],
)
def test_methods_of_ufuncs(call: Any) -> None:
    x = np.array([[0.1, 0.2, 0.7], [0.5, -0.3, 0.4]])
    t = torch.tensor(x, requires_grad=True)
    np.testing.assert_allclose(call(t).detach().numpy(), call(x))
    assert torch.autograd.gradcheck(call, (t,))


def test_tangents_of_matrices_of_two_dtypes() -> None:
    """A rule is NumPy's code, which multiplies them; torch's operators do not."""
    a = torch.tensor(np.array([[2.0, 0.5], [0.3, 1.0]], np.float32))
    b = torch.tensor(np.array([1.0, -2.0]))
    y, y_dot = torch.func.jvp(lambda a: np.linalg.solve(a, b), (a,), (a,))
    np.testing.assert_allclose(y_dot.numpy(), -y.numpy(), rtol=1e-6)

"""Helpers: central differences, and PyTorch beside ours where it is installed."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from s2sgrad import eager as torch

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="compares with PyTorch")


def real_torch() -> Any:
    import torch as found

    return found


def libraries() -> list[Any]:
    """Ours, and PyTorch where it is installed."""
    return [torch, real_torch()] if HAS_TORCH else [torch]


def plain(value: Any) -> Any:
    """Tensors of either library as arrays, nests kept."""
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if hasattr(value, "detach"):
        return np.array(value.detach().tolist())
    return value


def assert_same(found: Any, wanted: Any, atol: float = 1e-9) -> None:
    """Nests of numbers agree."""
    if isinstance(wanted, list):
        assert len(found) == len(wanted)
        for f, w in zip(found, wanted, strict=True):
            assert_same(f, w, atol)
    elif isinstance(wanted, dict):
        assert list(found) == list(wanted)
        for key in wanted:
            assert_same(found[key], wanted[key], atol)
    elif wanted is None or isinstance(wanted, (str, bool)):
        assert found == wanted
    else:
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-7, atol=atol)


def outcome(call: Callable[[], Any]) -> tuple[str, str, list[str]]:
    """What a call did: (error type, text, warnings); a result counts as its printed form."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            kind, text = "result", repr(call())
        except Exception as error:
            kind, text = type(error).__name__, str(error)
    said = [str(w.message) for w in caught if "jit" not in str(w.message)]
    return kind, text, said


def directional(f: Callable[[Any], Any], x: np.ndarray, v: np.ndarray, step: float = 1e-6) -> Any:
    """The central difference of f (tensor to tensor) at x along v."""
    ahead = f(torch.tensor(x + step * v)).detach().numpy()
    behind = f(torch.tensor(x - step * v)).detach().numpy()
    return (ahead - behind) / (2 * step)


def assert_gradient(f: Callable[[Any], Any], x: np.ndarray, atol: float = 1e-6) -> None:
    """Reverse and forward mode of f agree with central differences; cannot see kinks."""
    rng = np.random.default_rng(7)
    x = np.asarray(x, float)
    v = rng.standard_normal(x.shape)
    wanted = directional(f, x, v)
    leaf = torch.tensor(x, requires_grad=True)
    y = f(leaf)
    u = rng.standard_normal(tuple(y.shape))
    y.backward(torch.tensor(u))
    np.testing.assert_allclose(np.sum(leaf.grad.numpy() * v), np.sum(u * wanted), atol=atol)
    y_dot = torch.func.jvp(f, (torch.tensor(x),), (torch.tensor(v),))[1]
    np.testing.assert_allclose(y_dot.detach().numpy(), wanted, atol=atol)


def assert_second(f: Callable[[Any], Any], x: np.ndarray, atol: float = 1e-5) -> None:
    """The gradient of sum(f(x)^2), itself differentiated, agrees with central differences."""

    def gradient(t: Any) -> Any:
        leaf = t if t.requires_grad else t.clone().requires_grad_()
        return torch.autograd.grad((f(leaf) ** 2).sum(), leaf, create_graph=True)[0]

    rng = np.random.default_rng(8)
    x = np.asarray(x, float)
    v = rng.standard_normal(x.shape)
    leaf = torch.tensor(x, requires_grad=True)
    (found,) = torch.autograd.grad(gradient(leaf), leaf, torch.tensor(v), allow_unused=True)
    values = np.zeros_like(x) if found is None else found.numpy()
    np.testing.assert_allclose(values, directional(gradient, x, v, 1e-5), atol=atol)


@contextmanager
def no_warnings() -> Any:
    """A block in which every warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield

"""The other packages' pullbacks and Hessians, with cotangents in our convention."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.peers.cases import Case

Array = Any
Answer = tuple[Any, list[Array]]
NOT_THERE = (
    AttributeError, IndexError, KeyError, NotImplementedError, RuntimeError, TypeError, ValueError,
    AssertionError,
)  # fmt: skip


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def uses_scipy(case: Case) -> bool:
    return case.function.__code__.co_varnames[0] == "sp"


def flat(tree: Any) -> list[Array]:
    """The arrays of a result."""
    if isinstance(tree, tuple | list):
        return [leaf for item in tree for leaf in flat(item)]
    return [tree]


def jax_pullback(case: Case, bars: list[Array]) -> Answer:
    """JAX's cotangents are the conjugates of ours."""
    import jax
    import jax.scipy
    import jax.scipy.stats

    package = jax.scipy if uses_scipy(case) else jax.numpy
    with jax.enable_x64(True):
        inputs = [jax.numpy.asarray(x) for x in case.inputs]
        ys, pull = jax.vjp(lambda *xs: flat(case.function(package, *xs)), *inputs)
        given = [jax.numpy.asarray(np.conj(b), y.dtype) for b, y in zip(bars, ys, strict=True)]
        found = [np.conj(np.asarray(x)) for x in pull(given)]
        return [np.asarray(y) for y in ys], found


def jax_curvature(case: Case, bars: list[Array], v: Array) -> Array:
    import jax

    package = jax.scipy if uses_scipy(case) else jax.numpy
    with jax.enable_x64(True):
        rest = case.inputs[1:]

        def total(x: Any) -> Any:
            ys = flat(case.function(package, x, *rest))
            return sum(jax.numpy.sum(b * y) for b, y in zip(bars, ys, strict=True))

        x = jax.numpy.asarray(case.inputs[0])
        return np.asarray(jax.jvp(jax.grad(total), (x,), (jax.numpy.asarray(v),))[1])


def autograd_pullback(case: Case, bars: list[Array]) -> Answer:
    """The cotangents of HIPS autograd are the conjugates of ours."""
    import autograd
    import autograd.numpy
    import autograd.scipy
    import autograd.scipy.linalg
    import autograd.scipy.special
    import autograd.scipy.stats
    from autograd.builtins import tuple as traced

    package = autograd.scipy if uses_scipy(case) else autograd.numpy

    def call(xs: Any) -> Any:
        return traced(flat(case.function(package, *xs)))

    pull, ys = autograd.make_vjp(call)(tuple(case.inputs))
    given = tuple(np.conj(b) for b in bars)
    return [np.asarray(y) for y in ys], [np.conj(np.asarray(x)) for x in pull(given)]


def torch_pullback(case: Case, bars: list[Array]) -> Answer:
    import torch

    tensors = [torch.tensor(x, requires_grad=True) for x in case.inputs]
    ys = flat(case.function(_torch_package(case), *tensors))
    given = [torch.tensor(b, dtype=y.dtype) for b, y in zip(bars, ys, strict=True)]
    found = torch.autograd.grad(ys, tensors, given, materialize_grads=True)
    return [y.detach().resolve_conj().numpy() for y in ys], [
        x.detach().resolve_conj().numpy() for x in found
    ]


def torch_curvature(case: Case, bars: list[Array], v: Array) -> Array:
    import torch

    rest = [torch.tensor(x) for x in case.inputs[1:]]

    def total(x: Any) -> Any:
        ys = flat(case.function(_torch_package(case), x, *rest))
        return sum((torch.tensor(b) * y).sum() for b, y in zip(bars, ys, strict=True))

    x = torch.tensor(case.inputs[0])
    return torch.autograd.functional.hvp(total, x, torch.tensor(v))[1].numpy()


def _torch_package(case: Case) -> Any:
    import torch

    if not uses_scipy(case):
        return torch
    return SimpleNamespace(special=torch.special, linalg=torch.linalg)


PULLBACKS: dict[str, Callable[[Case, list[Array]], Answer]] = {
    "autograd": autograd_pullback,
    "jax": jax_pullback,
    "torch": torch_pullback,
}
CURVATURES: dict[str, Callable[[Case, list[Array], Array], Array]] = {
    "jax": jax_curvature,
    "torch": torch_curvature,
}

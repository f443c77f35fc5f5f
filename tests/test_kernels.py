"""The benchmark kernels: hand-written and generated gradients against central differences."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from harness import assert_close, numeric_gradient

import s2sgrad
from tests.benchmarks.kernels import NAMES, Kernel, load

pytest.importorskip("numba")


def expected(kernel: Kernel, args: tuple[Any, ...]) -> np.ndarray:
    names = list(inspect.signature(kernel.primal).parameters)
    return numeric_gradient(kernel.primal, args, {}, kernel.argnums, names)


def check(kernel: Kernel, value: Any, gradients: tuple[Any, ...], args: tuple[Any, ...]) -> None:
    assert value == pytest.approx(kernel.primal(*args), rel=1e-12)
    found = np.concatenate([np.ravel(g) for g in gradients])
    assert_close(found, expected(kernel, args), rtol=1e-6, what=kernel.name)


def example(kernel: Kernel) -> tuple[Any, ...]:
    return kernel.arguments(np.random.default_rng(0), "test")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_by_hand(name: str) -> None:
    kernel = load(name)
    args = example(kernel)
    value, *gradients = kernel.by_hand(*args)
    check(kernel, value, tuple(gradients), args)


@pytest.mark.parametrize("name", NAMES)
def test_generated(name: str) -> None:
    kernel = load(name)
    args = example(kernel)
    generated = s2sgrad.value_and_grad(kernel.primal, argnums=kernel.argnums, fallback="error")
    value, gradients = generated(*args)
    check(kernel, value, gradients, args)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_other_packages_run_the_same_program(name: str) -> None:
    from tests.benchmarks.kernel_peers.jobs import peer_jobs

    kernel = load(name)
    args = example(kernel)
    for label, job in peer_jobs(kernel, args).items():
        value, gradients = job()
        arrays = tuple(np.asarray(g) for g in gradients)
        found = np.concatenate([np.ravel(g) for g in arrays])
        assert float(value) == pytest.approx(kernel.primal(*args), rel=1e-10), label
        assert_close(found, expected(kernel, args), rtol=1e-6, what=f"{kernel.name}, {label}")

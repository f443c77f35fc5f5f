"""A job (value and gradient, all results ready) for each kernel and package."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.benchmarks.kernels import Kernel
from tests.benchmarks.settings import installed

Job = Callable[[], tuple[Any, ...]]
LABELS = ("jax as is", "jax expert", "torch", "autograd")


def _module(name: str, kernel: Kernel) -> Callable[..., Any] | None:
    module = importlib.import_module(f"tests.benchmarks.kernel_peers.{name}")
    return getattr(module, kernel.name, None)


def jax_job(kernel: Kernel, args: tuple[Any, ...], module: str) -> Job | None:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    program = _module(module, kernel)
    if program is None:
        return None
    static = tuple(i for i, a in enumerate(args) if isinstance(a, int))
    compiled = jax.jit(jax.value_and_grad(program, kernel.argnums), static_argnums=static)
    held = tuple(jnp.asarray(a) if isinstance(a, np.ndarray) else a for a in args)
    return lambda: jax.block_until_ready(compiled(*held))


def torch_job(kernel: Kernel, args: tuple[Any, ...], threads: int = 1) -> Job | None:
    import torch

    torch.set_num_threads(threads)
    program = _module("torch_kernels", kernel)
    if program is None:
        return None
    held = [torch.tensor(a) if isinstance(a, np.ndarray) else a for a in args]
    wanted = [held[i].requires_grad_() for i in kernel.argnums]

    def run() -> tuple[Any, ...]:
        value = program(*held)
        return value, torch.autograd.grad(value, wanted)

    return run


def autograd_job(kernel: Kernel, args: tuple[Any, ...]) -> Job | None:
    from autograd import value_and_grad

    program = _module("autograd_kernels", kernel)
    if program is None:
        return None
    traced = value_and_grad(program, kernel.argnums)
    return lambda: traced(*args)


def peer_makers(
    kernel: Kernel, args: tuple[Any, ...], threads: int = 1
) -> dict[str, Callable[[], Job | None]]:
    """Label -> what makes the job (None where there is none), for the installed packages."""
    found: dict[str, Callable[[], Job | None]] = {}
    if installed("jax"):
        found["jax as is"] = lambda: jax_job(kernel, args, "jax_as_is")
        found["jax expert"] = lambda: jax_job(kernel, args, "jax_expert")
    if installed("torch"):
        found["torch"] = lambda: torch_job(kernel, args, threads)
    if installed("autograd"):
        found["autograd"] = lambda: autograd_job(kernel, args)
    return found


def peer_jobs(kernel: Kernel, args: tuple[Any, ...]) -> dict[str, Job]:
    """Label -> job, for the installed packages that can run the kernel."""
    found = {label: make() for label, make in peer_makers(kernel, args).items()}
    return {label: job for label, job in found.items() if job is not None}

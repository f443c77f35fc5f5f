"""The two-layer network's value and gradient in each package that is installed.

Each is written as its own users write it; nothing here is a dependency.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import s2sgrad
from tests.benchmarks.settings import installed
from tests.golden import mlp

Job = Callable[[], object]


def network_peers(params: dict, images: np.ndarray, labels: np.ndarray) -> dict[str, Job]:
    """Name -> job. s2sgrad and the gradient by hand come first."""
    args = (params, images, labels)
    jobs: dict[str, Job] = {"by hand": lambda: mlp.target(*args)}
    generated = s2sgrad.value_and_grad(mlp.primal)
    jobs["s2sgrad"] = lambda: generated(*args)
    for name, make in (
        ("jax", jax_job),
        ("torch", torch_job),
        ("autograd", autograd_job),
        ("mygrad", mygrad_job),
    ):
        if installed(name):
            jobs[LABELS[name]] = make(*args)
    return jobs


LABELS = {
    "jax": "JAX, jit",
    "torch": "PyTorch, eager",
    "autograd": "HIPS autograd",
    "mygrad": "MyGrad",
}


def jax_job(params: dict, images: np.ndarray, labels: np.ndarray) -> Job:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def loss(p: dict, x: Any, y: Any) -> Any:
        hidden = jnp.tanh(x @ p["w1"] + p["b1"])
        logits = hidden @ p["w2"] + p["b2"]
        logits = logits - jnp.max(logits, axis=1, keepdims=True)
        log_norm = jnp.log(jnp.sum(jnp.exp(logits), axis=1))
        return jnp.mean(log_norm - logits[jnp.arange(len(y)), y])

    compiled = jax.jit(jax.value_and_grad(loss))
    return lambda: jax.block_until_ready(compiled(params, images, labels))


def torch_job(params: dict, images: np.ndarray, labels: np.ndarray) -> Job:
    import torch

    torch.set_num_threads(1)
    p = {key: torch.tensor(value, requires_grad=True) for key, value in params.items()}
    x, y = torch.tensor(images), torch.tensor(labels)

    def step() -> object:
        hidden = torch.tanh(x @ p["w1"] + p["b1"])
        loss = torch.nn.functional.cross_entropy(hidden @ p["w2"] + p["b2"], y)
        return loss, torch.autograd.grad(loss, list(p.values()))

    return step


def autograd_job(params: dict, images: np.ndarray, labels: np.ndarray) -> Job:
    import autograd.numpy as anp
    from autograd import value_and_grad

    def loss(p: dict, x: Any, y: Any) -> Any:
        hidden = anp.tanh(x @ p["w1"] + p["b1"])
        logits = hidden @ p["w2"] + p["b2"]
        logits = logits - anp.max(logits, axis=1, keepdims=True)
        log_norm = anp.log(anp.sum(anp.exp(logits), axis=1))
        return anp.mean(log_norm - logits[anp.arange(len(y)), y])

    traced = value_and_grad(loss)
    return lambda: traced(params, images, labels)


def mygrad_job(params: dict, images: np.ndarray, labels: np.ndarray) -> Job:
    import mygrad as mg

    def step() -> object:
        p = {key: mg.tensor(value) for key, value in params.items()}
        hidden = mg.tanh(images @ p["w1"] + p["b1"])
        logits = hidden @ p["w2"] + p["b2"]
        logits = logits - mg.max(logits, axis=1, keepdims=True)
        log_norm = mg.log(mg.sum(mg.exp(logits), axis=1))
        loss = mg.mean(log_norm - logits[np.arange(len(labels)), labels])
        loss.backward()
        return loss, [value.grad for value in p.values()]

    return step

"""The names that the outer parts (nn, optim, functional, func) build on."""

from __future__ import annotations

from typing import Any

from s2sgrad.eager.operations import install
from s2sgrad.eager.passes.backward import backward, grad
from s2sgrad.eager.passes.function import Function, once_differentiable
from s2sgrad.eager.passes.gradient_edge import get_gradient_edge
from s2sgrad.eager.passes.graph import (
    current_graph_task,
    is_checkpoint_valid,
    saved_tensors_hooks,
    top_saved_hooks,
)  # fmt: skip
from s2sgrad.eager.random import (
    generator,
    get_rng_state,
    manual_seed,
    rand,
    rand_like,
    randn,
    randn_like,
    set_rng_state,
)  # fmt: skip
from s2sgrad.eager.recording.node import LEAF, Node, RemovableHandle, add_hook
from s2sgrad.eager.recording.record import Op, apply, op_of
from s2sgrad.eager.settings.modes import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)  # fmt: skip
from s2sgrad.eager.settings.state import STATE, refresh
from s2sgrad.eager.tensors.conversion import destination
from s2sgrad.eager.tensors.creation import (
    arange,
    as_tensor,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    tensor,
    zeros,
    zeros_like,
)  # fmt: skip
from s2sgrad.eager.tensors.dtypes import Size, as_dtype, dtype, get_default_dtype
from s2sgrad.eager.tensors.tensor import Tensor, wrap

_F = install.FUNCTIONS
cat, stack, where = _F["cat"], _F["stack"], _F["where"]
sigmoid, tanh, exp, log = _F["sigmoid"], _F["tanh"], _F["exp"], _F["log"]


def is_dtype(value: Any) -> bool:
    """Whether this is one of our dtypes."""
    return isinstance(value, dtype)


def type_name(value: Any) -> str:
    """`torch.FloatTensor` for a tensor, the name of the type for anything else."""
    if isinstance(value, Tensor):
        return f"torch.{value.dtype.type_name}Tensor"
    kind = type(value)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{module}{kind.__qualname__}"


def touched(t: Tensor) -> None:
    """Count a write to the memory of `t` that went past its methods."""
    t._vc[0] += 1


__all__ = [
    "LEAF", "STATE", "Function", "Node", "Op", "RemovableHandle", "Size", "Tensor", "add_hook",
    "apply", "arange", "as_dtype", "as_tensor", "backward", "cat", "current_graph_task",
    "destination", "dtype", "empty", "empty_like", "enable_grad", "exp", "eye", "from_numpy",
    "full", "full_like", "generator", "get_default_dtype", "get_gradient_edge", "get_rng_state",
    "grad", "inference_mode", "is_checkpoint_valid", "is_dtype", "is_grad_enabled", "linspace",
    "log", "manual_seed", "no_grad", "once_differentiable", "ones", "ones_like", "op_of", "rand",
    "rand_like", "randn", "randn_like", "refresh", "saved_tensors_hooks", "set_grad_enabled",
    "set_rng_state", "sigmoid", "stack", "tanh", "tensor", "top_saved_hooks", "touched",
    "type_name", "where", "wrap", "zeros", "zeros_like",
]  # fmt: skip

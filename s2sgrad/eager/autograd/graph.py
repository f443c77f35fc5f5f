"""`torch.autograd.graph`: nodes, edges and hooks on saved tensors."""

from s2sgrad.eager.passes.gradient_edge import GradientEdge, get_gradient_edge
from s2sgrad.eager.passes.graph import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    increment_version,
    register_multi_grad_hook,
    save_on_cpu,
    saved_tensors_hooks,
    set_multithreading_enabled,
)
from s2sgrad.eager.recording.node import Node

# Where they are found.
for _found in (Node, allow_mutation_on_saved_tensors, saved_tensors_hooks, save_on_cpu,
               disable_saved_tensors_hooks, set_multithreading_enabled):  # fmt: skip
    _found.__module__ = __name__

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
    "set_multithreading_enabled",
]

"""`torch.autograd.grad_mode`: the ways to switch recording."""

from s2sgrad.eager.passes.graph import set_multithreading_enabled
from s2sgrad.eager.settings.modes import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = [
    "enable_grad",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
]

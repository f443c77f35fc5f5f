"""`torch.autograd` on NumPy: backward, grad, Function, modes, and the submodules."""

from __future__ import annotations

import importlib
from typing import Any

from s2sgrad.eager.autograd.variable import Variable
from s2sgrad.eager.passes.backward import backward, grad
from s2sgrad.eager.passes.function import Function
from s2sgrad.eager.passes.graph import preserve_version_counter, set_multithreading_enabled
from s2sgrad.eager.settings.modes import (
    detect_anomaly,
    enable_grad,
    inference_mode,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
)

_unsafe_preserve_version_counter = preserve_version_counter
_SUBMODULES = {
    "functional",
    "forward_ad",
    "graph",
    "function",
    "anomaly_mode",
    "grad_mode",
    "profiler",
}

__all__ = [
    "Function",
    "GradcheckError",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
]


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# Last, and not on first use: the function takes the submodule's name, as in torch.
from s2sgrad.eager.autograd.gradcheck import (  # noqa: E402
    GradcheckError,
    gradcheck,
    gradgradcheck,
)

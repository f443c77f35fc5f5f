"""`torch.autograd` on NumPy: backward, grad, Function, modes, and the submodules."""

from __future__ import annotations

import importlib
from typing import Any

from s2sgrad.eager.backward import backward, grad
from s2sgrad.eager.function import Function
from s2sgrad.eager.modes import (
    detect_anomaly,
    enable_grad,
    inference_mode,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
)
from s2sgrad.eager.tensor import Tensor as Variable

_SUBMODULES = {"functional", "forward_ad", "graph", "profiler", "function", "anomaly_mode"}
_FROM_GRADCHECK = {"gradcheck", "gradgradcheck", "GradcheckError"}

__all__ = [
    "Function",
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
]


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _FROM_GRADCHECK:
        # Importing the submodule binds the module to this package's name `gradcheck`; the
        # functions take its place, as in torch.
        found = importlib.import_module(f"{__name__}.gradcheck")
        for public in _FROM_GRADCHECK:
            globals()[public] = getattr(found, public)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

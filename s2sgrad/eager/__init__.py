"""Dynamic-graph tensors with torch's names: `from s2sgrad import eager as torch`."""

from __future__ import annotations

import importlib
import math
from typing import Any

from s2sgrad.eager import autograd
from s2sgrad.eager._core import Function
from s2sgrad.eager.operations import install
from s2sgrad.eager.operations.asking import is_tensor, result_type
from s2sgrad.eager.operations.complaints import no_tensor
from s2sgrad.eager.settings.modes import (
    enable_grad,
    inference_mode,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)  # fmt: skip
from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.creation import (
    arange,
    as_tensor,
    asarray,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    full_like,
    linspace,
    logspace,
    ones,
    ones_like,
    scalar_tensor,
    tensor,
    zeros,
    zeros_like,
)  # fmt: skip
from s2sgrad.eager.tensors.creation import complex_ as complex
from s2sgrad.eager.tensors.creation import range_ as range
from s2sgrad.eager.tensors.devices import (
    STRIDED,
    device,
    get_default_device,
    set_default_device,
)
from s2sgrad.eager.tensors.dtypes import (
    Size,
    dtype,
    finfo,
    get_default_dtype,
    iinfo,
    promote_types,
    set_default_dtype,
)  # fmt: skip
from s2sgrad.eager.tensors.legacy import TYPES as _TYPES
from s2sgrad.eager.tensors.printing import set_printoptions
from s2sgrad.eager.tensors.tensor import Tensor

__version__ = "2.13.0"
for _public in (Tensor, Size, dtype, device):
    _public.__module__ = __name__  # where they are found, and what their printed form says
Function.__module__ = f"{__name__}.autograd.function"
pi, inf, nan, e, newaxis = math.pi, math.inf, math.nan, math.e, None
strided = STRIDED
preserve_format = contiguous_format = None

for _d in dtypes._ALL:
    globals()[_d.name] = _d
half, double, long, short = dtypes.float16, dtypes.float64, dtypes.int64, dtypes.int16
float, int, cfloat, cdouble = dtypes.float32, dtypes.int32, dtypes.complex64, dtypes.complex128
globals().update(install.FUNCTIONS)
globals().update(_TYPES)

_SUBMODULES = {
    "nn",
    "optim",
    "func",
    "utils",
    "library",
    "amp",
    "cuda",
    "linalg",
    "fft",
    "special",
    "random",
    "ops",
    "cpu",
}


_OF_NN = {
    "bilinear", "celu", "cosine_similarity", "dropout", "hardshrink", "layer_norm",
    "pairwise_distance", "prelu", "selu", "threshold",
}  # fmt: skip


def is_floating_point(input: Tensor) -> bool:
    """Whether the tensor holds real floating numbers."""
    if not is_tensor(input):
        raise no_tensor("is_floating_point", input)
    return input.dtype.is_floating_point


def is_complex(input: Tensor) -> bool:
    """Whether the tensor holds complex numbers."""
    if not is_tensor(input):
        raise no_tensor("is_complex", input)
    return input.dtype.is_complex


def is_inference(input: Tensor) -> bool:
    """Whether the tensor was made in inference mode."""
    return input.is_inference()


def set_num_threads(n: Any) -> None:
    """Accepted for compatibility: NumPy's BLAS has its own setting."""


def get_num_threads() -> Any:
    """1: what NumPy's BLAS does is its own affair."""
    return 1


set_num_interop_threads = set_num_threads


def use_deterministic_algorithms(mode: Any, *, warn_only: Any = False) -> None:
    """Everything here is deterministic."""


def are_deterministic_algorithms_enabled() -> Any:
    """True."""
    return True


def numel(input: Tensor) -> Any:
    """How many entries."""
    if not is_tensor(input):
        raise no_tensor("numel", input)
    return input.numel()


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in (
        "GradScaler",
        "autocast",
        "get_autocast_dtype",
        "is_autocast_available",
        "is_autocast_cache_enabled",
        "is_autocast_cpu_enabled",
        "is_autocast_enabled",
        "set_autocast_enabled",
    ):
        return getattr(importlib.import_module(f"{__name__}.amp"), name)
    if name in _OF_NN:
        return getattr(importlib.import_module(f"{__name__}.nn.functional"), name)
    if name in ("save", "load"):
        return getattr(importlib.import_module(f"{__name__}.serialization"), name)
    if name == "vmap":
        return importlib.import_module(f"{__name__}.func").vmap
    if name == "compile":
        return importlib.import_module(f"{__name__}.numpy_code.bridge").compile
    if (found := install.other_names.in_place(name)) is not None:
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Size", "Tensor", "arange", "as_tensor", "asarray", "autograd", "complex", "device", "dtype",
    "empty", "empty_like", "enable_grad", "eye", "finfo", "from_numpy", "full", "full_like",
    "get_default_device", "get_default_dtype", "iinfo", "inference_mode",
    "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "is_complex", "is_floating_point",
    "is_grad_enabled", "is_inference_mode_enabled", "is_tensor", "linspace", "logspace", "no_grad",
    "ones", "ones_like", "promote_types", "range", "result_type", "scalar_tensor",
    "set_default_device", "set_default_dtype", "set_grad_enabled", "set_printoptions", "tensor",
    "zeros", "zeros_like",
]  # fmt: skip

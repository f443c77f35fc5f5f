"""`amp`: autocast, which runs matrix products in a lower precision inside a block.

Only the CPU exists: matrix products and linear layers go to bfloat16 (or float16), losses and a
few sums back to float32, everything else keeps the types it gets.
"""

from __future__ import annotations

import functools
import importlib
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from s2sgrad.eager.settings.modes import Mode
from s2sgrad.eager.settings.state import STATE, refresh
from s2sgrad.eager.tensors import dtypes

__all__ = [
    "autocast",
    "current",
    "custom_bwd",
    "custom_fwd",
    "get_autocast_dtype",
    "is_autocast_available",
    "is_autocast_enabled",
    "set_autocast_enabled",
    "using",
]

_DEVICES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan,"
    " mps, meta, hpu, mtia, privateuseone"
)
_NO_CUDA = "CUDA is not available or torch_xla is imported. Disabling autocast."
_NO_DTYPE = (
    "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
    "CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently."
)


def current() -> Any:
    """The dtype that products are cast to in this thread, None where autocast is off."""
    return STATE.autocast


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether autocast is on; only "cpu" can be."""
    return device_type == "cpu" and STATE.autocast is not None


def is_autocast_cpu_enabled() -> bool:
    """`is_autocast_enabled("cpu")`, under its old name."""
    warnings.warn(
        "torch.is_autocast_cpu_enabled() is deprecated. Please use "
        "torch.is_autocast_enabled('cpu') instead.",
        DeprecationWarning,
        stacklevel=2,
    )
    return is_autocast_enabled("cpu")


def get_autocast_dtype(device_type: str) -> Any:
    """What products are cast to, or would be."""
    if device_type == "cpu":
        return STATE.autocast or dtypes.by_name("bfloat16")
    return dtypes.float16


def is_autocast_available(device_type: str) -> bool:
    """Whether autocast works on a device: on the CPU only."""
    return device_type == "cpu"


@contextmanager
def using(dtype: Any) -> Iterator[None]:
    """A block with a given autocast setting, as `current` returned it."""
    before = STATE.autocast
    _switch(dtype)
    try:
        yield
    finally:
        _switch(before)


def _switch(dtype: Any) -> None:
    STATE.autocast = dtype
    refresh()


class autocast(Mode):
    """`with autocast("cpu"):` or as a decorator; `dtype` is bfloat16 (default) or float16.

    "cuda" warns and does nothing: there is no such device.
    """

    __module__ = "torch.amp.autocast_mode"  # what its printed form shows

    def __init__(
        self,
        device_type: str,
        dtype: Any = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(
                "Expected `device_type` of type `str`, got: `" + str(type(device_type)) + "`"
            )
        kind = device_type.split(":")[0]
        if kind not in _DEVICES.split(", "):
            raise RuntimeError(
                f"Expected one of {_DEVICES} device type at start of device string: {device_type}"
            )
        self.device_type, self.cache_enabled = kind, cache_enabled
        self.fast_dtype = dtype if dtype is not None else get_autocast_dtype(kind)
        if enabled and kind != "cpu":
            warnings.warn(_NO_CUDA, stacklevel=2)
            enabled = False
        elif enabled and self.fast_dtype.name not in ("bfloat16", "float16"):
            warnings.warn(_NO_DTYPE, stacklevel=2)
            enabled = False
        self.enabled = enabled
        self._before: list[Any] = []

    def clone(self) -> autocast:
        return self

    def __enter__(self) -> autocast:
        self._before.append(STATE.autocast)
        if self.device_type == "cpu":
            _switch(self.fast_dtype if self.enabled else None)
        return self

    def __exit__(self, *exc: object) -> None:
        _switch(self._before.pop())


def set_autocast_enabled(device_type: str, enabled: bool) -> None:
    """Switch autocast on or off in this thread, without a block."""
    if device_type == "cpu":
        _switch(get_autocast_dtype("cpu") if enabled else None)


def custom_fwd(fwd: Any = None, *, device_type: str, cast_inputs: Any = None) -> Any:
    """Decorates the `forward` of a Function: its `backward` (custom_bwd) sees the same autocast.

    cast_inputs: under autocast, tensors go in with this dtype, and autocast is off inside.
    """
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        enabled = is_autocast_enabled(device_type)
        ctx._dtype = get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = enabled and cast_inputs is None
        if not enabled or cast_inputs is None:
            return fwd(ctx, *args, **kwargs)
        cast = dtypes.as_dtype(cast_inputs)
        with autocast(device_type, enabled=False):
            named = {k: _cast(v, cast) for k, v in kwargs.items()}
            return fwd(ctx, *(_cast(a, cast) for a in args), **named)

    return decorated


def custom_bwd(bwd: Any = None, *, device_type: str) -> Any:
    """Decorates the `backward` of a Function whose `forward` has `custom_fwd`."""
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        with autocast(device_type, enabled=ctx._fwd_used_autocast, dtype=ctx._dtype):
            return bwd(ctx, *args, **kwargs)

    return decorated


def lowered(*tensors: Any) -> tuple[Any, ...]:
    """The operands of a product, float32 ones cast to the autocast dtype."""
    return tuple(_cast(t, STATE.autocast) for t in tensors)


def raised(*tensors: Any) -> tuple[Any, ...]:
    """The operands of a function that wants full precision: low ones cast to float32."""
    return tuple(_cast(t, dtypes.float32) for t in tensors)


def full_precision(function: Any) -> Any:
    """Decorates a function of tensors: autocast gives it full precision."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if STATE.autocast is not None:
            args = raised(*args)
            kwargs = dict(zip(kwargs, raised(*kwargs.values()), strict=True))
        return function(*args, **kwargs)

    return called


def is_autocast_cache_enabled() -> bool:
    """True, as in torch; casts are made anew each time."""
    return True


def _cast(t: Any, dtype: Any) -> Any:
    """A tensor in another dtype if it holds real floats below double precision."""
    kind = getattr(t, "dtype", None)
    if not isinstance(kind, dtypes.dtype) or not kind.is_floating_point or kind.itemsize > 4:
        return t
    return t.to(dtype)


def __getattr__(name: str) -> Any:
    if name == "GradScaler":  # it is built on tensors, which autocast takes part in
        return importlib.import_module("s2sgrad.eager.grad_scaler").GradScaler
    if name == "autocast_mode":  # a file of its own in torch
        return sys.modules[__name__]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""`cpu`: what there is of a device's module where the device is the CPU."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

from s2sgrad.eager.amp import autocast


class _CpuAutocast(autocast):
    """`amp.autocast("cpu", ...)` under its old name, which warns."""

    __module__, __name__ = "torch.cpu.amp.autocast_mode", "autocast"

    def __init__(
        self, enabled: bool = True, dtype: Any = None, cache_enabled: bool | None = True
    ) -> None:
        warnings.warn(
            "`torch.cpu.amp.autocast(args...)` is deprecated. "
            "Please use `torch.amp.autocast('cpu', args...)` instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__("cpu", dtype=dtype, enabled=enabled, cache_enabled=cache_enabled)


amp = SimpleNamespace(autocast=_CpuAutocast)


def is_available() -> bool:
    """True."""
    return True


def device_count() -> int:
    """1."""
    return 1


def synchronize(device: Any = None) -> None:
    """Nothing runs beside the program."""


__all__ = ["amp", "device_count", "is_available", "synchronize"]

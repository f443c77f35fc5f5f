"""`cpu`: what there is of a device's module where the device is the CPU."""

from __future__ import annotations

from typing import Any

from s2sgrad.eager import amp


def is_available() -> bool:
    """True."""
    return True


def device_count() -> int:
    """1."""
    return 1


def synchronize(device: Any = None) -> None:
    """Nothing runs beside the program."""


__all__ = ["amp", "device_count", "is_available", "synchronize"]

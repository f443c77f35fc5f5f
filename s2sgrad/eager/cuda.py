"""`torch.cuda`, for code that asks whether there is a GPU: there is none."""

from typing import Any

__all__ = [
    "current_device", "device_count", "empty_cache", "is_available", "is_initialized",
    "manual_seed", "manual_seed_all", "max_memory_allocated", "memory_allocated",
    "reset_peak_memory_stats", "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """False."""
    return False


def is_initialized() -> bool:
    """False."""
    return False


def device_count() -> int:
    """0."""
    return 0


def current_device() -> int:
    """There is none: raises."""
    raise AssertionError("Torch not compiled with CUDA enabled")


def synchronize(device: Any = None) -> None:
    """There is nothing to wait for: raises."""
    current_device()


def manual_seed(seed: int) -> None:
    """Nothing to seed."""


manual_seed_all = manual_seed


def empty_cache() -> None:
    """Nothing to empty."""


def memory_allocated(device: Any = None) -> int:
    """0 bytes."""
    return 0


def max_memory_allocated(device: Any = None) -> int:
    """0 bytes."""
    return 0


def reset_peak_memory_stats(device: Any = None) -> None:
    """Nothing to reset."""

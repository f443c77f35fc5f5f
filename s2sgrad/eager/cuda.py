"""`torch.cuda`, for code that asks whether there is a GPU: there is none."""

__all__ = ["device_count", "is_available", "manual_seed", "manual_seed_all", "synchronize"]


def is_available() -> bool:
    """False."""
    return False


def device_count() -> int:
    """0."""
    return 0


def manual_seed(seed: int) -> None:
    """Nothing to seed."""


manual_seed_all = manual_seed


def synchronize() -> None:
    """Nothing to wait for."""

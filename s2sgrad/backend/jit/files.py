"""Floor 6: files in the cache directory: what is broken, or another user's, counts as absent."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path


def directory() -> Path:
    """Where compiled code is kept: S2SGRAD_CACHE_DIR, or ~/.cache/s2sgrad."""
    chosen = os.environ.get("S2SGRAD_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "s2sgrad"


def foreign(path: Path) -> bool:
    """Whether a file belongs to another user, who could have put any code there."""
    return hasattr(os, "getuid") and path.stat().st_uid not in (os.getuid(), 0)


def read_bytes(path: Path) -> bytes:
    """What `write_bytes` wrote; raises OSError or ValueError where it can't be trusted."""
    if foreign(path.parent) or foreign(path):
        raise ValueError("another user's")
    digest, _, data = path.read_bytes().partition(b"\n")
    if digest != _digest(data):
        raise ValueError("broken")
    return data


def write_bytes(path: Path, data: bytes) -> bool:
    """Write a file as a whole, or not at all; whether that worked."""
    temporary = path.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary.write_bytes(_digest(data) + b"\n" + data)
        os.replace(temporary, path)
        return True
    return False


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


__all__ = ["directory", "foreign", "read_bytes", "write_bytes"]

"""`save` and `load`: pickled tensors and what holds them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

__all__ = ["load", "save"]


def save(obj: Any, f: Any) -> None:
    """Write an object (a tensor, a state_dict) to a path or an open file."""
    if hasattr(f, "write"):
        pickle.dump(obj, f)
        return
    with Path(f).open("wb") as file:
        pickle.dump(obj, file)


def load(f: Any, map_location: Any = None, weights_only: bool = True) -> Any:
    """Read what `save` has written. Only from files you trust: they are unpickled."""
    if hasattr(f, "read"):
        return pickle.load(f)
    with Path(f).open("rb") as file:
        return pickle.load(file)

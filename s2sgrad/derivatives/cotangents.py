"""Floor 8: cotangents in the structure of the values they belong to."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np

from s2sgrad.calls.traced import holds_traced
from s2sgrad.errors import ShapeError
from s2sgrad_runtime.objects import attributes, blank, has_attributes


@dataclasses.dataclass
class Fields:
    """An object's class, and what `kinds` says of each of its attributes."""

    cls: type
    parts: dict[str, Any]


def kinds(value: Any) -> Any:
    """Shapes and dtypes of a value, in its structure."""
    if isinstance(value, np.ndarray | np.generic):
        return (value.shape, value.dtype)
    if isinstance(value, float | complex):
        return ((), np.dtype(complex if isinstance(value, complex) else float))
    if isinstance(value, dict):
        return {key: kinds(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [type(value), *map(kinds, value)]
    if has_attributes(value):
        parts = {name: kinds(part) for name, part in attributes(value).items()}
        return Fields(type(value), parts)
    return None


def fitted(bar: Any, like: Any, path: str = "") -> Any:
    """The cotangent in the structure, shapes and dtypes of the value it belongs to."""
    where = f" at {path}" if path else ""
    if like is None:
        return None
    if isinstance(like, Fields):
        return _of_object(bar, like, path)
    if isinstance(like, dict):
        if bar is not None and (not isinstance(bar, dict) or set(bar) != set(like)):
            raise ShapeError(f"the cotangent{where} must be a dict with the keys {list(like)}")
        return {
            k: fitted(None if bar is None else bar[k], kind, f"{path}[{k!r}]")
            for k, kind in like.items()
        }
    if isinstance(like, list):
        parts = [None] * (len(like) - 1) if bar is None else bar
        if not isinstance(parts, list | tuple) or len(parts) != len(like) - 1:
            raise ShapeError(
                f"the cotangent{where} must be a {like[0].__name__} of {len(like) - 1} parts"
            )
        return [
            fitted(b, kind, f"{path}[{i}]")
            for i, (b, kind) in enumerate(zip(parts, like[1:], strict=True))
        ]
    shape, dtype = like
    if dtype.kind not in "fc":
        return None
    if bar is None:
        return np.zeros(shape, dtype)[()]
    array = bar if holds_traced(bar) else np.asarray(bar)
    if array.shape != shape:
        raise ShapeError(f"the cotangent{where} has shape {array.shape}, but the value has {shape}")
    if array.dtype.kind == "c" and dtype.kind == "f":
        raise TypeError(f"the cotangent{where} is complex, but the value is real")
    return array.astype(dtype, copy=False)[()]


def _of_object(bar: Any, like: Fields, path: str) -> Any:
    """The cotangent of an object: one of its class, or of any other with its attributes, or of
    what is a tuple by `_fields` (results of SciPy's) a plain tuple."""
    fields = getattr(like.cls, "_fields", ())
    if type(bar) is tuple and len(bar) == len(fields) > 0:
        given = dict.fromkeys(like.parts) | dict(zip(fields, bar, strict=True))
        bar = SimpleNamespace(**given)
    for name in like.parts:
        if bar is not None and not hasattr(bar, name):
            where = f" at {path}" if path else ""
            raise ShapeError(f"the cotangent{where} must have the attribute '{name}'")
    made: Any = blank(like.cls)
    for name, kind in like.parts.items():
        part = None if bar is None else getattr(bar, name)
        object.__setattr__(made, name, fitted(part, kind, f"{path}.{name}"))
    return made


def as_dicts(bar: Any) -> Any:
    """A fitted cotangent with a dict of the attributes in place of every object."""
    if isinstance(bar, list | tuple):
        return (list if isinstance(bar, list) else tuple)(map(as_dicts, bar))
    if bar is None or isinstance(bar, np.ndarray | np.generic | float | complex | int):
        return bar
    parts = (
        bar if isinstance(bar, dict) else {name: getattr(bar, name) for name in kinds(bar).parts}
    )
    return {name: as_dicts(part) for name, part in parts.items()}

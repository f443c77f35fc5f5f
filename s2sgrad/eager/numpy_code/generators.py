"""NumPy's random generators for code that is traced: what is drawn is data, the rest is code.

`rng.normal(mu, sigma)` draws what `mu + sigma * rng.standard_normal()` draws; the compiler has the
table of such models.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.math_functions import holds_traced
from s2sgrad.eager.numpy_code.models import DRAWING, traced_call

KINDS = (np.random.Generator, np.random.RandomState)


class Drawing:
    """A generator whose methods take traced parameters."""

    __slots__ = ("_drawing",)

    def __init__(self, generator: Any) -> None:
        self._drawing = generator

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # type: ignore[override]
        """What isinstance is told."""
        return type(self._drawing)

    def __getattr__(self, name: str) -> Any:
        return method(self, getattr(self._drawing, name), name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._drawing.__reduce_ex__(protocol)


def method(generator: Any, plain: Any, name: str) -> Any:
    """A generator's method, by its model where a parameter is traced.

    generator: what the model draws from.
    """
    table = importlib.import_module(DRAWING).MODELS
    if name not in table or name == "shuffle":  # which writes what it reads
        return plain

    def draw(*args: Any, **kwargs: Any) -> Any:
        if not holds_traced((*args, *kwargs.values())):
            return plain(*args, **kwargs)
        return traced_call(table[name], (generator, *args), kwargs)

    return draw


class Maker:
    """`np.random.default_rng` or `np.random.RandomState`, which make a Drawing."""

    def __init__(self, original: Any) -> None:
        self.original = original

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = [a._drawing if type(a) is Drawing else a for a in args]
        return Drawing(self.original(*given, **kwargs))

    def __instancecheck__(self, value: Any) -> bool:
        return isinstance(value, self.original)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)


def of_module() -> dict[str, Any]:
    """What stands for the functions of `np.random`."""
    names = [n for n in importlib.import_module(DRAWING).MODELS if hasattr(np.random, n)]
    makers = {n: Maker(getattr(np.random, n)) for n in ("default_rng", "RandomState")}
    return makers | {n: method(np.random, getattr(np.random, n), n) for n in names}

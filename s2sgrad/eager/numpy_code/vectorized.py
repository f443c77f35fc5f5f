"""np.vectorize and np.frompyfunc on traced arrays: one call for each entry, results stacked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.array_methods import copied_as
from s2sgrad.eager.numpy_code.arrays import Traced
from s2sgrad_runtime import laid_beside

Function = Callable[..., Any]


class Vectorized:
    """A function of numbers, applied to all entries of its arguments.

    plain: np.vectorize's or np.frompyfunc's object, which serves calls without traced values.
    """

    def __init__(
        self, function: Function, plain: Any, excluded: Any = (), dtypes: Any = ()
    ) -> None:
        self.function, self.plain = function, plain
        self.excluded, self.dtypes = set(excluded or ()), list(dtypes or ())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        named: dict[Any, Any] = {**dict(enumerate(args)), **kwargs}
        entries = {k: v for k, v in named.items() if k not in self.excluded}
        if not any(type(v) is Traced for v in entries.values()):
            return self.plain(*args, **kwargs)
        shape = np.broadcast_shapes(*map(np.shape, entries.values()))
        rows = {k: np.broadcast_to(v, shape).reshape(-1) for k, v in entries.items()}  # type: ignore[call-overload]
        found = []
        for i in range(int(np.prod(shape))):
            now = {k: rows[k][i] if k in rows else v for k, v in named.items()}
            positional = [now.pop(k) for k in range(len(args))]
            found.append(self.function(*positional, **now))
        if found and isinstance(found[0], tuple):
            parts = (self.together(c, k, shape) for k, c in enumerate(zip(*found, strict=True)))
            return tuple(_laid(part, list(entries.values())) for part in parts)
        return _laid(self.together(found, 0, shape), list(entries.values()))

    def together(self, entries: Any, k: int, shape: tuple[int, ...]) -> Any:
        """The k-th results as one array."""
        made = np.stack([np.asarray(e) if type(e) is not Traced else e for e in entries])
        made = made.reshape(shape) if shape else made[0]
        return made.astype(self.dtypes[k]) if self.dtypes else made


def _laid(made: Any, beside: list[Any]) -> Any:
    """Results in the order in memory that NumPy gives them."""
    if np.ndim(made) < 2 or type(made) is not Traced:
        return made
    arrays = [a.tensor._array if type(a) is Traced else a for a in beside]
    return copied_as(made, laid_beside(np.empty(made.shape), arrays))


def vectorize(pyfunc: Any, otypes: Any = None, doc: Any = None, excluded: Any = None,
              cache: bool = False, signature: Any = None) -> Any:  # fmt: skip
    """np.vectorize; calls of one with a signature stay NumPy's."""
    plain = np.vectorize(pyfunc, otypes, doc, excluded, cache, signature)
    return plain if signature else Vectorized(pyfunc, plain, excluded, otypes)


def frompyfunc(func: Any, nin: int, nout: int, **kwargs: Any) -> Any:
    """np.frompyfunc, which gives arrays of numbers where it is given traced ones."""
    return Vectorized(func, np.frompyfunc(func, nin, nout, **kwargs))


def again(value: Any, replaced: Function) -> Any:
    """What np.vectorize made outside, of a function seen through other globals."""
    if value.signature:
        return value
    return Vectorized(replaced(value.pyfunc), value, value.excluded, value.otypes)

"""Floor 4: np.vectorize and np.frompyfunc. Read in place of NumPy's, as the models in
standard_library.py are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad_runtime import laid_beside, refuse_rounding


def entries(values: Any, shape: Any, beside: Any) -> Any:
    """The array of these entries, in the order in memory that follows from the arrays beside."""
    if len(beside) == 0:
        return np.reshape(np.array(values), shape)
    return laid_beside(np.reshape(np.array(values), shape), beside)


class Vectorize:
    """np.vectorize: a call for each entry, or with `signature` for each part of the arrays."""

    def __init__(
        self, pyfunc: Any, otypes: Any = None, doc: Any = None, excluded: Any = None,
        cache: bool = False, signature: Any = None,
    ) -> None:  # fmt: skip
        self.pyfunc, self.otypes, self.signature = pyfunc, otypes, signature
        self.excluded = () if excluded is None else tuple(excluded)

    def __call__(self, *args: Any, **named: Any) -> Any:
        if len(named) == 0 and len(self.excluded) == 0:
            return self.over(self.pyfunc, args)
        places = tuple([k for k, _ in enumerate(args) if k not in self.excluded])
        names = tuple([name for name in named if name not in self.excluded])

        def with_the_others(*row: Any) -> Any:
            given = [row[places.index(k)] if k in places else args[k] for k, _ in enumerate(args)]
            by_name = {
                name: row[len(places) + names.index(name)] if name in names else named[name]
                for name in named
            }
            return self.pyfunc(*given, **by_name)

        varying = (*[args[k] for k in places], *[named[name] for name in names])
        return self.over(with_the_others, varying)

    def over(self, function: Any, args: Any) -> Any:
        """The function of what is taken apart."""
        if self.signature is None:
            return self.each(function, args)
        return self.each_part(function, args)

    def each(self, function: Any, args: Any) -> Any:
        """The function of each row of entries."""
        shape = np.broadcast_shapes(*[np.shape(a) for a in args])
        columns = [np.ravel(np.broadcast_to(a, shape)) for a in args]
        values = [function(*row) for row in zip(*columns, strict=True)]
        if isinstance(values[0], tuple):
            rows = [[row[k] for row in values] for k in range(len(values[0]))]
            return tuple([self.whole(row, k, shape, args) for k, row in enumerate(rows)])
        return self.whole(values, 0, shape, args)

    def each_part(self, function: Any, args: Any) -> Any:
        """The function of each row of parts, of as many axes as the signature names."""
        text = self.signature.replace(" ", "")
        taken, given = text.split("->")
        groups = taken.removeprefix("(").removesuffix(")").split("),(")
        counts = [len(names.split(",")) if names != "" else 0 for names in groups]
        leads = [np.shape(a)[: np.ndim(a) - n] for a, n in zip(args, counts, strict=True)]
        shape = np.broadcast_shapes(*leads)
        columns = [
            np.reshape(
                np.broadcast_to(a, (*shape, *np.shape(a)[len(lead) :])),
                (math.prod(shape), *np.shape(a)[len(lead) :]),
            )
            for a, lead in zip(args, leads, strict=True)
        ]
        values = [function(*row) for row in zip(*columns, strict=True)]
        if "),(" in given:
            rows = [[row[k] for row in values] for k in range(len(values[0]))]
            return tuple([self.stacked(row, k, shape) for k, row in enumerate(rows)])
        return self.stacked(values, 0, shape)

    def stacked(self, values: Any, k: int, shape: Any) -> Any:
        """Arrays, one for each part."""
        if np.ndim(values[0]) == 0:
            return self.whole(values, k, shape, ())
        found = np.reshape(np.stack(values), (*shape, *np.shape(values[0])))
        return found if self.otypes is None else found.astype(np.dtype(self.otypes[k]))

    def whole(self, values: Any, k: int, shape: Any, beside: Any) -> Any:
        """The array of all results, or of one of several. beside: see `entries`."""
        if self.otypes is not None:
            return entries(values, shape, beside).astype(np.dtype(self.otypes[k]))
        refuse_rounding(values)
        return entries(values, shape, beside)


class FromPython:
    """np.frompyfunc: a call for each entry. Its arrays hold numbers, where NumPy's hold objects."""

    def __init__(self, func: Any, nin: int, nout: int, *, identity: Any = None) -> None:
        self.func, self.nin, self.nout, self.identity = func, nin, nout, identity

    def __call__(self, *args: Any) -> Any:
        if all(np.ndim(a) == 0 for a in args):
            return self.func(*args)
        shape = np.broadcast_shapes(*[np.shape(a) for a in args])
        columns = [np.ravel(np.broadcast_to(a, shape)) for a in args]
        values = [self.func(*row) for row in zip(*columns, strict=True)]
        if self.nout == 1:
            return entries(values, shape, args)
        parts = [[row[k] for row in values] for k in range(self.nout)]
        return tuple([entries(part, shape, args) for part in parts])

    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None) -> Any:
        """What the function comes to so far, along an axis."""
        rows = np.moveaxis(array, axis, 0)
        found = [rows[0]]
        for row in rows[1:]:
            found.append(self(found[-1], row))
        return np.moveaxis(np.stack(found), 0, axis)

    def reduce(self, array: Any, axis: int = 0, dtype: Any = None) -> Any:
        """What the function comes to, along an axis."""
        rows = np.moveaxis(array, axis, 0)
        total = rows[0]
        for row in rows[1:]:
            total = self(total, row)
        return total

    def outer(self, first: Any, second: Any) -> Any:
        """The function of each pair of entries."""
        a = np.reshape(first, np.shape(first) + (1,) * np.ndim(second))
        return self(a, second)

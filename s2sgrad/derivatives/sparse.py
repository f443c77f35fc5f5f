"""Sparse Jacobians and Hessians: find the pattern, colour the columns, push one sweep per colour.

Columns that share no row can be pushed together: their derivatives come out in different entries
(Curtis, Powell and Reid, 1974). A tridiagonal Jacobian of any size takes three sweeps. A Hessian
is its own transpose: the rows of columns that are pushed alone are known with them, so that an
arrowhead takes two sweeps.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.backend.jit.options import Jit, jit_options
from s2sgrad.calls.draws import Draws
from s2sgrad.calls.remade import Remade
from s2sgrad.derivatives.basis import Seed, ravel_beside
from s2sgrad.derivatives.forward import Forward
from s2sgrad.derivatives.gradient import Derivative
from s2sgrad.derivatives.inside import not_inside
from s2sgrad.frontend.source import unwrap

Function = Callable[..., Any]


def colour_columns(pattern: Any) -> Any:
    """A colour for each column, (n,) int, so that no row has two columns of one colour.

    pattern: a scipy.sparse matrix. Greedy, in order of decreasing column counts.
    """
    columns, rows = pattern.tocsc(), pattern.tocsr()
    colours = np.full(columns.shape[1], -1)
    order = np.argsort(-np.diff(columns.indptr), kind="stable")
    for j in order:
        near = columns.indices[columns.indptr[j] : columns.indptr[j + 1]]
        taken = {
            int(c) for i in near for c in colours[rows.indices[rows.indptr[i] : rows.indptr[i + 1]]]
        }
        colour = 0
        while colour in taken:
            colour += 1
        colours[j] = colour
    return colours


def colour_symmetric(pattern: Any) -> tuple[Any, Any]:
    """(a colour for each column, which columns are hubs) of a symmetric pattern.

    A hub has a colour of its own, and its row follows from its column; the others are coloured
    without the hubs' rows. The fullest columns are hubs, as many as it pays to have.
    """
    counts = np.diff(pattern.tocsc().indptr)
    order, found = np.argsort(-counts, kind="stable"), None
    many = int(np.sum(counts > DENSE + 4.0 * np.sum(counts) / max(len(counts), 1)))
    fewest = int(counts.max(initial=0))
    while found is None or many < fewest:
        hubs = np.zeros(len(counts), bool)
        hubs[order[:many]] = True
        apart = ~(hubs[pattern.row] | hubs[pattern.col])
        rest = type(pattern)(
            (pattern.data[apart], (pattern.row[apart], pattern.col[apart])), shape=pattern.shape
        )
        colours = colour_columns(rest)
        colours[hubs] = colours[~hubs].max(initial=-1) + 1 + np.arange(many)
        total = int(colours.max(initial=-1)) + 1
        if found is None or total < fewest:
            found, fewest = (colours, hubs), total
        many = max(1, 2 * many)
    return found


DENSE = 32  # blocks of columns in a row of a Hessian from which it counts as full


Push = Callable[[Any], tuple[Any, Any]]


class SparseJacobian(Remade):
    """A Jacobian as a scipy.sparse matrix; made by `sparse_jacobian` and `sparse_hessian`.

    The pattern is found at the first call with arguments of some sizes, unless it is given, and
    again where it turns out to have changed: every call compares the product with a random vector.
    """

    def __init__(
        self, function: Function, argnums: Any, pattern: Any, jit: Jit | None, fallback: str,
        symmetric: bool = False,
    ) -> None:  # fmt: skip
        self.symmetric = symmetric
        wrt = tuple(argnums) if isinstance(argnums, tuple | list) else (argnums,)
        self.forward = Forward(function, wrt, jit=jit, fallback=fallback)
        self.given = pattern
        self.__signature__ = self.forward.binder.signature
        self._plans: dict[tuple[int, ...], tuple[Any, Any, Any]] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        matrix = self._matrix(self.forward, args, kwargs)
        if np.any(np.isnan(matrix.data)):  # zeros of a tangent times an infinite slope, perhaps:
            self._plans.clear()  # they count as entries in its row
            matrix = self._matrix(self.forward.for_units, args, kwargs)
        return matrix

    def _matrix(self, forward: Forward, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        push, seed = self._bound(forward, args, kwargs)
        probe = np.random.default_rng(0).uniform(0.5, 1.5, seed.size)
        expected = self._pushed(push, seed, np.arange(seed.size), probe)
        if not seed.size:
            return importlib.import_module("scipy.sparse").csr_array((len(expected), 0))
        for attempt in range(2):
            matrix = self._entries(push, seed, *self._plan(push, seed, again=attempt > 0))
            if _close(matrix @ probe, expected, abs(matrix) @ probe, seed.precision):
                return matrix
        raise ValueError("the Jacobian has entries outside the given pattern")

    def __repr__(self) -> str:
        function = self.forward.function
        if self.symmetric:
            return self._shown("sparse_hessian", getattr(function, "function", function))
        return self._shown("sparse_jacobian", function)

    def sweeps(self, *args: Any, **kwargs: Any) -> int:
        """How many forward sweeps fill the matrix in."""
        push, seed = self._bound(self.forward, args, kwargs)
        return int(self._plan(push, seed)[1].max(initial=-1)) + 1

    def _bound(
        self, forward: Forward, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[Push, Seed]:
        """What pushes tangents at these arguments, every time with the same random numbers."""
        values = self.forward.binder.bind(*args, **kwargs)
        draws = Draws(self.forward.function, values)

        def push(tangents: Any) -> tuple[Any, Any]:
            draws.again()
            return forward.push(values, tangents)

        return push, Seed(tuple(self.forward.binder.pick(n, values) for n in self.forward.wrt))

    def _pushed(self, push: Push, seed: Seed, columns: Any, value: Any = 1.0) -> Any:
        """The tangent of the result, as a vector, for a tangent that is not zero in `columns`."""
        y, dot = push(seed.vector(columns, value))
        return ravel_beside(dot, y)

    def _entries(self, push: Push, seed: Seed, pattern: Any, colours: Any, hubs: Any) -> Any:
        """The matrix with the given pattern: one sweep per colour."""
        from scipy.sparse import csr_array

        rows, columns = pattern.row, pattern.col
        turned = hubs[rows] & ~hubs[columns] if self.symmetric else np.zeros(len(rows), bool)
        place, sweep = np.where(turned, columns, rows), np.where(turned, rows, columns)
        entries: Any = np.zeros(len(rows))
        for colour in range(int(colours.max(initial=-1)) + 1):
            found = self._pushed(push, seed, np.flatnonzero(colours == colour))
            here = colours[sweep] == colour
            entries = entries.astype(np.result_type(entries, found), copy=False)
            entries[here] = found[place[here]]
        return csr_array((entries, (rows, columns)), shape=pattern.shape)

    def _plan(self, push: Push, seed: Seed, again: bool = False) -> tuple[Any, Any, Any]:
        """The entries that may differ from zero, as a coo_array, a colour per column, and which
        columns are hubs."""
        from scipy.sparse import coo_array

        key = tuple(v.size for v in seed.vectors)
        if key not in self._plans or (again and self.given is None):
            pattern = self._detected(push, seed) if self.given is None else coo_array(self.given)
            colours = colour_symmetric(pattern) if self.symmetric else None
            self._plans[key] = (pattern, *(colours or (colour_columns(pattern), None)))
        return self._plans[key]

    def _detected(self, push: Push, seed: Seed) -> Any:
        """The pattern, by halving blocks of columns.

        A tangent of NaN on a block of columns reaches the rows that depend on it, also where the
        derivative happens to be zero. Blocks that share no row so far are looked at together, so
        that a banded Jacobian takes a few sweeps per halving.
        """
        starts = np.array([0, seed.size])
        pattern = self._reached(push, seed, starts, None)
        while np.max(np.diff(starts), initial=0) > 1:
            middles = (starts[:-1] + starts[1:]) // 2
            halves = np.unique(np.concatenate([starts, middles]))
            parent = np.searchsorted(starts, halves[:-1], side="right") - 1
            starts, pattern = (
                halves,
                self._reached(push, seed, halves, pattern.tocsc()[:, parent]),
            )
        return pattern.multiply(pattern.T).tocoo() if self.symmetric else pattern.tocoo()

    def _reached(self, push: Push, seed: Seed, starts: Any, candidates: Any) -> Any:
        """Which rows each block of columns reaches. candidates: rows it may reach; None: all."""
        from scipy.sparse import coo_array

        if candidates is None:
            with np.errstate(all="ignore"):
                hit = np.isnan(self._pushed(push, seed, np.arange(seed.size), np.nan))
            rows = np.flatnonzero(hit)
            return coo_array(
                (np.ones(len(rows)), (rows, np.zeros(len(rows), int))), shape=(len(hit), 1)
            )
        candidates = candidates.tocoo()
        full = np.zeros(len(candidates.row), bool)
        if self.symmetric:  # a full row tells nothing: what is in it follows from its column
            full = np.bincount(candidates.row, minlength=1)[candidates.row] > DENSE
        apart = coo_array(
            (candidates.data[~full], (candidates.row[~full], candidates.col[~full])),
            shape=candidates.shape,
        )
        colours = colour_columns(apart)
        block_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        kept = full.copy()
        for colour in range(int(colours.max(initial=-1)) + 1):
            with np.errstate(all="ignore"):
                dot = self._pushed(push, seed, np.flatnonzero(colours[block_of] == colour), np.nan)
            here = colours[candidates.col] == colour
            kept[here] |= np.isnan(dot[candidates.row[here]])
        rows, columns = candidates.row[kept], candidates.col[kept]
        return coo_array((np.ones(len(rows)), (rows, columns)), shape=candidates.shape)


def _close(found: Any, expected: Any, scale: Any, precision: float) -> bool:
    limit = 1e4 * precision * (scale + np.abs(expected)) + np.finfo(float).tiny
    same = np.abs(found - expected) <= limit
    return bool(np.all(same | ~np.isfinite(expected)))


def sparse_jacobian(
    function: Function,
    argnums: Any = 0,
    *,
    pattern: Any = None,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> SparseJacobian:
    """The Jacobian as a scipy.sparse matrix (numbers in the value, numbers in the argument).

    Args:
        function: any NumPy function; argument and result count as flat vectors.
        argnums, jit, parallel, fastmath, fallback: as in `grad`.
        pattern: a scipy.sparse matrix (or dense 0/1 array) of the entries that may differ from
            zero. None: it is found by forward sweeps with NaN as tangent, about
            `colours * log2(columns)` of them, and kept for further calls.

    Returns: a function of the same arguments that gives a scipy.sparse.csr_array. It takes one
        forward sweep per colour of the columns, and one more that checks the pattern.

    Raises: ValueError where a given pattern leaves out an entry.

    >>> import numpy as np
    >>> sparse_jacobian(lambda x: np.diff(x) ** 2)(np.array([0.0, 1.0, 3.0])).toarray()
    array([[-2.,  2.,  0.],
           [ 0., -4.,  4.]])
    """
    options = jit_options(jit, parallel, fastmath)
    return SparseJacobian(unwrap(function), argnums, pattern, options, fallback)


def sparse_hessian(
    function: Function,
    argnums: Any = 0,
    *,
    pattern: Any = None,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> SparseJacobian:
    """The Hessian of a scalar function as a scipy.sparse matrix; see `sparse_jacobian`.

    >>> import numpy as np
    >>> sparse_hessian(lambda x: np.sum(np.diff(x) ** 2))(np.zeros(3)).toarray()
    array([[ 2., -2.,  0.],
           [-2.,  4., -2.],
           [ 0., -2.,  2.]])
    """
    options = jit_options(jit, parallel, fastmath)
    gradient = Derivative(function, argnums, value=False, jit=options, fallback=fallback)
    return SparseJacobian(gradient, argnums, pattern, options, fallback, symmetric=True)


for _transform in (sparse_jacobian, sparse_hessian):
    _refused = not_inside(_transform.__name__, "use jacobian or hessian, or jvp along some vectors")
    vars(_transform).update(__s2sgrad_transform__=True, __s2sgrad_inside__=_refused)

__all__ = ["SparseJacobian", "colour_columns", "sparse_hessian", "sparse_jacobian"]

"""Solvers of SciPy, called for the value alone; what follows from it is generated code."""

from __future__ import annotations

import functools
import importlib
import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from s2sgrad_runtime.trees import stop_gradient

__all__ = [
    "as_paired",
    "bordered_matrix",
    "doubled_matrix",
    "eigenvectors_of",
    "enclosing_simplex",
    "event_times",
    "far_refused",
    "fixed_matrix",
    "found_by_scipy",
    "integration_nodes",
    "iterated_solution",
    "linear_solution_of",
    "matching_entries",
    "minimum_of",
    "nearest_place",
    "normal_matrix",
    "outcome_of",
    "root_of",
    "scalar_minimum_of",
    "scalar_root_of",
    "schur_blocks",
    "settled_result",
    "time_mesh",
]


WITHOUT_ARGS = (
    "anderson", "broyden1", "broyden2", "diagbroyden", "excitingmixing", "linearmixing",
    "newton_krylov",
)  # fmt: skip


_SLOPES = ("Dfun", "fhess", "fprime", "fprime2", "hess", "jac")


def _solver(name: str) -> Any:
    return getattr(importlib.import_module("scipy.optimize"), name)


def _valued(given: Any) -> Any:
    """A function whose results are values: of tensors, a library in C takes no others."""
    if not callable(given):
        return given
    return lambda *args: stop_gradient(given(*args))


def _with_valued_slopes(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a solver, the derivatives among them as functions whose results are values."""
    return {k: _valued(v) if k in _SLOPES else v for k, v in options.items()}


def settled_result(x: Any, near: bool) -> Any:
    """What a solver gives; a derivative of it is refused where no solution is near."""
    return np.copy(x)


def far_refused(x_bar: Any, near: bool) -> Any:
    """A cotangent or tangent of `settled_result`; ValueError if the solver stopped far away."""
    if not near:
        raise ValueError(
            "the solver stopped far from a solution: what it gives there has no derivative"
        )
    return np.copy(x_bar)


def _ordered(f: Callable[..., Any]) -> Callable[..., Any]:
    """The function, for a search of where it is least; TypeError if it is complex."""

    def ordered(*args: Any) -> Any:
        value = f(*args)
        if np.iscomplexobj(value):
            raise TypeError(f"complex numbers have no least one, but the function gives {value}")
        return value

    return ordered


def scalar_root_of(solver: str, f: Callable[..., Any], *given: Any, **options: Any) -> float:
    """The root of a function of one number, by the solver of that name."""
    least = solver in ("brent", "golden")
    f = _ordered(f) if least else f
    found = _solver(solver)(_valued(f), *given, **{**options, "full_output": False})
    return float(getattr(found, "root", found))


def outcome_of(solver: str, *given: Any, **options: Any) -> Any:
    """What a solver of scipy.optimize finds, and behind it whether it succeeded: 1 or 0."""
    if options.get("constraints"):
        options["constraints"] = [
            {"type": kind, "fun": _valued(rule), "args": options["args"]}
            for kind, rule in options["constraints"]
        ]
    found = _solver(solver)(*map(_valued, given), **_with_valued_slopes(options))
    if hasattr(found, "root"):
        return np.append(found.root, float(found.converged))
    if isinstance(found, tuple) and len(found) == 2:  # of leastsq
        return np.append(found[0], float(found[1]))
    if isinstance(found, tuple):  # of fsolve: x, a dict, a number that is 1, a text
        return np.append(found[0], float(found[2] == 1))
    return np.append(found.x, float(found.success))


def iterated_solution(solver: str, A: Any, b: Any, x0: Any, **options: Any) -> Any:
    """What an iterative solver of scipy.sparse.linalg gives, and behind its entries its `info`."""
    solve = getattr(importlib.import_module("scipy.sparse.linalg"), solver)
    return np.append(*solve(A, b, x0=x0, **options))


def root_of(solver: str, f: Callable[..., Any], x0: Any, **options: Any) -> Any:
    """The root (or fixed point, or minimum) of a function of an array, in the shape of x0."""
    if solver in WITHOUT_ARGS:
        args = options.pop("args", ())
        found = _solver(solver)(_valued(lambda x: f(x, *args)), x0, **options)
    else:
        found = _solver(solver)(_valued(f), x0, **_with_valued_slopes(options))
    return np.reshape(np.asarray(getattr(found, "x", found), float), np.shape(x0))


def minimum_of(
    solver: str, f: Callable[..., Any], x0: Any, data: Any, args: Any = (), **options: Any
) -> Any:
    """Where the misfit of a function to the data is least."""
    xdata, ydata, sigma = data
    if callable(options.get("jac")):
        options["jac"] = _model(options["jac"], args)
    return _solver(solver)(_model(f, args), xdata, ydata, p0=x0, sigma=sigma, **options)[0]


def _model(f: Callable[..., Any], args: Any) -> Callable[..., Any]:
    return _valued(lambda x, *p: f(x, *p, *args))


def scalar_minimum_of(f: Callable[..., Any], args: Any = (), **options: Any) -> float:
    """Where a function of one number is least; between the bounds, if there are any."""
    f = _ordered(f)
    given = {key: value for key, value in options.items() if value is not None}
    found = _solver("minimize_scalar")(_valued(f), args=args, **given)
    if not found.success:
        raise ValueError(f"minimize_scalar found no minimum: {found.message}")
    x = float(found.x)
    low, high = options.get("bounds") or (-np.inf, np.inf)
    if min(x - low, high - x) < 1e-4 * (high - low) < np.inf:
        raise ValueError("no derivative of a minimum at a bound: there it is the bound itself")
    return x


def linear_solution_of(solver: str, *given: Any, **options: Any) -> Any:
    """The solution x of a linear problem, by the solver of that name; RuntimeError without one."""
    chosen = {key: value for key, value in options.items() if value is not None}
    found = _solver(solver)(*given, **chosen)
    if isinstance(found, tuple):
        return found[0]
    if found.x is None or not found.get("success", True):
        raise RuntimeError(f"{solver} found no solution: {found.message}")
    return found.x


def integration_nodes(f: Callable[..., Any], a: float, b: float, **options: Any) -> Any:
    """Where an integral from a to b looks at f: Gauss and Legendre's places in the cells that
    scipy.integrate.quad cuts it into, as rows (of_a, of_b, reach, of_length, weight).

    A place is `of_a * a + of_b * b + reach` and counts `of_length * (b - a) + weight`, with 0 for
    a bound that is infinite; there x = start + (1 - t) / t, for t between 0 and 1.
    """
    endless = bool(np.isinf(a)), bool(np.isinf(b))
    if "weight" in options or ("points" in options and any(endless)):
        raise ValueError("no derivative of quad with weight=: write the weight into the function")
    quad = importlib.import_module("scipy.integrate").quad
    found = quad(f, a, b, **{**options, "full_output": 1})[2]
    parts = found.values() if options.get("complex_func") else [(found,)]
    cells = [[info[key][: info["last"]] for key in ("alist", "blist")] for info, *_ in parts]
    if len(cells) > 1:  # the real part's and the imaginary part's
        ends = np.unique(np.concatenate([np.ravel(cell) for cell in cells]))
        cells = [[ends[:-1], ends[1:]]]
    start, end = cells[0]
    if not any(endless) and a > b:  # SciPy's cells go up
        start, end = end, start
    if not any(endless):
        start, end = ((start - a) / (b - a), (end - a) / (b - a)) if a != b else ([0.0], [1.0])
    nodes, weights = _places_and_weights()
    start, end = np.reshape(start, (-1, 1)), np.reshape(end, (-1, 1))
    half = 0.5 * (end - start)
    t, share = np.ravel(start + half * (1.0 + nodes)), np.ravel(half * weights)
    zero, one = np.zeros_like(t), np.ones_like(t)
    if not any(endless):
        return np.stack([1.0 - t, t, zero, share, zero], axis=1)
    reach, counts, rows = (1.0 - t) / t, share / (t * t), []
    if endless[1]:
        upward = np.sign(b) * one
        rows.append(np.stack([one, zero, upward * reach, zero, upward * counts], axis=1))
    if endless[0]:
        upward = np.sign(a) * one
        rows.append(np.stack([zero, one, upward * reach, zero, -upward * counts], axis=1))
    return np.concatenate(rows)


@cache  # 0.5 ms
def _places_and_weights() -> Any:
    """Gauss and Legendre's places between -1 and 1, and their weights."""
    return np.polynomial.legendre.leggauss(21)


def eigenvectors_of(solver: str, *given: Any) -> Any:
    """The eigenvectors that a function of scipy.linalg gives for Hermitian matrices."""
    return getattr(importlib.import_module("scipy.linalg"), solver)(*given)[1]


def found_by_scipy(module: str, name: str, *given: Any, **options: Any) -> Any:
    """What a function of SciPy gives, as a constant."""
    return getattr(importlib.import_module(module), name)(*given, **options)


def as_paired(found: Any, known: Any) -> Any:
    """For each of the known numbers the place of its own among those found, the nearest."""
    far = np.abs(np.asarray(known)[:, None] - np.asarray(found)[None, :])
    return importlib.import_module("scipy.optimize").linear_sum_assignment(far)[1]


def schur_blocks(form: Any) -> Any:
    """Where the blocks on the diagonal of a Schur form begin, and its size.

    Raises ValueError where its vectors have no derivative: two eigenvalues are equal, or the two
    rows of a block may turn into each other (its entries beside the diagonal sum to zero).
    """
    below, size = np.diag(form, -1), np.max(np.abs(form), initial=0.0)
    small = 64.0 * np.finfo(np.abs(form).dtype).eps * size
    w = np.diag(form) + np.sqrt(np.append(below * np.diag(form, 1), 0.0) + 0j)
    pairs = np.flatnonzero(below)
    w[pairs + 1] = np.conj(w[pairs])
    gaps = np.abs(w[:, None] - w[None, :])[np.triu_indices(len(w), 1)]
    if np.any(gaps <= small):
        raise ValueError("no derivative: schur of a matrix with equal eigenvalues")
    if np.any(np.abs(below + np.diag(form, 1))[pairs] <= small):
        raise ValueError("no derivative: schur of a matrix with a block that is a rotation, scaled")
    return np.delete(np.arange(len(form) + 1), pairs + 1)


def bordered_matrix(A: Any, M: Any, w: Any, column: Any, row: Any) -> Any:
    """[[A - w M, -column], [-row^H, 0]] as a scipy.sparse matrix, of dense ones or sparse ones."""
    sparse = importlib.import_module("scipy.sparse")
    inner = sparse.csc_array(A)
    size = inner.shape[0]
    moved = w * (sparse.eye_array(size) if M is None else sparse.csc_array(M))
    side, below = np.reshape(column, (size, 1)), np.reshape(np.conj(row), (1, size))
    made = sparse.block_array([[inner - moved, -side], [-below, np.zeros((1, 1))]], format="csc")
    return _regular(made, "an eigenvalue or singular value that is a multiple one")


def _regular(matrix: Any, otherwise: str) -> Any:
    """The matrix; raises ValueError where it has no inverse."""
    factors = importlib.import_module("scipy.sparse.linalg").splu
    try:
        pivots = np.abs(factors(matrix).U.diagonal())
    except RuntimeError:  # exactly singular
        pivots = np.zeros(1)
    if not np.min(pivots) > 1e-13 * np.max(pivots):
        raise ValueError(f"no derivative: {otherwise}")
    return matrix


def doubled_matrix(A: Any) -> Any:
    """[[0, A], [A^H, 0]] as a scipy.sparse matrix, of a dense one or a sparse one."""
    sparse = importlib.import_module("scipy.sparse")
    inner = sparse.csc_array(A)
    return sparse.block_array([[None, inner], [inner.conj().T, None]], format="csc")


def normal_matrix(A: Any, damp: float) -> Any:
    """A^H A + damp^2 as a scipy.sparse matrix, of a dense one or a sparse one; of wide ones
    A A^H + damp^2."""
    sparse = importlib.import_module("scipy.sparse")
    inner = sparse.csc_array(A)
    outer = inner.conj().T
    whole = inner @ outer if inner.shape[0] < inner.shape[1] else outer @ inner
    made = (whole + damp**2 * sparse.eye_array(whole.shape[0])).tocsc()
    return _regular(made, "least squares with a matrix that has not full rank")


def enclosing_simplex(points: Any, places: Any, rescale: bool) -> Any:
    """For each place (in rows) the points around it, of Delaunay's triangulation; -1 outside."""
    if points.shape[1] > 8:
        raise ValueError("a triangulation in more than eight dimensions would never end")
    points, places = _in_unit_box(points, places) if rescale else (points, places)
    mesh = importlib.import_module("scipy.spatial").Delaunay(points)
    found = mesh.find_simplex(places)
    return np.where(found[:, None] >= 0, mesh.simplices[found], -1)


def nearest_place(points: Any, places: Any, rescale: bool) -> Any:
    """For each place (in rows) the nearest of the points."""
    points, places = _in_unit_box(points, places) if rescale else (points, places)
    return importlib.import_module("scipy.spatial").cKDTree(points).query(places)[1]


def _in_unit_box(points: Any, places: Any) -> tuple[Any, Any]:
    middle, width = np.mean(points, axis=0), np.ptp(points, axis=0)
    width = np.where(width > 0.0, width, 1.0)
    return (points - middle) / width, (places - middle) / width


def fixed_matrix(data: Any, rows: Any, columns: Any, shape: Any) -> Any:
    """A scipy.sparse matrix of these entries, as a constant."""
    sparse = importlib.import_module("scipy.sparse")
    return sparse.csc_matrix((data, (rows, columns)), shape=tuple(map(int, shape)))


def matching_entries(columns: Any, rows: Any) -> tuple[Any, Any]:
    """All pairs (i, j) with columns[i] == rows[j]: of the terms of a product of sparse matrices."""
    order = np.argsort(rows, kind="stable")
    lying = np.asarray(rows)[order]
    begin = np.searchsorted(lying, columns, side="left")
    count = np.searchsorted(lying, columns, side="right") - begin
    first = np.repeat(np.arange(len(count)), count)
    step = np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count)
    return first, order[np.repeat(begin, count) + step]


def time_mesh(fun: Callable[..., Any], times: Any, y0: Any, stop: float, **options: Any) -> Any:
    """When scipy.integrate.solve_ivp stops on its way from times[0] to `stop`, as far as the last
    of the times, which are among them: rows (k, share), for `times[k]` and the given share of the
    way from there to the next of the times.
    """
    solve = importlib.import_module("scipy.integrate").solve_ivp
    found = solve(fun, (times[0], stop), np.asarray(y0), **options)
    if not found.success:
        raise ValueError(f"solve_ivp: {found.message}")
    rows = []
    for k, (start, end) in enumerate(itertools.pairwise(times)):
        between = found.t[(found.t - start) * (end - found.t) > 0.0]
        shares = np.concatenate(([0.0], (between - start) / (end - start)))
        rows.append(np.stack([np.full_like(shares, k), shares], axis=1))
    return np.concatenate([*rows, [[len(times) - 1.0, 0.0]]])


def event_times(
    fun: Callable[..., Any], events: Any, terminal: Any, directions: Any, t_span: Any,
    y0: Any, **options: Any,
) -> Any:  # fmt: skip
    """When the events of scipy.integrate.solve_ivp happen: rows (which, time, 0) after one that
    says whether one of them ended the solution: (1 or 0, when, which).
    """
    marked = []
    for event, end, way in zip(events, terminal, directions, strict=True):
        named = functools.partial(event)  # which may have attributes of its own
        named.terminal, named.direction = int(end), float(way)  # type: ignore[attr-defined]
        marked.append(named)
    solve = importlib.import_module("scipy.integrate").solve_ivp
    found = solve(fun, t_span, np.asarray(y0), events=marked, **options)
    if not found.success:
        raise ValueError(f"solve_ivp: {found.message}")
    rows = [[k, t, 0.0] for k, ts in enumerate(found.t_events) for t in ts]
    last, ended = found.t[-1], float(found.status == 1)
    which = [k for k, ts in enumerate(found.t_events) if terminal[k] and len(ts) and ts[-1] == last]
    return np.array([[ended, last, which[0] if ended and which else 0.0], *rows], dtype=float)

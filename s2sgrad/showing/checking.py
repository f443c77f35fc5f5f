"""Floor 9: compare a gradient with central differences of the primal."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2sgrad.backend.jit.options import jit_options
from s2sgrad.calls.draws import Draws
from s2sgrad.derivatives.gradient import Derivative
from s2sgrad.derivatives.inside import not_inside
from s2sgrad.errors import S2sgradError
from s2sgrad.frontend.inputs import object_fields
from s2sgrad_runtime.objects import array_copy, copied, is_function, mapped
from s2sgrad_runtime.shapes import empty_as

DIRECTIONS = 4
ENTRIES = 2000  # at most so many are looked at one by one to name the worst
Leaf = tuple[str, Any]


class GradientError(S2sgradError, AssertionError):
    """A gradient that disagrees with central differences of the primal."""


def check_grad(
    function: Callable[..., Any],
    *args: Any,
    argnums: Any = None,
    rtol: float | None = None,
    jit: bool = False,
    seed: int = 0,
) -> None:
    """Compare the gradient of a scalar function with central differences.

    Args:
        function: as `grad` takes it; not code with a piecewise constant result. Random numbers
            are the same in all runs, and the generators are left as they were.
        args: where to differentiate. Stay away from kinks, where differences mean nothing.
        argnums: which arguments to check, as in `grad`; all that hold floats by default.
        rtol: allowed error, relative to the size of the derivative along a direction; by
            default 1e-6, and 1e-2 where an argument is float32 or smaller.

    Raises: GradientError (an AssertionError) that names the worst entry.

    >>> check_grad(lambda x: np.sum(np.sin(x) * x), np.array([0.5, 2.0]))
    """
    names = list(inspect.signature(function).parameters)
    if argnums is None:
        argnums = tuple(i for i, a in enumerate(args[: len(names)]) if list(leaves(a, "")))
    chosen = argnums if isinstance(argnums, tuple) else (argnums,)
    places = [names.index(one) if isinstance(one, str) else one for one in chosen]
    if not places:
        raise TypeError("check_grad: no argument holds floats")
    options = jit_options(jit, False, False)
    draws = Draws(function, args)
    with draws.replayed():
        gradient = Derivative(function, tuple(places), value=False, jit=options)(*args)
    point = [args[i] for i in places]
    scale = np.concatenate([_scale(leaf) for _, leaf in leaves(point, "")])
    found = flat(gradient, point) * scale
    precise = all(np.asarray(leaf).dtype.itemsize >= 8 for _, leaf in leaves(point, ""))
    # a long step makes little of rounding, a short one does not reach the kinks nearby
    steps = (1e-3, 1e-4, 1e-5) if precise else (3e-2,)
    limit = rtol if rtol is not None else (1e-6 if precise else 1e-2)

    value = _moved(function, args, places, draws)
    # what rounding alone does to a difference
    noise = 100.0 * (1e-16 if precise else 1e-7) * abs(value(np.zeros(found.size)))
    rng = np.random.default_rng(seed)
    for _ in range(DIRECTIONS):
        direction = rng.standard_normal(found.size)
        allowed = limit * np.linalg.norm(found) * np.linalg.norm(direction)
        slope = found @ direction
        if not any(
            abs(slope - _slope(value, scale, step)(direction)) <= allowed + noise / step
            for step in steps
        ):
            along = _slope(value, scale, steps[-1])
            chosen_names = [names[i] for i in places]
            raise GradientError(_report(function, found, along, point, chosen_names, scale))


_refused = not_inside("check_grad", "check the gradient outside, with the same arguments")
vars(check_grad).update(__s2sgrad_transform__=True, __s2sgrad_inside__=_refused)


def _moved(
    function: Callable[..., Any], args: tuple[Any, ...], places: list[int], draws: Draws
) -> Callable[[np.ndarray], float]:
    """The primal as a function of what is added to the numbers in some arguments."""

    def value(moves: np.ndarray) -> float:
        rest = iter(moves)
        with draws.replayed():
            full = list(copied(args))
            for i in places:
                full[i] = shifted(args[i], rest)
            return float(np.real(function(*full)))

    return value


def _slope(
    value: Callable[[np.ndarray], float], scale: Any, step: float
) -> Callable[[np.ndarray], float]:
    """The slope of the primal along a direction: central differences of fourth order."""

    def along(direction: np.ndarray) -> float:
        move = step * scale * direction
        near = (value(move) - value(-move)) / (2.0 * step)
        far = (value(2.0 * move) - value(-2.0 * move)) / (4.0 * step)
        return (4.0 * near - far) / 3.0

    return along


def _scale(leaf: Any) -> np.ndarray:
    """How far each entry of a leaf is moved: by its leaf's size, by 1 at most."""
    size = float(np.max(np.abs(leaf), initial=0.0))
    return np.full(np.size(leaf), min(size, 1.0) or 1.0)


def leaves(tree: Any, path: str, known: set[int] | None = None) -> Iterator[Leaf]:
    """(path, leaf) of every float and float array in nested containers and objects.

    known: the ids of the objects met so far: one held in several places is one.
    """
    known = set() if known is None else known
    if isinstance(tree, float | complex | np.ndarray | np.generic):
        if np.asarray(tree).dtype.kind in "fc":
            yield path, tree
    elif isinstance(tree, dict):
        for key, part in tree.items():
            yield from leaves(part, f"{path}[{key!r}]", known)
    elif isinstance(tree, list | tuple):
        for i, part in enumerate(tree):
            yield from leaves(part, f"{path}[{i}]", known)
    elif id(tree) not in known:
        known.add(id(tree))
        for name, part in (_fields(tree) or {}).items():
            yield from leaves(part, f"{path}.{name}", known)


def _fields(value: Any) -> dict[str, Any] | None:
    """The fields of a plain object; None for code, strings and the like."""
    plain = isinstance(value, str | bytes | int | type) or value is None or is_function(value)
    return None if plain else object_fields(value)


def shifted(tree: Any, steps: Iterator[float]) -> Any:
    """A copy of the tree with the next steps added to its float leaves, in order of `leaves`."""
    return mapped(tree, lambda leaf: _moved_leaf(leaf, steps), lambda v: _fields(v) is not None)


def _moved_leaf(leaf: Any, steps: Iterator[float]) -> Any:
    if isinstance(leaf, np.ndarray):
        if leaf.dtype.kind not in "fc":
            return array_copy(leaf)
        moves = np.array([next(steps) for _ in range(leaf.size)]).reshape(leaf.shape)
        moved = empty_as(leaf, leaf.dtype)  # some functions see how entries lie in memory
        moved[...] = leaf + moves
        return moved
    if isinstance(leaf, np.generic) and leaf.dtype.kind in "fc":
        number: Any = leaf
        return type(leaf)(number + next(steps))
    if isinstance(leaf, float | complex):
        return leaf + next(steps)
    return leaf


def flat(gradient: Any, like: Any) -> np.ndarray:
    """The gradient's entries in the order of the argument's leaves (real parts)."""
    parts: list[np.ndarray] = []
    known: set[int] = set()

    def walk(node: Any, argument: Any) -> None:
        if isinstance(argument, float | complex | np.ndarray | np.generic):
            if np.asarray(argument).dtype.kind in "fc":
                parts.append(np.real(np.asarray(node)).astype(float).ravel())
        elif isinstance(argument, dict):
            for key, part in argument.items():
                walk(node[key], part)
        elif isinstance(argument, list | tuple):
            for one, part in zip(node, argument, strict=True):
                walk(one, part)
        elif id(argument) not in known:
            known.add(id(argument))
            for name, part in (_fields(argument) or {}).items():
                walk(getattr(node, name), part)

    walk(gradient, like)
    return np.concatenate(parts) if parts else np.zeros(0)


def _report(
    function: Callable[..., Any],
    found: np.ndarray,
    along: Callable[[np.ndarray], float],
    point: list[Any],
    names: list[str],
    scale: np.ndarray,
) -> str:
    """Which entry is off most, what it is and what it should be."""
    labels = [
        f"{path}{list(index) if index else ''}"
        for name, argument in zip(names, point, strict=True)
        for path, leaf in leaves(argument, name)
        for index in np.ndindex(np.shape(leaf))
    ]
    count = min(found.size, ENTRIES)
    expected = np.array([along(np.eye(1, found.size, i)[0]) for i in range(count)])
    worst = int(np.argmax(np.nan_to_num(np.abs(found[:count] - expected), nan=np.inf)))
    title = f"the gradient of {getattr(function, '__name__', function)} is not its slope"
    return (
        f"{title}\n  worst entry: {labels[worst]}\n"
        f"  gradient:            {found[worst] / scale[worst]:.10g}\n"
        f"  central differences: {expected[worst] / scale[worst]:.10g}"
    )

"""Calls with all kinds of arguments: every mode gives the slopes of central differences, in the
arguments' structure and dtypes, and leaves the arguments as they were."""

from __future__ import annotations

import copy
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import fuzz
import fuzz_arguments
import numpy as np
import pytest

import s2sgrad

EASY = 1e4  # beyond such values and slopes, and at kinks, nothing is asked
HONEST = ("writing the attribute", "is not supported here")


def parts(tree: Any) -> list[tuple[Any, Any]]:
    """(key, part) of what a container or an object holds; none of a leaf."""
    if isinstance(tree, dict):
        return list(tree.items())
    if isinstance(tree, list | tuple):
        return list(enumerate(tree))
    if type(tree).__module__ == fuzz_arguments.__name__:
        names = ["_Slots__hidden", "a", "b", "more", "name"]
        names.remove("b" if isinstance(tree, fuzz_arguments.Slots) else "_Slots__hidden")
        return [(n, getattr(tree, n)) for n in names if hasattr(tree, n)]
    return []


def held(tree: Any, key: Any) -> Any:
    if tree is None:  # a part without floats
        return None
    return tree[key] if isinstance(tree, dict | list | tuple) else getattr(tree, key)


def rebuilt(tree: Any, change: Callable[[Any], Any]) -> Any:
    """The tree with every leaf changed."""
    new = [(key, rebuilt(part, change)) for key, part in parts(tree)]
    if isinstance(tree, dict):
        made = tree.copy()
        made.update(new)
        return made
    if isinstance(tree, list | tuple):
        values = [part for _, part in new]
        return type(tree)(*values) if hasattr(tree, "_fields") else type(tree)(values)
    if not new:
        return change(tree)
    found = object.__new__(type(tree))
    for key, part in new:
        object.__setattr__(found, key, part)
    return found


def is_float(leaf: Any) -> bool:
    if isinstance(leaf, float | complex):
        return True
    return isinstance(leaf, np.ndarray | np.generic) and leaf.dtype.kind in "fc"


def laid_out(leaf: Any) -> Any:
    """A copy of an array with its strides, by the way it was made."""
    if not isinstance(leaf, np.ndarray):
        return leaf
    if leaf.ndim == 0 or leaf.flags.forc:
        made = leaf.copy("K")
        made.flags.writeable = leaf.flags.writeable
        return made
    wide = leaf.ndim == 2  # three columns of four; else every other entry, or backwards
    base = np.zeros(tuple(1 + 2 * n for n in leaf.shape), leaf.dtype)
    if wide:
        made = base[: leaf.shape[0], : leaf.shape[1]]
    else:
        made = base[::2][: leaf.size] if leaf.strides[0] > 0 else base[: leaf.size][::-1]
    made[...] = leaf
    return made


def moves(tree: Any) -> Iterator[Callable[[Any, float], Any]]:
    """For each real number in the leaves: what moves it alone in a copy, in double precision."""
    leaves: list[Any] = []
    rebuilt(tree, leaves.append)
    for which, leaf in enumerate(leaves):
        if is_float(leaf):
            for entry in range(np.size(leaf)):
                for step in (1.0, 1j) if np.iscomplexobj(leaf) else (1.0,):
                    yield lambda t, h, w=which, e=entry, s=step: moved(t, w, e, h * s)


def moved(tree: Any, which: int, entry: int, by: Any) -> Any:
    number = iter(range(10**6))

    def change(leaf: Any) -> Any:
        here = next(number) == which
        if not isinstance(leaf, np.ndarray):
            if isinstance(leaf, np.generic) and is_float(leaf):
                leaf = np.complex128(leaf) if np.iscomplexobj(leaf) else np.float64(leaf)
            return leaf + by if here else leaf
        made = laid_out(leaf)
        if leaf.dtype == np.float32:
            made = made.astype(float)
        if here:
            made = made if made.flags.writeable else made.copy()
            made[np.unravel_index(entry, leaf.shape)] += by
        return made

    return rebuilt(tree, change)


def slopes(bar: Any, like: Any) -> Iterator[float]:
    """The real numbers in a gradient, after a look at its structure, shapes and dtypes."""
    inside = parts(like)
    if inside:
        assert bar is None or isinstance(bar, dict) == isinstance(like, dict)
        for key, part in inside:
            yield from slopes(held(bar, key), part)
    elif is_float(like):
        found = np.zeros_like(like) if bar is None else np.asarray(bar)
        assert found.shape == np.shape(like) and found.dtype == np.asarray(like).dtype
        for entry in found.ravel().tolist():
            yield from (entry.real, entry.imag) if isinstance(entry, complex) else (entry,)


def state(tree: Any) -> Any:
    """All that a caller can see of arguments."""
    inside = [(key, state(part)) for key, part in parts(tree)]
    if isinstance(tree, np.ndarray):
        return tree.dtype, tree.strides, tree.tobytes()
    return type(tree), inside or repr(tree)


def spoiled(tree: Any) -> None:
    """What a caller may do with a result: it changes nothing that is asked for later."""
    if isinstance(tree, np.ndarray) and is_float(tree) and tree.flags.writeable:
        tree[...] = np.nan
    if parts(tree) or isinstance(tree, dict | list | tuple):
        for _, part in parts(tree):
            spoiled(part)


def expected(f: Any, args: Any, named: Any, chosen: list[Any]) -> Any:
    """(value, slopes by the chosen arguments), or None where there is nothing to ask."""

    def at(tree: Any) -> float:
        given, by_name = list(args), dict(named)
        for which, part in zip(chosen, tree, strict=True):
            (given if isinstance(which, int) else by_name)[which] = part
        return float(f(*rebuilt(given, laid_out), **rebuilt(by_name, laid_out)))

    tree = [args[w] if isinstance(w, int) else named[w] for w in chosen]
    try:
        value = at(tree)
        sides = [[at(move(tree, h)) for h in (1e-5, 0.0, -1e-5)] for move in moves(tree)]
    except Exception:
        return None  # the program itself fails
    up, mid, down = np.array(sides).T if sides else np.zeros((3, 0))
    found, left = (up - down) / 2e-5, (mid - down) / 1e-5
    bad = np.abs(found - left) > 1e-3 * (1.0 + np.abs(found))
    if not abs(value) < EASY or not np.all(np.abs(found) < EASY) or np.any(bad):
        return None
    return value, found, tree


def without_source(f: Any) -> Any:
    code = f.__code__.replace(co_filename="<nowhere>", co_firstlineno=10**6)
    made = types.FunctionType(code, f.__globals__, f.__name__, f.__defaults__)
    made.__kwdefaults__ = f.__kwdefaults__
    return made


def close(found: Any, wanted: np.ndarray, low: bool) -> None:
    scale = 1.0 + np.max(np.abs(wanted), initial=0.0)
    got = np.array(list(found))
    np.testing.assert_allclose(got, wanted, rtol=0, atol=(2e-3 if low else 1e-5) * scale)


def check(seed: int) -> None:
    source, args, named = fuzz_arguments.Calls(seed).call()
    f = fuzz.load(source)
    leaves: dict[Any, list[Any]] = {}
    for which, argument in [*enumerate(args), *named.items()]:
        rebuilt(argument, leaves.setdefault(which, []).append)
    chosen = [w for w, held_there in leaves.items() if any(map(is_float, held_there))]
    wanted = expected(f, args, named, chosen)
    if not chosen or wanted is None:
        return
    value, bars, tree = wanted
    low = any(getattr(v, "dtype", None) == np.float32 for held_ in leaves.values() for v in held_)

    def gradient(function: Any, **options: Any) -> None:
        made = s2sgrad.value_and_grad(function, argnums=tuple(chosen), **options)
        found, cotangents = made(*args, **named)
        assert abs(found - value) < (1e-4 if low else 1e-9) * (1.0 + abs(value))
        close(slopes(list(cotangents), tree), bars, low)
        spoiled(list(cotangents))

    def pulled() -> None:
        _, pullback = s2sgrad.vjp(f, *args, fallback="error", **named)
        found = list(pullback(np.float32(1.0) if low else 1.0))
        places = [w for w in chosen if isinstance(w, int)]  # they come before the names
        count = sum(1 for _ in moves(tree[: len(places)]))
        close(slopes([found[w] for w in places], tree[: len(places)]), bars[:count], low)
        spoiled(found)

    def pushed() -> None:
        if not named:
            dots = tuple(copy.deepcopy(a) if w in chosen else None for w, a in enumerate(args))
            before = state(dots)
            _, found = s2sgrad.jvp(f, args, dots, fallback="error")
            assert state(dots) == before, "the tangents were changed"
            close([found], np.array([np.array(list(slopes(tree, tree))) @ bars]), low)

    def rows() -> None:
        if not any(np.iscomplexobj(v) for v in leaves[chosen[0]]):
            for make in (s2sgrad.jacobian, s2sgrad.jacfwd, s2sgrad.jacrev):
                matrix = make(f, argnums=chosen[0], fallback="error")(*args, **named)
                found = rebuilt_like(matrix, tree[0])
                close(found, bars[: len(found)], low)
                spoiled(matrix)

    modes = (
        lambda: gradient(f, fallback="error"), lambda: gradient(without_source(f)),
        pulled, pushed, rows,
    )  # fmt: skip
    in_every_mode(modes, HONEST, lambda: state([args, named]))


def in_every_mode(
    modes: Iterable[Callable[[], None]], honest: tuple[str, ...], arguments: Callable[[], Any]
) -> None:
    """honest: reasons of refusals. arguments: their state, which must stay as it is."""
    before = arguments()
    for mode in modes:
        try:
            mode()
        except s2sgrad.UnsupportedError as refusal:
            if not any(reason in str(refusal) for reason in honest):
                raise
        assert arguments() == before, "the arguments were changed"


def rebuilt_like(bar: Any, like: Any) -> list[float]:
    """The numbers of a Jacobian's blocks at the places of the float leaves."""
    inside = parts(like)
    if inside:
        return [x for key, part in inside for x in rebuilt_like(held(bar, key), part)]
    if not is_float(like):
        return []
    return np.zeros(np.size(like)).tolist() if bar is None else np.ravel(bar).tolist()


def run(seeds: range, check: Callable[[int], None], shown: Callable[[int], str]) -> None:
    """Check the programs of these seeds; a failure shows the program."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for seed in seeds:
            try:
                check(seed)
            except Exception as error:
                error.add_note(f"seed {seed}:\n{shown(seed)}")
                raise


def shown(seed: int) -> str:
    return fuzz_arguments.Calls(seed).call()[0]


@pytest.mark.parametrize("start", range(0, 50, 10))
def test_calls(start: int) -> None:
    run(range(start, start + 10), check, shown)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(100, 2000, 100))
def test_many_calls(start: int) -> None:
    run(range(start, start + 100), check, shown)

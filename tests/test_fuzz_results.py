"""Results of all kinds: arrays, their views and what is written later, in containers and objects.

Values, pullbacks, tangents, Jacobians and results beside the value (`has_aux`) of random programs
against the primal and its central differences.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import fuzz
import numpy as np
import pytest
from test_fuzz_arguments import (
    held,
    in_every_mode,
    is_float,
    parts,
    rebuilt,
    run,
    spoiled,
    state,
    without_source,
)

import s2sgrad

HEAD = (
    "a = np.sin(x)", "b = m * 0.5", "c = t * 2.0", "d = m[0]", "e = [x * 1.0, t]",
    "g = {'u': x * t, 'w': m.sum()}", "k = len(x)", "h = x", "z = x[1:]", "q = m.T",
    "r = np.exp(1j * x)", "o = Plain(x * t, [t, m])", "w = (a, b)",
)  # fmt: skip
CHANGES = (
    "a[0] = t", "b += 1.0", "a *= c", "e[0][1] = t * t", "e.append(a)", "g['v'] = a",
    "d[:] = a[:2]", "h[0] = 0.5", "z[0] = 2.0 * t", "q[0, 1] = x[2]", "m[1] *= t", "x += a",
    "for i in range(2):\n        a[i] += t", "if t > 0.2:\n        b[0, 0] = t * 3.0",
    "e[0] = e[0] * 2", "o.b[0] = t * t", "o.a[1] = t", "x[:2] = m[1]", "e = e + [b]",
    "g = {**g, 'y': c}", "c = c * a[0]", "r[0] = t * 1j", "m = m * t", "w = w + (c,)",
    "a, b = a * t, b @ b",
)  # fmt: skip
PARTS = (
    "x", "a", "b", "c", "t", "m", "h", "z", "q", "d", "r", "x * 2.0", "m @ m", "a[0]", "a[:2]",
    "x.sum()", "a.copy()", "float(t)", "3", "'text'", "None", "k", "x > 0.5", "[t, 2.0]", "e", "g",
    "o", "w", "e[0]", "g['u']", "o.a", "np.array(t)", "r.real", "abs(r)", "m.ravel()", "x[::-1]",
    "np.stack([a, x])", "True", "np.arange(3)", "(t if t > 0.2 else 2 * t)", "m.tolist()",
    "list(x)",
)  # fmt: skip
FORMS = (
    "({}, {})", "[{}, {}]", "{{'p': {}, 3: {}}}", "Pair({}, {})", "Plain({}, {})", "Data({}, {})",
)  # fmt: skip
ARGUMENTS = np.array([0.4, 0.9, 0.7, 0.3, 0.8, 0.5, 1.1, 0.6])


def result(draw: random.Random, depth: int = 0) -> str:
    if depth > 1 or draw.random() < 0.45:
        return draw.choice(PARTS)
    return draw.choice(FORMS).format(result(draw, depth + 1), result(draw, depth + 1))


def program(seed: int) -> str:
    draw = random.Random(seed)
    body = [*HEAD, *draw.choices(CHANGES, k=draw.randint(0, 4)), f"return {result(draw)}"]
    head = "import numpy as np\nfrom fuzz_arguments import Data, Pair, Plain\ndef f(x, m, t):\n"
    return head + "".join(f"    {line}\n" for line in body)


def given(at: np.ndarray = ARGUMENTS) -> tuple[Any, ...]:
    return at[:3].copy(), at[3:7].reshape(2, 2).copy(), float(at[7])


def reals(tree: Any, like: Any) -> Iterator[float]:
    """The real numbers of a tree at the places of the float leaves of another."""
    if parts(like) or isinstance(like, dict | list | tuple):
        for key, part in parts(like):
            yield from reals(held(tree, key), part)
    elif is_float(like):
        found = np.zeros(np.shape(like)) if tree is None else np.asarray(tree)
        assert found.shape == np.shape(like)
        for entry in found.ravel().tolist():
            whole = complex(entry)
            yield from (whole.real, whole.imag) if np.iscomplexobj(like) else (whole.real,)


def vector(tree: Any, like: Any) -> np.ndarray:
    return np.array(list(reals(tree, like)), float)


def blocks(matrix: Any, like: Any) -> Iterator[np.ndarray]:
    """The rows of a Jacobian by all arguments."""
    if parts(like) or isinstance(like, dict | list | tuple):
        for key, part in parts(like):
            yield from blocks(held(matrix, key), part)
    elif is_float(like):
        size = np.size(like)
        yield np.concatenate([np.reshape(block, (size, -1)) for block in matrix], axis=1)


def kind(leaf: Any) -> Any:
    """What of a leaf must be as in the primal: numbers may be NumPy's or Python's."""
    return leaf if leaf is None or isinstance(leaf, str | bool) else np.shape(leaf)


def cotangent(value: Any, draw: random.Random) -> Any:
    def drawn(leaf: Any) -> Any:
        if not is_float(leaf):
            return leaf if draw.random() < 0.5 else None
        made = np.array([draw.uniform(-1, 1) for _ in range(np.size(leaf))]).reshape(np.shape(leaf))
        made = made * (1.0 + 0.5j) if np.iscomplexobj(leaf) else made
        return made if isinstance(leaf, np.ndarray) else made[()]

    return rebuilt(value, drawn)


def close(found: np.ndarray, wanted: np.ndarray) -> None:
    scale = 1.0 + np.max(np.abs(wanted), initial=0.0)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5 * scale)


def check(seed: int) -> None:
    source = program(seed)
    f = fuzz.load(source)
    try:
        value = f(*given())
        steps = 1e-6 * np.eye(ARGUMENTS.size)
        ends = [[f(*given(ARGUMENTS + s * h)) for s in (1, -1)] for h in steps]
    except (KeyError, ValueError, IndexError):
        return  # the program itself fails
    slopes = np.array([(vector(u, value) - vector(d, value)) / 2e-6 for u, d in ends]).T
    args = given()

    def pulled(function: Any, **options: Any) -> None:
        found, pullback = s2sgrad.vjp(function, *args, **options)
        same(found)
        spoiled(found)
        bar = cotangent(value, random.Random(seed))
        for _ in range(2):
            before = state(bar)
            bars = pullback(bar)
            close(vector(bars, given()), vector(bar, value) @ slopes)
            spoiled(bars)
            assert state(bar) == before, "the cotangent was changed"

    def same(found: Any) -> None:
        assert state(rebuilt(found, kind)) == state(rebuilt(value, kind))
        close(vector(found, value), vector(value, value))

    def pushed() -> None:
        draw = random.Random(seed)
        dots = given(np.array([draw.uniform(-1, 1) for _ in ARGUMENTS]))
        wanted = slopes @ vector(dots, dots)
        before = state(dots)
        found, dot = s2sgrad.jvp(f, args, dots, fallback="error")
        same(found)
        close(vector(dot, value), wanted)
        spoiled([found, dot])
        found, push = s2sgrad.linearize(f, *args, fallback="error")
        spoiled(found)
        for _ in range(2):
            dot = push(*dots)
            close(vector(dot, value), wanted)
            spoiled(dot)
        assert state(dots) == before, "the tangents were changed"

    def beside() -> None:
        both = source.replace("def f(", "def inner(") + (
            "def f(x, m, t):\n    return np.sum(x**2) * t, inner(x, m, t)\n"
        )
        made = s2sgrad.value_and_grad(
            fuzz.load(both), argnums=(0, 1, 2), has_aux=True, fallback="error"
        )
        (_, aux), bars = made(*args)
        same(aux)
        x, _, t = given()
        wanted = np.concatenate([2.0 * x * t, np.zeros(4), [x @ x]])
        close(vector(bars, given()), wanted)
        spoiled(bars)

    def rows() -> None:
        for make in (s2sgrad.jacobian, s2sgrad.jacfwd, s2sgrad.jacrev):
            matrix = make(f, argnums=(0, 1, 2), fallback="error")(*args)
            found = [np.zeros((0, 8)), *blocks(matrix, value)]
            if not any(np.iscomplexobj(block) for block in found):
                close(np.concatenate(found), slopes)

    modes: tuple[Callable[[], None], ...] = (
        lambda: pulled(f, fallback="error"), lambda: pulled(without_source(f)),
        pushed, beside, rows,
    )  # fmt: skip
    in_every_mode(modes, ("share the memory of",), lambda: state(list(args)))


@pytest.mark.parametrize(
    "start", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(10, 50, 10))]
)
def test_results(start: int) -> None:
    run(range(start, start + 10), check, program)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(100, 1500, 100))
def test_many_results(start: int) -> None:
    run(range(start, start + 100), check, program)

"""Generated NumPy code against central differences, over the whole corpus."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Iterable

import numpy as np
import programs
import pytest
from harness import (
    assert_close,
    assert_own,
    assert_structure,
    gradient_vector,
    numeric_gradient,
    ravel,
    replaced,
    same,
    select,
    unravel,
)

import s2sgrad

PROGRAMS = programs.load()


def one_in(every: int, among: Iterable[programs.Program], *always: str, first: int = 0) -> list:
    """Parameters of which one in so many is tested always, the others where slow tests run.

    `always` are beginnings of names that are tested always too.
    """

    def marks(k: int, name: str) -> tuple[pytest.MarkDecorator, ...]:
        return () if k % every == first or name.startswith(always) else (pytest.mark.slow,)

    return [pytest.param(p, id=p.name, marks=marks(k, p.name)) for k, p in enumerate(among)]


@functools.cache
def expected_gradient(p: programs.Program, step: float = 1e-4) -> np.ndarray:
    args, kwargs = p.example()
    return numeric_gradient(p.function, args, kwargs, p.wrt, parameter_names(p), step)


def parameter_names(p: programs.Program) -> list[str]:
    return list(inspect.signature(p.function).parameters)


def check(p: programs.Program, **options) -> str:
    """Value, gradient, structure and untouched arguments of one program; the generated text."""
    args, kwargs = p.example()
    value = p.function(*copy.deepcopy(args), **copy.deepcopy(kwargs))
    before = copy.deepcopy((args, kwargs))
    value_and_grad = s2sgrad.value_and_grad(p.function, argnums=p.wrt, **options)
    found, gradient = value_and_grad(*args, **kwargs)
    assert same(before[0], args) and same(before[1], kwargs), "the arguments were changed"
    single = bool(options.get("jit")) and holds_single(args, kwargs)  # sums in another order
    limit = 1e-6 if single else 1e-12
    assert_close(np.asarray(found, float), np.asarray(value, float), limit, "value")
    argument = select(args, kwargs, p.wrt, parameter_names(p))
    assert_structure(gradient, argument)
    assert_own(gradient, args, list(kwargs.values()))
    assert_close(gradient_vector(gradient, argument), expected_gradient(p), p.rtol, "gradient")
    return value_and_grad.source(*args, **kwargs)


def text_of(p: programs.Program) -> str:
    """The generated text, or why there is none."""
    args, kwargs = p.example()
    try:
        return s2sgrad.value_and_grad(p.function, p.wrt, fallback="error").source(*args, **kwargs)
    except s2sgrad.S2sgradError as error:
        return str(error)


def holds_single(*trees: object) -> bool:
    """Whether there is a float32 array anywhere in arguments."""
    for tree in trees:
        parts = tree.values() if isinstance(tree, dict) else tree
        if getattr(tree, "dtype", None) == np.float32:
            return True
        if isinstance(tree, dict | list | tuple) and holds_single(*parts):
            return True
    return False


def test_corpus_is_large() -> None:
    assert len(PROGRAMS) >= 300


@pytest.mark.parametrize("p", one_in(6, PROGRAMS))
def test_program_is_well_posed(p: programs.Program) -> None:
    """The example is away from kinks: two step sizes agree, and something depends on it."""
    fine, coarse = expected_gradient(p), expected_gradient(p, 3e-4)
    assert np.all(np.isfinite(fine))
    assert np.any(np.abs(fine) > 1e-4)
    assert_close(coarse, fine, 0.3 * p.rtol)


@pytest.mark.parametrize("p", one_in(6, PROGRAMS))
def test_gradient(p: programs.Program) -> None:
    check(p, fallback="error")


@pytest.mark.parametrize("p", one_in(48, PROGRAMS, first=3))
def test_same_text_again(p: programs.Program) -> None:
    args, kwargs = p.example()
    text = s2sgrad.value_and_grad(p.function, argnums=p.wrt, fallback="error").source(
        *args, **kwargs
    )
    again = s2sgrad.value_and_grad(p.function, argnums=p.wrt, fallback="error")
    assert again.source(*args, **kwargs) == text


# Some of the programs reverse over reverse, others forward over reverse (test_forward.py); all of
# them both ways where slow tests run.
@pytest.mark.parametrize("p", one_in(32, (p for p in PROGRAMS if p.second)))
def test_second_order(p: programs.Program) -> None:
    """The generated gradient, differentiated again, against differences of the gradient."""
    args, kwargs = p.example()
    names = parameter_names(p)
    gradient = s2sgrad.grad(p.function, argnums=p.wrt, fallback="error")
    at = ravel(select(args, kwargs, p.wrt, names))
    tree = select(args, kwargs, p.wrt, names)
    direction = np.random.default_rng(1).normal(size=at.size)

    def slope(t: float) -> np.ndarray:
        moved = replaced(args, kwargs, p.wrt, unravel(tree, at + t * direction), names)
        return gradient_vector(gradient(*moved[0], **moved[1]), tree)

    near, far = ((slope(t) - slope(-t)) / (2 * t) for t in (5e-5, 1e-4))
    expected = (4.0 * near - far) / 3.0
    _, pullback = s2sgrad.vjp(gradient, *args, fallback="error")
    found = pullback(unravel(tree, direction))[p.wrt]
    assert_close(gradient_vector(found, tree), expected, 1e-5, "hessian times vector")

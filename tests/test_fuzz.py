"""Random programs: generated NumPy code, generated Numba code and central differences agree.

`HYPOTHESIS_PROFILE` chooses how many: `ci` (120 of plain code, 200 with Numba, 12 or 24 of each
other kind, the same ones every time), `nightly` (2,000 new ones; a failure prints a blob to
reproduce it) and, without it, 50 (200 with Numba).

Limitations: programs whose differences disagree between step sizes or between the two sides are
discarded (kinks), and differences are blind to errors below 1e-6 of the largest entry.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import os
import warnings
from collections.abc import Iterator
from typing import Any

import fuzz
import fuzz_aliases
import fuzz_classes
import fuzz_functions
import fuzz_held
import fuzz_kinds
import fuzz_library
import fuzz_operators
import fuzz_records
import fuzz_steps
import fuzz_structures
import fuzz_subscripts
import fuzz_typed
import fuzz_views
import numpy as np
import pytest
from harness import assert_close, gradient_vector, ravel, same, unravel
from hypothesis import HealthCheck, assume, event, given, note, reject, seed, settings
from hypothesis import strategies as st

import s2sgrad
from s2sgrad.backend import module

pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
ACTIVE = (0, 1, 2, 3)
GENERATORS = (
    fuzz,
    fuzz_aliases,
    fuzz_classes,
    fuzz_functions,
    fuzz_held,
    fuzz_kinds,
    fuzz_library,
    fuzz_records,
    fuzz_steps,
    fuzz_structures,
    fuzz_subscripts,
    fuzz_typed,
    fuzz_views,
)
PROFILES = {
    "dev": settings(max_examples=50),
    "ci": settings(max_examples=25, derandomize=True),
    "nightly": settings(max_examples=2000, print_blob=True),
}
NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
BASE = settings(
    PROFILES.get(os.environ.get("HYPOTHESIS_PROFILE", "dev"), PROFILES["dev"]),
    deadline=None,
    database=None,
    report_multiple_bugs=False,  # names of generated files differ from run to run
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
# Recursion that writes into its arguments.
HONEST_REFUSALS = ("the recursive",)
# Programs of these kinds take longer: 1,000 of each at night, 6 on each change.
FEWER = settings(BASE, max_examples=max(6, BASE.max_examples // (2 if NIGHTLY else 5)))
# Of these all three agree: generated code, compiled code and differences.
# In parts, which run at the same time, by seeds whose programs differ.
SEEDS = (1, 2, 3, 4, 5, 6, 13, 14)
COMPILED = settings(BASE, max_examples=max(BASE.max_examples, 200) // len(SEEDS))


def expected(f: Any, args: tuple[Any, ...]) -> tuple[float, np.ndarray]:
    """Value and gradient by differences; the program is discarded where they can't be trusted."""
    tree = args[:4]
    at = ravel(tree)

    def value(vector: np.ndarray) -> float:
        return float(f(*unravel(tree, vector), *copy.deepcopy(args[4:])))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        middle = value(at)
        assume(np.isfinite(middle) and abs(middle) < 1e3)
        slopes = {
            h: [one_sided(value, at, middle, k, h) for k in range(at.size)] for h in (1e-4, 4e-5)
        }
    coarse, fine = (np.array([(a + b) / 2 for a, b in slopes[h]]) for h in (1e-4, 4e-5))
    scale = 1.0 + np.max(np.abs(fine))
    assume(np.isfinite(scale) and scale < 1e3)
    left, right = (np.array([pair[side] for pair in slopes[4e-5]]) for side in (0, 1))
    assume(np.max(np.abs(left - right)) < 2e-2 * scale)  # a kink at the point itself
    assume(np.max(np.abs(coarse - fine)) < 1e-5 * scale)  # or close to it
    return middle, fine + (fine - coarse) * 0.16 / 0.84


def one_sided(value: Any, at: np.ndarray, middle: float, k: int, h: float) -> tuple[float, float]:
    moved = at.copy()
    moved[k] = at[k] - h
    left = (middle - value(moved)) / h
    moved[k] = at[k] + h
    return left, (value(moved) - middle) / h


@contextlib.contextmanager
def discarding(*reasons: str) -> Iterator[None]:
    """Discards a program that is refused for one of the `reasons` (any, where none is named)."""
    try:
        yield
    except s2sgrad.UnsupportedError as error:
        if reasons and not any(words in error.reason for words in reasons):
            raise
        event(f"refused: {error.reason}")  # refusing is right, guessing is not
        reject()


@pytest.fixture(autouse=True, scope="module")
def files_of_one_name() -> Iterator[None]:
    """Hypothesis tells failures apart by the files they are in: here all programs are in one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_NUMBERS", itertools.repeat(0))
        yield


def check(
    source: str,
    others: bool = True,
    honest: tuple[str, ...] = HONEST_REFUSALS,
    ways: tuple[dict[str, Any], ...] = ({},),
) -> None:
    """others: also with other trip counts. honest: reasons of refusals (any, where none is).
    ways: the options of the code that is made."""
    note(source)
    f = fuzz.load(source)
    args = fuzz.example()
    if not honest and not runs(f, copy.deepcopy(args)):
        reject()
    value, gradient = expected(f, copy.deepcopy(args))
    for options in ways:
        check_code(f, value, gradient, others, honest, **options)


def check_code(
    f: Any,
    value: float,
    gradient: np.ndarray,
    others: bool,
    honest: tuple[str, ...],
    **options: Any,
) -> None:
    args = fuzz.example()
    before = copy.deepcopy(args)
    value_and_grad = s2sgrad.value_and_grad(f, argnums=ACTIVE, fallback="error", **options)
    with discarding(*honest):
        found, bars = value_and_grad(*args)
    note(value_and_grad.source(*args))
    assert same(before, args), "the arguments were changed"
    assert_close(np.asarray(float(found)), np.asarray(value), 1e-11, "value")
    assert_close(gradient_vector(bars, args[:4]), gradient, 2e-6, "gradient")
    if others:
        check_other_integers(f, value_and_grad, honest)


def runs(f: Any, args: tuple[Any, ...]) -> bool:
    """Whether a program runs: some write into what is read only, or ask for what is not there."""
    try:
        f(*args)
    except Exception:
        return False
    return True


def check_other_integers(f: Any, value_and_grad: Any, honest: tuple[str, ...]) -> None:
    """The same function with other trip counts, against one that sees each of them first."""
    for n in (3, 0, 1):
        args = (*fuzz.example()[:4], n)
        try:
            value = f(*copy.deepcopy(args))
        except Exception:
            continue  # nothing to say of programs that fail
        with discarding(*honest):
            found, bars = value_and_grad(*args)
            _, expected_bars = s2sgrad.value_and_grad(f, ACTIVE, fallback="error")(*args)
        assert_close(np.asarray(float(found)), np.asarray(float(value)), 1e-11, f"value, n={n}")
        bars, expected_bars = (gradient_vector(b, args[:4]) for b in (bars, expected_bars))
        assert_close(bars, expected_bars, 1e-9, f"gradient, n={n}")


@BASE
@given(fuzz.programs())
def test_generated_numpy_code(source: str) -> None:
    check(source)


@settings(BASE, max_examples=max(10, BASE.max_examples // 4))
@given(fuzz_aliases.programs())
def test_names_that_share_arrays(source: str) -> None:
    check(source)


@FEWER
@given(fuzz_library.programs())
def test_calls_of_the_library(source: str) -> None:
    check(source, honest=())


@FEWER
@given(fuzz_steps.programs())
def test_fields_stepped_in_time(source: str) -> None:
    check(source, honest=())


@FEWER
@given(fuzz_subscripts.programs())
def test_entries_by_sums_of_counters(source: str) -> None:
    check(source, honest=())


@FEWER
@given(fuzz_structures.programs())
def test_objects_and_lists(source: str) -> None:
    check(source, honest=())


@FEWER
@given(fuzz_classes.programs())
def test_classes_of_all_kinds(source: str) -> None:
    check(source, honest=())


@FEWER
@given(fuzz_records.programs())
def test_records_of_all_kinds(source: str) -> None:
    check(source, honest=())


@FEWER
@given(fuzz_views.programs())
def test_arrays_and_their_views(source: str) -> None:
    check(source, honest=())


@settings(FEWER, max_examples=max(5, FEWER.max_examples // 2))
@given(fuzz_functions.programs())
def test_functions_held_and_called(source: str) -> None:
    check(source, honest=())


@FEWER
@given(fuzz_held.programs())
def test_one_of_two_things_held(source: str) -> None:
    check(source, honest=())


@FEWER
@given(fuzz_kinds.programs())
def test_numbers_of_all_kinds(source: str) -> None:
    try:
        fuzz.load(source)(*fuzz.example())
    except (TypeError, ValueError, ArithmeticError):
        reject()  # not all kinds of numbers go with each other
    check(
        source, honest=("can't tell while compiling", "two names share", "holds integers on some")
    )


@FEWER
@given(fuzz_typed.programs())
def test_values_of_python(source: str) -> None:
    check(source, honest=())


@settings(BASE, max_examples=max(2, BASE.max_examples // 50))
@given(fuzz_operators.programs())
def test_derivatives_inside(source: str) -> None:
    check(source, honest=("this Jacobian can't be", "this pullback can't be"))


@settings(BASE, max_examples=max(3, BASE.max_examples // 40))
@given(fuzz.programs())
def test_all_of_the_language_under_numba(source: str) -> None:
    pytest.importorskip("numba")
    check(source, ways=({"jit": True},))


@pytest.mark.parametrize("part", SEEDS)
def test_generated_numba_code(part: int) -> None:
    pytest.importorskip("numba")

    @COMPILED
    @given(fuzz.programs(numba=True, longest=6 if NIGHTLY else 2))
    def agree(source: str) -> None:
        check(source, others=False, ways=({}, {"jit": True}))

    (agree if NIGHTLY else seed(part)(agree))()


@settings(BASE, max_examples=max(10, BASE.max_examples // 10))
@given(st.one_of([made.programs() for made in GENERATORS]))
def test_second_order(source: str) -> None:
    """The generated gradient differentiated again, against differences of the gradient."""
    note(source)
    f, args = fuzz.load(source), fuzz.example()
    assume(runs(f, copy.deepcopy(args)))  # programs of some kinds need not
    expected(f, copy.deepcopy(args))
    gradient = s2sgrad.grad(f, argnums=ACTIVE, fallback="error")
    with discarding():  # the first-order test says whether that is right
        gradient(*args)
    at = ravel(args[:4])
    direction = np.random.default_rng(1).normal(size=at.size)

    def slope(t: float) -> np.ndarray:
        return gradient_vector(gradient(*unravel(args[:4], at + t * direction), args[4]), args[:4])

    near, far = ((slope(t) - slope(-t)) / (2 * t) for t in (2e-5, 5e-5))
    assume(np.max(np.abs(near - far)) < 1e-5 * (1.0 + np.max(np.abs(near))))
    with discarding():
        _, pullback = s2sgrad.vjp(gradient, *args, fallback="error")
    bars = pullback(unravel(args[:4], direction))[:4]
    assert_close(gradient_vector(bars, args[:4]), near, 5e-5, "hessian times vector")


@settings(BASE, max_examples=25)
@given(fuzz.programs())
def test_the_generator_is_honest(source: str) -> None:
    """Every random program runs, twice alike, and depends on its arguments."""
    f = fuzz.load(source)
    first, second = f(*fuzz.example()), f(*fuzz.example())
    assert np.ndim(first) == 0 and first == second
    _, gradient = expected(f, fuzz.example())
    assert np.any(gradient != 0.0)

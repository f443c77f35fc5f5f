"""Generated code compiled with Numba against central differences, over the whole corpus."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from harness import assert_own, gradient_vector, leaves, same, select
from programs.registry import Program
from test_programs import PROGRAMS, check, expected_gradient, one_in, parameter_names

import s2sgrad

pytest.importorskip("numba")

# What one function saves, and the other one finds changed.
HANDED_OVER = (
    "aliases.row_moves", "chosen_objects.one_of_two_lists", "object_style.dual_numbers",
    "handed_back_by_calls.astype_without_copy_seen", "lists_in_lists.rows_of_a_t",
)  # fmt: skip

BOUNDS_CHANGED = tuple(
    f"bounds_that_are_written.{name}"
    for name in (
        *("rows_with_a_shorter_end", "written_through_a_view", "written_by_calls"),
        *("parts_of_rows", "a_number_kept_in_an_array", "new_arrays_as_long_as_a_window"),
    )
)
COMPILED_WRONG = ("carried.", "compiled.", "made_wider.", "offsets_of_columns.")


# Numba takes seconds a program: one in 300 always, and a tenth of those that compiled code once
# got wrong; the others where slow tests run.
ONCE_WRONG = [p.name for p in PROGRAMS if p.name.startswith((*COMPILED_WRONG, *BOUNDS_CHANGED))]


@pytest.mark.parametrize("p", one_in(300, PROGRAMS, *ONCE_WRONG[::10]))
def test_gradient_with_numba(p: Program) -> None:
    check(p, jit=True, fallback="error")


@pytest.mark.parametrize("p", one_in(360, PROGRAMS, *HANDED_OVER[::8], first=-1))
def test_pullback_with_numba(p: Program) -> None:
    """Two compiled functions, of which the second may run again."""
    args, kwargs = p.example()
    wrt = p.wrt if isinstance(p.wrt, tuple) else (p.wrt,)
    if not all(isinstance(w, int) and w < len(args) for w in wrt):
        pytest.skip("an argument with a name")
    before = copy.deepcopy((args, kwargs))
    _, pullback = s2sgrad.vjp(p.function, *args, jit=True, fallback="error", **kwargs)
    once, double, again = pullback(1.0), pullback(2.0), pullback(1.0)
    assert same(before[0], args) and same(before[1], kwargs), "the arguments were changed"
    tree = select(args, kwargs, wrt, parameter_names(p))
    expected = expected_gradient(p)
    tolerance = {"rtol": 0, "atol": p.rtol * (1.0 + np.max(np.abs(expected), initial=0.0))}
    for found, times in ((once, 1.0), (double, 2.0), (again, 1.0)):
        vector = gradient_vector(tuple(found[w] for w in wrt), tree)
        np.testing.assert_allclose(vector, times * expected, **tolerance)
    assert_own([*once, *again], args, [v for v in kwargs.values() if leaves(v)])

"""Random loops as people write them: NumPy code, the code for Numba run as Python, differences."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Iterator

import fuzz
import fuzz_idioms
import numpy as np
import pytest
from harness import unravel
from hypothesis import given, settings
from plain_numba import NOT_PYTHON, as_python
from test_fuzz import BASE, NIGHTLY, check, expected

import s2sgrad

numba = pytest.importorskip("numba")


@pytest.fixture(autouse=True, scope="module")
def nothing_compiled() -> Iterator[None]:
    """What is written for Numba runs as Python, with plans of its own on disk."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as place:
        patch.setenv("S2SGRAD_CACHE_DIR", place)
        as_python(patch)
        yield


@settings(BASE, max_examples=1000 if NIGHTLY else 10)
@given(fuzz_idioms.programs())
def test_loops_of_idioms(source: str) -> None:
    check(source, others=NIGHTLY)
    try:
        check(source, others=False, ways=({"jit": True},))
    except (*NOT_PYTHON, numba.TypingError):
        return  # not without Numba


@settings(BASE, max_examples=300 if NIGHTLY else 2)
@given(fuzz_idioms.programs())
def test_loops_of_idioms_forwards(source: str) -> None:
    """In forward mode."""
    f, args = fuzz.load(source), fuzz.example()
    _, gradient = expected(f, copy.deepcopy(args))
    direction = np.random.default_rng(1).normal(size=gradient.size)
    tangents = (*unravel(args[:4], direction), None)
    _, dot = s2sgrad.jvp(f, args, tangents, fallback="error")
    scale = 1.0 + np.sum(np.abs(gradient * direction))
    assert abs(float(dot) - gradient @ direction) < 2e-6 * scale

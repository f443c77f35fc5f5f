"""Gradients, tangents and Hessians of the same functions in JAX, PyTorch and HIPS autograd.

A package is asked where it has the function, and computes the same value (PyTorch's `std` is
another than NumPy's); then its derivatives must be ours, to ten digits.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy
import scipy.fft
import scipy.linalg
import scipy.signal
import scipy.special
import scipy.stats

import s2sgrad
from tests.peers import (
    algebra,
    elementwise,
    lately,
    options,
    reductions,
    scientific,
    shaping,
    unusual_arrays,
    unusual_reductions,
    unusual_science,
)
from tests.peers.cases import Case
from tests.peers.packages import CURVATURES, NOT_THERE, PULLBACKS, flat, installed, uses_scipy

UNUSUAL = [*unusual_reductions.CASES, *unusual_arrays.CASES]
UNUSUAL += [*unusual_science.CASES, *options.CASES]
TABLES = (elementwise, reductions, shaping, algebra, scientific, lately)
ALL = [*(case for table in TABLES for case in table.CASES), *UNUSUAL]
PEERS = [name for name in PULLBACKS if installed(name)]
pytestmark = [
    pytest.mark.skipif(not PEERS, reason="no other package is installed"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::UserWarning"),
]
EVERY = 40  # one case in so many runs always, the others where slow tests do
CASES = [
    pytest.param(case, id=case.name, marks=() if k % EVERY == 0 else pytest.mark.slow)
    for k, case in enumerate(ALL)
]


@pytest.fixture(autouse=True)
def small_caches(request: pytest.FixtureRequest) -> Iterator[None]:
    """JAX keeps what it has compiled: gigabytes after some hundred cases."""
    yield
    if installed("jax") and request.node.name.endswith("0]"):
        import jax

        jax.clear_caches()


def noise(like: Any, rng: np.random.Generator) -> Any:
    """Normal numbers, complex where `like` is."""
    made = rng.standard_normal(np.shape(like))
    return made + 1j * rng.standard_normal(np.shape(like)) if np.iscomplexobj(like) else made


def ours(case: Case) -> tuple[list[Any], list[Any], list[Any]]:
    """Values, cotangents given, cotangents found; forward mode must agree with them."""
    rng = np.random.default_rng(7)
    package = scipy if uses_scipy(case) else np
    arguments = (package, *case.inputs)
    value, pull = s2sgrad.vjp(case.function, *arguments, fallback="error")
    bars = [noise(y, rng) for y in flat(value)]
    found = list(pull(_like(value, bars)))[1:]
    dots = [noise(x, rng) for x in case.inputs]
    pushed = s2sgrad.jvp(case.function, arguments, (None, *dots), fallback="error")[1]
    left, right = _inner(bars, flat(pushed)), _inner(found, dots)
    if np.isfinite(left) and np.isfinite(right):
        assert left == pytest.approx(right, rel=1e-8, abs=1e-9), "forward and reverse mode differ"
    return flat(value), bars, found


def _like(tree: Any, leaves: list[Any]) -> Any:
    """The leaves in the structure of a result."""
    if not isinstance(tree, tuple | list):
        return leaves[0]
    return type(tree)(leaves) if not hasattr(tree, "_fields") else type(tree)(*leaves)


def _inner(left: list[Any], right: list[Any]) -> float:
    return float(sum(np.sum(np.real(np.conj(a) * b)) for a, b in zip(left, right, strict=True)))


def same_values(mine: list[Any], theirs: list[Any]) -> bool:
    shapes = len(mine) == len(theirs)
    return shapes and all(
        np.shape(a) == np.shape(b)
        and np.asarray(b).dtype != object
        and np.allclose(a, b, 1e-10, 1e-10, equal_nan=True)
        for a, b in zip(mine, theirs, strict=True)
    )


@pytest.mark.parametrize("case", CASES)
def test_same_as_others(case: Case) -> None:
    values, bars, mine = ours(case)
    compared = []
    for peer in PEERS:
        if peer in case.differs:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                their_values, theirs = PULLBACKS[peer](case, bars)
        except NOT_THERE:
            continue
        if not same_values(values, their_values):
            continue
        for one, two in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(one, two, 1e-10, 1e-10, err_msg=f"not as in {peer}")
        compared.append(peer)
    if not compared:
        pytest.skip("no other package has this function")


@pytest.mark.parametrize("case", CASES[-len(UNUSUAL) :])
def test_same_as_differences(case: Case) -> None:
    """Other packages have few of these arguments."""
    _, bars, mine = ours(case)
    rng = np.random.default_rng(9)
    dots = [noise(x, rng) for x in case.inputs]
    package = scipy if uses_scipy(case) else np

    def total(step: float) -> float:
        moved = [x + step * d for x, d in zip(case.inputs, dots, strict=True)]
        return _inner(bars, flat(case.function(package, *moved)))

    at = 1e-4
    near, far = (total(at) - total(-at)) / (2 * at), (total(2 * at) - total(-2 * at)) / (4 * at)
    expected = (4.0 * near - far) / 3.0
    if np.isfinite(expected):
        assert _inner(mine, dots) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def lying_apart(x: Any) -> Any:
    """The same numbers, with others between them in memory, from the last to the first."""
    if not isinstance(x, np.ndarray) or x.ndim == 0:
        return x
    wide = np.zeros([2 * size for size in x.shape], x.dtype)
    part = wide[tuple(slice(None, None, -2) for _ in x.shape)]
    part[...] = x
    return part


def in_single(x: Any) -> Any:
    """The same numbers with half the digits."""
    kinds = {np.dtype(float): np.float32, np.dtype(complex): np.complex64}
    return x.astype(kinds[x.dtype]) if isinstance(x, np.ndarray) and x.dtype in kinds else x


ONLY_DOUBLE = ("scientific:99", "unusual_science:84")  # SciPy refuses these in single precision


@pytest.mark.parametrize("case", CASES)
def test_same_in_other_memory(case: Case) -> None:
    _, bars, mine = ours(case)
    package = scipy if uses_scipy(case) else np
    for change, digits in ((lying_apart, 1e-9), (in_single, 3e-3)):
        if change is in_single and case.name in ONLY_DOUBLE:
            continue
        given = [change(x) for x in case.inputs]
        value, pull = s2sgrad.vjp(case.function, package, *given, fallback="error")
        cast = [np.asarray(b, np.asarray(y).dtype) for b, y in zip(bars, flat(value), strict=True)]
        for x, one, two in zip(given, mine, list(pull(_like(value, cast)))[1:], strict=True):
            finite = np.abs(one)[np.isfinite(one)]
            np.testing.assert_allclose(
                two, one, digits, digits * max(1.0, np.max(finite, initial=0))
            )
            assert (
                np.asarray(x).dtype.kind not in "fc" or np.asarray(two).dtype == np.asarray(x).dtype
            )


@pytest.mark.parametrize("case", CASES)
def test_same_hessian(case: Case) -> None:
    values, bars, _ = ours(case)
    if not case.second or any(map(np.iscomplexobj, (*values, *case.inputs))):
        pytest.skip("not compared")
    v = np.random.default_rng(3).standard_normal(np.shape(case.inputs[0]))
    package = scipy if uses_scipy(case) else np

    def total(x: Any, function: Any, package: Any, bars: Any, rest: Any) -> Any:
        y = function(package, x, *rest)
        ys = y if isinstance(y, tuple | list) else [y]
        return sum(np.sum(b * one) for b, one in zip(bars, ys, strict=True))

    given = (case.inputs[0], case.function, package, bars, case.inputs[1:])
    mine = s2sgrad.hvp(total, fallback="error")(*given, v)
    compared = []
    for peer in PEERS:
        if peer in case.differs or peer not in CURVATURES:
            continue
        try:
            if not same_values(values, PULLBACKS[peer](case, bars)[0]):
                continue
            theirs = CURVATURES[peer](case, bars, v)
        except NOT_THERE:
            continue
        np.testing.assert_allclose(mine, theirs, 1e-8, 1e-8, err_msg=f"not as in {peer}")
        compared.append(peer)
    if not compared:
        pytest.skip("no other package has this function")

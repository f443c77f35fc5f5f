"""The Numba versions of runtime helpers give what the NumPy ones give."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sgrad_runtime as runtime
from tests.rules.samples.arrays import COLUMN, CUBE, MATRIX, POSITIVE, ROW, VECTOR, WIDE, ZERO_D

numba = pytest.importorskip("numba")
pytestmark = pytest.mark.slow

TIES = np.where(MATRIX > 0, WIDE, MATRIX)
HOLES = np.where(MATRIX > 0, np.nan, MATRIX)

CALLS: list[tuple[str, tuple[Any, ...]]] = [
    ("power_bar_base", (WIDE, MATRIX, 3)),
    ("power_bar_base", (WIDE, np.zeros((2, 3)), 0)),
    ("power_bar_base", (WIDE, POSITIVE, MATRIX)),
    ("power_bar_base", (0.5, 0.7, 2.5)),
    ("power_bar_exponent", (WIDE, POSITIVE**ROW, POSITIVE, ROW)),
    ("power_bar_exponent", (0.5, 0.0, 0.0, 2.0)),
    ("masked", (np.array([np.inf, np.nan, 2.0]), np.array([0.0, 1.0, 0.0]))),
    ("masked", (0.5, 0.0)),
    ("counted", (np.array([np.inf, np.nan, 2.0]), np.array([0.0, 1.0, 0.0]))),
    ("tie_share", (MATRIX, TIES)),
    ("tie_share", (MATRIX, HOLES)),
    ("tie_share", (0.5, ROW)),
    ("gap", (np.array([np.inf, -np.inf, 2.0]), np.array([np.inf, 1.0, 0.5]))),
    ("gap", (np.inf, np.inf)),
    ("sinc_slope", (np.array([0.0, 0.3, -2.2]),)),
    ("unbroadcast", (MATRIX, ROW)),
    ("unbroadcast", (MATRIX, COLUMN)),
    ("unbroadcast", (CUBE, CUBE[:1, :, :1])),
    ("unbroadcast", (CUBE, VECTOR)),
    ("unbroadcast", (MATRIX, 0.5)),
    ("unbroadcast", (MATRIX, ZERO_D)),
    ("unbroadcast", (0.5, MATRIX)),
    ("unbroadcast", (ROW, MATRIX)),
    ("unbroadcast", (COLUMN, MATRIX)),
    ("unbroadcast", (MATRIX, WIDE)),
    ("unbroadcast", (0.5, 0.7)),
    ("broadcast_like", (ROW, MATRIX)),
    ("broadcast_like", (0.3, MATRIX)),
    ("as_cotangent", (MATRIX, MATRIX + 1.0)),
    ("as_cotangent", (0.3, MATRIX)),
    ("as_cotangent", (0.3, 0.5)),
    ("reshape_like", (MATRIX.T, CUBE[0, :, :2])),
    ("unreduce", (0.5, MATRIX)),
    ("unreduce", (ROW, MATRIX, 0)),
    ("unreduce", (COLUMN[:, 0], MATRIX, -1)),
    ("unreduce", (COLUMN, MATRIX, 1, True)),
    ("reduced_count", (MATRIX,)),
    ("reduced_count", (MATRIX, -1)),
    ("tie_count", (MATRIX > 0, MATRIX)),
    ("tie_count", (MATRIX > 9, MATRIX, 1)),
    ("scatter", (ROW, MATRIX, 1)),
    ("scatter", (0.5, MATRIX, (1, 2))),
    ("scatter", (COLUMN, MATRIX, (slice(None), slice(1, 2)))),
    ("scatter", (WIDE[[0, 1, 0]], MATRIX, np.array([0, 1, 1]))),
    ("scatter", (ROW, VECTOR, np.array([0, 3, 3]))),
    ("scatter", (0.5, VECTOR, np.array([0, 3, 3]))),
    ("scatter", (ROW, MATRIX, (np.array([0, 1, 1]), np.array([2, 0, 0])))),
    ("scatter", (VECTOR[:3], MATRIX, np.array([[True, False, True], [False, True, False]]))),
    ("scatter", (0.5, MATRIX, MATRIX > 0)),
    ("matmul_bar_left", (MATRIX @ WIDE.T, MATRIX, WIDE.T.copy())),
    ("matmul_bar_left", (COLUMN[:, 0].copy(), MATRIX, ROW)),
    ("matmul_bar_left", (COLUMN[:, 0].copy(), ROW, WIDE.T.copy())),
    ("matmul_bar_left", (0.3, ROW, ROW)),
    ("matmul_bar_right", (MATRIX @ WIDE.T, MATRIX, WIDE.T.copy())),
    ("matmul_bar_right", (COLUMN[:, 0].copy(), MATRIX, ROW)),
    ("matmul_bar_right", (COLUMN[:, 0].copy(), ROW, WIDE.T.copy())),
    ("matmul_bar_right", (0.3, ROW, ROW)),
]


def compiled(name: str, count: int) -> Callable[..., Any]:
    """A jitted function that calls the helper with `count` arguments."""
    import s2sgrad_runtime.numba_helpers  # noqa: F401  (teaches Numba the helpers)

    names = ", ".join(f"a{i}" for i in range(count))
    made: dict[str, Any] = {}
    exec(f"def call({names}): return {name}({names})", {name: getattr(runtime, name)}, made)
    return numba.njit(made["call"])


@pytest.mark.parametrize(("name", "args"), CALLS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_helper(name: str, args: tuple[Any, ...]) -> None:
    expected = getattr(runtime, name)(*args)
    found = compiled(name, len(args))(*args)
    assert np.size(found) == np.size(expected)
    np.testing.assert_allclose(found, np.reshape(expected, np.shape(found)), rtol=1e-14)


@pytest.mark.parametrize("ranks", [(1, 1), (2, 1), (2, 2), (3, 2)])
def test_unbroadcast_of_arrays_without_entries(ranks: tuple[int, int]) -> None:
    """Cotangents of all shapes that meet x, with axes of 0, 1 and 3 entries on both sides."""
    call, many = compiled("unbroadcast", 2), {0: (0, 1), 1: (0, 1, 3), 3: (1, 3)}
    for shape in itertools.product((0, 1, 3), repeat=ranks[1]):
        x = np.ones(shape)
        for met in itertools.product(*(many[length] for length in shape)):
            x_bar = np.random.default_rng(7).normal(size=(2,) * (ranks[0] - ranks[1]) + met)
            expected = runtime.unbroadcast(x_bar, x)
            found = call(x_bar, x)
            assert found.shape == np.shape(expected)
            np.testing.assert_allclose(found, expected, rtol=1e-14)

"""Products of matrices and vectors in compiled code, however they lie in memory."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sgrad

numba = pytest.importorskip("numba")

SHAPES = [
    ((m, k), (k, n)) for m, k, n in ((3, 4, 5), (1, 4, 1), (3, 1, 2), (0, 3, 2), (2, 0, 3))
] + [((3, 4), (4,)), ((3,), (3, 4)), ((3, 0), (0,)), ((5,), (5,)), ((0,), (0,))]
SOME_SHAPES = [  # the others where slow tests run
    pytest.param(*pair, marks=[] if k in (0, 3, 6) else pytest.mark.slow)
    for k, pair in enumerate(SHAPES)
]
SLOW_DTYPES = ("float64", "float32")  # Numba compiles every layout anew for each dtype


def laid_out(x: np.ndarray) -> Iterator[np.ndarray]:
    """Equal arrays: in rows, in columns, parts of larger ones, backwards, and one row repeated."""
    yield x
    yield np.asfortranarray(x)
    for order, step in (("C", 1), ("F", 1), ("C", 2)):
        large = np.zeros(tuple(step * n + 3 for n in x.shape), x.dtype, order=order)
        part = large[tuple(slice(1, 1 + step * n, step) for n in x.shape)]
        part[...] = x
        yield part
    yield x[..., ::-1].copy()[..., ::-1]
    yield x[::-1].copy()[::-1]
    yield np.broadcast_to(x[:1], x.shape) if len(x) else x


@pytest.fixture(scope="module")
def product() -> Any:
    from s2sgrad_runtime.numba_compiler import Compiler

    return numba.njit(pipeline_class=Compiler)(lambda a, b: a @ b)


@pytest.mark.filterwarnings("ignore::numba.NumbaPerformanceWarning")
@pytest.mark.parametrize(
    "dtype", ["complex128", *(pytest.param(d, marks=pytest.mark.slow) for d in SLOW_DTYPES)]
)
@pytest.mark.parametrize("left, right", SOME_SHAPES)
def test_products_of_every_layout(product: Any, left: Any, right: Any, dtype: str) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=shape) for shape in (left, right))
    a, b = (x.astype(dtype) * (1 + 1j if dtype == "complex128" else 1) for x in (a, b))
    for x, y in itertools.product(laid_out(a), laid_out(b)):
        found, expected = product(x, y), x @ y
        assert np.shape(found) == np.shape(expected)
        assert np.allclose(found, expected, rtol=1e-4 if dtype == "float32" else 1e-12, atol=1e-6)


def test_lengths_that_do_not_fit(product: Any) -> None:
    for a, b in (((2, 3), (2, 3)), ((2, 3), (2,)), ((3,), (2,)), ((3,), (2, 3))):
        with pytest.raises(ValueError, match="different lengths"):
            product(np.ones(a), np.ones(b))


@pytest.mark.slow
def test_chains_of_matrices_in_the_order_that_costs_less() -> None:
    def chains(a: Any, b: Any, c: Any, v: Any) -> float:
        rows = np.linalg.multi_dot((v, c)) + np.linalg.multi_dot([a[0], b, c])
        column = np.linalg.multi_dot([a, b, v])
        return np.sum(np.linalg.multi_dot([a, b, c]) ** 2) + rows @ rows + column @ column

    gradient = s2sgrad.value_and_grad(chains, (0, 1, 2, 3), jit=True, fallback="error")
    for p, q, m, n in ((4, 2, 3, 5), (1, 3, 2, 6), (2, 6, 5, 3)):
        shapes = ((p, q), (q, m), (m, n), (m,))
        args = [np.random.default_rng(p).normal(size=shape) for shape in shapes]
        assert "multi_dot(" not in gradient.source(*args)
        value, slopes = gradient(*args)
        assert value == pytest.approx(chains(*args), rel=1e-12)
        steps = [np.random.default_rng(7).normal(size=shape) for shape in shapes]
        ends = [
            chains(*(a + h * s for a, s in zip(args, steps, strict=True))) for h in (1e-6, -1e-6)
        ]
        slope = sum(np.sum(g * s) for g, s in zip(slopes, steps, strict=True))
        assert slope == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6)


@pytest.mark.slow
def test_products_of_two_precisions() -> None:
    """Numba's np.kron has the precision of its first argument, NumPy's the higher one."""
    fine = np.linspace(0.3, 2.0, 5)
    coarse = fine.astype(np.float32)
    for a, b in ((coarse, fine), (fine, coarse)):
        value, pull = s2sgrad.vjp(lambda a, b: np.kron(a, b), a, b, jit=True)
        np.testing.assert_array_equal(value, np.kron(a, b), strict=True)
        assert [bar.dtype for bar in pull(value)] == [a.dtype, b.dtype]


LIBRARIES = {
    "NumPy's": "",
    "SciPy's": "from numpy._core import _multiarray_umath as m; m.__file__ = 'absent'",
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_either_library(library: str, tmp_path: Path) -> None:
    """NumPy's counts in 64 bits and SciPy's in 32: products, solutions and signs of pivots."""
    program = f"""
import numpy as np, s2sgrad
{LIBRARIES[library]}
from s2sgrad_runtime import numba_blas
assert bool(numba_blas._of_numpy()) == {library == "NumPy's"}
rng = np.random.default_rng(0)
for n in (1, 2, 3, 5, 6):
    a, b = rng.normal(size=(n, n)), rng.normal(size=(n, n))
    f = lambda a, b: np.linalg.det(a) + np.sum(np.linalg.solve(a, b) @ b) + np.sum(a @ b[:, 0])
    found, bars = s2sgrad.value_and_grad(f, (0, 1), jit=True, fallback="error")(a, b)
    value, expected = s2sgrad.value_and_grad(f, (0, 1), fallback="error")(a, b)
    assert np.isclose(found, value, rtol=1e-9) and np.isclose(value, f(a, b), rtol=1e-9)
    assert all(np.allclose(x, y, rtol=1e-8) for x, y in zip(bars, expected))
"""
    script = tmp_path / "script.py"
    script.write_text(program)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

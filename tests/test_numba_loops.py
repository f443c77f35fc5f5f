"""Array statements as loops: the same numbers as the NumPy code, and the form that was meant."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sgrad

pytest.importorskip("numba")


def overlapping(x: Any) -> Any:
    y = x * 1.0
    y[1:] += y[:-1]
    y[:-1] *= y[1:]
    return np.sum(y**2)


def sums_read_in_the_next_statement(a: Any) -> Any:
    totals = np.sum(a * a, axis=0, keepdims=True)
    b = a / totals
    return np.sum(np.exp(b) * np.max(a, axis=1, keepdims=True))


def stencil(a: Any) -> Any:
    b = a.copy()
    for _ in range(3):
        b[1:-1, 1:-1] = 0.2 * (b[:-2, 1:-1] + b[2:, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:])
    return np.sum(b * b)


def dots_of_parts(a: Any) -> Any:
    s = 0.0
    for i in range(1, a.shape[0]):
        s = s + np.dot(a[i, :i], a[i - 1, :i]) * np.sum(np.outer(a[i], a[0]))
    return s


def window(x: Any) -> Any:
    kept = [x]
    for _ in range(4):
        kept.append(np.tanh(kept[-1]))
        if len(kept) > 3:
            kept.pop(0)
    return np.sum(kept[0] * kept[-1])


def bound_changes_between(x: Any) -> Any:
    y, z, k = x.copy(), x * x, 5
    while k > 2:
        y[:k] *= z[:k]
        k -= 1
        z[:k] *= 3.0
    return np.sum(y * z)


FUNCTIONS = (
    overlapping, sums_read_in_the_next_statement, stencil, dots_of_parts, window,
    bound_changes_between,
)  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_same_as_numpy_code(function: Callable[..., Any]) -> None:
    vector = function in (overlapping, window, bound_changes_between)
    x = np.random.default_rng(0).uniform(0.5, 1.5, size=6 if vector else (5, 6))
    found = s2sgrad.value_and_grad(function, jit=True, fallback="error")(x)
    expected = s2sgrad.value_and_grad(function, fallback="error")(x)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-13)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12, atol=1e-14)


def test_jacobi_has_no_growing_storage_and_gathers() -> None:
    from tests.benchmarks.kernels import load

    kernel = load("jacobi_2d")
    args = kernel.arguments(np.random.default_rng(0), "test")
    derivative = s2sgrad.value_and_grad(kernel.primal, kernel.argnums, jit=True, fallback="error")
    source = derivative.source(*args)
    assert "append" not in source and "[]" not in source
    assert source.count("_bordered = np.zeros") == 2
    value, gradients = derivative(*args)
    by_hand = kernel.by_hand(*args)
    assert value == pytest.approx(by_hand[0], rel=1e-12)
    for found, expected in zip(gradients, by_hand[1:], strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_columns_summed_after_a_vector() -> None:
    """Loops over one axis, joined with loops over another, keep their own variables."""

    def f(x: Any, y: Any) -> Any:
        z = np.sin(x) * y + x / (2.0 + y * y)
        z = z - 0.5 * y
        return np.sum(z * z)

    x, y = np.linspace(0.0, 1.0, 6).reshape(2, 3), np.array([0.5, -1.0, 2.0])
    found = s2sgrad.grad(f, argnums=(0, 1), jit=True, fallback="error")(x, y)
    expected = s2sgrad.grad(f, argnums=(0, 1), fallback="error")(x, y)
    for one, two in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12)


KERNELS = ("vadv", "conv2d_bias", "softmax", "hdiff", "trmm", "cholesky", "durbin", "spmv")


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_by_hand(name: str) -> None:
    from tests.benchmarks.kernels import load

    kernel = load(name)
    args = kernel.arguments(np.random.default_rng(0), "test")
    derivative = s2sgrad.value_and_grad(kernel.primal, kernel.argnums, jit=True, fallback="error")
    value, gradients = derivative(*args)
    by_hand = kernel.by_hand(*args)
    assert value == pytest.approx(by_hand[0], rel=1e-12)
    for found, expected in zip(gradients, by_hand[1:], strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", ["cholesky", "lu", "seidel_2d"])
def test_factorisations_save_nothing(name: str) -> None:
    from tests.benchmarks.kernels import load

    kernel = load(name)
    args = kernel.arguments(np.random.default_rng(0), "test")
    derivative = s2sgrad.value_and_grad(kernel.primal, kernel.argnums, fallback="error")
    assert "saved" not in derivative.source(*args)


def test_slices_that_lie_within_are_not_clipped() -> None:
    from tests.benchmarks.kernels import load

    for name in ("durbin", "trmm", "cholesky"):
        kernel = load(name)
        args = kernel.arguments(np.random.default_rng(0), "test")
        derivative = s2sgrad.value_and_grad(kernel.primal, kernel.argnums, jit=True)
        assert "slice_bound" not in derivative.source(*args)


def rows_of_unlike_length(x: Any, y: Any) -> Any:
    s = 0.0
    for i in range(1, 3):
        s = s + np.sum(x[:i] * y[: 3 - i])  # 1 and 2 entries, then 2 and 1
    return s


def test_lengths_that_differ_take_other_code() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 3))
    derivative = s2sgrad.value_and_grad(rows_of_unlike_length, (0, 1), jit=True, fallback="error")
    assert "raise UnequalLengths" in derivative.source(x, y)
    s2sgrad.check_grad(lambda x: rows_of_unlike_length(x, y), x)
    found = derivative(x, y)
    expected = s2sgrad.value_and_grad(rows_of_unlike_length, (0, 1), fallback="error")(x, y)
    assert found[0] == pytest.approx(expected[0], rel=1e-13)
    for a, b in zip(found[1], expected[1], strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-13)


def nan_among(x: Any) -> Any:
    return np.sum(np.max(x, axis=1)) + np.min(x)


def test_extremes_pass_nan_on() -> None:
    x = np.random.default_rng(0).normal(size=(3, 4))
    x[1, 2] = np.nan
    derivative = s2sgrad.value_and_grad(nan_among, jit=True, fallback="error")
    assert np.isnan(derivative(x)[0])


@pytest.mark.slow
def test_rows_of_exp_are_those_of_numpy() -> None:
    from numba import njit

    from s2sgrad_runtime.numba_vectors import IN_PLACE

    x, other = np.random.default_rng(0).uniform(0.1, 3.0, size=(2, 5, 37))

    @njit
    def rows(a: Any, f: Any) -> None:
        for i in range(a.shape[0]):
            f(a[i])

    @njit
    def pairs(a: Any, b: Any, f: Any) -> None:
        for i in range(a.shape[0]):
            f(a[i], b[i])

    for ufunc, in_place in IN_PLACE.items():
        found = x + 1.0 if ufunc is np.arccosh else 0.3 * x
        operands = (found.copy(), other)[: ufunc.nin]
        (rows if ufunc.nin == 1 else pairs)(found, *operands[1:], in_place)
        np.testing.assert_array_equal(found, ufunc(*operands))


def test_pairs_in_one_pass_and_nothing_of_their_size_is_kept() -> None:
    from tests.benchmarks.kernels import load

    kernel = load("nbody")
    args = kernel.arguments(np.random.default_rng(0), "test")
    derivative = s2sgrad.value_and_grad(kernel.primal, kernel.argnums, jit=True, fallback="error")
    source = derivative.source(*args)
    assert "objmode" not in source
    assert source.count("masked_entry") > 0
    kept = [line for line in source.splitlines() if "_saved = " in line and "np.empty" in line]
    assert kept and all("3" in line for line in kept)  # positions and velocities


def test_loops_are_shown_for_a_gradient_that_is_not_compiled() -> None:
    def f(x: np.ndarray) -> float:
        y = x[1:] - x[:-1]
        return np.sum(y**2 * np.exp(-y))

    x = np.linspace(0.0, 1.0, 5)
    plain, compiled = s2sgrad.grad(f), s2sgrad.grad(f, jit=True)
    assert plain.source(x, jit=True) == compiled.source(x)
    assert compiled.source(x, jit=False) == plain.source(x)
    assert "for i in range(" in plain.source(x, jit=True)


def test_what_an_iteration_computes_twice_has_a_name() -> None:
    def f(x: np.ndarray, y: np.ndarray) -> float:
        d = x[:, None] - y
        return np.sum(d * np.sin(d)) + np.sum(np.cos(d) / (1.0 + d**2))

    x, y = np.linspace(0.0, 1.0, 4), np.linspace(-1.0, 2.0, 3)
    df = s2sgrad.grad(f, argnums=(0, 1), jit=True, fallback="error")
    for found, expected in zip(df(x, y), s2sgrad.grad(f, argnums=(0, 1))(x, y), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    for line in df.source(x, y).splitlines():
        assert line.count("x[i]") <= 1
    assert df.source(x, y).count("x[i] - ") == 1


def test_a_value_is_computed_again_after_what_it_reads_has_changed() -> None:
    def f(x: np.ndarray) -> float:
        y = x * 1.0
        s = 0.0
        for i in range(len(x)):
            s += (y[i] * x[i] + 1.0) ** 2
            y[i] = y[i] * x[i] + 1.0
            s += np.sin(y[i] * x[i] + 1.0)
        return s

    x = np.linspace(0.3, 1.0, 5)
    found = s2sgrad.grad(f, jit=True, fallback="error")(x)
    np.testing.assert_allclose(found, s2sgrad.grad(f)(x), rtol=1e-12)
    step = 1e-6 * np.eye(5)
    slopes = [(f(x + e) - f(x - e)) / 2e-6 for e in step]
    np.testing.assert_allclose(found, slopes, rtol=1e-6)


@pytest.mark.slow
def test_systems_of_equations_as_numpy_solves_them() -> None:
    def f(a: np.ndarray, b: np.ndarray) -> float:
        lower = np.linalg.cholesky(a @ a.T + np.eye(3))
        return np.sum(np.linalg.solve(a, b) ** 2) + np.sum(lower**3)

    rng = np.random.default_rng(0)
    a = rng.normal(size=(3, 3)) + 3.0 * np.eye(3)
    df = s2sgrad.grad(f, argnums=(0, 1), jit=True, fallback="error")
    for b in (rng.normal(size=3), rng.normal(size=(3, 2))):
        for found, expected in zip(df(a, b), s2sgrad.grad(f, argnums=(0, 1))(a, b), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-10)
    assert df.source(a, b).count("solved_columns(") == 2  # once forward, once in reverse
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        df(np.zeros((3, 3)), b)
    assert np.isnan(df(np.full((3, 3), np.nan), np.ones(3))[1]).all()


def test_arrays_that_cannot_be_made() -> None:
    def f(x: np.ndarray, n: int) -> float:
        y = np.zeros(n)
        y[: len(x)] = x
        return np.sum(y**2)

    df = s2sgrad.grad(f, jit=True, fallback="error")
    np.testing.assert_allclose(df(np.ones(2), 3), 2.0)
    with pytest.raises(ValueError, match="negative dimensions"):
        df(np.ones(2), -3)


def test_extremes_of_nothing() -> None:
    def f(x: np.ndarray, k: int) -> float:
        return np.max(x[k:] * x[0]) + np.sum(np.min(x.reshape(-1, 1)[:, k:], axis=1))

    with pytest.raises(ValueError, match="zero-size array"):
        s2sgrad.grad(f, jit=True, fallback="error")(np.ones(3), 1)
    df = s2sgrad.grad(lambda x, k: np.max(x[k:] * x[0]), jit=True, fallback="error")
    np.testing.assert_allclose(df(np.arange(1.0, 4.0), 1), [3.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="zero-size array"):
        df(np.ones(3), 3)
    mean = s2sgrad.value_and_grad(lambda x: np.mean(x[3:]), jit=True, fallback="error")
    assert np.isnan(mean(np.ones(2))[0])


def test_each_neighbour_is_added_to_in_a_loop_of_its_own() -> None:
    """LLVM can't tell that the places are apart, or not in time."""

    def f(x: Any, c: Any) -> Any:
        core = x[1:-1, 1:-1]
        flow = 4.0 * core - (x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2])
        return np.sum(c * (flow + 0.5 * (x[2:, 2:] - x[:-2, :-2])))

    args = (np.ones((6, 7, 2)), np.ones((4, 5, 2)))
    source = s2sgrad.grad(f, jit=True, fallback="error").source(*args)
    (sums,) = [part for part in source.split("    for i in ") if part.count("x_bar[") > 4]
    assert sums.count("for k in") == sums.count("x_bar[") == 7


def test_loops_over_what_has_one_entry() -> None:
    def powers(a, b, n):
        y = a * b
        for i in range(n):
            y = y * a + i
        return np.sum(y)

    found = s2sgrad.grad(powers, jit=True, fallback="error")(0.3, np.array([2.0]), 1)
    assert found == pytest.approx(2 * 0.3 * 2.0)


def test_what_each_iteration_makes_for_itself_is_made_once() -> None:
    def relaxed(x: Any, steps: int) -> Any:
        total, kept = 0.0, x
        for _ in range(steps):
            part = np.sin(kept) * kept
            total += np.sum(part[::-1] * x)
            kept = kept + 0.1 * part * part[::-1]
        return total + np.sum(kept)

    df, x = s2sgrad.grad(relaxed, jit=True, fallback="error"), np.linspace(0.3, 1.0, 5)
    assert "np.empty" not in df.source(x, 3).split("for _ in range(steps - 1")[1]
    for steps in (0, 3):
        s2sgrad.check_grad(relaxed, x, steps)
        np.testing.assert_allclose(df(x, steps), s2sgrad.grad(relaxed)(x, steps), rtol=1e-12)


def test_arrays_that_grow_with_a_counter_are_made_once() -> None:
    def turned(x: Any, w: Any, most: float) -> Any:
        y, total = x * 1.0, 0.0
        for k in range(1, x.shape[0]):
            y[:k] += x[k] * np.flip(y[:k])
            plain, ends = np.empty(k), np.empty(k + 1)
            for i in range(k):
                plain[k - 1 - i] = w[i] + w[k]
                ends[i + 1] = w[i] - 1.0
            total += plain[0] + plain[k - 1] + ends[-1]
        for j in range(1, x.shape[0]):
            early = np.empty(j)
            for i in range(j):
                early[i] = w[i] + w[j]
            if early[j - 1] > most:
                break
            total += early[0]
        return total + np.sum(y)

    x = np.linspace(0.3, 1.0, 6) ** 2
    df = s2sgrad.value_and_grad(turned, jit=True, fallback="error")
    code = df.source(x, x, 0.6)
    assert re.search(
        r"y\[i.*\] \+= .* \* y_saved\[place, k - 1 - i.*\]", code
    )  # what was just saved
    assert not re.search(r"y\[i.*\] = y_saved", code)  # read there, not put back
    lengths = re.findall(r"= np\.empty\(([jk].*)\)", code)
    assert lengths == ["k + 1", "j"]  # one is read from its end, one loop may end early
    for n in (6, 2):
        expected = s2sgrad.value_and_grad(turned)(x[:n], x[:n], 0.6)
        for found, wanted in zip(df(x[:n], x[:n], 0.6), expected, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-12)
    s2sgrad.check_grad(turned, x, x, 0.6)


def test_loops_named_after_an_array_that_is_replaced_keep_no_trips() -> None:
    def diffused(start: Any, rate: float, steps: int) -> Any:
        now, half = start.copy(), 2.0
        for _ in range(steps):
            new = now.copy()
            for i in range(1, now.shape[0] - 1):
                weight = rate / half  # the same in every iteration
                new[i] = now[i] + weight * (now[i + 1] - 2.0 * now[i] + now[i - 1])
            now = new
        return np.sum(now**2)

    x = np.linspace(0.3, 1.0, 6) ** 2
    for jit in (False, True):
        df = s2sgrad.grad(diffused, jit=jit, fallback="error")
        assert "trips" not in df.source(x, 0.1, 3)
        step = 1e-6 * np.eye(6)
        slopes = [(diffused(x + e, 0.1, 3) - diffused(x - e, 0.1, 3)) / 2e-6 for e in step]
        np.testing.assert_allclose(df(x, 0.1, 3), slopes, rtol=1e-8)
    assert "saved" not in df.source(x, 0.1, 3)


def test_rounds_that_bind_a_name_before_break_and_after_it_alike() -> None:
    """Numba alone reads `before` of the first round in every round."""

    def settled(p: Any) -> Any:
        before, rounds = 0.0, 0
        while True:
            p = np.sqrt(p * 0.9)
            total = np.sum(p)
            rounds += 1
            if abs(total - before) < 1e-2 or rounds >= 40:
                before = total
                break
            before = total
        return before + 0.01 * rounds

    p = np.array([0.3, 1.2, 2.0])
    value, found = s2sgrad.value_and_grad(settled, jit=True, fallback="error")(p)
    np.testing.assert_allclose(value, settled(p), rtol=1e-14)
    slopes = [(settled(p + e) - settled(p - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(found, slopes, rtol=1e-6)


@pytest.mark.slow
def test_turned_arrays_are_read_where_they_were() -> None:
    def reactions(u: Any, v: Any, rate: float) -> Any:
        def spread(a: Any) -> Any:
            around = np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, (1, -1), axis=(1, 0))
            return around + np.roll(np.roll(a, 2, axis=1), 1, axis=1) - 4.0 * a

        for _ in range(3):
            meet = rate * u * v * v
            u = u + 0.1 * spread(u) - meet
            v += 0.05 * np.roll(v * u, -1, axis=-1) + meet
        turned = np.roll(v[0], -2) * np.roll(u[:, 0], 7)
        return np.sum(v**2) + np.sum(turned)

    df = s2sgrad.value_and_grad(reactions, argnums=(0, 1, 2), jit=True, fallback="error")
    rng = np.random.default_rng(0)
    for n in (5, 1, 2, 3):
        args = rng.uniform(0.2, 1.0, (n, n)), rng.uniform(0.2, 1.0, (n, n)), 0.3
        code = df.source(*args)
        assert "np.roll" not in code
        assert n == 1 or re.search(r"before = \(i - 1\) % \w+\.shape\[0\]", code)
        value, slopes = df(*args)
        expected = s2sgrad.value_and_grad(reactions, argnums=(0, 1, 2))(*args)
        np.testing.assert_allclose(value, expected[0], rtol=1e-13)
        for found, wanted in zip(slopes, expected[1], strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-11)
    s2sgrad.check_grad(reactions, *args)


def _two_products(A, B, C):
    return np.sum(A @ B @ C)


def test_results_that_loops_fill_are_not_copied() -> None:
    args = tuple(np.random.default_rng(0).normal(size=s) for s in ((2, 3), (3, 4), (4, 5)))
    df = s2sgrad.grad(_two_products, argnums=(0, 1, 2), jit=True, fallback="error")
    found = df(*args)
    assert "copy" not in df.source(*args, jit=True)
    assert all(bar.flags.writeable for bar in found)
    for bar, plain in zip(found, s2sgrad.grad(_two_products, (0, 1, 2))(*args), strict=True):
        np.testing.assert_allclose(bar, plain, atol=1e-12)

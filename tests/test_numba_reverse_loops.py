"""What the reverse sweeps of compiled loops save, and the forms of their loops."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import s2sgrad


def _same(function: Any, *args: Any) -> str:
    """Compiled value and gradient are NumPy's, which agree with differences; the compiled code."""
    wrt = tuple(range(len([a for a in args if not isinstance(a, int)])))
    compiled = s2sgrad.value_and_grad(function, wrt, jit=True, fallback="error")
    expected = s2sgrad.value_and_grad(function, wrt)(*args)
    found = compiled(*args)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    for mine, wanted in zip(found[1], expected[1], strict=True):
        np.testing.assert_allclose(mine, wanted, rtol=1e-9, atol=1e-12)
    s2sgrad.check_grad(function, *args)
    return compiled.source(*args, jit=True)


@pytest.mark.slow
def test_neighbours_on_a_ring_need_no_remainder() -> None:
    def energy(s: Any, bond: float) -> float:
        n, m = s.shape
        total = 0.0
        for i in range(n):
            for j in range(m):
                near = s[(i + 1) % n, j] + s[i, (j + 1) % m] + 0.5 * s[i, (j - 1) % m]
                total -= bond * s[i, j] * near
        return total

    rng = np.random.default_rng(0)
    for shape in ((3, 4), (2, 1)):
        code = _same(energy, rng.normal(size=shape), 0.7)
    assert "s[i, j + 1]" in code and "for j in range(1, m - 1):" in code
    assert "bond_bar = add_product(bond_bar" in code  # in any order: LLVM may use vectors
    assert s2sgrad.value_and_grad(energy, jit=True)(np.ones((3, 0)), 0.7)[0] == 0.0


def test_reverse_loops_run_along_rows() -> None:
    def rank_two(weight: float, c: Any, a: Any, b: Any) -> float:
        c = c.copy()
        for i in range(a.shape[0]):
            for k in range(a.shape[1]):
                c[i, : i + 1] += a[: i + 1, k] * weight * b[i, k] + b[: i + 1, k] * a[i, k]
        return np.sum(c * c)

    rng = np.random.default_rng(1)
    code = _same(rank_two, 1.3, *(rng.normal(size=(5, n)) for n in (5, 4, 4)))
    back = code[code.index("c_bar") :]
    assert re.search(r"for (i_\d) in range\(i \+ 1\):\n +for k in range\(a.shape\[1\]\):", back)


@pytest.mark.slow
def test_fluxes_between_cells_go_into_loops_of_their_own() -> None:
    def upwind(start: Any, other: Any, steps: int) -> float:
        h, q = start.copy(), other.copy()
        for _ in range(steps):
            speed = q / h
            left, right = speed[:-1] - h[:-1], speed[1:] + h[1:]
            middle = (right * q[:-1] - left * q[1:] + left * right * (h[1:] - h[:-1])) / 3.0
            flux = np.where(left >= 0, q[:-1], np.where(right <= 0, q[1:], middle))
            h[1:-1] -= 0.1 * (flux[1:] - flux[:-1])
            q[1:-1] -= 0.1 * (speed[1:-1] * flux[1:] - speed[:-2] * flux[:-1])
        return np.sum(h * q)

    rng = np.random.default_rng(2)
    code = _same(upwind, 2.0 + rng.uniform(size=7), 4.0 * rng.normal(size=7), 3)
    for loop in re.split(r"\n +for ", code[code.index("value =") :]):
        added = {(name, at) for name, at in re.findall(r"(\w+_bar)\[(i[^\]]*)\] [+-]=", loop)}
        assert len({name for name, _ in added}) == len(added), loop


@pytest.mark.slow
def test_what_numba_lacks_becomes_loops() -> None:
    def signature(path: Any, weights: Any) -> float:
        level = np.zeros((path.shape[1],) * 3)
        for step in path:
            level = level + np.einsum("i,j,k->ijk", step, path[0], step)
        number = np.einsum("ijk,i,jk->", level, path[0], weights)
        return number + np.sum(np.cov(np.vander(path[:, 1], 3) @ weights) ** 2)

    rng = np.random.default_rng(3)
    code = _same(signature, 0.5 * rng.normal(size=(5, 3)), 0.5 * rng.normal(size=(3, 3)))
    assert not re.search(r"np.einsum\(|einsum_bars|np.vander|np.mean", code)


def test_every_second_entry_is_a_loop() -> None:
    def red_and_black(u: Any, f: Any, steps: int) -> float:
        u = u.copy()
        for _ in range(steps):
            u[1:-1:2] = 0.5 * (u[:-2:2] + u[2::2] - f[1:-1:2])
            u[2:-1:2] = 0.5 * (u[1:-2:2] + u[3::2] ** 2 - f[2:-1:2])
        fine = np.zeros((2 * u.shape[0] - 1, 4))
        fine[::2, ::2] = u[:, None]
        fine[1::2] = 0.5 * (fine[2::2] + fine[:-2:2])
        return np.sum(fine[::3] ** 2) + np.sum(u[::2] * f[::2])

    rng = np.random.default_rng(4)
    for n in (9, 8, 2):
        code = _same(red_and_black, rng.normal(size=n), rng.normal(size=n), 3)
    assert "2 * i" in code and "::2" not in code


def test_branches_of_reverse_loops_become_selections() -> None:
    def upwind(u0: Any, dt: float, steps: int) -> float:
        u, n, flux = u0.copy(), u0.size, np.zeros(u0.size + 1)
        for _ in range(steps):
            for i in range(1, n):
                if u[i - 1] + u[i] > 0:
                    flux[i] = 0.5 * u[i - 1] ** 2
                else:
                    slope = u[i] + u[i - 1]
                    flux[i] = 0.5 * u[i] ** 2 + 0.1 * slope
            for i in range(1, n - 1):
                u[i] = u[i] - dt * (flux[i + 1] - flux[i])
        return np.sum(u**2)

    def at_the_ends(u: Any, k: Any, dt: float) -> float:
        total, old = 0.0, 1.0
        new = u.copy()
        for i in range(u.size):
            left = right = 0.0
            if i > 0:
                left = u[i - 1] * k[i]
            if i < u.size - 1:
                right = u[i + 1] ** 2
            if left > right:
                old = left * dt
            new[i] = u[i] + left - right * dt + old
            total += old * k[i] if u[i] > 0.2 else k[i] ** 2
        return np.sum(new**2) + total

    rng = np.random.default_rng(5)
    code = _same(upwind, rng.normal(size=9), 0.1, 4)
    assert "if branch" not in code[code.index("value =") :]
    for n in (6, 1):
        _same(at_the_ends, rng.normal(size=n), rng.normal(size=n), 0.3)


@pytest.mark.slow
def test_branches_on_a_ring() -> None:
    def rotors(angle: Any, bond: Any, h: float, steps: int) -> float:
        n, m = angle.shape
        energy, angle = 0.0, angle.copy()
        for _ in range(steps):
            for i in range(n):
                for j in range(m):
                    right = (j + 1) % m
                    d = angle[i, right] - angle[(i + 1) % n, j]
                    if d > h:
                        energy += bond[i, j] * (1.0 - 0.5 * d * d)
                    elif d < -h:
                        bend = d * angle[i, j]
                        energy += bond[i, right] * bend
                        angle[i, j] = np.sin(bend) - h
                    else:
                        energy -= d**3
                        angle[i, j] = angle[i, j] - 0.1 * np.cos(bond[i, j]) * d
        return energy + np.sum(angle**2)

    def upwind(u: Any, v: Any, steps: int) -> float:
        n = len(u)
        u = u.copy()
        for _ in range(steps):
            flux = np.zeros(n)
            for i in range(n):
                after = (i + 1) % n
                if v[i] > 0:
                    flux[i] = v[i] * u[i]
                else:
                    flux[i] = v[i] * u[after]
            for i in range(n):
                u[i] = u[i] - 0.1 * (flux[i] - flux[(i - 1) % n])
        return np.sum(u**2)

    rng = np.random.default_rng(6)
    for shape in ((3, 4), (1, 2), (3, 1)):
        _same(rotors, rng.normal(size=shape), rng.normal(size=shape), 0.4, 2)
    for n in (7, 2, 1):
        code = _same(upwind, rng.normal(size=n), rng.normal(size=n), 3)
    back = code[code.index("value =") :]
    assert "u[i + 1]" in back and "u_bar[i + 1] = " not in back


def test_steps_of_a_limiter_keep_the_field_alone() -> None:
    def limited(start: Any, speed: float, steps: int) -> float:
        q = start.copy()
        for _ in range(steps):
            left, right = q[1:-1] - q[:-2], q[2:] - q[1:-1]
            slope = 0.5 * (np.sign(left) + np.sign(right))
            face = q[1:-1] + slope * np.minimum(np.abs(left), np.abs(right))
            q[2:-1] -= speed * (face[1:] - face[:-1])
            q[0] = q[-2]
        return np.sum(q**2)

    def turned(start: Any, speed: float, steps: int) -> float:
        u = start * 1.0
        for _ in range(steps):
            left, right = u - np.roll(u, 1), np.roll(u, -1) - u
            face = u + np.where(left * right > 0.0, left, 0.0) * right
            u = u - speed * (face - np.roll(face, 1))
        return np.sum(u**2)

    x = np.random.default_rng(2).normal(size=11)
    kept = re.findall(r"(\w+) = np\.empty\(\((?:block|steps), ", _same(limited, x, 0.3, 4))
    assert len(kept) == 1 and kept[0].startswith("q_saved")
    assert re.findall(r"(\w+) = np\.empty\(\((?:block|steps), ", _same(turned, x, 0.1, 3)) == [
        "u_saved"
    ]


def test_lists_that_grow_together_share_their_count() -> None:
    def relaxed(x: Any, rate: float) -> float:
        h, time, count = 1.0, 0.0, 0
        while time < 40.0:
            slope = np.sin(x) * rate
            x = x - 0.01 * h * slope * x
            worst = np.max(np.abs(slope))
            if worst > 0.4:
                time = time + 0.5 * h * worst
            h = np.sqrt(h * (1.0 + 0.001 * worst))
            time += h
            count += 1
        return np.sum(x) * h

    rng = np.random.default_rng(3)
    for n in (3, 3000):  # many rows in a block, and two
        code = _same(relaxed, rng.uniform(1.0, 2.0, size=n), 0.7)
    back = code[code.index("_bar") :]
    assert 1 <= len(re.findall(r"\.shape\[0\]\n +\w+_count = \w+_count - 1", back)) <= 2


def test_steps_into_new_arrays_save_one_row_and_copy_nothing() -> None:
    def wave(c: Any, src: Any, nt: int) -> float:
        before, u = np.zeros(8), np.zeros(8)
        heard = 0.0
        for t in range(nt):
            after = np.zeros(8)
            after[1:-1] = 2 * u[1:-1] - before[1:-1] + c * (u[2:] - 2 * u[1:-1] + u[:-2])
            after[4] += src[t]
            before, u = u, after
            heard += u[2] ** 2
        return heard

    def seen_before(x: Any, nt: int) -> float:
        u, kept, s = x.copy(), [], 0.0
        for _ in range(nt):
            new = u * u
            part = new[1:]
            kept.append(new)
            s += np.sum(part**2) * 0.1
            new[2:] = 0.5 * np.sin(u[1:-1]) + 0.1 * new[1:-1] ** 2
            s += np.sum(kept[-1] ** 3) + kept[0][1]
            for i in range(2):
                old = new
                new[i] = u[i + 1] * old[i] + np.sin(old[i + 1])
            u = new
            s += u[0] ** 3
        return s

    rng = np.random.default_rng(0)
    code = _same(wave, rng.normal(size=6), rng.normal(size=9), 9)
    assert code.count("_saved = ") == 1 and ".copy()" not in code
    s2sgrad.check_grad(seen_before, 0.3 * rng.normal(size=6), 3)


@pytest.mark.slow
def test_slopes_margins_and_lengths_of_rows_are_loops() -> None:
    def flow(u: Any, dx: float, n: int) -> float:
        for _ in range(n):
            wide, ring = np.pad(u, 1, mode="edge"), np.pad(u, ((0, 0), (1, 1)), mode="wrap")
            u = u + 0.1 * (wide[2:, 1:-1] * wide[:-2, 1:-1] - ring[:, 2:] * u)
            u = u - 0.1 * u * np.gradient(u, dx, axis=1) + np.roll(u, (1, 0), axis=(0, 1))
        bent = np.diff(np.diff(u, axis=0)) + np.sum(np.pad(u, ((1, 0), (0, 2))) ** 2)
        return np.trapezoid(bent[0] ** 2, dx=dx) + np.sum(np.linalg.norm(u, axis=-1) ** 3)

    u = np.random.default_rng(0).normal(size=(3, 3))
    assert "objmode" not in _same(flow, u, 0.7, 2)


@pytest.mark.slow
def test_what_branches_mask_is_kept_in_arrays_along_rows() -> None:
    def upwind(start: Any, steps: int) -> float:
        q = start.copy()
        for _ in range(steps):
            old = q.copy()
            flow = np.where(old > 0.0, old * old, 1.0 / (old - 1.0))
            q[1:-1, 1:] = old[1:-1, 1:] - 0.1 * flow[1:-1, 1:] * old[1:-1, :-1]
            q[1:-1, 0] = old[1:-1, 0] * old[1:-1, -1] + old[1:-1, 1] * old[1:-1, -2]
            q[0] = q[1]
        return np.sum(q * q)

    code = _same(upwind, np.random.default_rng(3).normal(size=(5, 5)), 3)
    assert "masked_entry(" in code and ".pop()" not in code
    assert "old_saved[_, i, j] = old" in code.replace("_2", "")


@pytest.mark.slow
def test_matrices_are_read_where_they_were_saved() -> None:
    def reflected(start: Any) -> float:
        a = start.copy()
        for k in range(a.shape[1]):
            x = a[k:, k].copy()
            v = x / np.sqrt(np.sum(x * x))
            a[k:, k:] -= 0.5 * np.outer(v, v @ a[k:, k:])
        return np.sum(a * a)

    code = _same(reflected, np.random.default_rng(5).normal(size=(4, 3)))
    back = code[code.index("a_bar") :]
    assert "a_saved[k, k:, k:]" in back and "a[i, j] = a_saved" not in back


def test_loops_that_only_add_run_along_rows_and_forwards() -> None:
    def products(a: Any, c: Any, weight: float) -> float:
        s = np.zeros(c.shape[1])
        for p in range(c.shape[1]):
            for k in range(c.shape[0]):
                s[p] += weight * a[k] * c[k, p]
        last = 0.0
        for p in range(c.shape[1]):
            last = 0.5 * s[p] * last + s[p]  # in this order
        return np.sum(s * s) + last

    rng = np.random.default_rng(2)
    code = _same(products, rng.normal(size=4), rng.normal(size=(4, 3)), 0.7)
    back = code[code.index("c_bar") :]
    assert re.search(
        r"for k in range\(c.shape\[0\] - 1, -1, -1\):\n(?: .*\n)*? +for p in range\(\w+\):", back
    )
    assert "for p in range(c.shape[1] - 1, -1, -1):" in code  # one after the other


def test_entries_are_read_ahead_of_selections() -> None:
    def shortest(start: Any) -> float:
        d = start.copy()
        for k in range(d.shape[0]):
            d = np.minimum(d, d[:, k : k + 1] + d[k : k + 1, :])
        return np.sum(d**2)

    code = _same(shortest, np.random.default_rng(3).uniform(0.5, 9.0, (5, 5)))
    assert "else 0.5 * d_bar_entry" in code


@pytest.mark.slow
def test_arrays_as_long_as_a_shape_that_is_named_whole() -> None:
    def swept(start: Any, rate: float, steps: int) -> float:
        u = start.copy()
        shape, n = u.shape, u.shape[0]
        along, across = np.empty(u.shape), np.empty(shape)
        for _ in range(steps):
            along[:, 0], across[:, 0] = u[:, 0], u[0, :]
            for j in range(1, n):
                along[:, j] = u[j, :] - rate * along[:, j - 1]
                across[:, j] = u[j, :] * along[:, j] + across[:, j - 1]
            for j in range(n - 2, -1, -1):
                u[:, j] = rate * u[:, j + 1] + across[:, j]
        return np.sum(u * u)

    rng = np.random.default_rng(4)
    for n in (1, 2, 5):
        code = _same(swept, rng.uniform(size=(n, n)), 0.3, 2)
    assert "along = np.empty((u.shape[1], u.shape[0]))" in code
    gradient = s2sgrad.grad(swept, jit=True)
    assert "compiled by Numba: all of it" in gradient.explain(np.ones((3, 3)), 0.3, 2)


def test_masks_made_by_functions_are_made_in_the_loops_that_use_them() -> None:
    def between(x: Any, low: float) -> float:
        inside = np.logical_and(low <= x, np.logical_not(x > low + 0.5))
        either = np.logical_or(inside, np.logical_xor(x < 0.1, x > 0.2))
        return np.sum(x[inside] ** 2) + np.sum(np.where(either, x, 0.0) ** 3)

    code = _same(between, np.linspace(0.0, 1.0, 7), 0.33)
    assert code.count("for i in") == 1 and "np.logical_and(low <= x[i]" in code


def test_loops_that_end_early_keep_values_in_arrays_too() -> None:
    def f(x):
        y = x[0]
        for k in range(20):
            y = y * y * 0.5 + 0.1 * x[1]
            if y < 0.1 and k > 2:
                break
        return y

    text = _same(f, np.array([0.9, 0.7]))
    assert "append" not in text
    assert "np.empty(20)" in text

"""Functions of NumPy and SciPy as few programs call them: slopes in every mode."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import pytest
import scipy
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.sparse.linalg
import scipy.special
from scipy import stats

import s2sgrad
from s2sgrad.standins.images import map_coordinates


def check(f: Any, x: Any, *rest: Any) -> None:
    """Gradient against differences of f, Hessian times a vector against those of the gradient."""
    s2sgrad.check_grad(f, x, *rest)
    gradient = s2sgrad.grad(f, fallback="error")
    v, step = np.random.default_rng(1).standard_normal(np.shape(x)), 1e-5
    expected = (gradient(x + step * v, *rest) - gradient(x - step * v, *rest)) / (2.0 * step)
    found = s2sgrad.hvp(f, fallback="error")(x, *rest, v)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6 * (1.0 + np.max(abs(found))))


def along_one_axis(x, function, w, rest):
    y = function(x, *rest)
    ys = y if isinstance(y, tuple | list) else [y]
    return sum(np.sum(b * one**2) for b, one in zip(w, ys, strict=True))


def valid(x, y):
    return scipy.signal.fftconvolve(x, y, mode="valid", axes=1)


def integrals(x):
    return scipy.special.sici(x)


def test_sizes_that_are_differences_of_two_unknown_ones() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((3, 5)), rng.standard_normal((3, 2))
    check(along_one_axis, x, valid, [np.ones((3, 4))], (y,))


def test_several_results_beside_a_list() -> None:
    check(along_one_axis, np.array([0.3, 0.8]), integrals, [np.ones(2), 2.0 * np.ones(2)], ())


def by_memory(x, w):
    y = x.transpose(1, 0, 2).ravel(order="K") * np.reshape(x.T, -1, order="A")
    return np.sum(w * y * (2.0 * x).flatten("K"))


def test_tangents_that_lie_otherwise_in_memory() -> None:
    rng = np.random.default_rng(0)
    c, w, dot = rng.standard_normal((2, 3, 4)), rng.standard_normal(24), np.zeros((2, 3, 4))
    dot[1, 0, 2] = 1.0
    for x in (
        c,
        np.asfortranarray(c),
        np.ascontiguousarray(c.transpose(1, 2, 0)).transpose(2, 0, 1),
    ):
        s2sgrad.check_grad(by_memory, x, w)
        gradient = s2sgrad.grad(by_memory, fallback="error")
        pushed = s2sgrad.jvp(by_memory, (x, w), (dot, None), fallback="error")[1]
        np.testing.assert_allclose(pushed, gradient(x, w)[1, 0, 2])
        near = np.empty_like(x)
        near[...] = 1e-5 * dot
        expected = (gradient(x + near, w) - gradient(x - near, w)) / 2e-5
        found = s2sgrad.hvp(by_memory, fallback="error")(x, w, dot)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def flattened_as_it_lies(x, w):
    return np.sum(np.sin(x.T * 1.0).ravel(order="K") * w)


def test_compiled_code_leaves_the_order_of_memory_to_numpy() -> None:
    pytest.importorskip("numba")
    x, w = np.arange(6.0).reshape(2, 3), np.arange(6.0)
    gradient = s2sgrad.grad(flattened_as_it_lies, jit=True, fallback="error")
    s2sgrad.check_grad(flattened_as_it_lies, x, w)
    np.testing.assert_allclose(gradient(x, w), s2sgrad.grad(flattened_as_it_lies)(x, w))


def guarded(a):
    try:
        root = scipy.linalg.expm(a) @ scipy.linalg.sqrtm(a)
    except ValueError:
        root = a
    return np.sum(root**2)


def test_functions_of_scipy_on_tensors() -> None:
    with pytest.warns(UserWarning, match="try"):
        s2sgrad.check_grad(guarded, np.array([[2.0, 0.3], [0.1, 1.0]]))


def quantiles(x, p):
    weighted = np.quantile(x, [0.2, 0.6], axis=1, method="inverted_cdf", weights=p[0])
    stepping = np.nanquantile(x, [0.33, 0.5], axis=0, method="averaged_inverted_cdf")
    nearest = np.percentile(x, 37.0, method="closest_observation")
    return np.sum(weighted**2) + np.sum(stepping**2) + nearest


def averages(x, p):
    mean, total = np.average(x, axis=0, weights=p, returned=True)
    powers = np.logspace(x[0, 0], x[0, 1], 4, base=p[0, 0])
    joined = np.ediff1d(x, to_begin=p[0], to_end=p[0, 0]) * np.polyint(p[1], 2, k=p[2, 0])[:1]
    return (
        np.sum(mean**2 * total)
        + np.sum(powers)
        + np.sum(np.pad(joined, 1, constant_values=p[0, 1]))
    )


def test_seldom_arguments() -> None:
    rng = np.random.default_rng(0)
    x, p = rng.standard_normal((4, 5)), rng.uniform(0.5, 2.0, (4, 5))
    check(quantiles, x, p)
    check(averages, x, p)
    s2sgrad.check_grad(averages, x, p, argnums=1)


def spaced(x, p):
    line, step = np.linspace(x[0, 0], x[0, 1], 4, retstep=True)
    powers = np.logspace(x[0, 0], x[0, 1], 3, base=p[0])
    tone = scipy.signal.chirp(p[1], x[1, 0], 1.0, x[1, 0], method="hyperbolic")
    tone = tone + scipy.signal.chirp(p[1], p[0, 0], 1.0, p[0, 0], method="logarithmic")
    rest = np.add.accumulate(x[:0], axis=0), np.logaddexp.accumulate(x[:, :0], axis=1)
    kept = np.hypot.reduce(x, axis=-1, where=x > 0.0)
    ends = np.linspace(x[1, 0], x[1, 1], 3, retstep=True)[0]
    return (
        np.sum(line**2) * step + np.sum(powers) + np.sum(tone**2) + np.sum(rest[0])
        + np.sum(rest[1]) + np.sum(kept**3) + np.sum(ends**2)
    )  # fmt: skip


def areas(x, p):
    simpson = scipy.integrate.cumulative_simpson(x, dx=0.3, initial=0.2)
    short = scipy.integrate.cumulative_simpson(x[:2], x=p[:2], axis=0)
    return np.sum(simpson**2) + np.sum(short**3) + np.sum(scipy.integrate.simpson(x, x=p) ** 2)


def test_spacings_and_areas() -> None:
    rng = np.random.default_rng(0)
    x, p = rng.standard_normal((4, 5)), np.cumsum(rng.uniform(0.2, 0.5, (4, 5)), axis=-1)
    check(spaced, x, p)
    s2sgrad.check_grad(spaced, x, p, argnums=1)
    p = np.cumsum(p, axis=0)
    check(areas, x, p)
    v = rng.standard_normal((4, 5))
    gradient, pushed = s2sgrad.grad(areas)(x, p), s2sgrad.jvp(areas, (x, p), (v, None))[1]
    np.testing.assert_allclose(pushed, np.sum(gradient * v))


def summarised(x, p):
    """Summaries of scipy.stats: moments, means and distances, by axes that few give."""
    shape = stats.skew(x, axis=(0, 1), bias=False) * stats.kurtosis(x, axis=None, fisher=False)
    means = stats.gmean(p, axis=1, weights=p) + stats.pmean(p, p[0, 0], axis=1) * stats.sem(x, 1)
    parts = stats.trim_mean(x, 0.3, axis=0) + stats.zscore(x, axis=None, ddof=1)[0]
    spread = stats.median_abs_deviation(x, axis=None) + stats.iqr(x, rng=(10, 70), keepdims=True)
    far = stats.wasserstein_distance(x[0], x[1, :3], p[0], p[1, :3]) * stats.energy_distance(*x[:2])
    turn = stats.circmean(x, 3.0, -1.0, axis=1) * stats.circstd(p) + stats.entropy(p, p**2, 2.0, 1)
    return shape + np.sum(means) + np.sum(parts**2) + np.sum(spread * far) + np.sum(turn**2)


def related(x, p):
    r, chance = stats.pearsonr(x[0], p[0])
    line = stats.linregress(x[1], p[1])
    slope, start, _, _, error = line
    t, unlikely = stats.ttest_ind(x[2], p[2, :3])
    f = stats.f_oneway(x[0], p[0], x[1, :3]).pvalue * stats.ttest_rel(x[0], p[1]).statistic
    density = stats.gaussian_kde(x[:2], "silverman", weights=p[0]).logpdf(p[:2])
    bent = stats.yeojohnson(x, p[0, 0]) * stats.boxcox(p, 0.3) * stats.boxcox_llf(p[0, 0], p[1])
    return (
        r * chance + slope * start * error * line.intercept_stderr + t * unlikely + f
        + stats.chisquare(p[3]).pvalue + np.sum(density**2) + np.sum(bent)
    )  # fmt: skip


def test_summaries_of_samples() -> None:
    rng = np.random.default_rng(0)
    x = rng.permutation(np.linspace(0.4, 0.95, 20) ** 2).reshape(4, 5)
    p = rng.permutation(np.linspace(0.5, 2.0, 20)).reshape(4, 5)
    for f in (summarised, related):
        s2sgrad.check_grad(f, x, p, argnums=(0, 1))


def banded(x, p):
    """Vectors of banded matrices, in SciPy's own phases, and their factors."""
    w, v = scipy.linalg.eigh_tridiagonal(x[0], x[1, :-1], select="i", select_range=(1, 2))
    values, vectors = scipy.linalg.eig_banded(x[:3], lower=True)
    root = scipy.linalg.cholesky_banded(np.stack([0.1 * x[0], p[0] + 2.0]))
    return np.sum(w * v**3) + np.sum(values * vectors**3) + np.sum(root**3)


def surfaces(x, p):
    """Triangles between scattered points, and a spline over a grid."""
    points = np.stack([np.cos(np.arange(5.0)), np.sin(np.arange(5.0))], axis=1) + 0.01 * x[:2].T
    flat = scipy.interpolate.griddata(points, p[0], (0.2 * x[1], 0.3 * x[2]), fill_value=0.5)
    near = scipy.interpolate.NearestNDInterpolator(points, p.T)(0.3 * x[:2].T)
    curved = scipy.interpolate.RectBivariateSpline(np.arange(4.0), np.cumsum(p[0]), x, kx=1, ky=2)
    return np.sum(flat**2) + np.sum(near**2) + np.sum(curved.ev(p[1], p[2], dy=1))


def test_banded_matrices_and_surfaces() -> None:
    rng = np.random.default_rng(4)
    x, p = rng.standard_normal((4, 5)), rng.uniform(0.5, 2.0, (4, 5))
    for f in (banded, surfaces):
        s2sgrad.check_grad(f, x, p, argnums=(0, 1))


def added_by_position(x):
    """What only adds a constant, not by its name: it has no part in the tangent."""
    smooth = scipy.ndimage.gaussian_filter(x, 1.0, 0, None, "constant", 0.7)
    steep = scipy.ndimage.sobel(x, 0, None, "constant", 0.7)
    fitted = scipy.signal.savgol_filter(x, 3, 1, 0, 1.0, -1, "constant", 0.7)
    totals = np.sum(x, 0, None, None, False, 0.7) * np.add.reduce(x, 0, None, None, True, 0.3)
    gaps = np.nansum(x, 0, None, None, False, 0.2) + np.maximum.reduce(x, 0, None, None, False, 0.7)
    return np.sum(smooth**2 * fitted + steep**3) + np.sum(totals * gaps)


def test_constants_by_position_are_not_in_tangents() -> None:
    x = np.random.default_rng(0).standard_normal((4, 5))
    gradient = s2sgrad.grad(added_by_position, fallback="error")(x)
    s2sgrad.check_grad(added_by_position, x)
    found = s2sgrad.jvp(added_by_position, (x,), (x,), fallback="error")[1]
    np.testing.assert_allclose(found, np.sum(gradient * x))


def widened(x, k):
    y = x
    for axis in range(k):
        widths = [(0, 0)] * np.ndim(y)
        widths[axis] = (0, axis + 1)
        y = np.pad(y, widths)
    return np.sum(y[1, :3] ** 2) * np.shape(y)[0] + 10.0 * np.shape(y)[1]


def test_lists_as_long_as_a_rank_that_only_a_run_knows() -> None:
    x = np.arange(6.0).reshape(2, 3)
    assert s2sgrad.value_and_grad(widened, fallback="error")(x, 2)[0] == widened(x, 2)
    found = s2sgrad.hvp(lambda x: np.sum(np.abs(np.fft.fft2(x, (3, 3), (1, 0))) ** 4))(x, x)
    assert found.shape == x.shape


def rows_of_one_array(x, i):
    return np.sum(np.choose(i, x) ** 2) + np.sum(np.concatenate(x) ** 2 * np.hstack(x))


def test_gradients_of_arrays_taken_for_sequences_are_arrays() -> None:
    x, i = np.random.default_rng(0).standard_normal((3, 4)), np.array([0, 2, 1, 1])
    assert isinstance(s2sgrad.grad(rows_of_one_array)(x, i), np.ndarray)
    check(rows_of_one_array, x, i)


def warped(x, points, mode, order):
    seen = scipy.ndimage.map_coordinates(x, points, order=order, mode=mode, cval=0.3)
    return np.sum(seen**2)


def test_images_at_moving_points() -> None:
    rng = np.random.default_rng(0)
    x, points = rng.standard_normal((5, 4)), rng.uniform(-4.0, 8.0, (2, 6))
    for mode, order in (("nearest", 3), ("grid-constant", 1)):
        s2sgrad.check_grad(warped, x, points, mode, order, argnums=(0, 1))


def test_values_at_points_are_those_of_scipy() -> None:
    rng = np.random.default_rng(0)
    x, points = rng.standard_normal((5, 4)), rng.uniform(-4.0, 8.0, (2, 30))
    for mode in ("constant", "nearest", "reflect", "wrap", "grid-wrap", "grid-constant", "mirror"):
        for order, prefilter in itertools.product(range(6), (True, False)):
            given = {"order": order, "mode": mode, "cval": 0.3, "prefilter": prefilter}
            expected = scipy.ndimage.map_coordinates(x, points, **given)
            np.testing.assert_allclose(map_coordinates(x, points, **given), expected, atol=1e-10)


def opened(x):
    y = scipy.ndimage.grey_opening(x, size=3, mode="constant", cval=0.1)
    return np.sum(y**2) + np.sum(scipy.ndimage.white_tophat(x, size=(3, 2), mode="constant") ** 2)


def test_filters_that_pick_what_lies_beside_the_image() -> None:
    check(opened, np.random.default_rng(0).standard_normal((6, 7)))


def moved(x, t):
    y = scipy.ndimage.affine_transform(x, t[:2], offset=t[2], mode="mirror")
    y = scipy.ndimage.rotate(y, 20.0 * t[2, 0], reshape=False, order=2, mode="reflect")
    return np.sum(scipy.ndimage.median_filter(scipy.ndimage.zoom(y, 1.4, order=2), (2, 3)) ** 2)


@pytest.mark.slow
def test_images_moved() -> None:
    rng = np.random.default_rng(0)
    x, t = rng.standard_normal((5, 4)), rng.uniform(0.2, 0.9, (3, 2))
    check(moved, x, t)
    step = 1e-7 * rng.standard_normal((3, 2))  # far kinks, where points pass from entry to entry
    expected = 0.5 * (moved(x, t + step) - moved(x, t - step))
    found = np.sum(s2sgrad.grad(moved, argnums=1, fallback="error")(x, t) * step)
    assert found == pytest.approx(expected, rel=1e-5)


def contracted(x, a):
    return np.einsum("ij,jk,i->", np.outer(x, x), a * x, x)


def second_of_contracted(x, a):
    return np.sum(s2sgrad.hvp(contracted)(x, a, np.ones(2)) * x)


def test_third_order_of_products() -> None:
    rng = np.random.default_rng(0)
    s2sgrad.check_grad(second_of_contracted, rng.standard_normal(2), rng.standard_normal((2, 2)))


def averaged(x, p):
    return np.sum(np.average(x, axis=(0, 1), weights=p))


def test_average_along_axes_compiled() -> None:
    rng = np.random.default_rng(0)
    x, p = rng.standard_normal((3, 4, 2)), rng.uniform(1.0, 2.0, (3, 4))
    found = s2sgrad.grad(averaged, argnums=1, jit=True, fallback="error")(x, p)
    np.testing.assert_allclose(found, s2sgrad.grad(averaged, argnums=1)(x, p))


def scattered(values, points, at, width):
    curve = scipy.interpolate.RBFInterpolator(points, values, smoothing=width)
    return np.sum(curve(at) ** 2)


def lists_for_arrays(values):
    corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.1, 0.9]]
    at = [[0.3, 0.4], [0.5, 0.2]]  # points, where a tuple would hold coordinates
    between = scipy.interpolate.griddata(np.array(corners), values, at) * [1.0, 2.0]
    grid = scipy.interpolate.RegularGridInterpolator(
        ([0, 1], [0, 2]), np.outer(values, values)[:2, :2]
    )
    counts = stats.poisson.logpmf([0, 1, 2, 3], values**2)
    return np.sum(between**2) + grid(at)[0] * grid((0.3, 0.4)) + np.sum(counts * counts[0])


@pytest.mark.slow
def test_interpolation_between_scattered_points() -> None:
    check(lists_for_arrays, np.array([0.3, 0.8, 1.2, 0.5]))
    rng = np.random.default_rng(0)
    values, points, at = rng.standard_normal(6), rng.uniform(size=(6, 2)), rng.uniform(size=(3, 2))
    value = s2sgrad.value_and_grad(scattered, fallback="error")(values, points, at, 0.2)[0]
    assert value == pytest.approx(scattered(values, points, at, 0.2))
    check(scattered, values, points, at, 0.2)
    s2sgrad.check_grad(scattered, values, points, at, 0.2, argnums=(1, 2, 3))


@pytest.mark.filterwarnings("ignore:Polyfit may be poorly conditioned")
def test_values_where_numpy_works_in_a_way_of_its_own() -> None:
    """Fits to large numbers (columns are scaled) and to too few; `out=` larger than the input."""
    years = np.arange(1990.0, 2021.0)

    def cubic(y):
        return 1e3 * np.polyfit(years, y, 3)[0]

    def parts(x):
        a = np.zeros(4)
        b, c = np.modf(x * 4, out=(a, None))
        return (a * b * x).sum() + c.sum() * x[0]

    def too_few(x):
        return np.sum(np.polyfit(x, np.array([1.0, 2.0]), 2, w=np.array([1.0, 0.5])) ** 2)

    for f, x in ((cubic, np.sin(years / 5.0)), (parts, np.array([0.3])), (too_few, [1.5, 2.0])):
        value, _ = s2sgrad.value_and_grad(f, fallback="error")(np.array(x))
        np.testing.assert_allclose(value, f(np.array(x)), rtol=1e-9)
        check(f, np.array(x))


def written_and_flattened_as_it_lies(a):
    a[0] *= 2.0
    return np.sum(np.sin(a.ravel(order="K")) * np.arange(6.0))


def test_copies_of_arguments_lie_as_they_do() -> None:
    a = np.arange(6.0).reshape(2, 3).T * 0.3
    doubled = np.array([2.0, 1.0, 1.0])[:, None]
    expected = doubled * np.cos(a * doubled) * np.arange(6.0).reshape(2, 3).T
    found = s2sgrad.grad(written_and_flattened_as_it_lies, fallback="error")(a)
    np.testing.assert_allclose(found, expected)


def products_along_other_axes(x, a):
    stack = np.multiply.outer(x, x) * a
    turned = np.matmul(stack, a, axes=[(0, 1), (1, 0), (0, 1)])
    kept = np.vecdot(stack, a[0], axis=0, keepdims=True) + np.vecdot(a[0], stack, axes=[0, 1])
    rest = np.vecdot(stack, a[0], axis=0) * np.linalg.vecdot(a[1], stack, axis=-2)
    rows = np.matvec(stack, x, axes=[(2, 0), (0,), (0,)]) * np.vecmat(x, stack, axes=[0, (0, 1), 0])
    return np.sum(turned**2) + np.sum(kept**2) + np.sum(rest) + np.sum(rows)


def test_products_along_axes_of_arrays_of_different_ranks() -> None:
    x, a = np.array([0.5, -1.0, 2.0]), np.random.default_rng(0).standard_normal((3, 3, 3))
    check(products_along_other_axes, x, a)
    s2sgrad.check_grad(products_along_other_axes, x, a, argnums=1)


def parts_out_of_order(x, a):
    first, second, third = np.split(x, [3, len(a) - 2])
    vector, matrix = np.atleast_2d(x, a[0] * x[0])
    a = a[0] * 1.0
    np.fill_diagonal(a[:, :2] * 1.0, x[0])
    tall = np.concatenate([a, 2.0 * a, a])
    np.fill_diagonal(tall, x, wrap=True)
    total = np.sum(first**2) + np.sum(second) + np.sum(third**3) + np.sum(vector @ matrix)
    return total + np.sum(tall**2 * np.arange(9.0)[:, None])


def spaces(x, a):
    basis, rest = scipy.linalg.orth(x[:, :2]), scipy.linalg.null_space(x[:2])
    turn, size = scipy.linalg.orthogonal_procrustes(x, a)
    thin, factor = scipy.linalg.polar(x[:, :2])
    angles = scipy.linalg.subspace_angles(x[:, :2], a[:, :1])
    shortest = scipy.sparse.linalg.lsqr(x[:2], a[0, :2], 0.0, 1e-15, 1e-15)[0]
    kept = (
        np.sum(shortest * a[1])
        + np.sum(basis * a[:, :2])
        + np.sum((rest @ rest.T) * a)
        + np.sum(angles)
    )
    return kept + np.sum(turn * a.T) * size + np.sum(thin**3) + np.sum(factor * a[:2, :2])


def pairs(x, a):
    positive = x @ x.T + np.eye(3)
    lower, middle, _ = scipy.linalg.ldl(positive - 4.0 * np.eye(3))
    r, q = scipy.linalg.rq(x)
    w, left, right = scipy.linalg.eig(x, a + 3.0 * np.eye(3), left=True)
    waves = scipy.linalg.funm(positive, np.sin) @ scipy.linalg.signm(x + a)
    total = np.sum(lower * a) + np.sum(middle * a) + np.sum(r * a) + np.sum(q * a.T)
    lower, middle, _ = scipy.linalg.ldl(x - 2.0 * a, lower=False)  # of which one half is read
    total += np.sum(lower * a) + np.sum(middle * a)
    return total + np.sum(np.abs(left) * a) + np.sum(np.real(w * right[0] / right[1])) + waves[0, 1]


def test_spaces_and_pairs_of_matrices() -> None:
    rng = np.random.default_rng(2)
    x, a = rng.standard_normal((2, 3, 3))
    check(parts_out_of_order, x[0] + np.arange(3.0), a[None])
    s2sgrad.check_grad(spaces, x, a)
    with pytest.raises(ValueError, match="multiple one"):
        s2sgrad.grad(lambda k: scipy.sparse.linalg.eigsh(k * np.eye(3), 1)[0][0])(2.0)
    s2sgrad.check_grad(pairs, x, a)


def waves_and_windows(x, a):
    filtered = scipy.ndimage.convolve(a, x[:2], axes=1, mode="wrap", origin=-1)
    other = scipy.ndimage.correlate(a, x[:2, None] * x[:3], axes=(1, 2))
    near = scipy.special.spherical_jn(np.arange(3), 0.0 * x[0]) * scipy.special.spherical_in(1, x)
    total = np.zeros(3)
    np.hypot.accumulate(x, out=total)
    squares, shares = np.vectorize(lambda one, other: (one * one, one * other))(a, x)
    grids = np.meshgrid(x, x[:2] ** 2, sparse=True)
    tables = np.apply_along_axis(lambda row: np.outer(row, row[:2]), 1, a)
    total = total + stats.moment(a, [2, 3], axis=None)[1] + np.sum(tables**2) * np.sum(shares)
    total = total * np.sum(squares * x) + np.sum(grids[0] ** 2) * np.sum(grids[1] ** 2)
    return np.sum(filtered**2) + np.sum(other**2) + np.sum(near) + np.sum(total**3)


@pytest.mark.slow
def test_windows_along_some_axes() -> None:
    x = np.array([0.5, -1.0, 2.0])
    check(waves_and_windows, x, np.random.default_rng(0).standard_normal((2, 3, 3)))


def test_objects_of_libraries_may_hold_numbers() -> None:
    """What is not followed is refused where it is made of what varies, and read where it is not."""
    turns = pytest.importorskip("scipy.spatial.transform").Rotation

    def turned(x: Any, angles: Any) -> Any:
        return np.sum(turns.from_rotvec(angles).as_matrix() @ x)

    x, angles = np.array([0.3, 0.2, 0.4]), np.array([0.1, 0.2, 0.3])
    expected = np.sum(turns.from_rotvec(angles).as_matrix(), axis=0)
    np.testing.assert_allclose(s2sgrad.grad(turned, fallback="error")(x, angles), expected)
    with pytest.raises((s2sgrad.UnsupportedError, s2sgrad.MissingRuleError)):
        s2sgrad.grad(turned, 1, fallback="error")(x, angles)


def test_partials_that_are_arguments() -> None:
    """What they were given is read at each call, under names that the parameters don't have."""

    def applied(x, power, g):
        return np.sum(power(x) * g(x))

    x = np.array([0.5, 1.5, -0.7])
    for base in (2.0, 3.0):
        power = functools.partial(np.power, base)
        check(applied, x, power, functools.partial(np.multiply, base + x))


def answers(x):
    """Of linear systems to signals: the states of matrices, and of two polynomials."""
    system = x[:4].reshape(2, 2), x[2:4].reshape(2, 1), x[:2].reshape(1, 2), x[3:4].reshape(1, 1)
    _, y, states = scipy.signal.lsim(system, x[:3], np.linspace(0.1, 0.1 + x[4], 3), X0=x[2:4])
    sampled = scipy.signal.dlsim((x[:1], x[1:3] + 4.0, 0.1), x[:3])[1]
    return np.sum(y**3) + np.sum(states**2) + np.sum(sampled**2)


def test_answers_of_linear_systems() -> None:
    check(answers, np.array([0.4, -0.3, 0.5, 0.7, 0.9]))


def borders(c, x):
    """Linear filters beside a number around the image that moves."""
    around = {"mode": "constant", "cval": c[0]}
    filtered = scipy.ndimage.correlate1d(x, c, 0, **around)
    smooth = scipy.ndimage.gaussian_laplace(x, c[1], **around)
    planes = scipy.signal.convolve2d(x, x[:2, :2], "same", fillvalue=c[0])
    return np.sum(filtered * scipy.ndimage.sobel(x, 0, **around)) + np.sum(smooth * planes)


@pytest.mark.slow
def test_filters_beside_a_border_that_moves() -> None:
    check(borders, np.array([0.4, 0.7]), np.cos(np.arange(9.0)).reshape(3, 3))


def densities(x):
    """Of several numbers."""
    p, c = scipy.special.softmax(x[:3]), x[:9].reshape(3, 3)
    counts = stats.multinomial.logpmf(np.array([[1, 2, 0], [0, 2, 1]]), 3, p)
    t = stats.multivariate_t.logpdf(x[:6].reshape(2, 3), x[3:6], c @ c.T + np.eye(3), df=x[9])
    return np.sum(counts**2) + np.sum(t**2) + stats.multivariate_t.pdf(x[:2], x[2:4], x[9])


def resampled(x, padtype, window):
    y = scipy.signal.resample_poly(x, 3, 2, padtype=padtype)
    return np.sum(y**2) + np.sum(scipy.signal.resample_poly(x, 2, 3, 0, window, padtype) ** 2)


def lengthened(x, h, mode):
    return np.sum(scipy.signal.upfirdn(h, x, 2, 3, mode=mode, cval=x[0]) ** 2)


@pytest.mark.slow
def test_signals_that_go_on_beyond_their_ends() -> None:
    rng = np.random.default_rng(0)
    x, window = rng.standard_normal(9), rng.standard_normal(5)
    for padtype in ("maximum", "median", "minimum", "mean", "reflect"):
        check(resampled, x, padtype, window)
        s2sgrad.check_grad(resampled, x, padtype, window, argnums=2)
    for mode in ("constant", "edge", "antireflect", "wrap"):
        check(lengthened, x, rng.standard_normal(7), mode)


NODES = np.array([0.0, 0.4, 0.7, 1.3, 1.9, 2.2, 2.7, 3.1])
BESIDE = np.array([-1.3, 0.17, 2.5, 3.8, 9.0])


def periodic(y, points):
    interpolate = scipy.interpolate
    spline = interpolate.BSpline(0.4 * np.arange(12.0) - 1.0, y, 3, extrapolate="periodic")
    pieces = interpolate.PPoly(y.reshape(4, 2), NODES[[0, 3, 7]], extrapolate="periodic")
    curve = interpolate.CubicSpline(NODES, y, extrapolate="periodic")
    found = spline(points) + pieces(points, 1) + curve(points)
    areas = spline.antiderivative()(points) + curve.antiderivative()(points)
    return np.sum(found**2) + np.sum(np.nan_to_num(areas) ** 2)


def held(y, points, ext):
    curve = scipy.interpolate.InterpolatedUnivariateSpline(NODES, y, ext=ext)
    found = curve(points) + curve.derivative()(points) + curve(points, nu=1)
    return np.sum(found**2)


def turned_up(y):
    middles = 0.5 * (NODES[:-1] + NODES[1:])
    return np.sum(scipy.interpolate.interp1d(NODES, y, kind="nearest-up")(middles) ** 2)


@pytest.mark.slow
def test_curves_beyond_their_ends() -> None:
    y = np.random.default_rng(0).uniform(0.5, 2.0, 8)
    check(periodic, y, BESIDE)
    s2sgrad.check_grad(periodic, y, BESIDE, argnums=1)
    for ext in ("const", "zeros", "extrapolate"):
        check(held, y, BESIDE, ext)
    check(turned_up, y)


def test_options_that_are_refused() -> None:
    a, b = np.random.default_rng(0).standard_normal((2, 3, 3))
    b[:2, :2] = [[0.0, 1.0], [-1.0, 0.0]]
    b[2, :2] = 0.0
    with pytest.raises(NotImplementedError, match="make both complex"):
        s2sgrad.grad(answer_of_sylvester, fallback="error")(a, b)
    with pytest.raises(s2sgrad.UnsupportedError, match="homogeneous_eigvals=True"):
        s2sgrad.grad(projective, fallback="error")(a)


def answer_of_sylvester(a, b):
    return np.sum(np.real(scipy.linalg.solve_sylvester(a * (1.0 + 1.0j), b, b)))


def projective(a):
    return np.sum(np.abs(scipy.linalg.eigvals(a, homogeneous_eigvals=True)))


def test_densities_of_several_numbers() -> None:
    check(densities, np.append(np.cos(np.arange(9.0)), 3.0))


def exponentials(x):
    """Exponentials times vectors: twice, and at several times; beside a complex list item."""
    a, b = x[:9].reshape(3, 3), x[9:12]
    expm_multiply = scipy.sparse.linalg.expm_multiply
    path = expm_multiply(a, b, start=0.1, stop=x[12], num=3)
    return np.sum(expm_multiply(a, expm_multiply(0.5 * a, b)) ** 2) + np.sum(path**2)


def test_exponentials_times_vectors() -> None:
    check(exponentials, np.cos(np.arange(13.0)))


def complex_beside_a_list(z, w):
    out = np.pad(z[0] + 1j * z[1], 1, mode="edge")
    return np.sum(w[0] * np.sin(np.real(out)) + w[0] * np.cos(0.7 * np.imag(out)))


def test_second_order_of_complex_arrays_beside_lists() -> None:
    check(complex_beside_a_list, np.cos(np.arange(8.0)).reshape(2, 4), [np.arange(6.0)])


def said_anyway(x, w):
    """Arguments as they are without being given, and some that few give."""
    nested = np.array([x, 2.0 * x], ndmin=4) * np.sin(x, where=True, out=None)
    ends = np.interp(x, np.arange(3.0), x[:3], left=x[0], period=None)
    filled = np.nan_to_num(np.array([np.nan, np.inf]), nan=x[1], posinf=x[2])
    c, spread = np.polyfit(np.arange(5.0), x, 1, w=w, cov=True)
    areas = scipy.integrate.cumulative_trapezoid(x, dx=x[1])
    area = scipy.integrate.trapezoid(w, np.arange(5.0), dx=x[1])  # which does not read dx
    nested = nested * np.sum(areas) * area
    return np.sum(nested**2) + np.sum(ends**2) + np.sum(filled**3) + np.sum(c**2) + spread[0, 1]


def test_arguments_said_anyway() -> None:
    check(said_anyway, np.array([0.4, -0.3, 1.5, 0.7, 1.9]), np.array([1.0, 0.5, 2.0, 1.2, 0.7]))


def turned_solves(x):
    """With the transpose of a factorized matrix."""
    matrix = scipy.sparse.csc_array((x[:4] + 2.0, ([0, 1, 2, 0], [0, 1, 2, 1])), shape=(3, 3))
    return np.sum(scipy.sparse.linalg.splu(matrix).solve(x[4:], trans="T") ** 2)


def test_solves_with_a_transpose() -> None:
    check(turned_solves, np.cos(np.arange(7.0)))


def powers(z):
    return np.sum(np.sin(z[:3] ** z[3:])) + z[0] ** z[3]


def test_second_order_of_powers_by_both_where_the_exponent_is_zero() -> None:
    check(powers, np.array([2.0, 0.5, 1.5, 0.0, -1.5, 2.0]))


def _squares(x):
    return x**2


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda f, x: s2sgrad.jvp(f, x, x), "s2sgrad.jvp(_length, (x,), (x_dot,))"),
        (lambda f, x: s2sgrad.jvp(f, (x,), x), "s2sgrad.jvp(_length, (x,), (x_dot,))"),
        (lambda f, x: s2sgrad.hvp(f)(x), "s2sgrad.hvp(_length)(x, v)"),
        (lambda f, x: s2sgrad.hvp(f)(), "s2sgrad.hvp(_length)(x, v)"),
        (lambda _, x: s2sgrad.hessian(_squares)(x), "s2sgrad.jacobian(s2sgrad.jacobian(_squares))"),
        (lambda _, x: s2sgrad.hvp(_squares)(x, x), "s2sgrad.jvp(s2sgrad.jacobian(_squares), "),
    ],
)
def test_calls_of_another_shape_say_what_to_write(call, told) -> None:
    def _length(x):
        return np.sum(x**2)

    x = np.ones(3)
    with pytest.raises(TypeError) as caught:
        call(_length, x)
    assert told in str(caught.value)


def test_what_the_errors_say_works() -> None:
    x = np.array([1.0, 2.0, 3.0])
    second = s2sgrad.jacobian(s2sgrad.jacobian(_squares))(x)
    assert second.shape == (3, 3, 3) and second[1, 1, 1] == 2.0
    _, dot = s2sgrad.jvp(s2sgrad.jacobian(_squares), (x,), (x,))
    np.testing.assert_allclose(dot, np.diag(2.0 * x))


def scaled_by_options(x, *rest, **options):
    return x * options.get("scale", 2.0) * options.get("shift", 1.0) + sum(rest)


def test_partials_that_hold_what_goes_into_stars() -> None:
    held = functools.partial(scaled_by_options, scale=3.0)
    value, gradient = s2sgrad.value_and_grad(held, fallback="error")(1.3)
    assert value == pytest.approx(3.9) and gradient == pytest.approx(3.0)
    assert s2sgrad.grad(held, fallback="error")(1.3, shift=5.0) == pytest.approx(15.0)
    first = functools.partial(scaled_by_options, 2.0, 7.0)
    value, gradient = s2sgrad.value_and_grad(first, 1, fallback="error")(4.0, 5.0)
    assert value == pytest.approx(first(4.0, 5.0)) and gradient == pytest.approx(1.0)


def cube_times(x, *, w):
    return np.sum(x**3 * w)


def test_partials_that_hold_a_derivative() -> None:
    x, w = np.array([0.5, -1.0, 2.0]), np.array([1.0, 3.0, -2.0])
    slope = functools.partial(s2sgrad.grad(cube_times), w=w)
    value, tangent = s2sgrad.jvp(slope, (x,), (w,), fallback="error")
    np.testing.assert_allclose(value, 3.0 * x**2 * w)
    np.testing.assert_allclose(tangent, 6.0 * x * w * w)
    np.testing.assert_allclose(s2sgrad.jacobian(slope)(x), np.diag(6.0 * x * w))


@pytest.mark.parametrize("jit", [False, True])
def test_floats_of_another_byte_order(jit: bool) -> None:
    x = np.array([0.5, -1.0, 2.0])
    gradient = s2sgrad.grad(lambda x: np.sum(x**2), fallback="error", jit=jit)(x.astype(">f8"))
    np.testing.assert_allclose(gradient, 2.0 * x)


class Pair:
    def __init__(self, x):
        self.a, self.b = x, x * x


def one_by_name(x):
    return np.sum(getattr(Pair(x), "a" if x[0] > 0 else "b"))


def test_attributes_by_a_name_of_the_run() -> None:
    with pytest.raises(s2sgrad.UnsupportedError, match="a name that only a run knows"):
        s2sgrad.grad(one_by_name, fallback="error")(np.ones(2))


@pytest.mark.parametrize("name", ["gmean", "hmean", "sem", "skew"])
def test_functions_of_scipy_themselves(name: str) -> None:
    """Those that are read from code of ours, which stands for SciPy's own."""
    function = getattr(stats, name)
    x = np.array([0.3, 0.4, 0.9])
    around = [(function(x + e) - function(x - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(s2sgrad.grad(function)(x), around, rtol=1e-6, atol=1e-9)
    value, pullback = s2sgrad.vjp(function, x)
    np.testing.assert_allclose(value, function(x))
    np.testing.assert_allclose(np.ravel(pullback(1.0)[0]), around, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("ufunc", [np.add, np.logaddexp, np.hypot])
@pytest.mark.parametrize("options", [{}, {"axis": -1}, {"keepdims": True}])
def test_reductions_of_arrays_without_axes(ufunc: Any, options: Any) -> None:
    """NumPy takes axes 0 and -1 of the one entry."""
    x = np.asarray(0.3)
    slope = s2sgrad.grad(lambda x: np.sin(ufunc.reduce(x, **options)), fallback="error")
    assert slope(x) == pytest.approx(np.cos(0.3))

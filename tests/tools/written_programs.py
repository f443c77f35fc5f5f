"""Programs for the functions that have no samples in tests/rules: those that take functions, write
into their arguments, or make complex numbers of real ones. Each is `f(x)`, a number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polynomial_programs
from more_programs import programs

A = np.array([[0.7, 0.2, -0.3], [0.1, 1.1, 0.4], [0.3, -0.2, 0.9]])
V = np.array([0.6, -0.4, 1.3])
W = np.array([0.5, -1.2, 0.8, 0.3, 1.1, -0.7])
S = np.array([0.5, 1.2, 0.8, 0.3, 1.1, 0.7])
T = np.array([0.0, 0.7, 1.5, 2.1, 3.0])
START = """import numpy as np
import scipy.sparse
from scipy import fft, integrate, interpolate, linalg, ndimage, optimize, signal, special, stats
from scipy.spatial import distance
import scipy.sparse.linalg as spl

W = np.array([0.5, -1.2, 0.8, 0.3, 1.1, -0.7])
T = np.array([0.0, 0.7, 1.5, 2.1, 3.0])
P = np.linspace(0.1, 2.9, 6)
B = np.array([0.4, -0.6, 1.0])
M = np.array([[True, False, True], [False, True, False], [True, True, False]])
"""
SPD = "scipy.sparse.csr_array(np.array([[3.0, 0.4, 0.0], [0.4, 2.0, 0.3], [0.0, 0.3, 2.5]]))"


def _solved(name: str) -> str:
    """A system that is solved for a right-hand side."""
    options = "rtol=1e-14" if name != "minres" else "rtol=1e-15"
    return f"return np.sum(B * spl.{name}({SPD}, x, {options})[0] ** 2)"


def _root(call: str) -> str:
    """A root that depends on x."""
    return f"return np.sum(x) * optimize.{call}"


def _read(call: str) -> str:
    """A curve through x, read at some places."""
    return f"return np.sum(interpolate.{call} ** 2)"


def _image(call: str) -> str:
    """An image, moved or filtered."""
    return f"return np.sum(np.cos(ndimage.{call}) * A)"


def _signal(call: str) -> str:
    """What scipy.signal makes of samples, or of a filter."""
    return f"y = signal.{call}\nreturn np.sum(np.cos(np.real(y))) + np.sum(np.sin(np.imag(y)))"


def _solve(call: str) -> str:
    """What scipy.linalg makes of a vector of six."""
    return f"y = linalg.{call}\nreturn np.sum(np.cos(y) ** 2)"


CUBE = "lambda z, a: z**3 + a * z - 2.0"
PROGRAMS: dict[str, tuple[str, Any]] = {
    "numpy.angle": ("z = x + 1j * x[::-1]\nreturn np.sum(W[:3] * np.angle(z))", V),
    "numpy.apply_along_axis": (
        "return np.sum(np.apply_along_axis(lambda r: r**2 / r[0], 1, x) * A)", A,
    ),
    "numpy.arange": ("t = np.arange(x[0], 3.0, x[2])\nreturn np.sum(t**2)", V),
    "numpy.fill_diagonal": (
        "y = x * x\nnp.fill_diagonal(y, x[0])\nreturn np.sum(y**2 * A)", A,
    ),
    "numpy.fromfunction": (
        "return np.sum(np.fromfunction(lambda i, j: x[0] * i**2 + x[1] * j * i, (3, 2)) ** 2)", V,
    ),
    "numpy.frompyfunc": (
        "f = np.frompyfunc(lambda a, b: a * b**2, 2, 1)\nreturn np.sum(f(x, W[:3]) ** 2)", V,
    ),
    "numpy.fromiter": ("return np.sum(W[:3] * np.fromiter((v**2 for v in x), float) ** 2)", V),
    "numpy.kaiser": ("return np.sum(W * np.kaiser(6, x[0]) * np.kaiser(6, x[2]))", V),
    "scipy.ndimage.affine_transform": (_image("affine_transform(x, x, x[0], mode='mirror')"), A),
    "scipy.ndimage.map_coordinates": (
        "return np.sum(np.cos(ndimage.map_coordinates(x, 1.0 + x[:2], mode='nearest')))", A,
    ),
    "scipy.ndimage.maximum_filter": (_image("maximum_filter(x, 2)"), A),
    "scipy.ndimage.median_filter": (_image("median_filter(x, 2, mode='wrap')"), A),
    "scipy.ndimage.minimum_filter": (_image("minimum_filter(x, 2, mode='constant')"), A),
    "scipy.ndimage.rotate": (_image("rotate(x, 9.0 * x[0, 0], reshape=False, order=2)"), A),
    "scipy.ndimage.shift": (_image("shift(x, x[0, :2], mode='reflect')"), A),
    "scipy.ndimage.spline_filter": (_image("spline_filter(x)"), A),
    "scipy.ndimage.spline_filter1d": (_image("spline_filter1d(x, 2)"), A),
    "scipy.ndimage.zoom": (_image("zoom(x, 1.3, order=1)[:3, :3]"), A),
    "numpy.piecewise": (
        "return np.sum(W[:3] * np.piecewise(x, [x < 0, x > 1], [lambda v: v**3, 2.0, np.exp]))", V,
    ),
    "numpy.place": ("y = x**2\nnp.place(y, M, [1.0, 2.0])\nreturn np.sum(y**2 * A)", A),
    "numpy.poly": ("return np.sum(W[:4] * np.poly(x))", V),
    "numpy.polydiv": (
        "q, r = np.polydiv(x, np.array([x[0], 2.0]))\nreturn np.sum(q**2) + np.sum(r**2)", V,
    ),
    "numpy.polyfit": ("return np.sum(np.polyfit(T[:3], x, 1) ** 3)", V),
    "numpy.put": ("y = x**2\nnp.put(y, [0, 2], x[:2])\nreturn np.sum(W[:3] * y**2)", V),
    "numpy.put_along_axis": (
        "y = x**2\nnp.put_along_axis(y, np.array([[0], [2], [1]]), x[:, :1], axis=1)\n"
        "return np.sum(y**2 * A)", A,
    ),
    "numpy.putmask": ("y = x**2\nnp.putmask(y, M, x)\nreturn np.sum(y**2 * A)", A),
    "numpy.copyto": ("y = x**2\nnp.copyto(y, x, where=M)\nreturn np.sum(y**2 * A)", A),
    "numpy.apply_over_axes": ("return np.sum(np.apply_over_axes(np.sum, x, [0, 1]) ** 2)", A),
    "numpy.histogram": (
        "y, _ = np.histogram(B, 2, weights=x)\nreturn np.sum(W[:2] * y**2)", V,
    ),
    "numpy.histogram2d": (
        "y = np.histogram2d(B, T[:3], 2, weights=x)[0]\nreturn np.sum(W[:2] * y**2)", V,
    ),
    "numpy.histogramdd": (
        "y = np.histogramdd((B, T[:3]), 2, weights=x)[0]\nreturn np.sum(W[:2] * y**2)", V,
    ),
    "numpy.histogram_bin_edges": (
        "return np.sum(W * np.histogram_bin_edges(x.real, 5) ** 2)", V,
    ),
    "numpy.setdiff1d": ("return np.sum(W[:3] * np.setdiff1d(x, T) ** 2)", V),
    "numpy.sort_complex": ("return np.sum(W[:3] * np.sort_complex(x).real ** 2)", V),
    "numpy.trim_zeros": (
        "return np.sum(B * np.trim_zeros(np.concatenate((np.zeros(2), x))) ** 2)", V,
    ),
    "numpy.union1d": ("return np.sum(W * np.union1d(x, T[1:4]) ** 2)", V),
    **{
        f"scipy.special.{n}": (
            f"y = special.{n}(1.5, x**2 + 0.3)\nreturn np.sum(B * np.real(y)) + np.sum(np.imag(y))",
            V,
        )
        for n in ("hankel1", "hankel1e", "hankel2", "hankel2e")
    },
    "scipy.special.wofz": (
        "y = special.wofz(x)\nreturn np.sum(B * np.real(y)) + np.sum(np.imag(y) ** 2)", V,
    ),
    "scipy.fft.fft2": ("y = fft.fft2(x)\nreturn np.sum(A * np.real(y) ** 2 + np.imag(y))", A),
    "scipy.fft.ifftn": ("y = fft.ifftn(x)\nreturn np.sum(A * np.real(y) ** 2 + np.imag(y))", A),
    "scipy.fft.ifftshift": ("return np.sum(A * fft.ifftshift(x) ** 2)", A),
    "scipy.fft.irfft2": ("return np.sum(fft.irfft2(x + 1j * x.T, (3, 4)) ** 3)", A),
    "scipy.integrate.quad": (
        "return integrate.quad(lambda t, a: np.exp(-a * t * t), 0.0, x[2], (x[0],))[0]", V,
    ),
    "scipy.integrate.fixed_quad": (
        "return integrate.fixed_quad(lambda t, a: np.exp(-a * t), 0.0, x[2], (x[0],), n=6)[0]", V,
    ),
    "scipy.integrate.dblquad": (
        "return integrate.dblquad(lambda s, t, a: np.exp(a * s * t), 0, x[2], 0, 1, (x[0],))[0]", V,
    ),
    "scipy.integrate.tplquad": (
        "return integrate.tplquad("
        "lambda r, s, t, a: a * r * s + t * a**2, 0, x[2], 0, 1, 0, 1, (x[0],))[0]", V,
    ),
    "scipy.integrate.nquad": (
        "return integrate.nquad("
        "lambda s, t, a: np.exp(a * s * t), [[0.0, 1.0], [0.0, x[2]]], (x[0],))[0]", V,
    ),
    "scipy.integrate.odeint": (
        "y = integrate.odeint(lambda y, t, a: -a * y**2, x[0], T, (x[2],), rtol=1e-11,\n"
        "                     atol=1e-11)\nreturn np.sum(y**2)", V,
    ),
    "scipy.integrate.solve_ivp": (
        "y = integrate.solve_ivp(lambda t, y, a: -a * y**2, (0.0, 2.0), x[:1], args=(x[2],),\n"
        "                        rtol=1e-10, atol=1e-10)\nreturn np.sum(y.y[:, -1] ** 2)", V,
    ),
    "scipy.interpolate.make_interp_spline": (
        "return np.sum(W * interpolate.make_interp_spline(T, x)(np.linspace(0.1, 2.9, 6)) ** 2)",
        W[:5],
    ),
    "scipy.interpolate.pchip_interpolate": (
        "return np.sum(W * interpolate.pchip_interpolate(T, x, np.linspace(0.1, 2.9, 6)) ** 2)",
        np.array([0.1, 0.5, 0.7, 1.9, 2.0]),
    ),
    "scipy.interpolate.barycentric_interpolate": (_read("barycentric_interpolate(T, x, P)"), W[:5]),
    "scipy.interpolate.krogh_interpolate": (_read("krogh_interpolate(T, x, P)"), W[:5]),
    "scipy.interpolate.interpn": (_read("interpn((T,), x, P)"), W[:5]),
    "scipy.interpolate.make_lsq_spline": (
        _read("make_lsq_spline(T, x, np.array([0.0, 0, 0, 1.7, 3, 3, 3]), 2)(P)"), W[:5],
    ),
    "scipy.interpolate.make_smoothing_spline": (
        _read("make_smoothing_spline(T, x, lam=0.3)(P)"), W[:5],
    ),
    "scipy.interpolate.splrep": (_read("splrep(T, x)[1][:5]"), W[:5]),
    "scipy.interpolate.splev": (_read("splev(P, interpolate.splrep(T, x))"), W[:5]),
    "scipy.interpolate.splint": (_read("splint(0.2, 2.5, interpolate.splrep(T, x))"), W[:5]),
    "scipy.interpolate.splder": (
        _read("splev(P, interpolate.splder(interpolate.splrep(T, x)))"), W[:5],
    ),
    "scipy.interpolate.splantider": (
        _read("splev(P, interpolate.splantider(interpolate.splrep(T, x)))"), W[:5],
    ),
    "scipy.signal.welch": (_signal("welch(x, nperseg=4)[1]"), W),
    **{
        f"scipy.signal.{n}": (_signal(f"{n}(x, np.sin(x), nperseg=3)[1]"), W)
        for n in ("csd", "coherence")
    },
    "scipy.signal.stft": (_signal("stft(x, nperseg=4)[2]"), W),
    "scipy.signal.istft": (_signal("istft(np.outer(x, x), nperseg=10)[1]"), W),
    "scipy.signal.periodogram": (_signal("periodogram(x)[1]"), W),
    "scipy.signal.spectrogram": (_signal("spectrogram(x, nperseg=3)[2]"), W),
    "scipy.signal.lombscargle": (_signal("lombscargle(P, x, T[1:])"), W),
    "scipy.signal.freqz": (_signal("freqz(x[:3], x[3:] + 4.0, worN=4)[1]"), W),
    **{
        f"scipy.signal.{n}": (
            _signal(f"{n}(np.concatenate((x[:3], np.ones(1), x[4:]))[None], worN=4)[1]"), W,
        )
        for n in ("freqz_sos", "sosfreqz")
    },
    "scipy.signal.freqz_zpk": (_signal("freqz_zpk(x[:2], x[2:], 2.0, worN=4)[1]"), W),
    "scipy.signal.freqs": (_signal("freqs(x[:3], x[3:] + 4.0, P)[1]"), W),
    "scipy.signal.lfilter_zi": (_signal("lfilter_zi(x[:3], x[3:] + 4.0)"), W),
    "scipy.signal.lfiltic": (_signal("lfiltic(x[:3], x[3:] + 4.0, P, T)"), W),
    "scipy.signal.sosfilt_zi": (
        _signal("sosfilt_zi(np.concatenate((x[:3], np.ones(1), x[4:]))[None])"), W,
    ),
    "scipy.signal.upfirdn": (_signal("upfirdn(x[:3], x, 3, 2)"), W),
    "scipy.signal.chirp": (_signal("chirp(P, 2.0 + x[0], 2.0, 3.0)"), W),
    "scipy.signal.sawtooth": (_signal("sawtooth(x)"), W),
    "scipy.signal.gausspulse": (_signal("gausspulse(0.1 * x, fc=2.0)"), W),
    "scipy.linalg.solve_toeplitz": (_solve("solve_toeplitz((x + 4.0 * (P < 0.2), x), P)"), W),
    "scipy.linalg.matmul_toeplitz": (_solve("matmul_toeplitz((x, x[:4]), P[:4])"), W),
    "scipy.linalg.eigvalsh_tridiagonal": (_solve("eigvalsh_tridiagonal(x, P[1:])"), W),
    "scipy.linalg.eigvals_banded": (_solve("eigvals_banded(np.stack([P, x]))"), W),
    "scipy.linalg.cho_solve_banded": (
        _solve("cho_solve_banded((np.stack([x**2 + 3.0, x]), True), P)"), W,
    ),
    "scipy.linalg.expm_frechet": (
        _solve("expm_frechet(np.outer(x, x)[:2, :2], np.diag(x[:2]), compute_expm=False)"), W,
    ),
    **{
        f"scipy.ndimage.{n}": (_image(call), A)
        for n, call in (
            ("percentile_filter", "percentile_filter(x, 40, size=2)"),
            ("rank_filter", "rank_filter(x, 1, size=2)"),
            ("maximum_filter1d", "maximum_filter1d(x, 2)"),
            ("minimum_filter1d", "minimum_filter1d(x, 2)"),
            ("sum", "sum(x, M)"),
            ("sum_labels", "sum_labels(x, M, [0, 1])[0]"),
            ("mean", "mean(x, M, 1)"),
            ("variance", "variance(x, M, 1)"),
            ("standard_deviation", "standard_deviation(x, M, [0, 1])[1]"),
            ("center_of_mass", "center_of_mass(x**2)[0]"),
            ("gaussian_gradient_magnitude", "gaussian_gradient_magnitude(x, 1.0)"),
            ("fourier_gaussian", "fourier_gaussian(x, 1.0)"),
            ("fourier_uniform", "fourier_uniform(x, 2.0)"),
            ("fourier_ellipsoid", "fourier_ellipsoid(x, 2.0)"),
            ("fourier_shift", "fourier_shift(x, 0.5).real"),
        )
    },
    **{
        f"scipy.stats.{name}": (f"return np.sum(np.cos(stats.{call} + 0.2))", S)
        for name, call in (
            ("boxcox", "boxcox(x, x[0])"),
            ("boxcox_llf", "boxcox_llf(x[0], x)"),
            ("chisquare", "chisquare(x)[0]"),
            ("circmean", "circmean(x)"),
            ("circstd", "circstd(x)"),
            ("circvar", "circvar(x)"),
            ("energy_distance", "energy_distance(x[:3], x[3:] ** 2)"),
            ("entropy", "entropy(x)"),
            ("f_oneway", "f_oneway(x[:3], x[2:] ** 2)[1]"),
            ("gaussian_kde", "gaussian_kde(x)(P)"),
            ("gmean", "gmean(x)"),
            ("gstd", "gstd(x)"),
            ("gzscore", "gzscore(x)"),
            ("hmean", "hmean(x)"),
            ("iqr", "iqr(x)"),
            ("kstat", "kstat(x)"),
            ("kurtosis", "kurtosis(x)"),
            ("linregress", "linregress(x, P)[4]"),
            ("median_abs_deviation", "median_abs_deviation(x)"),
            ("moment", "moment(x, 3)"),
            ("pearsonr", "pearsonr(x, P)[1]"),
            ("pmean", "pmean(x, 2.5)"),
            ("sem", "sem(x)"),
            ("skew", "skew(x)"),
            ("tmean", "tmean(x)"),
            ("trim_mean", "trim_mean(x, 0.2)"),
            ("tsem", "tsem(x)"),
            ("tstd", "tstd(x)"),
            ("ttest_1samp", "ttest_1samp(x, 0.3)[1]"),
            ("ttest_ind", "ttest_ind(x, x[:3] ** 2)[1]"),
            ("ttest_rel", "ttest_rel(x, x**2)[0]"),
            ("tvar", "tvar(x)"),
            ("variation", "variation(x)"),
            ("wasserstein_distance", "wasserstein_distance(x[:3], x[3:] ** 2)"),
            ("yeojohnson", "yeojohnson(x, x[0])"),
            ("zmap", "zmap(x, x[:4])"),
            ("zscore", "zscore(x)"),
        )
    },
    **{
        f"scipy.stats.multivariate_normal.{name}": (
            "spread = np.outer(x[:2], x[:2]) + np.eye(2)\n"
            f"return np.sum(np.cos(stats.multivariate_normal.{name}(x[2:4], x[4:6], spread)))",
            W,
        )
        for name in ("cdf", "logcdf")
    },
    "scipy.special.legendre_p_all": (
        "return np.sum(np.cos(special.legendre_p_all(4, x, diff_n=1)))", W,
    ),
    "scipy.special.assoc_legendre_p_all": (
        "return np.sum(np.cos(np.real(special.assoc_legendre_p_all(3, 2, 0.6 * x))))", W,
    ),
    "scipy.special.sph_legendre_p_all": (
        "return np.sum(np.cos(special.sph_legendre_p_all(3, 2, x)))", W,
    ),
    "scipy.special.sph_harm_y_all": (
        "y = special.sph_harm_y_all(3, 2, x, x[::-1] ** 2)\n"
        "return np.sum(np.cos(np.real(y)) + np.imag(y) ** 2)", W,
    ),
    "scipy.special.zetac": ("return np.sum(np.cos(special.zetac(2.0 + x**2)))", W),
    "scipy.special.assoc_laguerre": (
        "return np.sum(np.cos(special.assoc_laguerre(x, 2, 1.5)))", W,
    ),
    "scipy.signal.medfilt": (_signal("medfilt(x, 3)"), W),
    "scipy.signal.medfilt2d": (_signal("medfilt2d(x, 3)"), A),
    "scipy.linalg.cholesky_banded": (
        _solve("cholesky_banded(np.stack([0.3 * np.cos(x), 2.0 + x**2]))[1]"), W,
    ),
    "scipy.linalg.eig_banded": (
        "w, v = linalg.eig_banded(np.stack([np.cos(x), x]))\n"
        "return np.sum(np.cos(w)) + np.sum(v[0] ** 2 * w)", W,
    ),
    "scipy.linalg.eigh_tridiagonal": (
        "w, v = linalg.eigh_tridiagonal(x, np.cos(x[1:]))\n"
        "return np.sum(np.cos(w)) + np.sum(v[0] ** 2 * w)", W,
    ),
    "scipy.interpolate.griddata": (
        "points = np.stack([np.cos(np.arange(6.0)), np.sin(np.arange(6.0))], axis=1)\n"
        "found = interpolate.griddata(points + 0.01 * x, x[:, 0], 0.3 * x[:4])\n"
        "return np.sum(np.cos(found))", np.stack([W, W[::-1] ** 2], axis=1),
    ),
    "scipy.optimize.linprog": (
        "y = optimize.linprog(-np.ones(3), A_ub=M, b_ub=2.0 + x**2).x\nreturn np.sum(B * y**2)", V,
    ),
    "scipy.optimize.lsq_linear": (
        "y = optimize.lsq_linear(x, B, bounds=(-0.1, 0.4)).x\nreturn np.sum(B * y**2)", A,
    ),
    "scipy.optimize.nnls": ("return np.sum(B * optimize.nnls(x, B)[0] ** 2)", A),
    **{
        f"scipy.optimize.{n}": (_root(f"{n}({CUBE}, 0.0, 2.0, (x[2],))"), V)
        for n in ("bisect", "brenth", "brentq", "ridder", "toms748")
    },
    "scipy.optimize.newton": (_root(f"newton({CUBE}, 1.0, args=(x[2],))"), V),
    "scipy.optimize.fixed_point": (
        _root("fixed_point(lambda z, a: np.cos(a * z), 0.5, (x[0],), xtol=1e-12)"), V,
    ),
    "scipy.optimize.root_scalar": (
        _root(f"root_scalar({CUBE}, (x[2],), bracket=(0.0, 2.0)).root"), V,
    ),
    "scipy.optimize.fsolve": (
        "z = optimize.fsolve(lambda z, a: z**3 + a * z - 2.0, np.ones(3), (x**2,))\n"
        "return np.sum(B * z**2)", V,
    ),
    "scipy.optimize.root": (
        "z = optimize.root(lambda z, a: z**3 + a * z - 2.0, np.ones(3), (x**2,)).x\n"
        "return np.sum(B * z**2)", V,
    ),
    "scipy.optimize.least_squares": (
        "z = optimize.least_squares(lambda z, a: z**3 + a * z - 2.0, np.ones(3), args=(x**2,),\n"
        "                           xtol=1e-14, ftol=1e-14, gtol=1e-14).x\n"
        "return np.sum(B * z**2)", V,
    ),
    "scipy.optimize.curve_fit": (
        "p, _ = optimize.curve_fit(lambda t, a, b: a * t**2 + b * t, T[:3], x)\n"
        "return np.sum(p**3)", V,
    ),
    "scipy.optimize.minimize": (
        "z = optimize.minimize(lambda z, a: np.sum(z**4 + a * z * z - z), np.zeros(3), (x**2,),\n"
        "                      tol=1e-10).x\nreturn np.sum(B * z**2)", V,
    ),
    **{
        f"scipy.optimize.{n}": (
            f"z = optimize.{n}(lambda z: np.sum(z**4 + x**2 * z * z - z), np.zeros(3), {exact})\n"
            "return np.sum(B * z**2)", V,
        )
        for n, exact in (
            ("fmin", "xtol=1e-10, ftol=1e-15, maxiter=9999, maxfun=9999, disp=False"),
            ("fmin_bfgs", "gtol=1e-10, disp=False"),
            ("fmin_cg", "gtol=1e-10, disp=False"),
            ("fmin_powell", "xtol=1e-12, ftol=1e-15, disp=False"),
        )
    },
    **{
        f"scipy.optimize.{n}": (
            f"z = optimize.{n}(lambda z: z**3 + x**2 * z - 2.0, np.ones(3){exact}\n"
            "return np.sum(B * z**2)", V,
        )
        for n, exact in (
            ("anderson", ", f_tol=1e-13)"), ("broyden1", ", f_tol=1e-13)"),
            ("broyden2", ", f_tol=1e-13)"), ("newton_krylov", ", f_tol=1e-13)"),
            ("leastsq", ", xtol=1e-14, ftol=1e-14)[0]"),
        )
    },
    **{
        f"scipy.optimize.{n}": (_root(f"{n}(lambda z: z**4 + x[2] * z * z - z, tol=1e-12)"), V)
        for n in ("brent", "golden")
    },
    "scipy.optimize.differential_evolution": (
        "z = optimize.differential_evolution(\n"
        "    lambda z: np.sum(z**4 + x**2 * z * z - z), [(0.0, 2.0)] * 3, rng=1)\n"
        "return np.sum(B * z.x**2)", V,
    ),
    "scipy.optimize.minimize_scalar": (
        _root("minimize_scalar(lambda z, a: z**4 + a * z * z - z, args=(x[2],), tol=1e-12).x"), V,
    ),
    **{
        f"scipy.sparse.linalg.{n}": (_solved(n), V)
        for n in ("bicg", "bicgstab", "cg", "cgs", "gmres", "lgmres", "minres", "qmr")
    },
    **{
        f"scipy.sparse.linalg.{n}": (f"s = x**2 + 2.0\n{line}", V)
        for n, line in (
            ("eigs", "w, v = spl.eigs(B[:, None] * A + np.diag(s), 1)\n"
             "return np.real(w[0]) + np.sum(B * np.abs(v[:, 0]))"),
            ("eigsh", "c = [np.real(s), x[1:], np.conj(x[1:])]\n"
             "K = scipy.sparse.diags_array(c, offsets=[0, 1, -1])\n"
             "w, v = spl.eigsh(K, 1)\nreturn w[0] + np.sum(B * np.abs(v[:, 0]) ** 2)"),
            ("svds", "u, s, vh = spl.svds(A * s, 1)\nreturn s[0] + np.sum(B * u[:, 0] * vh[0])"),
            ("lsqr", "return np.sum(B * spl.lsqr(A * s, x, 0.5)[0])"),
            ("lsmr", "return np.sum(B * spl.lsmr(A * s, x)[0])"),
            ("norm", "return spl.norm(scipy.sparse.diags_array([s, x[1:]], offsets=[0, 1]))"),
            ("spsolve_triangular", "K = scipy.sparse.diags_array([s, x[1:]], offsets=[0, -1])\n"
             "return np.sum(spl.spsolve_triangular(K.tocsr(), B) ** 2)"),
        )
    },
    **{
        f"scipy.linalg.{n}": (f"K = np.outer(x, B) + A\n{line}", V)
        for n, line in (
            ("diagsvd", "return np.sum(linalg.diagsvd(x, 3, 3) @ B * x)"),
            ("funm", "return np.sum(linalg.funm(K, lambda z: np.exp(0.3 * z) * z) * A)"),
            ("hessenberg", "h, q = linalg.hessenberg(K, True)\nreturn np.sum(h * A + q * h)"),
            ("ldl", "l, d, p = linalg.ldl(K + np.conj(K.T))\nreturn np.sum(l * A) + np.sum(d * A)"),
            ("null_space", "z = linalg.null_space(K[:2])\nreturn np.sum((z @ np.conj(z.T)) * A)"),
            ("orth", "z = linalg.orth(K[:, :2])\nreturn np.sum(B * z[:, 0] * z[:, 1])"),
            ("orthogonal_procrustes", "r, s = linalg.orthogonal_procrustes(K, A)\n"
             "return np.sum(r * A) + s"),
            ("rq", "r, q = linalg.rq(K)\nreturn np.sum(r * A) + np.sum(q * A)"),
            ("schur", "t, z = linalg.schur(K)\nreturn np.sum(np.abs(t) * A + np.abs(z) * A.T)"),
            ("signm", "return np.sum(linalg.signm(K - np.eye(3)) * A)"),
            ("subspace_angles", "return np.sum(linalg.subspace_angles(K[:, :2], A[:, :1]))"),
        )
    },
    "scipy.sparse.linalg.factorized": (
        f"solve = spl.factorized({SPD}.tocsc())\nreturn np.sum(B * solve(x) ** 2)", V,
    ),
    "scipy.sparse.linalg.splu": (
        f"return np.sum(B * spl.splu({SPD}.tocsc()).solve(x) ** 2)", V,
    ),
    **programs(V, W, S, A), **polynomial_programs.programs(V),
}  # fmt: skip


AROUND = "def f(x):\n    return np.real((1.0 - 0.3j) * real((1.0 + 0.5j) * x))\n"


def text_of(name: str, around: bool = False) -> tuple[str, Any]:
    """(the program as a text that defines f, its argument). around: through complex numbers."""
    body, x = PROGRAMS[name]
    lines = "\n".join("    " + line for line in body.split("\n"))
    called = "real" if around else "f"
    text = f"{START}A = np.array({A.tolist()})\n\n\ndef {called}(x):\n{lines}\n"
    return text + (f"\n\n{AROUND}" if around else ""), x

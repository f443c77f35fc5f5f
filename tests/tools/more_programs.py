"""Programs as in written_programs.py, for descriptions of filters, distances, morphology, solvers.

V has 3 entries, W and S have 6, A is a matrix of 3 x 3; see there.
"""

from __future__ import annotations

from typing import Any


def programs(V: Any, W: Any, S: Any, A: Any) -> dict[str, tuple[str, Any]]:
    """Full name of a function -> the body of `f(x)`, and x."""
    found: dict[str, tuple[str, Any]] = {}
    for name, call in SIGNALS:
        told = f"found = signal.{call}\nparts = found if isinstance(found, tuple) else (found,)"
        total = "sum([np.sum(np.cos(np.real(y))) + np.sum(np.sin(np.imag(y))) for y in parts])"
        found[f"scipy.signal.{name}"] = f"{told}\nreturn {total}", W
    for name, call in WINDOWS:
        found[f"scipy.signal.windows.{name}"] = f"return np.sum(np.cos(signal.windows.{call}))", V
    for name, call in DISTANCES:
        found[f"scipy.spatial.distance.{name}"] = f"return np.sum(np.cos(distance.{call}))", S
    for name, call in IMAGES:
        found[f"scipy.ndimage.{name}"] = f"return np.sum(np.cos(ndimage.{call}) * A)", A
    for name, parameters in FAMILIES:
        line = f"p = special.{name}({parameters})"
        found[f"scipy.special.{name}"] = f"{line}\nreturn np.sum(p(np.sin(x) ** 2) * B)", V
    for name, line in SOLVERS:
        found[f"scipy.optimize.{name}"] = line, V
    for name in ("gcrotmk", "tfqmr"):
        line = f"z = spl.{name}(scipy.sparse.csr_array(A.T @ A), x, rtol=1e-14)[0]"
        found[f"scipy.sparse.linalg.{name}"] = f"{line}\nreturn np.sum(B * z**2)", V
    for name in ("expm", "inv", "matrix_power"):
        power = ", 3" if name == "matrix_power" else ""
        line = f"y = spl.{name}(scipy.sparse.csr_array(A + np.diag(x)){power})"
        found[f"scipy.sparse.linalg.{name}"] = f"{line}\nreturn np.sum(np.cos(y.toarray()))", V
    for name, arguments in COUNTS:
        for method in ("pmf", "logpmf", "cdf", "sf", "logcdf", "logsf"):
            line = f"return np.sum(np.cos(stats.{name}.{method}(np.array([1, 2, 3]), {arguments})))"
            found[f"scipy.stats.{name}.{method}"] = line, S
    for name, arguments in DENSITIES:
        for method in ("pdf", "logpdf"):
            line = f"return np.sum(np.cos(stats.{name}.{method}({arguments})))"
            found[f"scipy.stats.{name}.{method}"] = line, S
    for name, arguments in TESTS:
        line = f"found = stats.{name}({arguments})"
        found[f"scipy.stats.{name}"] = f"{line}\nreturn np.sum(x**2) * found[0] + found[1]", W
    line = "return np.sum(np.cos(optimize.isotonic_regression(x, weights=W**2).x))"
    found["scipy.optimize.isotonic_regression"] = line, W
    line = "return np.sum(integrate.quad_vec(lambda t: np.exp(-x * t * t), 0.0, x[2])[0] ** 2)"
    found["scipy.integrate.quad_vec"] = line, V
    line = "return np.sum(np.cos(linalg.fiedler_companion(x)) * np.arange(5.0))"
    found["scipy.linalg.fiedler_companion"] = line, W
    return found


ROWS = "x[:2, None], x[2:4, None]"
COUNTS = (
    ("betabinom", f"7, {ROWS}"),
    ("betanbinom", f"7, {ROWS}"),
    ("logser", "0.5 * x[:2, None]"),
    ("nchypergeom_fisher", "20, 7, 12, x[:2, None]"),
    ("poisson_binom", "0.7 * x"),
    ("skellam", ROWS),
    ("yulesimon", "x[:2, None]"),
    ("zipf", "1.3 + x[:2, None]"),
    ("zipfian", "x[:2, None], 5"),
)
LONGER = "np.append(x, x[:3] ** 2)"
TESTS = (
    *((name, LONGER) for name in ("jarque_bera", "kurtosistest", "normaltest", "skewtest")),
    *((name, "x, P") for name in ("kendalltau", "kruskal", "mannwhitneyu", "pointbiserialr")),
    *((name, "x, P") for name in ("ranksums", "spearmanr", "weightedtau")),
    ("friedmanchisquare", "x, P, P[::-1]"),
)
DENSITIES = (
    ("gausshyper", "0.7 * x, 1.5, 2.0, 1.3, x[::-1]"),
    ("ksone", "0.7 * x, 7"),
    ("kstwobign", "x"),
)
SYSTEM = "(x[:4].reshape(2, 2), x[2:4].reshape(2, 1), x[:2].reshape(1, 2), x[5:].reshape(1, 1))"
ROOTS = "x[:2], x[2:5] + 4.0, x[5]"
WINDOWS = (
    ("exponential", "exponential(6, tau=x[0])"),
    ("gaussian", "gaussian(6, x[0])"),
    ("general_cosine", "general_cosine(6, x)"),
    ("general_gaussian", "general_gaussian(6, x[0], 2.0 + x[1])"),
    ("general_hamming", "general_hamming(6, x[0])"),
    ("get_window", "get_window(('gaussian', 2.0 + x[1]), 6)"),
    ("kaiser", "kaiser(6, x[0], sym=False)"),
    ("tukey", "tukey(6, 0.9 / (1.0 + x[0] ** 2))"),
)
POLES = "(x[:2], x[2:5] + 2.0)"
SIGNALS = (
    ("bode", f"bode({POLES}, T)"),
    ("dimpulse", "dimpulse((x[:2], x[2:5] + 4.0, 0.1), n=4)[1][0]"),
    ("dlsim", "dlsim((x[:2], x[2:5] + 4.0, 0.1), x)"),
    ("dstep", "dstep((x[:2], x[2:5] + 4.0, 0.1), n=4)[1][0]"),
    ("freqresp", f"freqresp({SYSTEM}, T)"),
    ("impulse", f"impulse({POLES}, T=np.arange(3.0))[1]"),
    ("lsim", f"lsim({POLES}, x, np.arange(6.0) * 0.2)"),
    ("ss2tf", f"ss2tf{SYSTEM}[0]"),
    ("step", f"step({POLES}, T=np.arange(3.0))[1]"),
    ("tf2ss", f"tf2ss{POLES}"),
    ("zpk2ss", f"zpk2ss({ROOTS})"),
    ("firwin", "firwin(5, 0.5 + 0.2 * np.cos(x[0]), window=('kaiser', 2.0 + x[1]))"),
    ("get_window", "get_window(('kaiser', 2.0 + x[1]), 6)"),
    ("bilinear", "bilinear(x[:2], x[2:5] + 2.0, 1.0 + x[5] ** 2)"),
    ("bilinear_zpk", f"bilinear_zpk({ROOTS}, 1.7)"),
    ("cont2discrete", f"cont2discrete({SYSTEM}, 0.3)"),
    ("czt", "czt(x, 4, np.exp(-1j * x[0]), 1.0 + 0.1 * x[1])"),
    ("deconvolve", "deconvolve(x, x[:3] + 2.0)"),
    ("freqs_zpk", f"freqs_zpk({ROOTS}, T)[1]"),
    ("gauss_spline", "gauss_spline(x, 3)"),
    ("group_delay", "group_delay((x[:3] + 2.0, x[3:] + 3.0), 5)[1]"),
    ("hilbert2", "hilbert2(np.real(np.outer(x, x)))"),
    ("lp2bp", "lp2bp(x[:2], x[2:5] + 2.0, 1.0 + x[5] ** 2, 0.7)"),
    ("lp2bp_zpk", f"lp2bp_zpk({ROOTS}, 1.7, 0.3)"),
    ("lp2bs", "lp2bs(x[:2], x[2:5] + 2.0, 1.0 + x[5] ** 2, 0.7)"),
    ("lp2bs_zpk", f"lp2bs_zpk({ROOTS}, 1.7, 0.3)"),
    ("lp2hp", "lp2hp(x[:2], x[2:5] + 2.0, 1.0 + x[5] ** 2)"),
    ("lp2hp_zpk", f"lp2hp_zpk({ROOTS}, 1.7)"),
    ("lp2lp", "lp2lp(x[:2], x[2:5] + 2.0, 1.0 + x[5] ** 2)"),
    ("lp2lp_zpk", f"lp2lp_zpk({ROOTS}, 1.7)"),
    ("normalize", "normalize(x[:3], x[3:])"),
    ("sos2tf", "sos2tf(np.stack([x, x * x + 1.0]))"),
    ("sweep_poly", "sweep_poly(T, 0.1 * x[:3], 10.0 * x[0])"),
    ("tf2zpk", "tf2zpk(x[:3], x[2:])[0]"),
    ("vectorstrength", "vectorstrength(x, 1.7)"),
    ("wiener", "wiener(x, 3, 0.1)"),
    ("zoom_fft", "zoom_fft(x, 0.7)"),
    ("zpk2tf", f"zpk2tf({ROOTS})"),
)
DISTANCES = (
    *((name, f"{name}(x[:3], x[3:])") for name in (
        "braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "cosine", "euclidean",
        "jensenshannon", "minkowski", "sqeuclidean",
    )),
    ("cdist", "cdist(x.reshape(2, 3), x.reshape(2, 3)[::-1] ** 2, 'minkowski', p=3)"),
    ("mahalanobis", "mahalanobis(x[:3], x[3:], np.diag(B**2))"),
    ("pdist", "pdist(x.reshape(3, 2))"),
    ("seuclidean", "seuclidean(x[:3], x[3:], B**2)"),
    ("squareform", "squareform(x) * np.arange(16.0).reshape(4, 4)"),
)  # fmt: skip
IMAGES = (
    *((name, f"{name}(x, 2)") for name in (
        "black_tophat", "grey_closing", "grey_dilation", "grey_erosion", "grey_opening",
        "morphological_gradient", "morphological_laplace", "white_tophat",
    )),
    ("maximum", "maximum(x, M, [0, 1])[0]"),
    ("median", "median(x, M)"),
    ("minimum", "minimum(x, M, 1)"),
)  # fmt: skip
BOWL = "lambda z: np.sum(z**4 + x**2 * z * z - z)"
SLOPE = "lambda z: 4.0 * z**3 + 2.0 * x**2 * z - 1.0"
BOX = "[(0.0, 2.0)] * 3"
SOLVERS = (
    ("rosen_hess", "return np.sum(np.cos(0.01 * optimize.rosen_hess(x)))"),
    ("rosen_hess_prod", "return np.sum(np.cos(0.01 * optimize.rosen_hess_prod(x, B)))"),
    ("fminbound", "return np.sum(x) * optimize.fminbound("
     "lambda z: z**4 + x[2] * z * z - z, 0.0, 2.0, xtol=1e-12)"),
    *((name, f"z = {call}\nreturn np.sum(B * z**2)") for name, call in (
        ("basinhopping", f"optimize.basinhopping({BOWL}, np.ones(3), niter=1, rng=1).x"),
        ("dual_annealing", f"optimize.dual_annealing({BOWL}, {BOX}, "
         "rng=1, maxiter=5, minimizer_kwargs={'method': 'BFGS', 'options': {'gtol': 1e-11}}).x"),
        ("shgo", f"optimize.shgo({BOWL}, {BOX}).x"),
        ("fmin_l_bfgs_b",
         f"optimize.fmin_l_bfgs_b({BOWL}, np.ones(3), {SLOPE}, pgtol=1e-10, factr=10.0)[0]"),
        ("fmin_ncg", f"optimize.fmin_ncg({BOWL}, np.ones(3), {SLOPE}, avextol=1e-12, disp=0)"),
        ("fmin_slsqp",
         f"optimize.fmin_slsqp({BOWL}, np.ones(3), fprime={SLOPE}, acc=1e-15, disp=0)"),
        *((name, f"optimize.{name}(lambda z: z - 0.3 * np.cos(z) * x, np.ones(3), f_tol=1e-13)")
          for name in ("diagbroyden",)),
        ("linearmixing", "optimize.linearmixing("
         "lambda z: z - 0.3 * np.cos(z) * x, np.ones(3), f_tol=1e-13, alpha=-0.5)"),
        ("excitingmixing", "optimize.excitingmixing("
         "lambda z: 0.3 * np.cos(z) * x - z, np.ones(3), f_tol=1e-13, alpha=0.5)"),
    )),
)  # fmt: skip
FAMILIES = (
    ("chebyc", "3"), ("chebys", "3"), ("chebyt", "3"), ("chebyu", "3"), ("hermite", "3"),
    ("hermitenorm", "3"), ("laguerre", "3"), ("legendre", "3"), ("sh_chebyt", "3"),
    ("sh_chebyu", "3"), ("sh_legendre", "3"), ("gegenbauer", "3, 0.7"), ("genlaguerre", "3, 0.7"),
    ("jacobi", "3, 0.7, 0.4"), ("sh_jacobi", "3, 1.7, 0.9"),
)  # fmt: skip

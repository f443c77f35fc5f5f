"""Why a public function has no derivative rule, by name or by kind."""

from __future__ import annotations

import re
from typing import Any

# Functions that are not ufuncs and take real arguments only.
REAL_ONLY = (
    "numpy.arange",
    "scipy.stats",
    "scipy.integrate",
    "scipy.interpolate",
    "scipy.ndimage",
    "scipy.optimize",
    "scipy.sparse.linalg.factorized",
    "scipy.sparse.linalg.minres",
    "scipy.sparse.linalg.splu",
    "scipy.spatial",
    "scipy.fft.dct",
    "scipy.fft.dctn",
    "scipy.fft.dst",
    "scipy.fft.dstn",
    "scipy.fft.idct",
    "scipy.fft.idctn",
    "scipy.fft.idst",
    "scipy.fft.idstn",
    "scipy.fft.rfft",
    "scipy.fft.rfft2",
    "scipy.fft.rfftn",
    "scipy.fft.ihfft",
    "scipy.signal.hilbert",
    "scipy.special.legendre_p",
    "scipy.special.legendre_p_all",
    "scipy.special.softmax",
    "scipy.special.sph_harm_y",
    "scipy.special.sph_harm_y_all",
    "scipy.special.sph_legendre_p",
    "scipy.special.sph_legendre_p_all",
    "scipy.special.log_softmax",
    "scipy.special.polygamma",
    "scipy.special.multigammaln",
    "scipy.special.comb",
    "scipy.special.perm",
    "scipy.special.factorial",
    "scipy.special.diric",
    "scipy.special.zeta",
    "numpy.fft.rfft",
    "numpy.fft.rfft2",
    "numpy.fft.rfftn",
    "numpy.fft.ihfft",
    "numpy.fft.fftfreq",
    "numpy.fft.rfftfreq",
    "numpy.histogram2d",
    "numpy.histogramdd",
    "numpy.interp",
    "numpy.kaiser",
    "numpy.percentile",
    "numpy.quantile",
    "numpy.nanpercentile",
    "numpy.nanquantile",
)

IO = "reads, writes or describes; no arithmetic"
SETTINGS = "a setting"
CONSTANTS = "constants: no float argument"
INVERSE_ORDER = "found by degrees of freedom, and SciPy has no function for a slope by them"
CLOSED = "SciPy has no function for its slope"
OF_ORDERS = "a number of an equation, by its parameters; SciPy has no function for its slope"
CALLBACK = "takes a function: write the step that follows it, or give it a rule"
SOLVER = "a solver without a rule yet: root, brentq, minimize and least_squares have one"
PIECEWISE = "picks or ranks entries, flat in most of them; take them by index, or ndimage's filters"
DESIGN = "designs a filter or a window from numbers; its coefficients are constants"
SYSTEM = "changes descriptions of systems; lfilter, sosfilt and freqz have rules by coefficients"

NUMERIC = "SciPy integrates it, and has no function for its slope"
WHOLE = "its parameters are whole numbers"

NOT_YET = "no rule yet"

TRIANGLES = "its vectors and blocks jump where eigenvalues change places; use schur, eig, svd or qr"
UPDATES = "a factorization that is brought up to date: factorize the new matrix"
KNOTS = "chooses knots or smoothness by the values: splrep and make_lsq_spline take knots as given"
SPECTRA = "eigenvectors of large matrices: eigsh, eigs and svds are read"
PATTERNS: tuple[tuple[str, str], ...] = (
    (r"scipy\.stats\.(hypergeom|nhypergeom|randint)\.", WHOLE),
    (r"scipy\.stats\.(landau|levy_stable|studentized_range|nchypergeom_\w+)\.", NUMERIC),
    (r"scipy\.stats\.(ks\w+)\.", NUMERIC),
    (r"scipy\.stats\.\w+\.(cdf|sf|logcdf|logsf|ppf|isf)$", NUMERIC),
    (r"scipy\.linalg\.(qz|ordqz|rsf2csf|cdf2rdf|cossin)$", TRIANGLES),
    (r"scipy\.linalg\.matrix_balance", "powers of two, flat almost everywhere; no rule"),
    (r"scipy\.linalg\.qr_(delete|insert|update|multiply)", UPDATES),
    (r"scipy\.linalg\.expm_cond", "an estimate of a condition number"),
    (r"scipy\.interpolate\.(make_splp|make_splr|splprep|generate|bisplrep)", KNOTS),
    (
        r"scipy\.interpolate\.(bisplev|insert|spalde|sproot)",
        "surfaces and roots of splines: RegularGridInterpolator and RBFInterpolator have rules",
    ),
    (r"scipy\.interpolate\.(lagrange|pade|approx)", "returns polynomials; np.polyfit has a rule"),
    (r"scipy\.integrate\.(newton_cotes|lebedev)", "constants: nodes and weights"),
    (r"scipy\.optimize\.(show_options|linprog_verbose)", IO),
    (r"scipy\.sparse\.linalg\.lobpcg$", SPECTRA),
    (r"scipy\.sparse\.linalg\.onenorm", "an estimate; np.linalg.norm of A.toarray() has a rule"),
    (r"scipy\.sparse\.linalg\.spilu", "leaves out entries by their size; splu is read"),
    (r"scipy\.sparse\.linalg\.funm_mult", "takes a function; expm_multiply is read"),
    (r"scipy\.sparse\.linalg\.(use_solver|is_sptri|spbandw|aslinear)", SETTINGS),
    (
        r"scipy\.signal\.([cq]spline|spline_filter|gauss_spline|symiir|sepfir2d)",
        "a spline on whole numbers: ndimage.spline_filter and map_coordinates have rules",
    ),
    (
        r"scipy\.signal\.(closest_STFT|envelope|minimum_phase)",
        "write it with np.fft, whose functions have rules",
    ),
    (r"scipy\.signal\.(correlation_lags|czt_points|findfreqs)", CONSTANTS),
    (r"scipy\.signal\.square", "flat almost everywhere"),
    (r"numpy\.(load|save|gen|from|getbuf|setbuf|show|info|print|get_|set_|test|nested)", IO),
    (r"numpy\.polynomial\.\w+\.\w+trim$", "cuts off zeros: its length depends on the values"),
    (r"numpy\.polynomial\.\w+\.\w+(gauss|pts[12])$", CONSTANTS),
    (r"numpy\.(busday|is_busday|datetime)", "dates"),
    (r"numpy\.(seterr|geterr)", SETTINGS),
    (r"numpy\.row_stack", "removed from NumPy; use vstack"),
    (r"scipy\.special\.(geterr|seterr)", SETTINGS),
    (r"scipy\.special\.(roots_\w+|\w+_roots|\w+_zeros|bernoulli|euler|stirling2)", CONSTANTS),
    (r"scipy\.special\.factorial[2k]", "whole numbers"),
    (r"scipy\.special\.(chndtridf|ncfdtridf\w|nctdtridf)", INVERSE_ORDER),
    (r"scipy\.special\.(mathieu|obl_|pro_|ellip_normal)", OF_ORDERS),
    (r"scipy\.special\.ellip_harm", CLOSED),
    (r"scipy\.special\.(lqm?n|riccati|lmbda|pb[dv]._seq|\w+_all)", "returns a table of orders"),
    (r"scipy\.linalg\.(find_best|get_)", "looks up a library routine"),
    (r"scipy\.linalg\.clarkson", "random"),
    (r"scipy\.spatial\.distance\.directed_hausdorff", "gives subscripts too: take rows of cdist"),
    (r"scipy\.spatial\.distance\.(is_valid|num_obs)", "the result carries no derivative"),
    (r"scipy\.spatial\.distance\.", "between sets or truth values, flat"),
    (r"scipy\.fft\.(\w+_backend|\w+_workers)", SETTINGS),
    (r"scipy\.fft\.(next|prev)_fast_len|scipy\.fft\.fhtoffset", CONSTANTS),
    (r"scipy\.(integrate|optimize)\.(newton_cotes|lebedev|rosen|show|linprog_v)", NOT_YET),
    (r"scipy\.optimize\.(linear_sum|quadratic_ass)", "chooses whole numbers"),
    (r"scipy\.optimize\.milp", "whole numbers do not move; read linprog where they are fixed"),
    (r"scipy\.optimize\.(check_grad|approx_fprime|bracket|line_search)", CALLBACK),
    (r"scipy\.optimize\.", SOLVER),
    (r"scipy\.integrate\.", CALLBACK),
    (r"scipy\.interpolate\.(make_|splprep|bispl|lagrange|pade|approx)", NOT_YET),
    (r"scipy\.ndimage\.(label|find_objects|value_indices|binary_\w+|generate|iterate)", "labels"),
    (r"scipy\.ndimage\.(generic|geometric|vectorized)", CALLBACK),
    (
        r"scipy\.ndimage\.(grey|max|min|median|percentile|rank|morph|white|black|watershed)",
        PIECEWISE,
    ),
    (r"scipy\.ndimage\.(distance|extrema|histogram|value)", PIECEWISE),
    (r"scipy\.signal\.(check_|choose)", IO),
    (r"scipy\.signal\.(arg|find_|peak|order_filter)", PIECEWISE),
    (r"scipy\.signal\.windows\.(chebwin|dpss|kaiser_bessel_derived|taylor)", DESIGN),
    (r"scipy\.signal\.windows\.", "constants: no float argument"),
    (
        r"scipy\.signal\.(bessel|butt|cheb|ellip|fir|iir|kaiser|remez|savgol_coeffs"
        r"|gammatone|max_len|unit_impulse|band_stop)",
        DESIGN,
    ),
    (
        r"scipy\.signal\.(abcd|bilinear|bode|cont2|d[bfils]|freq|lp2|lsim|place|s[os]s?2|sos2|ss2"
        r"|step|tf2|zpk2|impulse|inv?res|residue|normalize|group|unique|dbode)",
        SYSTEM,
    ),
)


def reason(name: str, function: Any) -> str:
    """The reason for one full name, `scipy.special.ai_zeros`."""
    for pattern, why in PATTERNS:
        if re.match(pattern, name):
            return why
    return NOT_YET

"""Floor 2: distributions of scipy.stats with longer expressions, as in `scipy_stats_table`."""

from __future__ import annotations

from s2sgrad.rules.scipy_stats_entry import Distribution

CAUCHY_LEFT, CAUCHY_RIGHT = "1.0 / (1.0 + (z - c) ** 2)", "1.0 / (1.0 + (z + c) ** 2)"
RISE = "-np.expm1(-c * z)"  # of genexpon's rate: a + b * RISE
POWER_OF_HALF = "(1.0 - c * z) ** (1.0 / c)"
KAPPA_LOG = "(1.0 + scipy_xlogy(z**a, z)) / (a + z**a)"
STRETCHED = "np.exp(z**c - a**c)"
LEFT_WEIGHT = "(-1.0 / np.expm1(a**c - b**c))"  # of exp(-a**c), over the difference to b's
RIGHT_WEIGHT = "(1.0 / np.expm1(b**c - a**c))"
BELOW = f"(({STRETCHED} - 1.0) * z ** (1.0 - c))"
TOP = "1.0 / (d - c + 1.0)"
TURN = "(1.0 + c * c - 2.0 * c * np.cos(z))"
RADIUS = "np.sqrt(a + b + z * z)"
HALF = f"(0.5 + 0.5 * z / {RADIUS})"
ROOT = "np.sqrt(1.0 + z * z)"
BESSEL = "scipy_ive(0.5 * df, np.sqrt(nc * z)) / scipy_ive(0.5 * df - 1.0, np.sqrt(nc * z))"
HYPERBOLIC = f"scipy_kve(p - 1.5, a * {ROOT}) / scipy_kve(p - 0.5, a * {ROOT})"
GAP = "np.sqrt((a - b) * (a + b))"
HYPERBOLIC_GAP = f"scipy_kve(p - 1.0, {GAP}) / scipy_kve(p, {GAP})"
SIDE = "(m / beta - beta - z)"
TAIL = "(m / (beta * (m - 1.0)) * np.exp(-0.5 * beta * beta))"
WHOLE = f"({TAIL} + 2.5066282746310002 * scipy_ndtr(beta))"
BY_BETA = f"((np.exp(-0.5 * beta * beta) - {TAIL} * (1.0 / beta + beta)) / {WHOLE})"
BY_M = f"({TAIL} * (1.0 / m - 1.0 / (m - 1.0)) / {WHOLE})"

FURTHER_CONTINUOUS = (
    Distribution(
        "alpha",
        "(a - 1.0 / z) / -(z * z) - 2.0 / z",
        (
            (
                "a",
                "1.0 / z - a - skew_ratio(a)",
                "z * z * (1.0 - skew_ratio(a) / skew_ratio(a - 1.0 / z))",
            ),
        ),
    ),
    Distribution(
        "argus",
        "1.0 / z - z / (1.0 - z * z) + chi * chi * z",
        (
            (
                "chi",
                "3.0 / chi - chi * (1.0 - z * z) - scipy_argus_pdf(z, chi)"
                " * np.exp(-0.5 * (chi * z) ** 2) / (chi * z * np.sqrt(1.0 - z * z))",
                "(scipy_argus_sf(z, chi) * np.exp(-0.5 * (chi * z) ** 2) / np.sqrt(1.0 - z * z)"
                " - (1.0 - z * z)) / (chi * z)",
            ),
        ),
    ),
    Distribution(
        "burr",
        "((d + 1.0) * c / (1.0 + z**c) - c - 1.0) / z",
        (
            ("c", "1.0 / c + np.log(z) * ((d + 1.0) / (1.0 + z**c) - 1.0)", "z * np.log(z) / c"),
            (
                "d",
                "1.0 / d - np.log1p(z**-c)",
                "-np.log1p(z**-c) * (1.0 + z**-c) * z ** (c + 1.0) / (c * d)",
            ),
        ),
    ),
    Distribution(
        "crystalball",
        f"np.where(z > -beta, -z, m / {SIDE})",
        (
            (
                "beta",
                f"np.where(z > -beta, 0.0, m * (m / (beta * beta) + 1.0) / {SIDE}"
                f" - m / beta - beta) - {BY_BETA}",
                f"np.where(z > -beta, {BY_BETA} / skew_ratio(-z), {SIDE} / (m - 1.0)"
                f" * ((m - 1.0) * (m / (beta * beta) + 1.0) / {SIDE} - m / beta - beta"
                f" - {BY_BETA}))",
            ),
            (
                "m",
                f"np.where(z > -beta, 0.0, np.log(m / (beta * {SIDE})) + 1.0"
                f" - m / (beta * {SIDE})) - {BY_M}",
                f"np.where(z > -beta, {BY_M} / skew_ratio(-z), {SIDE} / (m - 1.0)"
                f" * (np.log(m / (beta * {SIDE})) + 1.0 + (1.0 - m) / (beta * {SIDE})"
                f" - 1.0 / (m - 1.0) - {BY_M}))",
            ),
        ),
    ),
    Distribution(
        "exponnorm",
        "skew_ratio(z - 1.0 / K) - 1.0 / K",
        (
            (
                "K",
                "((z + skew_ratio(z - 1.0 / K) - 1.0 / K) / K - 1.0) / K",
                "(1.0 / K - z - skew_ratio(z - 1.0 / K)) / K",
            ),
        ),
    ),
    Distribution(
        "exponpow",
        "(b - 1.0 - b * z**b * np.expm1(z**b)) / z",
        (("b", "1.0 / b + np.log(z) * (1.0 - z**b * np.expm1(z**b))", "z * np.log(z) / b"),),
    ),
    Distribution(
        "fatiguelife",
        "1.0 / (z + 1.0) - 1.5 / z - 0.5 * (1.0 - 1.0 / (z * z)) / (c * c)",
        (
            (
                "c",
                "(z - 1.0) ** 2 / (z * c**3) - 1.0 / c",
                "-2.0 * z * (z - 1.0) / (c * (z + 1.0))",
            ),
        ),
    ),
    Distribution(
        "foldcauchy",
        f"-2.0 * ((z - c) * ({CAUCHY_LEFT}) ** 2 + (z + c) * ({CAUCHY_RIGHT}) ** 2)"
        f" / ({CAUCHY_LEFT} + {CAUCHY_RIGHT})",
        (
            (
                "c",
                f"2.0 * ((z - c) * ({CAUCHY_LEFT}) ** 2 - (z + c) * ({CAUCHY_RIGHT}) ** 2)"
                f" / ({CAUCHY_LEFT} + {CAUCHY_RIGHT})",
                f"({CAUCHY_RIGHT} - {CAUCHY_LEFT}) / ({CAUCHY_LEFT} + {CAUCHY_RIGHT})",
            ),
        ),
    ),
    Distribution(
        "genexpon",
        f"b * c * np.exp(-c * z) / (a + b * ({RISE})) - a - b * ({RISE})",
        (
            ("a", f"1.0 / (a + b * ({RISE})) - z", f"z / (a + b * ({RISE}))"),
            (
                "b",
                f"({RISE}) / (a + b * ({RISE})) + ({RISE}) / c - z",
                f"(z - ({RISE}) / c) / (a + b * ({RISE}))",
            ),
            (
                "c",
                f"b * z * np.exp(-c * z) / (a + b * ({RISE}))"
                f" + b * (z * np.exp(-c * z) - ({RISE}) / c) / c",
                f"b * (({RISE}) / c - z * np.exp(-c * z)) / (c * (a + b * ({RISE})))",
            ),
        ),
    ),
    Distribution(
        "genhalflogistic",
        f"(c - 1.0 + 2.0 * {POWER_OF_HALF} / (1.0 + {POWER_OF_HALF})) / (1.0 - c * z)",
        (
            (
                "c",
                "-np.log1p(-c * z) / (c * c) - (1.0 / c - 1.0) * z / (1.0 - c * z)"
                f" + 2.0 * {POWER_OF_HALF} / (1.0 + {POWER_OF_HALF})"
                " * (np.log1p(-c * z) / (c * c) + z / (c * (1.0 - c * z)))",
                "(1.0 - c * z) * np.log1p(-c * z) / (c * c) + z / c",
            ),
        ),
    ),
    Distribution(
        "genhyperbolic",
        f"b - a * z / {ROOT} * {HYPERBOLIC}",
        (
            ("p", None, None),
            (
                "a",
                f"2.0 * p * a / ((a - b) * (a + b)) - (2.0 * p - 1.0) / a"
                f" + a / {GAP} * {HYPERBOLIC_GAP} - {ROOT} * {HYPERBOLIC}",
                None,
            ),
            (
                "b",
                f"z - b / {GAP} * {HYPERBOLIC_GAP} - 2.0 * p * b / ((a - b) * (a + b))",
                None,
            ),
        ),
    ),
    Distribution(
        "geninvgauss",
        "(p - 1.0) / z - 0.5 * b * (1.0 - 1.0 / (z * z))",
        (
            ("p", None, None),
            ("b", "scipy_kve(p + 1.0, b) / scipy_kve(p, b) - p / b - 0.5 * (z + 1.0 / z)", None),
        ),
    ),
    Distribution(
        "jf_skew_t",
        f"(a + b) * ((a + 0.5) / {HALF} - (b + 0.5) / (1.0 - {HALF})) / (2.0 * {RADIUS} ** 3)",
        (
            (
                "a",
                f"np.log({HALF}) - scipy_digamma(a) + scipy_digamma(a + b) - 0.5 / (a + b)"
                f" - 0.25 * z * ((a + 0.5) / {HALF} - (b + 0.5) / (1.0 - {HALF})) / {RADIUS} ** 3",
                f"{RADIUS} ** 3 / (a + b) * 2.0 * betainc_slope(a, b, {HALF})"
                f" / beta_density(a, b, {HALF}) - 0.5 * z / (a + b)",
            ),
            (
                "b",
                f"np.log(1.0 - {HALF}) - scipy_digamma(b) + scipy_digamma(a + b) - 0.5 / (a + b)"
                f" - 0.25 * z * ((a + 0.5) / {HALF} - (b + 0.5) / (1.0 - {HALF})) / {RADIUS} ** 3",
                f"{RADIUS} ** 3 / (a + b) * -2.0 * betainc_slope(b, a, 1.0 - {HALF})"
                f" / beta_density(a, b, {HALF}) - 0.5 * z / (a + b)",
            ),
        ),
    ),
    Distribution(
        "kappa3",
        "-(a + 1.0) * z ** (a - 1.0) / (a + z**a)",
        (
            (
                "a",
                f"1.0 / a + np.log(a + z**a) / (a * a) - (a + 1.0) / a * {KAPPA_LOG}",
                f"z * (a + z**a) / (a * a) * (np.log(a + z**a) / a - {KAPPA_LOG})",
            ),
        ),
    ),
    Distribution(
        "mielke",
        "(k - 1.0 - (s + k) / (1.0 + z**-s)) / z",
        (
            (
                "k",
                "1.0 / k + np.log(z) - np.log1p(z**s) / s",
                "z * (1.0 + z**s) / k * (np.log(z) - np.log1p(z**s) / s)",
            ),
            (
                "s",
                "k * np.log1p(z**s) / (s * s) - (1.0 + k / s) * np.log(z) / (1.0 + z**-s)",
                "z * (1.0 + z**s) / s * (np.log1p(z**s) / s - np.log(z) / (1.0 + z**-s))",
            ),
        ),
    ),
    Distribution(
        "ncx2",
        f"(0.5 * df - 1.0) / z - 0.5 + 0.5 * np.sqrt(nc / z) * {BESSEL}",
        (
            ("df", None, None),
            (
                "nc",
                f"0.5 * np.sqrt(z / nc) * {BESSEL} - 0.5",
                f"-np.sqrt(z / nc) * {BESSEL}",
            ),
        ),
    ),
    Distribution(
        "norminvgauss",
        f"b - a * z / {ROOT} * scipy_k0e(a * {ROOT}) / scipy_k1e(a * {ROOT})"
        " - 2.0 * z / (1.0 + z * z)",
        (
            (
                "a",
                f"a / {GAP} - {ROOT} * scipy_k0e(a * {ROOT}) / scipy_k1e(a * {ROOT})",
                None,
            ),
            ("b", f"z - b / {GAP}", None),
        ),
    ),
    Distribution(
        "powerlognorm",
        "((1.0 - c) * skew_ratio(-np.log(z) / s) / s - 1.0 - np.log(z) / (s * s)) / z",
        (
            (
                "c",
                "1.0 / c + scipy_log_ndtr(-np.log(z) / s)",
                "-z * s * scipy_log_ndtr(-np.log(z) / s) / (c * skew_ratio(-np.log(z) / s))",
            ),
            (
                "s",
                "((np.log(z) / s) ** 2 - 1.0"
                " + (c - 1.0) * skew_ratio(-np.log(z) / s) * np.log(z) / s) / s",
                "-z * np.log(z) / s",
            ),
        ),
    ),
    Distribution(
        "powernorm",
        "(1.0 - c) * skew_ratio(-z) - z",
        (
            (
                "c",
                "1.0 / c + scipy_log_ndtr(-z)",
                "-scipy_log_ndtr(-z) / (c * skew_ratio(-z))",
            ),
        ),
    ),
    Distribution(
        "rdist",
        "(2.0 - c) * z / (1.0 - z * z)",
        (
            (
                "c",
                "0.5 * (np.log1p(-z * z) - scipy_digamma(0.5 * c) + scipy_digamma(0.5 * c + 0.5))",
                "(betainc_slope(0.5 * c, 0.5 * c, 0.5 + 0.5 * z)"
                " - betainc_slope(0.5 * c, 0.5 * c, 0.5 - 0.5 * z))"
                " / beta_density(0.5 * c, 0.5 * c, 0.5 + 0.5 * z)",
            ),
        ),
    ),
    Distribution(
        "recipinvgauss",
        "(1.0 / (z * mu * mu) - 1.0) / (2.0 * z) - 0.5",
        (
            (
                "mu",
                "(1.0 / (z * mu) - 1.0) / (mu * mu)",
                "2.0 / (mu * mu) * np.exp(2.0 / mu + scipy_log_ndtr(-(1.0 / (z * mu) + 1.0)"
                " * np.sqrt(z))) / scipy_recipinvgauss_pdf(z, mu)",
            ),
        ),
    ),
    Distribution(
        "trapezoid",
        "np.where(z < c, 1.0 / z, np.where(z <= d, 0.0, -1.0 / (1.0 - z)))",
        (
            (
                "c",
                f"{TOP} - np.where(z < c, 1.0 / c, 0.0)",
                f"np.where(z < c, 0.5 * z * ({TOP} - 1.0 / c),"
                f" np.where(z <= d, (z - 0.5 * c) * {TOP} - 0.5, -0.5 * (1.0 - z) * {TOP}))",
            ),
            (
                "d",
                f"np.where(z > d, 1.0 / (1.0 - d), 0.0) - {TOP}",
                f"np.where(z < c, -0.5 * z * {TOP}, np.where(z <= d, (0.5 * c - z) * {TOP},"
                f" 0.5 * (1.0 - z) * ({TOP} - 1.0 / (1.0 - d))))",
            ),
        ),
    ),
    Distribution(
        "truncpareto",
        "-(b + 1.0) / z",
        (
            (
                "b",
                "1.0 / b - np.log(z) - np.log(c) / np.expm1(b * np.log(c))",
                "z / b * (np.log(z) - np.expm1(b * np.log(z)) * np.log(c)"
                " / np.expm1(b * np.log(c)))",
            ),
            (
                "c",
                "-b / (c * np.expm1(b * np.log(c))) + 0.0 * z",
                "-np.expm1(b * np.log(z)) * z / (c * np.expm1(b * np.log(c)))",
            ),
        ),
    ),
    Distribution(
        "truncweibull_min",
        "(c - 1.0 - c * z**c) / z",
        (
            (
                "c",
                "1.0 / c + np.log(z) * (1.0 - z**c)"
                f" + scipy_xlogy(a**c, a) * {LEFT_WEIGHT} - scipy_xlogy(b**c, b) * {RIGHT_WEIGHT}",
                f"(z * np.log(z) - scipy_xlogy(a**c, a) * {STRETCHED} * z ** (1.0 - c)"
                f" + {BELOW} * (scipy_xlogy(a**c, a) * {LEFT_WEIGHT}"
                f" - scipy_xlogy(b**c, b) * {RIGHT_WEIGHT})) / c",
            ),
            (
                "a",
                f"c * a ** (c - 1.0) * {LEFT_WEIGHT} + 0.0 * z",
                f"a ** (c - 1.0) * ({BELOW} * {LEFT_WEIGHT} - z ** (1.0 - c) * {STRETCHED})",
            ),
            (
                "b",
                f"-c * b ** (c - 1.0) * {RIGHT_WEIGHT} + 0.0 * z",
                f"-{BELOW} * b ** (c - 1.0) * {RIGHT_WEIGHT}",
            ),
        ),
    ),
    Distribution(
        "wrapcauchy",
        f"-2.0 * c * np.sin(z) / {TURN}",
        (
            (
                "c",
                f"-2.0 * c / (1.0 - c * c) - 2.0 * (c - np.cos(z)) / {TURN}",
                "2.0 * np.sin(z) / (1.0 - c * c)",
            ),
        ),
    ),
)

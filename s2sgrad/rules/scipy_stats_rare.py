"""Floor 2: distributions of scipy.stats that few programs use, as in `scipy_stats_table`."""

from __future__ import annotations

from s2sgrad.rules.scipy_stats_entry import Distribution

# dpareto_lognorm: a normal number, and Mills' ratios at points beside it.
NORMAL = "((np.log(z) - u) / s)"
X1, X2 = f"(a * s - {NORMAL})", f"(b * s + {NORMAL})"
SHARE1, SHARE2 = f"mills_share({X1}, {X2})", f"mills_share({X2}, {X1})"
RECIPROCAL = f"mills_whole({X1}, {X2})"
TURN1, TURN2 = f"({X1} * {SHARE1} - {RECIPROCAL})", f"({X2} * {SHARE2} - {RECIPROCAL})"
BY_NORMAL = f"({X2} * {SHARE2} - {X1} * {SHARE1} - {NORMAL})"
GAP = f"((b * {SHARE1} - a * {SHARE2}) / (a + b))"
BACK = "z * (a + b) / (a * b)"
DOUBLE_PARETO = Distribution(
    "dpareto_lognorm",
    f"({BY_NORMAL} / s - 1.0) / z",
    (
        ("u", f"-{BY_NORMAL} / s", "-z"),
        (
            "s",
            f"({NORMAL} ** 2 - 1.0) / s + 1.0 / s + {TURN1} * (a + {NORMAL} / s)"
            f" + {TURN2} * (b - {NORMAL} / s)",
            f"-{BACK} * ({NORMAL} / s * ({RECIPROCAL} + {NORMAL} * {GAP})"
            f" + (b * {TURN1} * (a + {NORMAL} / s) - a * {TURN2} * (b - {NORMAL} / s)) / (a + b))",
        ),
        (
            "a",
            f"1.0 / a - 1.0 / (a + b) + s * {TURN1}",
            f"-z / (a * b) * (b * s * {TURN1} - {SHARE2} - {GAP})",
        ),
        (
            "b",
            f"1.0 / b - 1.0 / (a + b) + s * {TURN2}",
            f"-z / (a * b) * ({SHARE1} - a * s * {TURN2} - {GAP})",
        ),
    ),
)

# kappa4: log_turn keeps the logarithms of 1 - k z and 1 - h y good where k or h is zero.
LOG_Y = "(k * z * z * log_turn(k * z) - z / (1.0 - k * z))"
LEVEL = f"np.exp({LOG_Y})"
ODDS = f"({LEVEL} / (1.0 - h * {LEVEL}))"
LOG_CDF = f"(h * {LEVEL} ** 2 * log_turn(h * {LEVEL}) - {ODDS})"
BY_H = f"({LEVEL} ** 2 * log_turn(h * {LEVEL}))"
KAPPA = Distribution(
    "kappa4",
    f"((1.0 - h) * {ODDS} - (1.0 - k)) / (1.0 - k * z)",
    (
        (
            "h",
            f"-{LOG_CDF} - (1.0 - h) * {BY_H}",
            f"-{BY_H} * (1.0 - k * z) / {ODDS}",
        ),
        (
            "k",
            f"-{LOG_Y} - (1.0 - k - (1.0 - h) * {ODDS}) * z * z * log_turn(k * z)",
            "(1.0 - k * z) * z * z * log_turn(k * z)",
        ),
    ),
)

# ncf, nct: Poisson's weights move a parameter by two, chi's weights the degrees of freedom by one.
RAISED = "(dfn / (dfn + 2.0) * z)"
RATIO = (
    f"(dfn / (dfn + 2.0) * scipy_ncf_pdf({RAISED}, dfn + 2.0, dfd, nc)"
    " / scipy_ncf_pdf(z, dfn, dfd, nc))"
)
NONCENTRAL_F = Distribution(
    "ncf",
    f"(dfd * (0.5 * dfn - 1.0 + 0.5 * nc * {RATIO}) / z - dfn * (0.5 * dfd + 1.0))"
    " / (dfn * z + dfd)",
    (
        ("dfn", None, None),
        ("dfd", None, None),
        (
            "nc",
            f"0.5 * ({RATIO} - 1.0)",
            f"0.5 * (scipy_ncf_cdf({RAISED}, dfn + 2.0, dfd, nc) - scipy_ncf_cdf(z, dfn, dfd, nc))"
            " / scipy_ncf_pdf(z, dfn, dfd, nc)",
        ),
    ),
)
CHI = "np.exp(scipy_gammaln(0.5 * df + 0.5) - scipy_gammaln(0.5 * df))"
FIRST = (
    f"(np.sqrt(2.0 * (df + 1.0)) / df * {CHI}"
    " * scipy_nct_pdf(z * np.sqrt((df + 1.0) / df), df + 1.0, nc))"
)
WIDER = "np.sqrt((df + 2.0) / df)"
SECOND = f"({WIDER} * scipy_nct_pdf(z * {WIDER}, df + 2.0, nc))"
LOWER = (
    "(np.sqrt(0.5 * (df - 1.0)) * np.exp(scipy_gammaln(0.5 * df - 0.5) - scipy_gammaln(0.5 * df))"
    " * scipy_nct_pdf(z * np.sqrt((df - 1.0) / df), df - 1.0, nc))"
)
NONCENTRAL_T = Distribution(
    "nct",
    f"(nc * {FIRST} - z * {SECOND}) / scipy_nct_pdf(z, df, nc)",
    (
        ("df", None, None),
        (
            "nc",
            f"z * {FIRST} / scipy_nct_pdf(z, df, nc) - nc",
            f"-{LOWER} / scipy_nct_pdf(z, df, nc)",
        ),
    ),
)

# pearson3: a gamma density of beta * (z + beta); a normal one where the skew is zero.
BETA = "(2.0 / np.where(np.abs(skew) < 1.6e-5, 1.0, skew))"
ALPHA = f"({BETA} * {BETA})"
LESS = f"scipy_digamma({ALPHA}) - np.log({ALPHA})"
DIGAMMA_LESS = f"np.where({ALPHA} > 1e4, -(0.5 + 1.0 / (12.0 * {ALPHA})) / {ALPHA}, {LESS})"
DOWN = f"((-1.0 / {BETA} - z) / ({BETA} + z))"  # (alpha - 1) / (beta * (z + beta)) - 1
GAMMA_AT = f"{ALPHA}, {BETA} * (z + {BETA})"
BY_SERIES = "(1.0 - z * z) / 6.0 + skew * (z * (z * z + 1.0) / 24.0 - skew * ("
BY_SERIES += "(3.0 * z**4 + 2.0 * z * z - 1.0) / 240.0 - skew * z * (2.0 * z**4 + z * z + 1.0)"
BY_SERIES += " / 480.0))"
NONE = "np.abs(skew) < 1.6e-5"  # SciPy takes the normal density there
PEARSON = Distribution(
    "pearson3",
    f"np.where({NONE}, 0.5 * skew * (z * z - 1.0) - z, {BETA} * {DOWN})",
    (
        (
            "skew",
            f"np.where({NONE}, z * (z * z - 3.0) / 6.0"
            " + skew * (z * z / 4.0 - z**4 / 8.0 - 1.0 / 24.0), "
            f"-0.5 * {ALPHA} * (1.0 / {BETA}"
            f" + 2.0 * {BETA} * (np.log1p(z / {BETA}) - ({DIGAMMA_LESS}))"
            f" + {DOWN} * (z + 2.0 * {BETA})))",
            f"np.where(np.abs(skew) < 0.015, {BY_SERIES}, -0.5 * {BETA} * (2.0 * {BETA}"
            f" * gammainc_slope({GAMMA_AT}) / gamma_density({GAMMA_AT}) + z + 2.0 * {BETA}))",
        ),
    ),
)

# rel_breitwigner: its distribution function is the imaginary part of an arctangent.
OFF = "((z - rho) * (z + rho) / rho)"
HEIGHT = f"({OFF} ** 2 + 1.0)"
SPREAD = "np.sqrt(1.0 + 1.0 / rho**2)"
BY_SPREAD = f"(-1.0 / (rho**3 * {SPREAD}))"
LEFT, RIGHT = "np.sqrt(1j / rho - 1.0)", "np.sqrt(-rho * (rho + 1j))"
BREIT_WIGNER = Distribution(
    "rel_breitwigner",
    f"-4.0 * z * {OFF} / (rho * {HEIGHT})",
    (
        (
            "rho",
            f"{BY_SPREAD} * (1.0 / {SPREAD} - 0.5 / (1.0 + {SPREAD}))"
            f" + 2.0 * {OFF} * (1.0 + (z / rho) ** 2) / {HEIGHT}",
            f"{HEIGHT} / {SPREAD} * np.imag("
            f"np.arctan(z / {RIGHT}) * (-0.5j / (rho**2 * {LEFT})"
            f" - 0.5 * {LEFT} * {BY_SPREAD} / (1.0 + {SPREAD}))"
            f" + {LEFT} * z * (rho + 0.5j) / ({RIGHT} * ({RIGHT} ** 2 + z * z)))",
        ),
    ),
)

# tukeylambda: by its quantiles, (q**lam - (1 - q)**lam) / lam.
AT, BESIDE = "scipy_tukeylambda_cdf(z, lam)", "scipy_tukeylambda_cdf(-z, lam)"
RISE = f"({AT} ** (lam - 1.0) + {BESIDE} ** (lam - 1.0))"
BEND = f"((lam - 1.0) * ({AT} ** (lam - 2.0) - {BESIDE} ** (lam - 2.0)))"
BY_LAM = f"(boxcox_slope(np.log({AT}), lam) - boxcox_slope(np.log({BESIDE}), lam))"
TUKEY = Distribution(
    "tukeylambda",
    f"-{BEND} / {RISE} ** 2",
    (
        (
            "lam",
            f"{BEND} * {BY_LAM} / {RISE} ** 2 - (np.log({AT}) * {AT} ** (lam - 1.0)"
            f" + np.log({BESIDE}) * {BESIDE} ** (lam - 1.0)) / {RISE}",
            f"-{BY_LAM}",
        ),
    ),
)

FEWER = "np.maximum(n - 1.0, 1.0)"
IRWIN_HALL = Distribution(
    "irwinhall",
    f"np.where(n == 1.0, 0.0, (scipy_irwinhall_pdf(z, {FEWER})"
    f" - scipy_irwinhall_pdf(z - 1.0, {FEWER})) / scipy_irwinhall_pdf(z, n))",
    (("n", None, None),),
)

RARE_CONTINUOUS = (
    BREIT_WIGNER, DOUBLE_PARETO, IRWIN_HALL, KAPPA, NONCENTRAL_F, NONCENTRAL_T, PEARSON, TUKEY,
    # Their densities have no derivative here; their distribution functions have the density.
    *(
        Distribution(name, None, tuple((s, None, None) for s in shapes.split()))
        for name, shapes in (
            ("kstwobign", ""), ("landau", ""), ("ksone", "n"), ("kstwo", "n"),
            ("studentized_range", "k df"),
        )
    ),
    Distribution(
        "levy_stable", None, (("alpha", None, None), ("beta", None, None)),
        moved="stable_shift(alpha, beta)",
    ),
)  # fmt: skip

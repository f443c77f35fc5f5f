"""Floor 2: the derivatives of scipy.stats' standard densities, as expressions in z and shapes."""

from __future__ import annotations

from s2sgrad.rules.scipy_stats_entry import Distribution
from s2sgrad.rules.scipy_stats_further import FURTHER_CONTINUOUS
from s2sgrad.rules.scipy_stats_more import MORE_CONTINUOUS, MORE_DISCRETE
from s2sgrad.rules.scipy_stats_rare import RARE_CONTINUOUS

HALF_LOG_TWO = "0.34657359027997264"

CONTINUOUS = (
    *FURTHER_CONTINUOUS,
    *MORE_CONTINUOUS,
    *RARE_CONTINUOUS,
    Distribution("norm", "-z"),
    Distribution("halfnorm", "-z"),
    Distribution("uniform", "0.0 * z"),
    Distribution("expon", "0.0 * z - 1.0"),
    Distribution("laplace", "-np.sign(z)"),
    Distribution("logistic", "-np.tanh(0.5 * z)"),
    Distribution("hypsecant", "-np.tanh(z)"),
    Distribution("cauchy", "-2.0 * z / (1.0 + z * z)"),
    Distribution("halfcauchy", "-2.0 * z / (1.0 + z * z)"),
    Distribution("gumbel_r", "np.exp(-z) - 1.0"),
    Distribution("gumbel_l", "1.0 - np.exp(z)"),
    Distribution("moyal", "0.5 * (np.exp(-z) - 1.0)"),
    Distribution("rayleigh", "1.0 / z - z"),
    Distribution("maxwell", "2.0 / z - z"),
    Distribution("levy", "(0.5 / z - 1.5) / z"),
    Distribution("arcsine", "0.5 / (1.0 - z) - 0.5 / z"),
    Distribution(
        "lognorm",
        "-(1.0 + np.log(z) / (s * s)) / z",
        (("s", "(np.log(z) ** 2 / (s * s) - 1.0) / s", "-z * np.log(z) / s"),),
    ),
    Distribution(
        "gamma",
        "edge_ratio(a - 1.0, z) - 1.0",
        (("a", "np.log(z) - scipy_digamma(a)", "gammainc_slope(a, z) / gamma_density(a, z)"),),
    ),
    Distribution(
        "invgamma",
        "(1.0 / z - a - 1.0) / z",
        (
            (
                "a",
                "-np.log(z) - scipy_digamma(a)",
                "-gammainc_slope(a, 1.0 / z) * z * z / gamma_density(a, 1.0 / z)",
            ),
        ),
    ),
    Distribution(
        "loggamma",
        "c - np.exp(z)",
        (
            (
                "c",
                "z - scipy_digamma(c)",
                "gammainc_slope(c, np.exp(z)) / (np.exp(z) * gamma_density(c, np.exp(z)))",
            ),
        ),
    ),
    Distribution(
        "beta",
        "edge_ratio(a - 1.0, z) - edge_ratio(b - 1.0, 1.0 - z)",
        (
            (
                "a",
                "np.log(z) - scipy_digamma(a) + scipy_digamma(a + b)",
                "betainc_slope(a, b, z) / beta_density(a, b, z)",
            ),
            (
                "b",
                "np.log1p(-z) - scipy_digamma(b) + scipy_digamma(a + b)",
                "-betainc_slope(b, a, 1.0 - z) / beta_density(a, b, z)",
            ),
        ),
    ),
    Distribution(
        "t",
        "-(df + 1.0) * z / (df + z * z)",
        (
            (
                "df",
                "0.5 * (scipy_digamma(0.5 * df + 0.5) - scipy_digamma(0.5 * df) - 1.0 / df"
                " - np.log1p(z * z / df) + (df + 1.0) * z * z / (df * (df + z * z)))",
                "stdtr_slope(df, z) / t_density(df, z)",
            ),
        ),
    ),
    Distribution(
        "chi2",
        "edge_ratio(0.5 * df - 1.0, z) - 0.5",
        (
            (
                "df",
                "0.5 * (np.log(0.5 * z) - scipy_digamma(0.5 * df))",
                "gammainc_slope(0.5 * df, 0.5 * z) / gamma_density(0.5 * df, 0.5 * z)",
            ),
        ),
    ),
    Distribution(
        "chi",
        "edge_ratio(df - 1.0, z) - z",
        (
            (
                "df",
                f"np.log(z) - {HALF_LOG_TWO} - 0.5 * scipy_digamma(0.5 * df)",
                "0.5 * gammainc_slope(0.5 * df, 0.5 * z * z)"
                " / (z * gamma_density(0.5 * df, 0.5 * z * z))",
            ),
        ),
    ),
    Distribution(
        "f",
        "edge_ratio(0.5 * dfn - 1.0, z) - 0.5 * (dfn + dfd) * dfn / (dfn * z + dfd)",
        (
            (
                "dfn",
                "0.5 * (np.log(dfn * z / (dfn * z + dfd)) + 1.0 - (dfn + dfd) * z / (dfn * z + dfd)"
                " - scipy_digamma(0.5 * dfn) + scipy_digamma(0.5 * (dfn + dfd)))",
                "z / dfn + 0.5 * betainc_slope(0.5 * dfn, 0.5 * dfd, dfn * z / (dfn * z + dfd))"
                " / f_density(dfn, dfd, z)",
            ),
            (
                "dfd",
                "0.5 * (np.log(dfd / (dfn * z + dfd)) + 1.0 - (dfn + dfd) / (dfn * z + dfd)"
                " - scipy_digamma(0.5 * dfd) + scipy_digamma(0.5 * (dfn + dfd)))",
                "-z / dfd - 0.5 * betainc_slope(0.5 * dfd, 0.5 * dfn, dfd / (dfn * z + dfd))"
                " / f_density(dfn, dfd, z)",
            ),
        ),
    ),
    Distribution(
        "weibull_min",
        "edge_ratio(c - 1.0, z) - c * z ** (c - 1.0)",
        (("c", "1.0 / c + np.log(z) * (1.0 - z**c)", "z * np.log(z) / c"),),
    ),
    Distribution("pareto", "-(b + 1.0) / z", (("b", "1.0 / b - np.log(z)", "z * np.log(z) / b"),)),
    Distribution(
        "powerlaw",
        "edge_ratio(a - 1.0, z)",
        (("a", "1.0 / a + np.log(z)", "z * np.log(z) / a"),),
    ),
    Distribution(
        "fisk",
        "(c - 1.0 - 2.0 * c / (1.0 + z**-c)) / z",
        (("c", "1.0 / c + np.log(z) * (1.0 - 2.0 / (1.0 + z**-c))", "z * np.log(z) / c"),),
    ),
    Distribution(
        "gompertz",
        "1.0 - c * np.exp(z)",
        (("c", "1.0 / c - np.expm1(z)", "-np.expm1(-z) / c"),),
    ),
    Distribution(
        "genpareto",
        "-(c + 1.0) / (1.0 + c * z)",
        (
            (
                "c",
                "z * z * log_turn(-c * z) - z / (1.0 + c * z)",
                "-(1.0 + c * z) * z * z * log_turn(-c * z)",
            ),
        ),
    ),
    Distribution(
        "gennorm",
        "-beta * np.sign(z) * np.abs(z) ** (beta - 1.0)",
        (
            (
                "beta",
                "(1.0 + scipy_digamma(1.0 / beta) / beta) / beta - scipy_xlogy(np.abs(z) ** beta,"
                " np.abs(z))",
                "z * np.log(np.abs(z)) / beta"
                " - np.sign(z) * gammainc_slope(1.0 / beta, np.abs(z) ** beta)"
                " / (beta**3 * gamma_density(1.0 / beta, np.abs(z) ** beta)"
                " * np.abs(z) ** (beta - 1.0))",
            ),
        ),
    ),
    Distribution(
        "skewnorm",
        "-z + a * skew_ratio(a * z)",
        (
            (
                "a",
                "z * skew_ratio(a * z)",
                "-np.exp(-0.5 * z * z * (1.0 + a * a))"
                " / (np.pi * (1.0 + a * a) * scipy_skewnorm_pdf(z, a))",
            ),
        ),
    ),
    Distribution(
        "invgauss",
        "-1.5 / z - 0.5 * (1.0 / (mu * mu) - 1.0 / (z * z))",
        (
            (
                "mu",
                "(z - mu) / mu**3",
                "-2.0 / (mu * mu) * np.exp(2.0 / mu + scipy_log_ndtr(-(z / mu + 1.0)"
                " / np.sqrt(z))) / scipy_invgauss_pdf(z, mu)",
            ),
        ),
    ),
    *(
        Distribution(
            name,
            "-kappa * np.sin(z)",
            (
                (
                    "kappa",
                    "np.cos(z) - scipy_i1e(kappa) / scipy_i0e(kappa)",
                    "vonmises_slope(kappa, z) / scipy_vonmises_pdf(z, kappa)",
                ),
            ),
        )
        for name in ("vonmises", "vonmises_line")
    ),
    Distribution(
        "truncnorm",
        "-z",
        (
            (
                "a",
                "scipy_truncnorm_pdf(a, a, b)",
                "-scipy_truncnorm_pdf(a, a, b) * scipy_truncnorm_sf(z, a, b)"
                " / scipy_truncnorm_pdf(z, a, b)",
            ),
            (
                "b",
                "-scipy_truncnorm_pdf(b, a, b)",
                "-scipy_truncnorm_pdf(b, a, b) * scipy_truncnorm_cdf(z, a, b)"
                " / scipy_truncnorm_pdf(z, a, b)",
            ),
        ),
    ),
)

DISCRETE = (
    *MORE_DISCRETE,
    Distribution(
        "poisson",
        "",
        (("mu", "edge_ratio(m, mu) - 1.0", "-gamma_density(m + 1.0, mu)"),),
        direct=(("mu", "mu == 0.0", "poisson_slope(m, mu)"),),
    ),
    Distribution(
        "binom",
        "",
        (
            ("n", None, None),
            (
                "p",
                "edge_ratio(m, p) - edge_ratio(n - m, 1.0 - p)",
                "-binomial_step(m, n, p)",
            ),
        ),
        direct=(("p", "p == p * p", "binomial_slope(m, n, p)"),),
    ),
    Distribution(
        "bernoulli",
        "",
        (
            (
                "p",
                "edge_ratio(m, p) - edge_ratio(1.0 - m, 1.0 - p)",
                "np.where(m == 0, -1.0, 0.0) + 0.0 * p",
            ),
        ),
        direct=(("p", "p == p * p", "binomial_slope(m, 1.0, p)"),),
    ),
    Distribution(
        "geom",
        "",
        (("p", "1.0 / p - edge_ratio(m - 1.0, 1.0 - p)", "m * (1.0 - p) ** (m - 1.0)"),),
        direct=(("p", "p == 1.0", "nbinomial_slope(m - 1.0, 1.0, p)"),),
    ),
    Distribution(
        "nbinom",
        "",
        (
            (
                "n",
                "scipy_digamma(m + n) - scipy_digamma(n) + np.log(p)",
                "betainc_slope(n, m + 1.0, p)",
            ),
            ("p", "n / p - edge_ratio(m, 1.0 - p)", "beta_density(n, m + 1.0, p)"),
        ),
        direct=(("p", "p == 1.0", "nbinomial_slope(m, n, p)"),),
    ),
)

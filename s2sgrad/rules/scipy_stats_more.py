"""Floor 2: further distributions of scipy.stats, as in `scipy_stats_table`."""

from __future__ import annotations

from s2sgrad.rules.scipy_stats_entry import Distribution

ABOUT_ONE = "1.0 / c + np.log(z) * (1.0 - z**c)"
POWER = "z * np.log(z) / c"

MORE_CONTINUOUS = (
    Distribution("anglit", "-2.0 * np.tan(2.0 * z)"),
    Distribution("cosine", "-np.tan(0.5 * z)"),
    Distribution("gibrat", "-(1.0 + np.log(z)) / z"),
    Distribution("halflogistic", "-np.tanh(0.5 * z)"),
    Distribution("levy_l", "(0.5 / z + 1.5) / -z"),
    Distribution("semicircular", "-z / (1.0 - z * z)"),
    Distribution("wald", "-1.5 / z - 0.5 * (1.0 - 1.0 / (z * z))"),
    Distribution(
        "betaprime",
        "edge_ratio(a - 1.0, z) - (a + b) / (1.0 + z)",
        (
            (
                "a",
                "np.log(z) - np.log1p(z) - scipy_digamma(a) + scipy_digamma(a + b)",
                "betainc_slope(a, b, z / (1.0 + z)) / scipy_betaprime_pdf(z, a, b)",
            ),
            (
                "b",
                "-np.log1p(z) - scipy_digamma(b) + scipy_digamma(a + b)",
                "-betainc_slope(b, a, 1.0 / (1.0 + z)) / scipy_betaprime_pdf(z, a, b)",
            ),
        ),
    ),
    Distribution(
        "bradford",
        "-c / (1.0 + c * z)",
        (
            (
                "c",
                "1.0 / c - z / (1.0 + c * z) - 1.0 / ((1.0 + c) * np.log1p(c))",
                "z / c - np.log1p(c * z) * (1.0 + c * z) / (c * (1.0 + c) * np.log1p(c))",
            ),
        ),
    ),
    Distribution(
        "burr12",
        "(c - 1.0 - (d + 1.0) * c / (1.0 + z**-c)) / z",
        (
            ("c", "1.0 / c + np.log(z) * (1.0 - (d + 1.0) / (1.0 + z**-c))", POWER),
            (
                "d",
                "1.0 / d - np.log1p(z**c)",
                "(1.0 + z**c) * np.log1p(z**c) / (c * d * z ** (c - 1.0))",
            ),
        ),
    ),
    Distribution(
        "dgamma",
        "(a - 1.0) / z - np.sign(z)",
        (
            (
                "a",
                "np.log(np.abs(z)) - scipy_digamma(a)",
                "np.sign(z) * gammainc_slope(a, np.abs(z)) / gamma_density(a, np.abs(z))",
            ),
        ),
    ),
    Distribution(
        "dweibull",
        "(c - 1.0 - c * np.abs(z) ** c) / z",
        (
            (
                "c",
                "1.0 / c + np.log(np.abs(z)) * (1.0 - np.abs(z) ** c)",
                "z * np.log(np.abs(z)) / c",
            ),
        ),
    ),
    Distribution(
        "erlang",
        "edge_ratio(a - 1.0, z) - 1.0",
        (
            (
                "a",
                "np.log(z) - scipy_digamma(a)",
                "gammainc_slope(a, z) / gamma_density(a, z)",
            ),
        ),
    ),
    Distribution(
        "exponweib",
        "(c - 1.0 - c * z**c + (a - 1.0) * c * z**c / np.expm1(z**c)) / z",
        (
            (
                "a",
                "1.0 / a + np.log(-np.expm1(-(z**c)))",
                "np.log(-np.expm1(-(z**c))) * z * np.expm1(z**c) / (a * c * z**c)",
            ),
            (
                "c",
                "1.0 / c + np.log(z) * (1.0 - z**c + (a - 1.0) * z**c / np.expm1(z**c))",
                POWER,
            ),
        ),
    ),
    Distribution(
        "foldnorm",
        "-z + c * np.tanh(c * z)",
        (("c", "-c + z * np.tanh(c * z)", "-np.tanh(c * z)"),),
    ),
    Distribution(
        "genextreme",
        "(c - 1.0 + np.exp(-z * log_share(c * z))) / (1.0 - c * z)",
        (
            (
                "c",
                "(np.exp(-z * log_share(c * z)) - 1.0) * z * z * log_turn(c * z)"
                " + z / (1.0 - c * z)",
                "(1.0 - c * z) * z * z * log_turn(c * z)",
            ),
        ),
    ),
    Distribution(
        "gengamma",
        "edge_ratio(c * a - 1.0, z) - c * z ** (c - 1.0)",
        (
            (
                "a",
                "c * np.log(z) - scipy_digamma(a)",
                "gammainc_slope(a, z**c) * z / (c * z**c * gamma_density(a, z**c))",
            ),
            ("c", "1.0 / c + np.log(z) * (a - z**c)", POWER),
        ),
    ),
    Distribution(
        "genlogistic",
        "(c + 1.0) / (1.0 + np.exp(z)) - 1.0",
        (
            (
                "c",
                "1.0 / c - np.log1p(np.exp(-z))",
                "-np.log1p(np.exp(-z)) * (1.0 + np.exp(z)) / c",
            ),
        ),
    ),
    Distribution(
        "halfgennorm",
        "-beta * z ** (beta - 1.0)",
        (
            (
                "beta",
                "(1.0 + scipy_digamma(1.0 / beta) / beta) / beta - scipy_xlogy(z**beta, z)",
                "z * np.log(z) / beta - gammainc_slope(1.0 / beta, z**beta)"
                " / (beta**3 * gamma_density(1.0 / beta, z**beta) * z ** (beta - 1.0))",
            ),
        ),
    ),
    Distribution(
        "invweibull",
        "(c * z**-c - c - 1.0) / z",
        (("c", "1.0 / c - np.log(z) * (1.0 - z**-c)", POWER),),
    ),
    Distribution(
        "johnsonsb",
        "-(1.0 - 2.0 * z + b * (a + b * np.log(z / (1.0 - z)))) / (z * (1.0 - z))",
        (
            ("a", "-(a + b * np.log(z / (1.0 - z)))", "z * (1.0 - z) / b"),
            (
                "b",
                "1.0 / b - (a + b * np.log(z / (1.0 - z))) * np.log(z / (1.0 - z))",
                "np.log(z / (1.0 - z)) * z * (1.0 - z) / b",
            ),
        ),
    ),
    Distribution(
        "johnsonsu",
        "-z / (1.0 + z * z) - b * (a + b * np.arcsinh(z)) / np.sqrt(1.0 + z * z)",
        (
            ("a", "-(a + b * np.arcsinh(z))", "np.sqrt(1.0 + z * z) / b"),
            (
                "b",
                "1.0 / b - (a + b * np.arcsinh(z)) * np.arcsinh(z)",
                "np.arcsinh(z) * np.sqrt(1.0 + z * z) / b",
            ),
        ),
    ),
    Distribution(
        "laplace_asymmetric",
        "np.where(z < 0.0, 1.0 / kappa, -kappa)",
        (
            (
                "kappa",
                "np.where(z < 0.0, -z / (kappa * kappa), -z)"
                " - (1.0 - 1.0 / (kappa * kappa)) / (kappa + 1.0 / kappa)",
                "np.where(z < 0.0, kappa, 1.0 / kappa) * (np.where(z < 0.0, -z / (kappa * kappa),"
                " z) + 1.0 / kappa + np.where(z < 0.0, -1.0, 1.0) * (1.0 - 1.0 / (kappa * kappa))"
                " / (kappa + 1.0 / kappa))",
            ),
        ),
    ),
    Distribution(
        "loglaplace",
        "(np.where(z < 1.0, c, -c) - 1.0) / z",
        (("c", "1.0 / c + np.where(z < 1.0, np.log(z), -np.log(z))", POWER),),
    ),
    Distribution(
        "lomax",
        "-(c + 1.0) / (1.0 + z)",
        (("c", "1.0 / c - np.log1p(z)", "(1.0 + z) * np.log1p(z) / c"),),
    ),
    *(
        Distribution(
            name,
            "-1.0 / z",
            (
                (
                    "a",
                    "1.0 / (a * np.log(b / a)) + 0.0 * z",
                    "-z * np.log(b / z) / (a * np.log(b / a))",
                ),
                (
                    "b",
                    "-1.0 / (b * np.log(b / a)) + 0.0 * z",
                    "-z * np.log(z / a) / (b * np.log(b / a))",
                ),
            ),
        )
        for name in ("loguniform", "reciprocal")
    ),
    Distribution(
        "nakagami",
        "edge_ratio(2.0 * nu - 1.0, z) - 2.0 * nu * z",
        (
            (
                "nu",
                "np.log(nu) + 1.0 - scipy_digamma(nu) + 2.0 * np.log(z) - z * z",
                "gammainc_slope(nu, nu * z * z) / (2.0 * nu * z * gamma_density(nu, nu * z * z))"
                " + 0.5 * z / nu",
            ),
        ),
    ),
    Distribution(
        "rice",
        "1.0 / z - z + b * scipy_i1e(b * z) / scipy_i0e(b * z)",
        (
            (
                "b",
                "-b + z * scipy_i1e(b * z) / scipy_i0e(b * z)",
                "-scipy_i1e(b * z) / scipy_i0e(b * z)",
            ),
        ),
    ),
    Distribution(
        "skewcauchy",
        "-2.0 * z / ((1.0 + a * np.sign(z)) ** 2 + z * z)",
        (
            (
                "a",
                "2.0 * z * np.abs(z) / ((1.0 + a * np.sign(z))"
                " * ((1.0 + a * np.sign(z)) ** 2 + z * z))",
                "(1.0 + (z / (1.0 + a * np.sign(z))) ** 2)"
                " * (np.arctan(np.abs(z) / (1.0 + a * np.sign(z))) - 0.5 * np.pi)"
                " - np.abs(z) / (1.0 + a * np.sign(z))",
            ),
        ),
    ),
    Distribution(
        "triang",
        "np.where(z < c, 1.0 / z, -1.0 / (1.0 - z))",
        (
            (
                "c",
                "np.where(z < c, -1.0 / c, 1.0 / (1.0 - c))",
                "np.where(z < c, -0.5 * z / c, -0.5 * (1.0 - z) / (1.0 - c))",
            ),
        ),
    ),
    Distribution(
        "truncexpon",
        "0.0 * z - 1.0",
        (("b", "0.0 * z - 1.0 / np.expm1(b)", "-np.expm1(z) / np.expm1(b)"),),
    ),
    Distribution(
        "weibull_max",
        "(c - 1.0 - c * (-z) ** c) / z",
        (("c", "1.0 / c + np.log(-z) * (1.0 - (-z) ** c)", "z * np.log(-z) / c"),),
    ),
)

MORE_DISCRETE = (
    Distribution(
        "betabinom",
        "",
        (
            ("n", None, None),
            (
                "a",
                "scipy_digamma(m + a) - scipy_digamma(n + a + b) - scipy_digamma(a)"
                " + scipy_digamma(a + b)",
                None,
            ),
            (
                "b",
                "scipy_digamma(n - m + b) - scipy_digamma(n + a + b) - scipy_digamma(b)"
                " + scipy_digamma(a + b)",
                None,
            ),
        ),
    ),
    Distribution(
        "dlaplace",
        "",
        (
            (
                "a",
                "1.0 / np.sinh(a) - np.abs(m)",
                "np.where(m >= 0.0, np.exp(-a * m) * (m + 1.0 / (1.0 + np.exp(-a))),"
                " np.exp(a * (m + 1.0)) * (m + 1.0 / (1.0 + np.exp(a)))) / (1.0 + np.exp(a))",
            ),
        ),
    ),
    Distribution("logser", "", (("p", "m / p + 1.0 / ((1.0 - p) * np.log1p(-p))", None),)),
    Distribution(
        "betanbinom",
        "",
        (
            ("n", None, None),
            (
                "a",
                "scipy_digamma(a + n) - scipy_digamma(m + n + a + b) - scipy_digamma(a)"
                " + scipy_digamma(a + b)",
                None,
            ),
            (
                "b",
                "scipy_digamma(b + m) - scipy_digamma(m + n + a + b) - scipy_digamma(b)"
                " + scipy_digamma(a + b)",
                None,
            ),
        ),
    ),
    Distribution(
        "boltzmann",
        "",
        (
            (
                "lambda_",
                "1.0 / np.expm1(lambda_) - m - N / np.expm1(lambda_ * N)",
                "((m + 1.0) * np.exp(-lambda_ * (m + 1.0))"
                " + np.expm1(-lambda_ * (m + 1.0)) * N / np.expm1(lambda_ * N))"
                " / -np.expm1(-lambda_ * N)",
            ),
            ("N", None, None),
        ),
    ),
    Distribution(
        "yulesimon",
        "",
        (
            (
                "alpha",
                "1.0 / alpha + scipy_digamma(alpha + 1.0) - scipy_digamma(m + alpha + 1.0)",
                None,
            ),
        ),
    ),
    Distribution(
        "planck",
        "",
        (("lambda_", "1.0 / np.expm1(lambda_) - m", "(m + 1.0) * np.exp(-lambda_ * (m + 1.0))"),),
    ),
)

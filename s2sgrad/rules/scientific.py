"""Floor 2: np.linalg, np.fft and SciPy. Importing enters their rules; SciPy is not imported."""

from s2sgrad.rules import (
    decompositions,
    fft,
    linalg,
    linalg_products,
    scipy_linalg,
    scipy_linalg_decompositions,
    scipy_linalg_equations,
    scipy_linalg_functions,
    scipy_special_bessel,
    scipy_special_distributions,
    scipy_special_errors,
    scipy_special_gamma,
    scipy_special_polynomials,
    scipy_special_struve,
    scipy_special_tuples,
    scipy_stats,
    scipy_stats_multivariate,
)
from s2sgrad.rules import scipy_wrappers as _last  # noqa: F401  (after the rules it shares)

__all__ = [
    "decompositions",
    "fft",
    "linalg",
    "linalg_products",
    "scipy_linalg",
    "scipy_linalg_decompositions",
    "scipy_linalg_equations",
    "scipy_linalg_functions",
    "scipy_special_bessel",
    "scipy_special_distributions",
    "scipy_special_errors",
    "scipy_special_gamma",
    "scipy_special_polynomials",
    "scipy_special_struve",
    "scipy_special_tuples",
    "scipy_stats",
    "scipy_stats_multivariate",
]

"""Floor 2: np.linalg, np.fft and SciPy. SciPy's rules are loaded once SciPy itself is."""

from s2sgrad.rules import decompositions, fft, linalg, linalg_products
from s2sgrad.rules.declare import rules_on_import

__all__ = ["SCIPY", "decompositions", "fft", "linalg", "linalg_products"]

_SPECIAL = (
    "scipy_special_bessel",
    "scipy_special_distributions",
    "scipy_special_errors",
    "scipy_special_gamma",
    "scipy_special_inverses",
    "scipy_special_legendre",
    "scipy_special_polynomials",
    "scipy_special_spheroidal",
    "scipy_special_struve",
    "scipy_special_tuples",
    "scipy_more",
)
SCIPY = {
    "scipy.fft": ("scipy_fft", "scipy_fft_more"),
    "scipy.integrate": ("scipy_integrate",),
    "scipy.linalg": (
        "scipy_linalg",
        "scipy_linalg_decompositions",
        "scipy_linalg_equations",
        "scipy_linalg_functions",
        "scipy_linalg_banded",
    ),
    "scipy.ndimage": ("scipy_signal", "scipy_ndimage", "scipy_more"),
    "scipy.optimize": ("scipy_more",),
    "scipy.signal": ("scipy_signal", "scipy_signal_filters"),
    "scipy.sparse.linalg": ("scipy_sparse",),
    "scipy.special": _SPECIAL,
    "scipy.stats": (*_SPECIAL, "scipy_stats", "scipy_stats_multivariate"),
}

for _module, _files in SCIPY.items():
    rules_on_import(_module, *(f"s2sgrad.rules.{file}" for file in _files))

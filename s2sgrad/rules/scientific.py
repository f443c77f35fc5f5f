"""Floor 2: np.linalg, np.fft and SciPy. SciPy's rules are loaded once SciPy itself is."""

from s2sgrad.rules import decompositions, fft, linalg, linalg_products
from s2sgrad.rules.declare import rules_on_import

__all__ = ["SCIPY", "decompositions", "fft", "linalg", "linalg_products"]

_SPECIAL = (
    "scipy_special_bessel",
    "scipy_special_distributions",
    "scipy_special_errors",
    "scipy_special_gamma",
    "scipy_special_polynomials",
    "scipy_special_struve",
    "scipy_special_tuples",
)
SCIPY = {
    "scipy.fft": ("scipy_fft",),
    "scipy.integrate": ("scipy_integrate",),
    "scipy.linalg": (
        "scipy_linalg",
        "scipy_linalg_decompositions",
        "scipy_linalg_equations",
        "scipy_linalg_functions",
    ),
    "scipy.ndimage": ("scipy_signal", "scipy_ndimage"),
    "scipy.signal": ("scipy_signal",),
    "scipy.special": _SPECIAL,
    "scipy.stats": (*_SPECIAL, "scipy_stats", "scipy_stats_multivariate"),
}

for _module, _files in SCIPY.items():
    rules_on_import(_module, *(f"s2sgrad.rules.{file}" for file in _files))

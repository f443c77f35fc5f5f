"""Second derivatives of spheroidal wave functions, by their differential equations (DLMF 30.2)."""

from __future__ import annotations

from typing import Any

from s2sgrad_runtime.scipy_helpers import lazy

__all__ = [
    "obl_ang_bend",
    "obl_rad_bend",
    "pro_bend",
    "scipy_besselpoly",
    "scipy_mathieu_a",
    "scipy_mathieu_b",
    "scipy_ncfdtr",
    "scipy_obl_cv",
    "scipy_pro_cv",
]

scipy_besselpoly = lazy("scipy.special.besselpoly")
scipy_mathieu_a = lazy("scipy.special.mathieu_a")
scipy_mathieu_b = lazy("scipy.special.mathieu_b")
scipy_ncfdtr = lazy("scipy.special.ncfdtr")
scipy_obl_cv = lazy("scipy.special.obl_cv")
scipy_pro_cv = lazy("scipy.special.pro_cv")


def pro_bend(s: Any, slope: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    """The second derivative by x of a prolate function of value cv, angular or radial."""
    w = x * x - 1.0
    return ((cv - (c * x) ** 2 + m * m / w) * s - 2.0 * x * slope) / w


def obl_ang_bend(s: Any, slope: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    """The second derivative by x of an oblate angular function of value cv."""
    w = x * x - 1.0
    return ((cv + (c * x) ** 2 + m * m / w) * s - 2.0 * x * slope) / w


def obl_rad_bend(s: Any, slope: Any, m: Any, c: Any, cv: Any, x: Any) -> Any:
    """The second derivative by x of an oblate radial function of value cv."""
    w = x * x + 1.0
    return ((cv - (c * x) ** 2 - m * m / w) * s - 2.0 * x * slope) / w

"""Floor 2: rules of scipy.special's spherical Bessel, Struve, Kelvin and Wright functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import elementwise
from s2sgrad_runtime import (
    opposite,
    regular_slope,
    scipy_bei,
    scipy_beip,
    scipy_ber,
    scipy_berp,
    scipy_kei,
    scipy_keip,
    scipy_ker,
    scipy_kerp,
    scipy_modstruve,
    scipy_spherical_in,
    scipy_spherical_jn,
    scipy_spherical_kn,
    scipy_spherical_yn,
    scipy_struve,
    scipy_wright_bessel,
    spherical_slope,
    struve_term,
)


@elementwise("scipy.special.spherical_jn")
def spherical_jn_(y_bar: Any, y: Any, n: Any, z: Any, derivative: Any = False) -> Any:
    """A recurrence in the order, for the derivative too; none in n."""
    below = scipy_spherical_jn(np.maximum(n - 1, 0), z, derivative)
    return None, y_bar * regular_slope(below, scipy_spherical_jn(n + 1, z, derivative), n)


@elementwise("scipy.special.spherical_yn")
def spherical_yn_(y_bar: Any, y: Any, n: Any, z: Any, derivative: Any = False) -> Any:
    """SciPy's own derivative, its second from the differential equation; none in n."""
    return None, y_bar * (
        spherical_slope(y, scipy_spherical_yn(n, z, opposite(derivative)), n, z, False, derivative)
    )


@elementwise("scipy.special.spherical_in")
def spherical_in_(y_bar: Any, y: Any, n: Any, z: Any, derivative: Any = False) -> Any:
    """A recurrence in the order, for the derivative too; none in n."""
    below = scipy_spherical_in(np.maximum(n - 1, 0), z, derivative)
    return None, y_bar * regular_slope(below, -scipy_spherical_in(n + 1, z, derivative), n)


@elementwise("scipy.special.spherical_kn")
def spherical_kn_(y_bar: Any, y: Any, n: Any, z: Any, derivative: Any = False) -> Any:
    """SciPy's own derivative, its second from the differential equation; none in n."""
    return None, y_bar * (
        spherical_slope(y, scipy_spherical_kn(n, z, opposite(derivative)), n, z, True, derivative)
    )


@elementwise("scipy.special.struve")
def struve_(y_bar: Any, y: Any, v: Any, x: Any) -> Any:
    """A recurrence in the order, of order 0 another one, that is regular at 0; none in v."""
    above = scipy_struve(v + 1.0, x)
    term = struve_term(v, x)
    both = 0.5 * (scipy_struve(v - 1.0, x) - above + term)
    return None, y_bar * np.where(v == 0.0, term - above, both)


@elementwise("scipy.special.modstruve")
def modstruve_(y_bar: Any, y: Any, v: Any, x: Any) -> Any:
    """A recurrence in the order, of order 0 another one, that is regular at 0; none in v."""
    above = scipy_modstruve(v + 1.0, x)
    term = struve_term(v, x)
    both = 0.5 * (scipy_modstruve(v - 1.0, x) + above + term)
    return None, y_bar * np.where(v == 0.0, term + above, both)


@elementwise("scipy.special.itstruve0")
def itstruve0_(y_bar: Any, y: Any, x: Any) -> Any:
    """The integral of struve(0, x)."""
    return y_bar * scipy_struve(0.0, x)


@elementwise("scipy.special.it2struve0")
def it2struve0_(y_bar: Any, y: Any, x: Any) -> Any:
    """The integral of struve(0, t) / t from x."""
    return y_bar * (-scipy_struve(0.0, x) / x)


@elementwise("scipy.special.itmodstruve0")
def itmodstruve0_(y_bar: Any, y: Any, x: Any) -> Any:
    """The integral of modstruve(0, x)."""
    return y_bar * scipy_modstruve(0.0, x)


@elementwise("scipy.special.ber")
def ber_(y_bar: Any, y: Any, x: Any) -> Any:
    """Its derivative has a name."""
    return y_bar * scipy_berp(x)


@elementwise("scipy.special.bei")
def bei_(y_bar: Any, y: Any, x: Any) -> Any:
    """Its derivative has a name."""
    return y_bar * scipy_beip(x)


@elementwise("scipy.special.ker")
def ker_(y_bar: Any, y: Any, x: Any) -> Any:
    """Its derivative has a name."""
    return y_bar * scipy_kerp(x)


@elementwise("scipy.special.kei")
def kei_(y_bar: Any, y: Any, x: Any) -> Any:
    """Its derivative has a name."""
    return y_bar * scipy_keip(x)


@elementwise("scipy.special.berp")
def berp_(y_bar: Any, y: Any, x: Any) -> Any:
    """The Kelvin differential equation."""
    return y_bar * (-scipy_bei(x) - y / x)


@elementwise("scipy.special.beip")
def beip_(y_bar: Any, y: Any, x: Any) -> Any:
    """The Kelvin differential equation."""
    return y_bar * (scipy_ber(x) - y / x)


@elementwise("scipy.special.kerp")
def kerp_(y_bar: Any, y: Any, x: Any) -> Any:
    """The Kelvin differential equation."""
    return y_bar * (-scipy_kei(x) - y / x)


@elementwise("scipy.special.keip")
def keip_(y_bar: Any, y: Any, x: Any) -> Any:
    """The Kelvin differential equation."""
    return y_bar * (scipy_ker(x) - y / x)


@elementwise("scipy.special.wright_bessel")
def wright_bessel_(y_bar: Any, y: Any, a: Any, b: Any, x: Any) -> Any:
    """The order below; none in a, b."""
    return None, None, y_bar * scipy_wright_bessel(a, a + b, x)


@elementwise("scipy.special.log_wright_bessel")
def log_wright_bessel_(y_bar: Any, y: Any, a: Any, b: Any, x: Any) -> Any:
    """The order below; none in a, b."""
    return None, None, y_bar * (scipy_wright_bessel(a, a + b, x) * np.exp(-y))

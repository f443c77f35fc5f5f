"""Programs as in written_programs.py, for the functions of NumPy's families of polynomials."""

from __future__ import annotations

import importlib
from typing import Any

CUBE = "np.outer(x[:2], np.outer(x, x[:2])).reshape(2, 3, 2)"
CALLS = {  # end of a name -> a call of such functions with three numbers
    "add": "(x, x[:2] * x[2])",
    "companion": "(x)",
    "der": "(x, 1, scl=2.0)",
    "div": "(x, x[:2] * x[2])[0]",
    "fit": "(np.linspace(-1.0, 1.0, 3) * x[0], x, 2)",
    "fromroots": "(x)",
    "grid2d": "(x, x[:2], np.outer(x, x))",
    "grid3d": f"(x, x[:2], x[1:], {CUBE})",
    "int": "(x, 1, k=[x[1]], lbnd=x[0])",
    "interpolate": "(lambda t: t * t * t * x[0] + x[1], 3)",
    "line": "(x[0], x[1])",
    "mul": "(x, x[:2] * x[2])",
    "mulx": "(x)",
    "pow": "(x, 2)",
    "roots": "(np.stack([x[0] - 9.0, x[1], x[2]]))",
    "sub": "(x, x[:2] * x[2])",
    "val": "(x, x * x)",
    "val2d": "(x, x[::-1], np.outer(x, x))",
    "val3d": f"(x, x[::-1], x * x, {CUBE})",
    "valfromroots": "(x, x[:2] * x[2])",
    "vander": "(x, 3)",
    "vander2d": "(x, x[::-1], [1, 2])",
    "vander3d": "(x, x[::-1], x * x, [1, 0, 2])",
    "weight": "(0.3 * x)",
}
FAMILIES = {
    "chebyshev": "cheb", "hermite": "herm", "hermite_e": "herme", "laguerre": "lag",
    "legendre": "leg", "polynomial": "poly",
}  # fmt: skip
MODULES = tuple(f"numpy.polynomial.{family}" for family in sorted(FAMILIES))


def programs(V: Any) -> dict[str, tuple[str, Any]]:
    """Full name of a function -> the body of `f(x)`, and x, which has three entries."""
    found: dict[str, tuple[str, Any]] = {}
    for family, stem in FAMILIES.items():
        home = f"np.polynomial.{family}"
        calls = {stem + end: stem + end + call for end, call in CALLS.items()}
        if family != "polynomial":
            calls |= {name: f"{name}(x)" for name in (f"{stem}2poly", f"poly2{stem}")}
        there = importlib.import_module(f"numpy.polynomial.{family}").__all__
        for name, call in ((n, c) for n, c in calls.items() if n in there):
            body = f"return np.sum(np.sin({home}.{call}))"
            found[f"numpy.polynomial.{family}.{name}"] = body, V
    return found

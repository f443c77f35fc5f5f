"""s2sgrad: gradients of plain NumPy code, as plain NumPy code.

>>> import numpy as np, s2sgrad
>>> s2sgrad.grad(lambda x: np.sum(np.sin(x)))(np.zeros(2))
array([1., 1.])

Importing this loads the errors only; the compiler, and `s2sgrad.eager`, load on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from s2sgrad.errors import (
    MissingRuleError,
    RuleError,
    S2sgradError,
    ShapeError,
    UnsupportedError,
)

if TYPE_CHECKING:
    from s2sgrad import eager
    from s2sgrad.api import grad, value_and_grad
    from s2sgrad.derivatives.decorating import differentiable
    from s2sgrad.derivatives.higher import hessian, jacfwd, jacobian, jacrev, jvp, linearize
    from s2sgrad.derivatives.products import hvp
    from s2sgrad.derivatives.pullbacks import vjp
    from s2sgrad.derivatives.sparse import sparse_hessian, sparse_jacobian
    from s2sgrad.rules.checking import check_rule
    from s2sgrad.rules.declare import elementwise
    from s2sgrad.showing.checking import check_grad
    from s2sgrad.showing.exporting import export
    from s2sgrad.standins.cutting import cotangent, opaque, rule, stop_gradient

# public name -> the module it is loaded from on first use
_PLACES = {
    "check_grad": "s2sgrad.showing.checking",
    "check_rule": "s2sgrad.rules.checking",
    "cotangent": "s2sgrad.standins.cutting",
    "differentiable": "s2sgrad.derivatives.decorating",
    "elementwise": "s2sgrad.rules.declare",
    "export": "s2sgrad.showing.exporting",
    "grad": "s2sgrad.api",
    "hessian": "s2sgrad.derivatives.higher",
    "hvp": "s2sgrad.derivatives.products",
    "jacfwd": "s2sgrad.derivatives.higher",
    "jacobian": "s2sgrad.derivatives.higher",
    "jacrev": "s2sgrad.derivatives.higher",
    "jvp": "s2sgrad.derivatives.higher",
    "linearize": "s2sgrad.derivatives.higher",
    "opaque": "s2sgrad.standins.cutting",
    "rule": "s2sgrad.standins.cutting",
    "sparse_hessian": "s2sgrad.derivatives.sparse",
    "sparse_jacobian": "s2sgrad.derivatives.sparse",
    "stop_gradient": "s2sgrad.standins.cutting",
    "value_and_grad": "s2sgrad.api",
    "vjp": "s2sgrad.derivatives.pullbacks",
}

__all__ = [
    "MissingRuleError",
    "RuleError",
    "S2sgradError",
    "ShapeError",
    "UnsupportedError",
    "check_grad",
    "check_rule",
    "cotangent",
    "differentiable",
    "eager",
    "elementwise",
    "export",
    "grad",
    "hessian",
    "hvp",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jvp",
    "linearize",
    "opaque",
    "rule",
    "sparse_hessian",
    "sparse_jacobian",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]


def __getattr__(name: str) -> Any:
    if name == "eager":
        return importlib.import_module("s2sgrad.eager")
    if name not in _PLACES:
        raise AttributeError(f"module 's2sgrad' has no attribute {name!r}")
    value = getattr(importlib.import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""s2sgrad: gradients of plain NumPy code, as plain NumPy code.

>>> import numpy as np, s2sgrad
>>> s2sgrad.grad(lambda x: np.sum(np.sin(x)))(np.zeros(2))
array([1., 1.])
"""

from s2sgrad.api import differentiable, grad, rule, value_and_grad, vjp
from s2sgrad.checking import check_grad
from s2sgrad.errors import (
    MissingRuleError,
    RuleError,
    S2sgradError,
    ShapeError,
    UnsupportedError,
)
from s2sgrad.exporting import export
from s2sgrad.rules.declare import elementwise

__all__ = [
    "MissingRuleError",
    "RuleError",
    "S2sgradError",
    "ShapeError",
    "UnsupportedError",
    "check_grad",
    "differentiable",
    "elementwise",
    "export",
    "grad",
    "rule",
    "value_and_grad",
    "vjp",
]

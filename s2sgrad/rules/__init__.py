"""Floor 2: derivative rules, one file per area of NumPy and SciPy. Importing fills the table."""

from s2sgrad.rules import decompositions, fft, linalg, reductions, ufuncs  # noqa: F401  (fill the table)
from s2sgrad.rules.declare import (
    RULES,
    Rule,
    elementwise,
    lookup,
    no_derivative,
    not_yet,
    structural,
    tangent,
    zero_derivative,
)

__all__ = [
    "RULES",
    "Rule",
    "elementwise",
    "lookup",
    "no_derivative",
    "not_yet",
    "structural",
    "tangent",
    "zero_derivative",
]

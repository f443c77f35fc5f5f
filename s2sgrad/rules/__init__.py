"""Floor 2: derivative rules, one file per area of NumPy and SciPy. Importing fills the table."""

from s2sgrad.rules import (  # noqa: F401  (fill the table)
    accumulations,
    calculus,
    complexes,
    constants,
    covariances,
    creation,
    exponentials,
    helpers,
    indexing,
    joining,
    matrices,
    nanreductions,
    products,
    reductions,
    scalars,
    scientific,
    shaping,
    transposes,
    transposes_calculus,
    trigonometry,
    ufuncmethods,
    ufuncs,
)
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

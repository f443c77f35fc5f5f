"""Sample arguments of every NumPy rule, one table per rule file: function -> samples."""

from tests.rules.samples import (
    accumulations,
    calculus,
    covariances,
    creation,
    elementwise,
    helpers,
    indexing,
    joining,
    matrices,
    products,
    reductions,
    scalars,
    shaping,
    transposes,
    ufuncmethods,
)

TABLES = (
    accumulations,
    calculus,
    covariances,
    creation,
    elementwise,
    helpers,
    indexing,
    joining,
    matrices,
    products,
    reductions,
    scalars,
    shaping,
    transposes,
    ufuncmethods,
)
SAMPLES = {function: samples for table in TABLES for function, samples in table.SAMPLES.items()}

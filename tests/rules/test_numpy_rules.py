"""Every rule of NumPy proper against central differences, on the samples of its table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2sgrad.rules import RULES
from s2sgrad.rules.checking import check_rule
from s2sgrad.rules.declare import qualified_name
from s2sgrad_runtime import inverse_point
from tests.rules.samples import SAMPLES

pytestmark = [
    pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning"),
    pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning"),
]
HELPER_FILES = {
    "s2sgrad_runtime." + name
    for name in (
        "calculus",
        "elementwise",
        "indexing",
        "joining",
        "matrices",
        "products",
        "reductions",
        "shapes",
    )
}


@pytest.mark.parametrize("function", SAMPLES, ids=qualified_name)
def test_rule(function: Any) -> None:
    check_rule(function, SAMPLES[function])


def ours(function: Any) -> bool:
    """Whether a function is NumPy proper's, the math module's or one of our helpers'."""
    name = getattr(function, "__name__", "")
    home = getattr(function, "__module__", None)
    return getattr(np, name, None) is function or home in {"math", *HELPER_FILES}


def test_every_rule_has_samples() -> None:
    declared = {f for f, rule in RULES.items() if rule.declaration is not None and ours(f)}
    declared.discard(np.float16)  # its numbers are too coarse for differences
    declared.discard(inverse_point)  # its square moves with the point: second order of arctan2
    missing = sorted(qualified_name(f) for f in declared - set(SAMPLES))
    assert not missing

"""Fixtures shared by the tests of rules."""

from __future__ import annotations

import pytest
from numeric import NUMBERS


@pytest.fixture(autouse=True)
def fresh_numbers() -> None:
    """Samples do not depend on which tests ran before."""
    NUMBERS.restart()

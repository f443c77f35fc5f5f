"""Options shared by all tests."""

from __future__ import annotations

import pytest
from programs.not_yet import FORWARD, NUMBA, REFUSED, SECOND_ORDER

import s2sgrad


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite tests/golden/generated/*.py from what the compiler writes now",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Programs that are refused so far must be refused, and with an error of ours."""
    for item in items:
        program = getattr(getattr(item, "callspec", None), "params", {}).get("p")
        name = getattr(program, "name", "")
        second = "second_order" in item.name
        forward = item.name.startswith("test_forward")
        refused = name in REFUSED or (second and name in SECOND_ORDER)
        refused = refused or (forward and name in FORWARD)
        if "numba" in item.name and name in NUMBA:
            mark = pytest.mark.xfail(raises=s2sgrad.S2sgradError, reason="not compiled by Numba")
            item.add_marker(mark)
        if "well_posed" in item.name or not refused:
            continue
        strict = item.name.startswith("test_gradient[")
        reason = REFUSED.get(name, "refused at second order")
        mark = pytest.mark.xfail(raises=s2sgrad.S2sgradError, reason=reason, strict=strict)
        item.add_marker(mark)

"""The examples in the docstrings of the public face run, and give what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest

WITH_EXAMPLES = (
    "api",
    "derivatives.decorating",
    "derivatives.pullbacks",
    "showing.checking",
    "standins.cutting",
)
MODULES = (*WITH_EXAMPLES, "showing.explaining", "showing.exporting")


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(f"s2sgrad.{name}")
    found = doctest.testmod(module)
    assert found.failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    for name in WITH_EXAMPLES:
        tests = finder.find(importlib.import_module(f"s2sgrad.{name}"))
        assert any(test.examples for test in tests), name

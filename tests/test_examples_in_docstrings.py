"""The examples in the docstrings of the public face run, and give what they say."""

from __future__ import annotations

import doctest
import importlib

import pytest

MODULES = ("api", "checking", "cutting", "decorating", "exporting", "explaining", "pullbacks")


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(f"s2sgrad.{name}")
    found = doctest.testmod(module)
    assert found.failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    for name in ("api", "checking", "cutting", "decorating", "pullbacks"):
        tests = finder.find(importlib.import_module(f"s2sgrad.{name}"))
        assert any(test.examples for test in tests), name

"""Small torch programs give the same values, printed text and errors on eager tensors.

`torch_cases/expected.json` was written by torch 2.13; where torch is installed, a second test
checks that it still gives these answers. What the comparison cannot see: object addresses, and
digits beyond float32.
"""

from __future__ import annotations

import importlib
import json
import math
import warnings
from pathlib import Path
from typing import Any

import pytest
from torch_cases import basics, first_steps, functions, training  # noqa: F401
from torch_cases.support import CASES

from s2sgrad import eager

EXPECTED = json.loads((Path(__file__).parent / "torch_cases" / "expected.json").read_text())
SUBMODULES = ("autograd.functional", "utils.checkpoint", "nn.functional", "nn.utils", "optim")
for _name in SUBMODULES:
    importlib.import_module(f"s2sgrad.eager.{_name}")


def differences(expected: Any, got: Any, path: str = "") -> list[str]:
    """Where two plain values differ; floats may differ by rounding."""
    if isinstance(expected, dict) and isinstance(got, dict):
        if set(expected) != set(got):
            return [f"{path}: keys {sorted(expected)} and {sorted(got)}"]
        return [d for k in expected for d in differences(expected[k], got[k], f"{path}.{k}")]
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        pairs = enumerate(zip(expected, got, strict=True))
        return [d for i, (a, b) in pairs for d in differences(a, b, f"{path}[{i}]")]
    numbers = isinstance(expected, (int, float)) and isinstance(got, (int, float))
    if numbers and not isinstance(expected, bool) and not isinstance(got, bool):
        if math.isclose(expected, got, rel_tol=2e-5, abs_tol=2e-6):
            return []
        return [] if math.isnan(expected) and math.isnan(got) else [f"{path}: {expected} != {got}"]
    same = expected == got and type(expected) is type(got)
    return [] if same else [f"{path}: {expected!r} != {got!r}"]


def run(name: str, torch: Any) -> Any:
    """A case's result as JSON gives it back."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return json.loads(json.dumps(CASES[name](torch)))


def test_every_case_has_an_answer() -> None:
    assert set(CASES) == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_case(name: str) -> None:
    assert differences(EXPECTED[name], run(name, eager)) == []


def test_differences_are_seen() -> None:
    assert differences({"a": [1.0, "x"]}, {"a": [1.0, "x"]}) == []
    assert differences({"a": [1.0, "x"]}, {"a": [1.1, "x"]}) == [".a[0]: 1.0 != 1.1"]
    assert differences(True, 1) != []
    assert differences("x", "y") != []


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_torch_itself(name: str) -> None:
    torch = pytest.importorskip("torch")
    for sub in SUBMODULES:
        importlib.import_module(f"torch.{sub}")
    assert differences(EXPECTED[name], run(name, torch)) == []

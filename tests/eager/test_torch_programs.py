"""Programs that go to the corners of the API print what torch 2.13 prints.

A program is a script in `torch_programs/`; `torch` is the module under test, `p(...)` notes the
text of its arguments, `e(call)` the result of a call or its error. `expected.json` was noted
down with torch; where torch is installed, a second test checks it still agrees.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from s2sgrad import eager
from s2sgrad.eager.tensors import tensor_values

FOLDER = Path(__file__).parent / "torch_programs"
EXPECTED: dict[str, list[str]] = json.loads((FOLDER / "expected.json").read_text())
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


def run(name: str, torch: Any) -> list[str]:
    """What the program notes, and its warnings."""
    noted: list[str] = []

    def p(*values: Any) -> None:
        noted.append(_ADDRESS.sub("0xA", " ".join(str(v) for v in values)))

    def e(call: Callable[[], Any]) -> None:
        try:
            p("ok", call())
        except Exception as error:
            p(f"{type(error).__name__}: {error}")

    code = compile((FOLDER / f"{name}.txt").read_text(), f"{name}.txt", "exec")
    scope = {"torch": torch, "np": np, "p": p, "e": e, "print": p}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(code, scope)
        except Exception as error:
            p(f"EXC {type(error).__name__}: {error}")
        finally:
            torch.set_grad_enabled(True)
            torch.autograd.set_detect_anomaly(False)
    for w in caught:
        text = _ADDRESS.sub("0xA", str(w.message).split(". ")[0])[:150]
        noted.append(f"W {w.category.__name__}: {text}")
    return [n.replace("s2sgrad.eager", "torch") for n in noted]


def test_every_program_has_an_answer() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_program(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor_values, "_WARNED", set())  # some warnings come once a process
    assert run(name, eager) == EXPECTED[name]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_torch_itself(name: str) -> None:
    torch = pytest.importorskip("torch")

    def noted(lines: list[str]) -> list[str]:
        return [line for line in lines if not line.startswith("W ")]

    assert noted(run(name, torch)) == noted(EXPECTED[name])

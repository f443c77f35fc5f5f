"""Recorded PyTorch sessions come out the same, printed forms, errors and warnings included."""

from __future__ import annotations

from pathlib import Path

import pytest
from eager.checks import HAS_TORCH, real_torch
from eager.sessions import FOLDER, differences

SESSIONS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", SESSIONS, ids=lambda p: p.stem)
def test_ours(path: Path) -> None:
    found = differences(path, "s2sgrad.eager")
    assert not found, "\n".join(found)


@pytest.mark.skipif(
    not HAS_TORCH or not real_torch().__version__.startswith("2.13."),
    reason="the sessions are PyTorch 2.13's",
)
@pytest.mark.parametrize("path", SESSIONS, ids=lambda p: p.stem)
def test_record_is_torchs(path: Path) -> None:
    found = differences(path, "torch")
    assert not found, "\n".join(found)

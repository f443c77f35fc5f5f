"""Every public function of NumPy proper has a rule, or is declared to have no derivative."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from s2sgrad.rules import RULES, Rule, declare, lookup

# Files, settings, dates and text: nothing in them is a number that could be differentiated.
OUTSIDE = """
busday_count busday_offset datetime_as_string datetime_data from_dlpack frombuffer fromfile
fromregex fromstring genfromtxt get_include get_printoptions getbufsize geterr geterrcall info
is_busday load loadtxt nested_iters printoptions row_stack save savetxt savez savez_compressed
set_printoptions setbufsize seterr seterrcall show_config show_runtime test
"""


def public_functions() -> dict[str, Any]:
    found = {name: getattr(np, name) for name in np.__all__ if hasattr(np, name)}
    return {n: f for n, f in found.items() if callable(f) and not isinstance(f, type)}


def test_every_public_function_is_declared() -> None:
    missing = {name for name, f in public_functions().items() if lookup(f) is None}
    assert missing - set(OUTSIDE.split()) == set()


def test_functions_without_a_rule_say_why() -> None:
    for rule in RULES.values():
        assert rule.kind != "not_yet" or rule.why, rule.name


def own_rules() -> list[Rule]:
    """The rules declared in s2sgrad/rules (eager tensors and users add theirs to the table)."""
    folder = str(Path(declare.__file__).parent)
    return [r for r in RULES.values() if r.span and r.span.filename.startswith(folder)]


def test_every_rule_has_a_docstring_and_cuts() -> None:
    assert own_rules()
    for rule in own_rules():
        assert rule.declaration is not None
        assert rule.declaration.__doc__, rule.name
        assert rule.partials, rule.name


def test_forward_mode_of_every_rule() -> None:
    """A structural rule is linear in, or has a tangent for, each argument that has a partial."""
    for rule in own_rules():
        if rule.kind == "structural":
            needed = set(rule.partials) - rule.shape_only
            assert needed <= set(rule.linear) | set(rule.tangents), rule.name

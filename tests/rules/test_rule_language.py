"""Every rule keeps to the language that the compiler can write into generated code."""

from __future__ import annotations

import ast

import pytest

from s2sgrad.rules import RULES, lookup

ALLOWED = (
    *(ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Attribute, ast.Call),
    *(ast.Subscript, ast.Tuple, ast.List, ast.Slice, ast.keyword, ast.Assign, ast.Starred),
    *(ast.expr_context, ast.operator, ast.USub, ast.Invert),
    *(ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot),
)


def load_scipy() -> None:
    """Import SciPy's modules, so that their rules are entered."""
    for module in ("fft", "integrate", "linalg", "ndimage", "optimize", "signal", "special"):
        pytest.importorskip(f"scipy.{module}")
    pytest.importorskip("scipy.stats")
    pytest.importorskip("scipy.sparse.linalg")
    lookup(load_scipy)


def test_expressions() -> None:
    load_scipy()
    found = set()
    ours = [r for r in RULES.values() if r.span and "s2sgrad/rules" in r.span.filename]
    assert len(ours) > 500
    for rule in ours:
        for partial in (*rule.partials.values(), *rule.tangents.values()):
            for part in (*partial.setup, partial.expression):
                kinds = [type(n).__name__ for n in ast.walk(part) if not isinstance(n, ALLOWED)]
                found |= {(rule.name, kind) for kind in kinds}
    assert not found

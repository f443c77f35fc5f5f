"""The compiler's text against code written by hand: the same values, about the same length.

Each file of tests/golden/ holds a primal and the value-and-gradient function that a careful
person writes for it. What the compiler writes is kept in tests/golden/generated/, so that a
change of it shows in review; `pytest tests/test_golden.py --update-golden` rewrites it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import os
import subprocess
import sys
import tokenize
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from harness import assert_close, gradient_vector, numeric_gradient, select

import s2sgrad

FOLDER = Path(__file__).parent / "golden"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
LENGTH_LIMIT = 1.25


def load(name: str) -> ModuleType:
    return importlib.import_module(f"golden.{name}")


def example(module: ModuleType) -> tuple:
    return tuple(module.arguments(np.random.default_rng(0)))


def argnums(module: ModuleType) -> int | tuple[int, ...]:
    return module.wrt[0] if len(module.wrt) == 1 else module.wrt


def generated_source(module: ModuleType) -> str:
    return s2sgrad.value_and_grad(module.primal, argnums=argnums(module)).source(*example(module))


def statements(source: str) -> int:
    """Statements of a text, without docstrings, imports and `def` lines."""
    skipped = ast.Import | ast.ImportFrom | ast.FunctionDef
    return sum(
        isinstance(node, ast.stmt)
        and not isinstance(node, skipped)
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in ast.walk(ast.parse(source))
    )


def target_source(module: ModuleType) -> str:
    """The hand-written gradient with the functions that only it uses."""
    functions = inspect.getmembers(module, inspect.isfunction)
    own = [
        f for name, f in functions if name == "target" or name.endswith(("_forward", "_backward"))
    ]
    return "\n".join(inspect.getsource(f) for f in own)


def comments(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


@pytest.mark.parametrize("name", NAMES)
def test_target_agrees_with_differences(name: str) -> None:
    check_gradient(load(name), load(name).target)


@pytest.mark.parametrize("name", NAMES)
def test_generated_agrees_with_differences(name: str) -> None:
    module = load(name)
    function = s2sgrad.value_and_grad(module.primal, argnums=argnums(module), fallback="error")
    check_gradient(module, function)


def check_gradient(module: ModuleType, value_and_grad) -> None:
    args, which = example(module), argnums(module)
    parameters = list(inspect.signature(module.primal).parameters)
    value, gradient = value_and_grad(*args)
    expected = numeric_gradient(module.primal, args, {}, which, parameters)
    found = gradient_vector(gradient, select(args, {}, which, parameters))
    assert value == pytest.approx(module.primal(*args), rel=1e-13)
    assert_close(found, expected, rtol=1e-6, what=module.__name__)


@pytest.mark.parametrize("name", NAMES)
def test_generated_text_is_the_golden_one(name: str, request: pytest.FixtureRequest) -> None:
    path = FOLDER / "generated" / f"{name}.py"
    source = generated_source(load(name))
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
    assert source == path.read_text(), "changed; look at it, then run with --update-golden"


@pytest.mark.parametrize("name", NAMES)
def test_generated_is_about_as_long_as_by_hand(name: str) -> None:
    module = load(name)
    by_hand, generated = statements(target_source(module)), statements(generated_source(module))
    assert generated <= LENGTH_LIMIT * by_hand, f"{generated} statements, {by_hand} by hand"


@pytest.mark.parametrize("name", NAMES)
def test_generated_keeps_the_comments(name: str) -> None:
    module = load(name)
    kept = comments(generated_source(module))
    missing = [c for c in comments(inspect.getsource(module.primal)) if c not in kept]
    assert missing == []


@pytest.mark.parametrize("name", NAMES)
def test_generated_lines_fit(name: str) -> None:
    too_long = [line for line in generated_source(load(name)).splitlines() if len(line) > 88]
    assert too_long == []


def test_the_same_text_in_every_process() -> None:
    texts = "(t.generated_source(t.load(n)) for n in t.NAMES)"
    assert len(printed_by_several("test_golden", texts)) == 1


BY_NAMES = ("lists_in_lists_that_names_hold_too", "derivatives_by_a_graph_of_objects")


@pytest.mark.parametrize("every", [400, pytest.param(1, marks=pytest.mark.slow)])
def test_programs_have_the_same_text_in_every_process(every: int) -> None:
    chosen = (
        f"[p for k, p in enumerate(t.PROGRAMS) if k % {every} == 0 or p.name.endswith({BY_NAMES})]"
    )
    assert len(printed_by_several("test_programs", f"map(t.text_of, {chosen})")) == 1


def printed_by_several(module: str, texts: str) -> set[str]:
    """What processes print that order sets in ways of their own."""
    script = (
        f"import sys; sys.path.insert(0, 'tests')\nimport {module} as t\nprint(*{texts}, sep='\\n')"
    )
    return {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=FOLDER.parent.parent,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }


def test_cholesky_stores_nothing() -> None:
    """A column is final once its step is done: no list may grow and no array be saved."""
    source = generated_source(load("cholesky"))
    assert "_saved" not in source and ".append(" not in source

"""Refused constructs: the class, the place, the caret, the reason, and a rewrite that works."""

from __future__ import annotations

import ast
import json
import linecache
import pathlib
import random

import numpy as np
import pytest
from harness import assert_close, gradient_vector, numeric_gradient
from refused import CASES, Refused, load, place

import s2sgrad

X = np.array([0.4, -0.7, 1.1])
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def refusal(case: Refused) -> s2sgrad.UnsupportedError:
    with pytest.raises(s2sgrad.UnsupportedError) as caught:
        s2sgrad.grad(load(case.bad), fallback="error")(X.copy())
    return caught.value


@every_case
def test_points_at_the_place(case: Refused) -> None:
    error = refusal(case)
    assert error.filename == load(case.bad).__code__.co_filename
    places = [place(case.bad, snippet) for snippet in case.at]
    assert (error.lineno, error.offset) in places, str(error)


@every_case
def test_says_what_why_and_what_to_write(case: Refused) -> None:
    error = refusal(case)
    lines = str(error).splitlines()
    assert lines[0].strip() and not lines[0].startswith(" ")
    assert lines[1] == f'  File "{error.filename}", line {error.lineno}'
    source_line = case.bad.splitlines()[error.lineno - 1]
    assert lines[2].strip() == source_line.strip()
    caret = lines[3]
    under = lines[2][len(caret) - len(caret.lstrip()) :]
    assert set(caret.strip()) == {"^"}
    assert source_line[error.offset - 1 :].startswith(under[:3])
    assert any(line.startswith("  why: ") for line in lines)
    assert any(line.startswith("  fix: ") for line in lines)


@every_case
def test_the_rewrite_works(case: Refused) -> None:
    f = load(case.good)
    value, gradient = s2sgrad.value_and_grad(f, fallback="error")(X.copy())
    assert value == pytest.approx(f(X.copy()), rel=1e-13)
    expected = numeric_gradient(f, (X,), {}, 0, ["x"])
    assert_close(gradient_vector(gradient, X), expected, 1e-7)


def test_the_bad_and_the_good_program_agree() -> None:
    """The rewrites compute the same; they are not other programs."""
    for case in CASES:
        assert load(case.good)(X.copy()) == pytest.approx(load(case.bad)(X.copy())), case.name


def test_refused_at_compile_time_even_when_not_reached() -> None:
    f = load("def f(x):\n    if x[0] > 1e9:\n        exec('pass')\n    return np.sum(x * x)\n")
    with pytest.raises(s2sgrad.UnsupportedError) as caught:
        s2sgrad.grad(f, fallback="error")(X.copy())
    assert caught.value.lineno == 3


def unexplained(path: pathlib.Path) -> list[str]:
    """The places in a file where something is refused without a reason or without a rewrite."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        name = getattr(
            getattr(node, "func", None), "attr", getattr(getattr(node, "func", None), "id", "")
        )
        if not isinstance(node, ast.Call) or name not in ("refuse", "UnsupportedError"):
            continue
        given = [*node.args, *(k.value for k in node.keywords)]
        said = sum(not (isinstance(a, ast.Constant) and a.value == "") for a in given)
        whole = any(isinstance(a, ast.Starred) for a in given)
        inner = "no loop over unit" in ast.unparse(node)  # caught where the loop is not needed
        without_place = {"why", "fix"} <= {k.arg for k in node.keywords}
        if said < 4 and not (whole or inner or without_place):
            found.append(f"{path.name}:{node.lineno}")
    return found


def test_every_refusal_says_why_and_what_to_write() -> None:
    package = pathlib.Path(s2sgrad.__file__).parent
    parts = [p for p in package.iterdir() if p.is_dir() and p.name != "eager"]
    assert [
        place for part in parts for path in part.rglob("*.py") for place in unexplained(path)
    ] == []


def test_code_without_source_is_refused() -> None:
    scope: dict = {"np": np}
    exec("def f(x):\n    return np.sum(x * x)\n", scope)
    with pytest.raises(s2sgrad.UnsupportedError, match="source"):
        s2sgrad.grad(scope["f"], fallback="error")(X.copy())


def test_another_text_without_a_name_is_not_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -c` of Python 3.13 keeps its text under the name that `exec` gives to all."""
    own, other = "def f(x):\n    return np.sum(x * x)\n", "def f(x):\n    return np.sum(3 * x)\n"
    scope: dict = {"np": np}
    exec(own, scope)
    held = (len(other), None, other.splitlines(keepends=True), "<string>")
    monkeypatch.setitem(linecache.cache, "<string>", held)
    with pytest.raises(s2sgrad.UnsupportedError, match="source"):
        s2sgrad.grad(scope["f"], fallback="error")(X.copy())
    exec(other, scope)
    np.testing.assert_array_equal(s2sgrad.grad(scope["f"])(X.copy()), np.full_like(X, 3.0))


def test_function_without_rule_is_refused_at_compile_time() -> None:
    text = "def f(x):\n    w = np.nextafter(x, 2.0)\n    return np.sum(w)\n"
    with pytest.raises(s2sgrad.MissingRuleError) as caught:
        s2sgrad.grad(load(text), fallback="error").source(X.copy())
    error = caught.value
    assert error.lineno == 2 and "nextafter" in error.name
    assert "@s2sgrad.rule(" in str(error)


def test_fewer_names_than_entries_are_refused() -> None:
    f = load("def f(x):\n    y = x * x\n    a, b = y\n    return a * b\n")
    with pytest.raises(s2sgrad.UnsupportedError, match="3 values into 2 names") as caught:
        s2sgrad.grad(f, fallback="error")(X.copy())
    assert caught.value.lineno == 3
    found = s2sgrad.grad(f, fallback="error")(X[:2].copy())
    np.testing.assert_allclose(found, [2 * X[0] * X[1] ** 2, 2 * X[1] * X[0] ** 2], rtol=1e-13)


def test_function_without_rule_is_fine_where_nothing_active_enters() -> None:
    f = load("def f(x):\n    w = np.kaiser(3, 2.0)\n    return np.sum(w * x * x)\n")
    found = s2sgrad.grad(f, fallback="error")(X.copy())
    np.testing.assert_allclose(found, 2.0 * np.kaiser(3, 2.0) * X, rtol=1e-13)


@pytest.mark.parametrize(
    ("body", "came"),
    [
        ("return x * x", r"float64.*\(?3|shape"),
        ("return [x[0], x[1]]", "list"),
        ("return None", "None"),
        ("return (x[0], x[1])", "tuple"),
        ("return np.sum(x) * 1j", "complex"),
    ],
)
def test_result_that_is_no_real_scalar(body: str, came: str) -> None:
    f = load(f"def f(x):\n    {body}\n")
    with pytest.raises(TypeError, match=came) as caught:
        s2sgrad.grad(f, fallback="error")(X.copy())
    assert "vjp" in str(caught.value) and "jacobian" in str(caught.value)


def test_wrong_argnums() -> None:
    f = load("def f(x, n):\n    return np.sum(x ** n)\n")
    for argnums in (2, "z", (0, 5), -7):
        with pytest.raises((TypeError, ValueError, IndexError), match=r"argnums|argument"):
            s2sgrad.grad(f, argnums=argnums, fallback="error")(X.copy(), 2)


def test_argument_without_floats() -> None:
    f = load("def f(x, n):\n    return np.sum(x ** n)\n")
    with pytest.raises(TypeError, match=r"n|int"):
        s2sgrad.grad(f, argnums=1, fallback="error")(X.copy(), 2)


def test_the_users_own_errors_pass_unchanged() -> None:
    f = load(
        "def f(x):\n    if x[0] < 1e9:\n        raise KeyError('mine')\n    return np.sum(x)\n"
    )
    with pytest.raises(KeyError, match="mine"):
        s2sgrad.grad(f, fallback="error")(X.copy())


def test_a_failure_inside_names_the_users_line() -> None:
    text = "def f(x, w):\n    y = x * x\n    z = y + w\n    return np.sum(z * z)\n"
    f = load(text)
    df = s2sgrad.grad(f, fallback="error")
    with pytest.raises(ValueError) as caught:
        df(X.copy(), np.ones(2))
    notes = "\n".join(getattr(caught.value, "__notes__", []))
    assert f.__code__.co_filename in notes and "line 3" in notes


def filled(x, y):
    z = np.zeros(5)
    z[:] = x
    return np.sum(z) + np.sum(y)


def product(x, y):
    return np.sum(y.reshape(2, 2) @ x)


@pytest.mark.parametrize(
    "jit", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["numpy", "jit"]
)
@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: np.sum(x + y),
        lambda x, y: x @ y,
        lambda x, y: np.sum(np.dot(x, y)),
        lambda x, y: np.sum(np.maximum(x, 0.0)) + np.sum(np.abs(x) - y),
        filled,
        product,
    ],
)
def test_lengths_that_do_not_fit(f, jit: bool) -> None:
    x, y = np.arange(3.0), np.arange(4.0)
    for transform in (s2sgrad.grad, s2sgrad.value_and_grad):
        with pytest.raises(ValueError):  # though none of these gradients needs the value
            transform(f, jit=jit, fallback="error")(x, y)
    with pytest.raises(ValueError):
        s2sgrad.jvp(f, (x, y), (x, y), jit=jit, fallback="error")


def test_lengths_that_do_not_fit_make_no_error_of_those_that_do() -> None:
    def f(x, y):
        return np.sum(x[1:] + y)

    df = s2sgrad.grad(f, fallback="error")
    with pytest.raises(ValueError):
        df(np.ones(7), np.ones(3))
    assert df(np.ones(7), np.ones(6)).tolist() == [0.0] + 6 * [1.0]


SHUFFLED = [1.0, 2.0, 3.0]


def test_the_users_line_is_named_where_a_library_is_read() -> None:
    def f(x):
        random.shuffle(SHUFFLED)
        return np.sum(x) * SHUFFLED[0]

    with pytest.raises(s2sgrad.UnsupportedError) as caught:
        s2sgrad.grad(f, fallback="error")(np.ones(3))
    assert "test_errors.py" in str(caught.value) and "random.shuffle(SHUFFLED)" in str(caught.value)


def test_no_rule_is_asked_for_what_has_no_name() -> None:
    """`@s2sgrad.rule(__call__)` would name nothing of the user's."""
    from concurrent.futures import ThreadPoolExecutor

    def by_threads(x):
        with ThreadPoolExecutor(1) as threads:
            return sum(threads.map(abs, x))

    def by_text(x):
        return x[0] * json.loads(json.dumps({"a": float(x[0])}))["a"]

    for function in (by_threads, by_text):
        with pytest.raises(s2sgrad.MissingRuleError) as caught:
            s2sgrad.grad(function, fallback="error")(np.ones(2))
        assert "a function of your own" in str(caught.value)
        assert "@s2sgrad.rule(" not in str(caught.value)

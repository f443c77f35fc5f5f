"""Compiled code of an earlier process: found again where nothing has changed, and only there."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from harness import some

import s2sgrad
from s2sgrad.calls.footprint import Footprint, Unknowable

pytest.importorskip("numba")

X = np.linspace(0.5, 1.5, 5)
HEAD = "import numpy as np\n"
LOSS = HEAD + "def f(x):\n    return np.sum({})\n"


def imported(folder: Path, **texts: str) -> Any:
    """Modules with these texts, as a new process would import them; the one named `main`."""
    for name, text in texts.items():
        sys.modules.pop(name, None)
        (folder / f"{name}.py").write_text(text)
    importlib.invalidate_caches()
    for name in texts:
        sys.modules.pop(name, None)
    for cached in folder.glob("__pycache__/*"):
        cached.unlink()
    return importlib.import_module("main")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("S2SGRAD_CACHE_DIR", str(tmp_path / "kept"))
    place = tmp_path / "modules"
    place.mkdir()
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return place


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Grows by one with each function that is compiled."""
    from s2sgrad.derivatives import gradient

    found: list[Any] = []
    plain = gradient.compile_gradient

    def noted(function: Any, *args: Any) -> Any:
        found.append(function)
        return plain(function, *args)

    monkeypatch.setattr(gradient, "compile_gradient", noted)
    return found


def slope(f: Callable[..., float], x: np.ndarray, *more: Any) -> np.ndarray:
    """The gradient by central differences."""
    steps = 1e-5 * np.eye(x.size)
    return np.array([(f(x + e, *more) - f(x - e, *more)) / 2e-5 for e in steps])


def agrees(f: Callable[..., float], x: np.ndarray, *more: Any) -> bool:
    """A new derivative, as in a new process, against differences."""
    found = s2sgrad.grad(f, jit=True, fallback="error")(x, *more)
    return np.allclose(found, slope(f, x, *more), rtol=1e-6)


def test_nothing_is_compiled_again(folder: Path, compilations: list[Any]) -> None:
    """Not for other sizes either, nor for other numbers outside."""
    text = HEAD + "RATE = 2.0\ndef f(x, w):\n    return RATE * np.sum(x * w[0]) + np.sum(x**2)\n"
    module = imported(folder, main=text)
    assert agrees(module.f, X, [2.0])
    assert len(compilations) == 1
    module = imported(folder, main=text)
    assert agrees(module.f, X, [3.0])
    gradient = s2sgrad.grad(module.f, jit=True, fallback="error")
    for size in (2, 7):
        assert np.allclose(gradient(np.ones(size), [1.5]), 2.0 * 1.5 + 2.0)
    assert len(compilations) == 1
    assert "def f_grad" in gradient.source(X, [3.0])
    assert len(compilations) == 2
    module.RATE = 5.0
    assert np.allclose(gradient(X, [1.0]), 5.0 + 2.0 * X)


def test_another_layout_and_another_type(folder: Path, compilations: list[Any]) -> None:
    """What the machine code was not made for is compiled as ever."""
    module = imported(folder, main=LOSS.format("x * np.sin(x)"))
    assert agrees(module.f, X)
    gradient = s2sgrad.grad(module.f, jit=True, fallback="error")
    expected = np.sin(X) + X * np.cos(X)
    assert np.allclose(gradient(np.repeat(X, 2)[::2]), expected)
    assert np.allclose(gradient(X), expected)
    assert np.allclose(gradient(X.astype(np.float32)), expected, rtol=1e-5)


def test_sizes_that_must_suit(folder: Path) -> None:
    """Code that rests on equations between sizes is not taken for others."""
    body = "x.reshape(k, -1)[0] ** 2 * np.arange(len(x) // k)"
    module = imported(folder, main=HEAD + f"def f(x, k):\n    return np.sum({body})\n")
    x = np.linspace(1.0, 2.0, 6)
    assert agrees(module.f, x, 2)
    assert agrees(module.f, x, 3)
    assert agrees(module.f, x, 2)


def test_errors_name_the_users_line(folder: Path) -> None:
    text = HEAD + (
        "def f(x, k):\n    total = 0.0\n    for i in range(k):\n        total += x[i] ** 2\n"
        "    if total > 100.0:\n        raise RuntimeError('too much')\n    return total\n"
    )
    module = imported(folder, main=text)
    assert agrees(module.f, X, 3)
    gradient = s2sgrad.grad(module.f, jit=True, fallback="error")
    with pytest.raises(RuntimeError, match="too much"):
        gradient(100.0 * X, 3)
    assert np.allclose(gradient(X, 2), [2 * X[0], 2 * X[1], 0.0, 0.0, 0.0])


def test_written_arguments_must_not_overlap(folder: Path) -> None:
    text = HEAD + "def f(x, y):\n    y[0] += x[1]\n    return np.sum(x * y)\n"
    module = imported(folder, main=text)
    y = np.ones(5)
    for _ in range(2):
        gradient = s2sgrad.grad(module.f, jit=True, fallback="error")
        assert np.allclose(gradient(X, y), [1.0 + X[1], 1.0 + X[0], 1.0, 1.0, 1.0])
    with pytest.raises(s2sgrad.UnsupportedError, match="share memory"):
        gradient(y, y)


@pytest.mark.parametrize("damage", [b"", b"x", bytes(range(200))])
def test_broken_record(folder: Path, damage: bytes) -> None:
    module = imported(folder, main=LOSS.format("x**3"))
    assert agrees(module.f, X)
    (path,) = (folder.parent / "kept").glob("call_*.record")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] + damage)
    assert agrees(module.f, X)
    assert path.read_bytes() == whole
    for code in (folder.parent / "kept").glob("*.code"):
        code.unlink()
    assert agrees(module.f, X)


MAIN = HEAD + "import other\ndef f(x):\n    return np.sum(other.{})\n"
RULE = HEAD + (
    "import s2sgrad\ndef g(x):\n    return x * x\n"
    "@s2sgrad.elementwise(g)\ndef g_rule(y_bar, y, x):\n    return {} * y_bar * x\n"
    "def f(x):\n    return np.sum(g(x))\n"
)
CLASS = HEAD + (
    "class Base:\n    def power(self, x):\n        return x**{}\n"
    "class Model(Base):\n    scale = {}\n"
    "    def __call__(self, x):\n        return self.scale * self.power(x)\n"
    "model = Model()\ndef f(x):\n    return np.sum(model(x))\n"
)
CLOSURE = HEAD + (
    "def make(h, k):\n    def f(x):\n        return np.sum(h(x) if k else x)\n    return f\n"
    "f = make(lambda x: {}, {})\n"
)
WITHIN = HEAD + "def f(x):\n    from other import g\n    return np.sum(g(x))\n"
WRAPPED = HEAD + (
    "import functools\n@functools.wraps(np.sin)\ndef g(x):\n    return {} * x\n"
    "def f(x):\n    return np.sum(g(x))\n"
)
PARTIAL = HEAD + (
    "import functools\ndef g(k, x):\n    return x**k\n"
    "h = functools.partial(g, {})\ndef f(x):\n    return np.sum(h(x))\n"
)
CONFIG = MAIN.format("LEVEL * x if other.MODE == 'linear' else x**2")
# name -> texts of modules before and after a change that code depends on
CHANGES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "the function": ({"main": LOSS.format("x**2")}, {"main": LOSS.format("x**3")}),
    "a callee elsewhere": (
        {"main": MAIN.format("g(x)"), "other": "def g(x):\n    return 2.0 * x\n"},
        {"main": MAIN.format("g(x)"), "other": "def g(x):\n    return 3.0 * x\n"},
    ),
    "what a callee calls": (
        {"main": MAIN.format("g(x)"), "other": "def h(x): return x\ndef g(x): return h(x)\n"},
        {"main": MAIN.format("g(x)"), "other": "def h(x): return -x\ndef g(x): return h(x)\n"},
    ),
    "a string elsewhere": (
        {"main": CONFIG, "other": "MODE, LEVEL = 'linear', 2\n"},
        {"main": CONFIG, "other": "MODE, LEVEL = 'square', 2\n"},
    ),
    "an integer elsewhere": (
        {"main": CONFIG, "other": "MODE, LEVEL = 'linear', 2\n"},
        {"main": CONFIG, "other": "MODE, LEVEL = 'linear', 3\n"},
    ),
    "a closure's function": (
        {"main": CLOSURE.format("x * 2.0", True)}, {"main": CLOSURE.format("x * 5.0", True)},
    ),
    "a closure's flag": (
        {"main": CLOSURE.format("x * 2.0", True)}, {"main": CLOSURE.format("x * 2.0", False)},
    ),
    "a default": (
        {"main": HEAD + "def f(x, k=2.0):\n    return np.sum(x * k)\n"},
        {"main": HEAD + "def f(x, k=3.0):\n    return np.sum(x * k)\n"},
    ),
    "an inherited method": ({"main": CLASS.format(2, 1.5)}, {"main": CLASS.format(3, 1.5)}),
    "a class attribute": ({"main": CLASS.format(2, 1.5)}, {"main": CLASS.format(2, 2.5)}),
    "an import within": (
        {"main": WITHIN, "other": "def g(x):\n    return 2.0 * x\n"},
        {"main": WITHIN, "other": "def g(x):\n    return 3.0 * x\n"},
    ),
    "a wrapped function": ({"main": WRAPPED.format(2.0)}, {"main": WRAPPED.format(3.0)}),
    "a partial's argument": ({"main": PARTIAL.format(2)}, {"main": PARTIAL.format(3)}),
}  # fmt: skip


def footprint(f: Any, *args: Any) -> str:
    found = Footprint()
    found.arguments(args)
    found.outside(f)
    return found.digest()


@pytest.mark.parametrize("change", CHANGES)
def test_footprint_of_what_has_changed(folder: Path, change: str) -> None:
    before, after = CHANGES[change]
    try:
        first = footprint(imported(folder, **before).f, X)
        assert footprint(imported(folder, **before).f, X) == first
        assert footprint(imported(folder, **after).f, X) != first
    except Unknowable:
        assert change == "an import within", "there must be a footprint"


NOT_TAKEN = ("a wrapped function", "a partial's argument")  # the compiler refuses them


@pytest.mark.parametrize("change", [c for c in CHANGES if c not in NOT_TAKEN])
def test_changed_code_is_compiled(folder: Path, change: str) -> None:
    """Never the gradient of what was there before."""
    before, after = CHANGES[change]
    assert agrees(imported(folder, **before).f, X)
    assert agrees(imported(folder, **after).f, X)
    assert agrees(imported(folder, **before).f, X)


def test_changed_rule_is_used(folder: Path) -> None:
    """A rule of the user's is part of the code, right or wrong."""
    for factor in (2.0, 7.0, 2.0):
        module = imported(folder, main=RULE.format(factor))
        found = s2sgrad.grad(module.f, jit=True, fallback="error")(X)
        assert np.allclose(found, factor * X)


def test_changed_while_running(folder: Path) -> None:
    """The same derivative goes on: what it has recalled is compared at each call."""
    module = imported(folder, main=HEAD + "K = 2\ndef f(x):\n    return np.sum(x**K)\n")
    assert agrees(module.f, X)
    gradient = s2sgrad.grad(module.f, jit=True, fallback="error")
    assert np.allclose(gradient(X), 2.0 * X)
    module.K = 3
    assert np.allclose(gradient(X), 3.0 * X**2)
    module.K = 2
    assert np.allclose(gradient(X), 2.0 * X)


def test_functions_as_arguments(folder: Path) -> None:
    text = HEAD + "def f(x, h):\n    return np.sum(h(x))\ndef g(x):\n    return {}\n"
    for body in ("x**2", "x**3"):
        module = imported(folder, main=text.format(body))
        assert agrees(module.f, X, module.g)


@pytest.mark.parametrize(
    "body",
    [
        "eval('x * 2.0')",
        "getattr(other, 'g' + 'h'[:0])(x)",
        "vars(other)['g'](x)",
    ],
)
def test_what_names_do_not_tell(folder: Path, body: str) -> None:
    module = imported(
        folder,
        main=HEAD + f"import other\ndef f(x):\n    return np.sum({body})\n",
        other="def g(x):\n    return 2.0 * x\n",
    )
    with pytest.raises(Unknowable):
        footprint(module.f, X)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((X, X), (X, X[1:])),
        ((X, 1.0), (X, 1)),
        ((X,), (X.astype(np.float32),)),
        ((X, "a"), (X, "b")),
        ((X, [X]), (X, (X,))),
        (({"a": X},), ({"b": X},)),
    ],
)
def test_kinds_of_arguments(first: tuple[Any, ...], second: tuple[Any, ...]) -> None:
    assert footprint(agrees, *first) != footprint(agrees, *second)
    assert footprint(agrees, X, 2.0, 3) == footprint(agrees, X[1:], 4.0, 7)


# --- other derivatives ---------------------------------------------------------------------------
SECOND = HEAD + "def f(x):\n    y = np.tanh(x) * x[::-1]\n    return np.sum(y * y * x)\n"
VECTOR = HEAD + "def f(x):\n    return np.cumsum(x) * np.sin(x)\n"


@pytest.fixture
def lowerings(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Grows by one with each function that is read."""
    from s2sgrad import pipeline

    found: list[Any] = []
    plain = pipeline.lower

    def noted(function: Any, *args: Any) -> Any:
        found.append(function)
        return plain(function, *args)

    monkeypatch.setattr(pipeline, "lower", noted)
    return found


def both_times(folder: Path, text: str, lowerings: list[Any], job: Callable[..., Any]) -> None:
    """The job with a function, and once more as in a new process: then nothing is read."""
    first = job(imported(folder, main=text).f)
    assert lowerings
    lowerings.clear()
    second = job(imported(folder, main=text).f)
    assert not lowerings
    assert np.array_equal(first, second)


def test_pullback_of_an_earlier_process(folder: Path, lowerings: list[Any]) -> None:
    def job(f: Callable[..., Any]) -> np.ndarray:
        value, pullback = s2sgrad.vjp(f, X.copy(), jit=True, fallback="error")
        assert np.allclose(value, f(X))
        return pullback(np.ones(5))[0]

    both_times(folder, VECTOR, lowerings, job)
    f = imported(folder, main=VECTOR).f
    expected = slope(lambda x: np.sum(f(x)), X)
    assert np.allclose(job(f), expected, rtol=1e-6)


def test_pullback_without_code_of_its_own(folder: Path, lowerings: list[Any]) -> None:
    """The record is there, but machine code for such a cotangent is not."""
    f = imported(folder, main=VECTOR).f
    s2sgrad.vjp(f, X, jit=True, fallback="error")[1](np.ones(5))
    f = imported(folder, main=VECTOR).f
    lowerings.clear()
    _, pullback = s2sgrad.vjp(f, X, jit=True, fallback="error")
    assert not lowerings
    found = pullback(np.ones(10)[::2])[0]  # not contiguous
    assert np.allclose(found, slope(lambda x: np.sum(f(x)), X), rtol=1e-6)
    assert lowerings


def test_tangent_of_an_earlier_process(folder: Path, lowerings: list[Any]) -> None:
    def job(f: Callable[..., Any]) -> np.ndarray:
        return s2sgrad.jvp(f, (X,), (np.ones(5),), jit=True, fallback="error")[1]

    both_times(folder, VECTOR, lowerings, job)


def test_jacobian_of_an_earlier_process(folder: Path, lowerings: list[Any]) -> None:
    both_times(folder, VECTOR, lowerings, lambda f: s2sgrad.jacobian(f, jit=True)(X))


def test_hessian_of_an_earlier_process(folder: Path, lowerings: list[Any]) -> None:
    both_times(folder, SECOND, lowerings, lambda f: s2sgrad.hessian(f, jit=True)(X))
    f = imported(folder, main=SECOND).f
    gradient = s2sgrad.grad(f)
    steps = 1e-5 * np.eye(5)
    expected = np.array([(gradient(X + e) - gradient(X - e)) / 2e-5 for e in steps])
    assert np.allclose(s2sgrad.hessian(f, jit=True)(X), expected, rtol=1e-6)


# --- functions of which lines run in Python --------------------------------------------------
DIVIDED = {
    "dicts": """
def f(x):
    groups = {}
    for i in range(4):
        groups.setdefault(i % 2, []).append(x * i)
    total = 0.0
    for rows in groups.values():
        for row in rows:
            total = total + np.sum(row**2)
    return total
""",
    "pieces": """
def f(x):
    log = {}
    y = x.copy()
    for i in range(3):
        log[str(i)] = y * 2.0
        for k in range(1, len(y)):
            y[k] = y[k - 1] * 0.5 + np.sin(x[k])
    return np.sum(log["1"] * y)
""",
    "recursions": """
def tree(x, k):
    return x * 2.0 if k < 1 else tree(x, k - 1) * np.sin(x) + tree(0.5 * x, k - 2)
def f(x):
    return tree(np.sum(x), len(x)) ** 2
""",
    "calls": """
def f(x):
    y = x.copy()
    for k in range(3):
        y[k] += np.quantile(y, 0.3) * x[k]
    return np.sum(np.einsum("i,i->i", y, x))
""",
}


@pytest.mark.parametrize("name", some(DIVIDED))
def test_functions_in_pieces(folder: Path, compilations: list[Any], name: str) -> None:
    main = imported(folder, main=HEAD + DIVIDED[name])
    expected = s2sgrad.value_and_grad(main.f)(X)
    first = s2sgrad.value_and_grad(main.f, jit=True, fallback="error")(X)
    made = len(compilations)
    main = imported(folder, main=HEAD + DIVIDED[name])
    gradient = s2sgrad.value_and_grad(main.f, jit=True, fallback="error")
    for found in (first, gradient(X), gradient(X)):
        np.testing.assert_allclose(found[0], expected[0])
        np.testing.assert_allclose(found[1], expected[1])
    assert len(compilations) == made
    other = X[::2] ** 2  # of another layout: machine code of before does not fit
    expected = s2sgrad.value_and_grad(main.f)(np.tile(other, 2)[::-1])
    found = gradient(np.tile(other, 2)[::-1])
    np.testing.assert_allclose(found[1], expected[1])

"""Tools around a gradient: source, explain, export, check_grad, cuts, rules, the shell."""

from __future__ import annotations

import ast
import inspect
import operator
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special, stats

import s2sgrad
import s2sgrad_runtime
from s2sgrad.showing.export_lines import narrowed

X = np.array([0.4, -0.7, 1.1])
W = np.array([1.5, 0.5, -2.0])


def loss(w: np.ndarray, x: np.ndarray) -> float:
    # residual against the weights
    r = x * w - 1.0
    return np.sum(r**2)


def grad(f: Any, argnums: Any = 0, **options: Any) -> Any:
    return s2sgrad.grad(f, argnums=argnums, fallback="error", **options)


# source, explain, export, check_grad


def test_source_reads_like_python_and_fits() -> None:
    df = grad(loss)
    special, general = df.source(W, X), df.source()
    for text in (special, general):
        ast.parse(text)
        assert max(map(len, text.splitlines())) <= 88
    assert "# residual against the weights" in special
    assert df.source(W, X) == special == grad(loss).source(W, X)


def test_same_sizes_pattern_same_code() -> None:
    df = grad(loss)
    assert df.source(W, X) == df.source(np.ones(8), np.ones(8))


def test_explain() -> None:
    def f(x):
        h = x
        for _ in range(4):
            h = np.tanh(h) * x
        return np.sum(h)

    text = str(grad(f).explain(X))
    assert "saved" in text.lower() or "saves" in text.lower()
    assert Path(__file__).name in text


def test_export_is_standalone(tmp_path: Path) -> None:
    def f(x, n):
        s = 0.0
        for i in range(n):
            s += np.sin(x[i]) * s + x[i] ** 2
        return s

    path = tmp_path / "slope.py"
    s2sgrad.export(grad(f), path, X, 3)
    imports = {
        alias.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert imports <= {"numpy", "s2sgrad_runtime", "math"}
    scope: dict[str, Any] = {"__name__": "exported"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    functions = [v for v in scope.values() if inspect.isfunction(v)]
    expected = grad(f)(X, 3)
    assert any(_gives(g, expected, X, 3) for g in functions)


def _gives(function: Any, expected: np.ndarray, *args: Any) -> bool:
    try:
        return bool(np.allclose(function(*args), expected, rtol=1e-12))
    except (TypeError, ValueError):
        return False


def _power(x: float, n: int) -> float:
    return 1.0 if n == 0 else x * _power(x, n - 1)


def test_exported_functions_are_called_as_the_primal(tmp_path: Path) -> None:
    def f(x, *rest, k=2, **more):
        return np.sum(x) * rest[0] * _power(rest[1], 3) * k * more["c"]

    def g(x, *, k):
        return np.sum(x**k)

    for n, (function, args, named) in enumerate(
        [
            (f, (X, 3.0, 4.0), {"c": 2.0}),
            (f, (X, 3.0, 4.0), {"c": 2.0, "k": 3}),
            (g, (X,), {"k": 2}),
        ]
    ):
        path = tmp_path / f"called_{n}.py"
        s2sgrad.export(grad(function), path, *args, **named)
        scope: dict[str, Any] = {"__name__": "exported"}
        exec(compile(path.read_text(), str(path), "exec"), scope)
        found = scope[f"{function.__name__}_grad"](*args, **named)
        np.testing.assert_allclose(found, grad(function)(*args, **named), rtol=1e-12)


def test_exported_lines_are_short_and_their_names_known(tmp_path: Path) -> None:
    def f(x, params, mode="a_rather_long_name_of_a_mode", other="and_another_long_default_value"):
        scale = params["a_long_name_of_a_parameter"] * params["another_long_name_of_one"]
        total = np.sum(np.cumprod(x)) + np.sum(np.sort(x)[:2] ** 2) + np.linalg.norm(np.outer(x, x))
        return total * scale * len(mode + other) * np.linalg.det(np.outer(x, x) + np.eye(4))

    params = {"a_long_name_of_a_parameter": 1.0, "another_long_name_of_one": 2.0, "third": 3.0}
    x = np.arange(1.0, 5.0)
    for inline in (False, True):
        path = tmp_path / f"lines_{inline}.py"
        s2sgrad.export(grad(f), path, x, params, inline_runtime=inline)
        text = path.read_text()
        assert max(map(len, text.splitlines())) <= 88
        scope: dict[str, Any] = {"__name__": "exported"}
        exec(compile(text, str(path), "exec"), scope)
        np.testing.assert_allclose(scope["f_grad"](x, params), grad(f)(x, params), rtol=1e-12)
        with pytest.raises(ValueError, match="this code is for params with the keys"):
            scope["f_grad"](x, {"third": 3.0})
        if inline:
            assert {"Any"} - scope.keys() == set()


LIMITS = {"low": -np.inf, "signs": (1, -1), "tables": [np.arange(3.0)], "do": {"add": operator.add}}


def test_exported_constants_and_flags(tmp_path: Path) -> None:
    """What is read from outside is written out, whatever holds it; flags in lists are checked."""

    def f(x, words, limit=np.inf):
        total = 0.0
        for word, sign, table in zip(words, LIMITS["signs"], LIMITS["tables"] * 2, strict=False):
            if word in LIMITS["do"] and LIMITS["low"] < x[0] < limit:
                total = LIMITS["do"][word](total, sign * np.sum(table * x**2))
        for table in LIMITS["tables"]:
            total += table @ x
        return total

    path = tmp_path / "constants.py"
    s2sgrad.export(grad(f), path, X, ["add", "skip"])
    exported = runpy.run_path(str(path))["f_grad"]
    expected = grad(f)(X, ["add", "skip"])
    np.testing.assert_allclose(exported(X, ["add", "skip"]), expected, rtol=1e-12)
    with pytest.raises(ValueError, match="this code is for"):
        exported(X, ["add", "add"])


def _times(n: float) -> Any:
    return lambda v: n * np.sum(v)


thrice = _times(3.0)


def test_exported_closures_called_as_parameters(tmp_path: Path) -> None:
    def f(x, n):
        return thrice(x**n)

    path = tmp_path / "closure.py"
    s2sgrad.export(grad(f), path, X, 2)
    exported = runpy.run_path(str(path))["f_grad"]
    np.testing.assert_allclose(exported(X, 2), 6.0 * X, rtol=1e-12)
    with pytest.raises(TypeError):
        exported(X)


def test_export_of_what_is_compiled_holds_numpy_code(tmp_path: Path) -> None:
    def f(x, y, mode="a"):
        s = 0.0
        for i in range(len(x)):
            s += x[i] * np.sin(y[i]) if mode == "a" else y[i]
        return s

    derivative = s2sgrad.value_and_grad(f, (0, 1), jit=True)
    expected = derivative(X, X + 1.0)
    for inline in (False, True):
        s2sgrad.export(derivative, tmp_path / "f.py", X, X + 1.0, inline_runtime=inline)
        text = (tmp_path / "f.py").read_text()
        value, gradient = runpy.run_path(str(tmp_path / "f.py"))["f_grad"](X, X + 1.0)
        np.testing.assert_allclose(value, expected[0])
        np.testing.assert_allclose(gradient, expected[1])
        assert "numba" not in text and 'mode="a"' in text


def test_exported_code_refuses_arrays_of_another_kind(tmp_path: Path) -> None:
    """It holds no sums for broadcasting that other sizes would need, and no other dtypes."""

    def f(x, p):
        return np.sum(x * p["w"]) + np.sum(p["b"] * (x[1:] - x[:-1])) + np.sum(p["mask"])

    x, p = np.ones(3), {"w": np.ones(3), "b": np.ones(2), "mask": np.ones(3, bool)}
    s2sgrad.export(grad(f, (0, 1)), tmp_path / "f.py", x, p)
    exported = runpy.run_path(str(tmp_path / "f.py"))["f_grad"]
    longer = {"w": np.ones(5), "b": np.ones(4), "mask": np.ones(5, bool)}
    np.testing.assert_allclose(exported(np.ones(5), longer)[0], [0.0, 1.0, 1.0, 1.0, 2.0])
    others = [
        (np.ones(3, int), p), (np.ones((1, 3)), p), (x, {**p, "w": np.ones(1)}),
        (x, {**p, "b": np.ones(3)}), (x, {**p, "mask": np.ones(1, bool)}),
    ]  # fmt: skip
    for other in others:
        with pytest.raises(ValueError, match="this code is for"):
            exported(*other)


def test_export_inline_runtime_needs_only_numpy(tmp_path: Path) -> None:
    def f(x, y):
        return np.sum((x * y) ** 2)

    path = tmp_path / "inlined.py"
    s2sgrad.export(grad(f, (0, 1)), path, np.ones((2, 3)), np.ones(3), inline_runtime=True)
    assert "s2sgrad" not in "".join(
        line for line in path.read_text().splitlines() if "import" in line
    )
    subprocess.run([sys.executable, "-I", str(path)], check=True)


def test_export_inlines_what_comes_from_scipy(tmp_path: Path) -> None:
    def f(x):
        return np.sum(special.gammaln(x) + stats.norm.cdf(x) + special.digamma(x)) + np.median(x)

    path = tmp_path / "inlined.py"
    x = X**2
    s2sgrad.export(grad(f), path, x, inline_runtime=True)
    assert "s2sgrad_runtime" not in path.read_text()
    module = runpy.run_path(str(path))
    np.testing.assert_allclose(module["f_grad"](x), grad(f)(x))


def test_export_refuses_functions_that_no_module_holds(tmp_path: Path) -> None:
    def f(x):
        def cubic(t, a):
            return t**3 - a

        return optimize.brentq(cubic, -9.0, 9.0, args=(x[0],))

    with pytest.raises(s2sgrad.UnsupportedError, match="can't be imported"):
        s2sgrad.export(grad(f), tmp_path / "exported.py", X)


def test_check_grad_beside_a_kink() -> None:
    s2sgrad.check_grad(lambda x: np.sum(np.maximum(x - 1e-4, 0.0) * [1.0, 2.0]), np.zeros(2))


def test_check_grad() -> None:
    s2sgrad.check_grad(loss, W, X)

    def cube(x):
        return x**3

    @s2sgrad.elementwise(cube)
    def _wrong(y_bar, y, x):
        return y_bar * 2.0 * x**2

    with pytest.raises(AssertionError):
        s2sgrad.check_grad(lambda x: np.sum(cube(x)), X)


# stop_gradient, cotangent, opaque, rules


def test_stop_gradient() -> None:
    def f(x):
        return np.sum(s2sgrad.stop_gradient(x) * x)

    assert f(X) == pytest.approx(np.sum(X * X))
    np.testing.assert_allclose(grad(f)(X), X)


def test_cotangent_block_clips() -> None:
    def f(x):
        y = x * 3.0
        with s2sgrad.cotangent(y) as y_bar:
            np.clip(y_bar, -1.0, 1.0, out=y_bar)
        return np.sum(y * y)

    assert f(X) == pytest.approx(9.0 * np.sum(X**2))
    np.testing.assert_allclose(grad(f)(X), 3.0 * np.clip(6.0 * X, -1.0, 1.0))


def test_cotangent_block_rebinds(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x):
        y = np.sin(x)
        with s2sgrad.cotangent(y) as y_bar:
            y_bar = 2.0 * y_bar
            print("norm", y_bar.shape)
        return np.sum(y)

    np.testing.assert_allclose(grad(f)(X), 2.0 * np.cos(X))
    assert capsys.readouterr().out == "norm (3,)\n"


def test_cotangent_block_of_a_number_fills() -> None:
    def f(x):
        y = np.sin(x)
        with s2sgrad.cotangent(y) as y_bar:
            y_bar = 0.5  # noqa: F841 (it fills)
        return np.sum(y * y)

    np.testing.assert_allclose(grad(f)(X), 0.5 * np.cos(X))
    np.testing.assert_allclose(s2sgrad.vjp(grad(f), X)[1](W)[0], -0.5 * np.sin(X) * W)


@pytest.mark.parametrize("jit", [False, True])
def test_cotangent_block_keeps_the_shape(jit: bool) -> None:
    def shorter(x):
        y = np.sin(x)
        with s2sgrad.cotangent(y) as y_bar:
            y_bar = y_bar[:2]
        return np.sum(y * y)

    def column(x):
        y = [x * 2.0, x]
        y.extend([e * x for e in x])
        with s2sgrad.cotangent(y) as y_bar:
            y_bar = y_bar[:1]
        return np.sum(y[0])

    with pytest.raises(ValueError, match=r"made (shape \(2,\) of a cot|another shape)"):
        s2sgrad.grad(shorter, jit=jit)(X)
    with pytest.raises((ValueError, s2sgrad.UnsupportedError), match=r"leave 5 cot|container"):
        grad(column)(X)


def test_cotangent_block_changes_nothing_else() -> None:
    def binds(x):
        steps = 0.0
        y = np.sin(x)
        with s2sgrad.cotangent(y) as y_bar:
            steps = steps + y_bar[0]
        return np.sum(y) + steps

    def writes(x):
        w = x * 3.0
        y = np.sin(x)
        with s2sgrad.cotangent(y) as y_bar:
            part = w[1:]
            part *= y_bar[0]
        return np.sum(y) * np.sum(w)

    def appends(x):
        norms = []
        y = np.sin(x)
        with s2sgrad.cotangent(y) as y_bar:
            norms.append(np.max(y_bar))
        return np.sum(y)

    for f, name in ((binds, "steps"), (writes, "w"), (appends, "norms")):
        with pytest.raises(s2sgrad.UnsupportedError, match=f"block changes '{name}'"):
            s2sgrad.grad(f, fallback="error")(X)


def test_user_rule_wins() -> None:
    def clipped(x):
        return np.clip(x, -0.5, 0.5)

    @s2sgrad.elementwise(clipped)
    def _straight_through(y_bar, y, x):
        return y_bar

    np.testing.assert_allclose(grad(lambda x: np.sum(clipped(x) * W))(X), W)


def test_user_rule_may_bind_its_parameters_anew() -> None:
    def mixed(a, b):
        return np.sin(a) * b

    @s2sgrad.rule(mixed)
    def _damped(y_bar, y, a, b):
        y_bar = 2.0 * y_bar
        slope = y_bar * np.cos(a)
        slope = slope * 3.0
        a = 0.5 * a
        return slope * b, y_bar * a

    def f(a, b):
        return np.sum(mixed(a, b) * W)

    for wanted in (0, 1):
        bars = 6.0 * W * np.cos(X) * X, W * X
        np.testing.assert_allclose(grad(f, argnums=wanted)(X, X), bars[wanted])
    for found, bar in zip(grad(f, argnums=(0, 1))(X, X), bars, strict=True):
        np.testing.assert_allclose(found, bar)


def test_opaque_is_called_as_it_is() -> None:
    calls = []

    @s2sgrad.opaque
    def lookup(n):
        calls.append(n)
        return 2.0 * n

    def f(x, n):
        return lookup(n) * np.sum(x * x)

    np.testing.assert_allclose(grad(f)(X, 3), 12.0 * X)
    assert calls == [3]


# the shell


def test_command_line(tmp_path: Path) -> None:
    module = tmp_path / "model.py"
    module.write_text(
        "import numpy as np\n\n\ndef loss(w, x):\n    return np.sum(np.tanh(x @ w) ** 2)\n"
    )
    arguments = ["--arg", "w=float64[d]", "--arg", "x=float64[n,d]"]
    for command in ("show", "check", "explain"):
        done = subprocess.run(
            [sys.executable, "-m", "s2sgrad", command, f"{module}:loss", *arguments],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        if command == "show":
            assert "def loss_grad(w, x)" in done.stdout and "np.tanh" in done.stdout
            ast.parse(done.stdout)


def test_command_line_reports_errors(tmp_path: Path) -> None:
    module = tmp_path / "model.py"
    module.write_text("def f(x):\n    exec('y = x')\n    return x\n")
    done = subprocess.run(
        [sys.executable, "-m", "s2sgrad", "show", f"{module}:f", "--arg", "x=float64"],
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "line 2" in done.stderr and "Traceback" not in done.stderr


def test_long_lines_of_helpers_are_broken_where_python_allows() -> None:
    """Every module of helpers that exports may hold reads the same with its long lines broken."""
    for path in sorted(Path(s2sgrad_runtime.__file__).parent.glob("*.py")):
        text = path.read_text()
        made = narrowed(text)
        assert ast.dump(ast.parse(made)).count("FunctionDef") == ast.dump(ast.parse(text)).count(
            "FunctionDef"
        )


def test_export_of_a_guarded_slope(tmp_path: Path) -> None:
    def f(x: np.ndarray) -> float:
        return np.sum(np.where(x > 0, np.sqrt(x), 0.0))

    x = np.array([1.0, 0.0, 3.0])
    s2sgrad.export(grad(f), tmp_path / "slope.py", x, inline_runtime=True)
    scope = runpy.run_path(str(tmp_path / "slope.py"))
    np.testing.assert_allclose(scope["f_grad"](x), [0.5, 0.0, 0.5 / np.sqrt(3.0)])

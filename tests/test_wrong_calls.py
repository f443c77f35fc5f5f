"""What the public functions say of arguments and functions that they are not made for, and what
they take although it is seldom given."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from programs import _library

import s2sgrad
from s2sgrad import grad
from s2sgrad.__main__ import main

X = np.array([0.5, 1.2, -0.3])
SEEN: list[int] = []


@functools.cache
def remembered(x: Any, n: int = 3) -> Any:
    return x**n


@pytest.mark.parametrize("fallback", ["eager", "error"])
def test_functions_that_remember_their_results(fallback: str) -> None:
    assert grad(remembered, fallback=fallback)(2.0) == 12.0
    np.testing.assert_allclose(grad(lambda x: np.sum(remembered(x, 2)))(X), 2.0 * X)


def test_argnums() -> None:
    def product(x, y):
        return x * y

    assert grad(product, np.int64(1))(2.0, 3.0) == 2.0
    with pytest.raises(TypeError, match=r"^product has no argument named 'z'; it has x, y"):
        grad(product, "z")


class Held:
    def __init__(self, value: Any) -> None:
        self.value = value


def _generator(x):
    yield x


def _function(x):
    return lambda: x


@pytest.mark.parametrize("function", [_generator, _function, Held])
def test_objects_are_no_scalars(function: Callable[..., Any]) -> None:
    with pytest.warns(UserWarning), pytest.raises(TypeError, match="returns an object of class"):
        grad(function)(2.0)


def test_export_of_what_is_no_gradient(tmp_path: Path) -> None:
    def loss(x):
        return np.sum(x**2)

    for given in (loss, s2sgrad.jacobian(loss)):
        with pytest.raises(TypeError, match="export writes what grad or value_and_grad made"):
            s2sgrad.export(given, tmp_path / "made.py", X)


def test_cotangent_blocks_do_not_run_on_tensors() -> None:
    def counted(x):
        SEEN.append(1)  # keeps the function on tensors
        y = 2.0 * x
        with s2sgrad.cotangent(y) as y_bar:
            y_bar *= 0.0
        return np.sum(y**2)

    with (
        pytest.warns(UserWarning),
        pytest.raises(s2sgrad.UnsupportedError, match="can't run on tensors"),
    ):
        grad(counted)(X)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "shown.py"
    file.write_text(
        "import numpy as np\n\n\ndef broken(x):\n    return np.sum(x) / np.zero(3)\n\n\n"
        "cubes = lambda x: np.sum(x**3)\n"
    )
    assert main(["show", f"{file}:cubes", "--arg", "x=float64[n]", "--fastmath"]) == 1
    assert "add --jit" in capsys.readouterr().err
    assert main(["check", f"{file}:broken", "--arg", "x=float64[n]"]) == 1
    assert 'shown.py", line 5' in capsys.readouterr().err
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert main(["export", f"{file}:cubes", "--arg", "x=float64[n]"]) == 0
    assert (tmp_path / "cubes_grad.py").is_file()


def test_errors_name_the_file_that_the_line_is_in() -> None:
    def loss(x, params):
        return np.sum(_library.layer(params, x))

    params = {"w": np.ones((3, 2)), "b": np.ones(5)}
    with pytest.raises(ValueError, match="broadcast") as caught:
        grad(loss)(X, params)
    assert '_library.py", line' in caught.value.__notes__[0]
    assert 'x @ params["w"] + params["b"]' in caught.value.__notes__[0]


def test_errors_of_reverse_sweeps_name_what_they_read() -> None:
    def entry(x, i):
        y = np.sin(x)
        return y[i] ** 2

    with pytest.raises(IndexError) as caught:
        grad(entry)(X, 9)
    assert "return y[i] ** 2" in caught.value.__notes__[0]

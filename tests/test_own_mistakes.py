"""A mistake of the compiler's own is told as one, and the function runs on tensors."""

from typing import Any

import numpy as np
import pytest

import s2sgrad
from s2sgrad import pipeline
from s2sgrad.frontend.lower import Lowering


def curve(x: Any) -> Any:
    return np.sum(np.sin(x) * x)


@pytest.mark.parametrize("mistake", [KeyError("a_3"), AssertionError("none"), AttributeError("b")])
def test_it_is_told_where_and_the_gradient_comes_all_the_same(
    monkeypatch: pytest.MonkeyPatch, mistake: Exception
) -> None:
    def fails(*args: Any, **options: Any) -> Any:
        raise mistake

    monkeypatch.setattr(pipeline, "differentiate", fails)
    x = np.array([0.3, 0.7])
    with pytest.raises(s2sgrad.UnsupportedError, match="the compiler fails at curve") as told:
        s2sgrad.grad(curve, fallback="error")(x)
    assert told.value.filename == __file__ and told.value.lineno == curve.__code__.co_firstlineno
    assert told.value.__cause__ is mistake
    with pytest.warns(UserWarning, match="a mistake of its own"):
        found = s2sgrad.grad(curve)(x)
    step = 1e-6 * np.eye(2)
    slopes = [(curve(x + e) - curve(x - e)) / 2e-6 for e in step]
    np.testing.assert_allclose(found, slopes, rtol=1e-8)


def test_it_is_told_where_the_text_is_read_too(monkeypatch: pytest.MonkeyPatch) -> None:
    mistake = KeyError(125)

    def fails(*args: Any, **options: Any) -> Any:
        raise mistake

    monkeypatch.setattr(Lowering, "stmt_Return", fails)
    x = np.array([0.3, 0.7])
    with pytest.raises(s2sgrad.UnsupportedError, match="the compiler fails at curve") as told:
        s2sgrad.grad(curve, fallback="error")(x)
    assert told.value.__cause__ is mistake
    with pytest.warns(UserWarning, match="a mistake of its own"):
        found = s2sgrad.grad(curve)(x)
    np.testing.assert_allclose(found, np.sin(x) + x * np.cos(x), rtol=1e-12)

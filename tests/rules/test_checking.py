"""check_rule refuses every kind of wrong rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from s2sgrad.errors import MissingRuleError, RuleError
from s2sgrad.rules import RULES
from s2sgrad.rules.checking import Sample, check_rule
from s2sgrad.rules.declare import elementwise, structural, tangent
from s2sgrad_runtime import sinc_slope, unreduce

X = np.array([[0.5, -1.2, 2.3], [1.4, 0.8, -0.35]])


def times(x: Any) -> Any:
    return 3.0 * np.sin(x)


def total(a: Any, axis: Any = None) -> Any:
    return np.sum(np.square(a), axis=axis)


@pytest.fixture(autouse=True)
def clean_table() -> Iterator[None]:
    yield
    RULES.pop(times, None)
    RULES.pop(total, None)


def wrong_formula(y_bar: Any, y: Any, x: Any) -> Any:
    return 3.0 * y_bar * np.sin(x)


def affine(y_bar: Any, y: Any, x: Any) -> Any:
    return 3.0 * y_bar * np.cos(x) + 1.0


def double_precision(y_bar: Any, y: Any, x: Any) -> Any:
    return y_bar * np.float64(3.0) * np.cos(x)


def writes(y_bar: Any, y: Any, x: Any) -> Any:
    return 3.0 * np.cos(x) * np.multiply(y_bar, 1.0, out=y_bar) + 0.0 * np.add(x, 1.0, out=x)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (wrong_formula, "cotangent of x is wrong"),
        (affine, "cotangent of x is wrong|not linear in y_bar"),
        (double_precision, "cotangent of x is float64"),
        (writes, "writes into its arguments"),
    ],
)
def test_wrong_elementwise_rules(rule: Callable[..., Any], message: str) -> None:
    elementwise(times)(rule)
    with pytest.raises(RuleError, match=message) as caught:
        check_rule(times, [Sample(X.astype(np.float32))])
    assert caught.value.filename == __file__


def no_broadcast(y_bar: Any, y: Any, a: Any, axis: Any = None) -> Any:
    return y_bar * 2.0


def right(y_bar: Any, y: Any, a: Any, axis: Any = None) -> Any:
    return unreduce(y_bar, a, axis) * 2.0 * a


def wrong_dot(y: Any, a: Any, axis: Any = None, *, a_dot: Any) -> Any:
    return np.sum(a * a_dot, axis=axis)


def right_dot(y: Any, a: Any, axis: Any = None, *, a_dot: Any) -> Any:
    return 2.0 * np.sum(a * a_dot, axis=axis)


def test_wrong_shape() -> None:
    structural(total)(no_broadcast)
    with pytest.raises(RuleError, match=r"cotangent of a has shape \(\)"):
        check_rule(total, [(X,)])


def test_tangent_is_missing() -> None:
    structural(total)(right)
    with pytest.raises(RuleError, match="no tangent in a"):
        check_rule(total, [(X,)])


def test_tangent_is_wrong() -> None:
    structural(total)(right)
    tangent(total)(wrong_dot)
    with pytest.raises(RuleError, match="tangent of a is wrong"):
        check_rule(total, [(X,)])


def test_linear_is_wrong() -> None:
    structural(total, linear=("a",))(right)
    with pytest.raises(RuleError, match="tangent of a is wrong"):
        check_rule(total, [(X,)])


def test_right_rule_passes() -> None:
    structural(total)(right)
    tangent(total)(right_dot)
    check_rule(total, [(X,), Sample(X, axis=1), Sample(X.astype(np.float32), axis=0)])


def slope_of_sinc(y_bar: Any, y: Any, x: Any) -> Any:
    return y_bar * sinc_slope(x)


def test_dishonest_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper that says it reads only the shape, and reads the values."""
    monkeypatch.setattr(sinc_slope, "shape_only", (0,), raising=False)
    elementwise(times)(slope_of_sinc)
    monkeypatch.setitem(RULES, times, replace(RULES[times], function=np.sinc))
    with pytest.raises(RuleError, match="reads more than it says"):
        check_rule(times, [(X,)])


def test_missing_rule() -> None:
    with pytest.raises(MissingRuleError, match="times"):
        check_rule(times, [(X,)])


def test_complex_convention() -> None:
    """The cotangent of |z|**2 is 2 z: descending along it shrinks |z|."""

    def squared(y_bar: Any, y: Any, x: Any) -> Any:
        return y_bar * 2.0 * np.conjugate(x)

    elementwise(times, holomorphic=False)(squared)
    with pytest.raises(RuleError, match="cotangent of x is wrong"):
        check_rule(times, [(X + 1j,)])

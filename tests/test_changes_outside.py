"""What a function reads from outside may change between calls: classes, modules, code, defaults."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import s2sgrad

X = np.array([0.5, 1.5])
MODULE = """
import collections, functools
import numpy as np
SCALE, TABLE, MODE = 2.0, {"k": 1.0}, "squares"
COUNTS, KIND = collections.Counter(a=1), np.float64

def helper(x, power=2.0, *, shift=1.0):
    scale = getattr(helper, "scale", 2.0) if hasattr(helper, "on") else 1.0
    counted = sum(n * x[0] for n in COUNTS.values())
    return np.sum(x**power) * shift * helper.factor + scale * counted + np.sum(x.astype(KIND))

helper.factor = 1.5
raised = functools.partial(lambda x, power, shift=0.0: np.sin(x) * power + shift, power=3.0)

class Model:
    rate, layers = 2.0, 2
    def step(self, x): return np.sum(np.sin(x)) * self.rate
    @staticmethod
    def total(x): return np.sum(x)
    @classmethod
    def scaled(cls, x): return np.sum(x) * cls.rate
    @classmethod
    def shifted(cls, x): return cls.rate + np.sum(x**2)
    @property
    def twice(self): return self.rate * 2

class Child(Model):
    pass

def loss(x, model):
    y = x
    for _ in range(Model.layers):
        y = y * x
    kind = Model.total(x) if MODE == "squares" else np.sum(x**2)
    made = Model()
    y = y + raised(x)
    return (np.sum(y) * helper(x) * SCALE * TABLE["k"] + model.step(x) * model.twice
            + Model.scaled(x) ** 2 * Model.rate + kind * made.step(x) * model.shifted(x))
"""
CHANGES: dict[str, Callable[[Any], None]] = {
    "a number": lambda m: setattr(m, "SCALE", 3.0),
    "an entry of a dict": lambda m: m.TABLE.update(k=4.0),
    "a key of a counter": lambda m: m.COUNTS.update(b=3),
    "an attribute of a function": lambda m: setattr(m.helper, "factor", 4.0),
    "an attribute that was not there": lambda m: setattr(m.helper, "on", True),
    "one more": lambda m: setattr(m.helper, "scale", 5.0),
    "one less": lambda m: delattr(m.helper, "on"),
    "a type of the library": lambda m: setattr(m, "KIND", np.int64),
    "another dict": lambda m: setattr(m, "TABLE", {"j": 1, "k": 5.0}),
    "a flag": lambda m: setattr(m, "MODE", "others"),
    "a function": lambda m: setattr(m, "helper", lambda x: np.sum(np.cos(x))),
    "defaults": lambda m: setattr(m.helper, "__defaults__", (3.0,)),
    "keyword defaults": lambda m: setattr(m.helper, "__kwdefaults__", {"shift": 2.0}),
    "a class variable": lambda m: setattr(m.Model, "rate", 7.0),
    "a number of steps": lambda m: setattr(m.Model, "layers", 3),
    "a method": lambda m: setattr(m.Model, "step", lambda self, x: np.sum(x**3)),
    "a method of a child": lambda m: setattr(m.Child, "step", lambda self, x: np.sum(x**4)),
    "a static method": lambda m: setattr(m.Model, "total", staticmethod(lambda x: np.sum(x**3))),
    "a property": lambda m: setattr(m.Model, "twice", property(lambda self: self.rate**3)),
    "a class method": lambda m: setattr(m.Model, "scaled", classmethod(lambda c, x: np.sum(x**3))),
    "one of an object": lambda m: setattr(m.Model, "shifted", classmethod(lambda c, x: x[0] ** 2)),
    "a keyword of a partial": lambda m: m.raised.keywords.update(power=2.5),
    "one more keyword": lambda m: m.raised.keywords.update(shift=0.5),
    "a class": lambda m: setattr(m, "Model", type("Model", (m.Child,), {"rate": 1.5})),
}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    (tmp_path / "s2sgrad_changing.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("s2sgrad_changing")
    del sys.modules["s2sgrad_changing"]


def agree(gradient: Any, function: Any, *args: Any) -> None:
    steps = 1e-6 * np.eye(2)
    expected = [(function(X + h, *args) - function(X - h, *args)) / 2e-6 for h in steps]
    np.testing.assert_allclose(gradient(X, *args), expected, rtol=1e-6)


def test_changes_are_noticed(module: Any) -> None:
    """One derivative goes through all changes, one after another and back."""
    gradient, model = s2sgrad.grad(module.loss, fallback="error"), module.Child()
    agree(gradient, module.loss, model)
    for change in CHANGES.values():
        change(module)
        agree(gradient, module.loss, model)


@pytest.mark.parametrize("name", ["an entry of a dict", "a method", "defaults", "a class variable"])
def test_changes_are_noticed_by_compiled_code(module: Any, name: str) -> None:
    gradient, model = s2sgrad.grad(module.loss, jit=True, fallback="error"), module.Child()
    agree(gradient, module.loss, model)
    CHANGES[name](module)
    agree(gradient, module.loss, model)


def test_new_code_of_the_same_functions(module: Any) -> None:
    """As IPython's autoreload does it."""
    gradient, model = s2sgrad.grad(module.loss, fallback="error"), module.Child()
    agree(gradient, module.loss, model)
    path = Path(module.__file__)
    path.write_text(MODULE.replace("np.sin(x)", "np.exp(x)").replace("kind * made", "3 * made"))
    scope: dict[str, Any] = {"__name__": module.__name__}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    module.loss.__code__ = scope["loss"].__code__
    module.Model.step.__code__ = scope["Model"].step.__code__
    agree(gradient, module.loss, model)


def test_defaults_that_were_replaced() -> None:
    """The defaults of the differentiated function are those that it has when it is called."""

    def weighted(x, k=2.0, *, w=1.0):
        return np.sum(x * x) * k * w

    gradient, x = s2sgrad.grad(weighted, fallback="error"), np.array([1.0, 3.0])
    assert np.array_equal(gradient(x), 4.0 * x)
    hessian, product = s2sgrad.hessian(weighted), s2sgrad.hvp(weighted)
    assert np.array_equal(product(x, x), 4.0 * x)
    slope = s2sgrad.grad(weighted, holomorphic=True)
    assert np.array_equal(slope(x + 1j), 4.0 * (x + 1j))
    weighted.__defaults__ = (np.array(5.0),)
    weighted.__kwdefaults__ = {"w": 3.0}
    assert np.array_equal(gradient(x), 30.0 * x)
    assert np.array_equal(gradient(x, w=1.0), 10.0 * x)
    assert np.array_equal(hessian(x), 30.0 * np.eye(2))
    assert np.array_equal(product(x, x), 30.0 * x)
    assert np.array_equal(slope(x + 1j), 30.0 * (x + 1j))


@dataclass(frozen=True)
class Named:
    name: str
    rate: float = field(compare=False)

    def __call__(self, x):
        return np.sum(x**2) * self.rate


def test_callable_objects_that_are_equal() -> None:
    for rate in (1.0, 3.0):
        model, slopes = Named("model", rate), 2.0 * rate * X
        assert np.allclose(s2sgrad.jvp(model, (X,), (X,))[1], slopes @ X)
        assert np.allclose(s2sgrad.vjp(model, X)[1](1.0)[0], slopes)
        assert np.allclose(s2sgrad.linearize(model, X)[1](X), slopes @ X)
        assert np.allclose(s2sgrad.grad(model)(X), slopes)


class Slots:
    __slots__ = ("rate", "shift")


def test_slots_that_are_filled_and_emptied() -> None:
    held = Slots()
    held.rate = 2.0

    def f(x):
        return np.sum(x**2) * held.rate + (np.sum(x * held.shift) if hasattr(held, "shift") else 0)

    slope = s2sgrad.grad(f, fallback="error")
    for _ in range(2):
        assert np.allclose(slope(X), 4.0 * X)
        held.shift = 3.0
        assert np.allclose(slope(X), 4.0 * X + 3.0)
        del held.shift


def test_texts_of_classes_of_their_own() -> None:
    def powers(x, kind):
        return np.sum(x**2) if kind == "squares" else np.sum(x**3)

    slope = s2sgrad.grad(powers, fallback="error")
    for kind in (np.str_("squares"), np.str_("cubes"), "squares"):
        assert np.allclose(slope(X, kind), 2.0 * X if kind == "squares" else 3.0 * X**2)


def test_files_that_are_edited_after_they_were_loaded(module: Any) -> None:
    """Other code than what runs is refused, or runs on tensors; text that moved is found."""
    path, model = Path(module.__file__), module.Child()
    path.write_text(MODULE.replace("x**power", "x + power"))
    os.utime(path, (1, 1))
    with pytest.raises(s2sgrad.UnsupportedError, match="changed since 'helper' was loaded"):
        s2sgrad.grad(module.helper, fallback="error")(X)
    with pytest.warns(match="changed since 'helper'"):
        agree(s2sgrad.grad(module.helper), module.helper)
    path.write_text(MODULE.replace("SCALE, TABLE", "# a line more\nUNUSED = 1\nSCALE, TABLE"))
    os.utime(path, (2, 2))
    agree(s2sgrad.grad(module.loss, fallback="error"), module.loss, model)


ROWS = [[], [0.5], [0, 0.5], [0, 0, 1.0]]


def rows_read(x: float, times: list[float]) -> float:
    total = 0.0
    for row, c in zip(ROWS, times, strict=True):
        total += c * sum(a * x for a in row)
    return total


def a_row_changed(x: float, times: list[float]) -> float:
    total = 0.0
    for row, c in zip(ROWS, times, strict=True):
        other = row if c > 1.0 else [x]
        other.append(x)
        total += sum(other)
    return total


def test_rows_from_outside_that_meet_are_read_only() -> None:
    times = [1.0, 2.0, 3.0, 4.0]
    assert s2sgrad.grad(rows_read, fallback="error")(1.2, times) == pytest.approx(6.5)
    with pytest.raises(s2sgrad.UnsupportedError, match="from outside"):
        s2sgrad.grad(a_row_changed, fallback="error")(1.2, times)
    assert len(ROWS[3]) == 3

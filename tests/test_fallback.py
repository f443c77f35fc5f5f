"""What can't be transformed runs on tensors: same results, one warning, or refused."""

from __future__ import annotations

import contextlib
import functools
import math
import warnings
from typing import Any

import numpy as np
import pytest

import s2sgrad

X = np.array([0.3, -1.2, 0.7])


def central_differences(f: Any, x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """The gradient of a scalar function, entry by entry."""
    grad = np.zeros_like(x)
    for i in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        grad[i] = (f(up) - f(down)) / (2 * step)
    return grad


def with_try(x):
    y = np.zeros(3)
    try:
        if x.sum() > 1e9:
            raise ValueError
        y[:] = x**2
    except ValueError:
        return 0.0
    z = x.copy()
    z[0] *= 2
    z += y
    return (z * np.sin(y)).sum()


def with_generator(x):
    def squares():
        for v in x:
            yield v * v

    total = 0.0
    for s in squares():
        total += math.sqrt(s + 1.0)
    return total


class Scale:
    """A context manager whose state the block reads."""

    factor = 1.0

    @contextlib.contextmanager
    def set(self, factor: float) -> Any:
        before, self.factor = self.factor, factor
        try:
            yield self
        finally:
            self.factor = before


def with_context(x):
    scale = Scale()
    with scale.set(3.0) as s:
        y = x * s.factor
    return np.sum(y * y) * scale.factor


class Magic:
    """Attributes come from nowhere."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("power"):
            return lambda v: v ** int(name[5:])
        raise AttributeError(name)


def with_getattr(x):
    try:
        return Magic().power3(x).sum()
    finally:
        pass


_namespace: dict[str, Any] = {"np": np}
exec(
    "def without_source(x):\n    y = np.zeros(3)\n    y[1:] = x[1:] ** 2\n    return y.sum()",
    _namespace,
)
without_source = _namespace["without_source"]

FUNCTIONS = (with_try, with_generator, with_context, with_getattr, without_source)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradient(f: Any) -> None:
    df = s2sgrad.grad(f)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = df(X.copy())
    assert type(found) is np.ndarray and found.dtype == X.dtype
    np.testing.assert_allclose(found, central_differences(f, X), atol=1e-6)


def test_warns_once_with_place_and_reason() -> None:
    df = s2sgrad.grad(with_try)
    with pytest.warns(UserWarning, match="with_try runs on dynamic-graph tensors") as caught:
        df(X.copy())
    text = str(caught[0].message)
    assert "try" in text and __file__ in text and "line " in text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        df(X.copy())


def test_refused_on_request() -> None:
    with pytest.raises(s2sgrad.UnsupportedError) as caught:
        s2sgrad.grad(with_try, fallback="error")(X.copy())
    assert caught.value.filename == __file__ and caught.value.lineno


def test_values_and_structures() -> None:
    def f(params, x, k=2, *rest, scale=1.0):
        try:
            parts = [r * k for r in rest]
        finally:
            pass
        total = sum((p * params["w"]).sum() for p in parts) * scale
        return total + (x * x).sum(), {"total": total}

    params = {"w": np.ones(2), "n": 3}
    vg = s2sgrad.value_and_grad(f, argnums=(0, 1), has_aux=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (value, aux), (params_bar, x_bar) = vg(params, X, 3, np.array([1.0, 2.0]), scale=2.0)
    assert value == pytest.approx(18 + float(X @ X)) and aux == {"total": 18.0}
    np.testing.assert_allclose(params_bar["w"], [6.0, 12.0])
    assert params_bar["n"] is None
    np.testing.assert_allclose(x_bar, 2 * X)


def test_vector_results_are_refused() -> None:
    def f(x):
        try:
            return x * 2
        finally:
            pass

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(TypeError, match="real scalar"):
            s2sgrad.grad(f)(X)
        value, pullback = s2sgrad.vjp(f, X)
    np.testing.assert_allclose(value, X * 2)
    np.testing.assert_allclose(pullback(X)[0], X * 2)


def read_from_text(x):
    try:
        return float(f"{x[0]:.17g}".strip()) * 2.0 + x[1]
    except ValueError:
        return 0.0


def shown_as_text(x, shown):
    try:
        shown.append(f"x = {x[0]:.1f}, {x[1]}, " + str(x[0])[:3])
        return x[0] ** 2, shown
    except ValueError:
        return 0.0, shown


def test_a_number_read_from_the_text_of_a_traced_one_is_an_error() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(s2sgrad.UnsupportedError, match="text of a traced value"):
            s2sgrad.grad(read_from_text)(np.array([0.5, 2.0]))


def test_texts_of_traced_values_may_be_kept() -> None:
    given: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gradient = s2sgrad.value_and_grad(shown_as_text, has_aux=True)
        (_, shown), found = gradient(np.array([0.5, 2.0]), given)
    assert found.tolist() == [1.0, 0.0] and shown == ["x = 0.5, 2.0, 0.5"] and given == []


def lists_beside_arrays(x):
    try:
        y = x * [x[0], 2.0] + np.where(
            x > [0.1, x[1] * 2], x - (x[1], 0.0), [[1.0, 2.0], [3.0, 1.0]]
        )
        y += [x[0], 1.0]
        return np.sum(y * [2.0, 1.0]) + np.sum([x[1], 3.0] - y[0] * np.float64(2.0))
    except ValueError:
        return 0.0


def test_lists_are_arrays_beside_arrays() -> None:
    at = np.array([0.5, 0.7])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = s2sgrad.grad(lists_beside_arrays)(at)
    rise = [
        lists_beside_arrays(at + 1e-6 * e) - lists_beside_arrays(at - 1e-6 * e) for e in np.eye(2)
    ]
    np.testing.assert_allclose(found, np.array(rise) / 2e-6, rtol=1e-6)


class Thing:
    """An object that gets its attributes late."""

    def __init__(self, v: Any) -> None:
        self.v = v

    @functools.cached_property
    def norm(self):
        return np.sqrt(np.sum(self.v**2))


def late_in_a_loop(x):
    thing = Thing(x)
    for v in x:
        if hasattr(thing, "last"):
            thing.last = thing.last * v + v
        else:
            thing.last = v * v
    return thing.last


def late_with_a_default(x):
    thing, y = Thing(x), 0.0
    for v in x:
        y += getattr(thing, "last", 1.0) * v
        thing.last = y
    return y


def late_on_a_path(x):
    thing = Thing(x)
    if x[0] > 1.0:
        thing.extra = x[1]
    return np.sum(x) * getattr(thing, "extra", x[2]) * (3.0 if "v" in thing.__dict__ else 1.0)


def late_in_lists(x):
    things, y = [Thing(x * i) for i in range(len(x))], 0.0
    for _ in range(2):
        for thing in things:
            thing.last = thing.last * x[0] if hasattr(thing, "last") else np.sum(thing.v)
            y += thing.last
    return y


@pytest.mark.parametrize(
    "f",
    (late_in_a_loop, late_with_a_default, late_on_a_path, late_in_lists),
    ids=lambda f: f.__name__,
)
def test_attributes_that_come_late(f: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = s2sgrad.grad(f)(X.copy())
    np.testing.assert_allclose(found, central_differences(f, X), atol=1e-6)
    with pytest.raises(s2sgrad.UnsupportedError):
        s2sgrad.grad(f, fallback="error")(X.copy())


class Layer:
    """Compared by what it is: a key of a dict from outside."""

    def __init__(self, size: int) -> None:
        self.size = size


LAYERS = [Layer(2), Layer(3)]
PARTS = {LAYERS[0]: slice(0, 2), LAYERS[1]: slice(2, 5)}


def by_layers(w: np.ndarray) -> Any:
    held = w
    for layer in LAYERS:
        held = held[PARTS[layer]].sum() * w * layer.size
    return held[0]


def test_dicts_by_objects_run_on_tensors() -> None:
    w = np.arange(1.0, 6.0)
    with pytest.warns(UserWarning, match="tensors"):
        found = s2sgrad.grad(by_layers)(w)
    steps = [1e-6 * e for e in np.eye(5)]
    wanted = [(by_layers(w + e) - by_layers(w - e)) / 2e-6 for e in steps]
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


def numbered(x):
    total = 0.0
    places = np.nditer(x, flags=["multi_index"])
    for v in places:
        total += v * places.multi_index[0]
    return total


def test_what_tensors_lack_too_is_refused_with_its_reason() -> None:
    with (
        pytest.warns(UserWarning, match="dynamic-graph"),
        pytest.raises(s2sgrad.UnsupportedError, match="ndenumerate"),
    ):
        s2sgrad.grad(numbered)(np.ones((2, 2)))


def abstract(x):
    try:
        y = x[0] * 2.0
    except ValueError:
        y = 0.0
    if x[1] < 0.0:
        raise NotImplementedError("of the user's")
    return y


def test_errors_of_the_user_are_left_alone() -> None:
    with pytest.warns(UserWarning), pytest.raises(NotImplementedError, match="of the user"):
        s2sgrad.grad(abstract)(X)


def caught(function):
    """The same function, which no source-to-source compiler follows."""

    def run(x):
        try:
            return function(x)
        except KeyError:
            return 0.0

    return run


M = np.array([[2.0, 1.0], [0.3, 1.4], [-0.5, 0.8]])
ON_TENSORS = {
    "singular_values": (lambda x: np.sum(np.linalg.svd(x, compute_uv=False) ** 2), M),
    "singular_vectors": (lambda x: np.sum(np.linalg.svd(x, full_matrices=False)[0] ** 3), M),
    "nuclear_norm": (lambda x: np.linalg.norm(x, "nuc"), M),
    "pseudo_inverse": (lambda x: np.sum(np.linalg.pinv(x, rcond=0.1) ** 2), M),
    "singular_determinant": (np.linalg.det, np.array([[1.0, 2.0], [2.0, 4.0]])),
    "variance_about": (lambda w: np.var(np.array([1.0, 2.0, 4.0]), mean=w), np.array([2.0])),
    "deviations_about": (lambda w: np.sum(np.std(M, axis=1, mean=w)), np.array([[1.0]])),
}


@pytest.mark.parametrize("name", ON_TENSORS)
def test_directions_and_second_order_on_tensors(name: str) -> None:
    function, x = ON_TENSORS[name]
    f, v = caught(function), np.random.default_rng(4).normal(size=x.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gradient = s2sgrad.grad(f)
        slope = (function(x + 1e-6 * v) - function(x - 1e-6 * v)) / 2e-6
        np.testing.assert_allclose(s2sgrad.jvp(f, (x,), (v,))[1], slope, rtol=1e-6, atol=1e-8)
        bend = (gradient(x + 1e-5 * v) - gradient(x - 1e-5 * v)) / 2e-5
        np.testing.assert_allclose(s2sgrad.hvp(f)(x, v), bend, rtol=1e-5, atol=1e-7)
        again = s2sgrad.jacrev(gradient)(x).reshape(x.size, x.size) @ v.ravel()
        np.testing.assert_allclose(again, bend.ravel(), rtol=1e-5, atol=1e-7)


def test_missing_rules_have_their_line_without_generated_code_too() -> None:
    special = pytest.importorskip("scipy.special")

    def f(x: Any) -> Any:
        y = x * 2.0
        return np.sum(special.mathieu_a(1, y))

    with (
        pytest.warns(UserWarning, match="runs on dynamic-graph tensors"),
        pytest.raises(s2sgrad.MissingRuleError, match="mathieu_a") as found,
    ):
        s2sgrad.grad(f)(np.array([0.3, 0.4]))
    assert "special.mathieu_a(1, y)" in str(found.value) and "test_fallback.py" in str(found.value)

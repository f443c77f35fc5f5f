"""One gradient function, called with ever other arguments and surroundings: never stale code."""

from __future__ import annotations

import copy
import types
from typing import Any

import numpy as np
import pytest
from harness import assert_close, assert_structure, gradient_vector, numeric_gradient, same, select

import s2sgrad

rng = np.random.default_rng(5)


def check(df: Any, f: Any, *args: Any, which: Any = 0, rtol: float = 2e-6) -> None:
    """Value and gradient of `f` at these arguments by a gradient function made before."""
    names = list(f.__code__.co_varnames)
    before = copy.deepcopy(args)
    value, gradient = df(*args)
    assert same(before, args), "the arguments were changed"
    expected_value = f(*copy.deepcopy(args))
    assert float(value) == pytest.approx(float(expected_value), rel=max(1e-11, 0.01 * rtol))
    argument = select(args, {}, which, names)
    assert_structure(gradient, argument)
    expected = numeric_gradient(f, args, {}, which, names)
    assert_close(gradient_vector(gradient, argument), expected, rtol)


def made(f: Any, which: Any = 0) -> Any:
    return s2sgrad.value_and_grad(f, argnums=which, fallback="error")


SHAPES = [(), (1,), (3,), (4,), (2, 3), (2, 1), (1, 3), (1, 1), (5, 2, 3), (0,), (2, 0)]


def compatible(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    try:
        np.broadcast_shapes(a, b)
    except ValueError:
        return False
    return True


def broadcast_mix(x, y):
    z = np.sin(x) * y + x / (2.0 + y * y)
    z = z - 0.5 * y
    return np.sum(z * z)


def test_every_pair_of_shapes_with_one_function() -> None:
    df = made(broadcast_mix, (0, 1))
    pairs = [(a, b) for a in SHAPES for b in SHAPES if compatible(a, b)]
    order = np.random.default_rng(0).permutation(len(pairs) * 2) % len(pairs)
    for k in order:
        a, b = pairs[k]
        check(df, broadcast_mix, rng.normal(size=a), rng.normal(size=b), which=(0, 1))


def test_scalars_of_every_kind() -> None:
    df = made(broadcast_mix, (0, 1))
    kinds = [0.7, np.float64(0.7), np.array(0.7), np.array([0.7]), rng.normal(size=3)]
    for a in kinds:
        for b in kinds:
            check(df, broadcast_mix, a, b, which=(0, 1))


def test_dtypes_with_one_function() -> None:
    df = made(broadcast_mix)
    x = rng.normal(size=3)
    check(df, broadcast_mix, x, np.arange(3))
    check(df, broadcast_mix, x, 2)
    check(df, broadcast_mix, x, True)
    check(df, broadcast_mix, x, np.array([True, False, True]))
    check(df, broadcast_mix, x.astype(np.float32), x, rtol=1e-3)
    check(df, broadcast_mix, x.astype(np.float32), x.astype(np.float32), rtol=1e-3)
    check(df, broadcast_mix, x, x.astype(np.float32), rtol=1e-3)


def row_times(a, w):
    total = 0.0
    for row in a:
        total += np.tanh(row @ w) * row[0]
    return total


def test_gradients_are_as_arguments_that_become_wider() -> None:
    """In dtype, and arrays where these have no axes: also what is bound again by branch or trip."""
    two = np.float64(2.0)

    def rebound(x, n, xs):
        for _ in range(n):
            x = np.sin(x) * two
            xs = [y * two for y in xs]
        while n > 3:
            x, n = x * two, n - 1
        return np.sum(x) + sum(np.sum(y**2) for y in xs)

    df = made(rebound, (0, 2))
    for n in (0, 2, 5):
        for x in (np.array(0.4), np.array([0.4, -0.2]), np.array(0.4, np.float32)):
            narrow = [np.float32([0.3, 0.1]), np.float32([0.2])]
            wide = [np.array([0.3, 0.1]), np.array([0.2])]
            check(df, rebound, x, n, wide, which=(0, 2), rtol=1e-3)
            check(df, rebound, x.astype(np.float32), n, narrow, which=(0, 2), rtol=1e-3)
    single = made(rebound, (0, 2))
    by_numba = s2sgrad.value_and_grad(rebound, (0, 2), fallback="error", jit=True)
    args = np.array([0.4, 0.2]), 2, [np.float32([0.3])]
    for bars in (by_numba(*args)[1], single(*args)[1]):
        assert [b.dtype for b in bars[1]] == [np.float32]


def test_layouts_and_views() -> None:
    df = made(row_times, (0, 1))
    a, w = rng.normal(size=(4, 6)), rng.normal(size=3)
    locked = a[:, :3].copy()
    locked.flags.writeable = False
    for arg in (a[:, :3], a[::2, ::2], np.asfortranarray(a[:, :3]), a[:3, :4].T[:3], locked):
        check(df, row_times, arg, w, which=(0, 1))
        check(df, row_times, arg[::-1], w[::-1], which=(0, 1))
    check(df, row_times, a[:0, :3], w, which=(0, 1))


def options(x, bias=None, mode="sum", scale=None, steps=2):
    y = x * x
    if bias is not None:
        y = y + bias * x
    if scale:
        y = y * scale
    for _ in range(steps):
        y = np.tanh(y)
    return {"sum": np.sum, "max": np.max}[mode](y) if mode != "first" else y[0]


def test_flags_none_and_strings() -> None:
    df = made(options)
    x = rng.normal(size=3)
    cases = [
        (),
        (None,),
        (0.5,),
        (rng.normal(size=3),),
        (None, "max"),
        (None, "first"),
        (0.3, "sum", 2.0),
        (0.3, "sum", 0),
        (0.3, "sum", False),
        (None, "sum", None, 0),
        (None, "sum", None, 5),
    ]
    for extra in cases + cases[::-1]:
        check(df, options, x, *extra)


def total_of(tree):
    s = 0.0
    items = tree.values() if isinstance(tree, dict) else tree
    for k, v in enumerate(items):
        s += (k + 1) * np.sum(v**2) * (1.0 + s)
    return s


def test_containers_of_other_lengths_keys_and_kinds() -> None:
    df = made(total_of)
    a, b, c = rng.normal(size=3), rng.normal(size=(2, 2)), 0.7
    trees = [
        [a],
        [a, b],
        [b, a],
        [a, c, b],
        (a, c),
        (c,),
        [],
        [c, c],
        {"a": a},
        {"b": b, "a": a},
        {"a": a, "b": b},
        {"a": c, 3: b, (0, 1): a},
    ]
    for tree in trees + trees[::-1]:
        if len(tree):
            check(df, total_of, tree)


def closing_over(value: Any) -> Any:
    state = value

    def f(x):
        return np.sum(np.sin(x * state) + state)

    def change(new: Any) -> None:
        nonlocal state
        state = new

    return f, change


def test_closure_variables_change_value_shape_and_type() -> None:
    f, change = closing_over(2.0)
    df, x = made(f), rng.normal(size=3)
    for value in (3.0, 2, np.arange(3.0), np.ones((2, 1)), np.float32(0.5), True, 2.0):
        change(value)
        check(df, f, x)


def test_closure_array_written_between_calls() -> None:
    weights = np.ones(3)

    def f(x):
        return np.sum(weights * x**2)

    df, x = made(f), rng.normal(size=3)
    check(df, f, x)
    weights[1] = 7.0
    check(df, f, x)


def test_closure_list_grows_between_calls() -> None:
    terms = [1.0, 2.0]

    def f(x):
        return sum(np.sum(c * x ** (k + 1)) for k, c in enumerate(terms))

    df, x = made(f), rng.normal(size=3)
    check(df, f, x)
    terms.append(0.5)
    check(df, f, x)
    terms[0] = np.array([1.0, 2.0, 3.0])
    check(df, f, x)
    terms.clear()
    terms.append(4.0)
    check(df, f, x)


module = types.ModuleType("changing_module")
module.helper = lambda v: v * v
module.LIMIT = 3


def uses_module(x):
    s = 0.0
    for k in range(module.LIMIT):
        s += np.sum(module.helper(x)) * (k + 1)
    return s


def test_module_attributes_replaced_between_calls() -> None:
    df, x = made(uses_module), rng.normal(size=3)
    check(df, uses_module, x)
    module.LIMIT = 1
    check(df, uses_module, x)
    module.helper = lambda v: np.sin(v)
    check(df, uses_module, x)


def _first_version(v):
    return v**2


def _second_version(v):
    return np.exp(v)


current = _first_version


def calls_current(x):
    return np.sum(current(x))


def test_global_function_replaced_between_calls() -> None:
    global current
    df, x = made(calls_current), rng.normal(size=3)
    check(df, calls_current, x)
    current = _second_version
    check(df, calls_current, x)
    current = _first_version
    check(df, calls_current, x)


class Model:
    """Attributes that change between calls."""

    def __init__(self) -> None:
        self.scale: Any = 2.0
        self.layers: list[Any] = [np.eye(3)]
        self.activation: Any = np.tanh

    def loss(self, x):
        for w in self.layers:
            x = self.activation(x @ w)
        return np.sum(x**2) * self.scale


def test_attributes_change_between_calls() -> None:
    model = Model()
    df, x = made(model.loss), rng.normal(size=3)

    def now(x):
        return model.loss(x)

    check(df, now, x)
    model.scale = 5
    check(df, now, x)
    model.layers.append(rng.normal(size=(3, 2)))
    check(df, now, x)
    model.activation = np.sin
    check(df, now, x)
    model.activation = lambda v: v * v
    check(df, now, x)


def scaled(scale: float) -> Any:
    return lambda v: scale * v


def shifted(shift: float) -> Any:
    return lambda v: v + shift


def apply(f, x):
    return np.sum(f(x) * x)


def test_function_arguments_of_one_gradient() -> None:
    df, x = made(apply, 1), rng.normal(size=3)
    for f in (np.sin, np.exp, _first_version, scaled(1.0), scaled(2.0), shifted(1.0), np.sin):
        check(df, apply, f, x, which=1)


def mutates_both(x, y):
    x += 0.5 * y
    y *= x
    return np.sum(x * y)


def shared_total(f: Any, df: Any, pick: Any, a: np.ndarray) -> None:
    """Arguments that share memory: the value of the primal, and the total derivative or no."""
    try:
        value, (x_bar, y_bar) = df(*pick(a))
    except s2sgrad.S2sgradError:
        return  # refusing is honest
    assert float(value) == pytest.approx(float(f(*pick(a.copy()))), rel=1e-12)
    direction = np.random.default_rng(3).normal(size=a.shape)

    def along(t: float) -> float:
        return float(f(*pick(a + t * direction)))

    expected = (along(1e-5) - along(-1e-5)) / 2e-5
    u, v = pick(direction)
    assert np.sum(x_bar * u) + np.sum(y_bar * v) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "pick",
    [
        lambda a: (a, a),
        lambda a: (a[1:], a[:-1]),
        lambda a: (a, a[::-1]),
        lambda a: (a[:3], a[3:]),
    ],
    ids=["same", "shifted", "reversed", "apart"],
)
def test_arguments_that_share_memory(pick: Any) -> None:
    df = made(mutates_both, (0, 1))
    a = rng.normal(size=6)
    before = a.copy()
    shared_total(mutates_both, df, pick, a)
    np.testing.assert_array_equal(a, before)
    shared_total(broadcast_mix, made(broadcast_mix, (0, 1)), pick, a)


def two_from_dict(tree):
    tree["a"] *= 2.0
    return np.sum(tree["a"] * tree["b"])


def test_leaves_of_one_argument_that_share_memory() -> None:
    a = rng.normal(size=3)
    df = made(two_from_dict)
    try:
        value, bars = df({"a": a, "b": a})
    except s2sgrad.S2sgradError:
        return
    assert float(value) == pytest.approx(4.0 * np.sum(a * a))
    np.testing.assert_allclose(bars["a"] + bars["b"], 8.0 * a, rtol=1e-12)


def test_jit_sees_changes_too() -> None:
    pytest.importorskip("numba")
    df = s2sgrad.value_and_grad(broadcast_mix, argnums=(0, 1), fallback="error", jit=True)
    for a, b in [((3,), (3,)), ((2, 3), (3,)), ((3,), ()), ((4,), (4,))]:
        check(df, broadcast_mix, rng.normal(size=a), rng.normal(size=b), which=(0, 1))
    f, change = closing_over(2.0)
    df, x = s2sgrad.value_and_grad(f, fallback="error", jit=True), rng.normal(size=3)
    check(df, f, x)
    change(3.0)
    check(df, f, x)


def window_sum(x, w):
    n = w.shape[0]
    return np.sum(x[1 : n + 1] ** 2) * np.sum(w)


def test_slices_that_leave_their_axis_get_code_of_their_own():
    derivative = s2sgrad.grad(window_sum, fallback="error")
    for length, n in ((6, 4), (3, 4), (7, 5)):
        x, w = np.arange(1.0, length + 1.0), np.arange(1.0, n + 1.0)
        expected = np.zeros(length)
        expected[1 : n + 1] = 2.0 * x[1 : n + 1] * np.sum(w)
        np.testing.assert_allclose(derivative(x, w), expected, rtol=1e-14)

"""Arguments that are containers and objects of all classes: by which a derivative can be asked."""

from __future__ import annotations

import collections
import types
import warnings
from typing import Any

import numpy as np
import pytest

import s2sgrad

X = np.array([0.3, 0.5])


class OneSlot:
    __slots__ = "a"

    def __init__(self, a: Any) -> None:
        self.a = a


class Model:
    def __init__(self, w: Any) -> None:
        self.w = w

    def __call__(self, x: Any) -> Any:
        return np.sum(np.sin(self.w * x))


class Named(dict):
    pass


class Rows(list):
    pass


def of_object(o):
    return np.sum(o.a**2)


def of_model(m):
    return m(np.array([1.0, 2.0]))


def of_dict(d):
    return np.sum(d["a"] ** 2) * d["b"]


def of_list(d):
    return np.sum(d[0] ** 2) * d[1]


def on_tensors(f: Any) -> Any:
    """The function without its source."""
    code = f.__code__.replace(co_filename="<nowhere>", co_firstlineno=10**6)
    return types.FunctionType(code, f.__globals__)


ITEMS = {"a": X, "b": 2.0}
CASES = [
    (of_object, OneSlot(X), lambda bar: [bar.a], [2.0 * X]),
    (of_object, types.SimpleNamespace(a=X), lambda bar: [bar.a], [2.0 * X]),
    (of_model, Model(X), lambda bar: [bar.w], [np.cos(X * [1, 2]) * [1, 2]]),
    *((of_dict, made, lambda bar: [bar["a"], bar["b"]], [4.0 * X, X @ X]) for made in (
        collections.OrderedDict(ITEMS), collections.defaultdict(float, ITEMS), Named(ITEMS),
        collections.ChainMap(ITEMS), collections.UserDict(ITEMS),
    )),
    *((of_list, made, lambda bar: [bar[0], bar[1]], [4.0 * X, X @ X]) for made in (
        Rows([X, 2.0]), collections.UserList([X, 2.0]),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("f", "given", "read", "wanted"), CASES)
def test_every_mode_knows_them(f: Any, given: Any, read: Any, wanted: list[Any]) -> None:
    def close(bar: Any) -> None:
        for found, part in zip(read(bar), wanted, strict=True):
            np.testing.assert_allclose(found, part)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        close(s2sgrad.grad(on_tensors(f))(given))
    close(s2sgrad.grad(f, fallback="error")(given))
    close(s2sgrad.grad(f, jit=True, fallback="error")(given))
    for make in (s2sgrad.jacobian, s2sgrad.jacfwd, s2sgrad.jacrev):
        close(make(f, fallback="error")(given))
    bar = s2sgrad.grad(f, fallback="error")(given)
    dot = s2sgrad.jvp(f, (given,), (bar,), fallback="error")[1]
    np.testing.assert_allclose(dot, sum(np.sum(np.square(part)) for part in wanted))
    assert type(s2sgrad.hvp(f, fallback="error")(given, bar)) is type(bar)
    s2sgrad.check_grad(f, given)


@pytest.mark.filterwarnings("ignore:of_dict runs on")
def test_what_holds_no_floats_is_named() -> None:
    for made in ({0.3, 0.5}, types.MappingProxyType(ITEMS), 3, "text"):
        for f in (of_dict, on_tensors(of_dict)):
            with pytest.raises((TypeError, s2sgrad.UnsupportedError)):
                s2sgrad.grad(f, fallback="error" if f is of_dict else "eager")(made)
        with pytest.raises(TypeError):
            s2sgrad.jacobian(of_dict)(made)
    queue = collections.deque([X, 2.0])
    with pytest.raises(TypeError, match="a deque, which holds no floats"):
        s2sgrad.jvp(of_list, (queue,), (queue,))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_allclose(s2sgrad.grad(on_tensors(of_list))(queue)[0], 4.0 * X)


def test_the_number_of_results_is_found_on_copies() -> None:
    """`jacobian` and `linearize` run the function itself: on arguments of its own."""

    def writes(pair, d, o):
        pair.y[0] = pair.x * pair.y[1]
        d["n"] = d["a"].copy()
        d["a"] *= 2.0
        o.a[1] = 0.5
        return np.concatenate([pair.y, d["a"] * d["n"], o.a])

    point = collections.namedtuple("point", "x y")
    args = point(0.7, X.copy()), {"a": X.copy()}, OneSlot(X.copy())
    block = s2sgrad.jacobian(writes, argnums=1)(*args)["a"]
    np.testing.assert_allclose(block[2:4], np.diag(4.0 * X))
    y, push = s2sgrad.linearize(writes, *args)
    np.testing.assert_allclose(push(None, {"a": np.ones(2)}, None)[2:4], 4.0 * X)
    assert y.shape == (6,) and list(args[1]) == ["a"]
    for array in (args[0].y, args[1]["a"], args[2].a):
        np.testing.assert_array_equal(array, X)


def test_whole_numbers_beside_complex_ones_stay_real() -> None:
    def f(b):
        return b[0] ** 2 * (b[1] * b[1]).real

    bar = s2sgrad.grad(f, fallback="error")([2.0, 0.5 + 0.25j])
    assert bar[0] == 4.0 * (0.25 - 0.0625) and bar[1] == 4.0 * (1.0 - 0.5j)
    assert s2sgrad.jacobian(f)([2, 0.5 + 0.25j])[0] is None


def test_numbers_keep_their_dtype_where_the_slope_is_a_constant() -> None:
    def f(a, x):
        return 2.5 * a[0] + np.sum(x) * a[1]

    given = [np.float32(2.0), 1.5, np.float16(0.5), np.complex64(1j)]
    bar = s2sgrad.grad(f, fallback="error")(given, X)
    assert [np.asarray(b).dtype for b in bar] == [np.asarray(a).dtype for a in given]
    assert bar[0] == 2.5 and bar[2] == 0.0

    def of_narrow(z, a, b):
        return z**2 * 1.0 + abs(a) + b

    narrow = (1.25, 0.5 + 0.25j, np.float32(0.5))
    _, pullback = s2sgrad.vjp(of_narrow, *narrow, fallback="error")
    kinds = [np.asarray(bar).dtype for bar in pullback(np.float32(1.0))]
    assert kinds == [np.float64, np.complex128, np.float32]


def test_arrays_with_steps_stay_so_on_tensors() -> None:
    """`ravel` copies an array with steps; a number made from an array is no view of it."""

    def f(b, s):
        try:
            b *= 1.5
            b.ravel()[0] = 0.2
            s[...] = np.cos(s)
            t = float(s)
            s[()] = 2.5 * s
            return np.sum(b**2) * t
        except ValueError:
            return 0.0

    for array in (np.arange(1.0, 7.0)[::2], np.arange(12.0).reshape(3, 4)[:, 1:], X.copy()):
        wanted = 4.5 * array
        if array is not None and array.flags.c_contiguous:
            wanted[0] = 0.0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for argnums in (0, (0, 1)):
                found = s2sgrad.grad(f, argnums=argnums)(array, np.array(0.8))
                bar = found if argnums == 0 else found[0]
                np.testing.assert_allclose(bar, wanted * np.cos(0.8))


def test_an_argument_and_what_it_holds_are_not_two() -> None:
    def f(a):
        a["l"].append(1.0)
        a["l"][0] *= 2.0
        a["m"][0].append(a["m"][0][0] * 2.0)
        return a["l"][0].sum() * a["l"][1] * a["m"][0][1]

    given = {"l": [X, 3.0], "m": [[1.5]]}
    bar = s2sgrad.grad(f, fallback="error")(given)
    np.testing.assert_allclose(bar["l"][0], 18.0)
    np.testing.assert_allclose(bar["m"][0][0], 2.0 * 2.0 * X.sum() * 3.0)
    assert given["l"][0] is X and len(given["l"]) == 2 and given["m"] == [[1.5]]
    shared = [1.5]
    with pytest.raises(s2sgrad.UnsupportedError, match="the same object"):
        s2sgrad.grad(f, fallback="error")({"l": [X, 3.0], "m": [shared, shared]})


def test_whether_a_dict_is_an_ordered_one_is_not_guessed() -> None:
    def scaled(d: Any) -> Any:
        return d["a"] * (3.0 if isinstance(d, collections.OrderedDict) else 2.0)

    for given in ({"a": 2.0}, collections.OrderedDict(a=2.0)):
        with pytest.raises(s2sgrad.UnsupportedError, match="whether this is an OrderedDict"):
            s2sgrad.grad(scaled, fallback="error")(given)

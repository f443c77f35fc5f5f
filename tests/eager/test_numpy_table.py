"""Every NumPy function with a rule takes tensors: values, dtypes, gradients and tangents.

The calls are the rules' own samples. Gradients are compared with central differences of the
function on arrays; a derivative that a rule does not have must be refused.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from s2sgrad import eager as torch
from s2sgrad.errors import MissingRuleError
from tests.rules.samples import SAMPLES

HOMES = (np, np.linalg, np.fft)
FUNCTIONS = [f for f in SAMPLES if not isinstance(f, type)]  # a class takes no tensors
PUBLIC = {f for f in FUNCTIONS if any(f is g for home in HOMES for g in vars(home).values())} - {
    np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray,
    np.asarray_chkfinite, np.require, np.full, np.full_like,
}  # fmt: skip  # those make arrays of what they are given: tensors refuse
# (function, argument): no derivative is declared, and none may be made up.
REFUSED = {
    (np.gradient, 1), (np.gradient, 2), (np.cov, "aweights"),
    (np.select, "default"),
}  # fmt: skip
AT_ENDS = {(np.quantile, 1)}  # some samples can't be moved: their q is 0 or 1
Place = tuple[Any, Any]  # position or keyword, and the entry of a sequence or None


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        for entry in value:
            yield from leaves(entry)
    elif value is not None:
        yield value


def places(args: Any, kwargs: Any) -> Iterator[Place]:
    """Where the call has arrays of floats."""
    for key, value in [*enumerate(args), *kwargs.items()]:
        if is_float_array(value):
            yield key, None
        elif isinstance(value, (list, tuple)):
            yield from ((key, i) for i, entry in enumerate(value) if is_float_array(entry))


def is_float_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "fc" and value.dtype.itemsize > 7


def put(args: Any, kwargs: Any, place: Place, value: Any) -> Any:
    listed, named = list(args), dict(kwargs)
    key, index = place
    target: Any = listed if isinstance(key, int) else named
    if index is not None:
        entries = list(target[key])
        entries[index] = value
        value = type(target[key])(entries)
    target[key] = value
    return listed, named


def weighted(result: Any) -> Any:
    """A real number in which every entry counts differently."""
    total: Any = 0.0
    for k, y in enumerate(leaves(result)):
        kind = np.asarray(y.detach() if isinstance(y, torch.Tensor) else y).dtype.kind
        weights = np.random.default_rng(k).standard_normal(np.shape(y))
        if kind in "fc":
            total = total + np.sum(np.real(y) * weights)
        if kind == "c":
            total = total + np.sum(np.imag(y) * weights[..., None][..., 0] * 0.7)
    return total


def plain(value: Any) -> Any:
    return value.detach().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)


def same_values(found: Any, wanted: Any) -> None:
    for u, v in zip(leaves(found), leaves(wanted), strict=True):
        np.testing.assert_allclose(plain(u), v, rtol=1e-6, equal_nan=True)
        assert plain(u).dtype == np.asarray(v).dtype


def at(args: Any, kwargs: Any, place: Place) -> Any:
    key, index = place
    given = args[key] if isinstance(key, int) else kwargs[key]
    return given if index is None else given[index]


def check(function: Any, args: Any, kwargs: Any, place: Place, wanted: Any) -> None:
    """Value, gradient and tangent for one argument of one call."""
    x = at(args, kwargs, place)
    rng = np.random.default_rng(3)
    v = rng.standard_normal(x.shape) + (
        1j * rng.standard_normal(x.shape) if x.dtype.kind == "c" else 0
    )

    def call(value: Any) -> Any:
        listed, named = put(args, kwargs, place, value)
        return function(*listed, **named)

    def moved(h: float) -> np.ndarray:
        near = np.empty_like(x)  # lies in memory as x does: some functions tell
        near[...] = x + h * v
        return near

    ahead, behind = (weighted(call(moved(h))) for h in (1e-6, -1e-6))
    numeric = (ahead - behind) / 2e-6
    t = torch.tensor(x, requires_grad=True)
    result = call(t)
    same_values(result, wanted)
    total = weighted(result)
    slope = 0.0
    if isinstance(total, torch.Tensor) and total.requires_grad:
        (g,) = torch.autograd.grad(total, t, materialize_grads=True)
        slope = float(np.sum((np.conj(g.numpy()) * v).real))
    np.testing.assert_allclose(slope, numeric, rtol=1e-3, atol=1e-4)

    def scalar(value: Any) -> Any:
        made = weighted(call(value))
        return made if isinstance(made, torch.Tensor) else torch.tensor(float(made))

    _, dot = torch.func.jvp(scalar, (torch.tensor(x),), (torch.tensor(np.asarray(v, x.dtype)),))
    np.testing.assert_allclose(dot.item(), numeric, rtol=1e-3, atol=1e-4)


MODELLED = {np.cov, np.gradient}  # what their rules refuse, models serve in reverse mode


def check_slope(
    function: Any, args: Any, kwargs: Any, place: Place, found: Any, t: torch.Tensor
) -> None:
    """The gradient alone, along the tensor itself."""
    (g,) = torch.autograd.grad(found, t)
    x = t.detach().numpy()

    def moved(h: float) -> Any:
        listed, named = put(args, kwargs, place, x * (1.0 + h))
        return weighted(function(*listed, **named))

    numeric = (moved(1e-6) - moved(-1e-6)) / 2e-6
    np.testing.assert_allclose(np.sum(g.numpy() * x), numeric, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    "function", sorted(PUBLIC, key=lambda f: f.__name__), ids=lambda f: f.__name__
)
def test_function(function: Any) -> None:
    for sample in SAMPLES[function]:
        args, kwargs = sample.args, sample.kwargs
        if any(value == "A" for value in args if isinstance(value, str)):
            continue  # the order of entries depends on the memory of the array at hand
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = function(*args, **kwargs)
            for place in places(args, kwargs):
                if (function, place[0]) in AT_ENDS:
                    continue
                if (function, place[0]) in REFUSED:
                    t = torch.tensor(at(args, kwargs, place), requires_grad=True)
                    listed, named = put(args, kwargs, place, t)
                    if function in MODELLED:
                        found = weighted(function(*listed, **named))
                        check_slope(function, args, kwargs, place, found, t)
                        continue
                    with pytest.raises((MissingRuleError, RuntimeError)):
                        function(*listed, **named)
                else:
                    check(function, args, kwargs, place, wanted)

"""np.linalg, np.fft and SciPy differentiated twice by eager tensors, against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import test_decompositions
import test_linalg
from harness import each_with_some
from numeric import STENCIL, is_array, real

from s2sgrad.rules import lookup
from s2sgrad.rules.scipy_stats_table import CONTINUOUS
from s2sgrad_runtime.scipy_helpers import lazy

eager = pytest.importorskip("s2sgrad.eager")
STEP = 1e-4
Case = tuple[Any, tuple[Any, ...], dict[str, Any]]


def flat(outputs: Any) -> list[Any]:
    return list(outputs) if isinstance(outputs, tuple | list) else [outputs]


def total(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A fixed weighted sum of every float output."""
    rng, found = np.random.default_rng(5), 0.0
    for part in flat(function(*args, **kwargs)):
        weights = rng.standard_normal(tuple(part.shape))
        if not (isinstance(part, np.ndarray | np.generic) and part.dtype.kind == "i"):
            found = found + (part * eager.tensor(weights)).sum()
    return found


def gradient(case: Case, k: int, x: Any, again: bool) -> tuple[Any, Any]:
    """(tensor, gradient) with argument k set to x."""
    function, args, kwargs = case
    tensor = eager.tensor(x, requires_grad=True)
    value = total(function, (*args[:k], tensor, *args[k + 1 :]), kwargs)
    return tensor, eager.autograd.grad(value, tensor, create_graph=again)[0]


def check_second(case: Case, k: int, constrain: Any, limit: float) -> None:
    x, rng = np.asarray(case[1][k]), np.random.default_rng(3)
    v = constrain(rng.standard_normal(x.shape))
    u = constrain(rng.standard_normal(x.shape))
    expected = 0.0
    for offset, weight in STENCIL:
        slope = gradient(case, k, x + offset * STEP * v, False)[1].detach().numpy()
        expected = expected + weight / (12 * STEP) * slope
    tensor, first = gradient(case, k, x, True)
    if first.requires_grad:
        found = eager.autograd.grad((first * eager.tensor(v)).sum(), tensor, allow_unused=True)[0]
        found = np.zeros(x.shape) if found is None else found.detach().numpy()
    else:
        found = np.zeros(x.shape)
    scale = 1.0 + np.max(np.abs(expected), initial=0.0)
    assert abs(np.sum(u * found) - np.sum(u * expected)) < limit * scale * x.size


def check(case: Case, constrain: Any = lambda d: d, limit: float = 1e-6) -> None:
    rule = lookup(case[0])
    names = [n for n in rule.parameters if n in rule.arguments]
    done = 0
    for k, value in enumerate(case[1]):
        active = k < len(names) and names[k] in rule.partials
        if active and isinstance(value, np.ndarray) and is_array(value):
            check_second(case, k, constrain, limit)
            done += 1
    assert done


LINALG = [c for c in test_linalg.BOTH if c[0] is not np.linalg.multi_dot]


@pytest.mark.parametrize("case", range(len(LINALG)), ids=lambda i: f"{LINALG[i][0].__name__}-{i}")
def test_linalg_twice(case: int) -> None:
    function, make, kwargs = LINALG[case]
    check((function, make(real), kwargs))


@pytest.mark.parametrize("case", test_decompositions.SYMMETRIC, ids=lambda c: c[0].__name__)
def test_symmetric_twice(case: Any) -> None:
    function, make, kwargs = case
    a = make(real(3, 3))
    check((function, (a,), kwargs), test_decompositions.hermitian)


GENERAL = [c for c in test_decompositions.GENERAL if c[0] not in (np.linalg.eig, np.linalg.eigvals)]


@pytest.mark.parametrize("case", GENERAL, ids=lambda c: f"{c[0].__name__}-{c[1]}-{c[2]}")
def test_decompositions_twice(case: Any) -> None:
    function, shape, kwargs = case
    check((function, (real(*shape),), kwargs))


special = pytest.importorskip("scipy.special")
import test_scipy_linalg  # noqa: E402
import test_scipy_special  # noqa: E402
import test_scipy_stats  # noqa: E402


def is_real(case: tuple[str, tuple[Any, ...]]) -> bool:
    y = getattr(special, case[0])(*case[1])
    return not any(np.iscomplexobj(value) for value in (*case[1], *flat(y)))


REAL = [case for case in test_scipy_special.SAMPLES if is_real(case)]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("case", range(len(REAL)), ids=lambda i: f"{REAL[i][0]}-{i}")
def test_special_twice(case: int) -> None:
    name, args = REAL[case]
    limit = max(1e-6, 0.1 * test_scipy_special.ITERATED.get(name, 0.0))
    check((lazy(f"scipy.special.{name}"), args, {}), limit=limit)


# Eigenvectors of a general matrix are complex; scipy.linalg.norm gives Python floats.
SKIPPED = ("eig", "eigvals", "norm")
TWICE = [c for c in test_scipy_linalg.GENERAL if c[0] not in SKIPPED]


@pytest.mark.parametrize("case", range(len(TWICE)), ids=lambda i: f"{TWICE[i][0]}-{i}")
def test_scipy_linalg_twice(case: int) -> None:
    name, make, kwargs = TWICE[case]
    check((lazy(f"scipy.linalg.{name}"), make(real), kwargs))


@pytest.mark.parametrize(
    ("item", "name"), each_with_some(CONTINUOUS, ("logpdf", "pdf", "cdf", "logsf"))
)
def test_scipy_stats_twice(item: Any, name: str) -> None:
    if item.slope is None:
        pytest.skip("its density has no derivative")
    given = test_scipy_stats.shapes(item)
    x = getattr(test_scipy_stats.stats, item.name).ppf(test_scipy_stats.QUANTILES, *given, 0.3, 1.2)
    loc, scale = np.full(3, 0.3), np.full(3, 1.2)
    check((lazy(f"scipy.stats.{item.name}.{name}"), (x, *given, loc, scale), {}))


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
def test_scipy_signal_twice(mode: str) -> None:
    a, b = real(7), real(3)
    for name in ("convolve", "correlate", "fftconvolve"):
        check((lazy(f"scipy.signal.{name}"), (a, b, mode), {}))
    check((lazy("scipy.signal.lfilter"), (b, np.array([1.5, -0.3, 0.1]), a), {}))


@pytest.mark.parametrize("mode", ["reflect", "constant", "wrap"])
def test_scipy_ndimage_twice(mode: str) -> None:
    a, b = real(7, 6), real(3)
    for name in ("correlate1d", "convolve1d"):
        check((lazy(f"scipy.ndimage.{name}"), (a, b), {"mode": mode}))
    check((lazy("scipy.ndimage.correlate"), (a, np.outer(b, b)), {"mode": mode}))


def test_scipy_integrate_twice() -> None:
    f, x = real(6), np.cumsum(np.abs(real(6)))
    check((lazy("scipy.integrate.trapezoid"), (f, x), {}))
    check((lazy("scipy.integrate.cumulative_trapezoid"), (f, x), {}))

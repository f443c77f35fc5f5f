"""np.linalg, np.fft and SciPy differentiated twice by eager tensors, against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import test_decompositions
import test_linalg
from numeric import STENCIL, is_array

from s2sgrad.rules import lookup
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


def check_second(case: Case, k: int, constrain: Any) -> None:
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
    assert abs(np.sum(u * found) - np.sum(u * expected)) < 1e-6 * scale * x.size


def check(case: Case, constrain: Any = lambda d: d) -> None:
    rule = lookup(case[0])
    names = [n for n in rule.parameters if n in rule.arguments]
    done = 0
    for k, value in enumerate(case[1]):
        active = k < len(names) and names[k] in rule.partials and is_array(value)
        if active and isinstance(value, np.ndarray):
            check_second(case, k, constrain)
            done += 1
    assert done


LINALG = [c for c in test_linalg.BOTH if c[0] is not np.linalg.multi_dot]


@pytest.mark.parametrize("case", range(len(LINALG)), ids=lambda i: f"{LINALG[i][0].__name__}-{i}")
def test_linalg_twice(case: int) -> None:
    function, make, kwargs = LINALG[case]
    check((function, make(test_linalg.real), kwargs))


@pytest.mark.parametrize("case", test_decompositions.SYMMETRIC, ids=lambda c: c[0].__name__)
def test_symmetric_twice(case: Any) -> None:
    function, make, kwargs = case
    a = make(test_decompositions.real(3, 3))
    check((function, (a,), kwargs), test_decompositions.hermitian)


GENERAL = [c for c in test_decompositions.GENERAL if c[0] not in (np.linalg.eig, np.linalg.eigvals)]


@pytest.mark.parametrize("case", GENERAL, ids=lambda c: f"{c[0].__name__}-{c[1]}-{c[2]}")
def test_decompositions_twice(case: Any) -> None:
    function, shape, kwargs = case
    check((function, (test_decompositions.real(*shape),), kwargs))


special = pytest.importorskip("scipy.special")
import test_scipy_special  # noqa: E402


def is_real(case: tuple[str, tuple[Any, ...]]) -> bool:
    y = getattr(special, case[0])(*case[1])
    return not any(np.iscomplexobj(value) for value in (*case[1], *flat(y)))


REAL = [case for case in test_scipy_special.SAMPLES if is_real(case)]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("case", range(len(REAL)), ids=lambda i: f"{REAL[i][0]}-{i}")
def test_special_twice(case: int) -> None:
    name, args = REAL[case]
    check((lazy(f"scipy.special.{name}"), args, {}))

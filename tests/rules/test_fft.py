"""np.fft: every transform with lengths, axes and normalisations, real and complex."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import assert_rule, cplx, real

F = np.fft


ONE = [
    {},
    {"n": 3},
    {"n": 8},
    {"n": 5, "norm": "ortho"},
    {"norm": "forward", "axis": 0},
    {"n": 7, "axis": -2, "norm": "backward"},
]
MANY = [
    {},
    {"s": (3, 6), "axes": (0, 2)},
    {"s": (4, 5), "axes": (-1, -2), "norm": "ortho"},
    {"axes": (2, 0), "norm": "forward"},
    {"axes": (1, 2)},
    {"s": (7, 3), "axes": (0, 1), "norm": "backward"},
]


@pytest.mark.parametrize("kwargs", ONE, ids=str)
@pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])
@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_one_axis(name: str, kind: Any, kwargs: Any) -> None:
    if name in ("rfft", "ihfft") and kind is cplx:
        with pytest.raises(TypeError):
            getattr(F, name)(kind(4, 5))
        return
    assert_rule(getattr(F, name), kind(4, 5), tolerance=1e-9, step=1e-2, **kwargs)
    assert_rule(getattr(F, name), kind(5, 4), tolerance=1e-9, step=1e-2, **kwargs)


@pytest.mark.parametrize("kwargs", MANY, ids=str)
@pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])
@pytest.mark.parametrize(
    "name", ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"]
)
def test_many_axes(name: str, kind: Any, kwargs: Any) -> None:
    if name.startswith("rfft") and kind is cplx:
        with pytest.raises(TypeError):
            getattr(F, name)(kind(4, 5))
        return
    assert_rule(getattr(F, name), kind(4, 3, 5), tolerance=1e-9, step=1e-2, **kwargs)


@pytest.mark.parametrize("name", ["fftshift", "ifftshift"])
@pytest.mark.parametrize("axes", [None, 0, (1,), (0, -1)])
def test_shifts(name: str, axes: Any) -> None:
    assert_rule(getattr(F, name), real(4, 5), axes=axes)
    assert_rule(getattr(F, name), cplx(5, 4), axes=axes)


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_sample_spacing(name: str) -> None:
    assert_rule(getattr(F, name), 6, d=0.7)
    assert_rule(getattr(F, name), 5, 0.3)

"""Gradients are of numbers where the function makes objects of them."""

import numpy as np
import pytest

from s2sgrad import grad


@pytest.mark.parametrize(
    "as_objects",
    [lambda a: np.array(a, dtype=object), lambda a: a.astype(object), lambda a: a.astype("O")],
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_dtype(as_objects, dtype):
    def f(a):
        x = as_objects(a)
        return float(sum(v * v for v in x))

    found = grad(f, fallback="error")(np.array([1.0, 2.0], dtype))
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, [2.0, 4.0])

"""np.linalg: every rule on a table of samples, real, complex and stacked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import assert_rule, cplx, real

L = np.linalg
SINGULAR = np.diag([1.0, 2.0, 0.0]) @ real(3, 3)
BOTH = [
    (L.solve, lambda a: (a(3, 3), a(3)), {}),
    (L.solve, lambda a: (a(3, 3), a(3, 2)), {}),
    (L.solve, lambda a: (a(4, 3, 3), a(3)), {}),
    (L.solve, lambda a: (a(4, 3, 3), a(3, 2)), {}),
    (L.solve, lambda a: (a(3, 3), a(5, 3, 2)), {}),
    (L.solve, lambda a: (a(2, 1, 3, 3), a(5, 3, 2)), {}),
    (L.inv, lambda a: (a(3, 3),), {}),
    (L.inv, lambda a: (a(2, 3, 3),), {}),
    (L.det, lambda a: (a(3, 3),), {}),
    (L.det, lambda a: (a(2, 3, 3),), {}),
    (L.det, lambda a: (a(1, 1),), {}),
    (L.slogdet, lambda a: (a(3, 3),), {}),
    (L.slogdet, lambda a: (a(2, 3, 3),), {}),
    *[(L.matrix_power, lambda a: (a(2, 3, 3),), {"n": n}) for n in (0, 1, 2, 3, 5, -1, -2)],
    (L.multi_dot, lambda a: ([a(2, 3), a(3, 4), a(4, 2)],), {}),
    (L.multi_dot, lambda a: ([a(3), a(3, 4), a(4, 5), a(5)],), {}),
    (L.multi_dot, lambda a: ([a(3), a(3, 4)],), {}),
    (L.multi_dot, lambda a: ([a(3, 2), a(2, 4), a(4)],), {}),
    (L.tensorsolve, lambda a: (a(2, 3, 6), a(2, 3)), {}),
    (L.tensorsolve, lambda a: (a(6, 4, 2, 3, 4), a(6, 4)), {}),
    (L.tensorsolve, lambda a: (a(6, 2, 3), a(2, 3)), {"axes": (0,)}),
    (L.tensorinv, lambda a: (a(6, 2, 3),), {"ind": 1}),
    (L.tensorinv, lambda a: (a(2, 3, 3, 2),), {}),
    *[(L.norm, lambda a: (a(4),), {"ord": p}) for p in (None, 1, 2, 3, 2.5, -1, np.inf, -np.inf)],
    *[
        (L.norm, lambda a: (a(4, 3),), {"ord": p})
        for p in (None, 1, -1, 2, -2, "fro", "nuc", np.inf, -np.inf)
    ],
    *[(L.norm, lambda a: (a(2, 4, 3),), {"ord": p, "axis": (2, 0)}) for p in (1, 2, "nuc", "fro")],
    (L.norm, lambda a: (a(2, 4, 3),), {"axis": (0, 1), "keepdims": True, "ord": np.inf}),
    (L.norm, lambda a: (a(2, 4, 3),), {"axis": 1, "keepdims": True}),
    (L.norm, lambda a: (a(2, 4, 3),), {"axis": -1, "ord": 3}),
    (L.norm, lambda a: (a(2, 4, 3),), {"keepdims": True}),
    (L.vector_norm, lambda a: (a(2, 4, 3),), {}),
    (L.vector_norm, lambda a: (a(2, 4, 3),), {"axis": (0, 2), "ord": 3, "keepdims": True}),
    (L.vector_norm, lambda a: (a(2, 4, 3),), {"ord": np.inf}),
    (L.matrix_norm, lambda a: (a(2, 4, 3),), {}),
    (L.matrix_norm, lambda a: (a(2, 4, 3),), {"ord": "nuc", "keepdims": True}),
    *[(L.cond, lambda a: (a(3, 3),), {"p": p}) for p in (None, 2, -2, 1, np.inf, "fro")],
    (L.cond, lambda a: (a(2, 4, 3),), {}),
    (L.matmul, lambda a: (a(2, 4, 3), a(3, 2)), {}),
    (L.outer, lambda a: (a(4), a(3)), {}),
    (L.tensordot, lambda a: (a(2, 4, 3), a(4, 3, 2)), {}),
    (L.tensordot, lambda a: (a(2, 4, 3), a(3, 2)), {"axes": 1}),
    (L.vecdot, lambda a: (a(2, 3), a(4, 1, 3)), {}),
    (L.vecdot, lambda a: (a(3, 2), a(3, 1)), {"axis": 0}),
    (L.cross, lambda a: (a(2, 3), a(4, 1, 3)), {}),
    (L.cross, lambda a: (a(3, 2), a(3, 2)), {"axis": 0}),
    (L.trace, lambda a: (a(2, 3, 4),), {"offset": 1}),
    (L.diagonal, lambda a: (a(2, 3, 4),), {"offset": -1}),
    (L.matrix_transpose, lambda a: (a(2, 3, 4),), {}),
    (L.cond, lambda a: (a(2, 3, 3),), {"p": 1}),
]


@pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])
@pytest.mark.parametrize("case", range(len(BOTH)), ids=lambda i: f"{BOTH[i][0].__name__}-{i}")
def test_rule(case: int, kind: Any) -> None:
    function, make, kwargs = BOTH[case]
    assert_rule(function, *make(kind), **kwargs)


def test_det_of_a_singular_matrix() -> None:
    assert_rule(L.det, SINGULAR)
    assert_rule(L.det, np.zeros((2, 2)))


@pytest.mark.parametrize("ord", [None, 2, 3, 1, np.inf])
def test_norm_at_zero_has_zero_gradient(ord: Any) -> None:
    from s2sgrad.rules import lookup

    bar = lookup(L.norm).partials["x"].fn(1.0, 0.0, np.zeros(3), ord, None, False)
    np.testing.assert_array_equal(bar, np.zeros(3))

"""The kernels under HIPS autograd, where it can: it has no in-place assignment."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import autograd.numpy as anp

from tests.benchmarks.kernel_peers import functional


def softmax(x: Any, W: Any) -> Any:
    e = anp.exp(x - anp.max(x, axis=-1, keepdims=True))
    return anp.sum(e / anp.sum(e, axis=-1, keepdims=True) * W)


def nbody(mass: Any, pos: Any, vel: Any, *rest: Any) -> Any:
    return functional.nbody(anp, mass, pos, vel, *rest, anp.eye(len(pos)))


def spmv(A_row: Any, A_col: Any, A_val: Any, x: Any) -> Any:
    rows = A_row.tolist()
    return anp.sum(anp.stack([anp.dot(A_val[a:b], x[A_col[a:b]]) for a, b in pairwise(rows)]))


hdiff = partial(functional.hdiff, anp)
vadv = partial(functional.vadv, anp)
conv2d_bias = partial(functional.conv2d_bias, anp)
go_fast = partial(functional.go_fast, anp)
arc_distance = partial(functional.arc_distance, anp)
atax = partial(functional.atax, anp)
k2mm = partial(functional.k2mm, anp)

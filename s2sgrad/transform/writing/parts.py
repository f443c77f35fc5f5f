"""Floor 5: the transposes of `np.split` and its kin, where the parts are known not to overlap."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from s2sgrad.analysis.indexing import constant_of, size_of
from s2sgrad.frontend.state import constant
from s2sgrad.ir import sizes
from s2sgrad.ir.nodes import Expr, Sequence
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.writing import build


def unsplit(s: Any, y_bar: Expr, ary: Expr, places: Expr, axis: Expr | None = None) -> Expr | None:
    """The parts joined again; None keeps the call that adds where parts overlap."""
    if not _in_order(places):
        return None
    along: dict[str, Any] = {} if axis is None else {"axis": axis}
    return build.call(np.concatenate, "np.concatenate", y_bar, **along)


def unsplit_h(s: Any, y_bar: Expr, ary: Expr, places: Expr) -> Expr | None:
    """Along the second axis, or the only one."""
    rank = s.rank(ary)
    return unsplit(s, y_bar, ary, places, constant(min(rank - 1, 1))) if rank else None


def _in_order(places: Expr) -> bool:
    """Whether each part surely begins where the one before it ends: a number of parts, one place,
    or places of which none is smaller than the one before."""
    if isinstance(places.type, Scalar):
        return True
    if not isinstance(places, Sequence):
        return False
    known = [constant_of(place) for place in places.items]
    if all(type(p) is int for p in known):
        return all(a <= b and (a < 0) == (b < 0) for a, b in itertools.pairwise(known))  # type: ignore[operator]
    found = [size_of(place) for place in places.items]
    return len(found) == 1 or all(
        a is not None and b is not None and _least(a) >= 0 and _least(b - a) >= 0
        for a, b in itertools.pairwise(found)
    )


def _least(size: sizes.Size) -> int:
    """The smallest number that a size can be, or -1."""
    found = sizes.least(size)
    return -1 if found is None else found


__all__ = ["unsplit", "unsplit_h"]

"""Reading and writing entries: each gather stands beside the scatter that is its transpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only

__all__ = ["item", "scatter", "take_items"]


def item(a: Any, index: Any = ()) -> Any:
    """`a.item(*index)`: one entry as a Python scalar. A single flat index counts in C order."""
    return a.item(*index) if isinstance(index, tuple) else a.item(index)


def take_items(a: Any, index: Any) -> Any:
    """`a[index]`: the transpose of `scatter`."""
    return a[index]


@shape_only(1)
def scatter(y_bar: Any, a: Any, index: Any) -> Any:
    """Zeros shaped like `a` with `y_bar` added at `index` (repeats add up).

    The transpose of `take_items`. Allocates one array of the shape of `a`, in y_bar's dtype.
    """
    a_bar = np.zeros(np.shape(a), np.asarray(y_bar).dtype)
    if _plain(index):
        a_bar[index] = y_bar
    else:
        np.add.at(a_bar, index, y_bar)
    return a_bar


def _plain(index: Any) -> bool:
    """Whether an index is made of ints, slices, newaxes and masks: it then hits nothing twice."""
    parts = index if isinstance(index, tuple) else (index,)
    for part in parts:
        if isinstance(part, (int, np.integer, slice)) or part is None or part is Ellipsis:
            continue
        if np.asarray(part).dtype != bool:
            return False
    return True

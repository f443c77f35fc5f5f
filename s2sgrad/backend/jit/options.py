"""Floor 6: how generated code is compiled by Numba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# Without "nnan" and "ninf": what the user's code finds out with isnan and isinf stays true.
FAST = frozenset({"reassoc", "contract", "arcp", "nsz", "afn"})


@dataclass(frozen=True)
class Jit:
    """The options of `jit=True`.

    parallel: loops whose iterations are independent run on all cores.
    fastmath: sums may be reordered, divisions become products, and the like.
    """

    parallel: bool = False
    fastmath: bool = False

    def numba(self) -> dict[str, Any]:
        """The options of `numba.njit`."""
        options: dict[str, Any] = {"error_model": "numpy"}
        if self.fastmath:
            options["fastmath"] = set(FAST)
        return options


def jit_options(jit: bool, parallel: bool, fastmath: bool) -> Jit | None:
    """The options as one value; None without jit."""
    if not jit and (parallel or fastmath):
        raise ValueError("parallel=True and fastmath=True are options of compiled code: jit=True")
    return Jit(parallel, fastmath) if jit else None


__all__ = ["FAST", "Jit", "jit_options"]

"""Random programs whose loops read and write entries by sums of counters, that wrap round at both
ends of an array, beside parts of it.

Arguments and result are those of the programs in `fuzz`.
"""

from __future__ import annotations

from typing import Any

import fuzz_library
from hypothesis import strategies as st

HEAD = (
    "u = np.concatenate([x, y])", "v = np.cos(u) * a", "A = np.outer(x, y) + 0.3 * m",
    "p = np.array([3, 0, -1, 2, 2, -6])", "s = 0.3 * a", "i, j, k, h = 0, 1, 0, 1",
)  # fmt: skip
HOLES = {
    "v": ("u", "v"),
    "c": ("i", "i", "j", "k"),
    "w": (  # one of six places
        "{c}", "{c}", "{c} - 1", "{c} - 1", "{c} - 2", "{c} - 3", "-{c}", "-1 - {c}", "5 - {c}",
        "({c} + 1) % 6", "({c} - 1) % 6", "{c} // 2", "{c} - 6", "p[{c}]", "-1", "0", "{c} - h",
        "h - {c}", "min({c} + 1, 5)", "abs({c} - 2)", "{c} + 1 - len(u)", "~{c}",
    ),
    "r": ("{c} % 3", "-1 - {c} % 3", "({c} + 1) % 3", "{c} // 2", "{c} // 2 - 3", "0", "-1"),
    "i": (
        ":{c}", "{c}:", "{c} - 1:", ":{c} - 1", "{c} - 2:{c}", "{c}:{c} + 2", "-{c}:", ":-{c}",
        "{c} - 1:{c} + 1", "1:-1", "::2", "::-1", "{c}::2", "{c}::-1", ":{c}:-1", "{c} - 3:-1",
    ),
    "e": (
        "{v}[{w}]", "{v}[{w}]", "{v}[{w}]", "s", "a", "0.3", "y[{r}]", "np.sum({v}[{i}])",
        "np.sum({v}[{i}] ** 2)", "A[{r}, {r}]", "{v}[{w}] * {v}[{w}]", "0.5 * {e} * {e}",
    ),
    "test": ("s > 0.137", "{v}[{w}] > 0.219", "{c} == 1", "{v}[{w}] * {e} > 0.077"),
}  # fmt: skip
STATEMENTS = (
    "{v}[{w}] += 0.2 * {e}", "{v}[{w}] += 0.2 * {e}", "{v}[{w}] += 0.3 * {v}[{w}] * {e}",
    "{v}[{w}] = 0.5 * {e}", "{v}[{w}] *= 0.9 + 0.1 * {e}", "{v}[{i}] *= 0.8 + 0.1 * {e}",
    "{v}[{i}] += 0.1 * {e}", "s = 0.5 * s + 0.1 * {e}", "A[{r}, {r}] += 0.1 * {e}",
    "A[{r}] *= 0.9 + 0.05 * {e}", "A[{r}] += 0.1 * x * {e}", "{v}[{w}] += 0.06",
    "{v}[{w}] -= 0.1 * {v}[{w}] * {e}",
)  # fmt: skip
LOOPS = (
    "for i in range(6):", "for i in range(1, 6):", "for i in range(5, -1, -1):",
    "for i in range(u.shape[0]):", "for i in range(2, 6):", "for i in range(h, 6):",
    "for i in range(-2, 3):", "for i in range(0, 6, 2):", "for i in range(len(u) - 1):",
    "for j in range(6):", "for j in range(i, 6):", "for j in range(i):",
    "for j in range(i + 1, 6):",
    "for j in range(i - 1, -1, -1):", "for k in range(n + 1):", "for k in range(i):",
)  # fmt: skip
LAST = (
    "np.sum(u * [0.4, 1.3, 0.7, 0.2, 0.9, 1.1])", "np.sum(v ** 2)", "s", "np.sum(u * v)",
    "np.sum(np.tanh(A))", "np.sum(A * m)",
)  # fmt: skip


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    return "import numpy as np\n\n\n" + Body(draw).text(HEAD, LAST, (2, 5))


class Body(fuzz_library.ByHeads):
    """The statements of a program, most of them in loops."""

    holes, statements, loops = HOLES, STATEMENTS, LOOPS

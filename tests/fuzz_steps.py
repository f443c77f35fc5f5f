"""Random programs that step fields forward in time: arrays made anew in each step, written by
slices, swapped, handed on, kept in lists and read again.

Arguments and result are those of the programs in `fuzz`.
"""

from __future__ import annotations

from typing import Any

import fuzz_library
from hypothesis import strategies as st

HEAD = (
    "u = np.concatenate([x, y])", "v = u * 0.5", "w = np.zeros(6)", "q = np.tanh(u + a)",
    "A = np.outer(x, y) + 0.3 * m", "B = np.zeros((3, 3))", "s = 0.3 * a", "rows = []", "k = 0",
)  # fmt: skip
HOLES = {
    "v": ("u", "v", "w", "q"),
    "M": ("A", "B"),
    "e": ("s", "a", "{v}[2]", "0.4 * {v}[k % 6]", "np.sum({v}) * 0.1", "{M}[0, 1]"),
    "i": ("1:-1", "2:", ":-2", "1:5", "::2"),
    "r": (  # four entries
        "{v}[1:-1]", "{v}[2:]", "{v}[:-2]", "{v}[1:5] * {e}", "0.5 * ({v}[2:] + {v}[:-2])",
        "{v}[2:] - 2.0 * {v}[1:-1] + {v}[:-2]", "np.sin({v}[1:-1])", "{v}[1:-1] * {v}[2:]",
        "np.diff({v})[1:]", "np.gradient({v})[1:-1]", "np.maximum({v}[2:], {v}[:-2])",
        "np.where({v}[1:-1] > 0.137, {v}[2:], {v}[:-2])",
    ),
    "f": (  # six entries
        "{v}", "{v}.copy()", "{v} * 0.9", "np.roll({v}, 1)", "np.zeros(6)",
        "{v} + 0.1 * {v}", "np.zeros_like({v})", "np.pad({r}, 1)", "np.pad({r}, 1, mode='edge')",
        "np.concatenate([{r}, {v}[:2]])", "0.5 * ({v} + {v})", "np.tanh({v})", "{v}[::-1]",
        "np.where({v} > 0.137, {v}, 0.3)",
    ),
    "g": (
        "{M}.copy()", "{M} * 0.8", "{M} @ {M}", "np.zeros((3, 3))", "{M}.T", "{M}", "np.sin({M})",
        "{M} + x", "np.outer(x, {v}[:3])",
    ),
    "test": ("s > 0.137", "k == 1", "k % 2 == 0", "{v}[2] > 0.219", "n > 1"),
}  # fmt: skip
STATEMENTS = (
    "{v} = {f}", "{v} = {f}", "{v} = {f}", "{v}[1:-1] = {r}", "{v}[1:-1] = {r}",
    "{v}[1:-1] += 0.2 * {r}",
    "{v}[1:-1] *= 0.7", "{v}[0] = {e}", "{v}[-1] = {v}[-2]", "{v}[0] = {v}[1] * a", "u, v = v, u",
    "u, v, w = v, w, u", "u, v = v, {f}", "u = v", "v = u", "w = u", "{v}[:] = {f}",
    "{v} += 0.3 * {v}",
    "{v} -= {f}", "rows.append({v})", "rows.append({v}.copy())", "s += np.sum({v} ** 2) * 0.1",
    "s = {e}", "{M} = {g}", "{M}[1:, 1:] = {M}[:-1, :-1]", "{M}[1] = {M}[0] * s", "A, B = B, A",
    "{M}[1:-1, 1] += {e}", "{M} += 0.1 * {M}", "B = A", "z = {v}[2:]\nz *= 0.6", "{v}[{i}] *= 0.8",
    "new = {v}.copy()\nnew[1:-1] = {r}\n{v} = new", "new = np.zeros(6)\nnew[1:-1] = {r}\nu = new",
    "new = {g}\nnew[1, 1:] = {e}\nA = new", "{v}[1:-1] = {r}\n{v}[2] = {e}",
    "t = {v} * s\nt[3] = {e}\nw = t",
    "if rows:\n    s += rows[-1][2]", "q = rows[0] if rows else q", "k += 1",
)  # fmt: skip
LOOPS = (
    "for k in range(n):", "for k in range(3):", "for k in range(2, -1, -1):",
    "for i in range(1, 5):",
    "for k in range(n + 1):",
)  # fmt: skip
INSIDE = {
    " i ": (
        "u[i] = v[i - 1] * 0.5 + u[i]", "w[i] = w[i - 1] + u[i] * s", "v[i] += 0.3 * v[i + 1]",
        "s += u[i] * v[5 - i]", "q[i] = np.sin(q[i]) * u[i + 1]",
    ),
}  # fmt: skip
LAST = (
    "np.sum(u * [0.4, 1.3, 0.7, 0.2, 0.9, 1.1])", "np.sum(v ** 2)", "s", "np.sum(w)",
    "np.sum(np.tanh(A))",
    "np.sum(q * u)", "np.sum(B * m)", "sum(np.sum(r) * 0.3 for r in rows)",
)  # fmt: skip


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    return "import numpy as np\n\n\n" + Body(draw).text(HEAD, LAST, (3, 8))


class Body(fuzz_library.ByHeads):
    """The statements of a program."""

    holes, statements, loops, inside = HOLES, STATEMENTS, LOOPS, INSIDE

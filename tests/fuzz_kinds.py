"""Random programs of numbers of all kinds: Python's and NumPy's, whole, boolean, real and complex,
arrays of no dimension and of whole numbers, which become another kind on some paths.

Arguments and result are those of the programs in `fuzz`.
"""

from __future__ import annotations

from typing import Any

import fuzz_library
from hypothesis import strategies as st

HEAD = (
    "v = np.tanh(x + a)", "w = y * 0.5", "c = np.arange(3) - 1",
    "g = np.array([True, False, n > 1])",
    "s = 0.3 * a", "t = x[1]", "i = n + 1", "b = n > 1", "q = np.array(a)", "z = complex(a, 0.5)",
    "h = np.int32(3)", "k = 0",
)  # fmt: skip
HOLES = {
    "v": ("v", "w", "x", "c", "g", "{v}[::-1]", "np.where(g, {v}, w)"),
    "u": ("v", "w", "y"),
    "r": ("s", "t", "a", "{u}[1]", "q", "z.real", "0.4 * {u}[k % 3]", "np.float64(s)", "float(t)"),
    "n": (
        "i", "n", "k", "2", "c[1]", "int(b)", "np.int64(i)", "i % 4", "len(v)", "c.sum()", "i // 2",
        "-i % 5", "int(g.sum())", "{n} * 2 % 7", "divmod(i, 3)[1]", "round(2.6)", "v.ndim", "i & 3",
        "np.argmax({u})", "int({r} > 0.137)", "round({r} * 2.0)", "math.floor({r} * 3.0)",
    ),
    "e": (
        "{r}", "{r}", "{n}", "{n}", "b", "h", "{e} * {r}", "{e} + {n}", "{n} / 2", "{r} ** 2",
        "{r} * {n}", "min({n}, {r})", "max({n}, {r})", "sum([{n}, {r}, b])", "abs({r})", "-{r}",
        "(1.3 + {r} ** 2) ** {n}", "2 ** ({n} % 3) * {r}", "{r} % 0.7", "{r} // 0.3 * {r}", "+b",
        "np.fmod({r}, 0.4)", "abs(z)", "z.imag", "(z * z).real", "q.item()", "np.sum({v})",
        "{n} if b else {r}", "b and {r}", "{n} or {r}", "np.mean({v})", "({r} > 0.2) * {r}",
        "np.real(z * {r})", "math.sin({r})", "np.max({v})", "pow({r}, 2)", "h * {r}",
        "np.array([{n}, {r}])[1]", "[{n}, {r}][k % 2]", "np.asarray({r})", "np.where(b, {n}, {r})",
    ),
    "w": ("z", "1j", "z * {r}", "np.conj(z)", "complex({r}, {r})", "np.exp(1j * {r})",
          "{r}", "{n}"),
    "test": ("s > 0.137", "k == 1", "b", "{n} > 1", "g[1]", "isinstance(s, float)", "i % 2 == 0"),
}  # fmt: skip
STATEMENTS = (
    "s = {e}", "s = {e}", "t = {e}", "s += {e}", "s *= 0.5", "t = 0.3 * t", "i = {n}", "i += 1",
    "i //= 2", "b = {r} > 0.137", "b = not b", "b = bool({n} % 2)", "c = c * 2 // 3", "c = c + {n}",
    "c = {v} * 1", "c = np.array([{e}, {e}, {e}])", "c = c % 3", "g = {u} > 0.137",
    "g = ~g & (c > 0)",
    "g = np.array([b, {n} > 1, True])", "v = {v} * {e}", "w = {v} * 0.5 + {e}", "v = {u} * c",
    "v = {u} ** 2 * g", "w = np.where(c, {u}, {e})", "v[g] *= 0.5", "w[1] = {e}", "v[k % 3] = {n}",
    "w += {v}", "w *= {e}", "w = w * 0.7", "q = np.array({e})", "q += {e}", "q[...] = {r}",
    "q = q * 0.5",
    "q = np.asarray({r}) + 0", "z = {w} * 0.7", "z = z + {w}", "z = z * {r}", "z = abs(z) + 0j",
    "v = ({u} * z).real", "w = np.abs({u} + 1j * {e})", "z = np.sum({v} * z) * 0.3", "k += 1",
    "s = np.sum(c, dtype=float) * {r}", "v = np.asarray({v}, dtype=float) * 0.9",
    "w = {v}.astype(float)", "s, i = {e}, {n}", "h = h * 2 % 5", "s = float({e})",
    "t = np.float64({e})",
    "w = np.array([float(e) for e in {v}])", "s = sum({v})", "t = {e} if {test} else {n}",
    "v = np.zeros(3)\nv[:] = {v}", "w = np.full(3, {e}) * {u}",
    "c = np.zeros(3, int)\nc[k % 3] = 1",
)  # fmt: skip
LOOPS = ("for k in range(n):", "for k in range(2, -1, -1):", "for t in {v}:", "for i in c:",
         "for k, s in enumerate({v}):", "for b in (True, False):")  # fmt: skip
LAST = (
    "np.sum(v * [0.4, 1.3, 0.7])", "np.sum(w)", "s", "t", "q", "z.real + 2.0 * z.imag",
    "np.sum(c * x)", "h * 0.5", "i", "b * a",
)  # fmt: skip


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    return "import math\n\nimport numpy as np\n\n\n" + Body(draw).text(HEAD, LAST)


class Body(fuzz_library.ByHeads):
    """The statements of a program."""

    holes, statements, loops = HOLES, STATEMENTS, LOOPS

"""Random programs of the loops that people write: buffers that are swapped, momentum, Runge-Kutta
steps, conjugate gradients, running maxima, early exits, views written in place, lists that are read
back, rows that take turns, state that begins as None.

Arguments and result are those of the programs in `fuzz`.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

VECTORS = ("p", "q", "r", "old")
# Of {0} and {1}, which are vectors; s, a and k are numbers.
VALUES = (
    "{0} * y", "{0} * y + 1.0", "{0} - 0.1 * {1}", "{0} + 0.2 * {1}", "np.sin({0}) + 0.5 * {1}",
    "{0} - 0.3 * {0} * {1}", "0.5 * ({0} + {1})", "{0} / (1.0 + {1} ** 2)", "np.tanh({0} * {1})",
    "{0} * np.sum({1} * y)", "np.where({1} > 0.137, {0}, {1} * y)", "{0} * s", "a * {0} + {1}",
    "np.maximum({0}, {1})", "m @ {0} * 0.3", "np.roll({0}, 1) - 0.2 * {1}", "m[k] * {0} + {1}",
    "np.cumsum({0}) * 0.4", "{0}[::-1] + 0.1 * {1}", "np.clip({0}, -0.71, 0.83) + 0.1 * {1}",
)  # fmt: skip
# {p}, {q}, {t}: three different vectors; {e} and {f}: values; {i}: a place.
IDIOMS = (
    "{p} = {e}", "{p} = {e}", "{p} += {e}", "{p} = {q}", "{p} *= a", "{p}[{i}] = s * {q}[{i}]",
    "s += 0.1 * np.sum({p} * {q})", "s = 0.5 * s + 0.1 * np.sum({p} ** 2)",
    "{q} = {p}\n{p} = {e}\ns += 0.1 * np.sum({q} * {p})\n{p} = {p} - 0.1 * {q}",
    "{q} = {p}\n{p} = {e}\nd = {p} - {q}\ns += 0.1 * (d @ d)",
    "{q}, {p} = {p}, {e}", "{p}, {q}, {t} = {q}, {t}, {p}",
    "{q} = 0.9 * {q} + {e}\n{p} = {p} - 0.1 * {q}", "{q} *= 0.9\n{q} += 0.1 * {p}\n{p} -= {q}",
    "k1 = {e}\nk2 = k1 + 0.5 * {f}\n{p} = {p} + 0.1 * (k1 + 2.0 * k2)",
    "k1 = rate({p})\nk2 = rate({p} + 0.1 * k1)\nk3 = rate({p} + 0.1 * k2)\n"
    "{p} = {p} + 0.05 * (k1 + 2.0 * k2 + k3)",
    "tmp = {p}\n{p} = {q}\n{q} = tmp\n{q} += 0.1 * {t}",
    "tmp = {p}.copy()\n{p}[:] = {q}\n{q}[:] = tmp",
    "rn = {p} - 0.1 * s * {q}\nbeta = (rn @ rn) / (1.0 + {p} @ {p})\n{q} = rn + beta * {q}\n"
    "{p} = rn",
    "step = m @ {q}\nalpha = ({p} @ {p}) / (2.0 + {q} @ step)\n{t} += alpha * {q}\n"
    "{p} -= alpha * step\n{q} = {p} + 0.3 * {q}",
    "kept.append({p})\n{p} = {e}\ns += 0.05 * np.sum(kept[-1] * {p})",
    "kept.append({p}.copy())\n{p} += {e}\ns += 0.05 * np.sum(kept[0] * {p})",
    "if len(kept) > 1:\n    {p} = {p} + 0.2 * (kept[-1] - kept[-2])\nkept.append({q})",
    "if k % 2 == 0:\n    {q} = {p}\n{p} = {e}",
    "if s > 0.337:\n    {p} = {e}\nelse:\n    {p} = {t}",
    "v = {p}[1:]\n{p} = {e}\ns += 0.1 * np.sum(v * {p}[:-1])", "v = {p}[:2]\nv += 0.2 * {q}[1:]",
    "{p} = {p}.copy()\n{p}[1:] += 0.2 * {q}[:-1]", "{p}[1:] = {p}[:-1] * 0.8\n{p}[0] = s",
    "{q} = {p}\n{q} = {q} * y\n{p} = {p} + {q}", "old[:] = {p}\n{p} = {e}",
    "peak = np.max({p})\nif peak > best:\n    best = peak\n    {q} = {p}.copy()",
    "best = max(best, {p}[{i}])\ns += 0.1 * best",
    "{p} = {p} - np.mean({p})\n{p} /= 1.0 + {p} @ {p}",
    "if {p} @ {p} > 4.37:\n    break", "if s < -0.771:\n    s = 0.2\n    continue",
    "if mem is None:\n    mem = {p}\nelse:\n    mem = 0.7 * mem + 0.3 * {p}\n{q} = {q} - 0.1 * mem",
    "if mem is None:\n    mem = np.zeros_like({p})\nmem += {p} ** 2\n"
    "{q} = {q} / np.sqrt(mem + 1.0)",
    "M[k] = {e}", "M[k % 3] += 0.3 * {p}\n{q} = M[(k + 1) % 3]",
    "row = M[k % 3]\nrow *= 0.6\n{p} = {p} + row",
    "M[1:] -= 0.2 * np.outer({p}[1:], M[0])", "M = M + 0.2 * np.outer({p}, {q})",
    "{p} = M.T @ {q} * 0.2",
    "for i in range(1, 3):\n    {p}[i] += 0.4 * {p}[i - 1] * {q}[i]",
    "for i in range(2, -1, -1):\n    {p}[i] -= 0.2 * M[i, k % 3] * {q}[i]\n    s += 0.1 * {p}[i]",
    "for u in {p}:\n    s = 0.8 * s + 0.1 * u", "for i, u in enumerate({p}):\n    {q}[i] = u * s",
    "acc[k % 2] = acc[k % 2] + {p}\n{q} = acc[0] - 0.2 * acc[1]",
    "one, two = (acc[0], acc[1]) if k % 2 else (acc[1], acc[0])\none[:] = 0.5 * two + {p}",
    "state['x'] = {p}\nstate['n'] = state['n'] + 0.1 * s\n{p} = {e}\n{p} = {p} + 0.1 * state['x']",
    "t0 = s\ns = a * s + 0.1 * {p}[{i}]\nif abs(s - t0) < 0.0137:\n    break",
)  # fmt: skip
HEADS = (
    "for k in range(3):", "for k in range(n):", "for k in range(n, -1, -1):", "for k in (0, 2, 1):",
    "k = -1\nwhile k < n and abs(s) < 40.0:\n    k += 1",
    "for k, w in enumerate(m):\n    y = 0.9 * w + 0.1",
    "k = 2\nwhile True:\n    k -= 1\n    if k < 0:\n        break",
)  # fmt: skip
FIRST = {
    "p": ("x * 1.0", "x", "x.copy()", "a * x", "np.zeros(3)", "np.zeros_like(x)", "m[0]", "m @ x"),
    "q": ("p", "x - y", "y", "p * 0.5", "np.ones(3)", "m[1] * 0.5", "np.empty(3)"),
    "old": ("p", "x", "q * 1.0", "p.copy()"),
    "r": ("x * y", "old", "q - p", "np.array([a, 0.3, 0.1])"),
    "M": ("m.copy()", "np.eye(3)", "m * 0.5", "np.zeros((3, 3))", "np.outer(x, y)"),
    "acc": ("[np.zeros(3), np.ones(3)]", "[p, q]", "[p.copy(), q * 1.0]", "[x * 1.0] * 2"),
}
LAST = (
    "s", "np.sum(x * p)", "0.3 * np.sum(q)", "0.2 * np.sum(old * r)", "np.sum(M * m) * 0.2",
    "best * a",
    "0.1 * sum(np.sum(v) for v in kept)", "np.sum(acc[0] * acc[1]) * 0.1",
    "0.1 * np.sum(state['x'])",
)  # fmt: skip
EMPTY = "np.empty(3)"  # is filled at once


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    lines = ["s = 0.3 * a", "kept = []", "best = -5.0", "mem = None"]
    for name, choices in FIRST.items():
        value = draw(st.sampled_from(choices))
        lines += [f"{name} = {value}"] + ([f"{name}[:] = p"] if value == EMPTY else [])
    lines += ["state = {'x': p, 'n': 0.2 * a}", "rate = lambda v: y - 0.4 * v + 0.1 * v * q"]
    for _ in range(draw(st.integers(1, 2))):
        head, *more = draw(st.sampled_from(HEADS)).split("\n")
        if not head.endswith(":"):
            lines.append(head)
            head, *more = more
        lines += [head, *more]
        for _ in range(draw(st.integers(1, 4))):
            lines += ["    " + line for line in _idiom(draw)]
    kinds = draw(st.lists(st.sampled_from(LAST), min_size=3, max_size=5, unique=True))
    lines.append("return " + " + ".join(kinds))
    text = "\n".join("    " + line for line in lines)
    return f"import numpy as np\n\n\ndef f(x, y, m, a, n):\n{text}\n"


def _idiom(draw: Any) -> list[str]:
    """The lines of one idiom."""
    p, q, t = draw(st.permutations(VECTORS))[:3]
    values = [
        draw(st.sampled_from(VALUES)).format(*draw(st.permutations((p, q, t)))[:2]) for _ in "ef"
    ]
    place = draw(st.integers(0, 2))
    text = draw(st.sampled_from(IDIOMS))
    filled = {"p": p, "q": q, "t": t, "e": values[0], "f": values[1], "i": place}
    for name, value in filled.items():
        text = text.replace("{" + name + "}", str(value))
    return str(text).split("\n")

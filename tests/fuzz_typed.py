"""Random programs of Python's own values: numbers, texts, lists, tuples, dicts and sets, made and
asked by every expression of the language, of what only a run knows.

Arguments and result are those of the programs in `fuzz`. Braces of displays are written « and ».
"""

from __future__ import annotations

from typing import Any

import fuzz_library
from hypothesis import strategies as st

HEAD = (
    "s, t, i, k = a * 0.5, x[0] * x[1], n + 1, 0", "b, w = n % 2 == 0, 'a' if n > 2 else 'ba'",
    "l, p, q, d, g, h = [], [x[2], a], [], {}, {}, set()",
    "for j in range(n):", "    l.append(x[j % 3] * (j + 1)); d[j] = y[j % 3]; q.append(j * 2)",
    "    h.add(j % 2); g['abc'[j % 3]] = x[j % 3]",
    "u = (s, 1.5)",
)  # fmt: skip
HOLES = {
    "r": (
        "s", "t", "a", "x[1]", "x[k % 3]", "0.5", "({r} + {r})", "({r} - {r})", "({r} * {r})",
        "(-{r})", "abs({r})", "({r} if {test} else {r})", "({i} * {r})",
        "({l} + [1.5])[{i} % 2 - 1]",
        "sum({l})", "max({l}, default={r})", "min({r}, {r})", "{d}.get({i}, {r})",
        "{g}.get({w}, 0.25)", "{u}[n % 2]", "{u}[-1]", "float({test})",
        "(lambda v: v * {r} + v)({r})", "sum(v * {r} for v in {l})",
        "next((v for v in {l} if v > {r}), {r})", "sum({d}.values())", "sorted({l} + [{r}])[0]",
        "math.sin({r})", "np.where({test}, {r}, {r})", "np.sum(np.array({l}))",
        "functools.reduce(lambda v, z: v * 0.5 + z, {l}, {r})",
        "sum(v * z for v, z in zip({l}, {l}))", "sum(v * j for j, v in enumerate({l}, {i}))",
        "math.fsum({l})", "sum(j * v for j, v in {d}.items())", "({r} or {r})",
        "(({i} or {i}) or {i})", "({r} and {r} or {r})", "np.sum(x[:{i}])", "({l} or [{r}])[0]",
    ),
    "i": (
        "i", "n", "k", "2", "len(x)", "({i} + {i})", "({i} - {i})", "({i} * {i})", "len({l})",
        "len({q})", "len({d})", "len({h})", "len({w})", "len({g})", "({i} // 2)", "({i} % 3)",
        "({test} + {i})", "{w}.count('a')", "int({test})", "sum(1 for v in {l} if v > {r})",
        "min({i}, {i})", "max({q}, default=1)", "sum({q})", "({q} + [7]).index(7)",
        "{q}.count({i})", "sum({h})", "abs({i})", "({i} if {test} else {i})", "({i} or 2)",
        "sum(j in {h} for j in {q})", "divmod({i}, 3)[1]", "({i} & 3)", "max({h} | «1»)",
    ),
    "test": (
        "b", "n > 1", "s > 0.137", "({r} < {r})", "({r} >= {r})", "({i} == {i})", "({i} != {i})",
        "({i} <= {i} < {i})", "({i} in {q})", "({i} not in {h})", "({i} in {d})", "({i} in «1, 3»)",
        "({i} not in «0, n»)", "({i} in (0, 2))", "({i} in range(2))", "({w} in {w})",
        "({w} == {w})", "({w} in «'a', 'c'»)", "({w} in {g})", "(not {test})", "(not {l})",
        "(not {i})", "(not {w})", "(not {d})", "(not {h})", "({test} and {test})",
        "({test} or {test})", "any(v > {r} for v in {l})", "all(v > {r} for v in {l})",
        "({q} == {q})", "({h} <= {h})", "({h} == {h})", "{w}.startswith({w})", "bool({l})",
        "({test} == {test})", "isinstance({r}, float)", "isinstance({l}, list)",
        "(len({l}) > {i})", "({d}.get({i}) is None)", "{h}.isdisjoint({h})",
    ),
    "w": (
        "w", "'a'", "'ab'", "({w} + {w})", "({w} * ({i} % 3))", "str({i})",
        "{w}.replace('a', 'b')", "'abc'[{i} % 3]", "({w} if {test} else {w})",
        "','.join([{w}, {w}])", "{w}[::-1]", "{w}.strip('b')", "'«»'.format({i})",
    ),
    "l": (
        "l", "p", "[s, t]", "[0.5]", "x.tolist()", "[v * {r} for v in {l}]",
        "[v for v in {l} if v > {r}]", "({l} + {l})", "{l}[1:]", "{l}[::-1]", "{l}[:-1]",
        "list(reversed({l}))", "sorted({l}, reverse={test})", "([{r}] * ({i} % 3))",
        "list(map(lambda v: v * {r}, {l}))", "[*{l}, {r}]", "list({d}.values())",
        "[v * z for v in {l}[:2] for z in {l}[:2]]", "({l} if {test} else {l})",
        "[x[j % 3] for j in {q}]", "list(filter(lambda v: v > {r}, {l}))", "list({u})",
        "[v + z for v, z in zip({l}, {l})]", "[{r} for _ in range({i} % 4)]",
        "list(itertools.accumulate({l}))", "({l} or [{r}])",
    ),
    "q": (
        "q", "[1, 2]", "list(range(n))", "[j * 2 for j in {q}]", "({q} + [{i}])",
        "list(range({i} % 4))", "sorted({h})", "[j for j in {q} if j in {h}]", "{q}[::-1]",
        "list({d})", "[j for j, v in enumerate({l}) if v > {r}]", "sorted({q}, key=lambda j: -j)",
    ),
    "u": ("u", "(s, t)", "({r}, {r})", "({u} if {test} else {u})", "{u}[::-1]",
          "tuple([{r}, {r}])"),
    "d": (
        "d", "«1: s, 2: 0.5»", "«n: t»", "«j: {r} for j in range({i} % 4)»",
        "«**{d}, {i}: {r}»", "({d} | {d})", "dict(zip(range(3), {l}))",
        "«j: v * 2 for j, v in {d}.items()»", "«{i}: {r}, {i}: {r}»", "dict(enumerate({l}))",
        "«j: v for j, v in {d}.items() if j in {h}»",
    ),
    "g": ("g", "«'a': s, 'b': 1.5»", "«'a': {r}, 'c': {r}»", "«**{g}, 'b': {r}»",
          "«z: v * 2 for z, v in {g}.items()»", "dict(a={r}, b={r})", "«{w}: {r}»"),
    "h": (
        "h", "«1, 2»", "«n, 1»", "«{i}, {i}»", "set({q})", "«j % 3 for j in {q}»", "({h} | {h})",
        "({h} & {h})", "({h} - {h})", "({h} ^ {h})", "set(range({i} % 4))", "set({d})",
    ),
}  # fmt: skip
STATEMENTS = (
    "s = {r}", "s = {r}", "t = {r} * 0.5", "s += {r}", "s *= 0.5", "i = {i} % 7", "i += 1",
    "b = {test}", "w = {w}[:4]", "l = {l}[:5]", "p = {l}[:5]", "l = l[:4] + [{r}]", "p.append({r})",
    "q = {q}[:5]", "u = {u}", "d = {d}", "d = «**d, {i} % 5: {r}»", "d[{i} % 4] = {r}", "g = {g}",
    "h = set({h})", "h = h | «{i} % 5»", "s, t = t, s", "(s, *l), i = [{r}, *{l}[:3]], {i} % 5",
)  # fmt: skip
LOOPS = ("for k in range(n):", "for k in range(3):", "for t in {l}[:3]:", "for k in {q}[:3]:",
         "for k, s in enumerate({l}[:3]):", "for k in sorted({h})[:3]:")  # fmt: skip
LAST = (
    "s", "t", "sum(l) * 0.7", "sum(p)", "sum(d.values()) * 1.1", "sum(g.values())", "sum(u)",
    "0.1 * len(h)", "0.1 * sum(q)", "0.1 * len(w)", "0.1 * i", "0.3 * b", "sum(h) * 0.2 * a",
)  # fmt: skip


def _written(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Templates with what stands for braces while their holes are filled."""
    return tuple(text.replace("«", "\0").replace("»", "\1") for text in texts)


_HOLES = {name: _written(options) for name, options in HOLES.items()}
_STATEMENTS, _LOOPS = _written(STATEMENTS), _written(LOOPS)


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    head = "import functools\nimport itertools\nimport math\n\nimport numpy as np\n\n\n"
    return head + Body(draw).text(HEAD, LAST)


class Body(fuzz_library.ByHeads):
    """The statements of a program."""

    holes, statements, loops = _HOLES, _STATEMENTS, _LOOPS

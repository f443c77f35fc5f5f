"""Random primal programs as source text, for Hypothesis.

A program is a function `f(x, y, m, a, n)` of two vectors of three entries, a 3x3 matrix, a float
and a trip count, with up to two subroutines. Statements are drawn from fixed shapes, so every
program runs: any vector name may be an alias or a view of any other, loop counters stay valid
indices, magnitudes are damped. Programs are discarded only near kinks or when values explode.

    source = draw(programs())        # text, readable and runnable by itself
    f = load(source)                 # the function; inspect.getsource works on it

Limitations: no recursion, no objects; those are in the fixed corpus.
"""

from __future__ import annotations

import functools
import hashlib
import linecache
import re
import textwrap
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

Lines = tuple[str, ...]
Text = st.SearchStrategy[str]
Block = st.SearchStrategy[Lines]

SIGNATURE = "def f(x, y, m, a, n):"
START = {  # in the order of the lines; the first three only in subroutines
    "n": "n = 2",
    "y": "y = x * 0.8",
    "m": "m = np.outer(x, x)",
    "s": "s = 0.3 * a",
    "t": "t = x[0] + 0.2",
    "z": "z = 0.5 * x + 0.1",
    "w": "w = np.zeros(3)",
    "p": "p = y[1:]",
    "parts": "parts = [a]",
    "rows": "rows = [x * 1.0]",
    "d": 'd = {"u": 0.4, "v": a}',
}


@dataclass(frozen=True)
class Context:
    """What a statement may use at its place.

    counters: names of loop counters, all in 0..2. elements: names of loop elements.
    calls: subroutines may be called (the main program's blocks).
    """

    depth: int = 3
    counters: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    loop: bool = False
    numba: bool = False
    calls: bool = False
    returns: str = "scalar"

    def inside(self, **changes: Any) -> Context:
        return replace(self, depth=self.depth - 1, **changes)


def fill(template: str, **holes: Text) -> Text:
    """A template whose `{name}` holes are drawn one by one (each occurrence separately)."""
    pieces = re.split(r"\{(\w+)\}", template)
    if len(pieces) == 1:
        return st.just(template)
    drawn = [holes[name] for name in pieces[1::2]]
    return st.tuples(*drawn).map(
        lambda found: "".join(a + b for a, b in zip(pieces[::2], (*found, ""), strict=True))
    )


def choice(*templates: str, **holes: Text) -> Text:
    """One of the templates, filled. Simple ones first: failures shrink towards them."""
    return st.one_of([fill(template, **holes) for template in templates])


@functools.cache
def index(c: Context) -> Text:
    return st.sampled_from(("0", "1", "2", "-1", *c.counters))


@functools.cache
def vector_name(c: Context) -> Text:
    return st.sampled_from(("x", "y", "z", "w"))


@functools.cache
def scalar_name(c: Context) -> Text:
    return st.sampled_from(("s", "t"))


@functools.cache
def scalar_leaf(c: Context) -> Text:
    plain = ("s", "t", "a", "p[0]", "parts[-1]", *c.elements)
    if not c.numba:
        plain = (*plain, 'd["u"]', 'd["v"]')
    return st.one_of(
        st.sampled_from(plain),
        choice("{v}[{i}]", "m[{i}, {i}]", v=vector_name(c), i=index(c)),
    )


@functools.cache
def vector_leaf(c: Context) -> Text:
    return st.one_of(
        vector_name(c),
        choice("m[{i}]", "m[:, {i}]", "{v}[::-1]", "rows[-1]", v=vector_name(c), i=index(c)),
    )


@functools.cache
def condition(c: Context) -> Text:
    holes = {"s": scalar_leaf(c), "v": vector_name(c)}
    tests = [
        "s > 0.137",
        "{s} > 0.137",
        "{s} < {s} + 0.0713",
        "np.sum({v}) > 0.219",
        "0.0 < {s} < 0.731",
    ]
    tests += ["{s} > 0.137 and {s} < 0.911", "not {s} > -0.273", "{s} < -0.491 or {s} > 0.113"]
    if c.counters:
        tests += [f"{c.counters[-1]} == 1", f"{c.counters[-1]} > 0"]
    return choice(*tests, **holes)


@functools.cache
def scalar(c: Context) -> Text:
    templates = [
        "0.9 * t",
        "{s}",
        "np.sin({s} + {s})",
        "0.5 * {s} * {s}",
        "{s} - 0.3 * {s}",
        "np.tanh({s} * {s})",
        "np.exp(-({s} ** 2))",
        "np.cos({s}) / (1.5 + {s} ** 2)",
        "0.4 * np.sum({v})",
        "0.3 * ({v} @ {v})",
        "({s} if {c} else {s})",
        "0.5 * max({s}, {s})",
        "0.2 * sum(parts)",
    ]
    if c.calls:
        templates += ["g({v}, {s})", "g({v}, 0.5 * {s})"]
    return choice(*templates, s=scalar_leaf(c), v=vector_leaf(c), c=condition(c))


@functools.cache
def vector(c: Context) -> Text:
    templates = [
        "0.9 * y",
        "{v}",
        "np.sin({v})",
        "0.5 * {v} * {v}",
        "{v} + 0.4 * {s}",
        "{v} - 0.3 * {v}",
        "np.tanh({v} * {s})",
        "0.5 * (m @ {v})",
        "np.where({v} > 0.137, {v}, 0.2 * {v})",
        "{v}.copy()",
        "np.array([{s}, 0.5, {s}])",
    ]
    if not c.numba:
        templates += ["np.roll({v}, 1)", "np.concatenate([p, [{s}]])", "{v}[[2, 0, 2]]"]
    if c.calls:
        templates += ["h({v}, {s})"]
    return choice(*templates, s=scalar_leaf(c), v=vector_leaf(c))


@functools.cache
def pair(c: Context) -> Text:
    templates = ["0.9 * p", "{v}[1:]", "{v}[:2]", "{v}[::2]", "0.5 * p * p", "np.sin(p)", "{s} * p"]
    templates += ["m[{i}, 1:]", "{v}[1:] - {v}[:-1]", "m[:2, {i}]"]
    return choice(*templates, v=vector_name(c), s=scalar_leaf(c), i=index(c))


@functools.cache
def simple(c: Context) -> Block:
    """One line that assigns, writes in place, aliases or swaps."""
    holes = {
        "s": scalar_name(c),
        "e": scalar(c),
        "v": vector_name(c),
        "V": vector(c),
        "L": vector_leaf(c),
        "P": pair(c),
        "i": index(c),
        "leaf": scalar_leaf(c),
    }
    safe = "1.0 * {V}" if c.numba else "{V}"  # Numba does not look out for overlapping views
    safe_pair = "1.0 * ({P})" if c.numba else "{P}"
    templates = [
        "s = 0.9 * s",
        "{s} = {e}",
        "{s} += {e}",
        "{s} *= {leaf}",
        "s, t = t, s",
        "s, t = {e}, {e}",
        "{v} = {V}",
        "{v} = {L}",
        "{v} = {v}",
        f"{{v}} += 0.5 * {safe}",
        f"{{v}} *= {safe}",
        f"{{v}} -= 0.3 * {safe}",
        "{v}, {v} = {L}, {L}",
        "{v}[{i}] = {e}",
        "{v}[{i}] += {e}",
        "{v}[{i}] *= {leaf}",
        f"{{v}}[:] = {safe}",
        f"{{v}}[1:] = {safe_pair}",
        f"{{v}}[:2] += {safe_pair}",
        f"{{v}}[::2] *= {safe_pair}",
        "m[{i}, {i}] = {e}",
        "m[{i}, {i}] += {e}",
        f"m[{{i}}] = {safe}",
        f"m[:, {{i}}] *= {safe}",
        "p = {P}",
        f"p += 0.5 * {safe_pair}",
        "p[0] = {e}",
        "parts.append({e})",
        "parts[0] = {e}",
        "rows.append({v})",
        "rows.append({V})",
        "{v} = rows[0]",
    ]
    if not c.numba:
        templates += [
            'd["u"] = {e}',
            'd["v"] += {e}',
            "np.add.at({v}, [0, 2, 2], 0.5 * {V})",
            "{v}[{v} > 0.137] = {e}",
            "{v}[{v} < 0.219] *= 0.5",
            "{v}[[0, 2]] = {P}",
            "np.sin({v}, out={v})",
            "m = m.T",
            "t = float({e})",
            "parts = [0.5 * v for v in parts]",
        ]
    return choice(*templates, **holes).map(lambda line: (line,))


def indented(lines: Lines) -> Lines:
    return tuple(f"    {line}" for line in lines)


@functools.cache
def branch(c: Context) -> Block:
    inner = block(c.inside())

    def build(test: str, yes: Lines, no: Lines | None) -> Lines:
        rest = () if no is None else ("else:", *indented(no))
        return (f"if {test}:", *indented(yes), *rest)

    return st.builds(build, condition(c), inner, st.none() | inner)


@functools.cache
def for_loop(c: Context) -> Block:
    """A loop over a range, the elements, the rows, pairs; bodies may break and continue."""
    name = "ijk"[len(c.counters) % 3] + ("" if len(c.counters) < 3 else "2")
    counting = c.inside(counters=(*c.counters, name), loop=True)
    ranges = ["n", "3", "1, 3", "2, -1, -1", "0, 3, 2", "n - 1, 0, -1", "0"]
    ranges += [f"{outer}" for outer in c.counters] + [f"{outer}, 3" for outer in c.counters]
    over_range = st.builds(
        lambda bounds, body: (f"for {name} in range({bounds}):", *indented(body)),
        st.sampled_from(ranges),
        block(counting),
    )
    element = f"e{len(c.elements)}"
    with_element = c.inside(elements=(*c.elements, element), loop=True)
    over_elements = st.builds(
        lambda v, body: (f"for {element} in {v}:", *indented(body)),
        vector_name(c),
        block(with_element),
    )
    both = counting.inside(elements=(*c.elements, element))
    enumerated = st.builds(
        lambda v, body: (f"for {name}, {element} in enumerate({v}):", *indented(body)),
        vector_name(c),
        block(replace(both, depth=c.depth - 1)),
    )
    rows = st.builds(
        lambda v, body: (f"for {v} in m:", *indented(body)),
        vector_name(c),
        block(c.inside(loop=True)),
    )
    kinds = [over_range, over_range, over_elements, rows]
    return st.one_of(kinds if c.numba else [*kinds, enumerated])  # Numba: enumerate of C or A


@functools.cache
def while_loop(c: Context) -> Block:
    """At most three trips, fewer when the data says so; the counter moves first."""
    name = f"c{c.depth}"
    inner = c.inside(loop=True)

    def build(test: str, body: Lines) -> Lines:
        head = f"while {name} < 3 and ({test}):"
        return (f"{name} = 0", head, f"    {name} += 1", *indented(body))

    return st.builds(build, condition(c), block(inner))


@functools.cache
def leave(c: Context) -> Block:
    """A guarded break, continue or return."""
    ways = ["break", "continue"] if c.loop else []
    value = "{v} * {s}" if c.returns == "vector" else "{s} * {s} + {s}"
    way = st.one_of(
        [st.just(w) for w in ways] + [fill("return " + value, v=vector_name(c), s=scalar_leaf(c))]
    )
    return st.builds(lambda test, how: (f"if {test}:", f"    {how}"), condition(c), way)


@functools.cache
def statement(c: Context) -> Block:
    makers = [simple] * 6
    if c.depth > 0:
        makers += [branch, branch, for_loop, for_loop, while_loop, leave]
    # flatmap, since one_of would flatten and hardly ever choose the few compound statements
    return st.integers(0, len(makers) - 1).flatmap(lambda k: makers[k](c))


@functools.cache
def block(c: Context, least: int = 1, most: int = 4) -> Block:
    parts = st.lists(st.deferred(lambda: statement(c)), min_size=least, max_size=most)
    return parts.map(lambda found: tuple(line for part in found for line in part))


def with_start(header: str, body: Lines, last: str) -> str:
    """The whole function; only names that the body uses are initialised."""
    given = set(re.findall(r"\w+", header.partition("(")[2]))
    used = set(re.findall(r"[A-Za-z]\w*", "\n".join((*body, last)))) - given
    if "p" in used and "y" not in given:
        used.add("y")
    start = [line for name, line in START.items() if name in used]
    lines = (*start, *body, last)
    return f"{header}\n{textwrap.indent(chr(10).join(lines), '    ')}\n"


@functools.cache
def subroutine(name: str, numba: bool) -> Text:
    """`g(x, a)` returns a scalar, `h(x, a)` a vector; both may write into their argument."""
    last = "return np.sum(x) * a + s" if name == "g" else "return x * a + z"
    context = Context(depth=1, returns="scalar" if name == "g" else "vector", numba=numba)
    return block(context).map(lambda lines: with_start(f"def {name}(x, a):", lines, last))


@st.composite
def programs(draw: Any, numba: bool = False) -> str:
    """Source text of a module that defines `f` (and its subroutines)."""
    body = draw(block(Context(numba=numba, calls=True), 1, 6))
    text = "\n".join(body)
    names = ["s", "x", "y", *(name for name in "tzw" if re.search(rf"\b{name}\b", text))]
    weights = [f"np.sum({n}) * 0.7" if n in "xyzw" else f"{n} * 1.3" for n in names]
    main = with_start(SIGNATURE, body, "return " + " + ".join(weights))
    helpers = [draw(subroutine(name, numba)) for name in "gh" if f"{name}(" in text]
    return "\n\n".join(["import numpy as np\n", *helpers, main])


def load(source: str) -> Any:
    """The function `f` of the text, with its source registered for inspect and tracebacks."""
    name = f"<random program {hashlib.sha1(source.encode()).hexdigest()[:12]}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"__name__": "random_program"}
    exec(compile(source, name, "exec"), scope)
    return scope["f"]


def example(seed: int = 0) -> tuple[Any, ...]:
    """Arguments of every program: x, y, m, a, n."""
    rng = np.random.default_rng(seed)
    return (
        rng.normal(size=3) * 0.8,
        rng.normal(size=3) * 0.8,
        rng.normal(size=(3, 3)) * 0.6,
        float(rng.uniform(0.4, 1.2)),
        2,
    )

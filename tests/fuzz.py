"""Random primal programs as source text, for Hypothesis.

A program is a function `f(x, y, m, a, n)` of two vectors of three entries, a 3x3 matrix, a float
and a trip count, with up to two subroutines. Statements are drawn from fixed shapes, so every
program runs: any vector name may be an alias or a view of any other, loop counters stay valid
indices, magnitudes are damped. Programs are discarded only near kinks or when values explode.

    source = draw(programs())        # text, readable and runnable by itself
    f = load(source)                 # the function; inspect.getsource works on it

`programs(numba=True)` keeps to what Numba knows: no objects, dicts, closures, strings.
"""

from __future__ import annotations

import functools
import hashlib
import linecache
import re
import sys
import textwrap
import types
from dataclasses import replace
from typing import Any

import numpy as np
from fuzz_expressions import (
    Block,
    Context,
    Lines,
    Text,
    choice,
    condition,
    fill,
    index,
    pair,
    part,
    scalar,
    scalar_leaf,
    scalar_name,
    vector,
    vector_leaf,
    vector_name,
)
from hypothesis import strategies as st

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
    "u": "u = x[:2] * 1.0",
    "q": "q = (0.3 * a, x)",
    "o": "o = State(a, 0.6 * y)",
    "k": "k = int(5.1 * a) % 5 - 2",
    "b": "b = x[k:] * 1.0",
    "acc": "acc = 0.0",
    "best": "best = None",
    "mode": 'mode = "damp"',
    "local": "local = lambda v: 0.7 * v",
}
STATE = """class State:
    def __init__(self, level, field):
        self.level = level
        self.field = field
        self.log = []

    def push(self, value):
        self.level = 0.5 * self.level + value
        self.log.append(value)
        return self.level

    def damped(self, v):
        self.field *= 0.8
        return self.field * v
"""


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
        "k": part(c),
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
        "x, y = {L}, {L}",
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
        "k = int(5.1 * {leaf}) % 5 - 2",
        "b = {v}[{k}]",
        "b = 0.5 * {v}[{k}]",
        "b = b[{k}]",
        "b *= {leaf}",
        "b += 0.2 * b",
        "b[{k}] = {e}",
        "b[1:] *= {leaf}",
        "{v}[{k}] += {e}",
        "{v}[{k}] *= {leaf}",
        "{v}[{k}] = {leaf}",
        "m[{k}, {i}] *= {leaf}",
        "m[k] += {e}",
        "{v}[k] = {e}",
        "acc = acc + 0.3 * {V}",
        f"acc += 0.3 * {safe}",
        "acc = 0.5 * acc",
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
            "parts = [{leaf} * e for e in parts if e > 0.137] or [{leaf}]",
            "rows = [row * {leaf} for row in rows]",
            "d = {k: 0.5 * v for k, v in d.items()}",
            "u = np.concatenate([u, p])",
            "u[-1] = {e}",
            "u[1:] *= {leaf}",
            "q = ({e}, {v})",
            "{s}, {v} = q",
            "o.level = {e}",
            "o.level += {leaf}",
            "o.field = {V}",
            "o.field[{i}] = {e}",
            "{v} = o.field",
            "o.push({e})",
            "best = {e}",
            'mode = "damp" if {leaf} > 0.137 else "grow"',
            "local = lambda v: 0.5 * v * {leaf}",
            "{v}.fill({e})",
            "{v}.sort()",
            "np.copyto({v}, {V})",
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
    if c.numba:
        return st.one_of(kinds)
    lists = st.builds(
        lambda head, body: (f"for {element} in {head}:", *indented(body)),
        st.sampled_from(["b[:3]", "parts[:3]", "reversed(parts[:3])", "d.values()", "[s, t, a]"]),
        block(with_element),
    )
    zipped = st.builds(
        lambda v, body: (f"for {element}, row in zip({v}, m):", *indented(body)),
        vector_name(c),
        block(with_element),
    )
    kinds += [enumerated, lists, zipped]
    return st.one_of(kinds).flatmap(lambda loop: with_else(loop, c))


def with_else(loop: Lines, c: Context) -> Block:
    """The loop, now and then with an `else`."""
    rest = st.one_of(st.just(()), st.just(()), simple(c))
    return rest.map(lambda lines: (*loop, "else:", *indented(lines)) if lines else loop)


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
    makers = [simple] * 10
    if c.depth > 0:
        makers += [branch, branch, for_loop, for_loop, while_loop, leave]
    # flatmap, since one_of would flatten and hardly ever choose the few compound statements
    return st.integers(0, len(makers) - 1).flatmap(lambda k: makers[k](c))


@functools.cache
def block(c: Context, least: int = 1, most: int = 3) -> Block:
    parts = st.lists(st.deferred(lambda: statement(c)), min_size=least, max_size=most)
    return parts.map(lambda found: tuple(line for part in found for line in part))


def with_start(header: str, body: Lines, last: str) -> str:
    """The whole function; only names that the body uses are initialised."""
    given = set(re.findall(r"\w+", header.partition("(")[2]))
    used = set(re.findall(r"[A-Za-z]\w*", "\n".join((*body, last)))) - given
    if used & {"p", "o"} and "y" not in given:
        used.add("y")
    if "b" in used:
        used.add("k")
    start = [line for name, line in START.items() if name in used]
    lines = (*start, *body, last)
    return f"{header}\n{textwrap.indent(chr(10).join(lines), '    ')}\n"


@functools.cache
def subroutine(name: str, numba: bool) -> Text:
    """`g(x, a)` returns a scalar, `h(x, a)` a vector; both may write into their argument."""
    last = "return np.sum(x) * a + s" if name == "g" else "return x * a + z"
    context = Context(depth=1, returns="scalar" if name == "g" else "vector", numba=numba)
    return block(context).map(lambda lines: with_start(f"def {name}(x, a):", lines, last))


@functools.cache
def recursive() -> Text:
    """`r(x, a, left)` calls itself so many times."""
    context = Context(depth=1)
    stop = ("if left == 0:", "    return a * x[0]")
    last = "return 0.6 * r(0.8 * x, s, left - 1) + a * x[1]"
    return block(context, 1, 2).map(
        lambda lines: with_start("def r(x, a, left):", (*stop, *lines), last)
    )


@st.composite
def programs(draw: Any, numba: bool = False, longest: int = 6) -> str:
    """Source text of a module that defines `f` (and its subroutines). longest: in statements."""
    body = draw(block(Context(numba=numba, calls=True), 1, longest))
    text = "\n".join(body)
    more = [name for name in (*"tzwb", "acc") if re.search(rf"\b{name}\b", text)]
    names = ["s", "x", "y", *more]
    weights = [f"{n} * 1.3" if n in "st" else f"np.sum({n}) * 0.7" for n in names]
    main = with_start(SIGNATURE, body, "return " + " + ".join(weights))
    helpers = [draw(subroutine(name, numba)) for name in "gh" if f"{name}(" in text]
    if "r(" in re.sub(r"\w+r\(", "", text):
        helpers.append(draw(recursive()))
    code = "\n\n".join([*helpers, main])
    head = ["import math\n"] if "math." in code else []
    classes = ["\n\n", STATE] if "State(" in code else []
    return "".join([*head, "import numpy as np\n", *classes, "\n\n", code])


def load(source: str) -> Any:
    """The function `f` of the text, with its source registered for inspect and tracebacks."""
    name = f"<random program {hashlib.sha1(source.encode()).hexdigest()[:12]}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    # A module for dataclasses, which ask for the names of the module they are made in.
    made = sys.modules["random_program"] = types.ModuleType("random_program")
    exec(compile(source, name, "exec"), made.__dict__)
    return made.__dict__["f"]


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

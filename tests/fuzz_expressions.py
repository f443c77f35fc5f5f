"""Expressions and conditions of random programs, as text."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

Lines = tuple[str, ...]
Text = st.SearchStrategy[str]
Block = st.SearchStrategy[Lines]


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
    return st.sampled_from(("0", "1", "2", "-1", "k", *c.counters))


@functools.cache
def part(c: Context) -> Text:
    """Bounds of a slice that may take anything from nothing to all; k lies in -2..2."""
    return st.sampled_from(("k:", ":k", "k:k + 2", "n:", ":n", "k:n", "-n:", "n:2 * n"))


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
        plain = (*plain, 'd["u"]', 'd["v"]', "u[-1]", "q[0]", "o.level", "o.field[1]")
    return st.one_of(
        st.sampled_from(plain),
        choice("{v}[{i}]", "m[{i}, {i}]", v=vector_name(c), i=index(c)),
    )


@functools.cache
def vector_leaf(c: Context) -> Text:
    views = ["m[{i}]", "m[:, {i}]", "{v}[::-1]", "rows[-1]"]
    if not c.numba:
        views += ["o.field", "q[1]"]
    return st.one_of(vector_name(c), choice(*views, v=vector_name(c), i=index(c)))


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
    if not c.numba:
        tests += ['mode == "damp"', "best is None or {s} > best", "any(e > 0.41 for e in parts)"]
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
        "0.4 * np.sum(b * b)",
        "0.3 * np.sum({v}[{k}])",
        "0.4 * np.sum(acc)",
        "{v}[k] * {v}[-k]",
        "0.1 * len(b)",
    ]
    if c.calls:
        templates += ["g({v}, {s})", "g({v}, 0.5 * {s})"]
    if not c.numba:
        templates += [
            "0.3 * np.sum(u * u)",
            "o.push({s})",
            "(best if best is not None else {s})",
            "0.2 * sum(e * {s} for e in parts)",
            "0.3 * sum(d.values())",
            "math.sin({s})",
        ]
        if c.calls:
            templates += ["r({v}, {s}, 2)", "r({v}, {s}, n)"]
    return choice(*templates, s=scalar_leaf(c), v=vector_leaf(c), c=condition(c), k=part(c))


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
        "{v} + acc",
    ]
    if not c.numba:
        templates += ["np.roll({v}, 1)", "np.concatenate([p, [{s}]])", "{v}[[2, 0, 2]]"]
        templates += ["local({v})", "o.damped({v})", "0.4 * (rows[0] + rows[-1])"]
    if c.calls:
        templates += ["h({v}, {s})"]
    return choice(*templates, s=scalar_leaf(c), v=vector_leaf(c))


@functools.cache
def pair(c: Context) -> Text:
    templates = ["0.9 * p", "{v}[1:]", "{v}[:2]", "{v}[::2]", "0.5 * p * p", "np.sin(p)", "{s} * p"]
    templates += ["m[{i}, 1:]", "{v}[1:] - {v}[:-1]", "m[:2, {i}]"]
    return choice(*templates, v=vector_name(c), s=scalar_leaf(c), i=index(c))

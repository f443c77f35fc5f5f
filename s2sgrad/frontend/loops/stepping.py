"""Floor 4: iterators of which items are taken one by one: `next`, and loops that take the rest.

Which they are is read off the text: a name that is used once, outside of any loop that its
iterator was not made in, is gone through once, and the iterator needs no place to remember.
"""

from __future__ import annotations

import ast
import itertools
import types
from collections.abc import Callable, ItemsView, KeysView, ValuesView
from collections.abc import Iterator as Iterating
from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.loops.changed import read_names
from s2sgrad.frontend.loops.generator_texts import endless, from_outside
from s2sgrad.frontend.loops.generator_turns import turns
from s2sgrad.frontend.loops.headers import WhileHeader
from s2sgrad.frontend.models import iterators as models
from s2sgrad.frontend.models import tables
from s2sgrad.frontend.models.generators import LAZY
from s2sgrad.frontend.models.standard_library import sequence
from s2sgrad.frontend.values import (
    Func,
    Generator,
    Instance,
    Iterator,
    Static,
    Value,
    Yielding,
)

_ONE_PASS = (
    zip, map, filter, enumerate, reversed, iter, itertools.chain, itertools.chain.from_iterable,
    *(
        getattr(itertools, name)
        for name in (
            "accumulate", "combinations", "combinations_with_replacement", "compress", "count",
            "cycle", "dropwhile", "filterfalse", "groupby", "islice", "pairwise", "permutations",
            "product", "repeat", "starmap", "takewhile", "zip_longest",
        )
    ),
)  # fmt: skip
_ASKS = (next, iter, isinstance, hasattr, callable, type, id, print, bool)  # take no items
_STOPS = (any, all)  # or not all of them
_OF_ITEMS = (
    np.fromiter,
    np.iterable,
    np.isscalar,
    np.vectorize,
)  # take what gives items, or ask of it
_UNLISTED = (Iterating, KeysView, ValuesView, ItemsView, set, frozenset)
_NEW_SCOPES = (ast.FunctionDef, ast.Lambda)
_AGAIN = (ast.For, ast.While, ast.comprehension, *_NEW_SCOPES)


class _StepHeader(WhileHeader):
    """`while it has more:`."""

    def __init__(self, lowering: Base, steps: Value, node: ast.AST) -> None:
        super().__init__(lowering, node)
        self.steps = steps

    def asked(self) -> Value:
        """The test."""
        return self.low.call(self.low.attribute(self.steps, "more", self.stmt), [], {}, self.stmt)


class Stepping(Base):
    """Lowering of iterators that remember how far they have come."""

    free_bound_anew: Callable[..., bool]

    def is_stepping(self, value: Value) -> bool:
        """Whether a value is such an iterator."""
        contents = self.contents(value)
        return isinstance(contents, Instance) and contents.cls is models.Steps

    def kept_iterator(self, name: str, made: ast.expr, value: Value) -> Value:
        """The iterator that an expression has made, as the name for it needs it."""
        if not self._is_one_pass(made, value):
            return value
        turned = isinstance(value, Iterator) and value.kind == "reversed"
        counts = turned and self.may_change(made)  # from the length that a list has now
        return self.stepping(value, made) if counts or self._used_again(name, made) else value

    def stepping(self, value: Value, node: ast.AST) -> Value:
        """An iterator over a value that remembers how far it has come."""
        if self.is_stepping(value):
            return value
        return self.call(Static(models.Steps), [self._source(value, node)], {}, node)

    def _source(self, value: Value, node: ast.AST) -> Value:
        """Something that gives the items of an iterator by their numbers."""
        value = self.as_they_come(value, node)
        if isinstance(value, Generator) and (made := self._turning(value, node)) is not None:
            return made
        if isinstance(value, Generator):
            value = self.as_map(value) or self.listed_ahead(value, node)
        if not isinstance(value, Iterator) or value.kind == "range":
            items = self.model(sequence, [self.items_of(value, node)], node)
            return self.call(Static(models.Rows), [items], {}, node)
        if self._holds_steps(value):
            raise self._unclear(node)
        parts = value.parts
        if value.kind == "count":
            return self.call(Static(models.Numbers), list(parts), {}, node)
        if value.kind == "reversed":
            items = self.model(sequence, [self.items_of(parts[0], node)], node)
            return self.call(Static(models.Turned), [items], {}, node)
        if value.kind == "enumerate":
            parts = (Iterator("count", (Static(0), Static(1))), *parts)
        if value.kind == "map":
            rows = self._rows(parts[1:], node)
            return self.call(Static(models.Mapped), [parts[0], rows], {}, node)
        return self._rows(parts, node)

    def _turning(self, value: Generator, node: ast.AST) -> Value | None:
        """What gives the items of a generator that has no end, one by one; None for others."""
        first = value.first
        if not isinstance(first, Yielding) or not self.is_yielding(value):
            return None
        text = first.function.source.node
        if not isinstance(text, ast.FunctionDef) or not endless(text):
            return None
        found = turns(text)
        if found is None or self._opens_late(text, first.made, found.before):
            return None
        frame = first.scope
        frame.local_names |= {found.begun}
        self.set(frame, found.begun, Static(False))
        self.frames.append(frame)
        try:
            self.run_block(found.before.body)
        finally:
            self.frames.pop()
        source = replace(first.function.source, node=found.turn, name=found.turn.name)
        return self.call(Static(models.Made), [Func(source, found.turn.name, frame)], {}, node)

    def _opens_late(self, text: ast.FunctionDef, made: ast.AST, opening: ast.FunctionDef) -> bool:
        """Whether what a generator does before its loop may see what changes once it is made."""
        names = read_names(made) | from_outside(opening)
        changes = bool(opening.body) and self.may_change(made, names)
        return changes or self.free_bound_anew(text, made, opening)

    def _rows(self, parts: tuple[Value, ...], node: ast.AST) -> Value:
        sources = [self._source(p, node) for p in parts]
        pairs = zip(parts, sources, strict=True)
        ends = [s for p, s in pairs if not (isinstance(p, Iterator) and p.kind == "count")]
        both: list[Value] = [self.sequence(sources), self.sequence(ends)]
        return self.call(Static(models.Zipped), both, {}, node)

    def _holds_steps(self, value: Iterator) -> bool:
        return any(
            self.is_stepping(p) or (isinstance(p, Iterator) and self._holds_steps(p))
            for p in value.parts
        )

    def next_of(self, steps: Value, default: list[Value], node: ast.AST) -> Value:
        """`next(it)` and `next(it, default)`."""
        method = self.attribute(steps, "step_or" if default else "step", node)
        return self.call(method, default, {}, node)

    def all_left(self, value: Value, node: ast.AST) -> Value:
        """A value, or the list of what is left of an iterator, of which nothing is left then."""
        if not self.is_stepping(value):
            return value
        return self.call(self.attribute(value, "taken", node), [], {}, node)

    def taken_by(self, function: Any, args: list[Value], node: ast.AST) -> list[Value]:
        """The arguments of a function that goes through all of them at once."""
        if not any(map(self.is_stepping, args)) or any(function is f for f in _ASKS):
            return args
        if function is len:
            raise self.refuse(
                "len() of an iterator", node, "it has no length",
                "make a list of its items first: items = list(...)",
            )  # fmt: skip
        if isinstance(function, types.FunctionType | type) and self.builtin(function) is None:
            return args  # its text will tell
        if any(function is f for f in (zip, enumerate, map)) or function in LAZY:
            return args
        if any(function is f for f in _STOPS) or _makes_one_pass(function):
            raise self._unclear(node)
        return [self.all_left(a, node) for a in args]

    def refuse_unlisted(self, function: Any, args: list[Value], node: ast.AST) -> None:
        """Refuse to hand NumPy what it takes for one object, and not for the items it gives."""
        library = str(getattr(function, "__module__", "")).partition(".")[0] == "numpy"
        if not (library or isinstance(function, np.ufunc)) or function in _OF_ITEMS:
            return
        for value in args:
            cls = self.python_class(value)
            unlisted = isinstance(value, Iterator) and value.kind != "range"
            if not unlisted and (cls is None or not issubclass(cls, _UNLISTED)):
                continue
            if function is np.sum and cls is types.GeneratorType:  # as Python's sum
                continue
            kind = "an iterator" if cls is None else f"a {cls.__name__}"
            raise self.refuse(
                f"{function.__name__}() of {kind}", node,
                "NumPy makes an array without axes of it, which holds the thing itself",
                "make a list of its items first: list(...)",
            )  # fmt: skip

    def _unclear(self, node: ast.AST) -> UnsupportedError:
        return self.refuse(
            "an iterator that is taken from step by step inside another one", node,
            "how far it has come when the other one ends is not known while compiling",
            "make a list of its items first: items = list(...)",
        )  # fmt: skip

    def step_through(
        self, target: ast.expr, steps: Value, body: Callable[[], str], node: ast.AST, flag: str
    ) -> str:
        """`for target in it:`, as `while it has more: target = next(it)`."""

        def stepped() -> str:
            self.bind_pattern(target, self.next_of(steps, [], node))
            return body()

        return self.loop(_StepHeader(self, steps, node), None, stepped, node, flag)

    # --- what the text says ------------------------------------------------------------------
    def _is_one_pass(self, made: ast.expr, value: Value) -> bool:
        """Whether an expression makes an iterator that can be gone through once."""
        if isinstance(made, ast.GeneratorExp):
            return True
        if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Name | ast.Attribute):
            return False
        if is_one_pass(value) or self.is_yielding(value):
            return True
        return _makes_one_pass(self.known_function(made.func))

    def _used_again(self, name: str, made: ast.expr) -> bool:
        """Whether the items may be wanted at more than one place, or a place be reached again."""
        scope = self.frame
        while name not in scope.local_names and scope.parent is not None:
            scope = scope.parent
        places: list[bool] = []
        uses(scope.source.node, name, made, False, places)
        return len(places) > 1 or any(places)


def _makes_one_pass(function: Any) -> bool:
    """Whether a function makes an iterator. Methods of classes in C are made anew at each look."""
    method = isinstance(function, types.BuiltinMethodType)
    return any(function is f or (method and function == f) for f in _ONE_PASS)


def is_one_pass(value: Value) -> bool:
    """Whether a value is an iterator that a loop takes apart; views of dicts, which are read as
    generators over the dict, may be gone through any number of times."""
    if isinstance(value, Generator):
        return value.scope.source.filename != tables.__file__
    return isinstance(value, Iterator) and value.kind not in ("range", "super")


def uses(node: ast.AST, name: str, made: ast.AST, again: bool, places: list[bool]) -> None:
    """Where a name is read. again: in a loop or function that its iterator was not made in."""
    if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
        places.append(again)
    for field, part in ast.iter_fields(node):
        for child in part if isinstance(part, list) else (part,):
            if isinstance(child, ast.AST):
                inner = again
                if isinstance(node, _AGAIN) and field != "iter":
                    inner = again or not any(n is made for n in ast.walk(node))
                elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
                    inner = again or child is not node.generators[0]
                uses(child, name, made, inner, places)

"""Floor 4: generator functions that call themselves, to a depth that only a run knows.

The walk through a tree (`yield from self.left`) is read as a function that makes the list of its
items, and is recursive as any other. The items are the same, unless who takes them changes
meanwhile what the generator has yet to read: that is refused.
"""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import types
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.functions.library import is_stdlib
from s2sgrad.frontend.functions.recursion import Recursive
from s2sgrad.frontend.functions.unfolding import CHANGES, Unfold
from s2sgrad.frontend.loops.changed import AT_ONCE, changed_names, parts_after, taken_by
from s2sgrad.frontend.loops.generator_texts import (
    SOURCE,
    endless,
    from_outside,
    items_of_call,
    yields,
)
from s2sgrad.frontend.models import standard_library as models
from s2sgrad.frontend.source import find_source
from s2sgrad.frontend.values import Dyn, Func, Generator, Value
from s2sgrad.ir.types import List


class ListedGenerators(Base):
    """Lowering of recursive generator functions."""

    made_of: dict[type, tuple[str, ...]]
    linked: dict[type, tuple[str, ...]]
    recursive: set[ast.AST]
    unfold: set[ast.AST]

    def call_recursive(
        self, function: Func, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A call of a recursive function; of a generator function, an iterator over its items."""
        text = function.source.node
        if not yields(text):
            return super().call_recursive(function, args, kwargs, node)  # type: ignore[misc,no-any-return]
        if text not in self.recursive:
            raise Recursive(text)
        self._check_listable(text, node)
        source = replace(function.source, node=as_list(text))
        try:
            items = self.call_recursive(replace(function, source=source), args, kwargs, node)
        except Unfold as found:
            raise (Unfold(text) if found.node is source.node else found) from None
        return Generator(items_of_call(node), self.frame, items)

    def _check_listable(self, text: Any, node: ast.AST) -> None:
        """Refuse a generator whose items would not be the same, were they made all at once."""
        if endless(text) or not changed_names(text).isdisjoint(from_outside(text)):
            raise self.refuse(
                "a recursive generator that has no end, or changes what others may read", node,
                "its items are made at once, as a list",
                "append to a list in a recursive function, and return it",
            )  # fmt: skip
        inside = list(self._reached(text, set()))
        read = {p.attr for t in inside for p in ast.walk(t) if isinstance(p, ast.Attribute)}
        free = from_outside(text) - {a.arg for a in ast.walk(text.args) if isinstance(a, ast.arg)}
        if self._interferes(read, free, set(inside), node):
            refusal = self.refuse(
                "a recursive generator over what changes while its items are taken", node,
                "its items are made at once, as a list, before the first one is used",
                "let the loop change other attributes than those that the generator reads",
            )  # fmt: skip
            refusal.decisive = True
            raise refusal

    def _interferes(self, read: set[str], free: set[str], seen: set[Any], node: ast.AST) -> bool:
        """Whether what may run between the items changes what the generator reads."""
        here = self.frames[-1].source.node
        between = taken_by(here, node)
        if between is not None and not any(map(self._is_shadowed, AT_ONCE)):
            called = [f for p in between if isinstance(p, ast.Call) for f in self._meant(p.func)]
            texts = [t for f in called for t in self._reached(f, seen)]
            changed = _changes(between, read, free)
            return changed or any(_changes(list(ast.walk(t)), read, free) for t in texts)
        for frame in self.frames:
            for text in self._reached(frame.source.node, seen, node):
                if _changes(parts_after(text, node), read, free):
                    return True
        return False

    def _is_shadowed(self, name: str) -> bool:
        """Whether a name may stand for something else than Python's own function."""
        return any(name in f.globals or name in f.local_names for f in self.frames)

    def _reached(self, text: Any, seen: set[Any], made: ast.AST | None = None) -> Iterator[Any]:
        """A text, and those of functions that it may call after something was made in it."""
        if text in seen:
            return
        seen.add(text)
        yield text
        for part in parts_after(text, made):
            if isinstance(part, ast.Call):
                for function in self._meant(part.func):
                    yield from self._reached(function, seen)

    def _meant(self, called: ast.expr) -> Iterator[ast.AST]:
        """The texts of functions that may be meant by what is called, as far as its name tells."""
        found: list[Any] = []
        if isinstance(called, ast.Attribute):
            classes = {**self.made_of, **self.linked}
            found = [inspect.getattr_static(cls, called.attr, None) for cls in classes]
        elif isinstance(called, ast.Name):
            held = [v for (_, name), v in self.state.vars.items() if name == called.id]
            yield from (v.source.node for v in held if isinstance(v, Func))
            found = [f.globals.get(called.id) for f in self.frames]
        for function in found:
            inner = getattr(function, "__func__", function)
            inner = getattr(inner, "__init__", None) if isinstance(inner, type) else inner
            if isinstance(inner, types.FunctionType) and not is_stdlib(inner):
                yield find_source(inner).node


def items_listed(value: Generator) -> Dyn | None:
    """The list that was made of a generator's items, which nothing else holds; None for others:
    of a recursive generator, or of a function of itertools that a model makes at once."""
    source, items = value.node.generators[0].iter, value.first
    if not isinstance(items, Dyn) or not isinstance(items.type, List):
        return None
    listed = getattr(source, "id", "") == SOURCE or _hands_on(value)
    return items if listed else None


def _hands_on(value: Generator) -> bool:
    """Whether a generator of a model gives the items of what a call has made, as they are."""
    made, first = value.node, value.node.generators[0]
    if value.scope.globals is not vars(models) or len(made.generators) > 1 or first.ifs:
        return False
    return isinstance(first.iter, ast.Call) and ast.unparse(made.elt) == ast.unparse(first.target)


def _changes(parts: list[ast.AST], read: set[str], free: set[str]) -> bool:
    """Whether parts of a text may change attributes, or names, that a generator reads."""
    other = {
        name.id
        for p in parts
        if isinstance(p, ast.Assign | ast.For)
        and _holds(p.value if isinstance(p, ast.Assign) else p.iter, read, set())
        for target in (p.targets if isinstance(p, ast.Assign) else [p.target])
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }
    return any(_changed(p, read, free, free | other) for p in parts)


def _changed(part: ast.AST, read: set[str], free: set[str], names: set[str]) -> bool:
    """names: those of what such attributes hold, too."""
    match part:
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return name in read
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return name in free
        case ast.Subscript(value=base, ctx=ast.Store() | ast.Del()):
            return _holds(base, read, names)
        case ast.AugAssign(target=ast.Name(id=name)):
            return name in names
        case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in CHANGES:
            return _holds(base, read, names)
    return False


def _holds(base: ast.AST, read: set[str], names: set[str]) -> bool:
    """Whether something is, or is a part of, an attribute or name out of these."""
    while isinstance(base, ast.Subscript | ast.Attribute | ast.Starred):
        if isinstance(base, ast.Attribute) and base.attr in read:
            return True
        base = base.value
    if isinstance(base, ast.Tuple | ast.List):
        return any(_holds(e, read, names) for e in base.elts)
    return isinstance(base, ast.Name) and base.id in names


@functools.lru_cache(maxsize=1024)
def as_list(node: ast.FunctionDef) -> ast.FunctionDef:
    """A generator function as one that returns the list of its items."""
    made = copy.deepcopy(node)
    taken = {n.id for n in ast.walk(made) if isinstance(n, ast.Name)}
    name = next(n for n in ("items", "found", *map("items_{}".format, range(99))) if n not in taken)
    made = _Listing(made, name).visit(made)
    begin = ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))
    for part in (begin, begin.targets[0], begin.value):
        ast.copy_location(part, made.body[0])
    made.body = [begin, *made.body, _returned(name, node.body[-1])]
    return made


def _returned(name: str, place: ast.stmt) -> ast.Return:
    made = ast.Return(ast.Name(name, ast.Load()))
    for part in (made, made.value):
        ast.copy_location(part, place)  # type: ignore[type-var]
    return made


class _Listing(ast.NodeTransformer):
    """`items.append(v)` for `yield v`, `items.extend(e)` for `yield from e`."""

    def __init__(self, whole: ast.AST, name: str) -> None:
        self.whole, self.name = whole, name

    def visit_Expr(self, node: ast.Expr) -> Any:
        """A statement that may be a `yield`."""
        value = node.value
        if not isinstance(value, ast.Yield | ast.YieldFrom):
            return node
        method = "append" if isinstance(value, ast.Yield) else "extend"
        item = value.value or ast.Constant(None)
        call = ast.Call(
            ast.Attribute(ast.Name(self.name, ast.Load()), method, ast.Load()), [item], []
        )
        for part in (call, call.func, call.func.value, item):  # type: ignore[attr-defined]
            ast.copy_location(part, node)
        return ast.copy_location(ast.Expr(call), node)

    def visit_Return(self, node: ast.Return) -> Any:
        """The end, perhaps with a value for `yield from`, which a statement drops."""
        return _returned(self.name, node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Functions inside keep their own `yield`s."""
        return self.generic_visit(node) if node is self.whole else node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """As functions inside."""
        return node


__all__ = ["ListedGenerators", "items_listed"]

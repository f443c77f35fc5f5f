"""Floor 4: recursive functions that change what stands outside of them.

Such a function can't become a function of its own in generated code, where it has no way to what
it changes. It is written out, call by call, as far as what is known while compiling ends it.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.functions.handing_back import HandBack
from s2sgrad.frontend.relations import Supposed
from s2sgrad.frontend.state import Frame
from s2sgrad.frontend.values import Dyn, Func, Heap, Instance, Sequence, Static, Value
from s2sgrad.ir import sizes
from s2sgrad.ir.types import Scalar

DEEPEST, MOST = 12, 300  # calls inside each other, and in all
UNFOLDED = 12  # how deep a function that calls itself is written out
CHANGES = frozenset(
    {
        "append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft", "popitem",
        "remove", "clear", "add", "discard", "update", "setdefault", "sort", "reverse", "fill",
    }
)  # fmt: skip
_FOLDED: dict[str, Callable[[int, int], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
    "%": operator.mod, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


class Unfold(Exception):
    """A recursive function changes what stands outside of it: start again, writing it out."""

    def __init__(self, node: ast.AST) -> None:
        super().__init__(node)
        self.node = node


class Unfolding(Base):
    """The part of the lowering that writes recursive functions out.

    unfold: those functions. unfolded: how often one was entered.
    """

    unfold: set[ast.AST]
    unroll: set[ast.AST]
    handing: dict[ast.AST, Any]
    unfolded: int
    letters: Any

    def count_unfolded(self, function: Func, node: ast.AST) -> None:
        """Note a call of a function that is written out; one too many: it hands back instead."""
        self.unfolded += 1
        depth = sum(f.source.node is function.source.node for f in self.frames)
        if depth <= DEEPEST and self.unfolded <= MOST:
            return
        exact = self.exact_sizes()
        if exact:  # the sizes of this call may end it
            raise Supposed(exact)
        raise HandBack(function.source.node)

    def exact_sizes(self) -> dict[str, sizes.Size]:
        """What the sizes of the call at hand are that are letters so far."""
        actual, known = self.letters.actual, self.letters.relations
        return {n: sizes.of(v) for n, v in actual.items() if n not in known}

    def in_written_out(self, function: Func) -> bool:
        """Whether a function calls itself by way of one that is written out."""
        if function.source.node in self.handing:
            return False
        last = max(i for i, f in enumerate(self.frames) if runs(f, function))
        return any(f.source.node in self.unfold for f in self.frames[last:])

    def unfolds(self, function: Func, args: list[Value]) -> bool:
        """Whether a function calls itself with other things known while compiling than those it
        was called with before: another node of a tree, another object."""
        before = [f for f in self.frames if runs(f, function)]
        if len(before) > UNFOLDED:
            return False
        mine = self._known_parts(args)
        held = [self._known_parts(f.given) for f in before]
        return mine not in held  # numbers, where it was given a list of them: the leaves of a tree

    def _known_parts(self, values: Iterable[Value]) -> list[Any]:
        met: dict[int, int] = {}
        return [self._known_part(v, met) for v in values]

    def _known_part(self, value: Value, met: dict[int, int]) -> Any:
        """What is known of a value while compiling, but for numbers.

        met: what has been looked into, by the turn it was met in; nodes may know their parents.
        """
        if isinstance(value, Static):
            return None if type(value.value) in (int, float, complex) else value
        if isinstance(value, Func):
            return value.source.node, value.scope and value.scope.id
        contents = self.state.heap.get(value.id) if isinstance(value, Heap) else None
        if contents is None or not isinstance(value, Heap):
            return None
        if value.id in met:
            return ("met", met[value.id])
        met[value.id] = len(met)
        if isinstance(contents, Sequence):
            parts = [self._known_part(v, met) for v in contents.items]
            return [contents.kind, *parts]
        rows = contents.fields if isinstance(contents, Instance) else contents.items
        cls = contents.cls if isinstance(contents, Instance) else dict
        return [cls, *((k, self._known_part(v, met)) for k, v in rows)]

    def check_changes(self, function: Func) -> None:
        """Start again if a function about to become one of its own changes outer names."""
        if function.source.node in self.handing:
            return
        if any(map(changes_outside, self.reached_functions([function]))):
            raise Unfold(function.source.node)

    def folded(self, sign: str, left: Value, right: Value) -> Value | None:
        """The result of an operator on whole numbers known while compiling: it may end a
        recursion that is written out, or tell what a turn of such a loop does."""
        written_out = self.unfold or self.unroll
        values = [self.known_whole(v) for v in (left, right)] if written_out else []
        if not values or None in values or sign not in _FOLDED:
            return None
        try:
            return Static(_FOLDED[sign](*values))
        except (ZeroDivisionError, ValueError):
            return None

    def known_whole(self, value: Value) -> Any:
        """A whole number known while compiling, a known size too."""
        known = self.constant_value(value)
        kind = value.type if isinstance(value, Dyn) else None
        if type(known) is not int and isinstance(kind, Scalar) and kind.size is not None:
            known = kind.size.constant
        return known if type(known) is int else None


def runs(frame: Frame, function: Func) -> bool:
    """Whether an activation is one of this function, and not of one made by the same text."""
    return frame.source.node is function.source.node and frame.parent is function.scope


def changes_outside(function: Func) -> bool:
    """Whether the text of a nested function binds or changes names of the functions around it."""
    outer: set[str] = set()
    scope = function.scope
    while scope is not None:
        outer |= scope.local_names
        scope = scope.parent
    node = function.source.node
    own = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    own |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _binds(n)}
    declared = {n for d in ast.walk(node) if isinstance(d, ast.Nonlocal) for n in d.names}
    outer = (outer - own) | declared
    return any(n in outer for item in ast.walk(node) for n in _changed(item))


def _binds(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store | ast.Del)


def _changed(node: ast.AST) -> list[str]:
    """The names that a piece of text binds anew or changes in place."""
    if isinstance(node, ast.Name) and _binds(node):
        return [node.id]
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
        return _root(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _root(node.func) if node.func.attr in CHANGES else []
    return []


def _root(node: Any) -> list[str]:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return [node.id] if isinstance(node, ast.Name) else []

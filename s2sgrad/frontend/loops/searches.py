"""Floor 4: `any` and `all` of a generator whose elements do more than give a value.

Python stops at the element that decides: in `any((big := v) > 1 for v in x)` the name holds the
first that is greater. So these are loops with a `break`.
"""

from __future__ import annotations

import ast
import inspect
import types
from typing import Any

import numpy as np

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.functions.library import is_stdlib
from s2sgrad.frontend.loops.changed import changed_names
from s2sgrad.frontend.loops.generator_texts import from_outside
from s2sgrad.frontend.loops.iteration import rows_of
from s2sgrad.frontend.source import find_source
from s2sgrad.frontend.state import Frame
from s2sgrad.frontend.values import (
    Bound,
    Func,
    Generator,
    Iterator,
    Partial,
    Sequence,
    Static,
    Value,
    Yielding,
)
from s2sgrad.ir.sizes import of

_CHANGING = frozenset({"append", "add", "pop", "popleft", "remove", "discard", "extend", "insert"})
_ACTING = frozenset({"next", "print"})
_PLAIN = (np.ndarray, str, dict, list, tuple, set, float, complex)
_FOUND, _SOURCE = "<found>", "<source>"


class Searches(Base):
    """Lowering of searches that stop."""

    def search(self, value: Generator, wanted: bool, node: ast.AST) -> Value:
        """Whether an element is true (wanted) or all are; nothing happens behind the first."""
        self.frames.append(value.scope)
        inner = self.inner_frame(value.node.generators)  # of the function that made it
        self.frames.append(inner)
        self.set(inner, _SOURCE, value.first)
        self.set(inner, _FOUND, Static(False))
        try:
            self.run_block([_loop(value.node, wanted)])
        finally:
            del self.frames[-2:]
        found = self.get(inner, _FOUND)
        assert found is not None
        for key in [k for k in self.state.vars if k[0] == inner.id]:
            del self.state.vars[key]
        return found if wanted else self.negated(found, node)

    def acts(self, value: Generator, runs: bool = True) -> bool:
        """Whether it matters how many elements of a generator are asked for: a function of the
        user's is called, or something is changed. runs: whether any generator function that gives
        the elements counts as such, or only one that changes what others read."""
        source = value.first
        several = isinstance(source, Iterator) and self.holds_others(source)
        sources = source.parts if several else (source,)  # type: ignore[attr-defined]
        yielding = [s for s in sources if self.is_yielding(s)]
        if not runs and yielding:
            return any(map(self.changes_others, yielding))
        inner = (s for s in sources if isinstance(s, Generator) and s not in yielding)
        if yielding or any(map(self.is_stepping, sources)) or any(map(self.acts, inner)):
            return True
        calls = [n.func for n in ast.walk(value.node) if isinstance(n, ast.Call)]
        return _has_effects(value.node) or any(self._is_own(c, value.scope) for c in calls)

    def changes_others(self, value: Value) -> bool:
        """Whether the body of a generator function changes what it has not made itself."""
        made = value.first if isinstance(value, Generator) else value
        text: Any = made.function.source.node if isinstance(made, Yielding) else None
        return text is not None and not changed_names(text).isdisjoint(from_outside(text))

    def refuse_taken_too_far(self, parts: tuple[Value, ...], node: ast.AST) -> None:
        """Refuse zip of `map(f, x)` before something that may end earlier, if f changes what others
        read: Python calls it once more then."""
        lengths = [self._length_of(p) for p in parts]
        for k, part in enumerate(parts[:-1]):
            known = lengths[k] is not None and all(n == lengths[k] for n in lengths[k:])
            if not known and self._maps_with_changes(part):
                raise self.refuse(
                    "zip of a map whose function changes something outside", node,
                    "Python calls it once more where what stands behind it ends first",
                    "make a list of its items first: items = list(map(f, x))",
                )  # fmt: skip

    def _maps_with_changes(self, value: Value) -> bool:
        mapped = isinstance(value, Iterator) and value.kind == "map"
        return mapped and self._changes_given(value.parts[0])  # type: ignore[attr-defined]

    def calls_with_changes(self, value: Generator) -> bool:
        """Whether a generator expression calls a function that may change what it is given."""
        for call in (n.func for n in ast.walk(value.node) if isinstance(n, ast.Call)):
            if self._is_own(call, value.scope):
                found = (
                    self.lookup(value.scope, call.id, call) if isinstance(call, ast.Name) else None
                )
                if found is None or self._changes_given(found):
                    return True
        return False

    def _changes_given(self, function: Value) -> bool:
        """Whether a function changes its arguments, or what stands around it, as its text tells."""
        while isinstance(function, Bound | Partial):
            function = function.function
        if isinstance(function, Static) and isinstance(function.value, types.FunctionType):
            if self.builtin(function.value) is not None:
                return False
            function = self.function_value(function.value)
        if not isinstance(function, Func):
            return False
        text: Any = function.source.node
        return not changed_names(text).isdisjoint(from_outside(text))

    def _length_of(self, value: Value) -> Any:
        """How many items there are to go through, where that is known."""
        if isinstance(value, Iterator):
            found = [self._length_of(p) for p in value.parts[value.kind == "map" :]]
            return found[0] if value.kind in ("map", "enumerate") and len(found) == 1 else None
        contents = self.contents(value)
        return of(len(contents.items)) if isinstance(contents, Sequence) else rows_of(value)

    def comes_with_changes(self, value: Value) -> bool:
        """Whether the items that a generator or iterator hands on come from such a body."""
        if isinstance(value, Iterator):
            return any(map(self.comes_with_changes, value.parts))
        if not isinstance(value, Generator):
            return False
        if self.is_yielding(value):
            return self.changes_others(value)
        return self.comes_with_changes(value.first)

    def as_they_come(self, value: Value, node: ast.AST) -> Value:
        """What an object gives to go through it, where it matters how many items are taken."""
        cls = self.class_of(value)
        if cls is None or self.is_stepping(value) or not _acts_when_read(cls):
            return value
        found: Value = self.items_of(value, node)
        return found

    def _is_own(self, function: ast.expr, scope: Frame) -> bool:
        """Whether what is called may be code of the user's."""
        if isinstance(function, ast.Attribute):
            owner = function.value
            found = self.lookup(scope, owner.id, owner) if isinstance(owner, ast.Name) else None
            if isinstance(found, Static) and isinstance(found.value, types.ModuleType):
                return _is_written(getattr(found.value, function.attr, None))
            return not any(hasattr(kind, function.attr) for kind in _PLAIN)
        if not isinstance(function, ast.Name):
            return True
        found = self.lookup(scope, function.id, function)
        return not isinstance(found, Static) or _is_written(found.value)


def _acts_when_read(cls: type) -> bool:
    """Whether objects of a class change as their items are taken."""
    own = inspect.getattr_static(cls, "__iter__", None)
    if not inspect.isfunction(own) or cls.__module__.startswith("s2sgrad."):
        return False
    if inspect.isfunction(inspect.getattr_static(cls, "__next__", None)):
        return True
    if not inspect.isgeneratorfunction(own):
        return False
    text: Any = find_source(own).node
    return not changed_names(text).isdisjoint({text.args.args[0].arg} | from_outside(text))


def _has_effects(made: ast.GeneratorExp) -> bool:
    return any(
        isinstance(n, ast.NamedExpr)
        or (isinstance(n, ast.Call) and _name(n.func) in _CHANGING | _ACTING)
        for n in ast.walk(made)
    )


def _is_written(function: object) -> bool:
    """Whether a function or class is the user's."""
    if isinstance(function, np.ufunc | types.BuiltinFunctionType):
        return False
    module = (getattr(function, "__module__", None) or "").split(".")[0]
    return module not in ("numpy", "scipy") and not is_stdlib(function)


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _loop(made: ast.GeneratorExp, wanted: bool) -> ast.stmt:
    """The loops of a generator, left where an element is true (wanted) or false."""
    test = made.elt if wanted else ast.UnaryOp(ast.Not(), made.elt)
    found: ast.expr = ast.Name(_FOUND, ast.Store())
    leave: list[ast.stmt] = [ast.Assign([found], ast.Constant(True)), ast.Break()]
    body: list[ast.stmt] = [ast.If(test, leave, [])]
    for generator in reversed(made.generators):
        for condition in reversed(generator.ifs):
            body = [ast.If(condition, body, [])]
        outermost = generator is made.generators[0]
        source = ast.Name(_SOURCE, ast.Load()) if outermost else generator.iter
        body = [ast.For(generator.target, source, body, [])]
        if not outermost:
            body.append(ast.If(ast.Name(_FOUND, ast.Load()), [ast.Break()], []))
    for part in ast.walk(body[0]):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, made)
    return body[0]

"""Floor 4: functions in lists and dicts that generated code builds.

A list whose length a run decides (`if test: terms.append(penalty)`) holds numbers there, one for
each function that was put into such a list; what is taken out is one of these functions.
"""

from __future__ import annotations

import ast
import dataclasses

from s2sgrad.frontend.containers.held_closures import HeldClosures
from s2sgrad.frontend.containers.row_types import classes_in, holds_functions
from s2sgrad.frontend.options import chosen_of, is_chosen
from s2sgrad.frontend.scopes import contents_hold, holds_scope
from s2sgrad.frontend.state import Frame, constant
from s2sgrad.frontend.values import Chosen, Dyn, Func, Static, Value, is_function
from s2sgrad.ir import nodes
from s2sgrad.ir.types import INT, Known, Maybe, Pick, join

MOST = 30  # functions that have numbers: with more, they are made anew all the time


class HeldFunctions(HeldClosures):
    """Numbers for functions, and functions for numbers. functions: those that have numbers."""

    functions: list[Value]

    def hold_function(self, value: Value) -> nodes.Expr | None:
        """The number of a function, which may be one of several; None for what can't have one."""
        if isinstance(value, Chosen):
            return self._hold_chosen(value)
        if not self._stays(value):
            return self.hold_closure(value, self._around())
        if value not in self.functions:
            self.functions.append(value)
        number = self.functions.index(value)
        return dataclasses.replace(constant(number), type=Pick(classes=frozenset({number})))

    def _hold_chosen(self, value: Chosen) -> nodes.Expr | None:
        """The number of one of several functions, or None where that is one of them."""
        none = [constant(None) if o == Static(None) else None for o in value.options]
        found = [n or self.hold_function(o) for n, o in zip(none, value.options, strict=True)]
        if None in found or all(none):
            return None
        result = found.pop()
        while found:
            then = found.pop()
            assert then is not None and result is not None
            kind = join(then.type, result.type)
            result = nodes.Choice(is_chosen(value, len(found)), then, result, type=kind)
        return result

    def _stays(self, value: Value) -> bool:
        """Whether a function is the same thing wherever it is called: it holds no numbers of its
        own, and reads only names of activations that every turn of the loops here shares."""
        if len(self.functions) > MOST:
            return False
        if isinstance(value, Static):
            return callable(value.value) and not isinstance(value.value, type)
        if not isinstance(value, Func):
            return False
        held = (*value.defaults, *(v for _, v in value.kw_defaults))
        if not all(isinstance(v, Static) for v in held):
            return False
        around = self._around()
        scope: Frame | None = value.scope
        while scope is not None:
            if not any(scope is frame for frame in around):
                return False
            scope = scope.parent
        return True

    def _around(self) -> list[Frame]:
        """The activations that every turn of the loops here shares."""
        turning = [loop.frame for loop in self.loops if not loop.unrolled]
        if turning and turning[0] not in self.frames:  # a generator's
            return []
        return self.frames[: self.frames.index(turning[0]) + 1] if turning else self.frames

    def is_read_later(self, frame: Frame) -> bool:
        """Whether a container holds a function that was made in this activation."""
        if self.is_held_in(frame) or any(holds_scope(value, frame) for value in self.functions):
            return True
        return any(contents_hold(c, frame) for c in self.state.heap.values())

    def picked(self, value: Value) -> Value:
        """A number of a function as the function, and the one that an entry always is; what may
        be None as it is."""
        kind = value.type if isinstance(value, Dyn) else None
        if isinstance(kind, Known) and callable(kind.value):  # a class, `defaultdict(float)`
            return Static(kind.value)
        if not isinstance(kind, Pick):
            return value
        options = {number: self.functions[number] for number in sorted(kind.classes)}
        if len(options) == 1:
            return next(iter(options.values()))
        which = dataclasses.replace(self.named(value, "function"), type=INT)
        return chosen_of(which, options)

    # --- where numbers come out, or arrive ---------------------------------------------------
    def index(self, base: Value, index: Value, node: ast.AST) -> Value:
        """`actions[k]`."""
        return self.picked(super().index(base, self.picked(index), node))

    def container_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """`actions.pop()`, `actions.index(damped)`."""
        if isinstance(owner, Dyn) and holds_functions(owner.type):
            args = [self._number_of(a) for a in args]
        return self.picked(super().container_method(owner, name, args, kwargs, node))  # type: ignore[misc]

    def _number_of(self, value: Value) -> Value:
        """What a list holds for a function; other values as they are."""
        held = self.hold_function(value) if is_function(value) else None
        return value if held is None else Dyn(held)

    def call(
        self, function: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """`action(x)`, and `apply(action, x)`."""
        named = {key: self._as_called(value, node) for key, value in kwargs.items()}
        function = self._as_called(self.not_none(function), node)
        return super().call(function, [self._as_called(a, node) for a in args], named, node)

    def _as_called(self, value: Value, node: ast.AST) -> Value:
        """A number or a record of a function as the function."""
        value = self.picked(value)
        return self.closure_of(value, node) or value

    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """`action.__name__`."""
        called = self._as_called(self.not_none(owner), node)
        if isinstance(called, Func) and not isinstance(owner, Func):
            return self.attribute(called, name, node)
        return super().attribute(called, name, node)

    def compare(self, sign: str, left: Value, right: Value, node: ast.AST) -> Value:
        """`action is damped`, `damped in actions`."""
        if any(isinstance(v, Dyn) and holds_functions(v.type) for v in (left, right)):
            of_records = any(isinstance(v, Dyn) and classes_in(v.type) for v in (left, right))
            if of_records and Static(None) not in (left, right):
                what = f"'{sign}' of functions that hold numbers"
                raise self.refuse(what, node, "generated code holds the numbers", "compare those")
            left, right = self.picked(left), self.picked(right)
            among = sign in ("in", "not in") and not is_function(right)
            left = self._number_of(left) if among else left
            clear = is_function(left) or is_function(right)
            clear &= not any(map(self.may_be_none, (left, right)))
            if not among and not clear and Static(None) not in (left, right):
                what = f"'{sign}' of lists or dicts of functions"
                raise self.refuse(what, node, "generated code holds their numbers", "compare items")
        made: Value = super().compare(sign, left, right, node)  # type: ignore[misc]
        return made

    def condition(self, value: Value, node: ast.AST) -> Value:
        """`if action:`."""
        if self.may_be_none(value):
            return self.compare("is not", value, Static(None), node)
        made: Value = super().condition(self.picked(value), node)  # type: ignore[misc]
        return made

    def may_be_none(self, value: Value) -> bool:
        """Whether a value is a function or None."""
        kind = value.type if isinstance(value, Dyn) else None
        return isinstance(kind, Maybe) and isinstance(kind.item, Pick)


__all__ = ["HeldFunctions"]

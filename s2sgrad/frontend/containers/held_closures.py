"""Floor 4: functions that hold numbers, in lists that generated code builds.

`terms.append(lambda t, a=v: a * t)` puts a record there, of the numbers that the function was made
with; what is taken out is the function with those of the record. It is tried last: loops that put
functions into lists are written out where that comes to an end.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.scopes import holds_scope
from s2sgrad.frontend.state import Frame, residual
from s2sgrad.frontend.values import Dyn, Func, Instance, Partial, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Dict, Maybe, is_number

Held = dict[str, Value]  # what a function was made with: by place, or frame and name


class HeldClosures(Base):
    """Records for functions, and functions for records.

    closures: whether functions may be held so. templates: class of the records -> one of its
    functions, and what is the same for all of them.
    """

    closures: bool = False
    templates: dict[type, tuple[Value, Held]]
    _stays: Callable[[Value], bool]
    _made_attribute: Callable[..., Value | None]

    def hold_closure(self, value: Value, around: list[Frame]) -> nodes.Expr | None:
        """The record of what a function was made with; None for what can't have one."""
        held = self._made_with(value, around) if self.closures else None
        if held is None:
            return None
        numbers = {k: v for k, v in held.items() if _is_kept(v)}
        same = {k: v for k, v in held.items() if k not in numbers}
        if not numbers or not all(isinstance(v, Static) or self._stays(v) for v in same.values()):
            return None  # what else it was made with may be another thing in another turn
        cls = self._class_for(value, same)
        made = self.new(Instance(cls, tuple(numbers.items())))
        try:
            return residual(made, self.state, None, records=True)
        finally:
            del self.state.heap[made.id]

    def closure_of(self, value: Value, node: ast.AST) -> Value | None:
        """The function that a record stands for."""
        kind = value.type if isinstance(value, Dyn) else None
        kind = kind.item if isinstance(kind, Maybe) else kind
        cls = kind.made_by if isinstance(kind, Dict) else None
        if cls not in self.templates or not isinstance(value, Dyn):
            return None
        function, held = self.templates[cls]
        record = Dyn(self.named(value, "function", node))
        fields = dict(kind.fields or ())  # type: ignore[union-attr]
        parts = {name: self._made_attribute(record, name, node) for name in fields}
        return self._made_of(function, held | {k: v for k, v in parts.items() if v is not None})

    def is_held_in(self, frame: Frame) -> bool:
        """Whether a function that may be taken out reads names of an activation."""
        return any(holds_scope(function, frame) for function, _ in self.templates.values())

    def _class_for(self, value: Value, same: Held) -> type:
        for cls, (function, held) in self.templates.items():
            if _text_of(function) is _text_of(value) and held == same:
                return cls
        cls = type("Closure", (), {"OF_FUNCTIONS": True})
        self.templates[cls] = value, same
        return cls

    def _made_with(self, value: Value, around: list[Frame]) -> Held | None:
        """Defaults, arguments given, and names of activations that are over; None where a name of
        another one is read, which may be bound anew."""
        if isinstance(value, Partial) and value.made_of is None:
            held = {f"given_{i}": v for i, v in enumerate(value.args)}
            return held | {f"named_{k}": v for k, v in value.kwargs}
        if not isinstance(value, Func) or value.scope is None:
            return None
        held = {f"default_{i}": v for i, v in enumerate(value.defaults)}
        held |= {f"keyword_{k}": v for k, v in value.kw_defaults}
        read = {n.id for n in ast.walk(value.source.node) if isinstance(n, ast.Name)}
        for depth, frame in enumerate(self._over(value.scope)):
            names = sorted(read & frame.local_names)
            if any(n in _bound_from_within(frame) for n in names):
                return None
            keys = {f"read_{depth}_{n}": (frame.id, n) for n in names}
            held |= {k: self.state.vars[at] for k, at in keys.items() if at in self.state.vars}
        scope = _first_open(value.scope, self.frames)
        while scope is not None:
            if not any(scope is frame for frame in around):
                return None
            scope = scope.parent
        return held

    def _over(self, scope: Frame) -> list[Frame]:
        """The activations around a function that are over, the innermost one first."""
        found: list[Frame] = []
        frame: Frame | None = scope
        while frame is not None and not any(frame is f for f in self.frames):
            found.append(frame)
            frame = frame.parent
        return found

    def _made_of(self, function: Value, held: Held) -> Value:
        """A function like this one, made with other things."""
        if isinstance(function, Partial):
            args = tuple(held[f"given_{i}"] for i in range(len(function.args)))
            named = tuple((k, held[f"named_{k}"]) for k, _ in function.kwargs)
            return dataclasses.replace(function, args=args, kwargs=named)
        assert isinstance(function, Func)
        scope = function.scope
        over = self._over(scope) if scope is not None else []
        for depth, frame in reversed([*enumerate(over)]):
            parent = frame.parent if depth == len(over) - 1 else scope
            scope = dataclasses.replace(frame, id=next(self.frame_ids), parent=parent)
            start = f"read_{depth}_"
            for key, part in held.items():
                if key.startswith(start):
                    self.state.vars[scope.id, key.removeprefix(start)] = part
        defaults = tuple(held[f"default_{i}"] for i in range(len(function.defaults)))
        named = tuple((k, held[f"keyword_{k}"]) for k, _ in function.kw_defaults)
        return dataclasses.replace(function, scope=scope, defaults=defaults, kw_defaults=named)


def _is_kept(value: Value) -> bool:
    """Whether a value is a number, or an array, that a record can hold."""
    if isinstance(value, Static):
        return type(value.value) in (int, float, complex, bool)
    return isinstance(value, Dyn) and is_number(value.type)


def _text_of(function: Value) -> Any:
    return function.source.node if isinstance(function, Func) else _partly(function)


def _partly(function: Value) -> Any:
    assert isinstance(function, Partial)
    inner = function.function
    return inner.source.node if isinstance(inner, Func) else getattr(inner, "value", inner)


def _first_open(scope: Frame | None, frames: list[Frame]) -> Frame | None:
    """The first activation around a function that is not over."""
    while scope is not None and not any(scope is f for f in frames):
        scope = scope.parent
    return scope


def _bound_from_within(frame: Frame) -> set[str]:
    """Names of an activation that functions inside of it bind anew."""
    found = (n for n in ast.walk(frame.source.node) if isinstance(n, ast.Nonlocal))
    return {name for n in found for name in n.names}


__all__ = ["HeldClosures"]

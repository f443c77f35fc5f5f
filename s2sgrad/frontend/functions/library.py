"""Floor 4: the standard library where it only matters forward: clocks, logs, files, contexts.

Such calls go into generated code as they are, once and in their place. What they give carries no
derivative as far as the types tell; where one would have to pass, that is an error.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import importlib
import inspect
import json
import re
import sys
import textwrap
import types
from typing import Any

from s2sgrad.analysis.effects import holds_arrays
from s2sgrad.errors import MissingRuleError, UnsupportedError
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.builtins.drawn import generator_of, python_drawn_type
from s2sgrad.frontend.expressions.dates import made_date
from s2sgrad.frontend.state import NeedsResidual, Unbound
from s2sgrad.frontend.values import Dyn, Instance, Mapping, Sequence, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import INT, LENT, Array, Dict, Known, List, Opaque, Type, carries
from s2sgrad.rules.declare import lookup

_OF_TEXTS = (
    re.split, re.findall, re.sub, json.loads, textwrap.dedent, ord, chr, bin, hex, oct,
)  # fmt: skip
_READ = ("operator", "functools", "dataclasses", "typing", "abc", "enum")  # taken apart, or rules


def home_of(target: Any) -> tuple[str, str] | None:
    """(module, path in it) by which generated code can reach a library object."""
    name = getattr(target, "__qualname__", getattr(target, "__name__", ""))
    module = getattr(target, "__module__", None)
    owner = getattr(target, "__self__", None)
    if module is None and owner is not None:
        module = getattr(_class_of(owner), "__module__", None)
    for path in (name, getattr(target, "__name__", "")):
        if module and path and _reach(module, path) == target:
            return module, path
    return None


def _class_of(owner: Any) -> type:
    """The class whose method this is: of a class method the owner itself."""
    return owner if isinstance(owner, type) else type(owner)


def _reach(module: str, path: str) -> Any:
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found


def defined_in(target: Any) -> str:
    """The module that a function or class was written in, whatever functools.wraps made of it."""
    if isinstance(target, types.FunctionType):
        return str(target.__globals__.get("__name__") or "")
    return getattr(target, "__module__", None) or ""


def is_stdlib(target: Any) -> bool:
    """Whether a function or class belongs to the standard library."""
    owner = getattr(target, "__self__", None)
    module = defined_in(target) or getattr(_class_of(owner), "__module__", "") or ""
    root = module.split(".")[0]
    return root in sys.stdlib_module_names and root not in _READ


def _runs_code_of_users(target: Any) -> bool:
    """Whether a function of the standard library was made of one that is not."""
    wrapped = inspect.unwrap(target) if isinstance(target, types.FunctionType) else target
    return wrapped is not target and not is_stdlib(wrapped)


class Library(Base):
    """Calls that only matter forward."""

    flag_depth: int

    def library_call(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """A call of a function or class of the standard library; None where it has to be read."""
        place = home_of(target)
        if place is None or target is contextlib.nullcontext:
            return None
        if target is contextlib.suppress:
            raise self.refuse(
                "'contextlib.suppress' can't be differentiated", node,
                "which statements ran before an exception is not known while compiling",
                "test for the condition with if before the operation that may fail",
            )  # fmt: skip
        if _runs_code_of_users(target) and any(
            map(self._can_be_changed, (*args, *kwargs.values()))
        ):
            return None  # a context manager, say, that appends to a list of the caller's
        known = self._known_result(target, args, kwargs)
        if known is not None:
            return known
        if place[0] == "logging":
            args = self.as_logged(args, node)
        try:
            exprs = tuple(self.shown(a, node) for a in args)
            named = tuple((k, self.shown(v, node)) for k, v in kwargs.items())
        except UnsupportedError:
            return None
        kinds = [e.type for e in (*exprs, *(v for _, v in named))]
        if inspect.isfunction(target) and any(map(carries, kinds)):
            read = self._read(target, args, kwargs, node)
            if read is not None:
                return read
        return self.performed(place, exprs, named, node)

    def _can_be_changed(self, value: Value) -> bool:
        """Whether code that gets the value could change what it holds."""
        contents = self.contents(value)
        if isinstance(contents, Sequence) and contents.kind == "tuple":
            return any(map(self._can_be_changed, contents.items))
        kinds = (Array, List, Dict)
        return contents is not None or (isinstance(value, Dyn) and isinstance(value.type, kinds))

    def _known_result(
        self, target: Any, args: list[Value], kwargs: dict[str, Value]
    ) -> Value | None:
        """What a function of texts gives for texts known while compiling: split, read, counted."""
        if target not in _OF_TEXTS:
            return None
        given = [self.constant_value(a) for a in args]
        named = {k: self.constant_value(v) for k, v in kwargs.items()}
        if not all(isinstance(g, str | int) for g in (*given, *named.values())):
            return None
        try:
            return self.plain_value(target(*given, **named))
        except (ValueError, TypeError, re.error):
            return None  # it fails where a run comes there

    def plain_value(self, value: Any) -> Value | None:
        """Plain data as a value of its own; None for other objects."""
        if value is None or type(value) in (str, int, float, bool):
            return Static(value)
        if type(value) in (list, tuple):
            items = [self.plain_value(v) for v in value]
            plain = [i for i in items if i is not None]
            kind = "list" if type(value) is list else "tuple"
            return self.sequence(plain, kind) if len(plain) == len(items) else None
        if type(value) is dict:
            rows = tuple((k, self.plain_value(v)) for k, v in value.items())
            kept = tuple((k, v) for k, v in rows if v is not None)
            return self.new(Mapping(kept)) if len(kept) == len(rows) else None
        return None

    def shown(self, value: Value, node: ast.AST, inside: Any = None) -> nodes.Expr:
        """A value for what only looks at it: objects are made again from their fields. inside: the
        same for those."""
        contents, inside = self.contents(value), inside or self.shown
        if isinstance(contents, Instance) and dataclasses.is_dataclass(contents.cls):
            held = dict(contents.fields)
            named = tuple(
                (f.name, inside(held[f.name], node))
                for f in dataclasses.fields(contents.cls)
                if f.init and f.name in held
            )
            name = self.outside_name(contents.cls)
            return nodes.Call(contents.cls, name, (), named, type=Opaque(name))
        if isinstance(contents, Sequence) and contents.made_by is not None:
            name = self.outside_name(contents.made_by)
            items = tuple(inside(v, node) for v in contents.items)
            return nodes.Call(contents.made_by, name, items, type=Opaque(name))
        return self.residual(value, node)

    def performed(
        self,
        place: tuple[str, str],
        exprs: tuple[nodes.Expr, ...],
        named: tuple[tuple[str, nodes.Expr], ...],
        node: ast.AST,
    ) -> Value:
        """`module.function(...)`, called once at this place."""
        module, path = place
        home = importlib.import_module(module)
        text = "np" + module[5:] if module.split(".")[0] == "numpy" else module
        *outer, name = path.split(".")
        owner = nodes.Ref(".".join([text, *outer]), home, type=Known(home))
        made = functools.reduce(getattr, path.split("."), home)
        kind: Type = generator_of(made) or Opaque()
        given = [e.type for e in (*exprs, *(v for _, v in named))]
        kind = INT if place == ("builtins", "ord") else kind
        kind = python_drawn_type(name, given) or kind if module == "random" else kind
        kind = kind if any(map(carries, given)) else made_date(made) or kind
        lent = any(map(holds_arrays, given))
        kind = LENT if lent and kind == Opaque() else kind
        call = nodes.Call(
            "opaque", name, (owner, *exprs), named, "method", type=kind, span=self.span(node)
        )
        return Dyn(self.builder.bind(name.lower().strip("_"), call, self.span(node)))

    def discarded(self, call: nodes.Call, node: ast.AST) -> None:
        """A library function whose result nobody takes is called for what it does besides."""
        rule = None if isinstance(call.function, str) else lookup(call.function)
        if isinstance(call.function, str) or (rule is not None and rule.kind != "not_yet"):
            return
        kinds = [e.type for e in (*call.args, *(v for _, v in call.kwargs))]
        place = home_of(call.function)
        home = defined_in(call.function)
        looks = home in ("math", "builtins") or home.startswith("numpy.testing")  # writes nothing
        if place is None or (any(map(carries, kinds)) and not looks):
            why = rule.why if rule is not None else "it may write into its arguments"
            raise MissingRuleError(call.text, self.span(node), why)
        done = self.performed(place, call.args, call.kwargs, node)
        last = self.builder.block[-1]
        if isinstance(done, Dyn) and isinstance(last, nodes.Assign):
            self.builder.block[-1] = nodes.Do(last.values[0], span=self.span(node))

    def _read(
        self, target: types.FunctionType, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """A function of numbers, read as the user's own are; None where it can't be."""
        state, depth = self.state.copy(), len(self.builder.blocks)
        mark, frames, flags = len(self.builder.block), len(self.frames), self.flag_depth
        try:
            return self.inline(self.function_value(target), args, kwargs, node)
        except (NeedsResidual, Unbound):
            raise
        except UnsupportedError:
            del self.builder.blocks[depth:], self.frames[frames:]
            del self.builder.block[mark:]
            self.state, self.flag_depth = state, flags
            return None

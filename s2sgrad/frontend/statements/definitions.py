"""Floor 4: statements that bind and unbind names: import, def, global, nonlocal, del."""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
from collections.abc import Iterator
from typing import Any

from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.doubtful_names import doubtful_names
from s2sgrad.frontend.exits import (
    FALL,
)
from s2sgrad.frontend.loops.changed import changes_around
from s2sgrad.frontend.models import makers
from s2sgrad.frontend.options import filler
from s2sgrad.frontend.state import Fails
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Instance,
    Static,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Dict, List


class Definitions(Base):
    """Lowering of imports, nested functions, and declarations of names."""

    def stmt_TypeAlias(self, stmt: ast.stmt) -> str:
        """`type Row = list[float]`, of Python 3.12 and later: for who reads it."""
        return FALL

    def stmt_Import(self, stmt: ast.Import) -> str:
        for alias in stmt.names:
            module = self._imported(alias.name, None, stmt)
            if alias.asname is None:
                module = importlib.import_module(alias.name.split(".")[0])
            name = alias.asname or alias.name.split(".")[0]
            self.set(self.frame, name, Static(module, name))
        return FALL

    def stmt_ImportFrom(self, stmt: ast.ImportFrom) -> str:
        package = self.frame.globals.get("__package__") if stmt.level else None
        module = self._imported("." * stmt.level + (stmt.module or ""), package, stmt)
        for alias in stmt.names:
            if not hasattr(module, alias.name):  # a module in a package, perhaps
                self._imported(f"{module.__name__}.{alias.name}", None, stmt)
            found = getattr(module, alias.name)
            self.set(self.frame, alias.asname or alias.name, self.object_value(found))
        return FALL

    def _imported(self, name: str, package: str | None, node: ast.AST) -> Any:
        """The module; where there is none, the code fails as Python does."""
        try:
            return importlib.import_module(name, package)
        except ImportError as error:
            failed = Fails(str(error), self.span(node), *say.NO_MODULE)
            failed.raises = type(error)
            raise failed from None

    def stmt_FunctionDef(self, stmt: ast.FunctionDef) -> str:
        value = self.make_function(stmt, stmt.name)
        for decorator in reversed(stmt.decorator_list):
            kept = self.expr(decorator.func if isinstance(decorator, ast.Call) else decorator)
            if isinstance(kept, Static) and kept.value in (functools.lru_cache, functools.cache):
                self.check_remembered(stmt, stmt)
                if _calls_itself_often(stmt):
                    value = self.model(makers.remembering, [value], stmt)
                    continue
            if kept == Static(contextlib.contextmanager):
                continue  # what its generator yields is entered: see contexts.py
            value = self.call(self.expr(decorator), [value], {}, stmt)
        self.set(self.frame, stmt.name, value)
        return FALL

    def check_remembered(self, function: Any, node: ast.AST) -> None:
        """Refuse what functools.lru_cache would not run again, where that can be told."""
        if changes_around(function):
            raise self.refuse(
                "a function that remembers its results changes something outside of it",
                node,
                "generated code runs it at each call, not only at the first with these arguments",
                "return what it changes, or keep the results in a dict: if key not in known: ...",
            )

    def stmt_Global(self, stmt: ast.Global) -> str:
        raise self.refuse(
            "writing globals", stmt, "a gradient call must leave module globals as they were",
            "pass the value as an argument and return the new one",
        )  # fmt: skip

    def stmt_Nonlocal(self, stmt: ast.Nonlocal) -> str:
        scope, outside = self.frame.parent, set(stmt.names)
        while scope is not None:  # each name may be one of another function around
            outside -= scope.local_names
            scope = scope.parent
        if not outside:
            return FALL
        raise self.refuse(
            "writing closure variables of a function outside",
            stmt,
            "a gradient call must leave closure variables as they were",
            "return the new value instead",
        )

    def stmt_Delete(self, stmt: ast.Delete) -> str:
        for target in _each_of(stmt.targets):
            if isinstance(target, ast.Name):
                self._unbind(target.id)
            elif isinstance(target, ast.Subscript):
                base = self.not_none(self.expr(target.value))
                key = self.index_value(target.slice)
                held = isinstance(base, Dyn) and isinstance(base.type, List | Dict)
                if not held and not isinstance(base, Heap):
                    raise self.refuse(
                        "del of an entry",
                        target,
                        "only lists and dicts let go of entries",
                        "np.delete(x, i) gives an array without the entry",
                    )
                if isinstance(self.contents(base), Instance) or self.held_object(base) is not None:
                    self.call(self.attribute(base, "__delitem__", stmt), [key], {}, stmt)
                elif isinstance(key, Dyn) and isinstance(key.expr, nodes.Slice):
                    self.delete_items(base, key, stmt)
                else:
                    self.container_method(base, "pop", [key], {}, stmt)
            else:
                assert isinstance(target, ast.Attribute)
                self.delete_attribute(self.expr(target.value), target.attr, target)
        return FALL

    def _unbind(self, name: str) -> None:
        """`del name`: where it may be read after that, a variable that has no value."""
        value = self.state.vars.pop((self.frame.id, name), None)
        if isinstance(value, Dyn) and name in doubtful_names(self.frame.source.node):
            var = self.builder.fresh(name, value.type)
            self.builder.emit(nodes.Assign((var.name,), (filler(var),), nothing=name))
            self.set(self.frame, name, Dyn(var))


def _calls_itself_often(function: ast.FunctionDef) -> bool:
    """Whether a call may lead to several of the same function: to 2^n with results forgotten."""
    calls = [n.func for n in ast.walk(function) if isinstance(n, ast.Call)]
    return sum(isinstance(f, ast.Name) and f.id == function.name for f in calls) > 1


def _each_of(targets: list[ast.expr]) -> Iterator[ast.expr]:
    """What a `del` lets go of: `del (a, b[0]), c` has three."""
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            yield from _each_of(target.elts)
        else:
            yield target

"""Floor 4: objects that a solver's function reads, handed on field by field.

`brentq(model.pressure, 0.0, 1.0)` needs a real function of numbers and arrays alone, through
which derivatives pass. So the fields become parameters of it, and the object is made again
inside: `def pressure(x, model_k): return Model.pressure(remake(model_k), x)`.
"""

from __future__ import annotations

import ast
import functools
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.functions.lifted_texts import free_names
from s2sgrad.frontend.values import Dyn, Func, Heap, Instance, Static, Value, is_function
from s2sgrad.ir.types import Dict
from s2sgrad_runtime.objects import blank


@functools.lru_cache(maxsize=1024)  # one each, so that what is lifted anew is known again
def remake(cls: Any, names: tuple[str, ...]) -> Any:
    """A function that makes an object with these fields; `__init__` does not run."""

    def make(*values: Any) -> Any:
        made = blank(cls)
        for name, value in zip(names, values, strict=True):
            object.__setattr__(made, name, value)
        return made

    make.__s2sgrad_remakes__ = (cls, names)  # type: ignore[attr-defined]
    return make


@functools.lru_cache(maxsize=1024)
def withheld(field: str) -> Any:
    """Stands for a function that a field holds and that is made here: it can't be called."""

    def refused(lowering: Any, args: Any, kwargs: Any, node: Any) -> Value:
        raise lowering.refuse(
            f"'{field}', a function made here, is called by a method that is handed on", node,
            "the object is made again from its fields: numbers, arrays and containers of them",
            "make the function inside the method, or outside of what is differentiated",
        )  # fmt: skip

    def function(*args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"'{field}' is called while compiling only")

    function.__s2sgrad_transform__ = True  # type: ignore[attr-defined]
    function.__s2sgrad_inside__ = refused  # type: ignore[attr-defined]
    return function


class Rebuilding(Base):
    """Takes objects apart into parameters and known things, and puts them together again."""

    def names_outside(self, value: Func, node: ast.AST) -> list[str]:
        """What a function made here reads from outside; refused where it can't stand alone."""
        if value.args.vararg is not None or value.args.kwarg is not None:
            raise self.refuse(
                "a function with * or ** made here is handed to a solver",
                node,
                "each of its parameters becomes one of the solver's function",
                "name the parameters",
            )
        try:
            return free_names(value.source.node)
        except SyntaxError as error:  # `nonlocal n`, of a function that it now stands outside of
            raise self.refuse(
                "a function made here, which is handed on, binds a name of the one around it", node,
                "it becomes a function of its own, of what it reads", "return what it counts too",
            ) from error  # fmt: skip

    def refuse_written(self, name: str, function: ast.AST) -> None:
        """Refuse a function that sets fields of an object it reads from outside: it is handed the
        fields, and what it sets would be lost."""
        for part in ast.walk(function):
            target = part
            while isinstance(target, ast.Attribute | ast.Subscript):
                target = target.value
            stored = isinstance(getattr(part, "ctx", None), ast.Store) and target is not part
            if stored and isinstance(target, ast.Name) and target.id == name:
                raise self.refuse(
                    f"a function made here, which is handed on, changes '{name}'", part,
                    "it is handed the fields of the object, which stays as it was",
                    "return what changes, and set it outside",
                )  # fmt: skip

    def taken_apart(
        self, value: Value, name: str, known: dict[str, Any], values: dict[str, Value]
    ) -> str:
        """The text of a value inside a lifted function. What it needs is entered: what generated
        code can hold into `values`, the parameters; the rest into `known`, the closure."""
        contents = self.contents(value)
        if isinstance(value, Heap) and isinstance(contents, Instance):
            parts = [
                self.taken_apart(part, f"{name}_{field}", known, values)
                for field, part in contents.fields
            ]
            maker = fresh(f"remake_{name}", known, values)
            known[maker] = remake(contents.cls, tuple(field for field, _ in contents.fields))
            return f"{maker}({', '.join(parts)})"
        record = self.held_object(value)
        if record is not None and isinstance(record.type, Dict) and record.type.fields is not None:
            value = Heap(self._fields_of(record))
            return self.taken_apart(value, name, known, values)
        held = fresh(name, known, values)
        if isinstance(value, Static) and not isinstance(value.value, int | float | complex):
            known[held] = value.value
        elif isinstance(value, Func) and value.function is not None:
            known[held] = value.function
        elif is_function(value) and not isinstance(value, Heap):
            known[held] = withheld(name)
        else:
            values[held] = value
        return held

    def _fields_of(self, record: Dyn) -> int:
        """The object that a record of generated code stands for, with its fields of now."""
        kind = record.type
        assert isinstance(kind, Dict) and kind.fields is not None
        node = self.running[-1][1] if self.running else self.source.node
        fields = tuple((key, self.attribute(record, key, node)) for key, _ in kind.fields)
        return self.new(Instance(kind.made_by, fields)).id

    def remade(self, target: Any, args: list[Value]) -> Value | None:
        """A call of what `remake` gave, while compiling; None for other functions."""
        if not hasattr(target, "__s2sgrad_remakes__"):
            return None
        cls, names = target.__s2sgrad_remakes__
        return self.new(Instance(cls, tuple(zip(names, args, strict=True))))


def fresh(name: str, *tables: Any) -> str:
    """A name that none of the tables has."""
    while any(name in table for table in tables):
        name += "_"
    return name


def entered(taken: dict[str, Value], name: str, value: Value) -> str:
    """The name in `taken` of a value that a function calls `name`."""
    while taken.get(name, value) != value:
        name += "_"
    taken[name] = value
    return name

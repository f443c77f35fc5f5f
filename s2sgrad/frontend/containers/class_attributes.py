"""Floor 4: what the class of an object says of its attributes: properties, methods, descriptors."""

from __future__ import annotations

import ast
import functools
import inspect
import types
from typing import Any

from s2sgrad.analysis.effects import effects
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.base import MISSING, Base, in_class
from s2sgrad.frontend.exits import FALL, Absent
from s2sgrad.frontend.models import standard_library
from s2sgrad.frontend.outside import is_library
from s2sgrad.frontend.state import Local, Unbound
from s2sgrad.frontend.values import (
    Bound,
    Dyn,
    Heap,
    Instance,
    Partial,
    Static,
    Value,
    inside,
    is_mixed,
    parts_of,
)
from s2sgrad.ir import nodes

_PLAIN = (int, float, complex, str, types.NoneType, Local)  # no objects, which others may hold


def own_setter(cls: type) -> Any:
    """The `__setattr__` that a class has of its own; None where there is none."""
    found = inspect.getattr_static(cls, "__setattr__", None)
    frozen = getattr(getattr(cls, "__dataclass_params__", None), "frozen", False)
    return found if inspect.isfunction(found) and not frozen else None


def is_slot(cls: type, name: str) -> bool:
    """Whether a class only says where its objects keep an attribute, if they have it."""
    return isinstance(inspect.getattr_static(cls, name, None), types.MemberDescriptorType)


def may_bind(node: ast.expr) -> bool:
    """Whether computing an expression may bind names or fields: it calls something, or has `:=`."""
    return any(isinstance(n, ast.Call | ast.NamedExpr) for n in ast.walk(node))


class FromClass(Exception):
    """Start again: what a class has for its objects they have as their own from the start. What it
    has not either is None."""

    def __init__(self, cls: type, name: str) -> None:
        super().__init__()
        self.place = (*_named(cls), name)


def _named(cls: type) -> tuple[str, str]:
    """A class by its name: that of a class in a function is another one in each attempt."""
    return cls.__module__, cls.__qualname__


def plain_in(cls: type, name: str) -> bool:
    """Whether a class has a number, a text or None for its objects."""
    return isinstance(inspect.getattr_static(cls, name, MISSING), _PLAIN)


def _in_neither(cls: type, name: str) -> bool:
    """Whether a class has nothing for its objects where they have no attribute of a name."""
    return inspect.getattr_static(cls, name, MISSING) is MISSING or is_slot(cls, name)


def comes_from(cls: type, name: str) -> bool:
    """Whether objects can have from the start what their class has, or computes once, for them."""
    return plain_in(cls, name) or _cached_in(cls, name)


def _cached_in(cls: type, name: str) -> bool:
    return type(inspect.getattr_static(cls, name, None)).__name__ == "cached_property"


def _kept(name: str) -> str:
    """The field of an object for what is computed once: None until then."""
    return f"{name}_kept"


def _row_fields(owner: Value) -> Any:
    """The fields of an object that stands in a list."""
    return getattr(owner.type, "fields", None) or () if isinstance(owner, Dyn) else ()


class ClassAttributes(Base):
    """Attributes that are found in a class."""

    def own_from_class(self, owner: Value, cls: type, node: ast.AST) -> None:
        """Give a new object what its class has for it, and loops are known to set anew: it is read
        alike from either."""
        for name in self.names_from_class(cls):
            value: Value = Static(None)
            if not _in_neither(cls, name):
                found = inspect.getattr_static(cls, name)
                value = self.class_attribute(owner, cls, name, found, node)
            self.set_attribute(owner, name, value, node)
        for *of, name in sorted(self.from_class):
            if tuple(of) == _named(cls) and _cached_in(cls, name):
                self.set_attribute(owner, _kept(name), Static(None), node)

    def names_from_class(self, cls: type) -> list[str]:
        """The attributes of a class that its objects have from the start."""
        own = _named(cls)
        names = sorted(name for *of, name in self.from_class if tuple(of) == own)
        return [name for name in names if plain_in(cls, name) or _in_neither(cls, name)]

    def refuse_half_set(self, contents: Instance) -> None:
        """Start again if an object that generated code is to hold has an attribute on some of the
        paths to here only: nothing is bound to it on the others."""
        partly = [(k, v) for k, v in contents.fields if k in self.builder.partly]
        unsure = self.bound_on_some_paths() if partly else set()
        for name, value in partly:
            held = (self.state.heap[i] for i in inside(value, self.state.heap))
            parts = (value, *(v for contents in held for v in parts_of(contents)))
            exprs = (v.expr for v in parts if isinstance(v, Dyn))
            names = frozenset[str]().union(*map(nodes.names_in, exprs))
            if names & unsure and _in_neither(contents.cls, name):
                raise FromClass(contents.cls, name)

    def class_attribute(
        self, owner: Value, cls: type, name: str, found: Any, node: ast.AST
    ) -> Value:
        """What a class says `owner.name` is: a property, a method, a constant."""
        self.note_absent(owner, name)
        if isinstance(found, property | staticmethod | types.FunctionType) and not is_library(cls):
            self.rely_on(name, getattr(cls, name), ("attribute", (cls, name)))
        if isinstance(found, classmethod) and not is_library(cls):
            self.rely_on(name, getattr(cls, name).__func__, ("method", (cls, name)))
        if isinstance(found, property) and found.fget is not None:
            return self.call(Static(found.fget), [owner], {}, node)
        if isinstance(found, staticmethod):
            return Static(found.__func__)
        if isinstance(found, classmethod):
            return Bound(Static(found.__func__), Static(cls))
        if _cached_in(cls, name):
            return self._cached(owner, cls, name, found, node)
        if isinstance(found, functools.singledispatchmethod):
            return Bound(Static(found), owner)
        if isinstance(found, functools.partialmethod) and inspect.isfunction(found.func):
            given = (owner, *map(self.object_value, found.args))
            named = tuple((k, self.object_value(v)) for k, v in found.keywords.items())
            return Partial(Static(found.func), given, named)
        getter = getattr(type(found), "__get__", None)
        if inspect.isfunction(getter) and not callable(found):  # a descriptor
            return self.call(
                Static(getter), [self.object_value(found), owner, Static(cls)], {}, node
            )
        if inspect.isfunction(found) or (callable(found) and not isinstance(found, type)):
            return Bound(Static(found), owner)
        return self.outside(f"{cls.__name__}_{name}", found, ("attribute", (cls, name)))

    def missing_attribute(self, owner: Value, cls: type, name: str, node: ast.AST) -> Value:
        """What the `__getattr__` of a class makes of a name that is found nowhere else."""
        magic = inspect.getattr_static(cls, "__getattr__", None)
        instead = getattr(cls, "INSTEAD", None)
        if isinstance(instead, str) and cls.__module__.startswith("s2sgrad."):  # for one of SciPy's
            raise self.refuse(
                f"'{name}' of what SciPy makes here is not followed",
                node,
                "generated code has the numbers that it computes, and no object of SciPy's",
                instead,
            )
        if name == "__dict__":
            raise self.refuse(
                "the attributes, as a dict, of an object that only a run knows", node,
                "generated code holds objects by their fields", "read the attributes by name",
            )  # fmt: skip
        if not inspect.isfunction(magic) or name.startswith("__"):
            held = self.contents(owner)
            made = isinstance(held, Instance) and not held.outside
            raise (Absent if made and name not in self.builder.partly else Unbound)(
                f"{cls.__name__} has no attribute '{name}'", self.span(node),
                "it is not set on every path to here", "set the attribute in __init__",
            )  # fmt: skip
        self.note_absent(owner, name)
        found = self.class_attribute(owner, cls, "__getattr__", magic, node)
        return self.call(found, [Static(name)], {}, node)

    def note_absent(self, owner: Value, name: str) -> None:
        """An object was looked through for an attribute which another turn may have set."""
        rolled = [loop for loop in self.loops if not loop.unrolled]
        if any(not isinstance(owner, Heap) or owner.id in loop.entry for loop in rolled):
            self.absent.add(name)

    def has_attribute(self, owner: Value, name: Any, node: ast.AST) -> bool:
        """hasattr of an object: it has what is set on every path to here."""
        held = self.contents(owner)
        kind = owner.type if isinstance(owner, Dyn) else None
        cls = held.cls if isinstance(held, Instance) else kind.made_by  # type: ignore[union-attr]
        fields = held.fields if isinstance(held, Instance) else kind.fields  # type: ignore[union-attr]
        known, whole = name in dict(fields or ()), isinstance(held, Instance)
        shared = in_class(cls, name) and not is_slot(cls, name)
        none = name in self.names_from_class(cls) and not shared
        if none or name in self.builder.partly or (known and not whole and not shared):
            raise self.refuse(
                f"hasattr of '{name}', which is set on some paths only",
                node,
                "an attribute is a variable in generated code, which is there or not",
                "set the attribute to None in __init__, and ask 'is None'",
            )
        if not known:
            self.rely_on_presence(cls, name)
        if known or shared:
            return True
        if hasattr(cls, "__getattr__"):
            if (found := self.found_by_getattr(owner, name, node)) is not None:
                return bool(found)
            raise self.refuse(
                f"hasattr of an object with a '__getattr__', which may raise for '{name}'", node,
                "which statements ran before an exception is not known while compiling",
                "set the attribute to None in __init__, and ask 'is None'",
            )  # fmt: skip
        self.note_absent(owner, name)
        return False

    def refuse_late(self, name: str, node: ast.AST, cls: type | None = None) -> None:
        """Refuse to give an object an attribute that it was said not to have, in a loop. cls: of an
        object that is made here, and may have it from the start."""
        if self._comes_late(name):
            if cls is not None and plain_in(cls, name):
                self.want_from_start(cls, name)
            raise self.refuse(
                f"the attribute '{name}' is set after it was asked for", node,
                "the next turn of the loop finds it where this one did not",
                "set the attribute in __init__",
            )  # fmt: skip

    def want_from_start(self, cls: type, name: str) -> None:
        """Start again if objects have an attribute from their class, which one of them is given
        where only a run knows which: they have it from the start then."""
        answered = inspect.isfunction(inspect.getattr_static(cls, "__getattr__", None))
        if name in self.names_from_class(cls) or (_in_neither(cls, name) and not answered):
            return
        if plain_in(cls, name):
            raise FromClass(cls, name)
        raise UnsupportedError(
            f"the attribute '{name}' of an object that only a run knows", None,
            f"for the others it is what {cls.__name__} has", "set the attribute in __init__",
        )  # fmt: skip

    def refuse_stale(self, cls: type | None, node: ast.AST) -> None:
        """Refuse to change an object after a cached property of it was computed anew."""
        made = any(getattr(f.source.node, "name", "") == "__init__" for f in self.frames)
        if cls in self.anew and not made:
            raise self.refuse(
                f"a change of an object whose '{self.anew[cls]}' is computed once", node,
                "only a run knows whether it has been computed before",
                "compute it in __init__, or make it a property",
            )  # fmt: skip

    def _comes_late(self, name: str) -> bool:
        return name in self.absent and not all(loop.unrolled for loop in self.loops)

    def _cached(self, owner: Value, cls: type, name: str, found: Any, node: ast.AST) -> Value:
        """Computed now, and kept by an object that is made here: later changes do not show. Where
        only a run knows what is kept, such objects have a field for it from the start; others do
        not change, and it is computed anew."""
        contents = self.contents(owner)
        fields = contents.fields if isinstance(contents, Instance) else _row_fields(owner)
        if _kept(name) in dict(fields):
            parts = [owner, Static(_kept(name)), Static(found.func)]
            return self.model(standard_library.computed_once, parts, node)
        given = isinstance(contents, Instance) and contents.given
        late = not isinstance(owner, Heap) or self._comes_late(name)
        if late and not given and (*_named(cls), name) not in self.from_class:
            raise FromClass(cls, name)
        value = self.lasting(self.call(Static(found.func), [owner], {}, node), node)
        if late or given:
            self.anew[cls] = name
            value = self._settled(name, value, node)
            if isinstance(value, Dyn) and isinstance(value.expr, nodes.Var):
                self.computed_anew[value.expr.name] = (name, self.span(node))
        elif isinstance(contents, Instance) and not contents.outside:
            value = self._settled(name, value, node)  # one array, whoever asks
            self.set_attribute(owner, name, value, node)
        return value

    def refuse_anew(self, *compared: Value) -> None:
        """Refuse to ask whether what was computed anew is another thing: the object has one."""
        for value in compared:
            expr = value.expr if isinstance(value, Dyn) else None
            name = expr.name if isinstance(expr, nodes.Var) else ""
            if name in self.computed_anew and Static(None) not in compared:
                asked, span = self.computed_anew[name]
                raise UnsupportedError(
                    f"'is' of '{asked}', which an object computes once", span,
                    "the object belongs to the caller, and here it is computed each time",
                    "compare what it holds, or ask for it once and use that",
                )  # fmt: skip

    def check_anew(self, body: nodes.Block) -> None:
        """Refuse to change what was computed anew: the object would have the changed one."""
        found = effects(body) if self.computed_anew else None
        for variable, (name, span) in self.computed_anew.items():
            if found is not None and found.is_written(variable):
                raise UnsupportedError(
                    f"a change of '{name}', which an object computes once", span,
                    "the object belongs to the caller, and here it is computed each time",
                    "copy it first, or build the object inside of the function",
                )  # fmt: skip

    # --- `owner.name += value` -----------------------------------------------------------------
    def with_owner(self, target: ast.Attribute) -> ast.Attribute:
        """The same place, where finding the owner again runs nothing."""
        if not may_bind(target.value):
            return target
        return self._held_owner(target, self.expr(target.value))

    def on_owner(self, target: ast.Attribute, owner: Value | None) -> ast.Attribute:
        """The same place, of what its owner was before a value was computed that may have bound
        the owner's name to something else."""
        built = isinstance(owner, Heap) and owner.id not in self.state.heap  # by generated code
        if owner is None or built or self.expr(target.value) == owner:
            return target
        return self._held_owner(target, owner)

    def _held_owner(self, target: ast.Attribute, owner: Value) -> ast.Attribute:
        holder = f"<owner{len(self.frames)}.{target.lineno}.{target.col_offset}>"
        self.set(self.frame, holder, owner)
        name = ast.copy_location(ast.Name(holder, ast.Load()), target.value)
        return ast.copy_location(ast.Attribute(name, target.attr, ast.Store()), target)

    def bound_anew(self, place: ast.expr, held: Dyn, value: ast.expr) -> bool:
        """Whether computing a value has bound a name or field to something else than it held."""
        if not may_bind(value) or self._has_setter(place):
            return False
        now = self.expr(place)
        return not isinstance(now, Dyn) or now.expr != held.expr

    def to_be_set(self, target: ast.expr, held: Dyn, node: ast.stmt) -> Dyn:
        """What a property gave, under a name by which it can be given back."""
        return Dyn(self.named(held, "held", node)) if self._has_setter(target) else held

    def set_again(self, target: ast.expr, value: Value, node: ast.stmt) -> str:
        """After a change in place: what a property gave is given back to it."""
        if isinstance(target, ast.Attribute) and self._has_setter(target):
            self.assign_attribute(self.expr(target.value), target.attr, value, node)
        return FALL

    def _has_setter(self, target: ast.expr) -> bool:
        if not isinstance(target, ast.Attribute):
            return False
        cls = self.class_of(self.expr(target.value))
        found = inspect.getattr_static(cls, target.attr, None) if cls else None
        setter = getattr(type(found), "__set__", None)
        by_class = cls is not None and own_setter(cls) is not None
        return isinstance(found, property) or inspect.isfunction(setter) or by_class

    def assign_attribute(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        """`owner.name = value` as a program writes it: by the `__setattr__` of a class."""
        cls = None if is_mixed(owner) else self.class_of(owner)
        setter = None if cls is None or issubclass(cls, dict) else own_setter(cls)
        if is_mixed(owner):
            self.for_each(
                owner, value, lambda v, new: self.assign_attribute(v, name, new, node), node
            )
        elif setter is not None and not self._is_given(owner):
            self.call(Bound(Static(setter), owner), [Static(name), value], {}, node)
        else:
            self.set_attribute(owner, name, value, node)

    def _is_given(self, owner: Value) -> bool:
        held = self.contents(owner)
        return isinstance(held, Instance) and (held.given or held.outside)

    def set_by(self, cls: type, owner: Value, name: str, value: Value, node: ast.AST) -> bool:
        """Set an attribute by the property or descriptor of that name; False if there is none."""
        found = inspect.getattr_static(cls, name, None)
        setter = getattr(type(found), "__set__", None)
        if isinstance(found, property) and found.fset is not None:
            self.call(Static(found.fset), [owner, value], {}, node)
        elif inspect.isfunction(setter):  # a descriptor
            self.call(Static(setter), [self.object_value(found), owner, value], {}, node)
        else:
            return False
        return True


__all__ = ["ClassAttributes", "FromClass", "comes_from", "may_bind"]

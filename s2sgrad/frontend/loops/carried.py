"""Floor 4: what attempts at a loop remember of values: their make and types."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from s2sgrad.analysis.several_classes import Classes, classes_held, classes_of_type
from s2sgrad.analysis.whole import may_be_whole
from s2sgrad.frontend.state import Builder, Clash, State, constant, joined, residual
from s2sgrad.frontend.values import (
    Bound,
    Dyn,
    Func,
    Generator,
    Heap,
    Instance,
    Iterator,
    Mapping,
    Method,
    Partial,
    Sequence,
    Value,
    bound_to,
    inside,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Dict, List, Opaque, Tuple, Type, forget

Slot = tuple[Any, ...]  # ("v", frame, name) or ("h", heap identity)

FUNCTIONS = (Func, Bound, Partial, Iterator, Method, Generator)  # they exist while compiling only


@dataclass(frozen=True, slots=True)
class Frozen(Value):
    """A container seen at the end of an attempt, kept beyond the attempt's heap.

    ids: what it was there, or one of. holders: the names that held it too.
    """

    contents: Any
    ids: frozenset[int] = field(default=frozenset(), compare=False)
    holders: tuple[Any, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Typed(Value):
    """A value of an earlier attempt, of which only the type matters now.

    whole: it is of floats, and holds integers on some paths. classes: it is of one of these.
    """

    type: Type
    whole: bool = False
    classes: Classes = frozenset()

    def with_marks(self, other: Typed) -> Typed:
        """The same type, and what is known beside it of either value."""
        return Typed(self.type, self.whole or other.whole, self.classes | other.classes)


def held_expressions(state: State) -> list[nodes.Expr]:
    """What names and containers of a state stand for in generated code."""
    held = list(state.vars.values())
    for contents in state.heap.values():
        held += parts(contents)
    for value in held:
        held += bound_to(value)
    return [v.expr for v in held if isinstance(v, Dyn)]


def variables(state: State) -> list[nodes.Var]:
    """All variables that names and containers of a state hold."""
    return [e for e in held_expressions(state) if isinstance(e, nodes.Var)]


def frozen_value(value: Any, state: State, builder: Builder) -> Any:
    """A value without reference to the state it was seen in."""

    def frozen(inner: Any) -> Any:
        return frozen_value(inner, state, builder)

    if isinstance(value, Heap):
        holders = tuple(k for k, v in state.vars.items() if value.id in inside(v, state.heap))
        kept = frozen(state.heap[value.id])
        return replace(kept, ids=frozenset(state.origins(value.id)), holders=holders)
    if isinstance(value, Sequence):
        return Frozen(replace(value, items=tuple(map(frozen, value.items))))
    if isinstance(value, Mapping):
        return Frozen(replace(value, items=tuple((k, frozen(v)) for k, v in value.items)))
    if isinstance(value, Instance):
        return Frozen(replace(value, fields=tuple((k, frozen(v)) for k, v in value.fields)))
    if isinstance(value, Dyn):
        return typed(value, builder)
    return value


def typed(value: Dyn, builder: Builder) -> Typed:
    """What is remembered of a value of generated code."""
    whole = may_be_whole(value.expr, builder.whole)
    return Typed(value.type, whole, classes_held(value.expr, builder.classes))


def made_inside(value: Value, entry: State, first_frame: int) -> bool:
    """Whether a loop's turns make a function, or what it was made with, each its own.

    entry: what there is where the loop begins. first_frame: the first activation in the loop."""
    match value:
        case Heap():
            return value.id not in entry.heap
        case Func(scope=scope) if scope is not None and scope.id >= first_frame:
            return True
    return any(made_inside(v, entry, first_frame) for v in bound_to(value))


def has_objects_as_keys(value: Any) -> bool:
    """Whether a container of an earlier attempt is a dict whose keys are objects, as of a set."""
    made = value.contents if isinstance(value, Frozen) else None
    return isinstance(made, Mapping) and any(isinstance(key, Heap) for key, _ in made.items)


def type_of(value: Any, state: State) -> Type:
    if isinstance(value, Typed):
        return value.type
    if isinstance(value, Frozen):
        return _container_type(value.contents, state)
    if isinstance(value, Clash):
        return Opaque("clash")
    try:
        return residual(value, state, records=True).type
    except Exception:
        return Opaque("object")


def classes_seen(value: Any, state: State) -> Classes:
    """The classes that a value may be of."""
    return value.classes if isinstance(value, Typed) else classes_of_type(type_of(value, state))


def classes_covered(head: nodes.Expr, value: Any, state: State, builder: Builder) -> bool:
    """Whether a variable of the head is known to hold values of the classes that come round."""
    if not isinstance(head, nodes.Var):
        return True
    now = typed(value, builder) if isinstance(value, Dyn) else value
    if isinstance(now, Typed) and now.whole and head.name not in builder.whole:
        return False
    known = classes_held(head, builder.classes)
    return not known or classes_seen(now, state) <= known


def _container_type(contents: Any, state: State) -> Type:
    """The type a container has when generated code builds it."""
    if not isinstance(contents, Sequence):
        return _record_type(contents, state)
    kinds = tuple(type_of(v, state) for v in contents.items)
    return Tuple(kinds, contents.made_by) if contents.kind == "tuple" else List(joined(kinds))


def _record_type(contents: Any, state: State) -> Type:
    """The type of a dict, or of an object that generated code would hold as one."""
    cls = contents.cls if isinstance(contents, Instance) else None
    rows = contents.items if isinstance(contents, Mapping) else contents.fields
    objects = any(isinstance(key, Heap) for key, _ in rows)
    if objects or (cls is not None and (contents.outside or not rows)):
        return Opaque("container")
    keys = joined(tuple(forget(constant(key).type) for key, _ in rows))
    fields = tuple((key, forget(type_of(value, state))) for key, value in rows)
    return Dict(keys, joined(tuple(kind for _, kind in fields)), fields, cls)


def parts(contents: Any) -> tuple[Any, ...]:
    if isinstance(contents, Frozen):
        contents = contents.contents
    if isinstance(contents, Sequence):
        return contents.items
    table = contents.items if isinstance(contents, Mapping) else contents.fields
    return tuple(v for _, v in table)


def alike(a: Any, b: Any) -> bool:
    """Whether two containers have the same make: kind, length, keys, class."""
    a = a.contents if isinstance(a, Frozen) else a
    b = b.contents if isinstance(b, Frozen) else b
    if type(a) is not type(b):
        return False
    if isinstance(a, Sequence):
        return a.kind == b.kind and len(a.items) == len(b.items)
    if isinstance(a, Mapping):
        return a.made_by is b.made_by and [k for k, _ in a.items] == [k for k, _ in b.items]
    if isinstance(a, Instance):
        first, second = ([k for k, _ in c.fields] for c in (a, b))
        late = set(first) ^ set(second)  # attributes that a turn of the loop sets first
        return a.cls is b.cls and not (
            late
            and (a.outside or b.outside or any(hasattr(a.cls, k) for k in (*late, "__getattr__")))
        )
    return False


def columns(found: list[Any]) -> list[tuple[Any, list[Any]]]:
    """The items of containers of the same make, side by side; None for an attribute not set."""
    found = [c.contents if isinstance(c, Frozen) else c for c in found]
    if isinstance(found[0], Sequence):
        return list(enumerate(map(list, zip(*(c.items for c in found), strict=True))))
    attribute = "items" if isinstance(found[0], Mapping) else "fields"
    tables = [dict(getattr(c, attribute)) for c in found]
    return [(k, [t.get(k) for t in tables]) for k in dict.fromkeys(k for t in tables for k in t)]


def slots_of(state: State) -> dict[Slot, Any]:
    found: dict[Slot, Any] = {("v", *key): value for key, value in state.vars.items()}
    found.update({("h", identity): contents for identity, contents in state.heap.items()})
    return found

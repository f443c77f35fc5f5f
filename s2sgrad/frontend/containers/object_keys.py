"""Floor 4: objects as keys of dicts, and in sets, while they are followed.

`seen.add(node)` of a class without `__eq__` and `__hash__` of its own: the key is which object it
is. Such a key stands in the dict as the object itself; generated code can't build that dict.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.exits import NoKey
from s2sgrad.frontend.state import NO_KEY
from s2sgrad.frontend.values import Dyn, Heap, Instance, Sequence, Static, Value, is_function
from s2sgrad.ir import nodes
from s2sgrad.ir.types import BOTTOM, Dict, List, Pick, Row, Scalar, Type, type_parts

ASKING = ("index", "count", "remove")  # methods of lists that compare items


class ObjectKeys(Base):
    """What stands for a key."""

    def key_of(self, value: Value) -> Any:
        """The key that a value is known to be, or a marker: a constant, or an object."""
        known = self.constant_value(value)
        return value if known is MISSING and self.is_itself(value) else known

    def told_apart(self, key: Any, keys: Iterable[Any]) -> Any:
        """The key; where it is an object, it is known which of the keys it is, if any."""
        for other in keys if isinstance(key, Heap) else ():
            if isinstance(other, Heap):
                self.tell_apart(key.id, other.id)
        return key

    def no_key(self, base: Value, key: Any, node: ast.AST) -> UnsupportedError:
        """The error for a key that a dict does not have."""
        if isinstance(base, Heap) and base.id in self.filling_ids:  # type: ignore[attr-defined]
            return self.refuse(f"a defaultdict from outside has no {key!r}", node, *say.FILLING)
        return NoKey(f"the dict has no key {key!r} here", self.span(node), *NO_KEY)

    def asked_now(
        self, items: list[Value], name: str, args: list[Value], node: ast.AST
    ) -> int | None:
        """What `index` or `count` of a list gives, or the place of what `remove` takes out, where
        all is known while compiling."""
        rows = any(isinstance(self.contents(v), Sequence) for v in (*items, *args))
        keys, given = ([self.key_of(v) for v in values] for values in (items, args))
        if rows or MISSING in keys or MISSING in given:
            if any(map(is_function, items)):
                raise self.refuse(
                    f"list.{name} of a list that holds functions beside other things", node,
                    "generated code has numbers for them", "keep the functions in a list of theirs",
                )  # fmt: skip
            return None
        self.told_apart(given[0], keys)
        try:
            found: int = getattr(keys, "index" if name == "remove" else name)(*given)
        except ValueError:
            return None  # for a run to say
        return found

    def are_themselves(self, owner: Dyn) -> bool:
        """Whether generated code holds all items of a list by their fields, and none is equal to
        another thing."""
        kind = owner.type.item if isinstance(owner.type, List) else None
        cls = kind.made_by if isinstance(kind, Dict) else None
        return isinstance(cls, type) and _is_itself(cls)

    def asks_items(self, name: str, owner: Dyn, node: ast.AST) -> bool:
        """Whether a method of a list asks its items what they are equal to; refused where the list
        holds them in a way that can't tell."""
        self.refuse_either(name, (owner,), node)
        parts = list(all_parts(owner.type))
        classes = [k.made_by for k in parts if isinstance(k, Dict) and k.made_by is not None]
        if any(isinstance(c, type) and _is_itself(c) for c in classes):
            raise self.refuse(
                f"list.{name} of objects whose class does not define ==", node,
                "generated code holds them by their fields, and can't tell two alike apart",
                "compare what tells them apart, in a loop",
            )  # fmt: skip
        return bool(classes) or any(map(says_equal, parts))

    def without_objects(self, key: nodes.Expr, table: Type, node: ast.AST) -> nodes.Expr:
        """A key that generated code computes; refused where objects are in it that it can't tell
        apart as the program does.

        table: the type of the dict that the key is for.
        """
        parts = list(all_parts(key.type))
        if any(isinstance(k, Dict) and k.made_by is not None for k in parts):
            raise self.refuse(
                "an object in the key of a dict or set that generated code builds", node,
                "it holds objects by their fields, and can't tell two alike apart",
                "use a text or number that tells them apart",
            )  # fmt: skip
        alike = next(filter(None, map(says_equal, parts)), None)
        if alike is not None:
            raise self.refuse(
                f"an object of the class {alike.__name__} as a key of a dict, or in a set", node,
                "the class says which of its objects are equal: generated code tells all apart",
                "use a tuple of what it is equal by: d[p.row, p.column]",
            )  # fmt: skip
        held = table.key if isinstance(table, Dict) else BOTTOM
        numbers = [isinstance(k, Scalar) for k in (held, key.type)]
        if all(numbers) and isinstance(held, Row) != isinstance(key.type, Row):
            raise self.refuse(
                "an object and a number as keys of one dict, or in one set", node,
                "generated code has a number for the object", "use a dict or set for each",
            )  # fmt: skip
        return key

    def is_itself(self, value: Value) -> bool:
        """Whether a value is an object that is followed, and equal to no other one."""
        contents = self.contents(value)
        return isinstance(contents, Instance) and _is_itself(contents.cls)


def _is_itself(cls: type) -> bool:
    """Whether objects of a class are equal to no other ones."""
    plain: Any = object
    return cls.__eq__ is plain.__eq__ and cls.__hash__ is plain.__hash__


def says_equal(kind: Type) -> type | None:
    """The class of an object that is a place in lists, if it says what it is equal to."""
    if not isinstance(kind, Row) or isinstance(kind, Pick):
        return None
    found = (c for c in kind.classes if not _is_itself(c))
    return min(found, key=lambda c: str(c.__name__), default=None)


def all_parts(kind: Type) -> Iterator[Type]:
    """A type, and those of all that it holds."""
    yield kind
    for part in type_parts(kind):
        yield from all_parts(part)


def value_of_key(key: Any) -> Value:
    """What a key of a dict is when it is taken out."""
    return key if isinstance(key, Heap) else Static(key)


def is_object_key(key: Any) -> bool:
    """Whether a key is an object of a class of the user's, found by what it is."""
    plain = isinstance(key, type) or type(key).__module__ in ("builtins", "numpy")
    return not plain and getattr(type(key), "__hash__", None) is object.__hash__


__all__ = ["ASKING", "ObjectKeys", "all_parts", "is_object_key", "says_equal", "value_of_key"]

"""Floor 4: namedtuples: their fields, `_replace` and `_asdict`, methods of their class."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Bound, Mapping, Method, Sequence, Static, Value

OWN_METHODS = ("_replace", "_asdict")


class Records(Base):
    """Lowering of what tuples with named fields have beside their items."""

    def record_attribute(self, owner: Value, contents: Sequence, name: str, node: ast.AST) -> Value:
        """`record.name`."""
        cls: Any = contents.made_by
        if name in cls._fields:
            return contents.items[cls._fields.index(name)]
        if name == "_fields":
            return self.sequence([Static(f) for f in cls._fields])
        found = inspect.getattr_static(cls, name, None)
        plain = found is inspect.getattr_static(tuple, name, None)
        if name in OWN_METHODS or plain:
            return Method(owner, name)
        if isinstance(found, property):
            return self.call(Static(found.fget), [owner], {}, node)
        if inspect.isfunction(found):
            return Bound(Static(found), owner)
        return self.attribute(Static(cls), name, node)

    def record_method(
        self, contents: Sequence, name: str, kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """`_replace` or `_asdict`; None for other methods."""
        cls: Any = contents.made_by
        fields = dict(zip(cls._fields, contents.items, strict=True))
        if name == "_asdict":
            return self.new(Mapping(tuple(fields.items())))
        if name != "_replace":
            return None
        unknown = [k for k in kwargs if k not in fields]
        if unknown:
            raise self.refuse(
                f"{cls.__name__} has no field '{unknown[0]}'",
                node,
                "Python raises an error here as well",
                "name one of its fields",
            )
        return self.new(Sequence("tuple", tuple({**fields, **kwargs}.values()), cls))

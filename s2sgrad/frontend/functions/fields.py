"""Floor 4: `vars(o)` and `o.__dict__` of objects that are taken apart, read or updated at once."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Instance, Mapping, Static, Value

_READ = ("items", "keys", "values", "get", "copy")


class Fields(Base):
    """Lowering of dicts of attributes. One that has a name is refused: it would be a copy."""

    def fields_read(self, node: ast.expr) -> Value | None:
        """The attributes as a dict, where nothing can write to it."""
        contents = self.contents(self._owner(node) or Static(None))
        return self.new(Mapping(contents.fields)) if isinstance(contents, Instance) else None

    def method_of_fields(self, node: ast.Attribute) -> Value | None:
        """`vars(o).items` and its like."""
        found = self.fields_read(node.value) if node.attr in _READ else None
        return None if found is None else self.attribute(found, node.attr, node)

    def updated_fields(self, node: ast.Call) -> bool:
        """`vars(self).update(given)`: the attributes are set, if it is that."""
        function = node.func
        updates = isinstance(function, ast.Attribute) and function.attr == "update"
        owner = self._owner(function.value) if updates else None  # type: ignore[attr-defined]
        if owner is None:
            return False
        whole = [*node.args, *(k.value for k in node.keywords if k.arg is None)]
        rows = [row for part in whole for row in self._rows_given(part)]
        rows += [(k.arg, self.expr(k.value)) for k in node.keywords if k.arg is not None]
        for name, value in rows:
            self.set_attribute(owner, name, value, node)
        return True

    def _rows_given(self, node: ast.expr) -> list[tuple[str, Value]]:
        contents = self.contents(self.fields_read(node) or self.expr(node))
        if not isinstance(contents, Mapping) or not all(
            isinstance(k, str) for k, _ in contents.items
        ):
            raise self.refuse("attributes set from this", node, "their names are not known here")
        assert isinstance(contents, Mapping)
        return list(contents.items)

    def _owner(self, node: ast.expr) -> Value | None:
        """The object of which an expression is the dict of attributes."""
        if isinstance(node, ast.Attribute) and node.attr == "__dict__":
            given = node.value
        elif isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            given = node.args[0]
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            if called != "vars" or self.known_function(node.func) is not vars:
                return None
        else:
            return None
        path = given
        while isinstance(path, ast.Attribute):
            path = path.value
        owner = self.expr(given) if isinstance(path, ast.Name) else None
        return owner if owner is not None and isinstance(self.contents(owner), Instance) else None

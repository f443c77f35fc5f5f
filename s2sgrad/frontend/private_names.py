"""Floor 4: names such as `__limit` inside a class, which Python reads as `_Model__limit`."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

_FIELDS = ("id", "attr", "arg", "name", "asname", "rest")  # where syntax trees hold one name


def mangled(node: Any, code: CodeType) -> Any:
    """The text of a function with the names that Python has for those private to its class."""
    return _Mangling(_class_around(code)).function(node)


def _class_around(code: CodeType) -> str:
    """The innermost class in whose body a function was written; "" where there is none."""
    parts = getattr(code, "co_qualname", code.co_name).split(".")[:-1]
    while parts and parts[-1] == "<locals>":
        parts = parts[:-2]
    return parts[-1] if parts else ""


class _Mangling(ast.NodeTransformer):
    """Private names of a class, and of those that are defined inside."""

    def __init__(self, cls: str) -> None:
        self.cls = cls.lstrip("_")

    def function(self, node: Any) -> Any:
        """The function itself keeps its name: its class knows it by another one."""
        name = getattr(node, "name", None)
        made = self.visit(node)
        if name is not None:
            made.name = name
        return made

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        """What stands in the body of a class is private to that one."""
        node.name = self._told(node.name)
        for part in (*node.bases, *node.keywords, *node.decorator_list):
            self.visit(part)
        inner = _Mangling(node.name)
        node.body = [inner.visit(part) for part in node.body]
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Change the names that a node itself holds."""
        for field in _FIELDS:
            name = getattr(node, field, None)
            if isinstance(name, str):
                setattr(node, field, self._told(name))
        if isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [self._told(name) for name in node.names]
        return super().generic_visit(node)

    def _told(self, name: str) -> str:
        private = name.startswith("__") and not name.endswith("__") and "." not in name
        return f"_{self.cls}{name}" if private and self.cls else name


__all__ = ["mangled"]

"""Floor 4: classes defined inside of functions.

Such a class is made while compiling, as Python makes it, with markers for the local names of the
function that it mentions. Where its methods come to a marker, they read the name it stands for.
"""

from __future__ import annotations

import ast
import inspect
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import FALL
from s2sgrad.frontend.same_text import CLASS_MAKER
from s2sgrad.frontend.state import Frame, Local
from s2sgrad.frontend.values import Static, Value


class LocalClasses(Base):
    """Lowering of class statements. local_classes: those made so far, by where and for whom."""

    local_classes: dict[tuple[ast.AST, int], type]

    def stmt_ClassDef(self, stmt: ast.ClassDef) -> str:
        """One class for each activation, however often a loop comes here again."""
        place = stmt, self.frame.id
        if place not in self.local_classes:
            self.local_classes[place] = self._made_class(stmt)
        self.set(self.frame, stmt.name, Static(self.local_classes[place], stmt.name))
        return FALL

    def _made_class(self, stmt: ast.ClassDef) -> type:
        names = self._mentioned(stmt)
        spec = ast.arguments([], [ast.arg(n) for n in names], None, [], [], None, [])
        give = ast.Return(ast.Name(stmt.name, ast.Load()))
        maker = ast.FunctionDef(CLASS_MAKER, spec, [stmt, give], [])
        module = ast.Module([ast.copy_location(maker, stmt)], [])
        ast.fix_missing_locations(module)
        scope: dict[str, Any] = {}
        try:
            exec(compile(module, self.source.filename, "exec"), self.frame.globals, scope)
            made = scope[CLASS_MAKER](*(self._marker(n, stmt) for n in names))
        except Exception as error:
            raise self.refuse(
                "a class defined inside the function",
                stmt,
                f"its body needs what only a run knows ({error})",
                "define the class at the top of the module, and pass it what it needs",
            ) from error
        if not inspect.isclass(made):
            raise self.refuse(
                "a class decorator that gives no class",
                stmt,
                "what it gives is called as a class later",
                "return the class from the decorator",
            )
        return made

    def _mentioned(self, stmt: ast.ClassDef) -> list[str]:
        """The names of the function, or of those around it, that a class may read."""
        names = dict.fromkeys(n.id for n in ast.walk(stmt) if isinstance(n, ast.Name))
        names.pop(stmt.name, None)
        scope: Frame | None = self.frame
        held: set[str] = set()
        while scope is not None:
            held |= scope.local_names | scope.cells.keys()
            scope = scope.parent
        return [n for n in names if n in held]

    def names_of_classes(self) -> list[tuple[int, str]]:
        """Variables of functions that methods of classes defined in them may read."""
        found: dict[tuple[int, str], None] = {}
        for cls in self.local_classes.values():
            for function in (v for v in vars(cls).values() if inspect.isfunction(v)):
                for cell in function.__closure__ or ():
                    held = getattr(cell, "cell_contents", None)
                    if isinstance(held, Local):
                        found[held.frame.id, held.name] = None
        return list(found)

    def _marker(self, name: str, node: ast.AST) -> Any:
        """What the class finds under a name: classes, functions and modules are themselves."""
        value: Value | None = self.lookup(self.frame, name, node)
        if isinstance(value, Static) and (callable(value.value) or inspect.ismodule(value.value)):
            return value.value
        return Local(self.frame, name, value)

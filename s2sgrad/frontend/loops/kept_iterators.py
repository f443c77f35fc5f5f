"""Floor 4: iterators that are kept where they may be gone through again.

`zip`, `map` and generators are taken apart by the loop that goes through them, which is right for
the first loop only: a second one finds nothing left. So where one is put into a container or an
attribute, or is given to a function that reads its parameter more than once, it becomes an iterator
that remembers how far it has come (see stepping.py).
"""

from __future__ import annotations

import ast
import dataclasses
import functools
from types import SimpleNamespace
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.loops.stepping import is_one_pass, uses
from s2sgrad.frontend.models.standins import is_model
from s2sgrad.frontend.refusals import is_library_file
from s2sgrad.frontend.state import Frame
from s2sgrad.frontend.values import Dyn, Func, Value

_KEEPING = ("append", "appendleft", "insert", "setdefault", "add")


class KeptIterators(Base):
    """The part of the lowering that tells where iterators are kept."""

    def lasting(self, value: Value, node: ast.AST) -> Value:
        """A value that is kept somewhere: an iterator remembers how far it has come.

        Code of ours that stands in for a library's goes through each one once.
        """
        if not is_one_pass(value) or _is_ours(self.frame.source.filename):
            return value
        return self.stepping(value, node)

    def all_lasting(self, values: list[Value], node: ast.AST) -> list[Value]:
        """Values that become the items of a container."""
        return [self.lasting(v, node) for v in values]

    # --- in containers and attributes --------------------------------------------------------
    def set_attribute(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        """`obj.name = value`."""
        super().set_attribute(owner, name, self.lasting(value, node), node)  # type: ignore[misc]

    def set_item(
        self, base: Value, index: Value, value: Value, node: ast.AST, bare: bool = False
    ) -> None:
        """`base[index] = value`; of a slice, the items of an iterator."""
        if self.known(index) or isinstance(index, Dyn):
            value = self.lasting(value, node)
        super().set_item(base, index, value, node, bare)  # type: ignore[misc]

    def container_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """`items.append(value)` and the like."""
        if name in _KEEPING:
            args = self.all_lasting(args, node)
        if name == "update":
            kwargs = {key: self.lasting(v, node) for key, v in kwargs.items()}
        return super().container_method(owner, name, args, kwargs, node)  # type: ignore[misc,no-any-return]

    def on_dict(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """`dict(name=value)`."""
        kwargs = {name: self.lasting(v, node) for name, v in kwargs.items()}
        return super().on_dict(args, kwargs, node)  # type: ignore[misc,no-any-return]

    def _construct(
        self, cls: type, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """An object whose fields are what it is given: a named tuple, a dataclass."""
        if issubclass(cls, tuple | SimpleNamespace) or dataclasses.is_dataclass(cls):
            args = self.all_lasting(args, node)
            kwargs = {name: self.lasting(v, node) for name, v in kwargs.items()}
        return super()._construct(cls, args, kwargs, node)  # type: ignore[misc,no-any-return]

    # --- in names and parameters -------------------------------------------------------------
    def bind_pattern(self, target: ast.expr, value: Value) -> None:
        """Bind what a loop or generator hands out, which may be an iterator itself."""
        if isinstance(target, ast.Name) and not target.id.startswith("<"):
            value = self.lasting(value, target)
        super().bind_pattern(target, value)  # type: ignore[misc]

    def make_function(self, node: ast.FunctionDef | ast.Lambda, name: str) -> Value:
        """A function made inside: all its calls share its defaults."""
        made: Value = super().make_function(node, name)  # type: ignore[misc]
        if not isinstance(made, Func):
            return made
        named = tuple((k, self.lasting(v, node)) for k, v in made.kw_defaults)
        defaults = tuple(self.all_lasting(list(made.defaults), node))
        return dataclasses.replace(made, defaults=defaults, kw_defaults=named)

    def on_partial(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """functools.partial: all calls share its arguments."""
        kwargs = {key: self.lasting(v, node) for key, v in kwargs.items()}
        return super().on_partial(self.all_lasting(args, node), kwargs, node)  # type: ignore[misc,no-any-return]

    def bind_arguments(
        self,
        function: Func,
        frame: Frame,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> None:
        """Bind parameters; in code of the user's, an iterator that is read more than once, and
        those in `*args` and `**kwargs`, remember how far they have come."""
        if not _is_ours(function.source.filename):
            spec = function.args
            names = [a.arg for a in (*spec.posonlyargs, *spec.args)]
            again = {n for n in (*names, *(a.arg for a in spec.kwonlyargs)) if _again(function, n)}
            args = [
                a if k < len(names) and names[k] not in again else self.lasting(a, node)
                for k, a in enumerate(args)
            ]
            own = {*names, *(a.arg for a in spec.kwonlyargs)} - again
            kwargs = {k: v if k in own else self.lasting(v, node) for k, v in kwargs.items()}
        super().bind_arguments(function, frame, args, kwargs, node)  # type: ignore[misc]


def _is_ours(filename: str) -> bool:
    return is_model(filename) or is_library_file(filename)


def _again(function: Func, name: str) -> bool:
    """Whether a function reads a parameter more than once, before it binds the name anew."""
    text: Any = function.source.node
    return _reads_again(text, name)


@functools.lru_cache(maxsize=4096)
def _reads_again(text: ast.FunctionDef | ast.Lambda, name: str) -> bool:
    places: list[bool] = []
    for part in text.body if isinstance(text.body, list) else [text.body]:
        uses(part, name, text, False, places)
        if isinstance(part, ast.Assign) and [ast.dump(t) for t in part.targets] == [
            ast.dump(ast.Name(name, ast.Store()))
        ]:
            break
    return len(places) > 1 or any(places)

"""Floor 4: what is asked of classes themselves, and of the identity of objects."""

from __future__ import annotations

import ast

from s2sgrad.frontend.builtins.questions import Questions, classes_asked
from s2sgrad.frontend.values import Chosen, Dyn, Static, Value, is_mixed
from s2sgrad.ir import nodes
from s2sgrad.ir.types import INT


class ClassQuestions(Questions):
    """issubclass, hash, and dicts that may be OrderedDicts."""

    def on_issubclass(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if isinstance(args[0], Chosen):
            return self.asked_of_chosen(
                args[0], lambda v: self.truth(self.on_issubclass([v, args[1]], {}, node))
            )
        cls, classes = self.constant_value(args[0]), classes_asked(self.constant_value(args[1]))
        if not isinstance(cls, type) or not isinstance(classes, type | tuple):
            raise self.refuse(
                "issubclass of a class that only a run knows", node,
                "which class it is differs by path", "ask isinstance(...) of an object",
            )  # fmt: skip
        return Static(issubclass(cls, classes))

    def on_hash(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if self.class_of(args[0]) is not None or is_mixed(args[0]):
            raise self.refuse(
                "hash() of an object", node,
                "generated code holds objects by their fields",
                "use the object itself as a key, or give each a number of its own",
            )  # fmt: skip
        return Dyn(nodes.Call(hash, "hash", (self.residual(args[0], node),), type=INT))

    def on_ordered_dict(self, args: list[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        self.ordered = True
        return self.call(Static(dict), args, kwargs, node)


__all__ = ["ClassQuestions"]

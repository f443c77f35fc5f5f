"""Floor 4: `with` blocks. Plain ones only matter forward; `cotangent` reaches the reverse sweep."""

from __future__ import annotations

import ast

from s2sgrad.frontend.loops.generators import as_context
from s2sgrad.frontend.source import find_source
from s2sgrad.frontend.statements.cotangent_blocks import CotangentBlocks
from s2sgrad.frontend.values import Bound, Dyn, Generator, Instance, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Opaque

FALL = "fall"


def _falsy(stmt: ast.Return) -> bool:
    """Whether a return gives None or False, whatever happens."""
    value = stmt.value
    return value is None or (isinstance(value, ast.Constant) and not value.value)


class Contexts(CotangentBlocks):
    """Lowering of `with`."""

    def stmt_With(self, stmt: ast.With) -> str:
        """Enter, run the body, leave: exceptions inside are not handled by the context."""
        about = self.cotangent_of(stmt)
        if about is not None:
            self.splice(stmt, about)
            return FALL
        return self._managed(stmt, stmt.items)

    def _managed(self, stmt: ast.With, items: list[ast.withitem]) -> str:
        """The body within these contexts; how it ended."""
        if not items:
            return self.run_block(stmt.body)
        item, *inner = items
        manager = self.expr(item.context_expr)
        made_of = as_context(manager)
        if made_of is not None:
            return self._managed_by_generator(stmt, made_of, item, inner)
        if isinstance(manager, Dyn):
            manager = Dyn(self.named(manager, "context", stmt))
        key = (self.frame.id, f"<context{next(self.waiting)}>")
        self.state.vars[key] = manager  # generated code may come to build it in the body
        value = self._enter(manager, item.optional_vars is not None, stmt)
        if item.optional_vars is not None:
            self.assign(item.optional_vars, value, stmt)
        status = self._managed(stmt, inner)
        manager = self.state.vars.pop(key, manager)
        if self._is_of_users(manager):
            self._leave_object(manager, stmt)
        elif isinstance(manager, Dyn):
            nothing = (self.residual(Static(None)),) * 3
            self._perform(manager, "__exit__", nothing, False, stmt)
        return status

    def _managed_by_generator(
        self, stmt: ast.With, manager: Generator, item: ast.withitem, inner: list[ast.withitem]
    ) -> str:
        """The body in place of the `yield` of a function under contextlib.contextmanager."""
        ended: list[str] = []

        def body(value: Value) -> Value:
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value, stmt)
            ended.append(self._managed(stmt, inner))
            return Static(None)

        self.run_context(manager, body, stmt)
        return ended[-1] if ended else FALL

    def _leave_object(self, manager: Value, node: ast.With) -> None:
        """Run a `__exit__` of the user's, which must not swallow exceptions."""
        leave = self.attribute(manager, "__exit__", node)
        if isinstance(leave, Bound) and isinstance(leave.function, Static):
            source = find_source(leave.function.value).node
            kept = [s for s in ast.walk(source) if isinstance(s, ast.Return) and not _falsy(s)]
            if kept:
                raise self.refuse(
                    "a context manager that may suppress exceptions can't be differentiated", node,
                    "its __exit__ returns a value, and which statements ran before an exception is "
                    "not known while compiling",
                    "let __exit__ return None, or test for the condition with if",
                )  # fmt: skip
        self.call(leave, [Static(None)] * 3, {}, node)

    def _perform(
        self, manager: Dyn, name: str, args: tuple[nodes.Expr, ...], used: bool, node: ast.AST
    ) -> Value:
        """Enter or leave a library's context, as a statement of its own."""
        span = self.span(node)
        exprs = (manager.expr, *args)
        call = nodes.Call("opaque", name, exprs, form="method", type=Opaque(), span=span)
        if used:
            return Dyn(self.builder.bind("entered", call, span))
        self.builder.emit(nodes.Do(call, span=span))
        return Static(None)

    def _is_of_users(self, manager: Value) -> bool:
        """Whether a context is an object of a class that is read, taken apart or held as fields."""
        return isinstance(self.contents(manager), Instance) or hasattr(
            self.class_of(manager), "__enter__"
        )

    def _enter(self, manager: Value, used: bool, node: ast.With) -> Value:
        if self._is_of_users(manager):
            return self.call(self.attribute(manager, "__enter__", node), [], {}, node)
        if isinstance(manager, Dyn):
            return self._perform(manager, "__enter__", (), used, node)
        raise self.refuse(
            "this context manager can't be transformed",
            node,
            "it is not an object of a class with source",
            "call what it does before and after the block, or write it as a class with "
            "__enter__ and __exit__",
        )

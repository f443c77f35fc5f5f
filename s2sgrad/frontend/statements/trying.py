"""Floor 4: `try` with handlers: code is made for the run in which nothing fails inside.

What would have raised must raise in generated code too, though nobody reads its result: what
stands inside is kept. Whoever runs the code hears of an exception that a handler may take, and
runs the function on tensors instead.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from s2sgrad.errors import Span
from s2sgrad.frontend.exits import NEVER, RETURN, exit_kind, going_well
from s2sgrad.frontend.statements.failing import failures
from s2sgrad.frontend.statements.statements import Statements
from s2sgrad.frontend.values import Dyn, Sequence, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Opaque, Scalar

_BY_KIND = (TypeError, AttributeError)  # what an operation raises for values of a wrong type
Handled = dict[type[BaseException], Span | None]
_NAMED = nodes.Var | nodes.Const | nodes.Ref


class _Failed(Exception):
    """A statement in a `try` raises an exception for all values of these types."""

    def __init__(self, stmt: ast.Try, handler: ast.ExceptHandler, error: Exception) -> None:
        self.stmt, self.handler, self.error = stmt, handler, error


@dataclass
class Trials:
    """What is known of `try`, in one lowering.

    handled: the exceptions that a handler takes, and where. tried: statement in a `try` with
    handlers -> the innermost one. levels: how deep in blocks, functions and loops a `try` stands.
    """

    handled: Handled = field(default_factory=dict)
    tried: dict[ast.AST, ast.Try] = field(default_factory=dict)
    levels: dict[ast.Try, tuple[int, int, int]] = field(default_factory=dict)


class Trying(Statements):
    """Lowering of `try`."""

    trials: Trials

    def run_block(self, stmts: list[ast.stmt]) -> str:
        """What stands in a `try` goes well: it, its else and its finally follow each other."""
        stmt, rest = (stmts[0], stmts[1:]) if stmts else (None, [])
        if not isinstance(stmt, ast.Try):
            return super().run_block(stmts)
        with self.within(stmt):
            self._note_handlers(stmt)
        self.trials.levels[stmt] = self._level()
        try:
            return self.run_block([*going_well(stmt), *rest])
        except _Failed as failed:
            if failed.stmt is not stmt:
                raise
            if failed.handler.name:
                self.set_name(failed.handler.name, Static(failed.error))
            return self.run_block([*failed.handler.body, *stmt.finalbody, *rest])

    def _level(self) -> tuple[int, int, int]:
        return len(self.builder.blocks), len(self.frames), len(self.loops)

    def _note_handlers(self, stmt: ast.Try) -> None:
        if stmt.finalbody and exit_kind([*stmt.body, *stmt.orelse]) != NEVER:
            raise self.refuse(
                "'try' with 'finally' that is left by return, break or continue", stmt,
                "what stands under 'finally' runs on the way out",
                "keep the result in a variable, and leave after the 'try'",
            )  # fmt: skip
        kinds = [kind for handler in stmt.handlers for kind in self._classes(handler)]
        for kind in kinds:
            if issubclass(kind, Exception) or kind is BaseException:  # Ctrl-C comes from outside
                self.trials.handled.setdefault(
                    Exception if kind is BaseException else kind, self.span(stmt)
                )
        if stmt.handlers:
            self.trials.tried.update((node, stmt) for part in stmt.body for node in ast.walk(part))

    def _classes(self, handler: ast.ExceptHandler) -> list[type[BaseException]]:
        """The exceptions that a handler takes."""
        if handler.type is None:
            return [Exception]
        value = self.expr(handler.type)
        known = value.value if isinstance(value, Static) else None
        parts = known if isinstance(known, tuple) else self.static_items(value) or [value]
        found: list[Any] = [p.value if isinstance(p, Static) else p for p in parts]
        if not all(isinstance(c, type) and issubclass(c, BaseException) for c in found):
            raise self.refuse(
                "can't tell which exceptions are handled here", handler.type,
                "only a run knows it", "name them: except (ValueError, TypeError)",
            )  # fmt: skip
        return found

    # --- what must raise as it does in Python ------------------------------------------------
    @contextmanager
    def raising(self) -> Iterator[None]:
        """What is lowered meanwhile is kept, since it may raise what a handler takes."""
        before, self.builder.raising = self.builder.raising, True
        try:
            yield
        finally:
            self.builder.raising = before

    def as_raising(self, handled: Handled | None) -> Any:
        """Generated code is lowered, which relies on that nothing of this kind is raised."""
        self.trials.handled.update(handled or {})
        return self.raising() if handled else nullcontext()

    def statement(self, stmt: ast.stmt) -> str:
        """One statement; it is kept if it stands in a `try`."""
        whole = self.trials.tried.get(stmt)
        if whole is None:
            return super().statement(stmt)
        if self.trials.levels[whole] == self._level():
            errors = failures(stmt, partial(self._looked_up, stmt), self.contents)
            taken = [self._handler(whole, error) for error in errors]
            if taken and taken[0] is not None and all(h is taken[0] for h in taken):
                raise _Failed(whole, taken[0], errors[0])
        with self.raising():
            return super().statement(stmt)

    def _looked_up(self, stmt: ast.stmt, name: str) -> Value | None:
        found = self.lookup(self.frame, name, stmt)
        return None if found is None else self.current(found)

    def _handler(self, stmt: ast.Try, error: Exception) -> ast.ExceptHandler | None:
        found = (h for h in stmt.handlers if isinstance(error, tuple(self._classes(h))))
        return next(found, None)

    def stmt_Expr(self, stmt: ast.Expr) -> str:
        """`np.linalg.cholesky(a)`, to see whether it fails."""
        if not self.builder.raising or isinstance(stmt.value, ast.Constant):
            return super().stmt_Expr(stmt)
        value = self.expr(stmt.value)
        if isinstance(value, Dyn) and not isinstance(value.expr, _NAMED):
            self.builder.emit(nodes.Do(value.expr, span=self.span(stmt)))
        return "fall"

    def stmt_Return(self, stmt: ast.Return) -> str:
        """What is returned is computed, though the caller may not need it."""
        status = super().stmt_Return(stmt)
        value = self.get(self.frame, RETURN)
        if self.builder.raising and not self.in_loop() and value is not None:
            self.set(self.frame, RETURN, self._computed(value, stmt))
        return status

    def _computed(self, value: Value, node: ast.AST) -> Value:
        contents = self.contents(value)
        if isinstance(contents, Sequence):
            items = tuple(self._computed(v, node) for v in contents.items)
            return value if items == contents.items else self.new(replace(contents, items=items))
        if isinstance(value, Dyn) and not isinstance(value.expr, _NAMED):
            return Dyn(self.named(value, "result", node))
        return value

    def attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        """Numbers of NumPy's have a shape, those of Python's don't: a handler may tell them apart,
        so the code looks whether the attribute is there."""
        looks = self.builder.raising and tells_kinds(self.trials.handled)
        if looks and isinstance(owner, Dyn) and isinstance(owner.expr.type, Scalar):
            held = self.named(owner, "number", node)
            look = nodes.Call("opaque", name, (held,), form="attribute", type=Opaque())
            self.builder.emit(nodes.Do(look, span=self.span(node)))
            owner = Dyn(held)
        return super().attribute(owner, name, node)


def tells_kinds(handled: Iterable[type[BaseException]]) -> bool:
    """Whether a handler may take what an operation raises for a value of a wrong type."""
    return any(issubclass(kind, cls) for kind in _BY_KIND for cls in handled)


__all__ = ["Trials", "Trying"]

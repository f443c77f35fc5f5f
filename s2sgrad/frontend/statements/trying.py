"""Floor 4: `try` around what is decided while compiling: an attribute, an entry of a known dict.

Types decide as well: no operation on an array raises an AttributeError, say.

`try` with `finally` alone is its body, and what stands in `finally` at each way out of it.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Callable
from typing import Any

from s2sgrad.errors import MissingRuleError, UnsupportedError
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import ALWAYS, FALL, JUMP, NEVER, Unreachable, exit_kind, fails
from s2sgrad.frontend.refusals import STATEMENTS, instead_of_trying
from s2sgrad.frontend.state import Fails, State, Unbound
from s2sgrad.frontend.values import Value, parts_of
from s2sgrad.frontend.waiting import is_computed
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Known, List, Scalar, Tuple, Type

# What the types of numbers and arrays rule out.
SURE = {AttributeError, NameError, UnboundLocalError, ImportError, ModuleNotFoundError, TypeError,
        KeyError, NotImplementedError}  # fmt: skip


class Trying(Base):
    """Lowering of `try` where it is known while compiling what is raised, if anything."""

    flag_depth: int

    def stmt_Try(self, stmt: ast.Try) -> str:
        """The body, where nothing that a handler catches can be raised in it; the handler, where
        that surely is. Refused otherwise."""
        what, why, _ = STATEMENTS[ast.Try]
        refusal = self.refuse(what, stmt, why, instead_of_trying(stmt))
        simple = exit_kind(stmt.body[:-1]) == NEVER
        if stmt.finalbody or exit_kind(stmt.orelse) != NEVER:
            raise refusal
        before, mark = self.state.copy(), len(self.builder.block)
        for part in [[s] for s in stmt.body] if simple else [stmt.body]:
            try:
                status: Any = self._tried(functools.partial(self.run_block, part), len(part) == 1)
            except Raised as raised:
                self._check_made(stmt, before, mark, refusal)
                return self._handled(stmt, raised, part, refusal)
            except (UnsupportedError, MissingRuleError):
                raise refusal from None
        self._check_made(stmt, before, mark, refusal)
        return self.run_block(stmt.orelse) if status == FALL else status

    def found_by_getattr(self, owner: Value, name: str, node: ast.AST) -> bool | None:
        """Whether a class's `__getattr__` gives an attribute, and does not raise AttributeError;
        None where a run decides, or where it changes something."""
        before, mark = self.state.copy(), len(self.builder.block)

        def read() -> str:
            self.attribute(owner, name, node)
            return FALL

        try:
            self._tried(read, True)
        except Raised as raised:
            return False if issubclass(raised.cls, AttributeError) else None
        except (UnsupportedError, MissingRuleError, Unreachable):
            return None
        made, same = self.builder.block[mark:], _is_unchanged(before, self.state)
        self.state = before
        del self.builder.block[mark:]
        return True if same and all(map(_is_plain, made)) else None

    def _tried(self, run: Callable[[], str], one: bool) -> str:
        """Run statements; where they surely fail, nothing of them is left. one: it is a single
        one, so that none of them has done anything before."""
        state, flags, block = self.state.copy(), self.flag_depth, len(self.builder.block)
        depth, frames, loops = len(self.builder.blocks), len(self.frames), list(self.loops)
        jumps = [len(loop.paths) for loop in loops]
        try:
            status = run()
            raised = self._raised_last(status, depth, block)
            if raised is None:
                return status
        except Unreachable:
            raised = self._raised_last(JUMP, depth, block)
            if raised is None:
                raise
        except (Unbound, Fails) as error:
            again = any(not loop.unrolled and not loop.strict for loop in loops)
            if not fails(error, again) or not one:
                raise
            raised = Raised(error.raises, error)  # type: ignore[union-attr]
        made = [
            *self.builder.blocks[depth - 1][block:],
            *(s for b in self.builder.blocks[depth:] for s in b),
        ]
        told = [s for s in made if not isinstance(s, nodes.Comment | nodes.Do)]
        if not (_is_unchanged(state, self.state) and all(map(_is_plain, told))):
            raise UnsupportedError(
                "a statement that changes something, and fails then", None,
                "the change would be lost", "change things before the try",
            )  # fmt: skip
        del self.builder.blocks[depth:], self.frames[frames:], self.builder.block[block:]
        self.state, self.flag_depth, self.loops[:] = state, flags, loops
        for loop, count in zip(loops, jumps, strict=True):
            del loop.paths[count:]
        raise raised

    def _raised_last(self, status: str, depth: int, start: int) -> Raised | None:
        """What statements surely raise that say so: `raise ValueError(...)`, in a function too."""
        made = [s for s in self.builder.block[start:] if not isinstance(s, nodes.Comment)]
        if status != JUMP or len(self.builder.blocks) != depth or not made:
            return None
        match made[-1]:
            case nodes.Do(nodes.Call(function=type() as cls), "raise"):
                known = issubclass(cls, BaseException) and all(map(_is_plain, made[:-1]))
                return Raised(cls) if known else None
        return None

    def _check_made(
        self, stmt: ast.Try, before: State, mark: int, refusal: UnsupportedError
    ) -> None:
        """Refuse a `try` whose handlers may be for what the code of its body does."""
        made = [s for s in self.builder.block[mark:] if not isinstance(s, nodes.Comment)]
        if all(map(_is_plain, made)) and _is_settled(before, self.state):
            return
        sure = all(self._caught(h, refusal) <= SURE for h in stmt.handlers)
        if not (sure and _never_raises(made)):
            raise refusal

    def _caught(self, handler: ast.ExceptHandler, refusal: UnsupportedError) -> set[Any]:
        """The classes of exceptions that a handler catches."""
        if handler.type is None:
            return {BaseException}
        listed = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        found = {self.constant_value(self.expr(part)) for part in listed}
        if not all(isinstance(c, type) and issubclass(c, BaseException) for c in found):
            raise refusal
        return found

    def _handled(
        self, stmt: ast.Try, raised: Raised, body: list[ast.stmt], refusal: UnsupportedError
    ) -> str:
        """Run the handler of what is surely raised; where there is none, what raises it."""
        for handler in stmt.handlers:
            if not issubclass(raised.cls, tuple(self._caught(handler, refusal))):
                continue
            inner = [n for s in handler.body for n in ast.walk(s)]
            again = any(isinstance(n, ast.Raise) and n.exc is None for n in inner)
            if again or any(isinstance(n, ast.Name) and n.id == handler.name for n in inner):
                raise refusal
            return self.run_block(handler.body)
        if raised.error is not None:
            raise raised.error
        return self.run_block(body)


class Raised(Exception):
    """What a statement surely raises: an exception of a class. error: for what Python raises."""

    def __init__(self, cls: type[BaseException], error: Any = None) -> None:
        super().__init__(cls, error)
        self.cls, self.error = cls, error


def _is_plain(stmt: nodes.Stmt) -> bool:
    """Whether a statement gives names to numbers, their sums and products: nothing is raised."""
    if not isinstance(stmt, nodes.Assign):
        return False
    parts = [e for value in stmt.values for e in nodes.walk(value)]
    return all(
        isinstance(e, nodes.Const | nodes.Var)
        or (isinstance(e, nodes.Call) and (e.function is float or _is_sum_or_product(e)))
        for e in parts
        if isinstance(e.type, Scalar)
    ) and all(isinstance(e.type, Scalar) or e is stmt.values[0] for e in parts)


def _is_sum_or_product(call: nodes.Call) -> bool:
    return call.form == "operator" and call.text in ("+", "-", "*")


def _never_raises(body: list[nodes.Stmt]) -> bool:
    """Whether statements work on numbers and arrays alone: if Python raises something there, it is
    nothing that their types tell of."""
    for stmt in nodes.walk_block(tuple(body)):
        if not isinstance(stmt, nodes.Assign | nodes.Store | nodes.If | nodes.For | nodes.Comment):
            return False
        if isinstance(stmt, nodes.Store) and not isinstance(stmt.base.type, Array):
            return False
        for part in (e for whole in nodes.expressions(stmt) for e in nodes.walk(whole)):
            if isinstance(part, nodes.Call) and any(isinstance(a.type, Known) for a in part.args):
                return False  # None, or a text
            converts = isinstance(part, nodes.Call) and part.function in _OF_ONE_ENTRY
            if converts and not isinstance(part.args[0].type, Scalar):  # type: ignore[attr-defined]
                return False
            if not _of_numbers(part.type) and not isinstance(part, nodes.Slice | nodes.Ref):
                return False
    return True


def _of_numbers(kind: Type) -> bool:
    if isinstance(kind, Tuple):
        return all(map(_of_numbers, kind.items))
    kind = kind.item if isinstance(kind, List) else kind
    return isinstance(kind, Array | Scalar | Known)


_OF_ONE_ENTRY = (float, int, complex, bool)


def without_finally(stmts: list[ast.stmt]) -> list[ast.stmt]:
    """A block in which nothing stands in a `finally`, but where there are handlers too."""
    if not any(map(_only_finally, stmts)):
        return stmts
    return [s for stmt in stmts for s in (_spelled(stmt) if _only_finally(stmt) else (stmt,))]


def _only_finally(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Try) and not stmt.handlers and bool(stmt.finalbody)


@functools.lru_cache(maxsize=1024)
def _spelled(stmt: ast.Try) -> tuple[ast.stmt, ...]:
    """The same statements at each attempt: what was learnt is known by them."""
    made = _Leaving(copy.deepcopy(stmt.finalbody)).statements(copy.deepcopy(stmt.body))
    return (*made, *stmt.finalbody) if exit_kind(stmt.body) != ALWAYS else tuple(made)


class _Leaving(ast.NodeTransformer):
    """What stands in `finally`, before each statement that leaves the body.

    The value of a `return` is computed before that.
    """

    def __init__(self, final: list[ast.stmt]) -> None:
        self.final, self.inside = final, 0

    def statements(self, stmts: list[ast.stmt]) -> list[ast.stmt]:
        """A block with these put in."""
        return [s for stmt in stmts for s in self._listed(self.visit(stmt))]

    def _listed(self, made: Any) -> list[ast.stmt]:
        return made if isinstance(made, list) else [made]

    def visit_Try(self, node: ast.Try) -> Any:
        """One inside: its own `finally` comes first."""
        return self.statements(list(_spelled(node))) if _only_finally(node) else node

    def visit_Return(self, node: ast.Return) -> Any:
        """A way out."""
        final = copy.deepcopy(self.final)
        if node.value is None or isinstance(node.value, ast.Constant):
            return [*final, node]
        stored, kept = ast.Name("<value>", ast.Store()), ast.Name("<value>", ast.Load())
        made = [ast.Assign([stored], node.value), ast.Return(kept)]
        for part in (stored, kept, *made):
            ast.copy_location(part, node)
        return [made[0], *final, made[1]]

    def visit_Break(self, node: ast.Break) -> Any:
        """A way out, unless it leaves a loop inside."""
        return node if self.inside else [*copy.deepcopy(self.final), node]

    def visit_Continue(self, node: ast.Continue) -> Any:
        """As `break`."""
        return node if self.inside else [*copy.deepcopy(self.final), node]

    def visit_For(self, node: ast.For) -> Any:
        """A loop inside."""
        return self._loop(node)

    def visit_While(self, node: ast.While) -> Any:
        """A loop inside."""
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> ast.stmt:
        self.inside += 1
        node.body = self.statements(node.body)
        self.inside -= 1
        node.orelse = self.statements(node.orelse)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Functions inside have ways out of their own."""
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """As functions inside."""
        return node


def _is_unchanged(before: State, now: State) -> bool:
    """Whether names and containers hold what they held before."""
    names = all(now.vars.get(key) == value for key, value in before.vars.items())
    return names and all(now.heap.get(key) is held for key, held in before.heap.items())


def _is_settled(before: State, now: State) -> bool:
    """Whether all that has changed is there already: nothing of it waits to be computed."""
    values = [v for k, v in now.vars.items() if before.vars.get(k) is not v]
    changed = [c for i, c in now.heap.items() if before.heap.get(i) is not c]
    return all(map(is_computed, values)) and all(
        is_computed(v) for contents in changed for v in parts_of(contents)
    )


__all__ = ["Trying", "without_finally"]

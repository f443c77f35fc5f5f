"""Floor 4: lower loops.

A loop is run again and again on the abstract state until what its names hold at the head does
not change any more; names that change from one iteration to the next become variables of the
generated loop.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Set
from typing import Any

from s2sgrad.analysis.still_numbers import runs
from s2sgrad.frontend.containers.plain_dicts import Reclassed, without_factory
from s2sgrad.frontend.exits import (
    FALL,
    NEVER,
    RETURNED,
    SKIP,
    STOP,
    Unroll,
    breaks,
    exit_kind,
    returns,
)
from s2sgrad.frontend.loops.attempts import Attempt
from s2sgrad.frontend.loops.carried import Slot, Typed, typed
from s2sgrad.frontend.loops.filling import Filling, Places, perhaps_unbound
from s2sgrad.frontend.loops.headers import Header, WhileHeader
from s2sgrad.frontend.loops.loop import Loop
from s2sgrad.frontend.loops.unrolling import is_counter
from s2sgrad.frontend.loops.written_out import WrittenOut
from s2sgrad.frontend.state import NeedsResidual, NotHeld, State
from s2sgrad.frontend.values import (
    Dyn,
    Generator,
    Heap,
    Iterator,
    Sequence,
    Static,
    Value,
)
from s2sgrad.frontend.waiting import changes, compute_waiting, holds_waiting
from s2sgrad.ir import nodes
from s2sgrad.ir.names import GENERATED
from s2sgrad.ir.types import Array, Scalar, Type, join, type_parts

MOST_ATTEMPTS = 30  # until the types of a loop's variables have settled
MOST_PARTS = 500  # of the type of one variable: those of trees without end double


class Loops(WrittenOut):
    """Lowering of `for` and `while`."""

    loops: list[Loop]
    flag_depth: int

    # --- for ---------------------------------------------------------------------------------
    def stmt_For(self, stmt: ast.For) -> str:
        self.target_hint = "items"
        iterable = self.expr(stmt.iter)
        return self._with_else(stmt, lambda flag: self._for(stmt, iterable, flag))

    def _with_else(self, stmt: ast.For | ast.While, run: Callable[[str], str]) -> str:
        """A loop and its else part, which runs unless the loop was broken out of."""
        if not (stmt.orelse and breaks(stmt.body)):
            status = run("")
            return self._else(stmt) if stmt.orelse and status == FALL else status
        flag = f"<broke{len(self.loops)}>"
        self.set(self.frame, flag, Static(False))
        run(flag)
        value = self.get(self.frame, flag)
        self.state.vars.pop((self.frame.id, flag), None)
        known = self.truth(value) if value is not None else False
        if known is not None:
            return FALL if known else self._else(stmt)
        test = self.residual(value)  # type: ignore[arg-type]
        return self.choose(test, lambda: FALL, lambda: self._else(stmt), stmt)

    def _else(self, stmt: ast.For | ast.While) -> str:
        """The else part; its exits set flags, since statements may follow the loop."""
        returned = any(map(returns, stmt.body))
        run = self.guarded if returned else self.run_block
        if exit_kind(stmt.orelse) == NEVER:
            return run(stmt.orelse)
        self.flagged(lambda: run(stmt.orelse))
        return FALL  # what follows is guarded by the flags

    def _for(self, stmt: ast.For, iterable: Value, flag: str) -> str:
        def body() -> str:
            return self.run_block(stmt.body)

        return self.each(stmt.target, iterable, body, stmt, flag)

    def each(
        self,
        target: ast.expr,
        iterable: Value,
        body: Callable[[], str],
        node: ast.AST,
        flag: str = "",
    ) -> str:
        """Run `body` for each item of a value: unrolled where the items are known, else a loop."""
        if self.is_stepping(iterable):
            return self.step_through(target, iterable, body, node, flag)
        iterable = self.items_of(iterable, node)
        if self.holds_others(iterable):
            iterable = self.yielding_rows(iterable, node)
        if self.is_yielding(iterable):
            return self.run_generator(target, iterable, body, node, flag)
        if isinstance(iterable, Generator):
            mapped = self.as_map(iterable)
            if mapped is None:
                iterable = self.as_function(iterable, node)
                return self.run_generator(target, iterable, body, node, flag)
            iterable = mapped
        iterable = self.current(self.without_generators(iterable, node))
        if isinstance(iterable, Iterator) and iterable.kind == "count":
            return self.endless(target, iterable, body, node, flag)
        counter = is_counter(iterable)
        iterable = iterable if counter else self.computed_once(iterable, node)
        items = None if counter else self.iterate(iterable, node, in_turn=True)
        items = self.turns(iterable, node) if items is None else items
        if items is not None:
            length = len(items)
            rows = None if counter else self.rows_at_run_time(iterable, node)
            return self.written_out(
                target, items, body, flag, lambda: self.rows_now(iterable, length, node), rows
            )
        if node not in self.unroll and self.goes_through_functions(iterable):
            raise Unroll(node)
        known, countable = len(self.builder.types), self.can_be_written_out(iterable)
        try:
            status = self.loop(Header(self, iterable, node), target, body, node, flag)
            if countable:
                self.note_lists(node, known)
            return status
        except NotHeld:
            if node in self.unroll or not countable:
                raise
            raise Unroll(node) from None

    def flags(self) -> tuple[str, str]:
        """The names of the innermost loop's flags."""
        return self.flag(SKIP), self.flag(STOP)

    def bind_pattern(self, target: ast.expr, value: Value) -> None:
        """Bind loop targets without emitting copies of known items."""
        if isinstance(target, ast.Name):
            if isinstance(value, Dyn) and not isinstance(
                value.expr, nodes.Var | nodes.Const | nodes.Slice
            ):
                value = Dyn(self.builder.bind(target.id, value.expr))
            self.set_name(target.id, value)
            return
        if isinstance(target, ast.Tuple | ast.List):
            items = self.iterate(value, target)
            if items is not None and not any(isinstance(e, ast.Starred) for e in target.elts):
                if len(items) != len(target.elts):
                    raise self.refuse(
                        f"can't unpack {len(items)} values into {len(target.elts)} names",
                        target,
                        "Python raises an error here as well",
                        "write as many names as there are values",
                    )
                for element, item in zip(target.elts, items, strict=True):
                    self.bind_pattern(element, item)
                return
        statement = ast.copy_location(ast.Assign([target], ast.Constant(None)), target)
        self.assign(target, value, statement)

    # --- while -------------------------------------------------------------------------------
    def stmt_While(self, stmt: ast.While) -> str:
        def body() -> str:
            return self.run_block(stmt.body)

        def run(flag: str) -> str:
            turns = self.turns_of_while(stmt)
            if turns is None:
                return self.loop(WhileHeader(self, stmt), None, body, stmt, flag)
            turn = ast.copy_location(ast.Name("<turn>", ast.Store()), stmt)
            return self.written_out(turn, turns(), body, flag, turns, None)

        return self._with_else(stmt, run)

    def _unsure(self) -> Callable[[], Set[str]]:
        """Tells the variables that may have no value of their own where a loop begins."""
        blocks = list(map(list, self.builder.blocks))
        begun = {name for loop in self.loops for name in loop.begun_inside}
        return functools.cache(lambda: perhaps_unbound(blocks, begun))

    # --- the fixed point ---------------------------------------------------------------------
    def loop(
        self,
        header: Any,
        target: ast.expr | None,
        body: Callable[[], str],
        node: ast.AST,
        flag: str = "",
    ) -> str:
        """Lower a loop: repeat its body on the abstract state until its head is stable."""
        if exit_kind([node]) != NEVER and self.get(self.frame, RETURNED) is None:  # type: ignore[list-item]
            self.set(self.frame, RETURNED, Static(False))
        entry = self.state
        depth, flags = len(self.builder.blocks), self.flag_depth
        settled = node, self.frame.id
        slots, places = self._expected(settled, entry), Places()
        strict, attempts, first = False, 0, next(self.frame_ids)
        while attempts < MOST_ATTEMPTS:
            attempts += 1
            self.state = entry.copy()
            mark, held = len(self.builder.block), dict(entry.heap)
            loop = Loop(self.frame, broke_flag=flag, entry=held, strict=strict, node=node)
            loop.first_frame = first
            loop.unsure = self._unsure()
            if isinstance(header, Header) and runs(tuple(header.sources)):
                loop.filling = Filling(self.letters.origin, entry, places, loop.unsure)
            try:
                attempt = Attempt(self, loop, slots, entry)
                attempt.run(header, target, body)
                grown = attempt.changes()
            except (NeedsResidual, Reclassed) as found:
                self._reset(depth, mark, loop)
                self.flag_depth, self.state = flags, entry
                self._hold_otherwise(found, node)
                entry, slots = self.state, {}
                attempts -= 1  # there are only so many containers
                continue
            if not attempt.entered:
                self._reset(depth, mark, loop)
                self.state = entry
                return FALL
            if any(map(changes, attempt.body)) and holds_waiting(entry):
                self._reset(depth, mark, loop)
                self.state, slots = entry, {}
                compute_waiting(entry, self.builder)  # once, not in each iteration
                continue
            if not grown and loop.skipped and not self.outer_attempts():
                strict = grown = True  # no later iteration gives the name a value
            finished = None if grown else attempt.finish(header, node)
            if finished is not None:
                self.settled[settled] = self._carried_numbers(attempt)
                return finished
            self._reset(depth, mark, loop)
            self.state = entry
            self._widen(attempt.retyped, node)
            entry = self.state
        raise self._unsettled(node)

    def _hold_otherwise(self, found: NeedsResidual | Reclassed, node: ast.AST) -> None:
        """Have what a name holds before the loop in a make that it can have in it as well."""
        if isinstance(found, NeedsResidual):
            self.materialize(found.identity)
            self._build_lists(node)
            return
        key, names = (found.slot[1], found.slot[2]), self.state.vars
        names[key] = without_factory(names[key], self.state, self.builder.ids)

    def _unsettled(self, node: ast.AST) -> Exception:
        return self.refuse(
            "the types of this loop's variables do not settle",
            node,
            "each pass through the loop finds other kinds of values under its names",
            "use one name for each kind of value, set before the loop",
        )

    def _growing(self, node: ast.AST) -> Exception:
        return self.refuse(
            "tuples or lists that this loop puts into one another, deeper with each pass",
            node,
            "generated code has one type for each variable, and that of a tuple says what is in it",
            "let objects of a class hold one another: class Node, with an __init__(self, weight, "
            "left, right), and with an __lt__(self, other) where heapq compares them",
        )

    def _widen(self, retyped: dict[str, Type], node: ast.AST) -> None:
        """Give variables, and those that share their values, the types that an attempt found."""
        for name, kind in retyped.items():
            if _size(kind) > MOST_PARTS:
                raise self._growing(node)  # `h.append((h.pop(), h.pop()))`: twice as many each
            for mate in self.builder.all_mates(name):
                wide = join(self.builder.types[mate], kind)
                self.retype(nodes.Var(mate, type=wide), wide)

    def _build_lists(self, node: ast.AST) -> None:
        """Generated code: lists that a loop appends to are built, as many as it saves values."""
        if not self.source.filename.startswith(GENERATED):
            return
        for name in dict.fromkeys(map(_appended_to, ast.walk(node))):
            held = self.get(self.frame, name)
            if isinstance(held, Heap) and self.contents(held) == Sequence("list", ()):
                self.materialize(held.id)

    def _expected(self, settled: tuple[ast.AST, int], entry: State) -> dict[Slot, list[Value]]:
        """What an earlier attempt of a loop around found to change here, if its type is the same.

        Without it each loop is lowered twice for each time that the one around it is.
        """
        found: dict[Slot, list[Value]] = {}
        for slot, seen in self.settled.get(settled, {}).items():
            value = entry.vars.get(slot[1:])  # type: ignore[call-overload]
            if isinstance(value, Dyn) and value.type == seen.type:
                found[slot] = [seen.with_marks(typed(value, self.builder))]
        return found

    def _carried_numbers(self, attempt: Attempt) -> dict[Slot, Typed]:
        """The names that are variables at the head of a loop, and hold numbers or arrays."""
        return {
            slot: typed(phi, self.builder)
            for slot, phi in attempt.phis.items()
            if slot[0] == "v" and isinstance(phi, Dyn) and isinstance(phi.type, Scalar | Array)
        }

    def outer_attempts(self) -> bool:
        """Whether a loop around this one will be run again."""
        return any(not loop.unrolled and not loop.strict for loop in self.loops)

    def _reset(self, depth: int, mark: int, loop: Loop) -> None:
        del self.builder.blocks[depth:]
        del self.builder.block[mark:]
        if loop in self.loops:
            del self.loops[self.loops.index(loop) :]


def _appended_to(node: ast.AST) -> str:
    """The name in `name.append(...)`; none for other nodes."""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr="append"):
            return name
    return ""


def _size(kind: Type) -> int:
    """How many types a type is made of."""
    return 1 + sum(map(_size, type_parts(kind)))

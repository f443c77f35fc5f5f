"""Floor 4: lower loops.

A loop is run again and again on the abstract state until what its names hold at the head does
not change any more; names that change from one iteration to the next become variables of the
generated loop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

from s2sgrad.analysis.still_numbers import runs
from s2sgrad.frontend.exits import (
    DONE,
    FALL,
    JUMP,
    NEVER,
    RETURNED,
    SKIP,
    STOP,
    breaks,
    exit_kind,
    returns,
)
from s2sgrad.frontend.loops.attempts import Attempt, Loop, Slot
from s2sgrad.frontend.loops.carried import Typed
from s2sgrad.frontend.loops.filling import Filling, Places
from s2sgrad.frontend.loops.headers import Header, WhileHeader
from s2sgrad.frontend.loops.unrolling import Unroll, Unrolling, is_counter
from s2sgrad.frontend.state import NeedsResidual, NotHeld, State, Together
from s2sgrad.frontend.values import (
    Dyn,
    Generator,
    Heap,
    Iterator,
    Sequence,
    Static,
    Value,
    is_array,
)
from s2sgrad.frontend.waiting import changes, compute_waiting, holds_waiting
from s2sgrad.ir import nodes
from s2sgrad.ir.names import GENERATED
from s2sgrad.ir.types import Array, Scalar, Type, join

MOST_ATTEMPTS = 30  # until the types of a loop's variables have settled


class Loops(Unrolling):
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
        iterable = self.without_generators(iterable, node)
        if isinstance(iterable, Iterator) and iterable.kind == "count":
            return self.endless(target, iterable, body, node, flag)
        counter = is_counter(iterable)
        iterable = iterable if counter else self.computed_once(iterable, node)
        items = None if counter else self.iterate(iterable, node, in_turn=True)
        items = self.turns(iterable, node) if items is None else items
        if items is not None:
            length = len(items)
            rows = None if counter else self.rows_at_run_time(iterable, node)
            return self._unrolled(
                target, items, body, flag, lambda: self._now(iterable, length, node), rows
            )
        header, known = Header(self, iterable, node), len(self.builder.types)
        try:
            status = self.loop(header, target, body, node, flag)
            if self.makes_objects(known) and self.can_be_written_out(iterable):
                self.of_objects.append(node)
            return status
        except NotHeld:
            if node in self.unroll or not self.can_be_written_out(iterable):
                raise
            raise Unroll(node) from None

    def flags(self) -> tuple[str, str]:
        """The names of the innermost loop's flags."""
        return self.flag(SKIP), self.flag(STOP)

    def _now(self, iterable: Value, length: int, node: ast.AST) -> list[Value] | None:
        """The items of lists that may have changed since a loop over them began."""
        parts = _gone_through(iterable)
        if not any(isinstance(p, Heap) or is_array(p) for p in parts):
            return None
        gone = {p.id for p in parts if isinstance(p, Heap) and p.id not in self.state.heap}
        if gone:  # generated code has built it: let it do so from the start
            what = "a list that is gone through is built at run time meanwhile"
            why = "its items are known while compiling before the change, and not after it"
            fix = "loop over a copy: for item in list(items)"
            raise Together(gone, self.refuse(what, node, why, fix))
        iterable = self.current(iterable)
        items = self.iterate(iterable, node, in_turn=True)
        if items is None:
            items = self.first_items(iterable, length, node, in_turn=True)
        turned = isinstance(iterable, Iterator) and iterable.kind == "reversed"
        if turned and items is not None and len(items) != length:
            raise self.refuse(
                "a list changes its length while it is gone through backwards",
                node,
                "the places of the items move while they are counted down",
                "loop over a copy: for item in reversed(list(items))",
            )
        return items

    def _unrolled(
        self,
        target: ast.expr,
        items: list[Value],
        body: Callable[[], str],
        flag: str,
        now: Callable[[], list[Value] | None],
        rows: Value | None,
    ) -> str:
        """rows: how many of the items a run goes through, where that is not known here."""
        loop = Loop(self.frame, unrolled=True, broke_flag=flag, rows=rows)
        self.loops.append(loop)
        depth, self.flag_depth = self.flag_depth, 0
        try:
            return self._unroll_from(target, items, body, loop, now)
        finally:
            self.flag_depth = depth
            self.loops.pop()

    def _unroll_from(
        self,
        target: ast.expr,
        items: list[Value],
        body: Callable[[], str],
        loop: Loop,
        now: Callable[[], list[Value] | None],
        start: int = 0,
        begun: bool = False,
    ) -> str:
        """The iterations from `start` on. begun: it is known that there is that one."""
        for i in count(start):
            if i > start and (changed := now()) is not None:
                items = changed
            if i >= len(items):
                return FALL
            if loop.rows is not None and not (begun and i == start):
                test = self.residual(self.compare("<=", loop.rows, Static(i), target))
                later = partial(self._unroll_from, target, items, body, loop, now, i, True)
                return self.choose(test, lambda: FALL, later, None)
            self.bind_pattern(target, self.taken(items[i], target))
            for name in self.flags():
                self.state.vars.pop((self.frame.id, name), None)
            status = body()
            if status in (JUMP, DONE):
                return status
            stop = self.get(self.frame, self.flag(STOP))
            returned = self.get(self.frame, RETURNED)
            for name in self.flags():
                self.state.vars.pop((self.frame.id, name), None)
            for value in (stop, returned):
                known = self.truth(value) if value is not None else False
                if known:
                    return FALL
                if known is None:
                    later = partial(self._unroll_later, target, items, body, loop, now, i + 1)
                    test = self.residual(value)  # type: ignore[arg-type]
                    return self.choose(test, lambda: FALL, later, None)
        return FALL

    def _unroll_later(
        self,
        target: ast.expr,
        items: list[Value],
        body: Callable[[], str],
        loop: Loop,
        now: Callable[[], list[Value] | None],
        start: int,
    ) -> str:
        """The iterations from one on, where only a run can tell whether they happen."""
        found = now()
        items = items if found is None else found
        return self._unroll_from(target, items, body, loop, now, start)

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
            return self._unrolled(turn, turns(), body, flag, turns, None)

        return self._with_else(stmt, run)

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
        strict, attempts = False, 0
        while attempts < MOST_ATTEMPTS:
            attempts += 1
            self.state = entry.copy()
            mark, held = len(self.builder.block), dict(entry.heap)
            loop = Loop(self.frame, broke_flag=flag, entry=held, strict=strict, node=node)
            if isinstance(header, Header) and runs(tuple(header.sources)):
                loop.filling = Filling(self.letters.origin, entry, places)
            try:
                attempt = Attempt(self, loop, slots, entry)
                attempt.run(header, target, body)
                grown = attempt.changes()
            except NeedsResidual as found:
                self._reset(depth, mark, loop)
                self.flag_depth = flags
                self.state = entry
                self.materialize(found.identity)
                self._build_lists(node)
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
            self._widen(attempt.retyped)
            entry = self.state
        raise self._unsettled(node)

    def _unsettled(self, node: ast.AST) -> Exception:
        return self.refuse(
            "the types of this loop's variables do not settle",
            node,
            "each pass through the loop finds other kinds of values under its names",
            "use one name for each kind of value, set before the loop",
        )

    def _widen(self, retyped: dict[str, Type]) -> None:
        """Give variables, and those that share their values, the types that an attempt found."""
        for name, kind in retyped.items():
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
                found[slot] = [Typed(seen.type, seen.whole or self.may_be_whole(value))]
        return found

    def _carried_numbers(self, attempt: Attempt) -> dict[Slot, Typed]:
        """The names that are variables at the head of a loop, and hold numbers or arrays."""
        return {
            slot: Typed(phi.type, self.may_be_whole(phi))
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


def _gone_through(value: Value) -> tuple[Value, ...]:
    """The lists and arrays that zip, enumerate, reversed and map go through; none of others."""
    if not isinstance(value, Iterator):
        return (value,)
    if value.kind not in ("zip", "enumerate", "reversed", "map"):
        return ()
    return tuple(found for part in value.parts for found in _gone_through(part))

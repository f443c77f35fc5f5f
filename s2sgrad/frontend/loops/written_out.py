"""Floor 4: the turns of loops that are written out, one after the other."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any

from s2sgrad.frontend import wording as say
from s2sgrad.frontend.exits import DONE, FALL, JUMP, RETURNED, STOP
from s2sgrad.frontend.loops.loop import Loop
from s2sgrad.frontend.loops.unrolling import Unrolling
from s2sgrad.frontend.state import Fails, Together
from s2sgrad.frontend.values import Heap, Iterator, Mapping, Static, Value, is_array


class WrittenOut(Unrolling):
    """The part of the lowering that runs the body of a loop for one known item after another."""

    flag_depth: int
    views: dict[int, Any]

    def written_out(
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

    def rows_now(self, iterable: Value, length: int, node: ast.AST) -> list[Value] | None:
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
        shown = isinstance(iterable, Heap) and iterable.id in self.views
        of_a_dict = shown or isinstance(self.contents(iterable), Mapping)
        if of_a_dict and items is not None and len(items) != length:
            fix = "loop over a copy: for key in list(table)"
            failed = Fails(
                "dictionary changed size during iteration", self.span(node), say.ALSO, fix
            )
            failed.raises = RuntimeError
            raise failed
        return items


def _gone_through(value: Value) -> tuple[Value, ...]:
    """The lists and arrays that zip, enumerate, reversed and map go through; none of others."""
    if not isinstance(value, Iterator):
        return (value,)
    if value.kind not in ("zip", "enumerate", "reversed", "map"):
        return ()
    return tuple(found for part in value.parts for found in _gone_through(part))

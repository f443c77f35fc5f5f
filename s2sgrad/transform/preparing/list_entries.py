"""Floor 5: the statements around a list, with the entries of an array for its items."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.analysis.list_counts import count_in, makes_array, turn_of
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, For, Index, Mutate, Stmt, Store, Var
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import INT, List, Type
from s2sgrad.transform.preparing.list_places import Count, Read, Turn, counter_of, is_length
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_expr, map_stmt_exprs, with_blocks


@dataclass(frozen=True)
class Entries:
    """The entries of an array along an axis, in place of the items of a list of this name.

    item: the type of an item, or of the array for an item that is a list. read: how sizes are read
    off the arguments. fresh: a new variable.
    What can't be written with the array is left as it is, and mentions the list.
    """

    name: str
    array: Var
    axis: int
    item: Type
    read: Read
    fresh: Callable[[str, Expr], Var]

    def begun(self, made: nodes.Assign, allocated: Call) -> Iterator[Stmt]:
        """The array, with the items that the list had from the start."""
        (display,) = made.values
        assert isinstance(display, nodes.Sequence)
        yield replace(made, targets=(self.array.name,), values=(allocated,))
        for k, item in enumerate(display.items):
            yield self._store(item, build.number(k), made)

    def filled(self, block: Block, count: Count, last: Stmt | None) -> Block:
        """The statements from where the list has so many items on.

        last: the statement after which nothing is added to it any more.
        """
        result: list[Stmt] = []
        for stmt in block:
            result.append(self._filled(stmt, count))
            added = count_in(stmt, self.name)
            assert added is not None
            count = replace(count.more(added), whole=count.whole or stmt is last)
        return tuple(result)

    def _filled(self, stmt: Stmt, count: Count) -> Stmt:
        if isinstance(stmt, For):
            return self._loop(stmt, count)
        new = map_stmt_exprs(stmt, lambda e: self._read(e, count))
        if isinstance(new, Mutate) and count_in(stmt, self.name) != of(0):
            place = count.written(self.read)
            return new if place is None else self._store(new.args[0], place, new)
        return with_blocks(new, lambda block: self.filled(block, count, None))

    def _loop(self, loop: For, count: Count) -> For:
        loop = self._gone_through(loop, count)
        sources = tuple(self._source(s, count) for s in loop.sources)
        each = turn_of(loop, self.name)
        if each is None or each == of(0):
            inside = count.within(loop, self.name)
            return replace(loop, sources=sources, body=self.filled(loop.body, inside, None))
        counter, start = counter_of(loop)
        targets = loop.targets
        if counter is None:
            counter = self.fresh("k", Const(0, type=INT))
            targets = (counter.name, *targets)
            sources = (Call("count", "count", (), type=List(INT)), *sources)
        inside = replace(count, turns=(*count.turns, Turn(counter, start, each)))
        body = self.filled(loop.body, inside, None)
        return replace(loop, targets=targets, sources=sources, body=body)

    def _gone_through(self, loop: For, count: Count) -> For:
        """A loop over the items that there are, while others are still to come, by their places."""
        stop = count.written(self.read)
        if count.whole or stop is None:
            return loop
        sources, first = list(loop.sources), list[Stmt]()
        targets = list(loop.targets)
        for k, source in enumerate(loop.sources):
            if source == Var(self.name):
                place = self.fresh("k", Const(0, type=INT))
                sources[k] = Call(range, "range", (stop,), type=List(INT))
                item = Index(self.array, self._index(place), type=self.item)
                first.append(Assign((targets[k],), (item,), span=loop.span))
                targets[k] = place.name
        body = (*first, *loop.body)
        return replace(loop, targets=tuple(targets), sources=tuple(sources), body=body)

    def _source(self, source: Expr, count: Count) -> Expr:
        """What a loop goes through."""
        if source == Var(self.name):
            return self.array if count.whole and not self.axis else source
        return map_expr(source, lambda e: self._read(e, count))

    def _read(self, expr: Expr, count: Count) -> Expr:
        """A length, an item or an array of all items; other expressions as they are."""
        match expr:
            case Call() if is_length(expr, self.name):
                return count.written(self.read) or expr
            case Index(base=Var()) if not isinstance(expr.type, List):
                return self._item(expr, count)
            case Index(base=Index(base=Var(), type=List()) as row):
                return replace(expr, base=self._item(row, count))
            case Call(args=(Index(base=Var(), type=List()) as row,)) if expr.function is len:
                return replace(expr, args=(self._item(row, count),))
            case Call() if makes_array(expr, self.name):
                return self.array if count.whole and expr.type == self.array.type else expr
        return expr

    def _item(self, expr: Index, count: Count) -> Index:
        """The entry, or the row, for an item of the list."""
        match expr:
            case Index(base=Var(name=self.name), index=(place,)) if not nodes.is_slice(place):
                known = count.place(place, self.read)
                if known is not None:
                    return Index(self.array, self._index(known), type=self.item)
        return expr

    def _index(self, place: Expr) -> tuple[Expr, ...]:
        return (*(build.FULL,) * self.axis, place)

    def _store(self, item: Expr, place: Expr, stmt: Stmt) -> Stmt:
        if isinstance(item.type, List) or isinstance(item, nodes.Sequence):
            item = Call(np.array, "np.array", (item,), type=self.item)
        return Store(self.array, self._index(place), item, span=stmt.span)


__all__ = ["Entries"]

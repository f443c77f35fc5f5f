"""Floor 6: saved values in arrays that grow, where no array made before the loops would do.

`while` loops and loops that are left early save as many values as they find out. Where all that a
list takes has one shape, known before, they go into blocks of rows: no row needs memory of its own.
Each block has twice as many rows as the one before: there are few of them, and large ones are kept
for the next call. Lists that are filled together and emptied together share their count.

    x_saved.append(x)              if x_count == x_saved.shape[0]:
                                       x_full.append(x_saved)
                                       x_saved = np.empty((x_saved.shape[0] * 2, n))
                                       x_count = 0
                                   x_saved[x_count] = x
                                   x_count += 1

    x = x_saved.pop()              if x_count == 0:
                                       x_saved = x_full.pop()
                                       x_count = x_saved.shape[0]
                                   x_count -= 1
                                   x = x_saved[x_count]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.backend.loops.extents import add, integer, length, multiply
from s2sgrad.backend.loops.held import begun_as_none, by_value, kept_entry
from s2sgrad.backend.loops.storage import (
    FULL,
    Lengths,
    Store,
    held_dtype,
    made_of,
    uncopied,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Index, Stmt, Var
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import BOOL, INT, Array, List, Type
from s2sgrad.transform.writing.rewrite import map_stmt_exprs

BLOCK = 4096  # entries of the first block, about: 32 KB


def stored_in_growing_arrays(function: Function, names: Names) -> Function:
    """The function with such lists as arrays that grow."""
    found = _stores(function, names)
    if not found:
        return function
    types: dict[str, Type] = dict(function.types)
    for own in found.values():
        types |= {own.store.array.name: own.store.array.type, own.count.name: INT}
        types[own.full.name] = own.full.type
    return replace(
        function,
        body=_Writer(found, function.body).block(function.body),
        types=types,
    )


@dataclass(frozen=True)
class Growing:
    """store: the last block; count: how many of its rows are in use; full: the blocks before.

    together: the lists that share the count, in the order in which they are filled.
    """

    store: Store
    count: Var
    full: Var
    together: tuple[str, ...]


# --- which lists ---------------------------------------------------------------------------
@dataclass
class _Uses:
    """Where lists are made, filled, emptied and asked whether anything is in them.

    last, first: of the outermost statements in which one is filled last, and emptied first.
    """

    made: Counter[str] = field(default_factory=Counter)
    filled: dict[str, list[Expr]] = field(default_factory=dict)
    emptied: dict[str, list[Expr]] = field(default_factory=dict)
    known: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    last: dict[str, int] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)

    def look(self, body: Block) -> _Uses:
        for at, outermost in enumerate(body):
            if (name := _list_made(outermost)) is not None:
                self.made[name] += 1
            for stmt in nodes.walk_block((outermost,)):
                self.statement(stmt, at)
                if stmt is not outermost and (name := _list_made(stmt)) is not None:
                    self.made[name] += 2  # inside a loop or a branch
        return self

    def statement(self, stmt: Stmt, at: int) -> None:
        match stmt:
            case nodes.Mutate(base=Var(name=name), method="append", args=(value,), target=None):
                self.filled.setdefault(name, []).append(value)
                self.known[name] += 1
                self.last[name] = at
            case nodes.While(test=Var(name=name)):
                self.known[name] += 1
        taken = _taken(stmt)
        for name, node in taken:
            self.emptied.setdefault(name, []).append(node)
            self.known[name] += [n for n, _ in taken].count(name) == 1
            self.first.setdefault(name, at)
        for expr in nodes.expressions(stmt):
            self.named.update(n.name for n in nodes.walk(expr) if isinstance(n, Var))


def _list_made(stmt: Stmt) -> str | None:
    match stmt:
        case nodes.Assign(targets=(name,), values=(nodes.Sequence(kind="list", items=()),)):
            return name
    return None


def _taken(stmt: Stmt) -> list[tuple[str, Expr]]:
    """The lists from which a statement surely takes one entry, once."""
    if isinstance(stmt, nodes.While):
        return []
    return [found for expr in nodes.expressions(stmt) for found in _pops(expr)]


def _pops(expr: Expr) -> list[tuple[str, Expr]]:
    match expr:
        case Call(form="method", text="pop", args=(Var(name=name),)):
            return [(name, expr)]
        case nodes.Choice(test=test):
            return _pops(test)  # of the others only one is evaluated
        case Call(text="and" | "or", args=(first, *_)):
            return _pops(first)
    return [found for child in nodes.children(expr) for found in _pops(child)]


def _stores(function: Function, names: Names) -> dict[str, Growing]:
    uses = _Uses().look(function.body)
    moved = nodes.bound_in(function.body)
    sizes = Lengths(function, moved)
    rows: dict[str, tuple[Type, list[tuple[Size | None, Expr]]]] = {}
    for name, times in uses.made.items():
        values, taken = uses.filled.get(name, []), uses.emptied.get(name, [])
        plain = times == 1 and values and taken and uses.known[name] == uses.named[name]
        if not plain or uses.last[name] >= uses.first[name]:
            continue
        if any(v.type != values[0].type for v in (*values, *taken)):
            continue
        if isinstance(values[0].type, Array) and not all(
            by_value(name, v, function) for v in values
        ):
            continue
        row = sizes.rows(values[0], set()) if held_dtype(values[0].type) else None
        if row is not None and all(part == FULL for part in row[1]):
            rows[name] = values[0].type, row[0]
    return _grown(rows, function.body, names)


def _grown(
    rows: dict[str, tuple[Type, list[tuple[Size | None, Expr]]]], body: Block, names: Names
) -> dict[str, Growing]:
    """rows: what each list holds, and the lengths of that."""
    found: dict[str, Growing] = {}
    for together in _together(set(rows), body):
        first = together[0].removesuffix("_saved")
        count = Var(names.fresh(f"{first}_count"), type=INT)
        longest = max((rows[name][1] for name in together), key=len)
        for name in together:
            item, axes = rows[name]
            own = _rows_of(name, item, axes, count, longest)
            full = names.fresh(f"{name.removesuffix('_saved')}_full")
            found[name] = Growing(own, count, Var(full, type=List(own.array.type)), together)
    return found


def _together(wanted: set[str], body: Block) -> list[tuple[str, ...]]:
    """The lists, those together that are filled and emptied once in the same rounds."""
    blocks = [body, *(b for s in nodes.walk_block(body) for b in nodes.blocks(s))]
    runs = [run for block in blocks for run in _without_exits(block)]
    filled: Counter[str] = Counter()
    emptied: Counter[str] = Counter()
    places: dict[str, tuple[int, int]] = dict.fromkeys(wanted, (-1, -1))
    order: list[str] = []
    for stmt in nodes.walk_block(body):
        order += _filled_by(stmt)
        filled.update(_filled_by(stmt))
        emptied.update(name for name, _ in _taken(stmt))
    for k, run in enumerate(runs):
        for stmt in run:
            for name in (n for n in _filled_by(stmt) if n in wanted):
                places[name] = k, places[name][1]
            for name in (n for n, _ in _taken(stmt) if n in wanted and not nodes.blocks(stmt)):
                places[name] = places[name][0], k
    found: dict[Any, list[str]] = {}
    for name in sorted(wanted, key=order.index):
        once = filled[name] == emptied[name] == 1 and min(places[name]) >= 0
        found.setdefault(places[name] if once else name, []).append(name)
    return [tuple(lists) for lists in found.values()]


def _filled_by(stmt: Stmt) -> list[str]:
    match stmt:
        case nodes.Mutate(base=Var(name=name), method="append"):
            return [name]
    return []


def _without_exits(block: Block) -> list[list[Stmt]]:
    """The statements of a block, apart where one may leave it."""
    runs: list[list[Stmt]] = [[]]
    for stmt in block:
        runs[-1].append(stmt)
        if not all(isinstance(s, _STAYS) for s in nodes.walk_block((stmt,))):
            runs.append([])
    return runs


_STAYS = (nodes.Assign, nodes.Store, nodes.Mutate, nodes.Unpack, nodes.Comment, nodes.If,
          nodes.For, nodes.While)  # fmt: skip


def _rows_of(
    name: str, item: Type, axes: list[tuple[Size | None, Expr]], count: Var,
    longest: list[tuple[Size | None, Expr]],
) -> Store:  # fmt: skip
    """longest: the lengths of what decides how many rows there are."""
    kind = Array(held_dtype(item), (None, *(size for size, _ in axes)))
    entries: Expr = integer(1)
    for _, extent in longest:
        entries = multiply(extent, entries)
    shape = (_rows_in_a_block(entries), *(extent for _, extent in axes))
    return Store(Var(name, type=kind), shape, (count,), item)


# --- rewriting -----------------------------------------------------------------------------
class _Writer:
    def __init__(self, found: dict[str, Growing], body: Block) -> None:
        self.found, self.unsure = found, begun_as_none(body)
        self.first: set[str] = set()  # lists from which the first of those together is taken
        seen: set[str] = set()
        for stmt in nodes.walk_block(body):
            for name, _ in _taken(stmt):
                own = found.get(name)
                if own is not None and (own.count.name not in seen or len(own.together) == 1):
                    seen.add(own.count.name)
                    self.first.add(name)

    def block(self, block: Block) -> Block:
        return tuple(new for stmt in block for new in self.statement(stmt))

    def statement(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=self.block(then), orelse=self.block(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=self.block(body))
        match stmt:
            case nodes.Assign(targets=(name,)) if name in self.found and _list_made(stmt):
                return self.made(self.found[name])
            case nodes.Mutate(base=Var(name=name), method="append", args=(value,)) if (
                name in self.found
            ):
                return self.appended(name, value, stmt)
            case nodes.While(test=Var(name=name)) if name in self.found:
                own = self.found[name]
                some = _compared(np.greater, ">", own.count, integer(0))
                more = Call(len, "len", (own.full,), type=INT)
                any_full = _compared(np.greater, ">", more, integer(0))
                return [replace(stmt, test=_compared("or", "or", some, any_full))]
        taken = [name for name, _ in _taken(stmt) if name in self.found]
        before = [s for n in taken if n in self.first for s in self.taken(self.found[n], stmt)]
        return [*before, map_stmt_exprs(stmt, self.read)] if taken else [stmt]

    def made(self, own: Growing) -> list[Stmt]:
        name, nothing = own.store.array.name, nodes.Sequence("list", (), type=own.full.type)
        block = nodes.Assign((name,), (made_of(own.store),))
        full = nodes.Assign((own.full.name,), (nothing,))
        return [block, *self.counted(own, name, 0), full]

    def counted(self, own: Growing, name: str, start: int) -> list[Stmt]:
        """The count as it is where nothing is in use: a statement of the first list."""
        if name != own.together[0]:
            return []
        return [nodes.Assign((own.count.name,), (integer(start),))]

    def appended(self, name: str, value: Expr, stmt: Stmt) -> list[Stmt]:
        own = self.found[name]
        array = own.store.array
        store = nodes.Store(array, own.store.index, uncopied(value), span=stmt.span)
        steps: list[Stmt] = [kept_entry(store, self.unsure)]
        if name == own.together[0]:
            steps.insert(0, self.room(own))
        if name == own.together[-1]:
            more = add(own.count, integer(1))
            steps.append(nodes.Assign((own.count.name,), (more,), span=stmt.span))
        return steps

    def room(self, own: Growing) -> Stmt:
        """New blocks for lists whose last ones are full."""
        new: list[Stmt] = []
        for name in own.together:
            one = self.found[name]
            array = one.store.array
            rows = multiply(length(array, 0), integer(2))
            larger = made_of(replace(one.store, shape=(rows, *one.store.shape[1:])))
            new.append(nodes.Mutate(one.full, "append", (array,)))
            new.append(nodes.Assign((name,), (larger,)))
        new += self.counted(own, own.together[0], 0)
        full = _same(own.count, length(own.store.array, 0))
        return nodes.If(full, tuple(new), ())

    def taken(self, own: Growing, stmt: Stmt) -> list[Stmt]:
        """What makes the last row that is in use the one after those, in all lists at once."""
        count, before = own.count.name, list[Stmt]()
        for name in own.together:
            one = self.found[name]
            last = Call("pop", "pop", (one.full,), form="method", type=one.store.array.type)
            before.append(nodes.Assign((name,), (last,)))
        before.append(nodes.Assign((count,), (length(own.store.array, 0),)))
        return [
            nodes.If(_same(own.count, integer(0)), tuple(before), ()),
            nodes.Assign((count,), (add(own.count, integer(-1)),), span=stmt.span),
        ]

    def read(self, expr: Expr) -> Expr:
        match expr:
            case Call(form="method", text="pop", args=(Var(name=name),)) if name in self.found:
                own = self.found[name].store
                return Index(own.array, own.index, type=own.item)
        return expr


def growing(function: Function) -> set[str]:
    """The arrays that are new blocks, or blocks that were put by: of one type always."""
    values: dict[str, list[Expr]] = {}
    put_by: set[tuple[str, str]] = set()
    for stmt in nodes.walk_block(function.body):
        match stmt:
            case nodes.Mutate(base=Var(name=full), method="append", args=(Var(name=name),)):
                put_by.add((full, name))
        for k, target in enumerate(nodes.targets_of(stmt)):
            value = stmt.values[k] if isinstance(stmt, nodes.Assign) else nodes.Const(None)
            values.setdefault(target, []).append(value)
    return {
        name
        for full, name in put_by
        if all(_is_new(v) or _is_taken(v, full) for v in values.get(name, ()))
    }


def _is_new(value: Expr) -> bool:
    return isinstance(value, Call) and value.function is np.empty


def _is_taken(value: Expr, full: str) -> bool:
    return isinstance(value, Call) and value.text == "pop" and value.args == (Var(full),)


def _rows_in_a_block(entries: Expr) -> Expr:
    """One at least, however many entries a row has."""
    if isinstance(entries, nodes.Const):
        return integer(1 + BLOCK // (1 + entries.value))
    more = add(entries, integer(1))
    share = Call(np.floor_divide, "//", (integer(BLOCK), more), form="operator", type=INT)
    return add(share, integer(1))


def _compared(function: Any, sign: str, left: Expr, right: Expr) -> Call:
    return Call(function, sign, (left, right), form="operator", type=BOOL)


def _same(left: Expr, right: Expr) -> Expr:
    return _compared(np.equal, "==", left, right)


__all__ = ["growing", "stored_in_growing_arrays"]

"""Floor 5: entries of the cotangent of a list that are written once, over zeros.

    params_bar = zeros_like(params)                params_bar = [None] * len(params)
    for k in reversed(range(len(params))):         for k in reversed(range(len(params))):
        params_bar[k] = params_bar[k] + v              params_bar[k] = v

Each trip has an entry of its own, to which it adds once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import s2sgrad_runtime
from s2sgrad.analysis.effects import has_effect
from s2sgrad.analysis.indexing import constant_of
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.item_sizes import length_of
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Sequence, Stmt, Store, Var
from s2sgrad.ir.types import INT, NONE, Array, List, Scalar, Tuple, Type
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.displays import MayDiffer, exact
from s2sgrad.transform.writing.left_behind import has_own_places
from s2sgrad.transform.writing.rewrite import map_block, mentions, with_blocks

ALL, SOME = ("all",), ("some",)
HALVES = ({(-1,), (None, -1)}, {(0,), (1, None)})  # places that make up a list, each apart
Place = tuple[object, ...]  # a number, or the ends of a slice


def with_own_entries(block: Block, differs: MayDiffer, empty: bool) -> Block:
    """The block in which what is added to entries for the first and last time is written there.

    empty: whether lists that are written as a whole may begin as lists of None.
    """
    entries = _Entries(differs, _handed_on(block))
    new = entries.block(block)
    if new == block:
        return block
    return entries.finished(entries.block(new), empty)  # again: for parts that begin before


@dataclass
class _Entries:
    """Finds the lists, from the last one to the first: those may be parts of these."""

    differs: MayDiffer
    handed_on: dict[str, Expr]
    whole: dict[str, Type] = field(default_factory=dict)  # lists of which all entries are written

    def block(self, block: Block) -> Block:
        stmts = [with_blocks(stmt, self.block) for stmt in block]
        for k in reversed(range(len(stmts))):
            match stmts[k]:
                case nodes.Assign(targets=(name,), values=(Call(args=(Var() as like,)) as zeros,)):
                    if zeros.function is s2sgrad_runtime.zeros_like and isinstance(like.type, List):
                        stmts[k + 1 :] = self._written(name, like, stmts[k + 1 :])
        return tuple(stmts)

    def _written(self, name: str, like: Var, rest: list[Stmt]) -> list[Stmt]:
        """The statements behind the zeros of a list, in which its entries are written."""
        places: set[Place] = set()
        result = list(rest)
        for k, stmt in enumerate(rest):
            if any(may_resize(s, like) for s in nodes.walk_block((stmt,))):
                break
            if not mentions(stmt, name):
                continue
            found = self._at_place(name, like, stmt, rest[k + 1 :])
            if found is None or not _apart(places, found[0]):
                break
            places.add(found[0])
            result[k] = found[1]
            if places in ({ALL}, *HALVES):
                self.whole[name] = like.type
                break
        return result

    def _at_place(
        self, name: str, like: Var, stmt: Stmt, later: list[Stmt]
    ) -> tuple[Place, Stmt] | None:
        """Which entries a statement adds to, and the statement that writes them instead."""
        if isinstance(stmt, nodes.For):
            inner = [s for s in stmt.body if mentions(s, name)]
            alone = len(inner) == 1 and has_own_places(inner[0], (stmt,))
            new = self._own(name, like, inner[0], []) if alone else None
            if new is None:
                return None
            body = tuple(new if s is inner[0] else s for s in stmt.body)
            return gone_through(stmt, like), replace(stmt, body=body)
        place = _place_of(stmt)
        new = None if place is None else self._own(name, like, stmt, later)
        return None if place is None or new is None else (place, new)

    def _own(self, name: str, like: Var, stmt: Stmt, later: list[Stmt]) -> Store | None:
        """`items[k] = v` for `items[k] = items[k] + v`, `items[k] += v` and their kin."""
        found = addition(name, stmt)
        if found is None or not isinstance(stmt, Store):
            return None
        entry, value = found
        if has_effect(value) or any(name in nodes.names_in(e) for e in (value, *entry.index)):
            return None
        if isinstance(entry.index[0], nodes.Slice):
            part = isinstance(value, Var) and value.name in self.whole
            same = part and self.whole[value.name] == entry.type  # type: ignore[attr-defined]
            own = value if same and not any(mentions(s, value.name) for s in later) else None  # type: ignore[attr-defined]
        else:
            own = self._exact(value, entry.type)
        if own is None:
            return None
        return Store(Var(name, type=like.type), entry.index, own, span=stmt.span)

    def _exact(self, value: Expr, kind: Type) -> Expr | None:
        """What is added to zeros of a type, as an entry of its own."""
        if isinstance(kind, Tuple):
            if isinstance(value, Var):
                made = self.handed_on.get(value.name)
                return value if made is not None and self._exact(made, kind) == made else None
            if not isinstance(value, Sequence) or len(value.items) != len(kind.items):
                return None
            pairs = zip(value.items, kind.items, strict=True)
            items = [self._exact(item, part) for item, part in pairs]
            return None if None in items else replace(value, items=tuple(items))  # type: ignore[arg-type]
        if isinstance(kind, Scalar):
            return value if kind.dtype == "float" and isinstance(value.type, Scalar) else None
        if not isinstance(kind, Array) or not exact(value.type, kind, self.differs):
            return None
        if isinstance(value, Var) and value.name in self.handed_on:
            return value
        return build.copied(value) if shares_memory(value) else value

    # --- lists that are written as a whole -----------------------------------------------------
    def finished(self, block: Block, empty: bool) -> Block:
        """The block with lists of None for zeros that are written over, and tuples for entries
        that nobody changes later."""
        bound = Counter(t for s in nodes.walk_block(block) for t in nodes.targets_of(s))
        self.whole = {name: kind for name, kind in self.whole.items() if bound[name] == 1}
        kept = self._last_ones(block) if empty else set()
        parts = {
            s.value.name
            for s in nodes.walk_block(block)
            if isinstance(s, Store) and isinstance(s.base, Var) and s.base.name in kept
            if isinstance(s.value, Var) and s.value.name in self.handed_on
        }

        def on_expr(expr: Expr) -> Expr:
            if isinstance(expr, Call) and expr.function is s2sgrad_runtime.in_structure:
                bar = expr.args[0]
                return bar if isinstance(bar, Var) and bar.name in kept else expr
            return expr

        def on_stmt(stmt: Stmt) -> list[Stmt]:
            match stmt:
                case nodes.Assign(targets=(name,), values=(Call() as zeros,)) if (
                    empty and name in self.whole and zeros.function is s2sgrad_runtime.zeros_like
                ):
                    return [replace(stmt, values=(_empty(zeros),))]
                case Store(base=Var(name=name), value=Sequence() as value) if name in kept:
                    return [replace(stmt, value=replace(value, kind="tuple"))]
                case nodes.Assign(targets=(name,), values=(Sequence() as value,)) if name in parts:
                    return [replace(stmt, values=(replace(value, kind="tuple"),))]
            return [stmt]

        return map_block(block, on_expr, on_stmt)

    def _last_ones(self, block: Block) -> set[str]:
        """The whole lists that nobody meets but who writes their entries, and the result."""
        kept = set(self.whole)
        while True:
            met = {n for s in nodes.walk_block(block) for n in _met(s, kept)}
            if not met & kept:
                return kept
            kept -= met


def _handed_on(block: Block) -> dict[str, Expr]:
    """Names that are bound once and read once, as often as that -> new arrays, and displays."""
    bound, read, found = Counter[str](), Counter[str](), dict[str, Expr]()
    for inner in _blocks(block):
        new: dict[str, Expr] = {}
        for stmt in inner:
            bound.update(nodes.targets_of(stmt))
            parts = [part for e in nodes.expressions(stmt) for part in nodes.walk(e)]
            names = [part.name for part in parts if isinstance(part, Var)]
            read.update(names)
            if isinstance(stmt, Store):
                found |= {n: new[n] for n in names if n in new}
            match stmt:
                case nodes.Assign(targets=(name,), values=(value,)):
                    if isinstance(value, Sequence) or not shares_memory(value):
                        new[name] = value
    return {name: value for name, value in found.items() if bound[name] == read[name] == 1}


def _blocks(block: Block) -> Iterator[Block]:
    """A block and those in it."""
    yield block
    for stmt in block:
        for inner in nodes.blocks(stmt):
            yield from _blocks(inner)


def _met(stmt: Stmt, kept: set[str]) -> Iterator[str]:
    """The names that a statement meets in other ways."""
    match stmt:
        case Store(base=Var(name=name), index=index, value=value, op="") if name in kept:
            parts: tuple[Expr, ...] = index if isinstance(value, Var) else (*index, value)
        case nodes.Return(value=value):
            parts = tuple(_without_results(value))
        case _:
            parts = nodes.expressions(stmt)
    for part in parts:
        yield from nodes.names_in(part)


def _without_results(value: Expr | None) -> Iterator[Expr]:
    """The parts of a result that are not the cotangent of an argument in its structure."""
    if isinstance(value, Sequence):
        for item in value.items:
            yield from _without_results(item)
    elif isinstance(value, Call) and value.function is s2sgrad_runtime.in_structure:
        yield value.args[1]
    elif value is not None:
        yield value


def _empty(zeros: Call) -> Expr:
    """A list of as many entries, all of which will be written."""
    nothing = Sequence("list", (Const(None, type=NONE),), type=List(NONE))
    count = Call(len, "len", zeros.args, type=INT)
    return Call("list*", "*", (nothing, count), form="operator", type=zeros.type)


def may_resize(stmt: Stmt, like: Var) -> bool:
    """Whether a statement may change how many entries a list has."""
    return isinstance(stmt, nodes.Mutate) and stmt.base.type == like.type


def addition(name: str, stmt: Stmt) -> tuple[Index, Expr] | None:
    """(entry, what is added to it), for a statement that adds to an entry of a list."""
    match stmt:
        case Store(
            base=Var(name=base), index=(_,) as index, op="", value=Call(args=(first, v)) as c
        ):
            if base != name or not isinstance(first, Index) or first.index != index:
                return None
            if first.base != stmt.base:
                return None
            if c.function is s2sgrad_runtime.accumulate:
                return first, v
            if c.form == "operator" and c.text in ("+", "-"):
                return first, (v if c.text == "+" else build.negate(v))
        case Store(base=Var(name=base, type=List()) as listed, index=(_,) as index, op="+" | "-"):
            if base == name:
                entry = Index(listed, index, type=listed.type.item)  # type: ignore[attr-defined]
                return entry, (stmt.value if stmt.op == "+" else build.negate(stmt.value))
        case Store(base=Index(base=Var(name=base)) as entry, index=(), op="+" | "-" as op):
            if base == name and len(entry.index) == 1:
                return entry, (stmt.value if op == "+" else build.negate(stmt.value))
    return None


def _place_of(stmt: Stmt) -> Place | None:
    """The entries that a store adds to, if they are told by numbers."""
    if not isinstance(stmt, Store):
        return None
    index = stmt.base.index if isinstance(stmt.base, Index) else stmt.index
    if len(index) != 1:
        return None
    part = index[0]
    if isinstance(part, nodes.Slice):
        ends = (constant_of(part.lower), constant_of(part.upper))
        plain = part.step is None and all(e is None or type(e) is int for e in ends)
        return (ends[0] or None, ends[1]) if plain else None
    number = constant_of(part)
    return (number,) if type(number) is int else None


def _apart(places: set[Place], place: Place) -> bool:
    """Whether entries are surely others than those that were written before."""
    return not places or any(places | {place} <= half and place not in places for half in HALVES)


def gone_through(loop: nodes.For, like: Var) -> Place:
    """The entries of a list whose numbers a loop counts."""
    leaves = (nodes.Exit, nodes.Return, nodes.Splice)
    if any(isinstance(s, leaves) for s in nodes.walk_block(loop.body)):
        return SOME
    match loop.sources[0]:
        case Call(function=function, args=(stop,)) if function is range:
            first = None
        case Call(function=function, args=(Const(value=1), stop)) if function is range:
            first = 1
        case _:
            return SOME
    match stop:
        case Call(form="operator", text="-", args=(length, Const(value=1))) if first is None:
            return (None, -1) if _is_length(length, like) else SOME
    whole = ALL if first is None else (first, None)
    return whole if _is_length(stop, like) else SOME


def _is_length(count: Expr, like: Var) -> bool:
    if not isinstance(count, Call) or count.function is not len:
        return False
    own = length_of(like.type)
    return count.args == (like,) or (own is not None and own == length_of(count.args[0].type))


__all__ = ["ALL", "addition", "gone_through", "may_resize", "with_own_entries"]

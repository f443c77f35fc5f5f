"""Floor 5: tuples that the reverse sweep takes out of lists only for their items.

item = layers[k]                    item = layers[k]
w = item[0]          is             w = item[0]          is     w, b = layers[k]
...  w = layers[k][0]               b = item[1]
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.analysis.liveness import read_after
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, List, Scalar, Tuple
from s2sgrad.transform.writing.rewrite import map_block, mentions


def taken_apart(block: Block) -> Block:
    """The block without names for tuples of which only the items are read."""
    return _Apart(block).block(block)


class _Apart:
    """Rebuilds blocks."""

    def __init__(self, whole: Block) -> None:
        self.whole = whole

    @cached_property
    def after(self) -> dict[int, frozenset[str]]:
        """The names that are read after each statement."""
        return read_after(self.whole)

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        rest = list(block)
        while rest:
            stmt = rest.pop(0)
            match stmt:
                case Assign(targets=(name,), values=(Index() as value,)) if _ours(stmt, value):
                    if rest and name not in self.after.get(id(rest[-1]), {name}):
                        stmt, rest = _without(name, value, stmt, rest)
            result.append(self._inside(stmt))
        return tuple(result)

    def _inside(self, stmt: Stmt) -> Stmt:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                return replace(stmt, then=self.block(then), orelse=self.block(orelse))
            case nodes.For(body=body):
                return replace(stmt, body=_items_first(stmt, self.block(body)))
            case nodes.While(body=body):
                return replace(stmt, body=self.block(body))
        return stmt


def _items_first(loop: nodes.For, body: Block) -> Block:
    """The body of a loop of the reverse sweep with the items of its tuples at its head, where they
    become targets: `for i, j in reversed(pairs):`."""
    if loop.span is not None:
        return body
    first: list[Stmt] = []
    rest: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Assign(targets=(name,), values=(value,), span=None) if _of_item(
                value
            ) in loop.targets and not any(mentions(s, name) for s in rest):
                first.append(stmt)
            case _:
                rest.append(stmt)
    return (*first, *rest)


def _ours(stmt: Assign, value: Index) -> bool:
    """Whether a statement of the reverse sweep takes a tuple out of a list."""
    listed = isinstance(value.base, Var) and isinstance(value.base.type, List)
    return stmt.span is None and listed and isinstance(value.index[0], Var)


def _without(name: str, value: Index, stmt: Stmt, rest: list[Stmt]) -> tuple[Stmt, list[Stmt]]:
    """The statements without the name of a tuple, if it is read for its items only."""
    where = [k for k, s in enumerate(rest) for _ in _reads_of(name, s)]
    items = [e for s in rest for e in _reads_of(name, s) if _of_item(e) == name]
    bound = [t for s in nodes.walk_block(tuple(rest)) for t in nodes.targets_of(s)]
    if not items or 2 * len(items) != len(where) or name in bound:
        return stmt, rest
    unpacked = _unpacked(name, value, rest, len(items))
    if unpacked is not None:
        return unpacked, rest[len(items) :]
    k = where[0]
    nested = isinstance(rest[k], nodes.If | nodes.For | nodes.While)
    if (
        len(items) > 1
        or nested
        or any(_changes(s, value) for s in nodes.walk_block(tuple(rest[:k])))
    ):
        return stmt, rest
    rest[k : k + 1] = map_block((rest[k],), lambda e: _put(e, name, value))
    return rest[0], rest[1:]


def _changes(stmt: Stmt, value: Index) -> bool:
    """Whether a list may hold something else after a statement."""
    inside = isinstance(stmt, nodes.Store) and not isinstance(stmt.base.type, Array | Scalar)
    return (
        inside
        or isinstance(stmt, nodes.Mutate)
        or bool(nodes.names_in(value).intersection(nodes.targets_of(stmt)))
    )


def _reads_of(name: str, stmt: Stmt) -> list[Expr]:
    """What in a statement reads a name: itself, and items of it."""
    return [
        e
        for s in nodes.walk_block((stmt,))
        for expr in nodes.expressions(s)
        for e in nodes.walk(expr)
        if (type(e) is Var and e.name == name) or _of_item(e) == name
    ]


def _of_item(expr: Expr) -> str | None:
    """The name of the tuple that an expression reads an item of."""
    match expr:
        case Index(base=Var(name=name, type=Tuple()), index=(part,)):
            return name if type(constant_of(part)) is int else None
    return None


def _unpacked(name: str, value: Index, rest: list[Stmt], count: int) -> nodes.Unpack | None:
    """All items of a tuple, which the next statements give names, as one statement."""
    kind = value.type
    if not isinstance(kind, Tuple) or not 1 < count == len(kind.items):
        return None
    names: dict[object, str] = {}
    for stmt in rest[:count]:
        match stmt:
            case Assign(targets=(target,), values=(Index() as item,)) if _of_item(item) == name:
                names[constant_of(item.index[0])] = target
    if set(names) != set(range(count)) or len(set(names.values())) < count:
        return None
    return nodes.Unpack(tuple(names[k] for k in range(count)), value)


def _put(expr: Expr, name: str, value: Index) -> Expr:
    return replace(expr, base=value) if isinstance(expr, Index) and _of_item(expr) == name else expr


__all__ = ["taken_apart"]

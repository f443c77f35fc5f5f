"""Floor 3: which variables may share memory, and which of that memory is written in place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.indexing import is_some_tuple
from s2sgrad.analysis.islands import is_island
from s2sgrad.analysis.memory import hands_several, is_view, lends
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt
from s2sgrad.ir.types import (
    LENT,
    NONE,
    Array,
    Bottom,
    Dict,
    List,
    Maybe,
    Nested,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
)
from s2sgrad.rules.declare import is_opaque


def has_effect(expr: Expr) -> bool:
    """Whether evaluating an expression does more than give a value: it must happen once."""
    return any(
        isinstance(e, nodes.Call)
        and (e.function in ("opaque", "pop") or is_opaque(e.function) or is_island(e) or _adds(e))
        for e in nodes.walk(expr)
    )


def _adds(call: nodes.Call) -> bool:
    """Whether a helper adds to what it is given, which other names may hold too."""
    return call.function is s2sgrad_runtime.added_in_place


def holds_arrays(kind: Type) -> bool:
    """Whether a value is, or contains, memory that can be written in place."""
    if isinstance(kind, Array | Number):
        return True
    if isinstance(kind, Tuple):
        return any(holds_arrays(i) for i in kind.items)
    if isinstance(kind, Nested):
        return holds_arrays(kind.record)
    if kind in (Opaque("mixed"), LENT):  # it may
        return True
    return isinstance(kind, List | Dict) or (isinstance(kind, Maybe) and holds_arrays(kind.item))


def basic_index(index: tuple[Expr, ...]) -> bool:
    """Whether a subscript is surely NumPy's basic indexing, which gives a view."""
    return all(
        nodes.is_slice(p) or _is_place(p) or _takes_part(t)
        for p, t in zip(index, part_types(index), strict=True)
    )


def _is_place(part: Expr) -> bool:
    """A number, None or an ellipsis; True and False are masks."""
    return isinstance(part, nodes.Const) and not isinstance(part.value, bool | np.bool_)


def _takes_part(kind: Type) -> bool:
    kind = kind.item if isinstance(kind, Maybe) else kind
    return kind == Opaque("slice") or (isinstance(kind, Scalar) and kind.dtype != "bool")


def may_be_basic(index: tuple[Expr, ...]) -> bool:
    """Whether a subscript may be basic indexing: `z[i]` of an `i` that a run has chosen."""
    if basic_index(index):
        return True
    kinds = part_types(index)
    return all(
        _takes_part(k) or k == NONE or isinstance(k, Opaque | Maybe | Bottom | Number)
        for k in kinds
    )


def part_types(index: tuple[Expr, ...]) -> list[Type]:
    """The types of a subscript's parts; of a tuple of some length that of all its items."""
    return [
        p.type.item if is_some_tuple(index) and isinstance(p.type, List) else p.type for p in index
    ]


def gives_view(expr: nodes.Index) -> bool:
    """Whether a subscript gives, or may give, what the base holds, not a copy of it."""
    return isinstance(expr.base.type, List | Dict | Tuple) or may_be_basic(expr.index)


def shared_with(expr: Expr) -> list[str]:
    """Variables whose memory the value of an expression may share."""
    if not holds_arrays(expr.type):
        return []
    match expr:
        case nodes.Var(name=name):
            return [name]
        case nodes.Index(base=base, index=index):
            is_list = isinstance(base.type, List)
            copied = is_list and nodes.is_slice(index[0]) and _holds_numbers(base.type)
            return shared_with(base) if gives_view(expr) and not copied else []
        case nodes.Choice(then=then, orelse=orelse):
            return shared_with(then) + shared_with(orelse)
        case nodes.Sequence(items=items) | nodes.Mapping(values=items):
            return [n for i in items for n in shared_with(i)]
        case nodes.Call() if is_view(expr):
            return shared_with(expr.args[0])
        case nodes.Call(args=args, kwargs=kwargs) if lends(expr):
            return [n for a in (*args, *(v for _, v in kwargs)) for n in shared_with(a)]
        case nodes.Call(args=args) if hands_several(expr):
            return [n for a in args for n in shared_with(a)]
        case nodes.Call(function=function, args=args) if type(function).__name__ == "UserPair":
            found = (a for i, a in enumerate(args) if i in function.shared)
            return [n for a in found for n in shared_with(a)]
        case nodes.Call(function=function, args=args) if function in (
            "list+",
            "list*",
            "and",
            "or",
        ) or function in (list, tuple, dict):
            args = tuple(a for a in args if function is not list or not isinstance(a.type, Dict))
            return [n for a in args if not _holds_numbers(a.type) for n in shared_with(a)]
    return []


def _holds_numbers(kind: Type) -> bool:
    """Whether the items of a list or vector are plain numbers: a list made of them is new."""
    if isinstance(kind, Array):
        return kind.shape is not None and len(kind.shape) == 1
    return isinstance(kind, List | Dict) and not holds_arrays(kind.item)


def root(expr: Expr) -> str | None:
    """The variable at the bottom of a chain of subscripts and views."""
    match expr:
        case nodes.Var(name=name):
            return name
        case nodes.Index(base=base):
            return root(base)
        case nodes.Call() if is_view(expr):
            return root(expr.args[0])
    return None


def binds(stmt: Stmt) -> set[str]:
    """The names that a statement binds, or whose memory or number it changes (`s += 1.0`)."""
    base = root(stmt.base) if isinstance(stmt, nodes.Store | nodes.Mutate) else None
    return {*nodes.targets_of(stmt), *([base] if base else [])}


@dataclass(frozen=True)
class Effects:
    """group: variable -> representative of all that may share its memory.

    written: groups whose memory is changed in place. resized: lists that change length.
    filled: the groups of which arrays are written, not only entries of lists and dicts.
    """

    group: dict[str, str]
    written: frozenset[str]
    resized: frozenset[str]
    filled: frozenset[str] = frozenset()

    def find(self, name: str) -> str:
        """The class of variables that share memory with this one."""
        return self.group.get(name, name)

    def is_written(self, name: str) -> bool:
        """Whether the memory of a variable is written in place."""
        return self.find(name) in self.written

    def fills(self, name: str) -> bool:
        """Whether an array is written in place whose memory a variable may share."""
        return self.find(name) in self.filled

    def changes(self, name: str) -> bool:
        """Whether memory that a variable may share is written, or changes its length."""
        return self.is_written(name) or self.find(name) in self.resized

    def members(self, name: str) -> list[str]:
        """The variables that may share memory with this one."""
        return self._classes.get(self.find(name)) or [name]

    @cached_property
    def _classes(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, key in self.group.items():
            found.setdefault(key, []).append(name)
        return found


def effects(block: Block) -> Effects:
    """Memory sharing (without regard to order) and writes of a block."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    def unite(a: str, b: str) -> None:
        a, b = find(a), find(b)
        if a != b:
            parent[b] = a

    written: list[str] = []
    resized: list[str] = []
    filled: list[str] = []
    for stmt in nodes.walk_block(block):
        for target, sources in shares(stmt):
            for source in sources:
                unite(source, target)
        if isinstance(stmt, nodes.Store):
            base = root(stmt.base)
            if base is not None:
                written.append(base)
                if not isinstance(stmt.base.type, List | Dict):
                    filled.append(base)
        if isinstance(stmt, nodes.Mutate):
            base = root(stmt.base)
            if base is not None:
                resized.append(base)
    group = {name: find(name) for name in list(parent)}
    return Effects(
        group,
        frozenset(group.get(n, n) for n in written),
        frozenset(group.get(n, n) for n in resized),
        frozenset(group.get(n, n) for n in filled),
    )


def shares(stmt: Stmt) -> list[tuple[str, list[str]]]:
    """(variable, variables it may share memory with) for what a statement binds."""
    match stmt:
        case nodes.Assign(targets=targets, values=values):
            return [(t, shared_with(v)) for t, v in zip(targets, values, strict=True)]
        case nodes.Unpack(targets=targets, value=value):
            return [(t, shared_with(value)) for t in targets]
        case nodes.For(targets=targets, sources=sources):
            return [(t, _element_shares(s)) for t, s in zip(targets, sources, strict=True)]
        case nodes.Mutate(base=base, args=args, target=target):
            name = root(base)
            if name is None:
                return []
            extends = stmt.method == "extend"
            kept = (a for a in args if not (extends and _holds_numbers(a.type)))
            found = [(name, [n for a in kept for n in shared_with(a)])]
            return [*found, (target, [name])] if target else found
        case nodes.Store(base=base, value=value) if isinstance(base.type, List | Dict):
            name = root(base)
            return [(name, shared_with(value))] if name else []
    return []


def _element_shares(source: Expr) -> list[str]:
    kind = source.type
    if isinstance(kind, List) and not holds_arrays(kind.item):
        return []
    if isinstance(kind, Array) and kind.shape is not None and len(kind.shape) == 1:
        return []
    return shared_with(source)

"""Floor 3: which kinds of memory (arrays, lists of numbers, lists of lists...) are changed in
place, of those that a group of names shares.

A list and the arrays in it are one group (see effects.py), but `rows.append(v)` changes no array.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sgrad.analysis.effects import Effects, root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt
from s2sgrad.ir.types import Array, Dict, List, Maybe, Number, Scalar, Tuple, Type, is_number


class Changes:
    """What a block changes in place. types: name -> type of every variable."""

    def __init__(self, block: Block, effects: Effects, types: dict[str, Type]) -> None:
        self.effects, self.types = effects, types
        self.changed: dict[str, set[Type]] = {}
        for stmt in nodes.walk_block(block):
            if isinstance(stmt, nodes.Store | nodes.Mutate):
                name = root(stmt.base)
                if name is not None:
                    self.changed.setdefault(effects.find(name), set()).add(stmt.base.type)

    def seen_through(self, name: str, shared: Type | None = None) -> bool:
        """Whether what a variable holds (or what of it has this type) may be changed in place."""
        changed = self.changed.get(self.effects.find(name), ())
        own = self.types[name]
        return any(reaches(own, k) and (not shared or reaches(shared, k)) for k in changed)

    def reached_by(self, stmt: Stmt, name: str, kind: Type) -> bool:
        """Whether a statement may change a container of this kind in the group of a variable."""
        if not resizes(stmt):
            return False
        assert isinstance(stmt, nodes.Store | nodes.Mutate)
        owner = root(stmt.base)
        same = owner is not None and self.effects.find(owner) == self.effects.find(name)
        return same and alike(stmt.base.type, kind)


def shared_part(stmt: Stmt, target: str, kind: Type) -> Type:
    """The type of what a variable takes over from others: of a copied list, its items only."""
    copied = isinstance(stmt, nodes.Mutate) and stmt.method == "extend"
    if isinstance(stmt, nodes.Store):
        copied = any(isinstance(p, nodes.Slice) for p in stmt.index)
    elif isinstance(stmt, nodes.Assign):
        copied = _copies_list(stmt.values[stmt.targets.index(target)])
    return kind.item if copied and isinstance(kind, List | Dict) else kind


def _copies_list(value: nodes.Expr) -> bool:
    """Whether a value is a new list or dict of what others hold."""
    if isinstance(value, nodes.Index) and isinstance(value.base.type, List):
        return isinstance(value.index[0], nodes.Slice)
    return isinstance(value, nodes.Call) and value.function in (list, dict, "list+", "list*")


def resizes(stmt: Stmt) -> bool:
    """Whether a statement changes what a list or dict holds where."""
    if isinstance(stmt, nodes.Store):
        return isinstance(stmt.base.type, List | Dict)
    return isinstance(stmt, nodes.Mutate)


def reaches(kind: Type, inner: Type) -> bool:
    """Whether a value of one type may be, or hold, one of the other."""
    return any(alike(part, inner) for part in _parts(kind))


def _parts(kind: Type) -> Iterator[Type]:
    yield kind
    match kind:
        case List(item=item) | Maybe(item=item):
            yield from _parts(item)
        case Dict(item=item, fields=fields):
            for part in (item, *(k for _, k in fields or ())):
                yield from _parts(part)
        case Tuple(items=items):
            for part in items:
                yield from _parts(part)


def alike(a: Type, b: Type) -> bool:
    """Whether two types may be those of one object under two names."""
    if isinstance(a, Maybe) or isinstance(b, Maybe):
        return alike(a.item if isinstance(a, Maybe) else a, b.item if isinstance(b, Maybe) else b)
    if isinstance(a, List) and isinstance(b, List):
        return (is_number(a.item) and is_number(b.item)) or alike(a.item, b.item)
    if isinstance(a, Tuple) and isinstance(b, Tuple):
        same = len(a.items) == len(b.items)
        return same and all(alike(x, y) for x, y in zip(a.items, b.items, strict=True))
    known = (Array | Number | Scalar, List, Tuple, Dict)
    makes = [next((m for m in known if isinstance(k, m)), None) for k in (a, b)]
    return None in makes or makes[0] is makes[1]


__all__ = ["Changes", "alike", "reaches", "resizes", "shared_part"]

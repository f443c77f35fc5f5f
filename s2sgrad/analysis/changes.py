"""Floor 3: which kinds of memory (arrays, lists of numbers, lists of lists...) are changed in
place, of those that a group of names shares.

A list and the arrays in it are one group (see effects.py), but `rows.append(v)` changes no array.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sgrad.analysis.effects import Effects, root, shared_with
from s2sgrad.analysis.own_lists import SameLists
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt
from s2sgrad.ir.types import Array, Dict, List, Maybe, Number, Scalar, Tuple, Type, is_number


class Objects:
    """Which names may stand for the same list or dict: by plain assignments, or since both were
    put into containers or taken out of them."""

    def __init__(self, block: Block, effects: Effects) -> None:
        self.effects = effects
        self.parent: dict[str, str] = {}
        self.held: set[str] = set()
        for stmt in nodes.walk_block(block):
            self._note(stmt)
        self.held = {self._find(n) for n in self.held}

    def may_be_same(self, a: Expr, b: Expr) -> bool:
        """Whether two variables, or entries of some, may be one object."""
        first, second = (root(e) or "" for e in (a, b))
        whole = isinstance(a, nodes.Var) and isinstance(b, nodes.Var)
        if whole and self._find(first) == self._find(second):
            return True
        parts = [e for e in (a, b) if isinstance(e, nodes.Var)]
        inside = all(self._find(e.name) in self.held for e in parts)
        return inside and self.effects.find(first) == self.effects.find(second)

    def _find(self, name: str) -> str:
        while (above := self.parent.setdefault(name, name)) != name:
            self.parent[name] = name = self.parent[above]
        return name

    def _note(self, stmt: Stmt) -> None:
        if isinstance(stmt, nodes.Assign):
            for target, value in zip(stmt.targets, stmt.values, strict=True):
                self._assigned(target, value)
            return
        self.held |= set(nodes.targets_of(stmt))
        values = stmt.args if isinstance(stmt, nodes.Mutate) else ()
        if isinstance(stmt, nodes.Store | nodes.Unpack):
            values = (stmt.value,)
        for value in values:
            self.held |= nodes.names_in(value)

    def _assigned(self, target: str, value: Expr) -> None:
        if isinstance(value, nodes.Choice):
            self._assigned(target, value.then)
            self._assigned(target, value.orelse)
        elif isinstance(value, nodes.Var):
            self.parent[self._find(value.name)] = self._find(target)
        elif not isinstance(_taken(value), Array | Scalar) and (shared := shared_with(value)):
            made = isinstance(value, nodes.Sequence | nodes.Mapping) or _copies_list(value)
            self.held |= set(shared)
            self.held |= set() if made else {target}


class Changes:
    """What a block changes in place. types: name -> type of every variable."""

    def __init__(self, block: Block, effects: Effects, types: dict[str, Type]) -> None:
        self.block, self.effects, self.types = block, effects, types
        self.objects = Objects(block, effects)
        self.lists = SameLists(nodes.walk_block(block), types)
        self.changed: dict[str, set[tuple[Type, str]]] = {}  # of which type, and through which name
        for stmt in nodes.walk_block(block):
            if isinstance(stmt, nodes.Store | nodes.Mutate):
                name = root(stmt.base)
                if name is not None:
                    self.changed.setdefault(effects.find(name), set()).add((stmt.base.type, name))

    def seen_through(self, name: str, shared: Type | None = None) -> bool:
        """Whether what a variable holds (or what of it has this type) may be changed in place."""
        changed = self.changed.get(self.effects.find(name), ())
        own = self.types[name]
        kinds = [k for k, through in changed if self._reached(name, k, through)]
        return any(reaches(own, k) and (not shared or reaches(shared, k)) for k in kinds)

    def _reached(self, name: str, kind: Type, through: str) -> bool:
        """Whether a list or dict that changes may be (in) what a variable holds."""
        same = self.lists.find(name) == self.lists.find(through)
        return same or not isinstance(kind, List | Dict)

    def of_argument(self, name: str) -> bool:
        """Whether what a parameter holds may be changed in place: the object itself, or inside."""
        own, group = self.types[name], self.effects.find(name)
        for stmt in nodes.walk_block(self.block):
            if not isinstance(stmt, nodes.Store | nodes.Mutate):
                continue
            if self.effects.find(root(stmt.base) or "") != group:
                continue
            inner = any(alike(part, stmt.base.type) for part in list(_parts(own))[1:])
            itself = alike(own, stmt.base.type)
            if inner or (itself and not resizes(stmt)):
                return True
            if itself and self.objects.may_be_same(stmt.base, nodes.Var(name, type=own)):
                return True
        return False

    def reached_by(self, stmt: Stmt, container: Expr) -> bool:
        """Whether a statement may change what a list or dict holds where."""
        if not resizes(stmt):
            return False
        assert isinstance(stmt, nodes.Store | nodes.Mutate)
        same = alike(stmt.base.type, container.type)
        return same and self.objects.may_be_same(stmt.base, container)

    def moves(self, stmt: Stmt, entries: list[nodes.Index]) -> bool:
        """Whether an entry of a list or dict may be another object after a statement."""
        return any(
            self.reached_by(stmt, entry.base) and not _spared(stmt, entry) for entry in entries
        )


def entries_of(path: Expr) -> list[nodes.Index]:
    """The subscripts of lists and dicts in a path."""
    found = (e for e in nodes.walk(path) if isinstance(e, nodes.Index))
    return [e for e in found if isinstance(e.base.type, List | Dict)]


def _spared(stmt: Stmt, entry: nodes.Index) -> bool:
    """Whether a change of a list or dict surely leaves this entry where it is."""
    key = entry.index[0]
    if not isinstance(key, nodes.Const):
        return False
    counted = type(key.value) is not int or key.value >= 0 or isinstance(entry.base.type, Dict)
    if isinstance(stmt, nodes.Mutate) and stmt.method in ("append", "extend"):
        return counted
    other = (stmt.index if isinstance(stmt, nodes.Store) else stmt.args)[:1]  # type: ignore[attr-defined]
    plain = other and isinstance(other[0], nodes.Const) and other[0].value != key.value
    if isinstance(stmt, nodes.Mutate):
        return bool(plain) and isinstance(entry.base.type, Dict)
    return bool(plain) and counted and (isinstance(entry.base.type, Dict) or _counted(other[0]))


def _counted(key: Expr) -> bool:
    return isinstance(key, nodes.Const) and type(key.value) is int and key.value >= 0


def shared_part(stmt: Stmt, target: str, kind: Type) -> Type:
    """The type of what a variable takes over from others: of a copied list, its items only."""
    if isinstance(stmt, nodes.Mutate) and stmt.method in ("append", "insert"):
        return kind if target == stmt.target else stmt.args[-1].type
    copied = isinstance(stmt, nodes.Mutate) and stmt.method == "extend"
    if isinstance(stmt, nodes.Store):
        copied = any(map(nodes.is_slice, stmt.index))
        if not copied and stmt.index and isinstance(stmt.base.type, List):
            return stmt.value.type
    elif isinstance(stmt, nodes.Assign):
        copied = _copies_list(stmt.values[stmt.targets.index(target)])
    return kind.item if copied and isinstance(kind, List | Dict) else kind


def _taken(value: Expr) -> Type:
    """The type of what is taken from others: of a copied list, its items only."""
    kind = value.type
    return kind.item if _copies_list(value) and isinstance(kind, List | Dict) else kind


def _copies_list(value: Expr) -> bool:
    """Whether a value is a new list or dict of what others hold."""
    if isinstance(value, nodes.Index) and isinstance(value.base.type, List):
        return nodes.is_slice(value.index[0])
    return isinstance(value, nodes.Call) and value.function in (list, tuple, dict, "list+", "list*")


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


__all__ = ["Changes", "Objects", "alike", "entries_of", "reaches", "resizes", "shared_part"]

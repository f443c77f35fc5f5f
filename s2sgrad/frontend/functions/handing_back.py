"""Floor 4: recursive functions that change what they are given, to a depth that only a run knows.

In generated code such a function works on copies, and hands back behind its result what it has
changed; the call writes that into what it gave. So it is pure, and is differentiated as any other.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeGuard

from s2sgrad.analysis.effects import Effects, effects, root, shares
from s2sgrad.errors import Span
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models import tables
from s2sgrad.frontend.state import constant
from s2sgrad.frontend.values import Dyn, Heap, Mapping, Sequence, Static, Value, bound_to, inside
from s2sgrad.ir import nodes
from s2sgrad.ir.types import STR, Array, Dict, List, Maybe, Type

Path = tuple[Any, ...]  # a parameter, or (frame, name) of an outer variable; then the way inside


class HandBack(Exception):
    """Start again: a recursive function hands back what it changes.

    grown: paths to its lists and dicts that change their length; generated code builds these.
    """

    def __init__(self, node: ast.AST, grown: Iterable[Path] = ()) -> None:
        super().__init__(node)
        self.node, self.grown = node, dict.fromkeys(grown)  # in order, for names follow it


@dataclass(frozen=True)
class Change:
    """Something that a call changes: position, of the parameter that is written in place; or the
    path to what is another value afterwards. rebinds: other lists or dicts are in it then."""

    position: int | None
    path: Path = ()
    rebinds: bool = False


class HandingBack(Base):
    """The part of the lowering that hands back. handing: functions that do, and their lists and
    dicts that change their length. written_back: where that was written into what was given;
    rebound: into what with other lists and dicts in it."""

    handing: dict[ast.AST, dict[Path, None]]
    written_back: set[Span | None]
    rebound: set[str]

    def as_generated(self, node: ast.AST, values: dict[Any, Value]) -> dict[Any, Value]:
        """Arguments with those lists and dicts built by generated code that change in a call."""
        for start, *steps in self.handing.get(node, ()):
            value = values.get(start)
            if not steps and _is_text(value):
                text = dataclasses.replace(constant(value.value), type=STR)
                values = values | {start: Dyn(self.builder.bind("text", text))}
                continue
            for step in steps:
                value = None if value is None else self._item(value, step)
            if isinstance(value, Heap):
                var = self.materialize(value.id)
                values = {k: Dyn(var) if v == value else v for k, v in values.items()}
        return values

    def changes(
        self, before: dict[Any, Value], outer: dict[Any, Value], heap: dict[int, Any],
        parameters: list[str], body: nodes.Block, function: ast.AST,
    ) -> dict[Change, Value]:  # fmt: skip
        """What a body that was lowered here has changed, and what it is now.

        before: what was under each name; outer: what outer variables hold now; heap: what
        containers held.
        """
        found: dict[Change, Value] = {}
        grown: dict[Path, None] = {}
        memory = effects(body)
        for start, value in before.items():
            pairs = self._differences((start,), value, outer.get(start, value), heap, grown, set())
            found |= {Change(None, path): now for path, now in pairs}
        for i, name in enumerate(parameters):
            kind = self.builder.types[name]
            if memory.changes(name) and (memory.fills(name) or not isinstance(kind, Array)):
                self._check_shallow(name, kind, body, memory, function)
                rebinds = self._rebinds(name, kind, body, memory)
                found[Change(i, rebinds=rebinds)] = Dyn(nodes.Var(name, type=kind))
        if grown:
            raise HandBack(function, grown)
        return found

    def _differences(
        self, path: Path, old: Value, new: Value, heap: dict[int, Any],
        grown: dict[Path, None],
        seen: set[int],
    ) -> Iterator[tuple[Path, Value]]:  # fmt: skip
        """The values in a structure that are not what they were."""
        self._check_made_with(old, heap)
        if not isinstance(old, Heap) or old != new or old.id not in heap:
            built = isinstance(old, Heap) and isinstance(new, Dyn)
            if built and isinstance(new, Dyn) and isinstance(new.type, List | Dict):
                grown[path] = None  # generated code builds it: let it do so from the start
            elif old != new and not (len(path) == 1 and isinstance(path[0], str)):
                yield path, new  # but a caller's name holds what it held: tests told more of it
            return
        if old.id in seen:
            return
        seen.add(old.id)
        first, second = _rows(heap[old.id]), _rows(self.state.heap.get(old.id))
        if second is None or [k for k, _ in first or ()] != [k for k, _ in second]:
            grown[path] = None
            return
        for (key, a), (_, b) in zip(first or (), second, strict=True):
            yield from self._differences((*path, key), a, b, heap, grown, seen)

    def _check_made_with(self, value: Value, heap: dict[int, Any]) -> None:
        """Refuse changes of what a function that was given was made with, an object of a method."""
        held = {i for part in bound_to(value) for i in inside(part, heap)}
        if any(self.state.heap.get(i) != heap[i] for i in held & heap.keys()):
            raise self.refuse(
                "a recursive function changes an object through a method that it is given",
                self.source.node,
                "it works on a copy of the object",
                "pass the object, and call the method of that: owner.step(v)",
            )

    def _check_shallow(
        self, name: str, kind: Type, body: nodes.Block, memory: Effects, node: ast.AST
    ) -> None:
        """Refuse writes into arrays that a list holds: others may hold them too."""
        if isinstance(kind, Array):
            return
        for stmt in nodes.walk_block(body):
            if (
                isinstance(stmt, nodes.Mutate)
                and isinstance(stmt.base.type, Dict)
                and memory.find(root(stmt.base) or "") == memory.find(name)
            ):
                raise self.refuse(
                    "a recursive function takes keys out of a dict",
                    node,
                    "it works on a copy of the dict",
                    "mark the key as done in its entry: table[key] = None",
                )
            if _writes_array(stmt, name, memory):
                raise self.refuse(
                    "a recursive function writes into an array that a list holds",
                    node,
                    "it works on a copy of the list, and others may hold the array too",
                    "put a new array into the list: rows[i] = rows[i] + v",
                )

    def _rebinds(self, name: str, kind: Type, body: nodes.Block, memory: Effects) -> bool:
        """Whether other lists or dicts are put where a list or dict held some."""
        if _put_into(_item_of(kind)) is None:
            return False
        group = memory.find(name)
        stores = (s for s in nodes.walk_block(body) if isinstance(s, nodes.Store))
        own = {root(s.base) or "" for s in stores if self._puts_another(s)}
        return group in map(memory.find, own | self.rebound)

    def _puts_another(self, stmt: nodes.Store) -> bool:
        held = stmt.value.type
        held = held.item if isinstance(held, Maybe) else held
        return isinstance(held, List | Dict) and stmt.span not in self.written_back

    def returns_changed(self, result: Value, changed: list[Value], body: nodes.Block) -> bool:
        """Whether a result is, or holds, a list or dict which is handed back: that is another one
        for the caller, who may change either of the two."""
        lists = {n for value in changed for n in _list_names(value)}
        given = {n for value in _leaves(result, self.state.heap) for n in _list_names(value)}
        written = {
            root(s.base) or ""
            for s in nodes.walk_block(body)
            if isinstance(s, nodes.Store | nodes.Mutate) and isinstance(s.base.type, List | Dict)
        }
        return bool(lists & _origins(body, given) & _origins(body, written))

    def with_changes(self, result: Value, changed: list[Value], bare: bool) -> Value:
        """A function's result, with what it hands back behind it."""
        if not changed:
            return result
        parts = changed if bare else [result, *changed]
        return parts[0] if bare and len(parts) == 1 else self.sequence(parts)

    def put_back(
        self, changes: tuple[Change, ...], new: list[nodes.Var], given: dict[Any, Value],
        flat: list[nodes.Expr], node: ast.AST,
    ) -> None:  # fmt: skip
        """Write what a call has handed back into what was given to it."""
        for change, var in zip(changes, new, strict=True):
            if change.position is not None:
                self._write(flat[change.position], var, change.rebinds, node)
            else:
                self._bind(change.path, Dyn(var), given, node)

    def _write(self, place: nodes.Expr, var: nodes.Var, rebinds: bool, node: ast.AST) -> None:
        if rebinds:
            self._refuse_second_names(place, node)
            self.rebound.add(root(place) or "")
        if (inner := _put_into(_item_of(place.type))) is not None and not rebinds:
            self.written_back.add(self.span(node))
            model = tables.put_into_dict if isinstance(place.type, Dict) else tables.put_into_list
            self.model(model, [Dyn(place), Dyn(var), Static(inner)], node)
        elif isinstance(place.type, Dict):
            self.container_method(Dyn(place), "update", [Dyn(var)], {}, node)
        elif isinstance(place.type, List):
            self.container_method(Dyn(place), "clear", [], {}, node)
            self.container_method(Dyn(place), "extend", [Dyn(var)], {}, node)
        else:
            self.emit_change(nodes.Store(place, (), var, span=self.span(node)))

    def _refuse_second_names(self, place: nodes.Expr, node: ast.AST) -> None:
        """What is handed back is a copy with other lists in it; a name may hold one of the old."""
        builder, owner = self.builder, root(place) or ""
        same = builder.all_mates(owner)
        held = {name for v in self.state.vars.values() for name in _list_names(v)} - {owner}
        for name in sorted(held):
            links = (other for _, other in builder.links.get(name, ()))
            if same.keys() & {root(e) for e in (*builder.paths.get(name, ()), *links)}:
                raise self.refuse(
                    "a recursive function puts other lists into a list, of which names hold some",
                    node,
                    "it works on a copy of the list",
                    "change the lists that are there: rows[i].append(v), rows[i][:] = new",
                )

    def _bind(self, path: Path, value: Value, given: dict[Any, Value], node: ast.AST) -> None:
        start, *steps = path
        if not steps:
            self.state.vars[start] = value
            return
        owner = given[start]
        for step in steps[:-1]:
            owner = self._item(owner, step)
        self.refuse_outside(owner, node)
        assert isinstance(owner, Heap)
        if sum(owner.id in inside(v, self.state.heap) for v in given.values()) > 1:
            raise self.refuse(
                "a recursive function changes what two of its arguments hold",
                node,
                "it works on a copy of each",
                "pass it once",
            )
        contents = self.state.heap[owner.id]
        rows = tuple((k, value if k == steps[-1] else v) for k, v in _rows(contents) or ())
        self.state.heap[owner.id] = _with(contents, rows)

    def _item(self, owner: Any, key: Any) -> Any:
        return dict(_rows(self.contents(owner)) or ()).get(key)


def _leaves(value: Value, heap: dict[int, Any]) -> list[Value]:
    """A value, or those in it where it is a structure."""
    rows = _rows(heap.get(value.id)) if isinstance(value, Heap) else None
    return [value] if rows is None else [leaf for _, v in rows for leaf in _leaves(v, heap)]


def _origins(body: nodes.Block, names: set[str]) -> set[str]:
    """These names, and all that they may have their lists and dicts from."""
    while new := set(_givers(body, names)) - names:
        names = names | new
    return names


def _givers(body: nodes.Block, names: set[str]) -> Iterator[str]:
    """The variables that these names have their lists and dicts from, in one step."""
    for stmt in nodes.walk_block(body):
        if isinstance(stmt, nodes.Assign):
            for target, value in zip(stmt.targets, stmt.values, strict=True):
                part = isinstance(value, nodes.Index) and any(map(nodes.is_slice, value.index))
                if target in names and isinstance(value, nodes.Var | nodes.Index) and not part:
                    yield from {root(value) or ""} - {""}
        else:
            yield from (n for target, found in shares(stmt) if target in names for n in found)


def _writes_array(stmt: nodes.Stmt, name: str, memory: Effects) -> bool:
    """Whether a statement writes into an array whose memory the variable may share."""
    if not isinstance(stmt, nodes.Store) or isinstance(stmt.base.type, List | Dict):
        return False
    return memory.find(root(stmt.base) or "") == memory.find(name)


def _item_of(kind: Type) -> Type | None:
    item = kind.item if isinstance(kind, List | Dict) else None
    return item.item if isinstance(item, Maybe) else item


def _put_into(kind: Type | None) -> Any:
    """What writes into a list or dict inside another one: names that hold it see it changed."""
    if isinstance(kind, Dict):
        return tables.dict_update
    return tables.put_list if isinstance(kind, List) else None


def _list_names(value: Value) -> tuple[str, ...]:
    if isinstance(value, Dyn) and isinstance(value.type, List | Dict):
        return (value.expr.name,) if isinstance(value.expr, nodes.Var) else ()
    return ()


def growing(path: Path, before: Any, now: Any) -> Iterator[Path]:
    """Paths to the lists and dicts of which a call has longer ones than the call around it, and to
    texts that are others there."""
    if not (isinstance(before, tuple) and isinstance(now, tuple)) or before[:1] != now[:1]:
        return
    if now[0] == "known" and before != now and all(map(_is_text, (before[1], now[1]))):
        yield path
    head = {"list": 2, "tuple": 2, "dict": 1, "object": 4}.get(now[0])
    if head is None:
        return
    first, second = before[head:], now[head:]
    keys: list[Any]
    others: list[Any]
    if now[0] in ("dict", "object"):
        keys, others = [k for k, _ in first], [k for k, _ in second]
        first, second = tuple(s for _, s in first), tuple(s for _, s in second)
    else:
        keys, others = list(range(len(first))), list(range(len(second)))
    if keys != others:
        if now[0] in ("list", "dict"):
            yield path
        return
    for key, a, b in zip(keys, first, second, strict=True):
        yield from growing((*path, key), a, b)


def _is_text(value: Any) -> TypeGuard[Static]:
    return isinstance(value, Static) and isinstance(value.value, str)


def _rows(contents: Any) -> tuple[tuple[Any, Value], ...] | None:
    if contents is None:
        return None
    if isinstance(contents, Sequence):
        return tuple(enumerate(contents.items))
    return contents.items if isinstance(contents, Mapping) else contents.fields


def _with(contents: Any, rows: tuple[tuple[Any, Value], ...]) -> Any:
    if isinstance(contents, Sequence):
        return Sequence(contents.kind, tuple(v for _, v in rows), contents.made_by)
    if isinstance(contents, Mapping):
        return Mapping(rows)
    return type(contents)(contents.cls, rows, contents.given, contents.outside)

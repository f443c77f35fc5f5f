"""Floor 4: how the states of several paths meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from s2sgrad.analysis.definite import bound_after
from s2sgrad.analysis.several_classes import classes_held
from s2sgrad.analysis.whole import may_be_whole
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.containers.class_attributes import FromClass, comes_from, is_slot
from s2sgrad.frontend.containers.plain_dicts import with_one_class
from s2sgrad.frontend.options import MOST, filler, number_of, options_of
from s2sgrad.frontend.records import classes_of
from s2sgrad.frontend.state import (
    BOUND,
    FLAGS,
    Builder,
    Clash,
    Contents,
    NeedsResidual,
    Path,
    State,
    Together,
    joined,
    residual,
)
from s2sgrad.frontend.values import (
    Chosen,
    Dyn,
    Heap,
    Instance,
    Mapping,
    Sequence,
    Static,
    Value,
    inside,
    is_function,
    parts_of,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import BOTTOM, Known, Opaque, carries


class Meeting:
    """Merges the states of several paths; names that differ get a variable of their own.

    doubted: frame -> its names that are read where the text does not say that they have a value.
    outside: containers that are read from outside, and variables that hold such.
    """

    def __init__(
        self,
        builder: Builder,
        paths: list[Path],
        hint: Callable[[str], str],
        doubted: dict[int, frozenset[str]],
        outside: tuple[set[int], set[str]],
    ) -> None:
        self.builder, self.paths, self.hint, self.doubted = builder, paths, hint, doubted
        self.outside_ids, self.outside_variables = outside
        self.user = ""  # the name that is asked for, if it is doubted
        self.result = State(hold=paths[0].state.hold)
        self.made: list[nodes.Var] = []
        self.met: dict[tuple[int | None, ...], Heap] = {}  # its id on each path -> the container
        for path in paths:
            for new, held in path.state.either.items():
                self.result.either[new] = self.result.either.get(new, frozenset()) | held

    def run(self) -> State:
        """The state in which all paths meet."""
        for identity in dict.fromkeys(i for p in self.paths for i in p.state.heap):
            self._contents(identity)
        for key in dict.fromkeys(k for p in self.paths for k in p.state.vars):
            missing = Static(False) if key[1].startswith(FLAGS) else None
            values = [p.state.vars.get(key, missing) for p in self.paths]
            self.user = key[1] if key[1] in self.doubted.get(key[0], ()) else ""
            if not key[1].endswith(BOUND):
                self.result.vars[key] = self.value(key[1], values)
            if key[1].endswith(BOUND) or (self.user and None in values and _is_fixed(values)):
                self._told(key[0], key[1].removesuffix(BOUND).removeprefix("<"))
        return self.result

    def _told(self, frame: int, name: str) -> None:
        """Where a name is one thing or has no value: a flag says whether it has."""
        key = (frame, f"<{name}{BOUND}")
        held = [p.state.vars for p in self.paths]
        flag = self.value(key[1], [v.get(key, Static((frame, name) in v)) for v in held])
        if flag != Static(True):
            self.result.vars[key] = flag

    def _contents(self, identity: int) -> None:
        found = [p.state.heap.get(identity) for p in self.paths]
        present = [c for c in found if c is not None]
        if all(c == present[0] for c in present):
            self.result.heap[identity] = self._same_contents(present)
            return
        merged = self._merge(f"item{identity}", found)
        if merged is None:
            raise NeedsResidual(identity)
        self.result.heap[identity] = merged

    def _same_contents(self, present: list[Contents]) -> Contents:
        """The same variables on every path, where one may have seen more of what they hold."""
        head = present[0]
        if isinstance(head, Sequence):
            columns = zip(*(c.items for c in present if isinstance(c, Sequence)), strict=True)
            return replace(head, items=tuple(self._same(c[0], list(c)) for c in columns))
        attribute = "items" if isinstance(head, Mapping) else "fields"
        columns = zip(*(getattr(c, attribute) for c in present), strict=True)
        rows = tuple((c[0][0], self._same(c[0][1], [v for _, v in c])) for c in columns)
        changed: dict[str, Any] = {attribute: rows}
        return replace(head, **changed)

    def _merge(self, name: str, found: list[Contents | None]) -> Contents | None:
        """Contents of the same make, merged item by item; None where they are not alike."""
        present = [c for c in found if c is not None]
        head = present[0]
        if any(type(c) is not type(head) or _class_of(c) is not _class_of(head) for c in present):
            return None
        if isinstance(head, Sequence):
            lengths = {len(c.items) for c in present if isinstance(c, Sequence)}
            kinds = {c.kind for c in present if isinstance(c, Sequence)}
            if len(lengths) > 1 or len(kinds) > 1:
                return None
            merged = []
            for i in range(len(head.items)):
                parts = [c.items[i] if isinstance(c, Sequence) else None for c in found]
                merged.append(self.value(f"{name}_{i}", parts))
            return replace(head, items=tuple(merged))
        attribute = "items" if isinstance(head, Mapping) else "fields"
        tables = [None if c is None else dict(getattr(c, attribute)) for c in found]
        keys = list(dict.fromkeys(k for t in tables if t for k in t))
        rows: list[tuple[Any, Value]] = []
        for key in keys:
            column: list[Value | None] = [None if t is None else t.get(key) for t in tables]
            if None in column and isinstance(head, Mapping):
                return None
            if isinstance(head, Instance) and any(t is not None and key not in t for t in tables):
                self._set_on_some(head.cls, key)
            label = key if isinstance(key, str) and key.isidentifier() else name
            rows.append((key, self.value(label, column)))
        changed: dict[str, Any] = {attribute: tuple(rows)}
        return replace(head, **changed)

    def _set_on_some(self, cls: type, name: str) -> None:
        """An attribute that is there on some paths: what the class has stands on the others."""
        self.builder.partly.add(name)
        if comes_from(cls, name):
            raise FromClass(cls, name)
        if (hasattr(cls, name) and not is_slot(cls, name)) or hasattr(cls, "__getattr__"):
            raise UnsupportedError(
                f"the attribute '{name}' is set on some paths only", None,
                f"on the others it is what {cls.__name__} has", "set the attribute in __init__",
            )  # fmt: skip

    def value(self, name: str, values: list[Value | None]) -> Value:
        """The value a name has where the paths meet."""
        values = with_one_class(values, [p.state for p in self.paths], self.builder.ids)
        if any(isinstance(v, Heap) for v in values):  # beside an entry of an empty list or dict
            values = [None if isinstance(v, Dyn) and v.type == BOTTOM else v for v in values]
        present = [v for v in values if v is not None]
        head = present[0]
        everywhere = len(present) == len(values) or not _computes(head)
        if everywhere and all(v == head for v in present):
            return self._same(head, present)
        if all(isinstance(v, Heap) for v in present):
            return self._heap(name, values)
        called = [v for v in present if v != Static(None)]
        if (called and all(map(is_function, called))) or any(
            isinstance(v, Chosen) for v in present
        ):
            return self._function(name, values)
        built = any(isinstance(v, Dyn) and classes_of(v.type) for v in present)
        try:
            exprs = [
                None if v is None else residual(v, p.state, records=built)
                for v, p in zip(values, self.paths, strict=True)
            ]
        except UnsupportedError:
            return Clash(name, "different functions or objects meet here")
        return self._joined(name, values, exprs)

    def _keep_together(self, name: str, values: list[Value | None]) -> None:
        """Containers that have other names too must not be copied into a variable."""
        for value, path in zip(values, self.paths, strict=True):
            held = path.state.shared_parts(value) if value is not None else set()
            if held - self.outside_ids:  # the others stay as they are: a copy is as good
                why = "lists of different lengths meet here, which have other names too"
                refusal = UnsupportedError(
                    f"'{name}' is not the same on every path", None, why, "give each its own name"
                )
                identities = {i for p in held for i in path.state.origins(p)}
                for other, state in zip(values, self.paths, strict=True):
                    if isinstance(other, Heap):
                        identities |= state.state.origins(other.id)
                raise Together(identities, refusal)

    def _joined(
        self, name: str, values: list[Value | None], exprs: list[nodes.Expr | None]
    ) -> Value:
        """One variable; values of different make keep a name of their own each."""
        if joined(tuple(e.type for e in exprs if e is not None)) != Opaque("mixed"):
            self._keep_together(name, values)
            var = self.variable(name, exprs)
            if any(isinstance(v, Heap) and v.id in self.outside_ids for v in values):
                self.outside_variables.add(var.name)  # which must not change
            return Dyn(self._everywhere(var, exprs))
        held: list[Value | None] = []
        for value, expr, path in zip(values, exprs, self.paths, strict=True):
            if isinstance(value, Dyn) and expr is not None and not isinstance(expr, nodes.Var):
                var = self.builder.fresh(self.hint(name), expr.type)
                path.add(nodes.Assign((var.name,), (expr,), span=expr.span))
                value = Dyn(var)
            held.append(value)
        return self._function(name, held)

    def _everywhere(self, var: nodes.Var, exprs: list[nodes.Expr | None]) -> nodes.Var:
        """The variable, bound to something on the paths that have no value for it: what comes
        behind may hand it on there too, though no program reads it."""
        for path, expr in zip(self.paths, exprs, strict=True):
            if expr is None:
                path.add(nodes.Assign((var.name,), (filler(var),), nothing=self.user))
        return var

    def _function(self, name: str, values: list[Value | None]) -> Value:
        """One of several functions: each path says which."""
        options = options_of(values)
        if len(options) > MOST:
            return Clash(name, "too many different functions meet here")
        numbers = [None if v is None else number_of(v, options) for v in values]
        for option in options:
            self._bind_elsewhere(option)
        return Chosen(self.variable(f"{self.hint(name)}_choice", numbers), options)

    def _bind_elsewhere(self, option: Value) -> None:
        """Variables of a value that only some paths make: nothing reads them on the others."""
        held: list[Value] = [option] if isinstance(option, Dyn) and carries(option.type) else []
        if isinstance(option, Heap):
            heap = next(p.state.heap for p in self.paths if option.id in p.state.heap)
            held = [v for i in sorted(inside(option, heap)) for v in parts_of(heap[i])]
        exprs = [v.expr for v in held if isinstance(v, Dyn)]
        bound = [nodes.bound_in(tuple(p.block)) for p in self.paths]
        before = {n for block in self.builder.blocks for n in bound_after(tuple(block))}
        for var in dict.fromkeys(e for e in exprs if isinstance(e, nodes.Var)):
            if var.name in before or not any(var.name in names for names in bound):
                continue  # bound ahead of the paths: the others have that value
            for path, names in zip(self.paths, bound, strict=True):
                if var.name not in names:
                    path.add(nodes.Assign((var.name,), (filler(var),), nothing=self.user))

    def _same(self, head: Value, present: list[Value]) -> Value:
        if isinstance(head, Dyn):
            kind = joined(tuple(v.type for v in present if isinstance(v, Dyn)))
            return replace(head, expr=replace(head.expr, type=kind))
        return head

    def variable(self, name: str, exprs: list[nodes.Expr | None]) -> nodes.Var:
        """A fresh variable that each path sets."""
        kinds = tuple(e.type for e in exprs if e is not None)
        self.builder.relate(kinds)
        kind = joined(kinds)
        if isinstance(kind, Known):
            kind = Opaque("str") if isinstance(kind.value, str) else kind
        whole = any(e is not None and may_be_whole(e, self.builder.whole) for e in exprs)
        var = self.builder.meeting(self.hint(name), kind, kinds, whole)
        held = [classes_held(e, self.builder.classes) for e in exprs if e is not None]
        self.builder.classes.meet(var.name, held)
        self.made.append(var)
        for path, expr in zip(self.paths, exprs, strict=True):
            if expr is not None:
                _bind_first(path, expr, self.user)
                path.add(nodes.Assign((var.name,), (expr,), move=True))
                self.builder.mate(var, expr)
        return var

    def _heap(self, name: str, values: list[Value | None]) -> Value:
        ids = tuple(v.id if isinstance(v, Heap) else None for v in values)
        if ids in self.met:  # another name holds the same on every path
            return self.met[ids]
        found = [
            None if v is None else p.state.heap[v.id]  # type: ignore[attr-defined]
            for v, p in zip(values, self.paths, strict=True)
        ]
        merged = self._merge(name, found)
        if len({_class_of(c) for c in found if c is not None}) > 1:
            return self._function(name, values)
        if merged is None:
            try:
                exprs = [
                    None if v is None else residual(v, p.state)
                    for v, p in zip(values, self.paths, strict=True)
                ]
            except UnsupportedError:
                return Clash(name, "containers of different make meet here")
            return self._joined(name, values, exprs)
        identity = next(self.builder.ids)
        self.result.heap[identity] = merged
        if not (isinstance(merged, Sequence) and merged.kind == "tuple"):
            held = frozenset(v.id for v in values if isinstance(v, Heap))
            self.result.either[identity] = held
        self.met[ids] = Heap(identity)
        return self.met[ids]


def _is_fixed(values: list[Value | None]) -> bool:
    """Whether a name is known while compiling, on the paths on which it has a value: it is one
    thing, or a container whose parts have names."""
    present = [v for v in values if v is not None]
    return not isinstance(present[0], Dyn) and all(v == present[0] for v in present)


def _bind_first(path: Path, expr: nodes.Expr, user: str) -> None:
    """See that a name which only some ways along a path bind can be handed on at its end.

    user: the name by which it is doubted."""
    if not isinstance(expr, nodes.Var):
        return
    block = tuple(path.block)
    if any(expr.name in nodes.targets_of(s) for s in block):
        return
    inside = any(expr.name in nodes.targets_of(s) for s in nodes.walk_block(block))
    if inside and expr.name not in bound_after(block):
        path.block.insert(0, nodes.Assign((expr.name,), (filler(expr),), nothing=user))


def _computes(value: Value) -> bool:
    """Whether a value is an expression, of names that other paths may not bind."""
    return isinstance(value, Dyn) and not isinstance(value.expr, nodes.Var | nodes.Const)


def _class_of(contents: Contents) -> Any:
    """The class of an object or named tuple, whose methods are not those of another."""
    if isinstance(contents, Instance):
        return contents.cls
    return None if contents is None else contents.made_by

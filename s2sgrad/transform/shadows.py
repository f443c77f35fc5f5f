"""Floor 5: cotangents that follow their arrays at run time.

Where it depends on the path which names share an array (see aliases.py), every such array gets a
shadow: an array of zeros made beside it. Whatever the program does to hand the array on, `z = y`,
`row = a[i]`, `rows.append(y)`, it now does with the shadow too, under names of its own. So
whichever names share the array in a run share its cotangent, which the reverse sweep changes in
place only. To the rest of the reversal the names of shadows are ordinary variables of the forward
sweep: their bindings are saved and restored as those of any other.

Before: `z = y`, then after: `z_bar = y_bar`, `z = y`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.activity import Activity
from s2sgrad.analysis.effects import Effects, holds_arrays, is_view, root, shared_with
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import Array, List, Maybe, Number, Opaque, Scalar, Tuple, Type
from s2sgrad.transform import build
from s2sgrad.transform.coalesce import base_name

LIST_METHODS = frozenset({"append", "insert", "extend", "pop", "reverse", "clear"})
MAY_COPY = (np.reshape, np.ravel, np.ascontiguousarray, np.asarray, np.asanyarray)


@dataclass
class Shadows:
    """Adds the shadows of tangled names to a block.

    tangled: name -> the refusal for what can't be shadowed. of: name -> name of its shadow.
    bases: name -> the name it should print as. makers: statement that makes shadows (its id) ->
    the statement before it that made the arrays; its reverse code runs where the shadows are.
    """

    tangled: dict[str, UnsupportedError]
    activity: Activity
    names: Names
    types: dict[str, Type]
    bases: dict[str, str]
    of: dict[str, str] = field(default_factory=dict)
    makers: dict[int, Stmt] = field(default_factory=dict)

    def whole(self, block: Block, given: frozenset[str]) -> Block:
        """The body of a function with its shadows. given: what is bound before."""
        for name, refusal in self.tangled.items():
            if name in given or not _shadowed(self.types[name]):
                raise refusal
            self._shadow(name)
        return self.block(block)

    def _shadow(self, name: str) -> None:
        base = self.bases.get(name, base_name(name))
        shadow = self.names.fresh(f"{name}_bar")
        self.of[name] = shadow
        self.bases[shadow] = f"{base}_bar"
        self.types[shadow] = self.types[name]

    def block(self, block: Block) -> Block:
        """The statements of a block with those of the shadows."""
        return tuple(new for stmt in block for new in self.stmt(stmt))

    def stmt(self, stmt: Stmt) -> list[Stmt]:
        """A statement with that of the shadows."""
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                return [replace(stmt, then=self.block(then), orelse=self.block(orelse))]
            case nodes.For(targets=targets, body=body):
                for name in self.tangled.keys() & set(targets):
                    raise self.tangled[name]
                return [replace(stmt, body=self.block(body))]
            case nodes.While(body=body):
                return [replace(stmt, body=self.block(body))]
            case nodes.Assign():
                return self._assign(stmt)
            case nodes.Unpack():
                return self._unpack(stmt)
            case nodes.Store():
                return self._store(stmt)
            case nodes.Mutate():
                return self._mutate(stmt)
        return [stmt]

    # --- bindings ----------------------------------------------------------------------------
    def _assign(self, stmt: nodes.Assign) -> list[Stmt]:
        if not any(t in self.of for t in stmt.targets):
            return [stmt]
        if len(stmt.targets) == 1 and stmt.targets[0] not in nodes.names_in(stmt.values[0]):
            if not binds_existing(stmt.values[0]):
                return [stmt, self._zeros(stmt, stmt.targets)]
            if may_copy(stmt.values[0]):
                return [stmt, self._view_or_copy(stmt)]
        before: list[Stmt] = []
        values = tuple(
            self._handed_on(v, before, t) if t in self.of else v
            for t, v in zip(stmt.targets, stmt.values, strict=True)
        )
        pairs = [
            (self.of[t], self.shadow(v, t))
            for t, v in zip(stmt.targets, values, strict=True)
            if t in self.of
        ]
        own = nodes.Assign(tuple(t for t, _ in pairs), tuple(v for _, v in pairs))
        return [*before, own, replace(stmt, values=values)]

    def _zeros(self, made: Stmt, names: tuple[str, ...]) -> Stmt:
        """The shadows of new arrays, of which `made` is the statement that makes them."""
        values = tuple(map(self._zeros_for, names))
        stmt = nodes.Assign(tuple(self.of[n] for n in names), values)
        self.makers[id(stmt)] = made
        return stmt

    def _zeros_for(self, name: str) -> Expr:
        kind = self.types[name]
        var = Var(name, type=kind)
        if isinstance(kind, Array | Number):
            return Call(np.zeros_like, "np.zeros_like", (var,), type=kind)
        return Call(s2sgrad_runtime.zeros_like, "zeros_like", (var,), type=kind)

    def _handed_on(self, value: Expr, before: list[Stmt], target: str = "item") -> Expr:
        """A value made of names that have shadows: what is new in it gets a name."""
        if isinstance(value, nodes.Sequence):
            items = tuple(self._handed_on(i, before) for i in value.items)
            return replace(value, items=items)
        if isinstance(value, nodes.Const) or not holds_arrays(value.type):
            return value
        if isinstance(value, Call) and value.function in ("list+", "list*"):
            return replace(value, args=tuple(self._handed_on(a, before) for a in value.args))
        if binds_existing(value) and not may_copy(value):
            return value
        name = self._fresh(target, value.type)
        made = nodes.Assign((name,), (value,), span=value.span)
        before.append(made)
        if may_copy(value):
            before.append(self._view_or_copy(made))
        else:
            before.append(self._zeros(made, (name,)))
        return Var(name, type=value.type)

    def _fresh(self, target: str, kind: Type) -> str:
        """Another name for what a variable is about to hold."""
        base = self.bases.get(target, base_name(target))
        name = self.names.fresh(base)
        self.types[name], self.bases[name] = kind, base
        self._shadow(name)
        self.activity.variables = self.activity.variables | {name}
        return name

    def _view_or_copy(self, made: nodes.Assign) -> Stmt:
        """The shadow of what is a view of some arrays and a copy of others."""
        name, value = made.targets[0], made.values[0]
        own = Var(name, type=self.types[name])
        view = self.shadow(copied_from(value), name)
        if isinstance(value, Call):
            shape = build.attribute(own, "shape", np.shape, Opaque("shape"))
            view = Call(np.reshape, "reshape", (view, shape), form="method", type=own.type)
        shared = shares(copied_from(value), own)
        choice = nodes.Choice(shared, view, self._zeros_for(name), type=own.type)
        stmt = nodes.Assign((self.of[name],), (choice,))
        self.makers[id(stmt)] = made
        return stmt

    def _unpack(self, stmt: nodes.Unpack) -> list[Stmt]:
        held = [t for t in stmt.targets if t in self.of]
        if not held:
            return [stmt]
        if binds_existing(stmt.value):
            targets = tuple(self.of.get(t, "_") for t in stmt.targets)
            own = nodes.Unpack(targets, self.shadow(stmt.value, held[0]))
            return [own, stmt]
        if not nodes.names_in(stmt.value).intersection(held):
            return [stmt, self._zeros(stmt, tuple(held))]
        renamed = {t: self._fresh(t, self.types[t]) for t in held}
        new = replace(stmt, targets=tuple(renamed.get(t, t) for t in stmt.targets))
        shadows = tuple(Var(self.of[n], type=self.types[n]) for n in renamed.values())
        values = tuple(Var(n, type=self.types[n]) for n in renamed.values())
        return [
            new,
            self._zeros(new, tuple(renamed.values())),
            nodes.Assign(tuple(self.of[t] for t in held), shadows),
            nodes.Assign(tuple(held), values),
        ]

    # --- lists -------------------------------------------------------------------------------
    def _store(self, stmt: nodes.Store) -> list[Stmt]:
        name = root(stmt.base)
        if name not in self.of or not replaces_entry(stmt):
            return [stmt]
        before: list[Stmt] = []
        value = self._handed_on(stmt.value, before)
        own = nodes.Store(self.shadow(stmt.base, name), stmt.index, self.shadow(value, name))
        return [*before, own, replace(stmt, value=value)]

    def _mutate(self, stmt: nodes.Mutate) -> list[Stmt]:
        name = root(stmt.base)
        if name not in self.of:
            return [stmt]
        if stmt.method not in LIST_METHODS:
            raise self.tangled[name]
        before: list[Stmt] = []
        args = tuple(self._handed_on(a, before) for a in stmt.args)
        shadows = tuple(self.shadow(a, name) if holds_arrays(a.type) else a for a in args)
        target = self.of.get(stmt.target, None) if stmt.target else None
        own = nodes.Mutate(self.shadow(stmt.base, name), stmt.method, shadows, target)
        return [*before, own, replace(stmt, args=args)]

    def shadow(self, expr: Expr, name: str) -> Expr:
        """The same expression on shadows. name: for which variable."""
        match expr:
            case Var() if expr.name in self.of:
                return replace(expr, name=self.of[expr.name])
            case nodes.Const(value=None):
                return expr
            case nodes.Index(base=base):
                return replace(expr, base=self.shadow(base, name))
            case nodes.Sequence(items=items):
                return replace(expr, items=tuple(self.shadow(i, name) for i in items))
            case Call(function=function, args=args) if function == "list+" or function is list:
                return replace(expr, args=tuple(self.shadow(a, name) for a in args))
            case Call(args=args) if is_view(expr) and not may_copy(expr):
                return replace(expr, args=(self.shadow(args[0], name), *args[1:]))
        raise self.tangled.get(name) or next(iter(self.tangled.values()))


def tangled_names(
    effects: Effects, tangled: dict[str, UnsupportedError], activity: Activity
) -> dict[str, UnsupportedError]:
    """The variables of tangled groups that carry derivatives, with the refusal of each."""
    found: dict[str, UnsupportedError] = {}
    for name in activity.types:
        refusal = tangled.get(effects.find(name))
        if refusal is not None and holds_arrays(activity.types[name]):
            found[name] = refusal
    return {n: r for n, r in found.items() if n in activity.variables}


def binds_existing(value: Expr) -> bool:
    """Whether a value is an array that exists (or a view or list of such), not a new one."""
    return isinstance(value, nodes.Sequence | nodes.Const) or bool(shared_with(value))


def replaces_entry(stmt: nodes.Store) -> bool:
    """Whether a store puts another array into a list, rather than numbers into an array."""
    return stmt.op == "" and bool(stmt.index) and isinstance(stmt.base.type, List)


def may_copy(value: Expr) -> bool:
    """Whether an operation gives a view of some arrays and a copy of others."""
    if isinstance(value, nodes.Index) and isinstance(value.type, Number):
        return not isinstance(value.base.type, List | Tuple)
    if not isinstance(value, Call) or not is_view(value) or value.function not in MAY_COPY:
        return False
    source = value.args[0].type
    flat = isinstance(source, Array) and source.shape is not None and len(source.shape) == 1
    if value.function is np.reshape and flat:
        return False
    return value.function not in (np.asarray, np.asanyarray) or len(value.args) > 1


def shares(first: Expr, second: Expr) -> Expr:
    """Whether two arrays share memory in this run."""
    args = (first, second)
    return Call(np.may_share_memory, "np.may_share_memory", args, type=Scalar("bool"))


def copied_from(value: Expr) -> Expr:
    """The array that `value` is a view or a copy of; an entry as an array without axes."""
    if isinstance(value, nodes.Index):
        if any(isinstance(p, nodes.Const) and p.value is ... for p in value.index):
            return value
        return replace(value, index=(*value.index, nodes.Const(...)))
    assert isinstance(value, Call)
    return value.args[0]


def _shadowed(kind: Type) -> bool:
    """Whether values of a type are arrays, or lists and tuples of nothing but arrays."""
    if isinstance(kind, List | Maybe):
        return _shadowed(kind.item)
    if isinstance(kind, Tuple):
        return all(map(_shadowed, kind.items))
    return isinstance(kind, Array | Number)


__all__ = [
    "Shadows",
    "binds_existing",
    "copied_from",
    "may_copy",
    "replaces_entry",
    "shares",
    "tangled_names",
]

"""Floor 5: cotangents that follow their arrays at run time.

Where it depends on the path which names share an array (see aliases.py), every such array gets a
shadow: an array of zeros made beside it. Whatever the program does to hand the array on, `z = y`,
`row = a[i]`, `rows.append(y)`, it now does with the shadow too, under names of its own. So
whichever names share the array in a run share its cotangent, which the reverse sweep changes in
place only. To the rest of the reversal the names of shadows are ordinary variables of the forward
sweep: their bindings are saved and restored as those of any other.

A list of numbers has a list of zeros, to which the program's `append`, `pop` and so on happen too:
`rows.append([v])` becomes `row_bar = [0.0]`, `rows_bar.append(row_bar)` beside its own.

Before: `z = y`, then after: `z_bar = y_bar`, `z = y`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import s2sgrad_runtime
from s2sgrad.analysis.activity import Activity
from s2sgrad.analysis.effects import root
from s2sgrad.analysis.memory import is_view
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.carrying import holds_constants
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import Array, Dict, Maybe, Number, Opaque, Scalar, Tuple, Type, carries
from s2sgrad.transform.preparing.coalesce import base_name
from s2sgrad.transform.preparing.row_loops import index_loop
from s2sgrad.transform.reverse.shadow_kinds import (
    apart,
    binds_existing,
    can_have_shadows,
    copied_from,
    entry_type,
    field_by_field,
    holds_unclear,
    is_leaf,
    is_mixed,
    makes_list,
    may_copy,
    of_rows,
    positive,
    replaces_entry,
    shares,
    shows_numbers,
    zero_of,
    zeros_of_container,
)
from s2sgrad.transform.writing import build

_REST = nodes.Const(Ellipsis, type=Opaque("ellipsis"))
LIST_METHODS = frozenset({"append", "insert", "extend", "pop", "reverse", "clear"})


@dataclass
class Shadows:
    """Adds the shadows of tangled names to a block.

    tangled: name -> the refusal for what can't be shadowed. of: name -> name of its shadow.
    bases: name -> the name it should print as. unclear: names that may share what holds a number
    in one run, and an array in another: the cotangents of numbers are arrays then. makers:
    statement that makes shadows (its id) -> the statement before it that made the arrays; its
    reverse code runs where the shadows are.
    """

    tangled: dict[str, UnsupportedError]
    activity: Activity
    names: Names
    types: dict[str, Type]
    bases: dict[str, str]
    of: dict[str, str] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)
    makers: dict[int, Stmt] = field(default_factory=dict)

    def whole(self, block: Block, given: frozenset[str]) -> Block:
        """The body of a function with its shadows. given: what is bound before."""
        start: list[Stmt] = []
        unclear = {id(r) for n, r in self.tangled.items() if holds_unclear(self.types[n])}
        self.unclear |= {n for n, refusal in self.tangled.items() if id(refusal) in unclear}
        for name, refusal in self.tangled.items():
            if not can_have_shadows(self.types[name]):
                raise refusal
            self._shadow(name)
            if name in given:
                start.append(nodes.Assign((self.of[name],), (self._zeros_for(name),)))
        return (*start, *self.block(block))

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
            case nodes.For(targets=targets):
                if self.of.keys() & set(targets):
                    stmt = index_loop(stmt, self.names, self.types)
                return [replace(stmt, body=self.block(stmt.body))]
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
        stmt = replace(stmt, values=tuple(map(field_by_field, stmt.values)))
        for target, value in zip(stmt.targets, stmt.values, strict=True):
            number = isinstance(self.types[target], Number) and isinstance(value.type, Scalar)
            if number and target in nodes.names_in(value):
                self._refuse_number(target)
        if len(stmt.targets) == 1 and stmt.targets[0] not in nodes.names_in(stmt.values[0]):
            if not binds_existing(stmt.values[0]):
                return [stmt, self._zeros(stmt, stmt.targets)]
            if may_copy(stmt.values[0]):
                return [stmt, self._view_or_copy(stmt)]
        before: list[Stmt] = []
        read = {n for v in stmt.values for n in nodes.names_in(v)}
        again = bool(read & set(stmt.targets))
        values = tuple(
            self._handed_on(v, before, t, again) if t in self.of else self._made(t, v, stmt, before)
            for t, v in zip(stmt.targets, stmt.values, strict=True)
        )
        pairs = [
            (self.of[t], v if v == nodes.Const(None) else self.shadow(v, t))
            for t, v in zip(stmt.targets, values, strict=True)
            if t in self.of
        ]
        own = nodes.Assign(tuple(t for t, _ in pairs), tuple(v for _, v in pairs))
        return [*before, own, replace(stmt, values=values)]

    def _made(self, target: str, value: Expr, stmt: nodes.Assign, before: list[Stmt]) -> Expr:
        """A value beside those with shadows; made first, where it reads what gets another one."""
        if not nodes.names_in(value) & self.of.keys() & set(stmt.targets):
            return value
        return self._under_name(target, value, before)

    def _under_name(self, target: str, value: Expr, before: list[Stmt]) -> Expr:
        """A value for a variable, made before it is given away."""
        base = self.bases.get(target, base_name(target))
        name = self.names.fresh(f"{base}_next")
        self.types[name], self.bases[name] = value.type, base
        if target in self.activity.variables:
            self.activity.variables = self.activity.variables | {name}
        before.append(nodes.Assign((name,), (value,), span=value.span))
        return Var(name, type=value.type)

    def _refuse_number(self, name: str) -> None:
        """A number has no memory that a cotangent could follow."""
        if name in self.of:
            raise self.tangled.get(name) or next(iter(self.tangled.values()))

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
            return build.zeros_like(var, kind, self.activity.mixes_dtypes)
        return zeros_of_container(var, name in self.unclear)

    def _handed_on(
        self, value: Expr, before: list[Stmt], target: str = "item", again: bool = False
    ) -> Expr:
        """A value made of names that have shadows: what is new in it gets a name.

        again: so do displays of numbers, since a name in them is bound anew. (Tuples of numbers
        can't be changed: a list holds their cotangents, and gives them back.)
        """
        if again and shows_numbers(value) and not is_leaf(value.type):
            name = self._fresh(target, value.type)
            before += self._assign(nodes.Assign((name,), (value,), span=value.span))
            return Var(name, type=value.type)
        if isinstance(value, nodes.Sequence):
            items = tuple(self._handed_on(i, before) for i in value.items)
            return replace(value, items=items)
        if isinstance(value, nodes.Mapping):
            items = tuple(self._handed_on(i, before) for i in value.values)
            return replace(value, values=items)
        if isinstance(value, nodes.Const) or is_leaf(value.type):
            return value
        if binds_existing(value) and not may_copy(value):
            return self._named_displays(value, before)
        name = self._fresh(target, value.type)
        made = nodes.Assign((name,), (value,), span=value.span)
        before.append(made)
        if may_copy(value):
            before.append(self._view_or_copy(made))
        else:
            before.append(self._zeros(made, (name,)))
        return Var(name, type=value.type)

    def _named_displays(self, value: Expr, before: list[Stmt]) -> Expr:
        """An operation on lists; what is new in its operands gets names."""
        if isinstance(value, Call):
            args = tuple(self._handed_on(a, before, again=True) for a in value.args)
            return replace(value, args=args)
        if isinstance(value, nodes.Index):
            return replace(value, base=self._handed_on(value.base, before, again=True))
        return value

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
            view = replace(value, args=(view, *value.args[1:]))  # it lies as the array does
        shared = shares(copied_from(value), own)
        choice = nodes.Choice(shared, view, self._zeros_for(name), type=own.type)
        stmt = nodes.Assign((self.of[name],), (choice,))
        self.makers[id(stmt)] = made
        return stmt

    def _unpack(self, stmt: nodes.Unpack) -> list[Stmt]:
        held = [t for t in stmt.targets if t in self.of]
        if not held:
            return [stmt]
        if binds_existing(stmt.value) and is_mixed(stmt.value.type):
            parts = [(i, t) for i, t in enumerate(stmt.targets) if t in self.of]
            entries = tuple(build.index(stmt.value, constant(i)) for i, _ in parts)
            shadows = tuple(self.shadow(e, held[0]) for e in entries)
            return [nodes.Assign(tuple(self.of[t] for _, t in parts), shadows), stmt]
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
        if name not in self.of or holds_constants(stmt.base.type):
            return [stmt]
        if not replaces_entry(stmt):
            return [*self._new_entry(stmt, name), stmt]
        entry = entry_type(stmt.base.type, stmt.index[0]) if stmt.index else stmt.base.type
        number = isinstance(entry, Number) and isinstance(stmt.value.type, Scalar)
        if number and nodes.names_in(stmt.value):
            self._refuse_number(name)
        before: list[Stmt] = []
        value = self._displayed(stmt.value, before)
        if isinstance(value.type, Tuple) and is_leaf(value.type) and not isinstance(value, Var):
            value = self._under_name(name, value, before)  # it may read what it replaces
        own = nodes.Store(self.shadow(stmt.base, name), stmt.index, self.shadow(value, name))
        return [*before, own, replace(stmt, value=value)]

    def _new_entry(self, stmt: nodes.Store, name: str) -> list[Stmt]:
        """`d[k] = number` may be a new entry."""
        if not isinstance(stmt.base.type, Dict) or stmt.op or not stmt.index:
            return []
        if name in self.unclear:  # what replaces a number would have to replace its array
            raise self.tangled.get(name) or next(iter(self.tangled.values()))
        zero = zero_of(entry_type(stmt.base.type, stmt.index[0]))
        return [nodes.Store(self.shadow(stmt.base, name), stmt.index, zero)]

    def _mutate(self, stmt: nodes.Mutate) -> list[Stmt]:
        name = root(stmt.base)
        if name not in self.of or holds_constants(stmt.base.type):
            return [stmt]
        if stmt.method not in LIST_METHODS:
            raise self.tangled[name]
        before: list[Stmt] = []
        given = stmt.args[:1] if stmt.method == "insert" else ()
        if stmt.method == "pop":
            given = stmt.args
        args = tuple(self._displayed(a, before) for a in stmt.args[len(given) :])
        shadows = (*given, *(self._extension(a, stmt, name) for a in args))
        target = self.of.get(stmt.target, None) if stmt.target else None
        own = nodes.Mutate(self.shadow(stmt.base, name), stmt.method, shadows, target)
        return [*before, own, replace(stmt, args=(*given, *args))]

    def _displayed(self, value: Expr, before: list[Stmt]) -> Expr:
        """What is put into a list: a display of numbers gets a name, to be undone by itself."""
        return self._handed_on(value, before, again=True)

    def _extension(self, value: Expr, stmt: nodes.Mutate, name: str) -> Expr:
        """The shadow of what a list method puts into a list."""
        numbers = stmt.method == "extend" and is_leaf(entry_type(stmt.base.type, build.number(0)))
        if stmt.method in ("append", "insert"):
            return self._entry(value, stmt.base.type, build.number(0), name)
        if not numbers or isinstance(value, nodes.Sequence):
            return self.shadow(value, name)
        if isinstance(value, Var) and value.name in self.of:
            return apart(self.shadow(value, name))
        return Call(s2sgrad_runtime.zeros_like, "zeros_like", (value,), type=value.type)

    def shadow(self, expr: Expr, name: str) -> Expr:
        """The same expression on shadows. name: for which variable."""
        if isinstance(expr, Var) and expr.name in self.of:
            return replace(expr, name=self.of[expr.name])
        if is_leaf(expr.type):
            shared = bool(self.unclear) and not isinstance(expr, nodes.Const)
            return zero_of(expr.type, shared)
        made = self._of_operation(expr, name)
        if made is None:
            raise self.tangled.get(name) or next(iter(self.tangled.values()))
        return apart(made) if makes_list(expr) else made

    def _of_operation(self, expr: Expr, name: str) -> Expr | None:
        match expr:
            case nodes.Const(value=None):
                return expr
            case nodes.Index(base=base, index=index):
                entry = all(isinstance(part.type, Scalar) for part in index)
                if entry and isinstance(base.type, Array) and isinstance(expr.type, Number):
                    index = (*index, _REST)  # a view, be it of a number
                return replace(expr, base=self.shadow(base, name), index=positive(base.type, index))
            case Call(function=function, args=(array,)) if function is list and of_rows(
                array, expr
            ):
                views, own = s2sgrad_runtime.listed_views, self.shadow(array, name)
                return replace(expr, function=views, text=views.__name__, args=(own,))
            case nodes.Sequence(items=items):
                parts = tuple(
                    self._entry(item, expr.type, constant(i), name) for i, item in enumerate(items)
                )
                if is_mixed(expr.type):
                    keys = tuple(map(constant, range(len(parts))))
                    return nodes.Mapping(keys, parts, type=expr.type)
                return replace(expr, items=parts)
            case nodes.Mapping(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                parts = tuple(self._entry(v, expr.type, k, name) for k, v in pairs)
                return replace(expr, values=parts)
            case Call(function="list*", args=args):
                return replace(expr, args=(self.shadow(args[0], name), *args[1:]))
            case Call(function=function, args=args) if function in ("list+", list, dict):
                return replace(expr, args=tuple(self.shadow(a, name) for a in args))
            case Call(args=args) if is_view(expr) and not may_copy(expr):
                return replace(expr, args=(self.shadow(args[0], name), *args[1:]))
        if not carries(expr.type):  # of a list of integers beside numbers: nobody adds to it
            return Call(s2sgrad_runtime.zeros_like, "zeros_like", (expr,), type=expr.type)
        return None

    def _entry(self, value: Expr, holder: Type, key: Expr, name: str) -> Expr:
        """The shadow of an entry of a list, tuple or dict; None stays where no number comes."""
        if isinstance(value, nodes.Const) and value.value is None:
            kind = entry_type(holder, key)
            kind = kind.item if isinstance(kind, Maybe) else kind
            if not (is_leaf(kind) and carries(kind)):
                return value
        return self.shadow(value, name)


__all__ = ["Shadows"]

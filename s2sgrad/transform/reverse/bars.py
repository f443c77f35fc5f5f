"""Floor 5: the cotangent variables of a sweep: not set yet, set, or set and owned.

A cotangent that is owned may be changed in place; one that is only set may share its memory with
another cotangent.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import Effects, root
from s2sgrad.analysis.indexing import not_none
from s2sgrad.analysis.memory import as_subscript, is_view
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Dict, List, Maybe, Number, Scalar, Tuple, Type
from s2sgrad.transform.reverse.adjoint import Facts
from s2sgrad.transform.reverse.bar_values import (
    bar_type,
    bottom,
    decays,
    narrower,
    same_kind,
    zeros_of,
)
from s2sgrad.transform.reverse.cotangents import as_wide, number_in
from s2sgrad.transform.reverse.shadow_bars import (
    ShadowBars,
    only_axes,
    several_times,
    without_new_axes,
)
from s2sgrad.transform.reverse.shadow_kinds import is_leaf, positive
from s2sgrad.transform.writing import build

SET, OWNED = "set", "owned"


class Bars(ShadowBars):
    """State and statements of the cotangent variables."""

    def __init__(self, facts: Facts, effects: Effects) -> None:
        self.facts, self.effects = facts, effects
        self.state: dict[str, str] = {}
        self.variables: dict[str, str] = {}
        self.constants: dict[str, Expr] = {}  # cotangents that are literals: the seeds
        self.lazy: dict[str, Type] = {}  # cotangents smaller than their values (they broadcast)
        self.straight = True  # outside of loops and branches
        self.above: nodes.Block = ()  # the statements of the same block before the present one
        self.requested: set[str] = set()  # cotangents that had to be owned
        self.views: set[str] = set()  # temporaries that are views of buffers

    def flush(self, names: list[str]) -> list[Stmt]:
        """Bring cotangents into their whole shape, before code that needs them so."""
        result: list[Stmt] = []
        for name in names:
            name = (
                self.owner(Var(name, type=self.facts.types[name]))
                if name in self.facts.aliases
                else name
            )
            self.constants.pop(name, None)
            kind = self.lazy.pop(name, None)
            if kind is not None:
                bar = self.variable(name)
                del self.state[name]
                result += self._first(name, bar, Var(bar.name, type=kind), self.kind(name), True)
        return result

    # --- names -------------------------------------------------------------------------------
    def kind(self, name: str) -> Type:
        """The type of a variable as its cotangent sees it: while None stands for an array of a
        shape that is known, its cotangent is an array of zeros."""
        kind = self.facts.types[name]
        held = kind.item if isinstance(kind, Maybe) else None
        return held if isinstance(held, Array) and self.facts.sizes.spelled(held) else kind

    def variable(self, name: str) -> Var:
        """The cotangent variable of a primal variable that is no alias."""
        if name in self.facts.shadows:
            bar = self.facts.shadows[name]
            return Var(bar, type=self.facts.types[bar])
        if name not in self.variables:
            bar = self.facts.names.fresh(f"{name}_bar")
            self.variables[name] = bar
            self.facts.types[bar] = bar_type(self.kind(name))
        bar = self.variables[name]
        return Var(bar, type=self.facts.types[bar])

    def place(self, expr: Expr) -> Expr:
        """The cotangent of a variable, subscript chain or alias of one."""
        return self._barred(self.resolved(expr))

    def _barred(self, expr: Expr) -> Expr:
        match expr:
            case Var(name=name):
                return self.variable(name)
            case Index(index=index):
                expr = as_subscript(expr)
                base, bar = expr.base, not_none(self._barred(expr.base))
                kind = as_wide(expr.type, bar.type)
                return replace(expr, base=bar, index=positive(base.type, index), type=kind)
            case Call(args=args):
                bar = self._barred(args[0])
                part = expr.function in (np.real, np.imag)
                kind = expr.type if part else as_wide(expr.type, bar.type)
                return replace(expr, args=(bar, *args[1:]), type=kind)
        raise TypeError(expr)

    def resolved(self, expr: Expr) -> Expr:
        """The expression with aliases at its root written out."""
        match expr:
            case Var(name=name) if name in self.facts.aliases:
                return self.facts.aliases[name]
            case Index(base=base):
                return replace(expr, base=self.resolved(base))
            case Call(args=args) if is_view(expr):
                return replace(expr, args=(self.resolved(args[0]), *args[1:]))
        return expr

    def owner(self, expr: Expr) -> str:
        """The variable whose cotangent a place belongs to."""
        found = root(self.resolved(expr))
        assert found is not None
        return found

    def is_set(self, name: str) -> bool:
        """Whether a variable has a cotangent so far."""
        return name in self.state or name in self.facts.shadows

    def memory(self, place: Expr) -> str:
        """The same for all places that may share a cotangent's memory."""
        owner = self.owner(place)
        return self.effects.find(owner) if owner in self.facts.shadows else owner

    def in_place(self, place: Expr) -> bool:
        """Whether a place is an array in a list whose cotangent other names may hold too, or one
        of `np.split(x, n)`, which is a list for this once."""
        target = self.place(place)
        computed = isinstance(target, Index) and not isinstance(target.base, Var | Index)
        if computed and isinstance(target.base.type, List | Tuple):  # type: ignore[attr-defined]
            return True
        if not isinstance(place, Index) or not isinstance(place.base.type, List | Tuple | Dict):
            return False
        return self.owner(place) in self.facts.shadows and not is_leaf(place.type)

    def used(self, name: str) -> str:
        """A cotangent is used up: what state it was in. A shadow belongs to its array for good."""
        return OWNED if name in self.facts.shadows else self.state.pop(name)

    # --- statements --------------------------------------------------------------------------
    def zero(self, name: str) -> Expr:
        """A zero cotangent of the shape of a variable."""
        kind = self.kind(name)
        if isinstance(kind, Array) and kind is not self.facts.types[name]:
            shape = self.facts.sizes.spelled(kind)
            assert shape is not None
            return zeros_of(shape, kind)
        if isinstance(kind, Scalar):
            return (
                build.number(0.0)
                if not kind.dtype.startswith("complex")
                else nodes.Const(0j, type=kind)
            )
        var = Var(name, type=kind)
        if isinstance(kind, Array):
            return build.zeros_like(var, kind, self.facts.activity.mixes_dtypes)
        return Call(s2sgrad_runtime.zeros_like, "zeros_like", (var,), type=kind)

    def own(self, name: str) -> list[Stmt]:
        """Make the cotangent of a variable an owned one, zero if it was not set."""
        flushed = self.flush([name])
        return [*flushed, *self._own(name)]

    def _own(self, name: str) -> list[Stmt]:
        if name in self.facts.shadows:
            return []
        self.requested.add(name)
        if self.state.get(name) == OWNED:
            return []
        bar = self.variable(name)
        if not self.is_set(name):
            value = self.zero(name)
        elif isinstance(bar.type, Scalar):
            self.state[name] = OWNED
            return []
        elif isinstance(bar.type, Array):
            wide = self.may_be_real(bar.type)
            value = build.copied_as(bar, str(bar.type.dtype)) if wide else build.copied(bar)
            if bar.type.shape == ():  # NumPy's operators give numbers of such arrays
                held = (value if wide else bar,)
                value = Call(np.array, "np.array", held, type=bar.type)
        else:
            value = Call(s2sgrad_runtime.copy_tree, "copy_tree", (bar,), type=bar.type)
        self.state[name] = OWNED
        return [nodes.Assign((bar.name,), (value,))]

    def add(self, place: Expr, value: Expr) -> list[Stmt]:
        """`place_bar += value`."""
        place = self.resolved(place)
        name = self.owner(place)
        if name in self.facts.shadows:
            return self._added_in_place(self._barred(place), value)
        if isinstance(place, Var):
            return self._add_whole(place, value)
        if isinstance(place, Index) and only_axes(place):
            like = s2sgrad_runtime.reshape_like
            value = Call(like, "reshape_like", (value, place.base), type=place.base.type)
            return self.add(place.base, value)
        if isinstance(place, Index) and (whole := without_new_axes(place, value)) is not None:
            return self.add(place.base, whole)
        before = self.own(name)
        target = self._barred(place)
        if isinstance(target, Call) and isinstance(target.type, List | Tuple):  # np.split(x, n)
            return [*before, *self._added_to_items(target, value)]
        if not isinstance(target.type, Scalar | Array | Number):
            total = Call(
                s2sgrad_runtime.accumulate, "accumulate", (target, value), type=target.type
            )
            assert isinstance(target, Index)
            return [*before, nodes.Store(target.base, target.index, total)]
        sign, value = build.signed(value)
        if isinstance(target, Index):
            listed = isinstance(target.base.type, List | Dict)
            op = sign + "at" if several_times(target) else sign
            anew = listed or self.may_be_real(target.type)
            held = isinstance(target.base, Var | Index) and not isinstance(target.base.type, Array)
            if anew and held and isinstance(target.type, Array):  # not one of `np.split(x, n)`
                added = build.binary(sign, target, value)
                return [*before, nodes.Store(target.base, target.index, added)]
            return [*before, nodes.Store(_as_list(target), target.index, value, op)]
        return [*before, nodes.Store(target, (), value, sign)]

    def goes_on_with(self, place: Expr, value: Expr) -> bool:
        """Whether `place_bar += value` may leave the place with the memory of the value."""
        place = self.resolved(place)
        name = self.owner(place)
        if not shares_memory(value):
            return False
        if name in self.facts.shadows or not isinstance(place.type, Scalar | Array | Number):
            return True
        if isinstance(place, Var):
            return not self.is_set(name)
        return not isinstance(place, Index) or not isinstance(place.base.type, Array)

    def _add_whole(self, place: Var, value: Expr) -> list[Stmt]:
        name, bar = place.name, self.variable(place.name)
        kind = self.kind(name)
        self.constants.pop(name, None)
        lazy = self.lazy.pop(name, None)
        if lazy is not None:
            bar = Var(bar.name, type=lazy)
        if isinstance(kind, List | Tuple) or not isinstance(kind, Scalar | Array | Number):
            return self._add_tree(name, bar, value)
        if not self.is_set(name):
            return self._first(name, bar, value, kind)
        sign, value = build.signed(value)
        in_place = isinstance(kind, Scalar) or (
            self.state[name] == OWNED
            and isinstance(kind, Array)
            and same_kind(kind, value.type)
            and build.fits(value.type, kind)
        )
        if in_place:
            return [nodes.Store(bar, (), value, sign)]
        total = build.binary(sign, bar, value)
        self.state[name] = SET if self.may_be_real(kind) else OWNED
        if not build.same_shape(total.type, kind) and build.fits(total.type, kind):
            self.lazy[name] = total.type
            self.state[name] = SET
        return [nodes.Assign((bar.name,), (total,))]

    def _first(
        self, name: str, bar: Var, value: Expr, kind: Type, whole: bool = False
    ) -> list[Stmt]:
        """The first contribution is an assignment; it is spread where it may be smaller."""
        var = Var(name, type=kind)
        small = (
            isinstance(kind, Array)
            and not build.same_shape(value.type, kind)
            and (build.fits(value.type, kind) or build.flatter(value.type, kind))
        )
        if small and not whole and self._may_stay_small(name) and bar.name not in self.buffers:
            self.lazy[name] = value.type
            self.state[name] = SET
            return [nodes.Assign((bar.name,), (self._kept(value),))]
        if isinstance(kind, Scalar):
            value = number_in(value)
        elif isinstance(kind, Array) and (
            isinstance(value.type, Scalar)
            or decays(value)
            or (kind.shape == () and isinstance(value.type, Number))
        ):
            if build.is_number(value, 1):
                value = Call(np.ones_like, "np.ones_like", (var,), type=kind)
            else:
                value = Call(np.full_like, "np.full_like", (var, value), type=kind)
        elif small:
            value = Call(
                np.broadcast_to, "np.broadcast_to", (value, self.facts.sizes.shape(var)), type=kind
            )
        fresh = not shares_memory(value) and value.type != Number() and not narrower(value, kind)
        fresh = fresh and not self.may_be_real(kind)
        self.state[name] = OWNED if fresh or isinstance(kind, Scalar) else SET
        kept = self._kept(value)
        if kept is not value and not self.may_be_real(kind):
            self.state[name] = OWNED
        return [nodes.Assign((bar.name,), (kept,))]

    def _may_stay_small(self, name: str) -> bool:
        """Whether nothing but assignments meets a cotangent until it is used up in this block."""
        if self.straight:
            return True
        for stmt in reversed(self.above):
            if not isinstance(stmt, nodes.Assign):
                if name in mentioned(stmt):
                    return False
            elif name in stmt.targets:  # `v = v + 1` hands the cotangent on to the round before
                return not any(name in nodes.names_in(value) for value in stmt.values)
        return False

    def may_be_real(self, kind: Type) -> bool:
        """Whether what is complex, or float, by its type may be narrower: it can't be added to."""
        return self.facts.activity.may_be_narrow(getattr(kind, "dtype", None))

    buffers: frozenset[str] = frozenset()  # cotangents that are changed in place; written primals
    dying: frozenset[str] = frozenset()  # cotangents that nobody uses after this statement

    def _kept(self, value: Expr) -> Expr:
        """The value, copied where it is part of a cotangent that will still be changed."""
        if not self._is_live_buffer(value):
            return value
        if isinstance(value.type, Array):
            return Call(np.copy, "copy", (value,), form="method", type=value.type)
        return Call(  # it may be a number
            s2sgrad_runtime.copy_tree, "copy_tree", (value,), type=value.type
        )

    def _is_live_buffer(self, value: Expr) -> bool:
        """Whether a value is (a view of) a cotangent that will still be changed in place, or
        holds one."""
        if isinstance(value, nodes.Sequence):
            return any(map(self._is_live_buffer, value.items))
        if not shares_memory(value) or isinstance(value.type, Scalar):
            return False
        name = bottom(value)
        return (name in self.buffers and name not in self.dying) or name in self.views

    def _add_tree(self, name: str, bar: Var, value: Expr) -> list[Stmt]:
        if isinstance(value, nodes.Sequence) and value.kind == "tuple":
            value = replace(value, kind="list")  # entries of a cotangent can be changed
        if not self.is_set(name):
            kept = self._kept(value)
            fresh = kept is not value or not shares_memory(value)
            self.state[name] = OWNED if fresh else SET
            return [nodes.Assign((bar.name,), (kept,))]
        self.state[name] = OWNED
        total = Call(s2sgrad_runtime.accumulate, "accumulate", (bar, value), type=bar.type)
        return [nodes.Assign((bar.name,), (total,))]

    def clear(self, place: Expr, like: Expr | None = None) -> list[Stmt]:
        """`place_bar = 0`: what a store overwrote has no influence any more.

        like: what stands at the place again, where that may be of another length.
        """
        target = self.place(place)
        zero: Expr = build.number(0.0)
        if isinstance(target, Index) and not self.in_place(place):
            if isinstance(target.base.type, List | Dict) and not isinstance(target.type, Scalar):
                old = (target if like is None else like,)
                zero = Call(s2sgrad_runtime.zeros_like, "zeros_like", old, type=target.type)
            return [nodes.Store(target.base, target.index, zero)]
        return [nodes.Store(target, (), zero)]


def mentioned(stmt: Stmt) -> list[str]:
    """All names that appear in a statement, inside too."""
    found: dict[str, None] = {}
    for inner in nodes.walk_block((stmt,)):
        found |= dict.fromkeys(nodes.targets_of(inner))
        for expr in nodes.expressions(inner):
            found |= dict.fromkeys(sorted(nodes.names_in(expr)))
    return list(found)


def _as_list(target: Index) -> Expr:
    """Where an entry stands: cotangents of tuples are lists, and numbers in them can change."""
    if isinstance(target.base.type, Tuple) and isinstance(target.type, Number):
        return replace(target.base, type=List(target.type))
    return target.base

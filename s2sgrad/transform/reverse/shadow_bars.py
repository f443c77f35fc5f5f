"""Floor 5: adding to cotangents that other names may share: in place, entry by entry."""

from __future__ import annotations

from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import Effects, part_types, root
from s2sgrad.analysis.indexing import constant_of
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import (
    BOOL,
    INT,
    Array,
    Dict,
    List,
    Maybe,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    carries,
    shape_of,
)
from s2sgrad.transform.reverse.cotangents import entry_of
from s2sgrad.transform.writing import build


class ShadowBars:
    """The part of `Bars` that adds to shadows (see shadows.py)."""

    facts: Any
    effects: Effects
    may_be_real: Any
    variable: Any

    def as_array(self, stmt: nodes.Store, owner: str) -> list[Stmt]:
        """The cotangent of an array without axes that is a number elsewhere, as an array, where
        the array is written whole."""
        whole = all(getattr(p, "value", None) is ... for p in stmt.index)
        number = isinstance(self.facts.types[owner], Number) and owner not in self.facts.shadows
        if not whole or not number:
            return []
        bar = self.variable(owner)
        return [nodes.Assign((bar.name,), (Call(np.asarray, "np.asarray", (bar,), type=bar.type),))]

    def _added_in_place(self, target: Expr, value: Expr) -> list[Stmt]:
        """`target += value`, where other names may share the array that target is."""
        if isinstance(target.type, List | Tuple | Dict):
            return self._added_to_items(target, value)
        kind = target.type.item if isinstance(target.type, Maybe) else target.type
        if not isinstance(kind, Scalar | Array | Number):  # None, or a list: a run decides
            helper = s2sgrad_runtime.added_in_place
            total = Call(helper, "added_in_place", (target, value), type=target.type)
            if isinstance(target, Index):
                return [nodes.Store(target.base, target.index, total)]
            assert isinstance(target, Var)
            return [nodes.Assign((target.name,), (total,))]
        sign, value = build.signed(value)
        if self.may_be_real(target.type):  # the array is shared as it is, real or complex
            value = Call(s2sgrad_runtime.real_like, "real_like", (value, target), type=target.type)
        if not isinstance(target, Index):
            return [nodes.Store(target, (), value, sign)]
        sign = sign + "at" if several_times(target) else sign
        return [nodes.Store(target.base, target.index, value, sign)]

    def _added_to_items(self, target: Expr, value: Expr) -> list[Stmt]:
        """`for k in range(len(target)): target[k] += value[k]`."""
        result: list[Stmt] = []
        if not isinstance(value, Var | nodes.Sequence):
            name = self.facts.names.fresh("items_bar")
            self.facts.types[name] = value.type
            result.append(nodes.Assign((name,), (value,)))
            value = Var(name, type=value.type)
        if isinstance(target.type, Tuple):
            for i, kind in enumerate(target.type.items):
                entry = build.number(i)
                part = entry_of(value, i, kind)
                result += self._added_in_place(Index(target, (entry,), type=kind), part)
            return result
        if isinstance(target.type, Dict):
            return [*result, *self._added_to_table(target, target.type, value)]
        assert isinstance(target.type, List)
        kind = target.type.item
        if isinstance(value, nodes.Sequence):
            for i, part in enumerate(value.items):
                result += self._added_in_place(Index(target, (build.number(i),), type=kind), part)
            return result
        k = self._counter("k")
        part = Index(value, (k,), type=kind)
        if isinstance(target, Index) and nodes.is_slice(target.index[0]):
            return [*result, self._added_to_part(target, k, part)]
        body = self._added_in_place(Index(target, (k,), type=kind), part)
        length = Call(len, "len", (target,), type=INT)
        source = Call(range, "range", (length,), type=List(INT))
        return [*result, nodes.For((k.name,), (source,), tuple(body))]

    def _added_to_table(self, target: Expr, kind: Dict, value: Expr) -> list[Stmt]:
        """`for key in list(value): if key in target: target[key] += value[key]`; fields one by one.

        The sum of two dicts has the keys of both, and so has its cotangent, which goes to each.
        """
        if kind.fields is not None and not (kind.made_by is None and self._changes(target)):
            places = [(constant(name), item) for name, item in kind.fields if carries(item)]
            pairs = [(Index(target, (k,), type=i), Index(value, (k,), type=i)) for k, i in places]
            return [stmt for place, part in pairs for stmt in self._added_in_place(place, part)]
        key = Var(self.facts.names.fresh("key"), type=kind.key)
        self.facts.types[key.name] = kind.key
        place, part = (Index(table, (key,), type=kind.item) for table in (target, value))
        keys = Call(list, "list", (value,), type=List(kind.key))
        there = Call("in", "in", (key, target), form="operator", type=BOOL)
        added = nodes.If(there, tuple(self._added_in_place(place, part)), ())
        return [nodes.For((key.name,), (keys,), (added,))]

    def _changes(self, target: Expr) -> bool:
        """Whether a dict may have other keys at some moments than at others."""
        bar = root(target)
        owners = [name for name, shadow in self.facts.shadows.items() if shadow == bar]
        return not owners or any(map(self.effects.changes, owners))

    def _added_to_part(self, target: Index, k: Var, part: Expr) -> Stmt:
        """`for k, j in enumerate(np.arange(len(items))[i:]): items[j] += value[k]`, for items[i:],
        which is a list of its own."""
        j = self._counter("j")
        count = Call(len, "len", (target.base,), type=INT)
        kind = Array("int64", (None,))
        places = Call(np.arange, "np.arange", (count,), type=kind)
        sources = (
            Call("count", "count", (), type=List(INT)),
            Index(places, target.index, type=kind),
        )
        body = self._added_in_place(Index(target.base, (j,), type=part.type), part)
        return nodes.For((k.name, j.name), sources, tuple(body))

    def _counter(self, base: str) -> Var:
        var = Var(self.facts.names.fresh(base), type=INT)
        self.facts.types[var.name] = INT
        return var


def repeats(target: Index) -> bool:
    """Whether a subscript may name the same entry twice (index arrays)."""
    return any(
        not nodes.is_slice(p)
        and not isinstance(kind, Scalar)
        and kind != Opaque("slice")
        and getattr(kind, "dtype", None) != "bool"
        and not isinstance(p, nodes.Const)
        for p, kind in zip(target.index, part_types(target.index), strict=True)
    )


def only_axes(place: Index) -> bool:
    """Whether a subscript only adds axes to what may be a number: `x[..., None]`, `x[()]`."""
    unknown = isinstance(place.base.type, Number) or shape_of(place.base.type) is None
    return unknown and all(
        isinstance(p, nodes.Const) and p.value in (None, ...) for p in place.index
    )


def several_times(target: Index) -> bool:
    """Whether what is added at a subscript may meet the same entry of an array twice."""
    if isinstance(target.base.type, List | Tuple | Dict):
        return False
    return repeats(target) and not all_different(target)


def without_new_axes(place: Index, value: Expr) -> Expr | None:
    """What is added to `x`, where `np.sum(v, axis=1, keepdims=True)` goes to `x[:, None]`: the sum
    without that axis. None for anything else."""
    shape = shape_of(place.base.type)
    parts = [p.value if isinstance(p, nodes.Const) else p for p in place.index]
    plain = all(p is None or (isinstance(p, nodes.Slice) and not nodes.children(p)) for p in parts)
    if not plain or shape is None or sum(p is not None for p in parts) != len(shape):
        return None
    new = tuple(k for k, p in enumerate(parts) if p is None)
    sign, total = build.signed(value)
    if not isinstance(total, Call) or total.function is not np.sum or len(total.args) != 1:
        return None
    given = dict(total.kwargs)
    axis = constant_of(given.get("axis", nodes.Const(None)))
    same = (axis if isinstance(axis, tuple) else (axis,)) == new
    if not new or not same or set(given) != {"axis", "keepdims"}:
        return None
    if constant_of(given["keepdims"]) is not True:
        return None
    found = build.call(np.sum, "np.sum", total.args[0], axis=given["axis"])
    return build.negate(found) if sign == "-" else found


def all_different(place: Index) -> bool:
    """Whether an index array is a plain np.arange, so that no entry is named twice: it counts
    from the front, and no other index array stretches it."""
    arrays = [p for p, k in zip(place.index, part_types(place.index), strict=True) if _is_array(k)]
    shapes = [shape_of(p.type) for p in arrays]
    alike = all(s is not None and None not in s and s == shapes[0] for s in shapes)
    return any(map(_counts_up, arrays)) and (len(arrays) == 1 or alike)


def _is_array(kind: Type) -> bool:
    return not isinstance(kind, Scalar) and kind != Opaque("slice")


def _counts_up(part: Expr) -> bool:
    """Whether an index array is a plain np.arange of places that are not negative."""
    if not isinstance(part, Call) or part.function is not np.arange:
        return False
    start, *more = part.args if len(part.args) > 1 else (build.number(0),)
    least = start.value if isinstance(start, nodes.Const) else None
    named = {"start", "stop", "step"} & dict(part.kwargs).keys()
    return type(least) is int and least >= 0 and len(more) < 2 and not named and bool(part.args)

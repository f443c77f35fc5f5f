"""Floor 5: what kinds of values have cotangents that follow them at run time (see shadows.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.activity import Activity
from s2sgrad.analysis.effects import Effects, holds_arrays, shared_with
from s2sgrad.analysis.memory import view_or_copy
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Var
from s2sgrad.ir.types import (
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
)
from s2sgrad.transform.writing.build import number


def is_leaf(kind: Type) -> bool:
    """Whether values can't be changed in place: a list holds their cotangents as numbers."""
    return not holds_arrays(kind)


def zero_of(kind: Type, shared: bool = False) -> Expr:
    """The zero cotangent of a value that can't be changed in place.

    shared: as an array without axes, to which any name that takes it out may add.
    """
    if isinstance(kind, Tuple):
        return nodes.Sequence("list", tuple(zero_of(k, shared) for k in kind.items), type=kind)
    if shared and isinstance(kind, Scalar) and carries(kind):
        return Call(np.array, "np.array", (zero_of(kind),), type=kind)  # beside a number
    if isinstance(kind, Scalar) and kind.dtype.startswith("complex"):
        return nodes.Const(0j, type=Scalar("complex"))
    return number(0.0)


def makes_list(expr: Expr) -> bool:
    """Whether an operation makes a new list or dict, which holds what another one holds."""
    if isinstance(expr, nodes.Index):
        return any(map(nodes.is_slice, expr.index))
    return isinstance(expr, Call) and isinstance(expr.type, List | Dict)


def field_by_field(copied: Expr) -> Expr:
    """`dict(point)` of a record with numbers and with what can be changed, as a display: the copy
    has the numbers for itself, and shares the rest."""
    match copied:
        case Call(function=function, args=(Var() as base,)) if function is dict:
            fields = base.type.fields if isinstance(base.type, Dict) else None
            if fields is None or not {True, False} <= {is_leaf(kind) for _, kind in fields}:
                return copied
            keys = tuple(constant(key) for key, _ in fields)
            pairs = zip(keys, fields, strict=True)
            values = tuple(nodes.Index(base, (key,), type=kind) for key, (_, kind) in pairs)
            return nodes.Mapping(keys, values, type=copied.type, span=copied.span)
    return copied


def apart(shadow: Expr) -> Expr:
    """The shadow of a new list of what can't be changed: it shares no cotangent with another one.
    Those of tuples are lists; numbers are apart anyway."""
    kind = shadow.type
    items = [kind.item] if isinstance(kind, List) else []
    items = [k for _, k in kind.fields or (("", kind.item),)] if isinstance(kind, Dict) else items
    items = [k.item if isinstance(k, Maybe) else k for k in items]
    if not all(map(is_leaf, items)) or not any(isinstance(k, Tuple) for k in items):
        return shadow
    return Call(s2sgrad_runtime.copy_tree, "copy_tree", (shadow,), type=kind)


def is_mixed(kind: Type) -> bool:
    """Whether a tuple holds numbers and arrays: its cotangent is a dict by position."""
    return isinstance(kind, Tuple) and len({is_leaf(k) for k in kind.items}) > 1


def positive(base: Type, index: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """A position in a tuple counted from its start."""
    if not isinstance(base, Tuple) or not isinstance(index[0], nodes.Const):
        return index
    return (constant(range(len(base.items))[index[0].value]),)


def entry_type(base: Type, key: Expr) -> Type:
    """The type of an entry of a list, tuple or dict."""
    if isinstance(base, Maybe):
        return entry_type(base.item, key)
    known = key.value if isinstance(key, nodes.Const) else None
    if isinstance(base, Dict):
        return dict(base.fields or ()).get(known, base.item)
    if isinstance(base, Tuple) and type(known) is int:
        return base.items[known]
    return base.item if isinstance(base, List) else Number()


def leaves_of(value: Expr, bar: Expr) -> Iterator[tuple[Expr, Expr]]:
    """(number, its entry of the cotangent) for the numbers in a display."""
    if isinstance(value, nodes.Sequence):
        entries = [(constant(i), item) for i, item in enumerate(value.items)]
    elif isinstance(value, nodes.Mapping):
        entries = list(zip(value.keys, value.values, strict=True))
    else:
        return
    for key, item in entries:
        place = nodes.Index(bar, (key,), type=item.type)
        if is_leaf(item.type) and carries(item.type):
            yield item, place
        else:
            yield from leaves_of(item, place)


def has_leaves(value: Expr) -> bool:
    """Whether a display holds numbers that carry derivatives."""
    return next(leaves_of(value, value), None) is not None


def binds_existing(value: Expr) -> bool:
    """Whether a value is an array that exists (or a view or list of such), not a new one."""
    display = isinstance(value, nodes.Sequence | nodes.Mapping | nodes.Const)
    return display or bool(shared_with(value))


def replaces_entry(stmt: nodes.Store) -> bool:
    """Whether a store puts another array or list into a list, rather than numbers into it."""
    if stmt.op != "" or not stmt.index or not isinstance(stmt.base.type, List | Dict):
        return False
    return not is_leaf(entry_type(stmt.base.type, stmt.index[0]))


def may_copy(value: Expr) -> bool:
    """Whether an operation gives a view of some arrays and a copy of others."""
    if isinstance(value, nodes.Index) and isinstance(value.type, Number):
        return not isinstance(value.base.type, List | Tuple | Dict)
    return isinstance(value, Call) and view_or_copy(value)


def shares(first: Expr, second: Expr) -> Expr:
    """Whether two arrays share memory in this run."""
    args = (first, second)
    return Call(np.may_share_memory, "np.may_share_memory", args, type=Scalar("bool"))


def copied_from(value: Expr) -> Expr:
    """The array that `value` is a view or a copy of; an entry as an array without axes, of what
    is an array for certain (it may be a list of arrays)."""
    if isinstance(value, nodes.Index):
        whole = any(isinstance(p, nodes.Const) and p.value is ... for p in value.index)
        if whole or isinstance(value.base.type, Number):
            return value
        return replace(value, index=(*value.index, nodes.Const(...)))
    assert isinstance(value, Call)
    return value.args[0]


def zeros_of_container(held: Var, unclear: bool = False) -> Expr:
    """The shadow of a new list, tuple or dict. What may be a number or an array, as a run
    decides, is an array in it: whatever name takes it out adds to the same zeros.

    unclear: that it is not of the type, but of another name's that it may be given to.
    """
    kind = held.type
    if not unclear and not holds_unclear(kind):
        return Call(s2sgrad_runtime.zeros_like, "zeros_like", (held,), type=kind)
    entries: tuple[Expr, ...] = ()
    if isinstance(kind, Tuple) and not unclear:
        places = [i for i, item in enumerate(kind.items) if holds_unclear(item)]
        if len(places) < len(kind.items):
            entries = (constant(tuple(places)),)
    helper = s2sgrad_runtime.zero_arrays_like
    return Call(helper, "zero_arrays_like", (held, *entries), type=kind)


def holds_unclear(kind: Type) -> bool:
    """Whether a list, tuple or dict holds what may be a number or an array, as a run decides."""
    if isinstance(kind, List | Maybe):
        return holds_unclear(kind.item)
    if isinstance(kind, Tuple):
        return any(map(holds_unclear, kind.items))
    if isinstance(kind, Dict):
        return any(holds_unclear(k) for _, k in kind.fields or ((None, kind.item),))
    return isinstance(kind, Number)


def of_rows(array: Expr, listed: Expr) -> bool:
    """Whether the list is of an array's rows, which may be numbers, or arrays as well."""
    kind = listed.type
    rows = isinstance(kind, List) and isinstance(kind.item, Number)
    return rows and isinstance(array.type, Array | Number)


def shows_numbers(value: Expr) -> bool:
    """Whether numbers stand in a display of a tuple, list or dict."""
    if isinstance(value, nodes.Sequence):
        return any(is_leaf(i.type) or shows_numbers(i) for i in value.items)
    if isinstance(value, nodes.Mapping):
        return any(is_leaf(i.type) or shows_numbers(i) for i in value.values)
    return False


def can_have_shadows(kind: Type) -> bool:
    """Whether values of a type are arrays, numbers, or lists, tuples and dicts of them."""
    if isinstance(kind, List | Maybe):
        return can_have_shadows(kind.item)
    if isinstance(kind, Tuple):
        return all(map(can_have_shadows, kind.items))
    if isinstance(kind, Dict):
        return all(map(can_have_shadows, (k for _, k in kind.fields or ((None, kind.item),))))
    return kind != Opaque("mixed")


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


__all__ = [
    "apart",
    "binds_existing",
    "can_have_shadows",
    "copied_from",
    "entry_type",
    "has_leaves",
    "is_leaf",
    "is_mixed",
    "leaves_of",
    "makes_list",
    "may_copy",
    "replaces_entry",
    "shares",
    "tangled_names",
    "zero_of",
    "zeros_of_container",
]

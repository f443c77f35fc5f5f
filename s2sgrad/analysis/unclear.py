"""Floor 3: derivatives that would be lost in texts, or in values of which the type is not known."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.analysis.activity import Activity, differentiable_parts, flows
from s2sgrad.analysis.dict_keys import comes_from_elsewhere, gives_keys, keys_put_in
from s2sgrad.analysis.rounding import refuse_rounding
from s2sgrad.analysis.texts import only_texts
from s2sgrad.errors import OWN_RULE, MissingRuleError, Span, UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Expr
from s2sgrad.ir.types import (
    LENT,
    Dict,
    List,
    Maybe,
    Opaque,
    Scalar,
    Tuple,
    Type,
    carries,
)

_UNCLEAR = (Opaque(), Opaque("mixed"), LENT)


def _is_unclear(kind: Type) -> bool:
    """Whether values of a type, or parts of them, may be numbers as far as it tells."""
    match kind:
        case List() | Maybe():
            return _is_unclear(kind.item)
        case Tuple():
            return any(map(_is_unclear, kind.items))
        case Dict(fields=fields) if fields:
            return any(_is_unclear(item) for _, item in fields)
        case Dict():
            return _is_unclear(kind.item)
    return kind in _UNCLEAR or is_sparse(kind)


def is_sparse(kind: Type) -> bool:
    """Whether values of a type are sparse matrices of SciPy's, which hold constants."""
    return isinstance(kind, Opaque) and kind.what.endswith(("_array", "_matrix"))


_INSTEAD = {
    "view": (
        "it reads the same memory as numbers of another kind",
        "np.stack([z.real, z.imag], axis=-1).reshape(*z.shape[:-1], -1) for z.view(float), and"
        " x[..., 0::2] + 1j * x[..., 1::2] for x.view(complex)",
    ),
    "setfield": ("it writes bytes", "write into the parts: z.real[...] = ..."),
    "tobytes": ("bytes have no derivative", "keep the array"),
    "dumps": ("bytes have no derivative", "keep the array"),
}  # methods of arrays: (why there is no derivative, what to write instead)


def of_an_object(call: nodes.Call) -> str:
    """Why a method of an object that is not followed has no rule; '' for other calls."""
    owner = call.args[0] if call.args else None
    held = call.function == "opaque" and call.form == "method"
    if not held or isinstance(owner, nodes.Ref):
        return ""
    return f"it belongs to an object of a library; {OWN_RULE}"


def _refuse_known(name: str, value: nodes.Call, stmt: nodes.Stmt) -> None:
    """Refuse what has something to be written instead."""
    if value.form == "method" and name in _INSTEAD:
        what = f"'{name}' of an array that needs a derivative"
        raise UnsupportedError(what, value.span or stmt.span, *_INSTEAD[name])


def refuse_mixed(expr: Expr) -> None:
    """Refuse a value with a derivative that is not of one kind on all paths."""
    if isinstance(expr.type, Opaque):
        raise UnsupportedError(
            "can't tell what this value is",
            expr.span,
            "it is an array on one path, and a list, a string or another object on another",
            "use an array on every path",
        )


def refuse_unclear(activity: Activity, outputs: set[str]) -> None:
    """Refuse values of unknown type that lie between what varies and what is wanted.

    They carry no derivative as far as the types tell; taking them for constants would be wrong.
    """
    refuse_rounding(activity)
    lost = _lost(activity)
    if not lost:
        return
    useful = _useful(activity, outputs)
    for name, stmt in lost.items():
        if name in useful:
            value = dict(flows(stmt)).get(name)
            for part in nodes.walk(value) if value is not None else ():
                if isinstance(part, nodes.Call) and is_sparse(part.type):
                    why = "the matrix that it makes holds constants"
                    raise MissingRuleError(part.text, stmt.span, why)
            if isinstance(value, nodes.Call) and value.function == "opaque":
                owner = value.args[0] if value.args else None
                home = f"{owner.text}." if isinstance(owner, nodes.Ref) else ""
                _refuse_known(f"{home}{value.text}", value, stmt)
                raise MissingRuleError(f"{home}{value.text}", stmt.span, of_an_object(value))
            if _holds_mixed_lists(activity.types.get(name)):
                what, where = _mixed_list(activity)
                raise UnsupportedError(
                    f"{what or repr(name)} is a list of several kinds of values",
                    where or stmt.span or _span_of(name, activity),
                    "a list whose items are told apart while compiling can't stand in another",
                    "make it a tuple, or a dict where it changes: {'mass': m, 'name': n}",
                )
            raise UnsupportedError(
                f"can't tell what '{name}' holds",
                stmt.span or _span_of(name, activity),
                "its type differs from path to path, or comes from an operation that is not known",
                "convert it to an array with np.asarray, or give it a name of its own on each path",
            )


def _holds_mixed_lists(kind: Type | None) -> bool:
    """Whether there are lists of numbers and texts, say, or lists of such lists."""
    while isinstance(kind, List):
        if kind.item == Opaque("mixed"):
            return True
        kind = kind.item
    return False


def _mixed_list(activity: Activity) -> tuple[str, Span | None]:
    """The first list of several kinds that is written down, as it is written, and where."""
    for stmt in activity.block:
        for part in nodes.expressions(stmt):
            for expr in nodes.walk(part):
                made = isinstance(expr, nodes.Sequence) and expr.items
                if made and expr.type == List(Opaque("mixed")):
                    return "this", expr.span or stmt.span
    return "", None


def _span_of(name: str, activity: Activity) -> Span | None:
    """Where a variable that no statement of the user's binds is used."""
    uses = (
        s for s in activity.block if any(name in nodes.names_in(e) for e in nodes.expressions(s))
    )
    return next((s.span for s in uses if s.span is not None), None)


def refuse_unfollowed(activity: Activity) -> None:
    """Refuse what no derivative passes through, where a result depends on it: texts and keys."""
    _refuse_read_texts(activity)
    _refuse_lost_keys(activity)


def _refuse_lost_keys(activity: Activity) -> None:
    """Refuse to go through keys that vary, where the result depends on what they are."""
    read = [
        stmt
        for stmt in activity.block
        for target, value in flows(stmt)
        if target in activity.useful
        and any(gives_keys(e) and carries(e.type) for e in nodes.walk(value))
    ]
    if not read:
        return
    bound = nodes.bound_in(activity.body)
    for stmt in activity.block:
        varying = any(activity.depends(key, activity.varied) for key in keys_put_in(stmt))
        if varying or comes_from_elsewhere(stmt, bound):
            raise UnsupportedError(
                "looping over keys that are computed numbers",
                read[0].span or stmt.span,
                "the keys of a dict carry no derivative",
                "keep the numbers in a list or array beside the dict",
            )


def _refuse_read_texts(activity: Activity) -> None:
    """Refuse numbers that are read from a text which was made from what varies."""
    readers = [(s, e) for s in activity.block for e in _readers(s)]
    texts = _texts(activity) if readers else set()
    for stmt, call in readers:
        read = [a for a in call.args if isinstance(a.type, Opaque) or only_texts(a.type)]
        if any(nodes.names_in(a) & texts for a in read):
            raise UnsupportedError(
                "a number read from a text that was made from numbers",
                getattr(call, "span", None) or stmt.span,
                "the text holds digits, through which no derivative passes",
                "keep the number itself, and make the text only to show it",
            )


def _readers(stmt: nodes.Stmt) -> list[nodes.Call]:
    if isinstance(stmt, nodes.Do):  # what it gives is not used
        return []
    calls = (e for part in nodes.expressions(stmt) for e in nodes.walk(part))
    return [
        e
        for e in calls
        if isinstance(e, nodes.Call)
        and (
            (e.function in _MAKERS and any(isinstance(a.type, Opaque) for a in e.args))
            or (carries(e.type) and any(only_texts(a.type) for a in e.args))
        )
    ]


_MAKERS = (float, complex, np.float64, np.float32, np.asarray, np.array)


def _texts(activity: Activity) -> set[str]:
    """Variables that hold texts, or what is unknown, made from what varies; and what varies."""
    names, size = set(activity.varied), -1
    keys = {n for s in activity.block for key in keys_put_in(s) for n in nodes.names_in(key)}
    while len(names) != size:
        size = len(names)
        for stmt in activity.block:
            for target, value in flows(stmt):
                if not isinstance(activity.types[target], Scalar) and _read(value, keys) & names:
                    names.add(target)
    return names


def _read(value: Expr, keys: set[str]) -> set[str]:
    """The names that a value is made of; keys: those of which the keys of dicts are."""
    found = set() if gives_keys(value) else set(nodes.names_in(value))
    return found | keys if any(map(gives_keys, nodes.walk(value))) else found


def _lost(activity: Activity) -> dict[str, nodes.Stmt]:
    """Variables of unknown type that depend on what varies, and the statements that set them."""
    found: dict[str, nodes.Stmt] = {}
    names = set(activity.varied)
    size = -1
    while len(names) != size:
        size = len(names)
        for stmt in activity.block:
            for target, value in flows(stmt):
                kind = activity.types[target]
                matters = target not in names and (carries(kind) or _is_unclear(kind))
                if matters and _reaches(value, names):
                    names.add(target)
                    found[target] = stmt
                elif carries(kind) and target not in found and _loses(value, names):
                    found[target] = stmt
    return found


def _loses(expr: Expr, names: Any) -> bool:
    """Whether a part of a value, of unknown type, may depend on variables."""
    if isinstance(expr, nodes.Var):
        return False
    if _is_unclear(expr.type) and not isinstance(expr, nodes.Sequence | nodes.Mapping):
        return _reaches(expr, names)
    return any(_loses(part, names) for part in differentiable_parts(expr))


def _reaches(expr: Expr, names: Any) -> bool:
    """Whether a value may depend on variables: through values of unknown type too."""
    if isinstance(expr, nodes.Var):
        return expr.name in names
    known = not carries(expr.type) and not _is_unclear(expr.type)
    if known and not isinstance(expr, nodes.Sequence | nodes.Mapping):
        return False
    return any(_reaches(part, names) for part in differentiable_parts(expr))


def _useful(activity: Activity, outputs: set[str]) -> set[str]:
    """What influences the outputs, whatever its type."""
    names, size = set(outputs), -1
    while len(names) != size:
        size = len(names)
        for stmt in reversed(activity.block):
            for target, value in flows(stmt):
                if target in names:
                    _collect(value, names)
    return names


def _collect(expr: Expr, names: set[str]) -> None:
    if isinstance(expr, nodes.Var):
        names.add(expr.name)
    for part in differentiable_parts(expr):
        _collect(part, names)


__all__ = ["of_an_object", "refuse_unclear", "refuse_unfollowed"]

"""Floor 6: what is put into lists and dicts has the type that all of their items have together.

In Python `[0] * n` takes floats later. Numba's lists have items of one type, which is that of
what they are made with, and round what is written into them afterwards.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype, is_float_dtype
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Const, Expr, Function, Stmt, Var
from s2sgrad.ir.types import BOOL, FLOAT, INT, Array, Dict, Known, List, Scalar, Tuple, Type
from s2sgrad.transform.writing.rewrite import map_block

_OWN = {
    "bool": bool,
    "int": int,
    "float": float,
    "float64": float,
    "complex": complex,
    "complex128": complex,
}

_FLOATS = (s2sgrad_runtime.zeros_like, s2sgrad_runtime.zero_arrays_like)  # also of integers


def with_items_of_one_type(function: Function) -> Function:
    """Integers as floats, and floats as complex numbers, in lists and dicts of such."""
    types = dict(function.types)
    if not any(isinstance(kind, List | Dict) for kind in types.values()):
        return function
    if any(map(_counts_with_items, nodes.walk_block(function.body))):
        return function
    lists = _Items(types, Names(set(types) | set(function.parameters)))
    body = map_block(function.body, _field_of_one_type, lists.statement)
    return replace(function, body=body, types=types)


def _field_of_one_type(expr: Expr) -> Expr:
    """An integer in a record of floats, read as the integer that it is: `int(edge["id"])`."""
    if not isinstance(expr, nodes.Index) or not isinstance(expr.base.type, Dict):
        return expr
    record, own = expr.base.type, _OWN.get(getattr(expr.type, "dtype", None) or "")
    if not record.fields or own not in (int, bool) or not _wider(record.item, expr.type):
        return expr
    if is_complex_dtype(record.item.dtype):  # type: ignore[attr-defined]
        expr = Call(np.real, "real", (expr,), form="attribute", type=FLOAT)
    return Call(own, own.__name__, (expr,), type=BOOL if own is bool else INT)


def with_rows_of_one_type(function: Function) -> Function:
    """`np.array([[1, 0], [0, a]])` as `np.array([[1.0, 0.0], [0.0, a]])`: NumPy takes numbers of
    several types, Numba has no lists of lists that differ."""
    return replace(function, body=map_block(function.body, _of_one_type))


def _of_one_type(expr: Expr) -> Expr:
    if not isinstance(expr, Call) or isinstance(expr.function, str):
        return expr
    args = tuple(_rows(a) if _is_display(a) else a for a in expr.args)
    return expr if args == expr.args else replace(expr, args=args)


def _is_display(expr: Expr) -> bool:
    return isinstance(expr, nodes.Sequence) and expr.kind == "list"


def _rows(display: Expr) -> Expr:
    """A display of rows, whose numbers all have the type that holds each of them."""
    assert isinstance(display, nodes.Sequence)
    numbers = _numbers(display)
    if numbers is None or all(isinstance(item.type, Scalar) for item in display.items):
        return display
    wide = reduce(np.promote_types, [np.dtype(_dtype(number)) for number in numbers])
    return _wide(display, _WEAK.get(str(wide), str(wide)))


_WEAK = {"int64": "int", "float64": "float", "complex128": "complex"}


def _numbers(expr: Expr) -> list[Expr] | None:
    """The numbers and arrays that a display is of; None where other things are in it."""
    if isinstance(expr, nodes.Sequence) and expr.items:
        parts = [_numbers(item) for item in expr.items]
        return None if None in parts else [n for part in parts for n in part or ()]
    return [expr] if isinstance(expr.type, Scalar | Array) and _dtype(expr) else None


def _dtype(expr: Expr) -> str | None:
    return getattr(expr.type, "dtype", None)


def _wide(expr: Expr, dtype: str) -> Expr:
    if isinstance(expr, nodes.Sequence):
        return replace(expr, items=tuple(_wide(item, dtype) for item in expr.items))
    if isinstance(expr.type, Array):
        return _array_as(np.dtype(dtype), expr)
    return _as(dtype, expr) if _wider(Scalar(dtype), expr.type) else expr


def _array_as(dtype: np.dtype, expr: Expr) -> Expr:
    assert isinstance(expr.type, Array)
    if expr.type.dtype == str(dtype):
        return expr
    ref = nodes.Ref(f"np.{dtype}", dtype.type, type=Known(dtype.type))
    kind = replace(expr.type, dtype=str(dtype))
    return Call(np.astype, "astype", (expr, ref), form="method", type=kind, span=expr.span)


def _counts_with_items(stmt: Stmt) -> bool:
    """Whether a subscript is an item of a list that holds floats too: it must stay an integer."""
    taken = [(stmt.base, stmt.index)] if isinstance(stmt, nodes.Store) else []
    for expr in nodes.expressions(stmt):
        taken += [(e.base, e.index) for e in nodes.walk(expr) if isinstance(e, nodes.Index)]
    return any(
        isinstance(base.type, Array | List) and isinstance(part.type, Scalar)
        and is_float_dtype(part.type.dtype)
        for base, index in taken
        for part in index
    )  # fmt: skip


class _Items:
    def __init__(self, types: dict[str, Type], names: Names) -> None:
        self.types, self.names = types, names

    def statement(self, stmt: Stmt) -> list[Stmt]:
        """The statement, and before it the loops that make its lists."""
        before: list[Stmt] = []
        match stmt:
            case nodes.Assign(values=values):
                held = [
                    self._held(v.type, v, before) if isinstance(v.type, List | Dict) else v
                    for v in values
                ]
                stmt = replace(stmt, values=tuple(held))
            case nodes.Mutate(base=base, method="append" | "insert" | "extend" as method):
                kind = base.type
                item = kind.item if isinstance(kind, List) and method != "extend" else kind
                value = self._held(item, stmt.args[-1], before)
                stmt = replace(stmt, args=(*stmt.args[:-1], value))
            case nodes.Store(base=base, value=value, op=""):
                kind = base.type
                nested = isinstance(kind, List) and not isinstance(value.type, Scalar)
                if nested or isinstance(kind, Dict):
                    item = infer_index(kind, stmt.index)
                    stmt = replace(stmt, value=self._held(item, value, before))
        return [*before, stmt]

    def _held(self, kind: Type, expr: Expr, before: list[Stmt]) -> Expr:
        """An expression whose numbers have the type of those in `kind`."""
        match kind, expr:
            case List(item=item), nodes.Sequence(kind="list", items=items):
                held = tuple(self._held(item, value, before) for value in items)
                return replace(expr, items=held, type=kind) if held != items else expr
            case Tuple(items=kinds), nodes.Sequence(items=items) if len(kinds) == len(items):
                pairs = zip(kinds, items, strict=True)
                held = tuple(self._held(one, value, before) for one, value in pairs)
                return replace(expr, items=held, type=kind) if held != items else expr
            case List(), Call(function="list*" | "list+" as sign, args=(left, right)):
                left = self._held(kind, left, before)
                right = self._held(kind, right, before) if sign == "list+" else right
                changed = (left, right) != expr.args
                return replace(expr, args=(left, right), type=kind) if changed else expr
            case Dict(item=item), nodes.Mapping(values=values):
                held = tuple(self._held(item, value, before) for value in values)
                return replace(expr, values=held, type=kind) if held != values else expr
            case List(item=Scalar() as item), _:
                found = _copied_items(expr)
                return expr if found is None else self._converted(item, found, expr, before)
            case Scalar(dtype=dtype), _ if _wider(kind, expr.type):
                return _as(dtype, expr)
        return expr

    def _converted(self, item: Scalar, found: Type, expr: Expr, before: list[Stmt]) -> Expr:
        """The items of another list, one by one."""
        if not _wider(item, found):
            return expr
        made = Var(self.names.fresh("items"), type=List(item))
        value = Var(self.names.fresh("item"), type=found)
        self.types |= {made.name: made.type, value.name: value.type}
        empty = nodes.Sequence("list", (), type=made.type)
        put = nodes.Mutate(made, "append", (_as(item.dtype, value),))
        before += [
            nodes.Assign((made.name,), (empty,)),
            nodes.For((value.name,), (expr,), (put,)),
        ]
        return made


def _copied_items(expr: Expr) -> Type | None:
    """The type of the items of a new list that is made of another one's, or of a range."""
    match expr:
        case nodes.Index(base=Expr(type=List(item=item))):
            return item
        case Call(function=function, args=(source, *_)) if function not in _FLOATS:
            ranged = isinstance(source, Call) and source.function is range
            return INT if ranged else source.type.item if isinstance(source.type, List) else None
    return None


def _wider(kind: Type, found: Type) -> bool:
    """Whether a number must be converted, and is no less for it."""
    if not isinstance(kind, Scalar) or not isinstance(found, Scalar):
        return False
    wide, narrow = ("biufc".find(np.dtype(k.dtype).kind) for k in (kind, found))
    return wide > narrow >= 0


def _as(dtype: str, expr: Expr) -> Expr:
    own = _OWN.get(dtype)
    if own is not None and isinstance(expr, Const):
        return replace(expr, value=own(expr.value), type=Scalar(dtype))
    if own is None:
        return Call(np.dtype(dtype).type, f"np.{dtype}", (expr,), type=Scalar(dtype))
    return Call(own, own.__name__, (expr,), type=Scalar(dtype))


def with_lists_of_arrays(function: Function) -> Function:
    """`[None] * n` of what will be arrays as `[np.empty((0, 0))] * n`: Numba's lists have items of
    one type (see frontend/containers/filled_later.py)."""

    def made(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Assign(targets=(name,), values=(Call(function="list*") as call,)):
                kind = function.types.get(name)
                item = kind.item if isinstance(kind, List) else None
                nothing = call.args[0] == nodes.Sequence("list", (Const(None),))
                if nothing and kind is not None and isinstance(item, Array) and item.shape:
                    display = nodes.Sequence("list", (_empty(item),), type=kind)
                    call = replace(call, args=(display, *call.args[1:]), type=kind)
                    return [replace(stmt, values=(call,))]
        return [stmt]

    return replace(function, body=map_block(function.body, lambda e: e, made))


def _empty(kind: Array) -> Expr:
    """An array without entries."""
    lengths = (Const(0, type=INT),) * len(kind.shape or ())
    shape = nodes.Sequence("tuple", lengths, type=Tuple((INT,) * len(lengths)))
    args: tuple[Expr, ...] = (shape,)
    if kind.dtype not in (None, "float64"):
        dtype = np.dtype(kind.dtype).type
        args += (nodes.Ref(f"np.{kind.dtype}", dtype, type=Known(dtype)),)
    return Call(np.empty, "np.empty", args, type=kind)


__all__ = ["with_items_of_one_type", "with_lists_of_arrays", "with_rows_of_one_type"]

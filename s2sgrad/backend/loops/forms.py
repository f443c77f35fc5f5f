"""Floor 6: array operations in the forms that become loops, before loops are made.

- `x, y = a, b` becomes two statements;
- `c = np.hstack((a, b))` becomes an empty array whose parts are written;
- `hstack_bars(c_bar, (a, b))[1]`, and the like, becomes a part of `c_bar`;
- `np.var` becomes the mean of squares (see deviations.py);
- `np.empty(x.shape)` has the length of each axis apart;
- a column times a row by `@` becomes `*`;
- `(x.T - x) @ v`, where the matrix is computed entry by entry, becomes a sum of products; so do
  several products with one matrix (see matrices.py).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.analysis.indexing import infer_index
from s2sgrad.backend.loops.contractions import of_einsum_bars
from s2sgrad.backend.loops.deviations import clipped, deviation
from s2sgrad.backend.loops.elements import is_array, is_elementwise
from s2sgrad.backend.loops.extents import integer, length
from s2sgrad.backend.loops.joins import (
    BARS,
    FULL,
    JOINS,
    Places,
    as_long,
    axis_of,
    is_entry,
    is_real,
    is_thin,
    items_of,
    layout_of,
    lengths_beside,
    places_of,
    ranks_of,
)
from s2sgrad.backend.loops.known_forms import over_entries
from s2sgrad.backend.loops.leaves import constant
from s2sgrad.backend.loops.matrices import is_product, read_often
from s2sgrad.backend.loops.powers import simple_power
from s2sgrad.backend.loops.splits import split_apart
from s2sgrad.backend.loops.storage import Lengths
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Index, Stmt, Var
from s2sgrad.ir.sizes import ONE, Size
from s2sgrad.ir.types import INT, Array, Tuple, Type, join
from s2sgrad.transform.writing.rewrite import map_block, map_stmt_exprs


def in_loop_forms(function: Function, names: Names, checks: bool = False) -> Function:
    """The function with such operations rewritten. checks: as those of `loops`."""
    forms = _Forms(function, names, checks)
    body = map_block(function.body, lambda e: e, forms.statement)
    body = map_block(body, forms.expression)
    return replace(function, body=body, types=forms.types)


def rewritten(expr: Expr) -> bool:
    """Whether an operation joins arrays, or takes the cotangent of a join or contraction apart."""
    if not isinstance(expr, Call):
        return False
    return expr.text in JOINS or expr.text in BARS or of_einsum_bars(expr, 0) is not None


class _Forms:
    def __init__(self, function: Function, names: Names, checks: bool) -> None:
        self.names, self.types, self.checks = names, dict(function.types), checks
        stmts = nodes.walk_block(function.body)
        self.parts: dict[str, dict[int, Var]] = {}
        self.made = _entry_by_entry(function.body)
        self.only_parts = only_indexed(function.body)
        self.often = read_often(function.body)
        self.lengths = Lengths(function, {t for s in stmts for t in nodes.targets_of(s)})

    # --- statements --------------------------------------------------------------------------
    def statement(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Assign(targets=targets, values=values) if len(targets) > 1:
                if not set(targets) & {n for v in values for n in nodes.names_in(v)}:
                    pairs = zip(targets, values, strict=True)
                    return self._each([replace(stmt, targets=(t,), values=(v,)) for t, v in pairs])
            case nodes.Unpack():
                apart = split_apart(stmt, self.types)
                return self._each(apart) if apart else [stmt]
            case nodes.Assign(targets=(name,), values=(Call(text=text) as call,)):
                if text in JOINS:
                    return self._joined(stmt, name, call) or [stmt]
                if (text in BARS or text == "unstack") and name in self.only_parts:
                    return self._taken_apart(stmt, name, call) or [stmt]
        plain = isinstance(stmt, nodes.Assign | nodes.Store | nodes.Return)
        return self._with_parts(stmt) if plain else [stmt]

    def _each(self, stmts: list[Stmt]) -> list[Stmt]:
        return [made for stmt in stmts for made in self.statement(stmt)]

    def _with_parts(self, stmt: Stmt) -> list[Stmt]:
        """The statement with arrays for the joins in it, parts of arrays for parts of what takes
        them apart, means for variances, and bounds for clips."""
        before: list[Stmt] = []
        inside = [n for e in nodes.expressions(stmt) for n in nodes.walk(e)]
        always = not any(map(_may_skip, inside))

        def part(expr: Expr) -> Expr:
            match expr:
                case Call(text="np.var" | "np.std" | "var" | "std", args=(over, *_)):
                    if deviation(expr, over) is not None:
                        base = self._named(over, before)
                        return deviation(expr, base, lambda e: self._named(e, before)) or expr
                case Call(text="np.clip" | "clip"):
                    return clipped(expr) or expr
                case Call(text=text) if text in JOINS and always:
                    name = self.names.fresh("joined")
                    made = nodes.Assign((name,), (expr,), span=stmt.span)
                    before.extend(self._joined(made, name, expr) or ())
                    return Var(name, type=expr.type) if name in self.types else expr
                case Index(base=Call(text=text) as call, index=(Const(value=int(k)),)):
                    if text in BARS:
                        name = self.names.fresh("parts")
                        self.only_parts[name] = [k]
                        made = nodes.Assign((name,), (call,), span=stmt.span)
                        found = self._taken_apart(made, name, call)
                        before.extend(found or ())
                        return expr if found is None else self.parts[name][k]
            return expr

        stmt = map_stmt_exprs(stmt, part)
        return [*before, stmt]

    def _joined(self, stmt: nodes.Assign, name: str, call: Call) -> list[Stmt] | None:
        found = items_of(call, 0)
        kind = call.type
        if found is None or not _held(kind) or not all(_fits(call, i) for i in found):
            return None
        ranks = ranks_of(call, found)
        layout = layout_of(JOINS[call.text], ranks, axis_of(call, 1))
        assert isinstance(kind, Array) and kind.shape is not None
        if layout is None or len(kind.shape) != max(ranks) + layout.new:
            return None
        if not all(map(self._may_agree, lengths_beside(found, layout))):
            return None
        before: list[Stmt] = []
        items = [self._named(item, before) for item in found]
        fresh = name if name not in nodes.names_in(call) else self.names.fresh(name)
        self.types[fresh] = kind
        places, total = places_of(items, layout)
        whole = next((item for item in items if not is_thin(item, items)), None)
        sizes = [integer(1) if whole is None else length(whole, k) for k in range(max(ranks))]
        if layout.new:
            sizes.insert(layout.axis, integer(len(items)))
        else:
            sizes[layout.axis] = self.lengths.size(kind.shape[layout.axis]) or total
        shape: Expr = nodes.Sequence("tuple", tuple(sizes)) if len(sizes) > 1 else sizes[0]
        made = Call(np.empty, "np.empty", (shape,), type=kind)
        array = Var(fresh, type=kind)
        stores = [
            nodes.Store(array, place, item, span=stmt.span)
            for place, item in zip(places, items, strict=True)
        ]
        result = [*before, nodes.Assign((fresh,), (made,), span=stmt.span), *stores]
        return result if fresh == name else [*result, replace(stmt, values=(array,))]

    def _taken_apart(self, stmt: nodes.Assign, name: str, call: Call) -> list[Stmt] | None:
        bar = call.args[0]
        places = self._places_of_parts(call, self.only_parts[name])
        if places is None or not _held(bar.type):
            return None
        before: list[Stmt] = []
        base = self._named(bar, before)
        self.parts[name] = {}
        for k in self.only_parts[name]:
            kind = infer_index(base.type, places[k])
            var = Var(self.names.fresh(name), type=kind)
            self.types[var.name] = kind
            self.parts[name][k] = var
            taken = Index(base, places[k], type=kind)
            before.append(nodes.Assign((var.name,), (taken,), span=stmt.span))
        return before

    def _places_of_parts(self, call: Call, wanted: list[int]) -> dict[int, Places] | None:
        if call.text == "unstack":
            axis = constant(axis_of(call, 1), 0)
            if axis is None or axis < 0:
                return None
            return {k: ((FULL,) * axis + (integer(k),)) for k in wanted}
        items = items_of(call, 1) or ()
        listed = [item if is_entry(call, item) else as_long(item) for item in items]
        found = [i for i in listed if i is not None and min(ranks_of(call, [i])) > 0]
        if not found or len(found) < len(listed):
            return None
        layout = layout_of(BARS[call.text], ranks_of(call, found), axis_of(call, 2))
        if layout is None:
            return None
        places = dict(enumerate(places_of(found, layout)[0]))
        return places if set(wanted) <= set(places) else None

    def _named(self, expr: Expr, before: list[Stmt]) -> Var:
        if isinstance(expr, Var):
            return expr
        name = self.names.fresh("part")
        self.types[name] = expr.type
        before.append(nodes.Assign((name,), (expr,), span=expr.span))
        return Var(name, type=expr.type)

    # --- expressions -------------------------------------------------------------------------
    def expression(self, expr: Expr) -> Expr:
        match expr:
            case Call(text="np.linalg.norm" | "np.heaviside"):
                return over_entries(expr) or expr
            case Call(text="power_bar_base") if not isinstance(expr.type, Array):
                return simple_power(expr)
            case Call(text="np.empty", args=(Var() | Call() as shape, *_)):
                return _by_lengths(expr, shape)
            case Index(base=Var(name=name), index=(part,)) if name in self.parts:
                return self.parts[name][constant(part, 0) or 0]
            case Call(text="@", form="operator", args=(left, right)):
                return self._product(expr, left, right)
            case Call(text="np.where", args=(test, then, orelse)) if all(map(is_real, expr.args)):
                kind = join(then.type, orelse.type)
                return nodes.Choice(test, then, orelse, type=kind)  # Numba makes an array of it
            case Call(text="np.dot", args=(left, right)) if is_product(expr):
                return self._product(expr, left, right)
        return expr

    def _product(self, expr: Call, left: Expr, right: Expr) -> Expr:
        if not (_held(left.type) and _held(right.type) and _held(expr.type)):
            return expr
        one, two = left.type.shape, right.type.shape  # type: ignore[attr-defined]
        if not self._may_agree({one[-1], two[0]}):
            return expr
        if len(one) == len(two) == 2 and one[1] == two[0] == ONE:
            return replace(expr, function=np.multiply, text="*")
        if len(two) == 2 and two[1] == ONE and len(one) == 2:
            return self._column(expr, left, right)
        if len(one) == 2 and len(two) == 1:
            return self._vector(expr, left, right)
        if len(one) == 1 and len(two) == 2:
            return self._row(expr, left, right)
        return expr

    def _may_agree(self, lengths: set[Size | None]) -> bool:
        """Whether lengths are equal, or are compared as the code runs: no factor of a product, and
        no part of what is joined, is stretched where it has one entry."""
        if len(lengths) == 1 and None not in lengths:
            return True
        return self.checks and ONE not in lengths

    def _row(self, expr: Call, vector: Expr, matrix: Expr) -> Expr:
        """vector @ matrix."""
        turned = _turned(matrix)
        if turned is not None and self._computed(turned):
            return _summed(expr, _times(turned, vector), 1)
        if self._computed(matrix):
            return _summed(expr, _times(matrix, _upright(vector)), 0)
        return expr

    def _column(self, expr: Call, matrix: Expr, column: Expr) -> Expr:
        """matrix @ column."""
        turned = _turned(matrix)
        if turned is not None and self._computed(turned):
            return _transposed(_summed(expr, _times(turned, column), 0, keep=True))
        if self._computed(matrix) and not is_elementwise(matrix):
            return _summed(expr, _times(matrix, _transposed(column)), 1, keep=True)
        return expr

    def _vector(self, expr: Call, matrix: Expr, vector: Expr) -> Expr:
        """matrix @ vector."""
        turned = _turned(matrix)
        if turned is not None and self._computed(turned):
            return _summed(expr, _times(turned, _upright(vector)), 0)
        if self._computed(matrix):
            return _summed(expr, _times(matrix, vector), 1)
        return expr

    def _computed(self, matrix: Expr) -> bool:
        """Whether a matrix is computed here, entry by entry, or read for other products too."""
        if isinstance(matrix, Var):
            return matrix.name in self.made or matrix.name in self.often
        return is_elementwise(matrix) and isinstance(matrix, Call) and matrix.form != "method"


def _by_lengths(made: Call, shape: Expr) -> Expr:
    """`np.empty(x.shape)` as `np.empty((x.shape[0], x.shape[1]))`: each axis has its own length."""
    if not isinstance(shape.type, Tuple):
        return made
    items = [Index(shape, (integer(k),), type=INT) for k in range(len(shape.type.items))]
    return replace(made, args=(nodes.Sequence("tuple", tuple(items)), *made.args[1:]))


def _may_skip(expr: Expr) -> bool:
    """Whether parts of an expression may never be evaluated."""
    return isinstance(expr, nodes.Choice) or (isinstance(expr, Call) and expr.text in ("and", "or"))


# --- small questions -----------------------------------------------------------------------
def _held(kind: Type) -> bool:
    """Whether a type is an array of float64 of known rank."""
    return isinstance(kind, Array) and kind.dtype == "float64" and bool(kind.shape)


def _fits(call: Call, item: Expr) -> bool:
    return _held(item.type) or is_entry(call, item)


def _entry_by_entry(body: Block) -> frozenset[str]:
    """Matrices that are bound once, to what is computed entry by entry."""
    bound: dict[str, list[Expr | None]] = {}
    for stmt in nodes.walk_block(body):
        for k, target in enumerate(nodes.targets_of(stmt)):
            value = stmt.values[k] if isinstance(stmt, nodes.Assign) else None
            bound.setdefault(target, []).append(value)
        if isinstance(stmt, nodes.Store | nodes.Mutate):
            for name in nodes.names_in(stmt.base):
                bound.setdefault(name, []).append(None)
    return frozenset(
        name
        for name, values in bound.items()
        if len(values) == 1 and values[0] is not None and is_elementwise(values[0])
    )


def only_indexed(body: Block) -> dict[str, list[int]]:
    """Variables that are bound once and only read as `name[0]`, `name[1]`..., with the numbers."""
    every: dict[str, int] = {}
    indexed: dict[str, list[int]] = {}
    bound: dict[str, int] = {}
    for stmt in nodes.walk_block(body):
        for target in nodes.targets_of(stmt):
            bound[target] = bound.get(target, 0) + 1
        for expr in nodes.expressions(stmt):
            for node in nodes.walk(expr):
                if isinstance(node, Var):
                    every[node.name] = every.get(node.name, 0) + 1
                match node:
                    case Index(base=Var(name=name), index=(Const(value=int(k)),)):
                        indexed.setdefault(name, []).append(k)
    return {
        name: sorted(set(found))
        for name, found in indexed.items()
        if bound.get(name) == 1 and every[name] == len(found)
    }


# --- small expressions ---------------------------------------------------------------------
def _turned(expr: Expr) -> Expr | None:
    """The x of `x.T`."""
    match expr:
        case Call(form="attribute", text="T", args=(inner,)) if is_array(inner):
            return inner
    return None


def _transposed(expr: Expr) -> Expr:
    kind = expr.type
    assert isinstance(kind, Array) and kind.shape is not None
    own = Array(kind.dtype, kind.shape[::-1])
    return Call(np.transpose, "T", (expr,), form="attribute", type=own)


def _upright(vector: Expr) -> Expr:
    """A vector as a column."""
    kind = vector.type
    assert isinstance(kind, Array) and kind.shape is not None
    own = Array(kind.dtype, (*kind.shape, ONE))
    return Index(vector, (FULL, Const(None)), type=own)


def _times(matrix: Expr, other: Expr) -> Call:
    return Call(np.multiply, "*", (matrix, other), form="operator", type=matrix.type)


def _summed(like: Call, value: Call, axis: int, keep: bool = False) -> Call:
    kind = like.type
    if keep and axis == 0:
        kind = _transposed(like).type
    options: tuple[tuple[str, Any], ...] = (("axis", integer(axis)),)
    if keep:
        options += (("keepdims", Const(True)),)
    return Call(np.sum, "np.sum", (value,), options, type=kind, span=like.span)


__all__ = ["in_loop_forms", "only_indexed"]

"""Floor 6: products of stacks of matrices as loops over products of two matrices.

`np.einsum("hqd,hkd->hqk", q, k)` becomes `for i in range(q.shape[0]): part[i] = q[i] @ k[i].T`; so
do `@` and `np.tensordot` of arrays with more than two axes, and the cotangents of all of them
(see contractions.py). Where there is no matrix in it, it becomes a sum of products.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.backend.loops.contractions import (
    Contraction,
    Place,
    contraction,
    doubtful_lengths,
    of_einsum_bars,
)
from s2sgrad.backend.loops.extents import integer, length, raised_unless_equal
from s2sgrad.backend.loops.forms import only_indexed
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Const, Expr, Function, Index, Slice, Stmt, Var
from s2sgrad.ir.sizes import ONE
from s2sgrad.ir.types import INT, Array, Tuple, Type
from s2sgrad.transform.writing.rewrite import map_block

FULL = Slice(None, None, None)


def with_stacks(function: Function, names: Names, checks: bool = False) -> Function:
    """The function with such products rewritten.

    checks: lengths that must be equal for that may be compared when the code runs.
    """
    stacks = _Stacks(names, dict(function.types), only_indexed(function.body), checks)
    body = map_block(function.body, lambda e: e, stacks.statement)
    return replace(function, body=body, types=stacks.types)


class _Stacks:
    def __init__(
        self,
        names: Names,
        types: dict[str, Type],
        only_parts: dict[str, list[int]],
        checks: bool,
    ) -> None:
        self.names, self.types, self.only_parts = names, types, only_parts
        self.checks = checks
        self.parts: dict[tuple[str, int], Expr] = {}

    def statement(self, stmt: Stmt) -> list[Stmt]:
        """The statement after those that compute its contractions."""
        before: list[Stmt] = []

        def go(expr: Expr) -> Expr:
            return self.expression(expr, before)

        match stmt:
            case nodes.Assign(targets=(name,), values=(Call(text="einsum_bars") as call,)):
                if self._taken_apart(name, call, before):
                    return before
            case nodes.Assign(values=values):
                stmt = replace(stmt, values=tuple(map(go, values)))
            case nodes.Store(value=value) | nodes.Return(value=value) | nodes.Unpack(value=value):
                stmt = replace(stmt, value=go(value))
            case nodes.Mutate(args=args):
                stmt = replace(stmt, args=tuple(map(go, args)))
        return [*before, stmt]

    def expression(self, expr: Expr, before: list[Stmt]) -> Expr:
        """The expression with names for contractions in it; not for those that may not be run."""
        match expr:
            case Index(base=Var(name=name), index=(Const(value=int(k)),)):
                return self.parts.get((name, k), expr)
            case Call(args=args):
                new = tuple(self.expression(a, before) for a in args)
                expr = replace(expr, args=new)
                found = contraction(expr)
                doubts = None if found is None else doubtful_lengths(found, expr.type)
                if found is not None and doubts is not None and (self.checks or not doubts):
                    return self._written(expr, self._sure(found, doubts, before), before)
            case Index(base=base):
                return replace(expr, base=self.expression(base, before))
            case nodes.Sequence(items=items):
                return replace(expr, items=tuple(self.expression(i, before) for i in items))
        return expr

    def _taken_apart(self, name: str, call: Call, before: list[Stmt]) -> bool:
        """Whether the cotangents of operands that are read were computed, each by itself."""
        places = self.only_parts.get(name, ())
        found = {k: of_einsum_bars(call, k) for k in places}
        kinds = {k: call.args[2].items[k].type for k in places if found[k]}  # type: ignore[attr-defined]
        doubts = {k: doubtful_lengths(c, kinds[k]) if c else None for k, c in found.items()}
        if not places or None in doubts.values() or (any(doubts.values()) and not self.checks):
            return False
        y_bar = self._named(self.expression(call.args[0], before), before)
        for k, bar in found.items():
            assert bar is not None
            own = Var(self.names.fresh(name), type=kinds[k])
            self.types[own.name] = kinds[k]
            bar = self._sure(bar, doubts[k] or [], before)
            value = self._written(own, replace(bar, left=y_bar), before)
            before.append(nodes.Assign((own.name,), (value,), span=call.span))
            self.parts[name, k] = own
        return True

    def _written(self, expr: Expr, found: Contraction, before: list[Stmt]) -> Expr:
        matrices = _matrices(found)
        if matrices is None:
            return _sum_of_products(found, expr.type)
        operands = [self._named(o, before) for o in (found.left, found.right)]
        found = replace(found, left=operands[0], right=operands[1])
        return self._loops(expr, found, matrices, before)

    def _sure(
        self, found: Contraction, doubts: list[tuple[Place, Place]], before: list[Stmt]
    ) -> Contraction:
        """The contraction of what has names, once its lengths have turned out to be equal."""
        if not doubts:
            return found
        given = [o for o in (found.left, found.right, found.like) if o is not None]
        named = [self._named(o, before) for o in given]
        names = dict(zip(map(id, given), named, strict=True))
        for pair in doubts:
            one, two = (length(names[id(operand)], axis) for operand, axis in pair)
            before.append(raised_unless_equal(one, two))
        return replace(found, left=named[0], right=named[1])

    def _named(self, expr: Expr, before: list[Stmt]) -> Var:
        if isinstance(expr, Var):
            return expr
        name = self.names.fresh("part")
        self.types[name] = expr.type
        before.append(nodes.Assign((name,), (expr,), span=expr.span))
        return Var(name, type=expr.type)

    def _loops(
        self, expr: Expr, found: Contraction, matrices: tuple[str, str, str], before: list[Stmt]
    ) -> Expr:
        """Loops over all letters but those of the matrices, around one product."""
        around = [c for c in found.out + found.summed if c not in matrices]
        if not around:
            return _product(found, found.left, found.right, matrices)
        counters = {c: Var(self.names.fresh("i"), type=INT) for c in around}
        self.types.update((v.name, INT) for v in counters.values())
        adds = any(c in found.summed for c in around)
        result = Var(self.names.fresh("part"), type=expr.type)
        self.types[result.name] = expr.type
        left, right = (
            _part(operand, term, counters)
            for operand, term in zip((found.left, found.right), found.terms, strict=True)
        )
        terms = tuple("".join(c for c in t if c in matrices) for t in found.terms)
        own = "".join(c for c in found.out if c in matrices)
        value = _product(Contraction(left, right, terms, own), left, right, matrices)  # type: ignore[arg-type]
        place = _trimmed(tuple(counters.get(c, FULL) for c in found.out))
        loop: Stmt = nodes.Store(result, place, value, "+" if adds else "", span=expr.span)
        for c in reversed(around):
            call = Call(range, "range", (_length(found, c),))
            loop = nodes.For((counters[c].name,), (call,), (loop,), span=expr.span)
        before += [self._made(result, found, adds), loop]
        return result

    def _made(self, result: Var, found: Contraction, zeros: bool) -> Stmt:
        """The array for the result."""
        sizes = tuple(_length(found, c) for c in found.out)
        kind = Tuple((INT,) * len(sizes))
        shape = nodes.Sequence("tuple", sizes, type=kind) if len(sizes) > 1 else sizes[0]
        make, text = (np.zeros, "np.zeros") if zeros else (np.empty, "np.empty")
        dtype = result.type.dtype  # type: ignore[attr-defined]
        given: tuple[Expr, ...] = (shape,)
        if dtype != "float64":
            given += (nodes.Ref(f"np.{dtype}", np.dtype(dtype).type),)
        return nodes.Assign((result.name,), (Call(make, text, given, type=result.type),))


# --- small questions -----------------------------------------------------------------------
def _matrices(found: Contraction) -> tuple[str, str, str] | None:
    """The letters of rows, what is summed, and columns of the product of two matrices."""
    left, right = found.terms
    inner = [c for c in found.summed if c in left and c in right]
    rows = [c for c in left if c not in right and c in found.out]
    columns = [c for c in right if c not in left and c in found.out]
    lonely = [c for c in found.summed if (c in left) != (c in right)]
    if not inner or not rows or not columns or lonely:
        return None
    return rows[-1], inner[-1], columns[-1]


def _length(found: Contraction, letter: str) -> Expr:
    for operand, term in zip((found.left, found.right), found.terms, strict=True):
        if letter in term:
            return length(operand, term.index(letter))
    raise KeyError(letter)


# --- small expressions ---------------------------------------------------------------------
def _part(operand: Expr, term: str, counters: dict[str, Var]) -> Expr:
    """The matrix in an operand."""
    kind = operand.type
    assert isinstance(kind, Array) and kind.shape is not None
    place = _trimmed(tuple(counters.get(c, FULL) for c in term))
    own = tuple(s for c, s in zip(term, kind.shape, strict=True) if c not in counters)
    return Index(operand, place, type=Array(kind.dtype, own)) if place else operand


def _trimmed(place: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """A subscript without the colons at its end."""
    while place and place[-1] is FULL:
        place = place[:-1]
    return place


def _product(found: Contraction, left: Expr, right: Expr, matrices: tuple[str, str, str]) -> Expr:
    """The product of two matrices, turned as the result wants them."""
    rows, inner, columns = matrices
    first = left if found.terms[0] == rows + inner else _turned(left)
    second = right if found.terms[1] == inner + columns else _turned(right)
    if found.out == columns + rows:
        first, second = _turned(second), _turned(first)
    shape = (first.type.shape[0], second.type.shape[1])  # type: ignore[attr-defined]
    kind = Array(left.type.dtype, shape)  # type: ignore[attr-defined]
    return Call(np.matmul, "@", (first, second), form="operator", type=kind)


def _turned(expr: Expr) -> Expr:
    match expr:
        case Call(form="attribute", text="T", args=(inner,)):
            return inner
    kind = expr.type
    assert isinstance(kind, Array) and kind.shape is not None
    own = Array(kind.dtype, kind.shape[::-1])
    return Call(np.transpose, "T", (expr,), form="attribute", type=own)


def _sum_of_products(found: Contraction, kind: Type) -> Expr:
    """`np.sum(a[:, None] * b, axis=1)`: the axes of the result, then those that are summed."""
    order = found.out + found.summed
    sides = [
        _spread(operand, term, order)
        for operand, term in zip((found.left, found.right), found.terms, strict=True)
    ]
    sizes: dict[str, Any] = {}
    for operand, term in zip((found.left, found.right), found.terms, strict=True):
        sizes.update(zip(term, operand.type.shape, strict=True))  # type: ignore[attr-defined]
    whole = Array(kind.dtype, tuple(sizes[c] for c in order))  # type: ignore[attr-defined]
    value: Expr = Call(np.multiply, "*", tuple(sides), form="operator", type=whole)
    for k in range(len(order) - 1, len(found.out) - 1, -1):
        own = Array(whole.dtype, tuple(sizes[c] for c in order[:k]))
        value = Call(np.sum, "np.sum", (value,), (("axis", integer(k)),), type=own)
    return value


def _spread(operand: Expr, term: str, order: str) -> Expr:
    """An operand with its axes in an order, and new ones of length one where it has none."""
    kind = operand.type
    assert isinstance(kind, Array) and kind.shape is not None
    sizes = dict(zip(term, kind.shape, strict=True))
    there = [c for c in order if c in term]
    if "".join(there) != term:
        axes = nodes.Sequence("tuple", tuple(integer(term.index(c)) for c in there))
        own = Array(kind.dtype, tuple(sizes[c] for c in there))
        operand = Call(np.transpose, "np.transpose", (operand, axes), type=own)
    if len(there) == len(order):
        return operand
    place = tuple(FULL if c in term else Const(None) for c in order)
    return Index(operand, place, type=Array(kind.dtype, tuple(sizes.get(c, ONE) for c in order)))


__all__ = ["with_stacks"]

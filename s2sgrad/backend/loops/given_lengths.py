"""Floor 6: the lengths of an array made here are those it is made with.

`for i in range(saved.shape[1])` names the array `saved`; with the number that it was made with,
the loop names it for its entries only, and its axes can be turned or dropped. Then lengths that
were compared become one.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from s2sgrad.backend.loops.checked_lengths import with_checked_lengths
from s2sgrad.backend.loops.contraction import allocated
from s2sgrad.backend.loops.mapping import mapped
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import every
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Index, Sequence, Stmt, Var
from s2sgrad.ir.types import Array


def with_given_lengths(body: Block, function: Function) -> Block:
    """The body with such lengths. function: the one that the body belongs to."""
    bound = Counter(t for s in every(body) for t in nodes.targets_of(s))
    bound.update({*function.parameters, *function.inputs})
    moving = {
        t
        for loop in every(body)
        if isinstance(loop, nodes.For | nodes.While)
        for s in (loop, *every(loop.body))
        for t in (*nodes.targets_of(s), *(s.indices if isinstance(s, Nest) else ()))
    }
    once = {n for n, k in bound.items() if k == 1}
    fixed = once - moving
    sized = _sized(function)
    made = {
        name: lengths
        for stmt in every(body)
        if (name := allocated(stmt)) in once and _is_steady(lengths := _shape(stmt), fixed, sized)
    }

    def read(expr: Expr) -> Expr:
        match expr:
            case Index(
                base=Call(form="attribute", text="shape", args=(Var(name=name),)),
                index=(Const(value=int(axis)),),
            ) if name in made:
                given = made[name]
                return given.items[axis] if isinstance(given, Sequence) else given
        return expr

    return with_checked_lengths(mapped(body, read, _needed) if made else body)


def _needed(stmt: Stmt) -> list[Stmt]:
    """The statement, unless it checks that a length is equal to itself."""
    match stmt:
        case nodes.If(
            test=Call(function=np.not_equal, args=(one, other)),
            then=(nodes.Do(value=Call(text="UnequalLengths")),),
        ) if one == other:
            return []
    return [stmt]


def _sized(function: Function) -> set[str]:
    """Arrays whose lengths follow from those of the parameters: the same throughout."""
    given: set[str] = set()
    for name in function.parameters:
        kind = function.types.get(name)
        sizes = kind.shape or () if isinstance(kind, Array) else (getattr(kind, "size", None),)
        given |= {letter for size in sizes if size is not None for letter in size.letters()}
    return {
        name
        for name, kind in function.types.items()
        if isinstance(kind, Array) and kind.shape is not None
        and all(size is not None and size.letters() <= given for size in kind.shape)
    }  # fmt: skip


def _is_steady(length: Expr, fixed: set[str], sized: set[str]) -> bool:
    """Whether a length is the same throughout. sized: arrays whose lengths are, whatever they
    hold."""
    match length:
        case Call(form="attribute", text="shape", args=(Var(name=name),)) if name in sized:
            return True
        case Var(name=name):
            return name in fixed
    return all(_is_steady(part, fixed, sized) for part in nodes.children(length))


def _shape(stmt: Stmt) -> Expr:
    """The lengths that an `np.empty` is given."""
    return stmt.values[0].args[0]  # type: ignore[attr-defined,no-any-return]


__all__ = ["with_given_lengths"]

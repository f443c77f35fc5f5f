"""Floor 5: views that are written get a name first: `m.ravel()[i] = e`, `m.T[i] *= e`.

Before: `m.ravel()[3] = e`, after: `flat = m.ravel()`, `flat[3] = e`. What is a view and what a copy
is settled for the name then (settle.py). `m.flat[3] = e` always writes into m: it is the same
where m lies in C order. Elsewhere the entries are written into a copy, which replaces those of m.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.contiguity import doubtful_names, in_c_order
from s2sgrad.analysis.effects import effects
from s2sgrad.analysis.held import chain, held_values, left_open, undecided_in
from s2sgrad.analysis.memory import is_view, view_or_copy
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt
from s2sgrad.rules.methods import OPERATORS
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block, map_stmt_exprs

FLAT = "flat"  # the text of the call that `.flat` is while something is written through it


def with_names(block: Block, fresh: Callable[[str, Expr], nodes.Var]) -> Block:
    """The block with names for the views that are written: for all that are reshaped, and for
    others where the old value is read. fresh: makes a variable."""
    block = _with_names_of_held(block, fresh)
    written = [s for s in nodes.walk_block(block) if isinstance(s, nodes.Store)]
    if not any(map(_unnamed, written)):
        return block
    doubtful = doubtful_names(block)

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Store) or not _unnamed(stmt):
            return [stmt]
        before: list[Stmt] = []
        if (through := _through_flat(stmt, doubtful)) is not None:
            return _written_back(stmt, through, fresh, on_stmt)

        def bind(call: Call) -> Expr:
            if call.text == FLAT:
                call = replace(call, text="ravel", form="method")
            var = fresh("flat" if view_or_copy(call) else "view", call)
            before.append(nodes.Assign((var.name,), (call,), span=stmt.span))
            return var

        base = _bound(stmt.base, bind, _updates(stmt))
        return [*before, replace(stmt, base=base)]

    return map_block(block, lambda e: e, on_stmt)


def _with_names_of_held(block: Block, fresh: Callable[[str, Expr], nodes.Var]) -> Block:
    """Names for what is handed on where only a run can tell whether it is a view: what lists hold,
    what a loop goes through, what is unpacked."""
    candidates = any(
        next(undecided_in(v), None) is not None
        for s in nodes.walk_block(block)
        for v in held_values(s)
    )
    if not candidates:
        return block
    found, doubtful = effects(block), doubtful_names(block)

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        named: dict[int, Expr] = {}
        before: list[Stmt] = []
        for value in held_values(stmt):
            own = list(chain(value)) if isinstance(stmt, nodes.Assign) else []
            inner: set[int] = set(map(id, own))
            for call in undecided_in(value, choices=False):
                if id(call) in inner or not left_open(call, found, doubtful):
                    continue
                named[id(call)] = var = fresh("view", call)
                before.append(nodes.Assign((var.name,), (call,), span=stmt.span))
                inner |= set(map(id, chain(call)))
        if not named:
            return [stmt]
        return [*before, map_stmt_exprs(stmt, lambda e: named.get(id(e), e))]

    return map_block(block, lambda e: e, on_stmt)


def _through_flat(stmt: nodes.Store, doubtful: AbstractSet[str]) -> Call | None:
    """The `m.flat` that is written through, where m may not lie in C order."""
    base = stmt.base
    if not isinstance(base, Call) or base.text != FLAT or in_c_order(base.args[0], doubtful):
        return None
    return base


def _written_back(
    stmt: nodes.Store,
    through: Call,
    fresh: Callable[[str, Expr], nodes.Var],
    on_stmt: Callable[[Stmt], list[Stmt]],
) -> list[Stmt]:
    """`m.T.flat[3] = e`: the entries in their order, changed, put where they were."""
    owner = through.args[0]
    copied = replace(through, text="flatten", form="method")
    flat = fresh("flat", copied)
    shaped = Call(np.reshape, "reshape", (flat, build.shape(owner)), form="method", type=owner.type)
    back = nodes.Store(owner, (), shaped, span=stmt.span)
    return [
        nodes.Assign((flat.name,), (copied,), span=stmt.span),
        replace(stmt, base=flat),
        *on_stmt(back),
    ]


def _unnamed(stmt: nodes.Store) -> bool:
    """Whether there is such a view between what is written and the variable below it."""
    base = stmt.base
    while True:
        match base:
            case Call() if is_view(base):
                if view_or_copy(base) or _updates(stmt):
                    return True
                base = base.args[0]
            case Index(base=inner):
                base = inner
            case _:
                return False


def _updates(stmt: nodes.Store) -> bool:
    """Whether the reverse code of a write reads the old value: `*=` and its kin."""
    return stmt.op in OPERATORS and stmt.op not in ("+", "-")


def _bound(base: Expr, bind: Callable[[Call], Expr], whole: bool) -> Expr:
    """whole: any view is named, not only what is reshaped."""
    match base:
        case Call(args=args) if is_view(base):
            if view_or_copy(base) or whole:
                return bind(base)
            return replace(base, args=(_bound(args[0], bind, whole), *args[1:]))
        case Index(base=inner):
            return replace(base, base=_bound(inner, bind, whole))
    return base


__all__ = ["FLAT", "with_names"]

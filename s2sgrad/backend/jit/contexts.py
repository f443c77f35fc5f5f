"""Floor 6: `with np.errstate(...)` around compiled code, which never warns."""

from __future__ import annotations

from collections import Counter

import numpy as np

from s2sgrad.backend.jit.outside import Outside, OutsideStore
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Stmt, Var
from s2sgrad.transform.writing.rewrite import map_block

_QUIET = ("ignore", "warn")


def without_errstates(block: Block) -> Block:
    """The block without contexts that only silence warnings, if nothing in it runs in Python."""
    if any(isinstance(s, Outside | OutsideStore) for s in nodes.walk_block(block)):
        return block
    made = [name for s in nodes.walk_block(block) for name in _quiet(s)]
    uses = Counter(
        name
        for s in nodes.walk_block(block)
        for e in nodes.expressions(s)
        for name in nodes.names_in(e)
    )
    entered = Counter(_entered(s) for s in nodes.walk_block(block))
    gone = {n for n in made if uses[n] == entered[n] and _bindings(block, n) == made.count(n)}
    if not gone:
        return block

    def kept(stmt: Stmt) -> list[Stmt]:
        return [] if _entered(stmt) in gone or gone.intersection(_quiet(stmt)) else [stmt]

    return map_block(block, lambda e: e, kept)


def _quiet(stmt: Stmt) -> tuple[str, ...]:
    """The variable that a statement binds to a context without consequences here."""
    match stmt:
        case nodes.Assign(
            targets=(name,),
            values=(Call(text="errstate", args=(nodes.Ref(value=home),), kwargs=kwargs),),
        ) if home is np:
            quiet = [isinstance(v, Const) and v.value in _QUIET for _, v in kwargs]
            return (name,) if all(quiet) else ()
    return ()


def _entered(stmt: Stmt) -> str | None:
    """The variable whose context a statement enters or leaves."""
    match stmt:
        case nodes.Do(
            value=Call(form="method", text="__enter__" | "__exit__", args=(Var(name=name), *_))
        ):
            return name
    return None


def _bindings(block: Block, name: str) -> int:
    return sum(list(nodes.targets_of(s)).count(name) for s in nodes.walk_block(block))


__all__ = ["without_errstates"]

"""Floor 5: lists of numbers that each get the same: what `sum` sends back to what it adds up.

losses_bar = zeros_like(losses)                         losses_bar = [total_bar] * len(losses)
for k in reversed(range(len(losses))):
    losses_bar[k] += total_bar
"""

from __future__ import annotations

import s2sgrad_runtime
from s2sgrad.analysis.effects import has_effect
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Return, Sequence, Stmt, Var
from s2sgrad.ir.types import INT, List, Scalar
from s2sgrad.transform.writing.own_entries import ALL, addition, gone_through, may_resize
from s2sgrad.transform.writing.rewrite import mentions, with_blocks


def with_filled_lists(block: Block) -> Block:
    """The block without loops that add the same number to each entry of zeros."""
    returned = {
        name
        for stmt in nodes.walk_block(block)
        if isinstance(stmt, Return) and stmt.value is not None
        for name in nodes.names_in(stmt.value)
    }
    return _filled(block, returned)


def _filled(block: Block, returned: set[str]) -> Block:
    result = [with_blocks(stmt, lambda inner: _filled(inner, returned)) for stmt in block]
    for k in reversed(range(len(result))):
        match result[k]:
            case Assign(targets=(name,), values=(Call(args=(Var() as like,)) as zeros,)):
                if zeros.function is not s2sgrad_runtime.zeros_like or name in returned:
                    continue
                at = _next_mention(name, like, result, k)
                value = None if at is None else _same_for_all(name, like, result[at])
                if at is not None and value is not None:
                    result[at] = Assign((name,), (_times(value, like),))
                    del result[k]
    return tuple(result)


def _next_mention(name: str, like: Var, block: list[Stmt], start: int) -> int | None:
    """Where a list is met next, if it is as long then as what it was made like."""
    for at in range(start + 1, len(block)):
        if mentions(block[at], name):
            return at
        if any(may_resize(stmt, like) for stmt in nodes.walk_block((block[at],))):
            return None
    return None


def _same_for_all(name: str, like: Var, stmt: Stmt) -> Expr | None:
    """The number that a loop adds to each entry, and does nothing else."""
    kind = like.type.item if isinstance(like.type, List) else None
    if not isinstance(kind, Scalar) or kind.dtype not in ("float", "float64"):
        return None
    match stmt:
        case nodes.For(targets=(counter,), body=(inner,)):
            found = addition(name, inner)
            if found is None or gone_through(stmt, like) != ALL:
                return None
            entry, value = found
            own = entry.index == (Var(counter),) and isinstance(value.type, Scalar)
            steady = not nodes.names_in(value) & {counter, name} and not has_effect(value)
            return value if own and steady else None
    return None


def _times(value: Expr, like: Var) -> Expr:
    count = Call(len, "len", (like,), type=INT)
    one = Sequence("list", (value,), type=List(value.type))
    return Call("list*", "*", (one, count), form="operator", type=like.type)


__all__ = ["with_filled_lists"]

"""Floor 5: how many entries a mask chooses is counted, where nothing else is read of them.

The cotangent of `v = x[mask]; y = v.mean()` needs the length of v, not its entries:
`x_bar[mask] += y_bar / np.count_nonzero(mask)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.types import INT, Array, Type
from s2sgrad.transform.writing.rewrite import map_block

Fresh = Callable[[str], str]


def count_of(expr: Expr) -> Expr | None:
    """`np.count_nonzero(mask)` for `x[mask]`; None for anything else."""
    match expr:
        case Index(base=Var(type=Array()), index=(Expr(type=Array(dtype="bool")) as mask,)):
            return Call(np.count_nonzero, "np.count_nonzero", (mask,), type=INT)
    return None


def with_counts(block: Block, fresh: Fresh, types: dict[str, Type]) -> Block:
    """The block, in which arrays that are chosen by a mask and only measured are not made.

    fresh: makes names for counts; their types are added to `types`.
    """

    def named(base: str) -> str:
        name = fresh(base)
        types[name] = INT
        return name

    if not any(_chosen(stmt) for stmt in nodes.walk_block(block)):
        return block
    after: dict[int, frozenset[str]] = {}
    Liveness(visit=lambda stmt, live: after.update({id(stmt): live})).block(block, frozenset())
    return _counted(block, after, named)


def _counted(block: Block, after: dict[int, frozenset[str]], fresh: Fresh) -> Block:
    result: list[Stmt] = []
    rest = list(block)
    while rest:
        stmt = rest.pop(0)
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                sides = _counted(then, after, fresh), _counted(orelse, after, fresh)
                stmt = replace(stmt, then=sides[0], orelse=sides[1])
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_counted(body, after, fresh))
            case Assign(targets=(name,), values=(value,)) if _chosen(stmt):
                reach = _reach(rest, name, value)
                if reach and name not in after.get(id(rest[reach - 1]), frozenset({name})):
                    count = Var(fresh("count"), type=INT)
                    measured = map_block(tuple(rest[:reach]), _measure(name, count))
                    if not _reads(measured, name):
                        rest[:reach] = measured
                        stmt = replace(stmt, targets=(count.name,), values=(count_of(value),))  # type: ignore[arg-type]
        result.append(stmt)
    return tuple(result)


def _chosen(stmt: Stmt) -> bool:
    match stmt:
        case Assign(targets=(_,), values=(Index(index=(Var(),)) as value,)):
            return count_of(value) is not None
    return False


def _reach(rest: list[Stmt], name: str, value: Expr) -> int:
    """How many of the statements see both what was chosen and the mask as they are."""
    assert isinstance(value, Index)
    mask = value.index[0].name  # type: ignore[attr-defined]
    for k, stmt in enumerate(rest):
        for inner in nodes.walk_block((stmt,)):
            if {name, mask} & set(nodes.targets_of(inner)):
                return k
            if isinstance(inner, nodes.Store) and getattr(inner.base.type, "dtype", "") == "bool":
                return k
    return len(rest)


def _measure(name: str, count: Var) -> Callable[[Expr], Expr]:
    """Put the count for the length of a vector."""

    def put(expr: Expr) -> Expr:
        match expr:
            case Index(
                base=Call(form="attribute", text="shape", args=(Var(name=own),)),
                index=(Const(value=0),),
            ) if own == name:
                return count
            case Call(form="attribute", text="size", args=(Var(name=own, type=kind),)) if (
                own == name
            ):
                flat = isinstance(kind, Array) and kind.shape is not None and len(kind.shape) == 1
                return count if flat else expr
        return expr

    return put


def _reads(block: Block, name: str) -> bool:
    return any(
        name in nodes.names_in(e) for s in nodes.walk_block(block) for e in nodes.expressions(s)
    )


__all__ = ["count_of", "with_counts"]

"""Floor 5: rows that are filled where they lie.

    row = np.empty(m)                       row = table[i]
    for j in range(m):                      for j in range(m):
        row[j] = f(i, j)                        row[j] = f(i, j)
    table[i] = row

For arrays in place of lists, of which nothing is read before it is written (see filled_arrays.py).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.analysis.indexing import infer_index
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Index, Stmt, Store, Var
from s2sgrad.transform.writing.rewrite import mentions, with_blocks


def with_filled_rows(block: Block, made: frozenset[str]) -> Block:
    """The block with rows of arrays in place of others that are copied there. made: both."""
    stmts = [with_blocks(stmt, lambda inner: with_filled_rows(inner, made)) for stmt in block]
    for end, stmt in enumerate(stmts):
        if isinstance(stmt, Store) and isinstance(stmt.value, Var) and stmt.value.name in made:
            start = _made_at(stmt, stmts[:end], made)
            if start is not None:
                return with_filled_rows(_filled(stmts, start, end), made)
    return tuple(stmts)


def _made_at(stmt: Store, before: list[Stmt], made: frozenset[str]) -> int | None:
    """Where the array is made that is copied to a row, if nothing else reads the row until then."""
    base, row = stmt.base, stmt.value
    if not isinstance(base, Var) or not isinstance(row, Var) or base.name not in made:
        return None
    places = frozenset[str]().union(*map(nodes.names_in, stmt.index))
    for k in range(len(before) - 1, -1, -1):
        if nodes.bound_in((before[k],)) & {row.name}:
            alone = _allocates(before[k]) and row.type == _row_type(stmt)
            return k if alone else None
        if mentions(before[k], base.name) or nodes.bound_in((before[k],)) & places:
            return None
    return None


def _allocates(stmt: Stmt) -> bool:
    match stmt:
        case Assign(targets=(_,), values=(Call() as value,)):
            return value.function is np.empty
    return False


def _row_type(stmt: Store) -> object:
    return infer_index(stmt.base.type, stmt.index)


def _filled(stmts: list[Stmt], start: int, end: int) -> Block:
    first, last = stmts[start], stmts[end]
    assert isinstance(first, Assign) and isinstance(last, Store)
    row: Expr = Index(last.base, last.index, type=last.value.type)
    return (
        *stmts[:start],
        replace(first, values=(row,)),
        *stmts[start + 1 : end],
        *stmts[end + 1 :],
    )


__all__ = ["with_filled_rows"]

"""Floor 5: loops over arrays by a counter, in compiled code.

Before:  for row in a:                   After:  for k in range(len(a)):
             h = np.tanh(row * h)                    row = a[k]
                                                     h = np.tanh(row * h)

What is saved in each trip then has a place of its own, in an array that is made once.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, For, Stmt, Var
from s2sgrad.ir.types import INT, Array, List, Type
from s2sgrad.transform.preparing.row_loops import index_loop
from s2sgrad.transform.writing.rewrite import map_stmt_exprs, with_blocks


def with_rows_by_place(body: Block, types: dict[str, Type], fixed: frozenset[str]) -> Block:
    """The body without loops over arrays that are variables; `types` gets those of new names.

    fixed: names that are taken, beside those that have a type.
    """
    names = Names(set(types) | fixed)

    def inner(block: Block) -> Block:
        return tuple(_counted(with_blocks(s, inner), names, types) for s in block)

    return inner(body)


def _counted(stmt: Stmt, names: Names, types: dict[str, Type]) -> Stmt:
    if not isinstance(stmt, For):
        return stmt
    arrays = [s for s in stmt.sources if not nodes.counts(s)]
    bound = nodes.bound_in(stmt.body) | set(stmt.targets)
    if not arrays or not all(_is_array(s) and s.name not in bound for s in arrays):  # type: ignore[attr-defined]
        return stmt
    loop = by_its_counter(index_loop(stmt, names, types))
    sizes = {s.type.shape[0] for s in arrays}  # type: ignore[attr-defined]
    if len(sizes) > 1 or None in sizes or len(arrays) == 1:
        return loop
    length = Call(len, "len", (arrays[0],), type=INT)
    return replace(loop, sources=(Call(range, "range", (length,), type=List(INT)),))


def _is_array(source: Expr) -> bool:
    return isinstance(source, Var) and isinstance(source.type, Array) and bool(source.type.shape)


def by_its_counter(loop: For) -> For:
    """A loop of which the counter has no second name: `i` of `for i, row in enumerate(a)`."""
    (counter,) = loop.targets
    for k, stmt in enumerate(loop.body):
        match stmt:
            case Assign(targets=(name,), values=(Var(name=value),)) if value == counter:
                rest = (*loop.body[:k], *loop.body[k + 1 :])
                bound = {t for s in nodes.walk_block(rest) for t in nodes.targets_of(s)}
                if name in bound:
                    return loop
                own = Var(name, type=INT)

                def named(expr: Expr, own: Var = own) -> Expr:
                    return own if isinstance(expr, Var) and expr.name == counter else expr

                body = tuple(map_stmt_exprs(s, named) for s in rest)
                return replace(loop, targets=(name,), body=body)
            case Assign():
                continue
        break
    return loop


__all__ = ["by_its_counter", "with_rows_by_place"]

"""Floor 5: what would only get its old value back keeps the name that it was saved under.

p_saved = p                     p_saved = p
p = p / total                   p = p / total
...                             ...
p_next = p
p = p_saved
z_bar = p_bar * p               z_bar = p_bar * p_saved
t_bar = p_bar * p_next          t_bar = p_bar * p
"""

from __future__ import annotations

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Stmt, Var
from s2sgrad.transform.writing.rewrite import map_block


def without_restored_names(block: Block, bars: frozenset[str]) -> Block:
    """The block, outside of loops and branches, without such statements of the compiler's.

    bars: cotangents, which keep the names that say what they belong to.
    """
    for k in range(len(block) - 1, -1, -1):
        stmt = block[k]
        if isinstance(stmt, Assign) and _is_second(stmt, bars):
            rest = _renamed(block[k + 1 :], stmt.targets[0], stmt.values[0])  # type: ignore[arg-type]
            block = block if rest is None else (*block[:k], *rest)
    return block


def _is_second(stmt: Assign, bars: frozenset[str]) -> bool:
    """Whether a statement of ours gives one variable the value of another."""
    if stmt.span is not None or len(stmt.targets) != 1 or not isinstance(stmt.values[0], Var):
        return False
    return not {stmt.targets[0], stmt.values[0].name} & bars


def _renamed(rest: Block, name: str, first: Var) -> Block | None:
    """The statements behind `name = first` with the first name; None where they part ways."""
    end = next((k for k, s in enumerate(rest) if _binds(s, name, first.name)), len(rest))
    if end < len(rest) and name in _live_before(rest[end:]):
        return None

    def put(expr: nodes.Expr) -> nodes.Expr:
        return first if isinstance(expr, Var) and expr.name == name else expr

    return (*map_block(rest[:end], put), *rest[end:])


def _binds(stmt: Stmt, *names: str) -> bool:
    return bool(nodes.bound_in((stmt,)) & set(names))


def _live_before(block: Block) -> frozenset[str]:
    return Liveness().block(block, frozenset())[1]


__all__ = ["without_restored_names"]

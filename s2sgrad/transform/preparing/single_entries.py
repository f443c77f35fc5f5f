"""Floor 5: arrays without axes that are taken out of others, as numbers, in code that is compiled.

`np.squeeze(s)` of an array of one entry gives an array without axes, which looks into `s`. Numba
has only numbers for those: so they are, where nobody can tell, as nothing is written into either.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.effects import Effects, effects, root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_block, map_expr, map_stmt_exprs

NUMBER, ENTRY = Scalar("float64"), Array("float64", ())


def with_single_entries(body: Block, types: dict[str, Type], fixed: frozenset[str]) -> Block:
    """The body with such entries as numbers; `types` learns which variables hold numbers now.

    fixed: variables whose types others rely on.
    """
    if not any(map(_is_entry, _all_of(body))):
        return body
    changes = effects(body)
    numbers = _names_of_numbers(body, types, changes) - fixed
    types.update(dict.fromkeys(numbers, NUMBER))

    def typed(expr: Expr) -> Expr:
        held = isinstance(expr, Var) and expr.name in numbers
        return replace(expr, type=NUMBER) if held else expr

    return map_block(body, typed, lambda s: [_with_numbers(s, numbers, changes)])


def _all_of(body: Block) -> list[Expr]:
    tops = (e for s in nodes.walk_block(body) for e in nodes.expressions(s))
    return [e for top in tops for e in nodes.walk(top)]


def _is_entry(expr: Expr) -> bool:
    """Whether an expression is `a[0, ...]` of a vector: an array without axes."""
    if not isinstance(expr, Index) or expr.type != ENTRY:
        return False
    *places, last = expr.index
    numbers = all(isinstance(p.type, Scalar) and p.type.dtype == "int" for p in places)
    return numbers and isinstance(last, Const) and last.value is ...


def _becomes_number(expr: Expr, changes: Effects) -> bool:
    owner = root(expr)
    return _is_entry(expr) and (owner is None or not changes.is_written(owner))


def _names_of_numbers(body: Block, types: dict[str, Type], changes: Effects) -> frozenset[str]:
    """Variables that are only bound to what may be numbers, and are not written in place."""
    bound: dict[str, bool] = {}
    for stmt in nodes.walk_block(body):
        for k, name in enumerate(nodes.targets_of(stmt)):
            number = isinstance(stmt, Assign) and _becomes_number(stmt.values[k], changes)
            bound[name] = bound.get(name, True) and number
    return frozenset(
        name
        for name, always in bound.items()
        if always and not changes.is_written(name) and types.get(name) == ENTRY
    )


def _with_numbers(stmt: Stmt, numbers: frozenset[str], changes: Effects) -> Stmt:
    """A statement with numbers in it; a variable that may hold arrays only is bound to one."""

    def taken(expr: Expr) -> Expr:
        if not _becomes_number(expr, changes):
            return expr
        assert isinstance(expr, Index)
        return replace(expr, index=expr.index[:-1], type=NUMBER)

    if not isinstance(stmt, Assign):
        return map_stmt_exprs(stmt, taken)
    values = tuple(
        value if _is_entry(value) and name not in numbers else map_expr(value, taken)
        for name, value in zip(stmt.targets, stmt.values, strict=True)
    )
    return replace(stmt, values=values)


__all__ = ["with_single_entries"]

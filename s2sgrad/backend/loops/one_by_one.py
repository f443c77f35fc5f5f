"""Floor 6: assignments of several arrays at once, one by one: loops are made of single ones.

u, v = v, 2 * v - u        v_next = 2 * v - u
                     ->    u = v
                           v = v_next
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.iteration_uses import draws
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import Array, Type
from s2sgrad.transform.writing.rewrite import map_block


def one_by_one(function: Function, names: Names) -> Function:
    """The function with such assignments in an order in which each finds the old values."""
    types = dict(function.types)

    def apart(stmt: Stmt) -> list[Stmt]:
        return _apart(stmt, names, types) if _is_joint(stmt) else [stmt]

    body = map_block(function.body, lambda e: e, apart)
    return replace(function, body=body, types=types)


def _is_joint(stmt: Stmt) -> bool:
    """Whether it computes arrays for several names, and some of them from the old ones."""
    if not isinstance(stmt, Assign) or len(stmt.targets) < 2:
        return False
    computed = [v for v in stmt.values if not isinstance(v, Var)]
    read = {n for v in stmt.values for n in nodes.names_in(v)}
    return (
        any(isinstance(v.type, Array) for v in computed)
        and bool(read & set(stmt.targets))
        and len(set(stmt.targets)) == len(stmt.targets) == len(stmt.values)
        and not draws((stmt,))
        and not any(_has_effect(e) for v in stmt.values for e in nodes.walk(v))
    )


def _has_effect(expr: Expr) -> bool:
    """Whether it takes an item out of a list, or calls a function of the code."""
    if not isinstance(expr, Call):
        return False
    return expr.text == "pop" if expr.form == "method" else isinstance(expr.function, str)


def _apart(stmt: Stmt, names: Names, types: dict[str, Type]) -> list[Stmt]:
    assert isinstance(stmt, Assign)
    left = list(zip(stmt.targets, stmt.values, strict=True))
    made: list[Stmt] = []

    def bind(name: str, value: Expr) -> None:
        made.append(replace(stmt, targets=(name,), values=(value,)))

    while left:
        free = next((k for k, (t, _) in enumerate(left) if not _is_read(t, left, k)), None)
        if free is not None:
            bind(*left.pop(free))
            continue
        k = next((k for k, (_, value) in enumerate(left) if not isinstance(value, Var)), None)
        if k is None:  # they change places, and nothing is computed
            swapped, values = zip(*left, strict=True)
            return [*made, replace(stmt, targets=swapped, values=values)]
        target, value = left[k]
        name = names.fresh(f"{target}_next")
        types[name] = value.type
        bind(name, value)
        left[k] = target, Var(name, type=value.type)
    return made


def _is_read(target: str, pairs: list[tuple[str, Expr]], own: int) -> bool:
    """Whether another one of the assignments reads what the name held before."""
    return any(target in nodes.names_in(v) for k, (_, v) in enumerate(pairs) if k != own)


__all__ = ["one_by_one"]

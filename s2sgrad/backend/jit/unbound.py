"""Floor 6: names that a run may leave without a value: compiled code would read zeros there.

    for v in x:                            v_bound = False
        ...                                for v in x:
    return v * 2                               v_bound = True
                                               ...
                                           if not v_bound: raise ValueError(...)
                                           return v * 2

Python runs the code again after the error, and says which name it is. Only what stands outside of
loops is asked: a question in a loop would cost more than the loop.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.definite import surely_bound
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Function, Stmt, Var
from s2sgrad.ir.types import BOOL, STR, Known, Scalar
from s2sgrad.transform.saving.needs import read_by
from s2sgrad.transform.writing.rewrite import map_block

WHY = "a name has no value yet"


def noticed_unbound(function: Function, names: Names) -> Function:
    """The function, with an error where it would read a name that has no value."""
    bound = surely_bound(function.body, frozenset(function.parameters))
    own = nodes.bound_in(function.body)
    asked = {
        id(stmt): found
        for stmt in _outside_loops(function.body)
        if (found := sorted((read_by(stmt) & own) - bound.get(id(stmt), frozenset(own))))
    }
    flags = {n: names.fresh(f"{n}_bound") for found in asked.values() for n in found}
    if not flags:
        return function

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        marks = [_mark(flags[t], True) for t in nodes.targets_of(stmt) if t in flags]
        if isinstance(stmt, nodes.For):
            return [replace(stmt, body=(*marks, *stmt.body))]
        return [stmt, *marks]

    def visit(block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            result += [_question(flags[n]) for n in asked.get(id(stmt), ())]
            if isinstance(stmt, nodes.If):
                stmt = replace(stmt, then=visit(stmt.then), orelse=visit(stmt.orelse))
            result.append(stmt)
        return tuple(result)

    body = map_block(visit(function.body), lambda e: e, on_stmt)
    first = tuple(_mark(flag, False) for flag in sorted(set(flags.values())))
    types = function.types | dict.fromkeys(flags.values(), BOOL)
    return replace(function, body=(*first, *body), types=types)


def _outside_loops(block: Block) -> list[Stmt]:
    """The statements of a block and of its branches; loops are not looked into."""
    found: list[Stmt] = []
    for stmt in block:
        found.append(stmt)
        if isinstance(stmt, nodes.If):
            found += [*_outside_loops(stmt.then), *_outside_loops(stmt.orelse)]
    return found


def _mark(flag: str, value: bool) -> Stmt:
    return nodes.Assign((flag,), (Const(value, type=Scalar("bool", None, value)),))


def _question(flag: str) -> Stmt:
    test = Call("not", "not", (Var(flag, type=BOOL),), form="operator", type=BOOL)
    error = Call(ValueError, "ValueError", (Const(WHY, type=STR),), type=Known(None))
    return nodes.If(test, (nodes.Do(error, "raise"),), ())


__all__ = ["noticed_unbound"]

"""Floor 5: what a variable holds that no path has bound."""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.nodes import Block, Expr, Mapping, Sequence, Stmt
from s2sgrad.ir.types import NONE, Array, Dict, List, Tuple, Type, shape_of
from s2sgrad.transform.writing.build import filled, number
from s2sgrad.transform.writing.rewrite import map_block
from s2sgrad_runtime import absent


def nothing(kind: Type) -> Expr:
    """What a variable holds that no path to here has bound: something of its type."""
    match kind:
        case Array():
            numbers = tuple(number(0) for _ in shape_of(kind) or (0,))
            shape = Sequence("tuple", numbers, type=Tuple(tuple(n.type for n in numbers)))
            return filled(shape, number(0.0), replace(kind, shape=(sizes.of(0),) * len(numbers)))
        case List(item=item, fixed=False):  # with an item, which tells its type
            return Sequence("list", (nothing(item),), type=kind)
        case Tuple(items=items):
            return Sequence("tuple", tuple(map(nothing, items)), type=kind)
        case Dict(fields=None):
            return Mapping((), (), type=kind)
        case Dict(fields=fields):
            keys = tuple(constant(key) for key, _ in fields or ())
            return Mapping(keys, tuple(nothing(k) for _, k in fields or ()), type=kind)
    return number(0.0)


def without_value(name: str) -> Stmt:
    """What stands for a variable that no path to here has bound, where the compiler reads it for
    itself: None, with which no operation works."""
    return nodes.Assign((name,), (nodes.Const(None, type=NONE),), nothing=name)


def typed_nothing(body: Block, types: dict[str, Type]) -> Block:
    """The block for compiled code, where a variable without a value holds something of its type."""

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Assign(targets=(name,), values=(nodes.Const(value=None),)) if (
                stmt.nothing or isinstance(types.get(name), Dict)
            ):  # None beside a dict of fields: Numba would never be done with its types
                return [replace(stmt, values=(nothing(types[name]),))]
            case nodes.Assign(values=(nodes.Call(function=absent.no_value),)):
                return [replace(stmt, values=(nodes.Const(None, type=NONE),))]
        return [stmt]

    return map_block(body, lambda e: e, on_stmt)


def copied_in(value: Expr) -> frozenset[str]:
    """The variables that a value hands on as they are."""
    match value:
        case nodes.Var(name=name):
            return frozenset((name,))
        case Sequence(items=parts) | Mapping(values=parts):
            return frozenset[str]().union(*map(copied_in, parts))
    return frozenset()


def with_moved_bound(body: Block, types: dict[str, Type]) -> Block:
    """The block in which what a join in a loop hands on is bound at the first turn too: there
    nobody reads what it holds, but the copy would fail."""
    live = Liveness().block(body, frozenset())[1]
    inside = [s for loop in body if nodes.blocks(loop) for s in nodes.walk_block((loop,))]
    moves = (s for s in inside if isinstance(s, nodes.Assign) and s.move)
    moved = {v.name for s in moves for v in s.values if isinstance(v, nodes.Var)}
    bound = {t for s in inside for t in nodes.targets_of(s)}
    names = sorted(n for n in live & moved & bound if n in types)
    return (*map(without_value, names), *body)

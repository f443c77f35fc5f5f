"""Floor 6: between a caller's arguments and what Numba takes: numbers, arrays and lists."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from s2sgrad.backend.jit.column_types import gives_columns
from s2sgrad.backend.jit.crossing import Crossing
from s2sgrad.backend.jit.pieces import with_leaves
from s2sgrad.backend.jit.tied import writes_given
from s2sgrad.backend.loops.extents import integer
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Function, Stmt, Var
from s2sgrad.ir.types import List, Tuple, Type
from s2sgrad_runtime import trees


@dataclass(frozen=True)
class Boundary:
    """`inner` takes leaves and returns a flat tuple; `crossing` is what stands around it."""

    inner: Function
    crossing: Crossing


def cut(function: Function) -> Boundary:
    """The generated function as one of leaves only, with a flat result."""
    columns = dict(p for s in function.body if gives_columns(s) for p in _pairs_of(s))
    body = with_leaves(tuple(s for s in function.body if not gives_columns(s)), function)
    shape, results, body = _flat_return(body)
    used = _names(body)
    leaves = [(n, p) for n, p in (function.inputs | columns).items() if n in used]
    own = [(p, Var(p)) for p in function.parameters if p in function.types and p in used]
    held = {n for n, _ in (*leaves, *own)}
    unknown = [p for p in function.parameters if p in used and p not in held]
    if unknown:
        raise UnsupportedError(
            f"Numba can't take the argument {unknown[0]!r} as it is", function.span,
            "the generated code uses the object itself, not only numbers and arrays in it",
            "leave out jit=True, or pass arrays",
        )  # fmt: skip
    every = sorted((*own, *leaves), key=lambda leaf: _position(leaf[1], function.parameters))
    typed = tuple((n, p, function.types[n]) for n, p in every)
    entry = tuple(line for name, _, kind in typed for line in _unpacked(name, kind))
    inner = replace(
        function,
        name=function.name,
        parameters=tuple(n for n, _ in every),
        body=(*entry, *body),
        inputs={},
    )
    return Boundary(
        inner, Crossing(function.parameters, typed, shape, results, writes_given(inner))
    )


def _pairs_of(stmt: Stmt) -> Iterable[tuple[str, Expr]]:
    """What a statement binds, with the values."""
    assert isinstance(stmt, nodes.Assign)
    return zip(stmt.targets, stmt.values, strict=True)


def _position(path: Expr, parameters: tuple[str, ...]) -> int:
    root = next((e.name for e in nodes.walk(path) if isinstance(e, Var)), "")
    return parameters.index(root) if root in parameters else len(parameters)


def _names(body: Block) -> set[str]:
    return {
        name
        for stmt in nodes.walk_block(body)
        for expr in nodes.expressions(stmt)
        for name in nodes.names_in(expr)
    }


def _flat_return(body: Block) -> tuple[Expr, tuple[Type, ...], Block]:
    """(the result with `out_k` for its leaves, their types, the body returning the leaves)."""
    last = body[-1]
    assert isinstance(last, nodes.Return)
    found: list[Expr] = []
    shape = _take(last.value, found)
    flat = nodes.Sequence("tuple", tuple(found), type=Tuple(tuple(e.type for e in found)))
    return shape, tuple(e.type for e in found), (*body[:-1], replace(last, value=flat))


def _take(expr: Expr, found: list[Expr]) -> Expr:
    match expr:
        case nodes.Sequence(items=items):
            return replace(expr, items=tuple(_take(i, found) for i in items))
        case nodes.Mapping(values=values):
            return replace(expr, values=tuple(_take(v, found) for v in values))
        case nodes.Call(function=trees.as_rows, args=(lists, *how)):
            return replace(expr, args=(_take(lists, found), *how))
        case nodes.Call(function=trees.in_structure, args=(rows, tree)) if _is_rows(rows):
            return replace(expr, args=(_take(rows, found), tree))
        case nodes.Const(value=value) if not isinstance(value, float):
            return expr
    found.append(expr)
    return Var(f"out_{len(found) - 1}", type=expr.type)


def _is_rows(expr: Expr) -> bool:
    """Whether a result is put together outside, of what compiled code gives back."""
    return isinstance(expr, nodes.Call) and expr.function is trees.as_rows


# --- lists ---------------------------------------------------------------------------------
def _unpacked(name: str, kind: Type) -> Iterable[Stmt]:
    """Numba's own lists are made inside: what comes in is an array or a typed list."""
    if isinstance(kind, List):
        args = (Var(name, type=kind), integer(_depth(kind)))
        yield nodes.Assign((name,), (nodes.Call(trees.listed, "listed", args, type=kind),))


def _depth(kind: Type) -> int:
    """How many lists are in each other."""
    return 1 + _depth(kind.item) if isinstance(kind, List) else 0


__all__ = ["Boundary", "cut"]

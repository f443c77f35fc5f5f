"""Floor 3: whether values of a complex type may turn out real, and floats integers, when the
code runs.

Some functions give real or complex numbers by the values they meet; and a variable may hold a real
array at one time and a complex one at another, or an array of integers and one of floats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from s2sgrad.analysis.infer import COMPLEX_BY_VALUE
from s2sgrad.analysis.whole import may_be_whole as is_whole
from s2sgrad.analysis.whole import narrows
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.nodes import Block, Expr
from s2sgrad.ir.types import (
    BOTTOM,
    Array,
    Dict,
    List,
    Maybe,
    Number,
    Scalar,
    Tuple,
    Type,
    is_float_dtype,
)

Wide = Callable[[str], bool]


def may_be_real(block: Block, types: Mapping[str, Type]) -> bool:
    """Whether what has a complex type in a block, with those inside it, may turn out real."""
    return guesses_complex(block) or _mixes(block, types, is_complex_dtype)


def may_be_whole(block: Block, types: Mapping[str, Type]) -> bool:
    """Whether what has a type of floats in a block, with those inside it, may hold integers."""
    return _mixes(block, types, is_float_dtype) or _whole_arrays(block, types)


def _whole_arrays(block: Block, types: Mapping[str, Type]) -> bool:
    """Whether an array of integers meets a number that is an integer on some paths and a float on
    others: so is what they make."""
    stmts = tuple(nodes.walk_block(block))
    parts = [e for stmt in stmts for part in nodes.expressions(stmt) for e in nodes.walk(part)]
    names, before = set[str](), -1
    while before != len(names):
        before = len(names)
        for stmt in stmts:
            for target, value in _bound(stmt):
                if narrows(value.type, types.get(target, BOTTOM)) or is_whole(value, names):
                    names.add(target)
    arrays = (e for e in parts if isinstance(e.type, Array))
    made = (e for e in arrays if isinstance(e, nodes.Call))
    return any(is_whole(e, names) for e in made)


def guesses_complex(block: Block) -> bool:
    """Whether functions are called that give complex numbers for some values only."""
    parts = (part for stmt in nodes.walk_block(block) for part in nodes.expressions(stmt))
    called = (e for part in parts for e in nodes.walk(part) if isinstance(e, nodes.Call))
    return any(getattr(call.function, "__name__", "") in COMPLEX_BY_VALUE for call in called)


def _mixes(block: Block, types: Mapping[str, Type], wide: Wide) -> bool:
    """Whether a place for arrays of wide numbers gets one of narrower ones too."""
    if not any(_holds(kind, wide) for kind in types.values()):
        return False
    stmts = tuple(nodes.walk_block(block))
    if any(_widens(types.get(t), v.type, wide) for stmt in stmts for t, v in _bound(stmt)):
        return True
    parts = (e for stmt in stmts for part in nodes.expressions(stmt) for e in nodes.walk(part))
    return any(_widens(e.type, part.type, wide) for e in parts for part in _alternatives(e))


def widened(stmt: nodes.Stmt, types: Mapping[str, Type], wide: Wide) -> set[str]:
    """The variables that a statement gives an array of narrower numbers than their type says,
    or lists and dicts that it gives one to hold."""
    pairs = [(t, part) for t, v in given_by(stmt) for part in (v, *_alternatives(v))]
    return {t for t, v in pairs if not _is_number(v.type) and _widens(types.get(t), v.type, wide)}


def given_by(stmt: nodes.Stmt) -> list[tuple[str, Expr]]:
    """(variable, value that it is, or is to hold) of a statement."""
    if isinstance(stmt, nodes.Store) and isinstance(stmt.base, nodes.Var) and not stmt.op:
        return [(stmt.base.name, stmt.value)]
    return _bound(stmt)


def _is_number(kind: Type) -> bool:
    """Whether something is a number, or holds nothing else: no array that is written into."""
    while isinstance(kind, List | Dict | Maybe):
        kind = kind.item
    return isinstance(kind, Scalar)


def _bound(stmt: nodes.Stmt) -> list[tuple[str, Expr]]:
    """(variable, value that it gets) of a statement; a loop's variables get the entries."""
    match stmt:
        case nodes.Assign(targets=targets, values=values):
            return list(zip(targets, values, strict=True))
        case nodes.For(targets=targets, sources=sources):
            return list(zip(targets, sources, strict=True))
        case nodes.Mutate(base=nodes.Var(name=name), args=args):
            return [(name, a) for a in args]
    return []


def _alternatives(expr: Expr) -> tuple[Expr, ...]:
    if isinstance(expr, nodes.Choice):
        return (expr.then, expr.orelse)
    return expr.items if isinstance(expr, nodes.Sequence) and isinstance(expr.type, List) else ()


def _widens(place: Type | None, value: Type, wide: Wide) -> bool:
    """Whether an array becomes one of wider numbers by the type of where it is put."""
    if isinstance(place, Maybe) or isinstance(value, Maybe):
        inner = value.item if isinstance(value, Maybe) else value
        return _widens(place.item if isinstance(place, Maybe) else place, inner, wide)
    match place, value:
        case (Array() | Number(), Array() | Number() | Scalar()):
            return _is(place, wide) and value.dtype is not None and not _is(value, wide)
        case (Tuple(items=places), Tuple(items=values)) if len(places) == len(values):
            return any(_widens(p, v, wide) for p, v in zip(places, values, strict=True))
        case (Dict(), Dict()) if place.fields is not None and value.fields is not None:
            given = dict(value.fields)
            both = ((kind, given[key]) for key, kind in place.fields if key in given)
            return any(_widens(kind, found, wide) for kind, found in both)
        case ((List(item=item) | Dict(item=item)), (List(item=given) | Dict(item=given))):
            return _widens(item, given, wide)
        case List(item=item), Tuple(items=values):
            return any(_widens(item, given, wide) for given in values)
        case ((List(item=item) | Dict(item=item)), _):
            return _widens(item, value, wide)
        case _, Tuple(items=values):  # what a loop runs over
            return any(_widens(place, given, wide) for given in values)
    return False


def _holds(kind: Type, wide: Wide) -> bool:
    match kind:
        case Array() | Number() | Scalar():
            return _is(kind, wide)
        case Tuple(items=items):
            return any(_holds(item, wide) for item in items)
        case List(item=item) | Maybe(item=item) | Dict(item=item):
            return _holds(item, wide)
    return False


def _is(kind: Array | Number | Scalar, wide: Wide) -> bool:
    return kind.dtype is not None and wide(kind.dtype)


__all__ = ["given_by", "guesses_complex", "may_be_real", "may_be_whole", "widened"]

"""Floor 5: the cotangent of a tuple of numbers, once all is added to it, is written as a list.

`item_bar = zeros_like(item); item_bar[1] += a; item_bar[0] += b` is `item_bar = [b, a]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import Effects, effects, has_effect, root
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, Tuple, Type
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import mentions, with_blocks

LONGEST = 8  # numbers that are written as a list
MOST_BETWEEN = 12  # statements that may stand between additions to a short array
MayDiffer = Callable[[Type], bool]  # whether arrays of a type may be narrower than it says
Whole = Callable[[Expr, Type], Expr | None]  # what is added to zeros of a type, as an entry


def with_displays(block: Block, differs: MayDiffer) -> Block:
    """The block with lists in the place of zeros that are added to right away."""
    return _displayed(block, differs, _held(block))


def _held(block: Block) -> frozenset[str]:
    """The names that are read once, and hold a new value that nobody else has."""
    reads: Counter[str] = Counter()
    new: Counter[str] = Counter()
    for stmt in nodes.walk_block(block):
        for expr in nodes.expressions(stmt):
            reads.update(e.name for e in nodes.walk(expr) if type(e) is Var)
        match stmt:
            case nodes.Assign(targets=(name,), values=(value,)) if not shares_memory(value):
                new[name] += 1
            case _:
                new.update(dict.fromkeys(nodes.targets_of(stmt), 2))
    return frozenset(name for name in new if new[name] == 1 == reads[name])


def _displayed(block: Block, differs: MayDiffer, held: frozenset[str]) -> Block:
    own = held.intersection(name for stmt in block for name in nodes.targets_of(stmt))
    result: list[Stmt] = []
    rest = list(block)
    while rest:
        stmt = with_blocks(rest.pop(0), lambda b: _displayed(b, differs, held))
        match stmt:
            case nodes.Assign(targets=(name,), values=(Call() as zeros,)) if _zeros(zeros):
                items = _added(name, rest)
                listed = _listed(zeros, items, lambda v, kind: _whole(v, kind, differs, own))
                if listed is not None:
                    stmt = replace(stmt, values=(listed,))
                    del rest[: len(items)]
        result.append(stmt)
    return tuple(result)


def with_short_arrays(block: Block, differs: MayDiffer) -> Block:
    """The block with `np.array([a, b])` for zeros whose entries are all added to soon after."""
    return _short_arrays(block, differs, effects(block))


def _short_arrays(block: Block, differs: MayDiffer, shared: Effects) -> Block:
    result: list[Stmt] = []
    rest = list(block)
    while rest:
        stmt = with_blocks(rest.pop(0), lambda b: _short_arrays(b, differs, shared))
        match stmt:
            case nodes.Assign(targets=(name,), values=(Call() as zeros,)):
                count = _vector(zeros, differs)
                found = _entries(name, count, rest, shared) if count else None
                if found is not None:
                    items, between = found
                    rest[: count + len(between)] = between
                    made = replace(stmt, values=(_array_of(items, zeros),))
                    rest.insert(len(between), made)
                    continue
        result.append(stmt)
    return tuple(result)


def _entries(
    name: str, count: int, rest: list[Stmt], shared: Effects
) -> tuple[dict[int, Expr], list[Stmt]] | None:
    """What is added to all entries of a vector, and the statements between that do not see it."""
    items: dict[int, Expr] = {}
    between: list[Stmt] = []
    read: set[str] = set()  # memory that the entries are computed from
    for stmt in rest[: count + MOST_BETWEEN]:
        found = _added(name, [stmt])
        for place, value in found.items():
            if place in items or not 0 <= place < count:
                return None
            items[place] = value
            read |= {shared.find(n) for n in nodes.names_in(value)}
        if len(items) == count:
            return items, between
        if not found and not _passes(stmt, name, read, shared):
            return None
        between += [] if found else [stmt]
    return None


def _passes(stmt: Stmt, name: str, read: set[str], shared: Effects) -> bool:
    """Whether what was computed before a statement can as well be computed after it."""
    if not isinstance(stmt, nodes.Assign | nodes.Store) or mentions(stmt, name):
        return False
    changed = set(nodes.targets_of(stmt)) | (
        {root(stmt.base)} if isinstance(stmt, nodes.Store) else set()
    )
    if None in changed or any(map(has_effect, nodes.expressions(stmt))):
        return False
    return not {shared.find(n) for n in changed if n} & read


def _vector(call: Call, differs: MayDiffer) -> int:
    """How many numbers a short array of zeros holds; 0 for anything else."""
    kind = call.type
    if call.function is not np.zeros_like or not isinstance(kind, Array) or differs(kind):
        return 0
    shape = kind.shape if kind.dtype == "float64" else None
    length = shape[0].constant if shape is not None and len(shape) == 1 and shape[0] else None
    return length if length is not None and length <= LONGEST else 0


def _array_of(items: dict[int, Expr], zeros: Call) -> Call:
    parts = tuple(items[k] for k in range(len(items)))
    listed = nodes.Sequence("list", parts, type=Tuple(tuple(p.type for p in parts)))
    return Call(np.array, "np.array", (listed,), type=zeros.type)


def _zeros(call: Call) -> bool:
    """Whether a call makes zeros like a tuple of numbers and arrays."""
    if call.function is not s2sgrad_runtime.zeros_like or len(call.args) != 1:
        return False
    kind = call.args[0].type
    return isinstance(kind, Tuple) and all(isinstance(i, Scalar | Array) for i in kind.items)


def _added(name: str, rest: list[Stmt]) -> dict[int, Expr]:
    """What the first statements add to entries of a list, each to another one."""
    found: dict[int, Expr] = {}
    for stmt in rest:
        place = _entry(stmt, name)
        if place is None or place in found:
            return found
        assert isinstance(stmt, nodes.Store)
        value = stmt.value
        if has_effect(value) or name in nodes.names_in(value):
            return found
        found[place] = value if stmt.op == "+" else build.negate(value)
    return found


def _entry(stmt: Stmt, name: str) -> int | None:
    """The entry of a list that a statement adds to."""
    match stmt:
        case nodes.Store(base=Var(name=base), index=(Const(value=int(place)),), op="+" | "-"):
            return place if base == name else None
        case nodes.Store(
            base=Index(base=Var(name=base), index=(Const(value=int(place)),)),
            index=(),
            op="+" | "-",
        ):
            return place if base == name else None
    return None


def _listed(zeros: Call, items: dict[int, Expr], whole: Whole) -> Expr | None:
    """The list, with zeros where nothing is added."""
    like = zeros.args[0]
    kinds = like.type.items  # type: ignore[attr-defined]
    if not items or not all(0 <= place < len(kinds) for place in items):
        return None
    parts = []
    for place, kind in enumerate(kinds):
        if place in items:
            part: Expr | None = whole(items[place], kind)
        elif isinstance(kind, Array):
            entry = Index(like, (build.number(place),), type=kind)
            part = whole(Call(np.zeros_like, "np.zeros_like", (entry,), type=kind), kind)
        else:
            part = build.number(0.0) if kind.dtype.startswith(("float", "int")) else None
        parts.append(part)
    if None in parts:
        return None
    return nodes.Sequence("list", tuple(parts), type=zeros.type)  # type: ignore[arg-type]


def _whole(value: Expr, kind: Type, differs: MayDiffer, held: frozenset[str]) -> Expr | None:
    """What was added to zeros, as an entry of its own: it has the entry's shape and dtype."""
    if isinstance(kind, Scalar):
        return value if isinstance(value.type, Scalar) else None
    if not exact(value.type, kind, differs):
        return None
    if isinstance(value, Var) and value.name in held:
        return value
    return build.copied(value) if shares_memory(value) else value


def exact(value: Type, kind: Type, differs: MayDiffer) -> bool:
    """Whether what is added to an array has its shape and dtype, as a cotangent has that is not
    known to be smaller."""
    if not isinstance(value, Array) or not isinstance(kind, Array) or value.dtype != kind.dtype:
        return False
    if kind.dtype in build.NARROW:  # inferred types don't tell
        return False
    ranks = [k.shape for k in (value, kind) if k.shape is not None]
    if len(ranks) < 2 or len(ranks[0]) != len(ranks[1]) or differs(kind):
        return False
    return build.same_shape(value, kind) or not (
        build.fits(value, kind) or build.flatter(value, kind)
    )


__all__ = ["MayDiffer", "exact", "with_displays", "with_short_arrays"]

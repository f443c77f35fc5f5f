"""Floor 6: temporaries as small as they can be: a number, or a row that is used again.

An array that is filled and read within one nest needs no axis that the nest's own counters run
along: each point finds there only what it has put there itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.mapping import mapped
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import every, read_by, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Sequence, Stmt, Var
from s2sgrad.ir.types import Array, Scalar


@dataclass
class Facts:
    """uses: name -> how often it is named; bound: how often it is bound; sharing: how many names
    stand for the same memory."""

    uses: Counter[str] = field(default_factory=Counter)
    bound: Counter[str] = field(default_factory=Counter)
    sharing: Counter[str] = field(default_factory=Counter)


def contracted(body: Block, groups: Groups) -> Block:
    """The body with such arrays made smaller."""
    facts = Facts()
    names: set[str] = set()
    for stmt in every(body):
        for expr in read_by(stmt):
            facts.uses.update(n.name for n in nodes.walk(expr) if isinstance(n, Var))
        names |= set(nodes.targets_of(stmt)) | {n for e in read_by(stmt) for n in nodes.names_in(e)}
        facts.bound.update(nodes.targets_of(stmt))
    facts.sharing.update(groups.of(n) for n in names)
    return _block(body, facts, groups)


def _block(block: Block, facts: Facts, groups: Groups) -> Block:
    result = list(block)
    for k, stmt in enumerate(block):
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                result[k] = replace(
                    stmt, then=_block(then, facts, groups), orelse=_block(orelse, facts, groups)
                )
            case nodes.For(body=body) | nodes.While(body=body):
                result[k] = replace(stmt, body=_block(body, facts, groups))
    readers = _readers(result)
    for k, stmt in enumerate(block):
        name = allocated(stmt)
        if name is None or facts.bound[name] != 1 or facts.sharing[groups.of(name)] != 1:
            continue
        at = sorted(readers[name] - {k})
        if len(at) != 1 or not isinstance(result[at[0]], Nest):
            continue
        if _count((result[at[0]],), name) != facts.uses[name]:  # type: ignore[arg-type]
            continue
        before = [(i, _read(result[i])) for i in (k, at[0])]
        _shrink(result, k, at[0], name)
        for i, names in before:
            for gone in names:
                readers[gone].discard(i)
            for read in _read(result[i]):
                readers[read].add(i)
    return tuple(s for s in result if s is not None)


def allocated(stmt: Stmt) -> str | None:
    """The name that an `np.empty` is bound to."""
    match stmt:
        case nodes.Assign(targets=(name,), values=(Call(text="np.empty"),)):
            return name
    return None


def _readers(block: list[Stmt]) -> defaultdict[str, set[int]]:
    """Name -> the places of the statements that read it."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for k, stmt in enumerate(block):
        for name in _read(stmt):
            found[name].add(k)
    return found


def _read(stmt: Stmt | None) -> set[str]:
    if stmt is None:
        return set()
    return {n for s in every((stmt,)) for e in read_by(s) for n in nodes.names_in(e)}


def _count(block: Block, name: str) -> int:
    return sum(
        isinstance(n, Var) and n.name == name
        for s in every(block)
        for e in read_by(s)
        for n in nodes.walk(e)
    )


def _shrink(result: list, made: int, place: int, name: str) -> None:
    """Drop the axes of an array that counters of the nests around all its uses run along."""
    nest = result[place]
    around = _path(nest, name)
    indices = {n for inner in around for n in inner.indices}
    found = [index for n, index, _ in touches((nest,)).arrays if n == name]
    accesses = [index for index in found if index is not None]
    if not accesses or len(accesses) != len(found):
        return
    first = accesses[0]
    dropped = [
        axis
        for axis, part in enumerate(first)
        if all(len(i) == len(first) and i[axis] == part for i in accesses)
        and (isinstance(part, nodes.Const) or (isinstance(part, Var) and part.name in indices))
    ]
    if len(_outer_reads(nest, name)) or not dropped:
        return
    if len(dropped) == len(first):
        if _set_first(around[-1].body, name):
            result[place] = _as_scalar(nest, name)
            result[made] = None
            return
        dropped = dropped[:-1]
    if dropped:
        alloc = result[made]
        result[made] = replace(alloc, values=(_smaller(alloc.values[0], dropped),))
        (result[place],) = mapped((nest,), _without_axes(name, dropped), _stores(name, dropped))


def _outer_reads(nest: Nest, name: str) -> list[Expr]:
    """Other uses of an array than its entries: of its shape."""
    found = []
    for stmt in every((nest,)):
        for expr in read_by(stmt):
            entries = sum(isinstance(n, Index) and n.base == Var(name) for n in nodes.walk(expr))
            named = sum(isinstance(n, Var) and n.name == name for n in nodes.walk(expr))
            if named > entries and not (isinstance(stmt, nodes.Store) and expr is stmt.base):
                found.append(expr)
    return found


def _path(nest: Nest, name: str) -> list[Nest]:
    """The nests that hold all uses of a name, outermost first."""
    found = [nest]
    while True:
        holding = [s for s in found[-1].body if name in _read(s)]
        if len(holding) != 1 or not isinstance(holding[0], Nest):
            return found
        found.append(holding[0])


def _set_first(body: Block, name: str) -> bool:
    """Whether every read comes after a plain write of the same block."""
    for stmt in body:
        if name not in _read(stmt):
            continue
        return (
            isinstance(stmt, nodes.Store)
            and stmt.base == Var(name)
            and not stmt.op
            and name not in nodes.names_in(stmt.value)
        )
    return False


def _as_scalar(nest: Nest, name: str) -> Nest:
    def read(expr: Expr) -> Expr:
        if isinstance(expr, Index) and expr.base == Var(name):
            return Var(name, type=expr.type)
        return expr

    def write(stmt: Stmt) -> list[Stmt]:
        if not (isinstance(stmt, nodes.Store) and stmt.base == Var(name)):
            return [stmt]
        kind = stmt.base.type
        own = Scalar(str(kind.dtype)) if isinstance(kind, Array) else stmt.value.type
        value = stmt.value
        if stmt.op:
            pair = (Var(name, type=own), value)
            value = Call(stmt.op, stmt.op, pair, form="operator", type=own)
        return [nodes.Assign((name,), (value,), span=stmt.span)]

    (new,) = mapped((nest,), read, write)
    assert isinstance(new, Nest)
    return new


def _smaller(alloc: Expr, dropped: list[int]) -> Expr:
    assert isinstance(alloc, Call)
    shape = alloc.args[0]
    items = shape.items if isinstance(shape, Sequence) else (shape,)
    kept = tuple(i for k, i in enumerate(items) if k not in dropped)
    new: Expr = kept[0] if len(kept) == 1 else Sequence("tuple", kept)
    kind = alloc.type
    assert isinstance(kind, Array) and kind.shape is not None
    own = replace(kind, shape=tuple(s for k, s in enumerate(kind.shape) if k not in dropped))
    return replace(alloc, args=(new, *alloc.args[1:]), type=own)


def _without_axes(name: str, dropped: list[int]):  # type: ignore[no-untyped-def]
    def read(expr: Expr) -> Expr:
        if isinstance(expr, Index) and expr.base == Var(name):
            return replace(expr, index=_kept(expr.index, dropped))
        return expr

    return read


def _stores(name: str, dropped: list[int]):  # type: ignore[no-untyped-def]
    def write(stmt: Stmt) -> list[Stmt]:
        if isinstance(stmt, nodes.Store) and stmt.base == Var(name):
            return [replace(stmt, index=_kept(stmt.index, dropped))]
        return [stmt]

    return write


def _kept(index: tuple[Expr, ...], dropped: list[int]) -> tuple[Expr, ...]:
    return tuple(p for k, p in enumerate(index) if k not in dropped)

"""Floor 6: join neighbouring nests over one space, and keep in registers what only they use."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise

from s2sgrad.backend.loops_aliases import Groups
from s2sgrad.backend.loops_elements import is_scalar
from s2sgrad.backend.loops_nests import Nest
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar
from s2sgrad.transform.rewrite import map_block

_SHAPE_ONLY = frozenset(
    {"np.zeros_like", "np.ones_like", "np.empty_like", "np.full_like", "zeros_like"}
)


def fused(body: Block, groups: Groups) -> Block:
    """The body with nests joined, and arrays that live inside one nest as scalars."""
    return contracted(_merged(body, groups))


def _merged(block: Block, groups: Groups) -> Block:
    result: list[Stmt] = []
    for stmt in separated(block):
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=_merged(then, groups), orelse=_merged(orelse, groups))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_merged(body, groups))
            case Nest():
                if _join_last(result, stmt, groups):
                    continue
        result.append(stmt)
    return tuple(result)


def _join_last(result: list[Stmt], nest: Nest, groups: Groups) -> bool:
    """Join the nest to the last one before it, where that changes nothing."""
    place = next((k for k in range(len(result) - 1, -1, -1) if isinstance(result[k], Nest)), None)
    if place is None:
        return False
    first = result[place]
    assert isinstance(first, Nest)
    aligned = _aligned(nest, first.indices)
    if aligned is None:
        return False
    nest = aligned
    between = result[place + 1 :]
    if not all(_moves_ahead(s, first, groups) for s in between) or not _compatible(
        first, nest, groups
    ):
        return False
    result[place:] = [*between, replace(first, body=(*first.body, *nest.body))]
    return True


def _aligned(nest: Nest, indices: tuple[str, ...]) -> Nest | None:
    """The nest over loop variables of these names; None where its body has other uses for them."""
    if nest.indices == indices or len(nest.indices) != len(indices):
        return nest
    used = {n for s in _walk(nest.body) for e in _own_expressions(s) for n in nodes.names_in(e)}
    bound = {t for s in _walk(nest.body) for t in nodes.targets_of(s)}
    if (used | bound) & (set(indices) - set(nest.indices)):
        return None
    new = dict(zip(nest.indices, indices, strict=True))

    def rename(expr: Expr) -> Expr:
        if isinstance(expr, Var) and expr.name in new:
            return replace(expr, name=new[expr.name])
        return expr

    return replace(nest, indices=indices, body=tuple(_mapped(s, rename) for s in nest.body))


def _own_expressions(stmt: Stmt) -> tuple[Expr, ...]:
    if isinstance(stmt, Nest):
        return tuple(e.count for e in stmt.extents)
    return nodes.expressions(stmt)


# --- what a nest touches -------------------------------------------------------------------
@dataclass
class Touches:
    """What statements read and write. arrays: (name, index, mode): 'r', 'w' or 'a' (adds to)."""

    arrays: list[tuple[str, tuple[Expr, ...] | None, str]] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)


def touches(block: Block) -> Touches:
    found = Touches()
    for stmt in nodes.walk_block(block):
        match stmt:
            case nodes.Store(base=Var(name=name), index=index, op=op):
                found.arrays.append((name, index, "a" if op in ("+", "-") else "w"))
                exprs: tuple[Expr, ...] = (*index, stmt.value)
            case nodes.Assign(targets=targets, values=values):
                found.writes |= set(targets)
                exprs = values
            case nodes.For(targets=targets, sources=sources):
                found.writes |= set(targets)
                exprs = sources
            case _:
                exprs = nodes.expressions(stmt)
        for expr in exprs:
            _read(expr, found)
    return found


def _read(expr: Expr, found: Touches) -> None:
    match expr:
        case Index(base=Var(name=name), index=index) if isinstance(expr.base.type, Array):
            found.arrays.append((name, index, "r"))
            for part in index:
                _read(part, found)
            return
        case Call(form="attribute", text="shape" | "size" | "ndim", args=(Var(name=name),)):
            found.reads.add(name)
            return
        case Call(text=text, args=(Var(name=name), *rest)) if text in _SHAPE_ONLY:
            found.reads.add(name)
            for part in rest:
                _read(part, found)
            return
        case Var(name=name):
            found.reads.add(name)
            if not is_scalar(expr):
                found.arrays.append((name, None, "r"))
            return
    for child in nodes.children(expr):
        _read(child, found)


def _compatible(first: Nest, second: Nest, groups: Groups) -> bool:
    if first.indices != second.indices:  # sums over rows run over columns alone
        return False
    if not all(a.same(b) for a, b in zip(first.extents, second.extents, strict=True)):
        return False
    one, two = touches(first.body), touches(second.body)
    if one.writes & (two.reads | two.writes) or two.writes & one.reads:
        return False
    for name, index, mode in one.arrays:
        for other, other_index, other_mode in two.arrays:
            if groups.of(name) != groups.of(other) or (mode == other_mode and mode in "ra"):
                continue
            if name != other or index is None or index != other_index:
                return False
            if not _one_to_one(index, first.indices):
                return False
    return True


def _one_to_one(index: tuple[Expr, ...], indices: tuple[str, ...]) -> bool:
    """Whether different points of the loops mean different entries."""
    return set(indices) <= {n for part in index for n in nodes.names_in(part)}


def _moves_ahead(stmt: Stmt, nest: Nest, groups: Groups) -> bool:
    """Whether a statement after the nest may as well run before it."""
    if isinstance(stmt, nodes.Comment):
        return True
    if type(stmt) is not nodes.Assign:
        return False
    own, other = touches((stmt,)), touches(nest.body)
    bound = {n for e in nest.extents for n in nodes.names_in(e.count)}
    named = other.reads | other.writes | bound | {n for n, _, _ in other.arrays}
    if own.writes & named or own.reads & other.writes:
        return False
    written = {groups.of(n) for n, _, mode in other.arrays if mode != "r"}
    return not any(groups.of(n) in written for n, _, _ in own.arrays)


# --- temporaries ---------------------------------------------------------------------------
def separated(block: Block) -> Block:
    """Arrays that reuse a name get names of their own, up to the last in the block."""
    found = list(block)
    places: dict[str, list[int]] = {}
    for k, stmt in enumerate(found):
        if _allocates(stmt):
            places.setdefault(stmt.targets[0], []).append(k)  # type: ignore[attr-defined]
    for name, at in places.items():
        for number, (start, stop) in enumerate(pairwise(at)):
            inside = tuple(found[start + 1 : stop])
            if _leaves_or_binds(inside, name):
                break
            new = f"{name}_part{number}"
            found[start] = replace(found[start], targets=(new,))  # type: ignore[call-arg]
            found[start + 1 : stop + 1] = _renamed(
                tuple(found[start + 1 : stop + 1]), name, new, stop - start - 1
            )
    return tuple(found)


def _allocates(stmt: Stmt) -> bool:
    return (
        isinstance(stmt, nodes.Assign)
        and len(stmt.targets) == 1
        and isinstance(stmt.values[0], Call)
        and stmt.values[0].text == "np.empty"
    )


def _leaves_or_binds(block: Block, name: str) -> bool:
    every = _walk(block)
    return any(
        isinstance(s, nodes.Exit | nodes.Return) or name in nodes.targets_of(s) for s in every
    )


def _walk(block: Block) -> list[Stmt]:
    """Every statement, those in nests too."""
    found: list[Stmt] = []
    for stmt in block:
        found.append(stmt)
        inner = (stmt.body,) if isinstance(stmt, Nest) else nodes.blocks(stmt)
        for part in inner:
            found += _walk(part)
    return found


def _renamed(block: Block, name: str, new: str, last: int) -> Block:
    def rename(expr: Expr) -> Expr:
        return replace(expr, name=new) if isinstance(expr, Var) and expr.name == name else expr

    return tuple(_mapped(s, rename) for s in block)


def _mapped(stmt: Stmt, f: object) -> Stmt:
    """The statement with expressions mapped, those in nests too."""
    if isinstance(stmt, Nest):
        extents = tuple(replace(e, count=_map_one(e.count, f)) for e in stmt.extents)
        return replace(stmt, extents=extents, body=tuple(_mapped(s, f) for s in stmt.body))
    match stmt:
        case nodes.If(then=then, orelse=orelse):
            new = map_block((replace(stmt, then=(), orelse=()),), f)[0]  # type: ignore[arg-type]
            return replace(
                new,
                then=tuple(_mapped(s, f) for s in then),
                orelse=tuple(_mapped(s, f) for s in orelse),
            )  # type: ignore[call-arg]
        case nodes.For(body=body) | nodes.While(body=body):
            new = map_block((replace(stmt, body=()),), f)[0]  # type: ignore[arg-type]
            return replace(new, body=tuple(_mapped(s, f) for s in body))  # type: ignore[call-arg]
    return map_block((stmt,), f)[0]  # type: ignore[arg-type]


def _map_one(expr: Expr, f: object) -> Expr:
    from s2sgrad.transform.rewrite import map_expr

    return map_expr(expr, f)  # type: ignore[arg-type]


def contracted(body: Block) -> Block:
    """Arrays that are filled and read at one point of one nest only become scalars."""
    uses: Counter[str] = Counter()
    bound: Counter[str] = Counter()
    for stmt in _walk(body):
        _count(stmt, uses)
        bound.update(nodes.targets_of(stmt))
    scalars: set[str] = set()
    new = _contract(body, uses, bound, scalars)
    return _without(new, scalars)


def _count(stmt: Stmt, uses: Counter[str]) -> None:
    exprs = [e.count for e in stmt.extents] if isinstance(stmt, Nest) else nodes.expressions(stmt)
    for expr in exprs:
        uses.update(n.name for n in nodes.walk(expr) if isinstance(n, Var))


def _contract(block: Block, uses: Counter[str], bound: Counter[str], scalars: set[str]) -> Block:
    result: list[Stmt] = []
    here: set[str] = set()
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(
                    stmt,
                    then=_contract(then, uses, bound, scalars),
                    orelse=_contract(orelse, uses, bound, scalars),
                )
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_contract(body, uses, bound, scalars))
            case nodes.Assign(targets=(name,)) if _allocates(stmt):
                here.add(name)
            case Nest():
                for name in sorted(here):
                    if bound[name] == 1 and _private(stmt, name, uses[name]):
                        scalars.add(name)
                        stmt = _as_scalar(stmt, name)
        result.append(stmt)
    return tuple(result)


def _private(nest: Nest, name: str, total: int) -> bool:
    place: tuple[Expr, ...] = tuple(Var(n) for n in nest.indices)
    inside: Counter[str] = Counter()
    started = False
    for stmt in nest.body:
        own: Counter[str] = Counter()
        for s in _walk((stmt,)):
            _count(s, own)
        inside += own
        if not own[name] or started:
            continue
        if not (
            isinstance(stmt, nodes.Store)
            and stmt.base == Var(name)
            and stmt.index == place
            and not stmt.op
        ):
            return False
        if own[name] != 1:
            return False
        started = True
    if not started or inside[name] != total:
        return False
    return all(index == place for n, index, _ in touches(nest.body).arrays if n == name)


def _as_scalar(nest: Nest, name: str) -> Nest:
    def read(expr: Expr) -> Expr:
        if isinstance(expr, Index) and expr.base == Var(name):
            return Var(name, type=expr.type)
        return expr

    def write(stmt: Stmt) -> list[Stmt]:
        if not (
            isinstance(stmt, nodes.Store) and isinstance(stmt.base, Var) and stmt.base.name == name
        ):
            return [stmt]
        kind = (
            Scalar(str(stmt.base.type.dtype))
            if isinstance(stmt.base.type, Array)
            else stmt.value.type
        )
        value = stmt.value
        if stmt.op:
            value = Call(
                stmt.op, stmt.op, (Var(name, type=kind), value), form="operator", type=kind
            )
        return [nodes.Assign((name,), (value,), span=stmt.span)]

    return replace(nest, body=map_block(nest.body, read, write))


def _without(block: Block, names: set[str]) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.Assign(targets=(name,)) if name in names and _allocates(stmt):
                continue
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=_without(then, names), orelse=_without(orelse, names))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_without(body, names))
        result.append(stmt)
    return tuple(result)

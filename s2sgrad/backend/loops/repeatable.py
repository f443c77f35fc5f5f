"""Floor 6: the part of a loop that must run again for what it saved, if that is cheap and safe.

It is safe where all that the part reads is either kept from the head of the trips that run again,
or the same as it was: nothing between the loops, nor the reverse loop, writes it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.memory import is_view
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.extents import add, integer, shifted
from s2sgrad.backend.loops.storage import held_dtype
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar

MOST = 16  # operations for each entry that is saved
_DIVISION, _ROOT, _DEAR = 4, 5, 1000
_CHEAP = frozenset({np.maximum, np.minimum, np.absolute, np.square, np.negative, np.sign, abs})
_STEPS = frozenset({"add_to", "add_product", "larger_of", "smaller_of", "min", "max", "len"})
_FILLED = frozenset(
    {"np.empty", "np.empty_like", "np.zeros", "np.zeros_like", "np.full", "np.ones"}
)


@dataclass(frozen=True)
class Part:
    """The statements that run again. written: the variables that they bind or change, without
    arrays of what is saved; state: those of them that a trip takes over from the one before;
    price: about how many operations there are for each number that is saved."""

    body: Block
    written: frozenset[str]
    state: tuple[str, ...]
    price: int


def repeatable(
    loop: nodes.For, after: Block, rows: set[str], stores: frozenset[str], groups: Groups
) -> Part | None:
    """The part of a loop that fills these rows; None where it is dear or can't be told apart.

    after: what runs from the end of the loop to the end of the reverse one. stores: all arrays of
    saved values: to fill one again with the same values does no harm. The part is not for the last
    trip of the loop: it may read what the next one saved.
    """
    inside = list(nodes.walk_block(loop.body))
    filled = {n for s in inside if (n := _stored(s)) in rows}
    if not rows or filled != rows or any(_is_odd(s) for s in inside):
        return None
    body = _slice(_read_back(loop, stores - _changed(after, groups)), rows)
    kept = list(nodes.walk_block(body))
    written = {t for s in kept for t in nodes.targets_of(s)}
    written |= {n for s in kept if (n := _stored(s)) is not None and n not in stores}
    read = {n for s in kept for n in _reads(s)}
    state = Liveness().block(body, frozenset())[1]
    if not all(map(_is_plain, kept)) or not _apart(inside, state, read, written, stores, groups):
        return None
    bounds = {m for e in loop.sources for m in _read_marks(e, groups)}
    if bounds & _changed((*loop.body, *after), groups):
        return None
    marks = {m for s in kept for e in nodes.expressions(s) for m in _read_marks(e, groups)}
    own = {m for n in {*written, *stores, *loop.targets} for m in _marks(n, groups)}
    if _changed(after, groups) & (marks - own):
        return None
    price = sum(_price(s, _depth(body, s)) for s in kept if _depth(body, s) == _deepest(body))
    if price > MOST * len(rows) or _deepest(body) > _deepest(_only(body, rows)):
        return None
    return Part(body, frozenset(written), tuple(sorted(state & written)), price // len(rows))


def _is_odd(stmt: Stmt) -> bool:
    """Whether a statement leaves the loop, or changes what can't be seen."""
    plain = nodes.Assign | nodes.Store | nodes.For | nodes.If | nodes.Comment
    return not isinstance(stmt, plain) or (
        isinstance(stmt, nodes.Store) and not isinstance(stmt.base, Var)
    )


def _stored(stmt: Stmt) -> str | None:
    match stmt:
        case nodes.Store(base=Var(name=name)):
            return name
    return None


def _reads(stmt: Stmt) -> set[str]:
    return {n for e in nodes.expressions(stmt) for n in nodes.names_in(e)}


# --- which statements ----------------------------------------------------------------------
def _read_back(loop: nodes.For, stores: frozenset[str]) -> Block:
    """The body of a loop over a range, its step 1, with a number read from where the next trip
    saves it: `a_saved[k] = a; a = f(a)` becomes `a = a_saved[k + 1]`."""
    (counter,) = loop.targets
    inside = list(nodes.walk_block(loop.body))
    times = Counter([t for s in inside for t in nodes.targets_of(s)] + [_stored(s) for s in inside])
    saved: dict[str, Index] = {}
    result: list[Stmt] = []
    filled: set[str | None] = set()
    for stmt in loop.body:
        match stmt:
            case nodes.Store(Var(name=store), (place,), Var(name=name) as value, "") if (
                store in stores and times[store] == times[name] == 1 and not times[counter]
            ):
                alike = held_dtype(value.type) == getattr(stmt.base.type, "dtype", None)
                if alike and shifted(place)[0] == Var(counter):
                    saved[name] = Index(stmt.base, (add(place, integer(1)),), type=value.type)
            case nodes.Assign(targets=(name,)) if name in saved:
                stmt = replace(stmt, values=(saved[name],))
                filled |= nodes.names_in(saved[name].base)
        result.append(stmt)
    return tuple(s for s in result if _stored(s) not in filled)


def _slice(body: Block, rows: set[str]) -> Block:
    """The statements of a trip that the rows of this trip and the next ones depend on."""
    needed = set(rows)
    while True:
        part = _only(body, needed)
        more = needed | _open_reads(part)
        if more == needed:
            return part
        needed = more


def _open_reads(block: Block) -> set[str]:
    """What statements read, but for the counters of the loops that they stand in."""
    found: set[str] = set()
    for stmt in block:
        found |= _reads(stmt)
        for inner in nodes.blocks(stmt):
            found |= _open_reads(inner) - set(nodes.targets_of(stmt))
    return found


def _only(block: Block, needed: set[str]) -> Block:
    """The statements that write what is needed, and the loops and branches around them."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.For(body=body):
                inner = _only(body, needed)
                if inner or needed & set(stmt.targets):
                    result.append(replace(stmt, body=inner))
            case nodes.If(then=then, orelse=orelse):
                sides = _only(then, needed), _only(orelse, needed)
                if any(sides):
                    result.append(replace(stmt, then=sides[0], orelse=sides[1]))
            case _:
                if needed & {*nodes.targets_of(stmt), _stored(stmt)}:
                    result.append(stmt)
    return tuple(result)


# --- whether it is safe --------------------------------------------------------------------
def _is_plain(stmt: Stmt) -> bool:
    """Whether a statement binds numbers, or arrays of its own, and writes single entries."""
    match stmt:
        case nodes.Assign(values=values):
            return all(isinstance(v.type, Scalar) or _is_cheap_array(v) for v in values)
        case nodes.For(sources=(source,)):
            return isinstance(source, Call) and source.function in (range, "range")
        case nodes.For():
            return False
        case nodes.Store(base=Var(type=Array() as kind)):
            return kind.shape is not None and isinstance(stmt.value.type, Scalar)
        case nodes.Store():
            return isinstance(stmt.base.type, Scalar)
    return True


def _is_cheap_array(value: Expr) -> bool:
    """Whether an array is a name or a part of one that is there, or is filled with a number."""
    if isinstance(value, Call) and value.text in _FILLED:
        return True
    while isinstance(value, Index) or (isinstance(value, Call) and is_view(value)):
        value = value.base if isinstance(value, Index) else value.args[0]
    return isinstance(value, Var)


def _apart(
    inside: list[Stmt],
    state: frozenset[str],
    read: set[str],
    written: set[str],
    stores: frozenset[str],
    groups: Groups,
) -> bool:
    """Whether what is written in the loop has one name at the head of a trip, by which it is kept
    and written, and all its other names run again as well."""
    for stmt in inside:
        name = _stored(stmt)
        if name is None or name in stores:
            continue
        others = {n for n in read | written if groups.of(n) == groups.of(name)}
        held = others & state
        if others and (name not in others or len(held) > 1 or not held <= written):
            return False
    return True


def _marks(name: str, groups: Groups) -> tuple[str, str]:
    return name, f"[{groups.of(name)}]"


def _read_marks(expr: Expr, groups: Groups) -> set[str]:
    """Names that are read, and [groups of] arrays of which more than the shape is."""
    if isinstance(expr, Call) and expr.form == "attribute" and expr.text in ("shape", "size"):
        return set(nodes.names_in(expr))
    if isinstance(expr, Var):
        return set(_marks(expr.name, groups))
    return {m for c in nodes.children(expr) for m in _read_marks(c, groups)}


def _changed(block: Block, groups: Groups) -> set[str]:
    """Names that are bound, and [groups of] arrays that are written."""
    found: set[str] = set()
    for stmt in nodes.walk_block(block):
        found |= set(nodes.targets_of(stmt))
        match stmt:
            case nodes.Store(base=base) | nodes.Mutate(base=base):
                found |= {m for n in nodes.names_in(base) for m in _marks(n, groups)}
            case nodes.Assign() | nodes.For() | nodes.If() | nodes.While() | nodes.Comment():
                pass
            case _:
                found |= {m for n in _reads(stmt) for m in _marks(n, groups)}
    return found


# --- what it costs -------------------------------------------------------------------------
def _deepest(block: Block) -> int:
    inner = [_deepest(b) + isinstance(s, nodes.For) for s in block for b in nodes.blocks(s)]
    return max(inner, default=0)


def _depth(block: Block, wanted: Stmt) -> int:
    """How many loops of the block are around a statement; -1 if it is not there."""
    for stmt in block:
        if stmt is wanted:
            return 0
        for inner in nodes.blocks(stmt):
            found = _depth(inner, wanted)
            if found >= 0:
                return found + isinstance(stmt, nodes.For)
    return -1


def _price(stmt: Stmt, depth: int) -> int:
    """Operations of a statement, without those for its places in arrays."""
    match stmt:
        case nodes.Assign(values=values):
            return sum(map(_operations, values))
        case nodes.Store(value=value, op=op):
            return _operations(value) + bool(op)
        case nodes.If(test=test):
            return _operations(test)
    return 0


def _operations(expr: Expr) -> int:
    match expr:
        case Index():
            return 0
        case Call(form="attribute"):
            return 0
        case Call(form="operator", text=text):
            own = _DIVISION if text in ("/", "//", "%") else _DEAR if text in ("**", "@") else 1
        case Call(function=function, text=text):
            own = _ROOT if function is np.sqrt else 1 if text in _STEPS else _DEAR
            own = 1 if any(function is cheap for cheap in _CHEAP) else own
        case _:
            own = 0
    return own + sum(map(_operations, nodes.children(expr)))


__all__ = ["MOST", "Part", "repeatable"]

"""Floor 6: what statements read and write, and whether iterations keep out of each other's way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.elements import is_scalar
from s2sgrad.backend.loops.iteration_uses import draws
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array

SHAPE_ONLY = frozenset(
    {"np.zeros_like", "np.ones_like", "np.empty_like", "np.full_like", "zeros_like"}
)
ORDERLESS = frozenset({"add_to", "add_product", "larger_of", "smaller_of"})
Access = tuple[str, tuple[Expr, ...] | None, str]


@dataclass
class Touches:
    """What statements read and write.

    arrays: (name, index, mode): 'r', 'w' or 'a' (adds to). counters: targets of inner loops.
    summed: scalars that are only added to, in any order. first: scalars set before they are read.
    odd: statements of which nothing is known.
    """

    arrays: list[Access] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    counters: set[str] = field(default_factory=set)
    summed: set[str] = field(default_factory=set)
    first: set[str] = field(default_factory=set)
    odd: bool = False

    @property
    def open_reads(self) -> set[str]:
        """Scalars from outside that are read."""
        return self.reads - self.counters

    def conflicts(self, other: Touches) -> bool:
        """Whether scalars of the one are written by the other."""
        mine, theirs = self.open_reads, other.open_reads
        return bool(self.writes & (theirs | other.writes) or other.writes & mine)


def touches(block: Block) -> Touches:
    found = Touches()
    _block(block, found, True)
    return found


def _block(block: Block, found: Touches, certain: bool) -> None:
    for stmt in block:
        match stmt:
            case Nest():
                found.counters |= set(stmt.indices)
                for extent in stmt.extents:
                    _read(extent.count, found)
                _block(stmt.body, found, False)
            case nodes.For(targets=targets, sources=sources):
                found.counters |= set(targets)
                for source in sources:
                    _read(source, found)
                _block(stmt.body, found, False)
            case nodes.If():
                _read(stmt.test, found)
                _block(stmt.then, found, False)
                _block(stmt.orelse, found, False)
            case nodes.Store(base=Var(name=name), index=index, op=op):
                mode = "a" if op in ("+", "-") else "w"
                found.arrays.append((name, index if index else None, mode))
                found.reads.add(name)
                if not isinstance(stmt.base.type, Array):  # `x += 1` of a number
                    found.writes.add(name)
                for expr in (*index, stmt.value):
                    _read(expr, found)
            case nodes.Assign(targets=targets, values=values):
                _assigned(targets, values, found, certain)
            case nodes.Comment():
                pass
            case _:
                found.odd = True
                for expr in nodes.expressions(stmt):
                    _read(expr, found)
                _changed(stmt, found)


def _changed(stmt: Stmt, found: Touches) -> None:
    """What a statement of which nothing else is known writes: `y[1:][0] = 0` writes to `y`."""
    found.writes |= set(nodes.targets_of(stmt))
    if isinstance(stmt, nodes.Store | nodes.Mutate):
        found.arrays += [(name, None, "w") for name in nodes.names_in(stmt.base)]


def _assigned(
    targets: tuple[str, ...], values: tuple[Expr, ...], found: Touches, certain: bool
) -> None:
    for target, value in zip(targets, values, strict=True):
        step = isinstance(value, Call) and value.text in ORDERLESS
        if step and value.args[0] == Var(target) and target not in found.first:  # type: ignore[attr-defined]
            if target not in found.writes and target not in found.reads:
                found.summed.add(target)
            for part in value.args[1:]:  # type: ignore[attr-defined]
                _read(part, found)
        else:
            _read(value, found)
            if certain and target not in found.reads and target not in found.writes:
                found.first.add(target)
            found.summed.discard(target)
        found.writes.add(target)


@dataclass
class _Reads:
    """What an expression reads. names: all of it; whole: variables that stand by themselves."""

    arrays: list[Access] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)


_KNOWN: dict[int, tuple[Expr, _Reads]] = {}  # by id: statements keep their expressions when joined
_MOST = 20_000


def _read(expr: Expr, found: Touches) -> None:
    known = _KNOWN.get(id(expr))
    if known is None or known[0] is not expr:
        known = expr, _Reads()
        _note(expr, known[1])
        if len(_KNOWN) >= _MOST:
            _KNOWN.clear()
        _KNOWN[id(expr)] = known
    found.arrays += known[1].arrays
    found.reads |= known[1].names
    found.summed -= known[1].whole


def _note(expr: Expr, found: _Reads) -> None:
    match expr:
        case Index(base=Var(name=name), index=index) if isinstance(expr.base.type, Array):
            found.arrays.append((name, index, "r"))
            found.names.add(name)
            for part in index:
                _note(part, found)
            return
        case Call(form="attribute", text="shape" | "size" | "ndim", args=(Var(name=name),)):
            found.names.add(name)
            return
        case Call(function="pop", args=(Var(name=name), *_)):  # the next one gives another
            found.arrays.append((name, None, "w"))
        case Call(text=text, args=(Var(name=name), *rest)) if text in SHAPE_ONLY:
            found.names.add(name)
            for part in rest:
                _note(part, found)
            return
        case Var(name=name):
            found.names.add(name)
            found.whole.add(name)
            if not is_scalar(expr):
                found.arrays.append((name, None, "r"))
            return
    for child in nodes.children(expr):
        _note(child, found)


def arrays_read(parts: Iterable[Expr]) -> set[str]:
    """The arrays of which expressions read entries."""
    return {
        n.base.name
        for part in parts
        for n in nodes.walk(part)
        if isinstance(n, Index) and isinstance(n.base, Var)
    }


# --- questions -----------------------------------------------------------------------------
def apart(
    one: list[Access],
    two: list[Access],
    indices: tuple[str, ...],
    groups: Groups,
    stays: Callable[[Expr], bool] = lambda expr: False,
) -> bool:
    """Whether accesses at different values of the indices never meet in a way that matters.

    Where one of two accesses to an array writes, both must have each of the indices as the
    subscript of the same axis, or an index plus a number of which it is known that it stays the
    same inside, and is not negative.
    """
    for name, index, mode in one:
        for other, other_index, other_mode in two:
            if mode == other_mode and mode in "ra":
                continue
            if groups.of(name) != groups.of(other):
                continue
            if name != other or index is None or other_index is None:
                return False
            if not _aligned(index, other_index, indices, stays):
                return False
    return True


def _aligned(
    index: tuple[Expr, ...],
    other: tuple[Expr, ...],
    indices: tuple[str, ...],
    stays: Callable[[Expr], bool],
) -> bool:
    if len(index) != len(other):
        return False
    return all(
        any(a == b and _goes_with(a, name, stays) for a, b in zip(index, other, strict=True))
        for name in indices
    )


def _goes_with(part: Expr, name: str, stays: Callable[[Expr], bool]) -> bool:
    """Whether a subscript is a counter, or what stays more.

    Not less: `a[i - 1]` counts from the end for i = 0, and may be the entry of another i too.
    """
    match part:
        case Var(name=own):
            return own == name
        case Call(form="operator", text="+", args=(left, nodes.Const(value=int(more)))):
            return more >= 0 and _goes_with(left, name, stays)
        case Call(form="operator", text="*", args=(nodes.Const(value=int(step)), Var(name=own))):
            return step > 0 and own == name
        case Call(form="operator", text="+", args=(Var(name=own), more)):
            return own == name and name not in nodes.names_in(more) and stays(more)
    return False


def independent(first: Stmt, second: Stmt, groups: Groups) -> bool:
    """Whether two statements may change places."""
    one, two = touches((first,)), touches((second,))
    if one.odd or two.odd or one.conflicts(two):
        return False
    return apart(one.arrays, two.arrays, ("",), groups) and not (
        draws((first,)) and draws((second,))  # each takes the numbers that come next
    )


def every(block: Block) -> list[Stmt]:
    """Every statement, those in nests too."""
    found: list[Stmt] = []
    for stmt in block:
        found.append(stmt)
        inner = (stmt.body,) if isinstance(stmt, Nest) else nodes.blocks(stmt)
        for part in inner:
            found += every(part)
    return found


def changes_any(stmt: Stmt, names: set[str], groups: Groups) -> bool:
    """Whether a statement itself binds one of the names anew, or writes into the memory of one,
    by whatever name."""
    if names & set(nodes.targets_of(stmt)):
        return True
    if not isinstance(stmt, nodes.Store | nodes.Mutate):
        return False
    written = {groups.of(n) for n in nodes.names_in(stmt.base)}
    return bool(written & {groups.of(n) for n in names})


def read_by(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement, the lengths of a nest too."""
    if isinstance(stmt, Nest):
        return tuple(e.count for e in stmt.extents)
    return nodes.expressions(stmt)


def live_after(block: Block) -> dict[int, frozenset[str]]:
    """Loop (by its id) -> the variables that are read after it before they are bound again."""
    found: dict[int, frozenset[str]] = {}
    _live(block, frozenset(), found)
    return found


def _live(block: Block, live: frozenset[str], found: dict[int, frozenset[str]]) -> frozenset[str]:
    for stmt in reversed(block):
        read = {n for e in read_by(stmt) for n in nodes.names_in(e)}
        bound = frozenset(stmt.indices if isinstance(stmt, Nest) else nodes.targets_of(stmt))
        match stmt:
            case Nest(body=body) | nodes.For(body=body) | nodes.While(body=body):
                found[id(stmt)] = live
                rounds = 1 if isinstance(stmt, Nest) else 2  # a second one for what goes round
                for _ in range(rounds):
                    live |= _live(body, live | read, found) - bound
            case nodes.If(then=then, orelse=orelse):
                live = _live(then, live, found) | _live(orelse, live, found)
            case _:
                live -= bound
        live |= read
    return live

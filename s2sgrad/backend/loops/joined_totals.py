"""Floor 6: totals that go to the same place are one total.

    total[j] += a; total_2[j] += b; ...; x_bar[i] += total[i]; x_bar[i] += total_2[i]
    total[j] += a; total[j] += b;   ...; x_bar[i] += total[i]

A variable that is used several times in one pass through a loop gets its cotangent in several sums
over an axis. Each of them is an array that every point reads and writes; that they were separate
sums nobody can see, but for how they are rounded.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.contraction import allocated
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import changes_any, every, read_by
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Type

Path = tuple[int, ...]  # places in blocks of nests, outermost first
Term = tuple[int, Expr]  # its sign and what is added
_STEPS = {"add_to": 2, "add_product": 3}


def with_joined_totals(body: Block, groups: Groups) -> Block:
    """The body with such totals as one."""
    uses: Counter[str] = Counter()
    for stmt in every(body):
        uses.update(_named(stmt))
    sharing = Counter(groups.of(name) for name in uses)
    alone = {name for name in uses if sharing[groups.of(name)] == 1}
    return _Joining(groups, uses, alone).block(body)


def _named(stmt: Stmt) -> list[str]:
    """The variables that a statement itself names, each time it does."""
    read = [n.name for e in read_by(stmt) for n in nodes.walk(e) if type(n) is Var]
    return [*nodes.targets_of(stmt), *read]


@dataclass(frozen=True)
class _Total:
    """An array of sums that is filled in one nest and read in a later one.

    made, filled, read: where. place, entry: the subscripts it is filled and read with. added: it is
    added to, after it was set to zero at `zeroed`; otherwise each entry is set once. sign: with
    which it is added to the target of the statement that reads it.
    """

    name: str
    made: Path
    zeroed: Path | None
    filled: Path
    read: Path
    place: tuple[Expr, ...]
    entry: tuple[Expr, ...]
    sign: int
    dtype: str


@dataclass
class _Joining:
    """Joins totals, one block after the other.

    uses: name -> how often it is named. alone: names that share their memory with no other.
    """

    groups: Groups
    uses: Counter[str]
    alone: set[str]

    def block(self, block: Block) -> Block:
        """The block, and those inside it, with totals joined."""
        block = self._joined(block)
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case nodes.If(then=then, orelse=orelse):
                    stmt = replace(stmt, then=self.block(then), orelse=self.block(orelse))
                case nodes.For(body=body) | nodes.While(body=body):
                    stmt = replace(stmt, body=self.block(body))
            result.append(stmt)
        return tuple(result)

    def _joined(self, block: Block) -> Block:
        if sum(allocated(s) is not None for s in block) < 2:
            return block
        stmts = dict(_with_paths(block))
        edits: dict[Path, list[Stmt]] = {}
        at: defaultdict[str, list[Path]] = defaultdict(list)
        for path, stmt in stmts.items():
            for name in _named(stmt):
                at[name].append(path)
        for first, *others in self._alike(stmts, at):
            for other in others:
                if self._may_join(stmts, first.read, other.read):
                    first = _Pair(self, stmts, at, edits, first, other).joined()
                else:
                    first = other
        return _edited(block, edits) if edits else block

    def _alike(self, stmts: dict[Path, Stmt], at: dict[str, list[Path]]) -> list[list[_Total]]:
        """Totals that are filled at the same points and read into the same entries."""
        found: defaultdict[object, list[_Total]] = defaultdict(list)
        for path, stmt in stmts.items():
            name = allocated(stmt) if len(path) == 1 else None
            if name in self.alone and len(at[name]) == self.uses[name]:
                total = _total(name, at[name], stmts)
                if total is not None:
                    found[_kind(total, stmts[total.read])].append(total)
        return [sorted(t, key=lambda t: t.read) for t in found.values() if len(t) > 1]

    def _may_join(self, stmts: dict[Path, Stmt], first: Path, last: Path) -> bool:
        """Whether an addition may be done where another one stands, in the same block before it."""
        target = stmts[first]
        assert isinstance(target, nodes.Store) and isinstance(target.base, Var)
        own = self.groups.of(target.base.name)
        kept = {n for p in target.index for n in nodes.names_in(p)}
        for k in range(first[-1], last[-1] + 1):
            stmt = stmts[(*first[:-1], k)]
            if isinstance(stmt, nodes.Store) and stmt.op in ("+", "-") and stmt.base == target.base:
                parts: tuple[Expr, ...] = (*stmt.index, stmt.value)
                named = {n for p in parts for n in nodes.names_in(p)}
            else:
                named = {n for s in every((stmt,)) for n in _named(s)}
            if any(self.groups.of(n) == own for n in named):
                return False
            if any(changes_any(s, kept, self.groups) for s in every((stmt,))):
                return False
        return True


def _with_paths(block: Block, around: Path = ()) -> Iterator[tuple[Path, Stmt]]:
    """The statements of a block and of the nests in it; other blocks inside count as used there."""
    for k, stmt in enumerate(block):
        path = (*around, k)
        yield path, stmt
        if isinstance(stmt, Nest):
            yield from _with_paths(stmt.body, path)


def _total(name: str, at: list[Path], stmts: dict[Path, Stmt]) -> _Total | None:
    """What is known of an array that may be a total: made, filled and read once."""
    made, *filling, read = at
    zeroed = None
    if len(filling) == 2 and _is_zero(stmts[filling[0]]):
        zeroed, *filling = filling
    if len(filling) != 1 or len(read) < 2 or len(filling[0]) < 2:
        return None
    if not filling[0][0] < read[0] or (zeroed is not None and not zeroed[0] < filling[0][0]):
        return None  # in one nest, sums that are not complete would be read
    fill, reader = stmts[filling[0]], stmts[read]
    match fill, reader:
        case (
            nodes.Store(base=Var(name=filled, type=Array(dtype=dtype)), index=place, op=op),
            nodes.Store(base=Var(type=Array(dtype=own)), op="+" | "-" as sign),
        ) if filled == name and own == dtype and bool(op) == (zeroed is not None):
            found = [t for t in _terms(reader.value) if _is_entry(t[1], name)]
            if op in ("", "+", "-") and len(found) == 1:
                ((side, entry),) = found
                assert isinstance(entry, Index)
                side = -side if sign == "-" else side
                return _Total(
                    name, made, zeroed, filling[0], read, place, entry.index, side, str(dtype)
                )
    return None


def _is_zero(stmt: Stmt) -> bool:
    return isinstance(stmt, nodes.Store) and not stmt.op and stmt.value == Const(0.0)


def _is_entry(expr: Expr, name: str) -> bool:
    return isinstance(expr, Index) and isinstance(expr.base, Var) and expr.base.name == name


def _kind(total: _Total, reader: Stmt) -> object:
    """What totals have in common that may be joined."""
    assert isinstance(reader, nodes.Store)
    filled, read = total.filled[:-1], total.read[:-1]
    target = (reader.base, reader.index)
    return filled, read, total.place, total.entry, target, total.zeroed is None, total.dtype


def _terms(value: Expr, sign: int = 1) -> list[Term]:
    """The terms of a sum, with their signs."""
    match value:
        case Call(text="+", form="operator", args=(left, right)):
            return _terms(left, sign) + _terms(right, sign)
        case Call(text="-", form="operator", args=(left, right)):
            return _terms(left, sign) + _terms(right, -sign)
        case Call(text="-", form="operator", args=(one,)):
            return _terms(one, -sign)
    return [(sign, value)]


def _sum(terms: list[Term], kind: Type) -> tuple[int, Expr]:
    """The sum of terms, and the sign it takes: a difference begins with what is positive."""
    terms = sorted(terms, key=lambda t: -t[0])
    flip = terms[0][0]
    total = terms[0][1]
    for sign, term in terms[1:]:
        function, text = (np.add, "+") if sign == flip else (np.subtract, "-")
        total = Call(function, text, (total, term), form="operator", type=kind)
    return flip, total


def _edited(block: Block, edits: dict[Path, list[Stmt]], around: Path = ()) -> Block:
    """The block with statements in place of others; nests that hold none any more fall away."""
    result: list[Stmt] = []
    for k, stmt in enumerate(block):
        path = (*around, k)
        if path in edits:
            result += edits[path]
        elif isinstance(stmt, Nest):
            body = _edited(stmt.body, edits, path)
            result += [replace(stmt, body=body)] if body else []
        else:
            result.append(stmt)
    return tuple(result)


@dataclass
class _Pair:
    """Two totals of which the second one becomes part of the first.

    at: name -> the statements that name it, each time. edits: path -> what stands there now.
    """

    joining: _Joining
    stmts: dict[Path, Stmt]
    at: dict[str, list[Path]]
    edits: dict[Path, list[Stmt]]
    first: _Total
    other: _Total

    def joined(self) -> _Total:
        """The first total, with the second one in it."""
        other = self.other
        self.edits[other.made] = []
        if other.zeroed is not None:
            self.edits[other.zeroed] = []
        self._drop_term()
        if self._share_register():
            self.edits[other.filled] = []
            return self.first
        before, after = sorted((self.first.filled, other.filled))
        early, late = self._store(before), self._store(after)
        base = self._store(self.first.filled).base
        if early.op:
            early = replace(early, op=self._op(before))
        elif self._op(before) == "-":
            early = replace(early, value=_negative(early.value))
        self.edits[after] = [replace(late, base=base, op=self._op(after))]
        self.edits[before] = [replace(early, base=base)]
        return replace(self.first, filled=before)

    def _store(self, path: Path) -> nodes.Store:
        (stmt,) = self.edits.get(path, [self.stmts[path]])
        assert isinstance(stmt, nodes.Store)
        return stmt

    def _op(self, path: Path) -> str:
        """With which sign what is filled in there goes into the first total."""
        sign = -1 if self._store(path).op == "-" else 1
        if path == self.other.filled:
            sign *= self.first.sign * self.other.sign
        return "+" if sign > 0 else "-"

    def _drop_term(self) -> None:
        reader, name = self._store(self.other.read), self.other.name
        rest = [t for t in _terms(reader.value) if not _is_entry(t[1], name)]
        self.edits[self.other.read] = []
        if rest:
            flip, value = _sum(rest, reader.value.type)
            op = reader.op if flip > 0 else {"+": "-", "-": "+"}[reader.op]
            self.edits[self.other.read] = [replace(reader, op=op, value=value)]

    def _share_register(self) -> bool:
        """Whether both are filled from sums in registers of one loop, which are one from now on."""
        mine, others = self._store(self.first.filled).value, self._store(self.other.filled).value
        if (
            self.first.zeroed is not None
            or not isinstance(mine, Var)
            or not isinstance(others, Var)
        ):
            return False
        kept, dropped = self._register(mine.name), self._register(others.name)
        if kept is None or dropped is None or kept[1][:-1] != dropped[1][:-1]:
            return False
        (step,) = self.edits.get(dropped[1], [self.stmts[dropped[1]]])
        assert isinstance(step, nodes.Assign) and isinstance(step.values[0], Call)
        _, entry, *more = step.values[0].args
        if self.first.sign != self.other.sign:
            entry = _negative(entry)
        value = replace(step.values[0], args=(mine, entry, *more))
        self.edits[dropped[0]] = []
        self.edits[dropped[1]] = [replace(step, targets=(mine.name,), values=(value,))]
        return True

    def _register(self, name: str) -> tuple[Path, Path] | None:
        """Where a sum is set to zero, in the block that fills in its total, and where it grows."""
        if len(self.at[name]) != 4 or self.joining.uses[name] != 4:
            return None
        start, step, _, end = self.at[name]
        match self.stmts[start], self.stmts[step]:
            case (
                nodes.Assign(targets=(own,), values=(Const(value=0.0),)),
                nodes.Assign(
                    targets=(other,), values=(Call(text=text, args=(Var(name=now), *rest)),)
                ),
            ) if own == other == now == name and _STEPS.get(text) == 1 + len(rest):
                if len(step) == len(start) + 1 and start[:-1] == end[:-1]:
                    return start, step
        return None


def _negative(value: Expr) -> Expr:
    return Call(np.negative, "-", (value,), form="operator", type=value.type)

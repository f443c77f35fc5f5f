"""Floor 6: temporaries as small as they can be: a number, or a row that is used again.

An array that is filled and read within one nest needs no axis that the nest's own counters run
along: each point finds there only what it has put there itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.mapping import mapped
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import Access, every, read_by, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Sequence, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, Type


@dataclass
class Facts:
    """uses: name -> how often it is named; bound: how often it is bound; sharing: how many names
    stand for the same memory; types: of the variables."""

    types: dict[str, Type]
    uses: Counter[str] = field(default_factory=Counter)
    bound: Counter[str] = field(default_factory=Counter)
    sharing: Counter[str] = field(default_factory=Counter)


def contracted(body: Block, groups: Groups, types: dict[str, Type]) -> Block:
    """The body with such arrays made smaller; `types` tells of them what they are now."""
    facts = Facts(types)
    names: set[str] = set()
    for stmt in every(body):
        for expr in read_by(stmt):
            facts.uses.update(_named(expr))
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
    uses = [_uses((stmt,)) for stmt in result]
    readers = _readers(uses)
    plans: dict[int, Plan] = {}
    for k, stmt in enumerate(block):
        name = allocated(stmt)
        if name is None or facts.bound[name] != 1 or facts.sharing[groups.of(name)] != 1:
            continue
        at = sorted(readers[name] - {k})
        if len(at) != 1 or not isinstance(nest := result[at[0]], Nest):
            continue
        if uses[at[0]][name] == facts.uses[name]:
            new = plans.setdefault(at[0], Plan(nest)).shrunk(stmt, name)
            if new is None:
                facts.types[name] = _entry(facts.types.get(name))
            elif new is not stmt and isinstance(new, nodes.Assign):
                facts.types[name] = new.values[0].type
            result[k] = new  # type: ignore[assignment]
    for at_nest, plan in plans.items():
        result[at_nest] = plan.carried_out()
    return tuple(s for s in result if s is not None)


def _entry(kind: Type | None) -> Type:
    """The type of an array's entries."""
    return Scalar(str(kind.dtype)) if isinstance(kind, Array) else Scalar("float64")


def allocated(stmt: Stmt) -> str | None:
    """The name that an `np.empty` is bound to."""
    match stmt:
        case nodes.Assign(targets=(name,), values=(Call(text="np.empty"),)):
            return name
    return None


def _named(expr: Expr) -> list[str]:
    return [n.name for n in nodes.walk(expr) if type(n) is Var]


def _uses(block: Block) -> Counter[str]:
    """Name -> how often statements name it."""
    found: Counter[str] = Counter()
    for stmt in every(block):
        for expr in read_by(stmt):
            found.update(_named(expr))
    return found


def _readers(uses: list[Counter[str]]) -> defaultdict[str, set[int]]:
    """Name -> the places of the statements that read it."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for k, names in enumerate(uses):
        for name in names:
            found[name].add(k)
    return found


@dataclass
class Plan:
    """What becomes of the arrays that one nest alone uses; decided for each, and done at once.

    numbers: those that become numbers. without: name -> axes that fall away.
    """

    nest: Nest
    numbers: set[str] = field(default_factory=set)
    without: dict[str, list[int]] = field(default_factory=dict)
    read: dict[int, Counter[str]] = field(default_factory=dict)

    def shrunk(self, made: Stmt, name: str) -> Stmt | None:
        """What makes the array, without the axes that counters around all its uses run along."""
        around = self._path(name)
        indices = {n for inner in around for n in inner.indices}
        found = self._indices[name]
        accesses = [index for index in found if index is not None]
        if not accesses or len(accesses) != len(found):
            return made
        first = accesses[0]
        dropped = [
            axis
            for axis, part in enumerate(first)
            if all(len(i) == len(first) and i[axis] == part for i in accesses)
            and (isinstance(part, nodes.Const) or (isinstance(part, Var) and part.name in indices))
        ]
        if not dropped or name in self._used_whole:
            return made
        if len(dropped) == len(first):
            if self._set_first(around[-1].body, name):
                self.numbers.add(name)
                return None
            dropped = dropped[:-1]
        if not dropped:
            return made
        self.without[name] = dropped
        assert isinstance(made, nodes.Assign)
        return replace(made, values=(_smaller(made.values[0], dropped),))

    def carried_out(self) -> Stmt:
        """The nest as it was decided."""
        if not self.numbers and not self.without:
            return self.nest
        (new,) = mapped((self.nest,), self._expr, self._stmt)
        return new

    @cached_property
    def _indices(self) -> defaultdict[str, list[tuple[Expr, ...] | None]]:
        """Name -> the subscripts it is used with; None where it is used without."""
        found: defaultdict[str, list[tuple[Expr, ...] | None]] = defaultdict(list)
        accesses: list[Access] = touches((self.nest,)).arrays
        for name, index, _ in accesses:
            found[name].append(index)
        return found

    @cached_property
    def _used_whole(self) -> set[str]:
        """Names of which more is used than entries: the shape."""
        found: set[str] = set()
        for stmt in every((self.nest,)):
            for expr in read_by(stmt):
                if isinstance(stmt, nodes.Store) and expr is stmt.base:
                    continue
                walked = list(nodes.walk(expr))
                count = Counter(n.name for n in walked if type(n) is Var)
                count.subtract(
                    n.base.name for n in walked if isinstance(n, Index) and isinstance(n.base, Var)
                )
                found |= {name for name, n in count.items() if n > 0}
        return found

    def _reads(self, stmt: Stmt) -> Counter[str]:
        if id(stmt) not in self.read:
            self.read[id(stmt)] = _uses((stmt,))
        return self.read[id(stmt)]

    def _path(self, name: str) -> list[Nest]:
        """The nests that hold all uses of a name, outermost first."""
        found = [self.nest]
        while True:
            holding = [s for s in found[-1].body if name in self._reads(s)]
            if len(holding) != 1 or not isinstance(holding[0], Nest):
                return found
            found.append(holding[0])

    def _set_first(self, body: Block, name: str) -> bool:
        """Whether every read comes after a plain write of the same block."""
        for stmt in body:
            if name not in self._reads(stmt):
                continue
            return (
                isinstance(stmt, nodes.Store)
                and stmt.base == Var(name)
                and not stmt.op
                and name not in nodes.names_in(stmt.value)
            )
        return False

    # --- what is written instead ---------------------------------------------------------------
    def _expr(self, expr: Expr) -> Expr:
        if not isinstance(expr, Index) or not isinstance(expr.base, Var):
            return expr
        name = expr.base.name
        if name in self.numbers:
            return Var(name, type=expr.type)
        if name in self.without:
            dropped = self.without[name]
            base = replace(expr.base, type=_of_less(expr.base.type, dropped))
            return replace(expr, base=base, index=_kept(expr.index, dropped))
        return expr

    def _stmt(self, stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Store) or not isinstance(stmt.base, Var):
            return [stmt]
        name = stmt.base.name
        if name in self.without:
            dropped = self.without[name]
            base = replace(stmt.base, type=_of_less(stmt.base.type, dropped))
            return [replace(stmt, base=base, index=_kept(stmt.index, dropped))]
        if name not in self.numbers:
            return [stmt]
        kind = stmt.base.type
        own = _entry(kind) if isinstance(kind, Array) else stmt.value.type
        value = stmt.value
        if stmt.op:
            pair = (Var(name, type=own), value)
            value = Call(stmt.op, stmt.op, pair, form="operator", type=own)
        return [nodes.Assign((name,), (value,), span=stmt.span)]


def _smaller(alloc: Expr, dropped: list[int]) -> Expr:
    assert isinstance(alloc, Call)
    shape = alloc.args[0]
    items = shape.items if isinstance(shape, Sequence) else (shape,)
    kept = tuple(i for k, i in enumerate(items) if k not in dropped)
    new: Expr = kept[0] if len(kept) == 1 else Sequence("tuple", kept)
    return replace(alloc, args=(new, *alloc.args[1:]), type=_of_less(alloc.type, dropped))


def _of_less(kind: Type, dropped: list[int]) -> Type:
    """The type of an array without these axes."""
    if not isinstance(kind, Array) or kind.shape is None:
        return kind
    return replace(kind, shape=tuple(s for k, s in enumerate(kind.shape) if k not in dropped))


def _kept(index: tuple[Expr, ...], dropped: list[int]) -> tuple[Expr, ...]:
    return tuple(p for k, p in enumerate(index) if k not in dropped)

"""Floor 6: which names may hold an array that was made just before.

`Groups` knows no order: in `new = u.copy(); ...; u = new` it finds `new` and `u` together. From
the statement that makes an array to the one that hands it on, only its own name holds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from s2sgrad.backend.loops.aliases import Groups, is_new, shared_names
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Stmt
from s2sgrad.ir.types import Array, Scalar


class NewArrays:
    """Follows blocks in their order. holders: name -> all names that may hold its array by now, of
    arrays that were made on the way here."""

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.holders: dict[str, frozenset[str]] = {}
        self.times: Counter[str] = Counter()  # how often a name got an array

    def share(self, one: str, other: str) -> bool:
        """Whether two names may share memory here."""
        if self.groups.of(one) != self.groups.of(other):
            return False
        return other in self.holders.get(one, (other,)) and one in self.holders.get(other, (one,))

    def own(self) -> dict[str, str]:
        """The names that alone hold their arrays here, and what tells these from others."""
        alone = (n for n, held in self.holders.items() if held == {n})
        return {n: f"{n} {self.times[n]}" for n in alone}

    def handed_on(self, own: dict[str, str]) -> frozenset[str]:
        """Which of the arrays that one name alone held before are now held by others too."""
        return frozenset(n for n in own if len(self.holders.get(n, ())) > 1)

    def here(self) -> Groups:
        """The groups of names here."""
        return AtOnePlace(self.groups, self.own())

    def entering(self, body: Block) -> NewArrays:
        """What is known in a block inside, of which statements may have run before: what was known
        before it, as far as a turn of it leaves that so (`old, new = new, np.zeros(n)` does)."""
        inner = self._copied()
        while True:
            turn = inner._copied()
            for stmt in body:
                turn.after(stmt)
            held = {
                n: names | turn.holders[n]
                for n, names in inner.holders.items()
                if n in turn.holders
            }
            if held == inner.holders:
                return inner
            inner.holders = held

    def _copied(self) -> NewArrays:
        new = NewArrays(self.groups)
        new.holders, new.times = dict(self.holders), self.times
        return new

    def bind(self, target: str, value: Expr) -> None:
        """A name gets a value."""
        self._bind((target,), (value,))

    def _bind(self, targets: tuple[str, ...], values: tuple[Expr, ...]) -> None:
        """Names get values, all at once."""
        old, self.holders = self.holders, {}
        came: dict[str, frozenset[str]] = {}  # what held the array until now
        known: list[str] = []
        for target, value in zip(targets, values, strict=True):
            self.times[target] += 1
            names = shared_names(value)
            came[target] = names.union(*(old[n] for n in names & old.keys()))
            if is_new(value) or (names and names <= old.keys()):
                known.append(target)
        for name in old.keys() - came.keys():
            heirs = (t for t, held in came.items() if held & old[name])
            self.holders[name] = old[name].difference(targets).union(heirs)
        for name in known:
            others = (t for t, held in came.items() if held & came[name])
            self.holders[name] = came[name].difference(targets).union((name,), others)

    def after(self, stmt: Stmt) -> None:
        """A statement has run."""
        match stmt:
            case Assign(targets=targets, values=values) if len(targets) == len(values):
                self._bind(targets, values)
            case Nest():
                pass  # binds no arrays
            case nodes.Mutate(base=base, args=args, target=target):
                names = nodes.names_in(base) | ({target} if target else set())
                self.holders.pop(target or "", None)
                self._join(set(names), names.union(*map(shared_names, args)))
            case nodes.Store(base=base, value=value):
                if not isinstance(base.type, Array | Scalar):  # a list holds one thing more
                    self._join(set(nodes.names_in(base)), shared_names(value))
            case _:
                inside = tuple(nodes.walk_block((stmt,)))
                self._forget(s for s in inside if not isinstance(s, Nest))

    def _forget(self, stmts: Iterable[Stmt]) -> None:
        """These statements have run, or some of them, in some order."""
        found: set[str] = set()
        for stmt in stmts:
            bound = _holders(stmt)
            if isinstance(stmt, nodes.Store | nodes.Mutate):
                plain = isinstance(stmt.base.type, Array | Scalar)
                found |= set() if plain else nodes.names_in(stmt.base)
            found |= set(bound)
            for target in bound:
                self.holders.pop(target, None)
        self.holders = {n: held | found for n, held in self.holders.items()}

    def _join(self, targets: set[str], names: frozenset[str]) -> None:
        for name, held in self.holders.items():
            if held & names:
                self.holders[name] = held | targets


def _holders(stmt: Stmt) -> tuple[str, ...]:
    """The names to which a statement may give an array: those of numbers hold none."""
    match stmt:
        case Assign(targets=targets, values=values) if len(targets) == len(values):
            pairs = zip(targets, values, strict=True)
            return tuple(t for t, v in pairs if not isinstance(v.type, Scalar))
        case nodes.For(sources=(Call(function=known),)) if known in (range, "range"):
            return ()
    return nodes.targets_of(stmt)


class AtOnePlace(Groups):
    """Groups at one place of a block. own: names that alone hold their arrays there, and these."""

    def __init__(self, groups: Groups, own: Mapping[str, str]) -> None:
        self._outside, self._own = groups, own

    def _find(self, name: str) -> str:
        return self._own.get(name) or self._outside.of(name)

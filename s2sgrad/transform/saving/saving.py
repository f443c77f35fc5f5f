"""Floor 5: which values the reverse sweep needs, and where they must be saved.

The first run of the reversal records what each statement's reverse code reads. A forward
data-flow pass then carries the set of variables whose present values are still needed; a
statement that overwrites one of them must save it ("to be recorded" analysis).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from s2sgrad.analysis.definite import surely_bound
from s2sgrad.analysis.effects import Effects, root
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.shape_reads import contents_read
from s2sgrad.ir import nodes
from s2sgrad.ir.decisions import Decision
from s2sgrad.ir.nodes import Block, Expr, Stmt
from s2sgrad.ir.types import Type
from s2sgrad.transform.saving import copies
from s2sgrad.transform.saving.deciding import Again, asked_for, kept_anyway, not_worth_it
from s2sgrad.transform.saving.fresh import Since
from s2sgrad.transform.saving.needs import (
    Names,
    Needs,
    asks_for_order,
    lasting_shape,
    lasting_size,
    made_of_none,
    memory_of,
    names_of,
    note_places,
    part_of,
    read_by,
    read_places,
    reads_what_it_writes,
    shape_may_change,
    turning_complex,
)
from s2sgrad.transform.saving.reaching import Reaching
from s2sgrad.transform.saving.stability import Stability
from s2sgrad.transform.saving.steady import steady_values


@dataclass
class Plan(Reaching, Stability):
    """Decisions about saving. Filled by `decide` after the first run."""

    body: Block
    effects: Effects
    aliases: dict[str, Expr]
    live_out: Names
    given: Names = frozenset()  # parameters, and values from outside
    lasting: Names = frozenset()  # variables whose memory other names may hold later on
    types: Mapping[str, Type] = field(default_factory=dict)
    filled: Names = frozenset()  # see Primal
    needs: dict[int, set[str]] = field(default_factory=dict)
    available: dict[Again, Names] = field(default_factory=dict)
    declined: set[Again] = field(default_factory=set)
    again: set[tuple[int, str]] = field(default_factory=set)
    saves: set[tuple[int, str]] = field(default_factory=set)
    locals: dict[int, list[str]] = field(default_factory=dict)
    counters: dict[int, str] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.head: dict[int, Names] = {}  # loop -> names live at its head
        self.after: dict[int, Names] = {}  # branch -> names live behind it
        self.parents: dict[int, list[Stmt]] = {}
        self.doubtful = made_of_none(self.body) | turning_complex(self.body, self.types)
        self.by_order = asks_for_order(self.body)
        self.sizes = frozenset(n for n, k in self.types.items() if lasting_size(k)) - self.doubtful
        self.steady = steady_values(self.body, self.given, self.types, self._written_by)
        self.sizes |= self.steady

        def visit(stmt: Stmt, live: Names) -> None:
            if isinstance(stmt, nodes.For | nodes.While):
                self.head[id(stmt)] = live
            else:
                self.after[id(stmt)] = live

        Liveness(visit=visit).block(self.body, self.live_out)
        self._nest(self.body, [])
        self.changes, self.reasons = {}, dict[int, tuple[Stmt, str, Names]]()
        self.computed: dict[int, tuple[Stmt, Decision]] = {}  # again, before others
        self.made: dict[int, Since | None] = {}  # a write -> what stands between it and the making
        self.places: dict[tuple[int, str], list[nodes.Index] | None] = {}
        self.shapes: set[tuple[int, str]] = set()  # (statement, what it reads by shape only)
        # (statement, array): it has saved itself what it reads; it reads it to compute it again
        self.settled, self.inputs = set[tuple[int, str]](), set[tuple[int, str]]()
        self.copied: copies.Saves = frozenset()
        self.told, self.covered = set(), set[tuple[int, str]]()  # covered: computed again for it
        self.decided, self.old = False, set[tuple[int, str]]()  # bindings: old value gives a shape
        self.order = {id(s): i for i, s in enumerate(nodes.walk_block(self.body))}
        self.stmts = {id(s): s for s in nodes.walk_block(self.body)}
        inside = {key: sum(1 for _ in nodes.walk_block((s,))) for key, s in self.stmts.items()}
        self.last = {key: self.order[key] + size - 1 for key, size in inside.items()}
        bound = [(s, t) for s in nodes.walk_block(self.body) for t in nodes.targets_of(s)]
        self.bound = surely_bound(self.body, self.given)
        times = Counter([*self.given, *(t for _, t in bound)])
        self.moving = {
            t for s, t in bound if self.loops_around(s) or isinstance(s, nodes.For) or times[t] > 1
        }

    def _nest(self, block: Block, above: list[Stmt]) -> None:
        for stmt in block:
            self.parents[id(stmt)] = above
            for inner in nodes.blocks(stmt):
                self._nest(inner, [*above, stmt])

    # --- what the first run reports ----------------------------------------------------------
    def record(self, stmt: Stmt, back: list[Stmt], primals: Names, elements: list[Stmt]) -> None:
        """Note what the reverse code of a statement reads. elements: what the reverse code of a
        loop itself does, to the cotangents of the items it goes through (shadows, perhaps)."""
        if not back:
            return
        found = self.needs.setdefault(id(stmt), set())
        if isinstance(stmt, nodes.If | nodes.For | nodes.While):
            self._record_header(stmt)
            found |= (self.free(elements) & primals) - set(nodes.targets_of(stmt))
        else:
            free = self.free(back) & primals
            found |= free
            self._record_places(stmt, back, free)
            exprs = [e for s in nodes.walk_block(tuple(back)) for e in nodes.expressions(s)]
            self.shapes |= {(id(stmt), name) for name in free - contents_read(*exprs)}

    def _record_header(self, stmt: nodes.If | nodes.For | nodes.While) -> None:
        """Note what says which way a branch is undone, and how often a loop."""
        found = self.needs.setdefault(id(stmt), set())
        if isinstance(stmt, nodes.If) and self.told_inside(stmt):
            found |= {n for n in nodes.names_in(stmt.test) if (id(stmt), n) not in self.covered}
        for expr in nodes.expressions(stmt) if isinstance(stmt, nodes.For) else ():
            names = nodes.names_in(expr)
            found |= names
            self.shapes |= {(id(stmt), name) for name in names - contents_read(expr)}

    def asks_shape(self, stmt: nodes.If, name: str) -> None:
        """Note that a branch leaves a cotangent zero, as long as its variable was ahead of it."""
        doubtful = shape_may_change(self.types.get(name)) and not self.told_inside(stmt)
        if not self.decided and (doubtful or name not in nodes.names_in(stmt.test)):
            self.needs.setdefault(id(stmt), set()).add(name)
            self.shapes.add((id(stmt), name))

    def _record_places(self, stmt: Stmt, back: list[Stmt], names: Names) -> None:
        """Which entries of an array are read, where all reads are plain subscripts."""
        for inner in nodes.walk_block(tuple(back)):
            for expr in nodes.expressions(inner):
                note_places(expr, id(stmt), names, self.places)
        for name in sorted(names & self.aliases.keys()):
            if (path := part_of(self.aliases.get(name))) is not None:
                note_places(path, id(stmt), nodes.names_in(path.base), self.places)

    def made_available(self, block: Block, name: str, i: int, position: int, inputs: Names) -> None:
        """What block[i] binds to a name is computed again before block[position] is undone."""
        self.available[Again(block, name, i, position)] = inputs

    def run_again(self, stmt: Stmt) -> bool:
        """Whether a statement whose reverse code reads its result may be run again for it."""
        return not self.decided or (id(stmt), stmt.targets[0]) in self.again  # type: ignore[attr-defined]

    def free(self, block: list[Stmt]) -> Names:
        """Names that statements read before they set them."""
        return Liveness().block(tuple(block), frozenset())[1]

    def bound_before(self, stmt: Stmt, name: str) -> bool:
        """Whether a name is bound before a statement, whichever way led there."""
        return name in self.bound[id(stmt)]

    def bound_earlier(self, stmt: Stmt, name: str) -> bool:
        """Whether something before a statement, or the outermost loop around it, binds a name."""
        first = (*self.loops_around(stmt), stmt)[0]
        return any(name in nodes.targets_of(s) for s in self.before(first))

    def before(self, stmt: Stmt) -> Block:
        """The statements that stand before one, on whatever path."""
        start = self.order[id(stmt)]
        return tuple(s for s in self.stmts.values() if self.order[id(s)] < start)

    def follows(self, name: str) -> bool:
        """Whether keeping a name is enough to have its value back: its memory is restored."""
        return name in self.aliases or name in self.lasting

    # --- decisions ---------------------------------------------------------------------------
    def must_save(self, stmt: Stmt, name: str) -> bool:
        """Whether the old value of a name is kept before a statement."""
        return (id(stmt), name) in self.saves

    def copies(self, stmt: Stmt, name: str) -> bool:
        """Whether a copy of the old value is kept there: its memory is not restored."""
        return (id(stmt), name) in self.copied

    def kept_locals(self, block: Block) -> list[str]:
        """Names bound in a block whose last values are kept for the reverse sweep."""
        return self.locals.get(id(block), [])

    def kept_names(self) -> Names:
        """All names of which some value is kept."""
        return frozenset(
            [*(n for names in self.locals.values() for n in names), *(n for _, n in self.saves)]
        )

    def decide(self) -> None:
        """Run the data flow on what was recorded.

        A statement is run again for its own result only where its target's old value is not
        saved: otherwise the result is there anyway.
        """
        recorded = {site: set(names) for site, names in self.needs.items()}
        self.declined = not_worth_it(self)
        self._choose(recorded)
        there = {found for found in self.available if kept_anyway(self, found)} - self.declined
        if there:
            self.declined |= there
            self._choose(recorded)
        kept = [key for key in self.again if key in self.saves]
        for key in kept:
            self.needs[key[0]].add(key[1])
            self.again.discard(key)
        if kept:
            self._flow_again()
        self.decided = True
        self.counters.clear()
        self.decisions.clear()

    def _choose(self, recorded: dict[int, set[str]]) -> None:
        """The data flow where what is not declined is computed again."""
        self.needs = {site: set(names) for site, names in recorded.items()}
        self.again.clear()
        self.covered.clear()
        chosen = asked_for(self.available, self.declined, recorded)
        self.inputs = {(id(f.site), n) for f in chosen for n in self.available[f]}
        for found in chosen:
            self.needs.setdefault(id(found.site), set()).update(self.available[found])
            read = contents_read(*nodes.expressions(found.block[found.i]))
            self.shapes -= {(id(found.site), name) for name in read}
        asking: dict[str, list[tuple[int, int]]] = {}  # name -> places and ids of what needs it
        for site, names in self.needs.items():
            for name in names:
                if site in self.order:
                    asking.setdefault(name, []).append((self.order[site], site))
        for places in asking.values():
            places.sort()
        for found in chosen:
            made, places = found.block[found.i], asking.get(found.name, [])
            first, last = (self.order[id(made)], 0), (self.last[id(found.site)] + 1, 0)
            for _, site in places[bisect_left(places, first) : bisect_left(places, last)]:
                if site == id(made) and found.name in self.needs[site]:
                    self.again.add((site, found.name))
                self.needs[site].discard(found.name)
                self.covered.add((site, found.name))
                if found.name in self.aliases and site != id(found.site):
                    self._still_needs(site, found)  # only the name is there again
        self._flow_again()

    def _still_needs(self, site: int, found: Again) -> None:
        """Note that a statement reads memory by another name for it, which is bound again."""
        names = self.available[found]
        if (site, found.name) in self.shapes:  # of others than it reads itself
            self.shapes |= {(site, name) for name in names - self.needs[site]}
        else:
            self.shapes -= {(site, name) for name in names}
        self.needs[site] |= names

    def _flow_again(self) -> None:
        self.copied = frozenset()
        self._flow_anew()
        for moves in copies.turns(self):
            before, copied = frozenset(self.saves), self.copied
            self.copied |= moves
            self._flow_anew()
            if not copies.better(self, moves, before):
                self.copied = copied
                self._flow_anew()

    def _flow_anew(self) -> None:
        self.saves.clear()
        self.settled.clear()
        self.locals.clear()
        self._flow(self.body, frozenset(), False)

    def _needed(self, stmt: Stmt) -> Needs:
        names = set(self.needs.get(id(stmt), ()))
        for name in list(names):
            if name in self.aliases:
                names |= nodes.names_in(self.aliases[name])
        return frozenset((n, id(stmt)) for n in names)

    def _flow(self, block: Block, needed: Needs, in_loop: bool) -> Needs:
        for stmt in block:
            needed = self._flow_stmt(stmt, needed, in_loop)
        return needed

    def _flow_stmt(self, stmt: Stmt, needed: Needs, in_loop: bool) -> Needs:
        own = self._needed(stmt)
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                first = self._branch(stmt, then, needed, in_loop)
                second = self._branch(stmt, orelse, needed, in_loop)
                return first | second | own | self._steering(stmt)
            case nodes.For(body=body) | nodes.While(body=body):
                return self._loop(stmt, body, needed) | own | self._steering(stmt)
            case nodes.Store(base=base) | nodes.Mutate(base=base):
                name = root(base)
                asked = (id(stmt), name) in self.old or (
                    name not in self.filled and self._touches(name or "", needed | own, stmt)
                )
                if name is not None and asked:
                    self.saves.add((id(stmt), name))
                    read = {(n, id(stmt)) for n in read_places(stmt)}  # to put it back
                    self.shapes -= {(site, n) for n, site in read}
                    own = own | read
                    key = id(stmt), name
                    if key not in self.inputs and reads_what_it_writes(
                        stmt, name, self.places.get(key)
                    ):
                        self.settled.add(key)
        targets = frozenset(nodes.targets_of(stmt))
        wanted = frozenset(need for need in needed if need[0] in targets)
        held = self._by_value(wanted) | {t for t in targets if (id(stmt), t) in self.old}
        for target in targets:
            if target in held or (target in names_of(own) and target in read_by(stmt)):
                self.saves.add((id(stmt), target))
        copied = frozenset(t for t in targets if self.copies(stmt, t))
        return self._rebound(needed, targets, copied) | own

    def _steering(self, stmt: nodes.If | nodes.For | nodes.While) -> Needs:
        """What says which way back to go, where something inside a branch or loop is undone: in
        the first run it may have had no reverse code."""
        saved = {site for site, _ in self.saves}
        if not any(id(s) in saved or self._keeps(s) for s in nodes.walk_block((stmt,))):
            return frozenset()
        self._record_header(stmt)
        return self._needed(stmt)

    def _keeps(self, stmt: Stmt) -> bool:
        return any(self.locals.get(id(block)) for block in nodes.blocks(stmt))

    def _rebound(self, needed: Needs, names: Names, copied: Names = frozenset()) -> Needs:
        """The needs once names have been saved: what only a name was kept of stays needed."""
        gone = frozenset(need for need in needed if need[0] in names)
        values = {
            (n, s) for n, s in gone if n in self.lasting - copied and (s, n) not in self.shapes
        }
        memory = {(memory_of(self.effects.find(n)), s) for n, s in values}
        return (needed - gone) | memory

    def _branch(self, stmt: nodes.If, block: Block, needed: Needs, in_loop: bool) -> Needs:
        ended = self._flow(block, needed, in_loop)
        if not in_loop:
            return ended
        inside = nodes.bound_in(block)
        names = sorted(self._by_value(ended))
        own = [n for n in names if n in inside and n not in self.after[id(stmt)]]
        self._keep(block, own)
        return self._rebound(ended, frozenset(own))

    def _loop(self, stmt: nodes.For | nodes.While, body: Block, needed: Needs) -> Needs:
        targets = frozenset(nodes.targets_of(stmt))
        inside = nodes.bound_in(body)
        head = needed
        while True:
            ended = self._flow(body, head, True)
            names = sorted(self._by_value(ended) - targets)
            own = [n for n in names if n in inside and n not in self.head[id(stmt)]]
            self._keep(body, own)
            grown = head | self._rebound(ended, frozenset(own) | targets)
            if grown == head:
                return head
            head = grown

    def _by_value(self, needs: Needs) -> Names:
        """The names that are needed for more than a shape or size that they have throughout."""
        found = (n for n, s in needs if (s, n) not in self.shapes or self._may_change(n))
        return frozenset(found) - self.sizes

    def _may_change(self, name: str) -> bool:
        return name in self.doubtful or not lasting_shape(self.types.get(name))

    def _keep(self, block: Block, names: list[str]) -> None:
        kept = self.locals.setdefault(id(block), [])
        kept += [n for n in names if n not in kept]

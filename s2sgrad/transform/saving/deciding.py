"""Floor 5: whether a value is kept for the reverse sweep or computed again there, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from s2sgrad.analysis.costs import COMPILED, present
from s2sgrad.analysis.effects import has_effect
from s2sgrad.errors import Span
from s2sgrad.ir import nodes
from s2sgrad.ir.decisions import Decision
from s2sgrad.ir.nodes import Block, Stmt
from s2sgrad.ir.types import Array, Scalar

LITTLE = 4  # times what keeping a number costs: a few divisions, and no exponential


@dataclass(frozen=True, eq=False)
class Again:
    """What block[i] binds to a name may be computed again before block[position] is undone."""

    block: Block
    name: str
    i: int
    position: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Again) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[int, str, int, int]:
        return id(self.block), self.name, self.i, self.position

    @property
    def site(self) -> Stmt:
        """The statement that is undone after it."""
        return self.block[self.position]


def not_worth_it(plan: Any) -> set[Again]:
    """Values that had better be kept: else what they are computed from would be, for them only.

    Unless several are computed from it that would be kept otherwise: a limiter's two slopes from
    the field that the step overwrites.
    """
    blocks: dict[int, list[Again]] = {}
    for found in sorted(plan.available, key=lambda a: a.i):
        blocks.setdefault(id(found.block), []).append(found)
    declined: set[Again] = set()
    for listed in blocks.values():
        held = _Kept(plan, listed[0].block)
        least = held.declined(listed)
        for name in held.saved_by(listed):
            fewer = held.declined(listed, name) if present() is COMPILED else least
            if held.saving(least - fewer, fewer) > held.cost(name):
                held.kept.add(name)
                least = fewer
        declined |= least
    return declined


def asked_for(
    available: dict[Again, frozenset[str]], declined: set[Again], needs: dict[int, set[str]]
) -> list[Again]:
    """Values to compute again: not those that only what is kept would be computed from."""
    chosen = [found for found in available if found not in declined]
    while True:
        asked = {(id(f.site), name) for f in chosen for name in available[f]}
        left = [
            f
            for f in chosen
            if nodes.blocks(f.site)  # what is in it asks
            or f.name in needs.get(id(f.site), ())
            or (id(f.site), f.name) in asked
        ]
        if len(left) == len(chosen):
            return chosen
        chosen = left


def kept_anyway(plan: Any, found: Again) -> bool:
    """Whether a value is kept when its block is left, for other statements: then it is there."""
    if found.name not in plan.kept_locals(found.block) or found.name in plan.aliases:
        return False
    return not any(found.name in nodes.targets_of(s) for s in found.block[found.i + 1 :])


class _Kept:
    """Which values the reverse code of one block has at hand in any case.

    kept: those that are kept so that others are computed from them.
    """

    def __init__(self, plan: Any, block: Block) -> None:
        self.plan, self.block = plan, block
        self.again: set[tuple[str, int]] = set()
        self.kept: set[str] = set()
        self.written = [plan.written_in((stmt,)) for stmt in block]
        loop = plan.loops_around(block[0])[-1]
        self.changing = plan.written_in(loop.body)
        self.needed: dict[str, set[int]] = {}  # name -> statements right after which
        for at, stmt in enumerate(block):
            gone: set[str] = set()  # written by now, in a branch
            for inner in nodes.walk_block((stmt,)):
                if isinstance(stmt, nodes.If) and inner is not stmt:
                    gone |= plan.written_in((inner,))
                for name in plan.needs.get(id(inner), ()):
                    before = isinstance(stmt, nodes.If) and name not in gone
                    self.needed.setdefault(name, set()).add(at - 1 if before else at)

    def declined(self, listed: list[Again], more: str = "") -> set[Again]:
        """Those that are not computed again. more: a value that is kept for them."""
        self.again = set()
        found: set[Again] = set()
        for one in listed:
            value = one.block[one.i].values[0]  # type: ignore[attr-defined]
            free = one.name in self.plan.aliases or not present().price(value)
            inputs = self.plan.available[one] - {more}
            if free or all(self.anyway(n, one.position) for n in inputs):
                self.again.add((one.name, one.position))
            else:
                found.add(one)
        return found

    def saved_by(self, listed: list[Again]) -> list[str]:
        """Arrays that are changed here, and not computed here: values may be computed from them."""
        computed = {one.name for one in listed}
        inputs = {n for one in listed for n in self.plan.available[one]} & self.changing
        arrays = (n for n in inputs if isinstance(self.plan.types.get(n), Array))
        return sorted(n for n in arrays if n not in computed and n not in self.plan.aliases)

    def cost(self, name: str) -> float:
        """What keeping an array costs: all of it wherever it changes here, but for single
        entries; more than anything inside another loop."""
        total = 0.0
        for stmt, written in zip(self.block, self.written, strict=True):
            if name not in written:
                continue
            if nodes.blocks(stmt):
                return math.inf
            single = isinstance(stmt, nodes.Store) and all(
                isinstance(part.type, Scalar) or isinstance(part, nodes.Const)
                for part in stmt.index
            )
            total += 0.0 if single and stmt.index else present().array.keep  # type: ignore[attr-defined]
        return total

    def saving(self, gone: set[Again], left: set[Again]) -> float:
        """What it saves to compute values again that are kept otherwise. left: those that are
        kept all the same."""
        total = 0.0
        for name in sorted({one.name for one in gone} - {one.name for one in left}):
            ones = [one for one in gone if one.name == name]
            value = ones[0].block[ones[0].i].values[0]  # type: ignore[attr-defined]
            at = {one.position for one in ones} | {p for n, p in self.again if n == name}
            if isinstance(value.type, Array) and self.needed.get(name, set()) <= at:
                total += present().array.keep - present().price(value)
        return total

    def anyway(self, name: str, position: int) -> bool:
        """Whether the value of a name after block[position] is there when that is undone."""
        if name not in self.changing or (name, position) in self.again or name in self.kept:
            return True
        return any(
            not any(name in w for w in self.written[min(at, position) + 1 : max(at, position) + 1])
            for at in self.needed.get(name, ())
        )


def kept_because(plan: Any, block: Block, i: int, position: int) -> str:
    """Why what block[i] binds can't, or should not, be computed again before the reverse code of
    block[position]; "" where it is."""
    stmt = block[i]
    assert isinstance(stmt, nodes.Assign)
    if id(stmt) not in plan.reasons:  # asked of many positions
        plan.reasons[id(stmt)] = stmt, _kept_anywhere(plan, stmt), nodes.names_in(stmt.values[0])
    _, why, names = plan.reasons[id(stmt)]
    if why:
        return why  # type: ignore[no-any-return]
    name = stmt.targets[0]
    last = plan.last_bound if name in plan.aliases else plan.last_written
    lost = sorted(n for n in {name, *names} if last(block, n, position) > i)
    if lost:
        return f"{lost[0]} changes before it is needed"
    if name in plan.aliases and plan.moves_entry(block, i, position):
        return "another one is in its place before it is needed"
    declined = Again(block, name, i, position) in plan.declined
    if not declined:
        return ""
    if kept_anyway(plan, Again(block, name, i, position)):
        return "it is kept for another statement"
    return "else what it is computed from would have to be kept"


def _kept_anywhere(plan: Any, stmt: nodes.Assign) -> str:
    """Why what a statement binds is kept, whatever it is needed for; "" where it may not be."""
    value, name = stmt.values[0], stmt.targets[0]
    costs, view = present(), name in plan.aliases  # a view is one of the array that is restored
    if not view and not costs.cheap(value) and not _same_throughout(plan, stmt):
        return costs.compared(value)
    if has_effect(value):
        return "computing it again would have effects"
    if name in nodes.names_in(value):
        return "it is computed from its own old value"
    if plan.effects.is_written(name) and name not in plan.aliases:
        return "it is written in place"
    return ""


def _same_throughout(plan: Any, stmt: nodes.Assign) -> bool:
    """Whether a value is the same number in all iterations of a loop, and no more than arithmetic:
    compilers then take it out of the loop."""
    value = stmt.values[0]
    around = plan.loops_around(stmt)
    if not around or not isinstance(value.type, Scalar) or present() is not COMPILED:
        return False
    plain = present().price(value) <= LITTLE * present().number.keep
    return plain and not nodes.names_in(value) & plan.written_in(around[-1].body)


def kept_after_block(plan: Any, block: Block, name: str) -> str:
    """Why the last value of a name bound in a block is kept when the block is left."""
    last = max((i for i, s in enumerate(block) if name in nodes.targets_of(s)), default=None)
    if last is None or not isinstance(block[last], nodes.Assign):
        return "the next step overwrites it"
    if len(block[last].targets) > 1:  # type: ignore[attr-defined]
        return "the next step overwrites it"
    return kept_because(plan, block, last, len(block) - 1) or "the next step overwrites it"


def place_of(stmt: Stmt, block: Block, name: str) -> Span | None:
    """The user's line of a statement, or of the one in its block that binds the name."""
    bound = [s.span for s in block if s.span and name in nodes.targets_of(s)]
    return bound[-1] if bound else stmt.span


def again(plan: Any, stmt: nodes.Assign) -> Decision:
    """What a statement binds is computed again."""
    if id(stmt) not in plan.computed:  # before many others
        value = stmt.values[0]
        why = "" if present().cheap(value) else "it is the same in every iteration; "
        told = Decision(stmt.targets[0], stmt.span, why + present().compared(value))
        plan.computed[id(stmt)] = stmt, told
    return plan.computed[id(stmt)][1]  # type: ignore[no-any-return]


__all__ = [
    "Again",
    "again",
    "asked_for",
    "kept_after_block",
    "kept_anyway",
    "kept_because",
    "not_worth_it",
    "place_of",
]

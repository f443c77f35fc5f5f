"""Floor 5: sine and cosine of the same value are one statement while the code is reversed.

    s = np.sin(a)        s, c = np.sin(a), np.cos(a)        a_bar += s_bar * c - c_bar * s
    c = np.cos(a)

The derivative of each is the other. The reverse code of a statement may read what that statement
has bound, so that both are there for it; of two statements the later one would be undone before
the code of the earlier one runs. Afterwards they are two statements again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Set
from dataclasses import replace
from itertools import combinations

import numpy as np

from s2sgrad.analysis.effects import Effects, has_effect, root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Stmt
from s2sgrad.transform.writing.rewrite import map_block

_PARTNERS = {"sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh"}
_KINDS = {id(getattr(library, name)): name for library in (np, math) for name in _PARTNERS}


class Partners:
    """Joins statements, and takes them apart again. names: what holds a value with a partner in the
    same statement, which the reverse code of that statement may read."""

    def __init__(self, shared: Effects, active: frozenset[str]) -> None:
        self.shared, self.active = shared, active
        self.joined: dict[tuple[str, ...], tuple[Stmt, Stmt]] = {}
        self.names: set[str] = set()
        self.bound: Counter[str] = Counter()
        self.kept: Set[str] = frozenset()
        self.asked = self.found = False  # whether loops have partners, and keep values of them

    def join(self, block: Block, kept: Set[str]) -> Block:
        """The body with one statement for each two partners. kept: what loops keep in any case:
        only to read what one of its steps has computed, nothing is kept."""
        self.bound = Counter(t for s in nodes.walk_block(block) for t in nodes.targets_of(s))
        self.kept = kept
        return self._block(block, False)

    def apart(self, block: list[Stmt]) -> list[Stmt]:
        """The statements, where what was joined is two statements."""
        return list(map_block(tuple(block), lambda e: e, self._ones)) if self.joined else block

    def _ones(self, stmt: Stmt) -> list[Stmt]:
        two = self.joined.get(stmt.targets) if isinstance(stmt, Assign) else None
        return [stmt] if two is None else list(two)

    def _block(self, block: Block, inside: bool) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case nodes.If(then=then, orelse=orelse):
                    stmt = replace(
                        stmt, then=self._block(then, inside), orelse=self._block(orelse, inside)
                    )
                case nodes.For(body=body) | nodes.While(body=body):
                    stmt = replace(stmt, body=self._block(body, True))
                case Assign(targets=(_, _, *_)):
                    self._note_pairs(stmt, inside)
            place = self._partner(stmt, result)
            pair = None if place is None else _together(result[place], stmt)
            if place is None or pair is None or not self._note(pair.targets, inside):
                result.append(stmt)
                continue
            self.joined[pair.targets] = result[place], stmt
            result[place] = pair
        return tuple(result)

    def _note(self, names: tuple[str, ...], inside: bool) -> bool:
        """Note partners that may be read. inside: in a loop."""
        self.asked |= inside
        if inside and not self.kept & set(names):
            return False
        self.found |= inside
        self.names |= set(names)
        return True

    def _note_pairs(self, stmt: Assign, inside: bool) -> None:
        """Note the partners in a statement that the user wrote as one."""
        read = {n for v in stmt.values for n in nodes.names_in(v)}
        if read & set(stmt.targets):
            return
        ones = [Assign((t,), (v,)) for t, v in zip(stmt.targets, stmt.values, strict=True)]
        calls = [(one.targets[0], call) for one in ones if (call := self._call(one)) is not None]
        for (name, call), (other, found) in combinations(calls, 2):
            if _are_partners(call, found):
                self._note((name, other), inside)

    def _partner(self, stmt: Stmt, before: list[Stmt]) -> int | None:
        """Where the partner of a statement stands, if the statement might stand there as well."""
        call = self._call(stmt)
        if call is None:
            return None
        (name,) = nodes.targets_of(stmt)
        read = nodes.names_in(call)
        for place in range(len(before) - 1, -1, -1):
            other = before[place]
            found = self._call(other)
            if found is not None and _are_partners(call, found):
                return place
            if self._meets(other, name, read):
                return None
        return None

    def _call(self, stmt: Stmt) -> Call | None:
        """What a statement binds to a name that keeps it, where it has a partner."""
        match stmt:
            case Assign(targets=(name,), values=(Call(args=(_,), kwargs=()) as call,)):
                own = name in self.active and name not in nodes.names_in(call)
                lasting = self.bound[name] == 1 and not self.shared.is_written(name)
                if own and lasting and id(call.function) in _KINDS and not has_effect(call):
                    return call
        return None

    def _meets(self, stmt: Stmt, name: str, read: frozenset[str]) -> bool:
        """Whether a statement changes what another reads, or binds its name or reads it."""
        if not isinstance(stmt, Assign | nodes.Store | nodes.Mutate | nodes.Comment):
            return True
        if isinstance(stmt, nodes.Store | nodes.Mutate):
            base = root(stmt.base)
            if base is None or {base, *self.shared.members(base)} & read:
                return True
        used = {n for e in nodes.expressions(stmt) for n in nodes.names_in(e)}
        return bool(read & set(nodes.targets_of(stmt))) or name in used


def _together(first: Stmt, second: Stmt) -> Assign:
    assert isinstance(first, Assign)
    assert isinstance(second, Assign)
    targets, values = first.targets + second.targets, first.values + second.values
    return replace(first, targets=targets, values=values)


def _are_partners(one: Call, other: Call) -> bool:
    found, kind = _KINDS[id(one.function)], _KINDS[id(other.function)]
    return _PARTNERS[found] == kind and one.args == other.args


def is_same(expr: Expr, call: Expr) -> bool:
    """Whether an expression is what a call computes, by whatever name the user calls that."""
    if not isinstance(expr, Call) or not isinstance(call, Call):
        return False
    kind = _KINDS.get(id(expr.function))
    alike = kind is not None and kind == _KINDS.get(id(call.function))
    return alike and expr.args == call.args and not expr.kwargs


__all__ = ["Partners", "is_same"]

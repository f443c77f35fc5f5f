"""Floor 6: one name and one piece of memory for what is one array to the program.

- `b = a` makes no second array: where both stay as they are, `a` is read in place of `b`;
- `x = x * 0.5 + y` in a loop writes into the x that is there, if no other name holds it.

Nests that read and write one array under one name can be joined, and loops around them turned.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import root
from s2sgrad.analysis.holders import Sharing
from s2sgrad.backend.loops.aliases import Groups, shared_names
from s2sgrad.backend.loops.elements import is_elementwise
from s2sgrad.backend.loops.made_new import NewArrays
from s2sgrad.backend.loops.steps import with_whole_steps
from s2sgrad.backend.loops.writes import array_reads
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Function, Stmt, Var
from s2sgrad.ir.types import Array
from s2sgrad.transform.writing.rewrite import map_block

RESERVED = (  # names that the generated text uses itself
    "objmode", "njit", "compiled_form", "slice_bound", "np", "UnequalLengths",
    "block_length", "joint_length", "spread_length",
    "add_to", "add_product", "larger_of", "smaller_of", "masked_entry",
)  # fmt: skip


def without_second_names(function: Function, also: frozenset[str] = frozenset()) -> Function:
    """The function with the first name of an array in place of a second one. also: second names of
    numbers that are to go."""
    stmts = list(nodes.walk_block(function.body))
    bound = Counter(t for s in stmts for t in nodes.targets_of(s))
    given = set(function.parameters) | set(function.inputs)
    once = {n for n, k in bound.items() if k == 1 and n not in given}
    if not any(_second_name(s, once, also) for s in stmts):
        return function
    scopes = _Scopes(once, also)
    scopes.block(function.body)
    uses = Counter(n for s in stmts for e in nodes.expressions(s) for n in _named(e))
    firsts = {
        name: first
        for name, first in scopes.first.items()
        if name not in scopes.lost and scopes.seen[name] == uses[name]
    }

    def read(expr: Expr) -> Expr:
        return firsts.get(expr.name, expr) if isinstance(expr, Var) else expr

    def drop(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Assign(targets=(name,), values=(Var(name=same),)) if name == same:
                return []  # `v = w`, where w is v by now
        return [] if set(nodes.targets_of(stmt)) & set(firsts) else [stmt]

    return replace(function, body=map_block(function.body, read, drop)) if firsts else function


def _second_name(stmt: Stmt, once: set[str], also: frozenset[str]) -> tuple[str, Var] | None:
    """(name, what it is another name of), for an array's name that is bound in one place."""
    match stmt:
        case nodes.Assign(targets=(name,), values=(Var() as first,)):
            asked = isinstance(first.type, Array) or name in also
            if asked and name in once and first.name != name:
                return name, first
    return None


def _named(expr: Expr) -> list[str]:
    return [n.name for n in nodes.walk(expr) if isinstance(n, Var)]


class _Scopes:
    """Counts the uses of second names behind their statement, in its block.

    over: those whose first name has been bound anew there; lost: those that are used after that.
    (A use elsewhere may be one of another iteration.)
    """

    def __init__(self, once: set[str], also: frozenset[str]) -> None:
        self.once, self.also = once, also
        self.first: dict[str, Var] = {}
        self.seen: Counter[str] = Counter()
        self.over: set[str] = set()
        self.lost: set[str] = set()
        self.open: list[str] = []

    def block(self, block: Block) -> None:
        depth = len(self.open)
        for stmt in block:
            used = [n for e in nodes.expressions(stmt) for n in _named(e) if n in self.open]
            self.seen.update(used)
            self.lost |= self.over.intersection(used)
            if self.open:
                self._bind(stmt)
            for inner in nodes.blocks(stmt):
                self.block(inner)
            found = _second_name(stmt, self.once, self.also)
            if found is not None:
                name, first = found
                known = first.name in self.open and first.name not in self.over
                self.first[name] = self.first[first.name] if known else first
                self.open.append(name)
        del self.open[depth:]

    def _bind(self, stmt: Stmt) -> None:
        """What a statement binds; a loop may have bound it before any use in it."""
        loop = isinstance(stmt, nodes.For | nodes.While)
        stmts = nodes.walk_block((stmt,)) if loop else (stmt,)
        targets = {t for s in stmts for t in nodes.targets_of(s)}
        targets -= self._given_back(stmt)
        self.over |= {n for n in self.open if self.first[n].name in targets}

    def _given_back(self, stmt: Stmt) -> set[str]:
        """The name that a statement binds to what it holds anyway: `b = a; ...; a = b`."""
        match stmt:
            case nodes.Assign(targets=(name,), values=(Var(name=second),)):
                held = second in self.open and second not in self.over
                return {name} if held and self.first[second].name == name else set()
        return set()


def rebound_in_place(function: Function, outer: Function | None = None) -> Function:
    """The function with writes in place of new arrays. outer: what it is a piece of.

    `x_bar = W` ahead of a loop is `x_bar = W.copy()` where the loop may write into the copy.
    """
    function = with_whole_steps(function, outer)
    made, handed = _made_anew(function)
    if not made | handed:
        return function
    handed = set() if outer else handed - _written_by_others(function, handed)
    if handed:
        tried = _Rebinding(function, outer, made, handed)
        tried.block(_with_copies(function.body, handed))
        handed &= tried.written_in_loops
    owned = _Rebinding(function, outer, made, handed)
    return replace(function, body=owned.block(_with_copies(function.body, handed)))


def _made_anew(function: Function) -> tuple[set[str], set[str]]:
    """Arrays that are made anew wherever they are bound, of one type; and those that are another
    array at first, ahead of all loops."""
    values: dict[str, list[Expr | None]] = {}
    for stmt in nodes.walk_block(function.body):
        for k, target in enumerate(nodes.targets_of(stmt)):
            value = stmt.values[k] if isinstance(stmt, nodes.Assign) else None
            values.setdefault(target, []).append(value)
    twice = {n: v for n, v in values.items() if len(v) > 1 and n not in function.parameters}
    made = {n for n, v in twice.items() if all(_is_made(e, v[-1]) for e in v)}
    first = {t for s in function.body for t in nodes.targets_of(s) if _is_handed(s)}
    handed = {
        n
        for n, (value, *later) in twice.items()
        if n in first and isinstance(value, Var) and value.type == getattr(later[0], "type", None)
        if all(_is_made(e, later[0]) for e in later)
    }
    return made, handed


def _written_by_others(function: Function, handed: set[str]) -> set[str]:
    """Those of such names that are written in place while another name may hold the array: a copy
    would not be written."""
    if not handed:
        return set()
    groups, sharing = Groups(function), Sharing(function.body)
    stores = (s for s in nodes.walk_block(function.body) if isinstance(s, nodes.Store))
    written = {
        groups.of(name)
        for s in stores
        if (name := root(s.base)) is not None and not sharing.is_own(s, name)
    }
    return {name for name in handed if groups.of(name) in written}


def _is_handed(stmt: Stmt) -> bool:
    match stmt:
        case nodes.Assign(targets=(_,), values=(Var(type=Array()),)):
            return True
    return False


def _with_copies(block: Block, handed: set[str]) -> Block:
    """The block, where names of these get copies of the arrays that they get."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.Assign(targets=(name,), values=(Var() as value,)) if name in handed:
                copy = nodes.Call(np.copy, "copy", (value,), form="method", type=value.type)
                stmt = replace(stmt, values=(copy,))
        result.append(stmt)
    return tuple(result)


def _is_made(value: Expr | None, like: Expr | None) -> bool:
    """Whether a value is a new array, as large as another."""
    if value is None or like is None or isinstance(value, Var):
        return False
    kind = value.type
    if not isinstance(kind, Array) or not kind.shape or None in kind.shape:
        return False
    return kind == like.type and not shared_names(value)


class _Rebinding:
    """Writes into the arrays of names that alone hold them. written_in_loops: those names."""

    def __init__(
        self, function: Function, outer: Function | None, made: set[str], handed: set[str]
    ) -> None:
        body = _with_copies(function.body, handed)
        self.kept = made | handed
        self.new = NewArrays(Groups(replace(function, body=body), outer))
        self.loops = 0
        self.written_in_loops: set[str] = set()

    def block(self, block: Block) -> Block:
        """The block with writes in place of new arrays."""
        result: list[Stmt] = []
        for stmt in block:
            result.append(self._statement(stmt))
            self.new.after(result[-1])
        return tuple(result)

    def _statement(self, stmt: Stmt) -> Stmt:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                return replace(stmt, then=self._inner(then), orelse=self._inner(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                self.loops += 1
                stmt = replace(stmt, body=self._inner(body))
                self.loops -= 1
            case nodes.Assign(targets=(name,), values=(value,)) if name in self.kept:
                if name in self.new.own() and _reads_in_step(value, name):
                    self.written_in_loops |= {name} if self.loops else set()
                    return nodes.Store(Var(name, type=value.type), (), value, span=stmt.span)
        return stmt

    def _inner(self, block: Block) -> Block:
        outside, self.new = self.new, self.new.entering(block)
        result = self.block(block)
        self.new = outside
        return result


def _reads_in_step(value: Expr, name: str) -> bool:
    """Whether an entry is computed from no other entry of the array than itself."""
    if not is_elementwise(value):
        return False
    reads = [r for r in array_reads(value) if name in nodes.names_in(r)]
    return all(r == Var(name) for r in reads)


__all__ = ["RESERVED", "rebound_in_place", "without_second_names"]

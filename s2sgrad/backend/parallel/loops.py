"""Floor 6: loops on all cores: those whose iterations are independent, the outermost ones.

Numbers and arrays that iterations only add to are added up by each thread for itself, and the
parts are added in the order of the threads: no race, and the same result for the same number of
threads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.analysis.liveness import After
from s2sgrad.backend.jit.outside import OnThreads
from s2sgrad.backend.loops.aliases import Groups, shared_names
from s2sgrad.backend.parallel.access import (
    Dependent,
    Space,
    bound_in,
    check_statements,
    conflicts,
    low,
    read_first,
)
from s2sgrad.backend.parallel.sums import Threads, number_sums
from s2sgrad.backend.parallel.volumes import Volumes
from s2sgrad.errors import Span
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, For, Function, Stmt, Var
from s2sgrad.ir.types import INT, Array
from s2sgrad.transform.writing import build

FEWEST = 8  # iterations; fewer are not worth the start of the threads
WORTH = (
    20_000  # entries from which threads are started over and over, in a loop that waits for them
)


@dataclass(frozen=True)
class Verdict:
    """One loop: where it is from, its variable, and why it is not parallel ('': it is)."""

    span: Span | None
    target: str
    why: str = ""


def parallel_loops(
    function: Function, outer: Function | None = None
) -> tuple[Function, list[Verdict]]:
    """The function with independent loops on all cores, and what was found out for each loop."""
    types = dict(function.types)
    names = Names(set(types) | set(function.parameters) | {"prange", "get_num_threads", "np"})
    walk = After()
    walk.block(function.body, frozenset())
    volumes = Volumes(function.body, types)
    finder = Finder(Groups(function, outer), walk.after, Threads(names, types), volumes)
    body = finder.block(function.body, frozenset(), {})
    return replace(function, body=body, types=types), finder.verdicts


@dataclass
class Finder:
    """Walks blocks from the outside in. live: what is read after each statement."""

    groups: Groups
    live: dict[int, frozenset[str]]
    threads: Threads
    volumes: Volumes
    verdicts: list[Verdict] = field(default_factory=list)
    waiting: int = 0  # loops around that run one iteration after the other

    def block(self, block: Block, distinct: frozenset[str], lows: dict[str, int]) -> Block:
        """distinct: arrays known to share no memory. lows: least values of loop variables."""
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case For():
                    result += self._loop(stmt, _kept(distinct, stmt.body), lows)
                case nodes.While(body=body):
                    result.append(replace(stmt, body=self._in_turn(body, distinct, lows)))
                case nodes.If(then=then, orelse=orelse):
                    result.append(
                        replace(
                            stmt,
                            then=self.block(then, distinct, lows),
                            orelse=self.block(orelse, distinct, lows),
                        )
                    )
                case _:
                    result.append(stmt)
            distinct = _distinct(distinct, stmt)
        return tuple(result)

    def _loop(self, loop: For, distinct: frozenset[str], lows: dict[str, int]) -> list[Stmt]:
        inner = dict(lows)
        for target in loop.targets:
            inner.pop(target, None)
        found = span_of(loop)
        if found is not None:
            least = low(found[0], lows)
            if least is not None and loop.targets[0] not in bound_in(loop.body):
                inner[loop.targets[0]] = least
        try:
            stmts = self._parallel(loop, distinct, inner)
        except Dependent as why:
            self.verdicts.append(Verdict(_place(loop), ", ".join(loop.targets), str(why)))
            return [replace(loop, body=self._in_turn(loop.body, distinct, inner))]
        self.verdicts.append(Verdict(_place(loop), loop.targets[0]))
        if not self.waiting:
            return stmts
        return [nodes.If(build.binary(">", entries(loop), integer(WORTH)), tuple(stmts), (loop,))]

    def _in_turn(self, body: Block, distinct: frozenset[str], lows: dict[str, int]) -> Block:
        """The body of a loop that is not parallel itself."""
        self.waiting += 1
        result = self.block(body, _kept(distinct, body), lows)
        self.waiting -= 1
        return result

    def _parallel(self, loop: For, distinct: frozenset[str], lows: dict[str, int]) -> list[Stmt]:
        """The loop on all cores; raises Dependent."""
        bounds = span_of(loop)
        if bounds is None:
            raise Dependent("it does not run over a range with steps of one")
        start, stop = bounds
        known = isinstance(start, Const) and isinstance(stop, Const)
        if known and stop.value - start.value < FEWEST:  # type: ignore[attr-defined]
            raise Dependent("it has few iterations")
        check_statements(loop.body)
        target, changing = loop.targets[0], bound_in(loop.body)
        later = self.live.get(id(loop), frozenset())
        if target in changing or target in later:
            raise Dependent(f"{target!r} is used beyond it")
        sums = number_sums(loop.body, read_first(loop.body) & changing)
        last = sorted((changing - set(sums)) & later)
        if last:
            raise Dependent(f"the last value of {last[0]!r} is used after it")
        space = Space(target, lows.get(target), changing)
        arrays = conflicts(loop.body, space, self.groups, distinct)
        for name in arrays:
            kind = self.threads.types.get(name)
            if not isinstance(kind, Array) or not kind.shape or kind.dtype is None:
                raise Dependent(f"iterations may meet in an entry of {name!r}")
        if self.volumes.is_small(loop):
            raise Dependent("it takes no time beside other loops")
        if not sums and not arrays:
            return [OnThreads(loop.targets, (prange(start, stop),), loop.body, span=loop.span)]
        return self.threads.apart(loop, start, stop, sums, arrays)


def _place(loop: For) -> Span | None:
    """The user's line of a loop, or of the first statement in it."""
    return next((s.span for s in nodes.walk_block((loop,)) if s.span), None)


def _distinct(distinct: frozenset[str], stmt: Stmt) -> frozenset[str]:
    """The names of arrays that share no memory, after a statement."""
    distinct = _kept(distinct, (stmt,))
    if isinstance(stmt, nodes.Assign):
        made = {
            t
            for t, v in zip(stmt.targets, stmt.values, strict=True)
            if not shared_names(v) and isinstance(v, Call)
        }
        distinct |= made
    return distinct


def _kept(distinct: frozenset[str], block: Block) -> frozenset[str]:
    """Those that no statement of a block binds again, or gives another name."""
    gone: set[str] = set()
    for stmt in nodes.walk_block(block):
        gone |= set(nodes.targets_of(stmt))
        match stmt:
            case nodes.Assign(values=values):
                gone |= {n for v in values for n in shared_names(v)}
            case nodes.Store(base=base, value=value) if not isinstance(base.type, Array):
                gone |= shared_names(value)
            case nodes.Store() | nodes.If() | nodes.While() | nodes.Comment() | nodes.Exit():
                pass
            case _:
                gone |= {n for e in nodes.expressions(stmt) for n in shared_names(e)}
    return distinct - gone


def span_of(loop: For) -> tuple[Expr, Expr] | None:
    """(first, behind the last) of a loop over a range with steps of one, in either direction."""
    if len(loop.targets) != 1 or len(loop.sources) != 1:
        return None
    source = loop.sources[0]
    if not isinstance(source, Call) or source.function not in (range, "range"):
        return None
    args = source.args
    if len(args) == 1:
        return integer(0), args[0]
    if len(args) == 2 or (isinstance(args[2], Const) and args[2].value == 1):
        return args[0], args[1]
    if isinstance(args[2], Const) and args[2].value == -1:
        return plus(args[1], 1), plus(args[0], 1)
    return None


def entries(loop: For) -> Expr:
    """About how many entries a loop and the first loops inside of it go through."""
    count: Expr | None = None
    bound = {*loop.targets, *bound_in(loop.body)}
    level: For | None = loop
    while level is not None:
        found = span_of(level)
        fixed = (
            found is not None and not (nodes.names_in(found[0]) | nodes.names_in(found[1])) & bound
        )
        own = build.binary("-", found[1], found[0]) if found and (fixed or level is loop) else None
        own = own if own is not None else integer(FEWEST)
        count = own if count is None else build.binary("*", count, own)
        level = next((s for s in level.body if isinstance(s, For)), None)
    assert count is not None
    return count


def integer(value: int) -> Const:
    """A constant."""
    return Const(value, type=INT)


def plus(expr: Expr, amount: int) -> Expr:
    """`expr + amount`, with constants added up."""
    match expr:
        case Const(value=value):
            return integer(value + amount)
        case Call(form="operator", text="+" | "-" as sign, args=(left, Const(value=int(own)))):
            total = amount + (own if sign == "+" else -own)
            if total == 0:
                return left
            function, text = (np.add, "+") if total > 0 else (np.subtract, "-")
            return operator(function, text, left, integer(abs(total)))
    return operator(np.add, "+", expr, integer(amount))


def operator(function: Callable[..., Any], sign: str, left: Expr, right: Expr) -> Call:
    """An operation on integers."""
    return Call(function, sign, (left, right), form="operator", type=INT)


def prange(start: Expr, stop: Expr) -> Call:
    """`prange(start, stop)`."""
    import numba

    args = (stop,) if start == Const(0) else (start, stop)
    return Call(numba.prange, "prange", args, type=INT)


__all__ = ["Finder", "Var", "Verdict", "parallel_loops", "prange"]

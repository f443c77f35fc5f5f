"""Floor 6: loops on all cores: those whose iterations are independent, the outermost ones.

Numbers and arrays that iterations only add to are added up by each thread for itself, and the
parts are added in the order of the threads: no race, and the same result for the same number of
threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.analysis.costs import COMPILED
from s2sgrad.analysis.liveness import After
from s2sgrad.backend.loops.aliases import Groups, shared_names
from s2sgrad.backend.loops.touches import ORDERLESS
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
WORTH = 100_000  # nanoseconds that a loop takes from which threads are woken over and over for it
SIDE_BY_SIDE = replace(COMPILED, number=COMPILED.array)  # numbers by vector instructions
COPYING = 4  # nanoseconds that an entry of an array takes of which each thread has its own


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
    names = Names(set(types) | set(function.parameters) | {"threads_for", "on_threads", "np"})
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
        return stmts

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
        if lows.get(target, -1) < 0:
            raise Dependent(f"{target!r} may be negative")
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
        before: list[Stmt] = []
        work = self.threads.named("work", work_of(loop), before)
        if not sums and not arrays:
            many: list[Stmt] = [self.threads.over(target, start, stop, loop.body, work, loop.span)]
        else:
            many = self.threads.apart(loop, start, stop, sums, arrays, work)
        least = self._least(loop, [n for n, reach in arrays.items() if reach is None])
        if least is None:
            return [*before, *many]
        enough = operator(np.greater, ">", work, least)
        return [*before, nodes.If(enough, tuple(many), (loop,))]

    def _least(self, loop: For, copied: list[str]) -> Expr | None:
        """The work from which a loop on all cores is better than one that stands here as it was;
        None where it isn't worth to ask: a call is nothing beside it.

        copied: arrays of which each thread has one, that is filled with zeros and then added.
        """
        short = self.waiting and not any(isinstance(s, For) for s in nodes.walk_block(loop.body))
        if not copied:
            return integer(WORTH) if short else None
        least: Expr = integer(WORTH)
        for name in copied:
            if self.volumes.is_large(name, loop):
                raise Dependent(f"adding up a {name!r} for each thread would take as long")
            array = Var(name, type=self.threads.types[name])
            size = Call("attribute", "size", (array,), form="attribute", type=INT)
            least = operator(np.add, "+", least, operator(np.multiply, "*", integer(COPYING), size))
        return least


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


def work_of(loop: For) -> Expr:
    """About how many nanoseconds a loop takes."""
    price, count = _work(loop, frozenset(loop.targets) | bound_in(loop.body))
    return build.binary("*", integer(max(1, round(price))), count)


def _work(loop: For, bound: frozenset[str]) -> tuple[float, Expr]:
    """(nanoseconds of an entry, number of entries): of the innermost loops whose length is known.

    bound: names that the whole loop binds. What stands beside inner loops takes no time then.
    """
    own, known = 0.0, []
    for stmt in _outside_of_loops(loop.body):
        price, count = _work(stmt, bound) if isinstance(stmt, For) else (_price(stmt), None)
        if count is None or nodes.names_in(count) & bound:
            own += price * (1 if count is None else FEWEST)
        else:
            known.append((price, count))
    found = span_of(loop)
    length = _length(*found) if found is not None else integer(FEWEST)
    if not known:
        return own, length
    return sum(price for price, _ in known), build.binary("*", length, known[0][1])


def _outside_of_loops(block: Block) -> Iterator[Stmt]:
    """The statements of a block, those of its branches too, but none of its loops."""
    for stmt in block:
        yield stmt
        if not isinstance(stmt, For):
            for inner in nodes.blocks(stmt):
                yield from _outside_of_loops(inner)


def _price(stmt: Stmt) -> float:
    """Nanoseconds of one statement; what it writes or decides counts as an operation."""
    parts = [p for e in nodes.expressions(stmt) for p in nodes.walk(e)]
    own = sum(map(_is_step, parts)) * (SIDE_BY_SIDE.number.dear - SIDE_BY_SIDE.number.function)
    whole = sum(map(SIDE_BY_SIDE.price, nodes.expressions(stmt)))
    return SIDE_BY_SIDE.number.function + whole - own


def _is_step(part: Expr) -> bool:
    """Whether a part is a call of one of our own functions, which are a few instructions each."""
    home = getattr(part.function, "__module__", None) if isinstance(part, Call) else None
    return isinstance(part, Call) and (
        part.text in ORDERLESS or str(home).startswith("s2sgrad_runtime")
    )


def _length(start: Expr, stop: Expr) -> Expr:
    return stop if start == Const(0) else build.binary("-", stop, start)


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


__all__ = ["Finder", "Var", "Verdict", "parallel_loops"]

"""Floor 5: places that a loop writes last, and that no other trip of it comes to.

    for i in reversed(range(n)):
        x_bar[i] += y_bar[i] * w
        y_bar[i] = 0.0

Each trip has an entry of its own: if the array is not read after the loop, nobody reads the zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from s2sgrad.analysis.effects import has_effect
from s2sgrad.analysis.shape_reads import contents_read
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Stmt, Store, Var
from s2sgrad.ir.types import Array

Group = Callable[[str], str]


def left_behind(block: Block, group: Group, live: frozenset[str]) -> set[int]:
    """The stores (by id) of loops that nobody reads what they wrote.

    block: a loop. group: name -> what stands for all names whose memory it may share. live: the
    groups whose contents are read after the loop.
    """
    found: set[int] = set()
    for loops, path in _paths(block, ()):
        stmt = path[-1][0]
        assert isinstance(stmt, Store) and isinstance(stmt.base, Var)
        own = group(stmt.base.name)
        if own in live or not loops or not has_own_places(stmt, loops):
            continue
        alone = all(_meets(s, stmt, group, own) for s in nodes.walk_block(block))
        after = [s for _, rest in path for s in nodes.walk_block(rest)]
        if alone and not any(own in _reads(s, group) for s in after):
            found.add(id(stmt))
    return found


def _paths(
    block: Block, loops: tuple[nodes.For, ...]
) -> Iterator[tuple[tuple[nodes.For, ...], list[tuple[Stmt, Block]]]]:
    """Stores of ours, with the loops around each, and its way there: the statement in each block
    and those behind it; only blocks in the innermost loop count."""
    for k, stmt in enumerate(block):
        match stmt:
            case Store(base=Var(type=Array()), span=None, op="" | "=", index=index) if index:
                if not any(map(has_effect, (*index, stmt.value))):
                    yield loops, [(stmt, block[k + 1 :])]
            case nodes.For(body=body):
                yield from _paths(body, (*loops, stmt))
            case nodes.If(then=then, orelse=orelse):
                for side in (then, orelse):
                    for around, path in _paths(side, loops):
                        here = [(stmt, block[k + 1 :])] if around == loops else []
                        yield around, [*here, *path]


def has_own_places(stmt: Stmt, loops: tuple[nodes.For, ...]) -> bool:
    """Whether each trip of the loops has a place of its own: their counters stand in the
    subscript, each alone or with a constant, and count places from the front."""
    if not isinstance(stmt, Store):
        return False
    index = stmt.base.index if isinstance(stmt.base, Index) else stmt.index
    counters = dict(filter(None, map(_counter, index)))
    bound = [t for loop in loops for s in nodes.walk_block(loop.body) for t in nodes.targets_of(s)]
    bound += [t for loop in loops for t in loop.targets]
    return all(
        len(loop.targets) == 1
        and loop.targets[0] in counters
        and bound.count(loop.targets[0]) == 1 + loops.index(loop)
        and _from_the_front(loop.sources[0], counters[loop.targets[0]])
        for loop in loops
    )


def _counter(part: Expr) -> tuple[str, int] | None:
    """The variable of a part of a subscript, and what is added to it: `i`, `i + 1`, `i - 1`."""
    match part:
        case Var(name=name):
            return name, 0
        case Call(text="+" | "-" as sign, form="operator", args=(Var(name=name), Const(value=c))):
            if type(c) is int:
                return name, c if sign == "+" else -c
    return None


def _from_the_front(source: Expr, shift: int) -> bool:
    """Whether a loop counts up from a number, or down to one, that is no less than 0 once
    `shift` is added."""
    if nodes.counts(source):
        return shift >= 0
    if not isinstance(source, Call) or source.function is not range or source.kwargs:
        return False
    args = source.args
    if len(args) == 1:
        return shift >= 0
    up = len(args) == 2 or (isinstance(args[2], Const) and args[2].value > 0)
    end = args[0] if up else args[1]
    least = -shift - (not up)
    return isinstance(end, Const) and type(end.value) is int and end.value >= least


def _reads(stmt: Stmt, group: Group) -> set[str]:
    """The groups of names whose contents a statement itself reads or changes."""
    return {group(name) for name in contents_read(*nodes.expressions(stmt))}


def _meets(stmt: Stmt, store: Store, group: Group, own: str) -> bool:
    """Whether a statement meets an array only at the place of a store, by the same name."""
    if own not in _reads(stmt, group):
        return True
    if isinstance(stmt, nodes.Mutate | nodes.Splice):
        return False
    if isinstance(stmt, Store):
        at_place = (stmt.base, stmt.index) == (store.base, store.index)
        parts = (*stmt.index, stmt.value) if at_place else (stmt.base, *stmt.index, stmt.value)
    else:
        parts = nodes.expressions(stmt)
    return not any(own == group(name) for part in parts for name in _elsewhere(part, store))


def _elsewhere(expr: Expr, store: Store) -> Iterator[str]:
    """The names that an expression reads the contents of, but for the place of a store."""
    match expr:
        case Index(base=base, index=index) if (base, index) == (store.base, store.index):
            for part in index:
                yield from _elsewhere(part, store)
            return
        case Var(name=name):
            yield name
            return
    if nodes.children(expr):
        shaped = nodes.names_in(expr) - contents_read(expr)
        for child in nodes.children(expr):
            yield from (n for n in _elsewhere(child, store) if n not in shaped)


__all__ = ["has_own_places", "left_behind"]

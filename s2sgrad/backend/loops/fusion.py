"""Floor 6: join nests over the same space, as deep as what they touch allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.extents import Space
from s2sgrad.backend.loops.made_new import AtOnePlace, NewArrays
from s2sgrad.backend.loops.mapping import mapped, renamed
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import Touches, apart, independent, touches
from s2sgrad.backend.loops.turns import on_ring_of
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt

Joiner = Callable[[Block, Groups], Block]
LOOK_BACK = 6  # nests before the last one that a nest may be joined to


def merged(block: Block, groups: Groups, new: NewArrays | None = None) -> Block:
    """The block with nests joined to earlier ones, where that changes nothing.

    new: the arrays that are made before the block, and who holds them.
    """
    new = new or NewArrays(groups)
    result: list[Stmt] = []
    own: dict[int, dict[str, str]] = {}  # nest, by id -> the arrays that one name held alone there
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                sides = [merged(side, groups, new.entering(side)) for side in (then, orelse)]
                stmt = replace(stmt, then=sides[0], orelse=sides[1])
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=merged(body, groups, new.entering(body)))
            case Nest(body=body):
                here = new.here()
                stmt = replace(stmt, body=merged(body, here))
                own[id(stmt)] = new.own()
                if _join(result, stmt, groups, own):
                    continue
        result.append(stmt)
        new.after(stmt)
    return tuple(result)


def _join(result: list[Stmt], nest: Nest, groups: Groups, own: dict[int, dict[str, str]]) -> bool:
    """Join the nest to one before it; what stands between goes ahead of both or stays behind.

    own: see `merged`.
    """
    seen = 0
    for place in range(len(result) - 1, -1, -1):
        first = result[place]
        if isinstance(first, nodes.For | nodes.While) or (
            isinstance(first, nodes.If) and not is_check(first)
        ):
            return False
        if not isinstance(first, Nest):
            continue
        alone = _alone(first, nest, own)
        known = AtOnePlace(groups, alone)
        joined = together(first, nest, known)
        if joined is not None:
            parts = _parted(result[place + 1 :], first, nest, known)
            if parts is not None:
                ahead, behind = parts
                own[id(joined)] = alone
                result[place:] = [*ahead, joined, *behind]
                return True
        seen += 1
        if seen == LOOK_BACK:
            return False
    return False


def _alone(first: Nest, nest: Nest, own: dict[int, dict[str, str]]) -> dict[str, str]:
    """The arrays that one name alone holds, of those that two nests use, wherever they use them."""
    one, two = (own.get(id(each), {}) for each in (first, nest))
    used = [{n for n, _, _ in touches((each,)).arrays} for each in (first, nest)]
    alone = {n: one[n] for n in sorted(used[0] & one.keys()) if n not in used[1]}
    alone |= {n: two[n] for n in sorted(used[1] & two.keys()) if n not in used[0]}
    both = sorted(used[0] & used[1] & one.keys() & two.keys())
    return alone | {n: one[n] for n in both if one[n] == two[n]}


def _parted(
    between: list[Stmt], first: Nest, nest: Nest, groups: Groups
) -> tuple[list[Stmt], list[Stmt]] | None:
    ahead: list[Stmt] = []
    behind: list[Stmt] = []
    for stmt in between:
        if all(_moves_ahead(stmt, s, groups) for s in (first, *behind)):
            ahead.append(stmt)
        elif _is_any_check(stmt) or not independent(stmt, nest, groups):
            return None  # the nest may rely on what is checked
        else:
            behind.append(stmt)
    return ahead, behind


def _moves_ahead(stmt: Stmt, other: Stmt, groups: Groups) -> bool:
    """Whether a statement after another may as well run before it."""
    if isinstance(stmt, nodes.Comment) or isinstance(other, nodes.Comment):
        return True
    if isinstance(stmt, nodes.If) and is_check(stmt):
        return not (nodes.names_in(stmt.test) & touches((other,)).writes)
    return isinstance(stmt, nodes.Assign | Nest) and independent(stmt, other, groups)


def _is_any_check(stmt: Stmt) -> bool:
    return isinstance(stmt, nodes.If) and is_check(stmt)


def is_check(stmt: nodes.If) -> bool:
    """Whether a statement only compares lengths."""
    raising = [isinstance(s, nodes.Do) and s.keyword == "raise" for s in stmt.then]
    return not stmt.orelse and all(raising)


def together(
    first: Nest, second: Nest, groups: Groups, inside: Joiner | None = None
) -> Nest | None:
    """The two as one nest, over as many of their outer loops as can be shared; None if none can.

    inside: joins the nests that come to stand in one.
    """
    depth = 0
    for a, b in zip(first.extents, second.extents, strict=False):
        if not a.same(b):
            break
        depth += 1
    if not depth:
        return None
    second_nest = _with_indices(second, first.indices[:depth])
    if second_nest is None:
        return None
    second_nest = _with_counts(second_nest, first.extents[:depth])
    one, two = touches(first.body), touches(second_nest.body)
    if one.odd or two.odd or one.conflicts(two):
        return None
    while depth and not _allowed(first, second_nest, depth, one, two, groups):
        depth -= 1
    if not depth:
        return None
    body = (*_below(first, depth), *_below(second_nest, depth))
    if sum(isinstance(s, Nest) for s in body) > 1:
        body = (inside or merged)(body, groups)
    return Nest(first.indices[:depth], first.extents[:depth], body, span=first.span)


def _allowed(
    first: Nest, second: Nest, depth: int, one: Touches, two: Touches, groups: Groups
) -> bool:
    indices = first.indices[:depth]
    if not apart(one.arrays, two.arrays, indices, groups):
        return False
    deep = len(first.indices) == depth or len(second.indices) == depth
    return deep or _worth_sharing(one, two, groups)


def _worth_sharing(one: Touches, two: Touches, groups: Groups) -> bool:
    """Whether nests touch the same arrays: rows that are still at hand."""
    mine, theirs = ({groups.of(n) for n, _, _ in t.arrays} for t in (one, two))
    return bool(mine & theirs)


def _below(nest: Nest, depth: int) -> Block:
    """What one point of the outer loops does."""
    if depth == len(nest.indices):
        return nest.body
    return (Nest(nest.indices[depth:], nest.extents[depth:], nest.body, span=nest.span),)


def _with_indices(nest: Nest, wanted: tuple[str, ...]) -> Nest | None:
    """The nest with its outer counters renamed; None where a name is taken inside."""
    own = nest.indices[: len(wanted)]
    if own == wanted:
        return nest
    taken = touches(nest.body).counters | set(nest.indices[len(wanted) :])
    if set(wanted) & taken:
        return None
    (new,) = renamed((nest,), dict(zip(own, wanted, strict=True)))
    assert isinstance(new, Nest)
    return new


def _with_counts(nest: Nest, wanted: Space) -> Nest:
    """The nest, with places on a ring of its outer loops' lengths as these extents name them."""
    body = nest.body
    for name, own, other in zip(nest.indices, nest.extents, wanted, strict=False):
        if own.count != other.count:
            body = mapped(body, lambda e, at=(name, own.count, other.count): on_ring_of(e, *at))  # type: ignore[misc]
    return nest if body is nest.body else replace(nest, body=body)


def lengths_of(nest: Nest) -> tuple[Expr, ...]:
    """How often the loops run."""
    return tuple(e.count for e in nest.extents)

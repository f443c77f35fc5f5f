"""Floor 5: what is read only to change itself is not computed.

A loop that collects `Q -= 2.0 * np.outer(Q @ v, v)` keeps Q alive for its own next turn, and so
does `count += 1`. Where nothing else reads it, all of it falls away.
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sgrad.analysis.effects import Effects, effects, has_effect, root
from s2sgrad.analysis.liveness import reads
from s2sgrad.analysis.raising import raising_parts
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt, Var
from s2sgrad.transform.writing.rewrite import with_blocks
from s2sgrad.transform.writing.tidy import without_unused


def without_unread(
    block: Block, held: frozenset[str] = frozenset(), raising: bool = False
) -> Block:
    """Drop what nobody reads, and what is read only to change itself; effects stay.

    held: lists whose items others hold too. raising: what may raise in the user's statements stays.
    """
    block = without_unused(block, frozenset(), held, raising)
    new = _without_self_fed(block, held, raising)
    return block if new is block else without_unused(new, frozenset(), held, raising)


def _without_self_fed(block: Block, live: frozenset[str], raising: bool) -> Block:
    """Drop statements that make or change what only such statements read.

    live: what is read behind the block, or by others.
    """
    stmts = list(nodes.walk_block(block))
    made = {id(stmt): names for stmt in stmts if (names := _makes(stmt, raising))}
    if not any(made[id(s)] & reads(s) for s in stmts if id(s) in made):
        return block
    sharing = effects(block)
    needed = _needed(stmts, made, live, sharing)
    gone = {n for n, names in made.items() if not needed & _groups(names, sharing)}
    return _without(block, gone) if gone else block


def _makes(stmt: Stmt, raising: bool) -> frozenset[str]:
    """The names that a statement binds or changes, if it does nothing else."""
    if any(map(has_effect, nodes.expressions(stmt))):
        return frozenset()
    owned = raising and stmt.span is not None
    if owned and any(part for e in nodes.expressions(stmt) for part in raising_parts(e)):
        return frozenset()
    match stmt:
        case nodes.Assign(targets=targets) | nodes.Unpack(targets=targets):
            return frozenset(targets)
        case nodes.Store(base=base) if root(base) is not None:
            return frozenset({root(base) or ""})
        case nodes.Mutate(base=Var(name=name), method="append" | "extend", target=None):
            return frozenset({name})
    return frozenset()


def _groups(names: Iterable[str], sharing: Effects) -> frozenset[str]:
    """Those that names stand for which may share memory: what is written in one is in all."""
    return frozenset(map(sharing.find, names))


def _needed(
    stmts: list[Stmt], made: dict[int, frozenset[str]], live: frozenset[str], sharing: Effects
) -> frozenset[str]:
    """The groups of names that something else reads, directly or through others."""
    bound = {t for s in stmts for t in nodes.targets_of(s)}
    found = set(_groups(live, sharing))
    feeds: dict[str, set[str]] = {}  # a group -> the groups that its statements read
    for stmt in stmts:
        read = _groups(reads(stmt), sharing)
        names = made.get(id(stmt))
        if names is None:
            found |= read
            continue
        for group in _groups(names, sharing):
            feeds.setdefault(group, set()).update(read)
        found |= _groups(names - bound, sharing)  # of outside: others see it
    pending = list(found)
    while pending:
        for group in feeds.pop(pending.pop(), ()):
            if group not in found:
                found.add(group)
                pending.append(group)
    return frozenset(found)


def _without(block: Block, gone: set[int]) -> Block:
    """The block without these statements, by their ids."""
    left = (stmt for stmt in block if id(stmt) not in gone)
    return tuple(with_blocks(stmt, lambda inner: _without(inner, gone)) for stmt in left)


__all__ = ["without_unread"]

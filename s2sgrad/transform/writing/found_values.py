"""Floor 5: what a search has found is not computed again in the forward sweep.

    for j in ...: (the search)            for j in ...: (the search)
    if best_j >= 0:                       best = found
        d = np.sum((p - q[best_j])**2)
        best = d               becomes

The branch is there for its derivative; see preparing/last_taken.py. Where the reverse sweep reads
more of it than the numbers that were found, it stays.
"""

from __future__ import annotations

from collections import Counter

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Stmt, Var
from s2sgrad.ir.types import Type
from s2sgrad.transform.writing.rewrite import with_blocks


def with_found_values(
    forward: list[Stmt], reverse: list[Stmt], found: dict[tuple[str, str], str]
) -> list[Stmt]:
    """The forward sweep without such branches.

    found: (variable, what the branch asks) -> the variable that holds the same.
    """
    if not found:
        return forward
    reads = _reads((*forward, *reverse))

    def taken(stmt: Stmt) -> Stmt:
        match stmt:
            case nodes.If(test=test, then=then, orelse=()) if then:
                asked = nodes.names_in(test)
                same = {n: new for (n, note), new in sorted(found.items()) if note in asked}
                if _is_again(then, same, reads):
                    old = [n for n in same if n in nodes.bound_in(then)]
                    values = tuple(Var(same[n], type=_type_of(n, then)) for n in old)
                    return Assign(tuple(old), values, span=stmt.span)
        return with_blocks(stmt, lambda block: tuple(map(taken, block)))

    return [taken(stmt) for stmt in forward]


def _is_again(block: Block, found: dict[str, str], reads: Counter[str]) -> bool:
    """Whether a block does no more than compute such variables."""
    if not all(isinstance(s, Assign) for s in block):
        return False
    inside = _reads(block)
    bound = nodes.bound_in(block)
    return bool(bound & found.keys()) and all(n in found or reads[n] == inside[n] for n in bound)


def _type_of(name: str, block: Block) -> Type:
    pairs = [p for s in block for p in zip(s.targets, s.values, strict=True)]  # type: ignore[attr-defined]
    return next(value.type for target, value in reversed(pairs) if target == name)


def _reads(block: Block) -> Counter[str]:
    """How often variables are read."""
    parts = (
        e for s in nodes.walk_block(block) for p in nodes.expressions(s) for e in nodes.walk(p)
    )
    return Counter(e.name for e in parts if isinstance(e, Var))


__all__ = ["with_found_values"]

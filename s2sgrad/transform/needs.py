"""Floor 5: sets of values that the reverse sweep still needs."""

from __future__ import annotations

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block
from s2sgrad.ir.sizes import changes
from s2sgrad.ir.types import Array, Type

Names = frozenset[str]
Needs = frozenset[tuple[str, int]]  # (variable, statement whose reverse code reads it)


def names_of(needs: Needs) -> Names:
    """The names that are needed."""
    return frozenset(n for n, _ in needs)


def lasting_shape(kind: Type | None) -> bool:
    """Whether all that a variable is bound to has the same shape and dtype."""
    if not isinstance(kind, Array) or kind.shape is None or kind.dtype is None:
        return False
    return all(s is not None and not any(map(changes, s.letters())) for s in kind.shape)


def memory_of(group: str) -> str:
    """Stands for the memory that a group of names shares, whoever holds it."""
    return f"[{group}]"


def without(needs: Needs, names: Names) -> Needs:
    """The needs but for those of these names."""
    return frozenset(p for p in needs if p[0] not in names)


def breaks(block: Block) -> bool:
    """Whether a loop with this body may be left by `break`."""
    for stmt in block:
        if isinstance(stmt, nodes.Exit) and stmt.kind == "break":
            return True
        if isinstance(stmt, nodes.If) and (breaks(stmt.then) or breaks(stmt.orelse)):
            return True
    return False

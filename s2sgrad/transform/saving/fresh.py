"""Floor 5: writes into an array that was made just before, which nothing read earlier can see.

In a step like `new = u.copy(); new[1:-1] = ...; u = new`, `new` and `u` share memory as names go.
But what the writes change did not exist when earlier steps read `u`, nor is it `u` yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from s2sgrad.analysis.effects import Effects, has_effect, root, shared_with
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Stmt
from s2sgrad.ir.types import Array, Type
from s2sgrad.transform.saving.needs import memory_of


@dataclass(frozen=True)
class Since:
    """What stands between the statement that makes an array and a write into it, loops whole.

    sites: the statements. bound: what they bind, by the first one (made) and by the others.
    """

    sites: frozenset[int]
    made: str
    bound: frozenset[str]

    def sees(self, site: int, name: str, effects: Effects, types: Mapping[str, Type]) -> bool:
        """Whether what a statement reads of a name may be the array that has been made."""
        if site not in self.sites:
            return False  # it read what it read before
        if name == memory_of(effects.find(self.made)):
            group = effects.find(self.made)
            return any(effects.find(n) == group for n in self.bound)
        return name == self.made or name in self.bound or not isinstance(types.get(name), Array)


def since_made(stmt: Stmt, around: list[Stmt], body: Block) -> Since | None:
    """What stands between a write and the making of its array; None where that is not known.

    around: the statements that it stands in, outermost first, in the body.
    """
    name = root(stmt.base) if isinstance(stmt, nodes.Store) else None
    sites: set[int] = set()
    bound: set[str] = set()
    inner = stmt
    for outer in (*reversed(around), None):
        blocks: Any = (body,) if outer is None else nodes.blocks(outer)
        block = next((b for b in blocks if any(s is inner for s in b)), ())
        place = next((i for i, s in enumerate(block) if s is inner), -1)
        for other in reversed(block[: place + 1]):
            if isinstance(other, Assign) and other.targets == (name,):
                made = Since(frozenset({*sites, id(other)}), name or "", frozenset(bound))
                return made if _is_new(other.values[0]) else None
            inside = tuple(nodes.walk_block((other,)))
            sites |= {id(s) for s in inside}
            bound |= {t for s in inside for t in nodes.targets_of(s)}
            if name is None or name in bound:
                return None
        if outer is not None:
            inner = outer
    return None


def _is_new(value: Expr) -> bool:
    """Whether a value is surely an array that nothing else holds."""
    if not isinstance(value, Call) or not isinstance(value.type, Array) or has_effect(value):
        return False
    return type(value.function).__name__ != "UserPair" and not shared_with(value)

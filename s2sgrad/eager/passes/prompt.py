"""Leaves with hooks get their gradients as soon as these are complete, as in torch.

Other leaves get theirs when the pass has come to its end, which needs no counting.
"""

from __future__ import annotations

from typing import Any

from s2sgrad.eager.passes.edges import parents_of


class Prompt:
    """How many contributions each leaf still waits for in a pass."""

    def __init__(self, missing: dict[Any, int]) -> None:
        self.missing, self.complete = missing, list[Any]()

    @classmethod
    def of(cls, roots: list[tuple[Any, Any]], needed: set[Any] | None) -> Prompt | None:
        """For a pass that begins at the roots; None where no leaf has hooks."""
        missing: dict[Any, int] = {}
        found, seen = [edge for edge, _ in roots], set()
        while found:
            edge = found.pop()
            if not edge.order:
                missing[edge] = missing.get(edge, 0) + 1
            elif edge not in seen:
                seen.add(edge)
                on = [p for p in parents_of(edge) if p is not None]
                found += on if needed is None else [p for p in on if p in needed]
        return cls(missing) if any(leaf.hooks is not None for leaf in missing) else None

    def met(self, leaf: Any) -> None:
        """One contribution to a leaf has arrived."""
        self.missing[leaf] -= 1
        if not self.missing[leaf]:
            self.complete.append(leaf)

    def taken(self, node: Any, waiting: list[Any]) -> list[Any]:
        """The leaves that a node has completed, no longer waiting: those that stand beside it in
        the graph before those that are shown behind another node."""
        found, self.complete = self.complete, []
        if len(found) > 1:
            shown = {id(getattr(edge, "variable", None)) for edge, _ in node.next_functions}
            found.sort(key=lambda leaf: id(leaf) not in shown)
        done = set(map(id, found))
        waiting[:] = [leaf for leaf in waiting if id(leaf) not in done]
        return found


__all__ = ["Prompt"]

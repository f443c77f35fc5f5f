"""Which part of a graph a pass goes through."""

from __future__ import annotations

from typing import Any


def needed_edges(roots: list[Any], wanted: Any) -> set[Any] | None:
    """The edges from which a wanted edge can be reached, wanted ones included.

    None stands for all edges: every path ends in a wanted leaf, and nothing else is wanted.
    """
    seen = set(roots)
    nodes = [edge for edge in seen if edge.order]
    needed = {edge for edge in seen if not edge.order and edge in wanted}
    whole = len(nodes) + len(needed) == len(seen)
    for edge in nodes:  # which grows
        parents = edge.parents
        if not parents:
            whole = False
        for parent in parents:
            if parent is None or parent in seen:
                continue
            seen.add(parent)
            if parent.order:
                nodes.append(parent)
            elif parent in wanted:
                needed.add(parent)
            else:
                whole = False
    if whole and len(needed) == len(wanted):  # else one of them is a node, or not to be reached
        return None
    needed.update(edge for edge in nodes if edge in wanted)
    nodes.sort(key=_order, reverse=True)
    for edge in nodes:
        for parent in edge.parents:
            if parent in needed:
                needed.add(edge)
                break
    return needed


def release(edges: list[Any], wanted: set[Any]) -> None:
    """Free what a pass from some edges to the wanted ones has read."""
    needed = needed_edges(edges, wanted)
    stack, seen = list(edges), set(edges)
    while stack:
        edge = stack.pop()
        if edge.order and edge.saves and (needed is None or edge in needed):
            edge.saved = None
        for parent in parents_of(edge):
            if parent is not None and parent not in seen:
                seen.add(parent)
                stack.append(parent)


def _order(edge: Any) -> int:
    return edge.order


def parents_of(edge: Any) -> Any:
    """The edges an edge's node leads to; none for a leaf."""
    return edge.parents if edge.order else ()

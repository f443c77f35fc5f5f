"""Floor 4: what rests on a recursive call of which nothing is known yet."""

from __future__ import annotations

from s2sgrad.ir import nodes
from s2sgrad.ir.types import Bottom, List


def waits(expr: nodes.Expr) -> bool:
    """Whether this is a list of which no item is known so far, other than an empty display."""
    kind = expr.type
    while isinstance(kind, List):
        kind = kind.item
    return isinstance(kind, Bottom) and not isinstance(expr, nodes.Sequence)


def not_known_yet(expr: nodes.Expr) -> bool:
    """Whether a display holds the result of a recursive call that is not known yet."""
    items = expr.items if isinstance(expr, nodes.Sequence) else ()
    return any(isinstance(i.type, Bottom) or not_known_yet(i) for i in items)

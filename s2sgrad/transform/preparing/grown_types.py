"""Floor 5: what is known of the items of lists and dicts at the end holds from the start.

`rows = []` and `rows.append(row)` are lowered when nothing is known of the items yet; the types
in such statements are brought up to date. Before: `rows.append(row)`, rows a list of anything;
after: the same, rows a list of lists of numbers.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.indexing import infer_index, not_none
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr
from s2sgrad.ir.types import BOTTOM, Dict, List, Maybe, Tuple, Type
from s2sgrad.transform.writing.rewrite import map_block


def with_grown_types(block: Block, types: dict[str, Type]) -> Block:
    """The block with the final types of lists and dicts in its expressions."""

    def grown(expr: Expr) -> Expr:
        if not _is_open(expr.type):
            return expr
        if isinstance(expr, nodes.Var):
            return replace(expr, type=types.get(expr.name, expr.type))
        if isinstance(expr, nodes.Index):
            base = not_none(expr.base)
            return replace(expr, base=base, type=infer_index(base.type, expr.index))
        return expr

    def at_last(expr: Expr) -> Expr:
        """A place with the type that it has in the end."""
        match expr:
            case nodes.Var(name=name) if isinstance(expr.type, List | Dict):
                return replace(expr, type=types.get(name, expr.type))
            case nodes.Index(base=base, index=index):
                base = not_none(at_last(base))
                held = isinstance(base.type, List | Dict)
                return replace(
                    expr, base=base, type=infer_index(base.type, index) if held else expr.type
                )
        return expr

    def written(stmt: nodes.Stmt) -> list[nodes.Stmt]:
        match stmt:
            case nodes.Assign(targets=targets, values=values):
                pairs = zip(targets, values, strict=True)
                values = tuple(_made_as(types.get(name), value) for name, value in pairs)
                return [replace(stmt, values=values)]
            case nodes.Store(base=base) | nodes.Mutate(base=base):
                return [replace(stmt, base=not_none(at_last(base)))]
        return [stmt]

    return map_block(block, grown, written)


def _made_as(kind: Type | None, value: Expr) -> Expr:
    """A list or dict that is made here, of the kind that it will be."""
    made = isinstance(value, nodes.Sequence | nodes.Mapping | nodes.Call | nodes.Index)
    if not made or not isinstance(kind, List | Dict) or type(kind) is not type(value.type):
        return value
    return replace(value, type=kind)


def _is_open(kind: Type) -> bool:
    """Whether a type says of items that nothing is known of them yet."""
    match kind:
        case List(item=item) | Dict(item=item) | Maybe(item=item):
            return _is_open(item)
        case Tuple(items=items):
            return any(map(_is_open, items))
    return kind == BOTTOM


__all__ = ["with_grown_types"]

"""Floor 8: results in the user's classes, where generated code has dicts and tuples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Expr
from s2sgrad.ir.types import Dict, List, Maybe, Nested, Tuple, Type, unfolded
from s2sgrad.pipeline import Product
from s2sgrad.transform.preparing.primal import result_of
from s2sgrad_runtime.objects import blank

Rebuild = Callable[[Any], Any]


def holds_classes(kind: Type) -> bool:
    """Whether values of a type hold objects or named tuples of users' classes."""
    if isinstance(kind, Maybe | List):
        return holds_classes(kind.item)
    if isinstance(kind, Nested):
        return holds_classes(kind.record)
    if isinstance(kind, Tuple):
        return kind.made_by is not None or any(map(holds_classes, kind.items))
    if isinstance(kind, Dict):
        parts = [kind.item] if kind.fields is None else [part for _, part in kind.fields]
        return kind.made_by is not None or any(map(holds_classes, parts))
    return False


def rebuilt_results(product: Any) -> Rebuild | None:
    """What makes the objects and named tuples in the results of generated code; None where there
    are none. Where a derivative by objects was differentiated, those are what it gives."""
    kind = product.output
    if not isinstance(product, Product):
        return (lambda found: _rebuilt(kind, found)) if holds_classes(kind) else None
    if product.lowered.rebuild is not None:
        return product.lowered.rebuild  # type: ignore[no-any-return]
    result = result_of(product.lowered.result, product.lowered.lowering.state)
    return (lambda found: _built(result, found)) if _is_built(result) else None


def told_by_type(result: Expr) -> bool:
    """Whether the type of a result says all of its classes: not in lists of several."""
    inside = result.items if isinstance(result, nodes.Sequence) else getattr(result, "values", ())
    if isinstance(result.type, List) and len({e.type for e in inside if _is_built(e)}) > 1:
        return False
    return all(map(told_by_type, inside))


def _is_built(expr: Expr) -> bool:
    inside = expr.items if isinstance(expr, nodes.Sequence) else getattr(expr, "values", ())
    return holds_classes(expr.type) or any(map(_is_built, inside))


def _built(expr: Expr, found: Any) -> Any:
    """By the expression of a result, as far as that tells its parts apart; then by their types."""
    if found is None or not _is_built(expr):
        return found
    if isinstance(expr, nodes.Sequence):
        parts = [_built(e, part) for e, part in zip(expr.items, found, strict=True)]
        made_by = getattr(expr.type, "made_by", None)
        return type(found)(parts) if made_by is None else made_by(*parts)
    if isinstance(expr, nodes.Mapping):
        values = zip(found.items(), expr.values, strict=True)
        return _object(expr.type, {key: _built(e, part) for (key, part), e in values})
    return _rebuilt(expr.type, found)


def _rebuilt(kind: Type, found: Any) -> Any:
    kind = unfolded(kind)
    if isinstance(kind, Maybe):
        kind = kind.item
    if found is None or not holds_classes(kind):
        return found
    if isinstance(kind, List):
        return type(found)(_rebuilt(kind.item, entry) for entry in found)
    if isinstance(kind, Tuple):
        parts = [_rebuilt(k, entry) for k, entry in zip(kind.items, found, strict=True)]
        return kind.made_by(*parts) if kind.made_by is not None else type(found)(parts)
    assert isinstance(kind, Dict)
    kinds = dict(kind.fields or ())
    entries = {key: _rebuilt(kinds.get(key, kind.item), entry) for key, entry in found.items()}
    return _object(kind, entries)


def _object(kind: Type, entries: dict[Any, Any]) -> Any:
    """An object with these fields, where the type of a dict names a class."""
    cls = getattr(kind, "made_by", None)
    if cls is None:
        return entries
    if hasattr(cls, "AS_LIST"):
        return list(entries.values())
    made = blank(cls)
    for name, entry in entries.items():
        object.__setattr__(made, name, entry)
    return made


__all__ = ["holds_classes", "rebuilt_results", "told_by_type"]

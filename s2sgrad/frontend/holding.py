"""Floor 4: which lists and dicts of generated code are held by which, as their types grow.

`rows.append(row)` and then `row.append(v)`: what is known of the items of `row` is known of those
of `rows[k]` too, and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from s2sgrad.analysis.indexing import constant_of, infer_index
from s2sgrad.ir import nodes
from s2sgrad.ir.types import INT, Dict, List, Maybe, Opaque, Tuple, Type, carries, forget, join

ANY = nodes.Var("<any>", type=INT)  # an index that is not known
Link = tuple[nodes.Expr, nodes.Expr]  # two expressions for one list or dict


def links_of(stmt: nodes.Stmt) -> Iterator[Link]:
    """The lists and dicts that a statement puts into others: what each is, and where it is now."""
    match stmt:
        case nodes.Assign(targets=targets, values=values):
            for target, value in zip(targets, values, strict=True):
                if isinstance(value, nodes.Sequence | nodes.Mapping):
                    yield from _held(value, nodes.Var(target, type=value.type))
        case nodes.Unpack(targets=targets, value=nodes.Var() | nodes.Index() as value):
            for i, target in enumerate(targets):
                place = nodes.Index(value, (nodes.Const(i, type=INT),))
                kind = infer_index(value.type, place.index)
                if _is_container(kind):
                    yield nodes.Var(target, type=kind), place
        case nodes.Mutate(base=base, method="append" | "insert", args=args):
            yield from _held(args[-1], nodes.Index(base, (ANY,)))
        case nodes.Mutate(base=base, method="extend", args=(nodes.Sequence(items=items),)):
            for item in items:
                yield from _held(item, nodes.Index(base, (ANY,)))
        case nodes.Mutate(base=base, method="extend", args=(value,)):
            if _is_container(value.type):
                yield nodes.Index(value, (ANY,)), nodes.Index(base, (ANY,))
        case nodes.Mutate(base=base, method="pop", target=str(target)):
            kind = infer_index(base.type, (ANY,))
            if _is_container(kind):
                yield nodes.Var(target, type=kind), nodes.Index(base, (ANY,))
        case nodes.Store(base=base, index=index, value=value) if isinstance(base.type, List | Dict):
            if not any(isinstance(i, nodes.Slice) for i in index):
                yield from _held(value, nodes.Index(base, index))


def _held(value: nodes.Expr, place: nodes.Expr) -> Iterator[Link]:
    match value:
        case nodes.Sequence(items=items):
            for i, item in enumerate(items):
                yield from _held(item, nodes.Index(place, (nodes.Const(i, type=INT),)))
        case nodes.Mapping(keys=keys, values=values):
            for key, item in zip(keys, values, strict=True):
                yield from _held(item, nodes.Index(place, (key,)))
        case nodes.Var() | nodes.Index() if _is_container(value.type):
            yield value, place


def _is_container(kind: Type) -> bool:
    """Whether a value is a list or dict, or a tuple that holds one."""
    kind = kind.item if isinstance(kind, Maybe) else kind
    return (
        any(map(_is_container, kind.items))
        if isinstance(kind, Tuple)
        else isinstance(kind, List | Dict)
    )


def base_name(expr: nodes.Expr) -> str | None:
    """The variable that an entry is taken out of."""
    while isinstance(expr, nodes.Index):
        expr = expr.base
    return expr.name if isinstance(expr, nodes.Var) else None


def mates_of(name: str, mates: Mapping[str, Iterable[str]]) -> dict[str, None]:
    """All names that may hold the same list or dict. mates: of each those that surely may."""
    found, todo = {name: None}, [name]
    while todo:
        new = [n for n in mates.get(todo.pop(), ()) if n not in found]
        found.update(dict.fromkeys(new))
        todo += new
    return found


def holders_of(
    name: str, mates: Mapping[str, Iterable[str]], paths: Mapping[str, list[nodes.Expr]]
) -> set[str]:
    """All names that may hold the same list or dict, or one that it is in. paths: where each is."""
    found, todo = set[str](), [name]
    while todo:
        new = [n for n in mates_of(todo.pop(), mates) if n not in found]
        found.update(new)
        todo += filter(None, (base_name(p) for n in new for p in paths.get(n, ())))
    return found


def type_now(expr: nodes.Expr, types: dict[str, Type]) -> Type:
    """The type of a variable, or of an entry, as it is known by now."""
    if isinstance(expr, nodes.Index):
        return infer_index(type_now(expr.base, types), expr.index)
    return types.get(expr.name, expr.type) if isinstance(expr, nodes.Var) else expr.type


def grown(now: Type, seen: Type) -> Type | None:
    """What one of two expressions is, if the other is seen to be this; None for what differs."""
    now, seen = (k.item if isinstance(k, Maybe) else k for k in (now, seen))
    if isinstance(now, Tuple) and isinstance(seen, Tuple):
        return join(now, seen) if len(now.items) == len(seen.items) else None
    alike = isinstance(seen, List | Dict) and type(now) is type(seen)
    return join(now, seen) if alike else None


def holding(kind: Type, index: nodes.Expr, item: Type) -> Type | None:
    """The type of a list, dict or tuple whose entry at `index` has the type `item`."""
    key = constant_of(index)
    if isinstance(kind, Tuple) and type(key) is int and -len(kind.items) <= key < len(kind.items):
        items = list(kind.items)
        items[key] = join(items[key], item)
        return Tuple(tuple(items), kind.made_by)
    if isinstance(kind, List):
        if isinstance(index, nodes.Slice):  # a list of its own, of the same items
            inner = item.item if isinstance(item, List) else None
            return join(kind, item) if isinstance(inner, List | Dict) else kind
        return List(join(kind.item, item))
    if isinstance(kind, Maybe):
        held = holding(kind.item, index, item)
        return None if held is None else Maybe(held)
    if not isinstance(kind, Dict):
        return None
    fields = kind.fields
    if fields is not None:
        known = isinstance(key, str | int | tuple)
        fields = tuple({**dict(fields), key: item}.items()) if known else None
    return Dict(join(kind.key, forget(index.type)), join(kind.item, item), fields, kind.made_by)


def _is_mixed(kind: Type) -> bool:
    """Whether there are things of several makes in a list or dict."""
    while isinstance(kind, List | Dict | Maybe):
        kind = kind.item
    return isinstance(kind, Opaque)


def seen_too_late(body: nodes.Block, types: dict[str, Type]) -> nodes.Stmt | None:
    """A statement that puts a list into another of which it is not known that it holds the same
    numbers: its derivative would be lost."""
    for stmt in nodes.walk_block(body):
        for one, other in links_of(stmt):
            kinds = type_now(one, types), type_now(other, types)
            known = [k.item if isinstance(k, Maybe) else k for k in kinds]
            alike = isinstance(known[0], List | Dict) and type(known[0]) is type(known[1])
            clear = not any(map(_is_mixed, known))
            if alike and clear and carries(known[0]) != carries(known[1]):
                return stmt
    return None

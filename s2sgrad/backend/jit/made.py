"""Floor 6: lists that compiled code makes itself: those it may change.

A list from outside goes into compiled code as a copy, and what is done to the copy is lost.
"""

from __future__ import annotations

from collections.abc import Set

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import Array, List, Number, Scalar
from s2sgrad_runtime import accumulate, copy_apart, copy_tree, unstack_like, zeros_like

_NEW = (zeros_like, copy_apart, copy_tree, accumulate, unstack_like)  # new all the way down
_LISTS = (list, sorted, "list", "sorted")


def made_inside(block: Block, nested: bool = False) -> frozenset[str]:
    """Variables that hold lists made by these statements, whatever path is taken.

    nested: the lists in these lists are made here, too.
    """
    values = _values(block)
    before = Liveness().block(block, frozenset())[1]
    made = set(values) - before
    taken = any(_is_pop(v) for n in made for v in values[n])
    whole = made_inside(block, nested=True) if taken and not nested else frozenset()
    while True:
        of_new = made if nested else whole
        kept = {n for n in made if all(_is_new(v, made, of_new, nested) for v in values[n])}
        if kept == made:
            return frozenset(made)
        made = kept


def _values(block: Block) -> dict[str, list[Expr | None]]:
    """Variable -> all it is bound to, and what is put into it; None for what isn't known."""
    found: dict[str, list[Expr | None]] = {}
    for stmt in nodes.walk_block(block):
        targets = nodes.targets_of(stmt)
        if isinstance(stmt, nodes.Assign):
            for target, value in zip(targets, stmt.values, strict=True):
                found.setdefault(target, []).append(value)
        else:
            for target in targets:
                found.setdefault(target, []).append(None)
    for stmt in nodes.walk_block(block):
        base, items = _put(stmt)
        if base is not None:
            held = [nodes.Sequence("list", (item,)) for item in items if not _is_leaf(item)]
            found.setdefault(base, []).extend(held)
    return found


def _put(stmt: Stmt) -> tuple[str | None, tuple[Expr, ...]]:
    """The list that a statement puts something into, and what."""
    match stmt:
        case nodes.Mutate(base=base, args=args):
            items = args
        case nodes.Store(base=base, value=value):
            items = (value,)
        case _:
            return None, ()
    while isinstance(base, nodes.Index):
        base = base.base
    return (base.name, items) if isinstance(base, Var) else (None, ())


def _is_pop(value: Expr | None) -> bool:
    return isinstance(value, Call) and value.form == "method" and value.text == "pop"


def _is_new(value: Expr | None, made: Set[str], of_new: Set[str], nested: bool) -> bool:
    """Whether a value is a list that nothing outside holds. of_new: lists of such lists."""
    match value:
        case Call(form="method", text="pop", args=(Var(name=name),)):
            return name in of_new
        case Var(name=name):
            return name in made
        case nodes.Sequence(kind="list", items=items):
            return not nested or all(_is_leaf(i) or _is_new(i, made, of_new, True) for i in items)
        case nodes.Index(base=base, index=(nodes.Slice(),)) if isinstance(base.type, List):
            return not nested or isinstance(base.type.item, Array | Number | Scalar)
        case Call(form="operator", text="*" | "+", args=args):
            return not nested or all(_is_leaf(a) or _is_new(a, made, of_new, True) for a in args)
        case Call(function=function, args=args):
            if function in _NEW or (value.form == "method" and value.text == "copy"):
                return function in _NEW or not nested
            return function in _LISTS and (not nested or all(map(_is_leaf, args)))
    return False


def _is_leaf(expr: Expr) -> bool:
    """Whether a value can't be a list."""
    return isinstance(expr, nodes.Const) or isinstance(expr.type, Array | Number | Scalar)


__all__ = ["made_inside"]

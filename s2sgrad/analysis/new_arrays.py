"""Floor 4: which values are new arrays, and which may be (views of) arrays that exist."""

from __future__ import annotations

from typing import Any

import s2sgrad_runtime
from s2sgrad.analysis.effects import Effects, gives_view, holds_arrays, shared_with
from s2sgrad.analysis.memory import is_view, lends
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Index, Var
from s2sgrad.ir.types import Array, Number, Scalar
from s2sgrad.rules.declare import lookup


def shares_memory(value: Expr) -> bool:
    """Whether a value may be (a view of) an existing array."""
    match value:
        case Var():
            return True
        case Index():
            return gives_view(value)
        case Call(function=function, form=form):
            if lends(value):
                return True
            if form == "operator" or function in (list, tuple):
                return bool(shared_with(value))  # `[y] * n` holds y, and list(a) the rows of a
            if function is s2sgrad_runtime.masked:  # the first one, if nothing is amiss with it
                return shares_memory(value.args[0])
            if form == "attribute" or is_view(value):
                return True
            name = getattr(function, "__name__", "")
            if getattr(s2sgrad_runtime, name, None) is not function or _makes_new(function):
                return False
            return parted(value) is value or shares_memory(parted(value))
        case nodes.Sequence():
            return True
    return not isinstance(value, nodes.Const)


def helper_may_share(call: Call, found: Effects) -> bool:
    """A helper of generated code that hands its argument on, while that is written in place."""
    if not _is_helper(call) or not isinstance(call.type, Array | Number):
        return False
    return any(found.is_written(n) for n in _owners(call))


def _is_helper(expr: Expr) -> bool:
    known = isinstance(expr, Call) and getattr(s2sgrad_runtime, expr.text, None) is expr.function
    return known and shares_memory(expr)


def _owners(expr: Expr) -> list[str]:
    """The variables whose memory a helper's result may share."""
    match expr:
        case Var(name=name) if holds_arrays(expr.type):
            return [name]
        case Index(base=base) if gives_view(expr):
            return _owners(base)
        case Call(args=args) if is_view(expr):
            return _owners(args[0])
        case Call(args=args) if _is_helper(expr):
            return [name for a in args for name in _owners(a)]
    return []


def memory_of(value: Expr) -> frozenset[str]:
    """The names whose memory a value may share: numbers share none, subscripts are not shared."""
    if isinstance(value, nodes.Sequence | nodes.Mapping):
        items = value.items if isinstance(value, nodes.Sequence) else value.values
        return frozenset().union(*map(memory_of, items))
    if isinstance(value.type, Scalar) or not shares_memory(value):
        return frozenset()
    if isinstance(value, Index) and isinstance(value.base.type, Array):
        return memory_of(value.base)
    if isinstance(value, Call) and (value.function is s2sgrad_runtime.masked or is_view(value)):
        return memory_of(value.args[0])
    return nodes.names_in(value)


_FRESH = frozenset(
    {"zeros_like", "copy_tree", "copy_apart", "copy_as_it_lies", "deep_copy", "accumulate",
     "scatter_add", "untake", "matmul_bar_left", "matmul_bar_right", "dot_bar_left",
     "dot_bar_right", "norm_pullback", "vector_norm_keep_pullback", "cov_bar", "cov_bar_second",
     "power_bar_base", "products_of_others", "interp_points_bar", "cholesky_pullback", "stack_bar",
     "as_it_lies", "as_it_stands"}
)  # fmt: skip


def _makes_new(function: Any) -> bool:
    """Whether a helper's result is new: numbers computed entry by entry are."""
    if function.__name__ in _FRESH or getattr(function, "entrywise", False):
        return True
    rule = lookup(function)
    return rule is not None and rule.kind == "elementwise" and rule.name.startswith("scipy.")


# They give parts of their first argument that don't overlap.
_PARTS = frozenset(
    {"unstack", "vstack_bars", "hstack_bars", "dstack_bars", "column_stack_bars", "block_bars"}
)


def parted(value: Expr) -> Expr:
    """What all of is taken apart in a value, or the value itself."""
    is_helper = isinstance(value, Call) and value.text in _PARTS
    return value.args[0] if is_helper else value  # type: ignore[attr-defined]


__all__ = ["memory_of", "parted", "shares_memory"]

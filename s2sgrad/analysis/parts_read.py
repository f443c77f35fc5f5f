"""Floor 3: arrays of which perhaps not all entries are read.

In `r = np.sqrt(d); s = r[0, 1] + r[0, 2]` the diagonal of r gets the cotangent zero; where it is
zero itself, the slope of the root is infinite, and zero times that is NaN.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from s2sgrad.analysis.activity import differentiable_parts, root, rule_of
from s2sgrad.analysis.memory import is_view
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad_runtime import diagonal_view

TAKE = (np.take, np.take_along_axis, np.diagonal, diagonal_view, np.diag, np.trace, np.delete)


def read_in_parts(stmts: Iterable[Stmt]) -> set[str]:
    """The arrays that are only read by places, and those that they are computed of entry by entry.

    So are those of which constants overwrite a part. Arrays that are written entry by entry, or
    listed as such, are not among them: each entry has a slope of its own then. Slices are taken to
    leave nothing out, as those of neighbours do together.
    """
    stmts = tuple(stmts)
    written = [s for s in stmts if isinstance(s, nodes.Store | nodes.Mutate)]
    stored = {root(s.base) for s in written if not _is_constant(s)}
    made = [
        (target, value)
        for s in stmts
        if isinstance(s, nodes.Assign)
        for target, value in zip(s.targets, s.values, strict=True)
    ]
    other = stored | {target for target, value in made if not _by_entries(value)}
    names = _only_taken(stmts) | {name for s in written if (name := root(s.base))}
    names -= other  # type: ignore[arg-type]
    size = -1
    while len(names) != size:
        size = len(names)
        for target, value in reversed(made):
            if target in names:
                names.update(name for name in _arrays_in(value) if name not in other)
    return names


def _only_taken(stmts: Iterable[Stmt]) -> set[str]:
    """Arrays of which every read takes some places, or asks for the shape."""
    reads, taken = Counter[str](), Counter[str]()
    for top in (e for s in stmts for e in nodes.expressions(s)):
        for expr in nodes.walk(top):
            if isinstance(expr, Var):
                reads[expr.name] += 1
            elif name := _taken_of(expr):
                taken[name] += 1
            elif isinstance(expr, Call) and expr.form == "attribute" and expr.text in _MEASURES:
                reads.subtract(n for n in nodes.names_in(expr.args[0]))
    return {name for name, times in taken.items() if reads[name] <= times}


_MEASURES = ("shape", "size", "ndim", "dtype")


def _by_entries(value: Expr) -> bool:
    """Whether each entry of an array is computed of entries of others, in one operation."""
    if isinstance(value, Var | nodes.Index):
        return True
    if not isinstance(value, Call):
        return False
    if value.form == "operator":
        return value.text != "@"
    if is_view(value) or value.function in _REDUCE:
        return True
    rule = rule_of(value.function)
    return rule is not None and rule.kind == "elementwise"


_REDUCE = (np.sum, np.mean, np.linalg.norm)


def _is_constant(stmt: Stmt) -> bool:
    """Whether a statement puts one constant into a part of an array."""
    return isinstance(stmt, nodes.Store) and not stmt.op and isinstance(stmt.value, Const)


def _taken_of(expr: Expr) -> str | None:
    """The array of which an operation takes some places."""
    match expr:
        case nodes.Index(base=base, index=index) if any(map(_is_place, index)):
            taken = base
        case Call(function=function, args=(first, *_)) if function in TAKE:
            taken = first
        case _:
            return None
    return taken.name if isinstance(taken, Var) and _has_entries(taken.type) else None


def _is_place(part: Expr) -> bool:
    kind = part.type
    whole = isinstance(kind, Array | Scalar) and str(kind.dtype).startswith(("int", "uint"))
    return whole and not isinstance(part, nodes.Slice)


def _arrays_in(expr: Expr) -> Iterator[str]:
    """The arrays that an array is computed of."""
    if not _has_entries(expr.type):
        return
    if isinstance(expr, Var):
        yield expr.name
        return
    for part in differentiable_parts(expr) if _by_entries(expr) else ():
        yield from _arrays_in(part)


def _has_entries(kind: Type) -> bool:
    return isinstance(kind, Array) and kind.shape != ()


__all__ = ["TAKE", "read_in_parts"]

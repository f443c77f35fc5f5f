"""Floor 5: values of one statement that have the same shape by how they are written.

`a[i, k:] -= m * a[k, k:]`: nobody knows how long the parts are, but they are parts of axes of one
length, between the same bounds, at the same moment. So are `y[mask]` and `v` after
`v = np.sqrt(y[mask])`, in statements that follow each other.
"""

from __future__ import annotations

from s2sgrad.analysis.activity import works_by_entries
from s2sgrad.analysis.indexing import slice_size
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_float_dtype
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Slice, Var
from s2sgrad.ir.sizes import ONE, Size
from s2sgrad.ir.types import Array, Scalar, shape_of

Length = Size | tuple[Expr, Size | None]  # of an axis, or of a part: a slice, or by a mask
Lengths = tuple[Length, ...]


def alike(one: Expr, other: Expr, above: Block = ()) -> bool:
    """Whether two values that a statement reads at the same moment surely have one shape.

    above: the statements before it in its block.
    """
    found = lengths(one, above)
    return found is not None and found == lengths(other, above)


def lengths(expr: Expr, above: Block = ()) -> Lengths | None:
    """How long the axes of a value are, in terms of the statement that it stands in."""
    if isinstance(expr.type, Scalar):
        return ()
    if not isinstance(expr.type, Array):
        return None
    shape = expr.type.shape
    if shape is None or None not in shape:
        return shape  # type: ignore[return-value]
    found: Lengths | None = None
    match expr:
        case Index(base=base, index=index):
            found = _part(base, index)
        case Call(kwargs=()) if works_by_entries(expr.function):
            found = _broadcast([lengths(a, above) for a in expr.args])
        case Var(name=name):
            found = _as_bound(name, above)
    if found is None or len(found) != len(shape):
        return None
    return tuple(f if s is None else s for f, s in zip(found, shape, strict=True))


def _as_bound(name: str, above: Block) -> Lengths | None:
    """The same of a variable by the statement that bound it, if masks are as they were then."""
    for k in range(len(above) - 1, -1, -1):
        match above[k]:
            case nodes.Assign(targets=(target,), values=(value,)) if target == name:
                found = lengths(value, above[:k])
                since = above[k:]
                return found if found is not None and not _changed(found, since) else None
        if name in nodes.bound_in((above[k],)):
            return None
    return None


def _changed(found: Lengths, since: Block) -> bool:
    """Whether what lengths are said with gets other values in these statements."""
    told = [part[0] for part in found if isinstance(part, tuple)]
    kept = all(isinstance(part, Var) for part in told)  # an array of truth values by name
    stores = [s for s in nodes.walk_block(since) if isinstance(s, nodes.Store | nodes.Mutate)]
    kinds = [getattr(s.base.type, "dtype", None) for s in stores]
    floats = all(kind is not None and is_float_dtype(kind) for kind in kinds)
    read = {n for part in told for n in nodes.names_in(part)}
    return bool(stores and not (kept and floats)) or bool(read & nodes.bound_in(since))


def _part(base: Expr, index: tuple[Expr, ...]) -> Lengths | None:
    """The axes of `base[index]`, where the subscript has numbers and slices, or one mask."""
    shape = shape_of(base.type) if isinstance(base.type, Array) else None
    if shape is None or len(index) > len(shape):
        return None
    if len(index) == 1 and _is_mask(index[0]):
        rest = shape[len(shape_of(index[0].type) or ()) :]
        return ((index[0], None), *rest) if None not in rest else None  # type: ignore[arg-type]
    found: list[Length] = []
    whole = (Slice(None, None, None),) * (len(shape) - len(index))
    for part, size in zip((*index, *whole), shape, strict=True):
        if not isinstance(part, Slice):
            if isinstance(part.type, Scalar) and part.type.dtype != "bool":
                continue
            return None
        if size is None or not all(map(_is_steady, _bounds(part))):
            return None
        known = slice_size(part, size)
        found.append((part, size) if known is None else known)
    return tuple(found)


def _is_mask(part: Expr) -> bool:
    """Whether it is a mask that is compared or named here."""
    kind = part.type
    if not isinstance(kind, Array) or kind.dtype != "bool" or not kind.shape:
        return False
    parts = list(nodes.walk(part))
    calls = [p for p in parts if isinstance(p, Call)]
    plain = all(isinstance(p, Var | Const | Call) for p in parts)
    return plain and all(c.form == "operator" and works_by_entries(c.function) for c in calls)


def _bounds(part: Slice) -> list[Expr]:
    return [b for b in (part.lower, part.upper, part.step) if b is not None]


def _is_steady(bound: Expr) -> bool:
    """Whether a bound is computed from variables and numbers alone."""
    match bound:
        case Var() | Const():
            return isinstance(bound.type, Scalar) or isinstance(bound, Const)
        case Call(form="operator", args=args):
            return all(map(_is_steady, args))
    return False


def _broadcast(parts: list[Lengths | None]) -> Lengths | None:
    """The axes of what is computed entry by entry, where each is as long as those beside it."""
    result: Lengths = ()
    for own in parts:
        if own is None:
            return None
        both = sorted((result, own), key=len)
        ahead = len(both[1]) - len(both[0])
        joined = [_joined(a, b) for a, b in zip(both[0], both[1][ahead:], strict=True)]
        if None in joined:
            return None
        result = (*both[1][:ahead], *joined)  # type: ignore[assignment,arg-type]
    return result


def _joined(one: Length, other: Length) -> Length | None:
    if one == other or other == ONE:
        return one
    return other if one == ONE else None


__all__ = ["alike"]

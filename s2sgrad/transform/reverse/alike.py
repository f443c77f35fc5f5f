"""Floor 5: values of one statement that have the same shape by how they are written.

`a[i, k:] -= m * a[k, k:]`: nobody knows how long the parts are, but they are parts of axes of one
length, between the same bounds, at the same moment. So are `y[mask]` and `v` after
`v = np.sqrt(y[mask])`, in statements that follow each other, and `A[k:]` and
`np.outer(u, u @ A[k:])` after `u = A[k:, k]`. A part has a letter for its length here, and types
of calls are inferred with such letters as they are with others.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.activity import works_by_entries
from s2sgrad.analysis.indexing import slice_size
from s2sgrad.analysis.infer import infer_call
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_float_dtype
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Sequence, Slice, Var
from s2sgrad.ir.sizes import SOME, Shape, Size, broadcast, changes, known, of
from s2sgrad.ir.types import Array, Scalar, Tuple, Type, shape_of
from s2sgrad.rules.declare import lookup


def alike(one: Expr, other: Expr, above: Block = ()) -> bool:
    """Whether two values that a statement reads at the same moment surely have one shape.

    above: the statements before it in its block.
    """
    parts = _Parts()
    shapes = [parts.shape(expr, above) for expr in (one, other)]
    if None in shapes or not parts.told or shapes[0] == shapes[1]:
        return None not in shapes and shapes[0] == shapes[1]
    parts.see(above)
    return parts.shape(one, above) == parts.shape(other, above)


class _Parts:
    """Letters for the lengths of parts whose length nobody knows, in terms of one statement."""

    def __init__(self) -> None:
        self.told: list[tuple[Expr, Size | None]] = []  # a slice of an axis, or a mask
        self.bound: dict[Size, Size] = {}  # our letter -> that of a variable, which is such a part

    def see(self, above: Block) -> None:
        """Learn the letters of variables that are as long as such parts: `m = A[k:, k] / p`."""
        for k, stmt in enumerate(above):
            match stmt:
                case nodes.Assign(values=(value,)) if _has_parts(value):
                    found = self._told(value, above[:k])
                    if found is None or _changed(self._said_with(found), above[k:]):
                        continue
                    for ours, size in zip(found, shape_of(value.type) or (), strict=False):
                        if ours is not None and size is not None and ours != size:
                            self.bound.setdefault(ours, size)

    def _letter(self, part: Expr, size: Size | None) -> Size:
        if (part, size) not in self.told:
            self.told.append((part, size))
        letter = of(f"{SOME}part_{self.told.index((part, size))}")
        return self.bound.get(letter, letter)

    def _said_with(self, shape: Shape) -> list[Expr]:
        """The slices and masks that a shape is told with."""
        letters = {name for size in shape if size is not None for name in size.letters()}
        told = enumerate(self.told)
        return [part for k, (part, _) in told if any(n == f"{SOME}part_{k}" for n in letters)]

    def shape(self, expr: Expr, above: Block) -> Shape | None:
        """How long the axes of a value are; None where that can't be said."""
        if isinstance(expr.type, Scalar):
            return ()
        if not isinstance(expr.type, Array):
            return None
        shape = expr.type.shape
        if shape is None or known(shape):
            return shape
        found = self._told(expr, above)
        if found is None or len(found) != len(shape):
            return None
        found = tuple(f if s is None else s for f, s in zip(found, shape, strict=True))
        return found if known(found) else None

    def _told(self, expr: Expr, above: Block) -> Shape | None:
        """The same by what an expression is made of."""
        match expr:
            case Index(base=base, index=index):
                return self._part(base, index)
            case Call(kwargs=()) if works_by_entries(expr.function):
                return self._broadcast([self.shape(a, above) for a in expr.args])
            case Call() if lookup(expr.function) is not None:
                return self._called(expr, above)
            case Var(name=name):
                return self._as_bound(name, above)
        return None

    def _called(self, call: Call, above: Block) -> Shape | None:
        """The axes of a call's result, from those of its arguments."""
        args = [self._type(a, above) for a in call.args]
        named = {name: self._type(value, above) for name, value in call.kwargs}
        if None in args or None in named.values():
            return None
        kind = infer_call(call.function, tuple(args), named)  # type: ignore[arg-type]
        return shape_of(kind) if isinstance(kind, Array) else None

    def _type(self, expr: Expr, above: Block) -> Type | None:
        """The type of an argument with letters for all lengths; None if there is one without."""
        if isinstance(expr, Sequence):
            items = [self._type(item, above) for item in expr.items]
            made_by = list if expr.kind == "list" else None
            return None if None in items else Tuple(tuple(items), made_by)  # type: ignore[arg-type]
        if not isinstance(expr.type, Array):
            return expr.type
        shape = self.shape(expr, above)
        return None if shape is None else replace(expr.type, shape=shape)

    def _as_bound(self, name: str, above: Block) -> Shape | None:
        """The same of a variable by the statement that bound it, if nothing that tells of its
        length has changed since."""
        for k in range(len(above) - 1, -1, -1):
            match above[k]:
                case nodes.Assign(targets=(target,), values=(value,)) if target == name:
                    found = self.shape(value, above[:k])
                    if found is None or _changed(self._said_with(found), above[k:]):
                        return None
                    return found
            if name in nodes.bound_in((above[k],)):
                return None
        return None

    def _part(self, base: Expr, index: tuple[Expr, ...]) -> Shape | None:
        """The axes of `base[index]`, where the subscript has numbers and slices, or one mask."""
        shape = shape_of(base.type) if isinstance(base.type, Array) else None
        if shape is None or len(index) > len(shape):
            return None
        if len(index) == 1 and _is_mask(index[0]):
            rest = shape[len(shape_of(index[0].type) or ()) :]
            return (self._letter(index[0], None), *rest)
        found: list[Size] = []
        whole = (Slice(None, None, None),) * (len(shape) - len(index))
        for part, size in zip((*index, *whole), shape, strict=True):
            if not isinstance(part, Slice):
                if isinstance(part.type, Scalar) and part.type.dtype != "bool":
                    continue
                return None
            if size is None or not all(map(_is_steady, _bounds(part))):
                return None
            length = slice_size(part, size)
            found.append(self._letter(part, size) if length is None else length)
        return tuple(found)

    def _broadcast(self, shapes: list[Shape | None]) -> Shape | None:
        """The axes of what is computed entry by entry."""
        result: Shape = ()
        for shape in shapes:
            if shape is None:
                return None
            result = broadcast(result, shape)
        return result if known(result) else None


def _has_parts(value: Expr) -> bool:
    """Whether an array is computed from parts whose lengths only a run tells."""
    parts = (e for e in nodes.walk(value) if isinstance(e, Index) and isinstance(e.type, Array))
    return isinstance(value.type, Array) and any(_of_a_run(p) for p in parts)


def _of_a_run(part: Index) -> bool:
    sizes = shape_of(part.type) or ()
    return any(s is None or any(map(changes, s.letters())) for s in sizes)


def _changed(told: list[Expr], since: Block) -> bool:
    """Whether what lengths are said with gets other values in these statements.

    Bounds of slices are computed from names alone; the entries of a mask may be written.
    """
    masks = [part for part in told if not isinstance(part, Slice)]
    stores = [s for s in nodes.walk_block(since) if isinstance(s, nodes.Store | nodes.Mutate)]
    kinds = [getattr(s.base.type, "dtype", None) for s in stores]
    floats = all(kind is not None and is_float_dtype(kind) for kind in kinds)
    kept = floats and all(isinstance(part, Var) for part in masks)  # truth values by name
    read = {n for part in told for n in nodes.names_in(part)}
    return bool(masks and stores and not kept) or bool(read & nodes.bound_in(since))


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


__all__ = ["alike"]

"""Floor 6: places in lists, masks and unnamed arrays, as named vectors, over which loops can run.

    part = F[inside, :]                     rows, columns = np.nonzero(inside)
                                            part = F[rows, columns, :]
    K[np.ix_(d, d)] += e                    K[d[:, None], d[None, :]] += e
    ix = np.ix_([0, 2], d); K[ix] += e      v = np.array([0, 2]); K[v[:, None], d[None, :]] += e
    p[np.arange(n), labels]                 places = np.arange(n); p[places, labels]
    kept_writes(y_bar, d)                   np.where(last_at(d, n), y_bar[d], 0.0)

A mask over all axes of an array is no business of this: see packed.py.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import effects, has_effect
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Call, Const, Expr, Function, Index, Sequence, Stmt, Store, Var
from s2sgrad.ir.sizes import CHOSEN, of
from s2sgrad.ir.types import INT, Array, Known, List, Scalar, Tuple, Type
from s2sgrad.transform.preparing.spelling import WHOLE, Writer
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block, map_stmt_exprs
from s2sgrad_runtime.places import last_at, last_at_both

WHOLE_NUMBERS = ("int", "int64")
Places = tuple[Expr, ...]


def with_places_as_vectors(function: Function) -> Function:
    """The function with such subscripts."""
    types = dict(function.types)
    names = Names(set(types) | set(function.parameters))
    writer = _Places(names, types, _lasting(function))
    writer.crossed = _crossings(function, names, types)
    body = map_block(function.body, lambda e: e, writer.statement)
    given = [writer.told[n] for n in function.parameters if n in writer.told]
    body = (*given, *map_block(body, lambda e: e, writer.with_places)) if writer.told else body
    return replace(function, body=body, types=types)


def _lasting(function: Function) -> frozenset[str]:
    """Variables that hold one array all the time, which is not written in place."""
    stmts = list(nodes.walk_block(function.body))
    bound = Counter(t for s in stmts for t in nodes.targets_of(s))
    bound.update(function.parameters)
    changes = effects(function.body)
    return frozenset(n for n, times in bound.items() if times == 1 and not changes.is_written(n))


def _crossings(
    function: Function, names: Names, types: dict[str, Type]
) -> dict[str, tuple[str, ...]]:
    """Variables that hold `np.ix_(...)` whenever they hold something, and names for its vectors."""
    bound: dict[str, list[Places]] = {name: [()] for name in function.parameters}
    for stmt in nodes.walk_block(function.body):
        for target in nodes.targets_of(stmt):
            match stmt:
                case Assign(targets=(_,), values=(Call(function=np.ix_, args=args),)):
                    known = all(_as_vector(a) is not None for a in args)
                    bound.setdefault(target, []).append(args if known else ())
                case _:
                    bound.setdefault(target, []).append(())
    found = {}
    for name, given in bound.items():
        if given[0] and all(len(args) == len(given[0]) for args in given):
            found[name] = tuple(names.fresh("places") for _ in given[0])
            for k, vector in enumerate(found[name]):
                kinds = [_as_vector(args[k]).type for args in given]  # type: ignore[union-attr]
                same = all(kind == kinds[0] for kind in kinds)
                types[vector] = kinds[0] if same else Array("int64", (None,))
    return found


class _Places(Writer):
    """Writes what goes ahead of a statement.

    lasting: see `_lasting`. told: of such a mask, what says where it is true, once for all.
    crossed: see `_crossings`.
    """

    def __init__(self, names: Names, types: dict[str, Type], lasting: frozenset[str]) -> None:
        super().__init__(names, types)
        self.lasting, self.told = lasting, dict[str, nodes.Unpack]()
        self.crossed: dict[str, tuple[str, ...]] = {}

    def statement(self, stmt: Stmt) -> list[Stmt]:
        """The statement, and ahead of it the vectors that it needs."""
        if not isinstance(stmt, Assign | Store | nodes.Mutate | nodes.Return):
            return [stmt]
        if any(_is_chosen(n) for e in nodes.expressions(stmt) for n in nodes.walk(e)):
            return [stmt]
        self.before = []
        match stmt:
            case Assign(targets=(name,), values=(Call(args=args) as call,)) if name in self.crossed:
                lines = self._crossed(args, call.type, self.crossed[name])
                return [*self.before, replace(stmt, values=(lines,))]
        stmt = map_stmt_exprs(stmt, self.expression)
        if isinstance(stmt, Store) and isinstance(stmt.base.type, Array):
            stmt = replace(stmt, index=self.places(stmt.base.type, stmt.index))
            if any(map(_is_places, stmt.index)) and has_effect(stmt.value):
                stmt = replace(stmt, value=self.named(stmt.value))
        if isinstance(stmt, nodes.Mutate):  # no loop over entries puts them into a list
            stmt = replace(stmt, args=tuple(self.named(a) if _gathers(a) else a for a in stmt.args))
        return [*self.before, stmt]

    def with_places(self, stmt: Stmt) -> list[Stmt]:
        """A statement that binds a mask, and then where it is true."""
        bound = nodes.targets_of(stmt)
        told = [self.told[n] for n in bound if n in self.told]
        if isinstance(stmt, nodes.For):
            return [replace(stmt, body=(*told, *stmt.body))]
        return [stmt, *told]

    def expression(self, expr: Expr) -> Expr:
        """An expression with such places in its own subscript."""
        match expr:
            case Call(function=np.ix_, args=args) if all(map(_as_vector, args)):
                return self._crossed(args, expr.type)
            case Index(base=Sequence(items=items), index=(Const(value=int(k)),)):
                return items[k] if all(map(_line_of, items)) else expr
            case Index(base=Var(name=name), index=(Const(value=int(k)),)):
                return self._line(self.crossed[name], k) if name in self.crossed else expr
            case Index(base=base, index=index) if isinstance(base.type, Array):
                places = self.places(base.type, index)
                return expr if places == index else replace(expr, index=places)
            case Call(function=s2sgrad_runtime.kept_writes, args=(bar, index)):
                return self._kept(expr, bar, index) or expr
        return expr

    def _crossed(self, given: Places, kind: Type, names: tuple[str, ...] = ()) -> Expr:
        """`np.ix_(a, b)`: vectors, each across the others. names: of the vectors."""
        names = names or tuple(self.names.fresh("places") for _ in given)
        for name, part in zip(names, given, strict=True):
            vector = _as_vector(part)
            assert vector is not None
            self.types.setdefault(name, vector.type)
            self.before.append(Assign((name,), (vector,), span=part.span))
        lines = tuple(self._line(names, k) for k in range(len(names)))
        return Sequence("tuple", lines, type=Tuple(tuple(e.type for e in lines)))

    def _line(self, names: tuple[str, ...], k: int) -> Expr:
        vector = Var(names[k], type=self.types[names[k]])
        return build.index(vector, *(WHOLE if i == k else build.NEWAXIS for i in range(len(names))))

    def places(self, kind: Array, index: Places) -> Places:
        """A subscript of an array of this type."""
        found: list[Expr] = []
        several = sum(map(_is_places, index)) > 1
        for axis, part in enumerate(index):
            if _is_mask(part, kind, axis) and not several:
                found += self._where(part)
            elif _is_list(part):
                found.append(self._named(_as_array(part)))
            elif several:
                found.append(self._vector(part))
            else:
                found.append(part)
        return tuple(found)

    def _vector(self, part: Expr) -> Expr:
        """A vector under a name, also where it goes across others; other parts as they are."""
        if _is_vector(part):
            return self._named(part)
        line = _line_of(part)
        return part if line is None else replace(part, base=self._named(line[0]))  # type: ignore[call-arg]

    def _named(self, part: Expr) -> Expr:
        return self.named(part, "places")

    def _where(self, mask: Expr) -> list[Expr]:
        """The places at which a mask is true, along each of its axes."""
        lasting = isinstance(mask, Var) and mask.name in self.lasting
        if lasting and mask.name in self.told:  # type: ignore[attr-defined]
            known = self.told[mask.name].targets  # type: ignore[attr-defined]
            return [Var(name, type=self.types[name]) for name in known]
        rank = len(mask.type.shape)  # type: ignore[attr-defined]
        names = [self.names.fresh("places") for _ in range(rank)]
        count = of(f"{CHOSEN}{names[0]}")
        kind = Array("int64", (count,))
        self.types.update(dict.fromkeys(names, kind))
        call = Call(np.nonzero, "np.nonzero", (mask,), type=Tuple((kind,) * rank))
        told = nodes.Unpack(tuple(names), call, span=mask.span)
        if lasting:
            self.told[mask.name] = told  # type: ignore[attr-defined]
        else:
            self.before.append(told)
        return [Var(name, type=kind) for name in names]

    # --- the cotangents of writes, of which the last one to a place counts -----------------------
    def _kept(self, call: Call, bar: Expr, index: Expr) -> Expr | None:
        parts = index.items if isinstance(index, Sequence) and index.kind == "tuple" else (index,)
        parts = tuple(map(_as_part, parts))
        if not isinstance(bar.type, Array) or bar.type.shape is None:
            return None
        if not isinstance(bar, Var) or len(parts) > len(bar.type.shape):
            return None
        parts = tuple(self._vector(_as_array(p) if _is_list(p) else p) for p in parts)
        last = self._last(bar, parts)
        if last is None:
            return None
        taken = Index(bar, parts, type=call.type, span=call.span)
        inferred = infer_index(bar.type, parts)
        if not isinstance(inferred, Array) or inferred.shape is None:
            return None
        taken = replace(taken, type=inferred)
        first = _first_axis(parts)
        behind = len(inferred.shape) - first - len(last.type.shape)  # type: ignore[attr-defined]
        if behind:
            last = self.named(last, "last")
            last = build.index(last, *(WHOLE,) * len(last.type.shape), *(build.NEWAXIS,) * behind)  # type: ignore[attr-defined]
        return build.call(np.where, "np.where", last, taken, build.number(0.0), kind=inferred)

    def _last(self, bar: Expr, parts: Places) -> Expr | None:
        """Which of the writes to some places are the last ones there."""
        at = [k for k, p in enumerate(parts) if _is_places(p)]
        numbers = [p for p in parts if not nodes.is_slice(p) and isinstance(p.type, Scalar)]
        if not at or at != list(range(at[0], at[-1] + 1)) or numbers:
            return None  # NumPy puts the axis of places that are apart first
        lines = [_line_of(parts[k]) for k in at]
        if len(at) == 1 and _is_vector(parts[at[0]]):
            return self._last_of(parts[at[0]], bar, at[0])
        if len(at) == 2 and None not in lines:
            down, along = ((v, axis) for v, axis in lines)  # type: ignore[misc]
            if (down[1], along[1]) == (0, 1):
                one = self.named(self._last_of(down[0], bar, at[0]), "last")
                two = self.named(self._last_of(along[0], bar, at[1]), "last")
                rows = build.index(one, WHOLE, build.NEWAXIS)
                columns = build.index(two, build.NEWAXIS, WHOLE)
                return build.binary("&", rows, columns)
        if len(at) == 2 and all(_is_vector(parts[k]) for k in at):
            return self._last_of_pairs(parts[at[0]], parts[at[1]], bar, at)
        return None

    def _last_of(self, vector: Expr, bar: Expr, axis: int) -> Expr:
        kind = Array("bool", vector.type.shape)  # type: ignore[attr-defined]
        return Call(last_at, "last_at", (vector, _length(bar, axis)), type=kind)

    def _last_of_pairs(self, one: Expr, two: Expr, bar: Expr, at: list[int]) -> Expr | None:
        if one.type != two.type:
            return None
        kind = Array("bool", one.type.shape)  # type: ignore[attr-defined]
        lengths = [_length(bar, k) for k in at]
        return Call(last_at_both, "last_at_both", (one, two, *lengths), type=kind)


# --- questions -------------------------------------------------------------------------------
def _is_chosen(expr: Expr) -> bool:
    """Whether parts of an expression are computed only at times."""
    return isinstance(expr, nodes.Choice) or (isinstance(expr, Call) and expr.text in ("and", "or"))


def _is_list(part: Expr) -> bool:
    """Whether a part of a subscript is a list of whole numbers."""
    if isinstance(part, Sequence):
        kinds = [i.type for i in part.items]
        whole = all(isinstance(k, Scalar) and k.dtype in WHOLE_NUMBERS for k in kinds)
        return part.kind == "list" and bool(kinds) and whole
    named = isinstance(part.type, List) and not part.type.fixed  # a tuple is a whole subscript
    return named and part.type.item == INT  # type: ignore[attr-defined]


def _gathers(expr: Expr) -> bool:
    """Whether a value is the entries of an array at several places."""
    taken = isinstance(expr, Index) and isinstance(expr.base.type, Array)
    return taken and any(map(_is_places, expr.index))  # type: ignore[attr-defined]


def _as_array(part: Expr) -> Expr:
    count = of(len(part.items)) if isinstance(part, Sequence) else None
    kind = Array("int64", (count,))
    whole = nodes.Ref("np.int64", np.int64, type=Known(np.int64))  # an empty list has floats
    given = (part,) if isinstance(part, Sequence) else (part, whole)
    return Call(np.array, "np.array", given, type=kind, span=part.span)


def _is_places(part: Expr) -> bool:
    """Whether a part of a subscript names several places one by one."""
    return _is_list(part) or (isinstance(part.type, Array) and part.type.shape != ())


def _is_vector(part: Expr) -> bool:
    kind = part.type
    known = isinstance(kind, Array) and kind.shape is not None and len(kind.shape) == 1
    return known and kind.dtype == "int64"  # type: ignore[attr-defined]


def _is_mask(part: Expr, kind: Array, axis: int) -> bool:
    """Whether a part is a mask as long as several axes of the array, from this one on."""
    own = part.type
    if not isinstance(own, Array) or own.dtype != "bool" or not sizes.known(own.shape):
        return False
    rank = len(own.shape or ())
    return rank > 1 and kind.shape is not None and own.shape == kind.shape[axis : axis + rank]


def _as_vector(part: Expr) -> Expr | None:
    """Whole numbers in an array, a list or a tuple, as a vector."""
    if _is_vector(part):
        return part
    if isinstance(part, Const) and isinstance(part.value, tuple):
        items = tuple(Const(v, type=Scalar(type(v).__name__)) for v in part.value)
        part = Sequence("tuple", items, span=part.span)
    if isinstance(part, Sequence):
        part = replace(part, kind="list")
    several = isinstance(part.type, List) and part.type.item == INT
    return _as_array(part) if _is_list(part) or several else None


def _line_of(part: Expr) -> tuple[Expr, int] | None:
    """The vector in `d[:, None]` or `d[None, :]`, and along which axis it goes."""
    match part:
        case Index(base=base, index=(one, two)) if _is_vector(base):
            if one == WHOLE and two == build.NEWAXIS:
                return base, 0
            if one == build.NEWAXIS and two == WHOLE:
                return base, 1
    return None


def _as_part(value: Expr) -> Expr:
    """`slice(None, None, None)` as a subscript has it."""
    match value:
        case Call(function=function, args=args) if function is slice:
            nothing = all(isinstance(a, Const) and a.value is None for a in args)
            return WHOLE if nothing else value
    return value


def _first_axis(parts: Places) -> int:
    return next(k for k, p in enumerate(parts) if _is_places(p))


def _length(bar: Expr, axis: int) -> Expr:
    shape = Call(np.shape, "shape", (bar,), form="attribute")
    return Index(shape, (Const(axis, type=INT),), type=INT)


__all__ = ["with_places_as_vectors"]

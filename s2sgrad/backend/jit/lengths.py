"""Floor 6: lengths that a run may find negative, or too short for a literal subscript.

    y = np.zeros(n)         if n < 0: raise ValueError(...)
    z = x[3]                if x.shape[0] < 4: raise IndexError(...)
    w = x[mask]             if mask.shape[0] != x.shape[0]: raise IndexError(...)
                            y = np.zeros(n)
                            z = x[3]
                            w = x[mask]

Compiled code does not notice either: its loops may do without the array, and it reads beside x.
The questions stand as early as they can, outside of loops, and before a loop that may not run at
all; Python runs the code again after the error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.backend.loops.extents import integer, length
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import relied_upon
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Stmt, Var
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import BOOL, STR, Array, Known, Scalar

WHY = "negative dimensions are not allowed"
BESIDE = "index is out of bounds"
_MAKERS = frozenset({"np.empty", "np.zeros", "np.ones", "np.full"})
_GROWING = frozenset({"+", "*", "//"})  # of numbers that are not negative neither is this


def with_lengths_asked(lowered: Block, function: Function) -> Block:
    """The body as loops, with questions for the lengths that the function makes arrays of."""
    every = tuple(nodes.walk_block(function.body))
    bound = Counter(t for s in (*every, *nodes.walk_block(lowered)) for t in nodes.targets_of(s))
    result: tuple[Stmt, ...] = lowered
    asked: list[Expr] = []
    for stmt in every:
        for expr in nodes.expressions(stmt):
            for count in (n for e in nodes.walk(expr) for n in _lengths(e)):
                if count not in asked and not _never_negative(count):
                    asked.append(count)
    for count in reversed(asked):
        place = _place(result, nodes.names_in(count), bound, function)
        if place is not None:
            result = (
                *result[:place],
                _raising(count, integer(0), ValueError, WHY),
                *result[place:],
            )
    given = _given(function, bound)
    return (*_too_short(function, bound, given), *_unfit_masks(function, given), *result)


def known_lengths(function: Function) -> tuple[tuple[str, int, int], ...]:
    """(name, axis, entries) of axes that surely have so many: by their types, and by the questions
    at the start. A literal subscript beyond them is checked where it stands."""
    bound = Counter(t for s in nodes.walk_block(function.body) for t in nodes.targets_of(s))
    found: dict[tuple[str, int], int] = {}
    for stmt in function.body:
        match stmt:
            case nodes.If(
                test=Call(
                    text="<",
                    args=(
                        nodes.Index(Call(text="shape", args=(Var(name),)), (Const(int(at)),)),
                        Const(int(least)),
                    ),
                ),
                then=(nodes.Do(Call(args=(Const(why),)), "raise"),),
            ) if why == BESIDE and not bound[name]:
                found[name, at] = least
    for name, kind in function.types.items():
        for axis, size in enumerate((kind.shape or ()) if isinstance(kind, Array) else ()):
            if size is not None and size.constant is not None:
                found[name, axis] = size.constant
    taken = {e.base.name for e in _subscripts(function.body) if isinstance(e.base, Var)}
    return tuple(sorted((*key, most) for key, most in found.items() if key[0] in taken))


def _subscripts(block: Block) -> Iterator[nodes.Index]:
    """All entries at literals that are read or written."""
    for stmt in nodes.walk_block(block):
        if isinstance(stmt, nodes.Store) and stmt.index:
            yield from (
                e for e in (nodes.Index(stmt.base, stmt.index),) if any(map(_places, e.index))
            )
        for expr in nodes.expressions(stmt):
            yield from (
                e
                for e in nodes.walk(expr)
                if isinstance(e, nodes.Index) and any(map(_places, e.index))
            )


def _given(function: Function, bound: Counter[str]) -> dict[Size, tuple[str, int]]:
    """Lengths of axes -> the array and the axis, of those that are given, that has it."""
    given: dict[Size, tuple[str, int]] = {}
    for name in function.parameters:
        kind = function.types.get(name)
        if isinstance(kind, Array) and not bound[name]:
            for axis, size in enumerate(kind.shape or ()):
                if size is not None:
                    given.setdefault(size, (name, axis))
    return given


def _too_short(
    function: Function, bound: Counter[str], given: dict[Size, tuple[str, int]]
) -> list[Stmt]:
    """Questions for arrays that are given, where they, or arrays as long, are read or written at
    literals. In loops too: if one does not run, Python answers."""
    needed: dict[tuple[str, int], int] = {}
    for expr in _entries(function.body):
        own = expr.base.name if isinstance(expr.base, Var) else ""
        for axis, least in _literals(expr):
            size = expr.base.type.shape[axis]  # type: ignore[attr-defined]
            key = given.get(size) if size is not None else None
            if key is None and own in function.parameters and not bound[own]:
                key = own, axis
            if key is not None:
                needed[key] = max(least, needed.get(key, 0))
            elif size is not None and size.constant is not None:  # too short in any case
                return [_raising(integer(size.constant), integer(least), IndexError, BESIDE)]
    return [
        _raising(
            length(Var(name, type=function.types[name]), axis), integer(least), IndexError, BESIDE
        )
        for (name, axis), least in needed.items()
    ]


def _unfit_masks(function: Function, given: dict[Size, tuple[str, int]]) -> list[Stmt]:
    """Questions whether masks are as long as the axes that they choose from: Numba reads on."""

    def of_given(size: Size) -> Expr:
        if size.constant is not None:
            return integer(size.constant)
        name, axis = given[size]
        return length(Var(name, type=function.types[name]), axis)

    pairs = dict.fromkeys(p for e in _entries(function.body) for p in _masked(e))
    told = {size for pair in pairs for size in pair if size.constant is not None or size in given}
    known = [(mask, axis) for mask, axis in pairs if {mask, axis} <= told]
    return [_raising(of_given(m), of_given(a), IndexError, BESIDE, "!=") for m, a in known]


def _masked(expr: nodes.Index) -> Iterator[tuple[Size, Size]]:
    """(length of a mask, length of its axis), where they may differ."""
    kind = expr.base.type
    if not isinstance(kind, Array) or kind.shape is None or len(expr.index) > len(kind.shape):
        return
    for part, size in zip(expr.index, kind.shape, strict=False):
        if isinstance(part, Const) and (part.value is None or part.value is ...):
            return
        if not isinstance(part.type, Array) or part.type.dtype != "bool":
            continue
        own = part.type.shape
        if own is None or len(own) != 1:
            return  # it takes several axes
        if own[0] is not None and size is not None and own[0] != size:
            yield own[0], size


def _entries(block: Block) -> Iterator[nodes.Index]:
    """The parts of arrays that are read or written, but in branches that may not be taken."""
    for stmt in block:
        for part in nodes.expressions(stmt):
            yield from (e for e in _always(part) if isinstance(e, nodes.Index))
        match stmt:
            case nodes.Store(base=base, index=index) if index:
                yield nodes.Index(base, index)
            case nodes.For(body=body) | nodes.While(body=body):
                yield from _entries(body)


def _always(expr: Expr) -> Iterator[Expr]:
    """What is computed of an expression in any case."""
    yield expr
    if isinstance(expr, nodes.Choice):
        yield from _always(expr.test)
    elif not (isinstance(expr, Call) and expr.text in ("and", "or")):
        for part in nodes.children(expr):
            yield from _always(part)


def _literals(expr: nodes.Index) -> Iterator[tuple[int, int]]:
    """(axis, entries that it has at least) for the literals of a subscript."""
    kind = expr.base.type
    if not isinstance(kind, Array) or kind.shape is None or len(expr.index) > len(kind.shape):
        return
    for axis, part in enumerate(expr.index):
        if isinstance(part, Const) and (part.value is None or part.value is ...):
            return
        size = kind.shape[axis]
        least = max((p + 1 if p >= 0 else -p for p in _places(part)), default=0)
        if least and (size is None or size.constant is None or size.constant < least):
            yield axis, least


def _places(part: Expr) -> list[int]:
    """The literals of one subscript: it may be a list of them, or an array of such a list."""
    match part:
        case Call(function=np.array | np.asarray, args=(nodes.Sequence() as listed, *_)):
            return _places(listed)
        case nodes.Sequence(items=items):
            return [p for item in items for p in _places(item)]
    place = constant_of(part)
    return [place] if type(place) is int else []


def _lengths(expr: Expr) -> tuple[Expr, ...]:
    """What a new array is to be long, where that might be negative."""
    if not isinstance(expr, Call) or expr.text not in _MAKERS or not expr.args:
        return ()
    shape = expr.args[0]
    found = shape.items if isinstance(shape, nodes.Sequence) else (shape,)
    sizes = expr.type.shape if isinstance(expr.type, Array) else None
    if sizes is None or len(sizes) != len(found):
        sizes = (None,) * len(found)
    return tuple(
        n
        for n, size in zip(found, sizes, strict=True)
        if isinstance(n.type, Scalar) and n.type.dtype == "int"
        if size is None or not relied_upon(size)
    )


def _never_negative(expr: Expr) -> bool:
    match expr:
        case Const(value=value):
            return isinstance(value, int) and value >= 0
        case nodes.Index(base=Call(form="attribute", text="shape")):
            return True
        case Call(form="attribute", text="size" | "ndim") | Call(text="len"):
            return True
        case Call(form="operator", args=(_, _), text=text) if text in _GROWING:
            return all(map(_never_negative, expr.args))
        case Call(text="max"):
            return any(map(_never_negative, expr.args))
    return False


def _place(
    block: Block, names: frozenset[str], bound: Counter[str], function: Function
) -> int | None:
    """Where all names of a length have the values that they keep; None: nowhere that is sure."""
    found = 0
    for name in names:
        if name in function.parameters and not bound[name]:
            continue
        places = [k for k, stmt in enumerate(block) if name in nodes.targets_of(stmt)]
        both = 2  # once in the function, once in its loops
        if (
            bound[name] != both
            or len(places) != 1
            or not isinstance(block[places[0]], nodes.Assign)
        ):
            return None
        found = max(found, places[0] + 1)
    return found


def _raising(left: Expr, right: Expr, error: type[Exception], why: str, sign: str = "<") -> Stmt:
    compare = {"<": np.less, "!=": np.not_equal}[sign]
    test = Call(compare, sign, (left, right), form="operator", type=BOOL)
    told = Call(error, error.__name__, (Const(why, type=STR),), type=Known(None))
    return nodes.If(test, (nodes.Do(told, "raise"),), ())


__all__ = ["known_lengths", "with_lengths_asked"]

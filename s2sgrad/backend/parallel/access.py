"""Floor 6: what one iteration of a loop touches, and whether another iteration may touch it too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.backend.loops.aliases import Groups, shared_names
from s2sgrad.backend.loops.touches import SHAPE_ONLY
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Dict, List, Scalar, Tuple

PURE_METHODS = frozenset({"copy", "reshape", "sum", "astype", "ravel", "conj"})
PURE_HOMES = ("numpy", "math", "cmath", "builtins", "s2sgrad_runtime")
READ, WRITE, ADD = "r", "w", "a"


class Dependent(Exception):
    """The iterations of a loop can't be shown to be independent; the message says why."""


@dataclass(frozen=True)
class Access:
    """A use of an array. index: its subscript; None: anywhere in the array."""

    name: str
    index: tuple[Expr, ...] | None
    mode: str


def bound_in(block: Block) -> frozenset[str]:
    """Names that get a value in a block; `x += e` of a number counts."""
    found = nodes.bound_in(block)
    return frozenset(found | {s.base.name for s in nodes.walk_block(block) if adds_to_number(s)})  # type: ignore[attr-defined]


def adds_to_number(stmt: Stmt) -> bool:
    """Whether a statement is `x += e` for a number x."""
    return (
        isinstance(stmt, nodes.Store)
        and not stmt.index
        and isinstance(stmt.base, Var)
        and isinstance(stmt.base.type, Scalar)
    )


def read_first(block: Block) -> frozenset[str]:
    """Names that an iteration may read before it has set them."""
    walk = Liveness()
    walk._jumps.append((frozenset(), frozenset()))  # `continue` goes on to the next iteration
    return walk.block(block, frozenset())[1]


def check_statements(body: Block) -> None:
    """Raise Dependent where a body does more than compute and write entries of arrays."""
    for stmt in nodes.walk_block(body):
        if type(stmt) not in (
            nodes.Assign, nodes.Store, nodes.If, nodes.For, nodes.While, nodes.Exit, nodes.Comment,
        ):  # fmt: skip
            raise Dependent(_effect(stmt))
        for expr in nodes.expressions(stmt):
            for part in nodes.walk(expr):
                _check_expression(part)
    if _breaks(body):
        raise Dependent("it may be left early")


def _effect(stmt: Stmt) -> str:
    if isinstance(stmt, nodes.Mutate):
        return f"it changes the list {getattr(stmt.base, 'name', '')!r}"
    if isinstance(stmt, nodes.Return):
        return "it may be left early"
    return "Python runs a part of it"


def _check_expression(part: Expr) -> None:
    if isinstance(part, Var) and isinstance(part.type, List | Dict | Tuple):
        raise Dependent(f"it uses the list {part.name!r}")
    if not isinstance(part, Call) or part.form in ("operator", "attribute"):
        return
    if part.form == "method":
        if part.text not in PURE_METHODS:
            raise Dependent(f"it calls {part.text}()")
        return
    if isinstance(part.function, np.ufunc) or part.function is range:
        return
    home = str(getattr(part.function, "__module__", None) or "")
    if home.split(".")[0] not in PURE_HOMES or "random" in home or part.kwargs:
        raise Dependent(f"it calls {part.text}()")


def _breaks(block: Block) -> bool:
    return any(
        (isinstance(s, nodes.Exit) and s.kind == "break")
        or (isinstance(s, nodes.If) and (_breaks(s.then) or _breaks(s.orelse)))
        for s in block
    )


class Accesses:
    """The uses of arrays in the body of a loop, by the name of the array that is used."""

    def __init__(self, body: Block) -> None:
        self.own: set[str] = set()  # arrays that an iteration makes for itself
        self.views: dict[str, tuple[str, tuple[Expr, ...] | None]] = {}
        self.found: list[Access] = []
        self._classify(body)
        for stmt in nodes.walk_block(body):
            self._statement(stmt)

    def _classify(self, body: Block) -> None:
        values: dict[str, list[Expr | None]] = {}
        for stmt in nodes.walk_block(body):
            if isinstance(stmt, nodes.Assign):
                for target, value in zip(stmt.targets, stmt.values, strict=True):
                    values.setdefault(target, []).append(value)
            else:
                for target in nodes.targets_of(stmt):
                    values.setdefault(target, []).append(None)
        for name, bound in values.items():
            if all(v is not None and not shared_names(v) for v in bound):
                self.own.add(name)
            elif len(bound) == 1 and isinstance(bound[0], Var | Index):
                self.views[name] = _root(bound[0])

    def _statement(self, stmt: Stmt) -> None:
        match stmt:
            case nodes.Store(base=base, index=index, value=value, op=op):
                if not adds_to_number(stmt):
                    mode = ADD if op.removesuffix("at") in ("+", "-") else WRITE
                    self._use(Index(base, index) if index else base, mode)
                for part in (*index, value):
                    self._read(part)
                if isinstance(base, Index):
                    for part in base.index:
                        self._read(part)
            case _:
                for expr in nodes.expressions(stmt):
                    self._read(expr)

    def _read(self, expr: Expr) -> None:
        match expr:
            case Index(base=Var() | Index()):
                self._use(expr, READ)
                for part in _subscripts(expr):
                    self._read(part)
                return
            case Call(form="attribute", text="shape" | "size" | "ndim"):
                return
            case Call(text=text, args=(Var(), *rest)) if text in SHAPE_ONLY or text == "len":
                for part in rest:
                    self._read(part)
                return
            case Var() if not isinstance(expr.type, Scalar):
                self._use(expr, READ)
                return
        for child in nodes.children(expr):
            self._read(child)

    def _use(self, expr: Expr, mode: str) -> None:
        name, index = _root(expr)
        for _ in range(len(self.views) + 1):
            if name not in self.views:
                break
            name, index = self.views[name]
        if name == "":
            raise Dependent("it writes through a view that can't be followed")
        if name not in self.own:
            self.found.append(Access(name, index, mode))


def _root(expr: Expr) -> tuple[str, tuple[Expr, ...] | None]:
    """The array that an expression is a part of, and the subscript that is applied to it first."""
    index: tuple[Expr, ...] | None = None
    while True:
        match expr:
            case Var(name=name):
                return name, index
            case Index(base=base, index=own):
                expr, index = base, own
            case Call(form="attribute", args=(base, *_)):
                expr, index = base, None
            case _:
                return "", None


def _subscripts(expr: Expr) -> list[Expr]:
    found: list[Expr] = []
    while isinstance(expr, Index):
        found += expr.index
        expr = expr.base
    return found


@dataclass(frozen=True)
class Space:
    """What is known of a loop: its variable, the least value of it (None: not known), and the
    names that its body binds."""

    target: str
    low: int | None
    changing: frozenset[str]


def conflicts(
    body: Block, space: Space, groups: Groups, distinct: frozenset[str]
) -> dict[str, int | None]:
    """Arrays that iterations only add to, at entries that they may share, and how far apart two
    iterations that share an entry are at most (None: any two may).

    distinct: names of arrays that surely share no memory with another. Raises Dependent where two
    iterations may meet in another way.
    """
    found = Accesses(body).found
    shared: set[str] = set()
    for one in found:
        if one.mode == READ:
            continue
        if one.name in space.changing:
            raise Dependent(f"it can't be told which array {one.name!r} is")
        for two in found:
            if one.name != two.name:
                apart = one.name in distinct or two.name in distinct
                if not apart and groups.of(one.name) == groups.of(two.name):
                    raise Dependent(f"{one.name!r} and {two.name!r} may share memory")
            elif not _apart(one.index, two.index, space):
                if one.mode != ADD or two.mode != ADD:
                    raise Dependent(f"iterations may meet in an entry of {one.name!r}")
                shared.add(one.name)
    return {n: _reach([a.index for a in found if a.name == n], space) for n in sorted(shared)}


def _reach(indices: list[tuple[Expr, ...] | None], space: Space) -> int | None:
    """The largest difference of the loop's variable between two uses of one entry."""
    if any(index is None for index in indices):
        return None
    whole = [index for index in indices if index is not None]
    for axis in range(min(map(len, whole))):
        offsets = [_offset(index, axis, space) for index in whole]
        known = [o for o in offsets if o is not None]
        if len(known) == len(offsets):
            return max(known) - min(known)
    return None


def _offset(index: tuple[Expr, ...], axis: int, space: Space) -> int | None:
    """c where a subscript is the loop's variable plus the constant c."""
    for part in index[: axis + 1]:
        if isinstance(part.type, Array) or (
            isinstance(part, Const) and (part.value is None or part.value is ...)
        ):
            return None
    part = index[axis]
    if not _follows(part, space):
        return None
    match part:
        case Var():
            return 0
        case Call(text=sign, args=(Var(name=name), Const(value=int(amount)))):
            return (amount if sign == "+" else -amount) if name == space.target else None
    return None


def _apart(one: tuple[Expr, ...] | None, two: tuple[Expr, ...] | None, space: Space) -> bool:
    """Whether different iterations mean different entries: one subscript follows the loop."""
    if one is None or two is None:
        return False
    for a, b in zip(one, two, strict=False):
        if isinstance(a, Const) and (a.value is None or a.value is ...):
            return False
        if isinstance(a.type, Array) or isinstance(b.type, Array):
            return False
        if a == b and _follows(a, space):
            return True
    return False


def _follows(part: Expr, space: Space) -> bool:
    """Whether a subscript is the loop's variable, plus what the loop does not change.

    It must not count from the end: -1 and n - 1 mean the same entry.
    """
    least = low(part, {space.target: space.low} if space.low is not None else {})
    return least is not None and least >= 0 and _moves(part, space)


def _moves(part: Expr, space: Space) -> bool:
    match part:
        case Var(name=name):
            return name == space.target
        case Call(form="operator", text="+" | "-" as sign, args=(left, right)):
            if space.target not in nodes.names_in(left):
                left, right = (right, left) if sign == "+" else (left, right)
            fixed = nodes.names_in(right)
            return (
                _moves(left, space)
                and space.target not in fixed
                and not (fixed & space.changing)
                and all(isinstance(n, Var | Const | Call) for n in nodes.walk(right))
            )
    return False


def low(expr: Expr, known: dict[str, int]) -> int | None:
    """A number that an integer expression is never below; None where none is known."""
    match expr:
        case Const(value=int(value)):
            return int(value)
        case Var(name=name):
            return known.get(name)
        case Index(base=Call(form="attribute", text="shape")) | Call(text="len"):
            return 0
        case Call(form="attribute", text="size"):
            return 0
        case Call(form="operator", text="+", args=(left, right)):
            a, b = low(left, known), low(right, known)
            return None if a is None or b is None else a + b
        case Call(form="operator", text="-", args=(left, Const(value=int(amount)))):
            a = low(left, known)
            return None if a is None else a - amount
    return None


__all__ = [
    "Dependent",
    "Space",
    "adds_to_number",
    "bound_in",
    "check_statements",
    "conflicts",
    "low",
    "read_first",
]

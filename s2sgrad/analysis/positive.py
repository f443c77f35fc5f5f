"""Floor 3: what is surely above zero, where an operation has its only singular point at zero.

In `near = r > 0; r[near] = 1 / np.sqrt(r[near])` neither root nor quotient meets it: what `r[near]`
takes is above zero, as long as r is what the mask was made of. Nor does `np.log(x**2 + 1e-8)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from s2sgrad.analysis.effects import Effects, effects
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array

# Functions whose only singular point is zero -> the argument that it is one of.
AT_ZERO = {
    np.log: 0, np.log2: 0, np.log10: 0, np.sqrt: 0, np.cbrt: 0, np.reciprocal: 0, np.power: 0,
    np.float_power: 0, np.divide: 1,
}  # fmt: skip
_STAY = (np.sqrt, np.cbrt, np.copy)  # above zero where their argument is
_MOVE = (np.ravel, np.reshape, np.transpose)  # above zero if all of it is
_NEVER_BELOW = (np.abs, np.absolute, np.fabs, np.square, np.exp, np.exp2)  # zero
_SUMS = (np.sum, np.mean, np.max, np.min)


class Positive:
    """What is surely above zero in a block."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.masked: set[Expr] = set()  # `r[near]`, where every one of them takes such entries
        self.chosen: dict[Expr, str] = {}  # `np.where(near, v, w)` -> the array that near is of
        if any(map(_chooses, nodes.walk_block(block))):
            found = _Walk(self.memory)
            found.walk(block, {})
            self.masked = found.good.keys() - found.bad
            self.chosen = {e: found.good[e] for e in self.masked if isinstance(e, Call)}

    @cached_property
    def memory(self) -> Effects:
        """What may be written under other names."""
        return effects(self.block)

    def avoids_zero(self, expr: Expr, above: str = "") -> bool:
        """Whether an operation is not applied to its one singular point.

        above: an array of which only entries above zero count.
        """
        if not isinstance(expr, Call) or isinstance(expr.function, str):
            return False
        place = AT_ZERO.get(expr.function)
        return place is not None and place < len(expr.args) and self.holds(expr.args[place], above)

    def holds(self, expr: Expr, above: str = "") -> bool:
        """Whether an expression is surely above zero."""
        match expr:
            case Var(name=name):
                if name == above or name in self.names:
                    return True
                made = self.made(name, above)
                return made is not None and self.holds(made, above)
            case Const(value=float() | int() as value):
                return value > 0
            case Index():
                return can_be_key(expr) and expr in self.masked
            case Call(function=np.where, args=(_, one, other)):
                taken = self.array_of_choice(expr) or above
                return self.holds(one, taken) and self.holds(other, above)
            case Call(function=np.maximum | np.fmax, args=args):
                return any(self.holds(a, above) for a in args)
            case Call(function=np.add, args=(one, other)):
                pairs = ((one, other), (other, one))
                return any(self.holds(p, above) and self.never_below(q, above) for p, q in pairs)
            case Call(function=function, args=(value, *_)) if function in _STAY:
                return self.holds(value, above)
            case Call(function=function, args=(value, *_)) if function in _MOVE:
                return self.holds(value)
        return False

    def never_below(self, expr: Expr, above: str = "") -> bool:
        """Whether an expression is surely not below zero."""
        if _is_complex(expr):
            return False
        match expr:
            case Const(value=float() | int() as value):
                return value >= 0
            case Call(function=np.power, args=(_, Const(value=float() | int() as power))):
                return power > 0 and power % 2 == 0
            case Call(function=np.multiply, args=(one, other)):
                return one == other or (
                    self.never_below(one, above) and self.never_below(other, above)
                )
            case Call(function=np.add, args=(one, other)):
                return self.never_below(one, above) and self.never_below(other, above)
            case Call(function=function, args=(value, *_)) if function in _SUMS:
                return self.never_below(value)
            case Call(function=function) if function in _NEVER_BELOW:
                return True
        return self.holds(expr, above)

    def array_of_choice(self, expr: Expr) -> str | None:
        """The array that is above zero where `np.where(r > 0, v, w)` takes v."""
        return self.chosen.get(expr) if _is_choice(expr) and can_be_key(expr) else None

    def made(self, name: str, above: str) -> Expr | None:
        """What a variable was bound to, once, after the array was that is above zero."""
        if not above or name not in self.bound_once or above not in self.bound_once:
            return None
        (place, value), (before, _) = self.bound_once[name], self.bound_once[above]
        return value if before < place else None

    @cached_property
    def bound_once(self) -> dict[str, tuple[int, Expr]]:
        """Variables that one statement binds, and none writes: which statement, and to what."""
        found: dict[str, tuple[int, Expr]] = {}
        other = self._given()
        for place, stmt in enumerate(nodes.walk_block(self.block)):
            other |= set(nodes.targets_of(stmt)) & found.keys()
            if isinstance(stmt, Assign):
                found |= {target: (place, value) for target, value in _pairs(stmt)}
            else:
                other.update(nodes.targets_of(stmt))
        return {n: made for n, made in found.items() if n not in other and not self._written(n)}

    @cached_property
    def names(self) -> set[str]:
        """The variables of which everything that is ever put into them is above zero."""
        stmts = tuple(nodes.walk_block(self.block))
        other = {t for s in stmts if not isinstance(s, Assign) for t in nodes.targets_of(s)}
        pairs = [p for s in stmts if isinstance(s, Assign) for p in _pairs(s)]
        found = {target for target, _ in pairs} - other - self._given()
        self.__dict__["names"] = names = {name for name in found if not self._written(name)}
        while True:
            wrong = {target for target, value in pairs if target in names and not self.holds(value)}
            if not wrong:
                return names
            names -= wrong

    def _written(self, name: str) -> bool:
        return name in self._stored or self.memory.is_written(name)

    @cached_property
    def _stored(self) -> set[str]:
        """The variables that are changed in place, numbers too."""
        changed = (nodes.Store, nodes.Mutate)
        bases = [s.base for s in nodes.walk_block(self.block) if isinstance(s, changed)]
        return {name for base in bases for name in nodes.names_in(base)}

    def _given(self) -> set[str]:
        """The variables that have a value before the block."""
        return set(Liveness().block(self.block, frozenset())[1])


def _is_complex(expr: Expr) -> bool:
    return "complex" in str(getattr(expr.type, "dtype", None) or "complex")


def can_be_key(expr: Expr) -> bool:
    """Whether an expression can stand in a table: functions and constants in it need not."""
    try:
        hash(expr)
    except TypeError:
        return False
    return True


def _pairs(stmt: Assign) -> Iterable[tuple[str, Expr]]:
    return zip(stmt.targets, stmt.values, strict=True)


def _chooses(stmt: Stmt) -> bool:
    return any(
        (isinstance(e, Index) and _is_flags(e.index)) or _is_choice(e)
        for top in nodes.expressions(stmt)
        for e in nodes.walk(top)
    )


def _is_choice(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.function is np.where and len(expr.args) == 3


def _is_flags(index: tuple[Expr, ...]) -> bool:
    kind = index[0].type if len(index) == 1 else None
    return isinstance(kind, Array) and kind.dtype == "bool"


def compared(expr: Expr) -> str | None:
    """The array of which a comparison finds the entries above zero."""
    match expr:
        case Call(
            function=np.greater, args=(Var(name=name), Const(value=float() | int() as least))
        ):
            return name if least >= 0 else None
        case Call(function=np.less, args=(Const(value=float() | int() as least), Var(name=name))):
            return name if least >= 0 else None
    return None


class _Walk:
    """Goes through a block in order, with the masks that hold: mask -> its array."""

    def __init__(self, memory: Effects) -> None:
        self.memory = memory
        self.good: dict[Expr, str] = {}
        self.bad: set[Expr] = set()

    def walk(self, block: Block, masks: dict[str, str]) -> dict[str, str]:
        for stmt in block:
            match stmt:
                case nodes.If(then=then, orelse=orelse):
                    self._read(stmt, masks)
                    one, other = self.walk(then, dict(masks)), self.walk(orelse, dict(masks))
                    masks = {m: a for m, a in one.items() if other.get(m) == a}
                case nodes.For(body=body) | nodes.While(body=body):
                    for inner in (stmt, *nodes.walk_block(body)):
                        self._forget(inner, masks)
                    self._read(stmt, masks)
                    self.walk(body, dict(masks))
                case _:
                    self._read(stmt, masks)
                    self._forget(stmt, masks)
                    if isinstance(stmt, Assign):
                        self._note(stmt, masks)
        return masks

    def _note(self, stmt: Assign, masks: dict[str, str]) -> None:
        for target, value in _pairs(stmt):
            array = compared(value)
            if array is not None and array != target and array not in stmt.targets:
                masks[target] = array

    def _forget(self, stmt: Stmt, masks: dict[str, str]) -> None:
        """Masks do not hold where they, or their arrays, are bound or written."""
        written = isinstance(stmt, nodes.Store | nodes.Mutate)
        changed = {self.memory.find(n) for n in nodes.names_in(stmt.base)} if written else set()  # type: ignore[attr-defined]
        bound = set(nodes.targets_of(stmt))
        for mask, array in list(masks.items()):
            touched = {self.memory.find(mask), self.memory.find(array)} & changed
            if touched or bound & {mask, array}:
                del masks[mask]

    def _read(self, stmt: Stmt, masks: dict[str, str]) -> None:
        for top in nodes.expressions(stmt):
            for expr in nodes.walk(top):
                match expr:
                    case Index(base=Var(name=base), index=(part,)) if _is_flags(expr.index):
                        self._see(expr, part, masks, base)
                    case Call(args=(part, _, _)) if _is_choice(expr):
                        self._see(expr, part, masks, None)

    def _see(self, expr: Expr, mask: Expr, masks: dict[str, str], base: str | None) -> None:
        """Note which array a mask is of, where it chooses; base: it has to be this one."""
        if not can_be_key(expr):
            return
        named = masks.get(mask.name) if isinstance(mask, Var) else compared(mask)
        if named is None or base not in (None, named) or self.good.get(expr, named) != named:
            self.bad.add(expr)
        else:
            self.good[expr] = named


__all__ = ["Positive", "can_be_key"]

"""Floor 6: a function that Numba can't take as a whole, as Python around pieces that it can.

Statements that must stay in Python are left as they are; the runs of statements between them
become functions of their own, if they hold enough work to be worth a call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import effects
from s2sgrad.analysis.held import deciding_layouts, names_order
from s2sgrad.analysis.liveness import After, Liveness
from s2sgrad.analysis.tree_types import is_linked
from s2sgrad.backend.jit.made import made_inside
from s2sgrad.backend.jit.outside import numba_type
from s2sgrad.backend.jit.texts import other_text
from s2sgrad.backend.jit.tied import come_apart, holds_lists, tied_lists
from s2sgrad.backend.loops.elements import is_elementwise
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import (
    Array,
    List,
    Number,
    Scalar,
    Tuple,
    Type,
)

Fits = Callable[[Stmt, Block, frozenset[str]], bool]
Make = Callable[[Function], Any]
CHANGES = "it changes a list"


@dataclass
class Splitter:
    """Splits one function.

    fits(stmt, run, live): whether a statement may be compiled, after others (`run`) in the same
    piece, with `live` read later. make: what a piece becomes.
    """

    function: Function
    fits: Fits
    make: Make
    pieces: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        walk = After()
        walk.block(self.function.body, frozenset())
        self.live = walk.after
        self.tied = tied_lists(self.function)
        self.shared = effects(self.function.body)

    def split(self) -> Function:
        """The function that calls the pieces."""
        given = {*self.function.parameters, *self.function.inputs}
        return replace(self.function, body=self.block(self.function.body, given, set(given)))

    def block(self, block: Block, bound: set[str], seen: set[str]) -> Block:
        """bound: names that have a value for sure; seen: names that may have one."""
        result: list[Stmt] = []
        run: list[Stmt] = []
        kept: list[Stmt] = []  # values put into lists, once the run is through
        for stmt in block:
            live = self.live.get(id(stmt), frozenset())
            if run and _keeps(stmt):
                kept.append(stmt)
                continue
            if (
                not self._disturbs(stmt, kept)
                and not _leaves(stmt)
                and self.fits(stmt, (*run,), live)
            ):
                run.append(stmt)
                continue
            result += [*self._run(tuple(run), kept, bound, seen), *kept]
            run, kept = [], []
            result.append(self._inside(stmt, bound, seen))
            _bind(stmt, bound, seen)
        return (*result, *self._run(tuple(run), kept, bound, seen), *kept)

    def _disturbs(self, stmt: Stmt, kept: list[Stmt]) -> bool:
        """Whether it matters that values are put into lists after a statement, not before."""
        names = {n for s in kept for e in nodes.expressions(s) for n in nodes.names_in(e)}
        bases = (s.base for s in kept if isinstance(s, nodes.Mutate))
        lists = {self.shared.find(b.name) for b in bases if isinstance(b, Var)}
        inside = tuple(nodes.walk_block((stmt,)))
        bound = {t for s in inside for t in (*nodes.targets_of(s), *_grown(s))}
        read = {n for s in inside for e in nodes.expressions(s) for n in nodes.names_in(e)}
        held = {self.shared.find(n) for n in read if holds_lists(self.function.types.get(n))}
        return bool(bound & names or held & lists)

    def _inside(self, stmt: Stmt, bound: set[str], seen: set[str]) -> Stmt:
        """A statement that stays in Python, with pieces in its blocks."""
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                return replace(
                    stmt,
                    then=self.block(then, set(bound), set(seen)),
                    orelse=self.block(orelse, set(bound), set(seen)),
                )
            case nodes.For(body=body) | nodes.While(body=body):
                inside = nodes.bound_in((stmt,))
                own = bound | set(nodes.targets_of(stmt))
                return replace(stmt, body=self.block(body, own, seen | inside))
        return stmt

    def _run(self, run: Block, kept: list[Stmt], bound: set[str], seen: set[str]) -> list[Stmt]:
        stmts: list[Stmt] = list(run)
        if worth(run):
            read = {n for s in kept for e in nodes.expressions(s) for n in nodes.names_in(e)}
            call = self._piece(run, self.live[id(run[-1])] | read, bound, seen)
            stmts = list(run) if call is None else [call]
        for stmt in run:
            _bind(stmt, bound, seen)
        return stmts

    def _piece(
        self, run: Block, after: frozenset[str], bound: set[str], seen: set[str]
    ) -> Stmt | None:
        written = {t for s in nodes.walk_block(run) for t in (*nodes.targets_of(s), *_grown(s))}
        outs = tuple(sorted(written & after))
        body = with_leaves(run, self.function)
        before = Liveness().block(body, frozenset(outs))[1]
        if (before & set(outs)) - bound:
            return None  # set on some paths only: a piece can't give what is not there
        free = before & seen
        types = self.function.types
        if not free <= bound or any(n not in types for n in (*free, *outs)):
            return None
        tied = [g for n in free.union(outs) for g in self.tied.get(n, ())]
        if len(tied) > len(set(tied)):
            return None  # lists cross as copies: what is one list would be two
        if any(_tuple_or_list(n, types[n], run) for n in outs):
            return None
        inputs = tuple(sorted(free))
        value = nodes.Sequence(
            "tuple", tuple(Var(n, type=types[n]) for n in outs),
            type=Tuple(tuple(types[n] for n in outs)),
        )  # fmt: skip
        name = f"{self.function.name}_part_{len(self.pieces) + 1}"
        piece = Function(name, inputs, (*body, nodes.Return(value)), types, span=self.function.span)
        piece = replace(piece, doubted=self.function.doubted)
        if come_apart(piece):
            return None
        made = self.make(piece)
        self.pieces.append(made)
        args = tuple(Var(n, type=types[n]) for n in inputs)
        call = Call(made, name, args, type=value.type)
        span = next((s.span for s in run if s.span), None)
        return nodes.Unpack(outs, call, span=span) if outs else nodes.Do(call, span=span)


def _tuple_or_list(name: str, kind: Type, run: Block) -> bool:
    """Whether a variable, whose name is used for other things too, is set to a tuple of any length:
    in compiled code it is a list, and only its type tells."""
    if isinstance(kind, List) and not kind.either:
        return False
    values = (
        value
        for stmt in nodes.walk_block(run)
        if isinstance(stmt, nodes.Assign)
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        if target == name
    )
    return any(isinstance(v.type, List) and v.type.fixed for v in values)


def with_leaves(block: Block, function: Function) -> Block:
    """Parts of arguments that are read by their path, as the variables that compiled code takes.

    A name that the function binds anew holds something else than the argument.
    """
    from s2sgrad.transform.writing.rewrite import map_block

    bound = nodes.bound_in(function.body)
    paths = {
        path: Var(name, type=function.types[name])
        for name, path in function.inputs.items()
        if not bound.intersection(nodes.names_in(path))
    }
    return map_block(block, lambda e: paths.get(e, e)) if paths else block


def _grown(stmt: Stmt) -> tuple[str, ...]:
    """The number that `x += e` rebinds; an array of that name would be changed in place."""
    if isinstance(stmt, nodes.Store) and not stmt.index and isinstance(stmt.base, Var):
        return () if isinstance(stmt.base.type, Array) else (stmt.base.name,)
    return ()


def _bind(stmt: Stmt, bound: set[str], seen: set[str]) -> None:
    """Note what a statement binds for sure, and what it may bind."""
    match stmt:
        case nodes.If(then=then, orelse=orelse):
            sides = []
            for side in (then, orelse):
                own = set(bound)
                for inner in side:
                    _bind(inner, own, seen)
                sides.append(own)
            bound |= sides[0] & sides[1]
        case nodes.For() | nodes.While():
            seen |= nodes.bound_in((stmt,))
        case _:
            bound |= set(nodes.targets_of(stmt))
            seen |= set(nodes.targets_of(stmt))


def _keeps(stmt: Stmt) -> bool:
    """Whether a statement puts the value of a variable into a list."""
    return (
        isinstance(stmt, nodes.Mutate)
        and stmt.method == "append"
        and isinstance(stmt.base, Var)
        and all(isinstance(a, Var) for a in stmt.args)
    )


def _leaves(stmt: Stmt) -> bool:
    """Whether a statement may go elsewhere than to the next one."""
    match stmt:
        case nodes.Return() | nodes.Exit():
            return True
        case nodes.If(then=then, orelse=orelse):
            return any(map(_leaves, (*then, *orelse)))
        case nodes.For(body=body) | nodes.While(body=body):
            return any(isinstance(s, nodes.Return) for s in nodes.walk_block(body))
    return False


def worth(run: Block) -> bool:
    """Whether statements hold a loop, or work on the entries of arrays."""
    return any(
        isinstance(stmt, nodes.For | nodes.While)
        or any(is_elementwise(part) for e in nodes.expressions(stmt) for part in nodes.walk(e))
        for stmt in nodes.walk_block(run)
    )


# --- what certainly stays in Python ----------------------------------------------------------
def known_obstacle(function: Function, in_order: bool) -> str:
    """Why Numba is not asked at all; '' where it is."""
    if compares_arrays(function.body):
        return "it asks which object an array is"
    if asks_for_classes(function.body):
        return "it asks of which class a number is"
    if asks_for_order(function.body, in_order):
        return "it asks in which order entries lie in memory"
    linked = any(map(is_linked, function.types.values()))  # its types would grow without end
    return "it has nodes that hold nodes of their own type" if linked else ""


def obstacle(
    stmt: Stmt,
    run: Block,
    live: frozenset[str],
    lacks: Callable[[Expr], bool],
    made: Callable[[bool], frozenset[str]] = lambda nested: frozenset(),
) -> tuple[Stmt, str] | None:
    """The statement, in this one, that Numba certainly can't compile, and why; None: it may.

    lacks: it has no version of a call. A list from outside goes into compiled code as a copy: it
    may be emptied there only if nobody reads it later. made: lists (of such lists) that are known
    to be made in the same piece.
    """
    for inner in nodes.walk_block((stmt,)):
        for base, empties in _changed(inner):
            name = base.name if isinstance(base, Var) else None
            if empties and name is not None and name not in live:
                continue
            nested = isinstance(inner, nodes.Store) and isinstance(inner.base, nodes.Index)
            if name is None or (
                name not in made(nested) and name not in made_inside((*run, stmt), nested)
            ):
                return inner, CHANGES
        for expr in nodes.expressions(inner):
            for part in nodes.walk(expr):
                if isinstance(part, Call) and not _runs_outside(part) and lacks(part):
                    return inner, f"there is no compiled form of {part.text}"
                if _is_long(part):
                    return inner, "an integer needs more than 64 bits"
                if not isinstance(inner, nodes.Do) and other_text(part):
                    return inner, "Numba writes numbers otherwise than Python does"
    return None


def of_doubtful_type(stmt: Stmt) -> tuple[Stmt, str] | None:
    """The statement, in this one, with numbers of a complex type that may turn out real: compiled
    code has but one type for them."""
    for inner in nodes.walk_block((stmt,)):
        parts = (part for expr in nodes.expressions(inner) for part in nodes.walk(expr))
        numbers = (part.type for part in parts if isinstance(part.type, Array | Scalar | Number))
        if any(is_complex_dtype(kind.dtype) for kind in numbers):
            return inner, "its numbers are real or complex by the values they meet"
    return None


def _is_long(expr: Expr) -> bool:
    value = expr.type.value if isinstance(expr.type, Scalar) else None
    return type(value) is int and not -(2**63) <= value < 2**63


def asks_for_classes(block: Block) -> bool:
    """Whether the run decides of which class a number is: compiled code has one type for it.

    Numbers and arrays it tells apart.
    """
    return any(
        isinstance(part, Call)
        and part.function is isinstance
        and getattr(part.args[1], "value", None) is not np.ndarray
        for stmt in nodes.walk_block(block)
        for expr in nodes.expressions(stmt)
        for part in nodes.walk(expr)
    )


def compares_arrays(block: Block) -> bool:
    """Whether it matters which object an array is: compiled code has only its memory.

    Or which a truth value is: `(x > 0) is True` is false of what NumPy compares.
    """
    return any(
        isinstance(part, Call)
        and part.form == "operator"
        and part.text in ("is", "is not")
        and not any(isinstance(a, nodes.Const) and a.value is None for a in part.args)
        for stmt in nodes.walk_block(block)
        for expr in nodes.expressions(stmt)
        for part in nodes.walk(expr)
    )


def asks_for_order(block: Block, given_in_order: bool) -> bool:
    """Whether it matters how entries lie in memory: arrays that compiled code makes are in C order.

    `order="K"` and `order="A"` of flattened and reshaped arrays, and of their cotangents; and what
    NumPy decides by it: whether a reshaped array is a view, where that is written in place.
    given_in_order: whether the arrays that the block is given lie in C order.
    """
    return bool(deciding_layouts(block, effects(block), given_in_order)) or names_order(block)


def _changed(stmt: Stmt) -> list[tuple[Expr, bool]]:
    """The lists and dicts that a statement changes, and whether it only takes things out."""
    found = []
    if isinstance(stmt, nodes.Mutate):
        found.append((stmt.base, stmt.method == "pop"))
    elif isinstance(stmt, nodes.Store):
        base = stmt.base
        while isinstance(base, nodes.Index):
            base = base.base
        in_tuple = isinstance(base.type, Tuple) and isinstance(stmt.base.type, Array)
        if not isinstance(base.type, Array | Scalar | Number) and not in_tuple:
            found.append((base, False))
    for expr in nodes.expressions(stmt):
        for part in nodes.walk(expr):
            if isinstance(part, Call) and part.form == "method" and part.text == "pop":
                found.append((part.args[0], True))
    return found


def _runs_outside(call: Call) -> bool:
    """Whether Python can do a call in the midst of compiled code: types say what goes across."""
    if hasattr(call.function, "__s2sgrad_island__"):
        return False
    return numba_type(call.type) is not None and all(
        not isinstance(n, Var) or _crosses(n.type) for n in nodes.walk(call)
    )


def _crosses(kind: Type) -> bool:
    if isinstance(kind, Tuple):
        return all(map(_crosses, kind.items))
    return not isinstance(kind, List) and (
        isinstance(kind, Scalar | Array) or numba_type(kind) is not None
    )


__all__ = [
    "CHANGES", "Splitter", "known_obstacle", "obstacle", "of_doubtful_type",
    "with_leaves", "worth",
]  # fmt: skip

"""Floor 6: exp, log, arctan2 and the like on strips of entries, by NumPy's vector loops.

    for i in range(n):                       for start in range(0, n, 256):
        e = np.exp(x[i] * c)                     stop = min(start + 256, n)
        y[i] = e / (1.0 + e)                     for place in range(stop - start):
                                                     strip[place] = x[place + start] * c
                                                 exp_in_place(strip[:stop - start])
                                                 for place in range(stop - start):
                                                     e = strip[place]
                                                     y[place + start] = e / (1.0 + e)

Numba calls a scalar function for each entry, which takes two to ten times as long. A strip stays in
the first cache. What the argument is computed from must be known before the loop's other statements
have run: counters, arrays that the loop does not write, and names it binds once, by such values.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.extents import add, integer, subtract
from s2sgrad.backend.loops.ranges import lasts
from s2sgrad.backend.loops.strip_values import with_value, with_values
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Index, Slice, Stmt, Var
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import INT, Array, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_loops

STRIP = 256  # entries: a few strips fit into the first cache
FEWEST = 16  # iterations, where their number is known: fewer are not worth the calls
# Nanoseconds that a call of Numba's takes more than an entry of NumPy's vector loop, measured; and
# those that an entry of a strip takes to be written and read.
_GAINS = {
    np.exp: 3, np.log: 3, np.tanh: 5, np.expm1: 3, np.log1p: 5, np.tan: 3, np.arctan: 3,
    np.arcsin: 3, np.arccos: 3, np.sinh: 5, np.cosh: 3, np.exp2: 1, np.log2: 2, np.log10: 4,
    np.cbrt: 8, np.arcsinh: 8, np.arccosh: 5, np.arctanh: 4, np.power: 18, np.arctan2: 8,
}  # fmt: skip
_WRITTEN = 0.75
_FLOATS = ("float64", "float")
_STRIP_TYPE = Array("float64", (of(STRIP),))
_CHEAP = frozenset({
    np.add, np.subtract, np.multiply, np.divide, np.negative, np.positive, np.absolute,
    np.square, np.maximum, np.minimum, np.less, np.less_equal, np.greater, np.greater_equal,
    np.equal, np.not_equal,
})  # fmt: skip


def in_strips(function: Function, outer: Function | None = None) -> Function:
    """The function with such calls in its innermost loops made for whole strips.

    outer: the function that it is a piece of, and that goes on to use the arrays it takes.
    """
    walker = _Walker(function, Groups(function, outer))
    body = map_loops(function.body, walker.loop)
    if not walker.places:
        return function
    inside = function.inside | walker.places
    known = function.counters and function.counters | walker.places | walker.starts
    counters = frozenset(known)
    body = (*walker.memory(), *body)
    return replace(function, body=body, types=walker.types, inside=inside, counters=counters)


@dataclass(frozen=True)
class _Part:
    """What a strip holds: a call's values. operands: what is written into strips for it; function:
    what is called with them, None where the first one is the value itself."""

    call: Call
    operands: tuple[Expr, ...]
    function: Any


@dataclass
class _Loop:
    """What is known of one loop at a statement of it.

    writes: groups of arrays that it writes; binds: how often it binds a name; read: names that
    were read so far; known: the statements that bind what arguments may be computed from.
    found: call -> its level: what it needs has lower ones.
    """

    counter: str
    writes: set[str]
    binds: Counter[str]
    read: set[str] = field(default_factory=set)
    known: dict[str, nodes.Assign] = field(default_factory=dict)
    found: dict[Expr, tuple[int, _Part]] = field(default_factory=dict)


class _Walker:
    """Walks over loops. places: the subscripts of strips; strips: as many as one loop needs."""

    def __init__(self, function: Function, groups: Groups) -> None:
        self.types: dict[str, Type] = dict(function.types)
        self.names = Names({*self.types, *function.parameters})
        self.reads = _reads(function.body)
        self.groups = groups
        self.places: frozenset[str] = frozenset()
        self.starts: frozenset[str] = frozenset()
        self.counters = function.counters
        self.strips: list[Var] = []

    def loop(self, loop: nodes.For | nodes.While) -> list[Stmt]:
        """The loop with strips in it, or as some that run over strips."""
        loop = replace(loop, body=map_loops(loop.body, self.loop))
        if not isinstance(loop, nodes.For) or not _is_plain(loop):
            return [loop]
        state = self._read(loop)
        parts = [part for _, part in state.found.values()]
        gain = sum(_GAINS[_ufunc(part.call)] for part in parts if part.function)
        cost = _WRITTEN * sum(len(part.operands) for part in parts)
        return self._written(loop, state) if gain > cost else [loop]

    def memory(self) -> list[Stmt]:
        """The statements that make the strips."""
        made = Call(np.empty, "np.empty", (integer(STRIP),), type=_STRIP_TYPE)
        return [nodes.Assign((strip.name,), (made,)) for strip in self.strips]

    # --- reading -----------------------------------------------------------------------------
    def _read(self, loop: nodes.For) -> _Loop:
        inside = list(nodes.walk_block(loop.body))
        stores = [s.base for s in inside if isinstance(s, nodes.Store)]
        writes = {self.groups.of(n) for base in stores for n in nodes.names_in(base)}
        binds = Counter(t for s in inside for t in _changed(s))
        state = _Loop(loop.targets[0], writes, binds)
        for stmt in loop.body:
            for expr in nodes.expressions(stmt):
                self._look(expr, state)
            state.read |= {n for s in nodes.walk_block((stmt,)) for e in nodes.expressions(s)
                           for n in nodes.names_in(e)}  # fmt: skip
            match stmt:
                case nodes.Assign(targets=(name,), values=(value,)):
                    if binds[name] == 1 and name not in state.read and self._fits(value, state):
                        state.known[name] = stmt
        self._note_partners(loop.body, state)
        return state

    def _note_partners(self, body: Block, state: _Loop) -> None:
        """Note the cosines of what sines in strips are taken of: LLVM finds both at once."""
        exprs = [e for s in nodes.walk_block(body) for e in nodes.expressions(s)]
        calls = dict.fromkeys(n for e in exprs for n in nodes.walk(e) if isinstance(n, Call))
        for level, part in list(state.found.values()):
            for other in calls if part.function is None else ():
                both = {part.call.function, other.function} == {np.sin, np.cos}
                if both and part.call.args == other.args:
                    state.found[other] = level, _Part(other, (other,), None)

    def _look(self, expr: Expr, state: _Loop) -> None:
        """Note the calls in an expression that are surely made."""
        match expr:
            case nodes.Choice(test=test):
                self._look(test, state)
                return
            case Call() | Index():
                for child in nodes.children(expr):
                    self._look(child, state)
        function = self._vector(expr)
        if function is not None and self._fits(expr, state):
            self._note(expr, function, state)

    def _note(self, expr: Expr, function: Any, state: _Loop) -> None:
        """Note a call, and what else it needs that is worth a strip."""
        if expr in state.found:
            return
        assert isinstance(expr, Call)
        for part in self._needed(expr.args, state):
            if _is_dear(part) and self._is_float(part):  # a strip holds no places in arrays
                self._note(part, self._vector(part), state)
        level = 0
        for part in self._needed(expr.args, state):
            own, held = state.found.get(part, (0, None))
            level = max(level, own + (held is not None and held.function is not None))
        operands = expr.args if function else (expr,)
        state.found[expr] = level, _Part(expr, operands, function)

    def _needed(self, exprs: tuple[Expr, ...], state: _Loop) -> list[Expr]:
        """All that expressions are computed from, in the loop."""
        found: list[Expr] = []
        names: set[str] = set()
        left = list(exprs)
        while left:
            for node in nodes.walk(left.pop()):
                found.append(node)
                if isinstance(node, Var) and node.name in state.known and node.name not in names:
                    names.add(node.name)
                    left += state.known[node.name].values
        return found

    def _fits(self, expr: Expr, state: _Loop) -> bool:
        """Whether a value can be had before the other statements of the loop have run."""
        for node in nodes.walk(expr):
            match node:
                case Var(name=name):
                    kind = node.type if isinstance(node.type, Array) else self.types.get(name)
                    if state.binds[name] and name not in state.known:
                        return False
                    if not isinstance(kind, Scalar) and self.groups.of(name) in state.writes:
                        return False
                case Call(form="operator" | "attribute") | Const() | nodes.Ref() | Index():
                    pass
                case nodes.Choice():
                    pass
                case Call(form="call", function=function) if _is_pure(function):
                    pass
                case _:
                    return False
        return True

    def _vector(self, expr: Expr) -> Any:
        """What computes such a call for a strip; None where nothing does."""
        from s2sgrad_runtime.numba_vectors import IN_PLACE

        if not isinstance(expr, Call) or expr.kwargs or expr.form not in ("call", "operator"):
            return None
        function = _ufunc(expr)
        known = isinstance(function, np.ufunc) and len(expr.args) == function.nin
        if not known or not all(map(self._is_float, (expr, *expr.args))):
            return None
        return IN_PLACE.get(function)

    def _is_float(self, expr: Expr) -> bool:
        kind = expr.type
        if isinstance(expr, Var):
            kind = self.types.get(expr.name, kind)
        if isinstance(expr, Const):
            return isinstance(expr.value, float)
        return isinstance(kind, Scalar) and kind.dtype in _FLOATS

    # --- writing -----------------------------------------------------------------------------
    def _written(self, loop: nodes.For, state: _Loop) -> list[Stmt]:
        source = loop.sources[0]
        assert isinstance(source, Call)
        first, end = source.args[:2] if len(source.args) > 1 else (integer(0), source.args[0])
        down = len(source.args) == 3
        start, stop, place = (self._number(n) for n in ("start", "stop", "place"))
        self.places |= {place.name}
        counter = Var(state.counter, type=INT)
        at = nodes.Assign((place.name,), (_distance(start, counter, down),))
        trips = replace(source, args=(start, stop, *source.args[2:]))
        # `place + start` is a sum of counters, of which compiled code knows that it is no place
        # from the end; of `i - start` it is asked in each iteration, by instructions that choose.
        by_place = state.counter in self.counters
        if by_place:
            self.starts |= {start.name}

        def each(inner: list[Stmt]) -> Stmt:
            if not by_place:
                return replace(loop, sources=(trips,), body=(at, *inner))
            count = replace(source, args=(_distance(start, stop, down),))
            own = subtract(start, place) if down else add(place, start)
            moved = with_values(tuple(inner), {counter: own})
            return replace(loop, targets=(place.name,), sources=(count,), body=moved)

        held = Slice(None, _distance(start, stop, down), None)
        where: dict[Expr, Expr] = {}
        step = integer(-STRIP if down else STRIP)
        nearer = Call(*((max, "max") if down else (min, "min")), (add(start, step), end), type=INT)
        body: list[Stmt] = [nodes.Assign((stop.name,), (nearer,))]
        used = 0
        for level in range(max(level for level, _ in state.found.values()) + 1):
            parts = [part for own, part in state.found.values() if own == level]
            filling: list[Stmt] = []
            calls: list[Stmt] = []
            made: dict[Expr, Expr] = {}
            for part in parts:
                strips = self._strips(used, len(part.operands))
                used += len(strips)
                for strip, operand in zip(strips, part.operands, strict=True):
                    store = nodes.Store(strip, (place,), with_value(operand, where))
                    filling += [*_binding(store, state, where, filling), store]
                entry: dict[Expr, Expr] = {
                    part.call: Index(strips[0], (place,), type=Scalar("float64"))
                }
                if part.function is None:
                    where |= entry
                    continue
                made |= entry
                rows = tuple(Index(strip, (held,)) for strip in strips)
                calls.append(nodes.Do(Call(part.function, part.function.__name__, rows)))
            body += [each(filling), *calls]
            where |= made
        last = with_values(loop.body, where)
        last = self._without_unread(last, loop)
        body.append(each(list(last)))
        over = Call(range, "range", (first, end, step), type=INT)
        return [nodes.For((start.name,), (over,), tuple(body), span=loop.span)]

    def _number(self, base: str) -> Var:
        name = self.names.fresh(base)
        self.types[name] = INT
        return Var(name, type=INT)

    def _strips(self, used: int, count: int) -> list[Var]:
        while len(self.strips) < used + count:
            name = self.names.fresh("strip")
            self.types[name] = _STRIP_TYPE
            self.strips.append(Var(name, type=_STRIP_TYPE))
        return self.strips[used : used + count]

    def _without_unread(self, body: Block, loop: nodes.For) -> Block:
        """The body without names that are bound for what is in strips now."""
        own = _reads(loop.body)
        reads = _reads(body)
        left: list[Stmt] = []
        for stmt in reversed(body):
            match stmt:
                case nodes.Assign(targets=(name,), values=(value,)) if not reads[name]:
                    if own[name] and own[name] == self.reads[name]:
                        reads -= Counter(v.name for v in nodes.walk(value) if isinstance(v, Var))
                        continue
            left.append(stmt)
        return tuple(reversed(left))


def _is_plain(loop: nodes.For) -> bool:
    """Whether it is an innermost loop that counts by one, up or down, and every iteration runs to
    its end."""
    match loop:
        case nodes.For(targets=(name,), sources=(Call(function=known, args=args),)) if (
            known in (range, "range") and args[2:] in ((), (integer(-1),)) and not loop.backwards
        ):
            inside = list(nodes.walk_block(loop.body))
            ends = [a.value for a in args if isinstance(a, Const)]
            few = len(ends) == len(args) and len(range(*ends)) < FEWEST
            kinds = nodes.Assign | nodes.Store | nodes.If | nodes.Comment
            simple = all(isinstance(s, kinds) for s in inside)
            asked = {name, *(n for a in args for n in nodes.names_in(a))}
            stays = all(map(lasts, args)) and not any(asked & _changed(s) for s in inside)
            return simple and not few and stays
    return False


def _changed(stmt: Stmt) -> set[str]:
    """The names that a statement binds, and numbers that it changes: `x += 1`."""
    number = isinstance(stmt, nodes.Store) and not isinstance(stmt.base.type, Array)
    own = nodes.names_in(stmt.base) if number else ()  # type: ignore[attr-defined]
    return {*nodes.targets_of(stmt), *own}


def _ufunc(call: Call) -> Any:
    return np.power if call.text == "**" else call.function


def _is_pure(function: Any) -> bool:
    from s2sgrad_runtime.numba_entries import POWERS

    return isinstance(function, np.ufunc) or any(function is held for held, _ in POWERS.values())


def _is_dear(expr: Expr) -> bool:
    """Whether a call takes more time than to write down what it gives."""
    ufunc = isinstance(expr, Call) and isinstance(expr.function, np.ufunc)
    return ufunc and expr.function not in _CHEAP  # type: ignore[attr-defined]


def _reads(block: Block) -> Counter[str]:
    """How often each variable is read."""
    exprs = [e for s in nodes.walk_block(block) for e in nodes.expressions(s)]
    return Counter(v.name for e in exprs for v in nodes.walk(e) if isinstance(v, Var))


def _binding(store: Stmt, state: _Loop, where: dict[Expr, Expr], before: list[Stmt]) -> list[Stmt]:
    """The statements that bind what a store reads, but for those that stand before it."""
    there = {t for s in before for t in nodes.targets_of(s)}
    needed = {n for e in nodes.expressions(store) for n in nodes.names_in(e)} - there
    found: list[Stmt] = []
    for name, stmt in reversed(state.known.items()):
        if name in needed:
            made = replace(stmt, values=(with_value(stmt.values[0], where),))
            needed |= nodes.names_in(made.values[0]) - there
            found.append(made)
    return found[::-1]


def _distance(start: Expr, counter: Expr, down: bool) -> Expr:
    """How many steps a counter is away from where it starts."""
    return subtract(start, counter) if down else subtract(counter, start)


__all__ = ["in_strips"]

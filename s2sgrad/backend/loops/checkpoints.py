"""Floor 6: rows that a long loop saves are held for a block of trips, and computed again.

    for k in range(n): y_saved[k] = y; y[:] = f(y)
    for k in reversed(range(n)): y_bar = g(y_saved[k], y_bar)

becomes a loop that keeps `y` at the head of each block, and a reverse loop that runs a block
again from there before it walks back through it. Where a trip takes few operations for an entry
that it saves, they cost less than the way of the rows to memory and back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.extents import add, integer, length, subtract
from s2sgrad.backend.loops.repeatable import Part, repeatable
from s2sgrad.backend.loops.storage import Lengths, held_dtype, mirrored
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Index, Stmt, Var
from s2sgrad.ir.types import BOOL, FLOAT, INT, Array, Known, Type
from s2sgrad.transform.writing.rewrite import map_block

Types = dict[str, Type]


def with_checkpoints(
    function: Function, stores: frozenset[str], groups: Groups, names: Names, lengths: Lengths
) -> Function:
    """The function with such loops in blocks.

    stores: arrays that hold what was saved, by the counters of the loops around.
    """
    body, types = function.body, dict(function.types)
    for place, loop in enumerate(body):
        back = _back(body, place)
        if back is None:
            continue
        assert isinstance(loop, nodes.For)
        made = _made(body[:place], body, (loop, body[back]))  # type: ignore[arg-type]
        part = repeatable(loop, body[place + 1 : back + 1], set(made), stores | set(made), groups)
        if part is None:
            continue
        counters = set(function.counters)
        blocks = _Blocks(loop, body[back], made, part, names, types, counters, lengths)  # type: ignore[arg-type]
        first = min(k for k, s in enumerate(body) if any(s is m for m in made.values()))
        known = {*function.parameters, *(t for s in body[:first] for t in nodes.targets_of(s))}
        if not known.issuperset(blocks.state) or not blocks.state_is_held():
            continue
        new = {place: blocks.forward(), back: blocks.back()}
        result: list[Stmt] = []
        for k, stmt in enumerate(body):
            result += blocks.head() if k == first else []
            result += blocks.ahead() if k == place else []
            result.append(new[k] if k in new else blocks.made(stmt))
        known_counters = frozenset(blocks.counters)
        function = replace(function, body=tuple(result), types=types, counters=known_counters)
        return with_checkpoints(function, stores, groups, names, lengths)
    return function


def _back(body: Block, place: int) -> int | None:
    """Where the loop at a place is walked backwards."""
    loop = body[place]
    if not isinstance(loop, nodes.For) or loop.backwards:
        return None
    for k, stmt in enumerate(body[place + 1 :], place + 1):
        if isinstance(stmt, nodes.For) and stmt.backwards and mirrored((loop,), (stmt,)):
            source = loop.sources[0]
            assert isinstance(source, Call)
            return k if len(source.args) < 3 or source.args[2] == integer(1) else None
    return None


def _made(
    before: Block, body: Block, loops: tuple[nodes.For, nodes.For]
) -> dict[str, nodes.Assign]:
    """Arrays of rows that nothing but two loops use, each row in the trip that it belongs to."""
    found: dict[str, nodes.Assign] = {}
    counter = loops[0].targets[0]
    for stmt in before:
        match stmt:
            case nodes.Assign(targets=(name,), values=(Call(text="np.empty") as value,)):
                kind = value.type
                if isinstance(kind, Array) and _rank(kind) > 1:
                    found[name] = stmt
    for stmt in nodes.walk_block(loops[1].body):
        if isinstance(stmt, nodes.Store) and isinstance(stmt.base, Var):
            found.pop(stmt.base.name, None)
    for stmt in body:
        counted = any(stmt is own for own in loops)
        used: dict[str, int] = {}
        for inner in nodes.walk_block((stmt,)):
            for expr in nodes.expressions(inner):
                for name in _used(expr):
                    used[name] = used.get(name, 0) + 1
            for base, index in _subscripts(inner):
                if counted and index[:1] == (Var(counter),) and len(index) > 1:
                    used[base] -= 1
        found = {
            n: s for n, s in found.items() if not used.get(n) and n not in _bound_anew(stmt, s)
        }
    return found


def _bound_anew(stmt: Stmt, own: Stmt) -> set[str]:
    return set() if stmt is own else nodes.bound_in((stmt,))


def _used(expr: Expr) -> list[str]:
    return [n.name for n in nodes.walk(expr) if isinstance(n, Var)]


def _subscripts(stmt: Stmt) -> list[tuple[str, tuple[Expr, ...]]]:
    """(array, subscript) of every entry or part that a statement itself reads or writes."""
    found = []
    if isinstance(stmt, nodes.Store) and isinstance(stmt.base, Var):
        found.append((stmt.base.name, stmt.index))
    for expr in nodes.expressions(stmt):
        for node in nodes.walk(expr):
            if isinstance(node, Index) and isinstance(node.base, Var):
                found.append((node.base.name, node.index))
    return found


@dataclass
class _Blocks:
    """A pair of loops in blocks of trips. part: what a trip is computed again with.

    counters: of loops of ours, which are bound by their headers alone, and subscripts made here.
    """

    loop: nodes.For
    reverse: nodes.For
    rows: dict[str, nodes.Assign]
    part: Part
    names: Names
    types: Types
    counters: set[str]
    lengths: Lengths

    def __post_init__(self) -> None:
        source = self.loop.sources[0]
        assert isinstance(source, Call)
        start, stop = (integer(0), source.args[0]) if len(source.args) == 1 else source.args[:2]
        self.start, self.stop = start, stop
        self.counter = Var(self.loop.targets[0], type=INT)
        written = sorted(self.part.written - self.counters)
        self.length, self.place, self.number = map(self._counter, ("block", "place", "number"))
        self.place_again = self._counter(f"{self.place.name}_again")
        self.counter_again = self._counter(f"{self.counter.name}_again")
        if self.counter.name not in self.counters:  # `y[k - 1]` may count from the end
            self.counters.remove(self.counter_again.name)
        self.state = self.part.state
        self.kept = {n: self.names.fresh(f"{n}_checkpoints") for n in self.state}
        for name, kept in self.kept.items():
            kind = self.types[name]
            self.types[kept] = Array(held_dtype(kind) or "", (None,) * (1 + _rank(kind)))
        self.again = {n: self.names.fresh(f"{n}_again") for n in written}
        for name, new in self.again.items():
            self.types[new] = self.types[name]
        self.again[self.counter.name] = self.counter_again.name

    def _counter(self, base: str) -> Var:
        name = self.names.fresh(base)
        self.types[name] = INT
        self.counters.add(name)
        return Var(name, type=INT)

    def state_is_held(self) -> bool:
        """Whether all that goes from trip to trip can be kept in arrays."""
        inside = nodes.walk_block(self.part.body)
        bound = {t for s in inside for t in nodes.targets_of(s)}
        return all(_is_kept(self.types[n], n in bound) for n in self.state)

    # --- before the loops --------------------------------------------------------------------
    def head(self) -> list[Stmt]:
        """The length of a block, ahead of the arrays that hold as many rows."""
        from s2sgrad_runtime.numba_checkpoints import block_length

        shapes = [_shape(stmt) for stmt in self.rows.values()]
        entries = _added(map(_words, self.rows.values()))
        state = _added((1.0, tuple(self._lengths(name))) for name in self.state)
        args = (shapes[0][0], entries, state, integer(self.part.price))
        value = Call(block_length, "block_length", args, type=INT)
        return [nodes.Assign((self.length.name,), (value,), span=self.loop.span)]

    def made(self, stmt: Stmt) -> Stmt:
        """The statement; an array of rows has as many as a block."""
        if not any(stmt is own for own in self.rows.values()):
            return stmt
        assert isinstance(stmt, nodes.Assign)
        value = stmt.values[0]
        assert isinstance(value, Call)
        shape = nodes.Sequence("tuple", (self.length, *_shape(stmt)[1:]))
        return replace(stmt, values=(replace(value, args=(shape, *value.args[1:])),))

    def ahead(self) -> list[Stmt]:
        """The arrays that keep the state at the head of each block."""
        trips = _shape(next(iter(self.rows.values())))[0]
        blocks = _floor_divided(trips, self.length)  # the last one needs no checkpoint
        found: list[Stmt] = []
        for name in self.state:
            found.append(self._empty(self.kept[name], (blocks, *self._lengths(name))))
        for name in [n for n in self.state if isinstance(self.types[n], Array)]:
            var = Var(name, type=self.types[name])
            like = Call(np.empty_like, "np.empty_like", (var,), type=self.types[name])
            found.append(nodes.Assign((self.again[name],), (like,), span=self.loop.span))
        return found

    def _lengths(self, name: str) -> tuple[Expr, ...]:
        kind = self.types[name]
        sizes = (kind.shape or ()) if isinstance(kind, Array) else ()
        var = Var(name, type=kind)
        return tuple(self.lengths.size(own) or length(var, k) for k, own in enumerate(sizes))

    def _empty(self, name: str, shape: tuple[Expr, ...]) -> Stmt:
        kind = self.types[name]
        assert isinstance(kind, Array)
        dtype = kind.dtype
        args: tuple[Expr, ...] = (shape[0] if len(shape) == 1 else nodes.Sequence("tuple", shape),)
        if dtype != "float64":
            own = np.dtype(dtype).type
            text = "np.bool_" if dtype == "bool" else f"np.{dtype}"
            args += (nodes.Ref(text, own, type=Known(own)),)
        value = Call(np.empty, "np.empty", args, type=kind)
        return nodes.Assign((name,), (value,), span=self.loop.span)

    # --- the loops ---------------------------------------------------------------------------
    def forward(self) -> Stmt:
        """The loop, with the state kept where a block but the last begins."""
        keep = tuple(
            nodes.Store(
                self._checkpoints(n), (self.number,), Var(n, type=self.types[n]),
                span=self.loop.span,
            )
            for n in self.state
        )  # fmt: skip
        first = _operator(np.equal, "==", self.place, integer(0))
        earlier = _operator(np.less, "<", self.counter, subtract(self.stop, self.length))
        test = Call("and", "and", (first, earlier), form="operator", type=BOOL)
        body = map_block(self.loop.body, self._read(self.place), self._write(self.place))
        return replace(
            self.loop, body=(self._placed(), nodes.If(test, (self._numbered(), *keep), ()), *body)
        )

    def back(self) -> Stmt:
        """The reverse loop; a block but the last is run again when its end is reached."""
        last = _operator(np.equal, "==", self.place, add(self.length, integer(-1)))
        earlier = _operator(np.less, "<", self.counter, add(self.stop, integer(-1)))
        test = Call("and", "and", (last, earlier), form="operator", type=BOOL)
        body = map_block(self.reverse.body, self._read(self.place))
        again = nodes.If(test, (self._numbered(), *self._restored(), self._run_again()), ())
        return replace(self.reverse, body=(self._placed(), again, *body))

    def _restored(self) -> list[Stmt]:
        found: list[Stmt] = []
        for name in self.state:
            kind, new = self.types[name], self.again[name]
            value = Index(self._checkpoints(name), (self.number,), type=kind)
            if isinstance(kind, Array):
                found.append(nodes.Store(Var(new, type=kind), (), value, span=self.loop.span))
            else:
                found.append(nodes.Assign((new,), (value,), span=self.loop.span))
        return found

    def _run_again(self) -> Stmt:
        counter = self.counter_again
        first = subtract(self.counter, self.place)
        source = Call(range, "range", (first, add(self.counter, integer(1))))
        placed = nodes.Assign((self.place_again.name,), (subtract(counter, first),))
        read, write = self._read(self.place_again), self._write(self.place_again)

        def renamed(expr: Expr) -> Expr:
            expr = read(expr)
            if isinstance(expr, Var) and expr.name in self.again:
                return replace(expr, name=self.again[expr.name])
            return expr

        def bound(stmt: Stmt) -> list[Stmt]:
            targets = tuple(self.again.get(t, t) for t in nodes.targets_of(stmt))
            return write(replace(stmt, targets=targets) if targets else stmt)  # type: ignore[call-arg]

        body = map_block(self.part.body, renamed, bound)
        return nodes.For((counter.name,), (source,), (placed, *body), span=self.loop.span)

    # --- expressions -------------------------------------------------------------------------
    def _placed(self) -> Stmt:
        trip = subtract(self.counter, self.start)
        value = _operator(np.remainder, "%", trip, self.length, INT)
        return nodes.Assign((self.place.name,), (value,), span=self.loop.span)

    def _numbered(self) -> Stmt:
        value = _floor_divided(subtract(self.counter, self.start), self.length)
        return nodes.Assign((self.number.name,), (value,), span=self.loop.span)

    def _checkpoints(self, name: str) -> Var:
        return Var(self.kept[name], type=self.types[self.kept[name]])

    def _read(self, place: Var) -> Callable[[Expr], Expr]:
        """Rows by their place in the block."""

        def read(expr: Expr) -> Expr:
            match expr:
                case Index(base=Var(name=name), index=(_, *rest)) if name in self.rows:
                    return replace(expr, index=(place, *rest))
            return expr

        return read

    def _write(self, place: Var) -> Callable[[Stmt], list[Stmt]]:
        def write(stmt: Stmt) -> list[Stmt]:
            match stmt:
                case nodes.Store(base=Var(name=name), index=(_, *rest)) if name in self.rows:
                    return [replace(stmt, index=(place, *rest))]
            return [stmt]

        return write


def _is_kept(kind: Type, bound: bool) -> bool:
    """Whether a value goes into an array of what is kept. bound: a trip makes a new one of it."""
    if not isinstance(kind, Array):
        return held_dtype(kind) is not None
    sizes = kind.shape or ()
    return held_dtype(kind) is not None and bool(sizes) and not (bound and None in sizes)


def _rank(kind: Type) -> int:
    return len(kind.shape or ()) if isinstance(kind, Array) else 0


def _shape(stmt: nodes.Assign) -> tuple[Expr, ...]:
    value = stmt.values[0]
    assert isinstance(value, Call) and isinstance(value.args[0], nodes.Sequence)
    return value.args[0].items


def _words(stmt: nodes.Assign) -> tuple[float, tuple[Expr, ...]]:
    """How many numbers of 8 bytes a row takes: so many times the product of some lengths."""
    dtype = getattr(stmt.values[0].type, "dtype", None)
    return 0.125 if dtype == "bool" else 1.0, _shape(stmt)[1:]


def _added(products: Iterable[tuple[float, tuple[Expr, ...]]]) -> Expr:
    """`8.0 * n + 2.0 * n * m`: in floating point, where nothing is too large to be computed."""
    counted: dict[tuple[Expr, ...], float] = {}
    for times, lengths in products:
        counted[lengths] = counted.get(lengths, 0.0) + times
    terms: list[Expr] = []
    for lengths, times in counted.items():
        term: Expr = Const(times, type=FLOAT)
        for one in lengths:
            term = _operator(np.multiply, "*", term, one, FLOAT)
        terms.append(term)
    total = terms[0] if terms else Const(0.0, type=FLOAT)
    for term in terms[1:]:
        total = _operator(np.add, "+", total, term, FLOAT)
    return total


def _operator(function: object, text: str, left: Expr, right: Expr, type: Type = BOOL) -> Expr:
    return Call(function, text, (left, right), form="operator", type=type)


def _floor_divided(left: Expr, right: Expr) -> Expr:
    return _operator(np.floor_divide, "//", left, right, INT)


__all__ = ["with_checkpoints"]

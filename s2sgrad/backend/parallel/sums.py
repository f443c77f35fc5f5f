"""Floor 6: sums over a loop on all cores: each thread adds up a part of its own.

    threads = threads_for(work)
    total_parts = np.zeros(threads)
    for thread in range(threads):  # each on a thread
        total_part = 0.0
        for i in range(share(0, n, thread, threads), share(0, n, thread + 1, threads)):
            total_part = total_part + ...
        total_parts[thread] = total_part
    total = total + np.sum(total_parts)

and the same for arrays, with an array for each thread. Where iterations share entries only with
their neighbours (the adjoint of a stencil), there are two blocks of iterations for each thread
instead: every second block runs, then those between.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.backend.jit.outside import OnThreads
from s2sgrad.backend.parallel.access import Dependent, adds_to_number
from s2sgrad.errors import Span
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, For, Index, Stmt, Var
from s2sgrad.ir.types import FLOAT, INT, Array, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_block


def number_sums(body: Block, carried: frozenset[str]) -> tuple[str, ...]:
    """The numbers that iterations only add to; raises Dependent for other carried names."""
    uses: Counter[str] = Counter()
    added: Counter[str] = Counter()
    for stmt in nodes.walk_block(body):
        for expr in nodes.expressions(stmt):
            uses.update(n.name for n in nodes.walk(expr) if isinstance(n, Var))
        for target in nodes.targets_of(stmt):
            uses[target] += 1
        name = sum_of(stmt)
        if name is not None:
            added[name] += 2 if isinstance(stmt, nodes.Assign) else 1
    for name in sorted(carried):
        if uses[name] != added[name]:
            raise Dependent(f"an iteration reads {name!r} from the one before")
    return tuple(sorted(carried))


def sum_of(stmt: Stmt) -> str | None:
    """The number that a statement adds to or subtracts from."""
    if adds_to_number(stmt):
        assert isinstance(stmt, nodes.Store) and isinstance(stmt.base, Var)
        return stmt.base.name if stmt.op in ("+", "-") else None
    match stmt:
        case nodes.Assign(
            targets=(name,), values=(Call(text="add_to" | "add_product", args=(left, *rest)),)
        ):
            inside = {n for part in rest for n in nodes.names_in(part)}
            return name if left == Var(name) and name not in inside else None
        case nodes.Assign(targets=(name,), values=(Call(form="operator", args=(left, right)),)):
            value = stmt.values[0]
            assert isinstance(value, Call)
            if left == Var(name) and value.text in ("+", "-") and _is_float(value.type):
                return name if name not in nodes.names_in(right) else None
    return None


def _is_float(kind: Type) -> bool:
    return isinstance(kind, Scalar) and kind.dtype not in ("bool",)


@dataclass
class Threads:
    """Writes loops whose threads have sums of their own."""

    names: Names
    types: dict[str, Type]

    def __post_init__(self) -> None:
        self.edges = (self.names.fresh("first"), self.names.fresh("last"))

    def over(
        self, target: str, start: Expr, stop: Expr, body: Block, work: Expr, span: Span | None
    ) -> OnThreads:
        """A loop whose parts run on all cores."""
        args = (stop,) if start == Const(0) else (start, stop)
        trips = Call(range, "range", args, type=INT)
        return OnThreads((target,), (trips,), body, span=span, work=work, edges=self.edges)

    def apart(
        self,
        loop: For,
        start: Expr,
        stop: Expr,
        sums: tuple[str, ...],
        arrays: dict[str, int | None],
        work: Expr,
    ) -> list[Stmt]:
        """The loop in as many parts as there are threads, or in two rounds of so many.

        arrays: those that iterations add to, and how far apart two are that share an entry. work:
        about how many nanoseconds it takes.
        """
        before: list[Stmt] = []
        if not isinstance(start, Const | Var):
            start = self.named("first", start, before)
        if not isinstance(stop, Const | Var):
            stop = self.named("stop", stop, before)
        reach = max((r for r in arrays.values() if r is not None), default=0)
        count = self._fresh("blocks" if reach else "threads", INT)
        part = self._fresh("block" if reach else "thread", INT)
        before.append(
            self._set(count, _blocks(start, stop, reach, work) if reach else _threads(work))
        )
        head: list[Stmt] = []
        tail: list[Stmt] = []
        after: list[Stmt] = []
        body = loop.body
        for name in sums:
            body = self._number(name, body, count, part, (before, head, tail, after))
        for name in (n for n, r in arrays.items() if r is None):
            body = self._array(name, body, count, part, (before, head, after))
        after_it = _op(np.add, "+", part, Const(1, type=INT))
        edges = tuple(_edge(start, stop, number, count) for number in (part, after_it))
        trips = Call(range, "range", edges, type=INT)
        inner = replace(loop, sources=(trips,), body=body, backwards=False)
        whole = (*head, inner, *tail)
        if not reach:
            over = self.over(part.name, Const(0), count, whole, work, loop.span)
            return [*before, over, *after]
        return [*before, self._two_rounds(part, count, whole, work, loop.span), *after]

    def _two_rounds(
        self, block: Var, count: Var, body: Block, work: Expr, span: Span | None
    ) -> Stmt:
        """Every second block, then those between: blocks that share entries never run together."""
        odd, half = self._fresh("odd", INT), self._fresh("half", INT)
        number = _op(np.add, "+", _op(np.multiply, "*", Const(2, type=INT), half), odd)
        more = _op(np.subtract, "-", _op(np.add, "+", count, Const(1, type=INT)), odd)
        trips = _op(np.floor_divide, "//", more, Const(2, type=INT))
        inner = (self._set(block, number), *body)
        own = self.over(half.name, Const(0), trips, inner, work, span)
        rounds = Call(range, "range", (Const(2, type=INT),), type=INT)
        return For((odd.name,), (rounds,), (own,), span=span)

    def _number(
        self, name: str, body: Block, count: Var, thread: Var, places: tuple[list[Stmt], ...]
    ) -> Block:
        before, head, tail, after = places
        kind = self.types.get(name, FLOAT)
        complex_ = isinstance(kind, Scalar) and is_complex_dtype(kind.dtype)
        single = isinstance(kind, Scalar) and kind.dtype == "float32"
        whole = isinstance(kind, Scalar) and kind.dtype.startswith(("int", "uint"))
        dtype = np.complex128 if complex_ else np.float32 if single else np.int64 if whole else None
        parts = self._fresh(f"{name}_parts", Array(np.dtype(dtype or float).name, (None,)))
        part = self._fresh(f"{name}_part", kind)
        args: tuple[Expr, ...] = (count,)
        if dtype is not None:
            args += (nodes.Ref(f"np.{dtype.__name__}", dtype),)
        before.append(self._set(parts, Call(np.zeros, "np.zeros", args, type=parts.type)))
        zero = Const(0 if whole else 0j if complex_ else 0.0, type=kind)
        head.append(self._set(part, zero))
        tail.append(nodes.Store(parts, (thread,), part))
        total = Call(np.sum, "np.sum", (parts,), type=kind)
        now = Var(name, type=kind)
        value = Call(np.add, "+", (now, total), form="operator", type=kind)
        after.append(nodes.Assign((name,), (value,)))
        return _renamed(body, name, part.name)

    def _array(
        self, name: str, body: Block, count: Var, thread: Var, lists: tuple[list[Stmt], ...]
    ) -> Block:
        before, head, after = lists
        kind = self.types[name]
        assert isinstance(kind, Array) and kind.shape is not None and kind.dtype is not None
        array = Var(name, type=kind)
        parts = self._fresh(f"{name}_parts", Array(kind.dtype, (None, *kind.shape)))
        own = self._fresh(f"{name}_part", kind)
        shape = Call("attribute", "shape", (array,), form="attribute", type=INT)
        sizes = tuple(Index(shape, (Const(k, type=INT),), type=INT) for k in range(len(kind.shape)))
        args: tuple[Expr, ...] = (nodes.Sequence("tuple", (count, *sizes)),)
        if kind.dtype != "float64":
            dtype = np.dtype(kind.dtype).type
            args += (nodes.Ref(f"np.{dtype.__name__}", dtype),)
        before.append(self._set(parts, Call(np.zeros, "np.zeros", args, type=parts.type)))
        head.append(self._set(own, Index(parts, (thread,), type=kind)))
        k = self._fresh("thread", INT)
        places = tuple(self._fresh("i", INT) for _ in sizes)
        entry = Scalar(kind.dtype)
        add: Stmt = nodes.Store(array, places, Index(parts, (k, *places), type=entry), "+")
        for place, size in reversed([(k, count), *zip(places, sizes, strict=True)]):
            add = For((place.name,), (Call(range, "range", (size,), type=INT),), (add,))
        after.append(add)
        return _renamed(body, name, own.name)

    def _fresh(self, base: str, kind: Type) -> Var:
        name = self.names.fresh(base)
        self.types[name] = kind
        return Var(name, type=kind)

    def named(self, base: str, value: Expr, before: list[Stmt]) -> Var:
        """A new variable that `before` gives the value to."""
        found = self._fresh(base, INT)
        before.append(self._set(found, value))
        return found

    def _set(self, target: Var, value: Expr) -> Stmt:
        return nodes.Assign((target.name,), (value,))


def _edge(start: Expr, stop: Expr, thread: Expr, count: Expr) -> Expr:
    """Where a thread's part of the range begins."""
    from s2sgrad_runtime.numba_threads import share

    return Call(share, "share", (start, stop, thread, count), type=INT)


def _op(function: object, sign: str, left: Expr, right: Expr) -> Call:
    return Call(function, sign, (left, right), form="operator", type=INT)


def _renamed(body: Block, name: str, new: str) -> Block:
    def expr(e: Expr) -> Expr:
        return replace(e, name=new) if isinstance(e, Var) and e.name == name else e

    def stmt(s: Stmt) -> list[Stmt]:
        if isinstance(s, nodes.Assign) and name in s.targets:
            s = replace(s, targets=tuple(new if t == name else t for t in s.targets))
        return [s]

    return map_block(body, expr, stmt)


def _blocks(start: Expr, stop: Expr, reach: int, work: Expr) -> Call:
    """Two for each thread, none shorter than `reach`."""
    length = stop if start == Const(0) else _op(np.subtract, "-", stop, start)
    most = _op(np.floor_divide, "//", length, Const(reach, type=INT))
    twice = _op(np.multiply, "*", Const(2, type=INT), _threads(work))
    least = Call(min, "min", (twice, most), type=INT)
    return Call(max, "max", (least, Const(1, type=INT)), type=INT)


def _threads(work: Expr) -> Call:
    from s2sgrad_runtime.numba_threads import threads_for

    return Call(threads_for, "threads_for", (work,), type=INT)


__all__ = ["Threads", "number_sums", "sum_of"]

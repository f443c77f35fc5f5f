"""Floor 5: a running maximum as the search that it is, for compiled code.

    m = max(m, e(k))         if e(k) >= m:
                      ->         last = k
                                 if e(k) > m:
                                     m = e(k)

So last_taken.py finds the trip that was kept. A tie is shared evenly: where the last trip with that
value is a later one, those behind the one that was kept are gone through again.

    for k in range(best_k, last + 1):
        if k > best_k and e(k) == found:
            m = 0.5 * m + 0.5 * e(k)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, If, Stmt, Var
from s2sgrad.ir.types import BOOL, INT, List, Scalar, Type
from s2sgrad.transform.writing import build

Fresh = Callable[[str, Type], str]


Loop = nodes.For | nodes.While


@dataclass(frozen=True)
class Extreme:
    """What a trip compares with a running maximum (or minimum), and what tells the last trip that
    comes to it. loops: those around the comparison, outermost first."""

    value: str
    last: tuple[str, ...]
    loops: tuple[nodes.For, ...]

    @property
    def counters(self) -> tuple[str, ...]:
        """What says which trip it is."""
        return tuple(c.name for c in map(counter_of, self.loops) if c is not None)


def with_searches(
    loop: Loop, active: frozenset[str], fresh: Fresh
) -> tuple[Loop, dict[str, Extreme]]:
    """A loop with searches in place of running maxima, and what they are: by variable."""
    found: dict[str, Extreme] = {}

    def searched(block: Block, loops: tuple[nodes.For, ...]) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            name = _running(stmt)
            if isinstance(stmt, If):
                sides = searched(stmt.then, loops), searched(stmt.orelse, loops)
                result.append(replace(stmt, then=sides[0], orelse=sides[1]))
            elif isinstance(stmt, nodes.For) and counter_of(stmt) is not None:
                result.append(replace(stmt, body=searched(stmt.body, (*loops, stmt))))
            elif name in active and name not in found:
                result += _search(stmt, name, loops, found, fresh)  # type: ignore[arg-type]
            else:
                result.append(stmt)
        return tuple(result)

    if not isinstance(loop, nodes.For) or counter_of(loop) is None:
        return loop, found
    body = searched(loop.body, (loop,))
    return (replace(loop, body=body), found) if found else (loop, found)


def _running(stmt: Stmt) -> str:
    """The variable of which a statement makes the larger (or smaller) of itself and another."""
    match stmt:
        case Assign(targets=(name,), values=(Call(args=(first, second)) as value,)):
            plain = value.function in (np.maximum, np.minimum) and not value.kwargs
            numbers = all(_is_float(e.type) for e in (first, second, value))
            own = [e for e in (first, second) if e == Var(name)]
            other = second if first == Var(name) else first
            if plain and numbers and len(own) == 1 and name not in nodes.names_in(other):
                return name
    return ""


def _is_float(kind: Type) -> bool:
    return isinstance(kind, Scalar) and kind.dtype in ("float", "float64")


def _search(
    stmt: Assign,
    name: str,
    loops: tuple[nodes.For, ...],
    found: dict[str, Extreme],
    fresh: Fresh,
) -> list[Stmt]:
    (call,) = stmt.values
    assert isinstance(call, Call)
    first, second = call.args
    mine = first == Var(name)
    best, other = (first, second) if mine else (second, first)
    value = Var(fresh(f"{name}_new", other.type), type=other.type)
    last = tuple(fresh(f"{name}_last", INT) for _ in loops)
    own = found[name] = Extreme(value.name, last, loops)
    larger, no_less = _tests(call, value, best, mine)
    bound = Assign((value.name,), (other,), span=stmt.span)
    kept = If(larger, (Assign((name,), (value,), span=stmt.span),), (), span=stmt.span)
    pairs = zip(own.last, own.counters, strict=True)
    notes = [Assign((new,), (Var(counter, type=INT),)) for new, counter in pairs]
    return [bound, If(no_less, (*notes, kept), (), span=stmt.span)]


def _tests(call: Call, value: Expr, best: Expr, mine: bool) -> tuple[Expr, Expr]:
    """Whether a value takes the place of the best one, and whether it does or is equal.

    mine: whether the best one is the first argument.
    """
    up = call.function is np.maximum
    more, less = (np.greater, np.less) if up else (np.less, np.greater)
    no_less = np.greater_equal if up else np.less_equal
    if call.text not in ("max", "min"):  # NumPy's hand NaN on
        larger = _logical("or", _compared(more, value, best), _compared(np.not_equal, value, value))
        return larger, _logical("not", _compared(less, value, best))
    if not mine:  # Python's give the first where neither is better
        return tuple(_logical("not", _compared(f, best, value)) for f in (no_less, more))  # type: ignore[return-value]
    return _compared(more, value, best), _compared(no_less, value, best)


def counter_of(loop: nodes.For | nodes.While) -> Var | None:
    """What says which trip of a loop it is, where that counts on, or down, by one."""
    pairs = zip(loop.targets, loop.sources, strict=True) if isinstance(loop, nodes.For) else ()
    for name, source in pairs:
        if nodes.counts(source) or _step(source):
            return None if loop.backwards else Var(name, type=INT)  # type: ignore[union-attr]
    return None


def _step(source: Expr) -> int:
    """1 or -1 for a range with that step, else 0."""
    if not isinstance(source, Call) or source.function is not range:
        return 0
    step = source.args[2] if len(source.args) > 2 else Const(1, type=INT)
    found = step.value if isinstance(step, Const) else 0
    return found if found in (1, -1) else 0


def shared_ties(
    loops: list[nodes.For],
    kept: list[Var],
    last: list[Var],
    test: tuple[Block, Var],
    part: tuple[Block, Var],
    best: Var,
    sought: Var,
) -> Stmt:
    """What gives the later trips with the same value their shares.

    loops: to go through again, by new counters, outermost first. kept, last: the counters of the
    trip that was kept, and of the last one with its value. test, part: what computes the value in a
    trip, and the value, for the test and for its derivative. best: the running maximum; sought:
    what the search has found.
    """
    (looked, seen), (again, value) = test, part
    half = [build.binary("*", build.number(0.5), e) for e in (best, value)]
    share = Assign((best.name,), (build.binary("+", *half),))
    body: Block = (*looked, If(_compared(np.equal, seen, sought), (*again, share), ()))
    counters = [Var(loop.targets[0], type=INT) for loop in loops]
    steps = [_step(loop.sources[0]) for loop in loops]
    body = (If(_later(counters, kept, steps), body, ()),)
    for loop in reversed(loops[1:]):
        body = (replace(loop, body=body),)
    end = build.binary("+" if steps[0] > 0 else "-", last[0], build.number(1))
    args: tuple[Expr, ...] = (kept[0], end)
    if steps[0] < 0:
        args += (Const(-1, type=INT),)
    trips = Call(range, "range", args, type=List(INT))
    some = [_compared(np.not_equal, a, b) for a, b in zip(last, kept, strict=True)]
    return If(_joined("or", some), (replace(loops[0], sources=(trips,), body=body),), ())


def _later(counters: list[Var], kept: list[Var], steps: list[int]) -> Expr:
    """Whether a trip is behind another one."""
    sign = np.greater if steps[0] > 0 else np.less
    first = _compared(sign, counters[0], kept[0])
    if len(counters) == 1:
        return first
    same = _compared(np.equal, counters[0], kept[0])
    inner = _joined("and", [same, _later(counters[1:], kept[1:], steps[1:])])
    return _joined("or", [first, inner])


def _joined(sign: str, parts: list[Expr]) -> Expr:
    found = parts[0]
    for part in parts[1:]:
        found = _logical(sign, found, part)
    return found


_SIGNS: dict[np.ufunc, str] = {
    np.greater: ">",
    np.less: "<",
    np.greater_equal: ">=",
    np.less_equal: "<=",
    np.equal: "==",
    np.not_equal: "!=",
}


def _compared(function: np.ufunc, a: Expr, b: Expr) -> Expr:
    return Call(function, _SIGNS[function], (a, b), form="operator", type=BOOL)


def _logical(sign: str, *args: Expr) -> Expr:
    return Call(sign, sign, args, form="operator", type=BOOL)


__all__ = ["Extreme", "Fresh", "counter_of", "shared_ties", "with_searches"]

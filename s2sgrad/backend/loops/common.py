"""Floor 6: what one pass through a loop computes several times gets a name.

Loops that were joined compute the same difference for each of their results. LLVM would find that
out, where it knows that no write comes between; but it would have to read it all first, and so
would people.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.elements import is_helper
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Choice, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad.transform.preparing.normalize import label_of
from s2sgrad.transform.writing.rewrite import map_stmt_exprs

_FLOATS = ("float64", "float")
_LEAST = 2  # operations and entries that are worth a name
Versions = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Place:
    """Where a value is computed. surely: on every path."""

    stmt: int
    surely: bool


class Common:
    """Names what is computed twice in the loops of one function."""

    def __init__(self, groups: Groups, names: Names, types: dict[str, Type]) -> None:
        self.groups, self.names, self.types = groups, names, types
        # id of a value -> (the value, all in it that is worth a name); looked at again and again
        self.worth: dict[int, tuple[Expr, list[tuple[Expr, bool, list[str]]]]] = {}

    def block(self, block: Block, inside: bool = False) -> Block:
        """inside: within loops of ours."""
        result: list[Stmt] = []
        run: list[Stmt] = []
        for stmt in block:
            if inside and _is_simple(stmt):
                run.append(stmt)
                continue
            result += self._run(run)
            run = []
            match stmt:
                case Nest(body=body):
                    stmt = replace(stmt, body=self.block(body, inside=True))
                case nodes.If(then=then, orelse=orelse):
                    sides = self.block(then, inside), self.block(orelse, inside)
                    stmt = replace(stmt, then=sides[0], orelse=sides[1])
                case nodes.For(body=body) | nodes.While(body=body):
                    stmt = replace(stmt, body=self.block(body, inside))
            result.append(stmt)
        return (*result, *self._run(run))

    def _run(self, run: list[Stmt]) -> list[Stmt]:
        """Statements without branches, one after the other."""
        while (found := self._largest(run)) is not None:
            run = self._named(run, *found)
        return run

    def _largest(self, run: list[Stmt]) -> tuple[Expr, list[int]] | None:
        """What takes most operations of all that is computed twice, and the statements."""
        places: defaultdict[tuple[Expr, Versions], list[Place]] = defaultdict(list)
        for expr, versions, place in self._computed(run):
            places[expr, versions].append(place)
        twice = [
            (expr, [p.stmt for p in at])
            for (expr, _), at in places.items()
            if len(at) > 1 and any(p.surely for p in at)
        ]
        return max(twice, key=lambda pair: _weight(pair[0]), default=None)

    def _computed(self, run: list[Stmt]) -> Iterator[tuple[Expr, Versions, Place]]:
        """All that is computed, with the versions of what it is computed from."""
        now: Counter[str] = Counter()
        for k, stmt in enumerate(run):
            for value in nodes.expressions(stmt):
                for expr, surely, names in self._worth(value):
                    yield expr, tuple((n, now[n]) for n in names), Place(k, surely)
            now.update(self._written(stmt))

    def _worth(self, value: Expr) -> list[tuple[Expr, bool, list[str]]]:
        """What is worth a name in a value, whether it is surely computed, and what it reads."""
        if id(value) not in self.worth:
            found = [
                (expr, surely, sorted(map(self._memory, _variables(expr))))
                for expr, surely in _parts(value)
                if _is_worth(expr)
            ]
            self.worth[id(value)] = value, found
        return self.worth[id(value)][1]

    def _memory(self, var: Var) -> str:
        return self.groups.of(var.name) if isinstance(var.type, Array) else var.name

    def _written(self, stmt: Stmt) -> list[str]:
        if isinstance(stmt, nodes.Store):
            assert isinstance(stmt.base, Var)
            return [self._memory(stmt.base)]
        return list(nodes.targets_of(stmt))

    def _named(self, run: list[Stmt], expr: Expr, at: list[int]) -> list[Stmt]:
        """The statements with a name for a value that those at these places compute."""
        first = run[at[0]]
        if isinstance(first, nodes.Assign) and first.values == (expr,):
            (name,) = first.targets
            if not any(name in self._written(s) for s in run[at[0] + 1 : at[-1]]):
                return self._replaced(run, expr, at[1:], name)
        name = self.names.fresh(label_of(expr))
        self.types[name] = expr.type
        named = nodes.Assign((name,), (expr,), span=first.span)
        run = self._replaced(run, expr, at, name)
        return [*run[: at[0]], named, *run[at[0] :]]

    def _replaced(self, run: list[Stmt], expr: Expr, at: list[int], name: str) -> list[Stmt]:
        var = Var(name, type=expr.type)
        places = set(at)
        return [
            map_stmt_exprs(s, lambda e: var if e == expr else e) if k in places else s
            for k, s in enumerate(run)
        ]


def _is_simple(stmt: Stmt) -> bool:
    """Whether a statement binds one number, or writes one entry."""
    match stmt:
        case nodes.Assign(targets=(_,), values=(value,)):
            return isinstance(value.type, Scalar)
        case nodes.Store(base=Var(), index=index, value=value):
            return isinstance(value.type, Scalar) and not any(_is_wide(p) for p in index)
    return False


def _is_wide(part: Expr) -> bool:
    return isinstance(part, nodes.Slice) or (isinstance(part.type, Array) and part.type.shape != ())


def _parts(expr: Expr, surely: bool = True) -> Iterator[tuple[Expr, bool]]:
    """The expression and all in it; whether each is computed on every path."""
    yield expr, surely
    if isinstance(expr, Choice):
        yield from _parts(expr.test, surely)
        yield from _parts(expr.then, False)
        yield from _parts(expr.orelse, False)
    else:
        for part in nodes.children(expr):
            yield from _parts(part, surely)


def _is_worth(expr: Expr) -> bool:
    """Whether a value is a number that takes some work, and no more than that happens."""
    if not isinstance(expr.type, Scalar) or expr.type.dtype not in _FLOATS:
        return False
    return isinstance(expr, Call | Choice) and _weight(expr) >= _LEAST and _is_pure(expr)


def _is_pure(expr: Expr) -> bool:
    """Whether it is arithmetic on numbers and entries."""
    for part in nodes.walk(expr):
        match part:
            case Call(form="operator"):
                pass
            case Call(form="call", function=function):
                known = isinstance(function, np.ufunc) or is_helper(part) or _is_ours(function)
                if not known or part.kwargs:
                    return False
            case Index(base=Var()) | Var() | nodes.Const() | Choice():
                pass
            case _:
                return False
    return any(isinstance(part, Var) for part in nodes.walk(expr))


def _is_ours(function: object) -> bool:
    """Whether it is one of the powers, or what else loops do with one entry."""
    return getattr(function, "__module__", "") == "s2sgrad_runtime.numba_entries"


def _weight(expr: Expr) -> int:
    """Operations and entries."""
    return sum(isinstance(part, Call | Choice | Index) for part in nodes.walk(expr))


def _variables(expr: Expr) -> set[Var]:
    return {part for part in nodes.walk(expr) if isinstance(part, Var)}


__all__ = ["Common"]

"""Floor 4: the names of a function that a run may read before it has given them a value.

if a:                       y has a value on some ways to its use only,
    y = 1.0                 as far as the text tells
use(y)
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable
from typing import Any

from s2sgrad.frontend.scopes import local_names
from s2sgrad.frontend.state import Frame

Names = frozenset[str]
Ways = list[Names]  # what has a value on each way out of a loop
Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Made = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@functools.lru_cache(maxsize=1024)
def doubtful_names(node: ast.FunctionDef | ast.Lambda) -> Names:
    """The local names that a function's text reads where not every way there binds them."""
    if isinstance(node, ast.Lambda):
        return frozenset()
    spec = node.args
    given = {a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    given |= {a.arg for a in (spec.vararg, spec.kwarg) if a is not None}
    reading = _Reading()
    reading.block(node.body, frozenset(given))
    return frozenset(reading.doubtful) & local_names(node)


def doubted(frames: Iterable[Frame]) -> dict[int, Names]:
    """The doubtful names of functions that run, by their activations."""
    return {f.id: found for f in frames if (found := doubtful_names(f.source.node))}


class _Reading:
    """Goes through a text. doubtful: what it has found; breaks, again: ways out of the loop."""

    def __init__(self) -> None:
        self.doubtful: set[str] = set()
        self.breaks: Ways = []
        self.again: Ways = []

    def block(self, stmts: Iterable[ast.stmt], bound: Names) -> Names | None:
        """What has a value after statements; None where their end is not reached."""
        for stmt in stmts:
            after = self._stmt(stmt, bound)
            if after is None:
                return None
            bound = after
        return bound

    def _stmt(self, stmt: ast.stmt, bound: Names) -> Names | None:
        match stmt:
            case ast.Break() | ast.Continue():
                (self.breaks if isinstance(stmt, ast.Break) else self.again).append(bound)
                return None
            case ast.Return() | ast.Raise():
                self._read(stmt, bound)
                return None
            case ast.If(test=test, body=body, orelse=orelse):
                bound = self._read(test, bound)
                return _on_all([self.block(body, bound), self.block(orelse, bound)])
            case ast.For() | ast.While():
                return self._loop(stmt, bound)
            case ast.Match(subject=subject, cases=cases):
                return self._match(cases, self._read(subject, bound))
            case ast.With(items=items, body=body):
                for item in items:
                    bound = self._read(item, bound)
                return self.block(body, bound)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                ways = [self.block([*body, *orelse], bound)]
                ways += [self.block(h.body, bound | {h.name or ""}) for h in handlers]
                met = _on_all(ways)
                after = self.block(final, bound if met is None else met)
                return None if met is None else after
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                self.doubtful |= _free(stmt) - bound - {name}
                return bound | {name}
            case ast.Delete(targets=targets):
                return bound - {t.id for t in targets if isinstance(t, ast.Name)}
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                return bound | {(a.asname or a.name).split(".")[0] for a in names}
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                bound = self._read(value, bound)
                self.doubtful |= {name} - bound
                return bound | {name}
            case ast.Assign(targets=targets, value=value):
                bound = self._read(value, bound)
                return functools.reduce(lambda b, t: self._read(t, b), targets, bound)
        return self._read(stmt, bound)

    def _loop(self, stmt: ast.For | ast.While, bound: Names) -> Names | None:
        outer = self.breaks, self.again
        self.breaks, self.again = [], []
        if isinstance(stmt, ast.For):
            bound = self._read(stmt.iter, bound)
            self.block(stmt.body, self._read(stmt.target, bound))
        else:
            bound = self._read(stmt.test, bound)
            self.block(stmt.body, bound)
        breaks = self.breaks
        self.breaks, self.again = outer
        endless = isinstance(stmt, ast.While) and isinstance(stmt.test, ast.Constant)
        if endless and stmt.test.value:  # type: ignore[union-attr]
            return _on_all(breaks)
        return _on_all([*breaks, self.block(stmt.orelse, bound)])

    def _match(self, cases: list[ast.match_case], bound: Names) -> Names | None:
        ways: list[Names | None] = []
        for case in cases:
            inside = bound | {
                p.name for p in ast.walk(case.pattern)
                if isinstance(p, ast.MatchAs | ast.MatchStar) and p.name
            }  # fmt: skip
            if case.guard is not None:
                inside = self._read(case.guard, inside)
            ways.append(self.block(case.body, inside))
        last = cases[-1]
        every = last.guard is None and isinstance(last.pattern, ast.MatchAs)
        if not (every and last.pattern.pattern is None):  # type: ignore[attr-defined]
            ways.append(bound)
        return _on_all(ways)

    def _read(self, node: ast.AST, bound: Names) -> Names:
        """Note what is read; what has a value afterwards."""
        for part in _own_parts(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                self.doubtful |= {part.id} - bound
        stores = (p for p in _own_parts(node) if isinstance(p, ast.Name))
        return bound | {p.id for p in stores if isinstance(p.ctx, ast.Store)}


def _own_parts(node: ast.AST) -> list[ast.AST]:
    """The parts of an expression, but for those in functions that it makes."""
    found: list[ast.AST] = []
    stack: list[Any] = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, ast.Lambda | Defined):
            found += [ast.Name(n, ast.Load()) for n in sorted(_free(part))]
            continue
        found.append(part)
        stack += ast.iter_child_nodes(part)
        if isinstance(part, Made):
            targets = [n for g in part.generators for n in ast.walk(g.target)]
            own = {n.id for n in targets if isinstance(n, ast.Name)}
            inner = [n for c in ast.iter_child_nodes(part) for n in _own_parts(c)]
            found += [n for n in inner if not (isinstance(n, ast.Name) and n.id in own)]
            del stack[len(stack) - len(list(ast.iter_child_nodes(part))) :]
    return found


def _free(function: ast.AST) -> Names:
    """The names that a function reads and does not take as arguments."""
    taken = {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name)]
    return frozenset(n.id for n in names if isinstance(n.ctx, ast.Load)) - taken


def _on_all(ways: Iterable[Names | None]) -> Names | None:
    reached = [way for way in ways if way is not None]
    return frozenset.intersection(*reached) if reached else None

"""Floor 5: names for memory that is written in place, followed back to where it lives.

A name that shares written memory with another is an expression on it (`row` is `A[i]`), or has
taken it over (the other name is not used any more). What can't be followed is refused.
"""

from __future__ import annotations

from s2sgrad.analysis.effects import Effects, root, shares
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.writes import WrittenLater
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt, Var
from s2sgrad.transform.rewrite import map_expr

FIX = "copy it where it gets its second name: b = a.copy()"


def find_aliases(block: Block, effects: Effects, live: frozenset[str]) -> dict[str, Expr]:
    """Variable -> the expression on another variable whose written memory it shares."""
    paths: dict[str, Expr] = {}
    definitions: dict[str, int] = {}
    stored: list[tuple[nodes.Mutate, str, list[str]]] = []
    moved: list[tuple[Stmt, str, list[str]]] = []
    for stmt in nodes.walk_block(block):
        for target in nodes.targets_of(stmt):
            definitions[target] = definitions.get(target, 0) + 1

    def visit(stmt: Stmt, after: frozenset[str]) -> None:
        for target, sources in shares(stmt):
            held = [s for s in sources if effects.is_written(s)]
            if held and isinstance(stmt, nodes.Mutate):
                if stmt.method != "pop" and any(s in after for s in held):
                    stored.append((stmt, target, [s for s in held if s in after]))
            elif held and not _one(stmt, target, held, after, paths, definitions):
                moved.append((stmt, target, held))

    Liveness(visit=visit).block(block, live)
    _follow_moves(moved, paths, definitions)
    paths = {name: _resolve(name, paths) for name in paths}
    _check_stored(block, stored, paths)
    _check_stable(block, paths, live)
    return paths


def _one(
    stmt: Stmt,
    target: str,
    sources: list[str],
    after: frozenset[str],
    paths: dict[str, Expr],
    definitions: dict[str, int],
) -> bool:
    """Note what a name shares; False where it takes memory over from names that are done with."""
    value = _value_for(stmt, target)
    if isinstance(stmt, nodes.Assign):
        first = stmt.targets[stmt.values.index(value)] if value in stmt.values else target
        if isinstance(value, Var) and first != target:  # `a, b = x, x`: b is a
            if definitions.get(target, 0) > 1:
                raise _refused(stmt, sources[0])
            paths[target] = Var(first, type=value.type)
            return True
        moved = [s for s in sources if s not in after or s in stmt.targets]
        if len(moved) == len(sources) and isinstance(value, Var | nodes.Sequence):
            return False
    if value is None or root(value) is None or definitions.get(target, 0) > 1:
        raise _refused(stmt, sources[0])
    paths[target] = value
    return True


def _follow_moves(
    moved: list[tuple[Stmt, str, list[str]]], paths: dict[str, Expr], definitions: dict[str, int]
) -> None:
    """What takes over a view is a view itself."""
    grown = True
    while grown:
        grown = False
        for stmt, target, sources in moved:
            if target in paths or not any(s in paths for s in sources):
                continue
            value = _value_for(stmt, target)
            if not isinstance(value, Var) or definitions.get(target, 0) > 1:
                raise _refused(stmt, sources[0])
            paths[target] = value
            grown = True


def _check_stored(
    block: Block, stored: list[tuple[nodes.Mutate, str, list[str]]], paths: dict[str, Expr]
) -> None:
    """A list may hold an array that keeps its own name if neither is written from then on."""
    later = WrittenLater(block).after if stored else {}
    for stmt, target, sources in stored:
        written = later[id(stmt)] | {root(paths[n]) for n in later[id(stmt)] if n in paths}
        for source in sources:
            if {target, source} & written or root(paths.get(source, Var(source))) in written:
                raise _refused(stmt, source)


def _value_for(stmt: Stmt, target: str) -> Expr | None:
    if isinstance(stmt, nodes.Assign):
        return stmt.values[stmt.targets.index(target)]
    return None


def _refused(stmt: Stmt, name: str) -> UnsupportedError:
    return UnsupportedError(
        f"two names share the memory of '{name}', which is written in place",
        stmt.span,
        "which of the names holds it can't be followed through this statement",
        FIX,
    )


def _resolve(name: str, paths: dict[str, Expr]) -> Expr:
    """The path on a variable that has no path itself."""

    def step(expr: Expr) -> Expr:
        if isinstance(expr, Var) and expr.name in paths:
            return _resolve(expr.name, paths)
        return expr

    value = paths[name]
    below = root(value)
    if below not in paths:
        return value
    return map_expr(value, step)


def _check_stable(block: Block, paths: dict[str, Expr], live: frozenset[str]) -> None:
    """No part of a path may be set anew while its name is still used."""
    parts = {name: nodes.names_in(path) for name, path in paths.items()}

    def visit(stmt: Stmt, after: frozenset[str]) -> None:
        targets = nodes.targets_of(stmt)
        if not targets:
            return
        for name, used in parts.items():
            if name in after and name not in targets and used & set(targets):
                raise _refused(stmt, name)

    if paths:
        Liveness(visit=visit).block(block, live)

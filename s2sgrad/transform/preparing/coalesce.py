"""Floor 5: variables joined by a move, or of the same name, become one where they never
hold different values at the same time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Expr, Function, Stmt
from s2sgrad.ir.types import Array, Dict, List, Type, join
from s2sgrad.transform.writing.rewrite import map_block

MANY = 64  # versions of one name beyond which no two are tried to be merged: it would be quadratic


class Classes:
    """Union-find over variable names, with the interference between classes."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}
        self.against: dict[str, set[str]] = {}

    def find(self, name: str) -> str:
        """The representative of a variable's class."""
        root = name
        while self.parent.get(root, root) != root:
            root = self.parent[root]
        while self.parent.get(name, name) != root:
            self.parent[name], name = root, self.parent[name]
        return root

    def conflict(self, a: str, b: str) -> None:
        """Note that two classes hold different values at the same time."""
        if a != b:
            self.against.setdefault(a, set()).add(b)
            self.against.setdefault(b, set()).add(a)

    def merge(self, a: str, b: str) -> bool:
        """Make two classes one unless they conflict; whether they are one now."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return True
        if b in self.against.get(a, ()):
            return False
        for other in self.against.pop(b, set()):
            self.against[other].discard(b)
            self.conflict(a, other)
        self.parent[b] = a
        return True


def interference(
    block: Block, live: frozenset[str], parameters: Iterable[str], mates: dict[str, frozenset[str]]
) -> Classes:
    """Two variables interfere where one is set while the other is still to be read.

    mates: for each variable, those it might be merged with; others do not matter.
    """
    classes = Classes()
    nobody: frozenset[str] = frozenset()

    def visit(stmt: Stmt, after: frozenset[str]) -> None:
        targets = nodes.targets_of(stmt)
        match stmt:
            case nodes.Store(base=nodes.Var(name=number, type=kind), index=()) if not isinstance(
                kind, Array
            ):  # `x -= 1.0` of a number sets x, and not what x was a copy of
                for other in (mates.get(number, nobody) & after) - {number}:
                    classes.conflict(number, other)
        for i, target in enumerate(targets):
            source = None
            if isinstance(stmt, nodes.Assign) and isinstance(stmt.values[i], nodes.Var):
                source = stmt.values[i].name  # type: ignore[attr-defined]
            relevant = mates.get(target, nobody)
            for other in relevant & after if relevant else ():
                if other not in (target, source):
                    classes.conflict(target, other)
            for other in targets if len(targets) > 1 else ():
                classes.conflict(target, other)

    _, entry = Liveness(visit=visit).block(block, live)
    starting = sorted(entry | set(parameters))
    for a in starting:
        for b in mates.get(a, nobody).intersection(starting):
            classes.conflict(a, b)
    return classes


def moves(block: Block) -> list[tuple[str, str]]:
    """Pairs (target, source) of the compiler's moves, in order."""
    found = []
    for stmt in nodes.walk_block(block):
        if isinstance(stmt, nodes.Assign) and stmt.move:
            for target, value in zip(stmt.targets, stmt.values, strict=True):
                if isinstance(value, nodes.Var):
                    found.append((target, value.name))
    return found


def base_name(name: str) -> str:
    """The name without a version number."""
    return re.sub(r"_\d+$", "", name)


def coalesce(
    function: Function,
    live: frozenset[str],
    bases: dict[str, str],
    same_base: bool = False,
    fixed: frozenset[str] = frozenset(),
) -> tuple[Function, dict[str, str]]:
    """Merge variables along moves (and all of the same base, if asked); rename every class.

    `fixed` names keep their own storage. Returns the function and old name -> new name.
    """
    parameters = [p for p in function.parameters if p not in function.inputs]
    order = list(dict.fromkeys([*function.parameters, *defined(function.body), *sorted(live)]))
    mates = _mates(order, moves(function.body), bases if same_base else None)
    classes = interference(function.body, live, [*parameters, *fixed], mates)
    kept = set(fixed)
    if not same_base:  # a loop's own variable is set by its header alone
        kept |= {
            t
            for s in nodes.walk_block(function.body)
            if isinstance(s, nodes.For)
            for t in s.targets
        }
    for target, source in moves(function.body):
        if target not in kept and source not in kept:
            classes.merge(target, source)
    # what stands for a global is printed as it: the parameter that holds it is never free
    outer = {n for e in function.inputs.values() for n in nodes.names_in(e)}
    if same_base:
        leaders: dict[tuple[str, bool], list[str]] = {}
        for name in order:
            if name in fixed or name in outer:
                continue
            base = bases.get(name, base_name(name))
            # cotangents of lists and of numbers stay apart, and dicts and all else: the code may be
            # differentiated again
            kind = function.types.get(name)
            holds_many = isinstance(kind, Dict if not base.endswith("_bar") else List | Dict)
            group = leaders.setdefault((base, holds_many), [])
            known = mates.get(name, frozenset())  # what it interferes with beside these is not
            if not any(leader in known and classes.merge(leader, name) for leader in group):
                group.append(name)
    names = Names({*function.parameters, *fixed, *outer, *_called(function.body)})
    chosen: dict[str, str] = {}
    for parameter in [*function.parameters, *fixed]:
        chosen[classes.find(parameter)] = parameter
    renamed: dict[str, str] = {}
    for name in order:
        root = classes.find(name)
        if root not in chosen:
            chosen[root] = names.fresh(bases.get(name, base_name(name)))
        renamed[name] = chosen[root]
    used = {*renamed, *function.inputs, *function.parameters}  # the rest are left from lowering
    types = {n: k for n, k in function.types.items() if n in used}
    return rename(replace(function, types=types), renamed), renamed


def _mates(
    names: list[str], pairs: list[tuple[str, str]], bases: dict[str, str] | None
) -> dict[str, frozenset[str]]:
    """For each variable, all it might end in one class with."""
    together = Classes()
    for a, b in pairs:
        together.merge(a, b)
    if bases is not None:
        alike: dict[str, list[str]] = {}
        for name in names:
            alike.setdefault(bases.get(name, base_name(name)), []).append(name)
        for group in alike.values():
            for name in group if len(group) <= MANY else ():
                together.merge(group[0], name)
    groups: dict[str, set[str]] = {}
    for name in {*names, *(n for pair in pairs for n in pair)}:
        groups.setdefault(together.find(name), set()).add(name)
    return {n: frozenset(g) for g in groups.values() if len(g) > 1 for n in g}


def _called(block: Block) -> set[str]:
    """Names of functions and modules that are not variables, which no variable may hide."""
    found = (
        "itertools" if expr.text == "count" else expr.text.split(".")[0]
        for stmt in nodes.walk_block(block)
        for part in nodes.expressions(stmt)
        for expr in nodes.walk(part)
        if isinstance(expr, nodes.Ref) or (isinstance(expr, nodes.Call) and expr.form == "call")
    )
    return {name for name in found if name.isidentifier()}


def defined(block: Block) -> list[str]:
    """Every name bound in a block, in order of first appearance."""
    return [t for stmt in nodes.walk_block(block) for t in nodes.targets_of(stmt)]


def rename(function: Function, names: dict[str, str]) -> Function:
    """The function with variables renamed; moves of a variable to itself fall away."""

    def on_expr(expr: Expr) -> Expr:
        if isinstance(expr, nodes.Var) and expr.name in names:
            return replace(expr, name=names[expr.name])
        return expr

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Assign(targets=targets, values=values):
                new = [names.get(t, t) for t in targets]
                pairs = {  # what holds the same as another gets its value once
                    t: v
                    for t, v in zip(new, values, strict=True)
                    if not (isinstance(v, nodes.Var) and v.name == t)
                }
                if not pairs:
                    return []
                return [replace(stmt, targets=tuple(pairs), values=tuple(pairs.values()))]
            case nodes.Unpack(targets=targets) | nodes.For(targets=targets):
                return [replace(stmt, targets=tuple(names.get(t, t) for t in targets))]
            case nodes.Mutate(target=str(target)):
                return [replace(stmt, target=names.get(target, target))]
        return [stmt]

    types: dict[str, Type] = {}
    for name, kind in function.types.items():
        new = names.get(name, name)
        types[new] = join(types[new], kind) if new in types else kind
    body = map_block(function.body, on_expr, on_stmt)
    return replace(function, body=body, types=types)

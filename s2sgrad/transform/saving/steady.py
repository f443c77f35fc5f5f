"""Floor 5: values that are the same whenever they are bound, so that nothing need be saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from s2sgrad.analysis.effects import has_effect
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad.transform.saving.needs import Names


def steady_values(
    body: Block, given: Names, types: Mapping[str, Type], written_by: Callable[[Stmt], set[str]]
) -> Names:
    """Numbers, and arrays that nothing writes into, that one statement binds from what is the same
    in all iterations.

    `width = math.sqrt(2.0 * dt)`: after the loop it still is what it was in each of them.
    written_by: the names that a statement binds or changes in place.
    """
    stmts = list(nodes.walk_block(body))
    times = Counter([*given, *(n for s in stmts for n in written_by(s))])
    turning = {t for s in stmts if isinstance(s, nodes.For) for t in s.targets}
    known = {name for name, count in times.items() if count == 1 and name not in turning}
    known = {n for n in known if n in given} | _bound_outside(body, known)
    steady: set[str] = set()
    for stmt in stmts:  # in their order: what another one is made from comes first
        match stmt:
            case nodes.Assign(targets=(name,), values=(value,)) if times[name] == 1:
                if isinstance(types.get(name), Scalar | Array) and _same(value, known | steady):
                    steady.add(name)
    return frozenset(steady)


def _bound_outside(body: Block, names: set[str]) -> set[str]:
    """Those of `names` that are bound outside of all loops."""
    found: set[str] = set()
    for stmt in body:
        if isinstance(stmt, nodes.If):
            found |= _bound_outside(stmt.then, names) | _bound_outside(stmt.orelse, names)
        elif not isinstance(stmt, nodes.For | nodes.While):
            found |= names & set(nodes.targets_of(stmt))
    return found


def _same(value: Expr, known: set[str]) -> bool:
    """Whether an expression gives the same each time."""
    return not has_effect(value) and nodes.names_in(value) <= known

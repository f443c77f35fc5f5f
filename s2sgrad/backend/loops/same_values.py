"""Floor 6: numbers that are computed twice from the same numbers are computed once.

    s = softening * softening            s = softening * softening
    r3 = r2 + s                          r3 = r2 + s
    t = softening * softening
    q3 = r2 + t                          (q3 is r3)

Statements of the user's that became one loop often ask for the same again, each by its own name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from s2sgrad.analysis.effects import binds, has_effect
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Choice, Const, Expr, Stmt, Var
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.writing.rewrite import map_block

Known = dict[Expr, Var]


def with_same_values(body: Block) -> Block:
    """The body without such statements; later ones read the first name."""
    bound = Counter(t for s in nodes.walk_block(body) for t in binds(s))
    return _Walker({name for name, times in bound.items() if times == 1}, _reads(body)).block(
        body, {}
    )


class _Walker:
    """once: names bound in one place, changed in none. reads: how often each name is read."""

    def __init__(self, once: set[str], reads: Counter[str]) -> None:
        self.once, self.reads = once, reads

    def block(self, block: Block, known: Known) -> Block:
        """The block; known: values and the variables that hold them, which it adds to."""
        result: list[Stmt] = []
        rest = list(block)
        while rest:
            stmt = rest.pop(0)
            found = self._held(stmt, known)
            if found is not None:
                (name,) = nodes.targets_of(stmt)
                if _reads(rest)[name] == self.reads[name]:
                    rest = list(_renamed(tuple(rest), name, found))
                    self.reads[found.name] += self.reads.pop(name, 0)
                    continue
            result.append(self._inside(stmt, known))
            _forget(known, _changed(stmt))
            if found is None and isinstance(stmt, Assign) and self._may_stand(stmt):
                (name,), (value,) = stmt.targets, stmt.values
                if name not in nodes.names_in(value):  # `dt = dt / 2` has another `dt` in it
                    known[value] = Var(name, type=value.type)
        return tuple(result)

    def _held(self, stmt: Stmt, known: Known) -> Var | None:
        if not isinstance(stmt, Assign) or not self._may_stand(stmt):
            return None
        return known.get(stmt.values[0])

    def _may_stand(self, stmt: Assign) -> bool:
        """Whether a statement computes a number from numbers, and nobody else its name's."""
        return len(stmt.targets) == 1 and stmt.targets[0] in self.once and _is_sum(stmt.values[0])

    def _inside(self, stmt: Stmt, known: Known) -> Stmt:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                sides = self.block(then, dict(known)), self.block(orelse, dict(known))
                return replace(stmt, then=sides[0], orelse=sides[1])
            case nodes.For(body=body) | nodes.While(body=body):
                inner = dict(known)
                _forget(inner, _changed(stmt))
                return replace(stmt, body=self.block(body, inner))
        return stmt


def _reads(block: Iterable[Stmt]) -> Counter[str]:
    return Counter(
        node.name
        for stmt in nodes.walk_block(tuple(block))
        for expr in nodes.expressions(stmt)
        for node in nodes.walk(expr)
        if isinstance(node, Var)
    )


def _renamed(block: Block, name: str, to: Var) -> Block:
    return map_block(block, lambda e: to if isinstance(e, Var) and e.name == name else e)


def _changed(stmt: Stmt) -> set[str]:
    """The names that a statement, or one inside it, binds or changes."""
    return {name for inner in nodes.walk_block((stmt,)) for name in binds(inner)}


def _forget(known: Known, names: set[str]) -> None:
    for value in [v for v in known if nodes.names_in(v) & names]:
        del known[value]


def _is_sum(value: Expr) -> bool:
    """Whether a value is an operation on numbers, without entries of arrays."""
    if not isinstance(value, Call | Choice) or has_effect(value):
        return False
    parts = list(nodes.walk(value))
    plain = all(isinstance(p, Var | Const | Call | Choice) for p in parts)
    return plain and all(isinstance(p.type, Scalar) for p in parts if not isinstance(p, Const))


__all__ = ["with_same_values"]

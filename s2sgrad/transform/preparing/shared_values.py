"""Floor 5: values that the code computes twice get one name.

    p = np.exp(z) / np.exp(z).sum()       exp = np.exp(z)
                                          p = exp / exp.sum()

Only what the reverse sweep needs names for is looked at, and only where nothing in it has changed
in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import replace

from s2sgrad.analysis.effects import Effects, effects, has_effect, root
from s2sgrad.analysis.positive import can_be_key
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Stmt, Var
from s2sgrad.transform.writing.rewrite import map_block, map_expr

Key = tuple[Expr, tuple[type, ...]]  # an expression, and of what types its constants are


class _Known:
    """The names that hold values. uses: name -> what is known by it: it is forgotten with it."""

    def __init__(self, names: dict[Key, str] | None = None) -> None:
        self.names: dict[Key, str] = {}
        self.uses: dict[str, list[Key]] = {}
        for key, name in (names or {}).items():
            self.add(key, name)

    def add(self, key: Key, name: str) -> None:
        """Note the name that holds a value, if none is known yet."""
        if key not in self.names:
            self.names[key] = name
            for used in {name, *nodes.names_in(key[0])}:
                self.uses.setdefault(used, []).append(key)

    def forget(self, changed: Set[str]) -> None:
        """Forget what these names hold or are read for."""
        for name in changed & self.uses.keys():
            for key in self.uses.pop(name):
                if self.names.get(key) == name or name in nodes.names_in(key[0]):
                    self.names.pop(key, None)

    def copy(self) -> _Known:
        """The same, for a block inside."""
        return _Known(self.names)

    def clear(self) -> None:
        """Forget all."""
        self.names.clear()
        self.uses.clear()


def with_shared_values(block: Block, temporaries: Set[str], active: Set[str]) -> Block:
    """The block with one name for what several of the compiler's own names hold.

    active: variables that carry derivatives; others may hold the same, as what only decides does.
    """
    if not temporaries:
        return block
    shared = _Shared(block, temporaries, active)
    new = shared.block(block, _Known())
    return map_block(new, shared.renamed) if shared.names else block


class _Shared:
    """Goes through blocks in order. names: a temporary that falls away -> what stands for it."""

    def __init__(self, block: Block, temporaries: Set[str], active: Set[str]) -> None:
        self.active = active
        self.memory: Effects = effects(block)
        bound = Counter(t for s in nodes.walk_block(block) for t in nodes.targets_of(s))
        self.own = {t for t in temporaries if self._stays(t, bound)}
        self.lasting = {n for n in bound if self._stays(n, bound)}
        self.names: dict[str, str] = {}

    def _stays(self, name: str, bound: Counter[str]) -> bool:
        return bound[name] == 1 and not self.memory.is_written(name)

    def block(self, block: Block, known: _Known) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case nodes.If(then=then, orelse=orelse):
                    sides = self.block(then, known.copy()), self.block(orelse, known.copy())
                    stmt = replace(stmt, then=sides[0], orelse=sides[1])
                    self.forget(stmt, known)
                case nodes.For(body=body) | nodes.While(body=body):
                    self.forget(stmt, known)
                    stmt = replace(stmt, body=self.block(body, known.copy()))
                case Assign(targets=(name,), values=(value,)):
                    value = map_expr(value, self.renamed)
                    usable = isinstance(value, Call) and can_be_key(value)
                    key = (value, _constants(value)) if usable else None
                    same = None if key is None else known.names.get(key)
                    if same is not None and name in self.own and self._fits(name, same):
                        self.names[name] = same
                        continue
                    self.forget(stmt, known)
                    if key is not None and name in self.lasting and not has_effect(value):
                        known.add(key, name)
                case _:
                    self.forget(stmt, known)
            result.append(stmt)
        return tuple(result)

    def _fits(self, name: str, other: str) -> bool:
        """Whether another name may stand for a temporary."""
        return (other in self.active) == (name in self.active)

    def renamed(self, expr: Expr) -> Expr:
        """The expression by the names that are left."""
        if isinstance(expr, Var) and expr.name in self.names:
            return replace(expr, name=self.names[expr.name])
        return expr

    def forget(self, stmt: Stmt, known: _Known) -> None:
        """Forget what a statement (or one inside it) changes."""
        for inner in nodes.walk_block((stmt,)):
            changed = set(nodes.targets_of(inner))
            if isinstance(inner, nodes.Store | nodes.Mutate):
                base = root(inner.base)
                if base is None:
                    known.clear()
                    return
                changed |= {base, *self.memory.members(base)}
            elif isinstance(inner, nodes.Do | nodes.Splice):
                known.clear()
                return
            known.forget(changed)


def _constants(expr: Expr) -> tuple[type, ...]:
    """1, 1.0 and True are equal, but do not give the same."""
    return tuple(type(e.value) for e in nodes.walk(expr) if isinstance(e, Const))


__all__ = ["with_shared_values"]

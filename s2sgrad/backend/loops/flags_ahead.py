"""Floor 6: truth values that a branch keeps are computed and kept ahead of it.

    if flat:                               rising = abs(a) < abs(b)
        s = 0.0                            rising_saved[place, i] = rising
    else:                                  if flat:
        rising = abs(a) < abs(b)               s = 0.0
        rising_saved[place, i] = rising    else:
        if rising:                             if rising:
            s = a                                  s = a
        ...                                    ...

What is left in the branches are numbers, so that LLVM makes selections of them and takes several
iterations at once; it does not where a branch writes into an array. Entries are kept by iteration,
and those of branches that were not taken are not read.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.costs import COMPILED
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Function, If, Stmt, Store, Var
from s2sgrad.ir.types import BOOL, Array, Scalar

CHEAP = 2.0  # nanoseconds of a test that may be made where its branch is not reached
_PLAIN = frozenset({"+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "and", "or", "not"})


def with_flags_ahead(function: Function, names: Names, stores: frozenset[str]) -> Function:
    """The function with such truth values ahead of branches, in its innermost loops.

    stores: arrays that the forward sweep fills, an entry for each iteration.
    """
    if not stores:
        return function
    ahead = _Ahead(function, names, stores)
    body = ahead.block(function.body)
    return function if body == function.body else replace(function, body=body, types=ahead.types)


class _Ahead:
    def __init__(self, function: Function, names: Names, stores: frozenset[str]) -> None:
        self.names, self.types, self.stores = names, dict(function.types), stores
        self.own = _read_where_bound(function.body)
        self.made: set[str] = set()  # names of values that are ahead of a branch already

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case nodes.For(body=body):
                    stmt = replace(stmt, body=self._body(body))
                case nodes.While(body=body):
                    stmt = replace(stmt, body=self.block(body))
                case If(then=then, orelse=orelse):
                    stmt = replace(stmt, then=self.block(then), orelse=self.block(orelse))
            result.append(stmt)
        return tuple(result)

    def _body(self, body: Block) -> Block:
        if any(isinstance(s, nodes.For | nodes.While) for s in nodes.walk_block(body)):
            return self.block(body)
        result: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, If) and self._only_numbers((stmt,)):
                result += self._pulled(stmt)
            else:
                result.append(stmt)
        return tuple(result)

    def _only_numbers(self, block: Block) -> bool:
        """Whether a block binds numbers, and keeps truth values, and does nothing else."""
        for stmt in block:
            match stmt:
                case If(then=then, orelse=orelse):
                    if not (self._only_numbers(then) and self._only_numbers(orelse)):
                        return False
                case Assign(targets=(name,)) if isinstance(self.types.get(name), Scalar):
                    pass
                case Store(base=Var(name=name, type=Array(dtype="bool"))) if name in self.stores:
                    pass
                case nodes.Comment():
                    pass
                case _:
                    return False
        return True

    def _pulled(self, stmt: If) -> list[Stmt]:
        """The branches, after the truth values that were kept in them."""
        before: list[Stmt] = []
        then, orelse = self._arm(stmt.then, before), self._arm(stmt.orelse, before)
        return [*before, replace(stmt, then=then, orelse=orelse)]

    def _arm(self, block: Block, before: list[Stmt]) -> Block:
        """A branch without its truth values, which go to `before`."""
        flat = [
            s for stmt in block for s in (self._pulled(stmt) if isinstance(stmt, If) else [stmt])
        ]
        bound: set[str] = set()
        left: list[Stmt] = []
        while flat:
            stmt = flat.pop(0)
            if flat and self._is_kept_flag(stmt, flat[0], bound):
                before += self._renamed(stmt, flat)
            else:
                bound |= nodes.bound_in((stmt,))
                left.append(stmt)
        return tuple(left)

    def _is_kept_flag(self, stmt: Stmt, after: Stmt, bound: set[str]) -> bool:
        """Whether a statement makes a truth value that the next one keeps; `bound` is not read."""
        match stmt, after:
            case Assign(targets=(name,), values=(test,)), Store(
                base=Var(name=array), index=index, value=Var(name=kept), op=""
            ) if name == kept and array in self.stores and name in self.own | self.made:
                reads = nodes.names_in(test).union(*map(nodes.names_in, index))
                return not reads & (bound | {name}) and _harmless(test)
        return False

    def _renamed(self, stmt: Stmt, flat: list[Stmt]) -> list[Stmt]:
        """Both statements under a name of their own, which the branch that follows is given too."""
        (old,) = nodes.targets_of(stmt)
        store = flat.pop(0)
        if old in self.made:
            return [stmt, store]
        new = Var(self.names.fresh(old), type=BOOL)
        self.types[new.name] = BOOL
        self.made.add(new.name)
        for k, later in enumerate(flat):  # what the branch keeps itself may stand ahead of it
            if isinstance(later, If) and isinstance(later.test, Var) and later.test.name == old:
                flat[k] = replace(later, test=new)
                break
        assert isinstance(stmt, Assign) and isinstance(store, Store)
        return [replace(stmt, targets=(new.name,)), replace(store, value=new)]


def _harmless(test: Expr) -> bool:
    """Whether computing a truth value takes no time, and can't fail."""
    for expr in nodes.walk(test):
        match expr:
            case Var(type=Scalar()) | Const():
                pass
            case Call(form="operator", text=text) if text in _PLAIN:
                pass
            case Call(function=function) if function is abs or function is np.absolute:
                pass
            case _:
                return False
    return COMPILED.price(test) <= CHEAP


def _read_where_bound(body: Block) -> set[str]:
    """The names that are read only by the two statements after one that binds them: what keeps
    them, and the branch that they decide."""
    reads = Counter(
        n for s in nodes.walk_block(body) for e in nodes.expressions(s) for n in _vars(e)
    )
    near: Counter[str] = Counter()
    for block in _blocks(body):
        for k, stmt in enumerate(block):
            match stmt:
                case Assign(targets=(name,)):
                    for after in block[k + 1 : k + 3]:
                        match after:
                            case Store(value=Var(name=kept)) if kept == name:
                                near[name] += 1
                            case If(test=Var(name=tested)) if tested == name:
                                near[name] += 1
    return {name for name, count in reads.items() if near[name] == count}


def _vars(expr: Expr) -> list[str]:
    return [e.name for e in nodes.walk(expr) if isinstance(e, Var)]


def _blocks(body: Block) -> list[Block]:
    """All blocks in a block, and itself."""
    inside = (b for stmt in nodes.walk_block(body) for b in nodes.blocks(stmt))
    return [body, *inside]


__all__ = ["with_flags_ahead"]

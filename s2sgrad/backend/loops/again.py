"""Floor 6: large arrays computed from small ones are computed again where they are read.

`d = x[:, None] - x[None, :]` has n * n entries, each a difference of two of n numbers: subtracting
again costs less than writing all of them down and reading them. What takes more operations (a
root, a division) is computed again only behind a loop of the user's: elsewhere loops are joined,
and nothing is written down anyway.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from s2sgrad.backend.jit.outside import with_children
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.elements import is_elementwise, is_special
from s2sgrad.backend.loops.powers import number_of
from s2sgrad.backend.loops.reductions import worth
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Index, Stmt, Var
from s2sgrad.ir.types import Array, List, Scalar

INLINE = 2  # operations of a value that takes the place of its name
AGAIN = 60  # operations of a value that is computed again behind a loop
_DIVISION, _ROOT, _HALF, _DEAR = 5, 6, 12, 1000
_CHEAP = (np.maximum, np.minimum, np.absolute, np.square, np.negative, np.sign)


def computed_again(function: Function, names: Names, outer: Function | None) -> Function:
    """The function with such arrays computed where they are read.

    outer: the function that it is a piece of.
    """
    walker = _Walker(function, names, outer)
    body = walker.block(function.body, {})
    types = {**function.types, **walker.types}
    return replace(function, body=without_unread(body), types=types)


@dataclass(frozen=True)
class Made:
    """An array's value. leaves: the names and the memory that it is computed from. price: in
    operations, all that it is computed from at the same place included (`parts`). run, depth: where
    it is bound, inside how many loops."""

    stmt: nodes.Assign
    leaves: frozenset[str]
    parts: frozenset[str]
    price: int
    run: int
    depth: int

    @property
    def value(self) -> Expr:
        return self.stmt.values[0]


Known = dict[str, Made]


class _Walker:
    def __init__(self, function: Function, names: Names, outer: Function | None) -> None:
        self.names, self.groups = names, Groups(function, outer)
        self.runs = self.depth = 0
        self.types: dict[str, Array] = {}
        stmts = list(nodes.walk_block(function.body))
        self.bound = Counter(t for s in stmts for t in nodes.targets_of(s))
        self.written = {self.groups.of(n) for s in stmts for n in _filled(s)}

    # --- blocks ------------------------------------------------------------------------------
    def block(self, block: Block, known: Known) -> Block:
        """The block; `known` learns what it binds, and forgets what it changes."""
        result: list[Stmt] = []
        run: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, nodes.For | nodes.While | nodes.If):
                result += [*self.run(run, known), self.inner(stmt, known)]
                run = []
            else:
                run.append(stmt)
        return (*result, *self.run(run, known))

    def inner(self, stmt: Stmt, known: Known) -> Stmt:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                first, second = self.block(then, dict(known)), self.block(orelse, dict(known))
                stmt = replace(stmt, then=first, orelse=second)
                self.forget(stmt, known)
            case nodes.For(body=body) | nodes.While(body=body):
                self.forget(stmt, known)
                self.depth += 1
                stmt = replace(stmt, body=self.block(body, dict(known)))
                self.depth -= 1
        return stmt

    def run(self, run: list[Stmt], known: Known) -> list[Stmt]:
        """Statements without loops or branches between them."""
        self.runs += 1
        new, result = self.again(run, known)
        for stmt in run:
            made = self.rewritten(stmt, known, new)
            self.forget(made, known)
            self.learn(made, known)
            for target in nodes.targets_of(made):
                new.pop(target, None)
            result.append(made)
        return result

    # --- what is known -----------------------------------------------------------------------
    def learn(self, stmt: Stmt, known: Known) -> None:
        """Note an array that is large, computed from small ones."""
        match stmt:
            case nodes.Assign(targets=(name,), values=(value,)) if self.bound[name] == 1:
                rank = _rank(value)
                if name in nodes.names_in(value):
                    return  # an argument, which is another array by now
                if rank < 2 or not is_elementwise(value) or self.groups.of(name) in self.written:
                    return
                if isinstance(value, Call) and value.text == "copy":
                    return  # made since what it is a copy of changes: it stays in any case
                leaves: set[str] = set()
                parts: set[str] = set()
                price = _price(value)
                for read in nodes.names_in(value):
                    held = known.get(read)
                    if held is not None and held.run == self.runs:
                        price += held.price
                        leaves |= held.leaves
                        parts |= {read, *held.parts}
                    else:
                        leaves |= {read, f"[{self.groups.of(read)}]"}
                if all(_is_small(n, rank) for n in _leaves(value, parts)) and price <= AGAIN:
                    sets = frozenset(leaves), frozenset(parts)
                    known[name] = Made(stmt, *sets, price, self.runs, self.depth)

    def forget(self, stmt: Stmt, known: Known) -> None:
        """What is computed from things that a statement changes can't be had again behind it."""
        changed: set[str] = set()
        for inner in nodes.walk_block((stmt,)):
            changed |= set(nodes.targets_of(inner))
            changed |= {f"[{self.groups.of(n)}]" for n in _filled(inner)}
            if isinstance(inner, nodes.Store | nodes.Mutate):
                changed |= nodes.names_in(inner.base)
        if changed:
            for name in [n for n, m in known.items() if m.leaves & changed or n in changed]:
                del known[name]

    # --- rewriting ---------------------------------------------------------------------------
    def again(self, run: list[Stmt], known: Known) -> tuple[dict[str, str], list[Stmt]]:
        """New names for what was computed in an earlier run and is read in this one, and the
        statements that compute it."""
        read: set[str] = set()
        for stmt in run:
            for expr in nodes.expressions(stmt):
                read |= _entries_read(expr)
        wanted: set[str] = set()
        for name in read & set(known):
            made = known[name]
            behind = made.run != self.runs and made.depth == self.depth
            if behind and made.price > INLINE and made.parts <= set(known):
                wanted |= {name, *made.parts}
        new: dict[str, str] = {}
        result: list[Stmt] = []
        for name in [n for n in known if n in wanted and known[n].price > INLINE]:
            stmt = known[name].stmt
            value = _with_names(stmt.values[0], new)
            new[name] = self.names.fresh(name)
            self.types[new[name]] = value.type  # type: ignore[assignment]
            result.append(replace(stmt, targets=(new[name],), values=(value,)))
        return new, result

    def rewritten(self, stmt: Stmt, known: Known, new: dict[str, str]) -> Stmt:
        """The statement with values in place of names, and new names."""

        def top(expr: Expr) -> Expr:
            return self.entries(expr, known, new)

        match stmt:
            case nodes.Assign(values=values):
                return replace(stmt, values=tuple(map(top, values)))
            case nodes.Store(value=value):
                return replace(stmt, value=top(value))
            case nodes.Return(value=value):
                return replace(stmt, value=top(value))
        return stmt

    def entries(self, expr: Expr, known: Known, new: dict[str, str]) -> Expr:
        """The expression with its operands that are read entry by entry rewritten."""
        inside = is_elementwise(expr) or worth(expr)
        parts = []
        for child in nodes.children(expr):
            if inside and isinstance(child, Var):
                parts.append(self.operand(child, known, new))
            else:
                parts.append(self.entries(child, known, new))
        return with_children(expr, parts) if parts else expr

    def operand(self, var: Var, known: Known, new: dict[str, str]) -> Expr:
        if var.name in new:
            return replace(var, name=new[var.name])
        made = known.get(var.name)
        return made.value if made is not None and made.price <= INLINE else var


def _filled(stmt: Stmt) -> frozenset[str]:
    """The names of arrays whose entries a statement writes; a list only holds them."""
    if isinstance(stmt, nodes.Store) and not isinstance(stmt.base.type, List):
        return nodes.names_in(stmt.base)
    lists = isinstance(stmt, nodes.Mutate) and isinstance(stmt.base.type, List)
    return (
        nodes.names_in(stmt.base) if isinstance(stmt, nodes.Mutate) and not lists else frozenset()
    )


def _entries_read(expr: Expr) -> set[str]:
    """Variables whose entries an expression reads in loops."""
    found: set[str] = set()
    inside = is_elementwise(expr) or worth(expr)
    for child in nodes.children(expr):
        if inside and isinstance(child, Var):
            found.add(child.name)
        else:
            found |= _entries_read(child)
    return found


def _with_names(expr: Expr, new: dict[str, str]) -> Expr:
    if isinstance(expr, Var):
        return replace(expr, name=new.get(expr.name, expr.name))
    parts = [_with_names(c, new) for c in nodes.children(expr)]
    return with_children(expr, parts) if parts else expr


def _rank(expr: Expr) -> int:
    kind = expr.type
    return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else 0


def _leaves(expr: Expr, parts: set[str]) -> list[Expr]:
    """What a value is computed from, but for arrays of which as much is known."""
    if isinstance(expr, Call) and is_elementwise(expr):
        return [leaf for a in expr.args for leaf in _leaves(a, parts)]
    if isinstance(expr, Call) and expr.form == "attribute" and expr.text == "T":
        return _leaves(expr.args[0], parts)
    if isinstance(expr, Var) and expr.name in parts:
        return []
    return [expr]


def _is_small(expr: Expr, rank: int) -> bool:
    """Whether an operand is a number, or has fewer axes (longer than 1) than the whole."""
    if isinstance(expr, nodes.Const) or isinstance(expr.type, Scalar):
        return True
    kind = expr.type
    if not isinstance(expr, Var | Index) or not isinstance(kind, Array) or kind.shape is None:
        return False
    return _long_axes(expr) < rank


def _long_axes(expr: Expr) -> int:
    """How many axes of an array may be longer than 1."""
    shape = expr.type.shape if isinstance(expr.type, Array) else None
    return sum(s is None or s.constant != 1 for s in shape or ())


def _price(expr: Expr) -> int:
    """How many operations an entry takes."""
    if not isinstance(expr, Call) or not is_elementwise(expr):
        return 0
    own = 1
    if expr.form == "attribute":
        own = 0
    elif expr.text == "/":
        own = _DIVISION
    elif expr.function is np.sqrt:
        own = _ROOT
    elif expr.text == "**":
        value = number_of(expr.args[1])
        own = 1 if value in (2, 3) else _HALF if value is not None and value % 1 == 0.5 else _DEAR
    elif expr.form == "call" and _is_dear(expr.function):
        own = _DEAR
    return own + sum(map(_price, expr.args))


def _is_dear(function: Any) -> bool:
    return is_special(function) or (isinstance(function, np.ufunc) and function not in _CHEAP)


def is_computed_first(expr: Expr, whole: Expr) -> bool:
    """Whether an operand has fewer axes (longer than 1) than the expression that it stands in, and
    takes so many operations that each of its entries is computed once."""
    kind, rank = expr.type, _rank(whole)
    if not isinstance(kind, Array) or kind.shape is None or rank < 2 or _price(expr) < _DEAR:
        return False
    return _long_axes(expr) < _long_axes(whole)


def asks_before(expr: Expr) -> bool:
    """Whether `a and b` has operands that need an answer before them: whether there is a value at
    all (`m is None or np.sum(m) < c`), or how much of an array there is. They are not computed
    where they are not asked for."""
    if not (isinstance(expr, Call) and expr.text in ("and", "or")):
        return False
    first, *others = (list(nodes.walk(a)) for a in expr.args)
    asked = any(isinstance(n, Call) and n.text in ("is", "is not") for n in first)
    return asked or any(isinstance(n, nodes.Slice) for later in others for n in later)


def without_unread(body: Block) -> Block:
    """The body without arrays that are computed and not read."""
    while True:
        uses = Counter(
            n.name
            for s in nodes.walk_block(body)
            for e in nodes.expressions(s)
            for n in nodes.walk(e)
            if isinstance(n, Var)
        )
        new = _read_only(body, uses)
        if new == body:
            return body
        body = new


def _read_only(block: Block, uses: Counter[str]) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.Assign(targets=(name,), values=(value,)) if not uses[name]:
                if is_elementwise(value):
                    continue
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=_read_only(then, uses), orelse=_read_only(orelse, uses))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_read_only(body, uses))
        result.append(stmt)
    return tuple(result)


__all__ = ["asks_before", "computed_again", "is_computed_first"]

"""Floor 6: names that a run may leave without a value: compiled code would read zeros there.

    for v in x:                            v_bound = False
        ...                                for v in x:
    return v * 2                               v_bound = True
                                               ...
                                           if not v_bound: raise ValueError(...)
                                           return v * 2

Python runs the code again after the error, and says which name it is. Before a loop it is asked for
what every turn reads before it binds it. Before loops and within them arrays are asked for, which
compiled code would read where there is no memory, and numbers that the user's text itself leaves in
doubt: others are those that a reverse loop reads because the forward one has bound them.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.definite import bound_after, surely_bound, surely_read
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Stmt, Var
from s2sgrad.ir.types import BOOL, STR, Known, Scalar
from s2sgrad.transform.saving.needs import read_by
from s2sgrad.transform.writing.rewrite import map_block

WHY = "a name has no value yet"


def noticed_unbound(function: Function, names: Names) -> Function:
    """The function, with an error where it would read a name that has no value."""
    questions = _Questions(function, names)
    body = questions.block(function.body, frozenset(), inside=False)
    flags = questions.flags
    if not flags:
        return function

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        marks = [_mark(flags[t], True) for t in nodes.targets_of(stmt) if t in flags]
        if _stands_for_none(stmt):
            return [stmt]
        if isinstance(stmt, nodes.For):
            return [replace(stmt, body=(*marks, *stmt.body))]
        return [stmt, *marks]

    body = map_block(body, lambda e: e, on_stmt)
    first = tuple(_mark(flag, False) for flag in sorted(set(flags.values())))
    types = function.types | dict.fromkeys(flags.values(), BOOL)
    return replace(function, body=(*first, *body), types=types)


class _Questions:
    """Asks whether names have a value, before what would read them. flags: name -> what tells."""

    def __init__(self, function: Function, names: Names) -> None:
        body = tuple(s for s in function.body if not _stands_for_none(s))
        self.bound = surely_bound(body, frozenset(function.parameters))
        self.own = nodes.bound_in(function.body)
        self.arrays = {n for n in self.own if not isinstance(function.types.get(n), Scalar)}
        self.names, self.flags = names, dict[str, str]()
        self.doubted = {n for n in self.own if _begun(n, function.doubted)}

    def block(self, block: Block, asked: frozenset[str], inside: bool) -> Block:
        """The block with its questions. asked: what has been asked for on the way to it."""
        result: list[Stmt] = []
        under: dict[Expr, frozenset[str]] = {}  # a test -> what has a value where it is true
        for stmt in block:
            found = sorted(self._doubtful(stmt) - asked)
            if inside:
                asks = self.doubted & _read_by_the_user(stmt)
                found = [n for n in found if n in self.arrays or n in asks]
            asked |= set(found)
            result += [_question(self._flag(n)) for n in found]
            if isinstance(stmt, nodes.If):
                lasting = _is_lasting(stmt.test)
                known = under.get(stmt.test, frozenset()) if lasting else frozenset()
                then = self.block(stmt.then, asked | known, inside)
                orelse = self.block(stmt.orelse, asked, inside)
                stmt = replace(stmt, then=then, orelse=orelse)
            elif isinstance(stmt, nodes.For | nodes.While):
                stmt = replace(stmt, body=self.block(stmt.body, asked, inside=True))
            result.append(stmt)
            _forget(under, nodes.bound_in((stmt,)))
            if isinstance(stmt, nodes.If) and _is_lasting(stmt.test):
                asked_there = under.get(stmt.test, frozenset())
                under[stmt.test] = asked_there | bound_after(stmt.then)
                _forget(under, nodes.bound_in((stmt,)))
        return tuple(result)

    def _doubtful(self, stmt: Stmt) -> frozenset[str]:
        """What a statement reads that may have no value then."""
        read = read_by(stmt)
        if isinstance(stmt, nodes.For | nodes.While):
            first = _read_first(stmt.body) - frozenset(nodes.targets_of(stmt))
            read |= first & (self.arrays | self.doubted)
        return (read & self.own) - self.bound.get(id(stmt), frozenset(self.own))

    def _flag(self, name: str) -> str:
        if name not in self.flags:
            self.flags[name] = self.names.fresh(f"{name}_bound")
        return self.flags[name]


def _is_lasting(test: Expr) -> bool:
    """Whether a test gives the same until one of its variables is bound again."""
    return all(
        isinstance(e, Const)
        or (isinstance(e, Var) and isinstance(e.type, Scalar))
        or (isinstance(e, Call) and e.form == "operator")
        for e in nodes.walk(test)
    )


def _forget(under: dict[Expr, frozenset[str]], bound: set[str]) -> None:
    """Forget the tests that read what was bound."""
    for test in [t for t in under if nodes.names_in(t) & bound]:
        del under[test]


def _read_first(block: Block) -> frozenset[str]:
    """What a block reads before it binds it, whichever way it takes."""
    found, bound = frozenset[str](), frozenset[str]()
    for stmt in block:
        for expr in nodes.expressions(stmt):
            found |= surely_read(expr) - bound
        if isinstance(stmt, nodes.For):
            found |= _read_first(stmt.body) - bound - frozenset(stmt.targets)
        bound |= frozenset(nodes.bound_in((stmt,)))
        if isinstance(stmt, nodes.Exit) or nodes.blocks(stmt):
            exits = (s for s in nodes.walk_block((stmt,)) if isinstance(s, nodes.Exit))
            if any(exits):
                break  # what follows may not be reached
    return found


def _stands_for_none(stmt: Stmt) -> bool:
    """Whether a statement binds a name that has no value to something of its type."""
    return isinstance(stmt, nodes.Assign) and bool(stmt.nothing)


def _begun(name: str, doubted: frozenset[str]) -> bool:
    """Whether a variable may stand for one of some names of the user's."""
    return name in doubted or name.rstrip("0123456789").removesuffix("_") in doubted


def _read_by_the_user(stmt: Stmt) -> frozenset[str]:
    """What a statement of the user's reads in any case: what is kept may have no value."""
    if stmt.span is None or (isinstance(stmt, nodes.Assign) and stmt.move):
        return frozenset()
    return frozenset[str]().union(*map(surely_read, nodes.expressions(stmt)))


def _mark(flag: str, value: bool) -> Stmt:
    return nodes.Assign((flag,), (Const(value, type=Scalar("bool", None, value)),))


def _question(flag: str) -> Stmt:
    test = Call("not", "not", (Var(flag, type=BOOL),), form="operator", type=BOOL)
    error = Call(ValueError, "ValueError", (Const(WHY, type=STR),), type=Known(None))
    return nodes.If(test, (nodes.Do(error, "raise"),), ())


__all__ = ["noticed_unbound"]

"""Floor 4: how statements end: does a block leave its loop or function, and how is that noted?"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.state import Fails, Unbound

NEVER, MAYBE, ALWAYS = "never", "maybe", "always"

# How a run of statements ended: it falls through; it left through a jump; it set a flag that
# says so, and joins the others; it returned at the end of the function.
FALL, JUMP, FLAG, DONE = "fall", "jump", "flag", "done"
SKIP, STOP, RETURNED = "skip", "stop", "<returned>"
RETURN = "<return>"
HINTS = {RETURN: "result", "<choice>": "choice", "<and>": "test", RETURNED: "returned"}
Run = Callable[[], str]


class Unreachable(Exception):
    """What a statement of the user's calls always raises: the rest of it is never come to."""


class Unroll(Exception):
    """Start again: a loop makes functions or sets of objects, so it is written out."""

    def __init__(self, node: ast.AST) -> None:
        super().__init__(node)
        self.node = node


class Absent(Unbound):
    """An attribute that no path to here sets: Python fails as well, where a run comes there."""

    raises: type[Exception] = AttributeError


class NoKey(Absent):
    """A key that no path to here sets."""

    raises = KeyError


def fails(error: UnsupportedError, again: bool) -> bool:
    """Whether an error is one of Python's too; again: a later attempt at a loop may know more."""
    return isinstance(error, Fails) or (isinstance(error, Absent) and not again)


NOT_REACHED = Unbound, Fails, Unreachable  # what is left out where a run may go elsewhere


def hint(name: str) -> str:
    """The base of a variable's name for a name of the state."""
    name = HINTS.get(name, name.strip("<>0123456789") if name.startswith("<") else name)
    return name if name.isidentifier() else "item"


def exit_kind(stmts: list[ast.stmt]) -> str:
    """Whether running `stmts` never, maybe or always jumps out of the block they stand in."""
    found = NEVER
    for stmt in stmts:
        kind = _one(stmt)
        if kind == ALWAYS:
            return ALWAYS
        if kind == MAYBE:
            found = MAYBE
    return found


def _one(stmt: ast.stmt) -> str:
    match stmt:
        case ast.Return() | ast.Break() | ast.Continue() | ast.Raise():
            return ALWAYS
        case ast.If(body=body, orelse=orelse):
            kinds = {exit_kind(body), exit_kind(orelse)}
            return kinds.pop() if len(kinds) == 1 else MAYBE
        case ast.Match(cases=cases):
            kinds = {exit_kind(case.body) for case in cases}
            return NEVER if kinds == {NEVER} else MAYBE
        case ast.With(body=body):
            return exit_kind(body)
        case ast.Try(handlers=[], body=body, finalbody=final):
            return exit_kind([*body, *final])
        case ast.For(orelse=orelse) | ast.While(orelse=orelse):
            return MAYBE if returns(stmt) or exit_kind(orelse) != NEVER else NEVER
    return NEVER


def only_raises(stmt: ast.If) -> bool:
    """Whether a branch is left by `raise` alone: what follows need not stand in the other one."""
    leaves = ast.Return | ast.Break | ast.Continue
    return not any(isinstance(node, leaves) for node in ast.walk(stmt))


def may_fall_off(stmts: list[ast.stmt]) -> bool:
    """Whether a function that returns a value somewhere can also come to the end of its body."""
    return any(map(_gives, stmts)) and _passes(stmts)


def _passes(stmts: list[ast.stmt]) -> bool:
    """Whether a run can come to the end of `stmts`."""
    return all(map(_passed, stmts))


def _passed(stmt: ast.stmt) -> bool:
    match stmt:
        case ast.Return() | ast.Break() | ast.Continue() | ast.Raise():
            return False
        case ast.If(body=body, orelse=orelse):
            return _passes(body) or _passes(orelse)
        case ast.With(body=body):
            return _passes(body)
        case ast.Try(handlers=[], body=body, finalbody=final):
            return _passes([*body, *final])
        case ast.While(test=ast.Constant(value=test), body=body) if test:
            return breaks(body)
        case ast.For(orelse=orelse, body=body) | ast.While(orelse=orelse, body=body):
            return breaks(body) or _passes(orelse)
        case ast.Match(cases=cases):
            last = cases[-1]
            every = last.guard is None and isinstance(last.pattern, ast.MatchAs)
            return not every or any(_passes(c.body) for c in cases)
    return True


def _gives(node: ast.AST) -> bool:
    """Whether a `return` with a value stands inside, outside of nested functions."""
    return any(isinstance(r, ast.Return) and r.value is not None for r in _own_returns(node))


def returns(node: ast.AST) -> bool:
    """Whether a return stands inside, outside of nested functions."""
    return any(True for _ in _own_returns(node))


def _own_returns(node: ast.AST) -> Iterator[ast.Return]:
    """The returns in a statement, outside of nested functions."""
    if isinstance(node, ast.Return):
        yield node
    if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.AsyncFunctionDef):
        return
    for child in ast.iter_child_nodes(node):
        yield from _own_returns(child)


def breaks(stmts: list[ast.stmt]) -> bool:
    """Whether a break of the loop with this body stands inside."""
    for stmt in stmts:
        if isinstance(stmt, ast.Break):
            return True
        if isinstance(stmt, ast.For | ast.While):
            if breaks(stmt.orelse):
                return True
            continue
        if isinstance(stmt, ast.If) and (breaks(stmt.body) or breaks(stmt.orelse)):
            return True
        if isinstance(stmt, ast.With) and breaks(stmt.body):
            return True
        if isinstance(stmt, ast.Try) and breaks([*stmt.body, *stmt.finalbody]):
            return True
        if isinstance(stmt, ast.Match) and any(breaks(c.body) for c in stmt.cases):
            return True
    return False

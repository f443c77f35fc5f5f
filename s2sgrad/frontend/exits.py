"""Floor 4: how statements end: does a block leave its loop or function, and how is that noted?"""

from __future__ import annotations

import ast
from collections.abc import Callable

NEVER, MAYBE, ALWAYS = "never", "maybe", "always"

# How a run of statements ended: it falls through; it left through a jump; it set a flag that
# says so, and joins the others; it returned at the end of the function.
FALL, JUMP, FLAG, DONE = "fall", "jump", "flag", "done"
SKIP, STOP, RETURNED = "skip", "stop", "<returned>"
RETURN = "<return>"
HINTS = {RETURN: "result", "<choice>": "choice", "<and>": "test", RETURNED: "returned"}
Run = Callable[[], str]


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
        case ast.For(orelse=orelse) | ast.While(orelse=orelse):
            return MAYBE if _returns(stmt) or exit_kind(orelse) != NEVER else NEVER
    return NEVER


def _returns(node: ast.AST) -> bool:
    """Whether a return stands inside, outside of nested functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Return):
            return True
        if isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.AsyncFunctionDef):
            continue
        if _returns(child):
            return True
    return False


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
        if isinstance(stmt, ast.Match) and any(breaks(c.body) for c in stmt.cases):
            return True
    return False

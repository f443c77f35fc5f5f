"""Floor 4: does a block of statements leave its loop or function?"""

from __future__ import annotations

import ast

NEVER, MAYBE, ALWAYS = "never", "maybe", "always"


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

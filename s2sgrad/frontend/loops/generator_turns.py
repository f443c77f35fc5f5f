"""Floor 4: endless generators of which items are taken one by one, as functions of one turn.

def newton(a, y):           y = ...                  what stands before the loop, once
    while True:
        y = (y + a / y) / 2     def turn():
        yield y                     nonlocal y
                                    y = (y + a / y) / 2
                                    return y

What follows the `yield` runs at the beginning of the next turn, so a flag says which is the first.
"""

from __future__ import annotations

import ast
import copy
import functools
from dataclasses import dataclass

from s2sgrad.frontend.exits import breaks, returns
from s2sgrad.frontend.loops.generator_texts import own_parts
from s2sgrad.frontend.scopes import local_names


@dataclass(frozen=True)
class Turns:
    """before: what runs once, as a function of the same arguments. turn: the function that gives
    the next item. begun: the name of what says whether one was taken."""

    before: ast.FunctionDef
    turn: ast.FunctionDef
    begun: str


@functools.lru_cache(maxsize=1024)
def turns(node: ast.FunctionDef) -> Turns | None:
    """A generator function in these parts; None where its text is of another make."""
    *before, loop = node.body
    if not isinstance(loop, ast.While) or loop.orelse or not _is_true(loop.test):
        return None
    given = [n for n in own_parts(node) if isinstance(n, ast.Yield | ast.YieldFrom)]
    places = [
        k
        for k, stmt in enumerate(loop.body)
        if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Yield)
    ]
    if len(given) != 1 or len(places) != 1 or breaks(loop.body) or returns(node):
        return None
    if any(isinstance(n, ast.Continue | ast.Nonlocal | ast.Global) for n in own_parts(node)):
        return None
    begun = f"{node.name}_begun"
    while begun in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
        begun += "_"
    opening = ast.FunctionDef(node.name, node.args, before, [], None)
    return Turns(opening, _turn(node, loop.body, places[0], begun), begun)


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _turn(node: ast.FunctionDef, body: list[ast.stmt], place: int, begun: str) -> ast.FunctionDef:
    """The function of one turn."""
    item = body[place].value.value  # type: ignore[attr-defined]
    after = copy.deepcopy(body[place + 1 :])
    first: list[ast.stmt] = []
    if after:
        noted = ast.Assign([ast.Name(begun, ast.Store())], ast.Constant(True))
        first = [ast.If(ast.Name(begun, ast.Load()), after, [noted])]
    names = sorted(local_names(node) | ({begun} if after else set()))
    made = ast.FunctionDef(
        f"{node.name}_turn",
        ast.arguments([], [], None, [], [], None, []),
        [ast.Nonlocal(names), *first, *copy.deepcopy(body[:place]), ast.Return(item)],
        [],
        None,
    )
    for part in ast.walk(made):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, body[place])
    return made


__all__ = ["Turns", "turns"]

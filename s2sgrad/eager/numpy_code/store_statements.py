"""Statements that store through local names, with the question of `stores.followed` before them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

FOLLOWED = "_s2sgrad_followed"  # the global that stands for `followed` in changed code
_STORED = "_s2sgrad_stored"  # the local that holds what a statement stores
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_OWN_NAMES = (*_NAMED, ast.Lambda, *_COMPREHENSIONS)


class Follower(ast.NodeTransformer):
    """Puts the question before each statement that stores through a local name."""

    def __init__(self, outer: bool) -> None:
        self.outer = outer
        self.local: set[str] = set()  # the function's names
        self.around: set[str] = set()  # those of functions around it, where they may be set
        self.used: set[str] = set()  # which of them are

    def visit_FunctionDef(self, node: Any) -> Any:
        before = self.local, self.around, self.used
        own, declared = names_of(node)
        if self.outer:
            self.around = (self.around | self.local) - own - declared
        self.local, self.used = own, set()
        node.body = [s for statement in node.body for s in self.statements(statement)]
        if self.used:
            node.body.insert(has_docstring(node), ast.Nonlocal(sorted(self.used)))
        self.local, self.around, self.used = before
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        before = self.local, self.around
        self.local, self.around = set(), self.around | (self.local if self.outer else set())
        self.generic_visit(node)
        self.local, self.around = before
        return node

    def statements(self, node: ast.stmt) -> list[ast.stmt]:
        """What a statement becomes."""
        found = self.visit(node)
        return found if isinstance(found, list) else [found]

    def known(self, names: Iterable[str]) -> list[str]:
        """Those of the names that the function may set."""
        found = {n for n in names if n in self.local or n in self.around}
        self.used |= found - self.local
        return sorted(found)

    def visit_Assign(self, node: ast.Assign) -> Any:
        first = [asked(n) for n in self.known(outs(node.value))]
        names = self.known(n for target in node.targets for n in roots(target))
        if not names:
            return placed(node, [*first, node])
        held = ast.Name(_STORED, ast.Load())
        keep = ast.Assign([ast.Name(_STORED, ast.Store())], node.value)
        node.value = ast.Name(_STORED, ast.Load())
        drop = ast.Delete([ast.Name(_STORED, ast.Del())])
        return placed(node, [*first, keep, *(asked(n, held) for n in names), node, drop])

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        target = node.target
        names = {target.id} if isinstance(target, ast.Name) else set(roots(target))
        return placed(node, [*map(asked, self.known({*names, *outs(node.value)})), node])

    def visit_Return(self, node: ast.Return) -> Any:
        return placed(node, [*map(asked, self.known(outs(node.value))), node])

    def visit_Expr(self, node: ast.Expr) -> Any:
        first = [asked(n) for n in self.known(outs(node.value))]
        call = node.value
        if isinstance(call, ast.Call):
            if getattr(call.func, "attr", "") in _WRITING:
                names = [n for e in (call.func, *call.args[:1]) for n in parts(e)]
                first += map(asked, self.known(names))
            elif is_plain_name(call.func):
                names = [a.id for a in call.args if isinstance(a, ast.Name)]
                none = ast.Constant(None)
                first += [asked(n, none, call.func) for n in self.known(names)]
        return placed(node, [*first, node])


# Functions and methods that write into their first argument or owner.
_WRITING = {
    "copyto", "put", "place", "putmask", "put_along_axis", "fill_diagonal", "at", "fill",
    "__setitem__",
}  # fmt: skip


def asked(name: str, *further: ast.expr) -> ast.stmt:
    """`name = followed(name, ...)`."""
    call = ast.Call(ast.Name(FOLLOWED, ast.Load()), [ast.Name(name, ast.Load()), *further], [])
    return ast.Assign([ast.Name(name, ast.Store())], call)


def is_plain_name(node: ast.expr) -> bool:
    """Whether an expression is a name, or attributes of one: reading it twice does no harm."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def has_docstring(function: Any) -> bool:
    """Whether a function begins with a text."""
    first = function.body[0]
    value = first.value if isinstance(first, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def outs(value: ast.expr | None) -> Iterator[str]:
    """The names that calls in an expression are given as `out=`."""
    for node in ast.walk(value) if value is not None else ():
        if isinstance(node, ast.keyword) and node.arg == "out":
            yield from parts(node.value)


def placed(node: ast.stmt, made: list[ast.stmt]) -> list[ast.stmt]:
    """Statements that stand where `node` does."""
    for statement in made:
        if statement is not node:
            for inner in ast.walk(statement):
                if not hasattr(inner, "lineno"):
                    ast.copy_location(inner, node)
    return made


def roots(target: ast.expr) -> Iterator[str]:
    """The names through which a target stores: `a` in `a[i]`, `a.T[0]` and `(a[0], b)`."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from roots(part)
    elif isinstance(target, ast.Starred):
        yield from roots(target.value)
    elif isinstance(target, (ast.Subscript, ast.Attribute)):
        yield from parts(target)


def parts(value: ast.expr) -> Iterator[str]:
    """The name of which an expression is a part, or which it is."""
    while isinstance(value, (ast.Subscript, ast.Attribute)):
        value = value.value
    if isinstance(value, ast.Name):
        yield value.id


def names_of(function: Any) -> tuple[set[str], set[str]]:
    """The names that a function assigns to or takes, and those it declares to be of others."""
    a = function.args
    found = {p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg) if p}
    declared: set[str] = set()
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            declared.update(node.names)
        elif isinstance(node, _NAMED):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        if not isinstance(node, _OWN_NAMES):
            waiting.extend(ast.iter_child_nodes(node))
    return found - declared, declared

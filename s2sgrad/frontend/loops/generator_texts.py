"""Floor 4: the texts of generator functions, as their consumers run them."""

from __future__ import annotations

import ast
import copy
import functools
from typing import Any

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.exits import breaks, returns
from s2sgrad.frontend.scopes import local_names

SOURCE = "<source>"  # what a generator expression goes through


class Handed(ast.Yield):
    """A `yield` that is a statement: its value is whether the consumer has left its loop."""


@functools.lru_cache(maxsize=1024)
def yields(node: ast.AST) -> bool:
    """Whether a function is a generator function."""
    if not isinstance(node, ast.FunctionDef):
        return False
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in own_parts(node))


def own_parts(node: Any) -> list[ast.AST]:
    """Everything in a function but not in functions nested in it."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(node.body)
    while stack:
        found.append(stack.pop())
        if not isinstance(found[-1], ast.FunctionDef | ast.Lambda | ast.ClassDef):
            stack += ast.iter_child_nodes(found[-1])
    return found


def endless(node: ast.AST) -> bool:
    """Whether a generator function has a loop that nothing in its own text ends."""
    loops = [n for n in ast.walk(node) if isinstance(n, ast.While)]
    true = [n for n in loops if isinstance(n.test, ast.Constant) and n.test.value]
    return any(not breaks(n.body) and not returns(n) for n in true)


def from_outside(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    """Names that a function has not made itself: its parameters, and those of functions around."""
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    spec = node.args
    given = {a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    return (names - local_names(node)) | given


@functools.lru_cache(maxsize=1024)
def items_of_call(node: ast.AST) -> ast.GeneratorExp:
    """`item for item in <source>`, standing where a call does: the same at each lowering."""
    item, stored = ast.Name("item", ast.Load()), ast.Name("item", ast.Store())
    first = ast.comprehension(stored, ast.Name(SOURCE, ast.Load()), [], 0)
    made = ast.GeneratorExp(item, [first])
    for part in (item, stored, first.iter, made):
        ast.copy_location(part, node)
    return made


@functools.lru_cache(maxsize=1024)
def as_function(made: ast.GeneratorExp) -> ast.FunctionDef:
    """A generator expression as a function of what its first `for` goes through."""
    body: ast.stmt = ast.Expr(ast.Yield(made.elt))
    for generator in reversed(made.generators):
        for condition in reversed(generator.ifs):
            body = ast.If(condition, [body], [])
        first = generator is made.generators[0]
        source = ast.Name(SOURCE, ast.Load()) if first else generator.iter
        body = ast.For(generator.target, source, [body], [])
    spec = ast.arguments([], [ast.arg(SOURCE)], None, [], [], None, [])
    function = ast.FunctionDef("<generator>", spec, [body], [], None)
    for part in ast.walk(function):
        if "lineno" in part._attributes and not hasattr(part, "lineno"):
            ast.copy_location(part, made)
    return function


@functools.lru_cache(maxsize=1024)
def rewritten(node: ast.FunctionDef, left: bool) -> ast.FunctionDef:
    """A generator function with `yield from` as a loop; left: its consumer may leave its loop."""
    made = copy.deepcopy(node)
    return _Rewriting(made, left=left).visit(made)


@functools.lru_cache(maxsize=1024)
def in_context(node: ast.FunctionDef) -> ast.FunctionDef:
    """A generator function under contextlib.contextmanager."""
    made = copy.deepcopy(node)
    return _Rewriting(made, context=True).visit(made)


@functools.lru_cache(maxsize=1024)
def as_steps(node: ast.FunctionDef) -> ast.FunctionDef:
    """A `__next__` as a generator function: `while True:` its body, `yield` for `return`."""
    made = copy.deepcopy(node)
    _Stepping(made).visit(made)
    forever = ast.While(ast.Constant(True), made.body, [])
    for part in (forever, forever.test):
        ast.copy_location(part, made.body[0])
    made.body = [forever]
    return made


class _Stepping(ast.NodeTransformer):
    """The exits of a `__next__`; from inside a loop there is no way to say 'the next turn'."""

    def __init__(self, whole: ast.AST) -> None:
        self.whole = whole

    def visit_Return(self, node: ast.Return) -> Any:
        """An item, and the next call begins."""
        given = ast.Expr(ast.Yield(node.value))
        made = [given, ast.Continue()]
        for part in (given, given.value, made[1]):
            ast.copy_location(part, node)
        return made

    def visit_Raise(self, node: ast.Raise) -> Any:
        """`raise StopIteration`: there are no more."""
        named = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        ends = isinstance(named, ast.Name) and named.id == "StopIteration"
        return ast.copy_location(ast.Return(None), node) if ends else node

    def visit_For(self, node: ast.For) -> Any:
        """Loops inside may not hold the `return`."""
        return self._loop(node)

    def visit_While(self, node: ast.While) -> Any:
        """As `for`."""
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> Any:
        if returns(node):
            raise UnsupportedError(
                "a __next__ that returns from inside a loop",
                None,
                "it is read as a generator, whose step is straight code with branches",
                "leave the loop with break, and return behind it",
            )
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Functions inside have exits of their own."""
        return self.generic_visit(node) if node is self.whole else node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """As functions inside."""
        return node


class _Rewriting(ast.NodeTransformer):
    """`yield v` as `if (yield v): return`, where `yield` gives whether the consumer is done."""

    def __init__(self, whole: ast.AST, left: bool = False, context: bool = False) -> None:
        self.whole, self.left, self.context = whole, left, context

    def visit_Expr(self, node: ast.Expr) -> Any:
        """A statement that may be a `yield`."""
        if isinstance(node.value, ast.YieldFrom):
            stored, item = ast.Name("<item>", ast.Store()), ast.Name("<item>", ast.Load())
            given = ast.Expr(ast.Yield(item))
            for part in (stored, item, given.value, given):
                ast.copy_location(part, node)
            body = self.visit_Expr(given)
            return ast.copy_location(ast.For(stored, node.value.value, [body], []), node)
        if isinstance(node.value, ast.Yield):
            handed = ast.copy_location(Handed(node.value.value), node.value)
            leave = ast.copy_location(ast.Return(None), node)
            made = ast.If(handed, [leave], []) if self.left else ast.Expr(handed)
            return ast.copy_location(made, node)
        return node

    def visit_Try(self, node: ast.Try) -> Any:
        """`try: yield` with `finally` in a context manager: what is inside goes well."""
        plain = self.context and not node.handlers and not any(map(returns, node.body))
        self.generic_visit(node)
        return [*node.body, *node.orelse, *node.finalbody] if plain else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Functions inside keep their own `yield`s."""
        return self.generic_visit(node) if node is self.whole else node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """As functions inside."""
        return node


__all__ = [
    "SOURCE", "Handed", "as_function", "as_steps", "endless", "from_outside", "in_context",
    "items_of_call", "own_parts", "rewritten", "yields",
]  # fmt: skip

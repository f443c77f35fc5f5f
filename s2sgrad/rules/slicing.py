"""Floor 2: cut a rule's one text into a partial for each argument.

The rule language is checked here: a few straight-line assignments and one `return` with one
entry per array argument.
"""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import s2sgrad_runtime
from s2sgrad.errors import RuleError, Span
from s2sgrad.rules.contributions import contributions

SHAPE_ATTRIBUTES = frozenset({"shape", "ndim", "size", "dtype"})


@dataclass(frozen=True)
class Partial:
    """One argument's slice of a rule.

    `setup` are the assignments its expression needs, `reads` the rule parameters read by
    value, `shapes` those of which only shape or dtype is looked at.
    """

    argument: str
    parameters: tuple[str, ...]
    setup: tuple[ast.Assign, ...]
    expression: ast.expr
    reads: frozenset[str]
    shapes: frozenset[str]
    scope: dict[str, Any] = field(repr=False, compare=False, default_factory=dict)

    @property
    def flat(self) -> bool:
        """Whether the result does not depend on the argument: the formula is `zeros_like`."""
        return ast.unparse(self.expression).startswith("np.zeros_like(")

    @cached_property
    def fn(self) -> Callable[..., Any]:
        """The slice as a function of all the rule's parameters, in order."""
        arguments = ast.arguments([], [ast.arg(p) for p in self.parameters], None, [], [], None, [])
        body: list[ast.stmt] = [*self.setup, ast.Return(self.expression)]
        name = f"{self.argument}_bar"
        definition = ast.FunctionDef(name, arguments, body, [], None, None)
        module = ast.fix_missing_locations(ast.Module([definition], []))
        made: dict[str, Any] = {}
        exec(compile(module, f"<partial {name}>", "exec"), self.scope, made)
        return made[name]


def parse_rule(declaration: Callable[..., Any]) -> tuple[ast.FunctionDef, Span]:
    """The syntax tree of a rule function and where it stands."""
    filename = inspect.getsourcefile(declaration) or "<unknown>"
    lines, first = inspect.getsourcelines(declaration)
    tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    span = Span(filename, first)
    if not isinstance(tree, ast.FunctionDef) or declaration.__name__ == "<lambda>":
        raise RuleError("a rule must be written with def", span)
    return tree, span


def with_names(tree: ast.FunctionDef, names: dict[str, str]) -> ast.FunctionDef:
    """The rule with other names for its parameters."""
    for node in ast.walk(tree) if names else ():
        if isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
        elif isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
    return tree


def returned(
    tree: ast.FunctionDef, span: Span, count: int
) -> tuple[list[ast.Assign], list[ast.expr]]:
    """The assignments and the `count` returned expressions of a rule; refuses anything else.

    A rule with one array argument may return a tuple: it is that argument's one entry.
    """
    body = tree.body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    *setup, last = [s for stmt in body or [ast.Pass()] for s in _unpacked(stmt)]
    plain = (s for s in setup if isinstance(s, ast.Assign) and len(s.targets) == 1)
    assigns = [s for s in plain if isinstance(s.targets[0], ast.Name)]
    if len(assigns) != len(setup) or not isinstance(last, ast.Return) or last.value is None:
        raise RuleError(
            f"rule '{tree.name}' is not straight-line code",
            span,
            "a rule is a few assignments to names and one return",
            "move the body to a function of its own and call that",
        )
    assigns, value = _bound_once(tree, assigns, last.value)
    several = isinstance(value, ast.Tuple) and count != 1
    return assigns, list(value.elts) if several else [value]  # type: ignore[attr-defined]


def _bound_once(
    tree: ast.FunctionDef, assigns: list[ast.Assign], value: ast.expr
) -> tuple[list[ast.Assign], ast.expr]:
    """The assignments and what is returned, with a name of its own for each assignment: in
    `y_bar = y_bar * mask`, what is read is not what is bound."""
    taken = {n.arg for n in ast.walk(tree.args) if isinstance(n, ast.arg)}
    named = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | taken
    now: dict[str, str] = {}
    result: list[ast.Assign] = []
    for stmt in assigns:
        (target,) = stmt.targets
        assert isinstance(target, ast.Name)
        own = target.id
        while own in taken or (own != target.id and own in named):
            own += "_"
        taken.add(own)
        name = ast.copy_location(ast.Name(own, ast.Store()), target)
        made = ast.Assign([name], _with_names(stmt.value, now))
        result.append(ast.copy_location(made, stmt))
        now = now | {target.id: own}
    return result, _with_names(value, now)


def _with_names(expr: ast.expr, names: dict[str, str]) -> ast.expr:
    if all(new == old for old, new in names.items()):
        return expr
    copied = copy.deepcopy(expr)
    for node in ast.walk(copied):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
    return copied


def _unpacked(stmt: ast.stmt) -> list[ast.stmt]:
    """`a, b = y_bar` as an assignment to each name."""
    match stmt:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Name() as value):
            parts = [
                ast.Assign([target], ast.Subscript(value, ast.Constant(k), ast.Load()))
                for k, target in enumerate(targets)
            ]
            return [ast.fix_missing_locations(ast.copy_location(p, stmt)) for p in parts]
    return [stmt]


def names_read(node: ast.AST) -> tuple[set[str], set[str]]:
    """Names read by value and names of which only shape or dtype is read."""
    by_value: set[str] = set()
    by_shape: set[str] = set()

    def visit(item: ast.AST) -> None:
        if is_shape_of_name(item):
            by_shape.add(item.value.id)  # type: ignore[attr-defined]
            return
        if isinstance(item, ast.Call):
            visit(item.func)
            only = shape_only_positions(item.func)
            for position, argument in enumerate(item.args):
                if position in only and isinstance(argument, ast.Name):
                    by_shape.add(argument.id)
                else:
                    visit(argument)
            for keyword in item.keywords:
                visit(keyword.value)
            return
        if isinstance(item, ast.Name):
            by_value.add(item.id)
        for child in ast.iter_child_nodes(item):
            visit(child)

    visit(node)
    return by_value, by_shape - by_value


_BOUNDED = frozenset({"cos", "sin", "tanh", "sign", "where", "zeros_like", "conj", "abs", "clip"})


def may_overflow(partial: Partial) -> bool:
    """Whether a formula divides, takes a power, or calls a function that may be unbounded."""
    nodes = [n for part in (*partial.setup, partial.expression) for n in ast.walk(part)]
    divides = any(
        isinstance(n, ast.BinOp)
        and isinstance(n.op, ast.Div | ast.Pow)
        and not isinstance(n.right, ast.Constant)
        for n in nodes
    )
    called = {getattr(n.func, "attr", "") for n in nodes if isinstance(n, ast.Call)}
    return divides or bool(called - _BOUNDED)


@cache
def has_imaginary(declaration: Callable[..., Any]) -> bool:
    """Whether an imaginary number is in a rule: real values then have complex cotangents."""
    numbers = (n.value for n in ast.walk(parse_rule(declaration)[0]) if isinstance(n, ast.Constant))
    return any(isinstance(number, complex) for number in numbers)


def is_shape_of_name(item: ast.AST) -> bool:
    """Whether a node is `name.shape`, `name.dtype` and so on."""
    return (
        isinstance(item, ast.Attribute)
        and item.attr in SHAPE_ATTRIBUTES
        and isinstance(item.value, ast.Name)
    )


def shape_only_positions(function: ast.expr) -> tuple[int, ...]:
    """Argument positions of a called helper that are read for their shape only."""
    if isinstance(function, ast.Name):
        return getattr(getattr(s2sgrad_runtime, function.id, None), "shape_only", ())
    if isinstance(function, ast.Attribute) and function.attr in (
        "shape",
        "ndim",
        "size",
        "zeros_like",
        "ones_like",
    ):
        return (0,)
    return ()


def cut(
    tree: ast.FunctionDef,
    span: Span,
    arguments: tuple[str, ...],
    scope: dict[str, Any],
    tangent: bool = False,
) -> dict[str, Partial]:
    """One partial for each argument that has a derivative (a `None` entry has none).

    tangent: what the arguments contribute to the tangent of the result; one sum of them is cut.
    """
    setup, entries = returned(tree, span, len(arguments))
    if tangent and len(entries) == 1 < len(arguments):
        entries = contributions(entries[0], setup, arguments, span)
    if len(entries) != len(arguments):
        raise RuleError(
            f"rule '{tree.name}' returns {len(entries)} cotangents for {len(arguments)} arguments",
            span,
        )
    spec = tree.args
    variadic = [spec.vararg] if spec.vararg else []
    declared = (*spec.posonlyargs, *spec.args, *variadic, *spec.kwonlyargs)
    parameters = tuple(a.arg for a in declared)
    partials = {}
    for argument, entry in zip(arguments, entries, strict=True):
        if isinstance(entry, ast.Constant) and entry.value is None:
            continue
        needed = slice_setup(setup, entry)
        by_value: set[str] = set()
        by_shape: set[str] = set()
        for node in (*(s.value for s in needed), entry):
            value_names, shape_names = names_read(node)
            by_value |= value_names
            by_shape |= shape_names
        reads = frozenset(by_value) & frozenset(parameters)
        shapes = (frozenset(by_shape) & frozenset(parameters)) - reads
        partials[argument] = Partial(
            argument, parameters, tuple(needed), entry, reads, shapes, scope
        )
    return partials


def slice_setup(setup: list[ast.Assign], entry: ast.expr) -> list[ast.Assign]:
    """The assignments that `entry` needs, in order."""
    wanted = {n.id for n in ast.walk(entry) if isinstance(n, ast.Name)}
    kept: list[ast.Assign] = []
    for statement in reversed(setup):
        target = statement.targets[0]
        if isinstance(target, ast.Name) and target.id in wanted:
            kept.insert(0, statement)
            wanted |= {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
    return kept

"""Floor 5: a rule's partial, written with the caller's expressions."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.errors import RuleError
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Const, Expr
from s2sgrad.ir.types import Opaque, Scalar, Tuple
from s2sgrad.rules.declare import qualified_name
from s2sgrad.rules.methods import OPERATORS
from s2sgrad.rules.slicing import Partial
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.edges import at_edges, goes_to_edges, written_at_edges
from s2sgrad.transform.writing.expand import EXPANDERS, Sizes
from s2sgrad.transform.writing.widening import widened_all, widened_one, widened_pair

_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.MatMult: "@",
    ast.FloorDiv: "//", ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_COMPARE = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
Bind = Callable[[str, Expr], Expr]


def shared_setup(partials: list[Partial]) -> frozenset[str]:
    """Names that the setups of several partials give the same value."""
    if len(partials) < 2 or not any(p.setup for p in partials):
        return frozenset()
    found: dict[str, list[str]] = {}
    for name, text in [pair for p in partials for pair in _setup_texts(p)]:
        found.setdefault(name, []).append(text)
    return frozenset(n for n, texts in found.items() if len(texts) > 1 and len(set(texts)) == 1)


@cache
def _setup_texts(partial: Partial) -> tuple[tuple[str, str], ...]:
    """(name, what it is set to) for each line of a setup."""
    return tuple((ast.unparse(s.targets[0]), ast.dump(s)) for s in partial.setup)


class Inliner:
    """Turns a partial's syntax into typed expressions.

    bind(name, expr): make a temporary and give back its variable. wide: the dtype of the result
    where entries are computed one by one: what is computed of narrower ones alone has it too.
    call: what the partial is of; it decides whether Python's numbers are divided as NumPy's are.
    """

    def __init__(
        self,
        env: dict[str, Expr],
        scope: dict[str, Any],
        bind: Bind,
        sizes: Sizes,
        wide: str | None = None,
        call: nodes.Call | None = None,
    ) -> None:
        self.env, self.scope, self.bind, self.sizes = dict(env), scope, bind, sizes
        self.wide, self.edges = wide, call is not None and goes_to_edges(call, wide)

    def partial(self, partial: Partial, shared: frozenset[str] = frozenset()) -> Expr:
        """The partial's value; each assignment of its setup becomes a temporary if used twice.

        shared: names that other partials use too; they may be in the environment already.
        """
        for statement in partial.setup:
            target = statement.targets[0]
            assert isinstance(target, ast.Name)
            if target.id in shared and target.id in self.env:
                continue
            value = self.expr(statement.value)
            uses = sum(
                isinstance(n, ast.Name) and n.id == target.id
                for part in (*partial.setup, ast.Expr(partial.expression))
                for n in ast.walk(part)
                if isinstance(getattr(n, "ctx", None), ast.Load)
            )
            if (uses > 1 or target.id in shared) and not isinstance(value, nodes.Var | Const):
                value = self.bind(target.id, value)
            self.env[target.id] = value
        return self.expr(partial.expression)

    def expr(self, node: ast.expr) -> Expr:
        """The expression that a part of a formula stands for."""
        match node:
            case ast.Name(id=name):
                if name in self.env:
                    return self.env[name]
                return constant(self.scope[name], name)
            case ast.Constant(value=value):
                return constant(value)
            case ast.BinOp(left=left, op=op, right=right):
                sign = _BINARY[type(op)]
                a, b = widened_pair(sign, self.expr(left), self.expr(right), self.wide)
                if sign == "&" and isinstance(b, Const) and b.value is True:
                    return a
                return build.binary(sign, *(at_edges(sign, a, b) if self.edges else (a, b)))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return build.negate(widened_one(self.expr(operand), self.wide))
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return build._operator("~", (self.expr(operand),))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compare(_COMPARE[type(op)], self.expr(left), self.expr(right))
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
            case ast.Subscript(value=value, slice=index):
                return self._subscript(self.expr(value), index)
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                items = tuple(self.expr(e) for e in elements)
                kind = "tuple" if isinstance(node, ast.Tuple) else "list"
                return nodes.Sequence(kind, items, type=Tuple(tuple(i.type for i in items)))
            case ast.Slice():
                return self._slice(node)
        raise RuleError(
            f"a rule may not contain a {type(node).__name__}: {ast.unparse(node)}",
            why="its text is put into generated code, in which such code has no derivative",
            fix="put it into a function of yours, and call that in the rule",
        )

    def _slice(self, node: ast.Slice) -> Expr:
        parts = [None if p is None else self.expr(p) for p in (node.lower, node.upper, node.step)]
        return nodes.Slice(*parts, type=Opaque("slice"))

    def _compare(self, sign: str, a: Expr, b: Expr) -> Expr:
        if sign in ("is", "is not"):
            if isinstance(a, Const) and isinstance(b, Const):
                return constant((a.value is b.value) == (sign == "is"))
            return constant(sign == "is not")
        return (
            build._operator(sign, (a, b))
            if sign in OPERATORS
            else nodes.Call(sign, sign, (a, b), form="operator")
        )

    def _attribute(self, node: ast.Attribute) -> Expr:
        if isinstance(node.value, ast.Name) and node.value.id not in self.env:
            found = getattr(self.scope[node.value.id], node.attr)
            return constant(found, f"{node.value.id}.{node.attr}")
        base = self.expr(node.value)
        if node.attr == "T":
            return build.transpose(base)
        if node.attr == "shape":
            return self.sizes.shape(base)
        if node.attr == "ndim":
            rank = self.sizes.rank(base)
            return (
                constant(rank)
                if rank is not None
                else nodes.Call(np.ndim, "np.ndim", (base,), type=Scalar("int"))
            )
        if node.attr == "size":
            return self.sizes.count(base)
        return nodes.Call("attribute", node.attr, (base,), form="attribute", type=Opaque(node.attr))

    def _call(self, node: ast.Call) -> Expr:
        function, text = self._function(node.func)
        args = [e for a in node.args for e in self._argument(a)]
        named = {k.arg: self.expr(k.value) for k in node.keywords if k.arg is not None}
        named = {
            k: v
            for k, v in named.items()
            if not (k == "where" and isinstance(v, Const) and v.value is True)
        }
        if function is np.trunc and isinstance(args[0], Const):
            return constant(float(np.trunc(args[0].value)))  # type: ignore[arg-type]
        if isinstance(function, np.ufunc) or _ours(function):
            args = widened_all(function, args, self.wide)
        if function is None:  # a method
            if not isinstance(node.func, ast.Attribute):
                raise RuleError(
                    f"a rule may not call what a call gives: {ast.unparse(node)}",
                    why="its text is put into generated code, where functions have names",
                    fix="give the function a name outside the rule",
                )
            base = self.expr(node.func.value)
            method = getattr(np, node.func.attr)
            return build.call(method, f"np.{node.func.attr}", base, *args, kind=None, **named)
        expander = (
            EXPANDERS.get(getattr(function, "__name__", ""))
            if _ours(function)
            else _numpy_expander(function)
        )
        if expander is not None:
            expanded = expander(self.sizes, *args, **named)
            if expanded is not None:
                return written_at_edges(expanded) if self.edges else expanded
        if (_ours(function) or _is_numpys(function)) and not named:
            args = without_defaults(function, args)
        return build.call(function, text, *args, kind=None, **named)

    def _argument(self, node: ast.expr) -> tuple[Expr, ...]:
        """An argument of a call; several of a starred display."""
        if not isinstance(node, ast.Starred):
            return (self.expr(node),)
        spread = self.expr(node.value)
        if isinstance(spread, nodes.Sequence):
            return spread.items
        if isinstance(spread.type, Tuple):
            places = enumerate(spread.type.items)
            return tuple(nodes.Index(spread, (build.number(i),), type=k) for i, k in places)
        raise TypeError("a starred argument in a rule that is no display")

    def _function(self, node: ast.expr) -> tuple[Any, str]:
        if isinstance(node, ast.Name):
            found = self.scope.get(node.id) or getattr(builtins, node.id)
            return found, node.id
        if isinstance(node, ast.Attribute):
            path = ast.unparse(node)
            root = path.split(".")[0]
            if root not in self.env and root in self.scope:
                found = self.scope[root]
                for part in path.split(".")[1:]:
                    found = getattr(found, part)
                return found, qualified_name(found) if root == "np" else path
        return None, ""

    def _subscript(self, base: Expr, index: ast.expr) -> Expr:
        parts = (
            tuple(self.expr(e) for e in index.elts)
            if isinstance(index, ast.Tuple)
            else (self.expr(index),)
        )
        first = parts[0]
        if isinstance(base, nodes.Sequence) and len(parts) == 1 and isinstance(first, Const):
            return base.items[first.value]
        return build.index(base, *parts)


@cache
def uses(partial: Partial, name: str) -> int:
    """How often a partial's formula reads a name."""
    return sum(
        isinstance(n, ast.Name) and n.id == name
        for part in (*partial.setup, partial.expression)
        for n in ast.walk(part)
    )


def without_defaults(function: Any, args: list[Expr]) -> list[Expr]:
    """The arguments without those at the end that are what the function takes anyway."""
    defaults = default_values(function)
    while args and isinstance(args[-1], Const):
        known, value = defaults.get(len(args) - 1, _NONE), args[-1].value
        if type(known) is not type(value) or known != value:
            break
        args = args[:-1]
    return args


_NONE = object()


@cache
def default_values(function: Any) -> dict[int, Any]:
    """Place among the positional parameters of a helper -> its default."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return {}
    return {k: p.default for k, p in enumerate(parameters) if p.default is not p.empty}


def _ours(function: Any) -> bool:
    return getattr(function, "__module__", "").startswith(s2sgrad_runtime.__name__)


def _is_numpys(function: Any) -> bool:
    """Whether it is a function of NumPy's that is written in Python."""
    own = str(getattr(function, "__module__", "")).partition(".")[0] == "numpy"
    return own and not isinstance(function, np.ufunc)


def _numpy_expander(function: Any) -> Any:
    name = getattr(function, "__name__", "")
    if function in (np.shape, np.ndim, np.size, np.where, np.ravel, np.reshape):
        return EXPANDERS[f"np.{name}"]
    return None

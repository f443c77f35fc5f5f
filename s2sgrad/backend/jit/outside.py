"""Floor 6: what Numba can't hold runs in Python, as a piece of its own; the rest stays compiled."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.backend.jit.telling import is_told
from s2sgrad.backend.statements import Printer
from s2sgrad.backend.wrap import wrapped
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Expr, Stmt, Var
from s2sgrad.ir.types import INT, Array, List, Scalar, Tuple, Type
from s2sgrad.transform.writing.rewrite import map_expr

NUMBA_NAMES = {"float": "float64", "int": "int64", "complex": "complex128", "bool": "boolean"}


@dataclass(frozen=True, slots=True)
class Outside(nodes.Assign):
    """An assignment that Python runs. kinds: Numba's types of the targets."""

    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OutsideStore(nodes.Store):
    """A write into an array that Python makes: compiled code and Python see the same memory."""


@dataclass(frozen=True, slots=True)
class OnThreads(nodes.For):
    """A loop over a range whose parts run on all cores.

    work: about how many nanoseconds it takes. edges: what a part calls its first number, and the
    number behind its last.
    """

    work: Expr = field(default_factory=lambda: nodes.Const(0))
    edges: tuple[str, str] = ("first", "last")


class NumbaPrinter(Printer):
    """Prints what runs outside, and loops on all cores, as functions of their own.

    name: of the function that is printed. decorator: that of loops on all cores.
    """

    def __init__(self, name: str = "", decorator: str = "part_of_loop") -> None:
        super().__init__()
        self.helpers: list[str] = []
        self.outside: dict[tuple[str, str], str] = {}  # what runs there -> the function for it
        self.name, self.decorator, self.loops = name, decorator, 0
        self.tells = False

    def _on_threads(self, stmt: OnThreads, depth: int) -> None:
        """A function that takes a part of the range and all that the loop reads."""
        self.loops += 1
        name = f"{self.name}_loop_{self.loops}"
        (source,) = stmt.sources
        assert isinstance(source, nodes.Call)
        first, last = (Var(n, type=INT) for n in stmt.edges)
        part = nodes.Call(range, "range", (first, last), type=INT)
        loop = nodes.For(stmt.targets, (part,), stmt.body, span=stmt.span)
        read = sorted(Liveness().block((loop,), frozenset())[1] - set(stmt.edges))
        inner = Printer()
        inner.statement(loop, 1)
        head = wrapped(f"def {name}({', '.join([*stmt.edges, *read])}):")
        self.helpers.append("\n".join([f"@{self.decorator}", *head, *inner.lines]) + "\n\n\n")
        edges = (nodes.Const(0, type=INT), *source.args)[-2:]
        given = [nodes.Ref(name, None), *edges, stmt.work, *map(Var, read)]
        call = nodes.Call("on_threads", "on_threads", tuple(given))
        super().statement(nodes.Do(call, span=stmt.span), depth)

    def statement(self, stmt: Stmt, depth: int) -> None:
        if isinstance(stmt, OnThreads):
            self._on_threads(stmt, depth)
            return
        effect = isinstance(stmt, nodes.Do) and not stmt.keyword and not _calls_compiled(stmt)
        if isinstance(stmt, OutsideStore) or effect:
            names = sorted({n for e in nodes.expressions(stmt) for n in nodes.names_in(e)})
            name = f"{'tell' if effect else 'write'}_outside_{len(self.helpers) + 1}"
            if effect:
                self._plain(f"{name}_plain", names, self._simple(stmt), is_told(stmt))
                self._helper(name, names, "", f"{name}_plain({', '.join(names)})", "")
            else:
                self._helper(name, names, "", self._simple(stmt), "")
            self._line(f"{name}({', '.join(names)})", depth, stmt)
        elif isinstance(stmt, Outside):
            (target,) = stmt.targets
            names, name = self._evaluated(stmt)
            self._line(f"{target} = {name}({', '.join(names)})", depth, stmt)
        else:
            super().statement(stmt, depth)

    def _evaluated(self, stmt: Outside) -> tuple[list[str], str]:
        """What a statement reads, and the function that runs it: one for all that do the same."""
        (target,), (kind,) = stmt.targets, stmt.kinds
        walked = (n.name for e in stmt.values for n in nodes.walk(e) if isinstance(n, Var))
        names = list(dict.fromkeys(walked))
        places = {name: f"_{k}" for k, name in enumerate(names)}
        values = tuple(map_expr(e, lambda e: _placed(e, places)) for e in stmt.values)
        key = kind, self._simple(nodes.Assign(("_",), values))
        if key not in self.outside:
            self.outside[key] = f"{target}_outside"
            line = self._simple(stmt)
            self._helper(self.outside[key], names, f'{target}="{kind}"', line, target)
        return names, self.outside[key]

    def _plain(self, name: str, names: list[str], line: str, told: bool) -> None:
        """A function that Numba never reads: it may hold anything that Python knows."""
        self.tells = self.tells or told
        head = ["@told_once"] if told else []
        lines = [*head, f"def {name}({', '.join(names)}):", *wrapped(f"    {line}")]
        self.helpers.append("\n".join(lines) + "\n\n\n")

    def _helper(self, name: str, names: list[str], kinds: str, line: str, result: str) -> None:
        lines = ["@njit", f"def {name}({', '.join(names)}):", f"    with objmode({kinds}):"]
        lines += wrapped(f"        {line}")
        if result:
            lines.append(f"    return {result}")
        self.helpers.append("\n".join(lines) + "\n\n\n")


def _placed(expr: Expr, places: dict[str, str]) -> Expr:
    return replace(expr, name=places[expr.name]) if isinstance(expr, Var) else expr


def _calls_compiled(stmt: nodes.Do) -> bool:
    """Whether a statement calls one of our own compiled functions: on a row of numbers, or one
    that raises what Python does (see domains.py)."""
    if not isinstance(stmt.value, nodes.Call):
        return False
    return stmt.value.text.endswith("_in_place") or stmt.value.text.startswith("checked_")


def numba_type(kind: Type) -> str | None:
    """How `objmode` names a type; None where there is no name."""
    if isinstance(kind, Scalar):
        return NUMBA_NAMES.get(kind.dtype, kind.dtype)
    if isinstance(kind, Array) and kind.shape is not None and kind.dtype is not None:
        dtype = "boolean" if kind.dtype == "bool" else kind.dtype
        if not kind.shape:
            return None
        return f"{dtype}[{', '.join([':'] * (len(kind.shape) - 1) + ['::1'])}]"
    if isinstance(kind, Tuple):
        parts = [numba_type(k) for k in kind.items]
        return None if None in parts or not parts else f"Tuple(({', '.join(map(str, parts))},))"
    return None


def holding(value: Expr) -> Expr:
    """The value in the form that its Numba type promises."""
    if isinstance(value.type, Scalar):
        name = {"int": int, "bool": bool, "complex": complex, "float": float}.get(value.type.dtype)
        if name is not None:
            return nodes.Call(name, name.__name__, (value,), type=value.type)
    from s2sgrad_runtime.numba_outside import compiled_form, complex_form

    made = complex_form if _all_complex(value.type) else compiled_form
    return nodes.Call(made, made.__name__, (value,), type=value.type)


def _all_complex(kind: Type) -> bool:
    """Whether a value holds complex numbers only, as far as its type tells."""
    if isinstance(kind, Tuple):
        return all(map(_all_complex, kind.items))
    return isinstance(kind, Array | Scalar) and is_complex_dtype(kind.dtype)


def evaluated_outside(value: Expr, name: str) -> Outside | None:
    """`name = value` as Python runs it; None where the result's type isn't known."""
    kind = numba_type(value.type)
    if kind is None:
        return None
    value = map_expr(value, _divided_as_compiled)
    return Outside((name,), (holding(value),), kinds=(kind,), span=value.span)


def _divided_as_compiled(expr: Expr) -> Expr:
    """Compiled code hands out Python's floats, which refuse to be divided by zero."""
    if not isinstance(expr, nodes.Call) or expr.function not in (np.divide, np.power):
        return expr
    which = 1 if expr.function is np.divide else 0
    if expr.form != "operator" or not _is_float(expr.args[which].type):
        return expr
    args = list(expr.args)
    args[which] = nodes.Call(np.float64, "np.float64", (args[which],), type=args[which].type)
    return replace(expr, args=tuple(args))


def _is_float(kind: Type) -> bool:
    return isinstance(kind, Scalar) and kind.dtype in ("float64", "float")


class Hoister:
    """Moves calls that Numba lacks out of expressions. unknown: decides on a call."""

    def __init__(self, names: Names, types: dict[str, Type], unknown: Any) -> None:
        self.names, self.types, self.unknown = names, types, unknown

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            result += self.statement(stmt)
        return tuple(result)

    def statement(self, stmt: Stmt) -> list[Stmt]:
        before: list[Stmt] = []
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=self.block(then), orelse=self.block(orelse))
                return (
                    [*before, replace(stmt, test=self.expr(stmt.test, before)), *()]
                    if not before
                    else [*before, stmt]
                )
            case nodes.While(body=body):
                return [replace(stmt, body=self.block(body))]
            case nodes.For(body=body, sources=sources):
                sources = tuple(self.expr(s, before) for s in sources)
                return [*before, replace(stmt, sources=sources, body=self.block(body))]
            case nodes.Assign(values=values) if not isinstance(stmt, Outside):
                stmt = replace(stmt, values=tuple(self.expr(v, before) for v in values))
            case nodes.Unpack(value=value) | nodes.Return(value=value):
                stmt = replace(stmt, value=self.expr(value, before))
            case OutsideStore(index=index, value=value):
                index = tuple(self._compiled_first(i, before) for i in index)
                stmt = replace(stmt, index=index, value=self._compiled_first(value, before))
            case nodes.Do(value=nodes.Call() as call) if not _calls_compiled(stmt):
                found = [self._compiled_first(c, before) for c in nodes.children(call)]
                stmt = replace(stmt, value=with_children(call, found))
            case nodes.Store(base=base, index=index, value=value):
                index = tuple(self.expr(i, before) for i in index)
                stmt = replace(
                    stmt, base=self.expr(base, before), index=index, value=self.expr(value, before)
                )
            case nodes.Mutate(base=base, args=args):
                stmt = replace(stmt, args=tuple(self.expr(a, before) for a in args))
        return [*before, stmt]

    def expr(self, expr: Expr, before: list[Stmt]) -> Expr:
        """The expression with unknown calls as variables; the outermost unknown call moves."""
        if self.unknown(expr):
            name = self.names.fresh(_base(expr))
            moved = evaluated_outside(self._compiled_first(expr, before), name)
            if moved is not None:
                before.append(moved)
                self.types[name] = expr.type
                return Var(name, type=expr.type, span=expr.span)
            return expr
        if isinstance(expr, nodes.Choice):
            return replace(expr, test=self.expr(expr.test, before))
        children = nodes.children(expr)
        if not children:
            return expr
        found = [self.expr(c, before) for c in children]
        if all(a is b for a, b in zip(children, found, strict=True)):
            return expr
        return with_children(expr, found)

    def _compiled_first(self, expr: Expr, before: list[Stmt]) -> Expr:
        """What functions of our own give, which only compiled code can call, gets a name before."""
        if isinstance(expr, nodes.Call) and _is_compiled(expr.function):
            name = self.names.fresh(_base(expr))
            before.append(nodes.Assign((name,), (self.expr(expr, before),), span=expr.span))
            self.types[name] = expr.type
            return Var(name, type=expr.type, span=expr.span)
        if isinstance(expr, nodes.Choice):
            return expr
        found = [self._compiled_first(c, before) for c in nodes.children(expr)]
        return with_children(expr, found)


def _is_compiled(function: Any) -> bool:
    return getattr(getattr(function, "py_func", None), "s2sgrad_helper", False) is True


def with_children(expr: Expr, found: list[Expr]) -> Expr:
    """The expression with other direct subexpressions, in the order of `nodes.children`."""
    pairs = iter(found)
    match expr:
        case nodes.Call(args=args, kwargs=kwargs):
            return replace(
                expr,
                args=tuple(next(pairs) for _ in args),
                kwargs=tuple((k, next(pairs)) for k, _ in kwargs),
            )
        case nodes.Slice(lower=lower, upper=upper, step=step):
            parts = [None if p is None else next(pairs) for p in (lower, upper, step)]
            return replace(expr, lower=parts[0], upper=parts[1], step=parts[2])
        case nodes.Index(index=index):
            return replace(expr, base=next(pairs), index=tuple(next(pairs) for _ in index))
        case nodes.Sequence(items=items):
            return replace(expr, items=tuple(next(pairs) for _ in items))
        case nodes.Mapping(keys=keys, values=values):
            return replace(
                expr,
                keys=tuple(next(pairs) for _ in keys),
                values=tuple(next(pairs) for _ in values),
            )
        case nodes.Choice():
            return replace(expr, test=next(pairs), then=next(pairs), orelse=next(pairs))
        case nodes.Text(parts=parts):
            return replace(expr, parts=tuple(next(pairs) for _ in parts))
    return expr


def _base(expr: Expr) -> str:
    text = getattr(expr, "text", "") or "outside"
    last = text.split(".")[-1].split("(")[0]
    return f"{last}_value" if last.isidentifier() else "outside_value"


__all__ = [
    "Hoister",
    "List",
    "NumbaPrinter",
    "OnThreads",
    "Outside",
    "evaluated_outside",
    "map_expr",
    "numba_type",
    "with_children",
]

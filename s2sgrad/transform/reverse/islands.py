"""Floor 5: derivatives of calls that run on dynamic-graph tensors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sgrad.analysis.effects import Effects
from s2sgrad.analysis.islands import tools_of
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.functions.islands import OPTIONS
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Stmt, Var
from s2sgrad.ir.types import NONE, Known, Opaque, Tuple
from s2sgrad.transform.reverse.adjoint import Adjoint, combined
from s2sgrad.transform.writing import build


class IslandReversal:
    """The part of the reversal that is about islands."""

    facts: Any
    bars: Any
    effects: Any

    def restore_names(self, stmt: Stmt, targets: tuple[str, ...]) -> tuple[list[Stmt], list[Stmt]]:
        """See Reversal."""
        raise NotImplementedError

    def island(
        self, stmt: nodes.Unpack, call: Call, restored: tuple[str, ...]
    ) -> tuple[list[Stmt], list[Stmt]]:
        """`y, y_pullback = eager_vjp(f, x)`; in reverse, `(x_bar,) = y_pullback(y_bar)`."""
        save, restore = self.restore_names(stmt, restored)
        result, pullback = stmt.targets
        adjoint = Adjoint(self.facts)
        live = result in self.facts.activity.variables and self.bars.is_set(result)
        wrt = [i for i, arg in enumerate(_arguments(call)) if live and adjoint.active(arg)]
        stmt = replace(stmt, value=self._with_facts(result, call, wrt))
        if not wrt:
            return [*save, stmt], restore
        bar = self.bars.variable(result)
        self.bars.used(result)
        back = Call("apply", "", (Var(pullback, type=Opaque("pullback")), bar), form="apply")
        parts: list[str] = []
        for i, arg in enumerate(_arguments(call)):
            parts.append(self.facts.names.fresh("argument_bar") if i in wrt else "_")
            if i in wrt:
                self.facts.types[parts[-1]] = arg.type
                push_display(adjoint, arg, Var(parts[-1], type=arg.type))
        made: list[Stmt] = [*restore, nodes.Unpack(tuple(parts), back), *adjoint.temps]
        for add in combined(adjoint.adds):
            made += self.bars.add(add.place, add.value)
        return [*save, stmt], made

    def _with_facts(self, result: str, call: Call, wrt: list[int]) -> Call:
        """The call with what the run must know: which arguments vary, and whether the result may
        share memory with them."""
        count = len(_arguments(call))
        named = call.kwargs
        if wrt != list(range(count)) or not wrt:
            items = tuple(constant(i) for i in wrt)
            kind = Tuple(tuple(i.type for i in items))
            named = (*named, ("wrt", nodes.Sequence("tuple", items, type=kind)))
        return with_fresh(replace(call, kwargs=named), result, self.effects)


def with_fresh(call: Call, result: str, effects: Effects) -> Call:
    """The call; where its result or an argument is written in place, the two must be apart."""
    if "fresh" in dict(call.kwargs):
        return call
    names = {result, *(n for a in _arguments(call) for n in nodes.names_in(a))}
    if not any(effects.is_written(n) for n in names):
        return call
    return replace(call, kwargs=(*call.kwargs, ("fresh", Const(True, type=Known(True)))))


def _arguments(call: Call) -> tuple[Expr, ...]:
    """The callee's arguments: by position, then by keyword."""
    named = tuple(v for k, v in call.kwargs if k not in OPTIONS)
    return (*call.args[1:], *named)


def push_display(adjoint: Adjoint, expr: Expr, bar: Expr) -> None:
    """Add the cotangent of an argument, entry by entry where it is a display."""
    if not adjoint.active(expr):
        return
    if isinstance(expr, nodes.Sequence):
        for i, item in enumerate(expr.items):
            push_display(adjoint, item, replace(build.index(bar, constant(i)), type=item.type))
    elif isinstance(expr, nodes.Mapping):
        for key, value in zip(expr.keys, expr.values, strict=True):
            push_display(adjoint, value, replace(build.index(bar, key), type=value.type))
    elif is_object(expr):
        assert isinstance(expr, Call) and isinstance(expr.args[1], nodes.Mapping)
        for key, value in zip(expr.args[1].keys, expr.args[1].values, strict=True):
            assert isinstance(key, Const)
            part = Call("attribute", key.value, (bar,), form="attribute", type=value.type)
            push_display(adjoint, value, part)
    elif isinstance(expr, Call):  # a named tuple
        for i, item in enumerate(expr.args):
            push_display(adjoint, item, replace(build.index(bar, constant(i)), type=item.type))
    else:
        adjoint.push(expr, bar)


def is_object(expr: Expr) -> bool:
    """Whether an argument of an island is an object put together again."""
    return isinstance(expr, Call) and expr.text == "with_fields"


def tangent_of(tangents: Any, expr: Expr) -> Expr:
    """The tangent of an argument in its structure, None where there is none."""
    if not tangents.active(expr):
        return Const(None, type=NONE)
    if isinstance(expr, nodes.Mapping):
        return replace(expr, values=tuple(tangent_of(tangents, v) for v in expr.values))
    if isinstance(expr, nodes.Sequence):
        return replace(expr, items=tuple(tangent_of(tangents, i) for i in expr.items))
    if isinstance(expr, Call):
        first, rest = (1, expr.args[:1]) if is_object(expr) else (0, ())
        return replace(expr, args=(*rest, *(tangent_of(tangents, a) for a in expr.args[first:])))
    return tangents.item(expr)  # type: ignore[no-any-return]


def pushed(tangents: Any, call: Call) -> Call:
    """`eager_jvp(f, (x, w), (x_dot, None))`: value and tangent together."""
    if any(k not in OPTIONS for k, _ in call.kwargs):
        raise UnsupportedError(
            "forward mode of a function on tensors with keywords",
            call.span,
            "tangents go with arguments by position",
            "pass all arguments by position",
        )
    dots = tuple(tangent_of(tangents, a) for a in call.args[1:])
    values = nodes.Sequence("tuple", call.args[1:], type=_types(call.args[1:]))
    tangent = nodes.Sequence("tuple", dots, type=_types(dots))
    jvp = tools_of(call.function).jvp
    return replace(call, function=jvp, text="eager_jvp", args=(call.args[0], values, tangent))


def held_constant(call: Call) -> Call:
    """The call where no derivative is asked for."""
    return replace(
        call, kwargs=(*call.kwargs, ("wrt", nodes.Sequence("tuple", (), type=Tuple(()))))
    )


def _types(exprs: tuple[Expr, ...]) -> Tuple:
    return Tuple(tuple(e.type for e in exprs))


__all__ = ["IslandReversal", "held_constant", "push_display", "pushed"]

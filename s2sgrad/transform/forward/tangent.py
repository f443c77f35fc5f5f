"""Floor 5: the tangent of one expression."""

from __future__ import annotations

import copy
import functools
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.activity import operands, rule_of, rule_of_call
from s2sgrad.analysis.arguments import bound_arguments
from s2sgrad.analysis.effects import root
from s2sgrad.analysis.masking import rooted
from s2sgrad.analysis.memory import view_or_copy
from s2sgrad.analysis.unclear import of_an_object, refuse_mixed
from s2sgrad.errors import MissingRuleError, UnsupportedError
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Var
from s2sgrad.ir.types import (
    NONE,
    Array,
    Dict,
    List,
    Scalar,
    Tuple,
    Type,
    carries,
    is_float_dtype,
    is_number,
    shape_of,
)
from s2sgrad.rules.declare import Rule, qualified_name
from s2sgrad.rules.naming import told
from s2sgrad.transform.preparing.normalize import label_of
from s2sgrad.transform.reverse.adjoint import Adjoint, Facts
from s2sgrad.transform.reverse.bar_values import bar_type
from s2sgrad.transform.reverse.cotangents import (
    any_complex,
    as_its_value,
    conjugated,
    entry_of,
    projected,
)
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.added import added_up
from s2sgrad.transform.writing.inline import Inliner, uses
from s2sgrad.transform.writing.masks import Mask, guarded
from s2sgrad.transform.writing.rewrite import map_expr, map_stmt_exprs
from s2sgrad.transform.writing.widening import wide_of

# Functions that only pass their first argument on: the tangent goes the same way.
COPIES = (
    s2sgrad_runtime.copy_tree, s2sgrad_runtime.copy_apart, s2sgrad_runtime.copy_as_it_lies,
)  # fmt: skip
SAME = (list, dict, "attribute", *COPIES, complex, s2sgrad_runtime.in_structure)


def is_nothing_yet(expr: Expr) -> bool:
    """Whether an expression is an empty container, or an array of zeros: so is its tangent."""
    if isinstance(expr, nodes.Sequence | nodes.Mapping):
        return not (expr.items if isinstance(expr, nodes.Sequence) else expr.values)
    return isinstance(expr, Call) and expr.function in (np.zeros, np.zeros_like)


class Tangents(Adjoint):
    """Tangents of the expressions of one statement; `None` stands for zero.

    dots: variable -> the name of its tangent. results: id of a node -> where its value is.
    """

    def __init__(self, facts: Facts, dots: dict[str, str]) -> None:
        super().__init__(facts)
        self.dots = dots

    def variable(self, name: str) -> Var:
        """The tangent of a variable."""
        if name not in self.dots:
            self.dots[name] = self.facts.names.fresh(f"{name}_dot")
        dot = self.dots[name]
        self.facts.types[dot] = bar_type(self.facts.types[name])
        return Var(dot, type=self.facts.types[dot])

    def full(self, expr: Expr, value: Expr | None = None) -> Expr | None:  # type: ignore[override]
        """The tangent in the whole shape of the value. value: where the value is by then."""
        dot = self.dot(expr)
        if (
            dot is None
            or isinstance(dot, nodes.Sequence)
            or not is_number(expr.type)
            or isinstance(expr.type, Scalar)
        ):
            return dot
        if (
            build.same_shape(dot.type, expr.type)
            or not isinstance(expr, Call)
            or self._covers(dot, expr)
        ):
            return dot
        like = value if value is not None else expr
        whole = isinstance(expr.type, Array) and shape_of(dot.type) is not None
        kind = expr.type if whole or isinstance(dot.type, Scalar) else dot.type
        return Call(s2sgrad_runtime.broadcast_like, "broadcast_like", (dot, like), type=kind)

    def _covers(self, dot: Expr, expr: Call) -> bool:
        """Whether every operand of an elementwise operation takes part in the tangent's shape."""
        rule = rule_of(expr.function)
        if rule is None or rule.kind != "elementwise":
            return True
        leaves = list(operands(dot))
        result = self.results.get(id(expr))
        if any(leaf == result for leaf in leaves):
            return True
        for arg in nodes.children(expr):
            if isinstance(arg.type, Scalar) or arg in leaves:
                continue
            own = self.dots.get(arg.name) if isinstance(arg, Var) else None
            if not any(isinstance(leaf, Var) and leaf.name == own for leaf in leaves):
                return False
        return True

    def zero(self, expr: Expr) -> Expr:
        """The tangent of a constant value."""
        kind = expr.type
        if isinstance(expr, nodes.Sequence):
            items = tuple(self.zero(i) for i in expr.items)
            return replace(expr, items=items, type=_sequence_type(expr, items))
        if isinstance(expr, nodes.Mapping):
            return replace(expr, values=tuple(self.zero(v) for v in expr.values))
        if isinstance(kind, Scalar):
            return build.number(0.0)
        if isinstance(kind, Array):
            if is_nothing_yet(expr) and is_float_dtype(kind.dtype):
                return expr
            if is_float_dtype(kind.dtype):
                return Call(np.zeros_like, "np.zeros_like", (expr,), type=kind)
            args = (expr, constant(float, "float"))
            return Call(np.zeros_like, "np.zeros_like", args, type=Array("float64", kind.shape))
        if not carries(kind) and not isinstance(kind, List | Dict):  # numbers may come into these
            return Const(None, type=NONE)
        return Call(s2sgrad_runtime.zeros_like, "zeros_like", (expr,), type=kind)

    # --- expressions -------------------------------------------------------------------------
    def dot(self, expr: Expr) -> Expr | None:
        """The tangent of an expression; it may be smaller where it broadcasts to the value."""
        if not self.active(expr):
            return None
        refuse_mixed(expr)
        match expr:
            case Var(name=name):
                return self.variable(name)
            case Index(base=base):
                inner = self.full(base)
                return inner and replace(expr, base=inner, type=bar_type(expr.type))
            case nodes.Sequence(items=items):
                dots = tuple(self.item(i) for i in items)
                return replace(expr, items=dots, type=_sequence_type(expr, dots))
            case nodes.Mapping(values=values):
                return replace(expr, values=tuple(self.item(v) for v in values))
            case nodes.Choice(then=then, orelse=orelse):
                return replace(expr, then=self.item(then), orelse=self.item(orelse))
            case Call():
                return self._operation(expr)
        raise UnsupportedError(
            "no derivative passes through this expression",
            expr.span,
            "it is nothing that numbers come out of",
            "compute the value from numbers and arrays",
        )

    def place(self, expr: Expr) -> Expr | None:
        """The tangent of what a path leads to, though it may hold no numbers as yet."""
        if isinstance(expr, Index) and not self.active(expr):
            inner = self.place(expr.base)
            return None if inner is None else replace(expr, base=inner)
        return self.dot(expr)

    def item(self, expr: Expr) -> Expr:
        """The tangent, zeros where there is none."""
        dot = self.full(expr)
        return self.zero(expr) if dot is None else dot

    def _operation(self, call: Call) -> Expr | None:
        passed = self._passed(call)
        if passed is not None:
            return passed
        rule = rule_of_call(call)
        if rule is None or isinstance(call.function, str) or rule.kind == "not_yet":
            name = call.text if isinstance(call.function, str) else qualified_name(call.function)
            why = of_an_object(call) if rule is None else rule.why
            raise MissingRuleError(name, call.span, why)
        return self._by_rule(rule, bound_arguments(rule, call), call)

    def _passed(self, call: Call) -> Expr | None:
        """Operations that move values about without computing."""
        function, args = call.function, call.args
        if view_or_copy(call) and root(call) in self.facts.layouts:  # it lies as its array does
            return replace(call, args=(self.item(args[0]), *args[1:]), type=bar_type(call.type))
        if function is float:
            dot = self.full(args[0])
            return (
                dot
                if dot is None or isinstance(dot.type, Scalar)
                else replace(call, args=(dot,), type=Scalar("float"))
            )
        if function in SAME or (function is np.array and isinstance(args[0], nodes.Sequence)):
            return replace(call, args=(self.item(args[0]), *args[1:]), type=bar_type(call.type))
        if function is s2sgrad_runtime.accumulate:
            return replace(call, args=(self.item(args[0]), self.item(args[1])))
        if function in ("list+", "list*"):
            count = len(args) if function == "list+" else 1
            dots = tuple(self.item(a) for a in args[:count])
            if isinstance(call.type, List) and call.type.fixed:  # tangents of tuples may be lists
                dots = tuple(map(_as_list, dots))
            return replace(call, args=(*dots, *args[count:]))
        if function in ("and", "or"):
            first, second = (self.item(a) for a in args)
            then, orelse = (second, first) if function == "and" else (first, second)
            return nodes.Choice(args[0], then, orelse, type=bar_type(call.type))
        return None

    def _by_rule(self, rule: Rule, bound: dict[str, Any], call: Call) -> Expr | None:
        exprs = {name: self._parameter(value) for name, value in bound.items()}
        active = [a for a in rule.parameters if a not in rule.shape_only and self.active(exprs[a])]
        total: Expr | None = None
        for argument in active:
            part = self._part(rule, argument, exprs, call)
            if total is None:
                total = part
            elif rule.kind != "elementwise" and not isinstance(call.type, Array | Scalar):
                total = added_up(total, part)
            else:
                total = build.binary("+", total, part)
        if total is not None and is_number(call.type):
            total = as_its_value(total, call.type)
        if total is not None and rule.kind == "structural" and not isinstance(total.type, Tuple):
            total = replace(total, type=bar_type(call.type))
        if total is None or not is_number(call.type):
            return total
        # with an imaginary part wherever its value may have one: that may be written later
        return projected(total, call, self.facts.activity.has_complex, certain=True)

    def _part(self, rule: Rule, argument: str, exprs: dict[str, Expr], call: Call) -> Expr:
        """What one argument's tangent adds."""
        y = self.results.get(id(call), call)
        elementwise = rule.kind == "elementwise" and argument in rule.partials
        doubtful = self.facts.activity.has_complex or not rule.holomorphic
        declared = argument in rule.tangents and (
            any_complex(call, *exprs.values(), doubtful=doubtful)
            or self.facts.masking.may_be_infinite(exprs[argument])
        )
        if elementwise and not declared:
            dot = self.dot(exprs[argument])
            assert dot is not None
            partial = rule.partials[argument]
            masking = self.facts.masking
            still = masking.may_stand_still(exprs[argument]) and not isinstance(dot, Const)
            rests = rooted(call) and masking.may_rest(exprs[argument])
            if rests or (still and masking.steep(rule, partial, {**exprs, "y": call})):
                return self._behind_zeros(partial, {**exprs, "y": y}, argument, dot, call)
            dot = self._shared(dot, partial, "y_bar", argument)
            wide = wide_of(rule, call.type)
            value = self._inlined(partial, {**exprs, "y": y, "y_bar": dot}, call, wide)
            mask = masking.by_mask(call, exprs[argument])
            if mask is None or not masking.may_be_infinite(exprs[argument]):
                return value
            held = self.bind("mask", mask)
            return guarded(value, Mask(by_value=held if isinstance(held, Var) else None))
        dot = self.item(exprs[argument])
        if argument in rule.tangents:
            partial = rule.tangents[argument]
            dot = self._shared(dot, partial, f"{argument}_dot", argument)
            return self._inlined(partial, {**exprs, "y": y, f"{argument}_dot": dot}, call)
        if argument in rule.linear:
            return self._applied(rule, argument, dot, call)
        if argument in rule.partials:
            return self._transposed(rule, argument, dot, exprs, call)
        which = told(rule, argument)
        raise MissingRuleError(rule.name, call.span, "", call.function, which, tangent=True)

    def _behind_zeros(
        self, partial: Any, env: dict[str, Expr], argument: str, dot: Expr, call: Call
    ) -> Expr:
        """A slope that may be infinite, times a tangent that may hold zeros: they stay zero."""
        target = env[argument]
        base = label_of(target) if isinstance(target, Call) else "x"
        dot = self.bind(f"{base}_dot", dot)
        value = self._inlined(partial, {**env, "y_bar": dot}, call)
        return guarded(value, Mask(by_value=dot)) if isinstance(dot, Var) else value

    def _inlined(self, partial: Any, env: dict[str, Expr], call: Call, wide: Any = None) -> Expr:
        """A formula with what its parameters stand for."""
        scope = {"len": len, **partial.scope}
        return Inliner(env, scope, self.bind, self.facts.sizes, wide, call).partial(partial)

    def _transposed(
        self, rule: Rule, argument: str, dot: Expr, exprs: dict[str, Expr], call: Call
    ) -> Expr:
        """A rule without a declared tangent: its partial is linear in `y_bar`, so the reverse of
        that formula takes the argument's tangent to the result's."""
        several = isinstance(call.type, Tuple)
        kinds = call.type.items if isinstance(call.type, Tuple) else (call.type,)
        bars = [Var(self.facts.names.fresh("y_bar"), type=bar_type(kind)) for kind in kinds]
        self.facts.types.update((bar.name, bar.type) for bar in bars)
        activity = copy.copy(self.facts.activity)
        activity.variables = frozenset(bar.name for bar in bars)
        back = Adjoint(replace(self.facts, activity=activity), self.temps)
        y = self.results.get(id(call), call)
        whole = nodes.Sequence("tuple", tuple(bars), type=bar_type(call.type))
        env = {**exprs, "y": y, "y_bar": whole if several else bars[0]}
        partial = rule.partials[argument]

        def bind(base: str, expr: Expr) -> Expr:
            return expr if activity.variables & nodes.names_in(expr) else self.bind(base, expr)

        conjugate = rule.holomorphic and any_complex(call, *exprs.values())
        start = len(self.temps)
        try:
            value = Inliner(env, partial.scope, bind, self.facts.sizes).partial(partial)
            back.push(value, conjugated(dot) if conjugate else dot)
        except (MissingRuleError, UnsupportedError):
            del self.temps[start:]
            return self._by_basis(rule, argument, dot, exprs, call)
        found = {bar: [add.value for add in back.adds if add.place == bar] for bar in bars}
        count = sum(map(len, found.values()))
        if not count or count < len(back.adds):
            del self.temps[start:]
            return self._by_basis(rule, argument, dot, exprs, call)
        shapes = {b: entry_of(y, k, b.type) if several else y for k, b in enumerate(bars)}

        def shaped(e: Expr) -> Expr:  # a cotangent that is read for its shape becomes the value
            return shapes.get(e, e) if isinstance(e, Var) else e

        self.temps[start:] = [map_stmt_exprs(stmt, shaped) for stmt in self.temps[start:]]
        totals = [
            map_expr(functools.reduce(_added, parts), shaped) if parts else self.zero(shapes[bar])
            for bar, parts in found.items()
        ]
        totals = [conjugated(total) for total in totals] if conjugate else totals
        return nodes.Sequence("tuple", tuple(totals), type=whole.type) if several else totals[0]

    def _shared(self, dot: Expr, partial: Any, name: str, argument: str) -> Expr:
        """A tangent that is read several times gets a name."""
        if isinstance(dot, Var | Const | nodes.Sequence) or uses(partial, name) < 2:
            return dot
        return self.bind(f"{argument}_dot", dot)

    def _applied(self, rule: Rule, argument: str, dot: Expr, call: Call) -> Expr:
        """A linear function of the tangent, without the parts that only add a constant."""
        place = rule.parameters.index(argument)
        args = list(call.args)
        for added in map(rule.parameters.index, () if rule.variadic else rule.affine):
            if added < len(args):
                args[added] = Const(0.0)
        kwargs = [(k, v) for k, v in call.kwargs if rule.aliases.get(k, k) not in rule.affine]
        if rule.variadic == argument:
            items = dot.items if isinstance(dot, nodes.Sequence) else (dot,)
            args[place:] = list(items)
        elif place < len(args):
            args[place] = dot
        else:
            kwargs = [(k, dot if rule.aliases.get(k, k) == argument else v) for k, v in kwargs]
        return replace(call, args=tuple(args), kwargs=tuple(kwargs), type=bar_type(call.type))

    def _by_basis(
        self, rule: Rule, argument: str, dot: Expr, exprs: dict[str, Expr], call: Call
    ) -> Expr:
        """A vjp that calls what has no rule: it is called once for each entry of the result."""
        if rule.variadic or any_complex(call, *exprs.values()):
            why, which = "its vjp can't be turned round here", told(rule, argument)
            raise MissingRuleError(rule.name, call.span, why, None, which, tangent=True)
        declared = rule.declaration
        place = rule.arguments.index(argument) if len(rule.arguments) > 1 else None
        text = getattr(declared, "__name__", "rule")
        value = self.results.get(id(call), call)
        given = tuple(exprs[p] for p in rule.parameters)
        args = (constant(declared, text), constant(place), dot, value, *given)
        helper = s2sgrad_runtime.tangent_by_vjp
        return Call(helper, "tangent_by_vjp", args, type=bar_type(call.type))


def _added(a: Expr, b: Expr) -> Expr:
    return build.binary("+", a, b)


def _sequence_type(expr: nodes.Sequence, items: tuple[Expr, ...]) -> Type:
    return Tuple(tuple(i.type for i in items)) if expr.kind == "tuple" else bar_type(expr.type)


__all__ = ["Tangents"]


def _as_list(value: Expr) -> Expr:
    if isinstance(value, nodes.Sequence):
        return replace(value, kind="list")
    return Call(list, "list", (value,), type=value.type)

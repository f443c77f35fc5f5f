"""Floor 5: what one expression adds to the cotangents of the variables in it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.activity import PASSES, Activity, rule_of_call
from s2sgrad.analysis.arguments import bound_arguments
from s2sgrad.analysis.masking import Masking, rooted
from s2sgrad.analysis.unclear import of_an_object, refuse_mixed
from s2sgrad.errors import MissingRuleError, UnsupportedError
from s2sgrad.frontend import wording as say
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Var
from s2sgrad.ir.types import (
    INT,
    Array,
    List,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    is_number,
    shape_of,
)
from s2sgrad.rules.declare import Rule, qualified_name
from s2sgrad.rules.naming import told
from s2sgrad.transform.preparing.normalize import is_path, label_of
from s2sgrad.transform.reverse.alike import alike
from s2sgrad.transform.reverse.cotangents import (
    any_complex,
    as_listed,
    axes_literal,
    conjugated,
    covers,
    entry_of,
    mentions,
    of_rows,
    only_array,
    present,
    projected,
    real_items,
    shaped_as,
    summed_axes,
    unstacked,
    value_of,
)
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.expand import Sizes
from s2sgrad.transform.writing.inline import Inliner, shared_setup, uses
from s2sgrad.transform.writing.masks import NO_MASK, Guard, Mask
from s2sgrad.transform.writing.small_products import takes_small, thin
from s2sgrad.transform.writing.widening import wide_of


@dataclass(frozen=True)
class Facts:
    """What the reversal knows about the function. aliases: see preparing/aliases.py; partners: see
    preparing/partners.py; shadows, makers: see reverse/shadows.py; taped: see reverse/tapeless.py;
    layouts: arrays whose layout in memory decides what is a view (see analysis/held.py)."""

    activity: Activity
    aliases: dict[str, Expr]
    types: dict[str, Type]
    sizes: Sizes
    names: Names
    shadows: dict[str, str] = field(default_factory=dict)
    makers: dict[int, nodes.Stmt] = field(default_factory=dict)
    masking: Masking = field(default_factory=lambda: Masking(()))
    taped: bool = True
    layouts: frozenset[str] = frozenset()
    entries: dict[int, bool] = field(default_factory=dict)  # see analysis/dict_entries.py
    partners: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Add:
    """`place_bar += value`. place: a variable or a subscript chain on one."""

    place: Expr
    value: Expr


@dataclass
class Adjoint(Guard):
    """Collects the temporaries and additions of one statement."""

    facts: Facts
    temps: list[nodes.Stmt] = field(default_factory=list)
    adds: list[Add] = field(default_factory=list)
    results: dict[int, Expr] = field(default_factory=dict)  # id of a node -> where its value is
    masked: bool = False  # the cotangent may hold zeros of a branch that was not taken
    twice: bool = False  # the same, and a choice is around this operation too
    unbounded: bool = False  # the cotangent may be infinite, though the value is finite
    mask: Mask = NO_MASK  # what the operation around this one left to be guarded
    above: nodes.Block = ()  # the statements before this one in its block

    def bind(self, base: str, expr: Expr) -> Expr:
        """A temporary of the reverse sweep."""
        if isinstance(expr, Var | Const):
            return expr
        name = self.facts.names.fresh(base)
        self.facts.types[name] = expr.type
        self.temps.append(nodes.Assign((name,), (expr,)))
        return Var(name, type=expr.type)

    def active(self, expr: Any) -> bool:
        """Whether a cotangent may flow into an expression."""
        return isinstance(expr, Expr) and self.facts.activity.active(expr)

    def push(self, expr: Expr, bar: Expr) -> None:
        """Add the cotangent `bar` of an expression's value to its variables."""
        if not self.active(expr):
            return
        if is_number(expr.type) and is_number(bar.type):
            bar = self._real(bar, expr)  # it may go to a variable that is complex elsewhere
        refuse_mixed(expr)
        match expr:
            case Var():
                self.adds.append(Add(expr, bar))
            case Index():
                self._index(expr, bar)
            case nodes.Sequence(items=items):
                self._sequence(items, bar)
            case nodes.Mapping(keys=keys, values=values):
                self._mapping(keys, values, bar)
            case Call():
                self._call(expr, bar)
            case _:
                raise UnsupportedError("no derivative passes here", expr.span, *say.NO_NUMBERS)

    def _index(self, expr: Index, bar: Expr) -> None:
        if is_path(expr):
            self.adds.append(Add(expr, bar))
            return
        base = expr.base
        raise UnsupportedError(
            "can't follow the derivative into this subscript",
            expr.span,
            f"it is a subscript of {type(base).__name__.lower()}",
            "give the subscripted value a name",
        )

    def _sequence(self, items: tuple[Expr, ...], bar: Expr) -> None:
        """A display: each item takes its entry of the cotangent."""
        if isinstance(bar, nodes.Sequence):
            for item, part in zip(items, bar.items, strict=True):
                self.push(item, part)
            return
        active = [i for i, item in enumerate(items) if self.active(item)]
        if len(active) > 1 or (len(active) == 1 and not isinstance(bar, Var)):
            bar = self.bind("parts_bar", bar)
        for i in active:
            self.push(items[i], entry_of(bar, i, items[i].type))

    def _mapping(self, keys: tuple[Expr, ...], values: tuple[Expr, ...], bar: Expr) -> None:
        """A dict display: each value takes its entry of the cotangent."""
        if isinstance(bar, nodes.Mapping):
            for value, part in zip(values, bar.values, strict=True):
                self.push(value, part)
            return
        bar = self.bind("entries_bar", bar)
        for key, value in zip(keys, values, strict=True):
            self.push(value, value_of(bar, key, value.type))

    # --- operations --------------------------------------------------------------------------
    def _call(self, call: Call, bar: Expr) -> None:
        if call.function in PASSES:
            self._pass_through(call, bar)
            return
        if call.function is np.array and isinstance(call.args[0].type, List | Tuple):
            self._stacked(call, self.full(bar, call))
            return
        rule = rule_of_call(call)
        if rule is None or isinstance(call.function, str):
            raise MissingRuleError(_name(call), call.span, of_an_object(call))
        if rule.kind == "not_yet":
            raise MissingRuleError(rule.name, call.span, rule.why)
        self._apply(rule, bound_arguments(rule, call), call, bar)

    def _pass_through(self, call: Call, bar: Expr) -> None:
        if call.function in ("attribute", "and", "or"):
            what = f"no derivative passes through '{call.text}' here"
            about = say.ABOUT_ARRAYS if call.function == "attribute" else say.ONE_OF_TWO
            raise UnsupportedError(what, call.span, *about)
        if call.function == "list+":
            self._joined(call, bar)
            return
        argument = call.args[0]
        if call.function == "list*":
            bar = Call(s2sgrad_runtime.fold, "fold", (bar, argument), type=argument.type)
        if call.function is list and isinstance(argument.type, Array | Number):
            helper = s2sgrad_runtime.stack_bar
            bar = Call(helper, "stack_bar", (bar, argument), type=argument.type)
        if call.function in (float, complex) and isinstance(argument.type, Array):
            bar = Call(s2sgrad_runtime.unreduce, "unreduce", (bar, argument), type=argument.type)
        self.push(argument, bar)

    def _joined(self, call: Call, bar: Expr) -> None:
        """`a + b` of lists: each takes its part of the cotangent."""
        first, second = call.args
        bar = self.bind("joined_bar", bar)
        size = len(first.items) if isinstance(first, nodes.Sequence) else None
        cut: Expr = Call(len, "len", (first,), type=INT) if size is None else constant(size)
        for part, (low, high) in ((first, (None, cut)), (second, (cut, None))):
            if isinstance(part, nodes.Sequence):
                start = 0 if part is first else -len(part.items)
                for i, item in enumerate(part.items):
                    self.push(item, entry_of(bar, i + start, item.type))
            else:
                piece = nodes.Slice(low, high, None, type=Opaque("slice"))
                self.push(part, Index(bar, (piece,), type=part.type))

    def _stacked(self, call: Call, bar: Expr) -> None:
        """np.array of (nested) lists of numbers."""
        argument = call.args[0]
        if isinstance(argument, nodes.Sequence):
            self._nested(argument, bar, ())
            return
        self.push(argument, unstacked(bar, argument, self.facts.activity.has_complex))

    def _nested(self, items: nodes.Sequence, bar: Expr, index: tuple[Expr, ...]) -> None:
        if not isinstance(bar, Var):
            bar = self.bind("array_bar", bar)
        for i, item in enumerate(items.items):
            here = (*index, constant(i))
            if isinstance(item, nodes.Sequence):
                self._nested(item, bar, here)
            else:
                row, doubtful = build.index(bar, *here), self.facts.activity.has_complex
                self.push(item, unstacked(row, item, doubtful))

    def _apply(self, rule: Rule, bound: dict[str, Any], call: Call, bar: Expr) -> None:
        exprs = {name: self._parameter(value) for name, value in bound.items()}
        known = rule.partials
        wanted = [(a, known[a]) for a in rule.arguments if a in known and self.active(exprs[a])]
        others = [a for a in rule.parameters if a not in known and a not in rule.shape_only]
        missing = [a for a in others if self.active(exprs[a])]
        if missing:
            raise MissingRuleError(rule.name, call.span, "", call.function, told(rule, missing[0]))
        if rule.kind == "structural" and not takes_small(call, bar):
            bar = self.full(bar, call)
        wanted = [(a, p) for a, p in wanted if not p.flat]
        steep = {a: self.facts.masking.steep(rule, p, {**exprs, "y": call}) for a, p in wanted}
        mask, bar = self.mask_of(rule, call, bar, any(steep.values()), exprs)
        often = bool(rule.sequences) or sum(uses(p, "y_bar") for _, p in wanted) > 1
        if often and not isinstance(bar, Var | Const | nodes.Sequence):
            bar = self.bind(f"{label_of(call)}_bar", bar)
        outside = self.masked, self.mask, self.unbounded, self.twice
        chooses = self.facts.masking.leaves_out(call)
        self.twice, self.masked = (self.masked if chooses else self.twice), self.masked or chooses
        self.unbounded = self.unbounded or rooted(call)
        doubtful = self.facts.activity.has_complex
        conjugate = rule.holomorphic and any_complex(call, *exprs.values(), doubtful=doubtful)
        y = self.results.get(id(call), call)
        if sum(uses(p, "y") for _, p in wanted) > 1:
            y = self.bind(label_of(call), y)  # it is computed again, but once
        env = {**exprs, "y": y, "y_bar": conjugated(bar) if conjugate else bar}
        shared = shared_setup([p for _, p in wanted])
        for argument, partial in wanted:
            wide = wide_of(rule, call.type)
            inliner = Inliner(env, partial.scope, self.bind, self.facts.sizes, wide, call)
            value = inliner.partial(partial, shared)
            env |= {name: inliner.env[name] for name in shared if name in inliner.env}
            target = exprs[argument]
            if argument in rule.sequences and isinstance(target.type, Array):
                value = of_rows(value, target)
            value = as_listed(value, target, self.facts.taped)
            value = conjugated(value) if conjugate else value
            pending = mask.condition or outside[1] is mask or steep[argument]
            value = self.guarded(value, target, call, mask if pending else NO_MASK)
            if outside[2]:
                value = self.finite(rule, argument, value, call, y)
            if isinstance(target.type, List | Tuple):
                value = real_items(value, target, call, doubtful)
            if rule.kind == "elementwise":
                whole = only_array(target, call) and mentions(value, target, y)
                if not whole and covers(bar, call):
                    value = shaped_as(value, call)
                elif not whole:
                    value = self._spread(value, call)
                value = self.fit(value, target, call)
            else:
                value = self._real(value, target)
                if rule.extra.get("by_user") and is_number(target.type):
                    value = self._summed_down(value, target)
                if isinstance(target.type, Array | Scalar) and not sizes.known(
                    shape_of(value.type)
                ):
                    value = replace(value, type=target.type)
            self.push(target, value)
        self.masked, self.mask, self.unbounded, self.twice = outside

    def _parameter(self, value: Any) -> Expr:
        if isinstance(value, Expr):
            return value
        if isinstance(value, tuple) and any(isinstance(v, Expr) for v in value):
            items = tuple(self._parameter(v) for v in value)
            return nodes.Sequence("tuple", items, type=Tuple(tuple(i.type for i in items)))
        if isinstance(value, tuple):
            items = tuple(constant(v) for v in value)
            return nodes.Sequence("tuple", items, type=Tuple(tuple(i.type for i in items)))
        return constant(value, qualified_name(value) if callable(value) else "")

    # --- shapes ------------------------------------------------------------------------------
    def full(self, bar: Expr, like: Expr) -> Expr:
        """A cotangent in the whole shape of its value."""
        if isinstance(bar, nodes.Sequence) or not is_number(like.type):
            return bar
        if isinstance(like.type, Scalar) or build.same_shape(bar.type, like.type):
            return bar
        known, whole = shape_of(bar.type), sizes.known(shape_of(like.type))
        if known is None or not sizes.known(known) or not build.fits(bar.type, like.type):
            counted = whole or not isinstance(bar.type, Scalar)
            if counted and not build.flatter(bar.type, like.type):
                return bar  # a cotangent of unknown shape has its value's shape already
        shape = self.facts.sizes.shape(like if whole else self.results.get(id(like), like))
        kind = like.type if isinstance(like.type, Array) else Array("float64", None)
        if isinstance(bar.type, Scalar):
            return build.filled(shape, bar, kind)
        return Call(np.broadcast_to, "np.broadcast_to", (bar, shape), type=kind)

    def _spread(self, value: Expr, result: Expr) -> Expr:
        """A partial made from a small cotangent, where it is not proven to broadcast later."""
        wide, small = shape_of(result.type), shape_of(value.type)
        if isinstance(result.type, Scalar) or isinstance(value.type, Scalar):
            return value
        if build.same_shape(value.type, result.type) or build.fits(value.type, result.type):
            return value
        if wide is None or small is None or len(wide) == 0:
            return value
        shape = self.facts.sizes.shape(result)
        return Call(np.broadcast_to, "np.broadcast_to", (value, shape), type=result.type)

    def fit(self, value: Expr, target: Expr, result: Expr) -> Expr:
        """Sum an elementwise partial down to its argument's shape, where that is smaller."""
        target = present(target)
        value = self._real(value, target)
        to, of = target.type, result.type
        if isinstance(of, Scalar) or build.same_shape(to, of) or alike(target, result, self.above):
            return value
        if only_array(target, result):  # of an unknown shape: nothing could spread it later
            return self.full(value, result) if build.flatter(value.type, to) else value
        if isinstance(to, Number) or isinstance(of, Number) or None in (shape_of(to), shape_of(of)):
            return self._unbroadcast(self.full(value, result), target)
        if build.wide(to, of):  # only axes of length 1 are broadcast
            return value if build.wide(value.type, of) else self.full(value, result)
        axes = summed_axes(shape_of(to), shape_of(of))  # type: ignore[arg-type]
        value = self.full(value, result)
        if axes is None:
            return self._unbroadcast(value, target)
        leading, kept = axes
        if leading == len(shape_of(of) or ()):
            return build.call(np.sum, "np.sum", value)
        if leading:
            value = build.call(np.sum, "np.sum", value, axis=axes_literal(tuple(range(leading))))
        if kept:
            value = build.call(
                np.sum, "np.sum", value, axis=axes_literal(kept), keepdims=constant(True)
            )
        return value

    def _summed_down(self, value: Expr, target: Expr) -> Expr:
        """What a user's rule gives for an argument: it may have left broadcasting to us."""
        if build.same_shape(value.type, target.type):
            return value
        return self._unbroadcast(value, target)

    def _unbroadcast(self, value: Expr, target: Expr) -> Expr:
        parts = (value, thin(target))
        return Call(s2sgrad_runtime.unbroadcast, "unbroadcast", parts, type=target.type)

    def _real(self, value: Expr, target: Expr) -> Expr:
        activity = self.facts.activity
        return projected(value, target, activity.has_complex, not activity.may_be_real)


def _name(call: Call) -> str:
    return call.text if isinstance(call.function, str) else qualified_name(call.function)


def combined(adds: list[Add]) -> list[Add]:
    """Additions to the same place become one."""
    result: list[Add] = []
    for add in adds:
        for i, other in enumerate(result):
            if other.place == add.place and build.same_shape(other.value.type, add.value.type):
                result[i] = Add(add.place, build.binary("+", other.value, add.value))
                break
        else:
            result.append(add)
    return result

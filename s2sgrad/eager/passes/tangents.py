"""How a tangent passes through an operation: by its rule, by linearity, or by transposing.

Also what transforms need to know of graphs: aliases with their tangents, and where a graph leads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from s2sgrad.eager.passes.backward import grad
from s2sgrad.eager.passes.edges import parents_of
from s2sgrad.eager.recording.cotangents import is_complex, of_argument
from s2sgrad.eager.recording.record import Op, apply, lifted_partial
from s2sgrad.eager.settings.state import STATE, from_numpy_code, refresh
from s2sgrad.eager.tensors.tensor import LEAF, Tensor, floats, wrap
from s2sgrad.eager.tensors.views import view
from s2sgrad.errors import MissingRuleError
from s2sgrad.rules.naming import told

if TYPE_CHECKING:
    from s2sgrad.eager.passes.dual_levels import Level


class Tangents:
    """One operation seen by one level: sums the contributions of its arguments."""

    def __init__(self, level: Level, op: Op, args: Any, kwargs: Any, outputs: Any) -> None:
        self.level, self.op, self.outputs = level, op, outputs
        self.args, self.kwargs = args, kwargs
        self.rule = op.rule

    def of_outputs(self) -> Any:
        """The tangent of the output; a list of them for several; None for zero."""
        rule = self.rule
        if rule.kind == "not_yet":
            raise MissingRuleError(rule.name, why=rule.why)
        if rule.kind == "zero" and isinstance(self.outputs, Tensor):
            return wrap(np.zeros_like(self.outputs._array))
        if rule.kind in ("none", "zero"):
            return None
        if isinstance(self.outputs, Tensor) and self.outputs._view is not None:
            x_dot = self.level.get(self.args[0])
            return None if x_dot is None else view(self.op, x_dot, *self.args[1:])
        self.bound = rule.bind(self.args, self.kwargs)
        total: Any = None
        for argument, value in self.bound.items():
            if argument not in rule.shape_only and self.level.any_tangent((value,)):
                self.check(argument)
                part = self.contribution(argument, value)
                total = part if total is None else self.added(total, part)
        return self.shaped(total)

    def check(self, argument: str) -> None:
        """MissingRuleError for an argument through which the rule has no derivative."""
        rule = self.rule
        if argument not in {*rule.tangents, *rule.linear, *rule.partials}:
            raise MissingRuleError(rule.name, argument=told(rule, argument))

    def added(self, a: Any, b: Any) -> Any:
        if isinstance(a, (list, tuple)):
            return [
                y if x is None else x if y is None else x + y for x, y in zip(a, b, strict=True)
            ]
        return b if a is None else a if b is None else a + b

    def shaped(self, dots: Any) -> Any:
        """Tangents in the shape, dtype and memory of their outputs."""
        if isinstance(self.outputs, Tensor):
            return self.own(fit(dots, self.outputs))
        if dots is None:
            return None
        return [self.own(fit(d, y)) for d, y in zip(dots, self.outputs, strict=True)]

    def own(self, dot: Tensor | None) -> Tensor | None:
        """A tangent in memory of its own: writing to the output must not reach an input's."""
        if dot is None or (dot._array.base is None and not self.is_input_tangent(dot)):
            return dot
        return dot.clone()

    def is_input_tangent(self, dot: Tensor) -> bool:
        return any(dot is self.level.get(a) for a in (*self.args, *self.kwargs.values()))

    def contribution(self, argument: str, value: Any) -> Any:
        """What one argument adds: by its declared tangent, by linearity, or by its partial."""
        rule = self.rule
        if argument in rule.tangents:
            return self.declared(argument, self.dot_of(value))
        if argument in rule.linear and rule.kind != "elementwise":
            return self.linear(argument, self.dot_of(value))
        real = rule.holomorphic or not any(map(is_complex, (self.outputs, value)))
        if real and rule.kind == "elementwise" and argument in rule.partials:
            return self.elementwise(argument, self.dot_of(value))
        if argument in rule.linear:
            return self.linear(argument, self.dot_of(value))
        return self.transposed(argument, value)

    def dot_of(self, value: Any) -> Any:
        """The tangent of an argument; zeros for entries of a sequence that have none."""
        if isinstance(value, (list, tuple)):
            return [self.dot_or_zeros(entry) for entry in value]
        return self.level.get(value)

    def dot_or_zeros(self, entry: Any) -> Any:
        if isinstance(entry, (list, tuple)):
            return self.dot_of(entry)
        dot = self.level.get(entry)
        like = entry._array if isinstance(entry, Tensor) else entry
        return wrap(np.zeros_like(like)) if dot is None else dot

    def declared(self, argument: str, dot: Any) -> Any:
        partial = self.rule.tangents[argument]
        values = {**self.bound, "y": self.outputs, f"{argument}_dot": dot}
        fn = lifted_partial(self.rule, partial, {})
        with from_numpy_code():
            return fn(*(values.get(p) for p in partial.parameters))

    def linear(self, argument: str, dot: Any) -> Any:
        """The function itself, applied to the tangent in place of the argument."""
        bound = {**self.bound, argument: dot}
        variadic = self.rule.variadic
        before = tuple(self.rule.parameters).index(argument) if variadic == argument else 0
        for name in self.rule.affine:
            bound.pop(name, None)
        if variadic == argument:
            names = self.rule.parameters[:before]
            rest = {n: v for n, v in bound.items() if n not in names and n != argument}
            return apply(self.op, (*(bound[n] for n in names), *dot), rest)
        args, kwargs = list(self.args), dict(self.kwargs)
        if argument in kwargs:
            kwargs[argument] = dot
        else:
            args[self.rule.parameters.index(argument)] = dot
        for name in self.rule.affine:
            kwargs.pop(name, None)
            position = self.rule.parameters.index(name)
            args = args[:position]
        return apply(self.op, tuple(args), kwargs)

    def elementwise(self, argument: str, dot: Any) -> Any:
        parameters = (self.bound[name] for name in self.rule.parameters)
        return self.op.lifted(argument)(dot, self.outputs, *parameters)

    def transposed(self, argument: str, value: Any) -> Any:
        """The transpose of the cotangent's rule: `x_bar(u)` is linear in u, differentiate it."""
        single = isinstance(self.outputs, Tensor)
        outputs = (self.outputs,) if single else tuple(self.outputs)
        entries = value if isinstance(value, (list, tuple)) else (value,)
        before = STATE.grad
        STATE.grad = True
        refresh()
        try:
            us = [wrap(np.zeros_like(y._array), LEAF, Probe) for y in outputs]
            values = {**self.bound, "y": self.outputs}
            y_bar = us[0] if single else us
            x_bar = of_argument(self.op, argument, y_bar, values, True)
            bars = x_bar if isinstance(x_bar, (list, tuple)) else (x_bar,)
            pairs = [
                (b, self.level.get(v))
                for b, v in zip(bars, entries, strict=True)
                if isinstance(b, Tensor) and b.requires_grad
            ]
            pairs = [(b, d) for b, d in pairs if d is not None]
            if not pairs:
                return None if single else [None] * len(us)
            xs, dots = zip(*((b, fit(d, b)) for b, d in pairs), strict=True)
            found = grad(xs, us, dots, create_graph=before or STATE.duals is not None,
                         allow_unused=True)  # fmt: skip
        finally:
            STATE.grad = before
            refresh()
        ends = [
            alias(f) if f is not None and f.requires_grad and not leads_outside((f,), set()) else f
            for f in found
        ]
        return ends[0] if single else ends


def fit(dot: Any, y: Any) -> Tensor | None:
    """A tangent in the shape and dtype of its value; a flag among the results has none."""
    if dot is None or not isinstance(y, Tensor) or not floats(y._array.dtype):
        return None
    if not isinstance(dot, Tensor):
        dot = wrap(np.asarray(dot))
    if dot._array.dtype != y._array.dtype:
        dot = dot.to(y.dtype)
    if dot._array.shape != y._array.shape:
        dot = dot.expand(y._array.shape)
    return dot


class Probe(Tensor):
    """A leaf for whose gradient nobody else asks: a zero cotangent that only serves to
    differentiate a linear map, or the input of a transform whose function has returned."""

    __slots__ = ()


def leads_outside(outputs: Sequence[Any], own: set[int]) -> bool:
    """Whether a graph reaches a leaf without passing an edge whose id is in `own`."""
    stack = [y._edge() for y in outputs if isinstance(y, Tensor)]
    seen = set()
    while stack:
        edge = stack.pop()
        if edge is None or id(edge) in own or id(edge) in seen:
            continue
        if isinstance(edge, Tensor):
            if isinstance(edge, Probe):
                continue
            return True
        seen.add(id(edge))
        stack.extend(parents_of(edge))
    return False


def alias(t: Tensor, node: Any = None) -> Tensor:
    """A new tensor on the same memory, with the tangents of `t` at every active level."""
    made = wrap(t._array[...], node)
    if t._inference == made._inference:
        made._vc = t._vc
    if STATE.duals is not None:
        STATE.duals.same(made, t)
    return made

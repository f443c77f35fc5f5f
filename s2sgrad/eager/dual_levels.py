"""Forward mode: what each dual level knows, and how a tangent passes through an operation.

A tangent belongs to an array object, not to a tensor: a value saved for the backward pass keeps
its tangent, so forward mode over reverse mode needs nothing else. Levels form a chain; while one
computes tangents, the next outer one is active and sees these computations too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.eager.backward import grad
from s2sgrad.eager.cotangents import is_complex, of_argument
from s2sgrad.eager.engine import parents_of
from s2sgrad.eager.record import Op, apply, lifted_helpers
from s2sgrad.eager.state import STATE, refresh
from s2sgrad.eager.tensor import LEAF, Tensor, floats, wrap
from s2sgrad.eager.views import in_order, view
from s2sgrad.errors import MissingRuleError

OTHER_SIZE = (
    "Trying to set a forward gradient that has a different size than that of the original Tensor,"
    " this is not supported. Tensor is of size {} while the given forward gradient is of size {}."
)


class Level:
    """The tangents of one dual level. `outer` is the level around it, or None."""

    def __init__(self, outer: Level | None) -> None:
        self.outer = outer
        self.table: dict[int, tuple[Any, Tensor]] = {}  # id(array) -> (array, tangent)

    def get(self, value: Any) -> Tensor | None:
        """The tangent of a tensor at this level, or None."""
        if not isinstance(value, Tensor):
            return None
        found = self.table.get(id(value._array))
        return None if found is None else found[1]

    def set(self, t: Tensor, tangent: Tensor | None) -> None:
        """Give a tensor a tangent (None: take it away)."""
        if tangent is None:
            self.table.pop(id(t._array), None)
        else:
            self.table[id(t._array)] = (t._array, tangent)

    @contextmanager
    def outside(self) -> Iterator[None]:
        """A block in which only the outer levels are active."""
        before = STATE.duals
        STATE.duals = self.outer
        refresh()
        try:
            yield
        finally:
            STATE.duals = before
            refresh()

    def same(self, made: Tensor, t: Tensor, copied: bool = False) -> None:
        """Give `made` the tangents of `t` at this level and all outer ones.

        copied: in memory of their own, as `made` itself is; else the two share memory.
        """
        level: Level | None = self
        while level is not None:
            dot = level.get(t)
            if copied and dot is not None:
                with level.outside():
                    dot = dot.clone()
            level.set(made, dot)
            level = level.outer

    # ------------------------------------------------------------ called by the operations

    def propagate(self, op: Op, args: Any, kwargs: dict[str, Any], outputs: Any) -> None:
        """Compute the tangents of an operation's outputs from those of its inputs."""
        with self.outside():
            if self.outer is not None:
                self.outer.propagate(op, args, kwargs, outputs)
            if not self.any_tangent((*args, *kwargs.values())):
                return
            if isinstance(outputs, Tensor) and not floats(outputs._array.dtype):
                return
            self.store(outputs, Tangents(self, op, args, kwargs, outputs).of_outputs())

    def propagate_function(self, cls: Any, node: Any, args: Any, result: Any) -> None:
        """The same for a user's Function, by its `jvp`."""
        with self.outside():
            if self.outer is not None:
                self.outer.propagate_function(cls, node, args, result)
            if not self.any_tangent(args):
                return
            dots = []
            for a in args:
                dot = self.get(a)
                if dot is None and isinstance(a, Tensor) and node.materialize_grads:
                    dot = wrap(np.zeros_like(a._array))
                dots.append(dot)
            found = cls.jvp(node, *dots)
            check_jvp(result, found)
            self.store(result, found)

    def moved(self, t: Tensor, result: Any) -> None:
        """`t` has been overwritten with `result`: its tangent is now the tangent of that."""
        with self.outside():
            if self.outer is not None:
                self.outer.moved(t, result)
            new, old = self.get(result), self.get(t)
            if new is None and old is None:
                return
            if old is None:
                old = self._blank(t)
            old.copy_(0 if new is None else new)

    def _blank(self, t: Tensor) -> Tensor:
        """A zero tangent for `t`: a part of its base's tangent where `t` is a view."""
        info = t._view
        if info is None:
            made = wrap(np.zeros_like(t._array))
        else:
            made = self.get(info.base)
            if made is None:
                made = wrap(np.zeros_like(info.base._array))
                self.set(info.base, made)
            for op, arguments in in_order(info.steps):
                made = view(op, made, *arguments)
        self.set(t, made)
        return made

    def any_tangent(self, values: Any) -> bool:
        """Whether a value, or an entry of one, has a tangent here."""
        if not self.table:
            return False
        for value in values:
            if isinstance(value, Tensor):
                if id(value._array) in self.table:
                    return True
            elif isinstance(value, (list, tuple)) and self.any_tangent(value):
                return True
        return False

    def store(self, outputs: Any, dots: Any) -> None:
        """Remember the tangents of one output or of several."""
        if isinstance(outputs, Tensor):
            dots = dots[0] if isinstance(dots, tuple) and len(dots) == 1 else dots
            if dots is not None:
                self.set(outputs, dots)
        elif dots is not None:
            for out, dot in zip(outputs, dots, strict=True):
                if isinstance(out, Tensor) and dot is not None:
                    self.set(out, dot)


def check_jvp(result: Any, dots: Any) -> None:
    """What a Function's `jvp` gave must be like the result."""
    results = result if isinstance(result, tuple) else (result,)
    listed = dots if isinstance(dots, tuple) else (dots,)
    if len(results) != len(listed):
        raise RuntimeError(
            "Function's jvp returned an invalid number of forward gradients (expected "
            f"{len(results)} but got {len(listed)})"
        )
    for i, (y, dot) in enumerate(zip(results, listed, strict=True)):
        if dot is not None and not isinstance(dot, Tensor):
            kind = type(dot).__name__
            raise RuntimeError(f"expected Variable or None (got {kind}) for grad output {i}.")
        if dot is not None and dot._array.shape != y._array.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the "
                f"original Tensor, this is not supported. Tensor is of size "
                f"{list(y._array.shape)} while the given forward gradient is of size "
                f"{list(dot._array.shape)}."
            )


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
        if rule.kind in ("none", "zero"):
            return None
        if isinstance(self.outputs, Tensor) and self.outputs._view is not None:
            x_dot = self.level.get(self.args[0])
            return None if x_dot is None else view(self.op, x_dot, *self.args[1:])
        self.bound = rule.bind(self.args, self.kwargs)
        total: Any = None
        for argument in rule.arguments:
            value = self.bound.get(argument)
            if self.level.any_tangent((value,)):
                part = self.contribution(argument, value)
                total = part if total is None else self.added(total, part)
        return self.shaped(total)

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
            dots = [self.level.get(v) for v in value]
            return [
                wrap(np.zeros_like(v._array if isinstance(v, Tensor) else v)) if d is None else d
                for v, d in zip(value, dots, strict=True)
            ]
        return self.level.get(value)

    def declared(self, argument: str, dot: Any) -> Any:
        partial = self.rule.tangents[argument]
        scope = {**partial.scope, **lifted_helpers()}
        values = {**self.bound, "y": self.outputs, f"{argument}_dot": dot}
        return replace(partial, scope=scope).fn(*(values.get(p) for p in partial.parameters))

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


def fit(dot: Any, y: Tensor) -> Tensor | None:
    """A tangent in the shape and dtype of its value."""
    if dot is None or not floats(y._array.dtype):
        return None
    if not isinstance(dot, Tensor):
        dot = wrap(np.asarray(dot))
    if dot._array.dtype != y._array.dtype:
        dot = dot.to(y.dtype)
    if dot._array.shape != y._array.shape:
        dot = dot.expand(y._array.shape)
    return dot


class Probe(Tensor):
    """A zero cotangent that only serves to differentiate a linear map; nobody asks for its own."""

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
    made._vc = t._vc
    if STATE.duals is not None:
        STATE.duals.same(made, t)
    return made


@contextmanager
def new_level() -> Iterator[Level]:
    """A block with one more dual level."""
    before = STATE.duals
    STATE.duals = level = Level(before)
    refresh()
    try:
        yield level
    finally:
        STATE.duals = before
        refresh()

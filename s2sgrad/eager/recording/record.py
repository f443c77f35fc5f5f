"""Apply a function of the rule table to tensors and record it: the general path.

Everything works here: keywords, sequences, complex numbers, several results, saved-tensor hooks,
forward mode. The generated fast paths of `fastpath` fall back to it.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.eager.batches.array import ARRAYS, Batched, NeedsExamples
from s2sgrad.eager.batches.examples import call
from s2sgrad.eager.batches.helpers import batched_helpers
from s2sgrad.eager.recording.among import among
from s2sgrad.eager.recording.keeping import any_edge, has_saved, has_tensor, keep, plain, unpack
from s2sgrad.eager.recording.names import node_name
from s2sgrad.eager.recording.node import Node, Output, in_passing_order, next_order
from s2sgrad.eager.recording.saved import freed, stub
from s2sgrad.eager.recording.swift import GRAPH_SCOPE, compiled
from s2sgrad.eager.recording.two_bytes import narrowed, two_bytes, widened
from s2sgrad.eager.settings.floating import Silence
from s2sgrad.eager.settings.interception import intercept
from s2sgrad.eager.settings.state import STATE, Anomaly
from s2sgrad.eager.tensors.tensor import LEAF, Tensor, floats, wrap
from s2sgrad.errors import MissingRuleError
from s2sgrad.rules import Rule, lookup
from s2sgrad.rules.declare import qualified_name
from s2sgrad.rules.naming import told
from s2sgrad.rules.slicing import Partial


class NestedResult(MissingRuleError):
    """Results in nested lists can't be recorded as the outputs of one node."""


class Op:
    """A function with its rule, and the node classes made from them."""

    def __init__(self, function: Any, rule: Rule, name: str | None = None) -> None:
        self.function, self.rule = function, rule
        self.name = name or node_name(rule.name)
        base = Undefined if self.name == "NotImplemented" else RuleNode
        self.node_class = type(self.name, (base,), {"__slots__": (), "op": self})
        self.shown: Any = None  # what `next_functions` shows where torch's node has other inputs
        self.turned: tuple[str, ...] = ()  # arguments of which torch's function keeps the transpose
        self._lifted: dict[str, Any] = {}
        self._quick: dict[str, Any] = {}
        self._batched: dict[str, Any] = {}
        self._wanted: dict[Any, Any] = {}
        self.plain_zeros = False  # whether torch's derivative has 0 where a product would have -0
        self.leaves_out = function is s2sgrad_runtime.masked  # or np.where, called as NumPy's

    def partial(self, argument: str) -> Partial | None:
        """The slice of the rule for one argument, None where it has no derivative."""
        return self.rule.partials.get(argument)

    def wanted(self, arguments: frozenset[str]) -> tuple[set[str], set[str]]:
        """What the partials of these arguments read by value, and by shape only."""
        found = self._wanted.get(arguments)
        if found is None:
            partials = [p for p in map(self.rule.partials.get, arguments) if p is not None]
            reads = {name for p in partials for name in p.reads}
            found = self._wanted[arguments] = reads, {name for p in partials for name in p.shapes}
        return found

    def quick(self, argument: str) -> Any:
        """The partial's function for arrays."""
        found = self._quick.get(argument)
        if found is None:
            found = self._quick[argument] = compiled(self.rule, argument)
        return found

    def batched(self, argument: str) -> Any:
        """The partial's function for batches: NumPy functions and the helpers as they are."""
        found = self._batched.get(argument)
        if found is None:
            partial = self.rule.partials[argument]
            scope = {**partial.scope, **batched_helpers(partial.scope)}
            found = self._batched[argument] = replace(partial, scope=scope).fn
        return found

    def lifted(self, argument: str) -> Any:
        """The partial's function with runtime helpers that record when given tensors."""
        found = self._lifted.get(argument)
        if found is None:
            partial = self.rule.partials[argument]
            found = self._lifted[argument] = lifted_partial(self.rule, partial, GRAPH_SCOPE)
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return apply(self, args, kwargs)


_OPS: dict[Any, Op] = {}
USERS_RULES = "s2sgrad.eager.numpy_code.users_rules"
_HELPERS: dict[str, Any] = {}


def op_of(function: Any, name: str | None = None) -> Op:
    """The one Op of a function; MissingRuleError where the table has no rule for it."""
    found = _OPS.get((function, name))
    if found is None:
        rule = lookup(function)
        if rule is None:
            raise MissingRuleError(qualified_name(function))
        found = _OPS[function, name] = Op(function, rule, name)
    return found


def lifted_helpers() -> dict[str, Any]:
    """The runtime helpers, wrapped so that a call with tensors is recorded."""
    if len(_HELPERS) != len(s2sgrad_runtime.__all__):
        for name in s2sgrad_runtime.__all__:
            helper = getattr(s2sgrad_runtime, name)
            _HELPERS[name] = lift(helper) if callable(helper) else helper
    return _HELPERS


def lifted_partial(rule: Rule, partial: Partial, further: dict[str, Any]) -> Any:
    """A slice of a rule as a function of tensors; `further`: other helpers that it may use."""
    if rule.extra.get("by_user"):
        return importlib.import_module(USERS_RULES).on_tensors(partial.fn)
    return replace(partial, scope={**partial.scope, **lifted_helpers(), **further}).fn


def lift(helper: Any) -> Any:
    """`helper`, recorded by its own rule when an argument is a tensor.

    A helper without a rule runs as it is: its NumPy calls are then recorded one by one, and its
    calls of other helpers, which have rules.
    """

    def lifted(*args: Any, **kwargs: Any) -> Any:
        if any(has_tensor(a) for a in args) or any(has_tensor(a) for a in kwargs.values()):
            rule = lookup(helper)
            if rule is not None:
                try:
                    return apply(op_of(helper), args, kwargs)
                except NestedResult:
                    pass
            return among(helper, lifted_helpers)(*args, **kwargs)
        return helper(*args, **kwargs)

    lifted.__name__ = getattr(helper, "__name__", "helper")
    return lifted


def wrapped(result: Any) -> Any:
    """Results as tensors; tuples stay tuples of the same class."""
    if isinstance(result, (np.ndarray, np.generic, Batched)):
        return wrap(result)
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*map(wrapped, result))
    if isinstance(result, (list, tuple)):
        return type(result)(wrapped(r) for r in result)
    return result


def apply(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`op.function(*args, **kwargs)` on the tensors' arrays, recorded where it matters."""
    if STATE.interceptors:
        return intercept(op, args, kwargs, lambda: apply(op, args, kwargs))
    arrays = [plain(a) for a in args]
    options = {k: plain(v) for k, v in kwargs.items()} if kwargs else kwargs
    short = two_bytes(arrays) if op.function is not np.astype else None
    with Silence():
        try:
            given = arrays if short is None else list(map(widened, arrays))
            try:
                result = op.function(*given, **options)
            except NeedsExamples:
                result = call(op.function, given, options)
        except np.exceptions.AxisError as error:
            raise out_of_range(error) from None
        if short is not None:
            result = narrowed(result, short)
    if isinstance(result, (float, complex)) and op.rule.kind != "none":
        result = np.asarray(result)
    outputs = wrapped(unshared(result, [*arrays, *options.values()] if options else arrays))
    if op.rule.kind != "none":
        if STATE.grad and not STATE.inference and any_edge(args, kwargs):
            record(op, args, kwargs, outputs)
        if STATE.duals is not None:
            STATE.duals.propagate(op, args, kwargs, outputs)
    return outputs


def out_of_range(error: Any) -> IndexError:
    """NumPy's error for an axis that is not there in torch's words."""
    n = max(error.ndim, 1)
    return IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but "
                      f"got {error.axis})")  # fmt: skip


def unshared(result: Any, arrays: list[Any]) -> Any:
    """A result in memory of its own: NumPy gives views (flip, diag) where torch copies.

    Views that share memory on purpose are made by `views.view`, which keeps track of them.
    """
    if isinstance(result, (list, tuple)):
        if hasattr(result, "_fields"):
            return type(result)(*(unshared(r, arrays) for r in result))
        return type(result)(unshared(r, arrays) for r in result)
    if result.__class__ not in ARRAYS:
        return result
    if result.base is None and all(result is not a for a in arrays):
        return result
    if result.__class__ is Batched and result.shared:
        return result
    shared = any(a.__class__ in ARRAYS and np.may_share_memory(result, a) for a in arrays)
    return result.copy() if shared else result


def record(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], outputs: Any) -> Any:
    """Make the node of an applied op and hang its outputs on it; returns the node."""
    if op.rule.kind == "not_yet":
        raise MissingRuleError(op.rule.name, why=op.rule.why)
    if (
        op.name in ("SignBackward0", "SgnBackward0") and args[0].is_complex()
    ):  # x / |x| is flat for real x only
        from s2sgrad.eager.operations.primitives import unit_array

        op = op_of(unit_array, "SgnBackward0")
    if op.rule.declaration is None:  # flat almost everywhere: any argument will do
        bound = {f"argument {i}": value for i, value in enumerate((*args, *kwargs.values()))}
    else:
        bound = op.rule.bind(args, kwargs)
    node = op.node_class()
    node.order, node.hooks = next_order(), None
    node.capture(bound, outputs)
    if not op.rule.shape_only or any(p is not None for p in node.parents):
        attach(node, outputs)
    if Anomaly.enabled:
        from s2sgrad.eager.passes.anomaly import remember_place

        remember_place(node)
    return node


def attach(node: Node, outputs: Any) -> None:
    """Make `node` the history of the outputs that can carry a derivative."""
    if isinstance(outputs, Tensor):
        if floats(outputs._array.dtype):
            outputs._node = node
        return
    node.outputs = len(outputs)
    if any(isinstance(out, (list, tuple)) for out in outputs):
        raise NestedResult(type(node).__name__, why="its results are lists inside lists")
    for index, out in in_passing_order(outputs):
        if isinstance(out, Tensor) and floats(out._array.dtype):
            out._node = Output.of(node, index)


class RuleNode(Node):
    """A node whose derivative is the rule of `op`.

    saved: parameter name -> saved value, "y" included. slots: per parent, the argument name (and
    the path in it, for sequences), with shape and dtype of that input.
    """

    __slots__ = ("slots",)
    op: Op

    def capture(self, bound: dict[str, Any], outputs: Any) -> None:
        """Keep what the partials of the tracked arguments read."""
        rule = self.op.rule
        self.parents, self.slots = parents_of(rule, bound)
        if isinstance(outputs, (list, tuple)):
            self.outputs = len(outputs)
        tracked = [s[0] for s, p in zip(self.slots, self.parents) if p is not None]  # noqa: B905
        reads, shapes = self.op.wanted(frozenset(tracked))
        saved: dict[str, Any] = {}
        for name in reversed(bound):
            saved[name] = keep(bound[name], name in reads, name in shapes)
        saved["y"] = keep(outputs, "y" in reads, "y" in shapes, "self", self)
        if self.outputs > 1:
            saved["y_stub"] = keep(outputs, False, True)
        self.saves = any(has_saved(v) for v in saved.values()) or any(
            saved[name].__class__ is np.ndarray for name in reads if name in saved
        )
        self.saved = saved

    def backward(self, y_bar: Any) -> Any:
        values = self.values(False)
        y_bar = self.full(y_bar, values)
        return self.cotangents(y_bar, values, False)

    def backward_graph(self, y_bar: Any) -> Any:
        values = self.values(True)
        y_bar = self.full(y_bar, values)
        return self.cotangents(y_bar, values, True)

    def values(self, graph: bool) -> dict[str, Any]:
        """What was saved, as arrays or (for another derivative) as tensors."""
        saved = self.saved
        if saved is None:
            freed()
        return {name: unpack(value, self, graph) for name, value in saved.items()}

    def full(self, y_bar: Any, values: dict[str, Any]) -> Any:
        """Cotangents of several results with zeros where none arrived."""
        if self.outputs == 1:
            return y_bar
        return [
            np.zeros(y.shape, y.dtype) if b is None and isinstance(y, ARRAYS) else b
            for b, y in zip(y_bar, values["y_stub"], strict=True)
        ]

    def cotangents(self, y_bar: Any, values: dict[str, Any], graph: bool) -> Any:
        from s2sgrad.eager.recording.cotangents import fitted, of_argument

        made: dict[str, Any] = {}
        out: list[Any] = []
        for parent, (argument, position, like) in zip(self.parents, self.slots, strict=True):
            if parent is None:
                out.append(None)
                continue
            if argument not in made:
                made[argument] = of_argument(self.op, argument, y_bar, values, graph)
            x_bar = made[argument]
            for index in position or ():
                x_bar = None if x_bar is None else x_bar[index]
            out.append(None if x_bar is None else fitted(x_bar, like))
        return out

    def entries(self) -> dict[Any, Any]:
        return self.saved or {}


class Undefined(RuleNode):
    """The node of a function whose derivative torch does not have."""

    __slots__ = ()

    def backward(self, y_bar: Any) -> Any:
        name = getattr(self.op.function, "__name__", "the function")
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    backward_graph = backward


def parents_of(rule: Rule, bound: dict[str, Any]) -> tuple[tuple[Any, ...], list[Any]]:
    """The edges of the array arguments, and (argument, position, stub) for each."""
    parents: list[Any] = []
    slots: list[Any] = []
    for argument, value in bound.items():
        if isinstance(value, Tensor):
            edge = _edge_of(value)
            if edge is None and rule.kind != "zero" and argument not in rule.partials:
                continue
            if edge is not None and rule.declaration and argument not in rule.arguments:
                raise MissingRuleError(rule.name, argument=told(rule, argument))
            parents.append(edge)
            slots.append((argument, None, stub(value._array)))
        elif isinstance(value, (list, tuple)) and has_tensor(value):
            for path, entry in nested(value):
                parents.append(_edge_of(entry))
                slots.append((argument, path, stub(entry._array)))
    for i, (parent, (argument, _, _)) in enumerate(zip(parents, slots, strict=True)):
        if parent is not None and rule.partials.get(argument) is None and rule.kind != "zero":
            if argument not in rule.shape_only:
                raise MissingRuleError(rule.name, argument=told(rule, argument))
            parents[i] = None
    return tuple(parents), slots


def _edge_of(value: Tensor) -> Any:
    """Where a cotangent goes; whole numbers have none, though they come from a node with others."""
    return None if value._array.dtype.kind in "iub" else value._edge()


def nested(value: Any, path: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], Tensor]]:
    """The tensors in nested lists, each with the indices that lead to it."""
    found: list[Any] = []
    for position, entry in enumerate(value):
        if isinstance(entry, Tensor):
            found.append(((*path, position), entry))
        elif isinstance(entry, (list, tuple)):
            found += nested(entry, (*path, position))
    return found


__all__ = ["LEAF", "Op", "RuleNode", "apply", "has_tensor", "op_of", "plain", "record"]

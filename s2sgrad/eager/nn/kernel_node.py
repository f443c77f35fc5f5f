"""The short way to record a kernel: float tensors, positional arguments, nothing but recording on.

It saves what the partials of the tracked arguments read, as flat tuples, and evaluates these
partials. Whatever it does not know goes the general way of `record.apply`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.cotangents import fitted, of_argument
from s2sgrad.eager.dtypes import F32, F64
from s2sgrad.eager.node import Node, next_order
from s2sgrad.eager.record import Op
from s2sgrad.eager.saved import Saved, freed, modified, stub
from s2sgrad.eager.tensor import Tensor, new

ndarray = np.ndarray


class KernelNode(Node):
    """saved: for each parameter of the rule None, a plain value, or (array, counter, version)."""

    __slots__ = ("like",)
    op: Op

    def _read(self, position: int, value: Any) -> Any:
        """A saved value, checked; `position` of the parameter, or -1 for the result."""
        if value.__class__ is tuple and len(value) == 4:
            array, vc, version, _ = value
            if vc[0] != version:
                edge: Any = self if position < 0 else value[3]
                modified(array, edge, vc, version)
            return array
        return value

    def backward(self, y_bar: Any) -> Any:
        saved = self.saved
        if saved is None:
            freed()
        read = self._read
        y = read(-1, saved[0])
        values = [read(i, v) for i, v in enumerate(saved[1:])]
        rule = self.op.rule
        partials = rule.partials
        out: list[Any] = []
        for argument, parent, like in zip(rule.arguments, self.parents, self.like, strict=False):
            if parent is None:
                out.append(None)
                continue
            x_bar = partials[argument].fn(y_bar, y, *values)
            if x_bar.__class__ is ndarray and x_bar.shape == like.shape:
                out.append(x_bar if x_bar.dtype is like.dtype else x_bar.astype(like.dtype))
            else:
                out.append(fitted(x_bar, like))
        return out

    def backward_graph(self, y_bar: Any) -> Any:
        saved = self.saved
        if saved is None:
            freed()
        rule = self.op.rule
        values = {
            name: self._tensor(i, v)
            for i, (name, v) in enumerate(zip(rule.parameters, saved[1:], strict=True))
        }
        values["y"] = self._tensor(-1, saved[0])
        out: list[Any] = []
        for argument, parent, like in zip(rule.arguments, self.parents, self.like, strict=False):
            if parent is None:
                out.append(None)
            else:
                out.append(fitted(of_argument(self.op, argument, y_bar, values, True), like))
        return out

    def _tensor(self, position: int, value: Any) -> Any:
        if value.__class__ is tuple and len(value) == 4:
            made = new(Saved)
            made.array, made.vc, made.version, made.edge = value
            if position < 0:
                made.edge = "self"
            return made.tensor(self)
        return value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_") and self.saved is not None:
            short = {"self": 0, "result": -1}.get(name[len("_saved_") :])
            if short is None and name[len("_saved_") :] in self.op.rule.parameters:
                short = self.op.rule.parameters.index(name[len("_saved_") :])
            if short is not None:
                return self._tensor(short, self.saved[short + 1])
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


_CLASSES: dict[Op, Any] = {}
_READS: dict[tuple[Op, tuple[bool, ...]], tuple[bool, ...]] = {}


def recorded(op: Op, args: tuple[Any, ...]) -> Tensor | None:
    """The result of a kernel on tensors, with its node; None where this way does not serve."""
    rule = op.rule
    count = len(rule.arguments)
    arrays = []
    edges = []
    for i, value in enumerate(args):
        if isinstance(value, Tensor):
            array = value._array
            arrays.append(array)
            if i < count:
                kind = array.dtype
                if value._inference or (kind is not F64 and kind is not F32):
                    return None
                edges.append(value._edge())
        elif i < count:
            return None
        else:
            arrays.append(value)
    if not edges:
        return None
    ya = op.function(*arrays)
    y = new(Tensor)
    y._array = ya if ya.__class__ is ndarray else np.asarray(ya)
    y._vc, y._view, y._node = [0], None, None
    tracked = tuple(edge is not None for edge in edges)
    if any(tracked):
        y._node = _node(op, rule, args, y, edges, tracked)
    return y


def _node(
    op: Op, rule: Any, args: tuple[Any, ...], y: Tensor, edges: list[Any], tracked: Any
) -> KernelNode | None:
    reads = _READS.get((op, tracked))
    if reads is None:
        reads = _READS[op, tracked] = _reads(rule, tracked)
    saved: list[Any] = [(y._array, y._vc, 0, None) if reads[0] else None]
    for i, (_, default) in enumerate(rule.signature):
        if i >= len(args):
            saved.append(default)
            continue
        value = args[i]
        if not isinstance(value, Tensor):
            saved.append(value)
        elif reads[i + 1]:
            edge = edges[i] if i < len(edges) else value._edge()
            saved.append((value._array, value._vc, value._vc[0], edge))
        else:
            saved.append(None)
    cls = _CLASSES.get(op)
    if cls is None:
        cls = _CLASSES[op] = type(op.name, (KernelNode,), {"__slots__": (), "op": op})
    node = new(cls)
    node.order, node.hooks = next_order(), None
    node.parents = tuple(edges)
    node.like = tuple(stub(a._array) for a in args[: len(edges)])
    node.saved = tuple(saved)
    return node


def _reads(rule: Any, tracked: tuple[bool, ...]) -> tuple[bool, ...]:
    """Whether the result, and each parameter, is read by a partial that will be evaluated."""
    names: set[str] = set()
    for argument, wanted in zip(rule.arguments, tracked, strict=False):
        if wanted and argument in rule.partials:
            names |= rule.partials[argument].reads | rule.partials[argument].shapes
    return ("y" in names, *(name in names for name in rule.parameters))

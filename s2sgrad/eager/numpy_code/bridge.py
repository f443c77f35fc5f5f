"""A compiled function called with tensors: one node of their graph.

The node's forward and backward are the compiled ones, on plain arrays. A second derivative runs
the original function on traced arrays, so it needs nothing more from the compiler.
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.arrays import Traced
from s2sgrad.eager.numpy_code.losses import watched
from s2sgrad.eager.numpy_code.relocated import relocated
from s2sgrad.eager.numpy_code.tracing import from_numpy_code, mapped, writable
from s2sgrad.eager.passes.backward import grad
from s2sgrad.eager.passes.tangents import Probe
from s2sgrad.eager.recording.cotangents import fitted
from s2sgrad.eager.recording.node import Node, Output, in_passing_order, next_order
from s2sgrad.eager.recording.saved import save, stub
from s2sgrad.eager.settings.modes import enable_grad
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.tensor import LEAF, Tensor, floats, wrap
from s2sgrad.errors import UnsupportedError
from s2sgrad_runtime.objects import attributes

Function = Callable[..., Any]


def tensors_in(value: Any) -> list[Tensor]:
    """The tensors in lists, tuples, dicts and dataclasses, in order."""
    found: list[Tensor] = []
    mapped(value, lambda entry: found.append(entry) if isinstance(entry, Tensor) else None)
    return found


def arrays_of(value: Any) -> Any:
    """The value with the array of each tensor; 0-d tensors become floats."""

    def change(entry: Any) -> Any:
        if not isinstance(entry, Tensor):
            return entry
        return entry._array if entry._array.ndim else entry._array[()]

    return mapped(value, change)


class CompiledBackward0(Node):
    """A call of a compiled function. saved: (its pullback, the tensor arguments)."""

    __slots__ = ("arguments", "like", "likes", "primal")
    primal: Function
    arguments: Any
    like: Any
    likes: tuple[Any, ...]

    def backward(self, y_bar: Any) -> Any:
        pullback, kept = self.saved if self.saved is not None else _freed()
        for entry in kept:
            entry.value(self)
        bars = pullback(self.filled(y_bar))
        found = [b for b, _ in _paired(bars, self.arguments)]
        return [
            None if b is None else fitted(np.asarray(b), like)
            for b, like in zip(found, self.likes, strict=True)
        ]

    def filled(self, y_bar: Any) -> Any:
        """The cotangent in the structure of the result, zeros where none arrived."""
        bars = iter(y_bar if isinstance(y_bar, list) else [y_bar])

        def fill(entry: Any) -> Any:
            if not isinstance(entry, np.ndarray):
                return entry
            bar = next(bars)
            bar = np.zeros(entry.shape, entry.dtype) if bar is None else bar
            return bar if bar.ndim else bar[()]

        return mapped(self.like, fill)

    def backward_graph(self, y_bar: Any) -> Any:
        kept = self.saved[1] if self.saved is not None else _freed()
        inputs = iter([entry.tensor(self) for entry in kept])
        leaves: list[Tensor] = []

        def enter(entry: Any) -> Any:
            if not isinstance(entry, Tensor):
                return entry
            tensor = next(inputs).clone()
            if tensor._node is None:
                tensor._node, tensor.__class__ = LEAF, Probe
            leaves.append(tensor)
            return Traced(tensor.clone())

        outputs: list[Tensor] = []
        with enable_grad(), writable(), from_numpy_code():
            with relocated(self.primal) as primal:
                value = primal(*mapped(self.arguments, enter))
            mapped(value, lambda e: outputs.append(e.tensor) if type(e) is Traced else None)
            bars = y_bar if isinstance(y_bar, list) else [y_bar]
            pairs = [(o, b) for o, b in zip(outputs, bars, strict=True) if b is not None]
            found = grad(
                [o for o, _ in pairs], leaves, [b for _, b in pairs],
                create_graph=True, materialize_grads=True,
            )  # fmt: skip
        return list(found)


def _freed() -> Any:
    from s2sgrad.eager.recording.saved import freed

    return freed()


def _paired(bars: Any, arguments: Any) -> list[tuple[Any, Tensor]]:
    """Each tensor argument with its entry in the pullback's result."""
    found: list[tuple[Any, Tensor]] = []
    _pair(bars, arguments, found)
    return found


def _pair(bar: Any, argument: Any, found: list[tuple[Any, Tensor]]) -> None:
    if isinstance(argument, Tensor):
        found.append((bar, argument))
    elif isinstance(argument, (list, tuple)):
        for i, entry in enumerate(argument):
            _pair(None if bar is None else bar[i], entry, found)
    elif isinstance(argument, dict):
        for key, entry in argument.items():
            _pair(None if bar is None else bar[key], entry, found)
    elif isinstance(argument, deque) and tensors_in(argument):
        raise UnsupportedError(
            "tensors in a deque given to compiled code", None,
            "generated code knows lists, tuples, dicts and objects", "pass list(queue)",
        )  # fmt: skip
    elif tensors_in(argument):
        for name, entry in attributes(argument).items():
            _pair(None if bar is None else getattr(bar, name), entry, found)


def call(primal: Function, vjp: Function, args: tuple[Any, ...]) -> Any:
    """`primal(*args)` for arguments that hold tensors, as one node of their graph.

    vjp: `vjp(*arrays)` gives `(value, pullback)` from compiled code; `pullback(y_bar)` a tuple
    with one entry per argument. primal: the function they were made from, in NumPy.
    """
    given = tensors_in(args)
    if STATE.duals is not None and STATE.duals.concerns(given):
        return _by_operations(primal, args)
    tracked = STATE.grad and not STATE.inference and any(t._edge() is not None for t in given)
    plain = arrays_of(args)
    if not tracked:
        return mapped(primal(*plain), _wrapped)
    value, pullback = vjp(*arrays_of(mapped(args, _owned)))
    result = mapped(value, _wrapped)
    node = CompiledBackward0()
    node.order, node.hooks, node.primal = next_order(), None, primal
    node.parents = tuple(t._edge() for t in given)
    node.likes = tuple(stub(t._array) for t in given)
    node.arguments = mapped(args, _detached)
    node.like = mapped(value, _stub)
    node.saved = (pullback, tuple(save(t, t._edge()) for t in given))
    outputs = [t for t in tensors_in(result) if floats(t._array.dtype)]
    if len(outputs) == 1:
        outputs[0]._node = node
    else:
        node.outputs = len(outputs)
        for index, out in in_passing_order(outputs):
            out._node = Output.of(node, index)
    return result


def _by_operations(primal: Function, args: tuple[Any, ...]) -> Any:
    """`primal(*args)` recorded operation by operation: so tangents pass through it.

    Only what is recorded is followed; where nobody else asks for it, the history is dropped again.
    """
    duals = STATE.duals
    tracked = STATE.grad and any(_has_history(t, duals) for t in tensors_in(args))

    def enter(entry: Any) -> Any:
        if not isinstance(entry, Tensor):
            return _owned(entry)
        tensor = entry.clone()  # type: ignore[attr-defined]
        if tensor._node is None and floats(tensor._array.dtype):
            tensor._node, tensor.__class__ = LEAF, Probe
        return Traced(tensor)

    def leave(entry: Any) -> Any:
        if type(entry) is not Traced:
            return _wrapped(entry)
        return entry.tensor if tracked else duals.cut_off(entry.tensor)

    with enable_grad(), writable(), from_numpy_code(), watched(), relocated(primal) as function:
        value = function(*mapped(args, enter))
    return mapped(value, leave)


def _has_history(t: Tensor, level: Any) -> bool:
    """Whether a tensor, or one of its tangents, is recorded."""
    if t._edge() is not None:
        return True
    while level is not None:
        dot = level.get(t)
        if dot is not None and dot.requires_grad:
            return True
        level = level.outer
    return False


def _owned(entry: Any) -> Any:
    """The caller's arrays may change before the backward pass; writes to tensors are noticed."""
    return entry.copy() if type(entry) is np.ndarray else entry


def _wrapped(entry: Any) -> Any:
    return wrap(np.array(entry)) if isinstance(entry, (np.ndarray, np.generic, float)) else entry


def _detached(entry: Any) -> Any:
    """A tensor without data or history, to keep the structure of the arguments."""
    return wrap(stub(entry._array)) if isinstance(entry, Tensor) else _owned(entry)


def _stub(entry: Any) -> Any:
    if isinstance(entry, (np.ndarray, np.generic, float)) and floats(np.asarray(entry).dtype):
        return stub(np.asarray(entry))
    return entry


def compile(function: Function, **options: Any) -> Function:
    """The function, compiled when it is called with tensors that require grad.

    options are those of `s2sgrad.vjp` (`jit`, `fallback`).
    """

    @wraps(function)
    def compiled(*args: Any) -> Any:
        if not tensors_in(args):
            return function(*args)
        public = importlib.import_module("s2sgrad")
        return call(function, lambda *arrays: public.vjp(function, *arrays, **options), args)

    return compiled

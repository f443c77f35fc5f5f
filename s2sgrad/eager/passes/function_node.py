"""The node of a user-defined Function: what it saves, and how its `backward` is called."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import ARRAYS
from s2sgrad.eager.recording.cotangents import fitted
from s2sgrad.eager.recording.node import Node, next_order
from s2sgrad.eager.recording.saved import freed, type_name
from s2sgrad.eager.settings.state import STATE, refresh
from s2sgrad.eager.tensors.tensor import Tensor, wrap

NO_BACKWARD = (
    "You must implement either the backward or vjp method for your custom autograd.Function to "
    "use it with backward mode AD."
)
COMPLEX_FOR_REAL = (
    "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be "
    "true, but got false.  (Could this error message be improved?  If so, please report an "
    "enhancement request to PyTorch.)"
)


def is_missing(method: Any) -> bool:
    """Whether a method of a Function is the one that only says it is not there."""
    return getattr(method, "is_missing", False)


class FunctionNode(Node):
    """The node of a Function, and the `ctx` that its methods are given."""

    __slots__ = ("_likes", "_outputs_like", "_positions", "backward_calls")
    _function: Any
    _likes: tuple[Any, ...]
    _outputs_like: tuple[Any, ...]
    _positions: tuple[int, ...]
    materialize_grads = True
    _dirty: tuple[Any, ...] = ()
    _non_differentiable: tuple[Any, ...] = ()
    _to_save: tuple[Any, ...] = ()
    _freed = False
    needs_input_grad: tuple[bool, ...] = ()
    saves = True

    # --- what forward and setup_context call -------------------------------------------------
    def save_for_backward(self, *tensors: Any) -> None:
        """Keep inputs or outputs for `backward`, where they are `saved_tensors`."""
        self._to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep values for `jvp`."""
        self.__dict__["_forward_saved"] = tensors

    def __call__(self, *cotangents: Any) -> Any:
        raise TypeError(f"'{type(self).__name__}' object is not callable")

    @property
    def dirty_tensors(self) -> tuple[Any, ...] | None:
        """What `mark_dirty` was given, while `forward` runs."""
        return self._dirty or None

    def mark_dirty(self, *tensors: Any) -> None:
        """Say which inputs `forward` changed in place."""
        if not all(isinstance(t, Tensor) for t in tensors):
            raise RuntimeError("mark_dirty can only accept variables, but argument ")
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Say which outputs carry no derivative."""
        if not all(isinstance(t, Tensor) for t in tensors):
            raise RuntimeError("mark_non_differentiable only accepts variable arguments, but got ")
        self._non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` gets zeros (True) or None where no gradient arrived."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What save_for_backward kept; RuntimeError once freed or written to."""
        if self._freed:
            freed()
        kept = self.__dict__.get("_kept")
        if kept is None:  # still in forward, or asked for by jvp
            return tuple(self.__dict__.get("_forward_saved", self._to_save))
        return tuple(k.tensor(self._owner_of(k)) if k is not None else None for k in kept)

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """The old name of `saved_tensors`."""
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, 2)
        return self.saved_tensors

    def entries(self) -> dict[Any, Any]:
        return dict(enumerate(self.__dict__.get("_kept") or ()))

    def exchange(self, key: Any, entry: Any) -> None:
        self.__dict__["_kept"] = tuple({**self.entries(), key: entry}.values())

    @property
    def _raw_saved_tensors(self) -> tuple[Any, ...]:
        from s2sgrad.eager.recording.saved_names import SavedTensor

        if self._freed:
            freed()
        return tuple(SavedTensor(self, key) for key in self.entries())

    def _owner_of(self, kept: Any) -> Any:
        return self

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {hex(id(self))}>"

    @property  # type: ignore[override]
    def saved(self) -> Any:
        return self.__dict__.get("_kept")

    @saved.setter
    def saved(self, value: Any) -> None:
        """The engine sets None to free the graph."""
        self._freed = value is None
        self.__dict__["_kept"] = value

    # --- backward ----------------------------------------------------------------------------
    def _filled(self, y_bar: Any, graph: bool) -> list[Any]:
        """One tensor per output: zeros (or None) where no gradient arrived."""
        bars = y_bar if isinstance(y_bar, list) else [y_bar]
        made: list[Any] = []
        for bar, like in zip(bars, self._outputs_like, strict=True):
            if bar is None and self.materialize_grads and like is not None:
                bar = np.zeros(like.shape, like.dtype)
            made.append(wrap(bar) if isinstance(bar, (*ARRAYS, np.generic)) else bar)
        return made

    def undefined(self) -> Any:
        bars = [None] * len(self._outputs_like)
        task = STATE.task
        if task is not None and task.create_graph:
            return self.backward_graph(bars)
        return self.backward(bars)

    def backward(self, y_bar: Any) -> Any:
        found = self._call(self._filled(y_bar, False))
        return [None if f is None else f._array if isinstance(f, Tensor) else f for f in found]

    def backward_graph(self, y_bar: Any) -> Any:
        return self._call(self._filled(y_bar, True))

    def _call(self, bars: list[Any]) -> list[Any]:
        """Run the user's `backward` and check what it returned."""
        function = self._function
        backward = function.backward
        if is_missing(backward):
            backward = function.vjp
            if is_missing(backward):
                raise NotImplementedError(NO_BACKWARD)
        elif not is_missing(function.vjp):
            raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is "
                               "not allowed. You should only implement one of them.")  # fmt: skip
        found = backward(self, *bars)
        found = list(found) if isinstance(found, tuple) else [found]
        count = len(self._positions)
        if all(f is None for f in found[count:]):
            del found[count:]
        name = type(self).__name__
        if len(found) != count:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {count}, "
                f"got {len(found)})"
            )
        return self._checked(found, name)

    def _checked(self, found: list[Any], name: str) -> list[Any]:
        """The gradients of the tensor inputs, each fitted to its input."""
        out = []
        for position, (value, like) in enumerate(zip(found, self._likes, strict=True)):
            if value is not None and not isinstance(value, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type_name(value)})")
            if like is None:
                if value is not None:
                    raise RuntimeError(
                        f"function {name} returned a gradient different than None at position "
                        f"{position + 1}, but the corresponding forward input was not a Variable"
                    )
                continue
            if value is not None:
                value = self._fit(value, like, position, name)
            out.append(value)
        return out

    def _fit(self, value: Tensor, like: Any, position: int, name: str) -> Any:
        if value._array.dtype.kind == "c" and like.dtype.kind != "c":
            raise RuntimeError(COMPLEX_FOR_REAL)
        shape = value._array.shape
        if shape != like.shape:
            try:
                fits = np.broadcast_shapes(shape, like.shape) == shape
            except ValueError:
                fits = False
            if not fits:
                raise RuntimeError(
                    f"Function {name} returned an invalid gradient at index {position} - got "
                    f"{list(shape)} but expected shape compatible with {list(like.shape)}"
                )
        return fitted(value, like)


def once_differentiable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator for a `backward` that is not itself differentiable: says so when it matters."""

    @functools.wraps(function)
    def wrapper(ctx: Any, *args: Any) -> Any:
        before = STATE.grad
        STATE.grad = False
        refresh()
        try:
            outputs = function(ctx, *args)
        finally:
            STATE.grad = before
            refresh()
        if not STATE.grad or not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            return outputs
        several = isinstance(outputs, tuple)
        listed = outputs if several else (outputs,)
        node = Error()
        node.order, node.hooks, node.parents = next_order(), None, ()
        for out in listed:
            if isinstance(out, Tensor):
                out._node = node
        return listed if several else listed[0]

    return wrapper


class Error(Node):
    """Raises when a second derivative reaches a once_differentiable backward."""

    __slots__ = ()
    saves = False

    def backward(self, y_bar: Any) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )

    backward_graph = backward


__all__ = ["NO_BACKWARD", "FunctionNode", "is_missing", "once_differentiable"]

"""User-defined functions: `class Square(Function)` with static `forward` and `backward`."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.cotangents import fitted
from s2sgrad.eager.dtypes import from_numpy
from s2sgrad.eager.interception import intercept
from s2sgrad.eager.node import Node, Output, next_order
from s2sgrad.eager.saved import freed, save, stub, type_name
from s2sgrad.eager.state import STATE, Anomaly, refresh
from s2sgrad.eager.tensor import LEAF, Tensor, floats, wrap

LEGACY = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style "
    "autograd function with static forward method. (Example: "
    "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)
NO_BACKWARD = (
    "You must implement either the backward or vjp method for your custom autograd.Function to "
    "use it with backward mode AD."
)
NO_FORWARD = "You must implement the forward function for custom autograd.Function."
NEEDS_SETUP = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, "
    "...), it must override the setup_context staticmethod. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)
COMPLEX_FOR_REAL = (
    "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be "
    "true, but got false.  (Could this error message be improved?  If so, please report an "
    "enhancement request to PyTorch.)"
)
NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. The "
    "inputs that are modified inplace must all be outputs of the Function."
)
LEAF_DIRTY = "a leaf Variable that requires grad has been used in an in-place operation."


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

    def mark_dirty(self, *tensors: Any) -> None:
        """Say which inputs `forward` changed in place."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Say which outputs carry no derivative."""
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

    saved_variables = saved_tensors

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
            made.append(wrap(bar) if isinstance(bar, (np.ndarray, np.generic)) else bar)
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
        if backward is Function.backward:
            backward = function.vjp
            if backward is Function.vjp:
                raise NotImplementedError(NO_BACKWARD)
        elif function.vjp is not Function.vjp:
            raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is "
                               "not allowed. You should only implement one of them.")  # fmt: skip
        found = backward(self, *bars)
        found = list(found) if isinstance(found, tuple) else [found]
        count = len(self._positions)
        while len(found) > count and found[-1] is None:
            found.pop()
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


def _default(message: str) -> Any:
    def missing(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(message)

    return staticmethod(missing)


class _Meta(type):
    """Gives every Function its own node class, named as torch names it."""

    def __init__(cls, name: str, bases: Any, namespace: Any) -> None:
        super().__init__(name, bases, namespace)
        made = type(f"{name}Backward", (FunctionNode,), {"__slots__": (), "_function": cls})
        cls._backward_cls = made


class Function(metaclass=_Meta):
    """Base of user-defined functions: subclass it, call `.apply(...)`.

    `forward(ctx, ...)` computes (with recording off), `backward(ctx, *y_bars)` returns one
    gradient per input. Optional: `setup_context(ctx, inputs, output)`, `jvp`, `vmap`.
    """

    generate_vmap_rule = False
    _internal = False  # ours: no setup_context needed inside transforms
    _backward_cls: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all "
            "static, so you should invoke them on the class itself. Instantiating an autograd "
            "function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(LEGACY)

    forward = _default(NO_FORWARD)
    backward = _default(NO_BACKWARD)
    vjp = _default(NO_BACKWARD)
    setup_context = _default("setup_context is not implemented.")
    jvp = _default(
        "You must implement the jvp function for custom autograd.Function to use it with forward "
        "mode AD."
    )
    vmap = _default("To use autograd.Function with vmap, you must either override the vmap static "
                    "method or set generate_vmap_rule=True.")  # fmt: skip

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call the function and record it."""
        return apply_function(cls, args, kwargs)

    @staticmethod
    def _compiled_autograd_should_lift() -> bool:
        return False


def apply_function(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run `forward` with recording off, then make the node and hang the outputs on it."""
    if STATE.interceptors:
        return intercept(cls, args, kwargs, lambda: apply_function(cls, args, kwargs))
    if STATE.transforms and cls.setup_context is Function.setup_context and not cls._internal:
        raise RuntimeError(NEEDS_SETUP)
    node = cls._backward_cls()
    node.order, node.hooks = next_order(), None
    edges = [a._edge() if isinstance(a, Tensor) else None for a in args]
    node.needs_input_grad = tuple(e is not None for e in edges)
    tracked = STATE.grad and not STATE.inference and any(e is not None for e in edges)
    before = STATE.grad, STATE.fast
    STATE.grad = False
    refresh()
    try:
        separate = cls.setup_context is not Function.setup_context
        result = cls.forward(*args, **kwargs) if separate else cls.forward(node, *args, **kwargs)
        if separate:
            cls.setup_context(node, args, result)
    finally:
        STATE.grad, STATE.fast = before
    result = finish(node, args, edges, result, tracked)
    if STATE.duals is not None:
        STATE.duals.propagate_function(cls, node, args, result)
    return result


def finish(node: Any, args: Any, edges: list[Any], result: Any, tracked: bool) -> Any:
    """Turn what `forward` returned into the outputs of the node."""
    single = not isinstance(result, tuple)
    raw = (result,) if single else result
    if any(all(d is not r for r in raw) for d in node._dirty):
        raise RuntimeError(NOT_RETURNED)
    outputs = tuple(prepared(node, r, args, tracked) for r in raw)
    if tracked:
        node._positions = tuple(range(len(args)))
        node._likes = tuple(stub(a._array) if isinstance(a, Tensor) else None for a in args)
        node.parents = tuple(e for e, a in zip(edges, args, strict=True) if isinstance(a, Tensor))
        node._outputs_like = tuple(
            stub(o._array) if isinstance(o, Tensor) else None for o in outputs
        )
        node.outputs = len(outputs)
        hang(node, outputs)
        keep(node, args, outputs)
        if Anomaly.enabled:
            from s2sgrad.eager.anomaly import remember_place

            remember_place(node)
    node.__dict__.pop("_to_save", None)
    node.__dict__.pop("_dirty", None)
    node.__dict__.pop("_non_differentiable", None)
    return outputs[0] if single else outputs


def prepared(node: Any, value: Any, args: Any, tracked: bool) -> Any:
    """An output: a changed input stays itself, an input returned as is becomes a view of it."""
    if not isinstance(value, Tensor):
        return value
    if any(value is d for d in node._dirty):
        if value._node is LEAF and STATE.grad:
            raise RuntimeError(LEAF_DIRTY)
        value._vc[0] += 1
        return value
    if any(value is a for a in args) or (tracked and value._node is not None):
        return value.detach()
    return value


def hang(node: Any, outputs: Any) -> None:
    """Make the node the history of its differentiable outputs."""
    from s2sgrad.eager.inplace import rebase

    for index, out in enumerate(outputs):
        if not isinstance(out, Tensor) or not floats(out._array.dtype):
            continue
        if any(out._array is n._array for n in node._non_differentiable):
            out._node = None
            continue
        edge = node if len(outputs) == 1 else Output.of(node, index)
        if any(out is d for d in node._dirty):
            rebase(out, edge)
        else:
            out._node = edge


def keep(node: Any, args: Any, outputs: Any) -> None:
    """Save what save_for_backward was given."""
    kept: list[Any] = []
    for position, t in enumerate(node._to_save):
        if t is None:
            kept.append(None)
            continue
        if not isinstance(t, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {position} is of type "
                f"{type_name(t)}"
            )
        kept.append(save(t, own_edge(node, t, outputs)))
    node.__dict__["_kept"] = tuple(kept)


def own_edge(node: Any, t: Tensor, outputs: Any) -> Any:
    """Where a saved tensor's history is: "self" for an output of this node."""
    edge = t._edge()
    if edge is node:
        return "self"
    if isinstance(edge, Output) and edge.parents[0] is node:
        return ("output", edge.index)
    return edge


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
        node = DelayedError()
        node.order, node.hooks, node.parents = next_order(), None, ()
        for out in listed:
            if isinstance(out, Tensor):
                out._node = node
        return listed if several else listed[0]

    return wrapper


class DelayedError(Node):
    """Raises when a second derivative reaches a once_differentiable backward."""

    __slots__ = ()
    saves = False

    def backward(self, y_bar: Any) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )

    backward_graph = backward


__all__ = ["Function", "FunctionNode", "from_numpy", "once_differentiable"]

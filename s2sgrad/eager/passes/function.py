"""User-defined functions: `class Square(Function)` with static `forward` and `backward`."""

from __future__ import annotations

import inspect
import warnings
from typing import Any, NamedTuple

from s2sgrad.eager.batches.array import levels_of, top
from s2sgrad.eager.batches.levels import enter, leave, outside
from s2sgrad.eager.passes.function_node import NO_BACKWARD, FunctionNode, once_differentiable
from s2sgrad.eager.recording.node import Output, in_passing_order, next_order
from s2sgrad.eager.recording.saved import save, stub, type_name
from s2sgrad.eager.settings.interception import intercept
from s2sgrad.eager.settings.state import STATE, Anomaly, refresh
from s2sgrad.eager.tensors.dtypes import from_numpy
from s2sgrad.eager.tensors.tensor import LEAF, Tensor, floats
from s2sgrad.eager.tensors.views import returned_view

LEGACY = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style "
    "autograd function with static forward method. (Example: "
    "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)
NO_FORWARD = "You must implement the forward function for custom autograd.Function."
NEEDS_SETUP = (
    "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, "
    "...), it must override the setup_context staticmethod. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)
NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. The "
    "inputs that are modified inplace must all be outputs of the Function."
)
NO_VMAP = (
    "You tried to vmap over {}, but it does not have vmap support. Please override and implement "
    "the vmap staticmethod or set generate_vmap_rule=True. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)
TWO_RULES = (
    "You tried to vmap over {}, but it has both generate_vmap_rule=True and an overridden vmap "
    "staticmethod. Please set generate_vmap_rule=False or delete the overridden vmap staticmethod "
    "to avoid ambiguity. For more details, please see "
    "https://pytorch.org/docs/main/notes/extending.func.html"
)
SEVERAL_DIRTY = (
    "If your Function modifies inplace an input that is a view of another Tensor, your Function "
    "cannot return more than one Tensor. This is not supported by the current autograd engine. You "
    "should either make sure the input is not a view (using .clone() for example) or make your "
    "Function only return one Tensor (potentially splitting it into two Functions: one doing the "
    "inplace that returns a single Tensor and a second one that does the other operations). You "
    "can ask on the forum https://discuss.pytorch.org/ if you need help to do this change."
)
LEAF_DIRTY = "a leaf Variable that requires grad has been used in an in-place operation."


def _default(message: str) -> Any:
    def missing(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(message)

    vars(missing)["is_missing"] = True
    return staticmethod(missing)


class _Meta(type):
    """Gives every Function its own node class, named as torch names it."""

    def __init__(cls, name: str, bases: Any, namespace: Any) -> None:
        super().__init__(name, bases, namespace)
        made = type(f"{name}Backward", (FunctionNode,), {"__slots__": (), "_function": cls})
        made.__module__ = "s2sgrad.eager.autograd.function"  # where torch shows it
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
    batched = STATE.batching and not cls._internal
    if batched and cls.generate_vmap_rule and cls.vmap is not Function.vmap:
        raise RuntimeError(TWO_RULES.format(cls.__name__))
    if batched and not cls.generate_vmap_rule and cls.vmap is Function.vmap:
        raise RuntimeError(NO_VMAP.format(cls.__name__))
    if kwargs or cls.setup_context is not Function.setup_context:
        args, kwargs = by_position(cls, args, kwargs)
    if STATE.batching and STATE.levels and cls.vmap is not Function.vmap:
        level = top([a._array for a in args if isinstance(a, Tensor)])
        if level:
            return by_own_vmap(cls, args, level)
    node = cls._backward_cls()
    node.order, node.hooks = next_order(), None
    edges = [a._edge() if isinstance(a, Tensor) else None for a in args]
    node.needs_input_grad = tuple(e is not None for e in edges)
    tracked = STATE.grad and not STATE.inference and any(e is not None for e in edges)
    before = STATE.grad, STATE.duals, STATE.fast
    STATE.grad, STATE.duals = False, None  # tangents are for `jvp`
    refresh()
    try:
        separate = cls.setup_context is not Function.setup_context
        result = cls.forward(*args, **kwargs) if separate else cls.forward(node, *args, **kwargs)
        if separate:
            cls.setup_context(node, args, result)
    finally:
        STATE.grad, STATE.duals, STATE.fast = before
    result = finish(node, args, edges, result, tracked)
    if STATE.duals is not None:
        STATE.duals.propagate_function(cls, node, args, result)
    return result


class VmapInfo(NamedTuple):
    """What a Function's `vmap` is told about the batch."""

    batch_size: int
    randomness: str


def by_own_vmap(cls: Any, args: tuple[Any, ...], number: int) -> Any:
    """The results for a batch by the Function's own `vmap`, which is given whole batches."""
    dims_in = [0 if isinstance(a, Tensor) and number in levels_of(a._array) else None for a in args]
    with outside(number) as level:
        wholes = [
            a if dim is None else leave(a, 0, number, level.size)
            for a, dim in zip(args, dims_in, strict=True)
        ]
        found = cls.vmap(VmapInfo(level.size, level.draws), tuple(dims_in), *wholes)
        if not isinstance(found, tuple) or len(found) != 2:
            raise RuntimeError(
                f"Expected the vmap staticmethod to have two returns, an output and out_dims with "
                f"pytree structure compatible with the output. Got a {type(found)} instead"
            )
    output, dims = found
    if not isinstance(output, tuple):
        return output if dims is None else enter(output, dims, number)
    listed = dims if isinstance(dims, tuple) else (dims,) * len(output)
    return tuple(
        y if dim is None else enter(y, dim, number) for y, dim in zip(output, listed, strict=True)
    )


def by_position(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Arguments given by name in their places, so that they get gradients too.

    `setup_context` is given the defaults as well. What forward takes by name only stays as it is.
    """
    separate = cls.setup_context is not Function.setup_context
    parameters = list(inspect.signature(cls.forward).parameters.values())[0 if separate else 1 :]
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    names = [p.name for p in places]
    if any(p.kind == p.VAR_KEYWORD for p in parameters) or len(args) > len(places):
        return args, kwargs
    only = {p.name for p in parameters if p.kind == p.KEYWORD_ONLY}
    for name in kwargs:
        if name not in names and name not in only:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    given = [i for i, name in enumerate(names) if name in kwargs]
    last = len(places) if separate else max(given, default=-1) + 1
    found = list(args)
    for i in range(len(args), last):
        if places[i].default is places[i].empty and names[i] not in kwargs:
            raise TypeError(f"forward() missing required argument: '{names[i]}' (position {i})")
        found.append(kwargs.get(names[i], places[i].default))
    return tuple(found), {name: value for name, value in kwargs.items() if name in only}


NOT_AN_INPUT = (
    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been "
    "mutated should be passed to ctx.mark_dirty(). (Triggered internally at s2sgrad.)"
)


def finish(node: Any, args: Any, edges: list[Any], result: Any, tracked: bool) -> Any:
    """Turn what `forward` returned into the outputs of the node."""
    single = not isinstance(result, tuple)
    raw = (result,) if single else result
    if any(all(d is not r for r in raw) for d in node._dirty):
        raise RuntimeError(NOT_RETURNED)
    if any(all(d is not a for a in args) for d in node._dirty):
        warnings.warn(NOT_AN_INPUT, UserWarning, stacklevel=3)
    kind = f"{type(node)._function.__name__}{':custom' if single else ''}"
    outputs = tuple(prepared(node, r, args, tracked, f"{i}:{kind}") for i, r in enumerate(raw))
    if tracked:
        node._positions = tuple(range(len(args)))
        node._likes = tuple(stub(a._array) if isinstance(a, Tensor) else None for a in args)
        node.parents = tuple(e for e, a in zip(edges, args, strict=True) if isinstance(a, Tensor))
        node._outputs_like = tuple(
            stub(o._array) if isinstance(o, Tensor) else None for o in outputs
        )
        node.outputs = len(outputs)
        hang(node, outputs)
        if type(node)._function.setup_context is not Function.setup_context:
            check_saved(node, [r for r in raw if any(r is a for a in args)])
        keep(node, args, outputs)
        if Anomaly.enabled:
            from s2sgrad.eager.passes.anomaly import remember_place

            remember_place(node)
    node.__dict__.pop("_to_save", None)
    node.__dict__.pop("_dirty", None)
    node.__dict__.pop("_non_differentiable", None)
    return outputs[0] if single else outputs


def prepared(node: Any, value: Any, args: Any, tracked: bool, meta: str) -> Any:
    """An output: a changed input stays itself, an input returned as is becomes a view of it."""
    if not isinstance(value, Tensor):
        return value
    if any(value is d for d in node._dirty):
        if value._node is LEAF and STATE.grad:
            raise RuntimeError(LEAF_DIRTY)
        if value._view is not None and tracked and not meta.endswith(":custom"):
            raise RuntimeError(SEVERAL_DIRTY)
        value._vc[0] += 1
        return value
    if tracked:
        base = value if value._view is None else value._view.base
        for a in args:
            if isinstance(a, Tensor) and base is (a if a._view is None else a._view.base):
                return returned_view(value, base, meta)
    if any(value is a for a in args) or (tracked and value._node is not None):
        return value.detach()
    return value


def hang(node: Any, outputs: Any) -> None:
    """Make the node the history of its differentiable outputs."""
    from s2sgrad.eager.tensors.inplace import rebase

    for index, out in in_passing_order(outputs):
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


def check_saved(node: Any, returned: list[Any]) -> None:
    """An input that is an output too can't be saved once `forward` has returned."""
    if not all(t is None or isinstance(t, Tensor) for t in node._to_save):
        return  # refused by `keep`
    if any(t is r for t in node._to_save for r in returned if isinstance(r, Tensor)):
        raise RuntimeError(RETURNED_AND_SAVED)


RETURNED_AND_SAVED = (
    "An input that has been returned as-is as output is being saved for backward. This is not "
    "supported if you override setup_context. You should return and save a view of the input "
    "instead, e.g. with x.view_as(x) or setup ctx inside the forward function itself."
)


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
        kept.append(save(t, own_edge(node, t, outputs), node))
    node.__dict__["_kept"] = tuple(kept)


def own_edge(node: Any, t: Tensor, outputs: Any) -> Any:
    """Where a saved tensor's history is: "self" for an output of this node."""
    edge = t._edge()
    if edge is node:
        return "self"
    if isinstance(edge, Output) and edge.parents[0] is node:
        return ("output", edge.index)
    return edge


__all__ = ["Function", "FunctionNode", "from_numpy", "once_differentiable"]

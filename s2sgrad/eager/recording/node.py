"""The recorded graph: nodes, outputs of nodes, and leaves.

An edge is a Node, an Output of a Node with several results, or a leaf Tensor itself. Nodes
hold arrays, never the tensors made from them, so a graph has no reference cycles and goes away
with its last tensor. `order` is a counter that falls: a node's inputs always have a greater one,
so the engine needs no other topological order.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

next_order = itertools.count(-1, -1).__next__


class Leaf:
    """Stands in `Tensor._node` for "a leaf that requires grad"."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "LEAF"


LEAF: Any = Leaf()


class Hooks:
    """The hooks of one edge, each dict ordered by registration."""

    __slots__ = ("__weakref__", "post", "post_accumulate", "pre", "retain", "tensor")
    on_leaves = False  # whether a leaf has ever had any

    def __init__(self) -> None:
        self.tensor: dict[int, Any] = {}
        self.pre: dict[int, Any] = {}
        self.post: dict[int, Any] = {}
        self.post_accumulate: dict[int, Any] = {}
        self.retain: Any = None  # weak reference to the tensor whose .grad is kept


class Node:
    """One recorded operation.

    parents: an edge or None for each input. saved: what the derivative reads; the engine sets it
    to None once a pass that frees the graph has used it (where `saves` is true).
    hooks: None, or the Hooks of this node. outputs: how many results it has.
    """

    __slots__ = ("__dict__", "__weakref__", "hooks", "order", "parents", "saved")
    outputs = 1
    saves = True
    is_view = False
    each: Any = None  # None, or the form of `backward` that gives large cotangents one by one
    takes_part = False  # whether the result is `parent[arguments[0]]` with a basic index
    parents: Any
    saved: Any
    hooks: Hooks | None
    order: int

    def __init_subclass__(cls) -> None:
        if "Backward" in cls.__name__:
            cls.__module__ = "builtins"  # where torch shows it

    def backward(self, y_bar: Any) -> Any:
        """One cotangent array (or None) for each parent."""
        raise NotImplementedError

    def backward_graph(self, y_bar: Any) -> Any:
        """The same with tensors, recorded for another derivative."""
        raise NotImplementedError

    def backward_batch(self, y_bar: Any) -> Any:
        """`backward` while a `vmap` runs: cotangents, or what was saved, may be batches."""
        return self.backward(y_bar)

    def undefined(self) -> Any:
        """What the inputs get when no gradient arrived at all."""
        return (None,) * len(self.parents)

    def name(self) -> str:
        return type(self).__name__

    def __call__(self, *cotangents: Any) -> tuple[Any, ...]:
        """The cotangents of the inputs, from those of the outputs, as tensors."""
        from s2sgrad.eager.settings.modes import no_grad

        with no_grad():
            found = self.backward_graph(cotangents[0] if len(cotangents) == 1 else [*cotangents])
        return tuple(found)

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        op = getattr(type(self), "op", None)
        if op is not None and op.shown is not None:
            return op.shown(self)  # type: ignore[no-any-return]
        return tuple(public_edge(p) for p in self.parents)

    @property
    def metadata(self) -> dict[str, Any]:
        return self.__dict__.setdefault("_metadata", {})

    def register_hook(self, fn: Callable[..., Any]) -> Any:
        """`fn(grad_inputs, grad_outputs)` runs after the node; may return new grad_inputs."""
        return add_hook(hooks_of(self).post, fn)

    def register_prehook(self, fn: Callable[..., Any]) -> Any:
        """`fn(grad_outputs)` runs before the node; may return new grad_outputs."""
        return add_hook(hooks_of(self).pre, fn)

    def entries(self) -> dict[Any, Any]:
        """What the node keeps, by parameter of its rule."""
        return {}

    def exchange(self, key: Any, entry: Any) -> None:
        """Keep something else under one of the keys of `entries`."""
        self.saved = {**self.saved, key: entry}

    def __dir__(self) -> list[str]:
        from s2sgrad.eager.recording.saved_names import names_of

        return sorted({*object.__dir__(self), *names_of(self)})

    @property
    def requires_grad(self) -> bool:
        return True

    def _sequence_nr(self) -> int:
        return -self.order - 1

    def _register_hook_dict(self, hooks: dict[int, Any]) -> None:
        hooks_of(self).tensor.update(hooks)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {hex(id(self))}>"


class Output(Node):
    """Result number `index` of a node with several; passes its cotangent on to the owner."""

    __slots__ = ("index",)
    saves = False
    index: int

    @classmethod
    def of(cls, owner: Node, index: int) -> Output:
        made = object.__new__(cls)
        made.order, made.parents, made.hooks = next_order(), (owner,), None
        made.index = index
        return made

    def backward(self, y_bar: Any) -> Any:
        bars: list[Any] = [None] * self.parents[0].outputs
        bars[self.index] = y_bar
        return (bars,)

    backward_graph = backward

    def undefined(self) -> Any:
        return self.backward(None)


def in_passing_order(outputs: Any) -> Any:
    """(index, output), the last one first: the newest edge comes first in a backward pass."""
    return reversed(list(enumerate(outputs)))


def shown(node: Node) -> Node:
    """The node as users see it: what it keeps are attributes, which `__getattr__` looks up.

    It gets a class of its own then: Python loads attributes faster where there is no such method.
    """
    kind = type(node)
    if not hasattr(kind, "__getattr__"):
        if kind not in _SHOWN:
            made = type(kind.__name__, (kind,), {"__slots__": (), "__getattr__": _kept})
            made.__module__, _SHOWN[kind] = kind.__module__, made
        node.__class__ = _SHOWN[kind]
    return node


def _kept(node: Node, name: str) -> Any:
    from s2sgrad.eager.recording.saved_names import attribute

    return attribute(node, name)


_SHOWN: dict[type, type] = {}


class AccumulateGrad:
    """What `next_functions` shows for a leaf; the graph itself holds the leaf."""

    __slots__ = ("__weakref__", "variable")
    next_functions: tuple[Any, ...] = ()

    def __init__(self, variable: Any) -> None:
        self.variable = variable

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    @property
    def metadata(self) -> dict[str, Any]:
        return {}

    def __repr__(self) -> str:
        return f"<AccumulateGrad object at {hex(id(self))}>"

    def register_hook(self, fn: Callable[..., Any]) -> Any:
        return add_hook(hooks_of(self.variable).post, fn)

    def register_prehook(self, fn: Callable[..., Any]) -> Any:
        return add_hook(hooks_of(self.variable).pre, fn)

    def _sequence_nr(self) -> int:
        return 2**64 - 1


_accumulators: weakref.WeakValueDictionary[int, AccumulateGrad] = weakref.WeakValueDictionary()


def accumulator(leaf: Any) -> AccumulateGrad:
    """The one AccumulateGrad of a leaf while anyone holds it."""
    found = _accumulators.get(id(leaf))
    if found is None or found.variable is not leaf:
        found = _accumulators[id(leaf)] = AccumulateGrad(leaf)
    return found


def public_edge(edge: Any) -> tuple[Any, int]:
    """(node, output number) as torch shows an edge; (None, 0) for a constant."""
    if edge is None:
        return (None, 0)
    if isinstance(edge, Output):
        return (shown(edge.parents[0]), edge.index)
    if isinstance(edge, Node):
        return (shown(edge), 0)
    return (accumulator(edge), 0)


def hooks_of(edge: Any) -> Hooks:
    """The edge's Hooks, made on first use."""
    if edge.hooks is None:
        edge.hooks = Hooks()
        Hooks.on_leaves |= not edge.order
    return edge.hooks


def retained_by(t: Any, old: Any, node: Node) -> None:
    """A tensor whose gradient is retained goes on with `node` in place of `old`."""
    if t._retains and isinstance(old, Node) and old.hooks is not None:
        hooks_of(node).retain, old.hooks.retain = old.hooks.retain, None


_hook_ids = itertools.count().__next__


def named_as(t: Any, name: str) -> Any:
    """The tensor; its node gets the name of the operation that several others stand for."""
    node = t._node
    if isinstance(node, Node):
        kind = type(node)
        if (kind, name) not in _KINDS:
            _KINDS[kind, name] = type(name, (kind,), {"__slots__": ()})
        node.__class__ = _KINDS[kind, name]
    return t


_KINDS: dict[tuple[type, str], Any] = {}


class RemovableHandle:
    """Returned when a hook is registered; `remove()` takes it away again."""

    __module__ = "torch.utils.hooks"  # what its printed form shows

    __slots__ = ("__weakref__", "_hooks", "id")

    def __init__(self, hooks: dict[int, Any]) -> None:
        self._hooks, self.id = hooks, _hook_ids()

    def remove(self) -> None:
        self._hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


def add_hook(hooks: dict[int, Any], fn: Callable[..., Any]) -> RemovableHandle:
    """Enter a hook and return its handle."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = fn
    return handle

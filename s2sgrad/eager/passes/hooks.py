"""Running hooks around the evaluation of a node: the engine's slower branch."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import ARRAYS
from s2sgrad.eager.passes.second_names import named
from s2sgrad.eager.recording.node import Hooks, Node, Output, add_hook, hooks_of
from s2sgrad.eager.recording.saved import type_name
from s2sgrad.eager.settings.state import STATE, Anomaly
from s2sgrad.eager.tensors.tensor import Tensor, wrap


def shown(value: Any) -> Any:
    """A cotangent as hooks see it: a tensor, None, or a tuple of them."""
    if isinstance(value, list):
        return tuple(shown(v) for v in value)
    if isinstance(value, np.ndarray) and value.base is None and not value.flags.writeable:
        value = value.copy()  # the hook may write into it
    return wrap(value) if isinstance(value, (*ARRAYS, np.generic)) else value


def taken(value: Any, task: Any) -> Any:
    """What a hook gave, in the form the running pass uses."""
    if isinstance(value, (tuple, list)):
        return [taken(v, task) for v in value]
    if isinstance(value, Tensor) and not task.create_graph:
        return value._array
    return value


def call_tensor_hooks(hooks: Hooks, y_bar: Any, task: Any) -> Any:
    """Run the hooks registered on the tensor; each may replace its gradient."""
    for hook in list(hooks.tensor.values()):
        if y_bar is None:
            break
        given = shown(y_bar)
        found = hook(given)
        if found is None:
            y_bar = taken(given, task) if given is not y_bar else y_bar
            continue
        if not isinstance(found, Tensor):
            raise TypeError(f"expected Variable, but hook returned '{type_name(found)}'")
        check_same(found, given, hook)
        y_bar = taken(found, task)
    return y_bar


def check_same(found: Tensor, given: Tensor, hook: Any) -> None:
    """A hook's result must have the shape of what it replaces."""
    name = getattr(hook, "__name__", type(hook).__name__)
    if found._array.dtype != given._array.dtype:
        raise RuntimeError(
            f"hook '{name}' has changed the type of value (was {given.dtype.native_name} "
            f"got {found.dtype.native_name})"
        )
    if found._array.shape != given._array.shape:
        raise RuntimeError(f"hook '{name}' has changed the size of value")


def check_tuple(found: Any, given: tuple[Any, ...], hook: Any) -> None:
    """What a hook of a node gives must be like the tuple it replaces."""
    if not isinstance(found, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type_name(found)}'")
    if len(found) != len(given):
        name = getattr(hook, "__name__", type(hook).__name__)
        raise RuntimeError(
            f"hook '{name}' has returned an incorrect number of values (got {len(found)}, but "
            f"expected {len(given)})"
        )
    for new, old in zip(found, given, strict=True):
        if old is None and new is not None:
            raise RuntimeError("can't replace a None gradient with a non-None value")
        if new is not None and not isinstance(new, Tensor):
            raise TypeError(f"expected Variable, but hook returned '{type_name(new)}'")
        if new is not None and old is not None:
            check_same(new, old, hook)


def keep_retained(hooks: Hooks, y_bar: Any) -> None:
    """Store the gradient of a tensor that retains it."""
    t = hooks.retain() if hooks.retain is not None else None
    if t is None or y_bar is None:
        return
    made = y_bar if isinstance(y_bar, Tensor) else wrap(y_bar.copy())
    t._grad = made if t._grad is None else t._grad + made


def before(node: Node, y_bar: Any, task: Any) -> Any:
    """Tensor hooks, retained gradients and pre-hooks of a node, in torch's order."""
    return of_node(node, of_tensor(node, y_bar, task), task)


def of_tensor(node: Node, y_bar: Any, task: Any) -> Any:
    """What the hooks of a node's result make of its gradient, which is retained then."""
    hooks = node.hooks
    if hooks is None:
        return y_bar
    if hooks.tensor:
        y_bar = call_tensor_hooks(hooks, y_bar, task)
    if hooks.retain is not None:
        keep_retained(hooks, y_bar)
    return y_bar


def of_node(node: Node, y_bar: Any, task: Any) -> Any:
    """What the pre-hooks of a node make of the gradient of its result."""
    for hook in list(node.hooks.pre.values()) if node.hooks is not None else ():
        several = isinstance(y_bar, list)
        given = shown(y_bar) if several else (shown(y_bar),)
        found = hook(given)
        if found is not None:
            check_tuple(found, given, hook)
            y_bar = taken(found, task) if several else taken(found[0], task)
    return y_bar


def evaluate(node: Node, y_bar: Any, task: Any) -> Any:
    """The cotangents of a node's inputs, with anomaly checks and post hooks."""
    if isinstance(node, Output):
        return node.backward(y_bar)
    STATE.node = node
    if STATE.profiler is None:
        cotangents = computed(node, y_bar, task)
    else:
        with STATE.profiler.timed(node.name()):
            cotangents = computed(node, y_bar, task)
    return after_node(node, y_bar, cotangents, task) if node.hooks is not None else cotangents


def after_node(node: Node, y_bar: Any, cotangents: Any, task: Any) -> Any:
    """What the post hooks of a node make of the cotangents of its inputs."""
    for hook in list(node.hooks.post.values()) if node.hooks is not None else ():
        given = tuple(shown(c) for c in cotangents)
        outs = shown(y_bar) if isinstance(y_bar, list) else (shown(y_bar),)
        found = hook(given, outs)
        if found is not None:
            check_tuple(found, given, hook)
            cotangents = [taken(f, task) for f in found]
    return cotangents


def computed(node: Node, y_bar: Any, task: Any) -> Any:
    """The cotangents of a node's inputs, checked in anomaly mode."""
    if y_bar is None:
        return node.undefined()
    if Anomaly.enabled:
        from s2sgrad.eager.passes.anomaly import checked

        return checked(node, y_bar, task)
    if task.create_graph:
        return named(node, y_bar, node.backward_graph(y_bar))
    return node.backward_batch(y_bar) if STATE.levels else node.backward(y_bar)


def before_leaf(leaf: Tensor, y_bar: Any, task: Any) -> Any:
    """Hooks of a leaf and of its AccumulateGrad before accumulation."""
    hooks: Hooks = leaf.hooks  # type: ignore[assignment]
    if hooks.tensor:
        y_bar = call_tensor_hooks(hooks, y_bar, task)
    for hook in list(hooks.pre.values()):
        given = (shown(y_bar),)
        found = hook(given)
        if found is not None:
            check_tuple(found, given, hook)
            y_bar = taken(found[0], task)
    return y_bar


def captured_leaf(leaf: Tensor, y_bar: Any, task: Any) -> Any:
    """The gradient of a leaf that `grad` asks for: its tensor hooks run, nothing accumulates."""
    if leaf.hooks is not None:
        if leaf.hooks.tensor:
            y_bar = call_tensor_hooks(leaf.hooks, y_bar, task)
        for hook in list(leaf.hooks.pre.values()):
            given = (shown(y_bar),)
            found = hook(given)
            if found is not None:
                check_tuple(found, given, hook)
                y_bar = taken(found[0], task)
    return y_bar


def after_leaf(leaf: Tensor, y_bar: Any) -> None:
    """Hooks of a leaf after its `.grad` has been updated."""
    hooks: Hooks = leaf.hooks  # type: ignore[assignment]
    for hook in list(hooks.post_accumulate.values()):
        found = hook(leaf)
        if found is not None and not isinstance(found, Tensor):
            raise TypeError(f"expected Variable, but hook returned '{type_name(found)}'")
        if found is not None and found is not leaf:
            raise RuntimeError("Tensor post accumulate grad hooks should return None.")
    for hook in list(hooks.post.values()):
        found = hook((), (shown(y_bar),))
        if found is not None:
            check_tuple(found, (), hook)


__all__ = ["add_hook", "hooks_of"]

"""The backward pass: one loop over a heap of nodes, newest first.

A node's `order` is below that of all its inputs, so when it comes off the heap everything that
contributes to its cotangent has been evaluated. Nothing recurses, whatever the depth.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from heapq import heappop, heappush, heapreplace
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import Batched, NeedsExamples
from s2sgrad.eager.batches.levels import added_up
from s2sgrad.eager.passes import hooks as _hooks
from s2sgrad.eager.passes.contributions import HELD_BY_HANDING_ON, LARGE, add, add_part, combine
from s2sgrad.eager.passes.edges import needed_edges
from s2sgrad.eager.passes.prompt import Prompt
from s2sgrad.eager.recording import reuse
from s2sgrad.eager.recording.node import LEAF, Hooks, Node, next_order
from s2sgrad.eager.recording.saved import stub
from s2sgrad.eager.settings.floating import Silence
from s2sgrad.eager.settings.state import STATE, Anomaly, refresh
from s2sgrad.eager.tensors.counters import InferenceCounter
from s2sgrad.eager.tensors.tensor import INFERENCE, Tensor, new, wrap

ndarray = np.ndarray
getrefcount = sys.getrefcount


VALUES_IN_BATCH = (
    "vmap: the derivative of an operation inside a vmapped function looks at the values of single "
    "examples, which is possible only while the function runs. Take the gradient inside of it: "
    "vmap(grad(f)) instead of the gradient of vmap(f)."
)


class Task:
    """One running backward pass.

    grads: edge -> cotangent so far (an array; a tensor under create_graph; None for "reached,
    but undefined"). captures: edge -> cotangent, for the edges whose gradient is asked for.
    """

    __slots__ = (
        "__weakref__", "accumulate", "callbacks", "captures", "create_graph", "grads", "keep",
        "needed", "prompt",
    )  # fmt: skip

    def __init__(self, keep: bool, create_graph: bool, captures: Any, accumulate: bool) -> None:
        self.keep, self.create_graph, self.accumulate = keep, create_graph, accumulate
        self.captures: dict[Any, Any] | None = captures
        self.needed: set[Any] | None = None
        self.prompt: Prompt | None = None
        self.grads: dict[Any, Any] = {}
        self.callbacks: list[Callable[[], None]] = []


def run(
    roots: list[tuple[Any, Any]],
    keep: bool,
    create_graph: bool,
    captures: dict[Any, Any] | None = None,
    accumulate: bool = False,
) -> None:
    """Send cotangents from the roots (edge, cotangent) back through the graph.

    Without `captures`, every leaf reached gets its `.grad`. With it, only the edges that are its
    keys are computed: their cotangents become its values and, with `accumulate`, their `.grad`.
    """
    task = Task(keep, create_graph, captures, accumulate)
    modes = (
        STATE.__dict__
    )  # this thread's: an attribute of `STATE` itself takes three times as long
    before = modes["grad"], modes["fast"], modes["task"], modes["node"], modes["hooks"]
    masked, mixed = modes["masked"], modes["mixed"]
    modes["task"], modes["masked"], modes["grad"] = task, modes["numpy"], create_graph
    if create_graph:
        modes["mixed"] = modes["batched"]
        refresh()
    else:
        modes["fast"] = False
    try:
        whole = captures is None
        if captures is not None:
            task.needed = needed_edges([edge for edge, _ in roots], captures)
            whole = task.needed is None and not accumulate
        plain = not create_graph and not Anomaly.enabled and modes["profiler"] is None
        if Hooks.on_leaves and (whole or accumulate) and (captures is None or accumulate):
            task.prompt = Prompt.of(roots, task.needed)
        with Silence():
            if whole and plain and not modes["levels"] and task.prompt is None:
                sweep(task, roots)
            else:
                sweep_with_care(task, roots)
        for callback in task.callbacks:
            callback()
    except NeedsExamples:
        if STATE.levels:
            raise
        raise RuntimeError(VALUES_IN_BATCH) from None
    finally:
        modes["grad"], modes["fast"], modes["task"], modes["node"], modes["hooks"] = before
        modes["masked"], modes["mixed"] = masked, mixed
        if task.callbacks:
            task.callbacks.clear()  # they may hold the task


def sweep(task: Task, roots: list[tuple[Any, Any]]) -> None:
    """The plain pass: arrays only, every leaf gets its gradient (or all are captured)."""
    grads, keep = task.grads, task.keep
    heap, leaves = lined_up(roots, grads)
    node = heappop(heap)[1] if heap else None
    while node is not None:
        y_bar = grads.pop(node)
        parents = node.parents
        if node.hooks is not None:
            y_bar = _hooks.before(node, y_bar, task)
            cotangents = _hooks.evaluate(node, y_bar, task)
        elif y_bar is None:
            cotangents = node.undefined()
        elif node.takes_part and y_bar.size > LARGE and add_part(grads, node, y_bar):
            cotangents = ()
        elif node.each is not None and (cotangents := one_by_one(node, y_bar)) is not None:
            y_bar = None
            for parent in parents:
                pass_on(parent, next(cotangents), grads, heap, leaves)
            cotangents = ()
        else:
            cotangents = node.backward(y_bar)
        y_bar = None
        if not keep and node.saves:
            node.saved = None
        # The next node is one of these parents or the first of the heap: most chains of
        # operations go from one to the next without touching the heap.
        node, order = None, 0
        for parent, x_bar in zip(parents, cotangents):  # noqa: B905  (speed)
            if parent is None:
                continue
            if parent in grads:
                old = grads[parent]
                if old is None:
                    grads[parent] = x_bar
                elif x_bar is not None:
                    if old.__class__ is not list and x_bar.size <= LARGE:
                        grads[parent] = old + x_bar
                    else:
                        old = None
                        combine(grads, parent, x_bar, cotangents)
                continue
            grads[parent] = x_bar
            place = parent.order
            if not place:
                leaves.append(parent)
            elif place < order:
                if node is not None:
                    heappush(heap, (order, node))
                node, order = parent, place
            else:
                heappush(heap, (place, parent))
        if heap and heap[0][0] < order:
            node = heappop(heap)[1] if node is None else heapreplace(heap, (order, node))[1]
        cotangents = x_bar = None
    deliver(leaves, task)


def pass_on(edge: Any, x_bar: Any, grads: Any, heap: Any, leaves: Any) -> None:
    """Add a large contribution to the cotangent of an edge, or of the array it is a part of."""
    if edge is None:
        return
    if edge in grads:
        if grads[edge] is None:
            grads[edge] = x_bar
        else:
            combine(grads, edge, x_bar, (), HELD_BY_HANDING_ON)
        return
    place = edge.order
    if place and edge.takes_part and edge.hooks is None and add_part(grads, edge, x_bar):
        return
    grads[edge] = x_bar
    if place:
        heappush(heap, (place, edge))
    else:
        leaves.append(edge)


def deliver(leaves: list[Any], task: Task) -> None:
    """Give the leaves that the plain pass has met their gradients, or capture them."""
    grads, captures = task.grads, task.captures
    for leaf in leaves:
        y_bar = grads.pop(leaf)
        if captures is not None:
            kept = leaf.hooks is None
            captures[leaf] = y_bar if kept else _hooks.captured_leaf(leaf, y_bar, task)
        elif y_bar is not None or leaf.hooks is not None:
            accumulate_array(leaf, y_bar, task)


def _count_references() -> int:
    """What getrefcount says in `accumulate_array` of an array that nothing else holds.

    Calls have the shape of those in `sweep`: how many references a call holds depends on the
    version of Python.
    """

    def accumulate_like(leaf: Any, y_bar: Any, task: Any) -> int:
        return getrefcount(y_bar)

    grads: dict[Any, Any] = {0: np.empty(1)}
    y_bar = grads.pop(0)
    return accumulate_like(None, y_bar, None)


UNSHARED = _count_references()


def accumulate_array(leaf: Tensor, y_bar: Any, task: Task) -> None:
    """Add an array to a leaf's `.grad`: into it, or as a new tensor."""
    if leaf.hooks is not None:
        y_bar = _hooks.before_leaf(leaf, y_bar, task)
    if y_bar is None or leaf._node is not LEAF:  # it may have been detached meanwhile
        return
    if y_bar.__class__ is Batched:
        y_bar = added_up(y_bar, leaf._array)
    old = leaf._grad
    array = leaf._array
    if y_bar.dtype is not array.dtype and y_bar.dtype != array.dtype:
        from s2sgrad.eager.recording.cotangents import cast

        y_bar = cast(y_bar, array.dtype)
    if old is None:
        if y_bar.__class__ is not ndarray and y_bar.__class__ is not Batched:
            y_bar = np.array(y_bar)
        # Steal fresh memory; copy what someone else may hold or what is only a view.
        if y_bar.base is not None or getrefcount(y_bar) > UNSHARED or not y_bar.flags.c_contiguous:
            y_bar = y_bar.copy()
        made = new(Tensor)
        made._array, made._node, made._vc, made._view = y_bar, None, [0], None
        if STATE.inference:
            made._inference, made._vc = True, InferenceCounter((0,))
        leaf._grad = made
    else:
        if old._vc.__class__ is not list and not STATE.inference:
            raise RuntimeError(INFERENCE)
        old._array += y_bar
        old._vc[0] += 1
    if leaf.hooks is not None:
        _hooks.after_leaf(leaf, y_bar)


def lined_up(roots: list[tuple[Any, Any]], grads: Any) -> tuple[list[tuple[int, Any]], list[Any]]:
    """The nodes and the leaves that a pass begins with; nothing else holds their cotangents."""
    heap: list[tuple[int, Any]] = []
    leaves: list[Any] = []
    if len(roots) == 1 and roots[0][0].order:
        edge, grads[edge] = roots.pop()
        return [(edge.order, edge)], leaves
    for edge, y_bar in roots:
        send(edge, y_bar, grads, heap, leaves)
    del roots[:]
    return heap, leaves


def one_by_one(node: Node, y_bar: Any) -> Any:
    """The cotangents of a node's parents as they are made, where they are large; else None."""
    large = y_bar.size > reuse.LARGE and not STATE.masked
    return node.each(y_bar) if large else None


def sweep_with_care(task: Task, roots: list[tuple[Any, Any]]) -> None:
    """The full pass: captures, gradients as tensors, anomaly checks."""
    grads, needed, captures = task.grads, task.needed, task.captures
    pending: list[tuple[int, Any]] = []
    leaves: list[Any] = []
    plain = not task.create_graph and not Anomaly.enabled and STATE.profiler is None
    prompt = task.prompt
    for edge, y_bar in roots:
        send(edge, y_bar, grads, pending, leaves)
        if prompt is not None and not edge.order:
            prompt.met(edge)
    while pending:
        node = heappop(pending)[1]
        y_bar = grads.pop(node)
        if needed is not None and node not in needed:
            continue
        if captures is not None and node in captures:
            on = leads_on(node, needed)
            captures[node] = y_bar  # as in torch: without the hooks that run below
            if task.accumulate or not on:
                captures[node] = y_bar = _hooks.of_tensor(node, y_bar, task)
                if not on:
                    if task.accumulate:
                        end_at(node, y_bar, task)
                    continue
                y_bar = _hooks.of_node(node, y_bar, task)
            elif node.hooks is not None:
                y_bar = _hooks.before(node, y_bar, task)
        elif node.hooks is not None:
            y_bar = _hooks.before(node, y_bar, task)
        if plain and node.hooks is None and y_bar is not None:
            cotangents = node.backward(y_bar) if not STATE.levels else node.backward_batch(y_bar)
        else:
            cotangents = _hooks.evaluate(node, y_bar, task)
        if not task.keep and node.saves:
            node.saved = None
        for parent, x_bar in zip(node.parents, cotangents):  # noqa: B905  (speed)
            if parent is None or (needed is not None and parent not in needed):
                continue
            if parent in grads:
                send(parent, x_bar, grads, pending, leaves)
            else:
                grads[parent] = x_bar
                order = parent.order
                if order:
                    heappush(pending, (order, parent))
                else:
                    leaves.append(parent)
            if prompt is not None and not parent.order:
                prompt.met(parent)
        if prompt is not None and prompt.complete:
            for leaf in prompt.taken(node, leaves):
                accumulate(leaf, grads.pop(leaf), task)
    for leaf in leaves:
        y_bar = grads.pop(leaf)
        if captures is None or task.accumulate:
            accumulate(leaf, y_bar, task)
        else:
            captures[leaf] = _hooks.captured_leaf(leaf, y_bar, task)


def end_at(node: Node, y_bar: Any, task: Task) -> None:
    """What becomes of a node that `backward(inputs=...)` ends at: its hooks run, it is freed."""
    nothing = [None] * len(node.parents)
    _hooks.after_node(node, _hooks.of_node(node, y_bar, task), nothing, task)
    if not task.keep and node.saves:
        node.saved = None


def leads_on(node: Node, needed: Any) -> bool:
    """Whether a captured node must still be evaluated for another captured edge."""
    return any(p is not None and p in needed for p in node.parents)


def send(edge: Any, x_bar: Any, grads: dict[Any, Any], pending: Any, leaves: Any) -> None:
    """Add one contribution to the cotangent of an edge and line the edge up."""
    if edge in grads:
        old = grads[edge]
        grads[edge] = x_bar if old is None else old if x_bar is None else add(old, x_bar)
        return
    grads[edge] = x_bar
    if edge.order:
        heappush(pending, (edge.order, edge))
    else:
        leaves.append(edge)


def accumulate(leaf: Tensor, y_bar: Any, task: Task) -> None:
    """Add a cotangent (array or tensor) to a leaf's `.grad`."""
    if not isinstance(y_bar, Tensor):
        accumulate_array(leaf, y_bar, task)
        return
    if leaf.hooks is not None:
        y_bar = _hooks.before_leaf(leaf, y_bar, task)
        if y_bar is None:
            return
    if y_bar._array.dtype != leaf._array.dtype:
        y_bar = y_bar.to(leaf._array.dtype)
    if leaf._grad is None:
        leaf._grad = own_copy(y_bar)
    else:
        leaf._grad = leaf._grad + y_bar
    if leaf.hooks is not None:
        _hooks.after_leaf(leaf, y_bar)


def own_copy(y_bar: Tensor) -> Tensor:
    """A copy of a gradient with its history, for `.grad` under create_graph."""
    from s2sgrad.eager.tensors.inplace import CopyBackwards

    made = wrap(y_bar._array.copy())
    edge = y_bar._edge()
    if edge is not None:
        node = new(CopyBackwards)
        node.order, node.hooks, node.parents = next_order(), None, (None, edge)
        node.like = stub(y_bar._array)
        made._node = node
    return made

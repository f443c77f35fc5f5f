"""`backward` and `grad`: the two public ways to run the engine."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import NeedsExamples
from s2sgrad.eager.batches.levels import enter, leave, running
from s2sgrad.eager.passes import engine
from s2sgrad.eager.passes.edges import release
from s2sgrad.eager.passes.gradient_edge import (
    GradientEdge,
    as_tuple,
    edge_of,
)
from s2sgrad.eager.recording.node import Node, named_as
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.dtypes import Size, from_numpy
from s2sgrad.eager.tensors.tensor import LEAF, Tensor, new, unwrapped, wrap
from s2sgrad.eager.tensors.tensor_values import first_time

ndarray = np.ndarray
TRANSFORMED = (
    "backward() called inside a functorch transform. This is not supported, please use "
    "functorch.grad or functorch.vjp instead or call backward() outside of functorch transforms."
)
REFERENCE_CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter "
    "and its gradient which can cause a memory leak. We recommend using autograd.grad when "
    "creating the graph to avoid this. If you have to use this function, make sure to reset the "
    ".grad fields of your parameters to None after use to break the cycle and avoid the leak. "
    "(Triggered internally at s2sgrad.)"
)
GRAD_VARIABLES = "`grad_variables` is deprecated. Use `grad_tensors` instead."
ONLY_INPUTS = (
    "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate "
    "gradient for other parts of the graph, please use torch.autograd.backward."
)


def _shape_error(index: int, given: Tensor, out: Tensor) -> str:
    return (
        f"Mismatch in shape: grad_output[{index}] has a shape of {Size(given._array.shape)} and "
        f"output[{index}] has a shape of {Size(out._array.shape)}."
    )


def initial(index: int, out: Any, given: Any, create_graph: bool, batched: bool = False) -> Any:
    """The cotangent an output starts with: `given`, checked, or ones."""
    if isinstance(out, GradientEdge):
        if given is None:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        return given if create_graph else given._array
    if not isinstance(out, Tensor):
        raise AssertionError("Expected output to be a torch.Tensor")
    if given is None:
        if out.requires_grad:
            if out._array.size != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            if out._array.dtype.kind == "c":
                raise RuntimeError(
                    "grad can be implicitly created only for real scalar outputs but got "
                    f"{from_numpy(out._array.dtype)}"
                )
            ones = np.ones(out._array.shape, out._array.dtype)
            return wrap(ones) if create_graph else ones
        return None
    if given._array.shape != out._array.shape:
        raise RuntimeError(_shape_error(index, given, out))
    if (given._array.dtype.kind == "c") != (out._array.dtype.kind == "c"):
        raise RuntimeError(
            "For complex Tensors, both grad_output and output are required to have the same dtype. "
            f"Mismatch in dtype: grad_output[{index}] has a dtype of {given.dtype} and "
            f"output[{index}] has a dtype of {out.dtype}."
        )
    if given._array.dtype != out._array.dtype:
        given = given.to(out.dtype)
    return given if create_graph else given._array


def one(array: Any) -> Any:
    """The number 1 in the shape (of one entry) and dtype of an array."""
    made = np.empty(array.shape, array.dtype)
    made.fill(1)
    return made


def make_roots(outputs: Any, grads: Any, create_graph: bool) -> list[tuple[Any, Any]]:
    """(edge, cotangent) for each output; RuntimeError for one without history."""
    if len(outputs) == 1 and grads[0] is None and not create_graph:
        (out,) = outputs
        if isinstance(out, Tensor) and out._array.ndim == 0 and out._array.dtype.kind == "f":
            edge = out._edge()
            if edge is not None:
                return [(edge, one(out._array))]
    started = [
        initial(i, out, g, create_graph)
        for i, (out, g) in enumerate(zip(outputs, grads, strict=True))
    ]
    roots = []
    for index, (out, y_bar) in enumerate(zip(outputs, started, strict=True)):
        edge = edge_of(out)
        if edge is None:
            raise RuntimeError(
                f"element {index} of tensors does not require grad and does not have a grad_fn"
            )
        roots.append((edge, y_bar))
    return roots


def _paired(outputs: tuple[Any, ...], grads: Any) -> list[Any]:
    """The list of output gradients, as long as the outputs."""
    if grads is None:
        return [None] * len(outputs)
    listed = [grads] if isinstance(grads, Tensor) else list(grads)[: len(outputs)]
    for given in listed:
        check_is_tensor(given)
    if len(listed) < len(outputs):
        for index, (out, given) in enumerate(zip(outputs, listed, strict=False)):
            initial(index, out, given, False)  # torch looks at shapes first
        raise RuntimeError(f"got {len(outputs)} tensors and {len(listed)} gradients")
    return listed


def check_is_tensor(given: Any) -> None:
    """A gradient must be a tensor or None."""
    if given is not None and not isinstance(given, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(given).__name__}")


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add to `.grad` of the leaves (or of `inputs`) the gradients of `tensors`.

    tensors: one tensor or a sequence. grad_tensors: their cotangents, needed where a tensor has
    more than one element. Raises RuntimeError as torch does.
    """
    if grad_variables is not None:
        warnings.warn(GRAD_VARIABLES, FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to "
                "`backward()`. Please only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if STATE.transforms > STATE.batching and STATE.task is None:
        raise RuntimeError(TRANSFORMED)
    single = inputs is None or isinstance(inputs, (Tensor, GradientEdge))
    if not single and len(tuple(inputs)) == 0:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    outputs = as_tuple(tensors)
    roots = make_roots(outputs, _paired(outputs, grad_tensors), create_graph)
    keep = create_graph if retain_graph is None else retain_graph
    if create_graph and first_time("create_graph"):
        warnings.warn(REFERENCE_CYCLE, UserWarning, stacklevel=2)
    if inputs is None:
        engine.run(roots, keep, create_graph)
        return
    wanted = as_tuple(inputs.values() if isinstance(inputs, dict) else inputs)
    backward_to(roots, wanted, keep, create_graph)


def backward_to(roots: Any, wanted: tuple[Any, ...], keep: bool, create_graph: bool) -> None:
    """`backward(inputs=...)`: only the wanted tensors get `.grad`."""
    captures: dict[Any, Any] = {}
    for t in wanted:
        edge = edge_of(t)
        if edge is None:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        captures[edge] = None
    engine.run(roots, keep, create_graph, captures, accumulate=True)
    for t in wanted:
        if isinstance(t, Tensor) and t._node is not LEAF:
            found = captures[t._edge()]
            if found is not None and not t._retains:
                made = found if isinstance(found, Tensor) else wrap(found.copy())
                t._grad = made if t._grad is None else t._grad + made


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """Gradients of the outputs with respect to `inputs`, as a tuple (a dict for a dict).

    Touches no `.grad`. Unused inputs raise, or give None (allow_unused) or zeros
    (materialize_grads). is_grads_batched: the cotangents have a leading axis of batches.
    """
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, "
            "but got: allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    if not only_inputs:
        warnings.warn(ONLY_INPUTS, FutureWarning, stacklevel=2)
    if isinstance(inputs, dict):
        found = grad(outputs, tuple(inputs.values()), grad_outputs, retain_graph, create_graph,
                     True, allow_unused, is_grads_batched, materialize_grads)  # fmt: skip
        return dict(zip(inputs.keys(), found, strict=True))
    outs, wanted = as_tuple(outputs), as_tuple(inputs)
    if not wanted:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    keep = create_graph if retain_graph is None else retain_graph
    given = _paired(outs, grad_outputs)
    if is_grads_batched:
        results = batched(outs, wanted, given, keep, create_graph, allow_unused)
    else:
        results = once(outs, wanted, given, keep, create_graph, allow_unused)
    if materialize_grads:
        if any(isinstance(t, GradientEdge) for t in wanted):
            raise RuntimeError("materialize_grads cannot be used when the given input is a "
                               "GradientEdge")  # fmt: skip
        results = tuple(
            wrap(np.zeros_like(t._array), LEAF if create_graph else None) if r is None else r
            for r, t in zip(results, wanted, strict=True)
        )
    return results


def once(
    outs: Any, wanted: Any, given: Any, keep: bool, create_graph: bool, allow_unused: bool
) -> tuple[Any, ...]:
    """One pass for `grad`."""
    dual = not create_graph and STATE.duals is not None and STATE.duals.concerns(outs)
    roots = make_roots(outs, given, create_graph or dual)
    captures: dict[Any, Any] = {}
    edges = []
    for t in wanted:
        plain_leaf = t.__class__ is Tensor and t._node is LEAF and t._view is None
        edge = t if plain_leaf else edge_of(t)
        if edge is None:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
        edges.append(edge)
        captures[edge] = None
    engine.run(roots, keep, create_graph or dual, captures)
    results: list[Any] = []
    plain = not STATE.inference
    for index, edge in enumerate(edges):
        found = captures[edge]
        if found is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {index} appears to not have been used in the "
                "graph. Set allow_unused=True if this is the desired behavior."
            )
        if plain and found.__class__ is ndarray and found.base is None and found.flags.writeable:
            made = new(Tensor)
            made._array, made._node, made._vc, made._view = found, None, [0], None
            results.append(made)
        else:
            results.append(owned(found, dual) if found is not None else None)
    return tuple(results)


def owned(found: Any, cut: bool = False) -> Tensor:
    """A captured cotangent as a tensor nobody else writes to. cut: without its history."""
    if isinstance(found, Tensor):
        return STATE.duals.cut_off(found) if cut else found  # type: ignore[no-any-return]
    return wrap(found if found.base is None and found.flags.writeable else found.copy())


def batched(
    outs: Any, wanted: Any, given: Any, keep: bool, create_graph: bool, allow_unused: bool
) -> tuple[Any, ...]:
    """`grad` for each row of the batched cotangents, stacked."""
    for i, (out, g) in enumerate(zip(outs, given, strict=True)):
        if g is not None and g._array.ndim == 0:
            g[0]  # raises
        if g is not None and g._array.shape[1:] != out._array.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output "
                "as the batch dimension. The sizes of the remaining dimensions are expected to "
                "match the shape of corresponding output, but a mismatch was detected: "
                # torch's text leaves out one more axis
                f"grad_output[{i}] has a shape of {Size(g._array.shape[2:])} and output[{i}] has a "
                f"shape of {Size(out._array.shape)}. If you only want some tensors in "
                "`grad_output` to be considered batched, consider using vmap."
            )
    sizes = [g._array.shape[0] for g in given if g is not None]
    if not sizes and all(out._array.size == 1 for out in outs):
        raise ValueError(
            "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a "
            "Tensor of dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0."
        )
    count = sizes[0] if sizes else 1
    if any(n != count for n in sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    if sizes and count:
        try:
            found = rows_at_once(outs, wanted, given, count, create_graph, allow_unused)
        except (NeedsExamples, Exception):
            pass  # an error that is the graph's own comes again below
        else:
            if not keep:
                release([edge_of(t) for t in outs], {edge_of(t) for t in wanted})
            return found
    rows = []
    for row in range(count):
        cotangents = [None if g is None else g[row] for g in given]
        last = keep or row < count - 1
        rows.append(once(outs, wanted, cotangents, last, create_graph, allow_unused))
    from s2sgrad.eager.operations.joining import stack

    return tuple(
        None if column[0] is None else stack(list(column)) for column in zip(*rows, strict=True)
    )


def rows_at_once(
    outs: Any, wanted: Any, given: Any, count: int, create_graph: bool, allow_unused: bool
) -> tuple[Any, ...]:
    """`grad` for all rows of the cotangents in one pass, which keeps the graph."""
    with running(count) as level:
        bars = [None if g is None else enter(g, 0, level.number) for g in given]
        found = once(outs, wanted, bars, True, create_graph, allow_unused)
    made = []
    for x_bar in found:
        name = x_bar.grad_fn.name() if x_bar is not None and x_bar.grad_fn is not None else ""
        y = None if x_bar is None else leave(x_bar, 0, level.number, count)
        made.append(named_as(y, name) if name else y)
    return tuple(made)


def backward_of(
    self: Tensor,
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """`t.backward()`: see `autograd.backward`."""
    if (
        gradient is None
        and inputs is None
        and not create_graph
        and self._array.size == 1
        and self._array.dtype.kind == "f"
        and self._node is not None
        and not STATE.transforms
    ):
        engine.run([(self._edge(), one(self._array))], bool(retain_graph), False)
        return
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


backward_of.__name__, backward_of.__qualname__ = "backward", "Tensor.backward"
Tensor.backward = backward_of  # type: ignore[attr-defined]

__all__ = ["STATE", "GradientEdge", "Node", "Sequence", "backward", "grad", "unwrapped"]

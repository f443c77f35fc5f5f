"""`autograd.functional`: Jacobians, Hessians and products with them, of functions of tensors.

Inputs are a tensor or a tuple of tensors; results nest as `[output][input]`. With
`create_graph=True` the results can be differentiated again; `strict=True` refuses a result that
is zero because nothing depends on the input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.eager._core import enable_grad, zeros_like
from s2sgrad.eager.autograd.functional_parts import (
    ONE_INPUT,
    ONE_OUTPUT,
    as_tuple,
    check_tracked,
    evaluate,
    filled,
    fresh,
    grad_mode,
    gradients,
    settled,
    single_scalar,
    unpack,
    vector,
)
from s2sgrad.eager.autograd.jacobians import hessian, jacobian

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def vjp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """`(func(*inputs), v J)`: the product of `v` (shaped as the outputs) with the Jacobian.

    Raises RuntimeError when `v` does not match the outputs, or is None for a non-scalar one.
    """
    with enable_grad():
        inputs_tuple, inputs = as_tuple(inputs, "inputs", "vjp")
        inputs = fresh(inputs, create_graph)
        outputs_tuple, outputs = evaluate(func, inputs, "vjp")
        check_tracked(outputs, "outputs", strict)
        v = vector(v, outputs, outputs_tuple, "vjp", ONE_OUTPUT)
    with grad_mode(create_graph):
        grads = gradients(outputs, inputs, v, create_graph)
        result = filled(grads, inputs, strict, create_graph, "back")
    return (
        unpack(settled(outputs, create_graph), outputs_tuple),
        unpack(settled(result, create_graph), inputs_tuple),
    )


def jvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """`(func(*inputs), J v)`: the product of the Jacobian with `v` (shaped as the inputs).

    Computed with two reverse passes: `u J` is linear in `u`, and its own transpose is `J v`.
    """
    with enable_grad():
        inputs_tuple, inputs = as_tuple(inputs, "inputs", "jvp")
        inputs = fresh(inputs, create_graph)
        v = vector(v, inputs, inputs_tuple, "jvp", ONE_INPUT)
        outputs_tuple, outputs = evaluate(func, inputs, "jvp")
        check_tracked(outputs, "outputs", strict)
        u = tuple(zeros_like(y, requires_grad=True) for y in outputs)
        rows = gradients(outputs, inputs, u, create_graph=True)
        check_tracked(rows, "grad_inputs", strict)
    with grad_mode(create_graph):
        grads = gradients(rows, u, v, create_graph)
        result = filled(grads, outputs, strict, create_graph, "back_trick")
    return (
        unpack(settled(outputs, create_graph), outputs_tuple),
        unpack(settled(result, create_graph), outputs_tuple),
    )


def vhp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """`(func(*inputs), v H)` for a function with one element: a vector times its Hessian."""
    with enable_grad():
        inputs_tuple, inputs = as_tuple(inputs, "inputs", "vhp")
        inputs = fresh(inputs, create_graph)
        v = vector(v, inputs, inputs_tuple, "vhp", ONE_INPUT)
        outputs_tuple, outputs = evaluate(func, inputs, "vhp")
        check_tracked(outputs, "outputs", strict)
        single_scalar(outputs, outputs_tuple, "vhp")
        gradient = gradients(outputs, inputs, create_graph=True)
        check_tracked(gradient, "jacobian", strict)
    with grad_mode(create_graph):
        grads = gradients(gradient, inputs, v, create_graph)
        result = filled(grads, inputs, strict, create_graph, "double_back")
    return (
        unpack(settled(outputs, create_graph), outputs_tuple),
        unpack(settled(result, create_graph), inputs_tuple),
    )


def hvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """`(func(*inputs), H v)` for a function with one element: its Hessian times a vector."""
    with enable_grad():
        inputs_tuple, inputs = as_tuple(inputs, "inputs", "hvp")
        inputs = fresh(inputs, create_graph)
        v = vector(v, inputs, inputs_tuple, "hvp", ONE_INPUT)
        outputs_tuple, outputs = evaluate(func, inputs, "hvp")
        check_tracked(outputs, "outputs", strict)
        single_scalar(outputs, outputs_tuple, "hvp")
        gradient = gradients(outputs, inputs, create_graph=True)
        check_tracked(gradient, "jacobian", strict)
        u = tuple(zeros_like(x, requires_grad=True) for x in inputs)
        rows = gradients(gradient, inputs, u, create_graph=True)
        check_tracked(rows, "hessian", strict)
    with grad_mode(create_graph):
        grads = gradients(rows, u, v, create_graph)
        result = filled(grads, inputs, strict, create_graph, "double_back_trick")
    return (
        unpack(settled(outputs, create_graph), outputs_tuple),
        unpack(settled(result, create_graph), inputs_tuple),
    )

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


class Run:
    """The function's run for `jvp`, `vhp` or `hvp`: its inputs, the vector, its outputs."""

    def __init__(
        self, func: Any, inputs: Any, v: Any, create_graph: bool, strict: bool, name: str
    ) -> None:
        self.name, self.strict, self.create_graph = name, strict, create_graph
        self.inputs_tuple, given = as_tuple(inputs, "inputs", name)
        self.inputs = fresh(given, create_graph)
        self.v = vector(v, self.inputs, self.inputs_tuple, name, ONE_INPUT)
        self.outputs_tuple, self.outputs = evaluate(func, self.inputs, name)
        check_tracked(self.outputs, "outputs", strict)

    def gradient(self) -> Any:
        """The gradient of the one element of the output, to be differentiated again."""
        single_scalar(self.outputs, self.outputs_tuple, self.name)
        found = gradients(self.outputs, self.inputs, create_graph=True)
        check_tracked(found, "jacobian", self.strict)
        return found

    def answer(self, result: Any, as_a_tuple: bool) -> tuple[Any, Any]:
        """The outputs, and the product as the user gets it."""
        outputs = settled(self.outputs, self.create_graph)
        products = settled(result, self.create_graph)
        return unpack(outputs, self.outputs_tuple), unpack(products, as_a_tuple)


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
        run = Run(func, inputs, v, create_graph, strict, "jvp")
        u = tuple(zeros_like(y, requires_grad=True) for y in run.outputs)
        rows = gradients(run.outputs, run.inputs, u, create_graph=True)
        check_tracked(rows, "grad_inputs", strict)
    with grad_mode(create_graph):
        grads = gradients(rows, u, run.v, create_graph)
        result = filled(grads, run.outputs, strict, create_graph, "back_trick")
    return run.answer(result, run.outputs_tuple)


def vhp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """`(func(*inputs), v H)` for a function with one element: a vector times its Hessian."""
    with enable_grad():
        run = Run(func, inputs, v, create_graph, strict, "vhp")
        gradient = run.gradient()
    with grad_mode(create_graph):
        grads = gradients(gradient, run.inputs, run.v, create_graph)
        result = filled(grads, run.inputs, strict, create_graph, "double_back")
    return run.answer(result, run.inputs_tuple)


def hvp(
    func: Callable[..., Any],
    inputs: Any,
    v: Any = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """`(func(*inputs), H v)` for a function with one element: its Hessian times a vector."""
    with enable_grad():
        run = Run(func, inputs, v, create_graph, strict, "hvp")
        gradient = run.gradient()
        u = tuple(zeros_like(x, requires_grad=True) for x in run.inputs)
        rows = gradients(gradient, run.inputs, u, create_graph=True)
        check_tracked(rows, "hessian", strict)
    with grad_mode(create_graph):
        grads = gradients(rows, u, run.v, create_graph)
        result = filled(grads, run.inputs, strict, create_graph, "double_back_trick")
    return run.answer(result, run.inputs_tuple)

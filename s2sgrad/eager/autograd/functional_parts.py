"""What `autograd.functional` has in common: arguments, results and strict mode's refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.eager._core import (
    Tensor,
    grad,
    is_grad_enabled,
    set_grad_enabled,
    zeros_like,
)

Tensors = tuple[Any, ...]

INDEPENDENT = {
    "back": "The output of the user-provided function is independent of input {}."
    " This is not allowed in strict mode.",
    "back_trick": "The gradient with respect to the input is independent of entry {}"
    " in the grad_outputs when using the double backward trick to compute"
    " forward mode gradients. This is not allowed in strict mode.",
    "double_back": "The jacobian of the user-provided function is independent of input {}."
    " This is not allowed in strict mode.",
    "double_back_trick": "The hessian of the user-provided function is independent of"
    " entry {} in the grad_jacobian. This is not allowed in strict mode as it prevents from"
    " using the double backward trick to replace forward mode AD.",
}
UNTRACKED = {
    "outputs": "Output {} of the user-provided function does not require gradients."
    " The outputs must be computed in a differentiable manner from the input"
    " when running in strict mode.",
    "grad_inputs": "The gradient with respect to input {} is independent of the inputs of the"
    " user-provided function. This is not allowed in strict mode.",
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided"
    " function with respect to input {} is independent of the input. This is not"
    " allowed in strict mode. You should ensure that your function is twice"
    " differentiable and that the jacobian depends on the inputs (this would be"
    " violated by a linear function for example).",
    "hessian": "The hessian of the user-provided function with respect to input {}"
    " is independent of the input. This is not allowed in strict mode."
    " You should ensure that your function is thrice differentiable and that"
    " the hessian depends on the inputs.",
}
CONSTANT = (
    "The {} of the user-provided function is independent of input {}."
    " This is not allowed in strict mode when create_graph=True."
)
ONE_INPUT = (
    "The vector v can only be None if the input to the user-provided function is a single"
    " Tensor with a single element."
)
ONE_OUTPUT = (
    "The vector v can only be None if the user-provided function returns a single Tensor with"
    " a single element."
)


def as_tuple(value: Any, what: str, where: str) -> tuple[bool, Tensors]:
    """(was it a tuple, its tensors); TypeError names `what` and `where` for anything else."""
    is_tuple = isinstance(value, tuple)
    tensors = value if is_tuple else (value,)
    for i, item in enumerate(tensors):
        if not isinstance(item, Tensor):
            found = f" value at index {i} has" if is_tuple else f" given {what} has"
            raise TypeError(
                f"The {what} given to {where} must be either a Tensor or a tuple of Tensors but"
                f" the{found} type {type(item)}."
            )
    return is_tuple, tensors


def fresh(tensors: Tensors, create_graph: bool, track: bool = True) -> Tensors:
    """The inputs as new tensors, so that the caller's stay as they are."""
    return tuple(
        t.view_as(t) if create_graph and t.requires_grad else t.detach().requires_grad_(track)
        for t in tensors
    )


def settled(result: Any, create_graph: bool) -> Any:
    """A nest of tensors, cut from its graph unless `create_graph`."""
    if create_graph:
        return result
    if isinstance(result, tuple):
        return tuple(settled(item, create_graph) for item in result)
    return result.detach()


def unpack(result: Tensors, is_tuple: bool) -> Any:
    return result if is_tuple else result[0]


def check_v(v: Tensors, like: Tensors, is_tuple: bool) -> None:
    """Refuse vectors that do not match `like` one by one."""
    if len(v) != len(like):
        if is_tuple:
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}."
            )
        raise RuntimeError("The given v should contain a single Tensor.")
    for i, (given, wanted) in enumerate(zip(v, like, strict=True)):
        if given.size() != wanted.size():
            entry = f"Entry {i} in " if is_tuple else ""
            raise RuntimeError(
                f"{entry}v has invalid size: should be {wanted.size()} but got {given.size()}."
            )


def vector(v: Any, like: Tensors, is_tuple: bool, where: str, missing: str) -> Tensors | None:
    """The checked `v`; None only where a single element makes it unnecessary."""
    if v is None:
        if len(like) != 1 or like[0].nelement() != 1:
            raise RuntimeError(missing)
        return None
    tensors = fresh(as_tuple(v, "v", where)[1], False, track=False)
    check_v(tensors, like, is_tuple)
    return tensors


def check_tracked(tensors: Tensors, kind: str, strict: bool) -> None:
    """In strict mode every tensor must depend on what is differentiated."""
    if not strict:
        return
    for i, tensor in enumerate(tensors):
        if tensor is None:
            raise RuntimeError(INDEPENDENT["back"].format(i))
        if not tensor.requires_grad:
            raise RuntimeError(UNTRACKED[kind].format(i))


def gradients(
    outputs: Tensors,
    inputs: Tensors,
    v: Tensors | None = None,
    create_graph: bool = False,
    **how: Any,
) -> Tensors:
    """`grad` over the outputs that are tracked; None for inputs that nothing depends on."""
    bars = v if v is not None else (None,) * len(outputs)
    pairs = [(y, y_bar) for y, y_bar in zip(outputs, bars, strict=True) if y is not None]
    pairs = [(y, y_bar) for y, y_bar in pairs if y.requires_grad]
    if not pairs:
        return (None,) * len(inputs)
    tracked, cotangents = zip(*pairs, strict=True)
    return grad(tracked, inputs, cotangents, create_graph=create_graph, allow_unused=True, **how)


def filled(grads: Tensors, like: Tensors, strict: bool, create_graph: bool, stage: str) -> Tensors:
    """Zeros in place of None; strict mode refuses them."""
    result = []
    for i, (found, reference) in enumerate(zip(grads, like, strict=True)):
        if found is None:
            if strict:
                raise RuntimeError(INDEPENDENT[stage].format(i))
            found = zeros_like(reference)
        elif strict and create_graph and not found.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(CONSTANT.format(what, i))
        result.append(found)
    return tuple(result)


def evaluate(func: Callable[..., Any], inputs: Tensors, where: str) -> tuple[bool, Tensors]:
    return as_tuple(func(*inputs), "outputs of the user-provided function", where)


def single_scalar(outputs: Tensors, is_tuple: bool, where: str) -> None:
    if is_tuple or len(outputs) != 1:
        raise RuntimeError(f"The function given to {where} should return a single Tensor")
    if outputs[0].nelement() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {where} should contain a single element"
        )


def grad_mode(create_graph: bool) -> Any:
    return set_grad_enabled(True if create_graph else is_grad_enabled())

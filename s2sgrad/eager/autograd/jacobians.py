"""Whole Jacobians and Hessians, row by row, in one batch, or column by column."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

from s2sgrad.eager._core import Tensor, enable_grad, grad, stack, zeros, zeros_like
from s2sgrad.eager.autograd import forward_ad
from s2sgrad.eager.autograd.all_entries import for_all_entries, one_hot
from s2sgrad.eager.autograd.functional_parts import (
    CONSTANT,
    Tensors,
    as_tuple,
    check_tracked,
    evaluate,
    fresh,
    settled,
    single_scalar,
    unpack,
)
from s2sgrad.eager.passes.tangents import alias

_HINT = (
    ' Hint: If your function has more outputs than inputs, "forward-mode" tends to be more'
    ' performant. Otherwise, prefer to use "reverse-mode".'
)
_PREFIX = "torch.autograd.functional.jacobian: "


def standard_basis(like: Tensor) -> Tensor:
    """Every `one_hot` of `like`, stacked: `(like.numel(), *like.shape)`."""
    size = like.numel()
    basis = zeros(size, size, dtype=like.dtype)
    for i in range(size):
        basis[i, i] = 1.0
    return basis.reshape((size, *like.shape))


def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of `func` at `inputs`: shape `output.shape + input.shape`.

    A tuple of outputs gives a tuple over outputs, a tuple of inputs a tuple over inputs inside.
    `strategy="forward-mode"` works by columns (few inputs, many outputs).

    >>> jacobian(lambda x: x**2, tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    _check_options(create_graph, strict, vectorize, strategy)
    with enable_grad():
        inputs_tuple, inputs = as_tuple(inputs, "inputs", "jacobian")
        if strategy == "forward-mode":
            outputs_tuple, matrix = _by_columns(func, inputs)
        else:
            inputs = fresh(inputs, create_graph)
            outputs_tuple, outputs = evaluate(func, inputs, "jacobian")
            check_tracked(outputs, "outputs", strict)
            rows = _batched_rows if vectorize else _by_rows
            matrix = tuple(rows(y, i, inputs, create_graph, strict) for i, y in enumerate(outputs))
        if strategy != "forward-mode":
            matrix = settled(matrix, create_graph)
    if strategy == "forward-mode" and inputs_tuple:  # lists, as in torch
        return unpack([list(row) for row in matrix], outputs_tuple)  # type: ignore[arg-type]
    return unpack(tuple(unpack(row, inputs_tuple) for row in matrix), outputs_tuple)


def _check_options(create_graph: bool, strict: bool, vectorize: bool, strategy: str) -> None:
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode".' + _HINT
        )
    if strategy == "forward-mode":
        advice = "are not supported together (yet). Please either set"
        if create_graph:
            raise NotImplementedError(
                f'{_PREFIX}`create_graph=True` and `strategy="forward-mode"` {advice} '
                '`create_graph=False` or `strategy="reverse-mode"`.'
            )
        if strict:
            raise RuntimeError(
                f'{_PREFIX}`strict=True` and `strategy="forward-mode"` {advice} '
                '`strict=False` or `strategy="reverse-mode"`.'
            )
        if not vectorize:
            raise NotImplementedError(
                "Computing Jacobian using forward-AD or forward-over-reverse Hessian is"
                "only implemented for `vectorize=True`."
            )
    if strict and vectorize:
        raise RuntimeError(
            f"{_PREFIX}`strict=True` and `vectorized=True` are not supported together. "
            "Please either set `strict=False` or `vectorize=False`."
        )


def _by_rows(y: Tensor, index: int, inputs: Tensors, create_graph: bool, strict: bool) -> Tensors:
    """One reverse sweep for each element of `y`."""
    if not y.requires_grad or y.numel() == 0:
        return tuple(zeros((*y.shape, *x.shape), dtype=x.dtype) for x in inputs)
    if y.is_complex():
        raise RuntimeError(
            f"grad can be implicitly created only for real scalar outputs but got {y.dtype}"
        )
    columns: list[list[Tensor]] = [[] for _ in inputs]
    for j in range(y.numel()):
        row = grad(
            (y,), inputs, (one_hot(y, j),),
            retain_graph=True, create_graph=create_graph, allow_unused=True,
        )  # fmt: skip
        for i, (x, x_bar) in enumerate(zip(inputs, row, strict=True)):
            columns[i].append(_checked(x_bar, x, (index, i), create_graph, strict))
    return tuple(
        stack(column, 0).view((*y.shape, *x.shape))
        for column, x in zip(columns, inputs, strict=True)
    )


def _checked(
    x_bar: Tensor | None, x: Tensor, where: tuple[int, int], create_graph: bool, strict: bool
) -> Tensor:
    """A row's cotangent: zeros for None, which strict mode refuses."""
    if x_bar is None:
        if strict:
            raise RuntimeError(
                f"Output {where[0]} of the user-provided function is independent of input"
                f" {where[1]}. This is not allowed in strict mode."
            )
        return zeros_like(x)
    if strict and create_graph and not x_bar.requires_grad:
        raise RuntimeError(CONSTANT.format("jacobian", where[1]))
    return x_bar


def _batched_rows(
    y: Tensor, index: int, inputs: Tensors, create_graph: bool, strict: bool
) -> Tensors:
    """All rows in one batch of cotangents."""
    found: Tensors = (None,) * len(inputs)
    if y.requires_grad and y.numel():
        found = grad(
            (y,), inputs, (standard_basis(y),), retain_graph=True, create_graph=create_graph,
            allow_unused=True, is_grads_batched=True,
        )  # fmt: skip
    return tuple(
        zeros((*y.shape, *x.shape), dtype=x.dtype)
        if rows is None
        else rows.view((*y.shape, *x.shape))
        for x, rows in zip(inputs, found, strict=True)
    )


def _by_columns(func: Callable[..., Any], inputs: Tensors) -> tuple[bool, tuple[Tensors, ...]]:
    """One forward sweep with dual numbers for each input, for all its elements together."""
    columns: list[list[Tensor]] = []  # [input][output], one column for each element
    outputs_tuple, outputs = False, cast("Tensors", ())

    def pushed(place: int, x: Tensor, dot: Tensor) -> list[Tensor]:
        nonlocal outputs_tuple, outputs
        with forward_ad.dual_level():
            duals = [alias(t) for t in inputs]  # a Hessian makes leaves of them
            duals[place] = forward_ad.make_dual(x, dot)
            outputs_tuple, outputs = evaluate(func, tuple(duals), "jacobian")
            parts = [forward_ad.unpack_dual(y) for y in outputs]
            outputs = tuple(part.primal for part in parts)
            tangents = (part.tangent for part in parts)
            return [
                zeros_like(y) if y_dot is None else y_dot
                for y, y_dot in zip(outputs, tangents, strict=True)
            ]

    for place, x in enumerate(inputs):
        columns.append(for_all_entries(functools.partial(pushed, place, x), x, None))
    return outputs_tuple, tuple(
        tuple(
            columns[i][k].movedim(0, -1).reshape((*y.shape, *x.shape)) for i, x in enumerate(inputs)
        )
        for k, y in enumerate(outputs)
    )


def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function with one element: `[input][input]`, shapes joined.

    Raises RuntimeError when the function returns anything else than one one-element tensor.
    """
    inputs_tuple, inputs = as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')

    def scalar(*args: Tensor) -> Tensor:
        is_tuple, outputs = evaluate(func, args, "hessian")
        check_tracked(outputs, "outputs", strict)
        single_scalar(outputs, is_tuple, "hessian")
        return outputs[0].squeeze()

    def gradient(*args: Tensor) -> Tensors:
        if outer_jacobian_strategy == "forward-mode":
            args = tuple(x.requires_grad_(True) if x.is_leaf else x for x in args)
        rows = jacobian(scalar, args, create_graph=True)
        check_tracked(rows, "jacobian", strict)
        return rows

    matrix = jacobian(
        gradient, inputs, create_graph, strict, vectorize, strategy=outer_jacobian_strategy
    )
    return unpack(tuple(unpack(row, inputs_tuple) for row in matrix), inputs_tuple)

"""Numerical and analytical Jacobians for `gradcheck`, as NumPy matrices.

A Jacobian has one row for each input element and one column for each output element. With a
complex input an entry is `ds/dx + i ds/dy` for the real output s, which is what a cotangent
holds under the conjugate convention.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, grad, no_grad, tensor
from s2sgrad.eager.autograd import forward_ad

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]


def as_tuple(value: Any) -> tuple[Any, ...]:
    """A tuple of what a function got or returned."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def differentiable(outputs: Any) -> tuple[Tensor, ...]:
    """The outputs that require grad."""
    return tuple(y for y in as_tuple(outputs) if y.requires_grad)


def is_checked(x: Any) -> bool:
    """Whether an input takes part: a tensor that requires grad."""
    return isinstance(x, Tensor) and x.requires_grad


def raw(t: Tensor) -> Array:
    """The memory of a tensor, for writing past every version counter."""
    return t.detach().numpy()


def values(t: Tensor) -> Array:
    """A copy of a tensor's entries, flat."""
    return np.array(raw(t.detach())).reshape(-1)


def evaluated(func: Function, inputs: Sequence[Any]) -> list[Array]:
    """The flat outputs of a call."""
    return [values(y) for y in as_tuple(func(*inputs))]


def perturbed(
    func: Function, inputs: Sequence[Any], x: Tensor, where: tuple[int, ...], step: Any
) -> list[Array]:
    """Central difference of every output along `step` at one entry of x.

    The entry is changed in x's own memory, so that closures over x see it too.
    """
    memory = raw(x)
    kept = memory[where]
    try:
        memory[where] = kept + step
        ahead = evaluated(func, inputs)
        memory[where] = kept - step
        behind = evaluated(func, inputs)
    finally:
        memory[where] = kept
    with np.errstate(invalid="ignore"):
        return [(a - b) / (2 * abs(step)) for a, b in zip(ahead, behind, strict=True)]


def numerical(
    func: Function, inputs: Sequence[Any], x: Tensor, eps: Any, forward: bool = False
) -> list[Array]:
    """The Jacobians of all outputs with respect to x, by central differences.

    `forward` keeps the derivative along the real direction only.
    """
    rows: list[list[Array]] = []
    for where in np.ndindex(*x.shape):
        along = perturbed(func, inputs, x, where, eps)
        if x.is_complex() and not forward:
            across = perturbed(func, inputs, x, where, eps * 1j)
            along = [a + 1j * b for a, b in zip(along, across, strict=True)]
        rows.append(along)
    if not rows:
        dtype = raw(x).dtype
        return [np.zeros((0, y.size), dtype) for y in evaluated(func, inputs)]
    return [np.stack(column) for column in zip(*rows, strict=True)]


def one_hots(y: Tensor, value: Any = 1.0) -> Iterator[Tensor]:
    """One cotangent (or tangent) for each element of y."""
    for where in np.ndindex(*y.shape):
        basis = np.zeros(tuple(y.shape), raw(y).dtype)
        basis[where] = value
        yield tensor(basis, dtype=y.dtype)


def pull(y: Tensor, inputs: Sequence[Tensor], y_bar: Tensor | None) -> tuple[Tensor | None, ...]:
    """One reverse sweep that keeps the graph."""
    return grad(y, inputs, y_bar, retain_graph=True, allow_unused=True)


def analytical(y: Tensor, inputs: Sequence[Tensor]) -> tuple[list[Array], bool, bool]:
    """The Jacobians of y by reverse mode, and whether the gradients had good size and dtype."""
    columns: list[list[Array]] = [[] for _ in inputs]
    good_size = good_dtype = True
    for y_bar in one_hots(y):
        for column, x, x_bar in zip(columns, inputs, pull(y, inputs, y_bar), strict=True):
            size = int(np.prod(tuple(x.shape)))
            if x_bar is None:
                column.append(np.zeros(size, raw(x).dtype))
                continue
            good_dtype = good_dtype and x_bar.dtype == x.dtype
            if tuple(x_bar.shape) != tuple(x.shape):
                good_size = False
                column.append(np.zeros(size, raw(x).dtype))
            else:
                column.append(values(x_bar))
    matrices = [
        np.stack(column, 1) if column else np.zeros((values(x).size, 0), raw(x).dtype)
        for column, x in zip(columns, inputs, strict=True)
    ]
    return matrices, good_size, good_dtype


def pushed(func: Function, inputs: Sequence[Any], index: int, x_dot: Tensor) -> list[Any]:
    """The tangents of the outputs for the tangent `x_dot` of one input."""
    with forward_ad.dual_level():
        duals = [x.detach() if isinstance(x, Tensor) else x for x in inputs]
        duals[index] = forward_ad.make_dual(duals[index], x_dot)
        outputs = as_tuple(func(*duals))
        return [forward_ad.unpack_dual(y) for y in outputs]


def analytical_forward(
    func: Function, inputs: Sequence[Any], index: int, direction: Any = 1.0
) -> list[Array]:
    """The Jacobians of all outputs with respect to one input, by forward mode."""
    rows = []
    for x_dot in one_hots(inputs[index], direction):
        with no_grad():
            parts = pushed(func, inputs, index, x_dot)
        rows.append(
            [
                np.zeros_like(values(p.primal)) if p.tangent is None else values(p.tangent)
                for p in parts
            ]
        )
    return [np.stack(column) for column in zip(*rows, strict=True)]


def close(found: Any, wanted: Any, rtol: float, atol: float) -> bool:
    """`|found - wanted| <= atol + rtol |wanted|` everywhere; equal infinities are close."""
    return bool(np.allclose(found, wanted, rtol=rtol, atol=atol))

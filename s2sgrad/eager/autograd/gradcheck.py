"""`gradcheck` and `gradgradcheck`: analytical gradients against central differences."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, enable_grad, grad, tensor
from s2sgrad.eager.autograd import gradcheck_jacobians as jacobians
from s2sgrad.eager.autograd import gradcheck_texts as texts
from s2sgrad.eager.autograd.gradcheck_behaviour import (
    check_batched,
    check_batched_forward,
    check_scales_with_cotangent,
    check_undefined,
    check_undefined_forward,
)
from s2sgrad.eager.autograd.gradcheck_errors import GradcheckError
from s2sgrad.eager.autograd.gradcheck_jacobians import as_tuple, close, differentiable, is_checked

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

Function = Callable[..., Any]


@dataclass(frozen=True)
class Settings:
    """The tolerances and switches of one check."""

    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    grad_dtypes: bool
    fast: bool


def gradcheck(
    func: Function,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the gradients of `func` at `inputs` with central differences.

    Inputs that require grad should be double or cdouble. `fast_mode` compares one random
    projection of the Jacobian in place of all of it. `masked` speaks of sparse tensors only and
    changes nothing here. Returns True; on a difference raises GradcheckError, or returns False
    with `raise_exception=False`.
    """
    _check_switches(
        check_forward_ad, check_backward_ad, check_batched_grad, check_batched_forward_grad
    )
    how = Settings(eps, atol, rtol, nondet_tol, check_grad_dtypes, fast_mode)
    args = as_tuple(inputs)
    try:
        _check_inputs(args)
        outputs = differentiable(func(*args))
        if not outputs:
            return _check_constant(func, args, how)
        if check_backward_ad:
            _check_reverse(func, args, outputs, how)
        if check_forward_ad:
            _check_forward(func, args, how)
            if check_undefined_grad:
                check_undefined_forward(func, args)
        if check_batched_forward_grad:
            check_batched_forward(func, args)
        if not check_backward_ad:
            return True
        for index, y in enumerate(outputs):
            if check_batched_grad:
                check_batched(args, y, index)
        check_scales_with_cotangent(outputs, args)
        if check_undefined_grad:
            check_undefined(func, outputs, args)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_switches(forward: bool, backward: bool, batched: bool, batched_forward: bool) -> None:
    if not (forward or backward):
        raise AssertionError(
            "Expected at least one of check_forward_ad or check_backward_ad to be True"
        )
    if batched and not backward:
        raise AssertionError(
            "Setting check_batched_grad=True requires check_backward_ad to be True"
        )
    if batched_forward and not forward:
        raise AssertionError(
            "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
        )


def _check_inputs(args: Sequence[Any]) -> None:
    """At least one input requires grad; warn about low precision, refuse overlapping memory."""
    found = False
    for index, x in enumerate(args):
        if not is_checked(x):
            continue
        found = True
        memory = jacobians.raw(x)
        if memory.dtype not in (np.float64, np.complex128):
            warnings.warn(texts.NOT_DOUBLE.format(index), stacklevel=3)
        if any(step == 0 and size > 1 for step, size in zip(memory.strides, memory.shape)):  # noqa: B905
            raise RuntimeError(texts.STRIDE_ZERO.format(index))
    if not found:
        raise ValueError(texts.NO_INPUT)


def _check_constant(func: Function, args: Sequence[Any], how: Settings) -> bool:
    """Without a tracked output the differences must vanish too."""

    def floating(*values: Any) -> tuple[Any, ...]:
        ys = as_tuple(func(*values))
        return tuple(y for y in ys if y.is_floating_point() or y.is_complex())

    for x in filter(is_checked, args):
        for matrix in jacobians.numerical(floating, args, x, how.eps):
            if not close(matrix, np.zeros_like(matrix), how.rtol, 1e-12):
                raise GradcheckError(texts.NOT_ZERO)
    return True


# ---------------------------------------------------------------- reverse mode


def _check_reverse(
    func: Function, args: Sequence[Any], outputs: Sequence[Tensor], how: Settings
) -> None:
    """All outputs against differences; complex ones by imaginary, then by real part."""
    compare = _compare_fast if how.fast else _compare_slow
    if not any(y.is_complex() for y in outputs):
        compare(func, args, outputs, ("",) * len(outputs), how)
        return
    for part in ("imaginary", "real"):

        def taken(*values: Any, part: str = part) -> tuple[Tensor, ...]:
            ys = differentiable(func(*values))
            take = (lambda y: y.imag) if part == "imaginary" else (lambda y: y.real)
            return tuple(take(y) if y.is_complex() else y for y in ys)

        parts = tuple(part if y.is_complex() else "" for y in outputs)
        compare(taken, args, taken(*args), parts, how)


def _tracked(func: Function) -> Function:
    return lambda *args: differentiable(func(*args))


def _numerical(func: Function, args: Sequence[Any], how: Settings) -> list[list[Any]]:
    """[checked input][output] Jacobians by central differences."""
    return [jacobians.numerical(_tracked(func), args, x, how.eps) for x in args if is_checked(x)]


def _compare_slow(
    func: Function,
    args: Sequence[Any],
    outputs: Sequence[Tensor],
    parts: Sequence[str],
    how: Settings,
) -> None:
    wanted = _numerical(func, args, how)
    checked = [x for x in args if is_checked(x)]
    for k, y in enumerate(outputs):
        found = _reentrant(y, checked, how)
        for i, matrix in enumerate(found):
            if not close(matrix, wanted[i][k], how.rtol, how.atol):
                raise GradcheckError(
                    texts.mismatch(tensor(matrix), tensor(wanted[i][k]), (k, i), parts[k])
                )


def _reentrant(y: Tensor, checked: Sequence[Tensor], how: Settings) -> list[Any]:
    """The analytical Jacobians, refused when a second sweep gives others."""
    found, good_size, good_dtype = jacobians.analytical(y, checked)
    again = jacobians.analytical(y, checked)[0]
    if how.grad_dtypes and not good_dtype:
        raise GradcheckError("Gradient has dtype mismatch")
    if not good_size:
        raise GradcheckError("Analytical gradient has incorrect size")
    for first, second in zip(found, again, strict=True):
        if first.size and np.abs(first - second).max() > how.nondet_tol:
            raise GradcheckError(
                texts.NOT_REENTRANT.format(how.nondet_tol) + texts.NONDETERMINISTIC
            )
    return found


def _compare_fast(
    func: Function,
    args: Sequence[Any],
    outputs: Sequence[Tensor],
    parts: Sequence[str],
    how: Settings,
) -> None:
    """One projection `u^T J v` with random unit vectors in place of the whole Jacobian."""
    rng = np.random.default_rng(0)
    checked = [x for x in args if is_checked(x)]
    us = [_unit(rng, x) for x in checked]
    vs = [_unit(rng, y) for y in outputs]
    wanted = [_directional(func, args, x, u, how.eps) for x, u in zip(checked, us, strict=True)]
    for k, (y, v) in enumerate(zip(outputs, vs, strict=True)):
        y_bar = tensor(v.real.astype(jacobians.raw(y).dtype), dtype=y.dtype)
        for i, x_bar in enumerate(jacobians.pull(y, checked, y_bar)):
            g = 0.0 if x_bar is None else _projected(jacobians.raw(x_bar), us[i])
            w = _contracted([d[k] for d in wanted[i]], v.real)
            atol = how.atol * float(np.abs(us[i]).sum() * np.abs(v).sum())
            if close(g, w, how.rtol, atol):
                continue
            raise GradcheckError(
                texts.mismatch(g, w, (k, i), parts[k]) + _slow_report(func, args, y, i, k, how)
            )


def _unit(rng: np.random.Generator, t: Tensor) -> Any:
    """A random unit vector of t's shape; complex with independent parts for complex t."""
    shape = tuple(t.shape)
    vector = rng.random(shape) + (1j * rng.random(shape) if t.is_complex() else 0.0)
    length = float(np.linalg.norm(vector.reshape(-1)))
    return vector / length if length else vector


def _directional(
    func: Function, args: Sequence[Any], x: Tensor, u: Any, eps: float
) -> list[list[Any]]:
    """Central differences of all outputs along `u.real` (and `i u.imag` where complex)."""
    memory = jacobians.raw(x)
    kept = memory.copy()
    steps = [u.real] + ([1j * u.imag] if x.is_complex() else [])
    results = []
    for step in steps:
        try:
            memory[...] = kept + eps * step
            ahead = jacobians.evaluated(_tracked(func), args)
            memory[...] = kept - eps * step
            behind = jacobians.evaluated(_tracked(func), args)
        finally:
            memory[...] = kept
        results.append([(a - b) / (2 * eps) for a, b in zip(ahead, behind, strict=True)])
    return results


def _contracted(differences: Sequence[Any], v: Any) -> Any:
    """`v . d` for the real direction, plus i times that of the imaginary one."""
    dots = [float(np.dot(np.real(d), v.reshape(-1))) for d in differences]
    return dots[0] if len(dots) == 1 else complex(dots[0], dots[1])


def _projected(x_bar: Any, u: Any) -> Any:
    if not np.iscomplexobj(u):
        return float(np.sum(x_bar.real * u))
    return complex(np.sum(x_bar.real * u.real), np.sum(x_bar.imag * u.imag))


def _slow_report(
    func: Function, args: Sequence[Any], y: Tensor, i: int, k: int, how: Settings
) -> str:
    wanted = _numerical(func, args, how)[i][k]
    found = jacobians.analytical(y, [x for x in args if is_checked(x)])[0][i]
    largest = float(np.abs(found - wanted).max())
    passes = close(found, wanted, how.rtol, how.atol)
    return texts.slow_tables(tensor(found), tensor(wanted), largest, passes)


# ---------------------------------------------------------------- forward mode


def _check_forward(func: Function, args: Sequence[Any], how: Settings) -> None:
    """Jacobians by dual numbers against differences, input by input."""
    position = -1
    for index, x in enumerate(args):
        if not is_checked(x):
            continue
        position += 1
        directions = (("imaginary", 1j), ("real", 1.0)) if x.is_complex() else (("", 1.0),)
        for part, direction in directions:
            found = jacobians.analytical_forward(func, args, index, direction)
            wanted = jacobians.numerical(func, args, x, how.eps * direction, forward=True)
            for k, (f, w) in enumerate(zip(found, wanted, strict=True)):
                if not close(f, w, how.rtol, how.atol):
                    message = texts.mismatch(tensor(f), tensor(w), (k, position), part, True)
                    raise GradcheckError(message)


# ---------------------------------------------------------------- second derivatives


def gradgradcheck(
    func: Function,
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """`gradcheck` of the gradient: second derivatives against central differences of the first.

    `grad_outputs` are random when not given (`gen_non_contig_grad_outputs`: in strided memory).
    """
    _check_second_switches(
        check_fwd_over_rev, check_rev_over_rev, check_undefined_grad, check_batched_grad
    )
    args = as_tuple(inputs)
    if grad_outputs is None:
        outputs = differentiable(func(*args))
        cotangents = tuple(_random_like(y, gen_non_contig_grad_outputs) for y in outputs)
    else:
        cotangents = as_tuple(grad_outputs)
    count = len(cotangents)
    checked = [is_checked(x) for x in args]

    def gradient(*values: Any) -> tuple[Tensor, ...]:
        xs, y_bars = values[: len(values) - count], values[len(values) - count :]
        wrt = tuple(x for x, wanted in zip(xs, checked, strict=True) if wanted)
        with enable_grad():
            for x in wrt:
                if not x.requires_grad:  # forward mode hands in detached duals
                    x.requires_grad_()
            ys = differentiable(func(*xs))
            found = grad(ys, wrt, y_bars, create_graph=True, allow_unused=True)
        return tuple(x_bar for x_bar in found if x_bar is not None)

    return gradcheck(
        gradient,
        args + cotangents,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        fast_mode=fast_mode,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        masked=masked,
    )


def _check_second_switches(forward: bool, reverse: bool, undefined: bool, batched: bool) -> None:
    if not (forward or reverse):
        raise AssertionError(
            "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
        )
    if undefined and not reverse:
        raise AssertionError(
            "Setting check_undefined_grad=True requires check_rev_over_rev to be True"
        )
    if batched and not reverse:
        raise AssertionError(
            "Setting check_batched_grad=True requires check_rev_over_rev to be True"
        )


def _random_like(y: Tensor, strided: bool) -> Tensor:
    """A tracked random cotangent for y."""
    rng = np.random.default_rng()
    dtype = jacobians.raw(y).dtype
    numbers = rng.standard_normal((*y.shape, 2))
    entries = numbers[..., 0] + (1j * numbers[..., 1] if y.is_complex() else 0.0)
    made = np.array(entries).astype(dtype)
    if not strided or made.ndim == 0:
        return tensor(made, dtype=y.dtype, requires_grad=True)
    wide = tensor(np.repeat(made, 2, axis=-1), dtype=y.dtype)
    return wide[..., ::2].requires_grad_()

"""`gradcheck`'s comparisons: whole Jacobians, random projections, forward mode."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, tensor
from s2sgrad.eager.autograd import gradcheck_jacobians as jacobians
from s2sgrad.eager.autograd import gradcheck_texts as texts
from s2sgrad.eager.autograd.gradcheck_errors import GradcheckError
from s2sgrad.eager.autograd.gradcheck_jacobians import as_tuple, close, differentiable, is_checked

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


def check_inputs(args: Sequence[Any]) -> None:
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


def check_constant(func: Function, args: Sequence[Any], how: Settings) -> bool:
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


def check_reverse(
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
        with np.errstate(invalid="ignore"):
            apart = np.abs(first - second)
        if first.size and apart.max() > how.nondet_tol:
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


def check_forward(func: Function, args: Sequence[Any], how: Settings) -> None:
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

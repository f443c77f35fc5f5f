"""Making tensors from data, sizes and random numbers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import full as full_array
from s2sgrad.eager.recording.saved import type_name
from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.data import as_array
from s2sgrad.eager.tensors.devices import placed, require_cpu
from s2sgrad.eager.tensors.tensor import LEAF, Tensor, floats, wrap

REQUIRES = "Only Tensors of floating point and complex dtype can require gradients"


def finished(array: Any, requires_grad: bool, cls: Any = Tensor) -> Any:
    """A leaf around a fresh array, tracking if asked to."""
    made = wrap(array, None, cls)
    if requires_grad:
        if not floats(made._array.dtype):
            raise RuntimeError(REQUIRES)
        made._node = LEAF
        made.hooks = made._grad = None
    return made


@placed
def tensor(
    data: Any, *, dtype: Any = None, requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:  # fmt: skip
    """A new leaf with a copy of `data` (numbers, nested lists, arrays)."""
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach()."
            "clone() or sourceTensor.detach().clone().requires_grad_(True), rather than "
            "torch.tensor(sourceTensor).",
            stacklevel=2,
        )
    target = None if dtype is None else dtypes.as_dtype(dtype)
    return finished(as_array(data, target), requires_grad)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """`data` itself where it is a tensor, sharing memory where it is an array."""
    require_cpu(device)
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    if isinstance(data, np.ndarray):
        made = from_numpy(data)
        return made if dtype is None else made.to(dtype)
    return tensor(data, dtype=dtype)


asarray = as_tensor


def from_numpy(array: np.ndarray[Any, Any]) -> Tensor:
    """A leaf on the array's own memory."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_name(array)})")
    dtypes.from_numpy(array.dtype)
    return wrap(array)


def sizes_of(sizes: tuple[Any, ...]) -> tuple[int, ...]:
    """`(2, 3)` from `f(2, 3)`, `f((2, 3))` or `f(torch.Size([2, 3]))`."""
    if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)):
        sizes = tuple(sizes[0])
    return tuple(int(n) for n in sizes)


def new_sizes(sizes: tuple[Any, ...], name: str) -> tuple[int, ...]:
    """The sizes of a new tensor, none of them negative."""
    for n in sizes if len(sizes) > 1 else ():
        if isinstance(n, (list, tuple)):
            raise TypeError(f"{name}() takes 1 positional argument but {len(sizes)} were given")
    for n in sizes:
        if isinstance(n, (float, str)) or n is None:
            kind = type(n).__name__
            raise TypeError(f"{name}(): argument 'size' (position 1) must be tuple of ints, "
                            f"not {kind}")  # fmt: skip
    found = sizes_of(sizes)
    for n in found:
        if n < 0:
            if name == "zeros":
                raise RuntimeError("zeros: Dimension size must be non-negative.")
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {n}: {list(found)}"
            )
    return found


def _filled(value: Any, name: str) -> Any:
    def made(
        *sizes: Any, size: Any = None, dtype: Any = None, requires_grad: bool = False, **_: Any
    ) -> Tensor:
        target = dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype)
        return finished(np.full(new_sizes(sizes or (size,), name), value, target.np), requires_grad)

    made.__name__ = made.__qualname__ = name
    return placed(made)


zeros, ones, empty = _filled(0, "zeros"), _filled(1, "ones"), _filled(0, "empty")


@placed
def full(
    size: Any, fill_value: Any, *, dtype: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor with one value everywhere."""
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    if not isinstance(value, (bool, int, float, complex, np.generic)):
        raise TypeError(
            f"full(): argument 'fill_value' (position 2) must be Number, not {type(value).__name__}"
        )
    kind = dtypes.python_scalar_dtype(value) if dtype is None else dtypes.as_dtype(dtype)
    return finished(np.full(new_sizes((size,), "full"), value, kind.np), requires_grad)


def _like(value: Any, name: str) -> Any:
    def made(
        input: Tensor, *, dtype: Any = None, requires_grad: bool = False,
        memory_format: Any = None,
    ) -> Tensor:  # fmt: skip
        if not isinstance(input, Tensor):
            raise TypeError(
                f"{name}(): argument 'input' (position 1) must be Tensor, not {type_name(input)}"
            )
        target = input._array.dtype if dtype is None else dtypes.as_dtype(dtype).np
        return finished(full_array(input._array, input._array.shape, value, target), requires_grad)

    made.__name__ = made.__qualname__ = name
    return placed(made)


zeros_like, ones_like = _like(0, "zeros_like"), _like(1, "ones_like")
empty_like = _like(0, "empty_like")


def full_like(input: Tensor, fill_value: Any, **options: Any) -> Tensor:
    """A tensor shaped as `input` with one value everywhere."""
    options.setdefault("dtype", input.dtype)
    return full(tuple(input._array.shape), fill_value, **options)


@placed
def eye(
    n: int, m: int | None = None, *, dtype: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """The identity matrix."""
    if n < 0:
        raise RuntimeError(f"n must be greater or equal to 0, got {n}")
    target = dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype)
    return finished(np.eye(n, m, dtype=target.np), requires_grad)


@placed
def arange(
    start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Numbers from start (0) to before end."""
    if end is None:
        start, end = 0, start
    given = [v.item() if isinstance(v, Tensor) else v for v in (start, end, step)]
    check_steps(*given)
    if dtype is None:
        floating = any(isinstance(v, float) for v in given)
        dtype = dtypes.get_default_dtype() if floating else dtypes.int64
    return finished(np.arange(*given).astype(dtypes.as_dtype(dtype).np), requires_grad)


def check_steps(start: Any, end: Any, step: Any) -> None:
    """Whether steps lead from start to end."""
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")


def range_(start: Any, end: Any = None, step: Any = 1, **options: Any) -> Tensor:
    """Numbers from start (0) to end, which is included."""
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is "
        "inconsistent with Python's range builtin. Instead, use torch.arange, which produces values"
        " in [start, end).",
        stacklevel=2,
    )
    if end is None:
        start, end = 0, start
    options.setdefault("dtype", dtypes.get_default_dtype())
    count = int((end - start) / step) + 1
    return arange(0, count, **options) * step + start


def scalar_tensor(value: Any, **options: Any) -> Tensor:
    """A tensor without axes, in the default floating type."""
    options.setdefault("dtype", dtypes.get_default_dtype())
    return tensor(value, **options)


@placed
def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """`steps` numbers from start to end, both included."""
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    target = dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype)
    return finished(np.linspace(start, end, steps).astype(target.np), requires_grad)


@placed
def logspace(
    start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Powers of `base` with evenly spaced exponents."""
    target = dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype)
    return finished(np.logspace(start, end, steps, base=base).astype(target.np), requires_grad)


def complex_(real: Tensor, imag: Tensor) -> Tensor:
    """`real + 1j * imag`, recorded."""
    from s2sgrad.eager.operations.primitives import complex_array
    from s2sgrad.eager.recording.record import apply, op_of

    if real._array.dtype != imag._array.dtype:
        raise RuntimeError(
            "Expected object of scalar type "
            f"{real.dtype.type_name} but got scalar type {imag.dtype.type_name} for second argument"
        )
    return apply(op_of(complex_array, "ComplexBackward0"), (real, imag), {})

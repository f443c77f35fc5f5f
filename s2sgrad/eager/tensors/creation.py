"""Making tensors from data, sizes and random numbers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from s2sgrad.eager.tensors import dtypes
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


def _plain(data: Any) -> Any:
    """Tensors inside nested lists as Python numbers or arrays."""
    if isinstance(data, Tensor):
        return data._array
    if isinstance(data, (list, tuple)):
        return [_plain(d) for d in data]
    return data


def _natural(data: Any, array: np.ndarray[Any, Any]) -> Any:
    """The dtype torch gives data without one: arrays keep theirs, Python floats are float32."""
    if isinstance(data, (np.ndarray, np.generic, Tensor)):
        return array.dtype
    first = data
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    if isinstance(first, (np.ndarray, np.generic, Tensor)):
        return array.dtype
    if array.dtype.kind == "f" or (array.size == 0 and isinstance(data, (list, tuple))):
        return dtypes.get_default_dtype().np
    return dtypes.default_complex().np if array.dtype.kind == "c" else array.dtype


def as_array(data: Any) -> np.ndarray[Any, Any]:
    """`data` as an array of numbers; torch's errors for what is none."""
    first = data
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    if first is None or isinstance(first, (dict, set)):
        raise RuntimeError(f"Could not infer dtype of {type(first).__name__}")
    if isinstance(first, str):
        raise TypeError("new(): invalid data type 'str'")
    try:
        array = np.array(_plain(data))
    except ValueError:
        raise ragged(data) from None
    if array.dtype.kind in "USO":
        raise TypeError("new(): invalid data type 'str'")
    return array


def ragged(data: Any, depth: int = 0) -> ValueError:
    """The error for nested lists of different lengths."""
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], (list, tuple)):
        size = len(data[0])
        for row in data:
            if not isinstance(row, (list, tuple)):
                break
            if len(row) != size:
                return ValueError(
                    f"expected sequence of length {size} at dim {depth + 1} (got {len(row)})"
                )
        return ragged(data[0], depth + 1)
    return ValueError("expected a rectangular nest of numbers")


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
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
    array = as_array(data)
    target = _natural(data, array) if dtype is None else dtypes.as_dtype(dtype).np
    dtypes.from_numpy(target)
    return finished(array.astype(target, copy=False), requires_grad)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """`data` itself where it is a tensor, sharing memory where it is an array."""
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    if isinstance(data, np.ndarray):
        made = wrap(data)
        return made if dtype is None else made.to(dtype)
    return tensor(data, dtype=dtype)


asarray = as_tensor


def from_numpy(array: np.ndarray[Any, Any]) -> Tensor:
    """A leaf on the array's own memory."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    dtypes.from_numpy(array.dtype)
    return wrap(array)


def sizes_of(sizes: tuple[Any, ...]) -> tuple[int, ...]:
    """`(2, 3)` from `f(2, 3)`, `f((2, 3))` or `f(torch.Size([2, 3]))`."""
    if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)):
        sizes = tuple(sizes[0])
    return tuple(int(n) for n in sizes)


def _filled(value: Any) -> Any:
    def made(
        *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False,
        **_: Any,
    ) -> Tensor:  # fmt: skip
        target = dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype)
        return finished(np.full(sizes_of(size), value, target.np), requires_grad)

    return made


zeros, ones, empty = _filled(0), _filled(1), _filled(0)
for _name, _made in (("zeros", zeros), ("ones", ones), ("empty", empty)):
    _made.__name__ = _made.__qualname__ = _name


def full(
    size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """A tensor with one value everywhere."""
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    kind = dtypes.python_scalar_dtype(value) if dtype is None else dtypes.as_dtype(dtype)
    return finished(np.full(sizes_of((size,)), value, kind.np), requires_grad)


def _like(value: Any) -> Any:
    def made(
        input: Tensor, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
        memory_format: Any = None,
    ) -> Tensor:  # fmt: skip
        target = input._array.dtype if dtype is None else dtypes.as_dtype(dtype).np
        return finished(np.full(input._array.shape, value, target), requires_grad)

    return made


zeros_like, ones_like, empty_like = _like(0), _like(1), _like(0)


def full_like(input: Tensor, fill_value: Any, **options: Any) -> Tensor:
    """A tensor shaped as `input` with one value everywhere."""
    options.setdefault("dtype", input.dtype)
    return full(tuple(input._array.shape), fill_value, **options)


def eye(
    n: int, m: int | None = None, *, dtype: Any = None, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """The identity matrix."""
    target = dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype)
    return finished(np.eye(n, m, dtype=target.np), requires_grad)


def arange(
    start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Numbers from start (0) to before end."""
    if end is None:
        start, end = 0, start
    given = [v.item() if isinstance(v, Tensor) else v for v in (start, end, step)]
    if dtype is None:
        floating = any(isinstance(v, float) for v in given)
        dtype = dtypes.get_default_dtype() if floating else dtypes.int64
    return finished(np.arange(*given).astype(dtypes.as_dtype(dtype).np), requires_grad)


def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """`steps` numbers from start to end, both included."""
    target = dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype)
    return finished(np.linspace(start, end, steps).astype(target.np), requires_grad)


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

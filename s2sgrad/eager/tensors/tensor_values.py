"""What a tensor says about its data: sizes, Python values, NumPy arrays."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import bottom
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.devices import require_cpu

DUAL = (
    "A tensor with a tangent would lose it as an array. Use tensor.numpy() if that is meant, or "
    "NumPy functions that take tensors."
)


class fact(property):
    """A property that torch's tensors have and do not let anyone write to."""

    _name = ""

    def named(self, name: str) -> fact:
        """Itself, under the name that its error shows."""
        self._name = name
        return self

    def __set_name__(self, owner: Any, name: str) -> None:
        self._name = name

    def __set__(self, obj: Any, value: Any) -> None:
        raise AttributeError(
            f"attribute '{self._name}' of 'torch._C.TensorBase' objects is not writable"
        )

    __delete__ = None  # type: ignore[assignment]


def real_part(value: Any, kind: str) -> Any:
    """A real number as it is, a complex one without its imaginary part, which must be zero."""
    if not isinstance(value, complex):
        return value
    if value.imag:
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
    return value.real


class Values:
    """The part of Tensor that looks at the array and not at the graph."""

    __slots__ = ()
    _array: np.ndarray[Any, Any]
    _node: Any
    _view: Any
    shape: Any
    dtype: Any
    requires_grad: Any
    flip: Any
    unbind: Any

    def numel(self) -> int:
        """How many elements."""
        return self._array.size

    def nelement(self) -> int:
        return self._array.size

    def dim(self) -> int:
        """How many axes."""
        return self._array.ndim

    ndimension = dim

    def size(self, dim: int | None = None) -> Any:
        """The shape, or one of its entries."""
        if dim is None:
            return self.shape
        from s2sgrad.eager.operations.shaping import axis_of

        return self._array.shape[axis_of(dim, self._array.ndim)]

    def stride(self, dim: int | None = None) -> Any:
        steps = tuple(s // self._array.itemsize for s in self._array.strides)
        return steps if dim is None else steps[dim]

    def element_size(self) -> int:
        return self._array.itemsize

    def data_ptr(self) -> int:
        """The memory address of the first element."""
        return bottom(self._array).__array_interface__["data"][0]

    def storage_offset(self) -> int:
        """How many elements of its base lie before the first one."""
        base = self._view.base._array if self._view is not None else self._array
        start = base.__array_interface__["data"][0]
        return (self.data_ptr() - start) // self._array.itemsize

    def cuda(self, device: Any = "cuda", *_: Any, **__: Any) -> Any:
        """There is no such device."""
        require_cpu("cuda" if device is None else device)

    def get_device(self) -> int:
        """-1: the CPU has no number."""
        return -1

    def pin_memory(self, device: Any = None) -> Any:
        """There is no accelerator to pin memory for."""
        raise RuntimeError("Cannot access accelerator device when none is available.")

    def is_pinned(self, device: Any = None) -> bool:
        """False: there is no accelerator."""
        return False

    def is_contiguous(self, **_: Any) -> bool:
        return self._array.flags.c_contiguous

    def is_floating_point(self) -> bool:
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        return self._array.dtype.kind == "c"

    def item(self) -> Any:
        """The one element, as a Python number."""
        if self._array.size != 1:
            count = self._array.size
            raise RuntimeError(f"a Tensor with {count} elements cannot be converted to Scalar")
        return scalar(self._array)

    def tolist(self) -> Any:
        """Nested lists of Python numbers (a number for 0-d)."""
        array = self._array
        return array.astype(np.float32).tolist() if array.dtype.kind == "V" else array.tolist()

    def numpy(self, *, force: bool = False) -> np.ndarray[Any, Any]:
        """The array itself: it shares memory with the tensor."""
        if self.requires_grad and STATE.grad and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. "
                "Use tensor.detach().numpy() instead."
            )
        return self._array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if STATE.duals is not None and STATE.duals.concerns((self,)):
            raise RuntimeError(DUAL)
        array = self.numpy()
        if dtype is not None and np.dtype(dtype) != array.dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return self._array.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if self._array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __reversed__(self) -> Any:
        """The entries of the first axis in reverse order, as a tensor."""
        return self.flip(0) if self._array.ndim else self

    def __bool__(self) -> bool:
        if self._array.size != 1:
            if self._array.size == 0:
                raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self._array.item() if self._array.dtype.kind != "V" else scalar(self._array))

    def __float__(self) -> float:
        found = number(self)
        return float(real_part(found, "double"))

    def __int__(self) -> int:
        return int(real_part(number(self), "int64_t"))

    def __complex__(self) -> complex:
        return complex(number(self))

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iub" or self._array.size != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._array.item())

    def __contains__(self, element: Any) -> bool:
        if not isinstance(element, (bool, int, float, complex, np.generic, Values)):
            raise RuntimeError(
                "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
                f"{type(element)}."
            )
        return bool((self._array == getattr(element, "_array", element)).any())

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        from s2sgrad.eager.tensors.printing import tensor_text

        return tensor_text(self)

    def __format__(self, spec: str) -> str:
        if self._array.ndim == 0 and type(self).__name__ == "Tensor":
            return format(self.item(), spec)
        return object.__format__(self, spec)


def scalar(array: np.ndarray[Any, Any]) -> Any:
    """The one element of an array as a Python number."""
    value = array.item()
    return value if isinstance(value, (int, float, complex, bool)) else float(value)


def number(t: Any) -> Any:
    """The one element, for float() and int(): warns where history is lost."""
    if t._node is not None and STATE.grad and first_time("scalar"):
        warnings.warn(
            "Converting a tensor with requires_grad=True to a scalar may lead to unexpected "
            "behavior.\nConsider using tensor.detach() first. (Triggered internally at s2sgrad.)",
            UserWarning,
            stacklevel=3,
        )
    if t._array.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return scalar(t._array)


_WARNED: set[str] = set()


def first_time(topic: str) -> bool:
    """Whether this process has not yet warned of a topic that is warned of once."""
    known = topic in _WARNED
    _WARNED.add(topic)
    return not known

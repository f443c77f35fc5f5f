"""`torch.Tensor(...)` and the classes of old that name a dtype: `FloatTensor`, `LongTensor`, ..."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.data import as_array
from s2sgrad.eager.tensors.tensor import Tensor, share, wrap


def made(cls: Any, args: tuple[Any, ...], dtype: Any) -> Any:
    """What `cls(...)` gives: sizes (memory not set), one sequence, or the memory of a tensor."""
    if not args:
        return wrap(np.empty(0, dtype.np), None, cls)
    first = args[0]
    if all(isinstance(a, (int, np.integer)) and not isinstance(a, bool) for a in args):
        return wrap(np.zeros(tuple(int(a) for a in args), dtype.np), None, cls)
    if isinstance(first, dtypes.Size):
        return wrap(np.zeros(tuple(first), dtype.np), None, cls)
    if isinstance(first, Tensor):
        if first._array.dtype != dtype.np and cls is Tensor:
            raise TypeError(f"expected {options(dtype)} (got {options(first.dtype)})")
        if cls is Tensor and first.requires_grad:
            from s2sgrad.eager.operations.shaping import ALIAS, view

            return view(ALIAS, first)
        return share(first, cls)
    if not hasattr(first, "__len__") and first is not None:
        raise TypeError(f"new(): data must be a sequence (got {type(first).__name__})")
    return wrap(as_array(() if first is None else first, dtype), None, cls)


def options(dtype: Any) -> str:
    """What a tensor of this dtype is made with, as torch words it."""
    return (
        f"TensorOptions(dtype={dtype.c_name}, device=cpu, layout=Strided, requires_grad=false "
        "(default), pinned_memory=false (default), memory_format=(nullopt))"
    )


class TensorType(type):
    """The class of `torch.FloatTensor`: makes tensors of its dtype and knows them by it."""

    dtype: Any
    is_cuda = False

    def __call__(cls, *args: Any, **_: Any) -> Any:
        return made(Tensor, args, cls.dtype)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype


def _types() -> dict[str, Any]:
    found = {}
    for d in dtypes._ALL:
        if not d.is_complex and not d.name.startswith("uint1"):
            fields = {"dtype": d, "__module__": "s2sgrad.eager"}
            found[f"{d.type_name}Tensor"] = TensorType(f"{d.type_name}Tensor", (), fields)
    return found


TYPES: dict[str, Any] = _types()


def dtype_of(given: Any) -> Any:
    """The dtype that `FloatTensor` or "torch.FloatTensor" stands for; None for anything else."""
    if isinstance(given, str):
        given = TYPES.get(given.removeprefix("torch."))
        if given is None:
            return None
    return given.dtype if isinstance(given, TensorType) else None


def _new(t: Tensor, *args: Any) -> Tensor:
    """A tensor of the dtype of `t` from sizes or data."""
    return made(Tensor, args, t.dtype)


_T: Any = Tensor
_T.new = _new

"""`t[index]` and `t[index] = value`."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import ARRAYS
from s2sgrad.eager.operations.primitives import index_put
from s2sgrad.eager.recording.keeping import any_edge, plain
from s2sgrad.eager.recording.record import apply, op_of, record
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.inplace import (
    CopyBackwards,
    FillBackward3,
    check_inplace,
    overwrite,
    rebase,
    write,
)
from s2sgrad.eager.tensors.tensor import Tensor, unwrapped, wrap
from s2sgrad.eager.tensors.views import view
from s2sgrad_runtime import take_items

SELECT, SLICE, UNSQUEEZE, ALIAS = (
    op_of(take_items, f"{name}Backward0") for name in ("Select", "Slice", "Unsqueeze", "Alias")
)
INDEX = op_of(take_items, "IndexBackward0")
UINT8 = (
    "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead. "
    "(Triggered internally at s2sgrad.)"
)
NOT_A_TUPLE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in "
    "pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as "
    "tensor index, x[torch.tensor(seq)], which will result either in an error or a different result"
)


def spread_list(index: Any) -> Any:
    """The index; a list of more than numbers stands for a tuple, as it once did in NumPy."""
    if index.__class__ is not list or len(index) >= 32:
        return index
    parts = (Tensor, list, tuple, range, str, slice, np.ndarray, type(None), type(...))
    if not any(isinstance(part, parts) for part in index):
        return index
    warnings.warn(NOT_A_TUPLE, UserWarning, stacklevel=3)
    return tuple(index)


def plain_index(index: Any, warn: bool = True) -> Any:
    """The index with arrays for tensors and lists; 0-d integer tensors become ints."""
    if isinstance(index, tuple):
        return tuple(as_array(i) if isinstance(i, tuple) else plain_index(i, warn) for i in index)
    if isinstance(index, Tensor):
        array = index._array
        if array.dtype.kind not in "iub":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if array.dtype == np.uint8:
            if warn:
                warnings.warn(UINT8, UserWarning, stacklevel=4)
            return array.astype(bool)
        if array.ndim == 0 and array.dtype.kind != "b" and array.__class__ is np.ndarray:
            return int(array)
        return array
    if isinstance(index, str):
        raise TypeError("new(): invalid data type 'str'")
    return as_array(index) if isinstance(index, (list, range)) else index


def as_array(index: Any) -> Any:
    """A sequence of numbers as an index array; an empty one picks nothing."""
    array = np.asarray([plain_index(i) for i in index])
    return array if array.size else array.astype(np.int64)


def kept_index(index: Any) -> Any:
    """The index in a form that may be kept: tensors stay tensors, so that a later write to one is
    noticed; arrays are copied."""
    if isinstance(index, tuple):
        return tuple(as_array(i) if isinstance(i, tuple) else kept_index(i) for i in index)
    if isinstance(index, Tensor):
        found = plain_index(index, False)
        return index if found is index._array else found
    found = plain_index(index)
    return found.copy() if isinstance(found, np.ndarray) else found


def is_basic(index: Any) -> bool:
    """Whether the index makes a view (ints, slices, ..., None)."""
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, (*ARRAYS, bool, np.bool_)):
            return False
    return True


def view_op(index: Any) -> Any:
    """The op whose name torch gives to this basic index: that of its last part."""
    for part in reversed(index if isinstance(index, tuple) else (index,)):
        if part is None:
            return UNSQUEEZE
        if isinstance(part, slice):
            if part != slice(None):
                return SLICE
        elif part is not Ellipsis:
            return SELECT
    return SLICE if not isinstance(index, tuple) and index is not Ellipsis else ALIAS


def index_error(error: IndexError, t: Tensor, index: Any = None) -> IndexError:
    """NumPy's error in torch's words."""
    text = str(error)
    if text.startswith("only integers"):
        kind = next((type(i).__name__ for i in as_parts(index) if not is_index(i)), "object")
        return IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
            f"valid indices (got {kind})"
        )
    if text.startswith("boolean index did not match"):
        for place, part in enumerate(as_parts(index)):
            mask = np.asarray(part) if isinstance(part, list) else getattr(part, "_array", part)
            if getattr(getattr(mask, "dtype", None), "kind", "") == "b":
                wanted = t._array.shape[place:]
                pairs = enumerate(zip(mask.shape, wanted))  # noqa: B905  (too many axes: another error)
                axis = next((i for i, (m, n) in pairs if m != n), 0)
                return IndexError(
                    f"The shape of the mask {list(mask.shape)} at index {axis} does not match the "
                    f"shape of the indexed tensor {list(t._array.shape)} at index {place + axis}"
                )
    if text.startswith("shape mismatch: indexing arrays"):
        sizes = re.findall(r"\(([\d, ]*?),?\)", text)
        return IndexError(
            "shape mismatch: indexing tensors could not be broadcast together with shapes "
            + ", ".join(f"[{', '.join(s.replace(',', ' ').split())}]" for s in sizes)
        )
    if text.startswith("too many indices"):
        if t._array.ndim == 0 and isinstance(as_parts(index)[0], slice):
            return IndexError("slice() cannot be applied to a 0-dim tensor.")
        return IndexError(f"too many indices for tensor of dimension {t._array.ndim}")
    return IndexError(text.replace("for axis", "for dimension"))


def as_parts(index: Any) -> Any:
    """The parts of an index."""
    return index if isinstance(index, tuple) else (index,)


def is_index(part: Any) -> bool:
    """Whether something may stand in an index."""
    known = (int, slice, list, np.ndarray, np.integer, Tensor, type(None), type(...))
    return isinstance(part, known)


def getitem(t: Tensor, index: Any) -> Tensor:
    """`t[index]`: a view for ints, slices, `...` and None; a copy for arrays and masks."""
    kind = index.__class__
    if kind is int:
        size = t._array.shape[0] if t._array.ndim else None
        if size is None:
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
            )
        if not -size <= index < size:
            raise IndexError(f"index {index} is out of bounds for dimension 0 with size {size}")
        return view(SELECT, t, (index, ...))
    if kind is slice and (index.step is None or (index.step.__class__ is int and index.step > 0)):
        try:
            return view(SLICE, t, (index, ...))
        except IndexError as error:
            raise index_error(error, t, index) from None
    if kind is tuple and index:
        for part in index:
            if part.__class__ is not int:
                break
        else:
            try:
                return view(SELECT, t, (*index, ...))
            except IndexError as error:
                raise index_error(error, t) from None
    try:
        index = spread_list(index)
        plain = plain_index(index)
        if is_basic(plain):
            check_steps(plain)
            return view(view_op(plain), t, as_view(plain))
        return apply(INDEX, (t, kept_index(index)), {})
    except IndexError as error:
        raise index_error(error, t, index) from None


def as_view(index: Any) -> Any:
    """The index ended by `...`, so that NumPy gives a 0-d view where it would give a scalar."""
    parts = index if isinstance(index, tuple) else (index,)
    return parts if any(p is Ellipsis for p in parts) else (*parts, Ellipsis)


def check_steps(index: Any) -> None:
    """torch takes no negative steps."""
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, slice) and part.step is not None and part.step <= 0:
            raise ValueError("step must be greater than zero")


def setitem(t: Tensor, index: Any, value: Any) -> None:
    """`t[index] = value`, recorded: through a view for basic indices, else as index_put_."""
    index = spread_list(index)
    if isinstance(value, Tensor) and value._array.dtype != t._array.dtype:
        check_dtype(t, index, value)
    try:
        stored(t, index, value)
    except (IndexError, TypeError, ValueError) as error:
        from s2sgrad.eager.operations.complaints import setitem_error

        raise setitem_error(error, t, index, value) from None


def check_dtype(t: Tensor, index: Any, value: Any) -> None:
    """Values stored at an index that makes no view have its dtype; one number may have another."""
    if not isinstance(value, Tensor) or value._array.dtype == t._array.dtype:
        return
    place = plain_index(index)
    masked = place.__class__ is np.ndarray and place.dtype.kind == "b"
    if not is_basic(place) and not (masked and value._array.ndim == 0):
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{t.dtype.type_name} for the destination and {value.dtype.type_name} for the source."
        )


def fitted(t: Tensor, index: Any, value: Tensor) -> Tensor:
    """A value without leading axes of size 1 that the place does not have."""
    shape = t._array[index].shape
    if value._array.shape == shape:
        return value
    while value._array.ndim > len(shape) and value._array.shape[0] == 1:
        value = value.squeeze(0)  # type: ignore[attr-defined]
    np.broadcast_to(value._array, shape)  # raises
    return value


def stored(t: Tensor, index: Any, value: Any) -> None:
    """`t[index] = value` with NumPy's errors."""
    given = index
    index = plain_index(index)
    if value is None or (isinstance(value, complex) and t._array.dtype.kind != "c"):
        raise TypeError  # worded by `setitem`
    tracked = STATE.grad and (
        t._edge() is not None or (isinstance(value, Tensor) and value._edge() is not None)
    )
    if not tracked and STATE.duals is None and not STATE.interceptors:
        check_inplace(t)
        t._array[index] = unwrapped(value)
        t._vc[0] += 1
        return
    if index is Ellipsis or (index.__class__ is slice and index == slice(None)):
        overwrite(t, value, CopyBackwards if isinstance(value, Tensor) else FillBackward3)
        return
    if is_basic(index):
        check_steps(index)
        if isinstance(value, Tensor):
            value = fitted(t, index, value)
        view(view_op(index), t, as_view(index)).copy_(value)
        return
    put(t, kept_index(given), value, False)


def put(t: Tensor, index: Any, values: Any, accumulate: bool) -> Tensor:
    """Store values at an index that makes no view, or add them up there."""
    check_inplace(t)
    values = values if isinstance(values, Tensor) else wrap(np.asarray(values, t._array.dtype))
    op, args = op_of(index_put, "IndexPutBackward0"), (t, values, index, accumulate)
    special = not STATE.bare or (t._view is not None and t._view.meta)
    if special or accumulate or np.may_share_memory(t._array, values._array):
        return write(t, apply(op, args, {}))
    t._array[plain(index)] = values._array
    t._vc[0] += 1
    if STATE.grad and any_edge(args, {}):
        rebase(t, record(op, args, {}, wrap(t._array)))
    return t


def index_put_(t: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """`t[indices] = values`, or `+=` with repeats added up."""
    check_dtype(t, tuple(indices), values)
    return put(t, kept_index(tuple(indices)), values, accumulate)


def index_put_copy(t: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """`index_put_` on a copy."""
    check_dtype(t, tuple(indices), values)
    index = kept_index(tuple(indices))
    return apply(op_of(index_put, "IndexPutBackward0"), (t, values, index, accumulate), {})


def no_deletion(t: Tensor, index: Any) -> None:
    """`del t[index]` makes no sense for arrays."""
    raise TypeError("Tensor does not support deleting items")


_T: Any = Tensor
_T.__delitem__ = no_deletion
_T.__getitem__, _T.__setitem__ = getitem, setitem
_T.index_put_, _T.index_put = index_put_, index_put_copy

"""Functions that join tensors or choose between them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from s2sgrad.eager.operations.complaints import filled, tuple_of
from s2sgrad.eager.operations.shaping import axis_of
from s2sgrad.eager.recording.node import Node, next_order
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.recording.saved import type_name
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.dtypes import F32, F64
from s2sgrad.eager.tensors.tensor import Tensor, wrap

CAT, STACK = op_of(np.concatenate, "CatBackward0"), op_of(np.stack, "StackBackward0")
WHERE = op_of(np.where, "WhereBackward0")


def _listed(tensors: Any, empty: Exception, name: str) -> list[Any]:
    """The tensors to join, cast to one dtype."""
    listed = tuple_of(tensors, name)
    if not listed:
        raise empty
    kinds = {t._array.dtype for t in listed}
    if len(kinds) > 1:
        from s2sgrad.eager.tensors.dtypes import promote_types

        common = listed[0].dtype
        for t in listed[1:]:
            common = promote_types(common, t.dtype)
        listed = [t.to(common) for t in listed]
    return listed


def cat(tensors: Any, dim: int = 0, *, axis: Any = None, out: Any = None) -> Tensor:
    """Joined along an axis they have."""
    if out is not None:
        return filled(out, "cat", lambda *parts: cat(parts, dim, axis=axis), *tensors)
    empty = ValueError("torch.cat(): expected a non-empty list of Tensors")
    listed = _listed(tensors, empty, "cat")
    place = axis_of(dim if axis is None else axis, max(t._array.ndim for t in listed))
    dtype = listed[0]._array.dtype
    try:
        if STATE.fast and (dtype is F64 or dtype is F32):
            return joined(listed, place)
        return apply(CAT, (listed,), {"axis": place})
    except ValueError:
        raise _cat_error([t._array.shape for t in listed], place) from None


class CatNode(Node):
    """The node of `cat` where only recording is on: it keeps sizes, no values."""

    __slots__ = ("axis", "sizes")
    saves = False
    axis: int
    sizes: list[int]

    def places(self) -> list[tuple[slice, ...]]:
        """The index of each part."""
        before, start, found = (slice(None),) * self.axis, 0, []
        for size in self.sizes:
            found.append((*before, slice(start, start + size)))
            start += size
        return found

    def backward(self, y_bar: Any) -> Any:
        parts = zip(self.parents, self.places(), strict=True)
        return [None if parent is None else y_bar[place] for parent, place in parts]

    backward_graph = backward

    def entries(self) -> dict[str, Any]:
        return {"axis": self.axis}


_CAT_NODE = type("CatBackward0", (CatNode,), {"__slots__": ()})


def joined(listed: list[Tensor], axis: int) -> Tensor:
    """`cat` of tensors of one dtype."""
    made = wrap(np.concatenate([t._array for t in listed], axis))
    edges = tuple([t._edge() for t in listed])
    if any(edge is not None for edge in edges):
        made._node = node = _CAT_NODE()
        node.order, node.hooks, node.parents, node.saved = next_order(), None, edges, None
        node.axis, node.sizes = axis, [t._array.shape[axis] for t in listed]
    return made


def _cat_error(shapes: list[Any], dim: int) -> RuntimeError:
    """torch's words for tensors that can't be joined."""
    first = shapes[0]
    if () in shapes:
        place = shapes.index(())
        return RuntimeError(f"zero-dimensional tensor (at position {place}) cannot be concatenated")
    for number, shape in enumerate(shapes):
        if len(shape) != len(first):
            return RuntimeError(
                f"Tensors must have same number of dimensions: got {len(first)} and {len(shape)}"
            )
        for axis, (wanted, size) in enumerate(zip(first, shape, strict=True)):
            if axis != dim and wanted != size:
                return RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size "
                    f"{wanted} but got size {size} for tensor number {number} in the list."
                )
    return RuntimeError("tensors can't be joined")


def stack(tensors: Any, dim: int = 0, *, axis: Any = None, out: Any = None) -> Tensor:
    """Joined along a new axis."""
    if out is not None:
        return filled(out, "stack", lambda *parts: stack(parts, dim, axis=axis), *tensors)
    listed = _listed(tensors, RuntimeError("stack expects a non-empty TensorList"), "stack")
    first = listed[0]._array.shape
    for i, t in enumerate(listed):
        if t._array.shape != first:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and "
                f"{list(t._array.shape)} at entry {i}"
            )
    place = axis_of(dim if axis is None else axis, len(first), 1)
    return apply(STACK, (listed,), {"axis": place})


def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition holds, else `other`."""
    from s2sgrad.eager.tensors.promotion import broadcast_error, result_type

    if not isinstance(condition, Tensor):
        raise TypeError("where(): argument 'condition' (position 1) must be Tensor, not "
                        f"{type_name(condition)}")  # fmt: skip
    if input is None:
        return tuple(wrap(i) for i in np.nonzero(condition._array))
    if condition._array.dtype.kind not in "b" and condition._array.dtype != np.uint8:
        raise RuntimeError("where expected condition to be a boolean tensor, but got a tensor with "
                           f"dtype {condition.dtype.type_name}")  # fmt: skip
    common = result_type(input, other)
    sides = [
        v.to(common) if isinstance(v, Tensor) else wrap(np.asarray(v, common.np))
        for v in (input, other)
    ]
    try:
        return apply(WHERE, (condition, *sides), {})
    except ValueError:
        shapes = [t._array for t in (condition, *sides)]
        for a, b in itertools.combinations(shapes, 2):
            try:
                np.broadcast_shapes(a.shape, b.shape)
            except ValueError:
                raise broadcast_error(a, b) from None
        raise


def hstack(tensors: Any) -> Tensor:
    """Side by side."""
    listed = [t.reshape(1) if t._array.ndim == 0 else t for t in tensors]
    return cat(listed, 0 if listed[0]._array.ndim == 1 else 1)


def vstack(tensors: Any) -> Tensor:
    """On top of each other."""
    return cat([t.reshape(1, -1) if t._array.ndim < 2 else t for t in tensors], 0)


FUNCTIONS: dict[str, Any] = {
    "cat": cat, "concat": cat, "concatenate": cat, "stack": stack, "where": where,
    "hstack": hstack, "vstack": vstack,
}  # fmt: skip
Tensor.where = lambda t, condition, other: where(condition, t, other)  # type: ignore[attr-defined]

"""Functions that change shape, most of them views."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from s2sgrad.eager.recording.node import Node, Output, in_passing_order, named_as, next_order
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.creation import sizes_of
from s2sgrad.eager.tensors.dtypes import Size
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.eager.tensors.views import view
from s2sgrad_runtime import take_items

VIEW, UNSAFE_VIEW = op_of(np.reshape, "ViewBackward0"), op_of(np.reshape, "UnsafeViewBackward0")
UNSQUEEZE = op_of(np.expand_dims, "UnsqueezeBackward0")
SQUEEZE_ALL, SQUEEZE, SQUEEZE_SEVERAL = (
    op_of(np.squeeze, "SqueezeBackward0"),
    op_of(np.squeeze, "SqueezeBackward1"),
    op_of(np.squeeze, "SqueezeBackward2"),
)
PERMUTE, TRANSPOSE, TRANSPOSE_2D = (
    op_of(np.transpose, "PermuteBackward0"),
    op_of(np.transpose, "TransposeBackward0"),
    op_of(np.transpose, "TBackward0"),
)
EXPAND = op_of(np.broadcast_to, "ExpandBackward0")
SLICE, SELECT = op_of(take_items, "SliceBackward0"), op_of(take_items, "SelectBackward0")
ALIAS = op_of(np.asarray, "AliasBackward0")
DIAGONAL = op_of(np.diagonal, "DiagonalBackward0")


def _writable_diagonal(a: Any, *args: Any) -> Any:
    """NumPy's diagonal, which may be written to where `a` may."""
    found = np.diagonal(a, *args)
    if a.flags.writeable:
        found.flags.writeable = True
    return found


def _expanded(a: Any, shape: Any) -> Any:
    """NumPy's broadcast view; one of the same shape may be written to like any other view."""
    found = np.broadcast_to(a, shape)
    return a[...] if found.shape == a.shape else found


DIAGONAL.function, EXPAND.function = _writable_diagonal, _expanded
REAL, IMAG = op_of(np.real, "SelectBackward0"), op_of(np.imag, "SelectBackward0")


def grid(index: np.ndarray[Any, Any], axis: int) -> tuple[Any, ...]:
    """The full index that puts `index` along one axis and counts along the others."""
    found = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    found[axis] = index
    return tuple(found)


def axis_of(dim: int, ndim: int, extra: int = 0) -> int:
    """A dim in range, negative ones counted from the end; IndexError in torch's words."""
    n = max(ndim + extra, 1)
    if not -n <= dim < n:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})"
        )
    return dim % n


def solved(sizes: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Sizes with the -1 worked out; RuntimeError where they do not fit."""
    if sizes.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if -1 in sizes:
        rest = 1
        for n in sizes:
            rest *= n if n != -1 else 1
        if rest and count % rest == 0:
            return tuple(count // rest if n == -1 else n for n in sizes)
    elif Size(sizes).numel() == count:
        return sizes
    raise RuntimeError(f"shape '{list(sizes)}' is invalid for input of size {count}")


def tensor_view(t: Tensor, *shape: Any) -> Tensor:
    """`t.view(2, -1)`: the same memory in another shape; `t.view(dtype)` reinterprets it."""
    sizes = solved(sizes_of(shape), t._array.size)
    made = t._array.reshape(sizes)
    if t._array.size and not np.may_share_memory(made, t._array):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return view(VIEW, t, sizes)


def reshape(input: Tensor, *shape: Any) -> Tensor:
    """Another shape: a view where possible, else a copy."""
    sizes = solved(sizes_of(shape), input._array.size)
    if input._array.flags.c_contiguous:
        return view(VIEW, input, sizes)
    made = input._array.reshape(sizes)
    if np.may_share_memory(made, input._array):
        return view(VIEW, input, sizes)
    return apply(UNSAFE_VIEW, (input.clone(), sizes), {})


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The axes from start to end as one."""
    ndim = input._array.ndim
    first, last = axis_of(start_dim, ndim), axis_of(end_dim, ndim)
    sizes = input._array.shape
    if ndim == 0:
        return reshape(input, (1,))
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last:
        return input
    return reshape(
        input, (*sizes[:first], Size(sizes[first : last + 1]).numel(), *sizes[last + 1 :])
    )


def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    """One axis as several."""
    axis = axis_of(dim, input._array.ndim)
    old = input._array.shape
    if -1 not in sizes and math.prod(sizes) != old[axis]:
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {axis} "
            f"({old[axis]}) in the input tensor"
        )
    inner = solved(tuple(sizes), old[axis])
    return reshape(input, (*old[:axis], *inner, *old[axis + 1 :]))


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """A new axis of size 1 at `dim`."""
    return view(UNSQUEEZE, input, axis_of(dim, input._array.ndim, 1))


def squeeze(input: Tensor, dim: Any = None, *more: int) -> Tensor:
    """Without axes of size 1 (all of them, or those named)."""
    sizes = input._array.shape
    if dim is None:
        return view(SQUEEZE_ALL, input, tuple(i for i, n in enumerate(sizes) if n == 1))
    several = bool(more) or isinstance(dim, (tuple, list))
    dims = (dim, *more) if more or not several else dim
    axes = tuple(axis_of(d, len(sizes)) for d in dims)
    return view(
        SQUEEZE_SEVERAL if several else SQUEEZE,
        input,
        tuple(a for a in axes if sizes and sizes[a] == 1),
    )


def permute(input: Tensor, *dims: Any) -> Tensor:
    """The axes in another order."""
    axes = sizes_of(dims)
    if len(axes) != input._array.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            "length of the desired ordering of dimensions i.e. "
            f"input.dim() = {input._array.ndim} is not equal to len(dims) = {len(axes)}"
        )
    order = tuple(axis_of(a, len(axes)) for a in axes)
    if len(set(order)) < len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return view(PERMUTE, input, order)


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Two axes exchanged."""
    n = input._array.ndim
    a, b = axis_of(dim0, n), axis_of(dim1, n)
    axes = list(range(n))
    if n:
        axes[a], axes[b] = b, a
    return view(TRANSPOSE, input, tuple(axes))


def t_(input: Tensor) -> Tensor:
    """The transpose of a matrix."""
    n = input._array.ndim
    if n > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {n}D")
    return view(TRANSPOSE_2D, input, tuple(reversed(range(n))))


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Axes moved to other places."""
    n = input._array.ndim
    if n == 0:
        return view(ALIAS, input)
    src = [source] if isinstance(source, int) else list(source)
    dst = [destination] if isinstance(destination, int) else list(destination)
    src, dst = [axis_of(a, n) for a in src], [axis_of(a, n) for a in dst]
    axes = [a for a in range(n) if a not in src]
    for place, axis in sorted(zip(dst, src, strict=True)):
        axes.insert(place, axis)
    return view(PERMUTE, input, tuple(axes))


def expand(input: Tensor, *sizes: Any) -> Tensor:
    """Axes of size 1 repeated without copying; -1 keeps a size."""
    wanted = sizes_of(sizes)
    old = input._array.shape
    if len(wanted) < len(old):
        raise RuntimeError(
            f"expand({input.type()}{{{list(old)}}}, size={list(wanted)}): the number of sizes "  # type: ignore[attr-defined]
            f"provided ({len(wanted)}) must be greater or equal to the number of dimensions in the "
            f"tensor ({len(old)})"
        )
    if -1 in wanted[: len(wanted) - len(old)]:
        raise RuntimeError(
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
            f"dimension {wanted.index(-1)}"
        )
    padded = (1,) * (len(wanted) - len(old)) + old
    full = tuple(p if w == -1 else w for w, p in zip(wanted, padded, strict=True))
    for i, (w, p) in enumerate(zip(full, padded, strict=True)):
        if p not in (1, w):
            raise RuntimeError(
                f"The expanded size of the tensor ({w}) must match the existing size ({p}) at "
                f"non-singleton dimension {i}.  Target sizes: {list(wanted)}.  "
                f"Tensor sizes: {list(old)}"
            )
    return view(EXPAND, input, full)


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """One entry along `dim`."""
    axis = axis_of(dim, input._array.ndim)
    size = input._array.shape[axis]
    if not -size <= index < size:
        raise IndexError(f"select(): index {index} out of range for tensor of size "
                         f"{list(input._array.shape)} at dimension {dim}")  # fmt: skip
    return view(SELECT, input, (*(slice(None),) * axis, int(index), ...))


def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """`length` entries along `dim` from `start`."""
    axis = axis_of(dim, input._array.ndim)
    n = input._array.shape[axis]
    start = int(start) % max(n, 1) if start < 0 else int(start)
    if start + length > n:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({n}).")
    return view(SLICE, input, (*(slice(None),) * axis, slice(start, start + length)))


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonal of two axes, as a view."""
    return view(DIAGONAL, input, offset, dim1, dim2)


def several(input: Tensor, name: str, indices: list[Any]) -> tuple[Tensor, ...]:
    """The parts of a tensor as views that share one node and refuse in-place writes."""
    parts = tuple(view(SELECT, input, index, meta=f"{i}:{name}") for i, index in enumerate(indices))
    if STATE.grad and STATE.duals is None and parts and parts[0]._node is not None:
        node = _MULTI[name]()
        node.order, node.hooks = next_order(), None
        node.parts = tuple(p._node for p in parts)
        node.parents, node.outputs = node.parts[0].parents, len(parts)
        for i, part in in_passing_order(parts):
            part._node = Output.of(node, i)
    return parts


class MultiViewNode(Node):
    """Node of `unbind` and `split`: each output's cotangent goes back as its own part."""

    __slots__ = ("parts",)
    saves = False
    parts: Any

    def backward(self, y_bar: Any) -> Any:
        found = [p.backward(b)[0] for p, b in zip(self.parts, y_bar, strict=True) if b is not None]
        return (sum(found[1:], found[0]) if found else None,)

    def backward_graph(self, y_bar: Any) -> Any:
        found = [
            p.backward_graph(b)[0] for p, b in zip(self.parts, y_bar, strict=True) if b is not None
        ]
        return (sum(found[1:], found[0]) if found else None,)


_MULTI = {
    name: type(f"{name}Backward0", (MultiViewNode,), {"__slots__": ()})
    for name in ("Unbind", "Split", "SplitWithSizes")
}


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The entries along `dim`, as a tuple."""
    axis = axis_of(dim, input._array.ndim)
    lead = (slice(None),) * axis
    return several(input, "Unbind", [(*lead, i, ...) for i in range(input._array.shape[axis])])


def split(input: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces along `dim` of one size, or of the sizes given."""
    if input._array.ndim == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    axis = axis_of(dim, input._array.ndim)
    n = input._array.shape[axis]
    given = split_size_or_sections
    if isinstance(given, int):
        if given == 0 and n:
            raise RuntimeError("split_size can only be 0 if dimension size is 0, but got dimension "
                               f"size of {n}")  # fmt: skip
        sizes = [min(given, n - s) for s in range(0, n, given)] or [0]
        name = "Split"
    else:
        sizes, name = list(given), "SplitWithSizes"
        if sum(sizes) != n:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size "
                f"at dimension {dim}), but got split_sizes={sizes}"
            )
    lead = (slice(None),) * axis
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    indices = [(*lead, slice(a, a + s)) for a, s in zip(starts, sizes, strict=True)]
    return several(input, name, indices)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` pieces of equal size along `dim`."""
    if input._array.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    n = input._array.shape[axis_of(dim, input._array.ndim)]
    return split(input, max(-(-n // chunks), 1), dim)


def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces along `dim`: so many, of nearly equal sizes, or cut at the places given."""
    axis = axis_of(dim, input._array.ndim)
    n, given = input._array.shape[axis], indices_or_sections
    if isinstance(given, int):
        sizes = [n // given + (i < n % given) for i in range(given)]
        given = [sum(sizes[: i + 1]) for i in range(given - 1)]
    cuts = [0, *(given.tolist() if isinstance(given, Tensor) else given), None]
    lead = (slice(None),) * axis
    return tuple(view(SLICE, input, (*lead, slice(a, b))) for a, b in itertools.pairwise(cuts))


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """The entries of the last axis on the diagonals of matrices of zeros."""
    shape = input._array.shape
    n = shape[-1] + abs(offset)
    matrices: Any = input.new_zeros((*shape[:-1], n, n))  # type: ignore[attr-defined]
    diagonal(matrices, offset, -2, -1).copy_(input)  # type: ignore[attr-defined]
    return named_as(movedim(matrices, (-2, -1), (dim1, dim2)), "DiagEmbedBackward0")  # type: ignore[no-any-return]


def _real(t: Tensor) -> Tensor:
    return view(REAL, t) if t._array.dtype.kind == "c" else t


def _imag(t: Tensor) -> Tensor:
    if t._array.dtype.kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return view(IMAG, t)


def _install() -> None:
    """Attach the methods to Tensor."""
    T: Any = Tensor
    T.view, T.t = tensor_view, t_
    T.view_as = lambda t, other: tensor_view(t, other._array.shape)
    T.reshape_as = lambda t, other: reshape(t, other._array.shape)
    T.expand_as = lambda t, other: expand(t, other._array.shape)
    for name in FUNCTIONS:
        setattr(T, name, FUNCTIONS[name])
    T.real, T.imag = property(_real), property(_imag)


FUNCTIONS: dict[str, Any] = {
    "reshape": reshape, "flatten": flatten, "unflatten": unflatten, "unsqueeze": unsqueeze,
    "squeeze": squeeze, "permute": permute, "transpose": transpose, "swapaxes": transpose,
    "swapdims": transpose, "movedim": movedim, "moveaxis": movedim, "expand": expand,
    "broadcast_to": expand, "select": select, "narrow": narrow, "diagonal": diagonal,
    "unbind": unbind, "split": split, "chunk": chunk, "ravel": lambda input: reshape(input, (-1,)),
    "t": t_, "tensor_split": tensor_split, "diag_embed": diag_embed,
}  # fmt: skip
_install()

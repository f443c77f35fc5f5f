"""Further functions of torch's namespace, by the rules of NumPy's counterparts."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import scipy.special

from s2sgrad.eager.batches.array import as_array, bottom
from s2sgrad.eager.operations import kinks, primitives
from s2sgrad.eager.operations.asking import allclose, equal, isclose, nonzero, numel
from s2sgrad.eager.operations.complaints import filled
from s2sgrad.eager.operations.equations import by_letters, check_equation
from s2sgrad.eager.operations.exponentials import logsumexp
from s2sgrad.eager.operations.fused import addcdiv, addcmul
from s2sgrad.eager.operations.primitives import clamp_numbers, lower_median, pick, pick_again
from s2sgrad.eager.operations.reducing import _RETURNED, some_along
from s2sgrad.eager.operations.shaping import axis_of, grid
from s2sgrad.eager.recording.node import named_as
from s2sgrad.eager.recording.record import apply, op_of, plain
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.promotion import broadcast_error, numeric, operand
from s2sgrad.eager.tensors.promotion import result_type as promoted
from s2sgrad.eager.tensors.tensor import Tensor, wrap
from s2sgrad_runtime import take_items

CLAMP, ROUND = op_of(clamp_numbers, "ClampBackward1"), op_of(np.round, "RoundBackward0")
CLAMP_TENSORS = op_of(kinks.clamp_bounds, "ClampBackward0")
GATHER = op_of(np.take_along_axis, "GatherBackward0")


def clamp(input: Tensor, min: Any = None, max: Any = None, *, out: Any = None) -> Tensor:
    """Cut to [min, max]; the bounds themselves pass."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if out is not None:
        return filled(out, "clamp", clamp, input, min, max)
    several = isinstance(min, Tensor) or isinstance(max, Tensor)
    common = promoted(*(v for v in (input, min, max) if v is not None))
    if common.np != input._array.dtype:
        input = input.to(common)  # type: ignore[attr-defined]
    if several:
        bounds = (v.to(common) if isinstance(v, Tensor) else v for v in (min, max))  # type: ignore[attr-defined]
        return apply(CLAMP_TENSORS, (input, *bounds), {})
    return apply(CLAMP, (input, min, max), {})


def round_(input: Tensor, *, decimals: int = 0) -> Tensor:
    """To the nearest integer, halves to even."""
    op = op_of(ROUND.function, "RoundBackward1") if decimals else ROUND
    return apply(op, (input,), {"decimals": decimals})


def _two(function: Any, name: str | None = None, to_float: bool = False) -> Any:
    op = op_of(function, name)
    other_name = {np.fmod: "FmodBackward0", np.copysign: "CopysignBackward1"}.get(function)
    by_number = op_of(function, other_name) if other_name else op

    def binary(input: Any, other: Any, *, out: Any = None) -> Tensor:
        if out is not None:
            return filled(out, function.__name__, binary, input, other)
        kind = op if isinstance(other, Tensor) else by_number
        return numeric(kind, (operand(input), operand(other)), to_float=to_float)

    return binary


def _like(function: Any, name: str, *names: str) -> Any:
    """A function of one tensor with the options `names`, passed on to NumPy."""
    op = op_of(function, name)

    def call(input: Tensor, *args: Any) -> Tensor:
        return apply(op, (input, *args), {})

    return call


def flip(input: Tensor, *dims: Any) -> Tensor:
    """Entries in reverse order along the dims."""
    axes = dims[0] if len(dims) == 1 and isinstance(dims[0], (list, tuple)) else dims
    return apply(op_of(np.flip, "FlipBackward0"), (input,), {"axis": tuple(axes)})


def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """Entries moved along the dims, those that fall off at the other end."""
    return apply(op_of(np.roll, "RollBackward0"), (input, shifts), {"axis": dims})


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The entries that `index` names along `dim`."""
    axis = axis_of(dim, input._array.ndim)
    if index._array.dtype.kind not in "iu":
        raise RuntimeError("gather(): Expected dtype int32/int64 for index")
    if max(index._array.ndim, 1) != max(input._array.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    if index._array.size and input._array.ndim:
        size = input._array.shape[axis]
        places = bottom(index._array)
        wrong = places[(places < 0) | (places >= size)]
        if wrong.size:
            raise RuntimeError(
                f"index {wrong.flat[0]} is out of bounds for dimension {dim} with size {size}"
            )
    shape = index._array.shape
    if any(a != axis and n != m for a, (n, m) in enumerate(zip(shape, input._array.shape))):  # noqa: B905
        return apply(op_of(take_items, "GatherBackward0"), (input, grid(index._array, axis)), {})
    return apply(GATHER, (input, index, axis), {})


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices that `index` names along `dim`."""
    op, axis = op_of(np.take, "IndexSelectBackward0"), axis_of(dim, input._array.ndim)
    if index._array.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if index._array.dtype.kind not in "iu":
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    size = input._array.shape[axis] if input._array.ndim else 1
    places = bottom(index._array)
    if places.size and (places.min() < 0 or places.max() >= size):
        raise IndexError("index out of range in self")
    return apply(op, (input, index), {"axis": axis})


def take(input: Tensor, index: Tensor) -> Tensor:
    """Entries by their position in the flattened tensor."""
    size = input._array.size
    wrong = index._array[(index._array < -size) | (index._array >= size)]
    if wrong.size:
        raise IndexError(f"out of range: tried to access index {wrong.flat[0]} on a tensor of "
                         f"{size} elements.")  # fmt: skip
    return apply(op_of(np.take, "TakeBackward0"), (input, index), {})


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """`value` where the mask holds."""
    if mask._array.dtype.kind != "b":
        raise RuntimeError("masked_fill_ only supports boolean masks, but got mask with dtype "
                           f"{mask.dtype.c_name}")  # fmt: skip
    if isinstance(value, Tensor) and value._array.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value._array.ndim} dimension(s)."
        )
    op = op_of(np.where, "MaskedFillBackward0")
    if isinstance(value, Tensor):
        filled = value.to(input.dtype)  # type: ignore[attr-defined]
    else:
        filled = np.asarray(value, input._array.dtype)
    return apply(op, (mask, filled, input), {})


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The entries where the mask holds."""
    try:
        shape = np.broadcast_shapes(mask._array.shape, input._array.shape)
    except ValueError:
        raise broadcast_error(mask._array, input._array) from None
    held = np.broadcast_to(mask._array, shape)
    if held.shape != input._array.shape:
        input = input.expand(held.shape)
    return apply(op_of(take_items, "MaskedSelectBackward0"), (input, held.copy()), {})


def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool | None = None) -> Any:
    """Sorted values and where they were."""
    axis = axis_of(dim, input._array.ndim)
    if input._array.ndim == 0:
        return alone("sort", input)
    places = places_in_order(input._array, axis, descending)
    word = "SortBackward0" if stable is None else "SortBackward1"
    return _picked("sort", input, places, axis, word=word)


def places_in_order(array: Any, axis: int, descending: bool) -> Any:
    """Where the sorted entries are, equal ones in their order; NaN counts as the largest."""
    if not descending:
        return np.argsort(array, axis=axis, kind="stable")
    backwards = np.argsort(np.flip(array, axis), axis=axis, kind="stable")
    return array.shape[axis] - 1 - np.flip(backwards, axis)


def alone(name: str, input: Tensor) -> Any:
    """What picking values from a number gives: the number, at place 0."""
    values = apply(op_of(np.copy, f"{name.capitalize()}Backward0"), (input,), {})
    return _RETURNED[name](values, wrap(np.zeros((), np.int64)))


def _picked(
    name: str, input: Tensor, index: Any, axis: int, keepdim: bool = True, word: str = ""
) -> Any:
    """Values by their indices, and the indices: the tensor that the derivative reads, too."""
    word = word or f"{name.capitalize()}Backward{1 if name.endswith('median') else 0}"
    place = wrap(as_array(index).astype(np.int64, copy=False))
    function = pick_again if name.startswith("cum") else pick
    values = apply(op_of(function, word), (input, place, axis, keepdim), {})
    return _RETURNED[name](values, place if keepdim else place.squeeze(axis))  # type: ignore[attr-defined]


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Where the sorted values were; always stable."""
    return sort(input, dim, descending).indices


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The k largest (smallest) values and where they are."""
    axis = axis_of(dim, input._array.ndim)
    if not 0 <= k <= (input._array.shape[axis] if input._array.ndim else 1):
        raise RuntimeError("selected index k out of range")
    order = places_in_order(input._array, axis, largest)
    index = np.take(order, range(k), axis=axis)
    return _picked("topk", input, index, axis)


def shared_nan(input: Tensor) -> Tensor:
    """NaN, of which each NaN among the entries has the same share; also where there are none."""
    without = input._array.size == 0
    return input.sum() * np.nan if without else input[input.isnan()].mean()  # type: ignore[index, attr-defined]


def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The lower median; NaN where there is one, or nothing."""
    if dim is None and (input._array.size == 0 or np.isnan(input._array).any()):
        return named_as(shared_nan(input), "MedianBackward0")
    if dim is None:
        return apply(op_of(lower_median, "MedianBackward0"), (input,), {})
    axis = axis_of(dim, input._array.ndim)
    some_along("median", input, axis)
    n = input._array.shape[axis]
    index = np.take(np.argsort(input._array, axis=axis, kind="stable"), [(n - 1) // 2], axis=axis)
    return _picked("median", input, index, axis, keepdim)


def repeat(input: Tensor, *sizes: Any) -> Tensor:
    """The tensor laid out several times along each axis."""
    from s2sgrad.eager.tensors.creation import sizes_of

    counts = sizes_of(sizes)
    if len(counts) < input._array.ndim:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of "
                           "dimensions of tensor")  # fmt: skip
    return apply(op_of(np.tile, "RepeatBackward0"), (input, counts), {})


def tile(input: Tensor, *dims: Any) -> Tensor:
    """`repeat`, once along the leading axes that are not named."""
    from s2sgrad.eager.tensors.creation import sizes_of

    counts = sizes_of(dims)
    return repeat(input, *(1,) * (input._array.ndim - len(counts)), *counts)


def einsum(equation: Any, *operands: Any) -> Tensor:
    """Sums of products named by letters, or by lists of numbers behind the operands."""
    if isinstance(equation, Tensor):
        equation, operands = by_letters((equation, *operands))
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    check_equation(equation, [t._array.shape for t in operands])
    if STATE.autocast is not None:  # NumPy has no einsum of bfloat16: its result is rounded
        return einsum_in_full(equation, *operands).to(STATE.autocast)  # type: ignore[attr-defined]
    return einsum_in_full(equation, *operands)


def einsum_in_full(equation: str, *operands: Any) -> Tensor:
    """`einsum` in the dtypes of the operands."""
    many = sum(t._array.size for t in operands) > 8192
    options = {"optimize": True} if many else {}  # as products of matrices, where it has some
    return apply(op_of(np.einsum, _name_of(equation)), (equation, *operands), options)


def _name_of(equation: str) -> str:
    """What torch calls the node: of one operand, the last thing that is done to it."""
    letters, arrow, kept = equation.replace(" ", "").partition("->")
    if "," in letters:
        return "ViewBackward0"
    if not arrow:
        kept = "".join(c for c in letters if letters.count(c) == 1)
    return "SumBackward1" if set(letters) - set(kept) else "PermuteBackward0"


def lerp(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """`input + weight * (end - input)`."""
    try:
        np.broadcast_shapes(input._array.shape, end._array.shape)
    except ValueError:
        raise broadcast_error(input._array, end._array) from None
    name = "LerpBackward1" if isinstance(weight, Tensor) else "LerpBackward0"
    return apply(op_of(primitives.lerp_array, name), (input, end, weight), {})


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The vector product along `dim`; by default the first dim of size 3 of both."""
    if dim is None:
        try:
            shape = np.broadcast_shapes(input._array.shape, other._array.shape)
        except ValueError:
            raise broadcast_error(input._array, other._array) from None
        if 3 not in shape:
            raise RuntimeError("no dimension of size 3 in input")
        dim = shape.index(3)
    return apply(op_of(np.cross, "LinalgCrossBackward0"), (input, other), {"axis": dim})


def logit(input: Tensor, eps: float | None = None, *, out: Any = None) -> Tensor:
    """log(x / (1 - x)), of x cut to [eps, 1 - eps]."""
    if out is not None:
        return filled(out, "logit", logit, input, eps)
    return numeric(op_of(kinks.logit_array, "LogitBackward0"), (input,) if eps is None else
                   (input, eps), to_float=True)  # fmt: skip


def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """0 for negative numbers, 1 for positive ones, `values` at 0."""
    made = numeric(op_of(np.heaviside, "NotImplemented"), (input, values))
    return made.to(input.dtype) if input._array.dtype.kind in "iub" else made


def softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """exp(x) over its sum along `dim`."""
    from s2sgrad.eager.nn import functional

    return functional.softmax(input, dim, dtype=dtype)


def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """log(softmax(x))."""
    from s2sgrad.eager.nn import functional

    return functional.log_softmax(input, dim, dtype=dtype)


def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The part on and below a diagonal."""
    return apply(op_of(np.tril, "TrilBackward0"), (input,), {"k": diagonal})


def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The part on and above a diagonal."""
    return apply(op_of(np.triu, "TriuBackward0"), (input,), {"k": diagonal})


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """The diagonal of a matrix, or the matrix with this diagonal."""
    name = "DiagEmbedBackward0" if input._array.ndim == 1 else "DiagonalBackward0_copy"
    return apply(op_of(np.diag, name), (input,), {"k": diagonal})


def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Tensor, ...]:
    """Coordinate grids."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    shape = tuple(t._array.size for t in tensors)
    count = len(shape)
    grids = [
        t.view(tuple(-1 if a == i else 1 for a in range(count))).expand(shape)
        for i, t in enumerate(tensors)
    ]
    return tuple(g.transpose(0, 1) for g in grids) if indexing == "xy" else tuple(grids)


FUNCTIONS: dict[str, Any] = {
    "clamp": clamp, "clip": clamp, "round": round_, "flip": flip, "roll": roll, "gather": gather,
    "index_select": index_select, "take": take, "masked_fill": masked_fill,
    "masked_select": masked_select, "sort": sort, "argsort": argsort, "topk": topk,
    "median": median, "logsumexp": logsumexp, "einsum": einsum, "lerp": lerp, "addcmul": addcmul,
    "addcdiv": addcdiv, "allclose": allclose, "equal": equal, "isclose": isclose,
    "nonzero": nonzero, "softmax": softmax, "log_softmax": log_softmax, "tril": tril,
    "triu": triu, "diag": diag, "numel": numel, "meshgrid": meshgrid,
    "trace": _like(np.trace, "TraceBackward0"), "atan2": _two(np.arctan2, "Atan2Backward0", True),
    "arctan2": _two(np.arctan2, "Atan2Backward0", True), "hypot": _two(np.hypot),
    "logaddexp2": _two(np.logaddexp2),
    "logaddexp": _two(primitives.logaddexp_array, "LogaddexpBackward0"),
    "fmax": _two(kinks.fmax_array, "FmaxBackward0"),
    "fmin": _two(kinks.fmin_array, "FminBackward0"), "copysign": _two(np.copysign, to_float=True),
    "xlogy": _two(scipy.special.xlogy, "XlogyBackward0", to_float=True),
    "nextafter": _two(np.nextafter, "NextafterBackward0"),
    "logit": logit, "cross": cross, "heaviside": heaviside,
    "kron": _two(np.kron, "UnsafeViewBackward0"), "fmod": _two(np.fmod, "FmodBackward1"),
}  # fmt: skip
METHODS: dict[str, Any] = {"repeat": repeat, "tile": tile}
for _name, _function in {**FUNCTIONS, **METHODS}.items():
    setattr(Tensor, _name, _function)
for _name in ("logical_and", "logical_or", "logical_xor"):
    FUNCTIONS[_name] = _two(getattr(np, _name))
    setattr(Tensor, _name, FUNCTIONS[_name])
_ = (builtins, plain)

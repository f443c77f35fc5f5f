"""Reductions: sums, means, extremes, norms."""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from s2sgrad.eager.batches.array import as_array
from s2sgrad.eager.operations.complaints import filled, mean_of_integers, no_complex, no_tensor
from s2sgrad.eager.operations.primitives import pick, vector_norm
from s2sgrad.eager.operations.shaping import axis_of
from s2sgrad.eager.recording.node import next_order
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.settings.floating import Silence, quiet
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors import dtypes
from s2sgrad.eager.tensors.dtypes import F32, F64
from s2sgrad.eager.tensors.tensor import LEAF, Tensor, new
from s2sgrad.eager.tensors.views import view_class

asarray, ndarray = np.asarray, np.ndarray


class ValuesIndices(NamedTuple):
    """What torch returns for `max(dim)`, `sort` and the like."""

    values: Tensor
    indices: Tensor


def returned(name: str) -> Any:
    """A `torch.return_types` class, printed as torch prints it."""

    def text(self: Any) -> str:
        return f"torch.return_types.{name}(\nvalues={self.values!r},\nindices={self.indices!r})"

    return type(name, (ValuesIndices,), {"__slots__": (), "__repr__": text})


_RETURNED = {
    n: returned(n)
    for n in (
        "max",
        "min",
        "sort",
        "topk",
        "median",
        "mode",
        "kthvalue",
        "cummax",
        "cummin",
    )
}


def axes(dim: Any, axis: Any, ndim: int) -> Any:
    """`dim` (or NumPy's `axis`) as NumPy wants it; None and () mean all."""
    dim = axis if dim is None else dim
    if dim is None:
        return None
    if isinstance(dim, (tuple, list)):
        found = tuple(axis_of(d, ndim) for d in dim)
        for d in found:
            if found.count(d) > 1:
                raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
        return found or None
    return axis_of(dim, ndim) if ndim else None


def _fast(function: Any, whole: Any, along: Any) -> Any:
    """`sum` and `mean` where only recording is on: nothing is saved but shape and axes."""
    add: Any = quiet(np.add.reduce)
    (all_class, defaults), (some_class, _) = view_class(whole), view_class(along)
    all_class.is_view = some_class.is_view = False
    mean_of = function is np.mean
    position = whole.rule.parameters.index("keepdims")

    everything = (None, *defaults[2:])

    def total(input: Tensor) -> Tensor:
        """The sum of all entries."""
        xa = input._array
        ya = add(xa, None)
        y = new(Tensor)
        y._array = ya if ya.__class__ is ndarray else asarray(ya)
        y._vc, y._view = [0], None
        edge = input._edge() if input._view is not None else input._node
        if edge is None:
            y._node = None
            return y
        y._node = node = new(all_class)
        node.order, node.hooks, node.parents = (
            next_order(),
            None,
            (input if edge is LEAF else edge,),
        )
        node.shape, node.dtype, node.arguments = xa.shape, xa.dtype, everything
        return y

    def reduce(input: Tensor, dim: Any, keepdim: bool) -> Tensor:
        xa = input._array
        if dim is None and not keepdim and not mean_of:
            return total(input)
        where = None if dim is None else axes(dim, None, xa.ndim)
        ya = add(xa, where, None, None, keepdim)
        if mean_of:
            with Silence():
                ya = ya / (xa.size // ya.size if ya.size else 0)
        y = new(Tensor)
        y._array = ya if ya.__class__ is np.ndarray else np.asarray(ya)
        y._vc, y._view, y._node = [0], None, None
        edge = input._edge()
        if edge is not None:
            y._node = node = new(all_class if dim is None and not keepdim else some_class)
            node.order, node.hooks, node.parents = next_order(), None, (edge,)
            node.shape, node.dtype = xa.shape, xa.dtype
            node.arguments = (where, *defaults[2:])
            if keepdim:
                listed = list(node.arguments)
                listed[position - 1] = True
                node.arguments = tuple(listed)
        return y

    return reduce


def _summing(name: str, function: Any) -> Any:
    """`sum`, `mean`, `prod`: dim, keepdim, dtype."""
    word = name.capitalize()
    whole, along = op_of(function, f"{word}Backward0"), op_of(function, f"{word}Backward1")
    fast: Any = _fast(function, whole, along) if name != "prod" else None

    def reduce(
        input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None,
        axis: Any = None, keepdims: bool = False, out: Any = None,
    ) -> Tensor:  # fmt: skip
        if dim is None and fast is not None and STATE.fast and input.__class__ is Tensor:
            d = input._array.dtype
            if (d is F64 or d is F32) and not (keepdim or keepdims) and axis is dtype is out:
                return fast(input, None, False)
        if out is not None:
            given = {"dim": dim, "keepdim": keepdim, "dtype": dtype, "axis": axis}
            return filled(out, name, reduce, input, **given)
        try:
            kind = input._array.dtype.kind
        except AttributeError:
            raise no_tensor(name, input) from None
        if dtype is None and kind == "f" and STATE.fast and (name != "prod"):
            return fast(input, dim if axis is None else axis, bool(keepdim or keepdims))
        if dtype is not None:
            input = input.to(dtype)
            kind = input._array.dtype.kind
        if kind in "iub" and name == "mean":
            raise mean_of_integers(input, "Input" if dtype is None else "Optional")
        if kind in "iub" and dtype is not None:  # which NumPy's sums would widen
            return reduce(input, dim, keepdim, axis=axis, keepdims=keepdims).to(dtype)
        if kind in "ub" or (kind == "i" and input._array.itemsize < 8):
            input = input.to(dtypes.int64)
        where = axes(dim, axis, input._array.ndim)
        if dim is None and axis is None and not (keepdim or keepdims):
            return apply(whole, (input,), {})
        op = whole if dim is None and axis is None else along
        return apply(op, (input,), {"axis": where, "keepdims": bool(keepdim or keepdims)})

    reduce.__name__ = reduce.__qualname__ = name
    return reduce


sum_, mean, prod = (
    _summing(n, f) for n, f in (("sum", np.sum), ("mean", np.mean), ("prod", np.prod))
)


def _extreme(name: str, function: Any, argument: Any, pair: Any) -> Any:
    """`max` and `min`: of all, along a dim (values and indices), or of two tensors."""
    whole = op_of(function, f"{name.capitalize()}Backward1")
    along = op_of(pick, f"{name.capitalize()}Backward0")
    whole.plain_zeros = True

    def extreme(input: Tensor, dim: Any = None, keepdim: bool = False, *, axis: Any = None) -> Any:
        dim = axis if dim is None else dim
        if dim is None:
            no_complex(input, f"\"{name}_all\" not implemented for '{{}}'", NotImplementedError)
            if not input._array.size:
                raise RuntimeError(UNSPECIFIED.format(name))
            return apply(whole, (input,), {})
        if not isinstance(dim, Tensor):
            no_complex(input, f"{name}(): does not support complex input")
        if isinstance(dim, Tensor):
            return pair(input, dim)
        place = axis_of(dim, input._array.ndim)
        some_along(name, input, place)
        index = Tensor_of(np.expand_dims(argument(input._array, axis=place), place))
        values = apply(along, (input, index, place, keepdim), {})
        return _RETURNED[name](values, index if keepdim else index.squeeze(place))  # type: ignore[attr-defined]

    extreme.__name__ = extreme.__qualname__ = name
    return extreme


UNSPECIFIED = (
    "{}(): Expected reduction dim to be specified for input.numel() == 0. "
    "Specify the reduction dim with the 'dim' argument."
)


def some_along(name: str, input: Tensor, axis: int) -> None:
    """Refuse to look for one of no entries."""
    if input._array.ndim and not input._array.shape[axis]:
        raise IndexError(f"{name}(): Expected reduction dim {axis} to have non-zero size.")


def Tensor_of(array: Any) -> Tensor:
    """A constant around an array."""
    from s2sgrad.eager.tensors.tensor import wrap

    return wrap(array)


def _pair(function: Any) -> Any:
    def pair(input: Any, other: Any, *, out: Any = None) -> Tensor:
        from s2sgrad.eager.tensors.promotion import numeric

        if out is not None:
            return filled(out, function.__name__, pair, input, other)
        no_complex(input, f"{function.__name__} not implemented for complex tensors.")
        return numeric(op_of(function), (input, other))

    return pair


maximum, minimum = _pair(np.maximum), _pair(np.minimum)
max_ = _extreme("max", np.max, np.argmax, maximum)
min_ = _extreme("min", np.min, np.argmin, minimum)


def _plain_extreme(function: Any, name: str) -> Any:
    op = op_of(function, name)

    def reduce(input: Tensor, dim: Any = (), keepdim: bool = False) -> Tensor:
        word = "max" if function is np.max else "min"
        complaint = f"\"{word}_values_cpu\" not implemented for '{{}}'"
        no_complex(input, complaint, NotImplementedError)
        where = axes(dim, None, input._array.ndim)
        return apply(op, (input,), {"axis": where, "keepdims": keepdim})

    return reduce


amax, amin = _plain_extreme(np.max, "AmaxBackward0"), _plain_extreme(np.min, "AminBackward0")


FEW_ENTRIES = (
    "{}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor"
    " (input numel divided by output numel)."
)


def number_of_entries(shape: tuple[int, ...], axis: Any) -> int:
    """How many entries go into one result of a reduction."""
    over = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    return math.prod(shape[i] for i in over)


def _spread(function: Any, name: str) -> Any:
    op = op_of(function, name)

    def reduce(
        input: Tensor, dim: Any = None, unbiased: Any = True, keepdim: bool = False, *,
        correction: Any = None, axis: Any = None,
    ) -> Tensor:  # fmt: skip
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        ddof = correction if correction is not None else int(bool(unbiased))
        where = axes(dim, axis, input._array.ndim)
        options = {"axis": where, "ddof": ddof, "keepdims": keepdim}
        if number_of_entries(input._array.shape, where) > ddof:
            return apply(op, (input,), options)
        warnings.warn(FEW_ENTRIES.format(function.__name__), UserWarning, stacklevel=2)
        with warnings.catch_warnings():  # NumPy's own
            warnings.simplefilter("ignore", RuntimeWarning)
            return apply(op, (input,), options)

    return reduce


var, std = _spread(np.var, "VarBackward0"), _spread(np.std, "StdBackward0")


def _index_of(function: Any) -> Any:
    def reduce(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        no_complex(input, f"{function.__name__}(): does not support complex input")
        where = axes(dim, None, input._array.ndim)
        if isinstance(where, int):
            some_along(function.__name__, input, where)
        elif not input._array.size:
            raise IndexError(UNSPECIFIED.format(function.__name__))
        array = function(input._array, axis=where, keepdims=keepdim)
        return Tensor_of(as_array(array).astype(np.int64, copy=False))

    return reduce


argmax, argmin = _index_of(np.argmax), _index_of(np.argmin)


def _truth(function: Any) -> Any:
    def reduce(input: Tensor, dim: Any = None, keepdim: bool = False, **_: Any) -> Tensor:
        where = axes(dim, None, input._array.ndim)
        held = as_array(function(input._array, axis=where, keepdims=keepdim))
        return Tensor_of(held.astype(np.uint8) if input._array.dtype == np.uint8 else held)

    return reduce


all_, any_ = _truth(np.all), _truth(np.any)


def cumulative(function: Any, name: str) -> Any:
    """`cumsum`, `cumprod` along a dim."""
    op = op_of(function, name)

    def scan(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
        if dtype is not None:
            input = input.to(dtype)
            if input._array.dtype.kind in "iu" and input._array.dtype != np.int64:
                return scan(input, dim).to(dtype)
        elif input._array.dtype.kind in "iub" and input._array.dtype != np.int64:
            input = input.to(dtypes.int64)
        axis = axis_of(dim, input._array.ndim)
        if input._array.ndim == 0:
            return apply(op_of(np.copy, name), (input,), {})
        return apply(op, (input,), {"axis": axis})

    scan.__name__ = scan.__qualname__ = function.__name__
    return scan


cumsum = cumulative(np.cumsum, "CumsumBackward0")
cumprod = cumulative(np.cumprod, "CumprodBackward0")


def norm(
    input: Tensor,
    p: Any = "fro",
    dim: Any = None,
    keepdim: bool = False,
    dtype: Any = None,
    *,
    name: str = "LinalgVectorNormBackward0",
) -> Tensor:
    """The p-norm over all entries, or over `dim`; 0 at 0."""
    if isinstance(p, str) and p != "fro":
        raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
    order = 2.0 if p in (None, "fro") else float(p)
    if dtype is not None:
        input = input.to(dtype)
    op = op_of(vector_norm, name)
    return apply(op, (input, order, axes(dim, None, input._array.ndim), keepdim), {})


def _without_nan(function: Any, name: str) -> Any:
    """`nansum` and `nanmean`: over the entries that are numbers."""
    op = op_of(function, name)

    def reduce(
        input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
    ) -> Tensor:
        kind = dtypes.int64 if dtype is None and input._array.dtype.kind == "u" else dtype
        given = input if kind is None else input.to(kind)
        where = axes(dim, None, given._array.ndim)
        return apply(op, (given,), {"axis": where, "keepdims": keepdim})

    reduce.__name__ = reduce.__qualname__ = function.__name__
    return reduce


nansum = _without_nan(np.nansum, "NansumBackward0")
nanmean = _without_nan(np.nanmean, "DivBackward0")


def count_nonzero(input: Tensor, dim: Any = None, *more: int) -> Tensor:
    """How many entries are not zero."""
    dim = (dim, *more) if more else dim
    return Tensor_of(as_array(np.count_nonzero(input._array, axis=dim)))


FUNCTIONS: dict[str, Any] = {
    "sum": sum_, "mean": mean, "prod": prod, "max": max_, "min": min_, "amax": amax, "amin": amin,
    "var": var, "std": std, "argmax": argmax, "argmin": argmin, "all": all_, "any": any_,
    "cumsum": cumsum, "cumprod": cumprod, "norm": norm, "count_nonzero": count_nonzero,
    "nansum": nansum, "nanmean": nanmean, "maximum": maximum, "minimum": minimum,
}  # fmt: skip


for _name, _function in FUNCTIONS.items():
    setattr(Tensor, _name, _function)

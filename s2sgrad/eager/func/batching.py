"""`vmap`: a function of one example, applied to all entries of a batch.

The function runs once, on tensors whose arrays are batches (`eager/batches`): NumPy functions
compute all examples together. Where it looks at values (branches, `.item()`, NumPy calls that
need an array), it runs once for each example, and the results are stacked.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from s2sgrad.eager._core import STATE, Tensor, cat, get_rng_state, set_rng_state, stack
from s2sgrad.eager.batches.array import NeedsExamples, levels_of
from s2sgrad.eager.batches.examples import Refused
from s2sgrad.eager.batches.levels import Level, enter, leave, running
from s2sgrad.eager.func.pytree import (
    TreeSpec,
    broadcast_prefix,
    tree_flatten,
    tree_unflatten,
)
from s2sgrad.eager.func.tracking import transforming
from s2sgrad.eager.recording.node import named_as

Function = Callable[..., Any]


@contextmanager
def drawing(refused: bool, start: Any) -> Iterator[None]:
    """The block of one example; start: the generator's state to begin with, None for any."""
    before = STATE.no_random
    STATE.no_random = before or refused
    STATE.batching += 1
    if start is not None:
        set_rng_state(start)
    try:
        yield
    finally:
        STATE.no_random = before
        STATE.batching -= 1


def _name(func: Function) -> str:
    return getattr(func, "__name__", repr(func))


def check_randomness(randomness: str) -> None:
    """Refuse what does not say how functions may draw numbers."""
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. Got"
            f" {randomness}"
        )


def vmap(
    func: Function,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Function:
    """`func` over one axis of its arguments.

    in_dims: the axis for each argument (an int, None for "the same for all", or a nest of them).
    out_dims: where the batch axis stands in the results. randomness: whether functions may draw
    numbers ("error": no; "same": the same ones for all examples). chunk_size: how many examples
    are computed at once, where all of them would need too much memory.
    """
    check_randomness(randomness)
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def batched(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = tree_flatten(args)
        dims = _checked_in_dims(func, in_dims, args, leaves, spec)
        size = _batch_size(leaves, dims)
        call = leaves, dims, spec, kwargs
        if chunk_size is None or size <= chunk_size:
            return _batch(func, call, out_dims, randomness, size)
        return _in_chunks(func, call, out_dims, randomness, range(0, size, int(chunk_size)))

    return batched


Call = tuple[list[Any], list[Any], TreeSpec, dict[str, Any]]


def _batch(func: Function, call: Call, out_dims: Any, draws: str, size: int) -> Any:
    """The results for the whole batch, at once or one by one."""
    if size:
        try:
            return _at_once(func, call, out_dims, draws, size)
        except _Unbatched:
            raise
        except Refused as error:
            raise RuntimeError(*error.args) from None
        except (NeedsExamples, Exception):
            pass  # an error that is the function's own comes again below
    return _one_by_one(func, call, out_dims, draws, size)


def _in_chunks(func: Function, call: Call, out_dims: Any, draws: str, starts: range) -> Any:
    """The results for parts of the batch, joined."""
    leaves, dims, spec, kwargs = call
    random = get_rng_state()
    columns: list[list[Any]] = []
    for start in starts:
        if draws == "same":
            set_rng_state(random)
        size = min(starts.step, starts.stop - start)
        part = [
            leaf if dim is None else leaf.narrow(dim, start, size)
            for leaf, dim in zip(leaves, dims, strict=True)
        ]
        result = _batch(func, (part, dims, spec, kwargs), out_dims, draws, size)
        values, out_spec = tree_flatten(result)
        columns.append(values)
    joined = [
        values[0] if dim is None else cat(values, dim)
        for values, dim in zip(
            zip(*columns, strict=True), _checked_out_dims(func, out_dims, out_spec), strict=True
        )
    ]
    return tree_unflatten(joined, out_spec)


def _at_once(func: Function, call: Call, out_dims: Any, draws: str, size: int) -> Any:
    """The results for the whole batch in one run; NeedsExamples where that can't be."""
    leaves, dims, spec, kwargs = call
    random = get_rng_state()
    try:
        with running(size, draws) as level, transforming(), drawing(draws == "error", None):
            inside = [
                leaf if dim is None else enter(leaf, dim, level.number)
                for leaf, dim in zip(leaves, dims, strict=True)
            ]
            result = func(*tree_unflatten(inside, spec), **kwargs)
        return _left(func, result, out_dims, level)
    except BaseException:
        set_rng_state(random)
        raise


def _left(func: Function, result: Any, out_dims: Any, level: Level) -> Any:
    """The results with the examples along an axis."""
    values, spec = tree_flatten(result)
    dims = _checked_out_dims(func, out_dims, spec)
    made = []
    for value, dim in zip(values, dims, strict=True):
        is_batch = isinstance(value, Tensor) and level.number in levels_of(value._array)
        if dim is None:
            if is_batch:
                raise _unbatched(func)
            made.append(value)
            continue
        if not isinstance(value, Tensor):
            raise NeedsExamples
        _check_out_dim(dim, value)
        y = leave(value, dim % (value.dim() + 1), level.number, level.size)
        name = value.grad_fn.name() if y.grad_fn is not None and value.grad_fn is not None else ""
        made.append(named_as(y, name) if name else y)
    return tree_unflatten(made, spec)


def _check_out_dim(dim: int, value: Tensor) -> None:
    n = value.dim() + 1
    if not -n <= dim < n:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], "
                         f"but got {dim})")  # fmt: skip


class _Unbatched(ValueError):
    """A result without batch axis that depends on the example."""


_Unbatched.__name__ = _Unbatched.__qualname__ = "ValueError"


def _unbatched(func: Function) -> ValueError:
    return _Unbatched(f"vmap({_name(func)}, ...): `{_name(func)}` can not return a BatchedTensor "
                      "when out_dim is None")  # fmt: skip


def _one_by_one(func: Function, call: Call, out_dims: Any, draws: str, size: int) -> Any:
    """The results of one run for each example, stacked."""
    leaves, dims, spec, kwargs = call
    results = []
    start = get_rng_state() if draws == "same" else None
    for i in range(size):
        example = [
            leaf if dim is None else leaf.select(dim, i)
            for leaf, dim in zip(leaves, dims, strict=True)
        ]
        with transforming(), drawing(draws == "error", start):
            results.append(func(*tree_unflatten(example, spec), **kwargs))
    if not results:
        return _empty(func, leaves, dims, spec, kwargs, out_dims)
    return _stacked(func, results, out_dims)


def _checked_in_dims(
    func: Function, in_dims: Any, args: tuple[Any, ...], leaves: list[Any], spec: TreeSpec
) -> list[Any]:
    """One axis (or None) for each leaf of the arguments."""
    where = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): "
    if not isinstance(in_dims, (int, tuple)) or isinstance(in_dims, bool):
        raise ValueError(
            f"{where}expected `in_dims` to be int or a (potentially nested) tuple matching the"
            f" structure of inputs, got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you"
            " are trying to vmap over a function with no inputs. The latter is unsupported."
        )
    dims = broadcast_prefix(in_dims, spec)
    if dims is None:
        raise ValueError(
            f"{where}in_dims is not compatible with the structure of `inputs`. in_dims has"
            f" structure {tree_flatten(in_dims)[1]} but inputs has structure {spec}."
        )
    return [_checked_dim(where, leaf, dim) for leaf, dim in zip(leaves, dims, strict=True)]


def _checked_dim(where: str, leaf: Any, dim: Any) -> int | None:
    if dim is None:
        return None
    if not isinstance(dim, int):
        raise ValueError(
            f"{where}Got in_dim={dim} for an input but in_dim must be either an integer dimension"
            " or None."
        )
    if not isinstance(leaf, Tensor):
        raise ValueError(
            f"{where}Got in_dim={dim} for an input but the input is of type {type(leaf)}. We"
            " cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
        )
    if not -leaf.dim() <= dim < leaf.dim():
        raise ValueError(
            f"{where}Got in_dim={dim} for some input, but that input is a Tensor of"
            f" dimensionality {leaf.dim()} so expected in_dim to satisfy -{leaf.dim()} <= in_dim"
            f" < {leaf.dim()}."
        )
    return dim % leaf.dim()


def _batch_size(leaves: list[Any], dims: list[Any]) -> int:
    sizes = [leaf.size(dim) for leaf, dim in zip(leaves, dims, strict=True) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes"
            f" {sizes} for the mapped dimension"
        )
    return sizes[0]


def _stacked(func: Function, results: list[Any], out_dims: Any) -> Any:
    """The results of all examples with a batch axis."""
    rows = [tree_flatten(result) for result in results]
    spec = rows[0][1]
    dims = _checked_out_dims(func, out_dims, spec)
    made = []
    for column, dim in zip(zip(*(row for row, _ in rows), strict=True), dims, strict=True):
        for value in column:
            if not isinstance(value, Tensor) and dim is not None:
                raise ValueError(
                    f"vmap({_name(func)}, ...): `{_name(func)}` must only return Tensors, got type"
                    f" {type(value)}. Did you mean to set out_dims= to None for output?"
                )
        if dim is None:
            _check_unbatched(func, column)
        made.append(column[0] if dim is None else stack(column, dim))
    return tree_unflatten(made, spec)


def _check_unbatched(func: Function, column: tuple[Any, ...]) -> None:
    """A result without batch axis must be the same for every example."""
    first = column[0]
    for value in column:
        if value is first or not isinstance(value, Tensor):
            continue
        if value.shape != first.shape or not bool((value.detach() == first.detach()).all()):
            raise _unbatched(func)


def _checked_out_dims(func: Function, out_dims: Any, spec: TreeSpec) -> list[Any]:
    single = tuple(out_dims) if isinstance(out_dims, list) else out_dims
    if isinstance(single, tuple) and len(single) == 1 and spec.kind is None:
        single = single[0]
    dims = broadcast_prefix(single, spec)
    if dims is None:
        raise ValueError(
            f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible"
            " with the structure of `outputs`. out_dims has structure"
            f" {tree_flatten(out_dims)[1]} but outputs has structure {spec}."
        )
    for dim in dims:
        if dim is not None and not isinstance(dim, int):
            raise ValueError(
                f"vmap({_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or"
                " a python collection of ints representing where in the outputs the vmapped"
                " dimension should appear."
            )
    return dims


def _empty(
    func: Function,
    leaves: list[Any],
    dims: list[Any],
    spec: TreeSpec,
    kwargs: dict[str, Any],
    out_dims: Any,
) -> Any:
    """The results for an empty batch: shapes are read off one example of zeros."""
    example = []
    for leaf, dim in zip(leaves, dims, strict=True):
        if dim is None:
            example.append(leaf)
        else:
            shape = [n for axis, n in enumerate(leaf.shape) if axis != dim]
            example.append(leaf.new_zeros(shape))
    whole = _stacked(func, [func(*tree_unflatten(example, spec), **kwargs)], out_dims)
    values, out_spec = tree_flatten(whole)
    out = _checked_out_dims(func, out_dims, out_spec)
    cut = [v if d is None else v.narrow(d, 0, 0) for v, d in zip(values, out, strict=True)]
    return tree_unflatten(cut, out_spec)

"""Which results of NumPy functions share memory with a tensor, and these as views of it.

NumPy code writes through `np.flip(a)`, `np.split(a, 3)[1]` or `np.einsum("ii->i", a)` into `a`.
Functions of one array have a view op with their own rule; every other function that hands out
part of an array becomes a view that is told by the places of its entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2sgrad.eager.recording.record import op_of
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.eager.tensors.views import view
from s2sgrad.errors import UnsupportedError
from s2sgrad.rules import structural
from s2sgrad_runtime import scatter

Function = Callable[..., Any]


def named(module: Any, names: str) -> set[Any]:
    """The functions of these names that this NumPy has."""
    return {getattr(module, name) for name in names.split() if hasattr(module, name)}


# Functions of one array that have a rule of their own.
OF_ONE = named(
    np,
    "transpose reshape ravel swapaxes squeeze expand_dims moveaxis rollaxis flip fliplr flipud "
    "rot90 diagonal matrix_transpose real imag broadcast_to",
)
# Other functions that may hand out their arguments' memory.
OTHERS = named(
    np,
    "atleast_1d atleast_2d atleast_3d split array_split hsplit vsplit dsplit unstack diag einsum "
    "broadcast_arrays meshgrid ix_ diff real_if_close astype",
)
OTHERS |= named(np.linalg, "diagonal matrix_transpose matrix_power")
OTHERS |= named(np.lib.stride_tricks, "sliding_window_view")
CHECKED = frozenset(OF_ONE | OTHERS)
# When those do so that mostly compute.
SELDOM: dict[Any, Function] = {
    np.einsum: lambda subscripts, *operands, **_: len(operands) == 1,
    np.diff: lambda a, n=1, *_, **__: n == 0,
    np.linalg.matrix_power: lambda a, n: n == 1,
}


def part_of(a: Any, pick: Function) -> Any:
    """A part of the array `a`, which `pick` chooses."""
    return pick(a)


@structural(part_of, linear=("a",))
def _part_of(y_bar, y, a, pick):  # type: ignore[no-untyped-def]
    """Every entry goes back to its place; entries seen several times add up."""
    row = np.reshape(a, -1)  # an array without axes has no places
    return np.reshape(scatter(y_bar, row, pick_places(np.shape(a), pick)), np.shape(a)), None


def pick_places(shape: tuple[int, ...], pick: Function) -> Any:
    """The places, counted over all entries of an array of this shape, that `pick` takes."""
    return pick(np.arange(int(np.prod(shape))).reshape(shape))


PART = op_of(part_of, "AsStridedBackward0")


def result(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The function's result where parts of it share memory with a tensor; else None.

    args, kwargs: with tensors. Those parts come out as views, or as the very tensor.
    """
    if function not in CHECKED or "out" in kwargs:
        return None
    args, kwargs = in_known_order(function, args, kwargs)
    if function in OF_ONE and args and isinstance(args[0], Tensor):
        return of_one(function, args, kwargs)
    return of_several(function, args, kwargs)


def in_known_order(function: Function, args: Any, kwargs: Any) -> Any:
    """`order="K"` or "A" as the order they mean for the array that is given."""
    place = {np.ravel: 1, np.reshape: 2}.get(function)
    if place is None or not args or not isinstance(args[0], Tensor):
        return args, kwargs
    order = args[place] if len(args) > place else kwargs.get("order", "C")
    if order not in ("K", "A"):
        return args, kwargs
    flags = args[0]._array.flags
    if order == "K" and not flags.forc:
        raise UnsupportedError(
            "np.ravel in the order of memory of an array that is not contiguous",
            why="which entry comes where depends on how the array was made",
            fix='say order="C" or order="F"',
        )
    meant = "F" if flags.f_contiguous and not flags.c_contiguous else "C"
    return args[:place], {**{k: v for k, v in kwargs.items() if k != "order"}, "order": meant}


def of_one(function: Function, args: Any, kwargs: Any) -> Any:
    """The view that the function's own rule describes; None where NumPy copies."""
    t = args[0]
    op = op_of(function)
    try:
        bound = op.rule.bind(args, kwargs)
    except TypeError:
        return None
    given = [(bound[name], default) for name, default in op.rule.signature[1:]]
    while given and given[-1][0] is given[-1][1]:  # some go by keyword only
        given.pop()
    arguments = tuple(value for value, _ in given)
    try:
        array = function(t._array, *arguments)
    except TypeError:
        return None
    if array is t._array:
        return t
    return view(op, t, *arguments) if in_memory_of(array, t) and not is_number(t) else None


def of_several(function: Function, args: Any, kwargs: Any) -> Any:
    """Views by places; None where nothing is shared."""
    tensors = list(tensors_in([*args, *kwargs.values()]))
    if not tensors or not SELDOM.get(function, lambda *_, **__: True)(*args, **kwargs):
        return None
    arrays = function(*replaced(args, arrays_of), **replaced(kwargs, arrays_of))
    shared: list[Any] = []
    found = _taken((function, args, kwargs), tensors, arrays, (), shared)
    return found if shared else None


def _taken(call: Any, tensors: list[Tensor], entry: Any, path: Any, shared: list[Any]) -> Any:
    """The entry of a result, at `path` in it, as a view of its tensor; `shared` gets that tensor.

    call: the function, its arguments and keywords.
    """
    if isinstance(entry, (list, tuple)):
        parts = [_taken(call, tensors, e, (*path, i), shared) for i, e in enumerate(entry)]
        return type(entry)(parts)
    for t in tensors:
        pick = picker(call[0], call[1], call[2], t, path)
        if in_memory_of(entry, t) and comes_from(t, pick):
            shared.append(t)
            return t if entry is t._array else part(t, pick)
    empty = len(tensors) == 1 and isinstance(entry, np.ndarray) and not entry.size
    if empty:
        return part(tensors[0], picker(call[0], call[1], call[2], tensors[0], path))
    return entry


def part(t: Tensor, pick: Function) -> Tensor:
    """The view that `pick` makes; one that shows entries more than once can't be written to."""
    if is_number(t):
        row = t.clone().reshape(1)  # type: ignore[attr-defined]
        return view(PART, row, lambda array: pick(array.reshape(())))
    made = view(PART, t, pick)
    if made._array.size > t._array.size:
        made._array.flags.writeable = False
    return made


def comes_from(t: Tensor, pick: Function) -> bool:
    """Whether `pick` takes from this very argument: several may lie in one memory."""
    other = np.empty_like(t._array)
    return np.may_share_memory(pick(other), other)


def picker(function: Function, args: Any, kwargs: Any, t: Tensor, path: Any) -> Function:
    """What the function makes, at `path` in its result, of an array in place of `t`.

    It holds no tensors: a node of `t` may hold it.
    """
    mark = lambda other: _HERE if other is t else other._array  # noqa: E731
    args, kwargs = replaced(args, mark), replaced(kwargs, mark)

    def pick(array: Any) -> Any:
        made = function(*filled(args, array), **filled(kwargs, array))
        for i in path:
            made = made[i]
        return made

    return pick


_HERE = object()


def filled(value: Any, array: Any) -> Any:
    """Nested lists, tuples and dicts with the array where the mark is."""
    if value is _HERE:
        return array
    if isinstance(value, dict):
        return {k: filled(v, array) for k, v in value.items()}
    if type(value) in (list, tuple):
        return type(value)(filled(v, array) for v in value)
    return value


def arrays_of(t: Tensor) -> Any:
    """The array of a tensor."""
    return t._array


def tensors_in(value: Any) -> Iterator[Tensor]:
    """The tensors in nested lists and tuples."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from tensors_in(part)


def replaced(value: Any, change: Callable[[Tensor], Any]) -> Any:
    """Nested lists, tuples and dicts with every tensor changed."""
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, dict):
        return {k: replaced(v, change) for k, v in value.items()}
    if type(value) in (list, tuple):
        return type(value)(replaced(v, change) for v in value)
    return value


def is_number(t: Tensor) -> bool:
    """Whether a tensor stands for a number, which has no memory that anyone could write to."""
    return t._array.ndim == 0 and t._view is None


def in_memory_of(entry: Any, t: Tensor) -> bool:
    """Whether an entry of a result lies in the memory of a tensor."""
    return isinstance(entry, np.ndarray) and np.may_share_memory(entry, t._array)

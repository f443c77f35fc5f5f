"""Tensors that behave like NumPy arrays: what ordinary NumPy code is run on when it is traced.

A Traced holds a tensor. Methods, attributes and operators are NumPy's, looked up in the same
tables as the compiler's, so `x.sum(0)`, `x.T` and `x[::-1]` mean what they mean for an array.
What would silently lose the derivative (float(x), np.asarray(x), a[i] = x for a plain array)
raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code import constants, models, numpy_views, protocols
from s2sgrad.eager.numpy_code.entries import Entries
from s2sgrad.eager.numpy_code.lending import lent
from s2sgrad.eager.numpy_code.losses import lost
from s2sgrad.eager.numpy_code.own_errors import as_numpy_says, plain_call, put_plain
from s2sgrad.eager.numpy_code.texts import written
from s2sgrad.eager.numpy_code.writers import WRITERS
from s2sgrad.eager.operations.primitives import index_put
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.settings.state import LIVE, STATE
from s2sgrad.eager.tensors.indexing import INDEX, as_view, is_basic, view_op
from s2sgrad.eager.tensors.inplace import check_inplace, write
from s2sgrad.eager.tensors.tensor import Tensor, floats, wrap
from s2sgrad.eager.tensors.views import view
from s2sgrad.errors import UnsupportedError
from s2sgrad.rules.methods import ATTRIBUTES, METHODS, method_of, place_of_out


def bare(value: Any) -> Any:
    """Tensors in place of Traced values, inside lists, tuples and dicts too."""
    kind = type(value)
    if kind is Traced:
        if STATE.duals is None and LIVE:
            other_thread(value.tensor)
        return value.tensor
    if kind is list or kind is tuple:
        return kind(bare(v) for v in value)
    if kind is dict:
        return {k: bare(v) for k, v in value.items()}
    return value


def other_thread(t: Tensor) -> None:
    """Refuse a value whose tangent this thread would not carry on: modes belong to a thread."""
    if any(level.get(t) is not None for level in list(LIVE)):
        raise UnsupportedError(
            "a thread started by the function loses the tangent of what it is given",
            why="forward mode follows one thread",
            fix="use reverse mode (grad, vjp), or call what the thread runs without a thread",
        )


def traced(value: Any) -> Any:
    """Traced values in place of tensors, which can be written to; other constants are plain."""
    if isinstance(value, Tensor):
        array = value._array
        if (array.ndim and floats(array.dtype)) or value.requires_grad:
            return Traced(value)
        return array if array.ndim else array[()]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(traced, value))
    if type(value) in (list, tuple):
        return type(value)(map(traced, value))
    return value


class Traced:
    """A stand-in for an array (or a float) whose operations are recorded."""

    __slots__ = ("number", "tensor")
    __array_priority__ = 2000

    def __init__(self, tensor: Tensor, number: bool = False) -> None:
        self.tensor, self.number = tensor, number

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # type: ignore[override]
        """What isinstance is told: float, np.float64 (or its kin), or np.ndarray."""
        if self.number:
            return float
        t = self.tensor
        return np.ndarray if t._array.ndim or t._view is not None else t._array.dtype.type

    # --- facts -------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, ...]:
        return self.tensor._array.shape

    @shape.setter
    def shape(self, shape: Any) -> None:
        self.tensor = bare(np.reshape(self, shape))  # type: ignore[call-overload]

    @property
    def dtype(self) -> Any:
        return self.tensor._array.dtype

    @property
    def ndim(self) -> int:
        return self.tensor._array.ndim

    @property
    def size(self) -> int:
        return self.tensor._array.size

    @property
    def base(self) -> Any:
        kept = self.tensor._view
        return None if kept is None else Traced(kept.base)

    def __len__(self) -> int:
        return len(self.tensor._array)

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.shape[0]))

    def __bool__(self) -> bool:
        return bool(self.tensor._array)

    def __float__(self) -> float:
        return float(self.value("float(x)"))

    def value(self, what: str) -> np.ndarray[Any, Any]:
        """The plain array, where no derivative hangs on it."""
        if self.tensor.requires_grad:
            raise lost(what)
        return self.tensor._array

    def __int__(self) -> int:
        return int(self.tensor._array)

    def __complex__(self) -> complex:
        return complex(self.value("complex(x)"))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = self.value("turning a traced value into an array")
        if copy or (dtype is not None and dtype != array.dtype):
            return array.astype(dtype or array.dtype)
        return lent(self.tensor)

    def __repr__(self) -> str:
        array = self.tensor._array
        return self.text(repr(float(array) if self.number else array[()]))

    def __str__(self) -> str:
        return self.text(str(self.tensor._array))

    def __format__(self, spec: str) -> str:
        return self.text(format(self.tensor._array[()], spec))

    def text(self, shown: str) -> str:
        """A text of this value: one that no number is read from, where a derivative hangs on it."""
        return written(shown) if self.tensor.requires_grad else shown

    def __hash__(self) -> int:
        if self.ndim:
            raise TypeError("unhashable type: 'numpy.ndarray'")
        return hash(self.value("hash(x)").item())

    # --- NumPy calls -------------------------------------------------------------------------
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "__call__" and not kwargs:
            plain = constants.arrays_of(inputs, Traced)
            if plain is not None:
                return traced(constants.wrapped(ufunc(*plain)))
        out = kwargs.get("out")
        values = tuple(map(bare, inputs))
        options = {k: bare(v) for k, v in kwargs.items()}
        found = as_numpy_says(
            lambda: protocols.array_ufunc(self.tensor, ufunc, method, *values, **options),
            lambda: plain_call(getattr(ufunc, method), values, options),
            out is not None or method == "at",
        )
        return out[0] if out is not None and len(out) == 1 else traced(found)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        args = protocols.arranged(function, args)
        arguments = tuple(map(bare, args)), {k: bare(v) for k, v in kwargs.items()}
        shared = numpy_views.result(function, *arguments)
        if shared is not None:
            return handed_out(shared, args)
        model = models.model_of(function)
        if model is not None:
            return models.traced_call(model, args, kwargs)
        place = place_of_out(function)
        writes = "out" in kwargs or function in WRITERS or (place is not None and len(args) > place)
        if not writes and constants.are_all(arguments) and function not in protocols.REWRITTEN:
            return traced(constants.called(function, *arguments))
        found = as_numpy_says(
            lambda: protocols.array_function(self.tensor, function, types, *arguments),
            lambda: plain_call(function, *arguments),
            writes,
        )
        return traced(found)

    def __getattr__(self, name: str) -> Any:
        method = METHODS.get(name)
        if method is not None:

            def call(*args: Any, **kwargs: Any) -> Any:
                called = method_of(name, args, kwargs) or method
                arguments, options = called.adapt((self, *args), kwargs)
                found = dispatched(called.function, arguments, options)
                return np.copy(found) if method.copies else found

            call.__name__ = name
            return call
        function = ATTRIBUTES.get(name)
        if function is not None:
            return dispatched(function, (self,), {})
        if name in ("tobytes", "tofile", "dump", "dumps", "ctypes", "data"):
            self.value(f".{name}()")
            return getattr(lent(self.tensor), name)
        if hasattr(self.__class__, name) and not name.startswith("__"):
            raise lost(f".{name}")
        raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'")

    def detach(self) -> Any:
        """A copy of the values, through which no derivative passes: for `stop_gradient`."""
        found = traced(self.tensor.detach().clone())
        return float(found) if self.number else found

    def conj(self) -> Any:
        """The complex conjugate; of real numbers the array itself, as in NumPy."""
        return np.conj(self) if self.dtype.kind == "c" else self

    conjugate = conj

    def astype(self, dtype: Any, *args: Any, copy: bool = True, **kwargs: Any) -> Any:
        """The entries in another dtype; the array itself where it has that and `copy` is off."""
        if not (args[3] if len(args) > 3 else copy) and np.dtype(dtype) == self.dtype:
            return self
        if np.dtype(dtype) == object:
            return of_objects(self)
        order, made = (*args, kwargs.get("order", "K"))[0], np.astype(self, dtype)  # type: ignore[call-overload]
        return made if order == "K" else np.copy(made, order=order)  # which views it has, later

    @property
    def flat(self) -> Any:
        """All entries in a row."""
        return Entries(self)

    @flat.setter
    def flat(self, values: Any) -> None:
        row = np.ravel(values)
        if row.size != self.size:  # from the start again, as in NumPy
            row = row[np.arange(self.size) % row.size]
        self[...] = np.reshape(row, self.shape)

    def view(self, *kinds: Any) -> Any:
        """Another array on the same memory."""
        if not kinds:
            return self[...]
        self.value(".view(...)")
        return lent(self.tensor).view(*kinds)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.value("pickling").__reduce_ex__(protocol)

    def tolist(self) -> Any:
        """Lists of numbers, which stay traced."""
        if not self.tensor.requires_grad:
            return self.tensor._array.tolist()
        if self.ndim == 0:
            return Traced(copied(self.tensor), True)
        return [entry.tolist() for entry in self]

    def __round__(self, digits: int | None = None) -> Any:
        if digits is None:
            return round(self.tensor._array.item())  # a whole number has no derivative
        return np.round(self, digits)

    def __copy__(self) -> Any:
        return np.copy(self)

    def __deepcopy__(self, memo: Any) -> Any:
        return np.copy(self)

    # --- reading and writing -----------------------------------------------------------------
    def __getitem__(self, index: Any) -> Any:
        index = plain_index(index)
        try:
            return self.part(index)
        except IndexError:
            self.tensor._array[index]  # NumPy's own text
            raise

    def part(self, index: Any) -> Any:
        """The entries at an index."""
        t = bare(self)
        if is_basic(index):
            found = view(view_op(index), t, as_view(index))
            if found._array.ndim == 0 and not has_ellipsis(index):
                return traced(found.clone())  # type: ignore[attr-defined]  # a number, no view
            return traced_view(found)
        return traced(apply(INDEX, (t, index), {}))

    def __setitem__(self, index: Any, value: Any) -> None:
        index, value = plain_index(index), bare(listed(value))
        whole = has_ellipsis(index) or (isinstance(index, tuple) and not index)
        if self.__class__ is not np.ndarray and not whole:
            raise TypeError(f"'{self.__class__.__name__}' object does not support item assignment")
        as_numpy_says(
            lambda: self.overwrite(index, value), lambda: put_plain(self.tensor, index, value)
        )

    def overwrite(self, index: Any, value: Any) -> None:
        """Overwrite the entries at an index."""
        t = self.tensor
        if STATE.duals is None and constants.are_all((t, value)):
            check_inplace(t)
            t._array[index] = getattr(value, "_array", value)
            t._vc[0] += 1
            return
        if is_basic(index):
            view(view_op(index), t, as_view(index)).copy_(value)
            return
        check_inplace(t)
        values = value if isinstance(value, Tensor) else wrap(np.asarray(value, t._array.dtype))
        write(t, apply(op_of(index_put), (t, values, index, False), {}))


def listed(items: Any) -> Any:
    """A list or tuple of numbers beside an array: an array, as NumPy takes it."""
    if not isinstance(items, (list, tuple)):
        return items
    parts = [listed(item) for item in items]
    kinds: set[Any] = set(map(type, parts))
    return np.stack(parts) if Traced in kinds else np.asarray(parts)


def of_objects(value: Traced) -> Any:
    """An array of Python objects: the entries, which stay traced."""
    made = np.empty(value.shape, object)
    for place in np.ndindex(value.shape):
        made[place] = value[place]
    return made


def has_ellipsis(index: Any) -> bool:
    """Whether `...` stands in a basic index: NumPy then gives a 0-d view, not a number."""
    return any(part is Ellipsis for part in (index if isinstance(index, tuple) else (index,)))


def handed_out(found: Any, args: Any) -> Any:
    """Tensors of a result as traced values; an argument that comes out again is itself."""
    if isinstance(found, (list, tuple)):
        return type(found)(handed_out(part, args) for part in found)
    if not isinstance(found, Tensor):
        return found
    for value in args:
        if type(value) is Traced and value.tensor is found:
            return value
    return Traced(found)


def traced_view(t: Tensor) -> Traced:
    """A view stays traced even where nothing tracked has been written to its base yet."""
    return Traced(t)


def plain_index(index: Any) -> Any:
    """An index without traced values, lists, and tuples in a tuple, which mean arrays."""
    if isinstance(index, tuple):
        return tuple(plain_index(list(i) if isinstance(i, tuple) else i) for i in index)
    if type(index) is Traced:
        index = index.tensor._array
    if isinstance(index, np.ndarray) and index.ndim == 0 and index.dtype.kind in "iu":
        return int(index)
    if isinstance(index, np.integer):
        return int(index)
    if isinstance(index, list):
        return np.asarray(index) if index else np.zeros(0, np.intp)
    return index


def dispatched(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """A function of the rule table on traced arguments, through its protocol or directly."""
    if isinstance(function, np.ufunc) or (function.__module__ or "").startswith("numpy"):
        return function(*args, **kwargs)
    named = {k: bare(v) for k, v in kwargs.items()}
    return traced(protocols.computed(function, tuple(map(bare, args)), named))


def copied(t: Tensor) -> Tensor:
    """The present value of `t` with its history and tangents, safe from later writes."""
    made = wrap(t._array.copy("K"), t._edge())
    if made._node is t:
        return t.clone()
    if STATE.duals is not None:
        STATE.duals.same(made, t, copied=True)
    return made

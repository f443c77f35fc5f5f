"""Derivatives of ordinary NumPy functions by running them on traced arrays.

`vjp` serves code that can't be transformed: arrays and floats go in and come out, only the
function in between sees Traced values.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.arrays import Traced
from s2sgrad.eager.numpy_code.class_stand_ins import own_class
from s2sgrad.eager.numpy_code.lending import lending
from s2sgrad.eager.numpy_code.losses import watched
from s2sgrad.eager.numpy_code.relocated import is_users, relocated
from s2sgrad.eager.numpy_code.texts import forget
from s2sgrad.eager.passes.backward import grad
from s2sgrad.eager.settings.modes import enable_grad
from s2sgrad.eager.settings.state import STATE, from_numpy_code
from s2sgrad.eager.tensors.tensor import LEAF, Tensor, floats, wrap
from s2sgrad.errors import ShapeError, UnsupportedError
from s2sgrad_runtime.objects import ALL_CONTAINERS, array_copy, has_attributes
from s2sgrad_runtime.objects import mapped as objects_mapped


class Leaf:
    """One traced input: the tensor of its own, what the caller gave, and what the function sees."""

    __slots__ = ("given", "seen", "tensor")

    def __init__(self, given: Any, tensor: Tensor) -> None:
        self.given, self.tensor = given, tensor
        self.seen = tensor.clone()  # it may be written to, so it is no leaf
        if type(given) is np.ndarray:
            self.seen._array = array_copy(given)


def mapped(
    value: Any,
    change: Callable[[Any], Any],
    objects: bool = False,
    known: dict[int, Any] | None = None,
) -> Any:
    """`change` applied to every number and array in lists, tuples, dicts and dataclasses.

    objects: in the attributes of other plain objects too. known: the copies of the objects met so
    far, by the ids of those: what is held in several places is one.
    """
    is_object = is_plain_object if objects else _is_dataclass
    return objects_mapped(value, change, is_object, known, own_class, ALL_CONTAINERS)


def _is_dataclass(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def of_its_own(value: Any, objects: bool = False) -> Any:
    """A copy with arrays of its own, to be written into (and that noticed); see `mapped`."""
    return mapped(value, _copied, objects)


def _copied(entry: Any) -> Any:
    return array_copy(entry) if type(entry) is np.ndarray else entry


def is_plain_object(value: Any) -> bool:
    """Whether a value is an object that holds attributes; if it can be called, of a user's."""
    called = [base for base in type(value).__mro__ if "__call__" in vars(base)]
    return (
        has_attributes(value)
        and not isinstance(value, (np.ndarray, np.generic, Tensor))
        and (not called or is_users(called[0].__module__))
    )


def with_own_class(value: Any) -> Any:
    """An object, of the user's class where that was stood for (see `relocated`)."""
    cls = own_class(type(value))
    if cls is not type(value):
        object.__setattr__(value, "__class__", cls)
    return value


def holds_traced(values: Any) -> bool:
    """Whether a traced value stands anywhere in nested arguments."""
    found: list[bool] = []
    mapped(values, lambda entry: found.append(type(entry) is Traced), True)
    return any(found)


def brings_traced(values: Any) -> bool:
    """Whether a traced value stands in nested arguments, or is read by a function there."""
    found: list[bool] = []
    mapped(values, lambda e: found.append(type(e) is Traced or reads_traced(e)), True)
    return any(found)


def holds_active(value: Any) -> bool:
    """Whether floats stand anywhere in a nested value."""
    found: list[bool] = []
    mapped(value, lambda entry: found.append(is_active(entry)), True)
    return any(found)


def reads_traced(function: Any, seen: frozenset[int] = frozenset()) -> bool:
    """Whether what a function reads from enclosing ones is traced."""
    if id(function) in seen:
        return False
    seen |= {id(function)}
    inner = getattr(function, "function", None)  # of a derivative
    plain = inner if callable(inner) else function
    held = [*map(_contents, getattr(plain, "__closure__", None) or ()), *_owner(plain)]
    if holds_traced([entry for entry in held if not callable(entry)]):
        return True
    return any(reads_traced(entry, seen) for entry in held if callable(entry))


def _owner(function: Any) -> tuple[Any, ...]:
    """The object of a method, and what a partial function is given."""
    if isinstance(function, functools.partial):
        return (function.func, *function.args, *function.keywords.values())
    return (function.__self__,) if isinstance(function, types.MethodType) else ()


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return None


def is_active(value: Any) -> bool:
    """Whether a value holds floats: a float, a complex number, or an array of such."""
    if type(value) is Traced or isinstance(value, Tensor):
        return True
    if isinstance(value, (np.ndarray, np.generic)):
        return bool(floats(value.dtype))
    return isinstance(value, (float, complex))


def entered(value: Any, leaves: list[Leaf]) -> Any:
    """The argument as the function sees it; its floats become leaves."""

    def enter(entry: Any) -> Any:
        if not is_active(entry):
            return _copied(entry)
        if type(entry) is Traced or isinstance(entry, Tensor):
            outer = entry.tensor if type(entry) is Traced else entry
            tensor = outer.clone()  # a node of its own, so that the outer graph goes on
            if tensor._node is None:
                tensor._node = LEAF
        else:
            tensor = wrap(np.array(entry), LEAF)
        leaf = Leaf(entry, tensor)
        leaves.append(leaf)
        number = isinstance(entry, float) and not isinstance(entry, np.generic)
        made = Traced(leaf.seen, number)
        return made[...] if type(entry) is np.ndarray and entry.ndim == 0 else made

    return mapped(value, enter, True)


class Apart(dict[int, Any]):
    """No copies met so far: what a result holds in two places has two cotangents."""

    def __contains__(self, key: object) -> bool:
        return False


def left(value: Any, outer: bool, outputs: list[Any] | None, own: bool = False) -> Any:
    """The result as the caller gets it; tensors of its floats are collected in `outputs`.

    own: with arrays of its own: what is written into them does not change the graph.
    """
    known: dict[int, Any] = {} if outputs is None else Apart()
    return mapped(value, functools.partial(_leave, outer, outputs, own), known=known)


def _leave(outer: bool, outputs: list[Any] | None, own: bool, entry: Any) -> Any:
    """One entry of the result; a function of its own, as one that names itself makes a cycle."""
    if type(entry) is Traced:
        if outputs is not None:
            outputs.append(entry.tensor)
        if outer:
            return Traced(entry.tensor.clone(), entry.number) if own else entry
        array = _copied(entry.tensor._array) if own else entry.tensor._array
        return array if array.ndim else array.item() if entry.number else array[()]
    if outputs is not None and is_active(entry):
        outputs.append(wrap(np.asarray(entry)))
    if is_plain_object(entry) and holds_traced(entry):
        known: dict[int, Any] = {} if outputs is None else Apart()
        return mapped(entry, functools.partial(_leave, outer, outputs, own), True, known)
    return with_own_class(_copied(entry) if own else entry)


_RUNS: ContextVar[int] = ContextVar("runs", default=0)


@contextmanager
def running() -> Iterator[None]:
    """A block in which a function runs on traced values."""
    token = _RUNS.set(_RUNS.get() + 1)
    try:
        yield
    finally:
        _RUNS.reset(token)


def tracing() -> bool:
    """Whether a function is running on traced values now."""
    return _RUNS.get() > 0


def may_trace(kind: type) -> bool:
    """Whether a value of this class may be traced, or a tuple that holds such."""
    return kind is Traced or issubclass(kind, tuple)


def traces(value: Any) -> bool:
    """Whether a value is traced, or a tuple that holds such."""
    return type(value) is Traced or (isinstance(value, tuple) and any(map(traces, value)))


def vjp(function: Callable[..., Any], *args: Any, **kwargs: Any) -> tuple[Any, Callable[..., Any]]:
    """`(function(*args, **kwargs), pullback)`.

    `pullback(y_bar)` takes a cotangent in the structure of the result and gives a tuple with one
    entry per positional argument in that argument's structure, None where it holds no floats. It
    may be called again. Keyword arguments are constants.
    """
    value, _, pullback = pull(
        function, args, lambda f, inputs: f(*inputs, **kwargs), constants=kwargs
    )
    return value, pullback


def pull(
    function: Callable[..., Any],
    inputs: Sequence[Any],
    call: Callable[[Any, list[Any]], Any],
    has_aux: bool = False,
    constants: Any = (),
) -> tuple[Any, Any, Callable[..., Any]]:
    """`(value, aux, pullback)` of `call(function, inputs)`.

    `call` gets the function (or a copy whose arrays can be written to) and the inputs as the
    function shall see them, and calls the one with the other and whatever else is constant. With
    `has_aux` the result is a pair, of which only the first entry is differentiated. constants:
    what else `call` passes on.
    """
    per_input: list[list[Leaf]] = []
    inner = []
    for entry in inputs:
        leaves: list[Leaf] = []
        inner.append(entered(entry, leaves))
        per_input.append(leaves)
    every = [leaf for leaves in per_input for leaf in leaves]
    nested = any(type(leaf.given) is Traced or isinstance(leaf.given, Tensor) for leaf in every)
    nested = nested or brings_traced((inputs, constants)) or reads_traced(function)
    outputs: list[Any] = []
    forget()
    with enable_grad(), writable(), watched(), relocated(function) as seen, running():
        result = call(seen, inner)
    refuse_shared(every, constants)
    value, aux = result if has_aux else (result, None)
    value, aux = left(value, nested, outputs, own=True), left(aux, nested, None)

    def pullback(y_bar: Any) -> tuple[Any, ...]:
        bars: list[Any] = []
        mapped(y_bar, lambda e: bars.append(e) if is_bar(e) else None, True, Apart())
        found = iter(cotangents(outputs, bars, every, nested))
        pairs = zip(inputs, per_input, strict=True)
        return tuple(returned(entry, leaves, found, nested) for entry, leaves in pairs)

    return value, aux, pullback


def refuse_shared(leaves: list[Leaf], constants: Any) -> None:
    """Refuse a call whose function wrote into an argument of which another one has the memory.

    The function saw copies: it did not see its writes through the other name.
    """
    written = [leaf for leaf in leaves if type(leaf.given) is np.ndarray and leaf.seen._version]
    if not written:
        return
    others: list[Any] = [leaf.given for leaf in leaves]
    mapped(constants, others.append, True)
    for leaf in written:
        same = [a for a in others if type(a) is np.ndarray and np.shares_memory(a, leaf.given)]
        if len(same) > 1:
            raise UnsupportedError(
                "arguments share memory, and one of them is written in place",
                None,
                "the function runs on tensors, which are copies of the arguments",
                "pass a copy of one of them: x.copy()",
            )


def is_bar(value: Any) -> bool:
    """Whether a value is the cotangent of floats: an integer may stand for one."""
    return is_active(value) or (isinstance(value, (int, np.integer)) and type(value) is not bool)


def cotangents(outputs: list[Any], bars: list[Any], leaves: list[Leaf], nested: bool) -> list[Any]:
    """The cotangent of every leaf: tensors when nested, else arrays; zeros where unused."""
    if len(outputs) != len(bars):
        raise ShapeError(f"{len(bars)} cotangents for {len(outputs)} results")
    pairs = []
    for out, bar in zip(outputs, bars, strict=True):
        given = bar.tensor if type(bar) is Traced else bar
        if not isinstance(given, Tensor):
            made = np.array if nested else np.asarray  # the outer graph holds it, whoever writes
            given = wrap(made(given, out._array.dtype))
        if given._array.shape != out._array.shape:
            raise ShapeError(
                f"cotangent of shape {given._array.shape} for a result of {out._array.shape}"
            )
        if out.requires_grad:
            pairs.append((out, given))
    if not pairs or not leaves:
        return [wrap(np.zeros_like(leaf.tensor._array)) for leaf in leaves]
    with enable_grad(), from_numpy_code():
        found = grad(
            [out for out, _ in pairs],
            [leaf.tensor for leaf in leaves],
            [bar for _, bar in pairs],
            retain_graph=True,
            create_graph=nested,
            materialize_grads=True,
        )
    return [t.clone() for t in found] if nested else list(found)


def writable() -> Any:
    """A block in which what is saved is copied before NumPy code writes into it."""
    return lending() if STATE.mutation is None else nullcontext()


def returned(argument: Any, leaves: list[Leaf], found: Any, nested: bool = False) -> Any:
    """An argument's cotangent in its own structure; None where it holds no floats.

    nested: an outer recording goes on through the cotangents of plain numbers and arrays too.
    """
    if not leaves:
        return None

    def give(entry: Any) -> Any:
        if not is_active(entry):
            return None
        bar = next(found)
        if type(entry) is Traced:
            return Traced(bar, entry.number)
        if isinstance(entry, Tensor):
            return bar
        array = bar._array
        number = isinstance(entry, (float, complex)) and not isinstance(entry, np.generic)
        if nested:
            return Traced(bar, number)
        if number:
            return array.item()
        return array if array.ndim or isinstance(entry, np.ndarray) else array[()]

    return mapped(argument, give, True)

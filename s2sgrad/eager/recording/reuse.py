"""Results of large operations in the memory of operands that are about to go away.

`a + b * c` needs no array of its own for the sum: the product dies with the expression. NumPy does
this with its arrays; here a tensor is such a temporary if nobody holds it but the expression it
stands in. How many references that makes depends on the version of Python and on how the call was
made, and is measured once; where names and temporaries can't be told apart, nothing is reused.
An operand of an operator must be an operator's result as well (see `operands`).
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.recording.node import LEAF
from s2sgrad.eager.recording.operands import OPERATORS, are_computed
from s2sgrad.eager.tensors.tensor import Tensor

getrefcount = sys.getrefcount
LARGE = 32768  # entries from which on it pays to look
_PASSING: dict[Any, int] = {}  # code of functions that hand their argument on to a fast path


def passing(function: Callable[..., Any], turned: bool = False) -> Callable[..., Any]:
    """Enter a function that does nothing with its tensor but hand it on; returns the function.

    turned: the tensor is the right operand, and handed on as the left one.
    """
    _PASSING[function.__code__] = int(turned)  # type: ignore[attr-defined]
    return function


def of_one(function: Any, x: Any, xa: Any) -> Any:
    """`function(xa)`, written over xa where that is free."""
    return function(xa, xa) if is_free(x, xa) else function(xa)


def of_two(function: Any, x: Any, xa: Any, other: Any, oa: Any, first: bool, second: bool) -> Any:
    """`function(xa, oa)`, written over one of them; `first`, `second`: which may be overwritten."""
    if xa.shape != getattr(oa, "shape", ()):
        second = False
        first = first and np.broadcast_shapes(xa.shape, np.shape(oa)) == xa.shape
    if first and is_free(x, xa):
        return function(xa, oa, xa)
    if second and is_free(other, oa, 1):
        return function(xa, oa, oa)
    return function(xa, oa)


def is_free(x: Any, xa: Any, side: int = 0) -> bool:
    """Whether a tensor lives no longer than the expression that a fast path evaluates.

    To be called by a function that the fast path calls: three frames away from the expression.
    side: 1 for the right operand.
    """
    if x.__class__ is not Tensor or x._view is not None or x._node is LEAF:
        return False
    if getrefcount(xa) > ARRAY or not xa.flags.owndata or not xa.flags.writeable:
        return False
    frame: Any = sys._getframe(3)
    passed = 0
    while frame.f_code in _PASSING:
        side ^= _PASSING[frame.f_code]
        passed, frame = passed + 1, frame.f_back
    code, offset = frame.f_code, frame.f_lasti
    if code.co_code[offset] not in OPERATORS:
        return getrefcount(x) - passed <= BY_CALL
    return getrefcount(x) - passed <= BY_OPERATOR and are_computed(code, offset)[side]


class _Probe:
    """Counts its own references where `is_free` would count those of a tensor."""

    def __init__(self) -> None:
        self._array = np.empty(1)

    def fast(self, other: Any = None) -> Any:
        xa = self._array
        return _middle(self, xa)

    __neg__ = fast
    __sub__ = fast


def _middle(x: Any, xa: Any) -> Any:
    return _counts(x, xa)


def _counts(x: Any, xa: Any) -> Any:
    return getrefcount(x), getrefcount(xa)


def _measured() -> tuple[int, int, int]:
    """(references of an array, of a temporary under an operator, of one in a call); 0: unknown."""
    named = _Probe()
    by_operator, array = _Probe() - 1  # type: ignore[operator]
    by_call = _Probe().fast()[0]
    if (named - 1)[0] <= by_operator or (-_Probe())[0] != by_operator:  # type: ignore[operator]
        by_operator = 0
    if named.fast()[0] <= by_call:
        by_call = 0
    return array, by_operator, by_call


ARRAY, BY_OPERATOR, BY_CALL = _measured()


# --- cotangents in `backward` --------------------------------------------------------------------


def is_unshared(array: Any) -> bool:
    """Whether an array that nobody else holds may be written to."""
    flags = array.flags
    return flags.owndata and flags.writeable and flags.c_contiguous


def is_like(array: Any, y_bar: Any) -> bool:
    """Whether what is computed from `y_bar` may be written over an array nobody else holds."""
    return array.shape == y_bar.shape and array.dtype is y_bar.dtype and is_unshared(array)


def are_ones(y_bar: Any) -> bool:
    """Whether a cotangent is the number 1 spread over its shape, as that of a sum."""
    return not any(y_bar.strides) and y_bar.item(0) == 1.0


def in_order_of(y_bar: Any, *arrays: Any) -> Any:
    """A cotangent that several products read, with its axes in memory as theirs are.

    Going through two arrays in different orders costs more each time than one copy does once.
    """
    strides = y_bar.strides
    if len(strides) < 2 or descending(strides) or 0 in strides:
        return y_bar
    if not all(a.ndim == len(strides) and descending(a.strides) for a in arrays):
        return y_bar
    return np.ascontiguousarray(y_bar)


def descending(strides: tuple[int, ...]) -> bool:
    """Whether the last axis is that of neighbours, as in C."""
    return all(a >= b for a, b in itertools.pairwise(strides))


def twice(array: Any) -> Any:
    """`array + array` of an array with entries in one place in memory: these are added once."""
    once = array[tuple([slice(None) if step else slice(1) for step in array.strides])]
    return np.broadcast_to(once + once, array.shape)


def _count_in_call() -> int:
    """What getrefcount says in `backward` of a cotangent that only the engine's loop holds."""

    class Counted:
        def backward(self, y_bar: Any) -> int:
            return getrefcount(y_bar)

    node = Counted()
    y_bar = np.empty(1)
    return node.backward(y_bar)


HELD_BY_CALL = _count_in_call()


def _count_by_name() -> int:
    """What getrefcount says in `backward` of a saved array that only a local name holds."""

    class Counted:
        def __init__(self) -> None:
            self.saved: Any = (np.empty(1), None)

        def backward(self) -> int:
            _saved = self.saved
            x, _ = _saved
            self.saved = _saved = None
            return getrefcount(x)

    return Counted().backward()


HELD_BY_NAME = _count_by_name()


def _count_in_generator() -> int:
    """What getrefcount says in a generator of an argument that nothing else holds."""

    def counted(y_bar: Any) -> Any:
        yield getrefcount(y_bar)

    found = counted(np.empty(1))
    return next(found)  # type: ignore[no-any-return]


HELD_IN_GENERATOR = _count_in_generator()

"""Errors in torch's words for what NumPy refuses with others, or does not refuse."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy as np

from s2sgrad.eager.recording.saved import type_name
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.tensor import Tensor

TWO_BOOLS = (
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
    "`logical_xor()` operator instead."
)
ONE_BOOL = (
    "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to "
    "invert a mask, use the `~` or `logical_not()` operator instead."
)
NEGATED_BOOL = (
    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
    "mask, use the `~` or `logical_not()` operator instead."
)


def check_bools(a: Any, b: Any) -> None:
    """torch takes no difference of truth values."""
    bools = [
        v._array.dtype.kind == "b" if isinstance(v, Tensor) else isinstance(v, bool) for v in (a, b)
    ]
    if all(bools):
        raise RuntimeError(TWO_BOOLS)
    if any(bools):
        raise RuntimeError(ONE_BOOL)


def not_implemented(name: str, t: Tensor) -> NotImplementedError:
    """An operation that there is for other dtypes only."""
    return NotImplementedError(f"\"{name}_cpu\" not implemented for '{t.dtype.type_name}'")


def check_quotient(name: str, x: Any, divisor: Any) -> None:
    """Refuse whole quotients of complex numbers, and of whole numbers by zero."""
    kinds = [v._array.dtype.kind if isinstance(v, Tensor) else type(v) for v in (x, divisor)]
    for v, kind in zip((x, divisor), kinds, strict=True):
        if kind == "c":
            raise not_implemented(name, v)
    whole = [kind in ("i", "u", "b", int, bool) for kind in kinds]
    values = divisor._array if isinstance(divisor, Tensor) else divisor
    if all(whole) and not np.all(values):
        raise RuntimeError("ZeroDivisionError")


# Function -> (kinds of dtype that it does not take, the error).
UNFIT: dict[str, tuple[str, Any]] = {
    "neg": ("b", lambda t: RuntimeError(NEGATED_BOOL)),
    "abs": ("b", lambda t: not_implemented("abs", t)),
    "bitwise_not": (
        "fcV",
        lambda t: TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        ),
    ),
    "relu": ("c", lambda t: NotImplementedError("clamp is not supported for complex types")),
    "floor": ("c", lambda t: NotImplementedError("floor is not supported for complex inputs")),
    "ceil": ("c", lambda t: NotImplementedError("ceil is not supported for complex inputs")),
    "trunc": ("c", lambda t: NotImplementedError("trunc is not supported for complex inputs")),
}


def refusing(name: str, function: Any) -> Any:
    """The function with torch's error for the dtypes that it does not take."""
    kinds, error = UNFIT[name]

    def checked(x: Any) -> Any:
        if x._array.dtype.kind in kinds:
            raise error(x)
        return function(x)

    return checked


def no_tensor(name: str, given: Any) -> TypeError:
    """The error of a function of a tensor that is given something else."""
    return TypeError(
        f"{name}(): argument 'input' (position 1) must be Tensor, not {type_name(given)}"
    )


def taking_tensor(name: str, function: Any) -> Any:
    """The function of a tensor; called with anything else that it can't take, it says so."""

    def called(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except (AttributeError, TypeError, ValueError, RuntimeError):
            first = args[0] if args else options.get("input")
            if isinstance(first, Tensor) or not (args or "input" in options):
                raise
            raise no_tensor(name, first) from None

    return functools.update_wrapper(called, function)


def taking_two(name: str, function: Any, second: str = "other", method: bool = False) -> Any:
    """The named form of an operator: what the operator leaves to the other operand is an error."""

    def called(input: Any, *others: Any, **options: Any) -> Any:
        try:
            made = function(input, *others, **options)
            if made is not NotImplemented:
                return made
        except (AttributeError, ValueError, TypeError):
            if not others or (isinstance(input, Tensor) and isinstance(others[0], Tensor)):
                raise
        if isinstance(others[0], Tensor):
            raise no_tensor(name, input) from None
        raise TypeError(
            f"{name}(): argument '{second}' (position {2 - method}) must be Tensor, not "
            f"{type_name(others[0])}"
        ) from None

    return functools.update_wrapper(called, function)


def tuple_of(tensors: Any, name: str) -> list[Any]:
    """The listed tensors; TypeError for what is no list or tuple of tensors."""
    if not isinstance(tensors, (list, tuple)):
        raise TypeError(
            f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not "
            f"{type_name(tensors)}"
        )
    for i, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type_name(t)}")
    return list(tensors)


def filled(out: Tensor, name: str, function: Any, *args: Any, **kwargs: Any) -> Tensor:
    """`out` with the result of `function(*args)` in it: torch's `out=`, which records nothing."""
    given = (out, *args, *kwargs.values())
    if STATE.grad and any(isinstance(a, Tensor) and a.requires_grad for a in given):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, "
            "but one of the arguments requires grad."
        )
    result = function(*args, **kwargs)
    if not np.can_cast(result._array.dtype, out._array.dtype, "same_kind"):
        raise RuntimeError(
            f"result type {result.dtype.type_name} can't be cast to the desired output type "
            f"{out.dtype.type_name}"
        )
    if out._array.shape == result._array.shape:
        return out.copy_(result)
    if out._array.size:
        warnings.warn(
            f"An output with one or more elements was resized since it had shape "
            f"{list(out._array.shape)}, which does not match the required output shape "
            f"{list(result._array.shape)}. This behavior is deprecated, and in a future PyTorch "
            "release outputs will not be resized unless they have zero elements. You can "
            "explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
            "t.resize_(0).",
            stacklevel=3,
        )
    out._array = result._array.astype(out._array.dtype)
    out._vc[0] += 1
    return out


def mean_of_integers(t: Tensor, which: str) -> RuntimeError:
    """torch's error for a mean of whole numbers; which: "Input", or "Optional" for its `dtype`."""
    return RuntimeError(
        f"mean(): could not infer output dtype. {which} dtype must be either a floating point or "
        f"complex dtype. Got: {t.dtype.type_name}"
    )


def no_complex(t: Tensor, error: str, kind: Any = RuntimeError) -> None:
    """Refuse complex numbers where an order is needed."""
    if t._array.dtype.kind == "c":
        raise kind(error.format(t.dtype.type_name))


def setitem_error(error: Exception, t: Tensor, index: Any, value: Any) -> Exception:
    """Why `t[index] = value` failed."""
    from s2sgrad.eager.tensors.indexing import index_error, is_basic, plain_index

    if not isinstance(value, (Tensor, bool, int, float, complex, np.number)):
        return TypeError(f"can't assign a {type_name(value)} to a {t.type()}")
    if isinstance(error, IndexError):
        return index_error(error, t, index)
    if str(error).startswith("step must"):
        return error
    if isinstance(value, complex) and t._array.dtype.kind != "c":
        return RuntimeError("value cannot be converted to type float without overflow")
    if not isinstance(value, Tensor) or not isinstance(error, ValueError):
        return error
    place = plain_index(index)
    try:
        wanted, given = t._array[place].shape, value._array.shape
    except IndexError as wrong:
        return index_error(wrong, t, index)
    if not is_basic(place):
        return RuntimeError(
            f"shape mismatch: value tensor of shape {list(given)} cannot be broadcast to indexing "
            f"result of shape {list(wanted)}"
        )
    if len(given) > len(wanted):
        return RuntimeError(
            f"expand({value.type()}{{{list(given)}}}, size={list(wanted)}): the number of sizes "
            f"provided ({len(wanted)}) must be greater or equal to the number of dimensions in the "
            f"tensor ({len(given)})"
        )
    padded = (1,) * (len(wanted) - len(given)) + given
    for i, (w, p) in reversed(list(enumerate(zip(wanted, padded, strict=True)))):
        if p not in (1, w):
            return RuntimeError(
                f"The expanded size of the tensor ({w}) must match the existing size ({p}) at "
                f"non-singleton dimension {i}.  Target sizes: {list(wanted)}.  "
                f"Tensor sizes: {list(given)}"
            )
    return error


__all__ = [
    "UNFIT",
    "check_bools",
    "filled",
    "no_complex",
    "no_tensor",
    "not_implemented",
    "refusing",
    "setitem_error",
    "taking_tensor",
    "taking_two",
    "tuple_of",
]

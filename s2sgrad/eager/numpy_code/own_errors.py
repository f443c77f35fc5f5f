"""What NumPy says of a call on traced values: its own errors, and its floating-point warnings.

Tensors compute in silence and raise what torch raises. Code that was written for NumPy may catch
NumPy's errors, or have `np.errstate` and `warnings` make some of inf and nan.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import NeedsExamples
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.errors import S2sgradError


def as_numpy_says(call: Callable[[], Any], plain: Callable[[], Any], writes: bool = False) -> Any:
    """What `call` gives. Where it fails, or gives inf or nan, `plain` raises what NumPy does.

    plain: the same call on copies of the arrays. writes: into one of the arguments, so that it
    must come first.
    """
    if writes and listens():
        plain()
    try:
        found = call()
    except (S2sgradError, NeedsExamples):
        raise
    except Exception:
        plain()
        raise
    if not writes and not is_finite(found) and listens():
        plain()
    return found


def listens() -> bool:
    """Whether NumPy says anything of inf and nan."""
    return any(reaction != "ignore" for reaction in np.geterr().values())


def is_finite(found: Any) -> bool:
    """Whether there is no inf and nan in a result; large finite numbers may count as inf."""
    if isinstance(found, (tuple, list)):
        return all(map(is_finite, found))
    array = found._array if isinstance(found, Tensor) else found
    if type(array) is not np.ndarray or array.dtype.kind not in "fc":
        return True
    # The quickest sums that have inf and nan in them where an entry is one.
    return cmath.isfinite(array.item() if array.size == 1 else np.vdot(array, array))


def copied(value: Any) -> Any:
    """Arrays of their own in place of tensors and arrays, inside lists, tuples and dicts too."""
    kind = type(value)
    if kind is list or kind is tuple:
        return kind(copied(v) for v in value)
    if kind is dict:
        return {k: copied(v) for k, v in value.items()}
    array = value._array if isinstance(value, Tensor) else value
    if type(array) is not np.ndarray:
        return array
    return array.copy() if array.ndim else array[()]


def plain_call(function: Any, args: Any, kwargs: Any) -> Any:
    """A call on copies of the arrays."""
    options = copied(kwargs)
    if isinstance(kwargs.get("out"), (tuple, Tensor)):  # arrays, also those without axes
        targets = kwargs["out"] if isinstance(kwargs["out"], tuple) else (kwargs["out"],)
        options["out"] = tuple(t._array.copy() if isinstance(t, Tensor) else t for t in targets)
        options["out"] = options["out"] if len(targets) > 1 else options["out"][0]
    return function(*copied(args), **options)


def put_plain(t: Tensor, index: Any, entries: Any) -> None:
    """The same write into a copy."""
    t._array.copy()[index] = copied(entries)

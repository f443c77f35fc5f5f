"""Helpers under Numba, of arguments that may be None until a run has set them.

`m = None` before a loop that sets it has a type of its own there, which is no array's. The helpers
are only called where the value is there, and take it for what it then is.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np
from numba import types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, overload


@intrinsic(prefer_literal=False)  # type: ignore[untyped-decorator]
def there(typingctx: Any, value: Any) -> Any:
    """The value itself; a TypeError where it is None."""
    if not isinstance(value, types.Optional):
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = context.cast(builder, args[0], sig.args[0], sig.return_type)
        return impl_ret_borrowed(context, builder, sig.return_type, found)

    return value.type(value), codegen


def zeros_if_there(value: Any, like: Any) -> Any:
    """Zeros like a value; `like` tells what type it has when it is there."""
    return np.zeros_like(value)


@overload(zeros_if_there, strict=False)  # type: ignore[untyped-decorator]
def _zeros_if_there(value: Any, like: Any) -> Any:
    dtype = like.dtype
    if isinstance(value, types.Array):
        return lambda value, like: np.zeros(value.shape, dtype)
    if isinstance(value, types.Optional):
        return lambda value, like: np.zeros(there(value).shape, dtype)  # type: ignore[call-arg]

    def missing(value: Any, like: Any) -> Any:
        if value is None:
            raise TypeError("expected an array, got None")
        return like

    return missing


def helper_overload(helper: Any) -> Any:
    """`overload`, where annotations may differ between the two signatures, and where arguments
    may be values that are not there yet."""

    def teach(version: Any) -> Any:
        parameters = inspect.signature(version).parameters

        @functools.wraps(version)
        def chosen(*args: Any, **kwargs: Any) -> Any:
            kinds = inspect.signature(version).bind(*args, **kwargs).arguments
            doubtful = {n for n, kind in kinds.items() if isinstance(kind, types.Optional)}
            return (
                _of_values(helper, parameters, doubtful) if doubtful else version(*args, **kwargs)
            )

        return overload(helper, strict=False)(chosen)

    return teach


def _of_values(helper: Any, parameters: Any, doubtful: set[str]) -> Any:
    """The helper's call with what the doubtful arguments hold."""
    given = ", ".join(str(p.replace(annotation=p.empty)) for p in parameters.values())
    passed = ", ".join(f"there({n})" if n in doubtful else n for n in parameters)
    scope: dict[str, Any] = {"helper": helper, "there": there}
    exec(f"def of_values({given}): return helper({passed})", scope)
    return scope["of_values"]


__all__ = ["helper_overload", "there", "zeros_if_there"]

"""Floor 4: the methods of ufuncs (`np.add.reduce`): see rules/spelled_out.py."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Static, Value
from s2sgrad.rules.spelled_out import NAMED, SPELLED_OUT

_BEHIND = ("dtype", "out", "keepdims", "initial", "where")


def is_ufunc_method(function: Any) -> bool:
    """Whether this is a method of a ufunc that can be put in other terms."""
    owner = getattr(function, "__self__", None)
    return isinstance(owner, np.ufunc) and function.__name__ in SPELLED_OUT


class UfuncMethods(Base):
    """Calls of methods of ufuncs."""

    def ufunc_method(
        self, method: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """The value of `ufunc.reduce(...)` and the like."""
        ufunc, name = method.__self__, method.__name__
        known = NAMED.get((ufunc, name))
        if (ufunc, name) == (np.logaddexp, "reduce") and not _options(args[2:], kwargs):
            return self.apply(method, "np.logaddexp.reduce", args, kwargs, node=node)
        truth = known in (np.all, np.any) and "initial" in kwargs  # which those don't take
        if known is not None and not truth:
            if name == "reduce":  # functions of NumPy have their parameters in other orders
                args, kwargs = args[:2], {**dict(zip(_BEHIND, args[2:], strict=False)), **kwargs}
                dtype = kwargs.get("dtype")
                if isinstance(dtype, Static) and dtype.value is None:
                    del kwargs["dtype"]
            if len(args) < 2:
                kwargs = {"axis": Static(0), **kwargs}
            return self.apply(known, f"np.{known.__name__}", args, kwargs, node=node)
        return self.call_function(SPELLED_OUT[name], [Static(ufunc), *args], kwargs, node)


def _options(args: list[Value], kwargs: dict[str, Value]) -> bool:
    """Whether there are others than `axis` and `keepdims`."""
    return bool(args) or not kwargs.keys() <= {"axis", "keepdims"}

"""Floor 3: the arguments of a call under the names of its rule's parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.errors import UnsupportedError
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.nodes import Call, Expr
from s2sgrad.ir.types import Array, Known
from s2sgrad.rules.declare import Rule


def bound_arguments(rule: Rule, call: Call) -> dict[str, Any]:
    """Parameter -> expression or default; what the rule does not cover is refused."""
    try:
        bound = rule.bind(call.args, dict(call.kwargs))
    except TypeError as error:
        raise UnsupportedError(
            str(error),
            call.span,
            "the rule has no such parameter",
            "leave the argument out, or compute what it does before or after the call",
        ) from error
    if rule.kind == "structural" and not rule.linear and _drops_imaginary_parts(bound):
        what = f"{rule.name} of complex numbers with a real dtype"
        why = "it drops imaginary parts on the way, which its rule does not"
        raise UnsupportedError(what, call.span, why, "apply it to np.real(...)")
    return bound


def _drops_imaginary_parts(bound: dict[str, Any]) -> bool:
    dtype = bound.get("dtype")
    if not isinstance(dtype, Expr) or not isinstance(dtype.type, Known):
        return False
    given = [v.type for v in bound.values() if isinstance(v, Expr)]
    around = any(isinstance(t, Array) and is_complex_dtype(t.dtype or "") for t in given)
    return around and dtype.type.value is not None and np.dtype(dtype.type.value).kind != "c"

"""Floor 4: functions of NumPy that are read as plain code for what one call gives them."""

from __future__ import annotations

from typing import Any

from s2sgrad.analysis.memory import hashable
from s2sgrad.frontend.models import seldom
from s2sgrad.frontend.models.counting import WITH_INITIAL, WITH_KEYWORD
from s2sgrad.frontend.values import Dyn, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Scalar

_NOT_GIVEN = (None, False)


def model_for(function: Any, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """What is read in place of a function for these arguments; None: its rule knows them."""
    if not hashable(function):
        return None
    for table, counts in _TABLES:
        model, names = table.get(function, (None, ()))
        if model is not None:
            own = model.__code__.co_varnames
            given = {**dict(zip(own, args, strict=False)), **kwargs}
            if any(n in given and counts(given[n]) for n in names):
                return model
    if function in WITH_INITIAL and len(args) == 1 and "out" not in kwargs:
        return WITH_INITIAL[function] if _may_be_active(kwargs.get("initial")) else None
    return None


def _is_given(value: Value) -> bool:
    return not (isinstance(value, Static) and any(value.value is x for x in _NOT_GIVEN))


def _may_be_active(value: Value | None) -> bool:
    """Whether a number is computed at run time, and no integer."""
    if not isinstance(value, Dyn) or not nodes.names_in(value.expr):
        return False
    kind = value.type
    whole = isinstance(kind, Scalar | Array) and str(kind.dtype).startswith(("int", "bool", "uint"))
    return not whole


_TABLES: Any = (
    (WITH_KEYWORD, _is_given),
    (seldom.GIVEN, _is_given),
    (seldom.COMPUTED, _may_be_active),
)

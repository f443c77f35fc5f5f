"""Floor 4: functions of NumPy that are read as plain code for what one call gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from s2sgrad.analysis.memory import hashable
from s2sgrad.frontend.models import seldom
from s2sgrad.frontend.models.counting import WITH_INITIAL, WITH_KEYWORD
from s2sgrad.frontend.values import Dyn, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Scalar

_NOT_GIVEN = (None, False)
GIVEN: dict[Any, tuple[Any, tuple[str, ...]]] = {**WITH_KEYWORD, **seldom.GIVEN}


def model_for(function: Any, args: list[Value], kwargs: dict[str, Value]) -> Any:
    """What is read in place of a function for these arguments; None: its rule knows them."""
    if not hashable(function):
        return None
    model = chosen(function, args, kwargs, _is_given, _may_be_active, _is_table)
    if model is not None:
        return model
    if function in WITH_INITIAL and len(args) == 1 and "out" not in kwargs:
        return WITH_INITIAL[function] if _may_be_active(kwargs.get("initial")) else None
    return None


def chosen(
    function: Any,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    is_given: Callable[[Any], bool],
    is_active: Callable[[Any], bool],
    is_table: Callable[[Any], bool],
) -> Any:
    """The model of a function for a call with one of the arguments that its rule does not know."""
    tables = (GIVEN, is_given), (seldom.COMPUTED, is_active), (seldom.TABLES, is_table)
    for table, counts in tables:
        model, names = table.get(function, (None, ()))
        if model is not None:
            own = model.__code__.co_varnames
            given = {**dict(zip(own, args, strict=False)), **kwargs}
            if any(n in given and counts(given[n]) for n in names):
                return model
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


def _is_table(value: Value) -> bool:
    """Whether this is an array of several axes."""
    kind = value.type if isinstance(value, Dyn) else None
    return isinstance(kind, Array) and len(kind.shape or ()) > 1

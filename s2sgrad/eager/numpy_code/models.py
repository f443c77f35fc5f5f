"""Functions without a rule that are plain NumPy code: on traced values the compiler's model runs.

The compiler reads `np.piecewise`, `np.polyfit`, `statistics.variance`, `scipy.signal.welch` and
their like as code of its own. The same code, seen as a user's, is what traced values go through.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from s2sgrad.rules import lookup

DRAWING = "s2sgrad.frontend.builtins.random_methods"
MODELS = ("s2sgrad.frontend.models", "s2sgrad.standins", DRAWING)


@lru_cache(maxsize=256)
def model_of(function: Any) -> Callable[..., Any] | None:
    """What the compiler reads in place of a function that has no rule; None if it has nothing."""
    rule = lookup(function)
    if rule is not None and rule.kind not in ("none", "not_yet"):
        return None
    home = importlib.import_module("s2sgrad.frontend.functions.standing_in")
    found: Callable[..., Any] | None = home.stand_in(function)
    return found


def model_for_call(
    function: Any, rule: Any, args: Any, kwargs: Any, holds_traced: Callable[[Any], bool]
) -> Any:
    """What the compiler reads in place of a function for a call that its rule does not serve."""
    home = importlib.import_module("s2sgrad.frontend.models.chosen_by_call")
    found = home.chosen(function, args, kwargs, _is_given, holds_traced, _is_table)
    if found is not None:
        return found
    if (stacks := model_of_stacks(function, rule, args, kwargs)) is not None:
        return stacks
    further = further_of(function)
    served = further is None or serves(rule, args, kwargs, holds_traced)
    return None if served else further


def model_of_stacks(function: Any, rule: Any, args: Any, kwargs: Any) -> Any:
    """What the compiler reads where a function of scipy.linalg gets stacks that no rule knows."""
    if not rule.name.startswith("scipy.linalg."):
        return None
    home = importlib.import_module("s2sgrad.frontend.functions.standing_in")
    return home.of_stacks(function, args, kwargs, _rank)


def _rank(value: Any) -> int:
    return int(getattr(value, "ndim", 0))


def _is_table(value: Any) -> bool:
    return _rank(value) > 1


@lru_cache(maxsize=256)
def further_of(function: Any) -> Callable[..., Any] | None:
    """What the compiler reads in place of a function where its rule does not serve."""
    home = importlib.import_module("s2sgrad.frontend.functions.standing_in")
    found: Callable[..., Any] | None = home.spelled_out(function)
    return found


def _is_given(value: Any) -> bool:
    return value is not None and value is not False


def serves(rule: Any, args: Any, kwargs: Any, holds_traced: Callable[[Any], bool]) -> bool:
    """Whether a rule knows the arguments of a call, and has a partial for what is traced."""
    try:
        bound = rule.bind(args, kwargs)
    except TypeError:
        return False
    for name, refused in rule.extra.get("not_for", {}).items():
        if isinstance(bound.get(name), (str, int)) and bound[name] in refused:
            return False
    fixed = [v for n, v in bound.items() if n not in {*rule.partials, *rule.shape_only}]
    return not holds_traced(fixed)


def any_reads_traced(values: Any) -> bool:
    """Whether one of the values is a function that reads what is traced around it."""
    reads = importlib.import_module("s2sgrad.eager.numpy_code.tracing").reads_traced
    return any(callable(value) and reads(value) for value in values)


def traced_call(model: Callable[..., Any] | None, args: Any, kwargs: Any) -> Any:
    """A call of a model with traced arguments."""
    assert model is not None
    relocated = importlib.import_module("s2sgrad.eager.numpy_code.relocated").relocated
    with relocated(model) as seen:
        return seen(*args, **kwargs)

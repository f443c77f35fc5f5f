"""Activation checkpointing: drop what the backward pass needs, and compute it again there.

`checkpoint(f, *args)` gives `f(*args)`. With `use_reentrant=False` the saved tensors are left
out by hooks and made again when one is asked for. With `use_reentrant=True` the call is one node,
whose backward runs `f` again and a backward pass of its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.utils.checkpoint_frames import (
    CheckpointError,
    checkpoint_without_reentrant,
    noop_context,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)
from s2sgrad.eager.utils.checkpoint_frames import noop_context as noop_context_fn
from s2sgrad.eager.utils.checkpoint_function import CheckpointFunction
from s2sgrad.eager.utils.checkpoint_selective import (
    CheckpointPolicy,
    SelectiveCheckpointContext,
    create_selective_checkpoint_contexts,
)

__all__ = [
    "CheckpointError",
    "CheckpointFunction",
    "CheckpointPolicy",
    "SelectiveCheckpointContext",
    "checkpoint",
    "checkpoint_sequential",
    "create_selective_checkpoint_contexts",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
]

_ADVICE = (
    "the use_reentrant parameter should be passed explicitly. {} use_reentrant=False is"
    " recommended, but if you need to preserve the current default behavior, you can pass"
    " use_reentrant=True. Refer to docs for more details on the differences between the two"
    " variants."
)
_WITHOUT = (
    "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception."
)
_WITHOUT_SEQUENTIAL = "In version 2.9 we will raise an exception if use_reentrant is not passed."


def _refuse_unknown(kwargs: dict[str, Any]) -> None:
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """`function(*args, **kwargs)`, whose intermediates are computed again in the backward pass.

    context_fn: returns the contexts for the first run and for the recomputation.
    determinism_check: "default" compares shape and dtype of what is recomputed, "none" nothing.
    early_stop: recompute only as far as the last tensor that is needed.
    preserve_rng_state (keyword, default True): the recomputation draws the same numbers.
    Raises CheckpointError when the recomputation differs.
    """
    preserve = kwargs.pop("preserve_rng_state", True)
    if use_reentrant is None:
        text = "torch.utils.checkpoint: " + _ADVICE.format(_WITHOUT)
        warnings.warn(text, stacklevel=2)
        use_reentrant = True
    if not use_reentrant and STATE.duals is not None:
        with context_fn()[0]:  # what is computed again would have no tangents
            return function(*args, **kwargs)
    if not use_reentrant:
        how = (preserve, context_fn, determinism_check, debug, early_stop)
        return checkpoint_without_reentrant(function, args, kwargs, *how)
    _refuse_unknown(kwargs)
    if context_fn is not noop_context or debug:
        raise ValueError(
            "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
        )
    return CheckpointFunction.apply(function, preserve, *args)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Run functions (a Sequential or a list) one after the other, in checkpointed segments.

    All segments but the last are checkpointed.
    """
    if use_reentrant is None:
        text = "torch.utils.checkpoint.checkpoint_sequential: "
        warnings.warn(text + _ADVICE.format(_WITHOUT_SEQUENTIAL), stacklevel=2)
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    _refuse_unknown(kwargs)
    steps = list(functions.children() if hasattr(functions, "children") else functions)
    size = len(steps) // segments
    for start in range(0, size * (segments - 1), size):
        run = _run_in_order(steps[start : start + size])
        input = checkpoint(run, input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return _run_in_order(steps[size * (segments - 1) :])(input)


def _run_in_order(steps: Sequence[Callable[..., Any]]) -> Callable[[Any], Any]:
    def run(value: Any) -> Any:
        for step in steps:
            value = step(value)
        return value

    return run

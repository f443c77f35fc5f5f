"""The non-reentrant checkpoint: saved tensors left out by hooks, and computed again on demand."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from s2sgrad.eager._core import (
    Tensor,
    current_graph_task,
    enable_grad,
    is_grad_enabled,
    saved_tensors_hooks,
    top_saved_hooks,
)
from s2sgrad.eager.recording.saved import modified
from s2sgrad.eager.tensors.tensor import set_requires_grad
from s2sgrad.eager.utils.checkpoint_random import Surroundings

_TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint‑debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""
_DIFFERENT_NUMBER = (
    "torch.utils.checkpoint: A different number of tensors was saved during the original forward"
    " and recomputation.\nNumber of tensors saved during forward: {}\n"
    "Number of tensors saved during recomputation: {}.\n" + _TIP
)
_TOO_MANY = (
    "torch.utils.checkpoint: trying to save more tensors during recomputation than during the"
    " original forward pass.\n" + _TIP
)
_DIFFERENT_KIND = (
    "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata"
    " than during the forward pass.\n{}.\n" + _TIP
)
_UNPACKED_TWICE = (
    "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked"
    " once. {}If you are calling ctx.saved_tensors in backward, make sure to do so only once."
    " Otherwise please open an issue with details on your use case."
)
_SUPPRESSED = (
    "torch.utils.checkpoint: the forward context provided by context_fn suppressed an exception"
    " raised during the checkpointed forward. This is not supported because checkpoint cannot"
    " return a value for a failed forward."
)


class CheckpointError(RuntimeError):
    """The recomputation did not save what the first run saved."""


class _StopRecomputationError(Exception):
    """Ends a recomputation once everything that was saved is there again."""


class _Options:
    """Global switches: None leaves the decision to each call."""

    early_stop: bool | None = None
    debug: bool | None = None


def noop_context() -> tuple[Any, Any]:
    """The default `context_fn`: nothing around either run."""
    return nullcontext(), nullcontext()


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Force early stopping on or off for the checkpoints made in the block."""
    previous, _Options.early_stop = _Options.early_stop, enable
    try:
        yield
    finally:
        _Options.early_stop = previous


@contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Iterator[None]:
    """Force the debug setting for the checkpoints made in the block; None leaves it to each."""
    previous, _Options.debug = _Options.debug, enabled
    try:
        yield
    finally:
        _Options.debug = previous


class _Holder:
    """Stands in the graph for a tensor that was not kept; `keys`: pass -> its recomputed entry."""

    __slots__ = ("__weakref__", "keys")

    def __init__(self) -> None:
        self.keys: dict[Any, _Key | None] = {}


class _Key:
    """Owned by a holder: when the graph goes, so does the recomputed tensor."""

    __slots__ = ("__weakref__",)


_numbers = itertools.count().__next__


class _PassNumber:
    """Left among a backward pass's callbacks, to know that pass again without holding it."""

    def __init__(self) -> None:
        self.number = _numbers()

    def __call__(self) -> None:
        """Nothing happens at the end of the pass."""


def _pass_number() -> int:
    """A number for the running backward pass; a new one each time outside of any."""
    task = current_graph_task()
    if task is None:
        return _numbers()
    for callback in task.callbacks:
        if isinstance(callback, _PassNumber):
            return callback.number
    made = _PassNumber()
    task.callbacks.append(made)
    return made.number


def _metadata(x: Tensor) -> dict[str, Any]:
    return {"shape": x.shape, "dtype": x.dtype, "device": x.device}


_CHECKS: dict[str, Callable[[Tensor], Any]] = {
    "default": _metadata,
    "none": lambda x: None,
}


class _Frame:
    """One checkpointed call: how to run it again, and what it saved."""

    def __init__(self, again: Callable[[], Any], describe: Any, early_stop: bool) -> None:
        self.again, self.describe, self.early_stop = again, describe, early_stop
        self.holders: list[weakref.ref[_Holder]] = []
        self.described: list[Any] = []
        self.counters: dict[Any, int] = {}
        self.recomputed: dict[Any, weakref.WeakKeyDictionary[_Key, Any]] = {}
        self.done: set[Any] = set()
        self.complete = False  # the first run has ended

    # ------------------------------------------------------------ first run

    def pack(self, x: Tensor) -> _Holder:
        holder = _Holder()
        self.holders.append(weakref.ref(holder))
        self.described.append(self.describe(x))
        return holder

    def unpack(self, holder: _Holder) -> Any:
        key = _pass_number()
        if key not in self.done:
            self._recompute(key)
            self.done.add(key)
            self._compare(key)
        entry = holder.keys.get(key)
        if entry is None:
            raise CheckpointError(_UNPACKED_TWICE.format(""))
        found = self.recomputed[key][entry]
        holder.keys[key] = None
        return found

    # ------------------------------------------------------------ recomputation

    def _recompute(self, key: Any) -> None:
        self.counters[key] = 0
        self.recomputed[key] = weakref.WeakKeyDictionary()

        def pack(x: Tensor) -> Any:
            return self._keep(key, x)

        try:
            with saved_tensors_hooks(pack, lambda x: x), enable_grad():
                self.again()
        except _StopRecomputationError:
            pass

    def _keep(self, key: Any, x: Tensor) -> Tensor:
        index = self.counters[key]
        self.counters[key] += 1
        if index >= len(self.holders):
            if self.early_stop:
                return x.detach()
            raise CheckpointError(_TOO_MANY)
        holder = self.holders[index]()
        if holder is not None:
            entry = holder.keys[key] = _Key()
            self.recomputed[key][entry] = x.detach()
        if self.early_stop and self.counters[key] == len(self.holders):
            raise _StopRecomputationError
        return x.detach()

    def _compare(self, key: Any) -> None:
        """Refuse a recomputation that saved other tensors than the first run."""
        if len(self.holders) != self.counters[key]:
            raise CheckpointError(_DIFFERENT_NUMBER.format(len(self.holders), self.counters[key]))
        different = []
        for index, reference in enumerate(self.holders):
            holder = reference()
            entry = None if holder is None else holder.keys.get(key)
            if entry is None:
                continue
            found = self.describe(self.recomputed[key][entry])
            if found != self.described[index]:
                different.append(
                    f"tensor at position {index}:\nsaved metadata: {self.described[index]}\n"
                    f"recomputed metadata: {found}\n"
                )
        if different:
            raise CheckpointError(_DIFFERENT_KIND.format("".join(different)))


def checkpoint_without_reentrant(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    preserve: bool,
    context_fn: Callable[[], tuple[Any, Any]],
    determinism_check: str,
    debug: bool,
    early_stop: bool,
) -> Any:
    """Run `function`, saving no tensors; they are made again when the backward pass asks."""
    describe = _CHECKS.get(determinism_check)
    if describe is None:
        raise ValueError(
            f"determinism_check should be one of {list(_CHECKS)}, but got {determinism_check}"
        )
    if (debug if _Options.debug is None else _Options.debug) and context_fn is not noop_context:
        raise ValueError("debug=True is incompatible with non-default context_fn")
    forward_context, recompute_context = context_fn()
    if not is_grad_enabled():
        with forward_context:
            return function(*args, **kwargs)
    surroundings = Surroundings(preserve)
    arguments = _packed_arguments(args)
    unchanged = _versions(args)

    def again() -> None:
        unchanged()
        with surroundings.restored(), recompute_context:
            function(*arguments(), **kwargs)

    stop = early_stop if _Options.early_stop is None else _Options.early_stop
    frame = _Frame(again, describe, stop)
    with saved_tensors_hooks(frame.pack, frame.unpack), forward_context:
        result = function(*args, **kwargs)
        frame.complete = True
    if not frame.complete:
        raise RuntimeError(_SUPPRESSED)
    return result


def _versions(args: tuple[Any, ...]) -> Callable[[], None]:
    """A check that nobody has written to the arguments since: another input, another gradient."""
    known = [
        (a._array, a._vc, a._vc[0], a._edge())
        for a in args
        if isinstance(a, Tensor) and not a.is_inference()
    ]

    def check() -> None:
        for array, counter, version, edge in known:
            if counter[0] != version:
                modified(array, counter, version, edge)

    return check


def _packed_arguments(args: tuple[Any, ...]) -> Callable[[], tuple[Any, ...]]:
    """How to get the arguments back; inside another checkpoint they are left out too."""
    hooks = top_saved_hooks()
    if hooks is None:
        return lambda: args
    pack, unpack = hooks
    kept = [
        (True, pack(a), a.requires_grad) if isinstance(a, Tensor) else (False, a, False)
        for a in args
    ]

    def arguments() -> tuple[Any, ...]:
        return tuple(_as_given(unpack(a), tracked) if packed else a for packed, a, tracked in kept)

    return arguments


def _as_given(saved: Tensor, tracked: bool) -> Tensor:
    made = saved.detach()
    set_requires_grad(made, tracked)
    return made

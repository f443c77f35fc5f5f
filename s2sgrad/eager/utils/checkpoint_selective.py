"""Selective checkpointing: keep the results of chosen operations, recompute the others."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from s2sgrad.eager._core import Op, Tensor
from s2sgrad.eager.ops import of_op, plain_name
from s2sgrad.eager.recording.keeping import any_edge
from s2sgrad.eager.recording.record import record
from s2sgrad.eager.settings.interception import intercepting
from s2sgrad.eager.settings.state import STATE

_MUTATED = "Tensor cached during selective activation checkpoint has been mutated"


class CheckpointPolicy(enum.Enum):
    """What to do with an operation's result; MUST_ and PREFER_ mean the same here."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


_RECOMPUTE = (CheckpointPolicy.MUST_RECOMPUTE, CheckpointPolicy.PREFER_RECOMPUTE)


class SelectiveCheckpointContext:
    """The first argument of a policy, which is asked in the first run only."""

    def __init__(self, *, is_recompute: bool) -> None:
        self.is_recompute = is_recompute


class _Block:
    """A context that may be entered again, for a second backward pass."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    def __enter__(self) -> None:
        self.entered = self.make()
        self.entered.__enter__()

    def __exit__(self, *exc: Any) -> Any:
        return self.entered.__exit__(*exc)


class _Kept:
    """A saved result and the version of its memory."""

    def __init__(self, y: Tensor) -> None:
        self.y, self.version = y.detach(), y._version

    def get(self, allow_mutation: bool) -> Tensor:
        if not allow_mutation and self.y._version != self.version:
            raise RuntimeError(_MUTATED)
        return self.y.detach()


class _Selection:
    """One checkpointed call: the policy, and the kept results in order."""

    def __init__(self, policy: Callable[..., Any], allow_mutation: bool) -> None:
        self.policy, self.allow_mutation = policy, allow_mutation
        self.chosen: dict[Any, list[_Kept | None]] = defaultdict(list)  # of each call in turn
        self.taken: dict[Any, int] = defaultdict(int)

    def wants(self, op: Any, args: Any, kwargs: dict[str, Any]) -> bool:
        """Whether the policy keeps this result. Views and several results are never kept."""
        if not isinstance(op, Op) or op.rule.kind == "none":
            return False
        context = SelectiveCheckpointContext(is_recompute=False)
        chosen = self.policy(context, of_op(op), *args, **kwargs)
        if isinstance(chosen, bool):
            return chosen
        return isinstance(chosen, CheckpointPolicy) and chosen not in _RECOMPUTE

    @contextmanager
    def forward(self) -> Iterator[None]:
        """The first run: results that the policy wants are kept."""

        def handler(op: Any, args: Any, kwargs: dict[str, Any], run: Callable[[], Any]) -> Any:
            y = run()
            single = isinstance(y, Tensor) and y._view is None
            kept = single and self.wants(op, args, kwargs)
            self.chosen[op].append(_Kept(y) if kept else None)
            return y

        with intercepting(handler):
            yield

    @contextmanager
    def recompute(self) -> Iterator[None]:
        """The second run: kept results are taken as they are, and recorded."""

        def handler(op: Any, args: Any, kwargs: dict[str, Any], run: Callable[[], Any]) -> Any:
            position = self.taken[op]
            self.taken[op] += 1
            kept = self.chosen[op][position] if position < len(self.chosen[op]) else None
            if kept is None:
                return run()
            y = kept.get(self.allow_mutation)
            if STATE.grad and any_edge(args, kwargs):
                record(op, args, kwargs, y)
            return y

        self.taken.clear()
        with intercepting(handler):
            yield


def create_selective_checkpoint_contexts(
    policy_fn_or_list: Any, allow_cache_entry_mutation: bool = False
) -> tuple[Any, Any]:
    """The contexts of a selective checkpoint, for `checkpoint(..., context_fn=...)`.

    A policy is `policy(ctx, operation, *args, **kwargs)` and returns a CheckpointPolicy. The
    operation equals `ops.aten.mm.default`, or NumPy's function (np.matmul for every matrix
    product). A list names those to keep, or our functions (`torch.matmul`).

    >>> context_fn = partial(create_selective_checkpoint_contexts, [np.matmul])
    >>> checkpoint(f, x, use_reentrant=False, context_fn=context_fn)
    """
    if callable(policy_fn_or_list):
        policy = policy_fn_or_list
    elif isinstance(policy_fn_or_list, list):
        names = {plain_name(function) for function in policy_fn_or_list}

        def policy(ctx: Any, function: Any, *args: Any, **kwargs: Any) -> CheckpointPolicy:
            if plain_name(function) in names:
                return CheckpointPolicy.MUST_SAVE
            return CheckpointPolicy.PREFER_RECOMPUTE

    else:
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    selection = _Selection(policy, allow_cache_entry_mutation)
    return _Block(selection.forward), _Block(selection.recompute)

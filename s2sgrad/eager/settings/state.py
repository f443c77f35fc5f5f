"""What each thread remembers: grad mode, inference mode, hooks on saved tensors, anomaly mode.

`STATE.fast` is True while nothing but plain recording is on; the fast paths look only there.
`STATE.bare` is True while no special mode is on; without `STATE.grad` only arrays are computed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class State(threading.local):
    """One thread's modes. Class attributes are what a new thread starts with."""

    fast: bool = True
    bare: bool = True
    grad: bool = True
    inference: bool = False
    hooks: tuple[Any, ...] = ()  # stack of (pack, unpack)
    hooks_disabled: str | None = None  # the error that entering such a stack raises
    duals: Any = None  # forward mode: object with `propagate(op, args, kwargs, outputs)`
    interceptors: tuple[Callable[..., Any], ...] = ()  # innermost last; see `interception`
    transforms: int = 0  # how many transforms of `func` are running
    captured: Any = None  # what they must not write to, by the ids of version counters
    batching: int = 0  # how many of them are vmap
    levels: tuple[Any, ...] = ()  # those of the vmaps that compute all examples at once
    batched: bool = False  # graphs of this thread may hold batches
    mixed: bool = False  # a pass that records goes through such graphs
    no_random: bool = False  # vmap with randomness="error" is running
    autocast: Any = None  # the dtype that matrix products are cast to
    mutation: Any = None  # the active allow_mutation_on_saved_tensors context
    task: Any = None  # the running backward pass
    node: Any = None  # the node being evaluated in it
    masked: bool = False  # zeros in it are kept out of infinite slopes, as NumPy code expects
    numpy: bool = False  # passes start so: they were asked for by a transform of NumPy code
    profiler: Any = None  # the active autograd.profiler.profile

    def __init__(self) -> None:
        """Called once for each thread: all its modes lie in its `__dict__` from the start."""
        for name in State.__annotations__:
            setattr(self, name, getattr(State, name))


STATE = State()
LIVE: list[Any] = []  # the dual levels of all threads that code which is not ours runs in


class Anomaly:
    """Anomaly mode, shared by all threads as in torch."""

    enabled = False
    check_nan = True


def refresh() -> None:
    """Set `STATE.fast` and `STATE.bare` after a mode has changed."""
    STATE.bare = bare = (
        not STATE.inference
        and STATE.duals is None
        and not STATE.interceptors
        and not STATE.levels
        and STATE.mutation is None
        and STATE.autocast is None
    )
    plain = not STATE.hooks and not Anomaly.enabled and not STATE.mixed
    STATE.fast = bare and STATE.grad and plain


@contextmanager
def from_numpy_code() -> Iterator[None]:
    """A block of NumPy's operations: they multiply matrices of two dtypes, torch's do not."""
    before, STATE.numpy = STATE.numpy, True
    try:
        yield
    finally:
        STATE.numpy = before

"""Hooks on saved tensors, and writing to saved tensors without harm."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from s2sgrad.eager.passes.gradient_edge import GradientEdge, get_gradient_edge
from s2sgrad.eager.recording.node import Node, RemovableHandle, accumulator, hooks_of
from s2sgrad.eager.settings.state import STATE, refresh
from s2sgrad.eager.tensors.tensor import Tensor, wrap


class saved_tensors_hooks:
    """Block in which tensors saved for backward go through `pack` and come back by `unpack`.

    `pack(tensor)` returns anything; `unpack(that)` must return a tensor of the same content.
    """

    def __init__(self, pack_hook: Callable[..., Any], unpack_hook: Callable[..., Any]) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        if STATE.hooks_disabled is not None:
            raise RuntimeError(STATE.hooks_disabled)
        if not (callable(self.pack_hook) and callable(self.unpack_hook)):
            raise TypeError(
                "_push_saved_tensors_default_hooks(): incompatible function arguments. The "
                "following argument types are supported:\n    1. (arg0: collections.abc.Callable, "
                "arg1: collections.abc.Callable) -> None\n\n"
                f"Invoked with: {self.pack_hook!r}, {self.unpack_hook!r}"
            )
        STATE.hooks = (*STATE.hooks, (self.pack_hook, self.unpack_hook))
        refresh()

    def __exit__(self, *exc: object) -> None:
        STATE.hooks = STATE.hooks[:-1]
        refresh()


class save_on_cpu(saved_tensors_hooks):
    """Block that keeps copies of what is saved (everything is on the CPU already)."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda t: wrap(t._array.copy()), lambda t: t)


class disable_saved_tensors_hooks:
    """Block in which using saved-tensor hooks raises RuntimeError with this message."""

    def __init__(self, error_message: str) -> None:
        self.error_message = error_message

    def __enter__(self) -> None:
        self._before = STATE.hooks_disabled
        if STATE.hooks:
            raise RuntimeError(self.error_message)
        STATE.hooks_disabled = self.error_message

    def __exit__(self, *exc: object) -> None:
        STATE.hooks_disabled = self._before


def top_saved_hooks() -> Any:
    """The innermost (pack, unpack), or None."""
    return STATE.hooks[-1] if STATE.hooks else None


class copying_on_write:
    """Block in which saved tensors may be written to: they are copied first, when needed."""

    readable_inside_only = False

    def __init__(self) -> None:
        self._saved: dict[int, list[Any]] = {}
        self.number = object()  # of the values saved since the last `clear`

    def __enter__(self) -> copying_on_write:
        if STATE.mutation is not None:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        STATE.mutation = self
        refresh()
        return self

    def __exit__(self, *exc: object) -> None:
        STATE.mutation = None
        self.clear()
        refresh()

    def clear(self) -> None:
        """Forget what was saved so far: no backward pass can read it any more."""
        self._saved.clear()
        self.number = object()

    def watch(self, saved: Any) -> None:
        """Remember a saved value by the memory it is on."""
        self._saved.setdefault(id(saved.vc), []).append(weakref.ref(saved))

    def before_write(self, t: Tensor, value: Any = None) -> None:
        """Give every value saved on this memory a copy of its own.

        value: what is going to be written, where that is known.
        """
        for reference in self._saved.pop(id(t._vc), ()):
            saved = reference()
            if saved is not None and saved.vc is t._vc:
                saved.own_copy()


class allow_mutation_on_saved_tensors(copying_on_write):
    """The same as torch has it: the backward pass must run inside of the block too."""

    readable_inside_only = True


class _MultiHandle(RemovableHandle):
    """Removes the hooks of `register_multi_grad_hook` all at once."""

    __slots__ = ("handles",)

    def __init__(self, handles: list[Any]) -> None:
        super().__init__({})
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[..., Any], *, mode: str = "all"
) -> RemovableHandle:
    """`fn` runs once per backward pass: with all gradients, or ("any") with the first one."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    assert all(t.requires_grad for t in tensors), "Expected gradient function to be set"
    count = len(tensors)  # the hooks must not hold the tensors that hold them
    seen: weakref.WeakKeyDictionary[Any, dict[int, Any]] = weakref.WeakKeyDictionary()  # by pass

    def hook_of(position: int) -> Callable[[Tensor], None]:
        def hook(grad: Tensor) -> None:
            task = STATE.task
            known = seen.setdefault(task, {})
            if mode == "any":
                if not known:
                    known[position] = grad
                    fn(grad)
                return
            if not known:
                task.callbacks.append(lambda: finish(task))
            known[position] = grad
            if len(known) == count:
                seen.pop(task)
                fn([known[i] for i in range(count)])

        return hook

    def finish(task: Any) -> None:
        known = seen.pop(task, None)
        if known:
            fn([known.get(i) for i in range(count)])

    return _MultiHandle([t.register_hook(hook_of(i)) for i, t in enumerate(tensors)])


def increment_version(tensor: Any) -> None:
    """Count one more in-place change of a tensor (or of several)."""
    if not isinstance(tensor, Iterable):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    for t in (tensor,) if isinstance(tensor, Tensor) else tensor:
        t._vc[0] += 1


@contextmanager
def preserve_version_counter(tensor: Tensor | tuple[Tensor, ...]) -> Iterator[None]:
    """A block after which the versions of tensors are what they were."""
    tensors = tensor if isinstance(tensor, tuple) else (tensor,)
    before = [t._version for t in tensors]
    try:
        yield
    finally:
        for t, version in zip(tensors, before, strict=True):
            t._vc[0] = version


class set_multithreading_enabled:
    """Accepted for compatibility: a backward pass always runs in the calling thread."""

    def __init__(self, mode: bool) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        pass


def current_graph_task() -> Any:
    """The running backward pass of this thread, or None."""
    return STATE.task


def is_checkpoint_valid() -> bool:
    """False while `grad()` or `backward(inputs=...)` runs."""
    return STATE.task is None or STATE.task.captures is None


__all__ = [
    "GradientEdge", "Node", "RemovableHandle", "accumulator", "get_gradient_edge", "hooks_of", "np",
]  # fmt: skip

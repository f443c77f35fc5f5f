"""What the transforms of `func` share: arguments, fresh inputs, and pulling cotangents back.

An input of a transform is a new tensor on the memory of the caller's, tracked for this transform.
Whether the results must be differentiable again is read off the graph: only when it leads to
something else that requires grad, or when forward mode is on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from s2sgrad.eager._core import LEAF, STATE, Tensor, grad, zeros_like
from s2sgrad.eager.func.pytree import tree_flatten, tree_map
from s2sgrad.eager.passes.tangents import Probe, alias, leads_outside
from s2sgrad.eager.settings.state import refresh

Argnums = int | tuple[int, ...]
NOT_DIFFERENTIABLE = "only Tensors of floating point dtype can require gradients"


def checked_argnums(argnums: Any, count: int) -> Argnums:
    """argnums as non-negative positions; RuntimeError for what is not one of `count`."""

    def one(argnum: Any) -> int:
        if not isinstance(argnum, int) or isinstance(argnum, bool):
            raise RuntimeError(f"argnum must be int, got: {type(argnum)}")
        if not -count <= argnum < count:
            raise RuntimeError(f"Got argnum={argnum}, but only {count} positional inputs")
        return argnum % count

    if isinstance(argnums, int):
        return one(argnums)
    if not isinstance(argnums, tuple):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    if not argnums:
        raise RuntimeError("argnums must be non-empty")
    chosen = tuple(one(argnum) for argnum in argnums)
    if len(chosen) != len(set(chosen)):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return chosen


def chosen_args(args: tuple[Any, ...], argnums: Argnums) -> Any:
    """The arguments that are differentiated: one, or a tuple of them."""
    if isinstance(argnums, int):
        return args[argnums]
    return tuple(args[i] for i in argnums)


def with_args(args: tuple[Any, ...], new: Any, argnums: Argnums) -> tuple[Any, ...]:
    """The arguments with the chosen ones replaced."""
    made = list(args)
    pairs = [(argnums, new)] if isinstance(argnums, int) else zip(argnums, new, strict=True)
    for position, value in pairs:
        made[position] = value
    return tuple(made)


@contextmanager
def transforming() -> Iterator[None]:
    """The block in which a transform runs, outside of the inference mode it was called in."""
    before = STATE.inference
    STATE.transforms += 1
    STATE.inference = False
    refresh()
    try:
        yield
    finally:
        STATE.transforms -= 1
        STATE.inference = before
        refresh()


def check_aux(aux: Any) -> None:
    """What is handed through must be tensors."""
    for value in tree_flatten(aux)[0]:
        if not isinstance(value, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(value)}")


class Tracked:
    """The inputs of one transform. `tree` has the structure of what was given."""

    def __init__(self, tree: Any, grad_outside: bool) -> None:
        self.outer = grad_outside
        self.leaves: list[Tensor] = []
        self.tracked_outside = False
        self.tree = tree_map(self._fresh, tree)

    def _fresh(self, x: Any) -> Tensor:
        if not isinstance(x, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(x)}")
        if not (x.is_floating_point() or x.is_complex()):
            raise RuntimeError(NOT_DIFFERENTIABLE)
        if x.requires_grad and self.outer:
            self.tracked_outside = True
            made = x.view_as(x)
        else:
            made = alias(x, LEAF)
        self.leaves.append(made)
        return made

    def ended(self) -> None:
        """The user's function has returned: no other transform waits for these inputs."""
        for leaf in self.leaves:
            if leaf._node is LEAF and leaf.__class__ is Tensor:
                leaf.__class__ = Probe

    def needs_graph(self, outputs: Sequence[Any]) -> bool:
        """Whether something other than these inputs is to be differentiated through `outputs`."""
        if STATE.duals is not None:
            return True
        if not self.outer:
            return False
        return self.tracked_outside or self._leads_outside(outputs)

    def _leads_outside(self, outputs: Sequence[Any]) -> bool:
        return leads_outside(outputs, {id(leaf._edge()) for leaf in self.leaves})

    def pull(self, outputs: Sequence[Tensor], bars: Sequence[Any], keep: bool) -> list[Tensor]:
        """The cotangents of the inputs, zeros where nothing depends on them."""
        pairs = [(y, b) for y, b in zip(outputs, bars, strict=True) if y.requires_grad]
        if not pairs:
            return [zeros_like(x) for x in self.leaves]
        ys, y_bars = zip(*pairs, strict=True)
        again = self.needs_graph((*outputs, *(b for b in y_bars if b is not None)))
        found = grad(
            ys, self.leaves, y_bars, retain_graph=keep or again, create_graph=again,
            allow_unused=True,
        )  # fmt: skip
        return [
            zeros_like(x) if x_bar is None else self.released(x_bar)
            for x, x_bar in zip(self.leaves, found, strict=True)
        ]

    def released(self, y: Any) -> Any:
        """A result for the caller: cut off where its graph leads to these inputs only."""
        if not isinstance(y, Tensor):
            return y
        made = alias(y) if self._ends_here(y) else y
        level = STATE.duals
        while level is not None:
            dot = level.get(made)
            if dot is not None and self._ends_here(dot):
                level.set(made, alias(dot))
            level = level.outer
        return made

    def _ends_here(self, y: Tensor) -> bool:
        """Whether y is tracked, but by this transform alone."""
        if not y.requires_grad:
            return False
        return not (self.outer and (self.tracked_outside or self._leads_outside((y,))))

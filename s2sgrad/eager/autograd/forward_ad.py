"""`autograd.forward_ad`: dual numbers, a value together with its tangent.

>>> with dual_level():
...     y = f(make_dual(x, x_dot))
...     y_dot = unpack_dual(y).tangent
"""

from __future__ import annotations

from typing import NamedTuple

from s2sgrad.eager.passes.dual_levels import OTHER_SIZE, Level, check_floats
from s2sgrad.eager.passes.tangents import alias
from s2sgrad.eager.recording.node import named_as
from s2sgrad.eager.settings.modes import Mode
from s2sgrad.eager.settings.state import STATE, refresh
from s2sgrad.eager.tensors.tensor import Tensor

__all__ = [
    "UnpackedDualTensor",
    "dual_level",
    "enter_dual_level",
    "exit_dual_level",
    "make_dual",
    "unpack_dual",
]


class UnpackedDualTensor(NamedTuple):
    """A value and its tangent, None where it has none."""

    primal: Tensor
    tangent: Tensor | None


def enter_dual_level() -> int:
    """Start the dual level and return its number, 0."""
    if isinstance(STATE.duals, Level):
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    STATE.duals = Level(None)
    refresh()
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """End the dual level: all its tangents are gone."""
    if level not in (None, 0):
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is"
            " not supported."
        )
    if STATE.duals is None:
        raise RuntimeError("Dual level must be a positive number.")
    STATE.duals = STATE.duals.outer
    refresh()


class dual_level(Mode):
    """The block in which tensors may be dual."""

    def __enter__(self) -> int:
        return enter_dual_level()

    def __exit__(self, *exc: object) -> None:
        exit_dual_level()


class _set_fwd_grad_enabled(Mode):
    """The block in which functions pass tangents on, or (False) do not."""

    def __init__(self, mode: bool) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        self._before = STATE.duals
        if not self.mode:
            STATE.duals = None
            refresh()

    def __exit__(self, *exc: object) -> None:
        STATE.duals = self._before
        refresh()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """`tensor` with a tangent of its shape: a new tensor on the same memory."""
    current = STATE.duals
    if current is None:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to"
            " enter_dual_level() first."
        )
    for name, t in (("primal", tensor), ("tangent", tangent)):
        check_floats(name, t)
    if current.get(tensor) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the"
            " same level 0 is not supported."
        )
    if tangent.shape != tensor.shape:
        raise RuntimeError(OTHER_SIZE.format(list(tensor.shape), list(tangent.shape)))
    with current.outside():
        made = tensor.view_as(tensor)
    current.set(made, tangent)
    return made


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The value of a dual tensor, without tangent, and its tangent."""
    current = STATE.duals
    if current is None:
        return UnpackedDualTensor(tensor, None)
    tangent = current.get(tensor)
    with current.outside():
        if tensor.requires_grad:
            primal = named_as(tensor.view_as(tensor), "Identity")
        else:
            primal = alias(tensor)
    return UnpackedDualTensor(current.without(primal), tangent)

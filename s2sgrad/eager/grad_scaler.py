"""`amp.GradScaler`: losses scaled up so that small gradients do not vanish in half precision."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from s2sgrad.eager.settings.modes import no_grad
from s2sgrad.eager.tensors.tensor import Tensor

READY, UNSCALED, STEPPED = "ready", "unscaled", "stepped"


class GradScaler:
    """Scales losses, takes the scale out of gradients, and skips steps that are not finite.

    The scale grows by `growth_factor` after `growth_interval` good steps in a row and shrinks by
    `backoff_factor` after a bad one.
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device, self._enabled = device, enabled
        if enabled and device == "cuda":
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.",
                stacklevel=2,
            )
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._scale = float(init_scale)
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval, self._growth_tracker = growth_interval, 0
        self._started = False
        self._states: dict[int, tuple[str, bool]] = {}  # id of optimizer -> stage, any bad grad

    def scale(self, outputs: Any) -> Any:
        """The outputs (a tensor, or tensors in lists and tuples) times the scale."""
        if not self._enabled:
            return outputs
        self._started = True
        if isinstance(outputs, Tensor):
            return outputs * self._scale  # type: ignore[operator]
        if isinstance(outputs, (list, tuple)):
            return type(outputs)(self.scale(o) for o in outputs)
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def unscale_(self, optimizer: Any) -> None:
        """Take the scale out of the gradients of an optimizer's parameters, in place."""
        if not self._enabled:
            return
        self._check_started("unscale_")
        stage, _ = self._states.get(id(optimizer), (READY, False))
        if stage == UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if stage == STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        bad = False
        with no_grad():
            for group in optimizer.param_groups:
                for p in group["params"]:
                    if p.grad is None:
                        continue
                    if p.grad._array.dtype == np.float16:
                        raise ValueError("Attempting to unscale FP16 gradients.")
                    p.grad.mul_(1.0 / self._scale)
                    bad = bad or not np.isfinite(np.asarray(p.grad._array, np.float64)).all()
        self._states[id(optimizer)] = (UNSCALED, bool(bad))

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """`optimizer.step()` with unscaled gradients, left out where one is not finite."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check_started("step")
        stage, _ = self._states.get(id(optimizer), (READY, False))
        if stage == STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if stage == READY:
            self.unscale_(optimizer)
        bad = self._states[id(optimizer)][1]
        result = None if bad else optimizer.step(*args, **kwargs)
        self._states[id(optimizer)] = (STEPPED, bad)
        return result

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Adjust the scale after the steps of an iteration, or set it."""
        if not self._enabled:
            return
        self._check_started("update")
        if new_scale is not None:
            self._scale = float(new_scale.item() if isinstance(new_scale, Tensor) else new_scale)
        else:
            self._adjust()
        self._states.clear()

    def _adjust(self) -> None:
        if not self._states:
            raise AssertionError("No inf checks were recorded prior to update.")
        if any(bad for _, bad in self._states.values()):
            self._scale *= self._backoff_factor
            self._growth_tracker = 0
            return
        self._growth_tracker += 1
        if self._growth_tracker == self._growth_interval:
            self._scale *= self._growth_factor
            self._growth_tracker = 0

    def _check_started(self, name: str) -> None:
        if not self._started:
            raise AssertionError(
                f"Attempted {name} but _scale is None.  This may indicate your script did not use "
                "scaler.scale(loss or outputs) earlier in the iteration."
            )

    def is_enabled(self) -> bool:
        """Whether it does anything."""
        return self._enabled

    def get_scale(self) -> float:
        """The scale; 1 where disabled."""
        return self._scale if self._enabled else 1.0

    def get_growth_factor(self) -> float:
        """What the scale grows by."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set what the scale grows by."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """What the scale shrinks by."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set what the scale shrinks by."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many good steps the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set after how many good steps the scale grows."""
        self._growth_interval = new_interval

    def state_dict(self) -> dict[str, Any]:
        """Scale and settings; empty where disabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._growth_tracker,
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled "
                "instance of GradScaler."
            )
        self._scale = float(state_dict["scale"])
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._growth_tracker = state_dict["_growth_tracker"]


__all__ = ["GradScaler"]

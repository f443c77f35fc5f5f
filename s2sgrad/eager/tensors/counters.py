"""Version counters that say no."""

from __future__ import annotations

from typing import Any

from s2sgrad.eager.settings.state import STATE

SAVED_INFERENCE = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
    "inference mode in computation tracked by autograd. To work around this, you can make a clone "
    "to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
    "`torch.inference_mode()`."
)


class InferenceCounter(list[int]):
    """The version counter of an inference tensor: reading it outside the mode means saving.

    Transforms may save such tensors: their graphs do not outlive them.
    """

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        if not STATE.inference and not STATE.transforms:
            raise RuntimeError(SAVED_INFERENCE)
        return 0

    def __setitem__(self, index: Any, value: Any) -> None:
        pass

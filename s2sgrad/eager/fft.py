"""`torch.fft` by the rules of `np.fft`."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.operations.named import FFT, known
from s2sgrad.eager.tensors.creation import tensor
from s2sgrad.eager.tensors.dtypes import get_default_dtype

globals().update(known(FFT))
__all__ = ["fftfreq", "rfftfreq", *FFT]


def fftfreq(n: int, d: float = 1.0, **_: Any) -> Any:
    """The frequencies of `fft`."""
    return tensor(np.fft.fftfreq(n, d), dtype=get_default_dtype())


def rfftfreq(n: int, d: float = 1.0, **_: Any) -> Any:
    """The frequencies of `rfft`."""
    return tensor(np.fft.rfftfreq(n, d), dtype=get_default_dtype())

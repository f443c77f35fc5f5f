"""What a recomputation must find as it was: random numbers and autocast."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from s2sgrad.eager import amp
from s2sgrad.eager._core import get_rng_state, set_rng_state


def random_state() -> tuple[Any, Any]:
    """The states of our generator and of NumPy's global one."""
    return get_rng_state(), np.random.get_state()


def set_random_state(state: tuple[Any, Any]) -> None:
    """Go back to a state that `random_state` returned."""
    ours, numpys = state
    set_rng_state(ours)
    np.random.set_state(numpys)


class Surroundings:
    """Random state (if `preserve`) and autocast settings at the time of the first run."""

    def __init__(self, preserve: bool) -> None:
        self.random = random_state() if preserve else None
        self.autocast = amp.current()

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Run a block in these surroundings; afterwards the present ones are back."""
        present = random_state() if self.random is not None else None
        if self.random is not None:
            set_random_state(self.random)
        try:
            with amp.using(self.autocast):
                yield
        finally:
            if present is not None:
                set_random_state(present)

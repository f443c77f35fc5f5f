"""The failure of a gradient check."""

from __future__ import annotations


class GradcheckError(RuntimeError):
    """Raised by `gradcheck` and `gradgradcheck` when gradients are wrong."""

"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from s2sgrad.eager._core import Tensor, cat, type_name


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters in one vector, recorded."""
    return cat([p.view(-1) for p in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Cut a vector up into the parameters' data."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type_name(vec)}")
    start = 0
    for p in parameters:
        stop = start + p.numel()
        p.data = vec[start:stop].view_as(p).data
        start = stop

"""Places in the graph: what `backward` and `grad` take besides tensors."""

from __future__ import annotations

from typing import Any

from s2sgrad.eager.recording.node import accumulator
from s2sgrad.eager.tensors.tensor import LEAF, Tensor


class GradientEdge:
    """A place in the graph: `node` and the number of its output."""

    __module__ = "torch.autograd.graph"  # what its printed form shows

    def __init__(self, node: Any, output_nr: int, edge: Any = None) -> None:
        self.node, self.output_nr, self.ownership_token = node, output_nr, None
        self.edge = edge

    def __iter__(self) -> Any:
        return iter((self.node, self.output_nr, self.ownership_token))

    def __getitem__(self, index: Any) -> Any:
        return tuple(self)[index]

    def __len__(self) -> int:
        return 3

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GradientEdge) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        parts = (f"{n}={getattr(self, n)}" for n in ("node", "output_nr", "ownership_token"))
        return f"GradientEdge({', '.join(parts)})"


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge at which the gradient of `tensor` is known; keeps no data alive but the graph."""
    edge = tensor._edge()
    if edge is None:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does "
                           "not require gradients")  # fmt: skip
    node = tensor.grad_fn if tensor._node is not LEAF else accumulator(tensor)
    return GradientEdge(node, tensor.output_nr, edge)


def as_tuple(value: Any) -> tuple[Any, ...]:
    """One tensor or edge as a 1-tuple; a sequence as a tuple."""
    if isinstance(value, (Tensor, GradientEdge)):
        return (value,)
    return tuple(value)


def edge_of(value: Any) -> Any:
    """Where the gradient of a tensor (or edge) is known."""
    if isinstance(value, Tensor):
        return value._edge()
    if not isinstance(value, GradientEdge):
        kind = type(value).__name__
        raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {kind}")
    return value.edge

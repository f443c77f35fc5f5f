"""What torch calls the nodes of gradients that have a history of their own.

A backward pass with `create_graph=True` records the operations of our rules; torch's formulas
use others, and `print(gradient)` shows the last one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.recording.node import Node, named_as, next_order
from s2sgrad.eager.tensors.tensor import Tensor, wrap

# The node -> the last operation of its gradients, or that of each input.
FLAT = ("Hardshrink", "Hardtanh", "LeakyRelu", "NllLoss", "PreluKernel", "Softshrink", "Threshold")
BACKWARD = ("Sigmoid", "Tanh", "Elu", "Gelu", "Softplus", "LogSigmoid", "Hardswish", *FLAT,
            "Slice", "Select", "Diagonal", "MseLoss", "SmoothL1Loss", "HuberLoss",
            "NativeLayerNorm", "BinaryCrossEntropy")  # fmt: skip
SECOND: dict[str, str | tuple[str, ...]] = {
    **{f"{word}Backward0": f"{word}BackwardBackward0" for word in BACKWARD},
    "CeluBackward0": "EluBackwardBackward0", "AcosBackward0": "MulBackward0",
    "AsinBackward0": "MulBackward0",
    "CumprodBackward0": "DivBackward0", "CumsumBackward0": "FlipBackward0",
    "ConstantPadNdBackward0": "ConstantPadNdBackward0", "DiagEmbedBackward0": "DiagonalBackward0",
    "DotBackward0": "MulBackward0", "GatherBackward0": "ScatterAddBackward0",
    "HypotBackward0": "DivBackward0", "IndexBackward0": "IndexPutImplBackward0",
    "IndexSelectBackward0": "IndexAddBackward0", "LinalgDetBackward0": "LinalgSolveExBackward0",
    "LinalgInvExBackward0": "NegBackward0", "LinalgSlogdetBackward0": "LinalgSolveExBackward0",
    "LogSoftmaxBackward0": "LogSoftmaxBackwardDataBackward0",
    "MaskedFillBackward0": "MaskedFillBackward0", "MaxBackward0": "ScatterBackward0",
    "MeanBackward0": "DivBackward1", "MeanBackward1": "DivBackward1",
    "MinBackward0": "ScatterBackward0", "MvBackward0": ("MulBackward0", "MvBackward0"),
    "LinalgSolveExBackward0": ("NegBackward0", "LinalgSolveExBackward0"),
    "BinaryCrossEntropyWithLogitsBackward0": "DivBackward1", "PowBackward2": "MulBackward0",
    "PermuteBackward0": "PermuteBackward0", "PowBackward1": ("WhereBackward0", "MulBackward0"),
    "RepeatBackward0": "SumBackward1", "SincBackward0": "WhereBackward0",
    "SoftmaxBackward0": "SoftmaxBackwardDataBackward0", "SortBackward0": "ScatterBackward0",
    "SplitBackward0": "CatBackward0", "StackBackward0": "SelectBackward0",
    "SumBackward1": "ExpandBackward0", "TBackward0": "TBackward0", "TopkBackward0":
    "ScatterBackward0", "TransposeBackward0": "TransposeBackward0", "TrilBackward0":
    "TrilBackward0", "TriuBackward0": "TriuBackward0", "UnbindBackward0": "StackBackward0",
    "UnsafeViewBackward0": "ViewBackward0", "UnsqueezeBackward0": "SqueezeBackward1",
    "ViewBackward0": "ViewBackward0",
}  # fmt: skip
_OF_MEAN = ("BinaryCrossEntropyWithLogitsBackward0",)
_FLAT = {f"{word}Backward0" for word in FLAT}
_SUMMED = ("UnbroadcastBackward0", "ReshapeLikeBackward0", "SumBackward0", "SumBackward1")


class Flat(Node):
    """The history of a gradient that its input does not change: zeros, as in torch."""

    __slots__ = ()
    saves = False

    def backward(self, y_bar: Any) -> Any:
        return (np.zeros_like(y_bar),)

    def backward_graph(self, y_bar: Any) -> Any:
        return (wrap(np.zeros_like(y_bar._array)),)

    @classmethod
    def of(cls, edge: Any) -> Flat:
        """The node of the gradient that goes along an edge."""
        node = cls()
        node.order, node.hooks, node.saved, node.parents = next_order(), None, None, (edge,)
        return node


def named(node: Node, y_bar: Any, cotangents: Any) -> Any:
    """The cotangents that a node gave as tensors, with torch's names for what made them."""
    names = SECOND.get(type(node).__name__, ())
    names = (names,) if isinstance(names, str) else names
    for i, made in enumerate(cotangents):
        maker = getattr(made, "_node", None)
        flat = type(node).__name__ in _FLAT and node.parents[i] is not None
        if maker is None and flat and isinstance(made, Tensor):
            maker = made._node = Flat.of(node.parents[i])
        if not isinstance(maker, Node) or maker.order > node.order or maker is _of(y_bar):
            continue  # passed on as it was
        if names and (node.name() not in _OF_MEAN or _is_mean(y_bar, made)):
            named_as(made, names[min(i, len(names) - 1)])
        elif type(maker).__name__ in _SUMMED:
            same = made._array.ndim == getattr(y_bar, "_array", made._array).ndim
            named_as(made, type(maker).__name__ if same else "ViewBackward0")
    return cotangents


def _is_mean(y_bar: Any, made: Any) -> bool:
    return bool(np.ndim(getattr(y_bar, "_array", y_bar)) < made._array.ndim)


def _of(y_bar: Any) -> Any:
    return getattr(y_bar, "_node", None)

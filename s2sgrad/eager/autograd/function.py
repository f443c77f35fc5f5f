"""`torch.autograd.function`: Function and what belongs to it."""

from s2sgrad.eager.passes.function import Function, FunctionNode, once_differentiable
from s2sgrad.eager.passes.function import FunctionNode as BackwardCFunction
from s2sgrad.eager.passes.function import FunctionNode as FunctionCtx

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionNode",
    "once_differentiable",
]

"""A product or a quotient added to a tensor, in one node."""

from __future__ import annotations

from typing import Any

from s2sgrad.eager.operations import primitives
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.tensors.promotion import result_type
from s2sgrad.eager.tensors.tensor import Tensor


def addcmul(input: Tensor, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
    """`input + value * tensor1 * tensor2`."""
    op = op_of(primitives.addcmul_array, "AddcmulBackward0")
    return apply(op, (*in_common(input, tensor1, tensor2), value), {})


def addcdiv(input: Tensor, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
    """`input + value * tensor1 / tensor2`."""
    op = op_of(primitives.addcdiv_array, "AddcdivBackward0")
    if all(isinstance(t, Tensor) and t._array.dtype.kind in "iub" for t in (tensor1, tensor2)):
        raise RuntimeError(WHOLE_ADDCDIV)
    return apply(op, (*in_common(input, tensor1, tensor2), value), {})


WHOLE_ADDCDIV = (
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will "
    "perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be "
    "implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer "
    "inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv "
    "behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all "
    "dtypes."
)


def in_common(*tensors: Any) -> list[Any]:
    """The tensors in the dtype that they have in common; anything else as it is."""
    common = result_type(*tensors)
    return [
        t.to(common) if isinstance(t, Tensor) and t._array.dtype != common.np else t  # type: ignore[attr-defined]
        for t in tensors
    ]

"""What further functions of layers and losses refuse, in torch's words."""

from __future__ import annotations

from typing import Any

from s2sgrad.eager._core import Tensor

_SELF_PADDING = """Padding size {} is not supported for {}D input tensor.
Supported combinations for non-constant padding:
  - 2D or 3D input: padding size = 2 (pads last dimension)
  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)
  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"""


def check_padding(input: Tensor, pad: Any, mode: str) -> None:
    """Arguments of `pad`."""
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    count = len(pad) // 2
    if mode == "constant":
        pairs = zip(pad[::2], pad[1::2], reversed(input.shape), strict=False)
        if any(left + right + n < 0 for left, right, n in pairs):
            raise RuntimeError("narrow(): length must be non-negative.")
        return
    if mode in ("reflect", "replicate", "circular") and input.dim() not in (count + 1, count + 2):
        raise NotImplementedError(_SELF_PADDING.format(len(pad), input.dim()))
    for i in range(count if mode == "reflect" else 0):
        if max(pad[2 * i : 2 * i + 2]) >= input.shape[-1 - i]:
            raise RuntimeError(
                f"Argument #{4 + 2 * i}: Padding size should be less than the corresponding input "
                f"dimension, but got: padding ({pad[2 * i]}, {pad[2 * i + 1]}) at dimension "
                f"{input.dim() - 1 - i} of input {list(input.shape)}"
            )


def check_bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Any) -> None:
    """Arguments of `bilinear`."""
    for i, (n, m) in enumerate(zip(input1.shape[:-1], input2.shape[:-1], strict=True)):
        if n != m:
            raise RuntimeError(
                f"bilinear(): input batch dimensions do not match at dim {i}: got {n} and {m}"
            )
    for k, t in ((1, input1), (2, input2)):
        if t.shape[-1] != weight.shape[k]:
            raise RuntimeError(
                f"bilinear(): input{k} size does not match weight size: got {t.shape[-1]} but "
                f"expected {weight.shape[k]}"
            )
    if bias is not None and bias.shape[0] != weight.shape[0]:
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias.shape[0]} but expected "
            f"{weight.shape[0]}"
        )


def check_slopes(input: Tensor, weight: Tensor) -> None:
    """Arguments of `prelu`: one slope, or one for each channel."""
    channels = input.shape[1] if input.dim() > 1 else 1
    if weight.numel() not in (1, channels):
        raise RuntimeError(
            "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
            f"{weight.numel()} and channel size = {channels}."
        )


def check_scales(shape: list[int], weight: Any, bias: Any) -> None:
    """Arguments of `layer_norm`."""
    for name, t in (("weight", weight), ("bias", bias)):
        if t is not None and list(t.shape) != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(t.shape)} and normalized_shape = {shape}"
            )


def check_cosine_targets(input1: Tensor, input2: Tensor, target: Tensor) -> None:
    """Arguments of `cosine_embedding_loss`."""
    dims = target.dim()
    if dims > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if not input1.dim() == input2.dim() == dims + 1:
        raise RuntimeError(
            f"{dims}D target tensor expects {dims + 1}D input tensors, but found inputs with sizes "
            f"{list(input1.shape)} and {list(input2.shape)}."
        )


def check_triplet(anchor: Tensor, positive: Tensor, negative: Tensor) -> None:
    """Arguments of `triplet_margin_loss`."""
    a, p, n = anchor.dim(), positive.dim(), negative.dim()
    if not a == p == n:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {a}D, positive {p}D, and negative {n}D inputs"
        )


def check_output_sizes(name: str, input: Tensor, sizes: Any) -> None:
    """Arguments of adaptive pools over two axes."""
    if input.dim() not in (3, 4):
        raise RuntimeError(f"{name}(): Expected 3D or 4D tensor, but got {list(input.shape)}")
    if min(sizes) < 0:
        raise RuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received "
            f"{{{', '.join(map(str, sizes))}}}"
        )

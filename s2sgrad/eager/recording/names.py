"""Names of graph nodes as torch prints them."""

from __future__ import annotations

_TORCH = {
    "absolute": "Abs", "add": "Add", "amax": "Amax", "amin": "Amin", "arccos": "Acos",
    "arccosh": "Acosh", "arcsin": "Asin", "arcsinh": "Asinh", "arctan": "Atan",
    "arctan2": "Atan2", "arctanh": "Atanh", "broadcast_to": "Expand", "clip": "Clamp",
    "concatenate": "Cat", "conjugate": "Conj", "copysign": "Copysign", "divide": "Div",
    "einsum": "Bmm", "fabs": "Abs", "fmax": "Fmax", "fmin": "Fmin", "matmul": "Mm", "max": "Max",
    "maximum": "Maximum", "mean": "Mean", "min": "Min", "minimum": "Minimum", "multiply": "Mul",
    "negative": "Neg", "power": "Pow", "remainder": "Remainder", "repeat": "RepeatInterleave",
    "reshape": "View", "rint": "Round", "std": "Std", "subtract": "Sub", "tile": "Repeat",
    "true_divide": "Div", "take_along_axis": "Gather", "swapaxes": "Transpose",
    "moveaxis": "Permute", "expand_dims": "Unsqueeze", "invert": "BitwiseNot",
    "inv": "LinalgInvEx", "det": "LinalgDet", "solve": "LinalgSolveEx", "cholesky":
    "LinalgCholeskyEx", "slogdet": "LinalgSlogdet", "eigh": "LinalgEigh", "svd": "LinalgSvd",
    "qr": "LinalgQr", "norm": "LinalgVectorNorm", "pinv": "LinalgPinv", "square": "Pow",
}  # fmt: skip


def node_name(function: str) -> str:
    """`np.multiply` -> "MulBackward0"."""
    short = function.rsplit(".", 1)[-1].strip("_<>")
    word = _TORCH.get(short) or "".join(p[:1].upper() + p[1:] for p in short.split("_"))
    return f"{word}Backward0"

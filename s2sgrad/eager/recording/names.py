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
    "unbroadcast": "SumBackward1", "unreshape": "View", "unreduce": "Expand",
    "unstack": "Select", "untile": "Repeat",
    "untranspose": "Permute", "undiagonal": "DiagonalBackward", "undiag": "Diagonal",
    "unaccumulate": "Flip", "matmul_bar_left": "Mm", "matmul_bar_right": "Mm",
    "take_along_axis_bar": "Scatter", "pad_bar": "ConstantPadNd", "take_bar": "IndexAdd",
    "power_bar_base": "Where", "power_bar_exponent": "Mul", "einsum_bars": "Bmm",
}  # fmt: skip


def node_name(function: str) -> str:
    """`np.multiply` -> "MulBackward0"."""
    short = function.rsplit(".", 1)[-1].strip("_<>")
    word = _TORCH.get(short) or "".join(p[:1].upper() + p[1:] for p in short.split("_"))
    return word if word[:-1].endswith("Backward") else f"{word}Backward0"


# What nodes keep: torch's name -> the rules' names for it.
SAVED: dict[str, tuple[str, ...]] = {
    "self": ("a", "x", "x1", "input"), "other": ("x2", "b"), "result": ("y",),
    "tensor": ("x2",), "vec": ("x2",), "mat1": ("b", "x"),
    "mat2": ("c", "weight", "x2"), "exponent": ("x2",),
    "dim": ("axis",), "dims": ("axis",), "keepdim": ("keepdims",), "ord": ("order",),
    "index": ("indices",), "indices": ("index",), "min": ("low", "a_min"),
    "max": ("high", "a_max"), "mask": ("condition",), "repeats": ("reps",), "shifts": ("shift",),
    "correction": ("ddof",), "diagonal": ("k",), "dim1": ("axis1",), "dim2": ("axis2",),
}  # fmt: skip
SPECIAL: dict[str, str | tuple[str, ...]] = {
    "mat1": "Addmm",
    "mat2": ("Mm", "Addmm", "Bmm"),
    "tensor": "Dot",
    "vec": "Mv",
    "exponent": "Pow",
}


def torch_name(kind: str, parameter: str) -> str:
    """What a node of torch's calls a parameter of a rule."""
    found = [short for short, names in SAVED.items() if parameter in names]
    special = [short for short in found if kind.startswith(SPECIAL.get(short, "*"))]
    plain = [short for short in found if short not in SPECIAL]
    return (special + plain + [parameter])[0]

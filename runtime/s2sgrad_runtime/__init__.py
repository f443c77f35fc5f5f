"""What generated code imports: NumPy only, no compiler.

`__all__` is the vocabulary that rules and generated code may use beside `np`.
"""

from s2sgrad_runtime.shapes import (
    broadcast_like,
    expand_reduced,
    normalize_axes,
    reduced_count,
    unbroadcast,
    unreduce,
)

__all__ = [
    "broadcast_like",
    "expand_reduced",
    "normalize_axes",
    "reduced_count",
    "unbroadcast",
    "unreduce",
]

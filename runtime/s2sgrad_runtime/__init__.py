"""What generated code imports: NumPy only, no compiler.

`__all__` is the vocabulary that rules and generated code may use beside `np`: the public names
of every topic module.
"""

from s2sgrad_runtime import indexing, shapes
from s2sgrad_runtime.indexing import *  # noqa: F403
from s2sgrad_runtime.shapes import *  # noqa: F403

__all__ = [*indexing.__all__, *shapes.__all__]

"""What generated code imports: NumPy only, no compiler.

`__all__` is the vocabulary that rules and generated code may use beside `np`: the public names
of every topic module.
"""

from s2sgrad_runtime import (
    calculus,
    covariance,
    elementwise,
    indexing,
    joining,
    matrices,
    products,
    quantiles,
    reductions,
    scientific,
    shapes,
    trees,
)
from s2sgrad_runtime.calculus import *  # noqa: F403
from s2sgrad_runtime.covariance import *  # noqa: F403
from s2sgrad_runtime.elementwise import *  # noqa: F403
from s2sgrad_runtime.indexing import *  # noqa: F403
from s2sgrad_runtime.joining import *  # noqa: F403
from s2sgrad_runtime.matrices import *  # noqa: F403
from s2sgrad_runtime.products import *  # noqa: F403
from s2sgrad_runtime.quantiles import *  # noqa: F403
from s2sgrad_runtime.reductions import *  # noqa: F403
from s2sgrad_runtime.scientific import *  # noqa: F403
from s2sgrad_runtime.shapes import *  # noqa: F403
from s2sgrad_runtime.trees import *  # noqa: F403

__all__ = []
__all__ += calculus.__all__
__all__ += covariance.__all__
__all__ += elementwise.__all__
__all__ += indexing.__all__
__all__ += joining.__all__
__all__ += matrices.__all__
__all__ += products.__all__
__all__ += quantiles.__all__
__all__ += reductions.__all__
__all__ += scientific.__all__
__all__ += shapes.__all__
__all__ += trees.__all__

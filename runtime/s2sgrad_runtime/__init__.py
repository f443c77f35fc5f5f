"""What generated code imports: NumPy only, no compiler.

`__all__` is the vocabulary that rules and generated code may use beside `np`: the public names
of every topic module.
"""

from s2sgrad_runtime import (
    absent,
    banded,
    bessel,
    calculus,
    circular,
    covariance,
    decompositions,
    drawing,
    elementwise,
    elliptic,
    error_functions,
    factors,
    fft,
    filters,
    gammas,
    gaps,
    images,
    incomplete,
    indexing,
    inverses,
    joining,
    legendre,
    linalg,
    lying,
    matrices,
    matrix_functions,
    norms,
    orthants,
    planes,
    polygammas,
    products,
    quadrature,
    quantiles,
    reductions,
    scipy_densities,
    scipy_helpers,
    scipy_linalg,
    scipy_log_densities,
    scipy_matrices,
    set_orders,
    shapes,
    solvers,
    special,
    spheroidal,
    statistics,
    texts,
    transposition,
    trees,
)
from s2sgrad_runtime.absent import *  # noqa: F403
from s2sgrad_runtime.banded import *  # noqa: F403
from s2sgrad_runtime.bessel import *  # noqa: F403
from s2sgrad_runtime.calculus import *  # noqa: F403
from s2sgrad_runtime.circular import *  # noqa: F403
from s2sgrad_runtime.covariance import *  # noqa: F403
from s2sgrad_runtime.decompositions import *  # noqa: F403
from s2sgrad_runtime.drawing import *  # noqa: F403
from s2sgrad_runtime.elementwise import *  # noqa: F403
from s2sgrad_runtime.elliptic import *  # noqa: F403
from s2sgrad_runtime.error_functions import *  # noqa: F403
from s2sgrad_runtime.factors import *  # noqa: F403
from s2sgrad_runtime.fft import *  # noqa: F403
from s2sgrad_runtime.filters import *  # noqa: F403
from s2sgrad_runtime.gammas import *  # noqa: F403
from s2sgrad_runtime.gaps import *  # noqa: F403
from s2sgrad_runtime.images import *  # noqa: F403
from s2sgrad_runtime.incomplete import *  # noqa: F403
from s2sgrad_runtime.indexing import *  # noqa: F403
from s2sgrad_runtime.inverses import *  # noqa: F403
from s2sgrad_runtime.joining import *  # noqa: F403
from s2sgrad_runtime.legendre import *  # noqa: F403
from s2sgrad_runtime.linalg import *  # noqa: F403
from s2sgrad_runtime.lying import *  # noqa: F403
from s2sgrad_runtime.matrices import *  # noqa: F403
from s2sgrad_runtime.matrix_functions import *  # noqa: F403
from s2sgrad_runtime.norms import *  # noqa: F403
from s2sgrad_runtime.orthants import *  # noqa: F403
from s2sgrad_runtime.planes import *  # noqa: F403
from s2sgrad_runtime.polygammas import *  # noqa: F403
from s2sgrad_runtime.products import *  # noqa: F403
from s2sgrad_runtime.quadrature import *  # noqa: F403
from s2sgrad_runtime.quantiles import *  # noqa: F403
from s2sgrad_runtime.reductions import *  # noqa: F403
from s2sgrad_runtime.scipy_densities import *  # noqa: F403
from s2sgrad_runtime.scipy_helpers import *  # noqa: F403
from s2sgrad_runtime.scipy_linalg import *  # noqa: F403
from s2sgrad_runtime.scipy_log_densities import *  # noqa: F403
from s2sgrad_runtime.scipy_matrices import *  # noqa: F403
from s2sgrad_runtime.set_orders import *  # noqa: F403
from s2sgrad_runtime.shapes import *  # noqa: F403
from s2sgrad_runtime.solvers import *  # noqa: F403
from s2sgrad_runtime.special import *  # noqa: F403
from s2sgrad_runtime.spheroidal import *  # noqa: F403
from s2sgrad_runtime.statistics import *  # noqa: F403
from s2sgrad_runtime.texts import *  # noqa: F403
from s2sgrad_runtime.transposition import *  # noqa: F403
from s2sgrad_runtime.trees import *  # noqa: F403

__all__ = []
__all__ += absent.__all__
__all__ += banded.__all__
__all__ += bessel.__all__
__all__ += calculus.__all__
__all__ += circular.__all__
__all__ += covariance.__all__
__all__ += decompositions.__all__
__all__ += drawing.__all__
__all__ += elementwise.__all__
__all__ += elliptic.__all__
__all__ += error_functions.__all__
__all__ += factors.__all__
__all__ += fft.__all__
__all__ += filters.__all__
__all__ += images.__all__
__all__ += incomplete.__all__
__all__ += indexing.__all__
__all__ += inverses.__all__
__all__ += joining.__all__
__all__ += gammas.__all__
__all__ += gaps.__all__
__all__ += legendre.__all__
__all__ += linalg.__all__
__all__ += lying.__all__
__all__ += matrices.__all__
__all__ += matrix_functions.__all__
__all__ += norms.__all__
__all__ += orthants.__all__
__all__ += planes.__all__
__all__ += polygammas.__all__
__all__ += products.__all__
__all__ += quadrature.__all__
__all__ += quantiles.__all__
__all__ += reductions.__all__
__all__ += scipy_densities.__all__
__all__ += scipy_log_densities.__all__
__all__ += scipy_helpers.__all__
__all__ += scipy_linalg.__all__
__all__ += scipy_matrices.__all__
__all__ += set_orders.__all__
__all__ += shapes.__all__
__all__ += solvers.__all__
__all__ += special.__all__
__all__ += spheroidal.__all__
__all__ += statistics.__all__
__all__ += texts.__all__
__all__ += transposition.__all__
__all__ += trees.__all__

"""The helpers for np.linalg, np.fft and SciPy in one namespace."""

from s2sgrad_runtime import (
    banded,
    decompositions,
    elliptic,
    fft,
    filters,
    linalg,
    norms,
    quadrature,
    scipy_densities,
    scipy_helpers,
    scipy_linalg,
    scipy_matrices,
    special,
    statistics,
)
from s2sgrad_runtime.banded import *  # noqa: F403
from s2sgrad_runtime.decompositions import *  # noqa: F403
from s2sgrad_runtime.elliptic import *  # noqa: F403
from s2sgrad_runtime.fft import *  # noqa: F403
from s2sgrad_runtime.filters import *  # noqa: F403
from s2sgrad_runtime.linalg import *  # noqa: F403
from s2sgrad_runtime.norms import *  # noqa: F403
from s2sgrad_runtime.quadrature import *  # noqa: F403
from s2sgrad_runtime.scipy_densities import *  # noqa: F403
from s2sgrad_runtime.scipy_helpers import *  # noqa: F403
from s2sgrad_runtime.scipy_linalg import *  # noqa: F403
from s2sgrad_runtime.scipy_matrices import *  # noqa: F403
from s2sgrad_runtime.special import *  # noqa: F403
from s2sgrad_runtime.statistics import *  # noqa: F403

__all__ = []
__all__ += banded.__all__
__all__ += decompositions.__all__
__all__ += elliptic.__all__
__all__ += fft.__all__
__all__ += linalg.__all__
__all__ += norms.__all__
__all__ += scipy_densities.__all__
__all__ += scipy_helpers.__all__
__all__ += scipy_linalg.__all__
__all__ += scipy_matrices.__all__
__all__ += special.__all__
__all__ += statistics.__all__
__all__ += filters.__all__
__all__ += quadrature.__all__

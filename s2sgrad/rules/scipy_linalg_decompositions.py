"""Floor 2: rules of scipy.linalg's factorisations and eigenvalues."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import no_derivative, structural, tangent
from s2sgrad.rules.unserved import GIVEN
from s2sgrad_runtime import (
    both,
    eig_pullback,
    eig_pushforward,
    eigh_part_pullback,
    eigh_part_pushforward,
    eigvals_pullback,
    eigvals_pushforward,
    norm_pullback,
    norm_pushforward,
    only_if,
    opposite,
    polar_pullback,
    polar_pushforward,
    pushed_complex,
    scipy_qr_pullback,
    scipy_qr_pushforward,
    svd_pullback,
    svd_pushforward,
    svdvals_pullback,
    svdvals_pushforward,
)


@structural("scipy.linalg.norm", holomorphic=False, reduces=True)
def norm_(
    y_bar: Any,
    y: Any,
    a: Any,
    ord: Any = None,
    axis: Any = None,
    keepdims: Any = False,
    check_finite: Any = True,
) -> Any:
    """As np.linalg.norm."""
    return norm_pullback(y_bar, y, a, ord, axis, keepdims)


@tangent("scipy.linalg.norm")
def norm_tangent(
    y: Any,
    a: Any,
    ord: Any = None,
    axis: Any = None,
    keepdims: Any = False,
    check_finite: Any = True,
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return norm_pushforward(a_dot, y, a, ord, axis, keepdims)


@structural(
    "scipy.linalg.eigh",
    holomorphic=False,
    tuple_output=True,
    optional=("b",),
    extra={"not_for": {"type": (2, 3)}},
)
def eigh_(
    y_bar: Any,
    y: Any,
    a: Any,
    b: Any = None,
    lower: Any = True,
    eigvals_only: Any = False,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    type: Any = 1,
    check_finite: Any = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: Any = None,
) -> Any:
    """As np.linalg.eigh, with a second matrix; all eigenvalues."""
    return eigh_part_pullback(y_bar, y, a, b, lower, eigvals_only, type, False), eigh_part_pullback(
        y_bar, y, a, b, lower, eigvals_only, type, True
    )


@tangent("scipy.linalg.eigh")
def eigh_tangent(
    y: Any,
    a: Any,
    b: Any = None,
    lower: Any = True,
    eigvals_only: Any = False,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    type: Any = 1,
    check_finite: Any = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: Any = None,
    *,
    a_dot: Any,
    b_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return eigh_part_pushforward(
        a_dot, y, a, b, lower, eigvals_only, type, False
    ), eigh_part_pushforward(b_dot, y, a, b, lower, eigvals_only, type, True)


@structural(
    "scipy.linalg.eigvalsh",
    holomorphic=False,
    optional=("b",),
    extra={"not_for": {"type": (2, 3)}},
)
def eigvalsh_(
    y_bar: Any,
    y: Any,
    a: Any,
    b: Any = None,
    lower: Any = True,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    type: Any = 1,
    check_finite: Any = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: Any = None,
) -> Any:
    """As np.linalg.eigvalsh, with a second matrix; all eigenvalues."""
    return eigh_part_pullback(y_bar, y, a, b, lower, True, type, False), eigh_part_pullback(
        y_bar, y, a, b, lower, True, type, True
    )


@tangent("scipy.linalg.eigvalsh")
def eigvalsh_tangent(
    y: Any,
    a: Any,
    b: Any = None,
    lower: Any = True,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    type: Any = 1,
    check_finite: Any = True,
    subset_by_index: Any = None,
    subset_by_value: Any = None,
    driver: Any = None,
    *,
    a_dot: Any,
    b_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return eigh_part_pushforward(a_dot, y, a, b, lower, True, type, False), eigh_part_pushforward(
        b_dot, y, a, b, lower, True, type, True
    )


@structural(
    "scipy.linalg.eigvals",
    holomorphic=False,
    extra={"not_for": {"b": GIVEN, "homogeneous_eigvals": (True,)}},
)
def eigvals_(
    y_bar: Any,
    y: Any,
    a: Any,
    b: Any = None,
    overwrite_a: Any = False,
    check_finite: Any = True,
    homogeneous_eigvals: Any = False,
) -> Any:
    """As np.linalg.eigvals; for one matrix."""
    return eigvals_pullback(only_if(b is None, y_bar, "eigvals of two matrices"), a)


@tangent("scipy.linalg.eigvals")
def eigvals_tangent(
    y: Any,
    a: Any,
    b: Any = None,
    overwrite_a: Any = False,
    check_finite: Any = True,
    homogeneous_eigvals: Any = False,
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return eigvals_pushforward(only_if(b is None, a_dot, "eigvals of two matrices"), a) + 0j


@structural(
    "scipy.linalg.eig",
    holomorphic=False,
    tuple_output=True,
    extra={
        "not_for": {"b": GIVEN, "left": (True,), "right": (False,), "homogeneous_eigvals": (True,)}
    },
)
def eig_(
    y_bar: Any,
    y: Any,
    a: Any,
    b: Any = None,
    left: Any = False,
    right: Any = True,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    homogeneous_eigvals: Any = False,
) -> Any:
    """As np.linalg.eig; for one matrix, right eigenvectors."""
    return eig_pullback(
        only_if(
            both(b is None, both(right, opposite(left))),
            y_bar,
            "eig of two matrices or from the left",
        ),
        y,
        a,
    )


@tangent("scipy.linalg.eig")
def eig_tangent(
    y: Any,
    a: Any,
    b: Any = None,
    left: Any = False,
    right: Any = True,
    overwrite_a: Any = False,
    overwrite_b: Any = False,
    check_finite: Any = True,
    homogeneous_eigvals: Any = False,
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return pushed_complex(
        eig_pushforward(
            only_if(
                both(b is None, both(right, opposite(left))),
                a_dot,
                "eig of two matrices or from the left",
            ),
            y,
        )
    )


@structural("scipy.linalg.svd", holomorphic=False, tuple_output=True)
def svd_(
    y_bar: Any,
    y: Any,
    a: Any,
    full_matrices: Any = True,
    compute_uv: Any = True,
    overwrite_a: Any = False,
    check_finite: Any = True,
    lapack_driver: Any = "gesdd",
) -> Any:
    """As np.linalg.svd."""
    return svd_pullback(y_bar, y, a, compute_uv)


@tangent("scipy.linalg.svd")
def svd_tangent(
    y: Any,
    a: Any,
    full_matrices: Any = True,
    compute_uv: Any = True,
    overwrite_a: Any = False,
    check_finite: Any = True,
    lapack_driver: Any = "gesdd",
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return svd_pushforward(a_dot, y, a, compute_uv)


@structural("scipy.linalg.svdvals", holomorphic=False)
def svdvals_(y_bar: Any, y: Any, a: Any, overwrite_a: Any = False, check_finite: Any = True) -> Any:
    """u diag(y_bar) v^H."""
    return svdvals_pullback(y_bar, a)


@tangent("scipy.linalg.svdvals")
def svdvals_tangent(
    y: Any, a: Any, overwrite_a: Any = False, check_finite: Any = True, *, a_dot: Any
) -> Any:
    """The same derivative, forward."""
    return svdvals_pushforward(a_dot, np.linalg.svd(a, full_matrices=False))


@structural("scipy.linalg.qr", holomorphic=False, tuple_output=True)
def qr_(
    y_bar: Any,
    y: Any,
    a: Any,
    overwrite_a: Any = False,
    lwork: Any = None,
    mode: Any = "full",
    pivoting: Any = False,
    check_finite: Any = True,
) -> Any:
    """As np.linalg.qr; the order of the pivots is locally constant."""
    return scipy_qr_pullback(y_bar, y, a, mode, pivoting)


@tangent("scipy.linalg.qr")
def qr_tangent(
    y: Any,
    a: Any,
    overwrite_a: Any = False,
    lwork: Any = None,
    mode: Any = "full",
    pivoting: Any = False,
    check_finite: Any = True,
    *,
    a_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return scipy_qr_pushforward(a_dot, y, a, mode, pivoting)


@structural("scipy.linalg.polar", holomorphic=False, tuple_output=True)
def polar_(y_bar: Any, y: Any, a: Any, side: Any = "right") -> Any:
    """a = u p; the turn of u solves a Sylvester equation. Where p has an inverse."""
    return polar_pullback(y_bar, y, a, side == "left")


@tangent("scipy.linalg.polar")
def polar_tangent(y: Any, a: Any, side: Any = "right", *, a_dot: Any) -> Any:
    """The same derivative, forward."""
    return polar_pushforward(a_dot, y, side == "left")


no_derivative(
    "scipy.linalg.bandwidth",
    "scipy.linalg.dft",
    "scipy.linalg.hadamard",
    "scipy.linalg.helmert",
    "scipy.linalg.hilbert",
    "scipy.linalg.invhilbert",
    "scipy.linalg.invpascal",
    "scipy.linalg.pascal",
    "scipy.linalg.ishermitian",
    "scipy.linalg.issymmetric",
)

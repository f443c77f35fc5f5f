"""Floor 2: rules of products of vectors, matrices and tensors."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    cross_bar_left,
    cross_bar_right,
    dot_bar_left,
    dot_bar_right,
    einsum_bars,
    einsum_dot,
    inner_bar_left,
    inner_bar_right,
    kron_bar_left,
    kron_bar_right,
    matmul_bar_left,
    matmul_bar_right,
    tensordot_bar_left,
    tensordot_bar_right,
    unbroadcast,
    undiagonal,
)


@structural(np.matmul, linear=("x1", "x2"))
def matmul(y_bar, y, x1, x2):
    """x1_bar = y_bar x2^T, x2_bar = x1^T y_bar; ranks and batches are the helpers' business."""
    return matmul_bar_left(y_bar, x1, x2), matmul_bar_right(y_bar, x1, x2)


@structural(np.dot, linear=("a", "b"))
def dot(y_bar, y, a, b, out=None):
    """Sums the last axis of a with the last but one of b."""
    return dot_bar_left(y_bar, a, b), dot_bar_right(y_bar, a, b)


@structural(np.inner, linear=("a", "b"))
def inner(y_bar, y, a, b):
    """Sums both last axes."""
    return inner_bar_left(y_bar, a, b), inner_bar_right(y_bar, a, b)


@structural(np.outer, linear=("a", "b"))
def outer(y_bar, y, a, b, out=None):
    """y_ij = a_i b_j, of the flattened arrays."""
    return np.reshape(y_bar @ np.ravel(b), np.shape(a)), np.reshape(
        np.ravel(a) @ y_bar, np.shape(b)
    )


@structural(np.tensordot, linear=("a", "b"))
def tensordot(y_bar, y, a, b, axes=2):
    """Sums the axes given; the cotangents sum the others."""
    return tensordot_bar_left(y_bar, a, b, axes), tensordot_bar_right(y_bar, a, b, axes)


@structural(np.einsum, sequences=("operands",))
def einsum(
    y_bar, y, subscripts, *operands, optimize=False, out=None, dtype=None, order="K", casting="safe"
):
    """The cotangent of an operand is the einsum of y_bar and the other operands."""
    return None, einsum_bars(y_bar, subscripts, operands)


@tangent(np.einsum)
def einsum_dot_(
    y,
    subscripts,
    *operands,
    optimize=False,
    out=None,
    dtype=None,
    order="K",
    casting="safe",
    subscripts_dot,
    operands_dot,
):
    """Each operand's tangent in its place, added up."""
    return None, einsum_dot(operands_dot, subscripts, operands)


@structural(np.vdot, holomorphic=False, linear=("a", "b"))
def vdot(y_bar, y, a, b):
    """y = sum conj(a) b, of the flattened arrays."""
    a_bar = np.conjugate(y_bar) * b
    b_bar = y_bar * a
    return np.reshape(a_bar, np.shape(a)), np.reshape(b_bar, np.shape(b))


@structural(np.vecdot, holomorphic=False, linear=("x1", "x2"))
def vecdot(y_bar, y, x1, x2, axis=-1):
    """y = sum conj(x1) x2 along one axis of each, counted from its own first; the others meet."""
    left = np.moveaxis(x1, axis, -1)
    right = np.moveaxis(x2, axis, -1)
    u = y_bar[..., None]
    return (
        np.moveaxis(unbroadcast(np.conjugate(u) * right, left), -1, axis),
        np.moveaxis(unbroadcast(u * left, right), -1, axis),
    )


@structural(np.matvec, linear=("x1", "x2"))
def matvec(y_bar, y, x1, x2):
    """y = x1 @ x2 for a stack of matrices and a stack of vectors."""
    u = y_bar[..., None]
    return unbroadcast(u * x2[..., None, :], x1), unbroadcast(np.sum(u * x1, axis=-2), x2)


@structural(np.vecmat, holomorphic=False, linear=("x1", "x2"))
def vecmat(y_bar, y, x1, x2):
    """y = conj(x1) @ x2 for a stack of vectors and a stack of matrices."""
    u = y_bar[..., None, :]
    return (
        unbroadcast(np.sum(np.conjugate(u) * x2, axis=-1), x1),
        unbroadcast(u * x1[..., None], x2),
    )


@structural(np.kron, linear=("a", "b"))
def kron(y_bar, y, a, b):
    """Every entry of a times the whole of b."""
    return kron_bar_left(y_bar, a, b), kron_bar_right(y_bar, a, b)


@structural(np.cross, linear=("a", "b"))
def cross(y_bar, y, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """a_bar = b x y_bar, b_bar = y_bar x a; vectors of two entries have a third of zero."""
    return (
        cross_bar_left(y_bar, a, b, axisa, axisb, axisc, axis),
        cross_bar_right(y_bar, a, b, axisa, axisb, axisc, axis),
    )


@structural(np.trace, linear=("a",))
def trace(y_bar, y, a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """Each entry of the diagonal adds with weight 1."""
    return undiagonal(np.expand_dims(y_bar, -1), a, offset, axis1, axis2)

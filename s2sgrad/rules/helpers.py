"""Floor 2: rules of the runtime helpers themselves, for derivatives of generated code.

Helpers that are linear in the cotangent they take are transposes of the primal function, so
that their rule leads back to it.
"""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import elementwise, structural, tangent
from s2sgrad_runtime import (
    as_cotangent,
    broadcast_like,
    counted,
    cross_bar_left,
    cross_bar_right,
    cross_like,
    dot_bar_left,
    dot_bar_right,
    edge_ratio,
    expand_reduced,
    far_refused,
    gradient_bar,
    inner_bar_left,
    inner_bar_right,
    kron_bar_left,
    kron_bar_right,
    laid_as,
    laid_beside,
    masked,
    matmul_bar_left,
    matmul_bar_right,
    mesh_like,
    others_bar,
    others_dot,
    pad_bar,
    pad_dot,
    power_bar_base,
    power_bar_exponent,
    products_of_others,
    real_like,
    reread,
    reshape_like,
    running,
    running_bar,
    safe_divide,
    settled_result,
    split_like,
    tensordot_bar_left,
    tensordot_bar_right,
    unaccumulate,
    unbroadcast,
    uncross,
    undiagonal,
    undiff,
    unmesh,
    unreduce,
    unrepeat,
    unreshape,
    unrunning,
    unstack,
    untile,
    untranspose,
)


@structural(unbroadcast, linear=("x_bar",))
def unbroadcast_(y_bar, y, x_bar, x):
    """Spreads what was summed."""
    return broadcast_like(y_bar, x_bar), None


@structural(broadcast_like, linear=("x",))
def broadcast_like_(y_bar, y, x, like):
    """Sums what was spread."""
    return unbroadcast(y_bar, x), None


@structural(as_cotangent, linear=("x_bar",))
def as_cotangent_(y_bar, y, x_bar, x):
    """Sums what a number was spread to."""
    return unbroadcast(y_bar, x_bar), None


@structural(real_like, linear=("x_bar",))
def real_like_(y_bar, y, x_bar, x):
    """A projection is its own transpose."""
    return y_bar, None


@structural(settled_result)
def settled_result_(y_bar, y, x, near):
    """The same, or an error."""
    return far_refused(y_bar, near), None


@tangent(settled_result)
def settled_result_dot(y, x, near, *, x_dot):
    """The same, or an error."""
    return far_refused(x_dot, near), None


@structural(far_refused, linear=("x_bar",))
def far_refused_(y_bar, y, x_bar, near):
    """The same, or an error."""
    return far_refused(y_bar, near), None


@structural(reshape_like, linear=("z",))
def reshape_like_(y_bar, y, z, a):
    """Back to the shape of z."""
    return reshape_like(y_bar, z), None


@structural(expand_reduced, linear=("z",))
def expand_reduced_(y_bar, y, z, a, axis=None, keepdims=False):
    """Back to the shape of z."""
    return reshape_like(y_bar, z), None


@structural(unreduce, linear=("z",))
def unreduce_(y_bar, y, z, a, axis=None, keepdims=False, where=True):
    """The transpose of np.sum."""
    return (
        reshape_like(np.sum(y_bar, axis=axis, keepdims=keepdims, where=where), z),
        None,
    )


@structural(unreshape, linear=("z",))
def unreshape_(y_bar, y, z, a, order="C"):
    """The same reshape, forward."""
    return reread(y_bar, a, z.shape, order), None


@structural(reread, linear=("z",), flat=("shape",))
def reread_(y_bar, y, z, a, shape, order="C"):
    """And back."""
    return unreshape(np.reshape(y_bar, shape), a, order), None, None


@structural(laid_as, linear=("z",), flat=("order",))
def laid_as_(y_bar, y, z, a, order):
    """The same numbers."""
    return y_bar, None, None


@structural(laid_beside, linear=("z",), sequences=("arrays",))
def laid_beside_(y_bar, y, z, arrays):
    """The same numbers."""
    return y_bar, None


@structural(untranspose, linear=("z",))
def untranspose_(y_bar, y, z, axes=None):
    """The same permutation, forward."""
    return np.transpose(y_bar, axes)


@structural(unrepeat, linear=("z",))
def unrepeat_(y_bar, y, z, a, repeats, axis=None):
    """The transpose of np.repeat."""
    return np.repeat(y_bar, repeats, axis=axis), None, None


@structural(untile, linear=("z",))
def untile_(y_bar, y, z, a, reps):
    """The transpose of np.tile."""
    return np.tile(y_bar, reps), None, None


@structural(unaccumulate, linear=("z",))
def unaccumulate_(y_bar, y, z, a, axis=None):
    """The transpose of np.cumsum."""
    return np.cumsum(y_bar, axis=axis), None


@structural(undiff, linear=("z",))
def undiff_(y_bar, y, z, a, n=1, axis=-1):
    """The transpose of np.diff."""
    return np.diff(y_bar, n, axis), None


@structural(running, linear=("c",))
def running_(y_bar, y, c, a):
    """The same from the end."""
    return unrunning(y_bar, a, 0), running_bar(y_bar, y, a)


@tangent(running)
def running_dot(y, c, a, *, c_dot, a_dot):
    """Each step's change, carried on."""
    before = np.concatenate((np.zeros_like(y[:1]), y[:-1]), axis=0)
    return running(c_dot, a), running(a_dot * before, a)


@structural(products_of_others)
def products_of_others_(y_bar, y, a, axis=None, initial=1, where=True):
    """The products of all but two entries."""
    return others_bar(y_bar, a, axis, initial, where)


@tangent(products_of_others)
def products_of_others_dot(y, a, axis=None, initial=1, where=True, *, a_dot):
    """The same, forward."""
    return others_dot(a_dot, a, axis, initial, where)


@structural(undiagonal, linear=("z",))
def undiagonal_(y_bar, y, z, a, offset=0, axis1=0, axis2=1):
    """The transpose of np.diagonal; z may broadcast along its last axis."""
    return unbroadcast(np.diagonal(y_bar, offset, axis1, axis2), z), None


@structural(split_like, linear=("z",), tuple_output=True)
def split_like_(y_bar, y, z, arrays, axis=0):
    """The transpose of np.concatenate."""
    return np.concatenate(y_bar, axis=axis), None


@structural(unstack, linear=("z",), tuple_output=True)
def unstack_(y_bar, y, z, axis=0):
    """The transpose of np.stack."""
    return np.stack(y_bar, axis=axis)


@structural(mesh_like, linear=("vectors",), sequences=("vectors", "grids"), tuple_output=True)
def mesh_like_(y_bar, y, vectors, grids, indexing="xy"):
    """The transpose of np.meshgrid, sparse or not."""
    return unmesh(y_bar, vectors, indexing), None


@structural(unmesh, linear=("z",), sequences=("z", "vectors"), tuple_output=True)
def unmesh_(y_bar, y, z, vectors, indexing="xy"):
    """The transpose of np.meshgrid."""
    return mesh_like(y_bar, z, indexing), None


@structural(cross_like, linear=("vectors",), sequences=("vectors", "grids"), tuple_output=True)
def cross_like_(y_bar, y, vectors, grids):
    """The transpose of np.ix_."""
    return uncross(y_bar, vectors), None


@structural(uncross, linear=("z",), sequences=("z", "vectors"), tuple_output=True)
def uncross_(y_bar, y, z, vectors):
    """The transpose of np.ix_."""
    return cross_like(y_bar, z), None


@structural(pad_bar, linear=("z",))
def pad_bar_(y_bar, y, z, array, pad_width, mode="constant", reflect_type="even", stat_length=None):
    """The transpose of np.pad."""
    return pad_dot(y_bar, pad_width, mode, reflect_type, stat_length), None, None


@structural(pad_dot, linear=("array_dot",))
def pad_dot_(
    y_bar, y, array_dot, pad_width, mode="constant", reflect_type="even", stat_length=None
):
    """np.pad of zeros around."""
    return pad_bar(y_bar, array_dot, pad_width, mode, reflect_type, stat_length), None


@structural(gradient_bar, linear=("z",))
def gradient_bar_(y_bar, y, z, f, spacings, axis=None, edge_order=1):
    """The transpose of np.gradient."""
    return np.gradient(y_bar, *spacings, axis=axis, edge_order=edge_order), None, None


@elementwise(masked, selects=True, flat=("mask",))
def masked_(y_bar, y, z, mask):
    """The cotangent passes where z was kept."""
    return np.where(counted(z, mask), y_bar, 0.0), None


@tangent(masked)
def masked_dot(y, z, mask, *, z_dot, mask_dot):
    """A slope may be infinite where the value is not."""
    return masked(z_dot, mask), None


@elementwise(safe_divide, singular=False)
def safe_divide_(y_bar, y, x1, x2):
    """That of a quotient, and 0 where x2 is 0."""
    return safe_divide(y_bar, x2), -y * safe_divide(y_bar, x2)


@elementwise(edge_ratio)
def edge_ratio_(y_bar, y, x1, x2):
    """That of a quotient, which is flat in x2 where both are 0."""
    return y_bar / x2, -y_bar * edge_ratio(y, x2)


@elementwise(power_bar_base, linear=("z",))
def power_bar_base_(y_bar, y, z, x1, x2):
    """z x2 x1**(x2 - 1), with slope z x2 (x2 - 1) x1**(x2 - 2) in x1; in x2 it is infinite where
    both are 0, and counts as 0 there."""
    lower = np.where(x2 == 0, 1, x2 - 1)
    held = np.where((x1 == 0) & (x2 == 0), 1, x2 - 1)
    u = y_bar * z
    return (
        power_bar_base(y_bar, x1, x2),
        power_bar_base(u * x2, x1, lower),
        u * x1**held + power_bar_exponent(u * x2, x1**held, x1, held),
    )


@elementwise(power_bar_exponent, linear=("z", "p"))
def power_bar_exponent_(y_bar, y, z, p, x1, x2):
    """z p ln x1, and 0 where x1 == 0 <= x2."""
    flat = (x1 == 0) & (x2 == np.abs(x2))
    slope = np.where(flat, 0.0, y_bar * z * p / np.where(flat, 1.0, x1))
    return (
        power_bar_exponent(y_bar, p, x1, x2),
        power_bar_exponent(y_bar * z, 1.0, x1, x2),
        slope,
        np.zeros_like(x2),
    )


@structural(matmul_bar_left, linear=("z", "x2"))
def matmul_bar_left_(y_bar, y, z, x1, x2):
    """z = y_bar of x1 @ x2, and this is z x2^T: bilinear, so its own rule closes the circle."""
    return y_bar @ x2, None, matmul_bar_right(z, y_bar, x2)


@structural(matmul_bar_right, linear=("z", "x1"))
def matmul_bar_right_(y_bar, y, z, x1, x2):
    """x1^T z."""
    return x1 @ y_bar, matmul_bar_left(z, x1, y_bar), None


@structural(dot_bar_left, linear=("z", "b"))
def dot_bar_left_(y_bar, y, z, a, b):
    """As matmul_bar_left."""
    return np.dot(y_bar, b), None, dot_bar_right(z, y_bar, b)


@structural(dot_bar_right, linear=("z", "a"))
def dot_bar_right_(y_bar, y, z, a, b):
    """As matmul_bar_right."""
    return np.dot(a, y_bar), dot_bar_left(z, a, y_bar), None


@structural(inner_bar_left, linear=("z", "b"))
def inner_bar_left_(y_bar, y, z, a, b):
    """As matmul_bar_left."""
    return np.inner(y_bar, b), None, inner_bar_right(z, y_bar, b)


@structural(inner_bar_right, linear=("z", "a"))
def inner_bar_right_(y_bar, y, z, a, b):
    """As matmul_bar_right."""
    return np.inner(a, y_bar), inner_bar_left(z, a, y_bar), None


@structural(kron_bar_left, linear=("z", "b"))
def kron_bar_left_(y_bar, y, z, a, b):
    """As matmul_bar_left."""
    return np.kron(y_bar, b), None, kron_bar_right(z, y_bar, b)


@structural(kron_bar_right, linear=("z", "a"))
def kron_bar_right_(y_bar, y, z, a, b):
    """As matmul_bar_right."""
    return np.kron(a, y_bar), kron_bar_left(z, a, y_bar), None


@structural(tensordot_bar_left, linear=("z", "b"))
def tensordot_bar_left_(y_bar, y, z, a, b, axes=2):
    """As matmul_bar_left."""
    return np.tensordot(y_bar, b, axes), None, tensordot_bar_right(z, y_bar, b, axes)


@structural(tensordot_bar_right, linear=("z", "a"))
def tensordot_bar_right_(y_bar, y, z, a, b, axes=2):
    """As matmul_bar_right."""
    return np.tensordot(a, y_bar, axes), tensordot_bar_left(z, a, y_bar, axes), None


@structural(cross_bar_left, linear=("z", "b"))
def cross_bar_left_(y_bar, y, z, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """As matmul_bar_left."""
    return (
        np.cross(y_bar, b, axisa, axisb, axisc, axis),
        None,
        cross_bar_right(z, y_bar, b, axisa, axisb, axisc, axis),
    )


@structural(cross_bar_right, linear=("z", "a"))
def cross_bar_right_(y_bar, y, z, a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """As matmul_bar_right."""
    return (
        np.cross(a, y_bar, axisa, axisb, axisc, axis),
        cross_bar_left(z, a, y_bar, axisa, axisb, axisc, axis),
        None,
    )

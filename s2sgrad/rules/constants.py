"""Floor 2: functions of NumPy that are flat almost everywhere, carry no derivative, or wait."""

from __future__ import annotations

import builtins
import math

import numpy as np

from s2sgrad.rules.declare import no_derivative, not_yet, zero_derivative
from s2sgrad_runtime import normalize_axes, reduced_count, tie_count, tie_share

zero_derivative(
    builtins.round,
    math.ceil,
    math.floor,
    math.trunc,
    np.around,
    np.ceil,
    np.fix,
    np.floor,
    np.floor_divide,
    np.rint,
    np.round,
    np.spacing,
    np.trunc,
    tie_share,
)

# Comparisons, tests and counts: results are booleans, integers, shapes or text.
no_derivative(
    np.all,
    np.allclose,
    np.any,
    np.argmax,
    np.argmin,
    np.argpartition,
    np.argsort,
    np.argwhere,
    np.array2string,
    np.array_equal,
    np.array_equiv,
    np.array_repr,
    np.array_str,
    np.base_repr,
    np.binary_repr,
    np.bitwise_and,
    np.bitwise_count,
    np.bitwise_invert,
    np.bitwise_left_shift,
    np.bitwise_not,
    np.bitwise_or,
    np.bitwise_right_shift,
    np.bitwise_xor,
    np.broadcast_shapes,
    np.can_cast,
    np.common_type,
    np.count_nonzero,
    np.diag_indices,
    np.diag_indices_from,
    np.digitize,
    np.einsum_path,
    np.equal,
    np.flatnonzero,
    np.format_float_positional,
    np.format_float_scientific,
    np.gcd,
    np.greater,
    np.greater_equal,
    np.histogram_bin_edges,
    np.invert,
    np.isclose,
    np.iscomplex,
    np.iscomplexobj,
    np.isdtype,
    np.isfinite,
    np.isfortran,
    np.isin,
    np.isinf,
    np.isnan,
    np.isnat,
    np.isneginf,
    np.isposinf,
    np.isreal,
    np.isrealobj,
    np.isscalar,
    np.issubdtype,
    np.iterable,
    np.ix_,
    np.lcm,
    np.left_shift,
    np.less,
    np.less_equal,
    np.lexsort,
    np.logical_and,
    np.logical_not,
    np.logical_or,
    np.logical_xor,
    np.mask_indices,
    np.may_share_memory,
    np.min_scalar_type,
    np.mintypecode,
    np.nanargmax,
    np.nanargmin,
    np.ndim,
    np.nonzero,
    np.not_equal,
    np.packbits,
    np.promote_types,
    np.ravel_multi_index,
    np.result_type,
    np.right_shift,
    np.searchsorted,
    np.shape,
    np.shares_memory,
    np.signbit,
    np.size,
    np.tril_indices,
    np.tril_indices_from,
    np.triu_indices,
    np.triu_indices_from,
    np.typename,
    np.unpackbits,
    np.unravel_index,
    normalize_axes,
    reduced_count,
    tie_count,
    builtins.bool,
    builtins.int,
    builtins.len,
    math.gcd,
    math.isclose,
    math.isfinite,
    math.isinf,
    math.isnan,
    math.lcm,
    math.comb,
    math.factorial,
    math.isqrt,
    math.perm,
)

not_yet(
    np.copyto,
    np.fill_diagonal,
    np.place,
    np.put,
    np.put_along_axis,
    np.putmask,
    why="it writes into its argument; assign with an index instead: a[index] = values",
)
not_yet(
    np.apply_along_axis,
    np.apply_over_axes,
    np.fromfunction,
    np.frompyfunc,
    np.fromiter,
    np.piecewise,
    why="it calls a Python function entry by entry; write the loop, or array code",
)
not_yet(
    np.unique,
    np.unique_all,
    np.unique_counts,
    np.unique_inverse,
    np.unique_values,
    np.union1d,
    np.intersect1d,
    np.setdiff1d,
    np.setxor1d,
    why="its length depends on which values coincide; take the entries by an index instead",
)
not_yet(
    np.histogram,
    np.histogram2d,
    np.histogramdd,
    why="counts are flat in the samples; weights have no rule yet (use np.add.at)",
)
not_yet(np.trim_zeros, why="its length depends on the values; slice instead")
not_yet(np.nextafter, why="it steps by one rounding unit, which no derivative describes")
not_yet(np.roots, np.poly, why="roots are eigenvalues of a companion matrix: use np.linalg.eigvals")
not_yet(np.cov, np.corrcoef, why="center the samples and multiply them: x @ x.T / (n - 1)")
not_yet(np.polydiv, np.polyfit, why="solve the least squares problem with np.linalg.lstsq")
not_yet(np.polymul, why="multiply coefficients with np.convolve")
not_yet(np.polyint, why="divide by the powers: np.append(p / np.arange(len(p), 0, -1), k)")
not_yet(np.sort_complex, why="sort the real or imaginary part instead")
not_yet(np.bmat, np.asmatrix, why="np.matrix is not supported; use np.block and arrays")
not_yet(
    np.nanmedian,
    np.nanpercentile,
    np.nanquantile,
    why="select the numbers with a mask first: np.median(a[~np.isnan(a)])",
)

"""Calls that hand back their argument, or a view of it, which is then written in place."""

import numpy as np

from programs.registry import program

X = np.array([0.31, 0.72, 0.53, 0.44])


@program(X, second=True)
def required_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.require(y)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def required_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.require(y)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def required_dtype_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.require(y, dtype=float)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def required_dtype_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.require(y, dtype=float)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def required_in_order_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.require(y, requirements="C")
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def required_in_order_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.require(y, requirements="C")
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def fortran_array_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.asfortranarray(y)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def fortran_array_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.asfortranarray(y)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def checked_array_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.asarray_chkfinite(y)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def checked_array_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.asarray_chkfinite(y)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def real_if_close_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.real_if_close(y)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def real_if_close_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.real_if_close(y)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def without_nan_in_place_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.nan_to_num(y, copy=False)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def without_nan_in_place_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.nan_to_num(y, copy=False)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def array_without_copy_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.array(y, copy=None)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def array_without_copy_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.array(y, copy=None)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def asarray_with_copy_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.asarray(y, copy=True)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def asarray_with_copy_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.asarray(y, copy=True)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def astype_without_copy_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = y.astype(float, copy=False)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def astype_without_copy_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = y.astype(float, copy=False)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def function_astype_without_copy_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.astype(y, float, copy=False)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def function_astype_without_copy_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.astype(y, float, copy=False)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def scalar_type_of_array_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.float64(y)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def scalar_type_of_array_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.float64(y)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def asarray_converted_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.asarray(y, dtype=complex).real
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def asarray_converted_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.asarray(y, dtype=complex).real
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def depth_split_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.dsplit(y.reshape(1, 1, 4), 2)[0][0, 0]
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def depth_split_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.dsplit(y.reshape(1, 1, 4), 2)[0][0, 0]
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def raveled_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = M.ravel()
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def raveled_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = M.ravel()
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def flattened_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = M.reshape(-1)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def flattened_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = M.reshape(-1)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def conjugate_method_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = y.conj()
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def conjugate_method_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = y.conj()
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def einsum_turned_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.einsum("ij->ji", M)[0]
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def einsum_turned_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.einsum("ij->ji", M)[0]
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def einsum_same_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.einsum("i->i", y)
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def einsum_same_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.einsum("i->i", y)
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def power_one_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.linalg.matrix_power(M, 1)[0]
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def power_one_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.linalg.matrix_power(M, 1)[0]
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def linalg_transposed_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.linalg.matrix_transpose(M)[0]
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def linalg_transposed_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.linalg.matrix_transpose(M)[0]
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def axes_permuted_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.permute_dims(M, (1, 0))[0]
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def axes_permuted_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.permute_dims(M, (1, 0))[0]
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def fortran_matrix_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.asfortranarray(M)[0]
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def fortran_matrix_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = np.asfortranarray(M)[0]
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()


@program(X, second=True)
def view_method_written(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = y.view()
    before = v[0] * v[1]
    v[0] *= x[1]
    total = 0.0
    for k in range(len(v)):
        total = total * 1.1 + v[k] * (k + 1) * v[k]
    return total + (y * y * y).sum() * before + (M * M * M).sum()


@program(X, second=True)
def view_method_seen(x):
    y = x * 2.0
    M = np.outer(x, x) + np.diag(x)
    v = y.view()
    before = v[0] * v[1]
    y *= x[0]
    M *= x[1]
    return (v * v * v).sum() + y.sum() * before + M.sum()

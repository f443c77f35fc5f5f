import numpy as np

A = np.arange(9.0).reshape(3, 3) / 7 + np.eye(3)
I = np.array([0, 2, 2])


def f_div(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum((a / z) + (b / z)) + np.sum(np.exp(a + b))


def g_div(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = (a / z) + (b / z)
    return np.sum(q * s)


def h_div(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = (a / z) + (b / z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_mul(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(a * z + b * z) + np.sum(np.exp(a + b))


def g_mul(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a * z + b * z
    return np.sum(q * s)


def h_mul(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a * z + b * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_sub(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum((a - z) * z + (b - z) * z) + np.sum(np.exp(a + b))


def g_sub(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = (a - z) * z + (b - z) * z
    return np.sum(q * s)


def h_sub(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = (a - z) * z + (b - z) * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_matmul(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.sum((A @ a + A @ b) * z)) + np.sum(np.exp(a + b))


def g_matmul(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum((A @ a + A @ b) * z)
    return np.sum(q * s)


def h_matmul(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum((A @ a + A @ b) * z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_matmul2(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(A @ a * z + A @ b * z) + np.sum(np.exp(a + b))


def g_matmul2(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = A @ a * z + A @ b * z
    return np.sum(q * s)


def h_matmul2(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = A @ a * z + A @ b * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_cumsum(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.cumsum(a) * z + np.cumsum(b) * z) + np.sum(np.exp(a + b))


def g_cumsum(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.cumsum(a) * z + np.cumsum(b) * z
    return np.sum(q * s)


def h_cumsum(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.cumsum(a) * z + np.cumsum(b) * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_where(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.where(z > 1, a, 0.0) + np.where(z > 1, b, 0.0)) + np.sum(np.exp(a + b))


def g_where(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.where(z > 1, a, 0.0) + np.where(z > 1, b, 0.0)
    return np.sum(q * s)


def h_where(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.where(z > 1, a, 0.0) + np.where(z > 1, b, 0.0)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_flip(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(a[::-1] * z + b[::-1] * z) + np.sum(np.exp(a + b))


def g_flip(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a[::-1] * z + b[::-1] * z
    return np.sum(q * s)


def h_flip(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a[::-1] * z + b[::-1] * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_flip2(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.flip(a) * z + np.flip(b) * z) + np.sum(np.exp(a + b))


def g_flip2(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.flip(a) * z + np.flip(b) * z
    return np.sum(q * s)


def h_flip2(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.flip(a) * z + np.flip(b) * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_slice(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.sum(a[1:] * z[1:]) + np.sum(b[1:] * z[1:])) + np.sum(np.exp(a + b))


def g_slice(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(a[1:] * z[1:]) + np.sum(b[1:] * z[1:])
    return np.sum(q * s)


def h_slice(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(a[1:] * z[1:]) + np.sum(b[1:] * z[1:])
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_fft(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.real(np.fft.fft(a)) * z + np.real(np.fft.fft(b)) * z) + np.sum(np.exp(a + b))


def g_fft(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.real(np.fft.fft(a)) * z + np.real(np.fft.fft(b)) * z
    return np.sum(q * s)


def h_fft(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.real(np.fft.fft(a)) * z + np.real(np.fft.fft(b)) * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_sum(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.sum(a) + np.sum(b) * z) + np.sum(np.exp(a + b))


def g_sum(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(a) + np.sum(b) * z
    return np.sum(q * s)


def h_sum(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(a) + np.sum(b) * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_powc(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(z**a + z**b) + np.sum(np.exp(a + b))


def g_powc(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = z**a + z**b
    return np.sum(q * s)


def h_powc(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = z**a + z**b
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_neg(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(z * (-a) + z * (-b)) + np.sum(np.exp(a + b))


def g_neg(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = z * (-a) + z * (-b)
    return np.sum(q * s)


def h_neg(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = z * (-a) + z * (-b)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_const(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(3.0 * a * z + 3.0 * b * z) + np.sum(np.exp(a + b))


def g_const(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = 3.0 * a * z + 3.0 * b * z
    return np.sum(q * s)


def h_const(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = 3.0 * a * z + 3.0 * b * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_divc(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(a / 3.0 * z + b / 3.0 * z) + np.sum(np.exp(a + b))


def g_divc(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a / 3.0 * z + b / 3.0 * z
    return np.sum(q * s)


def h_divc(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a / 3.0 * z + b / 3.0 * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_gather(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(a[I] * z + b[I] * z) + np.sum(np.exp(a + b))


def g_gather(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a[I] * z + b[I] * z
    return np.sum(q * s)


def h_gather(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a[I] * z + b[I] * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_concat(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.concatenate([a, b])[:3] * z + np.concatenate([b, a])[:3] * z) + np.sum(
        np.exp(a + b)
    )


def g_concat(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.concatenate([a, b])[:3] * z + np.concatenate([b, a])[:3] * z
    return np.sum(q * s)


def h_concat(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.concatenate([a, b])[:3] * z + np.concatenate([b, a])[:3] * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_stack(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.sum(np.stack([a, b]) * z)) + np.sum(np.exp(a + b))


def g_stack(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(np.stack([a, b]) * z)
    return np.sum(q * s)


def h_stack(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(np.stack([a, b]) * z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_bcast(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.sum(A * a / z + A * b / z, axis=0)) + np.sum(np.exp(a + b))


def g_bcast(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(A * a / z + A * b / z, axis=0)
    return np.sum(q * s)


def h_bcast(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(A * a / z + A * b / z, axis=0)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_outer(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.outer(a, z) @ z + np.outer(b, z) @ z) + np.sum(np.exp(a + b))


def g_outer(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.outer(a, z) @ z + np.outer(b, z) @ z
    return np.sum(q * s)


def h_outer(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.outer(a, z) @ z + np.outer(b, z) @ z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_interp(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.trapezoid(a, z) + np.trapezoid(b, z)) + np.sum(np.exp(a + b))


def g_interp(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.trapezoid(a, z) + np.trapezoid(b, z)
    return np.sum(q * s)


def h_interp(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.trapezoid(a, z) + np.trapezoid(b, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_roll(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.roll(a, 1) * z + np.roll(b, 1) * z) + np.sum(np.exp(a + b))


def g_roll(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.roll(a, 1) * z + np.roll(b, 1) * z
    return np.sum(q * s)


def h_roll(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.roll(a, 1) * z + np.roll(b, 1) * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_min(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(a / z - b / z) + np.sum(np.exp(a + b))


def g_min(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a / z - b / z
    return np.sum(q * s)


def h_min(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a / z - b / z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_same(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum((a + b) / z + a / z) + np.sum(np.exp(a + b))


def g_same(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = (a + b) / z + a / z
    return np.sum(q * s)


def h_same(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = (a + b) / z + a / z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_three(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(a / z + b / z + np.exp(z) / z) + np.sum(np.exp(a + b))


def g_three(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a / z + b / z + np.exp(z) / z
    return np.sum(q * s)


def h_three(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a / z + b / z + np.exp(z) / z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_solve(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.linalg.solve(A, a) * z + np.linalg.solve(A, b) * z) + np.sum(np.exp(a + b))


def g_solve(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.linalg.solve(A, a) * z + np.linalg.solve(A, b) * z
    return np.sum(q * s)


def h_solve(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.linalg.solve(A, a) * z + np.linalg.solve(A, b) * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_diff(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.sum(np.diff(a) * z[1:]) + np.sum(np.diff(b) * z[1:])) + np.sum(np.exp(a + b))


def g_diff(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(np.diff(a) * z[1:]) + np.sum(np.diff(b) * z[1:])
    return np.sum(q * s)


def h_diff(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(np.diff(a) * z[1:]) + np.sum(np.diff(b) * z[1:])
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_mean(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(z * np.mean(a) + z * np.mean(b)) + np.sum(np.exp(a + b))


def g_mean(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = z * np.mean(a) + z * np.mean(b)
    return np.sum(q * s)


def h_mean(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = z * np.mean(a) + z * np.mean(b)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_tri(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.diag(np.tril(np.outer(a, z))) + np.diag(np.tril(np.outer(b, z)))) + np.sum(
        np.exp(a + b)
    )


def g_tri(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.diag(np.tril(np.outer(a, z))) + np.diag(np.tril(np.outer(b, z)))
    return np.sum(q * s)


def h_tri(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.diag(np.tril(np.outer(a, z))) + np.diag(np.tril(np.outer(b, z)))
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_divsum(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.sum(a / z) + np.sum(b / z)) + np.sum(np.exp(a + b))


def g_divsum(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(a / z) + np.sum(b / z)
    return np.sum(q * s)


def h_divsum(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.sum(a / z) + np.sum(b / z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_copy(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(a.copy() * z + b.copy() * z) + np.sum(np.exp(a + b))


def g_copy(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a.copy() * z + b.copy() * z
    return np.sum(q * s)


def h_copy(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a.copy() * z + b.copy() * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_hyp(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.arctan2(a, z) + np.arctan2(b, z)) + np.sum(np.exp(a + b))


def g_hyp(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.arctan2(a, z) + np.arctan2(b, z)
    return np.sum(q * s)


def h_hyp(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.arctan2(a, z) + np.arctan2(b, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_clip(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.clip(z, a, 2) + np.clip(z, b, 2)) + np.sum(np.exp(a + b))


def g_clip(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.clip(z, a, 2) + np.clip(z, b, 2)
    return np.sum(q * s)


def h_clip(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.clip(z, a, 2) + np.clip(z, b, 2)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_recip(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(z / (1 + z) * a + z / (1 + z) * b) + np.sum(np.exp(a + b))


def g_recip(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = z / (1 + z) * a + z / (1 + z) * b
    return np.sum(q * s)


def h_recip(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = z / (1 + z) * a + z / (1 + z) * b
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_iadd(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum((a / z) + (a / z) + b / z) + np.sum(np.exp(a + b))


def g_iadd(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = (a / z) + (a / z) + b / z
    return np.sum(q * s)


def h_iadd(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = (a / z) + (a / z) + b / z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_reshape(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(a.reshape(1, 3) @ z.reshape(3, 1) + b.reshape(1, 3) @ z.reshape(3, 1)) + np.sum(
        np.exp(a + b)
    )


def g_reshape(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a.reshape(1, 3) @ z.reshape(3, 1) + b.reshape(1, 3) @ z.reshape(3, 1)
    return np.sum(q * s)


def h_reshape(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = a.reshape(1, 3) @ z.reshape(3, 1) + b.reshape(1, 3) @ z.reshape(3, 1)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_einsum(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.einsum("ij,j->i", A, a) * z + np.einsum("ij,j->i", A, b) * z) + np.sum(
        np.exp(a + b)
    )


def g_einsum(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.einsum("ij,j->i", A, a) * z + np.einsum("ij,j->i", A, b) * z
    return np.sum(q * s)


def h_einsum(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.einsum("ij,j->i", A, a) * z + np.einsum("ij,j->i", A, b) * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_conv(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.convolve(a, z)[:3] + np.convolve(b, z)[:3]) + np.sum(np.exp(a + b))


def g_conv(z):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.convolve(a, z)[:3] + np.convolve(b, z)[:3]
    return np.sum(q * s)


def h_conv(z, w):
    a = np.sin(z)
    b = np.cos(z)
    s = np.exp(a + b)
    q = np.convolve(a, z)[:3] + np.convolve(b, z)[:3]
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)

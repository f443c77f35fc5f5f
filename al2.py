import numpy as np
import scipy.linalg as SL, scipy.special as SP

A = np.arange(9.0).reshape(3, 3) / 7 + np.eye(3)
I = np.array([0, 2, 2])


def f_solve(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.linalg.solve(B, a) + np.linalg.solve(B, b)) + np.sum(np.exp(a + b))


def g_solve(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.solve(B, a) + np.linalg.solve(B, b)
    return np.sum(q * s)


def h_solve(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.solve(B, a) + np.linalg.solve(B, b)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_tri(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(SL.solve_triangular(B, a) + SL.solve_triangular(B, b)) + np.sum(np.exp(a + b))


def g_tri(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = SL.solve_triangular(B, a) + SL.solve_triangular(B, b)
    return np.sum(q * s)


def h_tri(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = SL.solve_triangular(B, a) + SL.solve_triangular(B, b)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_solveT(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.linalg.solve(B.T, a) + np.linalg.solve(B.T, b)) + np.sum(np.exp(a + b))


def g_solveT(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.solve(B.T, a) + np.linalg.solve(B.T, b)
    return np.sum(q * s)


def h_solveT(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.solve(B.T, a) + np.linalg.solve(B.T, b)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_lstsq(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(
        np.linalg.lstsq(B, a, rcond=None)[0] + np.linalg.lstsq(B, b, rcond=None)[0]
    ) + np.sum(np.exp(a + b))


def g_lstsq(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.lstsq(B, a, rcond=None)[0] + np.linalg.lstsq(B, b, rcond=None)[0]
    return np.sum(q * s)


def h_lstsq(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.lstsq(B, a, rcond=None)[0] + np.linalg.lstsq(B, b, rcond=None)[0]
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_matmul(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(B @ a + B @ b) + np.sum(np.exp(a + b))


def g_matmul(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = B @ a + B @ b
    return np.sum(q * s)


def h_matmul(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = B @ a + B @ b
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_matmul2(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(a @ B + b @ B) + np.sum(np.exp(a + b))


def g_matmul2(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = a @ B + b @ B
    return np.sum(q * s)


def h_matmul2(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = a @ B + b @ B
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_atan2(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.arctan2(a, z) + np.arctan2(b, z)) + np.sum(np.exp(a + b))


def g_atan2(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.arctan2(a, z) + np.arctan2(b, z)
    return np.sum(q * s)


def h_atan2(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.arctan2(a, z) + np.arctan2(b, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_hypot(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.hypot(a, z) + np.hypot(b, z)) + np.sum(np.exp(a + b))


def g_hypot(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.hypot(a, z) + np.hypot(b, z)
    return np.sum(q * s)


def h_hypot(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.hypot(a, z) + np.hypot(b, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_lae(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.logaddexp(a, z) + np.logaddexp(b, z)) + np.sum(np.exp(a + b))


def g_lae(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.logaddexp(a, z) + np.logaddexp(b, z)
    return np.sum(q * s)


def h_lae(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.logaddexp(a, z) + np.logaddexp(b, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_inv(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.linalg.inv(B) @ a + np.linalg.inv(B) @ b) + np.sum(np.exp(a + b))


def g_inv(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.inv(B) @ a + np.linalg.inv(B) @ b
    return np.sum(q * s)


def h_inv(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.inv(B) @ a + np.linalg.inv(B) @ b
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_conv(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.convolve(a, z)[:3] + np.convolve(b, z)[:3]) + np.sum(np.exp(a + b))


def g_conv(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.convolve(a, z)[:3] + np.convolve(b, z)[:3]
    return np.sum(q * s)


def h_conv(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.convolve(a, z)[:3] + np.convolve(b, z)[:3]
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_rem(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.fmod(a * 9, z) + np.fmod(b * 9, z)) + np.sum(np.exp(a + b))


def g_rem(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.fmod(a * 9, z) + np.fmod(b * 9, z)
    return np.sum(q * s)


def h_rem(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.fmod(a * 9, z) + np.fmod(b * 9, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_cross(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.cross(a, z) + np.cross(b, z)) + np.sum(np.exp(a + b))


def g_cross(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.cross(a, z) + np.cross(b, z)
    return np.sum(q * s)


def h_cross(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.cross(a, z) + np.cross(b, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_trap(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.trapezoid(a, z) + np.trapezoid(b, z)) + np.sum(np.exp(a + b))


def g_trap(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.trapezoid(a, z) + np.trapezoid(b, z)
    return np.sum(q * s)


def h_trap(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.trapezoid(a, z) + np.trapezoid(b, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_avg(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.average(a, weights=z) + np.average(b, weights=z)) + np.sum(np.exp(a + b))


def g_avg(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.average(a, weights=z) + np.average(b, weights=z)
    return np.sum(q * s)


def h_avg(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.average(a, weights=z) + np.average(b, weights=z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_kron(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.kron(a, z)[:3] + np.kron(b, z)[:3]) + np.sum(np.exp(a + b))


def g_kron(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.kron(a, z)[:3] + np.kron(b, z)[:3]
    return np.sum(q * s)


def h_kron(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.kron(a, z)[:3] + np.kron(b, z)[:3]
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_xlogy(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(SP.xlogy(a, z) + SP.xlogy(b, z)) + np.sum(np.exp(a + b))


def g_xlogy(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = SP.xlogy(a, z) + SP.xlogy(b, z)
    return np.sum(q * s)


def h_xlogy(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = SP.xlogy(a, z) + SP.xlogy(b, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_cho(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.linalg.solve(B @ B.T, a) + np.linalg.solve(B @ B.T, b)) + np.sum(np.exp(a + b))


def g_cho(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.solve(B @ B.T, a) + np.linalg.solve(B @ B.T, b)
    return np.sum(q * s)


def h_cho(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.solve(B @ B.T, a) + np.linalg.solve(B @ B.T, b)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_std(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum((a - np.mean(a)) / np.std(z) + (b - np.mean(b)) / np.std(z)) + np.sum(
        np.exp(a + b)
    )


def g_std(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = (a - np.mean(a)) / np.std(z) + (b - np.mean(b)) / np.std(z)
    return np.sum(q * s)


def h_std(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = (a - np.mean(a)) / np.std(z) + (b - np.mean(b)) / np.std(z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_soft(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(a / np.sum(z) + b / np.sum(z)) + np.sum(np.exp(a + b))


def g_soft(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = a / np.sum(z) + b / np.sum(z)
    return np.sum(q * s)


def h_soft(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = a / np.sum(z) + b / np.sum(z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_divs(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(a / z[0] + b / z[0]) + np.sum(np.exp(a + b))


def g_divs(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = a / z[0] + b / z[0]
    return np.sum(q * s)


def h_divs(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = a / z[0] + b / z[0]
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_norm(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(a / np.linalg.norm(z) + b / np.linalg.norm(z)) + np.sum(np.exp(a + b))


def g_norm(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = a / np.linalg.norm(z) + b / np.linalg.norm(z)
    return np.sum(q * s)


def h_norm(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = a / np.linalg.norm(z) + b / np.linalg.norm(z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_iterpo(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(
        np.interp(z * 0.3, np.array([0.0, 0.5, 1.0]), a)
        + np.interp(z * 0.3, np.array([0.0, 0.5, 1.0]), b)
    ) + np.sum(np.exp(a + b))


def g_iterpo(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.interp(z * 0.3, np.array([0.0, 0.5, 1.0]), a) + np.interp(
        z * 0.3, np.array([0.0, 0.5, 1.0]), b
    )
    return np.sum(q * s)


def h_iterpo(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.interp(z * 0.3, np.array([0.0, 0.5, 1.0]), a) + np.interp(
        z * 0.3, np.array([0.0, 0.5, 1.0]), b
    )
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_bandd(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.true_divide(a, z) - np.true_divide(b, z)) + np.sum(np.exp(a + b))


def g_bandd(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.true_divide(a, z) - np.true_divide(b, z)
    return np.sum(q * s)


def h_bandd(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.true_divide(a, z) - np.true_divide(b, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_mincomb(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.maximum(a, z) / z + np.maximum(b, z) / z) + np.sum(np.exp(a + b))


def g_mincomb(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.maximum(a, z) / z + np.maximum(b, z) / z
    return np.sum(q * s)


def h_mincomb(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.maximum(a, z) / z + np.maximum(b, z) / z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_spd(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.linalg.multi_dot([B, B, a]) + np.linalg.multi_dot([B, B, b])) + np.sum(
        np.exp(a + b)
    )


def g_spd(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.multi_dot([B, B, a]) + np.linalg.multi_dot([B, B, b])
    return np.sum(q * s)


def h_spd(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.linalg.multi_dot([B, B, a]) + np.linalg.multi_dot([B, B, b])
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_outer(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.outer(a, z) @ z + np.outer(b, z) @ z) + np.sum(np.exp(a + b))


def g_outer(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.outer(a, z) @ z + np.outer(b, z) @ z
    return np.sum(q * s)


def h_outer(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.outer(a, z) @ z + np.outer(b, z) @ z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_ein(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.einsum("ij,j->i", B, a) + np.einsum("ij,j->i", B, b)) + np.sum(np.exp(a + b))


def g_ein(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.einsum("ij,j->i", B, a) + np.einsum("ij,j->i", B, b)
    return np.sum(q * s)


def h_ein(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.einsum("ij,j->i", B, a) + np.einsum("ij,j->i", B, b)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_dots(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.dot(a, z) + np.dot(b, z)) + np.sum(np.exp(a + b))


def g_dots(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.dot(a, z) + np.dot(b, z)
    return np.sum(q * s)


def h_dots(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.dot(a, z) + np.dot(b, z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_vdots(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum((a @ z) * z + (b @ z) * z) + np.sum(np.exp(a + b))


def g_vdots(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = (a @ z) * z + (b @ z) * z
    return np.sum(q * s)


def h_vdots(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = (a @ z) * z + (b @ z) * z
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_cumtr(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(np.cumsum(a / z) + np.cumsum(b / z)) + np.sum(np.exp(a + b))


def g_cumtr(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.cumsum(a / z) + np.cumsum(b / z)
    return np.sum(q * s)


def h_cumtr(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = np.cumsum(a / z) + np.cumsum(b / z)
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)


def f_expm(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    return np.sum(SL.expm(B * 0.1) @ a + SL.expm(B * 0.1) @ b) + np.sum(np.exp(a + b))


def g_expm(z):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = SL.expm(B * 0.1) @ a + SL.expm(B * 0.1) @ b
    return np.sum(q * s)


def h_expm(z, w):
    a = np.sin(z)
    b = np.cos(z)
    B = np.outer(z, z) + np.eye(3)
    s = np.exp(a + b)
    q = SL.expm(B * 0.1) @ a + SL.expm(B * 0.1) @ b
    return np.sum(q * w) + np.sum(s * w) + np.sum(a) + np.sum(b)

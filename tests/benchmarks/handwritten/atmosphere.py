"""Two kernels of a weather model: horizontal diffusion and vertical advection."""

import numpy as np

from tests.benchmarks.handwritten.compiling import compiled


@compiled
def hdiff(inf, coeff):
    I, J, K = coeff.shape
    lap = np.empty((I + 2, J + 2, K))
    for i in range(I + 2):
        for j in range(J + 2):
            for k in range(K):
                lap[i, j, k] = 4.0 * inf[i + 1, j + 1, k] - (
                    inf[i + 2, j + 1, k]
                    + inf[i, j + 1, k]
                    + inf[i + 1, j + 2, k]
                    + inf[i + 1, j, k]
                )
    flx = np.empty((I + 1, J, K))
    fly = np.empty((I, J + 1, K))
    mx = np.empty((I + 1, J, K))
    my = np.empty((I, J + 1, K))  # 1.0 where the flux passes
    for i in range(I + 1):
        for j in range(J):
            for k in range(K):
                r = lap[i + 1, j + 1, k] - lap[i, j + 1, k]
                p = 0.0 if r * (inf[i + 2, j + 2, k] - inf[i + 1, j + 2, k]) > 0 else 1.0
                mx[i, j, k] = p
                flx[i, j, k] = p * r
    for i in range(I):
        for j in range(J + 1):
            for k in range(K):
                r = lap[i + 1, j + 1, k] - lap[i + 1, j, k]
                p = 0.0 if r * (inf[i + 2, j + 2, k] - inf[i + 2, j + 1, k]) > 0 else 1.0
                my[i, j, k] = p
                fly[i, j, k] = p * r
    out = np.empty((I, J, K))
    val = 0.0
    for i in range(I):
        for j in range(J):
            for k in range(K):
                o = inf[i + 2, j + 2, k] - coeff[i, j, k] * (
                    flx[i + 1, j, k] - flx[i, j, k] + fly[i, j + 1, k] - fly[i, j, k]
                )
                out[i, j, k] = o
                val += o
    ob = np.ones((I, J, K))
    inb = np.zeros_like(inf)
    cb = np.empty_like(coeff)
    lb = np.zeros_like(lap)
    fxb = np.zeros_like(flx)
    fyb = np.zeros_like(fly)
    for i in range(I):
        for j in range(J):
            for k in range(K):
                g = ob[i, j, k]
                inb[i + 2, j + 2, k] += g
                cb[i, j, k] = -g * (
                    flx[i + 1, j, k] - flx[i, j, k] + fly[i, j + 1, k] - fly[i, j, k]
                )
                h = -g * coeff[i, j, k]
                fxb[i + 1, j, k] += h
                fxb[i, j, k] -= h
                fyb[i, j + 1, k] += h
                fyb[i, j, k] -= h
    for i in range(I):
        for j in range(J + 1):
            for k in range(K):
                h = fyb[i, j, k] * my[i, j, k]
                lb[i + 1, j + 1, k] += h
                lb[i + 1, j, k] -= h
    for i in range(I + 1):
        for j in range(J):
            for k in range(K):
                h = fxb[i, j, k] * mx[i, j, k]
                lb[i + 1, j + 1, k] += h
                lb[i, j + 1, k] -= h
    for i in range(I + 2):
        for j in range(J + 2):
            for k in range(K):
                h = lb[i, j, k]
                inb[i + 1, j + 1, k] += 4.0 * h
                inb[i + 2, j + 1, k] -= h
                inb[i, j + 1, k] -= h
                inb[i + 1, j + 2, k] -= h
                inb[i + 1, j, k] -= h
    return val, inb, cb


@compiled
def vadv(us, u, wc, up, ut, dtr):
    I, J, K = us.shape
    M = 0.5
    P = 0.5
    out = np.empty_like(us)
    usb = np.empty_like(us)
    ub = np.zeros_like(u)
    wb = np.zeros_like(wc)
    upb = np.empty_like(up)
    utb = np.empty_like(ut)
    cc = np.empty(K)
    dd = np.empty(K)
    dv = np.empty(K)
    c0 = np.empty(K)
    ccb = np.empty(K)
    ddb = np.empty(K)
    val = 0.0
    for i in range(I):
        for j in range(J):
            for k in range(K):
                corr = 0.0
                a = 0.0
                c = 0.0
                if k > 0:
                    gav = -0.25 * (wc[i + 1, j, k] + wc[i, j, k])
                    a = gav * P
                    corr -= gav * M * (u[i, j, k - 1] - u[i, j, k])
                if k < K - 1:
                    gcv = 0.25 * (wc[i + 1, j, k + 1] + wc[i, j, k + 1])
                    c = gcv * P
                    corr -= gcv * M * (u[i, j, k + 1] - u[i, j, k])
                b = dtr - a - c
                d = dtr * up[i, j, k] + ut[i, j, k] + us[i, j, k] + corr
                cp = cc[k - 1] if k > 0 else 0.0
                dp = dd[k - 1] if k > 0 else 0.0
                div = 1.0 / (b - cp * a)
                dv[k] = div
                cc[k] = c * div
                dd[k] = (d - dp * a) * div
            x = dd[K - 1]
            out[i, j, K - 1] = dtr * (x - up[i, j, K - 1])
            val += out[i, j, K - 1]
            c0[K - 1] = x
            for k in range(K - 2, -1, -1):
                x = dd[k] - cc[k] * x
                c0[k] = x  # data_col history
                out[i, j, k] = dtr * (x - up[i, j, k])
                val += out[i, j, k]
            # ---- adjoint
            xb = 0.0
            for k in range(K - 1):
                xb += dtr
                upb[i, j, k] = -dtr
                ddb[k] = xb
                ccb[k] = -xb * c0[k + 1]
                xb = -xb * cc[k]
            xb += dtr
            upb[i, j, K - 1] = -dtr
            ddb[K - 1] = xb
            ccb[K - 1] = 0.0
            for k in range(K - 1, -1, -1):
                a = 0.0
                if k > 0:
                    gav = -0.25 * (wc[i + 1, j, k] + wc[i, j, k])
                    a = gav * P
                cp = cc[k - 1] if k > 0 else 0.0
                dp = dd[k - 1] if k > 0 else 0.0
                div = dv[k]
                db = ddb[k] * div
                # dd = (d - dp a) div ; cc = c div
                divb = ddb[k] * dd[k] / div + ccb[k] * cc[k] / div
                cb = ccb[k] * div
                denb = -divb * div * div
                ab = -db * dp - denb * cp
                if k > 0:
                    ddb[k - 1] -= db * a
                    ccb[k - 1] -= denb * a
                bb = denb
                ab -= bb
                cb -= bb
                upb[i, j, k] += db * dtr
                utb[i, j, k] = db
                usb[i, j, k] = db
                if k > 0:
                    gb = ab * P - db * M * (u[i, j, k - 1] - u[i, j, k])
                    h = -db * gav * M
                    ub[i, j, k - 1] += h
                    ub[i, j, k] -= h
                    wb[i + 1, j, k] -= 0.25 * gb
                    wb[i, j, k] -= 0.25 * gb
                if k < K - 1:
                    gcv = 0.25 * (wc[i + 1, j, k + 1] + wc[i, j, k + 1])
                    gb = cb * P - db * M * (u[i, j, k + 1] - u[i, j, k])
                    h = -db * gcv * M
                    ub[i, j, k + 1] += h
                    ub[i, j, k] -= h
                    wb[i + 1, j, k + 1] += 0.25 * gb
                    wb[i, j, k + 1] += 0.25 * gb
    return val, usb, ub, wb, upb, utb

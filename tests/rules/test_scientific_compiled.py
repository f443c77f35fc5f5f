"""np.linalg, np.fft and SciPy in compiled functions, against central differences."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import s2sgrad

pytest.importorskip("scipy")
import scipy.fft
from scipy import integrate, linalg, ndimage, signal, sparse, special, stats
from scipy.sparse.linalg import spsolve

if not hasattr(s2sgrad, "grad"):
    pytest.skip("the compiler's public face is missing", allow_module_level=True)

L = np.linalg
RNG = np.random.default_rng(0)
A = RNG.standard_normal((3, 3)) + 2.0 * np.eye(3)
B = RNG.standard_normal(3)
X = np.abs(RNG.standard_normal(6)) + 0.3
MATRIX = sparse.csc_array(np.diag([1.0, 2.0, 3.0]) + 0.1)


def solve(a):
    return np.sum(np.linalg.solve(a, B) ** 2)


def det(a):
    return np.linalg.det(a) + np.linalg.slogdet(a)[1]


def slog(a):
    _, ld = np.linalg.slogdet(a)
    return ld


def eigh(a):
    w, v = np.linalg.eigh(a + a.T)
    return np.sum(w**2) + np.sum(np.abs(v[:, 0]))


def svd(a):
    u, s, _ = np.linalg.svd(a, full_matrices=False)
    return np.sum(s**3) + u[0, 0] ** 2


def norm(a):
    return np.linalg.norm(a) + np.linalg.norm(a, axis=0).sum()


def chol(a):
    return np.sum(np.linalg.cholesky(a @ a.T + np.eye(3)) ** 3)


def fft(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2 * np.arange(len(x)))


def rfft(x):
    return np.sum(np.fft.irfft(np.fft.rfft(x) * np.exp(-np.arange(len(x) // 2 + 1)), len(x)) ** 3)


def gamma(x):
    return np.sum(special.gammaln(x) * special.erf(x))


def norm_logpdf(x):
    return np.sum(stats.norm.logpdf(x, 0.3, 2.0))


def lse(x):
    return special.logsumexp(x, axis=0).sum()


def expm(a):
    return np.sum(linalg.expm(a))


def conv(x):
    return np.sum(signal.convolve(x, x[:3]) ** 2)


def qr(a):
    _, r = np.linalg.qr(a)
    return np.sum(r**3)


def multi(a):
    return np.sum(np.linalg.multi_dot([a, a.T, a]))


def cho(a):
    c = linalg.cho_factor(a @ a.T + np.eye(3))
    return np.sum(linalg.cho_solve(c, B) ** 2)


def inv(a):
    return np.trace(np.linalg.inv(a))


def block(a):
    return np.sum(linalg.block_diag(a, a * 2) ** 2)


def lstsq(a):
    return np.sum(np.linalg.lstsq(a, B, rcond=None)[0] ** 2)


def matrix_power(a):
    return np.sum(L.matrix_power(a, 3))


def cond(a):
    return L.cond(a)


def pinv(a):
    return np.sum(L.pinv(a) ** 2)


def eigvals(a):
    return np.sum(np.real(L.eigvals(a) ** 3))


def eigvalsh(a):
    return np.sum(L.eigvalsh(a @ a.T) ** 2)


def svdvals(a):
    return np.sum(L.svdvals(a) ** 3)


def tensorinv(a):
    return np.sum(L.tensorinv(a.reshape(3, 3), ind=1) ** 2)


def norms(a):
    return L.norm(a, "nuc") + L.norm(a, 1) + L.vector_norm(a) + L.matrix_norm(a)


def products(a):
    return (
        L.trace(a)
        + np.sum(L.outer(a[0], a[1]) ** 2)
        + np.sum(L.diagonal(a) ** 2)
        + np.sum(L.cross(a[0], a[1]) ** 2)
    )


def transforms(x):
    return (
        np.sum(np.abs(np.fft.fft2(x.reshape(2, 3))) ** 2)
        + np.sum(np.fft.hfft(x) ** 2)
        + np.sum(np.fft.fftshift(x) * np.arange(6))
    )


def cosine_transform(x):
    return np.sum(scipy.fft.dct(x) ** 3)


def bessel_and_softmax(x):
    return (
        np.sum(special.softmax(x) ** 2)
        + np.sum(special.jv(1.5, x))
        + np.sum(special.expit(x))
        + np.sum(special.gammainc(2.0, x))
    )


def beta_and_lambert(x):
    return np.sum(special.beta(x, x * 2) * special.xlogy(x, x)) + np.sum(special.lambertw(x).real)


def airy(x):
    ai, _, bi, _ = special.airy(x)
    return np.sum(ai * bi)


def distributions(x):
    return (
        np.sum(stats.gamma.logpdf(x, 2.3, scale=1.5))
        + np.sum(stats.t.cdf(x, 3.0))
        + np.sum(stats.poisson.logpmf(3, x))
    )


def multivariate_normal(a):
    return stats.multivariate_normal.logpdf(a[0], a[1], np.eye(3))


def solve_triangular(a):
    return np.sum(linalg.solve_triangular(a, a[0], lower=True) ** 2)


def sqrtm(a):
    return np.sum(np.real(linalg.sqrtm(a @ a.T + np.eye(3))))


def lu_solve(a):
    lu = linalg.lu_factor(a)
    return np.sum(linalg.lu_solve(lu, a[0]) ** 2)


def sylvester(a):
    return np.sum(linalg.solve_sylvester(a, a.T, np.eye(3)) ** 2)


def toeplitz(x):
    return np.sum(linalg.toeplitz(x) ** 2 * np.arange(36).reshape(6, 6))


def scipy_eigh(a):
    w, v = linalg.eigh(a @ a.T)
    return np.sum(w**2) + np.sum(v[:, 0] ** 4)


def image_filters(x):
    return np.sum(ndimage.gaussian_filter(x, 1.0) ** 2) + np.sum(ndimage.correlate1d(x, x[:3]) ** 2)


def signal_filters(x):
    return np.sum(signal.lfilter(x[:2], np.array([1.0, 0.3]), x) ** 2) + np.sum(
        signal.correlate(x, x[:3], mode="same") ** 2
    )


def integrals(x):
    return (
        integrate.trapezoid(x**2, dx=0.1)
        + integrate.simpson(x**2, dx=0.1)
        + np.sum(integrate.cumulative_trapezoid(x**2, dx=0.3) ** 2)
    )


def sparse_solve(b):
    return np.sum(spsolve(MATRIX, b) ** 2)


def weighted_logsumexp(x):
    return np.sum(special.logsumexp(x, b=x * 2))


PROGRAMS = [
    solve,
    det,
    slog,
    eigh,
    svd,
    norm,
    chol,
    fft,
    rfft,
    gamma,
    norm_logpdf,
    lse,
    expm,
    conv,
    qr,
    multi,
    cho,
    inv,
    block,
    lstsq,
    matrix_power,
    cond,
    pinv,
    eigvals,
    eigvalsh,
    svdvals,
    tensorinv,
    norms,
    products,
    transforms,
    cosine_transform,
    bessel_and_softmax,
    beta_and_lambert,
    airy,
    distributions,
    multivariate_normal,
    solve_triangular,
    sqrtm,
    lu_solve,
    sylvester,
    toeplitz,
    scipy_eigh,
    image_filters,
    signal_filters,
    integrals,
    sparse_solve,
    weighted_logsumexp,
]


def central(f: Any, x: Any, v: Any, step: float = 1e-4) -> float:
    stencil = ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0))
    return float(sum(w * f(x + k * step * v) for k, w in stencil) / (12 * step))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradient(f: Any) -> None:
    x = {"a": A, "x": X, "b": B}[next(iter(inspect.signature(f).parameters))]
    before, v = x.copy(), np.random.default_rng(1).standard_normal(x.shape)
    gradient = s2sgrad.grad(f, fallback="error")(x)
    assert np.array_equal(x, before) and gradient.shape == x.shape
    expected = central(f, x, v)
    assert abs(np.sum(gradient * v) - expected) < 1e-7 * (1.0 + abs(expected))


def test_densities_are_written_out() -> None:
    source = s2sgrad.grad(norm_logpdf, fallback="error").source(X)
    assert "logpdf" not in source.split("return")[-1]

"""Spectra, images, splines on grids, matrix functions, and NumPy's functions by their settings."""

from __future__ import annotations

from tests.peers.cases import a, c, case, n, p, spd, u

X, S, IMAGE, P = n(3, 4), n(24), n(6, 5), p(3, 4)
NODES = a(0.0, 0.4, 1.1, 1.9, 2.2, 3.0)
WEIGHTS = a(1.0, 2.0, 0.5, 0.7)
PLACES = n(2, 7) * 0.6 + 2.0
OTHER = n(24, salt="other")

SIGNALS = [
    case(lambda sp, x: sp.signal.welch(x, nperseg=8)[1], S),
    case(lambda sp, x: sp.signal.welch(x, nperseg=8, noverlap=2, detrend="linear")[1], S,
         second=False),
    case(lambda sp, x: sp.signal.welch(x, nperseg=8, average="median")[1], S, second=False),
    case(lambda sp, x: sp.signal.welch(x, fs=4.0, nperseg=6, scaling="spectrum", axis=0)[1],
         n(20, 2)),
    case(lambda sp, x, y: sp.signal.csd(x, y, nperseg=8)[1], S, OTHER),
    case(lambda sp, x: sp.signal.stft(x, nperseg=8)[2], S),
    case(lambda sp, x: sp.signal.stft(x, nperseg=8, boundary="even", padded=False)[2], S),
    case(lambda sp, z: sp.signal.istft(z, nperseg=8)[1], c(5, 4)),
    case(lambda sp, x: sp.signal.detrend(x), S),
    case(lambda sp, x, y: sp.signal.fftconvolve(x, y, mode="same"), S, n(5)),
    case(lambda sp, x, y: sp.signal.convolve2d(x, y, mode="valid"), IMAGE, n(2, 3)),
    case(lambda sp, x, y: sp.signal.correlate2d(x, y, mode="same"), IMAGE, n(3, 3)),
    case(lambda sp, x: sp.fft.dct(x), S),
    case(lambda sp, x: sp.fft.dct(x, norm="ortho"), X),
    case(lambda sp, x: sp.fft.idct(x), S),
    case(lambda sp, x: sp.fft.dctn(x), X),
    case(lambda sp, x, t: sp.integrate.trapezoid(x, t), n(6), NODES),
]  # fmt: skip

IMAGES = [
    case(lambda sp, x, t: sp.ndimage.map_coordinates(x, t, order=1), IMAGE, PLACES),
    case(lambda sp, x, t: sp.ndimage.map_coordinates(x, t, order=1, mode="nearest"), IMAGE, PLACES),
    case(lambda sp, x, t: sp.ndimage.map_coordinates(x, t, order=1, mode="mirror"), IMAGE,
         n(2, 7) * 3.0),
    case(lambda sp, x, t: sp.ndimage.map_coordinates(x, t, order=1, mode="constant", cval=0.3),
         IMAGE, n(2, 7) * 3.0),
    case(lambda sp, x, t: sp.interpolate.RegularGridInterpolator((NODES[:3], NODES[:4]), x)(t), X,
         p(5, 2) * 0.5),
]  # fmt: skip

MATRICES = [
    case(lambda sp, x: sp.linalg.expm(x), n(4, 4)),
    case(lambda sp, x, y: sp.linalg.expm_frechet(x, y)[1], n(3, 3), n(3, 3, salt="e"),
         second=False),
    case(lambda sp, x: sp.linalg.sqrtm(x), spd(4), second=False),
    case(lambda sp, x, y: sp.linalg.toeplitz(x, y), n(3), n(4)),
    case(lambda sp, x: sp.linalg.polar(x)[0], n(3, 3), second=False),
    case(lambda sp, x: sp.special.sph_harm_y(a(1, 2).astype(int), a(0, 1).astype(int), x, x), p(2),
         second=False),
    case(lambda sp, x: sp.special.hyp1f1(1.5, 2.5, x), u(4)),
    case(lambda sp, x: sp.special.poch(x, 1.5), p(4)),
    case(lambda sp, x: sp.special.bernoulli(3)[2] * x, p(2)),
    case(lambda sp, x: sp.stats.norm.isf(x), p(3) * 0.4),
    case(lambda sp, x, q: sp.stats.vonmises.logpdf(x, q), u(4), p(4)),
    case(lambda sp, x, q: sp.stats.gamma.cdf(x, 2.0, scale=q), p(4), p(4, salt="s")),
    case(lambda sp, x: sp.stats.beta.cdf(x, 2.0, 3.0), p(3) * 0.4),
]  # fmt: skip

SETTINGS = [
    case(lambda np, x, t: np.gradient(x, t), n(6), NODES, differs="torch"),
    case(lambda np, x, h: np.gradient(x, h), n(6), p(), differs="torch"),
    case(lambda np, x: np.cov(x, aweights=WEIGHTS), X),
    case(lambda np, x: np.cov(x, fweights=a(1, 2, 1, 3).astype(int), ddof=0), X),
    case(lambda np, x: np.pad(x, ((1, 2), (0, 2)), mode="maximum"), X),
    case(lambda np, x: np.pad(x, 2, mode="minimum", stat_length=2), X),
    case(lambda np, x: np.pad(x, 1, mode="mean"), X),
    case(lambda np, x: np.pad(x, 1, mode="linear_ramp"), X),
    case(lambda np, x: np.pad(x, 2, mode="reflect", reflect_type="odd"), X),
    case(lambda np, x: np.quantile(x, 0.3, axis=1, method="midpoint"), X),
    case(lambda np, x: np.quantile(x, 0.3, method="lower"), n(7)),
    case(lambda np, x: np.nanquantile(x, a(0.2, 0.7)), n(7)),
    case(lambda np, x: np.logaddexp.reduce(x, axis=1), X),
    case(lambda np, x, y: np.multiply.outer(x, y), n(2), n(3)),
    case(lambda np, x: np.add.reduceat(x, a(0, 2, 3).astype(int)), n(6)),
    case(lambda np, x: np.unwrap(3.0 * x), n(6)),
    case(lambda np, x: np.cumulative_prod(x, axis=0), P),
    case(lambda np, x: np.linalg.matrix_norm(x, ord="nuc"), n(3, 4)),
    case(lambda np, x: np.linalg.vector_norm(x, ord=3, axis=1), X),
    case(lambda np, x: np.linalg.eigvalsh(x + x.T), n(4, 4)),
    case(lambda np, z: np.linalg.inv(z), c(3, 3)),
    case(lambda np, z: np.linalg.det(z), c(3, 3)),
    case(lambda np, z: np.linalg.eigvals(z), n(3, 3), second=False),
    case(lambda np, z: np.linalg.svd(z)[1], c(3, 4)),
    case(lambda np, z: np.linalg.pinv(z), c(3, 2), differs="autograd"),
    case(lambda np, z: np.abs(np.fft.fft2(z)), c(3, 4)),
    case(lambda np, z: np.angle(z) * np.abs(z), c(3, 4)),
    case(lambda np, z: np.real(np.sqrt(z) * np.log(z) + z**2.5), c(3, 4)),
    case(lambda np, z, w: np.real(z**w), c(4), c(4, salt="w")),
    case(lambda np, z: np.abs(np.prod(z, axis=0)), c(3, 4)),
    case(lambda np, z: np.std(z), c(3, 4), differs="torch"),
]

TAIL = a(-40.0, -8.0, 0.0, 1e-8, 8.0, 38.0)
WIDE = a(0.0, 3.0, -20.0, 700.0)
EDGES = [
    case(lambda sp, x: sp.stats.norm.logsf(x), TAIL),
    case(lambda sp, x: sp.stats.norm.logcdf(x), -TAIL),
    case(lambda sp, x: sp.stats.logistic.logsf(x), TAIL),
    case(lambda sp, x: sp.stats.gumbel_r.logcdf(x), a(-3.0, 0.0, 30.0)),
    case(lambda sp, x, y: sp.special.xlogy(x, y), a(0.0, 1.0, 2.0), a(0.5, 2.0, 1e-3)),
    case(lambda sp, x, y: sp.special.xlog1py(x, y), a(0.0, 1.0, 0.0), a(0.5, 2.0, 0.0)),
    case(lambda sp, y, x: sp.special.xlogy(x, y), a(0.5, 2.0, 1e-3), a(0.0, 1.0, 2.0)),
    case(lambda sp, x: sp.special.logsumexp(x, b=a(1.0, 0.0, 2.0, 0.0)), WIDE),
    case(lambda sp, x, b: sp.special.logsumexp(x, b=b), n(4), p(4)),
    case(lambda sp, x: sp.special.gammaln(x), p(100) * 5.0),
    case(lambda sp, x: sp.special.gamma(x), p(90)),
    case(lambda sp, x: sp.special.digamma(x), p(90) * 8.0, differs="torch"),
    case(lambda sp, x: sp.special.polygamma(1, x), p(100), second=False),
    case(lambda sp, x: sp.special.beta(x, 1.5), p(80)),
    case(lambda np, x: np.sum(np.triu(1.0 / (x[:, None] - x + np.eye(3)), 1)), n(3)),
    case(lambda np, x: np.var(x, axis=1, where=x > -0.5), X, differs="autograd"),
    case(lambda np, x: np.std(x, axis=0, where=x < 0.9), X, differs="autograd"),
    case(lambda np, z: np.arccos(z), c(4) * 2.0),
    case(lambda np, z: np.arcsin(z), c(4) * 2.0),
    case(lambda np, x: np.imag(np.arcsin(x + 0j)), a(0.5, 1.8, -1.8), differs="autograd jax torch"),
]  # fmt: skip

CASES = SIGNALS + IMAGES + MATRICES + SETTINGS + EDGES

"""Options that few programs give: borders, kinds of splines, drivers, orders, methods."""

from __future__ import annotations

import numpy

from tests.peers.cases import a, a0, case, n, p

NODES = a(0.0, 0.4, 0.7, 1.3, 1.9, 2.2, 2.7, 3.1)
VALUES, Q = numpy.sin(NODES) + 0.3 * NODES, a(0.31, 1.17, 2.4, 2.83)
FAR = a(-1.31, 0.17, 2.5, 3.83, 8.9)
IMAGE, KERNEL, S, OTHER, LONG = n(6, 7), n(6, 7, salt="k"), n(24), n(24, salt="o"), n(60)
LABELS = numpy.array(
    [
        [1, 1, 2, 0, 2, 3, 3],
        [1, 0, 2, 2, 2, 3, 3],
        [1, 1, 0, 0, 0, 0, 3],
        [0, 0, 4, 4, 0, 5, 5],
        [6, 6, 4, 4, 0, 5, 0],
        [6, 0, 0, 4, 0, 0, 0],
    ]
)
SQUARE, SECOND, FOUR = n(4, 4) + 2.0 * numpy.eye(4), n(4, 4, salt="s"), n(4, salt="f")
POSITIVE, IMAGINARY = SECOND @ SECOND.T + 4.0 * numpy.eye(4), 1j * n(4, 4, salt="i")
CLOUD, SHEET = n(8, 3), n(8, 5)
TABLE, SEVEN, FIVE = n(4, 5, salt="t"), n(7, salt="s"), a(1.0, 2.0, 0.5, 3.0, 1.0)
MASK, INDEX = TABLE > -0.3, numpy.array([2, 0, 1, 2])

OF_SCIPY = [
    case(lambda sp, x: sp.ndimage.fourier_gaussian(x, 1.1), IMAGE),
    case(lambda sp, x: sp.ndimage.zoom(x, 1.4, order=1, mode="constant", grid_mode=True), IMAGE),
    case(lambda sp, x: sp.ndimage.laplace(x, mode="constant", cval=0.4), IMAGE),
    case(lambda sp, x: sp.ndimage.morphological_laplace(x, size=3, mode="grid-mirror"), IMAGE),
    case(
        lambda sp, x: sp.ndimage.correlate(
            x, KERNEL[:3, :4], mode="grid-constant", cval=0.4, origin=(0, -1)
        ),
        IMAGE,
    ),
    case(
        lambda sp, x: sp.ndimage.minimum_filter(
            x, size=(2, 3), mode="mirror", cval=0.4, origin=(0, 1)
        ),
        IMAGE,
    ),
    case(
        lambda sp, x: sp.ndimage.map_coordinates(x * (1 + 2j), KERNEL[:2] * 2 + 2, cval=1j), IMAGE
    ),
    case(lambda sp, x: sp.ndimage.maximum_filter1d(x, 3, axis=0, origin=-1), IMAGE),
    case(lambda sp, x: sp.ndimage.gaussian_filter(x, 1.0, radius=(2, 3)), IMAGE),
    case(lambda sp, x: sp.ndimage.gaussian_laplace(x, (1.0, 0.8), mode="reflect"), IMAGE),
    case(lambda sp, x: sp.ndimage.zoom(x, (1.5, 0.8), order=3, mode="grid-constant"), IMAGE),
    case(
        lambda sp, x: sp.ndimage.shift(x, (0.4, -1.3), order=3, mode="grid-mirror", cval=0.2), IMAGE
    ),
    case(lambda sp, x: sp.ndimage.gaussian_filter(x, 1.2, mode="wrap", cval=0.7), IMAGE),
    case(lambda sp, x: sp.ndimage.shift(x, (0.4, -1.3), order=3, mode="mirror", cval=0.2), IMAGE),
    case(lambda sp, x: sp.ndimage.white_tophat(x, size=3, mode="nearest"), IMAGE),
    case(lambda sp, x: sp.ndimage.gaussian_filter1d(x, 1.1, axis=0, order=1, radius=3), IMAGE),
    case(
        lambda sp, x: sp.ndimage.grey_dilation(x, size=(3, 2), mode="grid-mirror", cval=0.4), IMAGE
    ),
    case(
        lambda sp, x: sp.ndimage.map_coordinates(
            x, KERNEL[:2] * 2 + 2, order=2, mode="grid-wrap", cval=0.3
        ),
        IMAGE,
    ),
    case(lambda sp, x: sp.ndimage.gaussian_filter(x, 1.0, output=numpy.float64), IMAGE),
    case(lambda sp, x: sp.ndimage.prewitt(x, axis=1, mode="grid-mirror", cval=0.4), IMAGE),
    case(lambda sp, x: sp.ndimage.median_filter(x, size=3, mode="reflect", cval=0.4), IMAGE),
    case(lambda sp, x: sp.ndimage.rotate(x, 20.0, order=3, mode="grid-constant"), IMAGE),
    case(lambda sp, x: sp.ndimage.mean(x, labels=LABELS), IMAGE),
    case(lambda sp, x: sp.ndimage.gaussian_filter(x, 1.3, mode=("wrap", "constant")), IMAGE),
    case(lambda sp, x: sp.ndimage.laplace(x, mode="grid-mirror", cval=0.4), IMAGE),
    case(lambda sp, x: sp.ndimage.grey_opening(x, size=(3, 3), mode="nearest"), IMAGE),
    case(
        lambda sp, x: sp.ndimage.convolve(
            x, KERNEL[:4, :3], mode="mirror", cval=0.4, origin=(1, 0)
        ),
        IMAGE,
    ),
    case(lambda sp, x: sp.ndimage.rotate(x, 33, axes=(0, 2), reshape=True, order=2), n(4, 5, 3)),
    case(lambda sp, x: sp.ndimage.grey_dilation(x, size=(3, 2), mode="reflect", cval=0.4), IMAGE),
    case(lambda sp, x: sp.ndimage.prewitt(x, axis=1, mode="mirror", cval=0.4), IMAGE),
    case(
        lambda sp, x: sp.signal.cont2discrete((x[:5, :5], x[:5, :1], x[:1, :5], 0.0), 0.1)[0],
        n(6, 5),
    ),
    case(
        lambda sp, x: sp.signal.filtfilt([0.2, 0.3], [1.0, -0.4], x, padtype="constant", padlen=5),
        S,
    ),
    case(lambda sp, x: sp.signal.savgol_filter(x, 5, 2, axis=0, mode="interp", cval=1.0), n(6, 5)),
    case(lambda sp, x: sp.signal.upfirdn(x, OTHER, 3, 2), a(1.0, -0.4, 0.2)),
    case(
        lambda sp, x: sp.signal.convolve2d(
            KERNEL[:3, :2], x, mode="full", boundary="wrap", fillvalue=0.4
        ),
        n(6, 5),
    ),
    case(lambda sp, x: sp.signal.lp2bs([1.0, 0.2], [1.0, 0.4], wo=x, bw=0.2)[1], a0(0.35)),
    case(lambda sp, x: sp.signal.resample_poly(x, 3, 2, padtype="mean"), S),
    case(lambda sp, x: sp.signal.zoom_fft(x, [0.1, 0.4], m=6, axis=0), n(6, 5)),
    case(lambda sp, x: sp.signal.deconvolve(OTHER, x[:3])[1], S),
    case(lambda sp, x: sp.signal.periodogram(x + 1j * x[::-1], scaling="spectrum")[1], LONG),
    case(lambda sp, x: (sp.signal.choose_conv_method(x, OTHER) == "x" and x) or x, S),
    case(lambda sp, x: sp.signal.resample(x + 1j * OTHER, 10, window="hann"), S),
    case(lambda sp, x: sp.signal.windows.general_hamming(9, x), a0(0.35)),
    case(lambda sp, x: sp.signal.hilbert2(x), n(6, 5)),
    case(lambda sp, x: sp.signal.convolve(x, KERNEL[:2, :3], mode="same", method="auto"), n(6, 5)),
    case(lambda sp, x: sp.signal.detrend(x, axis=0, type="constant", bp=[3]), n(6, 5)),
    case(lambda sp, x: sp.signal.resample_poly(x, 2, 3, axis=0, window=("kaiser", 4.0)), n(6, 5)),
    case(lambda sp, x: sp.signal.oaconvolve(x, KERNEL[:6, :3], mode="full", axes=1), n(6, 5)),
    case(lambda sp, x: sp.signal.spectrogram(x, nperseg=16, noverlap=5, mode="phase")[2], LONG),
    case(
        lambda sp, x: sp.signal.savgol_filter(x, 7, 3, deriv=1, delta=0.5, mode="interp", cval=0.7),
        S,
    ),
    case(lambda sp, x: sp.signal.stft(x, nperseg=16, boundary=None)[2], LONG),
    case(
        lambda sp, x: sp.signal.savgol_filter(x, 7, 3, deriv=1, delta=0.5, mode="wrap", cval=0.7), S
    ),
    case(lambda sp, x: sp.signal.czt(x, m=9, w=numpy.exp(-0.2j), a=1.1), S),
    case(lambda sp, x: sp.signal.resample_poly(x, 3, 2, padtype="wrap"), S),
    case(lambda sp, x: sp.signal.savgol_filter(x, 5, 2, axis=0, mode="mirror", cval=1.0), n(6, 5)),
    case(lambda sp, x: sp.signal.resample_poly(x, 3, 2, padtype="reflect"), S),
    case(lambda sp, x: sp.signal.windows.tukey(9, x), a0(0.35)),
    case(
        lambda sp, x: sp.signal.savgol_filter(x, 5, 2, axis=0, mode="constant", cval=1.0), n(6, 5)
    ),
    case(
        lambda sp, x: sp.signal.convolve2d(
            KERNEL * 1j, x[:2, :4] * (1 + 2j), mode="valid", boundary="symm"
        ),
        n(6, 5),
    ),
    case(lambda sp, x: sp.signal.windows.general_gaussian(9, 1.5, x * 4), a0(0.35)),
    case(lambda sp, x: sp.signal.resample_poly(x, 3, 2, padtype="antireflect"), S),
    case(lambda sp, x: sp.signal.convolve(x, KERNEL[:2, :3], mode="valid", method="fft"), n(6, 5)),
    case(lambda sp, x: (sp.signal.choose_conv_method(x, OTHER) == "x" and x) or x, S),
    case(lambda sp, x: sp.signal.spectrogram(x, nperseg=16, detrend=False)[2], LONG),
    case(lambda sp, x: sp.signal.resample_poly(x, 3, 2, padtype="antisymmetric"), S),
    case(lambda sp, x: sp.signal.upfirdn(x, OTHER, 1, 2, mode="wrap"), n(7)),
    case(
        lambda sp, x: sp.signal.upfirdn([1.0, 2.0, 3, 4], OTHER, 2, 3, mode="constant", cval=x),
        a0(0.35),
    ),
    case(
        lambda sp, x: sp.signal.resample_poly(
            x, 2, 3, axis=1, padtype="symmetric", window=[0.2, 0.5, 0.2]
        ),
        n(6, 5),
    ),
    case(lambda sp, x: sp.signal.upfirdn(x, OTHER, 1, 2, mode="symmetric"), n(7)),
    case(lambda sp, x: sp.signal.resample_poly(x, 3, 2, padtype="edge"), S),
    case(
        lambda sp, x: sp.signal.resample_poly(
            x, 2, 3, axis=1, padtype="constant", window=[0.2, 0.5, 0.2]
        ),
        n(6, 5),
    ),
    case(lambda sp, x: sp.signal.resample_poly(x, 3, 2, padtype="wrap"), S),
    case(lambda sp, x: sp.signal.resample_poly(x, 3, 2, padtype="mean"), S),
    case(
        lambda sp, x: sp.signal.resample_poly(
            x, 2, 3, axis=1, padtype="line", window=[0.2, 0.5, 0.2]
        ),
        n(6, 5),
    ),
    case(lambda sp, x: sp.signal.resample_poly(OTHER, 4, 6, window=x, padtype="mean"), n(7)),
    case(
        lambda sp, x: sp.signal.upfirdn(
            [1.0, 0.5, 0.2, 0.3, 0.6, -0.2], x, 2, 3, mode="symmetric", cval=0.4
        ),
        S,
    ),
    case(
        lambda sp, x: sp.signal.upfirdn(
            [1.0, 0.5, 0.2, 0.3, 0.6, -0.2], x, 2, 3, mode="wrap", cval=0.4
        ),
        S,
    ),
    case(lambda sp, x: sp.signal.resample_poly(OTHER, 4, 6, window=x, padtype="antireflect"), n(7)),
    case(
        lambda sp, x: sp.interpolate.BSpline(numpy.arange(12.0), x, 3).integrate(
            3.3,
            7.0,
        ),
        p(8),
    ),
    case(lambda sp, x: sp.interpolate.Akima1DInterpolator(NODES, x)(Q), p(8)),
    case(lambda sp, x: sp.interpolate.CubicSpline(NODES, x, bc_type=((1, 0.5), (2, 0.3)))(Q), p(8)),
    case(lambda sp, x: sp.interpolate.CubicSpline(NODES, x, bc_type="clamped")(Q), p(8)),
    case(lambda sp, x: sp.interpolate.interp1d(NODES, x, kind="cubic")(Q), p(8)),
    case(lambda sp, x: sp.interpolate.interp1d(NODES, VALUES, kind="nearest")(x), Q),
    case(
        lambda sp, x: sp.interpolate.CubicSpline(NODES, x, bc_type="not-a-knot").integrate(
            0.2, 2.9
        ),
        p(8),
    ),
    case(
        lambda sp, x: sp.interpolate.make_interp_spline(NODES, x, k=3, bc_type="clamped")(Q), p(8)
    ),
    case(lambda sp, x: sp.interpolate.pchip_interpolate(NODES, x, Q, der=1), p(8)),
    case(lambda sp, x: sp.interpolate.barycentric_interpolate(NODES, VALUES, x), Q),
    case(lambda sp, x: sp.interpolate.CubicSpline(NODES, VALUES, bc_type="natural")(x, 1), Q),
    case(lambda sp, x: sp.interpolate.PPoly(x.reshape(4, 2), numpy.array([0.0, 1, 3]))(Q), p(8)),
    case(lambda sp, x: sp.interpolate.interp1d(NODES, VALUES, kind="next")(x), Q),
    case(lambda sp, x: sp.interpolate.LSQUnivariateSpline(NODES, x, [1.3])(Q), p(8)),
    case(lambda sp, x: sp.interpolate.InterpolatedUnivariateSpline(NODES, x, k=2)(Q, nu=1), p(8)),
    case(
        lambda sp, x: sp.interpolate.CubicSpline(NODES, x, bc_type="not-a-knot").antiderivative()(
            Q
        ),
        p(8),
    ),
    case(
        lambda sp, x: sp.interpolate.make_interp_spline(
            NODES, x, k=3, bc_type=([(1, 0.5)], [(2, 0.3)])
        )(Q),
        p(8),
    ),
    case(lambda sp, x: sp.interpolate.CubicSpline(NODES, SHEET * x[:, None], axis=0)(Q), p(8)),
    case(lambda sp, x: sp.interpolate.interp1d(NODES, x, kind="nearest")(Q), p(8)),
    case(lambda sp, x: sp.interpolate.interp1d(NODES, x, kind="zero")(Q), p(8)),
    case(
        lambda sp, x: sp.interpolate.CubicSpline(NODES, x, bc_type="not-a-knot").derivative(2)(Q),
        p(8),
    ),
    case(
        lambda sp, x: sp.interpolate.make_interp_spline(NODES, x, k=3, bc_type="natural")(Q), p(8)
    ),
    case(lambda sp, x: sp.interpolate.CubicHermiteSpline(NODES, VALUES, x)(Q, 2), p(8)),
    case(lambda sp, x: sp.interpolate.interp1d(NODES, VALUES, kind="linear")(x), Q),
    case(lambda sp, x: sp.interpolate.CubicSpline(NODES, x, bc_type="not-a-knot")(Q), p(8)),
    case(lambda sp, x: sp.interpolate.UnivariateSpline(NODES, x, s=0, ext="zeros", k=4)(FAR), p(8)),
    case(
        lambda sp, x: sp.interpolate.InterpolatedUnivariateSpline(NODES, x, ext="extrapolate")(
            FAR, ext=1
        ),
        p(8),
    ),
    case(
        lambda sp, x: sp.interpolate.UnivariateSpline(NODES, x, s=0, ext=0, k=4).derivative()(FAR),
        p(8),
    ),
    case(
        lambda sp, x: sp.interpolate.LSQUnivariateSpline(NODES, x, [1.3], ext="const")(FAR, ext=1),
        p(8),
    ),
    case(
        lambda sp, x: sp.interpolate.InterpolatedUnivariateSpline(NODES, x, ext="const")(FAR), p(8)
    ),
    case(lambda sp, x: sp.interpolate.CubicSpline(NODES, x, extrapolate="periodic")(FAR), p(8)),
    case(lambda sp, x: sp.linalg.signm(x @ x.T + numpy.eye(4) - 2 * numpy.eye(4)), SQUARE),
    case(
        lambda sp, x: sp.linalg.solve_triangular(
            x, SECOND, trans=1, lower=True, unit_diagonal=True
        ),
        SQUARE,
    ),
    case(lambda sp, x: sp.linalg.inv(x + x.T, assume_a="sym"), SQUARE),
    case(lambda sp, x: sp.linalg.funm(x @ x.T, numpy.exp), SQUARE),
    case(lambda sp, x: abs(sp.linalg.eigh(x + x.T, x @ x.T + numpy.eye(4), type=2)[1]), SQUARE),
    case(lambda sp, x: sp.linalg.fiedler_companion(x + 2), n(4)),
    case(lambda sp, x: sp.linalg.coshm(x), SQUARE),
    case(lambda sp, x: sp.linalg.companion(x), n(4)),
    case(lambda sp, x: sp.linalg.solve(x, FOUR, assume_a="gen", transposed=True), SQUARE),
    case(lambda sp, x: sp.linalg.pinvh(x + x.T, lower=False), SQUARE),
    case(lambda sp, x: sp.linalg.inv(numpy.triu(x), assume_a="upper triangular"), SQUARE),
    case(lambda sp, x: sp.linalg.toeplitz(x, FOUR[:3]), n(4)),
    case(lambda sp, x: sp.linalg.hankel(x, FOUR), n(4)),
    case(lambda sp, x: sp.linalg.circulant(x), n(4)),
    case(lambda sp, x: sp.linalg.block_diag(x, SECOND, x[:2]), n(4)),
    case(lambda sp, x: sp.linalg.pinv(x, rtol=0.7), n(5, 3)),
    case(lambda sp, x: sp.linalg.solve(x + x.T, SECOND, assume_a="sym"), SQUARE),
    case(lambda sp, x: sp.linalg.hadamard(4) @ x, SQUARE),
    case(lambda sp, x: sp.linalg.solve(POSITIVE, x, assume_a="pos"), n(4)),
    case(
        lambda sp, x: sp.linalg.eigvalsh(x + x.T, SECOND @ SECOND.T + numpy.eye(4), type=2), SQUARE
    ),
    case(
        lambda sp, x: sp.linalg.solve(
            x @ x.T + numpy.eye(4), FOUR, assume_a="pos", transposed=True
        ),
        SQUARE,
    ),
    case(lambda sp, x: sp.linalg.inv(numpy.tril(x), assume_a="lower triangular"), SQUARE),
    case(lambda sp, x: sp.linalg.matmul_toeplitz(x, SECOND), n(4)),
    case(lambda sp, x: abs(sp.linalg.svd(x)[0]), n(3, 5)),
    case(lambda sp, x: sp.fft.rfft2(x, s=(2, 5), axes=(0, 1), norm="backward"), n(3, 4, 2)),
    case(
        lambda sp, x: sp.fft.idst(x, type=3, n=6, axis=0, norm="ortho", orthogonalize=True), n(4, 5)
    ),
    case(
        lambda sp, x: sp.fft.dstn(
            x, type=3, s=(3,), axes=(1,), norm="backward", orthogonalize=None
        ),
        n(4, 5),
    ),
    case(lambda sp, x: sp.fft.ifft(x, n=3, axis=0, norm="forward"), n(4, 5)),
    case(lambda sp, x: sp.fft.dct(x, type=2, norm="backward", orthogonalize=True), n(4, 5)),
    case(
        lambda sp, x: sp.fft.dstn(
            x, type=2, s=(3,), axes=(1,), norm="backward", orthogonalize=None
        ),
        n(4, 5),
    ),
    case(lambda sp, x: sp.fft.fft2(x, s=(2, 5), axes=(0, 1), norm="ortho"), n(3, 4, 2)),
    case(lambda sp, x: sp.integrate.cumulative_trapezoid(x, dx=0.3, axis=0, initial=0), n(4, 5)),
    case(lambda sp, x: sp.integrate.romb(numpy.concatenate([x, x[:2]]), dx=0.3), n(7)),
    case(
        lambda sp, x: sp.fft.idst(x, type=2, n=6, axis=0, norm="ortho", orthogonalize=True), n(4, 5)
    ),
    case(lambda sp, x: sp.fft.fft(x, n=3, axis=0, norm="forward"), n(4, 5)),
    case(lambda sp, x: sp.fft.ifftn(x, s=(2, 5), axes=(0, 1), norm="ortho"), n(3, 4, 2)),
    case(lambda sp, x: sp.fft.fft2(x, s=(2, 5), axes=(0, 1), norm="backward"), n(3, 4, 2)),
    case(lambda sp, x: sp.fft.irfft(x + 1j * TABLE, n=7, axis=1, norm="backward"), n(4, 5)),
    case(lambda sp, x: sp.integrate.newton_cotes(4)[0] @ x.T, n(4, 5)),
    case(lambda sp, x: sp.fft.irfft(x + 1j * TABLE, n=None, axis=1, norm="ortho"), n(4, 5)),
    case(
        lambda sp, x: sp.fft.dstn(x, type=4, s=(3,), axes=(1,), norm="ortho", orthogonalize=True),
        n(4, 5),
    ),
    case(lambda sp, x: sp.fft.fftn(x, s=(2, 5), axes=(0, 1), norm="ortho"), n(3, 4, 2)),
]

OF_NUMPY = [
    case(lambda np, x: np.percentile(x, [0, 20.0, 100], axis=(0, 1), method="midpoint"), n(4, 5)),
    case(lambda np, x: np.correlate(x[0], TABLE[1, :3], "full"), n(4, 5)),
    case(
        lambda np, x: np.percentile(x, [0, 20.0, 100], axis=(0, 1), method="normal_unbiased"),
        n(4, 5),
    ),
    case(lambda np, x: np.interp(0.3, np.sort(x), SEVEN, period=2.5), n(7)),
    case(lambda np, x: np.select([MASK, x > 0], [x, x * x], default=x[0]), n(4, 5)),
    case(lambda np, x: np.sinc(x), n(7)),
    case(
        lambda np, x: np.pad(
            x, ((1, 2), (0, 1)), mode="linear_ramp", end_values=((1.0, 2.0), (3.0, 4.0))
        ),
        n(4, 5),
    ),
    case(lambda np, x: np.cross(x, x[0], axisa=0, axisc=0), n(3, 3)),
    case(lambda np, x: np.cross(x[:, :2], TABLE[:, 2:5]), n(4, 5)),
    case(lambda np, x: np.meshgrid(x, x[:2], indexing="ij", copy=False)[0], n(7)),
    case(lambda np, x: np.pad(x, 1, mode="empty")[1:-1], n(7)),
    case(lambda np, x: np.maximum.reduce(x, axis=1, initial=-0.2, where=MASK), n(4, 5)),
    case(lambda np, x: np.ediff1d(x), n(4, 5)),
    case(lambda np, x: np.einsum("ij,ij->i", x, 1j * TABLE), n(4, 5)),
    case(lambda np, x: np.matmul(x, x, axes=[(0, 1), (1, 0), (0, 1)]), n(4, 5)),
    case(lambda np, x: np.quantile(x, 0.37, axis=1, method="lower", keepdims=True), n(4, 5)),
    case(lambda np, x: np.diagonal(x, -1, 1, 0), n(3, 4, 2)),
    case(lambda np, x: np.polyval(x, np.polyval(x[:2], 0.3)), n(7)),
    case(lambda np, x: np.tensordot(x, TABLE, axes=([1, 0], [1, 0])), n(4, 5)),
    case(lambda np, x: np.quantile(x, 0.37, axis=1, method="hazen", keepdims=True), n(4, 5)),
    case(lambda np, x: np.percentile(x, [0, 20.0, 100], axis=(0, 1), method="hazen"), n(4, 5)),
    case(lambda np, x: np.pad(x, 2, mode="mean", stat_length=((1, 2), (2, 1))), n(4, 5)),
    case(lambda np, x: np.poly(x[:3]), n(7)),
    case(lambda np, x: np.nanmax(x, axis=0, where=MASK, initial=-0.1), n(4, 5)),
    case(lambda np, x: np.linalg.cholesky(x @ x.T + np.eye(3), upper=True), n(3, 3)),
    case(lambda np, x: np.logaddexp.accumulate(x, axis=0), n(4, 5)),
    case(lambda np, x: np.linalg.solve(x, TABLE[:3, :2].T[..., None].reshape(2, 3, 1)), n(3, 3)),
    case(lambda np, x: np.add.reduceat(x, [0, 2, 1], axis=1), n(4, 5)),
    case(
        lambda np, x: np.percentile(x, [0, 20.0, 100], axis=(0, 1), method="median_unbiased"),
        n(4, 5),
    ),
]

CASES = OF_SCIPY + OF_NUMPY

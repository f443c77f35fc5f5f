"""Floor 8: descriptions of filters and systems in scipy.signal, changed into one another, and
transforms along spirals.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime import scipy_expm, scipy_lfilter, scipy_ndimage_correlate


# --- transforms -----------------------------------------------------------------------------------
def chirped(x: Any, before: Any, steps: Any, m: int, axis: int) -> Any:
    """The sums over n of x_n before_n steps_n steps_k / steps_{k-n}: Bluestein's convolution."""
    rows = np.moveaxis(np.asarray(x), axis, -1)
    n = np.shape(rows)[-1]
    size = n + m - 1
    kernel = np.fft.fft(1.0 / np.concatenate((steps[n - 1 : 0 : -1], steps[:m])), size)
    found = np.fft.ifft(kernel * np.fft.fft(rows * before * steps[:n], size))
    return np.moveaxis(found[..., n - 1 : n + m - 1] * steps[:m], -1, axis)


def czt(x: Any, m: Any = None, w: Any = None, a: Any = 1 + 0j, *, axis: int = -1) -> Any:
    """scipy.signal.czt."""
    n = np.shape(x)[axis]
    m = n if m is None else m
    k = np.arange(max(m, n))
    steps = np.exp(-1j * np.pi / m * ((k * k) % (2 * m))) if w is None else w ** (k * k / 2.0)
    return chirped(x, (1.0 * a) ** -k[:n].astype(float), steps, m, axis)


def zoom_fft(
    x: Any, fn: Any, m: Any = None, *, fs: Any = 2, endpoint: bool = False, axis: int = -1
) -> Any:
    """scipy.signal.zoom_fft."""
    n = np.shape(x)[axis]
    m = n if m is None else m
    ends = np.ravel(np.asarray(fn))
    low, high = (ends[0], ends[1]) if len(ends) == 2 else (0.0, ends[0])
    scale = (high - low) * m / (fs * (m - 1)) if endpoint else (high - low) / fs
    k = np.arange(max(m, n)).astype(float)
    steps = np.exp(-1j * np.pi * scale * k**2 / m)
    return chirped(x, np.exp(-2j * np.pi * low / fs * k[:n]), steps, m, axis)


def hilbert2(x: Any, N: Any = None, axes: Any = (-2, -1)) -> Any:
    """scipy.signal.hilbert2."""
    planes = np.moveaxis(np.atleast_2d(x), axes, (-2, -1))
    sizes = np.shape(planes)[-2:] if N is None else (N, N) if isinstance(N, int) else tuple(N)
    spectrum = np.fft.fft2(planes, sizes)
    rows, columns = one_sided(sizes[0]), one_sided(sizes[1])
    return np.moveaxis(np.fft.ifft2(spectrum * np.outer(rows, columns)), (-2, -1), axes)


def one_sided(size: int) -> Any:
    """What leaves the positive frequencies, doubled."""
    k = np.arange(size)
    return np.where(k == 0, 1.0, 2.0) * (k < max((size + 1) // 2, 1))


# --- signals --------------------------------------------------------------------------------------
def deconvolve(signal: Any, divisor: Any) -> Any:
    """scipy.signal.deconvolve of a signal that is no shorter than the divisor."""
    num, den = np.atleast_1d(signal), np.atleast_1d(divisor)
    impulse = np.zeros(len(num) - len(den) + 1)
    impulse[0] = 1.0
    found = scipy_lfilter(num, den, impulse)
    return found, num - np.convolve(den, found)


def vectorstrength(events: Any, period: Any) -> Any:
    """scipy.signal.vectorstrength."""
    turns = np.exp(2j * np.pi * np.asarray(events) / np.expand_dims(period, -1))
    middle = np.mean(turns, axis=-1)
    return np.abs(middle), np.angle(middle)


def sweep_poly(t: Any, poly: Any, phi: Any = 0.0) -> Any:
    """scipy.signal.sweep_poly by coefficients."""
    poly = np.asarray(poly)
    integral = np.concatenate((poly / np.arange(len(poly), 0, -1), np.zeros(1)))
    return np.cos(2.0 * np.pi * np.polyval(integral, t) + np.pi / 180.0 * phi)


def gauss_spline(x: Any, n: Any) -> Any:
    """scipy.signal.gauss_spline."""
    spread = (n + 1.0) / 12.0
    return np.exp(-(np.asarray(x) ** 2) / 2.0 / spread) / np.sqrt(2.0 * np.pi * spread)


def wiener(im: Any, mysize: Any = None, noise: Any = None) -> Any:
    """scipy.signal.wiener."""
    im = np.asarray(im)
    sizes: Any = 3 if mysize is None else mysize
    window = np.ones((sizes,) * np.ndim(im) if np.ndim(sizes) == 0 else tuple(sizes))
    window = window / np.size(window)
    mean = scipy_ndimage_correlate(im, window, None, "constant")
    variance = scipy_ndimage_correlate(im * im, window, None, "constant") - mean**2
    level = np.mean(variance) if noise is None else noise
    return np.where(variance < level, mean, (im - mean) * (1.0 - level / variance) + mean)


# --- forms of filters -----------------------------------------------------------------------------
def normalize(b: Any, a: Any) -> Any:
    """scipy.signal.normalize of one filter."""
    num, den = np.atleast_1d(b), np.trim_zeros(np.atleast_1d(a), "f")
    zeros = int(np.argmax(np.abs(num / den[0]) > 1e-14))
    return num[zeros:] / den[0], den / den[0]


def zpk2tf(z: Any, p: Any, k: Any) -> Any:
    """scipy.signal.zpk2tf of one set of zeros."""
    return k * np.poly(np.atleast_1d(z)), np.poly(np.atleast_1d(p))


def tf2zpk(b: Any, a: Any) -> Any:
    """scipy.signal.tf2zpk."""
    num, den = normalize(b, a)
    return np.roots(num / num[0]), np.roots(den), num[0]


def sos2tf(sos: Any) -> Any:
    """scipy.signal.sos2tf."""
    sos = np.asarray(sos)
    b, a = sos[0, :3], sos[0, 3:]
    for k in range(1, len(sos)):
        b, a = np.convolve(b, sos[k, :3]), np.convolve(a, sos[k, 3:])
    return b, a


def powers(wo: Any, count: int) -> Any:
    """1, wo, wo**2..."""
    return (1.0 * wo) ** np.arange(count).astype(float)


def lp2lp(b: Any, a: Any, wo: Any = 1.0) -> Any:
    """scipy.signal.lp2lp."""
    num, den = np.atleast_1d(b), np.atleast_1d(a)
    count = max(len(num), len(den))
    scale = powers(wo, count)
    return normalize(num / scale[: len(num)][::-1], den / scale[: len(den)][::-1])


def lp2hp(b: Any, a: Any, wo: Any = 1.0) -> Any:
    """scipy.signal.lp2hp."""
    num, den = np.atleast_1d(b), np.atleast_1d(a)
    count = max(len(num), len(den))
    scale = powers(wo, count)
    num = np.concatenate((num[::-1], np.zeros(count - len(num)))) * scale
    return normalize(num, np.concatenate((den[::-1], np.zeros(count - len(den)))) * scale)


def substituted(c: Any, upper: Any, lower: Any, count: int) -> Any:
    """The polynomial c of upper / lower, times lower ** count."""
    total: Any = np.zeros(1)
    for i in range(len(c)):
        term: Any = np.ones(1)
        for k in range(count):
            term = np.convolve(term, upper if k < len(c) - 1 - i else lower)
        total = np.polyadd(total, c[i] * term)
    return total


def lp2bp(b: Any, a: Any, wo: Any = 1.0, bw: Any = 1.0) -> Any:
    """scipy.signal.lp2bp: s becomes (s**2 + wo**2) / (bw s)."""
    num, den = np.atleast_1d(b), np.atleast_1d(a)
    count = max(len(num), len(den)) - 1
    upper, lower = np.array([1.0, 0.0, wo * wo]), np.array([1.0 * bw, 0.0])
    found = substituted(num, upper, lower, count)
    return normalize(found, substituted(den, upper, lower, count))


def lp2bs(b: Any, a: Any, wo: Any = 1.0, bw: Any = 1.0) -> Any:
    """scipy.signal.lp2bs: s becomes bw s / (s**2 + wo**2)."""
    num, den = np.atleast_1d(b), np.atleast_1d(a)
    count = max(len(num), len(den)) - 1
    upper, lower = np.array([1.0 * bw, 0.0]), np.array([1.0, 0.0, wo * wo])
    found = substituted(num, upper, lower, count)
    return normalize(found, substituted(den, upper, lower, count))


def bilinear(b: Any, a: Any, fs: Any = 1.0) -> Any:
    """scipy.signal.bilinear: s becomes 2 fs (z - 1) / (z + 1)."""
    num, den = np.trim_zeros(np.atleast_1d(b), "f"), np.trim_zeros(np.atleast_1d(a), "f")
    count = max(len(num), len(den)) - 1
    upper, lower = 2.0 * fs * np.array([1.0, -1.0]), np.array([1.0, 1.0])
    found = substituted(num, upper, lower, count)
    return normalize(found, substituted(den, upper, lower, count))


def lp2lp_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0) -> Any:
    """scipy.signal.lp2lp_zpk."""
    z, p = np.atleast_1d(z), np.atleast_1d(p)
    return wo * z, wo * p, k * (1.0 * wo) ** (len(p) - len(z))


def lp2hp_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0) -> Any:
    """scipy.signal.lp2hp_zpk."""
    z, p = np.atleast_1d(z), np.atleast_1d(p)
    zeros = np.concatenate((wo / z, np.zeros(len(p) - len(z))))
    return zeros, wo / p, k * np.real(np.prod(-z) / np.prod(-p))


def beside(roots: Any, wo: Any) -> Any:
    """Where a root goes when a band is moved to wo: to both sides."""
    shift = np.sqrt(roots**2 - wo**2)
    return np.concatenate((roots + shift, roots - shift))


def lp2bp_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0, bw: Any = 1.0) -> Any:
    """scipy.signal.lp2bp_zpk."""
    z, p = np.atleast_1d(z) + 0j, np.atleast_1d(p) + 0j
    degree = len(p) - len(z)
    zeros = np.concatenate((beside(z * (bw / 2.0), wo), np.zeros(degree)))
    return zeros, beside(p * (bw / 2.0), wo), k * (1.0 * bw) ** degree


def lp2bs_zpk(z: Any, p: Any, k: Any, wo: Any = 1.0, bw: Any = 1.0) -> Any:
    """scipy.signal.lp2bs_zpk."""
    z, p = np.atleast_1d(z) + 0j, np.atleast_1d(p) + 0j
    middle = 1j * wo * np.ones(len(p) - len(z))
    zeros = np.concatenate((beside(bw / 2.0 / z, wo), middle, -middle))
    return zeros, beside(bw / 2.0 / p, wo), k * np.real(np.prod(-z) / np.prod(-p))


def bilinear_zpk(z: Any, p: Any, k: Any, fs: Any) -> Any:
    """scipy.signal.bilinear_zpk."""
    z, p, twice = np.atleast_1d(z), np.atleast_1d(p), 2.0 * fs
    zeros = np.concatenate(((twice + z) / (twice - z), -np.ones(len(p) - len(z))))
    gain = k * np.real(np.prod(twice - z) / np.prod(twice - p))
    return zeros, (twice + p) / (twice - p), gain


def freqs_zpk(z: Any, p: Any, k: Any, worN: Any = 200) -> Any:
    """scipy.signal.freqs_zpk at given frequencies."""
    if isinstance(worN, int):
        raise NotImplementedError("signal.freqs_zpk chooses frequencies: give them as worN")
    points = np.reshape(1j * np.atleast_1d(worN), (-1, 1))
    found = np.prod(points - np.atleast_1d(z), axis=1) / np.prod(points - np.atleast_1d(p), axis=1)
    return worN, np.real(k) * found


def group_delay(system: Any, w: Any = 512, whole: bool = False, fs: Any = 2.0 * np.pi) -> Any:
    """scipy.signal.group_delay where it is not singular."""
    b, a = np.atleast_1d(system[0]), np.atleast_1d(system[1])
    if isinstance(w, int):
        angles = np.arange(w) * ((2.0 if whole else 1.0) * np.pi / w)
    else:
        angles = 2.0 * np.pi / fs * np.atleast_1d(w)
    c = np.convolve(b, np.conj(a[::-1]))
    z = np.exp(-1j * angles)
    ratio = np.polyval((c * np.arange(len(c)))[::-1], z) / np.polyval(c[::-1], z)
    return angles * (fs / (2.0 * np.pi)), np.real(ratio) - len(a) + 1.0


SHARES = {"bilinear": 0.5, "tustin": 0.5, "euler": 0.0, "forward_diff": 0.0, "backward_diff": 1.0}


def cont2discrete(system: Any, dt: Any, method: str = "zoh", alpha: Any = None) -> Any:
    """scipy.signal.cont2discrete of matrices A, B, C, D."""
    if len(system) != 4:
        raise NotImplementedError("cont2discrete of a transfer function: give A, B, C and D")
    a, b, c, d = system
    n, m = np.shape(b)
    if method == "zoh":
        both = np.concatenate((np.concatenate((a, b), axis=1), np.zeros((m, n + m))), axis=0)
        found = scipy_expm(dt * both)
        return found[:n, :n], found[:n, n:], c, d, dt
    if method == "impulse":
        moved = scipy_expm(a * dt)
        return moved, moved @ b * dt, c, c @ b * dt, dt
    if method == "foh":
        raise NotImplementedError("cont2discrete with method='foh': use 'zoh' or 'bilinear'")
    share = alpha if method == "gbt" else SHARES[method]
    part = np.eye(n) - share * dt * a
    entered = np.linalg.solve(part, dt * b)
    stepped = np.linalg.solve(part, np.eye(n) + (1.0 - share) * dt * a)
    return stepped, entered, np.linalg.solve(part.T, c.T).T, d + share * (c @ entered), dt


READ = {
    "bilinear": bilinear, "bilinear_zpk": bilinear_zpk, "cont2discrete": cont2discrete,
    "czt": czt, "deconvolve": deconvolve, "freqs_zpk": freqs_zpk, "gauss_spline": gauss_spline,
    "group_delay": group_delay, "hilbert2": hilbert2, "lp2bp": lp2bp, "lp2bp_zpk": lp2bp_zpk,
    "lp2bs": lp2bs, "lp2bs_zpk": lp2bs_zpk, "lp2hp": lp2hp, "lp2hp_zpk": lp2hp_zpk,
    "lp2lp": lp2lp, "lp2lp_zpk": lp2lp_zpk, "normalize": normalize, "sos2tf": sos2tf,
    "sweep_poly": sweep_poly, "tf2zpk": tf2zpk, "vectorstrength": vectorstrength,
    "wiener": wiener, "zoom_fft": zoom_fft, "zpk2tf": zpk2tf,
}  # fmt: skip

"""Floor 8: spectra of scipy.signal: of segments of samples, and responses of filters."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from s2sgrad.standins import borders, filtering, responses, systems, windowing
from s2sgrad_runtime import scipy_detrend


def window_of(window: Any, nperseg: Any, size: int) -> tuple[Any, int]:
    """The entries of a window and how many they are; one that is named is at most `size` long."""
    if isinstance(window, str | tuple):
        count = min(256 if nperseg is None else nperseg, size)
        return windowing.get_window(window, count), count
    win = np.asarray(window)
    return win, len(win)


def detrended(parts: Any, detrend: Any) -> Any:
    """Segments without their mean or line."""
    if isinstance(detrend, str):
        if detrend == "constant":
            return parts - np.mean(parts, axis=-1, keepdims=True)
        return scipy_detrend(parts, -1, detrend)
    return detrend(parts) if detrend else parts


def transforms(
    rows: Any, win: Any, nperseg: int, noverlap: Any, nfft: Any, detrend: Any, onesided: bool
) -> Any:
    """The Fourier transforms of windowed segments of the last axis: (..., segment, frequency)."""
    step = nperseg - (nperseg // 2 if noverlap is None else noverlap)
    count = (np.shape(rows)[-1] - nperseg) // step + 1
    places = np.arange(nperseg) + step * np.reshape(np.arange(count), (-1, 1))
    parts = detrended(rows[..., places], detrend) * win.astype(rows.real.dtype)
    return np.fft.rfft(parts, n=nfft) if onesided else np.fft.fft(parts, n=nfft)


def scale_of(win: Any, fs: Any, scaling: str) -> Any:
    """What makes a density or a spectrum of squared transforms."""
    return 1.0 / (fs * np.sum(win * win)) if scaling == "density" else 1.0 / np.sum(win) ** 2


def both_sides(nfft: int) -> Any:
    """How often each frequency of one side stands on both."""
    k = np.arange(nfft // 2 + 1)
    return 1.0 + ((k > 0) & (2 * k < nfft))


def frequencies(nfft: int, fs: Any, onesided: bool) -> Any:
    """The frequencies of a transform; scipy.fft names them alike."""
    k = np.arange(nfft // 2 + 1) if onesided else (np.arange(nfft) + nfft // 2) % nfft - nfft // 2
    return k * (fs / nfft)


def middle(found: Any, average: str) -> Any:
    """The mean, or the median without its bias, over segments."""
    if average == "mean":
        return np.mean(found, axis=-2)
    k = 2.0 * np.arange(1, (np.shape(found)[-2] - 1) // 2 + 1)
    bias = 1.0 + np.sum(1.0 / (k + 1.0) - 1.0 / k)
    if np.iscomplexobj(found):
        parts = np.median(np.real(found), axis=-2) + 1j * np.median(np.imag(found), axis=-2)
        return parts / bias
    return np.median(found, axis=-2) / bias


def filled_up(rows: Any, size: int) -> Any:
    """Rows with zeros behind, up to a size."""
    rest = np.zeros((*np.shape(rows)[:-1], size - np.shape(rows)[-1]), rows.dtype)
    return np.concatenate((rows, rest), axis=-1)


def csd(
    x: Any, y: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", return_onesided: bool = True,
    scaling: str = "density", axis: int = -1, average: str = "mean",
) -> Any:  # fmt: skip
    """scipy.signal.csd; the shorter signal goes on with zeros."""
    xs, ys = np.moveaxis(np.asarray(x), axis, -1), np.moveaxis(np.asarray(y), axis, -1)
    longest = max(np.shape(xs)[-1], np.shape(ys)[-1])
    xs, ys = filled_up(xs, longest), filled_up(ys, longest)
    onesided = return_onesided and not np.iscomplexobj(xs)
    win, count = window_of(window, nperseg, np.shape(xs)[-1])
    size = count if nfft is None else nfft
    settings = (win, count, noverlap, size, detrend, onesided)
    found = np.conj(transforms(xs, *settings)) * transforms(ys, *settings)
    return frequencies(size, fs, onesided), averaged(found, win, fs, scaling, onesided, size,
                                                     average, axis)  # fmt: skip


def averaged(
    found: Any, win: Any, fs: Any, scaling: str, onesided: bool, size: int, average: str, axis: int
) -> Any:
    """Squared transforms scaled, counted on both sides, and averaged over segments."""
    found = found * scale_of(win, fs, scaling)
    found = found * both_sides(size) if onesided else found
    return np.moveaxis(middle(found, average), -1, axis)


def welch(
    x: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", return_onesided: bool = True,
    scaling: str = "density", axis: int = -1, average: str = "mean",
) -> Any:  # fmt: skip
    """scipy.signal.welch."""
    xs = np.moveaxis(np.asarray(x), axis, -1)
    onesided = return_onesided and not np.iscomplexobj(xs)
    win, count = window_of(window, nperseg, np.shape(xs)[-1])
    size = count if nfft is None else nfft
    found = transforms(xs, win, count, noverlap, size, detrend, onesided)
    found = np.real(found) ** 2 + np.imag(found) ** 2
    return frequencies(size, fs, onesided), averaged(found, win, fs, scaling, onesided, size,
                                                     average, axis)  # fmt: skip


def periodogram(
    x: Any, fs: Any = 1.0, window: Any = "boxcar", nfft: Any = None, detrend: Any = "constant",
    return_onesided: bool = True, scaling: str = "density", axis: int = -1,
) -> Any:  # fmt: skip
    """scipy.signal.periodogram: one segment of all samples, or of the first nfft."""
    rows = np.moveaxis(np.asarray(x), axis, -1)
    count = np.shape(rows)[-1] if nfft is None else min(nfft, np.shape(rows)[-1])
    name = "boxcar" if window is None else window
    found = welch(
        rows[..., :count], fs, name, count, 0, nfft, detrend, return_onesided, scaling
    )  # fmt: skip
    return found[0], np.moveaxis(found[1], -1, axis)


def coherence(
    x: Any, y: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", axis: int = -1,
) -> Any:  # fmt: skip
    """scipy.signal.coherence."""
    settings = (fs, window, nperseg, noverlap, nfft, detrend, True, "density", axis)
    freqs, left = welch(x, *settings)
    right, both = welch(y, *settings)[1], csd(x, y, *settings)[1]
    return freqs, (np.real(both) ** 2 + np.imag(both) ** 2) / left / right


def spectrogram(
    x: Any, fs: Any = 1.0, window: Any = ("tukey", 0.25), nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", return_onesided: bool = True,
    scaling: str = "density", axis: int = -1, mode: str = "psd",
) -> Any:  # fmt: skip
    """scipy.signal.spectrogram."""
    rows = np.moveaxis(np.asarray(x), axis, -1)
    onesided = return_onesided and not np.iscomplexobj(rows)
    win, count = window_of(window, nperseg, np.shape(rows)[-1])
    overlap = count // 8 if noverlap is None else noverlap
    size = count if nfft is None else nfft
    found = transforms(rows, win, count, overlap, size, detrend, onesided)
    scale = scale_of(win, fs, scaling)
    place = axis - 1 if axis < 0 else axis
    steps = np.shape(found)[-2]
    if mode == "psd":
        shown = (np.real(found) ** 2 + np.imag(found) ** 2) * scale
        shown = shown * both_sides(size) if onesided else shown
    elif mode == "magnitude":
        shown = np.abs(found) * np.sqrt(scale)
    elif mode == "complex":
        shown = found * np.sqrt(scale)
    else:
        shown = np.angle(found)
        shown = np.unwrap(shown, axis=-1) if mode == "phase" else shown
    times = (np.arange(steps) * (count - overlap) + count / 2) / fs
    return frequencies(size, fs, onesided), times, np.moveaxis(shown, -1, place)


def extended(rows: Any, boundary: Any, width: int) -> Any:
    """Samples with more of them at both ends, as scipy.signal.stft's boundary says."""
    widths = [(0, 0)] * (np.ndim(rows) - 1) + [(width, width)]
    if boundary == "zeros":
        return np.pad(rows, widths)
    if boundary == "constant":
        return np.pad(rows, widths, mode="edge")
    return np.pad(rows, widths, mode="reflect", reflect_type=boundary)


def stft(
    x: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = 256, noverlap: Any = None,
    nfft: Any = None, detrend: Any = False, return_onesided: bool = True, boundary: Any = "zeros",
    padded: bool = True, axis: int = -1, scaling: str = "spectrum",
) -> Any:  # fmt: skip
    """scipy.signal.stft."""
    rows = np.moveaxis(np.asarray(x), axis, -1)
    onesided = return_onesided and not np.iscomplexobj(rows)
    win, count = window_of(window, nperseg, np.shape(rows)[-1])
    overlap = count // 2 if noverlap is None else noverlap
    size = count if nfft is None else nfft
    if boundary is not None:
        rows = extended(rows, boundary, count // 2)
    if padded:
        rest = (-(np.shape(rows)[-1] - count) % (count - overlap)) % count
        rows = np.pad(rows, [(0, 0)] * (np.ndim(rows) - 1) + [(0, rest)])
    found = transforms(rows, win, count, overlap, size, detrend, onesided)
    kind = "density" if scaling == "psd" else scaling
    found = found * np.sqrt(scale_of(win, fs, kind))
    times = np.arange(np.shape(found)[-2]) * (count - overlap) / fs
    times = times if boundary is not None else times + count / 2 / fs
    place = axis - 1 if axis < 0 else axis
    return frequencies(size, fs, onesided), times, np.moveaxis(found, -1, place)


def istft(
    Zxx: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, input_onesided: bool = True, boundary: Any = True, time_axis: int = -1,
    freq_axis: int = -2, scaling: str = "spectrum",
) -> Any:  # fmt: skip
    """scipy.signal.istft: the segments, windowed again and added."""
    parts = np.moveaxis(np.asarray(Zxx), (time_axis, freq_axis), (-2, -1))
    usual = 2 * (np.shape(parts)[-1] - 1) if input_onesided else np.shape(parts)[-1]
    count = usual if nperseg is None else nperseg
    size = (count if input_onesided and count == usual + 1 else usual) if nfft is None else nfft
    named = isinstance(window, str | tuple)
    win = windowing.get_window(window, count) if named else np.asarray(window)
    step = count - (count // 2 if noverlap is None else noverlap)
    back = np.fft.irfft(parts, n=size) if input_onesided else np.fft.ifft(parts, n=size)
    back = back[..., :count] * win
    steps = np.shape(parts)[-2]
    length = count + (steps - 1) * step
    x = np.zeros((*np.shape(parts)[:-2], length), back.dtype)
    weight = np.zeros(length)
    for k in range(steps):
        x[..., k * step : k * step + count] += back[..., k, :]
        weight[k * step : k * step + count] += win**2
    x = x * (np.sum(win) if scaling == "spectrum" else np.sqrt(fs * np.sum(win**2)))
    x = x / np.where(weight > 1e-10, weight, 1.0)
    if boundary:
        x = x[..., count // 2 : length - count // 2]
    return np.arange(np.shape(x)[-1]) / fs, x


def lombscargle(
    x: Any, y: Any, freqs: Any, *, precenter: bool = False, normalize: Any = False,
    weights: Any = None, floating_mean: bool = False,
) -> Any:  # fmt: skip
    """scipy.signal.lombscargle (Zechmeister and Kuerster 2009)."""
    w = np.ones(len(y)) if weights is None else np.asarray(weights)
    w = w / np.sum(w)
    y = y - np.mean(y) if precenter else y
    angle = np.outer(freqs, x)
    turn = phase_of(w, angle, floating_mean)
    c, s = np.cos(angle - turn), np.sin(angle - turn)
    cc, yc, ys = c * c @ w, c @ (w * y), s @ (w * y)
    ss = 1.0 - cc
    if floating_mean:
        mean, c, s = w @ y, c @ w, s @ w
        yc, ys, cc, ss = yc - mean * c, ys - mean * s, cc - c * c, ss - s * s
    a, b = yc / cc, ys / ss
    if normalize == "amplitude":
        return (a + 1j * b) * np.exp(1j * turn[:, 0])
    power = 2.0 * (a * yc + b * ys)
    if normalize is True or normalize == "normalize":
        total = w @ (y * y) - (mean * mean if floating_mean else 0.0)
        return 0.5 * power / total
    return power * (len(y) / 4.0)


def phase_of(w: Any, angle: Any, floating_mean: bool) -> Any:
    """The angle at which sines and cosines are orthogonal, of each frequency, in a column."""
    c, s = np.cos(angle), np.sin(angle)
    cc, cs = c * c @ w, c * s @ w
    ss = 1.0 - cc
    if floating_mean:
        c, s = c @ w, s @ w
        cc, ss, cs = cc - c * c, ss - s * s, cs - c * s
    return np.reshape(0.5 * np.arctan2(2.0 * cs, cc - ss), (-1, 1))


# --- responses of filters -------------------------------------------------------------------------
def angles(worN: Any, whole: bool, fs: Any, include_nyquist: bool) -> Any:
    """Frequencies in radians a sample."""
    if worN is None or isinstance(worN, int):
        count = 512 if worN is None else worN
        last = 2.0 * np.pi if whole else np.pi
        return np.arange(count) * (last / (count - 1 if include_nyquist and not whole else count))
    return 2.0 * np.pi * np.asarray(worN) / fs


def on_circle(coefficients: Any, w: Any) -> Any:
    """A polynomial in 1/z at the angles w."""
    c = np.atleast_1d(coefficients)
    return np.exp(-1j * np.multiply.outer(w, np.arange(len(c)))) @ c


def freqz(
    b: Any, a: Any = 1, worN: Any = 512, whole: bool = False, plot: Any = None,
    fs: Any = 2.0 * np.pi, include_nyquist: bool = False,
) -> Any:  # fmt: skip
    """scipy.signal.freqz."""
    w = angles(worN, whole, fs, include_nyquist)
    return w * (fs / (2.0 * np.pi)), on_circle(b, w) / on_circle(a, w)


def freqz_sos(sos: Any, worN: Any = 512, whole: bool = False, fs: Any = 2.0 * np.pi) -> Any:
    """scipy.signal.freqz_sos."""
    w = angles(worN, whole, fs, False)
    found = on_circle(sos[0, :3], w) / on_circle(sos[0, 3:], w)
    for k in range(1, len(sos)):
        found = found * (on_circle(sos[k, :3], w) / on_circle(sos[k, 3:], w))
    return w * (fs / (2.0 * np.pi)), found


def freqz_zpk(
    z: Any, p: Any, k: Any, worN: Any = 512, whole: bool = False, fs: Any = 2.0 * np.pi
) -> Any:
    """scipy.signal.freqz_zpk."""
    w = angles(worN, whole, fs, False)
    points = np.reshape(np.exp(1j * w), (-1, 1))
    found = np.real(k) * np.prod(points - z, axis=1) / np.prod(points - p, axis=1)
    return w * (fs / (2.0 * np.pi)), found


def freqs(b: Any, a: Any, worN: Any = 200, plot: Any = None) -> Any:
    """scipy.signal.freqs at given frequencies."""
    if isinstance(worN, int):
        raise NotImplementedError("signal.freqs chooses frequencies itself: give them as worN")
    s = 1j * np.asarray(worN)
    return worN, np.polyval(np.atleast_1d(b), s) / np.polyval(np.atleast_1d(a), s)


READ = (
    "coherence", "csd", "freqs", "freqz", "freqz_sos", "freqz_zpk", "istft", "lombscargle",
    "periodogram", "spectrogram", "stft", "welch",
)  # fmt: skip


def table() -> dict[Any, Any]:
    """SciPy's function -> what is read in its place."""
    signal = sys.modules["scipy.signal"]
    here = {**{name: globals()[name] for name in READ}, "sosfreqz": freqz_sos}
    found = {**here, **filtering.READ, **responses.READ, **systems.READ, **windowing.READ}
    windows = {getattr(signal.windows, name): w for name, w in windowing.WINDOWS.items()}
    return windows | {getattr(signal, n): read for n, read in found.items() if hasattr(signal, n)}


def further() -> dict[Any, Any]:
    """The same for arguments that the function's rule does not know."""
    signal = sys.modules["scipy.signal"]
    found = {**borders.OF_SIGNALS, **filtering.FURTHER}
    return {getattr(signal, name): standin for name, standin in found.items()}

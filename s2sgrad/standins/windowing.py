"""Floor 8: windows of scipy.signal by their parameters, and filters that are made with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime import sampled_window


def length(M: int, sym: bool) -> int:
    """Of a periodic window the last entry is left out: it is longer at first."""
    return M if sym or M < 2 else M + 1


def general_cosine(M: int, a: Any, sym: bool = True) -> Any:
    """scipy.signal.windows.general_cosine."""
    if M < 2:
        return np.ones(M)
    turn = np.linspace(-np.pi, np.pi, length(M, sym))
    found = np.zeros(length(M, sym))
    for k in range(len(a)):
        found = found + a[k] * np.cos(k * turn)
    return found[:M]


def general_hamming(M: int, alpha: Any, sym: bool = True, **backend: Any) -> Any:
    """scipy.signal.windows.general_hamming."""
    return general_cosine(M, [alpha, 1.0 - alpha], sym)


def gaussian(M: int, std: Any, sym: bool = True, **backend: Any) -> Any:
    """scipy.signal.windows.gaussian."""
    if M < 2:
        return np.ones(M)
    n = np.arange(M) - 0.5 * (length(M, sym) - 1)
    return np.exp(-0.5 * (n / std) ** 2)


def general_gaussian(M: int, p: Any, sig: Any, sym: bool = True, **backend: Any) -> Any:
    """scipy.signal.windows.general_gaussian."""
    if M < 2:
        return np.ones(M)
    n = np.arange(M) - 0.5 * (length(M, sym) - 1)
    return np.exp(-0.5 * np.abs(n / sig) ** (2.0 * p))


def exponential(
    M: int, center: Any = None, tau: Any = 1.0, sym: bool = True, **backend: Any
) -> Any:
    """scipy.signal.windows.exponential."""
    if sym and center is not None:
        raise ValueError("If sym==True, center must be None.")
    if M < 2:
        return np.ones(M)
    middle = 0.5 * (length(M, sym) - 1) if center is None else center
    return np.exp(-np.abs(np.arange(M) - middle) / tau)


def kaiser(M: int, beta: Any, sym: bool = True, **backend: Any) -> Any:
    """scipy.signal.windows.kaiser."""
    if M < 2:
        return np.ones(M)
    side = 2.0 * np.arange(M) / (length(M, sym) - 1) - 1.0
    return np.i0(beta * np.sqrt(1.0 - side**2)) / np.i0(beta)


def tukey(M: int, alpha: Any = 0.5, sym: bool = True, **backend: Any) -> Any:
    """scipy.signal.windows.tukey."""
    if M < 2:
        return np.ones(M)
    last = length(M, sym) - 1
    share = np.clip(alpha, 0.0, 1.0) * last
    side = np.minimum(np.arange(M), last - np.arange(M))
    rising = 0.5 * (1.0 - np.cos(2.0 * np.pi * side / np.where(share > 0.0, share, 1.0)))
    return np.where(2.0 * side < share, rising, 1.0)


def get_window(window: Any, Nx: int, fftbins: bool = True, **backend: Any) -> Any:
    """scipy.signal.get_window."""
    if not isinstance(window, str | tuple):
        return kaiser(Nx, window, not fftbins)
    if isinstance(window, str) or len(window) == 1:
        return sampled_window(window, Nx, fftbins)
    if window[0] in ("kaiser", "ksr"):
        return kaiser(Nx, window[1], not fftbins)
    if window[0] in ("gaussian", "gauss", "gss"):
        return gaussian(Nx, window[1], not fftbins)
    if window[0] in ("tukey", "tuk"):
        return tukey(Nx, window[1], not fftbins)
    if window[0] in ("general gaussian", "general_gaussian", "general gauss", "ggs"):
        return general_gaussian(Nx, window[1], window[2], not fftbins)
    if window[0] in ("general hamming", "general_hamming"):
        return general_hamming(Nx, window[1], not fftbins)
    if window[0] in ("general cosine", "general_cosine"):
        return general_cosine(Nx, window[1], not fftbins)
    if window[0] in ("exponential", "poisson") and len(window) == 3:
        return exponential(Nx, window[1], window[2], not fftbins)
    return sampled_window(window, Nx, fftbins)


def firwin(
    numtaps: int, cutoff: Any, *, width: Any = None, window: Any = "hamming",
    pass_zero: Any = True, scale: bool = True, fs: Any = 2.0,
) -> Any:  # fmt: skip
    """scipy.signal.firwin, by the cutoff frequencies and the window's parameters."""
    if width is not None:
        raise NotImplementedError("signal.firwin with a width: give the window ('kaiser', beta)")
    edges = np.atleast_1d(cutoff) / (0.5 * (2.0 if fs is None else fs))
    if isinstance(pass_zero, str):
        pass_zero = pass_zero in ("bandstop", "lowpass")
    low = [0.0] if pass_zero else []
    high = [1.0] if (len(edges) % 2 == 1) != bool(pass_zero) else []
    if high and numtaps % 2 == 0:
        raise ValueError("a filter with an even number of coefficients must be zero at fs / 2")
    bands = np.concatenate((np.array(low), edges, np.array(high)))
    m = np.arange(numtaps) - 0.5 * (numtaps - 1)
    taps = np.zeros(numtaps)
    for k in range(len(bands) // 2):
        left, right = bands[2 * k], bands[2 * k + 1]
        taps = taps + right * np.sinc(right * m) - left * np.sinc(left * m)
    taps = taps * get_window(window, numtaps, False)
    if not scale:
        return taps
    at = 0.0 if pass_zero else 1.0 if len(bands) == 2 and high else 0.5 * (bands[0] + bands[1])
    return taps / np.sum(taps * np.cos(np.pi * m * at))


WINDOWS = {
    f.__name__: f
    for f in (
        exponential, gaussian, general_cosine, general_gaussian, general_hamming, get_window,
        kaiser, tukey,
    )
}  # fmt: skip
READ = {"firwin": firwin, "get_window": get_window}

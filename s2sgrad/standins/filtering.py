"""Floor 8: filters of scipy.signal by their coefficients and from a state, and test signals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import ndimage, signal

from s2sgrad_runtime import scipy_exprel, scipy_lfilter


def normalized(b: Any, a: Any) -> tuple[Any, Any, int]:
    """The coefficients over the first of a, and how many numbers the filter's state has."""
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    return b / a[0], a / a[0], max(len(a), len(b)) - 1


def tail(c: Any, rows: Any, order: int) -> Any:
    """What a filter without feedback would still give after the last sample."""
    zeros = np.zeros((*np.shape(rows)[:-1], order))
    last = rows[..., max(np.shape(rows)[-1] - order, 0) :]
    return scipy_lfilter(c, np.ones(1), np.concatenate((last, zeros), -1))[..., -order:]


def lfilter(b: Any, a: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """scipy.signal.lfilter from a state: a * y = b * x + zi as polynomials."""
    if zi is None:
        return scipy_lfilter(b, a, x, axis)
    b, a, order = normalized(b, a)
    rows, state = np.moveaxis(np.asarray(x), axis, -1), np.moveaxis(np.asarray(zi), axis, -1)
    count = np.shape(rows)[-1]
    state = np.broadcast_to(state, (*np.shape(rows)[:-1], order))
    state = np.concatenate((state, np.zeros((*np.shape(rows)[:-1], count))), -1)
    free = scipy_lfilter(np.ones(1), a, state[..., :count])
    y = scipy_lfilter(b, a, rows) + free
    after = tail(b, rows, order) - tail(a, y, order) + state[..., count:]
    return np.moveaxis(y, -1, axis), np.moveaxis(after, -1, axis)


def sosfilt(sos: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """scipy.signal.sosfilt: one section after the other."""
    sos = np.atleast_2d(sos)
    states = []
    for k in range(len(sos)):
        if zi is None:
            x = scipy_lfilter(sos[k, :3], sos[k, 3:], x, axis)
        else:
            x, state = lfilter(sos[k, :3], sos[k, 3:], x, axis, zi[k])
            states.append(state)
    return x if zi is None else (x, np.stack(states))


def lfilter_zi(b: Any, a: Any) -> Any:
    """scipy.signal.lfilter_zi: the state in which a constant stays constant."""
    b, a, order = normalized(b, a)
    b = np.concatenate((b, np.zeros(order + 1 - len(b))))
    a = np.concatenate((a, np.zeros(order + 1 - len(a))))
    gain = np.sum(b) / np.sum(a)
    return np.cumsum((b - gain * a)[:0:-1])[::-1]


def sosfilt_zi(sos: Any) -> Any:
    """scipy.signal.sosfilt_zi."""
    sos = np.atleast_2d(sos)
    scale: Any = 1.0
    states = []
    for k in range(len(sos)):
        states.append(scale * lfilter_zi(sos[k, :3], sos[k, 3:]))
        scale = scale * np.sum(sos[k, :3]) / np.sum(sos[k, 3:])
    return np.stack(states)


def lfiltic(b: Any, a: Any, y: Any, x: Any = None) -> Any:
    """scipy.signal.lfiltic: the state after outputs y and inputs x, the last ones first."""
    b, a, order = normalized(b, a)
    past = np.concatenate((np.atleast_1d(y), np.zeros(order)))[: len(a) - 1]
    state = -lagged(a, past, order)
    if x is None:
        return state
    given = np.concatenate((np.atleast_1d(x), np.zeros(order)))[: len(b) - 1]
    return state + lagged(b, given, order)


def lagged(c: Any, past: Any, order: int) -> Any:
    """Sums of the later coefficients times past values, for each place of the state."""
    found = []
    for k in range(order):
        rest = c[k + 1 :]
        found.append(np.sum(rest * past[: len(rest)]))
    return np.stack(found)


def padded(x: Any, padtype: Any, edge: int) -> Any:
    """Samples with `edge` more at both ends of the last axis."""
    if edge == 0 or padtype is None:
        return x
    widths = [(0, 0)] * (np.ndim(x) - 1) + [(edge, edge)]
    if padtype == "constant":
        return np.pad(x, widths, mode="edge")
    return np.pad(x, widths, mode="reflect", reflect_type=padtype)


def filtfilt(
    b: Any, a: Any, x: Any, axis: int = -1, padtype: Any = "odd", padlen: Any = None,
    method: str = "pad", irlen: Any = None,
) -> Any:  # fmt: skip
    """scipy.signal.filtfilt: forwards and backwards."""
    if method != "pad":
        raise NotImplementedError("signal.filtfilt by its coefficients with method='gust'")
    longest = max(len(np.atleast_1d(a)), len(np.atleast_1d(b)))
    edge = (3 * longest if padlen is None else padlen) if padtype is not None else 0
    rows = padded(np.moveaxis(np.asarray(x), axis, -1), padtype, edge)
    state = lfilter_zi(b, a)
    rows = lfilter(b, a, rows, -1, state * rows[..., :1])[0][..., ::-1]
    rows = lfilter(b, a, rows, -1, state * rows[..., :1])[0][..., ::-1]
    return np.moveaxis(rows[..., edge : np.shape(rows)[-1] - edge], -1, axis)


def sosfiltfilt(sos: Any, x: Any, axis: int = -1, padtype: Any = "odd", padlen: Any = None) -> Any:
    """scipy.signal.sosfiltfilt."""
    sos = np.atleast_2d(sos)
    zeros = min(np.sum(sos[:, 2] == 0), np.sum(sos[:, 5] == 0))
    usual = 3 * (2 * len(sos) + 1 - zeros)
    edge = (usual if padlen is None else padlen) if padtype is not None else 0
    rows = padded(np.moveaxis(np.asarray(x), axis, -1), padtype, edge)
    state = sosfilt_zi(sos)
    shape = (len(sos),) + (1,) * (np.ndim(rows) - 1) + (2,)
    state = np.reshape(state, shape)
    rows = sosfilt(sos, rows, -1, state * rows[..., :1])[0][..., ::-1]
    rows = sosfilt(sos, rows, -1, state * rows[..., :1])[0][..., ::-1]
    return np.moveaxis(rows[..., edge : np.shape(rows)[-1] - edge], -1, axis)


def upfirdn(
    h: Any, x: Any, up: int = 1, down: int = 1, axis: int = -1, mode: str = "constant",
    cval: Any = 0,
) -> Any:  # fmt: skip
    """scipy.signal.upfirdn: x goes on beyond its ends as far as the filter reaches."""
    rows = np.moveaxis(np.asarray(x), axis, -1)
    length, beyond = (np.shape(rows)[-1] - 1) * up + len(h), -(-len(h) // up)
    if mode == "constant":
        rows = continued(rows, beyond, "constant", constant_values=cval)
    elif mode in ("edge", "reflect", "symmetric", "wrap"):
        rows = continued(rows, beyond, mode)
    elif mode == "antireflect":
        rows = continued(rows, beyond, "reflect", reflect_type="odd")
    else:
        raise NotImplementedError("signal.upfirdn with mode 'antisymmetric', 'line' or 'smooth'")
    before = beyond * up
    sparse = np.zeros((*np.shape(rows)[:-1], before + length), rows.dtype)
    wide = -(-(before + length) // up)
    sparse[..., ::up] = rows[..., :wide]
    return np.moveaxis(scipy_lfilter(h, np.ones(1), sparse)[..., before::down], -1, axis)


def continued(rows: Any, beyond: int, mode: str, **given: Any) -> Any:
    """Rows with so many entries more at both ends."""
    pad: Any = np.pad
    return pad(rows, [(0, 0)] * (np.ndim(rows) - 1) + [(beyond, beyond)], mode=mode, **given)


def resample(
    x: Any, num: Any, t: Any = None, axis: Any = 0, window: Any = None, domain: Any = "time"
) -> Any:
    """scipy.signal.resample with the places of the samples, which are apart from what is there."""
    y = signal.resample(x, num, None, axis, window, domain)
    start, step = t[0], t[1] - t[0]
    return y, start + np.arange(num) * step * np.shape(x)[axis] / num


def resample_poly(
    x: Any, up: int, down: int, axis: int = 0, window: Any = ("kaiser", 5.0),
    padtype: str = "constant", cval: Any = None,
) -> Any:  # fmt: skip
    """scipy.signal.resample_poly around an entry, the mean or the median, which move with x, and by
    a window of numbers."""
    common = math.gcd(up, down)
    up, down = up // common, down // common
    if up == 1 and down == 1:
        return np.copy(x)
    base: Any = 0.0
    if padtype in BACKGROUNDS:
        base = BACKGROUNDS[padtype](x, axis=axis, keepdims=True)
        x = x - base
    if isinstance(window, str | tuple):
        window = signal.firwin(20 * max(up, down) + 1, 1.0 / max(up, down), window=window)
    window = np.asarray(window) * up
    half = (len(window) - 1) // 2
    first, count = down - half % down, -(-np.shape(x)[axis] * up // down)
    skipped = (half + first) // down
    last = max(0, down * (count + skipped) - (np.shape(x)[axis] - 1) * up - len(window) - first)
    h = np.concatenate((np.zeros(first), window, np.zeros(last)))
    mode = "constant" if padtype in BACKGROUNDS else padtype
    y = np.moveaxis(upfirdn(h, x, up, down, axis, mode, 0.0 if cval is None else cval), axis, -1)
    return np.moveaxis(y[..., skipped : skipped + count], -1, axis) + base


BACKGROUNDS: dict[str, Any] = {
    "mean": np.mean,
    "median": np.median,
    "minimum": np.min,
    "maximum": np.max,
}


# --- signals --------------------------------------------------------------------------------------
def chirp(
    t: Any, f0: Any, t1: Any, f1: Any, method: str = "linear", phi: Any = 0, vertex_zero: Any = True
) -> Any:
    """scipy.signal.chirp."""
    if method in ("linear", "lin", "li"):
        phase = t * (f0 + 0.5 * (f1 - f0) / t1 * t)
    elif method in ("quadratic", "quad", "q"):
        rise = (f1 - f0) / t1**2
        if vertex_zero:
            phase = f0 * t + rise * t**3 / 3.0
        else:
            phase = f1 * t + rise * ((t1 - t) ** 3 - t1**3) / 3.0
    elif method in ("logarithmic", "log", "lo"):
        phase = f0 * t * scipy_exprel(np.log(f1 / f0) / t1 * t)
    else:
        phase = f0 * t * log_ratio((f0 - f1) / (f1 * t1) * t)
    return np.cos(2.0 * np.pi * phase + np.deg2rad(phi))


def log_ratio(u: Any) -> Any:
    """log(abs(1 + u)) / u, by its series near 0."""
    near = np.abs(u) < 0.01
    small: Any = np.where(near, u, 0.0)
    total: Any = 0.0
    for k in range(9, 0, -1):
        total = 1.0 / k - small * total
    return np.where(near, total, np.log(np.abs(1.0 + u)) / np.where(near, 1.0, u))


def sawtooth(t: Any, width: Any = 1) -> Any:
    """scipy.signal.sawtooth."""
    turn = np.mod(t, 2.0 * np.pi) / np.pi
    up = turn < 2.0 * width
    rising = turn / np.where(up, width, 1.0) - 1.0
    return np.where(up, rising, (width + 1.0 - turn) / np.where(up, 1.0, 1.0 - width))


def gausspulse(
    t: Any, fc: Any = 1000, bw: Any = 0.5, bwr: Any = -6, tpr: Any = -60, retquad: bool = False,
    retenv: bool = False,
) -> Any:  # fmt: skip
    """scipy.signal.gausspulse at times."""
    rate = -((np.pi * fc * bw) ** 2) / (4.0 * np.log(10.0 ** (bwr / 20.0)))
    envelope = np.exp(-rate * t * t)
    real, imaginary = envelope * np.cos(2 * np.pi * fc * t), envelope * np.sin(2 * np.pi * fc * t)
    if retquad:
        return (real, imaginary, envelope) if retenv else (real, imaginary)
    return (real, envelope) if retenv else real


def medfilt(volume: Any, kernel_size: Any = None) -> Any:
    """scipy.signal.medfilt: zeros stand around."""
    size = 3 if kernel_size is None else kernel_size
    return ndimage.median_filter(volume, size, None, None, "constant", 0.0)


def medfilt2d(input: Any, kernel_size: Any = 3) -> Any:
    """scipy.signal.medfilt2d."""
    return medfilt(input, kernel_size)


READ = {
    "chirp": chirp, "gausspulse": gausspulse, "lfilter_zi": lfilter_zi, "lfiltic": lfiltic,
    "medfilt": medfilt, "medfilt2d": medfilt2d, "sawtooth": sawtooth, "sosfilt_zi": sosfilt_zi,
    "upfirdn": upfirdn,
}  # fmt: skip
FURTHER = {
    "filtfilt": filtfilt, "lfilter": lfilter, "resample": resample, "resample_poly": resample_poly,
    "sosfilt": sosfilt, "sosfiltfilt": sosfiltfilt,
}  # fmt: skip

"""Floor 8: what linear systems of scipy.signal answer to a signal, and their matrices.

A system is given as SciPy takes it: two polynomials, or zeros, poles and a gain, or matrices A, B,
C and D; with its time step behind them where time is discrete.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.standins.systems import zpk2tf
from s2sgrad_runtime import scipy_expm


# --- forms of systems -----------------------------------------------------------------------------
def tf2ss(num: Any, den: Any) -> Any:
    """scipy.signal.tf2ss: the controller's canonical form."""
    den = np.trim_zeros(np.atleast_1d(den), "f")
    rows, den = np.atleast_2d(num) / den[0], den / den[0]
    missing = len(den) - np.shape(rows)[1]
    if missing > 0:
        rows = np.concatenate((np.zeros((len(rows), missing)), rows), axis=1)
    else:
        rows = rows[:, -missing:]
    direct, order = rows[:, :1], len(den) - 1
    if order == 0:
        return np.zeros((1, 1)), np.zeros((1, 1)), np.zeros((len(rows), 1)), direct
    a = np.concatenate((np.reshape(-den[1:], (1, order)), np.eye(order - 1, order)), axis=0)
    return a, np.eye(order, 1), rows[:, 1:] - direct * den[1:], direct


def zpk2ss(z: Any, p: Any, k: Any) -> Any:
    """scipy.signal.zpk2ss."""
    num, den = zpk2tf(z, p, k)
    return tf2ss(num, den)


def ss2tf(A: Any, B: Any, C: Any, D: Any, input: int = 0) -> Any:
    """scipy.signal.ss2tf."""
    a, b, c, d = matrices((A, B, C, D))
    b, d = b[:, input : input + 1], d[:, input : input + 1]
    den = np.poly(a)
    rows = [np.poly(a - b @ c[k : k + 1]) + (d[k] - 1.0) * den for k in range(len(c))]
    return np.stack(rows), den


def matrices(system: Any) -> Any:
    """The matrices A, B, C and D of a system."""
    if len(system) == 2:
        return tf2ss(system[0], system[1])
    if len(system) == 3:
        return zpk2ss(system[0], system[1], system[2])
    a, b, c, d = system
    return np.atleast_2d(a), np.atleast_2d(b), np.atleast_2d(c), np.atleast_2d(d)


# --- answers in time ------------------------------------------------------------------------------
def lsim(system: Any, U: Any, T: Any, X0: Any = None, interp: bool = True) -> Any:
    """scipy.signal.lsim at times that are equally far from each other."""
    a, b, c, d = matrices(system)
    T = np.atleast_1d(T)
    x = (np.zeros(len(a)) if X0 is None else np.asarray(X0)) @ scipy_expm(a.T * T[0])
    free = U is None or isinstance(U, int | float)  # which is 0
    inputs = np.zeros((len(T), np.shape(b)[1])) if free else np.asarray(U)
    inputs = np.reshape(inputs, (len(T), -1))
    step = T[1] - T[0] if len(T) > 1 else 0.0
    after, first, last = steps_by(a * step, b * step, interp)
    states = [x]
    for i in range(1, len(T)):
        x = x @ after + inputs[i - 1] @ first + inputs[i] @ last
        states.append(x)
    rows = np.stack(states)
    return T, np.squeeze(rows @ c.T) + np.squeeze(inputs @ d.T), np.squeeze(rows)


def steps_by(a: Any, b: Any, interp: bool) -> Any:
    """What the state, and the input before and after a step, add to the next state: for rows."""
    n, m = np.shape(b)
    shares = 2 * m if interp else m  # the input's slope is a state too
    top = np.concatenate((a, b, np.zeros((n, shares - m))), axis=1)
    middle = np.eye(shares, n + shares, n + m)
    moved = scipy_expm(np.concatenate((top, middle), axis=0).T)
    if not interp:
        return moved[:n, :n], moved[n:, :n], np.zeros((m, n))
    last = moved[n + m :, :n]
    return moved[:n, :n], moved[n : n + m, :n] - last, last


def response_times(a: Any, count: int) -> Any:
    """The times that SciPy takes where none are given."""
    slowest = np.min(np.abs(np.real(np.linalg.eigvals(a))))
    return np.linspace(0.0, 7.0 / (1.0 if slowest == 0.0 else slowest), count)


def step(system: Any, X0: Any = None, T: Any = None, N: Any = None) -> Any:
    """scipy.signal.step."""
    made = matrices(system)
    times = response_times(made[0], 100 if N is None else N) if T is None else np.asarray(T)
    found = lsim(made, np.ones(len(times)), times, X0, interp=False)
    return found[0], found[1]


def impulse(system: Any, X0: Any = None, T: Any = None, N: Any = None) -> Any:
    """scipy.signal.impulse."""
    made = matrices(system)
    times = response_times(made[0], 100 if N is None else N) if T is None else np.asarray(T)
    begun = np.reshape(made[1] if X0 is None else made[1] + X0, (-1,))
    return times, lsim(made, None, times, begun, interp=False)[1]


def discrete(system: Any, u: Any, t: Any, x0: Any) -> Any:
    """Times, outputs and states of a system in discrete time; the last of it is its step."""
    dt = system[len(system) - 1]
    a, b, c, d = matrices(system[: len(system) - 1])
    inputs = np.asarray(u) * 1.0
    if np.ndim(inputs) == 1:
        inputs = np.reshape(inputs, (-1, 1))
    if t is None:
        times = np.linspace(0.0, (len(inputs) - 1) * dt, len(inputs))
    else:
        times = np.linspace(0.0, t[-1], int(np.floor(t[-1] / dt)) + 1)
        columns = [np.interp(times, t, inputs[:, k]) for k in range(np.shape(inputs)[1])]
        inputs = np.stack(columns, axis=1)
    x = np.zeros(len(a)) if x0 is None else np.asarray(x0) * 1.0
    states = [x]
    for i in range(len(times) - 1):
        x = a @ x + b @ inputs[i]
        states.append(x)
    rows = np.stack(states)
    return times, rows @ c.T + inputs @ d.T, rows


def dlsim(system: Any, u: Any, t: Any = None, x0: Any = None) -> Any:
    """scipy.signal.dlsim."""
    times, outputs, states = discrete(system, u, t, x0)
    return (times, outputs, states) if len(system) == 5 else (times, outputs)


def by_input(system: Any, x0: Any, t: Any, n: Any, held: bool) -> Any:
    """The answers to each of the inputs: one that is held, or a first sample."""
    dt, count = system[len(system) - 1], 100 if n is None else n
    times = np.linspace(0.0, count * dt, count, endpoint=False) if t is None else np.asarray(t)
    inputs = np.shape(matrices(system[: len(system) - 1])[1])[1]
    found = []
    for k in range(inputs):
        u = np.zeros((len(times), inputs))
        u[: len(times) if held else 1, k] = 1.0
        moments, outputs, _ = discrete(system, u, times, x0)
        found.append(outputs)
    return moments, tuple(found)


def dstep(system: Any, x0: Any = None, t: Any = None, n: Any = None) -> Any:
    """scipy.signal.dstep."""
    return by_input(system, x0, t, n, True)


def dimpulse(system: Any, x0: Any = None, t: Any = None, n: Any = None) -> Any:
    """scipy.signal.dimpulse."""
    return by_input(system, x0, t, n, False)


# --- answers by frequency -------------------------------------------------------------------------
def freqresp(system: Any, w: Any = None, n: int = 10000) -> Any:
    """scipy.signal.freqresp at given frequencies."""
    if w is None:
        raise NotImplementedError("signal.freqresp chooses frequencies itself: give them as w")
    points = 1j * np.asarray(w)
    if len(system) == 2:
        return w, np.polyval(system[0], points) / np.polyval(system[1], points)
    a, b, c, d = matrices(system)
    found = [(c @ np.linalg.solve(s * np.eye(len(a)) - a, b) + d)[0, 0] for s in points]
    return w, np.stack(found)


def bode(system: Any, w: Any = None, n: int = 100) -> Any:
    """scipy.signal.bode at given frequencies."""
    w, y = freqresp(system, w, n)
    return w, 20.0 * np.log10(np.abs(y)), np.rad2deg(np.unwrap(np.angle(y)))


READ = {
    "bode": bode, "dimpulse": dimpulse, "dlsim": dlsim, "dstep": dstep, "freqresp": freqresp,
    "impulse": impulse, "lsim": lsim, "ss2tf": ss2tf, "step": step, "tf2ss": tf2ss,
    "zpk2ss": zpk2ss,
}  # fmt: skip

"""Results that are real for some matrices and complex for others."""

import numpy as np

from programs.registry import program, using

REAL = np.array([2.0, 0.3, 0.4, 1.0])  # a matrix with two real eigenvalues
TURNING = np.array([1.0, 2.0, -2.0, 0.6])  # and one with a complex pair
FOUR = np.array([0.7, -0.3, 1.2, 0.5])


def _by_kind_of_eigenvalues(q):
    w = np.linalg.eigvals(q.reshape(2, 2))
    total = np.sum(np.abs(w)) * 3 if np.iscomplexobj(w) else np.sum(w.real**2)
    if w.dtype == complex:
        total += w[0].imag ** 2
    if w.dtype.kind == "f":
        total -= np.prod(w.real)
    total += 2.0 * w[0].real if isinstance(w[0], complex) else 5.0 * w[1].real
    return total if np.issubdtype(w.dtype, np.complexfloating) else total**2


@program(REAL, second=True)
def kinds_of_real_eigenvalues(q):
    return _by_kind_of_eigenvalues(q)


@program(TURNING, second=True)
def kinds_of_complex_eigenvalues(q):
    return _by_kind_of_eigenvalues(q)


@program(REAL, second=True)
def largest_real_eigenvalue(q):
    """Its type may be complex, but the largest of these is a real number."""
    w = np.linalg.eigvals(q.reshape(2, 2))
    w[0] += q[1]
    if w.max() > 0:
        w = w * 2
    return w.max() * q[0] + float(w[0])


@program(REAL, second=True)
def phases_of_real_eigenvalues(q):
    """Real numbers that become complex on the way, entry by entry."""
    w, v = np.linalg.eig(q.reshape(2, 2))
    phases = np.zeros(2, complex)
    for i in range(2):
        phases[i] = np.exp(1j * w[i]) * v[0, i]
    there = np.real_if_close(q * (1 + 0j))
    return np.abs(np.sum(phases)) + np.abs(v[0, 1]) + np.abs(np.sum(np.exp(1j * there)))


@program(REAL, second=True)
def squares_of_the_first_pair(q):
    """Of two matrices, one with a complex pair, in one loop."""
    total = 0.0
    for m in (q.reshape(2, 2), np.array([[q[1], 1.0], [-1.0, q[1]]])):
        w, _ = np.linalg.eig(m)
        first = w[np.argmax(w.real)]
        total = total + (first if np.isrealobj(w) else np.abs(first) * 2)
        squares = np.zeros_like(w)
        squares[:] = w * w
        total = total + np.sum(np.real(squares))
    return np.real(total)


@program(FOUR, second=True, jit=True)
def real_and_complex_by_turns(x):
    """Variables that hold a real array in one iteration and a complex one in the next."""
    c, u = x * (1 + 2j), x * 1.0
    for k in range(4):
        u = np.abs(c * x) if k % 2 == 0 else c * x[1] * (0.3 - 1j)
        c = u * x[2] * (1 - 0.5j)
        v = u.copy()
        v[1:] += u[:-1] * x[1:]
        w = v.real * x + v.imag * 2.0
        u = w if k == 1 else v * (1 + 1j * x[3])
    z, total = x[0], 0.0
    for k in range(4):
        total = total + np.abs(z) * z
        z = z * z * (0.3 + 0.2j) + x[k]
        if k == 2:
            z = z.real
    return np.sum(np.abs(u * (2 - 1j) + x)) + ((total + np.sum(c)) * (1 + 1j)).real


@program(FOUR, second=True, jit=True)
def filtered_signal(x):
    """The spectrum of a signal that is real again at the end only; and what dicts, lists hold."""
    signal, state, out = x * 1.0, {"p": x * 1.0, "t": 0.0}, []
    for k in range(2):
        spectrum = np.fft.fft(signal)
        spectrum = spectrum * np.exp(-(x**2)) if k else spectrum * np.exp(-1j * x)
        signal = np.fft.ifft(spectrum)
        if k:
            signal = signal.real
        signal = signal * x
        state["q"] = state["p"] * (1 + 1j * x[k])
        state["p"] = state["q"] * x if k == 1 else np.abs(state["q"])
        state["t"] += np.sum(state["p"] * x)
        out.append(state["q"] * k if k else x * x[1])
    total = np.real(state["t"] * (1 - 1j)) + np.sum(np.abs(signal) ** 2)
    for z in out:
        y = z.copy()
        y[1:] *= x[1:]
        y[0] += z[1]
        total += np.sum(y * out[-1] * (1 - 1j)).real
    return total


@program(FOUR, second=True, jit=True)
def decompositions_again_and_again(x):
    """Results of one call that replace those of the iteration before, which are needed too."""
    m = np.outer(x, x) + np.diag(np.arange(4.0))
    w, v = np.ones(4), m
    q, r = m, m
    for _ in range(2):
        q, r = np.linalg.qr(m)
        w, v = np.linalg.eigh(r @ q + (r @ q).T)
        m = (v * w) @ v.T + np.outer(x, x)
    s, n = np.ones(4), np.outer(x, x) + np.diag(np.arange(4.0))
    for k in range(2):
        u, s, vt = np.linalg.svd(n)
        n = u @ np.diag(s * x) @ vt + np.eye(4) * k
    tail = np.concatenate([x[4:], np.atleast_1d(np.array(x[0]))])
    return np.sum(m**2) + w[0] + v[0, 0] ** 2 + np.abs(r[0, 0]) + np.sum(n**2) + s[0] + tail[0]


@program(np.array([0.7, -0.3, 1.2, 0.45]), second=True)
def exchanged_views_and_spectra(x):
    """Rows and transposes of an array beside a spectrum that is real for one iteration."""
    a, b = x.reshape(2, 2) * 1.0, np.fft.ifft(x[:2])
    c = b
    for k in range(3):
        row = a[k % 2]
        row += x[k] * c.real
        a, b = a.T.copy() if k else a.T, b * a[0]
        c = b.imag if k == 0 else b * (1 - 0.2j)
        if k == 1:
            c = np.real(c)
        a[0, :1] *= np.abs(c[:1])
        w, v = np.linalg.eigh(a @ a.T + np.diag([0.5, 2.0]))
        w[0] = x[3] * w[1]
    total = np.sum(np.abs(c) ** 2) + np.sum(a**2) + np.sum(w) * v[0, 0] ** 2
    return total + (np.sum(b) * (1 + 1j)).real


@program(using(lambda rng: np.array([-0.4, 0.7, 1.8])), second=True)
def functions_of_emath(x):
    """Complex where one of the numbers asks for it."""
    z = np.emath.sqrt(x) + np.emath.log(x) * np.emath.arccos(x) + np.emath.power(x, 1.5)
    inside = np.emath.arcsin(x / 2.0) + np.emath.sqrt(x + 1.0) + np.emath.arctanh(x)
    return np.sum(np.abs(z * inside)) + np.real(np.emath.logn(2.0, x[0]))


@program(FOUR, second=True)
def imaginary_parts_of_real_numbers(q):
    """Their cotangents are imaginary, and nothing else here is complex."""
    rows = q.reshape(2, 2)
    sums = np.sum(rows**2, axis=0, keepdims=all([len(q) > 3, False]))
    return np.sum(sums**2) + np.sum(q[:2] * np.imag(sums)) + np.angle(sums[0])


@program(FOUR, second=True)
def imaginary_parts_behind_real_ones(q):
    """Compiled, the part that reads them is given an array of which Python knows the rank only."""
    padded = np.pad(np.real(q * np.exp(1j * q)), {0: (1, 0)}, "edge")
    weights = np.cos(np.arange(np.size(padded)) + 1.0).reshape(np.shape(padded))
    return np.sum(weights * np.real(padded)) + np.sum(weights * np.imag(padded))

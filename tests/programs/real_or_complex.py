"""Results that are real for some matrices and complex for others."""

import numpy as np

from programs.registry import program

REAL = np.array([2.0, 0.3, 0.4, 1.0])  # a matrix with two real eigenvalues
TURNING = np.array([1.0, 2.0, -2.0, 0.6])  # and one with a complex pair


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

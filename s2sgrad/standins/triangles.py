"""Floor 8: forms of a matrix that are triangular but for a diagonal below.

G. Golub, C. Van Loan, Matrix Computations (2013), 7.4 (Householder's reflections) and 7.6.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.api import stop_gradient
from s2sgrad_runtime import found_by_scipy, schur_blocks, scipy_solve_sylvester


def hessenberg(
    a: Any, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True
) -> Any:
    """scipy.linalg.hessenberg by reflections, with the signs that LAPACK chooses.

    Where an entry below the diagonal comes out as zero, the columns of q that follow may turn
    freely. A real matrix's last one is left as it is, and may be zero.
    """
    whole = np.iscomplexobj(a)
    n = np.shape(a)[0]
    h, q = 1.0 * a, np.eye(n) + 0.0 * stop_gradient(a)
    for k in range(0 if n < 3 else n - 1 if whole else n - 2):
        x = h[k + 1 :, k] * 1.0
        size = np.sqrt(np.sum(np.abs(x) ** 2))
        if size == 0.0:
            raise ValueError("no derivative: hessenberg of a matrix that falls into blocks")
        first = x[0] / np.abs(x[0]) if np.abs(x[0]) > 0.0 else 1.0 + 0.0 * x[0]
        normal = np.append(x[0] + first * size, x[1:])
        normal = normal / np.sqrt(np.sum(np.abs(normal) ** 2))
        side = np.conj(normal)
        # reflected, the column is -first * size: LAPACK's is real, and of the other sign than x[0]
        # unless there was nothing to do
        found = 1.0 if stop_gradient(np.all(x[1:] == 0.0) & (np.imag(x[0]) == 0.0)) else -1.0
        sign = found * np.where(np.real(stop_gradient(x[0])) < 0.0, -1.0, 1.0)
        turn = -first * sign
        h[k + 1 :] = h[k + 1 :] - 2.0 * np.outer(normal, side @ h[k + 1 :])
        h[:, k + 1 :] = h[:, k + 1 :] - 2.0 * np.outer(h[:, k + 1 :] @ normal, side)
        q[:, k + 1 :] = q[:, k + 1 :] - 2.0 * np.outer(q[:, k + 1 :] @ normal, side)
        h[:, k + 1] = h[:, k + 1] * turn
        q[:, k + 1] = q[:, k + 1] * turn
        h[k + 1] = h[k + 1] * np.conj(turn)
    h = np.triu(h, -1)
    return (h, q) if calc_q else h


def schur(
    a: Any, output: str = "real", lwork: Any = None, overwrite_a: bool = False,
    sort: Any = None, check_finite: bool = True,
) -> Any:  # fmt: skip
    """scipy.linalg.schur, by steps that leave the value as it is, with what SciPy found held fixed.

    Where the eigenvalues differ. Complex vectors keep no phase of their own.
    """
    found = found_by_scipy("scipy.linalg", "schur", stop_gradient(a), output, None, False, sort)
    form, vectors = found[0], found[1]
    t, z = form, vectors
    adjoint, eye = np.conj(vectors.T), np.eye(len(form))
    edges = schur_blocks(form)
    kept = np.triu(np.ones(np.shape(form))) + (form != 0.0) > 0.0
    for _ in range(3):
        rest = adjoint @ (a @ z - z @ t)
        longer = 0.5 * (eye - np.conj(z.T) @ z)
        moved = rest + form @ longer - longer @ form
        turn = turn_of_form(moved, form, edges)
        moved = moved + form @ turn - turn @ form
        t = t + np.where(kept, moved, 0.0)
        z = z + vectors @ (turn + longer)
    return (t, z) if sort is None else (t, z, found[2])


def turn_of_form(moved: Any, form: Any, edges: Any) -> Any:
    """The skew X with which moved + form X - X form has the shape of a Schur form.

    The columns of a block follow from those before it. Within a block for two conjugate
    eigenvalues the two entries on the diagonal stay equal, as LAPACK makes them.
    """
    low = 0.0 * moved
    for i in range(len(edges) - 1):
        k, end = edges[i], edges[i + 1]
        block = form[k:end, k:end]
        if end < len(form):
            rest = low[end:, :k] @ form[:k, k:end] - moved[end:, k:end]
            low[end:, k:end] = scipy_solve_sylvester(form[end:, end:], -block, rest)
        if end == k + 2:
            inside = moved[k:end, k:end] - low[k:end, :k] @ form[:k, k:end]
            inside = inside + form[k:end, end:] @ low[end:, k:end]
            uneven = inside[1, 1] - inside[0, 0]
            low[k + 1, k] = uneven / (2.0 * (block[0, 1] + block[1, 0]))
    return low - np.conj(low.T)


READ = {"hessenberg": hessenberg, "schur": schur}

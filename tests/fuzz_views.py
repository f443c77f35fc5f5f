"""Random programs of arrays of one to three dimensions that are written through views of many
kinds (and copies that look like views), exchanged and read again, in loops left early.

Arguments and result are those of the programs in `fuzz`.
"""

from __future__ import annotations

from typing import Any

import fuzz_library
from hypothesis import strategies as st

HEAD = (
    "s = 0.3 * a", "t = x[0] + 0.2", "A = 0.5 * m", "p = x", "z = A[1]",
    "Q = np.outer(x, np.concatenate([y, [a]])).reshape(2, 3, 2) * 0.5", "q = Q[0]", "k = 0",
    "I, L = np.array([0, 2, 1]), [1, 0]",
)  # fmt: skip
HOLES = {
    "v": ("x", "y", "z", "p"),
    "M": ("A", "m"),
    "s": ("s", "t"),
    "i": ("0", "1", "2", "-1", "k % 3", "I[0]", "I[{j}]", "L[0]"),
    "j": ("0", "1", "-1", "k % 2", "L[0]", "I[1] % 2"),
    "e": (
        "s", "t", "a", "{v}[{i}]", "{v}[{i}]", "{M}[{i}, {i}]", "Q[{j}, {i}, {j}]", "q[{i}, 0]",
        "0.4 * np.sum({w})", "np.tanh({w}[{i}])", "{v}.item({i})", "{M}.flat[4]", "0.3 * np.max(Q)",
        "0.5 * {M}.trace()", "np.sin({v} @ {v})",
    ),
    "w": (  # views of three entries
        "{v}", "{v}[::-1]", "{v}[...]", "{v}.T", "{v}[:]", "np.asarray({v})",
        "np.atleast_2d({v})[0]", "{v}[None][0]", "np.squeeze({v}[:, None])", "{M}[{i}]",
        "{M}[:, {i}]", "{M}[{i}, ::-1]", "{M}.T[{i}]", "{M}[::-1][{i}]", "{M}.reshape(-1)[2:5]",
        "{M}.ravel()[::4]", "{M}.ravel()[3:6]", "np.ravel({M}.T)[1:4]", "{M}.reshape(9)[-3:]",
        "{M}.swapaxes(0, 1)[{i}]", "np.transpose({M})[{i}]", "{M}[-1:][0]", "{M}[..., {i}]",
        "np.hsplit({M}, 3)[1][:, 0]", "list({M})[1]", "Q[{j}, :, {j}]", "Q[..., 1][{j}]",
        "Q.transpose(1, 0, 2)[:, {j}, {j}]", "Q.reshape(4, 3)[{j}]", "Q.ravel()[4:7]",
        "Q.reshape(3, 4)[:, {i}]", "Q.reshape(2, 6)[{j}, ::2]", "np.moveaxis(Q, 1, -1)[{j}, {j}]",
        "Q.swapaxes(0, 1).reshape(3, 4)[:, 1]", "q[:, {j}]", "q.T[{j}]", "q.reshape(-1)[1:4]",
        "np.split(Q.ravel(), 4)[{i}]", "np.array_split(Q.ravel(), 4)[2]", "q.ravel()[:3]",
        "{M}.view()[{i}]", "np.expand_dims({M}, 0)[0, {i}]", "np.flipud({M})[{i}]",
        "np.rot90({M})[{i}]", "[*{M}][{j}]", "np.atleast_3d({M})[{i}, :, 0]", "np.reshape({v}, -1)",
        "np.ascontiguousarray({v})", "np.ascontiguousarray({M}.T)[{i}]", "np.roll({M}, 1, 0)[{i}]",
        "np.vsplit({M}, 3)[2][0]", "tuple(Q)[{j}][:, 1]", "np.require({v}, requirements='C')",
        "({v} if s > 0.137 else {v})", "np.broadcast_arrays({v}, s)[0].copy()", "{v}[:3]",
        "np.asarray({M}, order='F')[{i}]", "np.array({v}, copy=None)", "np.fliplr({M})[:, {i}]",
        "{M}.reshape(-1)[I[0]:I[0] + 3]", "Q.ravel()[L[0]:L[0] + 3]", "{M}[I[{j}], L[1] - L[1]:]",
    ),
    "u": (
        "{w}", "{w}", "{w} * {e}", "0.7 * {w}", "np.tanh({w})", "{w}.copy()", "{w} + {w}[::-1]",
        "{M} @ {w}", "np.array({w})", "{M}.sum(axis=0) * 0.4", "Q.sum(axis=(0, 2)) * 0.3",
        "q.mean(axis=1)", "{v}[[2, 0, 1]]", "{M}[[0, 1, 2], [2, 2, 0]]", "{M}.diagonal().copy()",
        "np.where({w} > 0.137, {w}, 0.2)", "{w}.flatten()", "{M}.flatten()[1:4]", "{w}.clip(-1, 1)",
        "np.array([{e}, 0.4, {e}])", "np.full(3, {e})", "np.broadcast_to({e}, 3)", "np.sort({w})",
        "np.concatenate([{w}[:2], {w}[2:]])", "np.take({M}, {j}, axis=1)",
        "Q[[0, 1, 1], [2, 1, 0], 0]",
    ),
    "N": (  # three by three
        "{M}", "{M}.T", "{M} * {e}", "np.tanh({M})", "{M}.copy()", "{M}[::-1]", "{M}[:, ::-1]",
        "np.outer({w}, {w})", "np.stack([{w}, {w}, {w}])", "np.array([{w}, {w}, {u}])",
        "{M}.reshape(3, 3)", "{M}.T.reshape(3, 3)", "np.reshape({M}, (3, 3), order='F')",
        "{M}.swapaxes(0, 1)", "np.asfortranarray({M})", "np.ascontiguousarray({M}.T)", "{M}[:]",
        "Q.reshape(3, 4)[:, 1:]", "Q.reshape(4, 3)[:3]", "np.vstack([Q[0].T, {w}])",
        "np.rot90({M})",
        "{M}[[0, 2, 1]]", "{M}[:, [2, 0, 1]]", "{M}[np.ix_([0, 2, 1], [1, 0, 2])]",
        "Q.transpose(0, 2, 1).reshape(4, 3)[1:]", "np.column_stack([{w}, {w}, {w}])",
        "{M}.copy(order='F')", "{M} + {w}", "{M} * {w}[:, None]", "np.moveaxis({M}, 0, 1)",
    ),
    "R": (  # two by three by two
        "Q", "0.6 * Q", "Q.copy()", "Q[::-1]", "Q[:, ::-1]", "Q[..., ::-1]", "np.tanh(Q)",
        "Q.swapaxes(0, 2)", "Q.transpose(2, 1, 0)", "np.transpose(Q, (2, 1, 0))", "Q.T",
        "Q.transpose(1, 0, 2).reshape(2, 3, 2)", "Q.reshape(2, 3, 2)",
        "Q.reshape(2, 2, 3).swapaxes(1, 2)",
        "np.moveaxis(Q, 0, -1).reshape(2, 3, 2)", "np.stack([q, {M}[:, :2]])", "np.flip(Q, 1)",
        "np.array([q, 0.5 * q])", "Q + {w}[:, None]", "np.swapaxes(Q, 0, -1)", "Q[[1, 0]]",
        "np.repeat({M}[None, :, 1:], 2, axis=0)", "np.dstack([{M}[:2], {M}[1:]])",
    ),
    "P": ("Q[{j}]", "Q[:, :, {j}].T", "{M}[:, 1:]", "{M}[:2].T", "q", "q[::-1]",
    "Q.reshape(4, 3)[1:3].T",
          "{M}[:, ::2]", "q * {e}", "Q.reshape(3, 4)[:, 1:3]", "Q.swapaxes(0, 1)[:, {j}]"),
    "test": (
        "{e} > 0.137", "np.sum({w}) > 0.219", "k % 2 == 0", "k == 1", "n > 1", "Q[0, 0, 0] < {e}",
        "np.any({w} > 0.43)", "k > 0 and {e} < 0.4", "p is x", "z.base is not None and s > 0.1",
    ),
}  # fmt: skip
STATEMENTS = (
    "{s} = {e}", "{v} = {w}", "{v} = {w}", "{v} = {w}", "p = {w}", "z = {w}", "{v} = {u}",
    "A = {N}", "A = {N}", "m = {N}", "Q = {R}", "Q = {R}", "q = {P}", "A, m = m, {N}",
    "x, y = y, x", "p, z = {w}, p", "A, q = {N}, {P}", "x, y, p = {N}", "p, *_ = {N}",
    "{v}[{i}] = {e}", "{v} *= 0.7", "{v} += 0.3 * {u}", "{v}[:] = {u}", "{v}[1:] += 0.4 * {w}[:2]",
    "{w}[{i}] = {e}", "{w}[:] = {u}", "{w}[{i}] *= {e}", "{w}[::2] += {e}", "{w}[...] *= 0.8",
    "{M}[{i}] = {u}", "{M}[:, {i}] += 0.3 * {u}", "{M} *= 0.6", "{M}.T[{i}] *= {e}",
    "{M}[:] = {N}", "{M}.T[...] = {N}", "{M}.flat[{i}] = {e}", "{M}.ravel()[{i}] = {e}",
    "{M}.reshape(-1)[1:4] += 0.3 * {u}", "{M}[1:, :2] *= {e}", "{M}[[0, 2], 1] *= {e}",
    "{M}[np.ix_([0, 2], [1, 2])] *= {e}", "{M}[{M} > 0.237] *= 0.6", "{M}[{w} > 0.137] = {u}",
    "{M}.flat = np.ravel({N}).copy()", "{M}[::-1][{i}] += {u}", "np.fill_diagonal({M}, {e})",
    "Q[{j}] = {P}", "Q[..., {j}] *= {e}", "Q[:, {i}] += {e}", "Q[{j}, {i}] = {w}[:2]",
    "Q.transpose(2, 0, 1)[{j}] *= 0.7", "Q.reshape(-1)[{i}] = {e}", "Q.reshape(3, 4)[{i}] *= 0.8",
    "Q *= {w}[:, None]", "Q[::-1, :, {j}] += {w}", "Q.swapaxes(0, 1)[{i}] *= {e}",
    "Q -= {R}.copy()",
    "q[{i}] = {w}[1:]", "q *= 0.8", "q += 0.3 * {P}", "q[:, {j}] = {u}", "q = q.copy()",
    "np.copyto({v}, {u})", "np.copyto({w}, {u})", "np.add({v}, {u}, out={v})",
    "np.put({v}, [0, 2], {u}[:2])",
    "np.multiply({w}, 0.7, out={v})", "np.add.at({v}, [0, 2, 2], {u})", "{v}.sort()",
    "{v}.fill({e})",
    "np.copyto({v}, {e}, where={v} > 0.237)", "{w}.put([1], {e})",
    "np.subtract.at({M}, ([0, 1], {j}), {e})",
    "np.einsum('ij,j->i', {M}, {w}, out={v})", "np.clip({v}, -0.81, 0.62, out={v})",
    "{M}.sort(axis=0)",
    "np.cumsum({w}, out={v})", "{v}[{v} > 0.237] = {e}", "A = A.copy()", "p = p.copy()",
    "{M}[0], {M}[1] = {M}[1].copy(), {M}[0].copy()", "{M}[[0, 1]] = {M}[[1, 0]]",
    "np.sin({w}, out={w})",
    "k += 1", "I[{i}] = ({i} + 1) % 3", "I[:] = I[::-1].copy()", "I += 1; I %= 3",
    "I[{i}], I[0] = I[0], I[{i}]", "L[0] = 1 - L[0]", "L.reverse()", "L[{j}] = I[{i}] % 2",
)  # fmt: skip
LOOPS = (
    "for k in range(n):", "for k in range(2, -1, -1):", "for p in {N}:", "for z in {N}:",
    "for s in {w}:",
    "for k, p in enumerate({N}):", "for q in {R}:", "for k, (p, z) in enumerate(zip({N}, {N})):",
    "for p in {P}.T:", "for k, t in enumerate({w}):", "for q, p in zip({R}, {N}):",
    "for row in {M}:",
)  # fmt: skip
INSIDE = {
    " p ": ("p *= 0.7", "p[{i}] = {e}", "p += 0.2 * {u}", "z = p"),
    "z)": ("p += 0.3 * z", "z[:] = p"),
    " q": ("q *= 0.8", "q[{i}] = {e}", "q[:, 0] += {u}"),
    " row ": ("row *= {e}", "row[0] = row[1] * s", "p = row", "row += x"),
}
LAST = (
    "np.sum(x * [0.4, 1.3, 0.7])", "np.sum(y)", "s + 1.3 * t", "np.sum(np.tanh(A))",
    "np.sum(m ** 2)",
    "np.sum(z * [1.0, 0.3, 0.6])", "np.sum(Q ** 2)", "np.sum(Q[1] * 0.3)", "np.sum(p)",
    "np.sum(q * [0.2, 0.9])",
)  # fmt: skip


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    return "import numpy as np\n\n\n" + Body(draw).text(HEAD, LAST)


class Body(fuzz_library.ByHeads):
    """The statements of a program."""

    holes, statements, loops, inside = HOLES, STATEMENTS, LOOPS, INSIDE

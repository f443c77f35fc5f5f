"""Random programs of NumPy calls whose results replace older ones: several results of one call,
decompositions and products of matrices, reductions along axes, and numbers that are real at one
time and complex at another, in loops and branches that may be left early.

Arguments and result are those of the programs in `fuzz`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

HEAD = {
    "A": "A = 0.5 * m",
    "V": "V = np.outer(x, y) * 0.4",
    "z": "z = x * y",
    "c": "c = x * 1.0",
    "b": "b = 0.3 * m[0]",
    "s": "s = 0.3 * a",
    "t": "t = x[0] + 0.2",
    "parts": "parts = [x[1] * 0.5, a]",
    "d": "d = dict(u=y * 0.5, v=0.2 * a)",
}
HOLES = {
    "v": ("x", "y", "z", "b"),
    "M": ("A", "V", "m"),
    "s": ("s", "t"),
    "i": ("0", "1", "2", "-1"),
    "ax": ("0", "1", "-1"),
    "e": (
        "s", "t", "a", "x[0]", "{v}[{i}]", "0.5 * np.sum({v})", "np.tanh({v}[{i}] + s)", "parts[0]",
        "np.mean({M})", "{M}[{i}, {i}]", "0.3 * np.vdot(c, c).real", "np.cos(np.sum(c).imag)",
        "d['v']",
        "np.linalg.norm({v})", "np.max({v})", "0.2 * np.ptp({v})", "np.tanh(np.trace({M}))",
    ),
    "u": (
        "{v}", "{v}", "{v} * {e}", "np.tanh({v})", "{M}[{i}]", "{M}[:, {i}]", "np.tanh({M} @ {v})",
        "np.cumsum({v}) * 0.5", "np.sort({v})", "np.flip({v})", "np.roll({v}, 1)",
        "{M}.mean(axis={ax})",
        "np.max({M}, axis={ax})", "np.tanh(c.real)", "np.tanh(np.abs(c))",
        "np.diagonal({M}).copy()",
        "np.where({v} > 0.137, {v}, 0.3 * {e})", "{v}[np.argsort({v})]", "{v}.copy()", "{v}[::-1]",
        "np.interp({v}, [-1.0, 0.1, 1.3], np.sort({v}))", "np.convolve({v}, {v}, 'same') * 0.3",
        "np.clip({v}, -0.81, 0.62)", "np.linalg.solve({S}, {v})", "{M}.ravel()[2:5]", "d['u']",
        "np.einsum('ij,j->i', {M}, {v}) * 0.3", "np.cross({v}, {v} + 0.3) * 0.4",
        "np.gradient({v})",
        "np.tanh(np.prod({M}, axis={ax}))", "np.array([{e}, 0.4, {e}])", "np.std({M}, axis={ax})",
    ),
    "S": ("{H}", "(0.1 * np.tanh({M}) + np.diag([1.2, -2.1, 3.3]))"),
    "H": tuple(f"(0.2 * np.tanh({M} + {M}.T) + np.diag([1.0, 2.1, 4.3]))" for M in "AVm"),
    "N": (
        "{M}.T", "0.6 * {M}", "np.tanh({M} @ {M})", "np.outer({u}, {u}) * 0.4",
        "np.linalg.inv({S})",
        "np.stack([{u}, {u}, {u}], axis={ax})", "np.cumsum({M}, axis={ax}) * 0.4",
        "np.flip({M}, {ax})",
        "np.where({M} > 0.137, {M}, {M} * 0.3)", "np.sort({M}, axis={ax})", "np.diag({u})",
        "np.einsum('ij,kj->ik', {M}, {M}) * 0.3", "np.tril({M})",
        "{M} - {M}.mean(axis={ax}, keepdims=True)",
        "{M}[::-1]", "np.linalg.cholesky({H})", "np.roll({M}, 1, axis={ax})", "{M}.copy()",
        "np.tanh({M} / (1.3 + np.abs({v})))", "np.diff(np.pad({M}, 1)[:, 1:], axis=0)[:3, :3]",
        "np.kron({v}[:1], {M})", "np.tanh(np.multiply.outer({v}, {v}))",
    ),
    "C": (
        "c * (1.0 + 0.5j)", "np.abs(c) * {v}", "c.real", "0.4 * np.fft.fft({v})", "np.fft.ifft(c)",
        "np.where({v} > 0.137, c, 0.3j * {v})", "0.5 * c * c.conj()", "{v} + 0.2", "c + 0.3j * {u}",
        "np.exp(0.7j * {v})", "c[::-1]", "np.conj(c)", "np.tanh(c.imag) + {v}",
        "0.4 * np.fft.fft(c)",
        "c * {e}", "np.sin(c)", "c / (1.7 + np.abs(c))", "c.copy()", "0.5 * ({M} @ c)",
        "np.cumsum(c) * 0.5",
        "np.sqrt({v} + 0j)", "np.angle(c + 1.3) * {v}", "0.5 * np.linalg.eigvals({S})",
        "np.array([{e}, 0.3j * {e}, 0.2])", "np.concatenate([c[1:], {v}[:1]])",
    ),
    "test": (
        "{e} > 0.137", "np.sum({v}) > 0.219", "k % 2 == 0", "k == 1", "np.abs(c[0]) > 0.31",
        "n > 1",
        "0.0 < {e} < 0.731", "np.any({v} > 0.43)", "k > 0 and {e} < 0.4",
    ),
}  # fmt: skip
STATEMENTS = (
    "{s} = {e}", "{s} += 0.5 * {e}", "{v} = {u}", "{v} = {u}", "{v} = {u}", "A = {N}", "V = {N}",
    "A = {N}",
    "c = {C}", "c = {C}", "c = {C}", "c = {C}", "c *= {e}", "c[{i}] *= 0.5", "c[1:] *= {v}[1:]",
    "c = {u}",
    "{v}[{i}] = {e}", "{v}[1:] += 0.4 * {v}[:-1].copy()", "{v} *= 0.7", "{v} += 0.3 * {u}",
    "{v}[:] = {u}",
    "A[{i}] = {u}", "A[:, {i}] += 0.3 * {u}", "A *= 0.6", "A.T[{i}] *= {e}", "V[{v} > 0.137] = {u}",
    "b, V = np.linalg.eigh({H})", "V, A = np.linalg.qr({S})", "V, b, A = np.linalg.svd({S})",
    "t, s = np.linalg.slogdet({S})", "s, t = np.modf(3.13 * {e})", "s, t = divmod({e}, 0.713)",
    "x, y = np.split(np.concatenate([{u}, {u}]), 2)", "x, y, z = {N}",
    "(s, t), x = ({e}, {e}), {u}",
    "x, y = {u}, {u}", "s, *parts = {u}", "x, y = (y, x) if {test} else (x, 0.5 * y)",
    "A, V = {N}, {N}",
    "A, V = np.gradient({M})", "A, V = np.meshgrid({u}, {u})", "y, x = np.modf(2.31 * {u})",
    "parts = [0.5 * e for e in {u}]", "parts.append({e})",
    "s = parts.pop(0) if len(parts) > 1 else s",
    "d['u'] = {u}", "d['v'] += {e}", "d = dict(u=d['u'] * 0.5, v={e})", "c = d['u'] + 0.1j",
    "d['u'] *= 0.6",
    "np.fill_diagonal(A, {e})", "np.add.at({v}, [0, 2, 2], 0.3 * {u})", "np.sin({v}, out={v})",
    "np.multiply(A, 0.7, out=A)", "V[...] = {N}", "A[:2, 1:] *= 0.8", "A[[0, 2]] = A[[2, 0]]",
    "A[k % 3] += {u}", "{v}[k % 3] *= 0.8", "b, V = np.linalg.eigh({H})",
    "V, A = np.linalg.qr({S})",
)  # fmt: skip
LAST = (
    "np.sum(x * [0.4, 1.3, 0.7])", "np.sum(y)", "s + 1.3 * t", "np.sum(np.tanh(A))",
    "np.sum(V ** 2)",
    "np.sum(z)", "np.sum(np.abs(c) ** 2)", "np.sum(c * [1.0, 0.3, 0.6]).real",
    "2.0 * np.sum(c).imag",
    "b[0]", "sum(parts)", "np.sum(d['u']) + d['v']",
)  # fmt: skip


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    body = Body(draw).block(3, 9, depth=0)
    last = " + ".join(draw(st.lists(st.sampled_from(LAST), min_size=2, max_size=6, unique=True)))
    used = "\n".join([*body, last])
    start = [line for name, line in HEAD.items() if name in used]
    lines = [*start, "k = 0", *body, f"return {last}"]
    text = "\n".join("    " + line for line in lines)
    return f"import numpy as np\n\n\ndef f(x, y, m, a, n):\n{text}\n"


class Body:
    """The statements of a program."""

    holes, statements = HOLES, STATEMENTS

    def __init__(self, draw: Any) -> None:
        self.draw = draw

    def block(self, least: int, most: int, depth: int, loop: bool = False) -> list[str]:
        """Some statements, each with those inside it."""
        lines = []
        for _ in range(self.draw(st.integers(least, most))):
            kind = self.draw(st.integers(0, 9)) if depth < 2 else 9
            if kind < 2:
                lines += self.loop(depth)
            elif kind == 2:
                lines += self.branch(depth, loop)
            elif kind == 3 and loop:
                way = self.draw(st.sampled_from(("break", "continue")))
                lines += [f"if {self.filled('{test}')}:", f"    {way}"]
            else:
                lines.append(self.filled(self.draw(st.sampled_from(self.statements))))
        return lines

    def loop(self, depth: int) -> list[str]:
        heads = [
            "for k in range(n):",
            "for k in range(2, -1, -1):",
            "for b in {M}:",
            "for s in {v}:",
        ]
        heads += ["for k, t in enumerate({v}):", "for k, (x, s) in enumerate(zip({N}, {u})):"]
        trips = f"trips{depth}"
        heads += [f"while t < 1.31 and {trips} < 3:"]
        head = self.draw(st.sampled_from(heads))
        body = self.block(1, 4, depth + 1, loop=True)
        if head.startswith("while"):
            body = [f"{trips} += 1", "t = t + 0.31", *body]
        before = [f"{trips} = 0"] if head.startswith("while") else []
        return [*before, self.filled(head), *("    " + line for line in body)]

    def branch(self, depth: int, loop: bool) -> list[str]:
        lines = [f"if {self.filled('{test}')}:"]
        lines += ["    " + line for line in self.block(1, 3, depth + 1, loop)]
        if self.draw(st.booleans()):
            lines += ["else:", *("    " + line for line in self.block(1, 2, depth + 1, loop))]
        return lines

    def filled(self, template: str, depth: int = 0) -> str:
        """A template whose holes are drawn, with simple parts where it is nested deep."""
        found = template
        while "{" in found:
            before, _, rest = found.partition("{")
            hole, _, after = rest.partition("}")
            known = self.holes.get(hole)
            if known is None:  # a dict display
                found = before + "\0" + hole + "\1" + after
                continue
            options = [o for o in known if depth < 2 or "{" not in o] or known
            part = self.filled(self.draw(st.sampled_from(options)), depth + 1)
            found = before + part + after
        return found.replace("\0", "{").replace("\1", "}")


class ByHeads(Body):
    """Loops with given heads. inside: part of a head -> statements for such a loop alone.

    Some of the statements may be several lines.
    """

    loops: tuple[str, ...] = ()
    inside: Mapping[str, tuple[str, ...]] = {}

    def loop(self, depth: int) -> list[str]:
        head = self.draw(st.sampled_from(self.loops))
        further = [line for part, lines in self.inside.items() if part in head for line in lines]
        first = [self.filled(self.draw(st.sampled_from(further)))] if further else []
        body = [*first, *self.block(1, 4, depth + 1, loop=True)]
        return [self.filled(head), *("    " + line for line in body)]

    def block(self, least: int, most: int, depth: int, loop: bool = False) -> list[str]:
        return "\n".join(super().block(least, most, depth, loop)).split("\n")

    def text(
        self,
        head: Sequence[str],
        last: Sequence[str],
        sizes: tuple[int, int] = (3, 9),
        terms: int = 6,
    ) -> str:
        """The text of `f`. head: its first lines. last: of which the sum of some is returned."""
        body = self.block(*sizes, depth=0)
        chosen = st.lists(st.sampled_from(last), min_size=3, max_size=terms, unique=True)
        lines = [*head, *body, f"return {' + '.join(self.draw(chosen))}"]
        return "def f(x, y, m, a, n):\n" + "\n".join("    " + line for line in lines) + "\n"

"""Random programs in which several names, lists and views share arrays that are written in place.

Arguments and result are those of the programs in `fuzz`.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

HEAD = ["a_ = 0.6 * x", "b = np.tanh(y)", "c = a_", "rows = [a_, b]"]
WEIGHTS = "np.array([0.4, 1.3, 0.7])", "np.array([0.9, 0.5, 1.1])"


@st.composite
def programs(draw: Any) -> str:
    """Source text of a module that defines `f`."""
    kept = draw(st.sampled_from((HEAD, HEAD[:3], [*HEAD[:2], HEAD[3]], HEAD[:2])))
    names = [line.split(" = ")[0] for line in kept if not line.startswith("rows")]
    body = Body(draw, names, has_rows="rows" in kept[-1])
    lines = [*kept, *body.block(4, 9, depth=0)]
    parts = [f"np.sum({n} * {WEIGHTS[i % 2]})" for i, n in enumerate(body.names)]
    parts += ["np.sum(rows[0] ** 2) + np.sum(rows[-1])"] if body.has_rows else []
    text = "\n".join("    " + line for line in [*lines, f"return {' + '.join(parts)}"])
    return f"import numpy as np\n\n\ndef f(x, y, m, a, n):\n{text}\n"


class Body:
    """The statements of a program. names: those that are bound so far, on every path."""

    def __init__(self, draw: Any, names: list[str], has_rows: bool) -> None:
        self.draw, self.names, self.has_rows = draw, names, has_rows
        self.statements = [self.rename, self.rename, self.update, self.update, self.entry]
        self.statements += [self.shifted, self.swap, self.anew]
        self.statements += [self.replaced, self.appended, self.scaled] if has_rows else []

    def block(self, least: int, most: int, depth: int) -> list[str]:
        """Some statements, each with those inside it."""
        lines = []
        for _ in range(self.draw(st.integers(least, most))):
            if depth < 2 and self.draw(st.integers(0, 9)) == 0:
                heads = ("for k in range(n):", "if a > 0.7:", "for k in range(1):", "if n > 2:")
                lines.append(self.draw(st.sampled_from(heads)))
                lines += ["    " + line for line in self.block(1, 3, depth + 1)]
            else:
                lines.append(self.draw(st.sampled_from(self.statements))(depth))
        return lines

    def name(self) -> str:
        """A name of an array."""
        return str(self.draw(st.sampled_from(self.names)))

    def view(self) -> str:
        """An array, or (a view of) one that has a name."""
        forms = ["{}", "{}", "{}", "{}[:]", "{}[::-1]", "{}.reshape(3, 1).ravel()"]
        forms += ["rows[0]", "rows[-1]"] if self.has_rows else []
        return str(self.draw(st.sampled_from(forms))).format(self.name())

    def value(self) -> str:
        """A new array."""
        forms = ("0.5 * {}", "np.sin({})", "{} * {}", "{}[::-1] + 0.1", "0.3 * x + {}")
        return str(self.draw(st.sampled_from(forms))).format(self.name(), self.name())

    def rename(self, depth: int) -> str:
        """Another name for an array."""
        target = self.draw(st.sampled_from([*self.names] if depth else [*self.names, "d", "e"]))
        line = f"{target} = {self.view()}"
        if target not in self.names:
            self.names.append(target)
        return line

    def anew(self, depth: int) -> str:
        """A name for a new array."""
        return f"{self.name()} = {self.value()}"

    def swap(self, depth: int) -> str:
        """Two names for each other's arrays."""
        one, other = self.name(), self.name()
        return f"{one}, {other} = {other}, {one}"

    def update(self, depth: int) -> str:
        """A change in place."""
        sign = self.draw(st.sampled_from(("+=", "*=", "-=")))
        return f"{self.name()} {sign} {self.value()}"

    def entry(self, depth: int) -> str:
        """A change of one entry."""
        sign = self.draw(st.sampled_from(("=", "+=", "*=")))
        i, k = self.draw(st.integers(0, 2)), self.draw(st.integers(0, 2))
        return f"{self.name()}[{i}] {sign} {self.name()}[{k}] * 0.7"

    def shifted(self, depth: int) -> str:
        """A change of a part, by another part."""
        sign = self.draw(st.sampled_from(("=", "+=")))
        return f"{self.name()}[1:] {sign} {self.name()}[:-1] * 0.7"

    def replaced(self, depth: int) -> str:
        """Another array in the list, or a change of the one in it."""
        sign = self.draw(st.sampled_from(("=", "+=")))
        return f"rows[{self.draw(st.integers(-1, 1))}] {sign} {self.view()}"

    def appended(self, depth: int) -> str:
        """A name's array in the list."""
        return f"rows.append({self.name()})"

    def scaled(self, depth: int) -> str:
        """A change of an array through the list."""
        return "rows[-1] *= 0.9"

"""Floor 6: between which numbers the counters of loops lie, and what follows for slice bounds.

A bound that is surely within its axis is used as it stands; any other is clipped when the code
runs, as NumPy clips it. Values are polynomials (see `ir.sizes`) in which a counter is a letter of
its own: `@k.3` for the counter k of one particular loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from s2sgrad.analysis.indexing import size_of
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.assumptions import not_negative
from s2sgrad.ir.nodes import Call, Expr, Var
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import Array, Scalar


@dataclass
class Moment:
    """What holds at one place of the code.

    passed: how many statements were on the way. changing: whether what a variable holds is written
    anywhere. versions: how often a variable was bound on the way here: what was said with an older
    value means something else now. ranges: letter of a counter -> (lowest, highest), outer loops
    first.
    """

    versions: dict[str, int] = field(default_factory=dict)
    ranges: dict[str, tuple[Size, Size]] = field(default_factory=dict)
    counters: dict[str, str] = field(default_factory=dict)
    passed: int = 0
    changing: Callable[[str], bool] = lambda name: False

    def pass_by(self, names: Iterable[str]) -> None:
        """Variables are bound anew."""
        for name in names:
            self.versions[name] = self.versions.get(name, 0) + 1

    def told(self, expr: Expr | None) -> Any:
        """An expression as part of a key: equal to itself only while its variables stay."""
        if expr is None:
            return None
        return expr, tuple(sorted((n, self.versions.get(n, 0)) for n in nodes.names_in(expr)))

    def told_now(self, expr: Expr | None) -> Any:
        """The same of a number that may be read from an array: `n[i]` is another one after a write
        into n, so that it is equal to itself within one statement only."""
        return self.told(expr), self.passed if expr is not None and self.reads_changing(expr) else 0

    def reads_changing(self, expr: Expr) -> bool:
        """Whether a number is read from an array, list or dict that is written anywhere."""
        if isinstance(expr, Var):
            return not isinstance(expr.type, Scalar) and self.changing(expr.name)
        return not is_shape(expr) and any(map(self.reads_changing, nodes.children(expr)))

    # --- counters ----------------------------------------------------------------------------
    def enter(self, loop: nodes.For) -> None:
        """Note the counter of a loop over a range, unless the loop itself changes it."""
        values = self._values(loop)
        if values is None:
            return
        (name,) = loop.targets
        letter = f"@{name}.{self.versions.get(name, 0)}"
        self.counters[name] = letter
        self.ranges[letter] = values

    def leave(self, loop: nodes.For) -> None:
        """The loop is over."""
        for name in loop.targets:
            self.ranges.pop(self.counters.pop(name, ""), None)

    def _values(self, loop: nodes.For) -> tuple[Size, Size] | None:
        if len(loop.targets) != 1 or len(loop.sources) != 1:
            return None
        source = loop.sources[0]
        if not isinstance(source, Call) or source.function not in (range, "range"):
            return None
        if any(loop.targets[0] in nodes.targets_of(s) for s in nodes.walk_block(loop.body)):
            return None
        args = [self.value(a) for a in source.args]
        step = args[2].constant if len(args) == 3 and args[2] is not None else 1
        start, stop = (sizes.of(0), args[0]) if len(args) == 1 else args[:2]
        if start is None or stop is None or (len(args) == 3 and args[2] is None):
            return None
        if step == 1:
            return start, stop - sizes.ONE
        return (stop + sizes.ONE, start) if step == -1 else None

    # --- values ------------------------------------------------------------------------------
    def value(self, expr: Expr) -> Size | None:
        """An integer as a polynomial of sizes and counters."""
        match expr:
            case Var(name=name) if name in self.counters:
                return sizes.of(self.counters[name])
            case Call(form="operator", text="+" | "-" | "*" as sign, args=(left, right)):
                a, b = self.value(left), self.value(right)
                if a is None or b is None:
                    return size_of(expr)
                return a + b if sign == "+" else a - b if sign == "-" else a * b
        found = size_of(expr)
        return known_length(expr) if found is None else found

    def not_negative(self, *found: Size) -> bool:
        """Whether values are not negative, whatever the counters are."""
        lowest = [self._lowest(size) for size in found]
        known = [size for size in lowest if size is not None]
        return len(known) == len(lowest) and not_negative(*known)

    def counts_up(self, place: Expr) -> bool:
        """Whether a place is surely counted from the start of an axis."""
        value = self.value(place)
        return value is not None and self.not_negative(value)

    def _lowest(self, size: Size) -> Size | None:
        """The value with counters where it is lowest, inner loops first; None if unknown."""
        for letter, (low, high) in reversed(self.ranges.items()):
            terms = [(m, f) for m, f in size.terms if letter in m]
            if not terms:
                continue
            if len(terms) != 1 or terms[0][0] != (letter,):
                return None
            factor = terms[0][1]
            place = low if factor > 0 else high
            size = size - sizes.of(letter) * sizes.of(factor) + place * sizes.of(factor)
        return None if any(n.startswith("@") for n in size.letters()) else size

    def within(self, lower: Expr | None, upper: Expr | None, size: Size | None) -> Size | None:
        """The length of `lower:upper`, where both surely lie on an axis of this size, in order."""
        if size is None:
            return None
        start = sizes.of(0) if lower is None else self.value(lower)
        stop = size if upper is None else self.value(upper)
        if start is None or stop is None:
            return None
        length = stop - start
        return length if self.not_negative(start, size - stop, length) else None


def lasts(expr: Expr) -> bool:
    """Whether a number stays the same until one of its variables is bound anew: sums and products
    of variables, numbers and lengths of arrays, but nothing that is read from an array."""
    if isinstance(expr, Var | nodes.Const) or is_shape(expr):
        return True
    return isinstance(expr, Call) and expr.form == "operator" and all(map(lasts, expr.args))


def known_length(expr: Expr) -> Size | None:
    """What is known of `x.shape[0]` by the type of x."""
    match expr:
        case nodes.Index(
            base=Call(text="shape", args=(Var(type=Array(shape=(*shape,))),)),
            index=(nodes.Const(value=int(axis)),),
        ) if -len(shape) <= axis < len(shape):
            return shape[axis]
    return None


def is_shape(expr: Expr) -> bool:
    """`x.shape[0]`, `x.size`, `len(x)` of an array x that has a name."""
    match expr:
        case nodes.Index(base=Call(form="attribute", text="shape", args=(Var(),))):
            return True
        case Call(text="shape" | "size" | "ndim" | "len", args=(Var(type=Array()),)):
            return True
    return False

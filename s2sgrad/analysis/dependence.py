"""Floor 3: can a later write reach an entry that was read earlier?

Subscripts and loop bounds that are a variable plus a constant give difference constraints
`a - b <= c`. If no iteration of the write, at or after the read, satisfies them all, the two never
meet. Whatever has another form is taken to meet.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, For, Slice, Stmt, Var
from s2sgrad.ir.types import Array, Scalar

ZERO = "0"
ELLIPSIS = Const(...)
Linear = tuple[str, int]  # a variable (ZERO for none) plus a constant


@dataclass(frozen=True)
class Access:
    """One subscript of an array: where it stands and in which loops, outermost first.

    fixed: names that keep their value throughout (sizes, arguments).
    """

    index: tuple[Expr, ...]
    loops: tuple[Stmt, ...]
    position: int
    fixed: frozenset[str]


@dataclass
class Constraints:
    """Difference constraints; `feasible` looks for a negative cycle."""

    edges: list[tuple[str, str, int]] = field(default_factory=list)

    def at_most(self, a: Linear, b: Linear, slack: int = 0) -> None:
        """a <= b + slack."""
        self.edges.append((a[0], b[0], b[1] - a[1] + slack))

    def equal(self, a: Linear, b: Linear) -> None:
        """a = b."""
        self.at_most(a, b)
        self.at_most(b, a)

    def never_negative(self, a: Linear) -> bool:
        """Whether a place is surely counted from the front."""
        return not Constraints([*self.edges, (a[0], ZERO, -1 - a[1])]).feasible()

    def feasible(self) -> bool:
        """Whether numbers exist that meet all constraints: there is no negative cycle."""
        distance = {n: 0 for a, b, _ in self.edges for n in (a, b)}
        for _ in range(len(distance) + 1):
            changed = False
            for a, b, c in self.edges:
                if distance[b] + c < distance[a]:
                    distance[a] = distance[b] + c
                    changed = True
            if not changed:
                return True
        return False


def never_meet(read: Access, write: Access, same_instance: bool) -> bool:
    """Whether no instance of the write at or after an instance of the read hits its entry.

    same_instance: whether the two may meet within one iteration of all their common loops.
    """
    if not _along_the_same_axes(read.index, write.index):
        return False
    common = 0
    while (
        common < min(len(read.loops), len(write.loops))
        and read.loops[common] is write.loops[common]
    ):
        common += 1
    cases = list(range(common)) + ([common] if same_instance else [])
    return all(not _case(read, write, level, common).feasible() for level in cases)


def apart(read: Access, write: Access) -> bool:
    """Whether two subscripts reach different entries while the loops around both stand still: those
    of the write, which the read's begin with."""
    level = len(write.loops)
    same = _along_the_same_axes(read.index, write.index)
    return same and not _case(read, write, level, level).feasible()


def _along_the_same_axes(a: tuple[Expr, ...], b: tuple[Expr, ...]) -> bool:
    """Whether the parts of two subscripts speak of the same axes, one each, in order."""
    alike = ((one_axis(p) and one_axis(q)) or p == q == ELLIPSIS for p, q in zip(a, b, strict=True))
    return len(a) == len(b) and all(alike)


def one_axis(part: Expr) -> bool:
    """Whether a part of a subscript takes places along one axis: `None`, `...`, masks and tuples
    take none, or several."""
    if isinstance(part, Slice | Const):
        return isinstance(part, Slice) or type(part.value) is int
    match part.type:
        case Scalar(dtype=dtype) | Array(dtype=str(dtype)):
            return dtype != "bool"
    return False


def _case(read: Access, write: Access, level: int, common: int) -> Constraints:
    """The constraints when the write is later by loop number `level` (`common`: by none)."""
    system = Constraints()
    names_r = _names(read, level, "r")
    names_w = _names(write, level, "w")
    _bounds(read, names_r, system)
    _bounds(write, names_w, system)
    if level < common:
        _later(read.loops[level], names_r, names_w, system)
    for k, (a, b) in enumerate(zip(read.index, write.index, strict=True)):
        entry = (f"entry#{k}", 0)  # what both would touch along this axis
        _within(a, entry, names_r, read.fixed, system)
        _within(b, entry, names_w, write.fixed, system)
    return system


def _within(
    part: Expr, entry: Linear, names: dict[str, str], fixed: frozenset[str], system: Constraints
) -> None:
    """The entry is the one that a subscript says, or one of those that a slice takes."""
    if not isinstance(part, Slice):
        place = linear(part, names, fixed)
        if place is not None and system.never_negative(place):  # else `y[i - 1]` may be the last
            system.equal(entry, place)
        return
    if part.step is not None:
        return
    lower, upper = (
        None if p is None else linear(p, names, fixed) for p in (part.lower, part.upper)
    )
    if lower is not None and system.never_negative(lower):
        system.at_most(lower, entry)
    if upper is not None and system.never_negative(upper):
        system.at_most((entry[0], 1), upper)


def _names(access: Access, level: int, tag: str) -> dict[str, str]:
    """Loop variable -> its name in the system; equal iterations share one."""
    found: dict[str, str] = {}
    for i, loop in enumerate(access.loops):
        for target in nodes.targets_of(loop):
            found[target] = f"{target}#{i}" if i < level else f"{target}#{i}{tag}"
    return found


def _bounds(access: Access, names: dict[str, str], system: Constraints) -> None:
    for loop in access.loops:
        found = _range(loop)
        if found is None:
            continue
        target, start, stop, step = found
        here = (names[target], 0)
        low, high = (_bound(end, names, access.fixed) for end in (start, stop))
        if step < 0:
            low, high = high, low
        if low is not None:
            system.at_most((low[0], low[1] + (step < 0)), here)
        if high is not None:
            system.at_most(here, (high[0], high[1] - (step > 0)))


def _bound(end: Expr, names: dict[str, str], fixed: frozenset[str]) -> Linear | None:
    """The end of a range: there a negative literal is the number that it says."""
    match end:
        case Const(value=int(value)) if not isinstance(value, bool):
            return ZERO, value
    return linear(end, names, fixed)


def _later(
    loop: Stmt, names_r: dict[str, str], names_w: dict[str, str], system: Constraints
) -> None:
    found = _range(loop)
    if found is None:
        return
    target, _, _, step = found
    forwards = (step > 0) != getattr(loop, "backwards", False)
    r, w = (names_r[target], 0), (names_w[target], 0)
    if forwards:
        system.at_most((r[0], 1), w)
    else:
        system.at_most((w[0], 1), r)


def _range(loop: Stmt) -> tuple[str, Expr, Expr, int] | None:
    """(variable, start, stop, step) of a loop over a range with a constant step."""
    if not isinstance(loop, For) or len(loop.targets) != 1:
        return None
    source = loop.sources[0]
    if not isinstance(source, Call) or source.function is not range:
        return None
    args = source.args
    step = args[2] if len(args) == 3 else Const(1)
    if not isinstance(step, Const) or type(step.value) is not int or step.value == 0:
        return None
    start, stop = (Const(0), args[0]) if len(args) == 1 else args[:2]
    return loop.targets[0], start, stop, step.value


def linear(expr: Expr, names: dict[str, str], fixed: frozenset[str]) -> Linear | None:
    """A variable plus a constant, or None. Negative literals count from the end: unknown."""
    match expr:
        case Const(value=int(value)) if not isinstance(value, bool) and value >= 0:
            return ZERO, value
        case Var(name=name):
            if name in names:
                return names[name], 0
            return (name, 0) if name in fixed else None
        case Call(form="operator", text="+" | "-" as sign, args=(left, right)):
            return _sum(sign, linear(left, names, fixed), linear(right, names, fixed))
    return None


def _sum(sign: str, a: Linear | None, b: Linear | None) -> Linear | None:
    if a is None or b is None:
        return None
    if b[0] == ZERO:
        return a[0], a[1] + (b[1] if sign == "+" else -b[1])
    if a[0] == ZERO and sign == "+":
        return b[0], a[1] + b[1]
    return None

"""Floor 5: numbers that say where a view lies, named before the memory they are read from changes.

    v = s[n[0]:]                       start = n[0]
    n[0] += 1             becomes      v = s[start:]
    v *= 2.0                           n[0] += 1
                                       v *= 2.0

The cotangent of v is a part of that of s. The reverse code finds it with the same subscript, and
`n[0]` is another number there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from s2sgrad.analysis.effects import Effects, effects, root, shared_with
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.memory import is_view
from s2sgrad.analysis.shape_reads import contents_read
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Slice, Stmt, Var
from s2sgrad.ir.types import Scalar, Type
from s2sgrad.transform.writing.rewrite import map_block

Names = frozenset[str]
Fresh = Callable[[str, Type], str]


def with_steady_places(block: Block, types: Mapping[str, Type], live: Names, fresh: Fresh) -> Block:
    """The block with such numbers under names. live: what is read after it; fresh: makes a name."""
    shared = effects(block)
    views = _Views(block, shared, types)
    if not views.read:
        return block
    moving = views.moving(live)

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Assign) or not moving & set(stmt.targets):
            return [stmt]
        before: list[Stmt] = []

        def named(base: str, number: Expr) -> Expr:
            if not memory_read(number, shared, types):
                return number
            name = fresh(base, number.type)
            before.append(nodes.Assign((name,), (number,), span=stmt.span))
            return Var(name, type=number.type)

        values = tuple(_placed(value, named) for value in stmt.values)
        return [*before, replace(stmt, values=values)]

    return map_block(block, lambda e: e, on_stmt)


def places_read(path: Expr, shared: Effects, types: Mapping[str, Type]) -> Names:
    """The groups of memory, written anywhere, from which the numbers in a path are read."""
    found = (memory_read(number, shared, types) for number in _numbers(path))
    return frozenset[str]().union(*found)


def memory_read(number: Expr, shared: Effects, types: Mapping[str, Type]) -> Names:
    """The groups of memory, written anywhere, from which a number is read."""
    names = contents_read(number)
    held = {n for n in names if not isinstance(types.get(n), Scalar) and shared.changes(n)}
    return frozenset(map(shared.find, held))


def memory_written(stmt: Stmt, shared: Effects) -> str | None:
    """The group of memory that a statement writes."""
    if not isinstance(stmt, nodes.Store | nodes.Mutate):
        return None
    base = root(stmt.base)
    return None if base is None else shared.find(base)


@dataclass
class _Views:
    """read: view -> the groups of memory from which numbers are read that say where it lies."""

    block: Block
    shared: Effects
    types: Mapping[str, Type]

    def __post_init__(self) -> None:
        self.read: dict[str, Names] = {}
        self.below: dict[str, set[str]] = {}
        for stmt in nodes.walk_block(self.block):
            if not isinstance(stmt, nodes.Assign):
                continue
            for target, value in zip(stmt.targets, stmt.values, strict=True):
                held = places_read(value, self.shared, self.types)
                if held:
                    self.read[target] = self.read.get(target, frozenset()) | held
                self.below.setdefault(target, set()).update(shared_with(value))

    def moving(self, live: Names) -> Names:
        """The views of which such memory is written while they, or parts of them, are used."""
        found: set[str] = set()
        used = {name: self._made_of(name) for name in self.read}

        def visit(stmt: Stmt, after: Names) -> None:
            written = memory_written(stmt, self.shared)
            if written is not None:
                found.update(n for n, g in self.read.items() if written in g and used[n] & after)

        Liveness(visit=visit).block(self.block, live)
        return frozenset(found)

    def _made_of(self, name: str) -> set[str]:
        """The names that share memory through this one."""
        found, size = {name}, 0
        while size != len(found):
            size = len(found)
            found |= {n for n, below in self.below.items() if below & found}
        return found


def _numbers(path: Expr) -> list[Expr]:
    """The numbers that say where a path on a variable leads."""
    found: list[Expr] = []

    def note(base: str, number: Expr) -> Expr:
        found.append(number)
        return number

    _placed(path, note)
    return found


def _placed(path: Expr, named: Callable[[str, Expr], Expr]) -> Expr:
    """The path with others for the numbers in its subscripts, and beside what it reshapes."""

    def part_of(part: Expr) -> Expr:
        match part:
            case nodes.Sequence(items=items):
                return replace(part, items=tuple(map(part_of, items)))
            case Slice():
                bounds = (("start", part.lower), ("stop", part.upper), ("step", part.step))
                lower, upper, step = (n if n is None else named(base, n) for base, n in bounds)
                return replace(part, lower=lower, upper=upper, step=step)
        return named("place", part) if isinstance(part.type, Scalar) else part

    match path:
        case Index(base=base, index=index):
            return replace(path, base=_placed(base, named), index=tuple(map(part_of, index)))
        case Call(args=(base, *rest), kwargs=kwargs) if is_view(path):
            args = (_placed(base, named), *map(part_of, rest))
            return replace(path, args=args, kwargs=tuple((k, part_of(v)) for k, v in kwargs))
    return path

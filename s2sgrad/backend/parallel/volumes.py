"""Floor 6: loops that take no time beside others: starting threads for them is not worth it.

Each loop on all cores is a function of its own that Numba has to compile. A loop over n points next
to one over n * n, or next to one that is run t times, is not what a program waits for. Nor is one
over the entries of matrices that are multiplied: the product runs on all cores by itself, and for a
while after it BLAS keeps them busy with waiting for the next one. And a loop over n points that is
run n * n times would have to be so long before threads are worth it that the program never ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, For, Index, Var
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import Array, Scalar, Type

Volume = Counter[str]


class Volumes:
    """How often the innermost statements of loops run, as products of lengths."""

    def __init__(self, body: Block, types: dict[str, Type]) -> None:
        self.types = types
        self.inside: dict[int, list[Volume]] = {}
        self.around: dict[int, Volume] = {}
        self.counters: dict[str, str] = {}  # variable of a loop around -> the loop's length
        self.every = self._noted(body, Counter())

    def is_small(self, loop: For) -> bool:
        """Whether whatever a loop does takes less time than something else, for any lengths."""
        own, around = self.inside.get(id(loop), []), self.around.get(id(loop), Counter())
        if not own:
            return False
        one_run = [v - around for v in own]
        if around and all(one + one <= around for one in one_run):
            return True
        return all(any(v < other for other in self.every) for v in own)

    def is_large(self, name: str, loop: For) -> bool:
        """Whether an array has as many entries as a loop goes through in one run."""
        kind, around = self.types.get(name), self.around.get(id(loop), Counter())
        if not isinstance(kind, Array) or kind.shape is None or None in kind.shape:
            return False
        own = Counter(map(repr, kind.shape))
        return all(v - around <= own for v in self.inside.get(id(loop), []))

    def _noted(self, block: Block, around: Volume) -> list[Volume]:
        """The volumes of the loops in a block, or that of the block itself."""
        found: list[Volume] = []
        for stmt in block:
            if isinstance(stmt, For):
                own = list(self._lengths(stmt))
                if len(own) == len(stmt.targets) == 1:
                    self.counters[stmt.targets[0]] = own[0]
                lengths = around + Counter(own)
                self.around[id(stmt)] = around
                self.inside[id(stmt)] = self._noted(stmt.body, lengths) or [lengths]
                found += self.inside[id(stmt)]
            else:
                more = [f"while {id(stmt)}"] if isinstance(stmt, nodes.While) else []
                for inner in nodes.blocks(stmt):
                    found += self._noted(inner, around + Counter(more))
            found += [around + product for product in self._products(stmt)]
        return found

    def _products(self, stmt: nodes.Stmt) -> Iterator[Volume]:
        """The multiplications of each product of two matrices."""
        for expr in nodes.expressions(stmt):
            for part in nodes.walk(expr):
                if isinstance(part, Call) and part.text in ("@", "np.dot") and len(part.args) == 2:
                    shapes = [self._shape(a) for a in part.args]
                    if all(shape is not None and len(shape) == 2 for shape in shapes):
                        (rows, inner), (_, columns) = shapes  # type: ignore[misc]
                        yield Counter(map(repr, (rows, inner, columns)))

    def _shape(self, expr: Expr) -> tuple[Size | None, ...] | None:
        if isinstance(expr, Call) and expr.text == "T" and len(expr.args) == 1:
            turned = self._shape(expr.args[0])
            return None if turned is None else turned[::-1]
        kind = self.types.get(expr.name, expr.type) if isinstance(expr, Var) else expr.type
        return kind.shape if isinstance(kind, Array) else None

    def _lengths(self, loop: For) -> Iterator[str]:
        for source in loop.sources:
            if not isinstance(source, Call):
                yield repr(source)
                continue
            bound = _end(source)
            if not isinstance(bound, Const):
                yield self._length(bound)

    def _length(self, bound: Expr) -> str:
        """The letter of a length, where it has one; else how it is written."""
        size: Size | None = None
        match bound:
            case Call(form="operator", text="+" | "-", args=(left, Const())):
                return self._length(left)
            case Var(name=name) if name in self.counters:
                return self.counters[name]
            case Index(base=Call(text="shape", args=(Var(name=name),)), index=(Const(value=k),)):
                kind = self.types.get(name)
                if isinstance(kind, Array) and kind.shape is not None and k < len(kind.shape):
                    size = kind.shape[k]
            case _ if isinstance(bound.type, Scalar):
                size = bound.type.size
        return repr(size) if size is not None else repr(bound)


def _end(source: Call) -> Expr:
    """The larger end of a range."""
    if len(source.args) < 2:
        return source.args[0] if source.args else source
    if len(source.args) == 3 and not _upwards(source.args[2]):
        return source.args[0]
    return source.args[1]


def _upwards(step: Expr) -> bool:
    return not isinstance(step, Const) or step.value > 0

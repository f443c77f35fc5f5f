"""Floor 5: writes of the reverse sweep that nobody reads, and zeros that are added to at once.

y[m] = y_saved             falls away where nothing reads y any more

y_bar[m] = 0.0
y_bar[m] += v              becomes      y_bar[m] = v
y_bar[m] = v
y_bar[m] -= w              becomes      y_bar[m] = v - w
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sgrad.analysis.effects import has_effect, root
from s2sgrad.analysis.shape_reads import contents_read
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Stmt, Store, Var
from s2sgrad.ir.types import Array
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.last_uses import last_uses
from s2sgrad.transform.writing.left_behind import left_behind, may_go
from s2sgrad.transform.writing.read_no_more import read_no_more
from s2sgrad.transform.writing.rewrite import map_block
from s2sgrad.transform.writing.tidy import memory

Held = dict[str, frozenset[str]]


def without_idle_writes(block: Block) -> Block:
    """The block without entries that are restored for nobody."""
    finder = _Finder(_groups(memory(block)), read_no_more(block))
    bound = nodes.bound_in(block)
    read = {
        n for s in nodes.walk_block(block) for e in nodes.expressions(s) for n in nodes.names_in(e)
    }
    finder.block(block, {finder.group(name) for name in read - bound}, whole=True)
    idle = (finder.idle - finder.needed) | finder.left_behind
    block = _without(block, idle) if idle else block
    while last := last_uses(block, _written):
        block = _without(block, last)
    return block


def _written(stmt: Stmt) -> str | None:
    """The array that a statement writes into, if it is ours and does nothing else."""
    match stmt:
        case Store(base=Var(name=name, type=Array()), span=None) if may_go(stmt):
            return name
    return None


def _groups(held: Held) -> Callable[[str], str]:
    """Name -> what stands for all names whose memory it may share."""
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while (up := leader.get(name, name)) != name:
            leader[name] = leader.get(up, up)  # half the way, for the next one who asks
            name = up
        return name

    for name, others in held.items():
        for other in sorted(others):
            leader[find(other)] = find(name)
    return find


class _Finder:
    """Walks backwards with the groups of names whose contents are read later.

    done: loop (by its id) -> the names that alone hold their arrays after it, and are not used.
    """

    def __init__(self, group: Callable[[str], str], done: dict[int, frozenset[str]]) -> None:
        self.group, self.done = group, done
        self.idle: set[int] = set()
        self.needed: set[int] = set()
        self.left_behind: set[int] = set()  # in loops, at places where no other trip comes

    def block(self, block: Block, live: set[str], whole: bool = False) -> set[str]:
        """whole: the block is all of the code."""
        for k in range(len(block) - 1, -1, -1):
            live = self.statement(block[k], live, block[k + 1 :] if whole else None)
        return live

    def statement(self, stmt: Stmt, live: set[str], rest: Block | None) -> set[str]:
        match stmt:
            case Store(base=Var(name=name, type=Array()), span=None):
                if self.group(name) not in live and may_go(stmt):
                    self.idle.add(id(stmt))
                    return live
                self.needed.add(id(stmt))
            case nodes.If(then=then, orelse=orelse):
                live = self.block(then, set(live)) | self.block(orelse, set(live)) | live
            case nodes.For(body=body) | nodes.While(body=body):
                self.left_behind -= set(map(id, nodes.walk_block(body)))  # of another pass
                before, after = set[str](), frozenset(live)
                while before != live:
                    before = live
                    live = live | self.block(body, set(live)) | self.read(stmt)
                done = self.done.get(id(stmt), frozenset())
                self.left_behind |= left_behind((stmt,), self.group, after, rest, done)
        return live | self.read(stmt)

    def read(self, stmt: Stmt) -> set[str]:
        """The groups of names whose contents a statement itself reads."""
        return {self.group(name) for name in contents_read(*nodes.expressions(stmt))}


def _parts(stmt: Store) -> tuple[Expr, ...]:
    return (*stmt.index, stmt.value)


def _without(block: Block, idle: set[int]) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        if id(stmt) in idle:
            assert isinstance(stmt, Store)
            if has_effect(stmt.value):  # the list is told that nobody wants its last item
                result.append(nodes.Assign(("_",), (stmt.value,)))
            continue
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=_without(then, idle), orelse=_without(orelse, idle))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_without(body, idle))
        result.append(stmt)
    return tuple(result)


# --- zeros, and sums ---------------------------------------------------------------------------
def with_joined_writes(block: Block) -> Block:
    """The block in which what is added to a place that was just written is written at once."""
    new = _joined(block, memory(block))
    return block if new == block else new


def _joined(block: Block, held: Held) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=_joined(then, held), orelse=_joined(orelse, held))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_joined(body, held))
        both = _both(result[-1], stmt, held) if result else None
        if both is not None:
            result[-1] = both
        else:
            result.append(stmt)
    return tuple(result)


def with_updates(block: Block) -> Block:
    """`y_bar[m] = y_bar[m] * v` of ours as `y_bar[m] *= v`, and without `y_bar[m] = y_bar[m]`."""

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case Store(op="", span=None, value=Index(base=base, index=index) as value):
                same = (base, index) == (stmt.base, stmt.index) and not has_effect(value)
                return [] if same else [stmt]
            case Store(base=base, index=index, value=Call(form="operator", args=args) as value):
                ours = stmt.span is None and stmt.op in ("", "=") and isinstance(base.type, Array)
                scales, first = value.text in ("*", "/") and bool(index), args[0]
                itself = isinstance(first, Index) and (first.base, first.index) == (base, index)
                if ours and scales and itself:
                    return [replace(stmt, op=value.text, value=args[1])]
        return [stmt]

    return map_block(block, lambda e: e, on_stmt)


def _both(first: Stmt, second: Stmt, held: Held) -> Stmt | None:
    """One statement for two that write the same place, if the second adds to it."""
    if not (isinstance(first, Store) and isinstance(second, Store) and first.index):
        return None
    ours = first.span is None and second.span is None and first.op in ("", "=")
    array = isinstance(first.base, Var) and isinstance(first.base.type, Array)
    same = (first.base, first.index) == (second.base, second.index)
    if not (ours and array and same and second.op in ("+", "-")) or _meets(second, held):
        return None
    if isinstance(first.value, Const) and first.value.value == 0:
        value = second.value if second.op == "+" else build.negate(second.value)
        return replace(second, op="", value=value)
    if isinstance(first.value, Const):
        return None
    return replace(first, value=build.binary(second.op, first.value, second.value))


def _meets(stmt: Store, held: Held) -> bool:
    """Whether what a store writes may be read from the array that it writes to."""
    own = root(stmt.base) or ""
    memory_of_it = {own, *held.get(own, ())}
    memory_of_it |= {name for name, others in held.items() if others & memory_of_it}
    return any(nodes.names_in(part) & memory_of_it for part in _parts(stmt))


__all__ = ["with_joined_writes", "with_updates", "without_idle_writes"]

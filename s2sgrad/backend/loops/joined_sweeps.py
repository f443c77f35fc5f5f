"""Floor 6: a loop and the one that takes it back become one, where iterations are independent.

    for i in range(n):                     w_bar = np.zeros_like(w)
        y = f(x[i])                        for i in range(n):
        y_saved.append(y)                      y = f(x[i])
        total += w[i] * y         ->           total += w[i] * y
    w_bar = np.zeros_like(w)                   w_bar[i] += y
    for i in reversed(range(n)):
        w_bar[i] += y_saved.pop()

Nothing is saved then. What the second loop reads must be there before the first one, or belong to
the same iteration; what it adds up may be added up in any order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from s2sgrad.analysis.liveness import Live, read_after, reads
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.entry_values import entry_value, with_entries
from s2sgrad.backend.loops.iteration_uses import Uses, draws, is_pure, uses
from s2sgrad.backend.loops.names import without_second_names
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, For, Function, Index, Stmt, Var
from s2sgrad.ir.types import Array, List, Type
from s2sgrad.transform.writing.rewrite import map_block, with_blocks


def with_joined_sweeps(function: Function, names: Names, outer: Function | None = None) -> Function:
    """The function with such loops joined. outer: what it is a piece of."""
    lists = _saved_lists(function.body)
    if not lists:
        return function
    joiner = _Joiner(lists, Groups(function, outer), read_after(function.body), function.types)
    body = joiner.block(function.body, frozenset())
    if not joiner.joined:
        return function
    return _with_variables(replace(function, body=body), joiner.joined, names)


@dataclass
class _Joiner:
    """lists: the saved values. after: what is read behind each statement, by its id. joined: the
    lists that are filled and emptied in one loop now."""

    lists: frozenset[str]
    groups: Groups
    after: dict[int, Live]
    types: dict[str, Type]

    def __post_init__(self) -> None:
        self.joined: set[str] = set()
        self.held: list[Block] = []  # so that ids stay their own

    def block(self, block: Block, natural: frozenset[str]) -> Block:
        """The block with its loops joined, and those inside of them. natural: the counters of the
        loops around it that are never negative."""
        stmts = list(block)
        for last in range(len(stmts) - 1, -1, -1):
            if last >= len(stmts) or not isinstance(stmts[last], For):
                continue
            for first in range(last - 1, -1, -1):
                made = self._joined(stmts, first, last, natural)
                if made is not None:
                    stmts[first : last + 1] = made
                    break
        return tuple(
            with_blocks(s, partial(self.block, natural=natural | _natural(s, natural)))
            for s in stmts
        )

    def _joined(
        self, stmts: list[Stmt], first: int, last: int, natural: frozenset[str]
    ) -> list[Stmt] | None:
        """What takes the place of two loops, and of what stands between them."""
        forward, back = stmts[first], stmts[last]
        if not isinstance(forward, For) or not isinstance(back, For):
            return None
        lists = _filled(forward.body) & _emptied(back.body)
        if not lists or _filled(forward.body) | _emptied(back.body) != lists:
            return None
        body = self._counted_alike(forward, back)
        if body is None or not lists <= self.lists or any(map(_is_odd, (*body, *back.body))):
            return None
        if draws(back.body):
            return None
        one, two = self._uses(body, back, lists), self._uses(back.body, back, lists)
        live = self.after.get(id(back), frozenset())
        own = frozenset(back.targets) & _natural(back, natural)  # `y[-1]` may be that of another
        if back.targets[0] in live or not _independent(one, two, own, live):
            return None
        middle, second = stmts[first + 1 : last], back.body
        between = self._sorted(middle, one, two, lists)
        if between is None:
            second, middle = self._by_entries(back.body, middle, one, stmts[last + 1 :])
            two = self._uses(second, back, lists)
            between = self._sorted(middle, one, two, lists)
            if between is None or not _independent(one, two, own, live):
                return None
        self.joined |= lists
        whole = (*body, *second)
        loop = replace(forward, targets=back.targets, sources=back.sources, body=whole)
        return [*between[0], replace(loop, backwards=not back.backwards), *between[1]]

    def _uses(self, body: Block, loop: For, lists: frozenset[str]) -> Uses:
        """What an iteration does, and the header of the loop reads."""
        found = uses(body, self.groups, lists)
        found.exposed |= nodes.names_in(loop.sources[0])
        return found

    def _counted_alike(self, forward: For, back: For) -> Block | None:
        """The body of the first loop, by the counter of the second one, if that runs over the same
        in the other direction."""
        source = back.sources[0]
        if len(back.targets) != 1 or not isinstance(source, Call) or source.function is not range:
            return None
        moved = nodes.bound_in((forward,)) | nodes.bound_in((back,))
        if nodes.names_in(source) & moved or back.targets[0] in nodes.bound_in(back.body):
            return None
        if forward.sources == back.sources:
            same = forward.targets == back.targets and forward.backwards != back.backwards
            return (
                forward.body
                if same and back.targets[0] not in nodes.bound_in(forward.body)
                else None
            )
        return self._by_place(forward, back)

    def _by_place(self, forward: For, back: For) -> Block | None:
        """`for v in x`, and back `for k in reversed(range(len(x)))`."""
        pairs = list(zip(forward.targets, forward.sources, strict=True))
        rows = [(t, s) for t, s in pairs if not nodes.counts(s)]
        if forward.backwards or not back.backwards or len(rows) != 1:
            return None
        (name, array), counter = rows[0], Var(back.targets[0])
        length = back.sources[0].args  # type: ignore[attr-defined]
        whole = isinstance(array, Var) and isinstance(array.type, Array)
        if not whole or len(length) != 1 or length[0] != Call(len, "len", (array,)):
            return None
        bound = nodes.bound_in(forward.body)
        if {array.name, counter.name, *forward.targets} & bound:  # type: ignore[attr-defined]
            return None
        place = Var(counter.name, type=back.sources[0].type.item)  # type: ignore[attr-defined]
        first = [Assign((t,), (place,)) for t, s in pairs if nodes.counts(s) and t != counter.name]
        row = Assign((name,), (Index(array, (place,), type=self.types[name]),))
        return (*first, row, *forward.body)

    def _by_entries(
        self, body: Block, middle: list[Stmt], one: Uses, behind: list[Stmt]
    ) -> tuple[Block, list[Stmt]]:
        """The body of the second loop with entries in place of arrays that are computed between the
        loops from what the first one gives, `2.0 * y[i]` for `y_bar[i]` where `y_bar = 2.0 * y`;
        and what stands between, without those that nobody else reads."""
        left: list[Stmt] = []
        for stmt in reversed(middle):
            value = entry_value(stmt, body, one.stored, self.groups, self.types)
            if value is None:
                left.insert(0, stmt)
                continue
            name = nodes.targets_of(stmt)[0]
            if any(name in _read_in(s) for s in (*left, *behind)):
                left.insert(0, stmt)
            new = with_entries(body, name, value)
            for old, made in zip(nodes.walk_block(body), nodes.walk_block(new), strict=True):
                self.after[id(made)] = self.after.get(id(old), frozenset())
            self.held.append(new)
            body = new
        return body, left

    def _sorted(
        self, stmts: list[Stmt], one: Uses, two: Uses, lists: frozenset[str]
    ) -> tuple[list[Stmt], list[Stmt]] | None:
        """What stands between the loops: what goes before the joined one, and what behind it."""
        early: list[Stmt] = []
        late: list[Stmt] = []
        wanted = set(two.exposed)
        held = set(two.read) | set(two.stored)
        ahead = Uses()  # of what goes before, and stood behind the statement at hand
        for stmt in reversed(stmts):
            own = uses((stmt,), self.groups, lists)
            if own.odd or own.lists:
                return None
            if own.bound & wanted or set(own.stored) & held:
                if own.touches(one) or not is_pure(stmt):
                    return None
                wanted |= own.exposed
                held |= set(own.read)
                ahead.add(own)
                early.insert(0, stmt)
            else:
                if own.touches(two) or own.touches(ahead):
                    return None
                late.insert(0, stmt)
        return early, late


def _natural(stmt: Stmt, around: frozenset[str]) -> frozenset[str]:
    """The counter of a loop over a range, if it is never negative. around: others that are not."""
    match stmt:
        case For(targets=(counter,), sources=(Call(function=function, args=args),)):
            if function is not range or counter in nodes.bound_in(stmt.body):
                return frozenset()
        case _:
            return frozenset()
    step = args[2].value if len(args) > 2 and isinstance(args[2], Const) else 1
    if len(args) == 1:
        return frozenset((counter,))
    if step > 0:
        return frozenset((counter,)) if _is_natural(args[0], around) else frozenset()
    down = isinstance(args[1], Const) and args[1].value >= -1
    return frozenset((counter,)) if down and step < 0 else frozenset()


def _is_natural(expr: Expr, counters: frozenset[str]) -> bool:
    """Whether a whole number is never negative."""
    match expr:
        case Const(value=int(value)):
            return value >= 0
        case Var(name=name):
            return name in counters
        case Call(form="operator", text="+", args=args):
            return all(_is_natural(a, counters) for a in args)
    return isinstance(expr, Call) and expr.function is len


def _independent(one: Uses, two: Uses, own: frozenset[str], live: Live) -> bool:
    """Whether an iteration of the second loop may come right behind that of the first one, and its
    iterations in the other order. own: the counter, if entries by it are an iteration's own."""
    counter = next(iter(own), "")
    if one.odd or two.odd or one.bound & two.exposed or two.bound & one.exposed:
        return False
    shared = {g for g in two.stored if g in one.read or g in one.stored}
    shared |= {g for g in one.stored if g in two.read}
    both = Uses()
    both.add(one)
    both.add(two)
    if not all(both.is_local(g, counter) for g in shared):
        return False
    carried = two.bound & two.exposed
    if not all(two.is_sum(n) for n in carried) or (two.bound - carried) & live:
        return False
    return all(two.is_local(g, counter) or two.is_added_to(g) for g in two.stored)


def _saved_lists(body: Block) -> frozenset[str]:
    """The lists that are made empty once, and otherwise only filled and emptied one by one."""
    made: set[str] = set()
    other: set[str] = set()
    for stmt in nodes.walk_block(body):
        match stmt:
            case Assign(targets=(name,), values=(nodes.Sequence(kind="list", items=()),)):
                (other if name in made else made).add(name)
                continue
            case nodes.Mutate(base=Var(), method="append", target=None, args=args):
                exprs: tuple[Expr, ...] = args
            case _:
                exprs = nodes.expressions(stmt)
        other |= {n for e in exprs for n in _named(e)} | set(nodes.targets_of(stmt))
    return frozenset(made - other)


def _named(expr: Expr) -> list[str]:
    """The names in an expression, but for lists of which it takes the last item."""
    if popped(expr) is not None:
        return []
    own = [expr.name] if isinstance(expr, Var) else []
    return [*own, *(n for e in nodes.children(expr) for n in _named(e))]


def popped(expr: Expr) -> str | None:
    """The list of which an expression takes the last item."""
    match expr:
        case Call(form="method", text="pop", args=(Var(name=name),)):
            return name
    return None


def _filled(block: Block) -> frozenset[str]:
    stmts = nodes.walk_block(block)
    appends = (s for s in stmts if isinstance(s, nodes.Mutate) and s.method == "append")
    return frozenset(s.base.name for s in appends if isinstance(s.base, Var))


def _emptied(block: Block) -> frozenset[str]:
    parts = (e for s in nodes.walk_block(block) for e in nodes.expressions(s))
    names = (popped(e) for part in parts for e in nodes.walk(part))
    return frozenset(n for n in names if n is not None)


def _is_odd(stmt: Stmt) -> bool:
    """Whether a statement of a loop's body may leave an iteration early."""
    match stmt:
        case nodes.Exit() | nodes.Return() | nodes.Splice():
            return True
        case nodes.If(then=then, orelse=orelse):
            return any(map(_is_odd, (*then, *orelse)))
    return any(isinstance(s, nodes.Return | nodes.Splice) for s in nodes.walk_block((stmt,)))


def _read_in(stmt: Stmt) -> frozenset[str]:
    return frozenset[str]().union(*map(reads, nodes.walk_block((stmt,))))


# --- what was saved ------------------------------------------------------------------------
def _with_variables(function: Function, lists: set[str], names: Names) -> Function:
    """The function with a variable for each list that holds one item at most."""
    single = {n for n in sorted(lists) if _is_single(function.body, n)}
    if not single:
        return function
    types = dict(function.types)
    kept: dict[str, Var] = {}
    for name in sorted(single):
        kind = types[name]
        assert isinstance(kind, List)
        kept[name] = Var(names.fresh(f"{name.removesuffix('_saved')}_kept"), type=kind.item)
        types[kept[name].name] = kind.item

    def read(expr: Expr) -> Expr:
        return kept.get(popped(expr) or "", expr)

    def write(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case Assign(targets=(name,), values=(nodes.Sequence(),)) if name in kept:
                return []
            case nodes.Mutate(base=Var(name=name), method="append", args=(value,)) if name in kept:
                return [Assign((kept[name].name,), (value,), span=stmt.span)]
        return [stmt]

    function = replace(function, body=map_block(function.body, read, write), types=types)
    names_of = {v.name for v in kept.values()}
    again = {
        s.targets[0]
        for s in nodes.walk_block(function.body)
        if isinstance(s, Assign) and s.values[0] in kept.values()
    }
    function = without_second_names(function, frozenset(names_of))
    return without_second_names(function, frozenset(again))


def _is_single(body: Block, name: str) -> bool:
    """Whether a list is filled in one place and emptied in one, in the same loop itself."""
    fills = [path for path in _paths(body, ()) if name in _filled_by(path[-1])]
    empties = [path for path in _paths(body, ()) if name in _emptied_by(path[-1])]
    if len(fills) != 1 or len(empties) != 1:
        return False
    loops = [[id(s) for s in path[:-1] if _is_loop(s)] for path in (fills[0], empties[0])]
    return bool(loops[0]) and loops[0] == loops[1] and not _is_loop(empties[0][-1])


def _is_loop(stmt: Stmt) -> bool:
    return isinstance(stmt, For | nodes.While)


def _filled_by(stmt: Stmt) -> frozenset[str]:
    return frozenset() if nodes.blocks(stmt) else _filled((stmt,))


def _emptied_by(stmt: Stmt) -> frozenset[str]:
    names = (popped(e) for part in nodes.expressions(stmt) for e in nodes.walk(part))
    return frozenset(n for n in names if n is not None)


def _paths(block: Block, above: tuple[Stmt, ...]) -> list[tuple[Stmt, ...]]:
    """Every statement behind those that it stands in."""
    found: list[tuple[Stmt, ...]] = []
    for stmt in block:
        found.append((*above, stmt))
        for inner in nodes.blocks(stmt):
            found += _paths(inner, (*above, stmt))
    return found


__all__ = ["with_joined_sweeps"]

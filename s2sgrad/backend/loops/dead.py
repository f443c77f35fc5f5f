"""Floor 6: writes into arrays that nobody reads any more, and what was saved for them only.

The reverse sweep restores overwritten entries of an array; where no later statement reads it, the
restoring goes, and so does the list that kept the entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups, shared_names
from s2sgrad.backend.loops.touches import every, read_by
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import INT, Array


def without_dead_stores(function: Function, outer: Function | None = None) -> Function:
    """The function without them. outer: what it is a piece of.

    What it is given may be read afterwards: by the rest of `outer`, or when a pullback is called
    again.
    """
    groups = Groups(function, outer)
    finder = _Finder(groups)
    left = _left(function, groups) if outer is None else set()
    finder.block(
        function.body, {groups.of(name) for name in function.parameters if name not in left}
    )
    dead = finder.dead - finder.needed
    stores = [s for s in nodes.walk_block(function.body) if id(s) in dead]
    lists = _lists_only_for(stores, function.body)
    gone = {id(s) for s in stores if _pops(s) <= lists}
    return replace(function, body=_without(function.body, gone, lists))


def _left(function: Function, groups: Groups) -> set[str]:
    """Parameters whose arrays nothing in the function holds any more once they are bound again, as
    in `A = A.copy()`, so that nothing is written into them."""
    found: set[str] = set()
    together = Counter(groups.of(name) for name in function.parameters)
    shared: set[str] = set()
    for stmt in function.body:
        names = {n for s in nodes.walk_block((stmt,)) for n in _handed_on(s)}
        match stmt:
            case nodes.Assign(targets=(name,)) if name in function.parameters:
                if name not in shared | names and together[groups.of(name)] == 1:
                    found.add(name)
        shared |= names | nodes.bound_in((stmt,))
    return found


def _handed_on(stmt: Stmt) -> frozenset[str]:
    """Names whose arrays a statement may give another name, a list, or a function."""
    return frozenset().union(*map(shared_names, nodes.expressions(stmt)))


def without_unread_pops(function: Function) -> Function:
    """The function without lists whose entries are taken out again and not read."""
    uses: Counter[str] = Counter()
    pops: list[tuple[Stmt, str]] = []
    for stmt in nodes.walk_block(function.body):
        exprs = nodes.expressions(stmt)
        match stmt:
            case nodes.Assign(targets=(target,), values=(value,)) if _is_pop(value):
                pops.append((stmt, target))
            case nodes.Mutate(base=Var(), method="append", args=args):
                exprs = args
        uses.update(n.name for e in exprs for n in nodes.walk(e) if isinstance(n, Var))
    unread = [stmt for stmt, target in pops if not uses[target]]
    lists = _lists_only_for(unread, function.body)
    gone = {id(s) for s in unread if _pops(s) <= lists}
    lists = {n for s in unread if id(s) in gone for n in _pops(s)}
    return replace(function, body=_without(function.body, gone, lists)) if gone else function


class _Finder:
    """Walks backwards with the groups of arrays whose contents are read later."""

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.dead: set[int] = set()
        self.needed: set[int] = set()

    def block(self, block: Block, live: set[str]) -> set[str]:
        for stmt in reversed(block):
            live = self.statement(stmt, live)
        return live

    def statement(self, stmt: Stmt, live: set[str]) -> set[str]:
        match stmt:
            case nodes.Store(base=Var(name=name)) if isinstance(stmt.base.type, Array):
                if self.groups.of(name) not in live:
                    self.dead.add(id(stmt))
                    return live
                self.needed.add(id(stmt))
            case nodes.If(then=then, orelse=orelse):
                live = self.block(then, set(live)) | self.block(orelse, set(live)) | live
            case nodes.For(body=body) | nodes.While(body=body):
                before: set[str] = set()
                while before != live:
                    before = live
                    live = live | self.block(body, set(live)) | self._read(stmt)
        return live | self._read(stmt)

    def _read(self, stmt: Stmt) -> set[str]:
        """The groups of arrays of which more is read than the shape."""
        return {self.groups.of(n) for e in nodes.expressions(stmt) for n in _contents(e)}


def _contents(expr: Expr) -> Iterator[str]:
    """The names in an expression, but for those of which it only asks the shape."""
    match expr:
        case Call(form="attribute", text="shape" | "size" | "ndim", args=(Var(),)):
            return
        case Var(name=name):
            yield name
    for part in nodes.children(expr):
        yield from _contents(part)


def _pops(stmt: Stmt) -> set[str]:
    """The lists that a statement takes entries from."""
    return {
        node.args[0].name  # type: ignore[attr-defined]
        for expr in nodes.expressions(stmt)
        for node in nodes.walk(expr)
        if _is_pop(node)
    }


def _is_pop(node: Expr) -> bool:
    return (
        isinstance(node, Call)
        and node.form == "method"
        and node.text == "pop"
        and isinstance(node.args[0], Var)
    )


def _lists_only_for(stores: list[Stmt], body: Block) -> set[str]:
    """Lists that are filled, and emptied by these statements, and used nowhere else."""
    inside: Counter[str] = Counter()
    for stmt in stores:
        inside.update(_pops(stmt))
    uses: Counter[str] = Counter()
    for stmt in nodes.walk_block(body):
        if (
            isinstance(stmt, nodes.Mutate)
            and stmt.method == "append"
            and isinstance(stmt.base, Var)
        ):
            exprs: tuple[Expr, ...] = stmt.args
        else:
            exprs = nodes.expressions(stmt)
        uses.update(n.name for e in exprs for n in nodes.walk(e) if isinstance(n, Var))
    return {name for name, count in inside.items() if uses[name] == count}


def _without(block: Block, gone: set[int], lists: set[str]) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.Store() | nodes.Assign() if id(stmt) in gone:
                continue
            case nodes.Mutate(base=Var(name=name), method="append") if name in lists:
                continue
            case nodes.Assign(targets=(name,), values=(nodes.Sequence(items=()),)) if name in lists:
                continue
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(
                    stmt, then=_without(then, gone, lists), orelse=_without(orelse, gone, lists)
                )
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_without(body, gone, lists))
        result.append(stmt)
    return tuple(result)


# --- views ---------------------------------------------------------------------------------
def without_unused_views(body: Block) -> Block:
    """The body without names for parts of arrays that nobody reads: loops use the array itself."""
    while True:
        read = {n for s in every(body) for e in read_by(s) for n in nodes.names_in(e)}
        new = _kept(body, read)
        if new == body:
            return body
        body = new


def _kept(block: Block, read: set[str]) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.Assign(targets=(name,), values=(value,)) if name not in read and _harmless(
                value
            ):
                continue
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=_kept(then, read), orelse=_kept(orelse, read))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_kept(body, read))
        result.append(stmt)
    return tuple(result)


def _harmless(value: Expr) -> bool:
    """A slice, a transpose or an integer: nothing that could fail or has an effect."""
    if isinstance(value, nodes.Const | Var):
        return True
    if isinstance(value, nodes.Index):
        return all(map(_harmless, (value.base, *value.index)))
    if isinstance(value, nodes.Slice):
        return all(map(_harmless, nodes.children(value)))
    return (
        isinstance(value, Call)
        and (value.form in ("attribute", "operator") or is_edge(value))
        and all(map(_harmless, value.args))
    )


def is_edge(value: Call) -> bool:
    """Whether a call gives a bound of a slice, or how many entries are between two."""
    return value.text == "slice_bound" or (value.function is max and value.type == INT)

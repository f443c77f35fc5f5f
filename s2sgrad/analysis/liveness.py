"""Floor 3: which variables are still read after a statement; dead assignments fall away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt

Live = frozenset[str]
Visit = Callable[[Stmt, Live], None]


class Liveness:
    """A backward walk. `keep(stmt)` says whether a statement must stay though its targets are
    dead; `visit(stmt, live_after)` sees every statement of the final walk. `changes(stmt)` names
    the variable that a statement only changes, if nobody else can see that. `remains(stmt)` is what
    is left of a statement of which nobody reads the values."""

    def __init__(
        self,
        keep: Callable[[Stmt], bool] | None = None,
        visit: Visit | None = None,
        changes: Callable[[Stmt], str | None] = lambda stmt: None,
        remains: Callable[[Stmt], Block] = lambda stmt: (),
    ) -> None:
        self.keep = keep or (lambda stmt: True)
        self.visit = visit
        self.changes = changes
        self.remains = remains
        self._final = True
        self._jumps: list[tuple[Live, Live]] = []  # live at break, live at continue
        # Loop (by its id) -> what was live at its head when it was last walked. Each walk finds at
        # least as much, so that loops in loops need not begin anew.
        self._heads: dict[int, Live] = {}

    def block(self, block: Block, live: Live) -> tuple[Block, Live]:
        """The block without dead statements, and what is live before it."""
        kept: list[Stmt] = []
        for stmt in reversed(block):
            new, live = self.stmt(stmt, live)
            if new is not None:
                kept.append(new)
            else:
                for left in reversed(self.remains(stmt)):
                    kept.append(left)
                    live |= reads(left)
        kept.reverse()
        return tuple(kept), live

    def stmt(self, stmt: Stmt, live: Live) -> tuple[Stmt | None, Live]:
        """The statement without its dead parts (None: all of it), and what is live before it."""
        match stmt:
            case nodes.Exit(kind=kind):
                live = self._jumps[-1][0 if kind == "break" else 1]
                return stmt, live
            case nodes.If():
                return self._if(stmt, live)
            case nodes.For() | nodes.While():
                return self._loop(stmt, live)
            case nodes.Assign():
                return self._assign(stmt, live)
        targets = nodes.targets_of(stmt)
        if (
            isinstance(stmt, nodes.Unpack)
            and not self.keep(stmt)
            and not any(t in live for t in targets)
        ):
            return None, live
        changed = self.changes(stmt)
        if changed is not None and changed not in live:
            return None, live
        self._see(stmt, live)
        return stmt, self._before(stmt, targets, live)

    def _before(self, stmt: Stmt, targets: tuple[str, ...], live: Live) -> Live:
        """What is live before a statement that binds its targets."""
        read = reads(stmt)
        for target in targets:
            if target in live:
                live -= {target}
        return live if read <= live else live | read

    def _see(self, stmt: Stmt, live: Live) -> None:
        if self.visit is not None and self._final:
            self.visit(stmt, live)

    def _assign(self, stmt: nodes.Assign, live: Live) -> tuple[Stmt | None, Live]:
        if not self.keep(stmt):
            pairs = [(t, v) for t, v in zip(stmt.targets, stmt.values, strict=True) if t in live]
            if not pairs:
                return None, live
            if len(pairs) < len(stmt.targets):
                stmt = replace(
                    stmt, targets=tuple(t for t, _ in pairs), values=tuple(v for _, v in pairs)
                )
        self._see(stmt, live)
        return stmt, self._before(stmt, stmt.targets, live)

    def _if(self, stmt: nodes.If, live: Live) -> tuple[Stmt | None, Live]:
        self._see(stmt, live)
        then, live_then = self.block(stmt.then, live)
        orelse, live_else = self.block(stmt.orelse, live)
        if not then and not orelse and not self.keep(stmt):
            return None, live
        return replace(stmt, then=then, orelse=orelse), live_then | live_else | reads(stmt)

    def _loop(self, stmt: nodes.For | nodes.While, live: Live) -> tuple[Stmt | None, Live]:
        targets = set(nodes.targets_of(stmt))
        head = live | reads(stmt) | self._heads.get(id(stmt), frozenset())
        outer, self._final = self._final, False
        while True:
            body, inside = self._body(stmt, live, head)
            grown = head | (inside - targets)
            if grown == head:
                break
            head = grown
        self._heads[id(stmt)] = head
        self._final = outer
        if self._final:
            self._see(stmt, head)
            body, _ = self._body(stmt, live, head)
        if not body and isinstance(stmt, nodes.For) and not self.keep(stmt) and not targets & live:
            return None, live
        return replace(stmt, body=body), head

    def _body(self, stmt: nodes.For | nodes.While, live: Live, head: Live) -> tuple[Block, Live]:
        self._jumps.append((live, head))
        found = self.block(stmt.body, head)
        self._jumps.pop()
        return found


class After(Liveness):
    """Liveness that notes what is read after each statement (everywhere that it stands)."""

    def __init__(self) -> None:
        super().__init__()
        self.after: dict[int, Live] = {}

    def stmt(self, stmt: Stmt, live: Live) -> tuple[Stmt | None, Live]:
        self.after[id(stmt)] = self.after.get(id(stmt), frozenset()) | live
        return super().stmt(stmt, live)


def read_after(block: Block, live: Live = frozenset()) -> dict[int, Live]:
    """The names that are read after each statement, by its id. live: those read after them all."""
    walk = After()
    walk.block(block, live)
    return walk.after


def reads(stmt: Stmt) -> Live:
    """The variables a statement itself reads (or changes in place)."""
    known = _READ.get(id(stmt))
    if known is not None:
        return known[1]
    found: frozenset[str] = frozenset()
    for expr in nodes.expressions(stmt):
        found |= nodes.names_in(expr)
    if len(_READ) > _MOST:
        _READ.clear()
    _READ[id(stmt)] = stmt, found
    return found


def forget_reads() -> None:
    """Let go of all statements, and of what of the user's is in them: a function is compiled."""
    _READ.clear()


# Statement (by its id) -> itself, and what it reads: each of many passes asks it of each statement.
_READ: dict[int, tuple[Stmt, Live]] = {}
_MOST = 10_000


def without_dead_moves(block: Block, live: Live) -> Block:
    """Drop the compiler's own moves whose targets nobody reads."""
    keep: Callable[[Stmt], bool] = lambda s: not (isinstance(s, nodes.Assign) and s.move)  # noqa: E731
    return Liveness(keep).block(block, live)[0]

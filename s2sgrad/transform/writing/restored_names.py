"""Floor 5: what would only get its old value back keeps the name that it was saved under.

    p_saved = p                     p_saved = p
    p = p / total                   p = p / total
    ...                             ...
    p_next = p
    p = p_saved
    z_bar = p_bar * p               z_bar = p_bar * p_saved
    t_bar = p_bar * p_next          t_bar = p_bar * p

And a cotangent that begins as a number is begun with what is added to that.

    m_bar = 1.0
    m_bar = m_bar - np.sum(d)       m_bar = 1.0 - np.sum(d)
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Const, Expr, Stmt, Var
from s2sgrad.transform.writing.rewrite import map_block, map_expr

After = dict[int, frozenset[str]]
Rest = list[tuple[Stmt, frozenset[str]]]  # statements, and what is read behind each
_UNKNOWN = frozenset({""})


def without_restored_names(block: Block, bars: frozenset[str], temporaries: set[str]) -> Block:
    """The block without such statements of the compiler's.

    bars: cotangents, which keep the names that say what they belong to, unless they are one of the
    `temporaries` that stand for a value of the forward sweep.
    """
    after: After = {}
    Liveness(visit=lambda stmt, live: after.update({id(stmt): live})).block(block, frozenset())
    return _Walker(bars, temporaries, after).block(block)


class _Walker:
    def __init__(self, bars: frozenset[str], temporaries: set[str], after: After) -> None:
        self.bars, self.temporaries, self.after = bars, temporaries, after

    def block(self, block: Block) -> Block:
        """The block, from its last statement on."""
        rest: Rest = []
        for stmt in reversed(block):
            self.statement(stmt, rest)
        return tuple(stmt for stmt, _ in rest)

    def statement(self, stmt: Stmt, rest: Rest) -> None:
        """Put the statement before the rest, or what it says into it."""
        live = self.after.get(id(stmt), _UNKNOWN)
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=self.block(then), orelse=self.block(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=self.block(body))
            case Assign(targets=(name,), values=(Const() as value,), span=None):
                if name in self.bars and _begun(rest, name, value):
                    return
            case Assign(targets=(name,), values=(Var() as value,), span=None):
                if self._may_go(name, value.name) and _renamed(rest, name, value, live):
                    return
        rest.insert(0, (stmt, live))

    def _may_go(self, name: str, first: str) -> bool:
        if first in self.bars:
            return False
        return name not in self.bars or name in self.temporaries


def _renamed(rest: Rest, name: str, first: Var, live: frozenset[str]) -> bool:
    """Give what follows `name = first` the first name; False where they part ways.

    live: what is read behind that statement.
    """
    end = next((k for k, (s, _) in enumerate(rest) if _binds(s, name, first.name)), len(rest))
    left = rest[end - 1][1] if end else live
    inside = nodes.walk_block(tuple(s for s, _ in rest[:end]))
    if name in left or _UNKNOWN & left or any(isinstance(s, nodes.Exit) for s in inside):
        return False

    def put(expr: Expr) -> Expr:
        return first if isinstance(expr, Var) and expr.name == name else expr

    for k, (stmt, after) in enumerate(rest[:end]):
        after = after - {name} | {first.name} if name in after else after
        (stmt,) = map_block((stmt,), put)
        rest[k] = stmt, after
    return True


def _begun(rest: Rest, name: str, number: Const) -> bool:
    """Put `name = number` into the statement that binds the name next, if that reads it once and
    none before it does."""
    for k, (stmt, after) in enumerate(rest):
        if isinstance(stmt, Assign) and name in stmt.targets:
            reads = [n for v in stmt.values for n in nodes.walk(v) if _is_read(n, name)]
            if len(stmt.targets) != 1 or len(reads) != 1:
                return False
            value = map_expr(stmt.values[0], lambda e: number if _is_read(e, name) else e)
            rest[k] = replace(stmt, values=(value,)), after
            return True
        parts = [e for s in nodes.walk_block((stmt,)) for e in nodes.expressions(s)]
        if any(name in nodes.names_in(part) for part in parts) or _binds(stmt, name):
            return False
    return False


def _is_read(expr: Expr, name: str) -> bool:
    return isinstance(expr, Var) and expr.name == name


def _binds(stmt: Stmt, *names: str) -> bool:
    """Whether a name gets another value; `n += 1` gives a number one."""
    numbers = {
        s.base.name
        for s in nodes.walk_block((stmt,))
        if isinstance(s, nodes.Store) and not s.index and isinstance(s.base, Var)
    }
    return bool((nodes.bound_in((stmt,)) | numbers) & set(names))


__all__ = ["without_restored_names"]

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
        """The block, from its last statement on; a statement is known by what it was."""
        rest: Block = ()
        for stmt in reversed(block):
            rest = self.statement(stmt, rest, block[-1])
        return rest

    def statement(self, stmt: Stmt, rest: Block, last: Stmt) -> Block:
        """The statement and those behind it. last: of all of these, as it was."""
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=self.block(then), orelse=self.block(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=self.block(body))
            case Assign(targets=(name,), values=(Var() | Const() as value,), span=None):
                lasting = name in self.after.get(id(last), frozenset({name}))
                found = None
                if isinstance(value, Const):
                    found = None if name not in self.bars else _begun(rest, name, value)
                elif self._may_go(name, value.name):
                    found = _renamed(rest, name, value, lasting)
                if found is not None:
                    return found
        return (stmt, *rest)

    def _may_go(self, name: str, first: str) -> bool:
        if first in self.bars:
            return False
        return name not in self.bars or name in self.temporaries


def _renamed(rest: Block, name: str, first: Var, lasting: bool) -> Block | None:
    """The statements behind `name = first` with the first name; None where they part ways.

    lasting: whether the name is read behind them all.
    """
    end = next((k for k, s in enumerate(rest) if _binds(s, name, first.name)), len(rest))
    if (end == len(rest) and lasting) or name in _live_before(rest[end:]):
        return None

    def put(expr: Expr) -> Expr:
        return first if isinstance(expr, Var) and expr.name == name else expr

    return (*map_block(rest[:end], put), *rest[end:])


def _begun(rest: Block, name: str, number: Const) -> Block | None:
    """The statements behind `name = number`, if the one that binds the name next reads it once and
    none before it does."""
    for k, stmt in enumerate(rest):
        if isinstance(stmt, Assign) and name in stmt.targets:
            reads = [n for v in stmt.values for n in nodes.walk(v) if _is_read(n, name)]
            if len(stmt.targets) != 1 or len(reads) != 1:
                return None
            value = map_expr(stmt.values[0], lambda e: number if _is_read(e, name) else e)
            return (*rest[:k], replace(stmt, values=(value,)), *rest[k + 1 :])
        inside = nodes.walk_block((stmt,))
        if any(
            _is_read(n, name) for s in inside for e in nodes.expressions(s) for n in nodes.walk(e)
        ):
            return None
        if _binds(stmt, name):
            return None
    return None


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


def _live_before(block: Block) -> frozenset[str]:
    return Liveness().block(block, frozenset())[1]


__all__ = ["without_restored_names"]

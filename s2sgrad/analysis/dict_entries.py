"""Floor 3: entries of dicts of which it is known, where they are written, whether they are there.

In `if k not in groups: groups[k] = []` there is none, and in `groups[k] = groups[k] + v` there is
one, or the read would have failed. What is written then has an undo without a question.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from s2sgrad.analysis.effects import Effects, root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import NONE, Dict, Known, Maybe

Entry = tuple[Expr, Expr]  # a dict and a key
There = dict[Entry, bool]  # whether it has the key


def entries_written(block: Block, effects: Effects) -> dict[int, bool]:
    """Stores into dicts (their ids) -> whether the entry was there before, where that is known."""
    search = _Search(effects)
    if any(_entry_of(stmt) is not None for stmt in nodes.walk_block(block)):
        search.block(block, {})
    return search.found


class _Search:
    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.found: dict[int, bool] = {}

    def block(self, block: Block, known: There) -> There:
        """Go through statements; what is known behind them."""
        asked: dict[str, Expr] = {}  # name -> the question whose answer it holds
        for stmt in block:
            if isinstance(stmt, nodes.If):
                known = self._branches(stmt, known, asked)
            else:
                known = self._plain(stmt, known)
            bound = {n for s in nodes.walk_block((stmt,)) for n in nodes.targets_of(s)}
            asked = {n: e for n, e in asked.items() if not ({n} | nodes.names_in(e)) & bound}
            if _changes(stmt):
                asked = {}
            match stmt:
                case nodes.Assign(targets=(name,), values=(test,)) if _tells(test):
                    asked[name] = test
        return known

    def _branches(self, stmt: nodes.If, known: There, asked: dict[str, Expr]) -> There:
        known = known | dict.fromkeys(_reads(stmt.test), True)
        test = asked.get(stmt.test.name, stmt.test) if isinstance(stmt.test, Var) else stmt.test
        then = self.block(stmt.then, known | _answers(test, True))
        orelse = self.block(stmt.orelse, known | _answers(test, False))
        return {entry: there for entry, there in then.items() if orelse.get(entry) is there}

    def _plain(self, stmt: Stmt, known: There) -> There:
        """A statement that is no branch."""
        for body in nodes.blocks(stmt):
            self.block(body, {})
        known = known | {e: True for part in nodes.expressions(stmt) for e in _reads(part)}
        entry = _entry_of(stmt)
        if entry is not None and entry in known:
            self.found[id(stmt)] = known[entry]
        known = self._left(stmt, known)
        match stmt:
            case nodes.Mutate(base=base, method="pop", args=(key,)) if isinstance(base.type, Dict):
                known = {**known, (base, key): False}
        return known if entry is None else {**known, entry: True}

    def _left(self, stmt: Stmt, known: There) -> There:
        """What is still known behind a statement."""
        inside = tuple(nodes.walk_block((stmt,)))
        if any(isinstance(s, nodes.Do) or _calls_own(s) for s in inside):
            return {}  # it may change what it is given
        bound = {n for s in inside for n in nodes.targets_of(s)}
        changed = {
            self.effects.find(name)
            for s in inside
            if isinstance(s, nodes.Store | nodes.Mutate) and (name := root(s.base)) is not None
        }
        return {
            (base, key): there
            for (base, key), there in known.items()
            if not (named := nodes.names_in(base) | nodes.names_in(key)) & bound
            and not {self.effects.find(n) for n in named} & changed
        }


def _entry_of(stmt: Stmt) -> Entry | None:
    """The entry of a dict that a statement writes."""
    match stmt:
        case nodes.Store(base=base, index=(key,), op="") if isinstance(base.type, Dict):
            return base, key
    return None


def _changes(stmt: Stmt) -> bool:
    return any(
        isinstance(s, nodes.Store | nodes.Mutate | nodes.Do) or _calls_own(s)
        for s in nodes.walk_block((stmt,))
    )


def _calls_own(stmt: Stmt) -> bool:
    """Whether a function of the user's is called, which may change its arguments."""
    return any(
        isinstance(e, Call) and type(e.function).__name__ == "UserPair"
        for part in nodes.expressions(stmt)
        for e in nodes.walk(part)
    )


def _answers(test: Expr, outcome: bool) -> There:
    """What the outcome of a test says of entries."""
    match test:
        case Call(function="in", args=(key, base)) if isinstance(base.type, Dict):
            return {(base, key): outcome}
        case Call(function="not in", args=(key, base)) if isinstance(base.type, Dict):
            return {(base, key): not outcome}
        case Call(function="not", args=(inner,)):
            return _answers(inner, not outcome)
        case Call(function="and", args=args) if outcome:
            return {e: there for a in args for e, there in _answers(a, True).items()}
        case Call(function="or", args=args) if not outcome:
            return {e: there for a in args for e, there in _answers(a, False).items()}
    return {}


def _tells(test: Expr) -> bool:
    """Whether an outcome of a test says something of entries."""
    return bool(_answers(test, True) or _answers(test, False))


def _reads(expr: Expr) -> Iterator[Entry]:
    """The entries that are surely read where an expression is computed."""
    if isinstance(expr, nodes.Choice) or (isinstance(expr, Call) and expr.text in ("and", "or")):
        first = expr.test if isinstance(expr, nodes.Choice) else expr.args[0]
        yield from _reads(first)
        return
    if isinstance(expr, nodes.Index) and len(expr.index) == 1 and isinstance(expr.base.type, Dict):
        yield expr.base, expr.index[0]
    for child in nodes.children(expr):
        yield from _reads(child)


def surely_there(kind: Dict, key: Expr) -> bool:
    """Whether a dict has an entry under this key: a field that an object is made with."""
    fields = dict(kind.fields or ())
    if not isinstance(key, nodes.Const) or kind.made_by is None:
        return False
    known = not isinstance(fields.get(key.value, NONE), Known | Maybe)
    return known and key.value in _made_with(kind.made_by)


def _made_with(cls: type) -> set[str]:
    """Names that the class of an object mentions where objects are made."""
    found = {f.name for f in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    for base in cls.__mro__:
        code = getattr(vars(base).get("__init__"), "__code__", None)
        found |= set(code.co_names if code is not None else ())
    return found


__all__ = ["entries_written", "surely_there"]

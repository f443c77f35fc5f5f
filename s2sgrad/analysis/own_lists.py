"""Floor 3: which variables may hold the same list or dict, or one that is in the other.

a = [x]; b = [x]         two lists, of which both hold the array x
c = a; d = [b]           and these are not
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from s2sgrad.analysis.effects import holds_arrays, root, shared_with
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt
from s2sgrad.ir.types import Array, Dict, Known, List, Maybe, Number, Scalar, Tuple, Type

_OF_ITEMS = ("extend", "update")  # put what is in a list into another one
_NEW = ("list", "list+", "list*", list, dict, tuple)


class SameLists:
    """`find` gives equal names for variables that may hold the same list or dict."""

    def __init__(self, block: Iterable[Stmt], types: dict[str, Type]) -> None:
        self.types = types
        self.group: dict[str, str] = {}
        for stmt in block:
            for name, value in _bound(stmt):
                for other in self._held(value):
                    self.group[self.find(other)] = self.find(name)

    def find(self, name: str) -> str:
        """The variable that stands for all that may hold the same list."""
        while name in self.group and self.group[name] != name:
            name = self.group[name]
        return name

    def _held(self, expr: Expr) -> Iterator[str]:
        """The variables of which an expression may give the list, or one that is in it."""
        kind = self.types.get(expr.name, expr.type) if isinstance(expr, nodes.Var) else expr.type
        if not may_hold_list(kind):
            return
        match expr:
            case nodes.Var(name=name):
                yield name
            case nodes.Call(function=function, args=args) if function in _NEW:
                for arg in args:
                    if _deep(arg):
                        yield from self._held(arg)
            case nodes.Call(function=function, args=args) if type(function).__name__ == "UserPair":
                back = {c.position for c in function.changes}  # copies of lists
                for i, arg in enumerate(args):
                    if i in function.shared or (i in back and _deep(arg)):
                        yield from self._held(arg)
            case _:
                for child in nodes.children(expr):
                    yield from self._held(child)


def made_and_read_once(body: Block, results: frozenset[str]) -> frozenset[str]:
    """New lists of numbers that one statement of the same block reads, and nothing else:
    whoever is given one has it alone. results: what is read behind the body."""
    whole = tuple(nodes.walk_block(body))
    bound = Counter(t for s in whole for t in nodes.targets_of(s))
    read = Counter(n for s in whole for n in _read(s))
    once = {n for n, times in bound.items() if times == read[n] == 1} - results
    found: set[str] = set()
    for block in (body, *(inner for s in whole for inner in nodes.blocks(s))):
        here = {n for s in block for n in _read(s)} & once
        for stmt in block:
            if isinstance(stmt, nodes.Assign):
                pairs = zip(stmt.targets, stmt.values, strict=True)
                found |= {t for t, v in pairs if t in here and _is_new_list_of_numbers(v)}
    return frozenset(found)


def _read(stmt: Stmt) -> Iterator[str]:
    parts = (e for part in nodes.expressions(stmt) for e in nodes.walk(part))
    return (e.name for e in parts if isinstance(e, nodes.Var))


def _is_new_list_of_numbers(value: Expr) -> bool:
    kind = value.type
    return isinstance(kind, List) and not holds_arrays(kind.item) and not shared_with(value)


def _bound(stmt: Stmt) -> Iterator[tuple[str, Expr]]:
    """What a statement gives to variables, or puts into what they hold."""
    match stmt:
        case nodes.Assign(targets=targets, values=values):
            yield from zip(targets, values, strict=True)
        case nodes.For(targets=targets, sources=sources):
            yield from ((t, s) for t in targets for s in sources)
        case nodes.Store(base=base, value=value):
            yield root(base) or "", value
        case nodes.Mutate(base=base, method=method, args=args, target=target):
            yield from ((root(base) or "", a) for a in args if method not in _OF_ITEMS or _deep(a))
            if target is not None:
                yield target, base
        case _:
            targets = nodes.targets_of(stmt)
            yield from ((t, e) for t in targets for e in nodes.expressions(stmt))


def _deep(expr: Expr) -> bool:
    """Whether what is in a list or dict, or any other value, may be or hold lists or dicts."""
    kind = expr.type
    return may_hold_list(kind.item if isinstance(kind, List | Dict) else kind)


def may_hold_list(kind: Type) -> bool:
    """Whether a value may be a list or dict, or have one in it."""
    if isinstance(kind, Tuple):
        return any(map(may_hold_list, kind.items))
    if isinstance(kind, Maybe):
        return may_hold_list(kind.item)
    return not isinstance(kind, Scalar | Array | Number | Known)


__all__ = ["SameLists", "may_hold_list"]

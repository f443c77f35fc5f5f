"""Floor 4: which names a function's text changes in place, or by other names for the same."""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

from s2sgrad.frontend.functions.unfolding import CHANGES
from s2sgrad.frontend.scopes import local_names

AT_ONCE = frozenset(["list", "tuple", "sorted", "sum", "min", "max", "set", "len", "any", "all"])


@dataclass
class _Changes:
    """changed: name -> the last line that changes what it holds. updated: the same for `x += 1`,
    which makes a new number, but changes an array. same: pairs of names for one thing.
    put: what is appended to what, and where: a list leaves it as it is, another class may not."""

    put: list[tuple[str, set[str], float]] = field(default_factory=list)
    changed: dict[str, float] = field(default_factory=dict)
    updated: dict[str, float] = field(default_factory=dict)
    same: list[tuple[str, str]] = field(default_factory=list)


def changed_names(
    node: ast.AST, made: ast.AST | None = None, is_number: Callable[[str], bool] = lambda n: False
) -> set[str]:
    """Names of arrays, lists and objects that a function may change, as its text tells.

    What is bound to a part of something is another name for it: `row = a[0]; row += 1` changes
    `a`. What is passed to a function that is called for its effects may be changed there.
    made: only changes that may come after this part of the text, where it is one.
    """
    found = _changes(node)
    start = _begin(node, made)
    names = {n for n, line in found.changed.items() if line >= start}
    names |= {n for n, line in found.updated.items() if line >= start and not is_number(n)}
    lists = _lists(node)
    names |= {
        n
        for receiver, given, line in found.put
        for n in (given if receiver not in lists else ())
        if line >= start
    }
    while True:
        more = {n for pair in found.same if not names.isdisjoint(pair) for n in pair} - names
        if not more:
            return names
        names |= more


def changes_around(function: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether a function changes what is bound outside of it, as its text tells."""
    bound = any(isinstance(part, ast.Nonlocal | ast.Global) for part in ast.walk(function))
    found = _Changes()
    _inside(function, found)
    return bound or bool(found.changed or found.updated or found.put)


def _begin(node: ast.AST, made: ast.AST | None) -> float:
    """The line of a part of a function, or of the outermost loop around it."""
    if made is None or not any(part is made for part in ast.walk(node)):
        return 0
    for part in ast.walk(node):  # outer ones first
        body = part.body if isinstance(part, ast.For | ast.While) else []
        if any(n is made for s in body for n in ast.walk(s)):
            return body[0].lineno
    return getattr(made, "lineno", 0)


def bound_after(node: ast.AST, made: ast.AST) -> set[str]:
    """Names that a function, or one inside of it, may bind after this part of its text."""
    start = _begin(node, made)
    names = (n for n in ast.walk(node) if isinstance(n, ast.Name))
    return {n.id for n in names if isinstance(n.ctx, ast.Store | ast.Del) and n.lineno >= start}


def parts_after(node: ast.AST, made: ast.AST | None) -> list[ast.AST]:
    """What of a function's text may run after this part of it, or in a loop around that."""
    start = _begin(node, made)
    made = made.iter if isinstance(made, ast.For) else made
    again = made is None or any(_repeats(p, made) for p in ast.walk(node) if p is not node)
    before = set() if again or made is None else _at_once(made)
    parts = (part for part in ast.walk(node) if part not in before)
    return [part for part in parts if getattr(part, "lineno", 0) >= start]


def taken_by(node: ast.AST, made: ast.AST) -> list[ast.AST] | None:
    """What runs between the items of something that is made in a text, where a loop takes them, or
    a function that takes all at once; None where the text does not tell."""
    for part in ast.walk(node):
        match part:
            case ast.For() if part is made or _hands_on(part.iter, made):
                return [n for s in part.body for n in ast.walk(s)]
            case ast.ListComp() if part is made or _hands_on(part.generators[0].iter, made):
                return list(set(ast.walk(part)) - _at_once(part))
            case ast.Call(func=ast.Name(id=name), args=[first]) if name in AT_ONCE:
                source = first.generators[0].iter if isinstance(first, ast.GeneratorExp) else first
                if part is made or first is made or _hands_on(source, made):
                    return list(set(ast.walk(first)) - _at_once(first))
    return None


def _hands_on(source: ast.expr, made: ast.AST) -> bool:
    """Whether this is what was made, or `enumerate` of it."""
    if source is made:
        return True
    return (
        isinstance(source, ast.Call)
        and ast.unparse(source.func) == "enumerate"
        and (source.args[:1] == [made])
    )


def _at_once(made: ast.AST) -> set[ast.AST]:
    """The parts of an expression that run before what it makes is used, and no more then."""
    if isinstance(made, ast.Lambda | ast.DictComp | ast.SetComp | ast.ListComp | ast.GeneratorExp):
        first: list[ast.AST] = []
        first += [] if isinstance(made, ast.Lambda) else [made.generators[0].iter]
    else:
        first = list(ast.iter_child_nodes(made))
    return {made, *(part for child in first for part in _at_once(child))}


def _repeats(part: ast.AST, made: ast.AST) -> bool:
    """Whether something stands where it may run more than once."""
    once: ast.AST | None
    match part:
        case ast.For(iter=first) | ast.GeneratorExp(generators=[ast.comprehension(iter=first), *_]):
            once = first
        case ast.ListComp(generators=[ast.comprehension(iter=first), *_]):
            once = first
        case ast.While() | ast.FunctionDef() | ast.Lambda() | ast.SetComp() | ast.DictComp():
            once = None
        case _:
            return False
    inside = made in ast.walk(part)
    return inside and (once is None or made not in ast.walk(once))


@functools.lru_cache(maxsize=1024)
def _changes(node: ast.AST) -> _Changes:
    found = _Changes()
    _collect(node, found, 0.0)
    return found


def _collect(node: ast.AST, found: _Changes, least: float) -> None:
    """least: the line from which code counts as later than all: of a function inside."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.FunctionDef | ast.Lambda):
            _inside(part, found)
            continue
        _note(part, found, max(least, getattr(part, "lineno", 0)))
        _collect(part, found, least)


def _appended_to(call: ast.Call) -> str | None:
    """The name of what something is appended to."""
    match call.func:
        case ast.Attribute(value=ast.Name(id=name), attr="append" | "appendleft"):
            return name
    return None


@functools.lru_cache(maxsize=1024)
def _lists(node: ast.AST) -> frozenset[str]:
    """The names to which a function binds nothing but new lists and deques."""
    made: list[str] = []
    bound: list[str] = []
    for part in ast.walk(node):
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _makes_list(value):
                made.append(name)
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                bound.append(name)
    return frozenset(n for n in made if made.count(n) == bound.count(n))


def _makes_list(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) in ("list", "deque", "collections.deque")
    return isinstance(value, ast.List | ast.ListComp)


def _inside(function: ast.FunctionDef | ast.Lambda, found: _Changes) -> None:
    """What a function inside changes of the names around it, whenever it is called."""
    inner, own = _Changes(), local_names(function)
    _collect(function, inner, math.inf)
    found.changed |= {n: line for n, line in inner.changed.items() if n not in own}
    found.updated |= {n: line for n, line in inner.updated.items() if n not in own}
    found.put += [(r, given - own, line) for r, given, line in inner.put if given - own]
    found.same += inner.same


def _note(part: ast.AST, found: _Changes, line: float) -> None:
    names: set[str] = set()
    if isinstance(part, ast.Subscript | ast.Attribute) and not isinstance(part.ctx, ast.Load):
        names = _root(part)
    elif isinstance(part, ast.AugAssign):
        found.updated |= {n: max(line, found.updated.get(n, 0)) for n in _root(part.target)}
    elif isinstance(part, ast.Call):
        names = _changed_by(part)
    elif isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):  # for its effects
        names = _root(part.value.func) if isinstance(part.value.func, ast.Attribute) else set()
        given = {n for a in part.value.args for n in _roots(a)}
        receiver = _appended_to(part.value)
        if receiver is None:
            names |= given
        else:
            found.put.append((receiver, given, line))
    elif isinstance(part, ast.Assign | ast.For):
        value = part.value if isinstance(part, ast.Assign) else part.iter
        targets = part.targets if isinstance(part, ast.Assign) else [part.target]
        bound = {n for t in targets for n in _names(t)}
        found.same += [(a, b) for a in sorted(bound) for b in sorted(_roots(value))]
    found.changed |= {n: max(line, found.changed.get(n, 0)) for n in names}


def read_names(node: ast.AST) -> set[str]:
    """Names that a text reads, but for what it copies: `list(items)`."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("list", "tuple", "sorted"):
        return set()
    found = {n for child in ast.iter_child_nodes(node) for n in read_names(child)}
    if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
        own = {n for part in node.generators for n in _names(part.target)}
        return (found - own) | read_names(node.generators[0].iter)
    return found


def _changed_by(call: ast.Call) -> set[str]:
    """The object of a method that changes it."""
    changes = isinstance(call.func, ast.Attribute) and call.func.attr in CHANGES
    return _root(call.func) if changes else set()


def _root(node: ast.AST) -> set[str]:
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Starred):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _roots(value: ast.AST) -> set[str]:
    """Names of which a value may be, or hold, a part."""
    if isinstance(value, ast.Tuple | ast.List):
        return {n for e in value.elts for n in _roots(e)}
    if isinstance(value, ast.IfExp):
        return _roots(value.body) | _roots(value.orelse)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return {n for a in value.args for n in _roots(a)}  # zip, enumerate, a function of yours
    return _root(value)


def _names(target: ast.AST) -> set[str]:
    """The names that an assignment binds, or of whose items it puts something in the place."""
    if isinstance(target, ast.Tuple | ast.List):
        return {n for part in target.elts for n in _names(part)}
    return _root(target)

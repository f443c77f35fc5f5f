"""Floor 6: whether a list may hold copies of the arrays that it takes, and what of no value.

A list holds the arrays themselves, which may be written into through other names before they are
taken out again.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups, shared_names
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import BOOL, NONE, Scalar


def by_value(name: str, value: Expr, function: Function) -> bool:
    """Whether it is no matter that what a list takes, `value`, is copied."""
    if not shared_names(value):
        return True
    first = next((k for k, s in enumerate(function.body) if _empties(s, name)), 0)
    before, after = function.body[:first], function.body[first:]
    if any(_fills(s, name) for s in after):
        before, after = (), function.body
    later = _writes(after, name, Groups(function))
    if later and not _only_into_taken(name, value, (before, after), later):
        return False
    found = _writes(before, name, Groups(replace(function, body=before)))
    return not found or _only_into_new(name, before, found)


def _empties(stmt: Stmt, name: str) -> bool:
    """Whether something is taken out of a list anywhere in a statement."""
    return any(
        isinstance(node, Call) and node.text == "pop" and Var(name) in node.args
        for inner in nodes.walk_block((stmt,))
        for expr in nodes.expressions(inner)
        for node in nodes.walk(expr)
    )


def _fills(stmt: Stmt, name: str) -> bool:
    return any(_adds(inner, name) for inner in nodes.walk_block((stmt,)))


def _adds(stmt: Stmt, name: str) -> bool:
    return isinstance(stmt, nodes.Mutate) and stmt.base == Var(name)


def _writes(block: Block, name: str, groups: Groups) -> list[nodes.Store]:
    """The statements that may write into an array that the list holds."""
    mine = (groups.of(name), None)
    stores = (s for s in nodes.walk_block(block) if isinstance(s, nodes.Store))
    return [s for s in stores if groups.root(s.base) in mine]


def _only_into_new(name: str, block: Block, found: list[nodes.Store]) -> bool:
    """Whether these write into an array that is made in the same block as the list takes it, and
    before that: `a = np.empty(n); a[0] = 1.0; a_saved.append(a)`, or in the next iteration."""
    for k, stmt in enumerate(block):
        if _adds(stmt, name):
            return _into_new(block[:k], found) or _into_new(block[k + 1 :], found)
        for inner in nodes.blocks(stmt):
            if any(_fills(s, name) for s in inner):
                return _only_into_new(name, inner, found)
    return False


def _into_new(block: Block, found: list[nodes.Store]) -> bool:
    for k in range(len(block) - 1, -1, -1):
        match block[k]:
            case nodes.Assign(targets=(own,), values=(Call() as made,)) if not shared_names(made):
                stores = [s for s in nodes.walk_block(block[k:]) if s in found]
                bound = [t for s in nodes.walk_block(block[k + 1 :]) for t in nodes.targets_of(s)]
                plain = len(stores) == len(found) and own not in bound
                if plain and all(s.base == Var(own) for s in found):
                    return True
    return False


def _only_into_taken(
    name: str, value: Expr, blocks: tuple[Block, Block], found: list[nodes.Store]
) -> bool:
    """Whether these write into arrays that are in the list no more, or never were.

    That is so for `u = u_saved.pop()`, if each array that the list took was new: every `u` was,
    and another takes its place after `u_saved.append(u)`.
    """
    before, after = blocks
    if not isinstance(value, Var) or not all(isinstance(s.base, Var) for s in found):
        return False
    own, earlier, later = value.name, _bindings(before), _bindings(after)
    if not all(_is_new(v) for v in earlier.get(own, ())) or not _replaced_after(name, own, before):
        return False
    taken = {name} | _lists_of_new((*before, *after))
    return all(
        isinstance(s.base, Var)
        and (s.base.name == own or s.base.name not in earlier)
        and all(_taken_from(v) in taken for v in later.get(s.base.name, ()))
        for s in found
    )


def _bindings(block: Block) -> dict[str, list[Expr | None]]:
    """The values that names are bound to; None for what is not bound by an assignment."""
    found: dict[str, list[Expr | None]] = {}
    for stmt in nodes.walk_block(block):
        plain = isinstance(stmt, nodes.Assign)
        for k, target in enumerate(nodes.targets_of(stmt)):
            value = stmt.values[k] if plain else None  # type: ignore[attr-defined]
            found.setdefault(target, []).append(value)
    return found


def _is_new(value: Expr | None) -> bool:
    """Whether a value is an array that nothing else holds, or none at all."""
    if value == nodes.Const(None):
        return True
    return isinstance(value, Call) and not shared_names(value)


def _replaced_after(name: str, own: str, block: Block) -> bool:
    """Whether `own` is bound again in the block in which the list takes it, after that."""
    for k, stmt in enumerate(block):
        if _adds(stmt, name):
            return any(own in nodes.targets_of(s) for s in block[k + 1 :] if not nodes.blocks(s))
        for inner in nodes.blocks(stmt):
            if any(_fills(s, name) for s in inner):
                return _replaced_after(name, own, inner)
    return False


def _lists_of_new(block: Block) -> set[str]:
    """The lists that take only what nothing else holds, such as copies."""
    held: dict[str, bool] = {}
    for stmt in nodes.walk_block(block):
        match stmt:
            case nodes.Mutate(base=Var(name=name), args=args):
                new = stmt.method == "append" and all(_is_new(a) for a in args)
                held[name] = held.get(name, True) and new
    return {name for name, new in held.items() if new}


def _taken_from(value: Expr | None) -> str | None:
    """The list that a value is taken out of."""
    match value:
        case Call(form="method", text="pop", args=(Var(name=name),)):
            return name
    return None


def begun_as_none(body: Block) -> frozenset[str]:
    """The names that may have no value yet: None stands for it."""
    return frozenset(
        target
        for stmt in nodes.walk_block(body)
        if isinstance(stmt, nodes.Assign)
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        if value == nodes.Const(None)
    )


def kept_entry(store: nodes.Store, unsure: frozenset[str]) -> Stmt:
    """A store of what a list took: nothing, or 0, of a name without a value, which nobody reads."""
    value = store.value
    if not isinstance(value, Var) or value.name not in unsure:
        return store
    nothing = nodes.Const(None, type=NONE)
    if isinstance(value.type, Scalar):
        absent = Call("is", "is", (value, nothing), form="operator", type=BOOL)
        entry = nodes.Choice(absent, nodes.Const(0, type=value.type), value, type=value.type)
        return replace(store, value=entry)
    there = Call("is not", "is not", (value, nothing), form="operator", type=BOOL)
    return nodes.If(there, (store,), ())


__all__ = ["begun_as_none", "by_value", "kept_entry"]

"""Floor 5: after the reversal: unused statements fall away, temporaries used once go back into
the expression that uses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from s2sgrad.analysis.effects import has_effect, root, shared_with, shares
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.new_arrays import memory_of, shares_memory
from s2sgrad.analysis.raising import raising_parts
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Dict, List, Scalar
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.late_clears import with_clears_late
from s2sgrad.transform.writing.rewrite import map_stmt_exprs


def without_unused(
    block: Block, live: frozenset[str], held: frozenset[str] = frozenset(), raising: bool = False
) -> Block:
    """Drop assignments, loops and branches that nobody reads; effects stay.

    held: lists whose items others hold too. raising: what may raise in the user's statements stays.
    """
    block = _without_unread_pops(block, live)
    while True:
        lone = _own_lists(block) - held
        pops: Callable[[Stmt], str | None] = partial(_popped, lone)
        left: Callable[[Stmt], Block] = _raising if raising else lambda _: ()
        new = Liveness(_must_stay, changes=pops, remains=left).block(block, live)[0]
        new = _without_lone_lists(new, live | held)
        if new == block:
            return new
        block = new


def _must_stay(stmt: Stmt) -> bool:
    if isinstance(stmt, nodes.Assign | nodes.Unpack):
        return any(has_effect(e) for e in nodes.expressions(stmt))
    if isinstance(stmt, nodes.If | nodes.For):
        return any(has_effect(e) for e in nodes.expressions(stmt))
    return True


def _raising(stmt: Stmt) -> Block:
    """The parts of a statement of the user's that raise for some values."""
    if not isinstance(stmt, nodes.Assign) or stmt.span is None or stmt.move:
        return ()
    parts = [p for value in stmt.values for p in raising_parts(value)]
    return tuple(nodes.Do(part, span=stmt.span) for part in parts)


def _without_unread_pops(block: Block, live: frozenset[str]) -> Block:
    """What is taken from a list and never read gets no name: `saved.pop()`."""
    read: set[int] = set()
    unread: set[int] = set()

    def visit(stmt: Stmt, after: frozenset[str]) -> None:
        if isinstance(stmt, nodes.Assign) and stmt.span is None and _pops(stmt):
            (read if stmt.targets[0] in after else unread).add(id(stmt))

    def bare(block: Block) -> Block:
        return tuple(map(without_name, block))

    def without_name(stmt: Stmt) -> Stmt:
        match stmt:
            case nodes.Assign(values=(Call(args=(base, *_)),)) if id(stmt) in unread - read:
                return nodes.Mutate(base, "pop", ())
            case nodes.If(then=then, orelse=orelse):
                return replace(stmt, then=bare(then), orelse=bare(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                return replace(stmt, body=bare(body))
        return stmt

    Liveness(visit=visit).block(block, live)
    return bare(block) if unread else block


def _pops(stmt: nodes.Assign) -> bool:
    value = stmt.values[0]
    only = len(stmt.targets) == 1 and isinstance(value, Call) and len(value.args) == 1
    return only and value.function == "pop" and isinstance(value.args[0], Var)  # type: ignore[attr-defined]


def _own_lists(block: Block) -> set[str]:
    """Lists made here that have one name only, and whose entries go nowhere by reference."""
    bound: Counter[str] = Counter(t for s in nodes.walk_block(block) for t in nodes.targets_of(s))
    made = {
        stmt.targets[0]
        for stmt in nodes.walk_block(block)
        if isinstance(stmt, nodes.Assign) and len(stmt.targets) == 1
        if isinstance(stmt.values[0], nodes.Sequence) and stmt.values[0].kind == "list"
    }
    seen = {s for stmt in nodes.walk_block(block) for _, held in shares(stmt) for s in held}
    return {name for name in made if bound[name] == 1} - seen


def _popped(lists: set[str], stmt: Stmt) -> str | None:
    """The list that a statement of the reverse sweep only brings back to its former length, or the
    number that it only changes."""
    if isinstance(stmt, nodes.Store) and stmt.span is None and not stmt.index:
        base = stmt.base if isinstance(stmt.base.type, Scalar) else None
        return base.name if isinstance(base, Var) and not has_effect(stmt.value) else None
    if not isinstance(stmt, nodes.Mutate) or stmt.method != "pop" or stmt.span is not None:
        return None
    name = root(stmt.base) if isinstance(stmt.base, Var) and stmt.target is None else None
    return name if name in lists else None


def _without_lone_lists(block: Block, live: frozenset[str]) -> Block:
    """Containers and arrays that are only ever changed, and never read, are not needed."""
    reads: Counter[str] = Counter()
    for stmt in nodes.walk_block(block):
        for expr in nodes.expressions(stmt):
            for name in nodes.names_in(expr):
                reads[name] += 1
        base = _changed(stmt)
        if base is not None:
            reads[base] -= 1
    made = {
        t
        for s in nodes.walk_block(block)
        if isinstance(s, nodes.Assign) and _fresh(s)
        for t in s.targets
    }
    bound: Counter[str] = Counter(t for s in nodes.walk_block(block) for t in nodes.targets_of(s))
    gone = {n for n in made if reads[n] <= 0 and n not in live and bound[n] == 1}
    gone -= _written_through(block) if gone else set()
    return _drop_changes(block, gone) if gone else block


def _written_through(block: Block) -> set[str]:
    """Lists and dicts that hold the arrays of others, and through which those are written."""
    holding = {
        name
        for stmt in nodes.walk_block(block)
        if isinstance(stmt, nodes.Mutate | nodes.Store)
        for name, sources in shares(stmt)
        if sources
    }
    stores = (s for s in nodes.walk_block(block) if isinstance(s, nodes.Store))
    return holding & {root(s.base) or "" for s in stores if _into_an_item(s)}


def _into_an_item(stmt: nodes.Store) -> bool:
    """Whether a store may change what a list or dict holds, rather than what stands in it."""
    if isinstance(stmt.base, Index):
        return True
    return bool(stmt.index) and stmt.op != "" and isinstance(stmt.base.type, List | Dict)


def _fresh(stmt: nodes.Assign) -> bool:
    """A number, a new empty list, or a newly made array; a list that holds the arrays of another
    is none."""
    if len(stmt.values) != 1:
        return False
    value = stmt.values[0]
    if isinstance(value, nodes.Const):
        return True
    if isinstance(value, nodes.Sequence):
        return not value.items
    return (
        isinstance(value, Call)
        and not shared_with(value)
        and value.form != "attribute"
        and not has_effect(value)
    )


def _changed(stmt: Stmt) -> str | None:
    """The variable that a statement only changes in place, if it reads it only for that."""
    if isinstance(stmt, nodes.Mutate) and isinstance(stmt.base, Var) and stmt.target is None:
        return (
            stmt.base.name
            if not any(stmt.base.name in nodes.names_in(a) for a in stmt.args)
            else None
        )
    if isinstance(stmt, nodes.Store) and root(stmt.base) is not None:
        name = root(stmt.base)
        others = (*stmt.index, stmt.value)
        return None if any(name in nodes.names_in(e) for e in others) else name
    return None


def _drop_changes(block: Block, gone: set[str]) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        if _changed(stmt) in gone:
            continue
        if isinstance(stmt, nodes.Assign) and set(stmt.targets) <= gone:
            continue
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(
                    stmt, then=_drop_changes(then, gone), orelse=_drop_changes(orelse, gone)
                )
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_drop_changes(body, gone))
        result.append(stmt)
    return tuple(result)


def inline_temporaries(block: Block, temporaries: set[str]) -> Block:
    """Put temporaries that are read once into the statement that reads them."""
    uses: Counter[str] = Counter()
    for stmt in nodes.walk_block(block):
        for expr in nodes.expressions(stmt):
            for node in nodes.walk(expr):
                if isinstance(node, Var):
                    uses[node.name] += 1
    bound = Counter(t for s in nodes.walk_block(block) for t in nodes.targets_of(s))
    once = {n for n in temporaries if uses[n] == 1 and bound[n] == 1}
    held = memory(block)
    block = _inline(block, once, held)
    while (late := with_clears_late(block, once, held)) != block:
        block = _inline(late, once, held)
    return block


def memory(block: Block) -> dict[str, frozenset[str]]:
    """Name -> the names whose memory it may be (a view of)."""
    found: dict[str, frozenset[str]] = {}
    for stmt in nodes.walk_block(block):
        if isinstance(stmt, nodes.Assign):
            for target, value in zip(stmt.targets, stmt.values, strict=True):
                if names := memory_of(value):
                    found[target] = found.get(target, frozenset()) | names
        else:  # what a list holds comes out of it again
            for target, sources in shares(stmt):
                found[target] = found.get(target, frozenset()).union(sources)
    grown = True
    while grown:
        grown = False
        for name, others in found.items():
            wider = others.union(*(found.get(o, frozenset()) for o in others))
            grown |= wider != others
            found[name] = wider
    return found


def _inline(block: Block, once: set[str], held: dict[str, frozenset[str]]) -> Block:
    result = list(block)
    i = 0
    while i < len(result):
        stmt = result[i]
        if isinstance(stmt, nodes.Assign) and len(stmt.targets) == 1 and stmt.targets[0] in once:
            at = _user(result, i, held)
            if at is not None:
                result[at] = substituted(result[at], stmt.targets[0], stmt.values[0])
                del result[i]
                i = max(i - 1, 0)
                continue
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                result[i] = replace(
                    stmt, then=_inline(then, once, held), orelse=_inline(orelse, once, held)
                )
            case nodes.For(body=body) | nodes.While(body=body):
                result[i] = replace(stmt, body=_inline(body, once, held))
        i += 1
    return tuple(result)


def _user(block: list[Stmt], i: int, held: dict[str, frozenset[str]]) -> int | None:
    """The later statement of the block that may take the expression in, or None."""
    stmt = block[i]
    assert isinstance(stmt, nodes.Assign)
    name, value = stmt.targets[0], stmt.values[0]
    read = nodes.names_in(value)
    aliased = read.union(*(held.get(n, frozenset()) for n in read))
    if isinstance(value, Call) and value.function == "pop":
        return None
    for at in range(i + 1, len(block)):
        here = block[at]
        if any(name in nodes.names_in(e) for e in nodes.expressions(here)):
            stored = isinstance(here, nodes.Store) and root(here.base) == name
            stays = stored and isinstance(value, nodes.Const)  # `t_bar = 1.0` before `t_bar += ..`
            return None if stays or isinstance(here, nodes.While) else at
        if nodes.blocks(here) or isinstance(here, nodes.Do):
            return None
        if read & set(nodes.targets_of(here)):
            return None
        changed = root(here.base) if isinstance(here, nodes.Store | nodes.Mutate) else None
        if changed is not None and aliased & {changed, *held.get(changed, ())}:
            return None
    return None


def substituted(stmt: Stmt, name: str, value: Expr) -> Stmt:
    """The statement with a variable replaced; in the reverse sweep its sign moves outwards."""
    ours = stmt.span is None and build.begins_negative(value)
    copied = stmt.span is None and _is_copy(value)
    scaled = stmt.span is None and build.begins_with_number(value)

    def put(expr: Expr) -> Expr:
        if isinstance(expr, Var) and expr.name == name:
            return value
        if copied and isinstance(expr, Call) and expr.form == "operator":
            original = value.args[0]  # type: ignore[attr-defined]
            return replace(expr, args=tuple(original if a == value else a for a in expr.args))
        if scaled and isinstance(expr, Call) and any(a is value for a in expr.args):
            expr = _product(expr)
        return _signs_out(expr) if ours and isinstance(expr, Call) else expr

    made = map_stmt_exprs(stmt, put)
    if ours and isinstance(made, nodes.Store) and made.op in ("+", "-"):
        sign, positive = build.signed(made.value)
        if sign == "-":
            return replace(made, value=positive, op="-" if made.op == "+" else "+")
    return made


def _product(expr: Call) -> Expr:
    """A product with its literals in front; it stays a new array, if it is one."""
    if expr.form != "operator" or expr.text != "*":
        return expr
    made = build.binary("*", *expr.args)
    return made if isinstance(made.type, Scalar) or not shares_memory(made) else expr


def _is_copy(value: Expr) -> bool:
    return isinstance(value, Call) and value.function is np.copy


def _signs_out(expr: Call) -> Expr:
    if build.is_negative(expr):
        return build.negate(expr.args[0]) if build.begins_negative(expr.args[0]) else expr
    if not any(build.signed(a)[0] == "-" for a in expr.args):
        return expr
    if expr.form == "operator" and len(expr.args) == 2 and expr.text in ("+", "-", "*", "/", "@"):
        return build.binary(expr.text, *expr.args)
    if expr.function is np.sum and expr.form == "call":
        return build.call(np.sum, expr.text, *expr.args, kind=expr.type, **dict(expr.kwargs))
    return expr

"""Floor 5: loops over the rows of what is changed in place become loops over indices."""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.changes import Changes, Objects, alike
from s2sgrad.analysis.effects import effects, root
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import BOOL, INT, Array, Dict, List, Type
from s2sgrad.transform.writing import build


def index_loops(block: Block, names: Names, types: dict[str, Type]) -> Block:
    """Loops over the rows of an array (or list) whose memory is written become index loops."""
    changes = Changes(block, effects(block), types)

    def inner(block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case nodes.If(then=then, orelse=orelse):
                    stmt = replace(stmt, then=inner(then), orelse=inner(orelse))
                case nodes.While(body=body):
                    stmt = replace(stmt, body=inner(body))
                case nodes.For(body=body):
                    stmt = replace(stmt, body=inner(body))
                    stmt = _own_keys(stmt, changes, names, result)
                    if _changed_rows(stmt, changes) or (stmt.backwards and _breaks(stmt.body)):
                        stmt = index_loop(stmt, names, types)
            result.append(stmt)
        return tuple(result)

    return inner(block)


def growing_loops(block: Block, names: Names, types: dict[str, Type]) -> Block:
    """Loops over lists that change their length meanwhile become while loops."""
    if not any(isinstance(s, nodes.Mutate) for s in nodes.walk_block(block)):
        return block
    objects = Objects(block, effects(block))

    def inner(block: Block) -> Block:
        result: list[Stmt] = []
        for k, stmt in enumerate(block):
            match stmt:
                case nodes.If(then=then, orelse=orelse):
                    stmt = replace(stmt, then=inner(then), orelse=inner(orelse))
                case nodes.For(body=body) | nodes.While(body=body) | nodes.Splice(body=body):
                    stmt = replace(stmt, body=inner(body))
            if isinstance(stmt, nodes.For) and _source_grows(stmt, block[:k], objects):
                result += _while_loop(_forward(stmt), names, types)
            else:
                result.append(stmt)
        return tuple(result)

    return inner(block)


def _forward(stmt: nodes.For) -> nodes.For:
    """The loop itself; refused if it goes backwards, through a list that changes its length."""
    if stmt.backwards:
        raise UnsupportedError(
            "a list changes its length while it is gone through backwards",
            stmt.span,
            "the places of the items move while they are counted down",
            "loop over a copy: for item in reversed(list(items))",
        )
    return stmt


def _source_grows(stmt: nodes.For, before: Block, objects: Objects) -> bool:
    """Whether a list that a loop runs over may change its length in the loop."""
    lists = [s for s in stmt.sources if isinstance(s.type, List) and not isinstance(s, Call)]
    return any(
        isinstance(inner, nodes.Mutate)
        and inner.method != "reverse"
        and alike(inner.base.type, source.type)
        and objects.may_be_same(inner.base, source)
        and not _is_younger(inner.base, source, before, stmt.body)
        for inner in nodes.walk_block(stmt.body)
        for source in lists
    )


def _is_younger(changed: Expr, source: Expr, before: Block, body: Block) -> bool:
    """Whether a list was made, right before a loop, when its source was there already:
    `xs = [f(x) for x in xs]`."""
    if not isinstance(changed, Var) or not isinstance(source, Var) or changed == source:
        return False
    if any(changed.name in nodes.targets_of(s) for s in nodes.walk_block(body)):
        return False
    for stmt in reversed(before):
        bound = {n for s in nodes.walk_block((stmt,)) for n in nodes.targets_of(s)}
        if changed.name in bound:
            made = (
                dict(zip(stmt.targets, stmt.values, strict=True))
                if isinstance(stmt, nodes.Assign)
                else {}
            )
            return source.name not in bound and isinstance(made.get(changed.name), nodes.Sequence)
        if source.name in bound:
            return False
    return False


def _while_loop(stmt: nodes.For, names: Names, types: dict[str, Type]) -> list[Stmt]:
    """`k = 0; while k < len(items): item = items[k]; k = k + 1; ...`."""
    loop = index_loop(stmt, names, types)
    (name,), (bound,) = loop.targets, loop.sources
    assert isinstance(bound, Call)
    k = Var(name, type=INT)
    test = Call("<", "<", (k, bound.args[0]), form="operator", type=BOOL)
    bind = loop.body[: len(stmt.targets)]
    step = nodes.Assign((name,), (build.binary("+", k, build.number(1)),))
    body = (*bind, step, *loop.body[len(stmt.targets) :])
    start = nodes.Assign((name,), (nodes.Const(0, type=INT),))
    return [start, nodes.While(test, body, span=stmt.span)]


def _own_keys(stmt: nodes.For, changes: Changes, names: Names, before: list[Stmt]) -> nodes.For:
    """A loop over a dict that changes runs over a list of the keys that there were."""
    sources: list[Expr] = []
    for source in stmt.sources:
        owner = root(source)
        if isinstance(source.type, Dict) and owner is not None and changes.effects.changes(owner):
            kind = List(source.type.key)
            name = names.fresh("keys")
            changes.types[name] = kind
            keys = Call(list, "list", (source,), type=kind, span=stmt.span)
            before.append(nodes.Assign((name,), (keys,), span=stmt.span))
            source = Var(name, type=kind)
        sources.append(source)
    return replace(stmt, sources=tuple(sources))


def _breaks(block: Block) -> bool:
    return any(isinstance(s, nodes.Exit) and s.kind == "break" for s in nodes.walk_block(block))


def _changed_rows(stmt: nodes.For, changes: Changes) -> bool:
    """Whether a target stands for an array, list or dict that is changed in place somewhere."""

    def changed(target: str, source: Expr) -> bool:
        held = root(source) is not None and changes.seen_through(target)
        return held or _written_rows(source, changes) or _overwritten(stmt, source, changes)

    return any(changed(t, s) for t, s in zip(stmt.targets, stmt.sources, strict=True))


def _written_rows(source: Expr, changes: Changes) -> bool:
    name = root(source)
    several = not (isinstance(source.type, Array) and len(source.type.shape or ()) == 1)
    return name is not None and several and changes.effects.is_written(name)


def _overwritten(stmt: nodes.For, source: Expr, changes: Changes) -> bool:
    """Whether a loop over numbers writes into the array that holds them: a number that was taken
    out before can't be read again."""
    name = root(source)
    find = changes.effects.find
    stores = [s for s in nodes.walk_block(stmt.body) if isinstance(s, nodes.Store)]
    return name is not None and any(find(root(s.base) or "") == find(name) for s in stores)


def index_loop(stmt: nodes.For, names: Names, types: dict[str, Type]) -> nodes.For:
    """The loop with a counter; what it runs over is subscripted."""
    counter = Var(names.fresh("k"), type=INT)
    types[counter.name] = INT
    body: list[Stmt] = []
    lengths: list[Expr] = []
    position: Expr = counter
    backwards = stmt.backwards and _breaks(stmt.body)
    if backwards:
        count = Call(len, "len", (stmt.sources[0],), type=INT)
        position = build.binary("-", build.binary("-", count, build.number(1)), counter)
    for target, source in zip(stmt.targets, stmt.sources, strict=True):
        value: Expr = position
        if isinstance(source, Call) and source.function is range:
            low = source.args[0] if len(source.args) > 1 else None
            step = source.args[2] if len(source.args) > 2 else None
            value = value if step is None else build.binary("*", step, value)
            value = build.binary("+", low, value) if low is not None else value
            lengths.append(Call(len, "len", (source,), type=INT))
        elif not nodes.counts(source):
            value = Index(source, (position,), type=types[target])
            lengths.append(Call(len, "len", (source,), type=INT))
        body.append(nodes.Assign((target,), (value,), span=stmt.span))
    length = lengths[0] if len(lengths) == 1 else Call(min, "min", tuple(lengths), type=INT)
    loop = Call(range, "range", (length,), type=List(INT))
    return nodes.For(
        (counter.name,),
        (loop,),
        (*body, *stmt.body),
        stmt.backwards and not backwards,
        span=stmt.span,
    )

"""Floor 5: settle what is a view and what is a copy, where NumPy decides that at run time.

`v = A.ravel()` shares the memory of A if A lies in C order, and is a copy if not. Where that
makes a difference (one of them is written in place while the other is still used), a copy is
written as such, a view stays, and so does what can't be told from the code: its cotangent is
decided when the code runs (shadows.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.analysis.contiguity import doubtful_names, order_asked, surely_copy, surely_view
from s2sgrad.analysis.effects import (
    Effects,
    basic_index,
    effects,
    gives_view,
    may_be_basic,
    root,
    shared_with,
    shares,
)
from s2sgrad.analysis.held import chain, held_values, undecided_in
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.memory import gives_argument, hands_several, is_view, view_or_copy
from s2sgrad.analysis.new_arrays import helper_may_share
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Dict, List, Number
from s2sgrad.transform.preparing.diagonals import with_diagonals_shown, with_plain_diagonals
from s2sgrad.transform.preparing.unsettled import (
    OVERLAPPING,
    as_computed,
    refuse_asked_of_results,
    refuse_begun,
    refuse_overlapping,
    written_several_times,
)
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block
from s2sgrad_runtime import as_it_lies

READ_ONLY = (np.diag, np.diagonal, np.linalg.diagonal, np.broadcast_to, as_it_lies, *OVERLAPPING)


@dataclass(frozen=True)
class Site:
    """An operation that gives a view or a copy. name: the variable set from it."""

    name: str
    call: Call

    @property
    def owner(self) -> str:
        return root(self.call) or ""


def layout_matters(block: Block, live: frozenset[str]) -> bool:
    """Whether it shows anywhere that NumPy makes a copy or doesn't. live: read after the block."""
    found = effects(block)
    stores = (s for s in nodes.walk_block(block) if isinstance(s, nodes.Store))
    return any(view_or_copy(call) for s in stores for call in chain(s.base)) or any(
        view_or_copy(s.call) and changes_seen(s.name, s.owner, block, found, live)
        for s in _sites(block, found)
    )


def settle(block: Block, live: frozenset[str]) -> Block:
    """The block with every view a view and every copy a copy.

    Raises UnsupportedError for a read-only view that is read after its array was written, and
    for what is a view or a copy as a subscript is when the program runs.
    """
    found = effects(block)
    block = with_plain_diagonals(block, found)
    block = with_diagonals_shown(block, lambda n, o: _shows(n, o, block, found, live))
    _refuse_unclear(block, found, live)
    _refuse_several(block, found, live)
    _refuse_given_back(block, found, live)
    refuse_overlapping(block)
    refuse_asked_of_results(block, found)
    block = _given_back_apart(block, found, live)
    sites = [s for s in _sites(block, found) if view_or_copy(s.call)]
    doubtful = doubtful_names(block) if sites else frozenset()
    # where it makes no difference, it does to the cotangent: what is not surely a view is a copy
    moved = [
        s
        for s in sites
        if surely_copy(s.call, doubtful)
        or not (surely_view(s.call, doubtful) or changes_seen(s.name, s.owner, block, found, live))
    ]
    asked = [s.call for s in sites if s not in moved and not surely_view(s.call, doubtful)]
    refuse_begun(block, asked)
    if not asked:
        block = as_computed(block)
    before: dict[int, nodes.Assign] = {}  # statements that copy now -> what they were
    copies = [(s.name, s.call) for s in (*moved, *_read_only(block, found, live))]

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Assign):
            return [stmt]
        pairs = zip(stmt.targets, stmt.values, strict=True)
        values = tuple(_settled(v, [c for n, c in copies if n == t], found) for t, v in pairs)
        if all(a is b for a, b in zip(values, stmt.values, strict=True)):
            return [stmt]
        copied = replace(stmt, values=values)
        before[id(copied)] = stmt
        return [copied]

    block = _asked_of_views(map_block(block, lambda e: e, on_stmt), before)
    return _settled_inside(block, found)


def _shows(name: str, owner: str, block: Block, found: Effects, live: frozenset[str]) -> bool:
    """Whether a view shows what is written into its array, and nothing is written through it."""
    if not found.is_written(owner) or not changes_seen(name, owner, block, found, live):
        return False
    return not _written_through(name, block)


def _written_through(name: str, block: Block) -> bool:
    """Whether something is written into what a variable holds, or another that has it from it."""
    stores = (s for s in nodes.walk_block(block) if isinstance(s, nodes.Store))
    return not _derived(name, block).isdisjoint(root(s.base) or "" for s in stores)


def _asked_of_views(block: Block, before: dict[int, nodes.Assign]) -> Block:
    """The block in which the question whether a name shares memory is asked of what it was given
    before that became a copy: generated code asks it right after the name is bound.

    before: statements that copy -> what they were."""
    if not before:
        return block
    values: dict[str, Expr] = {}

    def on_expr(expr: Expr) -> Expr:
        if not isinstance(expr, Call) or expr.function is not np.may_share_memory:
            return expr
        args = tuple(values.get(a.name, a) if isinstance(a, Var) else a for a in expr.args)
        return replace(expr, args=args)

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        bound = {n for s in nodes.walk_block((stmt,)) for n in nodes.targets_of(s)}
        for name in [n for n, v in values.items() if bound & {n, *nodes.names_in(v)}]:
            del values[name]
        if (old := before.get(id(stmt))) is not None:
            values.update(zip(old.targets, old.values, strict=True))
        return [stmt]

    return map_block(block, on_expr, on_stmt)


def _refuse_given_back(block: Block, found: Effects, live: frozenset[str]) -> None:
    """Refuse writes that show in what a recursive function gave back: it works on copies."""
    for stmt in nodes.walk_block(block):
        call = stmt.value if isinstance(stmt, nodes.Unpack) else None
        for i in getattr(getattr(call, "function", None), "shared", ()):
            assert isinstance(stmt, nodes.Unpack) and isinstance(call, Call)
            arg = call.args[i]
            owner = root(arg)
            if owner is None or isinstance(arg.type, Array) or not found.is_written(owner):
                continue
            given = (stmt.targets[0], owner, block, found, live)
            if changes_seen(*given, arrays=True) or changes_seen(*given, layout=False):
                raise UnsupportedError(
                    "what a recursive function is given, or gives back, is written in place",
                    stmt.span,
                    "the result may be (a part of) it, and is a copy in generated code",
                    "copy what it returns: result = f(items).copy()",
                )


def _given_back_apart(block: Block, found: Effects, live: frozenset[str]) -> Block:
    """Arrays that a recursive function may give back, copied for it where nobody sees both what
    it was given and what it gave back change."""

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        call = stmt.value if isinstance(stmt, nodes.Unpack) else None
        shared = getattr(getattr(call, "function", None), "shared", ())
        if not shared:
            return [stmt]
        assert isinstance(stmt, nodes.Unpack) and isinstance(call, Call)
        changed = {c.position for c in call.function.changes}

        def own(i: int, arg: Expr) -> Expr:
            owner = root(arg)
            if i not in shared or i in changed or owner is None or not found.is_written(owner):
                return arg
            if not isinstance(arg.type, Array):
                return arg
            seen = any(
                changes_seen(t, owner, block, found, live, layout=False) for t in stmt.targets
            )
            return arg if seen else build.copied(arg)

        args = tuple(own(i, a) for i, a in enumerate(call.args))
        return [replace(stmt, value=replace(call, args=args))]

    return map_block(block, lambda e: e, on_stmt)


def is_read_only(call: Call) -> bool:
    """Whether a view is given that can't be written."""
    return any(call.function is own for own in READ_ONLY)  # not all functions can be hashed


def _settled_inside(block: Block, found: Effects) -> Block:
    """The same for what nothing holds: `y.T.ravel()[3] ** 2` of a y that is written."""
    calls = [
        e
        for stmt in nodes.walk_block(block)
        for part in nodes.expressions(stmt)
        for e in nodes.walk(part)
        if isinstance(e, Call) and (view_or_copy(e) or is_read_only(e))
        if found.is_written(root(e) or "")
    ]
    if not calls:
        return block
    doubtful = doubtful_names(block)
    values = (v for stmt in nodes.walk_block(block) for v in held_values(stmt))
    held = {id(c) for v in values for c in (*undecided_in(v), *chain(v), *_copied_in(v))}
    held |= {
        id(c) for s in nodes.walk_block(block) if isinstance(s, nodes.Store) for c in chain(s.base)
    }
    moved = [
        c for c in calls if id(c) not in held and (is_read_only(c) or not surely_view(c, doubtful))
    ]
    if not moved:
        return block
    places = set(map(id, moved))

    def on_expr(expr: Expr) -> Expr:
        return _copied(expr) if id(expr) in places else expr  # type: ignore[arg-type]

    return map_block(block, on_expr, lambda stmt: [stmt])


def _copied_in(value: Expr) -> Iterator[Expr]:
    """What `np.copy` takes anywhere in a value: there is a copy already."""
    for part in nodes.walk(value):
        if isinstance(part, Call) and part.function is np.copy:
            yield part.args[0]


def _sites(block: Block, found: Effects) -> list[Site]:
    """Views of arrays that are written in place, bound to names."""
    return [
        Site(target, call)
        for stmt in nodes.walk_block(block)
        if isinstance(stmt, nodes.Assign)
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        for call in chain(value)
        if shared_with(call) and found.is_written(root(call) or "")
    ]


def _read_only(block: Block, found: Effects, live: frozenset[str]) -> list[Site]:
    """Views that can't be written: as good as copies, unless they are read after a change."""
    sites = [s for s in _sites(block, found) if is_read_only(s.call)]
    for site in sites:
        if changes_seen(site.name, site.owner, block, found, live):
            if site.call.function in OVERLAPPING and _written_through(site.name, block):
                raise written_several_times(site.call)
            shown, fix = f"'{site.name}' is", f"{site.call.text}(...).copy()"
            if site.call.function is as_it_lies:
                shown, fix = "what np.nditer gives is", f"np.nditer({root(site.call)}.copy())"
            raise UnsupportedError(
                f"{shown} a view of '{root(site.call)}', which is written in place",
                site.call.span,
                "what is written shows through it",
                f"copy it ({fix}), or take it again after the change",
            )
    return sites


def _refuse_unclear(block: Block, found: Effects, live: frozenset[str]) -> None:
    """`row = z[i]` of an `i` that may be a slice or an array, where one of them is changed."""
    for stmt in nodes.walk_block(block):
        if not isinstance(stmt, nodes.Assign):
            continue
        for target, value in zip(stmt.targets, stmt.values, strict=True):
            owner = root(value)
            if not isinstance(value, Index) or not _is_unclear(value) or owner is None:
                continue
            if found.is_written(owner) and changes_seen(target, owner, block, found, live):
                raise UnsupportedError(
                    f"'{target}' is a view of '{owner}' for some subscripts and a copy for others",
                    value.span or stmt.span,
                    "one of them is written in place, and what the subscript is differs by run",
                    "add .copy() to it, or take it apart in the branches that choose the subscript",
                )


def _refuse_several(block: Block, found: Effects, live: frozenset[str]) -> None:
    """`a, b = np.broadcast_arrays(x, y)`: views of which one array or the other is changed."""
    for stmt in nodes.walk_block(block):
        if not isinstance(stmt, nodes.Assign | nodes.Unpack):
            continue
        names = nodes.targets_of(stmt)
        for call in (e for part in nodes.expressions(stmt) for e in nodes.walk(part)):
            if not isinstance(call, Call) or not hands_several(call):
                continue
            owners = dict.fromkeys(map(root, call.args))
            for owner in (o for o in owners if o is not None and found.is_written(o)):
                if any(changes_seen(n, owner, block, found, live) for n in names):
                    raise UnsupportedError(
                        f"{call.text} gives views of '{owner}', which is written in place",
                        call.span or stmt.span,
                        "what is written shows through them",
                        f"copy them: [a.copy() for a in {call.text}(...)]",
                    )


def _is_unclear(value: Index) -> bool:
    is_array = isinstance(value.base.type, Array | Number)
    return is_array and may_be_basic(value.index) and not basic_index(value.index)


def changes_seen(
    name: str,
    owner: str,
    block: Block,
    found: Effects,
    live: frozenset[str],
    arrays: bool = False,
    layout: bool = True,
) -> bool:
    """Whether memory that `name` has from `owner` is written through either while the other is
    still used. live: what is read after the block. arrays: only what is written into arrays.
    layout: what is written through `name` counts always: a copy may lie in another order, which
    decides what else is a view of it."""
    derived = _derived(name, block)
    others = set(found.members(owner)) - derived
    late = False

    def visit(stmt: Stmt, after: frozenset[str]) -> None:
        nonlocal late
        if isinstance(stmt, nodes.Store | nodes.Mutate) and found.find(
            root(stmt.base) or ""
        ) == found.find(owner):
            if arrays and isinstance(stmt.base.type, List | Dict):
                return
            own = root(stmt.base) in derived
            late = late or bool((others if own else derived) & after) or (own and layout)

    Liveness(visit=visit).block(block, live)
    return late


def _derived(name: str, block: Block) -> set[str]:
    """A variable and those that take its memory over from it."""
    names, size = {name}, 0
    while size != len(names):
        size = len(names)
        for stmt in nodes.walk_block(block):
            names |= {t for t, sources in shares(stmt) if names & set(sources)}
    return names


def _settled(value: Expr, copies: list[Call], found: Effects) -> Expr:
    match value:
        case Index(base=base) if gives_view(value):
            new = _settled(base, copies, found)
            return value if new is base else replace(value, base=new)
        case Call(args=args) if gives_argument(value) and found.is_written(root(value) or ""):
            return _settled(args[0], copies, found)
        case Call(args=args) if is_view(value):
            if value in copies:
                return _copied(value)
            new = _settled(args[0], copies, found)
            return value if new is args[0] else replace(value, args=(new, *args[1:]))
        case Call() if helper_may_share(value, found):
            return build.copied(value)
    return value


def _copied(call: Call) -> Call:
    """The copy that an operation may give, laid out in memory as it would be."""
    inner, asked = call.args[0], order_asked(call)
    if call.function is np.ravel:
        args = (inner, *asked)
        return replace(call, text="flatten", form="method", args=args, kwargs=())
    if is_read_only(call):
        return build.copied(call)
    if call.function is np.reshape:  # which may be a view of what lies in any order
        return Call(np.copy, "np.copy", (call,), type=call.type, span=call.span)
    named = dict(call.kwargs)
    dtype = call.args[1:2] or ((named["dtype"],) if "dtype" in named else ())
    if not dtype and not asked:
        return build.copied(inner)
    ordered = tuple(("order", order) for order in asked)
    return Call(np.array, "np.array", (inner, *dtype), ordered, type=call.type, span=call.span)

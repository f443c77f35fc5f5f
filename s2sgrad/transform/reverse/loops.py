"""Floor 5: reverse of loops: the same iterations backwards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sgrad.analysis.shape_reads import by_value_and_shape
from s2sgrad.analysis.still_numbers import runs
from s2sgrad.ir import nodes
from s2sgrad.ir.item_sizes import length_of
from s2sgrad.ir.nodes import Call, Expr, Stmt, Var
from s2sgrad.ir.types import INT, Array, List, Scalar
from s2sgrad.transform.reverse.bars import OWNED, SET
from s2sgrad.transform.reverse.exits import ExitReversal
from s2sgrad.transform.writing import build

Pair = tuple[list[Stmt], list[Stmt]]


class LoopReversal(ExitReversal):
    """The part of the reversal that deals with loops."""

    facts: Any
    bars: Any
    plan: Any
    effects: Any
    depth: int
    pending: list[Stmt]
    unbound: set[str]
    keepers: set[str]
    block: Any
    saved: Any
    keep_shape: Any
    recomputed: Any

    def loop(self, stmt: nodes.For | nodes.While) -> Pair:
        """Reverse the body until the state of the cotangents at its head is stable."""
        entry = dict(self.bars.state)
        head = dict(entry)
        clean = self.look_for_exits(stmt)
        pending, unbound = list(self.pending), set(self.unbound)
        for _ in range(12):
            self.bars.state = dict(head)
            self.pending, self.unbound = list(pending), set(unbound)
            outer, self.bars.requested = self.bars.requested, set()
            self.depth += 1
            straight, self.bars.straight = self.bars.straight, False
            forward, back = self._body(stmt)
            self.bars.straight = straight
            self.depth -= 1
            ended = self.bars.state
            wider = self._wider(stmt, head, ended, entry)
            requested = sorted(self.bars.requested)
            again = [n for n in requested if head.get(n) == OWNED and ended.get(n) == SET]
            self.bars.requested |= outer
            if wider == head:
                break
            head = wider
        for name in again:
            self.bars.state = {name: SET}
            back += self.bars.own(name)
        used_up = [name for name in head if name not in ended]
        if not back and not self._may_be_left_at_once(stmt):
            head = {name: state for name, state in head.items() if name in ended}
        else:
            self._settle(stmt, used_up, back)
        if not back:  # nothing happens in reverse: no cotangent is made ready for it either
            self.bars.state = {name: entry[name] for name in head if name in entry}
            return self._assembled(stmt, forward, back, [], clean)
        before = self._initial(stmt, head, entry)
        self.bars.state = dict(head)
        return self._assembled(stmt, forward, back, before, clean)

    def _wider(
        self, stmt: Stmt, head: dict[str, str], ended: dict[str, str], entry: dict[str, str]
    ) -> dict[str, str]:
        """The head's state must cover what an iteration leaves behind."""
        wider = dict(head)
        for name in self.bars.requested:
            if wider.get(name) == SET:
                wider[name] = OWNED
        for name, state in ended.items():
            if name not in head:
                if not self.plan.local_to(stmt, name):
                    wider[name] = OWNED
            elif state == SET and name not in self.bars.requested:
                wider[name] = SET
        return wider

    def _may_be_left_at_once(self, stmt: nodes.For | nodes.While) -> bool:
        """Whether the loop may end before its first iteration does."""
        return isinstance(stmt, nodes.While) or self.plan.has_break(stmt) or not runs(stmt.sources)

    def _settle(self, stmt: nodes.For | nodes.While, used_up: list[str], back: list[Stmt]) -> None:
        """Cotangents used up in an iteration are zero again for the one before it."""
        for name in used_up:
            bar = self.bars.variable(name)
            self.keep_shape(stmt.body, name)
            back.append(nodes.Assign((bar.name,), (self.bars.zero(name),)))

    def _initial(
        self, stmt: nodes.For | nodes.While, head: dict[str, str], entry: dict[str, str]
    ) -> list[Stmt]:
        self.bars.state = dict(entry)
        before: list[Stmt] = []
        for name, state in head.items():
            if name not in entry:  # zeros as long as what the loop left, in each run of it
                for block in (
                    *(o.body for o in self.plan.loops_around(stmt)),
                    self.plan.behind(stmt),
                ):
                    self.keep_shape(block, name)
            if name not in entry or (state == OWNED and entry[name] == SET):
                before += self.bars.own(name)
        return before

    def _body(self, stmt: nodes.For | nodes.While) -> Pair:
        forward, back = self.block(stmt.body)
        self.element_bars = self._elements(stmt)
        back = [*back, *self.element_bars]
        return forward, back

    def _elements(self, stmt: nodes.For | nodes.While) -> list[Stmt]:
        """Loop variables that are rows of an active array give their cotangents to it."""
        result: list[Stmt] = []
        if not isinstance(stmt, nodes.For):
            return result
        for target, source in zip(stmt.targets, stmt.sources, strict=True):
            if target not in self.facts.activity.variables or not self.bars.is_set(target):
                continue
            if not self.facts.activity.active(source):
                del self.bars.state[target]
                continue
            bar = self.bars.variable(target)
            del self.bars.state[target]
            place = nodes.Index(source, (self._counter(stmt),), type=self.facts.types[target])
            result += self.bars.add(place, bar)
        return result

    def _counter(self, stmt: nodes.For) -> Var:
        """The variable that counts iterations in the reverse loop."""
        if id(stmt) in self.shown:
            return Var(self.shown[id(stmt)], type=INT)
        index = self.own_counter(stmt)
        if index is not None:
            return Var(index, type=INT)
        name = self.plan.counters.get(id(stmt))
        if name is None:
            name = self.facts.names.fresh("k")
            self.facts.types[name] = INT
            self.plan.counters[id(stmt)] = name
        return Var(name, type=INT)

    # --- putting the loop together -----------------------------------------------------------
    def _assembled(
        self, stmt: Any, forward: list[Stmt], back: list[Stmt], before: list[Stmt], clean: bool
    ) -> Pair:
        lists: list[Stmt] = []
        if not back:
            result = [replace(stmt, body=tuple(forward))]
            if not self.depth:
                lists, self.pending = self.pending, []
            return [*lists, *result], []
        header, start, step, after = self._reverse_header(stmt, back, forward, clean)
        body = (*step, *forward)
        reverse = header(back)
        reverse = reverse if isinstance(reverse, list) else [reverse]
        if not self.depth:
            lists, self.pending = self.pending, []
        loop = replace(self.with_counter(stmt), body=body)
        own: list[Stmt] = [*lists, *start, loop, *after]
        return own, [*before, *reverse]

    def _reverse_header(
        self, stmt: Any, back: list[Stmt], forward: list[Stmt], clean: bool
    ) -> tuple[Any, list[Stmt], list[Stmt], list[Stmt]]:
        """(back -> reverse loop, statements before the loop, at its body's start, after it)."""
        free = self.plan.free(back)
        leaves = self.plan.has_break(stmt) or isinstance(stmt, nodes.While)
        if not leaves and isinstance(stmt, nodes.For):
            plain = self._plain(stmt, free, back)
            if plain is not None:
                return plain, [], [], []
        return self._counted(stmt, free, forward, clean)

    def _plain(self, stmt: nodes.For, free: frozenset[str], back: list[Stmt]) -> Any:
        """The same header backwards, where its bounds still have their values."""
        counted = len(stmt.targets) == 1 and self._is_range(stmt)
        if counted and (self.plan.stable_header(stmt) or self._restored_header(stmt)):
            return lambda body: self._turned(stmt, body)
        lasting = self._by_lengths_of_inputs(stmt)
        if lasting is not None:
            return lambda body: replace(self._turned(stmt, body), sources=lasting)
        counter = self._counter(stmt).name
        if (
            len(stmt.targets) == 1
            and counter not in free
            and self.plan.stable_header(stmt)
            and isinstance(stmt.sources[0].type, Array | List)
        ):
            return lambda body: self._turned(stmt, body)
        if self.plan.stable_header(stmt):
            return lambda body: self._by_counter(stmt, counter, self._length(stmt), free, body)
        return None

    def _restored_header(self, stmt: nodes.For) -> bool:
        """Whether a range's bounds are numbers that have their values again when the loop is
        undone: the loop itself changes none, and what changes later is kept for it."""
        names, arrays = by_value_and_shape(*stmt.sources)
        if names & (self.plan.written_in(stmt.body) | set(stmt.targets)):
            return False
        kinds = (self.facts.types.get(n) for n in names)
        numbers = all(isinstance(k, Scalar) and k.dtype in ("int", "int64") for k in kinds)
        return numbers and bool(self.plan.bound_once(stmt, arrays))

    def _by_lengths_of_inputs(self, stmt: nodes.For) -> tuple[Expr, ...] | None:
        """The same range where the arrays that it is named after are other ones by then."""
        (source, *others) = stmt.sources
        if others or not isinstance(source, Call) or not self._is_range(stmt):
            return None
        sizes = [getattr(a.type, "size", None) for a in source.args]
        found = [
            a if isinstance(a, nodes.Const) or s is None
            else build.size_expr(s, self.facts.sizes.origin)
            for a, s in zip(source.args, sizes, strict=True)
        ]  # fmt: skip
        args = tuple(
            replace(e, type=a.type)
            for e, a in zip(found, source.args, strict=True)
            if e is not None
        )
        lasting = (replace(source, args=args),)
        same = len(args) == len(found) and self.plan.stable_header(stmt, lasting)
        return lasting if same else None

    def _is_range(self, stmt: nodes.For) -> bool:
        source = stmt.sources[0]
        return isinstance(source, Call) and source.function is range

    def _turned(self, stmt: nodes.For, body: list[Stmt]) -> nodes.For:
        turned = replace(self.with_counter(stmt), body=tuple(body), span=None)
        return replace(turned, backwards=not stmt.backwards)

    def _length(self, stmt: nodes.For) -> Expr:
        lengths = []
        for source in stmt.sources:
            if nodes.counts(source):
                continue
            if isinstance(source, Call) and source.function is range and len(source.args) == 1:
                lengths.append(source.args[0])
            else:
                kind = Scalar("int", length_of(source.type))
                lengths.append(Call(len, "len", (source,), type=kind))
        sizes = {getattr(e.type, "size", None) for e in lengths}
        if len(lengths) == 1 or (len(sizes) == 1 and None not in sizes):
            return lengths[0]
        return Call(min, "min", tuple(lengths), type=INT)

    def _by_counter(
        self, stmt: nodes.For, counter: str, length: Expr, free: frozenset[str], body: list[Stmt]
    ) -> Stmt:
        """`for k in reversed(range(n))`, with the loop variables read by index."""
        start = self._element_values(stmt, Var(counter, type=INT), free, counter)
        source = Call(range, "range", (length,), type=List(INT))
        return nodes.For((counter,), (source,), (*start, *body), not stmt.backwards)

    def _element_values(
        self, stmt: nodes.For, k: Expr, free: frozenset[str], counter: str
    ) -> list[Stmt]:
        found: list[Stmt] = []
        for target, source in zip(stmt.targets, stmt.sources, strict=True):
            if target == counter or target not in free:
                continue
            kind = self.facts.types[target]
            if nodes.counts(source):
                value: Expr = k
            elif isinstance(source, Call) and source.function is range:
                value = self._range_value(source, k)
            else:
                value = nodes.Index(source, (k,), type=kind)
            found.append(nodes.Assign((target,), (value,)))
        return found

    def _range_value(self, source: Call, k: Expr) -> Expr:
        if len(source.args) == 1:
            return k
        step = source.args[2] if len(source.args) == 3 else None
        value = build.binary("*", step, k) if step is not None else k
        return build.binary("+", source.args[0], value)

    def _counted(
        self, stmt: Any, free: frozenset[str], forward: list[Stmt], clean: bool
    ) -> tuple[Any, list[Stmt], list[Stmt], list[Stmt]]:
        """A loop whose trips are counted: while loops, and loops left by break."""
        keeper = pushed_once(forward, self.keepers) if not self.depth else None
        if isinstance(stmt, nodes.While) and keeper is not None:
            return (lambda body: [nodes.While(keeper, tuple(body))]), [], [], []
        trips = self.facts.names.fresh("trips")
        self.facts.types[trips] = INT
        var = Var(trips, type=INT)
        start: list[Stmt] = [nodes.Assign((trips,), (build.number(0),))]
        step: list[Stmt] = [nodes.Store(var, (), build.number(1), "+")]
        if self.counted_by_index(stmt, var, forward, clean):
            start, step = [nodes.Assign((trips,), (self._length(stmt),))], []
        count: Expr = var
        after: list[Stmt] = []
        if self.depth:
            after, count = self.saved(stmt.span, var, trips, "how often it ran")
        if isinstance(stmt, nodes.While):
            source = Call(range, "range", (count,), type=List(INT))
            name = "_"
            return (lambda body: [nodes.For((name,), (source,), tuple(body))]), start, step, after
        prelude: list[Stmt] = []
        counter = self._counter(stmt).name
        if not self.plan.stable_header(stmt):
            frozen, stmt = self._frozen(stmt)
            start = [*frozen, *start]
            for bound in frozen if self.depth else []:
                held = Var(bound.targets[0], type=INT)  # type: ignore[attr-defined]
                push, old = self.saved(stmt.span, held, held.name)
                after = [*after, *push]
                prelude.append(nodes.Assign((held.name,), (old,)))
        return (
            (lambda body: [*prelude, self._trip_loop(stmt, counter, count, free, body)]),
            start,
            step,
            after,
        )

    def _trip_loop(
        self, stmt: nodes.For, counter: str, count: Expr, free: frozenset[str], body: list[Stmt]
    ) -> Stmt:
        if stmt.backwards:  # it has come from the end as far as this
            total = self._length(stmt)
            start = self._element_values(stmt, Var(counter, type=INT), free, counter)
            ends = (build.binary("-", total, count), total)
            source = Call(range, "range", ends, type=List(INT))
            return nodes.For((counter,), (source,), (*start, *body))
        return self._by_counter(stmt, counter, count, free, body)

    def _frozen(self, stmt: nodes.For) -> tuple[list[Stmt], nodes.For]:
        """Bounds that change later are kept under names of their own."""
        held: list[Stmt] = []
        sources: list[Expr] = []
        for source in stmt.sources:
            if isinstance(source, Call) and source.function is range:
                parts: list[Expr] = []
                for arg in source.args:
                    if isinstance(arg, nodes.Const):
                        parts.append(arg)
                        continue
                    name = self.facts.names.fresh("bound")
                    self.facts.types[name] = INT
                    held.append(nodes.Assign((name,), (arg,)))
                    parts.append(Var(name, type=INT))
                source = replace(source, args=tuple(parts))
            sources.append(source)
        return held, replace(stmt, sources=tuple(sources))


def pushed_once(forward: list[Stmt], keepers: set[str]) -> Expr | None:
    """A list of saved values that grows by exactly one in each iteration."""
    pushed = [s.base for s in forward if _is_push(s, keepers)]  # type: ignore[attr-defined]
    everywhere = [s.base for s in nodes.walk_block(tuple(forward)) if _is_push(s, keepers)]  # type: ignore[attr-defined]
    for base in pushed:
        if everywhere.count(base) == 1:
            return base
    return None


def _is_push(stmt: Stmt, keepers: set[str]) -> bool:
    return (
        isinstance(stmt, nodes.Mutate)
        and stmt.method == "append"
        and isinstance(stmt.base, Var)
        and stmt.base.name in keepers
    )

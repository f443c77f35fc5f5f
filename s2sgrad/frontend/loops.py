"""Floor 4: lower loops and comprehensions.

A loop is run again and again on the abstract state until what its names hold at the head does
not change any more; names that change from one iteration to the next become variables of the
generated loop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from s2sgrad.analysis.infer import element_type
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import NEVER, breaks, exit_kind
from s2sgrad.frontend.state import Clash, Frame, NeedsResidual, Path, State, joined, residual
from s2sgrad.frontend.statements import DONE, FALL, JUMP, RETURNED, SKIP, STOP, hint
from s2sgrad.frontend.values import (
    Dyn,
    Generator,
    Heap,
    Instance,
    Iterator,
    Mapping,
    Sequence,
    Static,
    Value,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    BOOL,
    BOTTOM,
    INT,
    Array,
    Bottom,
    Dict,
    List,
    Maybe,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    forget,
    join,
)

Slot = tuple[Any, ...]  # ("v", frame, name) or ("h", heap identity)


@dataclass(eq=False)
class Loop:
    """A loop being lowered. paths: its jumps and where they happen."""

    frame: Frame
    unrolled: bool = False
    paths: list[tuple[str, Path]] = field(default_factory=list)
    broke: bool = False
    broke_flag: str = ""
    entry: dict[int, Any] = field(default_factory=dict)  # containers that exist before the loop


class Loops(Base):
    loops: list[Loop]
    flag_depth: int

    # --- for ---------------------------------------------------------------------------------
    def stmt_For(self, stmt: ast.For) -> str:
        self.target_hint = "items"
        iterable = self.expr(stmt.iter)
        return self._with_else(stmt, lambda flag: self._for(stmt, iterable, flag))

    def _with_else(self, stmt: ast.For | ast.While, run: Callable[[str], str]) -> str:
        """A loop and its else part, which runs unless the loop was broken out of."""
        if not (stmt.orelse and breaks(stmt.body)):
            status = run("")
            return self._else(stmt) if stmt.orelse and status == FALL else status
        flag = f"<broke{len(self.loops)}>"
        self.set(self.frame, flag, Static(False))
        run(flag)
        value = self.get(self.frame, flag)
        self.state.vars.pop((self.frame.id, flag), None)
        known = self.truth(value) if value is not None else False
        if known is not None:
            return FALL if known else self._else(stmt)
        test = self.residual(value)  # type: ignore[arg-type]
        return self.choose(test, lambda: FALL, lambda: self._else(stmt), stmt)  # type: ignore[attr-defined]

    def _else(self, stmt: ast.For | ast.While) -> str:
        """The else part; its exits set flags, since statements may follow the loop."""
        if exit_kind(stmt.orelse) == NEVER:
            return self.run_block(stmt.orelse)  # type: ignore[return-value]
        self.flagged(lambda: self.run_block(stmt.orelse))  # type: ignore[attr-defined]
        return FALL  # what follows is guarded by the flags

    def _for(self, stmt: ast.For, iterable: Value, flag: str) -> str:
        def body() -> str:
            return self.run_block(stmt.body)  # type: ignore[return-value]

        return self.each(stmt.target, iterable, body, stmt, flag)

    def each(
        self,
        target: ast.expr,
        iterable: Value,
        body: Callable[[], str],
        node: ast.AST,
        flag: str = "",
    ) -> str:
        """Run `body` for each item of a value: unrolled where the items are known, else a loop."""
        if isinstance(iterable, Generator):
            iterable = self.comprehend_value(iterable, node)
        items = None if _is_range(iterable) else self.iterate(iterable, node)
        if items is not None:
            return self._unrolled(target, items, body, flag)
        if isinstance(self.contents(iterable), Instance):
            raise self.refuse(
                "iterating over an object of your own class", node, "", "loop over a list or range"
            )
        header = Header(self, iterable, node)
        return self.loop(header, target, body, node, flag)

    def flags(self) -> tuple[str, str]:
        """The names of the innermost loop's flags."""
        return self.flag(SKIP), self.flag(STOP)  # type: ignore[attr-defined]

    def _unrolled(
        self, target: ast.expr, items: list[Value], body: Callable[[], str], flag: str
    ) -> str:
        loop = Loop(self.frame, unrolled=True, broke_flag=flag)
        self.loops.append(loop)
        depth, self.flag_depth = self.flag_depth, 0
        try:
            return self._unroll_from(target, items, body, loop)
        finally:
            self.flag_depth = depth
            self.loops.pop()

    def _unroll_from(
        self, target: ast.expr, items: list[Value], body: Callable[[], str], loop: Loop
    ) -> str:
        for i, item in enumerate(items):
            self.bind_pattern(target, item)
            for name in self.flags():
                self.state.vars.pop((self.frame.id, name), None)
            status = body()
            if status in (JUMP, DONE):
                return status
            stop = self.get(self.frame, self.flag(STOP))  # type: ignore[attr-defined]
            returned = self.get(self.frame, RETURNED)
            for name in self.flags():
                self.state.vars.pop((self.frame.id, name), None)
            for value in (stop, returned):
                known = self.truth(value) if value is not None else False
                if known:
                    return FALL
                if known is None:
                    rest = items[i + 1 :]
                    test = self.residual(value)  # type: ignore[arg-type]
                    return self.choose(  # type: ignore[attr-defined]
                        test,
                        lambda: FALL,
                        lambda rest=rest: self._unroll_from(target, rest, body, loop),
                        None,
                    )
        return FALL

    def bind_pattern(self, target: ast.expr, value: Value) -> None:
        """Bind loop targets without emitting copies of known items."""
        if isinstance(target, ast.Name):
            if isinstance(value, Dyn) and not isinstance(value.expr, nodes.Var | nodes.Const):
                value = Dyn(self.builder.bind(target.id, value.expr))
            self.set_name(target.id, value)  # type: ignore[attr-defined]
            return
        if isinstance(target, ast.Tuple | ast.List):
            items = self.iterate(value, target)
            if items is not None and not any(isinstance(e, ast.Starred) for e in target.elts):
                if len(items) != len(target.elts):
                    raise self.refuse(
                        f"can't unpack {len(items)} values into {len(target.elts)} names", target
                    )
                for element, item in zip(target.elts, items, strict=True):
                    self.bind_pattern(element, item)
                return
        statement = ast.copy_location(ast.Assign([target], ast.Constant(None)), target)
        self.assign(target, value, statement)

    # --- while -------------------------------------------------------------------------------
    def stmt_While(self, stmt: ast.While) -> str:
        return self._with_else(
            stmt,
            lambda flag: self.loop(
                WhileHeader(self, stmt), None, lambda: self.run_block(stmt.body), stmt, flag
            ),
        )  # type: ignore[arg-type,return-value]

    # --- the fixed point ---------------------------------------------------------------------
    def loop(
        self,
        header: Any,
        target: ast.expr | None,
        body: Callable[[], str],
        node: ast.AST,
        flag: str = "",
    ) -> str:
        """Lower a loop: repeat its body on the abstract state until its head is stable."""
        if exit_kind([node]) != NEVER and self.get(self.frame, RETURNED) is None:  # type: ignore[list-item]
            self.set(self.frame, RETURNED, Static(False))
        entry = self.state
        depth = len(self.builder.blocks)
        flags = self.flag_depth
        slots: dict[Slot, list[Value]] = {}
        for _ in range(30):
            self.state = entry.copy()
            mark = len(self.builder.block)
            loop = Loop(self.frame, broke_flag=flag, entry=dict(entry.heap))
            try:
                attempt = Attempt(self, loop, slots, entry)
                attempt.run(header, target, body)
                grown = attempt.changes()
            except NeedsResidual as found:
                self._reset(depth, mark, loop)
                self.flag_depth = flags
                self.state = entry
                self.materialize(found.identity)
                entry, slots = self.state, {}
                continue
            if not attempt.entered:
                self._reset(depth, mark, loop)
                self.state = entry
                return FALL
            if not grown:
                return attempt.finish(header, node)
            self._reset(depth, mark, loop)
            retyped = attempt.retyped
            self.state = entry
            for name, kind in retyped.items():
                self.retype(nodes.Var(name, type=kind), kind)
            entry = self.state
        raise self.refuse("the types of this loop's variables do not settle", node)

    def _reset(self, depth: int, mark: int, loop: Loop) -> None:
        del self.builder.blocks[depth:]
        del self.builder.block[mark:]
        if loop in self.loops:
            del self.loops[self.loops.index(loop) :]

    # --- comprehensions ----------------------------------------------------------------------
    def expr_ListComp(self, node: ast.ListComp) -> Value:
        return self.comprehend(node.elt, node.generators, node)

    def expr_GeneratorExp(self, node: ast.GeneratorExp) -> Value:
        return Generator(node, self.frame)

    def expr_DictComp(self, node: ast.DictComp) -> Value:
        table: dict[Any, Value] = {}

        def add() -> str:
            key = self.constant_value(self.expr(node.key))  # type: ignore[attr-defined]
            table[key] = self.expr(node.value)
            return FALL

        with_frame = self.inner_frame(node.generators)
        self.frames.append(with_frame)
        try:
            self._generate(node.generators, add, node)
        finally:
            self.frames.pop()
        return self.new(Mapping(tuple(table.items())))

    def expr_SetComp(self, node: ast.SetComp) -> Value:
        raise self.refuse("a set comprehension can't be differentiated", node, "", "use a list")

    def inner_frame(self, generators: list[ast.comprehension]) -> Frame:
        """Comprehension variables live in a scope of their own."""
        names = {n.id for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        here = self.frame
        return Frame(
            next(self.frame_ids),
            here.source,
            here,
            here.globals,
            {},
            frozenset(names),
            cls=here.cls,
        )

    def comprehend(
        self, element: ast.expr, generators: list[ast.comprehension], node: ast.AST
    ) -> Value:
        """A list: taken apart where its length is known, else built by a generated loop."""
        identity = self.sequence([], "list")
        holder = "<list>"
        base = getattr(self, "target_hint", "items")
        frame = self.inner_frame(generators)
        self.set(frame, holder, identity)
        self.frames.append(frame)

        def add() -> str:
            value = self.expr(element)
            owner = self.get(frame, holder)
            self.target_hint = base
            self.container_method(owner, "append", [value], {}, node)  # type: ignore[attr-defined]
            return FALL

        try:
            self._generate(generators, add, node)
        finally:
            self.frames.pop()
        result = self.get(frame, holder)
        for key in [k for k in self.state.vars if k[0] == frame.id]:
            del self.state.vars[key]
        assert result is not None
        return result

    def comprehend_value(self, value: Value, node: ast.AST) -> Value:
        """The list of what an iterator or generator gives."""
        if isinstance(value, Generator):
            self.frames.append(value.scope)
            try:
                return self.comprehend(value.node.elt, value.node.generators, value.node)
            finally:
                self.frames.pop()
        name = ast.copy_location(ast.Name("<each>", ast.Load()), node)
        target = ast.copy_location(ast.Name("<each>", ast.Store()), node)
        source = ast.copy_location(ast.Name("<source>", ast.Load()), node)
        self.set(self.frame, "<source>", value)
        generator = ast.comprehension(target, source, [], 0)
        result = self.comprehend(name, [generator], node)
        self.state.vars.pop((self.frame.id, "<source>"), None)
        return result

    def _generate(
        self, generators: list[ast.comprehension], leaf: Callable[[], str], node: ast.AST
    ) -> str:
        if not generators:
            return leaf()
        first, rest = generators[0], generators[1:]

        def body(conditions: tuple[ast.expr, ...] = tuple(first.ifs)) -> str:
            if not conditions:
                return self._generate(rest, leaf, node)
            test = self.expr(conditions[0])
            known = self.truth(test)
            if known is not None:
                return body(conditions[1:]) if known else FALL
            return self.choose(  # type: ignore[attr-defined]
                self.residual(test), lambda: body(conditions[1:]), lambda: FALL, node
            )

        return self.each(first.target, self.expr(first.iter), body, node)

    def reduce_loop(self, items: Value, start: Value, combine: Any, node: ast.AST) -> Value:
        """`sum(...)` of a generator or sequence: a loop that accumulates."""
        frame = self.frame
        held = "<total>"
        self.set(frame, held, self.kept("total", start, node))  # type: ignore[attr-defined]

        def add(value: Value) -> str:
            made = combine(self.get(frame, held), value)
            self.set(frame, held, self.kept("total", made, node))  # type: ignore[attr-defined]
            return FALL

        if isinstance(items, Generator):
            self.frames.append(items.scope)
            inner = self.inner_frame(items.node.generators)
            self.frames.append(inner)
            try:
                element = items.node.elt
                self._generate(items.node.generators, lambda: add(self.expr(element)), node)
            finally:
                self.frames.pop()
                self.frames.pop()
        else:
            name = ast.copy_location(ast.Name("<each>", ast.Store()), node)
            self.each(name, items, lambda: add(self.get(self.frame, "<each>")), node)  # type: ignore[arg-type]
        return self.state.vars.pop((frame.id, held))


def _is_range(value: Value) -> bool:
    return isinstance(value, Iterator) and value.kind in ("range", "reversed")


class WhileHeader:
    """`while test:`; a test that needs statements becomes a break inside."""

    def __init__(self, lowering: Any, stmt: ast.While) -> None:
        self.low, self.stmt = lowering, stmt
        self.test: nodes.Expr = nodes.Const(True, type=BOOL)
        self.nested: nodes.Expr | None = None

    def bind(self, target: ast.expr | None) -> bool:
        low = self.low
        before = len(low.builder.block)
        self.nested = None
        value = low.expr(self.stmt.test)
        known = low.truth(value)
        self.test = nodes.Const(True, type=BOOL)
        if known is False:
            return False
        if known is None:
            test = low.residual(value)
            if len(low.builder.block) == before:
                self.test = test
                low.refine(test, True)
            else:
                self.nested = test
        return True

    def build(self, body: list[nodes.Stmt], span: Any) -> nodes.Stmt:
        return nodes.While(self.test, body, span=span)  # type: ignore[arg-type]


class Header:
    """`for targets in sources:` of a loop whose length is known only at run time."""

    def __init__(self, lowering: Any, iterable: Value, node: ast.AST) -> None:
        self.low, self.node = lowering, node
        self.sources: list[nodes.Expr] = []
        self.targets: list[str] = []
        self.backwards = False
        self.style = "plain"
        self.pattern = self._pattern(iterable)

    def _pattern(self, value: Value) -> Any:
        """A tree: ("leaf", type, source number), ("tuple", parts) or ("call", function, parts)."""
        low = self.low
        if isinstance(value, Iterator):
            if value.kind == "range":
                bounds = tuple(low.residual(p, self.node) for p in value.parts)
                return self._leaf(nodes.Call(range, "range", bounds, type=List(INT)), INT)
            if value.kind == "enumerate":
                self.style = "enumerate"
                counter = self._leaf(nodes.Call("count", "count", (), type=List(INT)), INT)
                return ("tuple", [counter, self._pattern(value.parts[0])])
            if value.kind == "count":
                counter = self._leaf(nodes.Call("count", "count", (), type=List(INT)), INT)
                return ("plus", counter, value.parts[0])
            if value.kind == "zip":
                self.style = "zip"
                return ("tuple", [self._pattern(p) for p in value.parts])
            if value.kind == "reversed":
                self.backwards = True
                return self._pattern(value.parts[0])
            if value.kind == "map":
                self.style = "zip" if len(value.parts) > 2 else self.style
                return ("call", value.parts[0], [self._pattern(p) for p in value.parts[1:]])
        if isinstance(value, Generator):
            value = low.comprehend_value(value, self.node)
        expr = low.residual(value, self.node)
        if not isinstance(expr.type, Array | List | Number | Maybe | Dict):
            raise low.refuse(
                "can't loop over this", self.node, "it is not an array, list, range, zip..."
            )
        if not isinstance(expr, nodes.Var):
            expr = low.builder.bind("rows", expr)
        return self._leaf(expr, element_type(expr.type))

    def _leaf(self, source: nodes.Expr, kind: Type) -> Any:
        self.sources.append(source)
        return ("leaf", kind, len(self.sources) - 1)

    def bind(self, target: ast.expr | None) -> bool:
        self.targets = [""] * len(self.sources)
        value = self._value(self.pattern, target)
        self.low.bind_pattern(target, value)
        return True

    def _value(self, pattern: Any, target: ast.expr | None) -> Value:
        low = self.low
        elements = target.elts if isinstance(target, ast.Tuple | ast.List) else None
        if pattern[0] == "leaf":
            base = (
                target.id if isinstance(target, ast.Name) and target.id.isidentifier() else "item"
            )
            var = low.builder.fresh(base, pattern[1])
            self.targets[pattern[2]] = var.name
            return Dyn(var)
        if pattern[0] == "tuple":
            parts = pattern[1]
            targets = (
                elements
                if elements is not None and len(elements) == len(parts)
                else [None] * len(parts)
            )
            return low.sequence([self._value(p, t) for p, t in zip(parts, targets, strict=True)])
        if pattern[0] == "plus":
            counter = self._value(pattern[1], ast.Name("k"))
            return low.binary("+", counter, pattern[2], self.node)
        args = [self._value(p, None) for p in pattern[2]]
        return low.call(pattern[1], args, {}, self.node)

    def build(self, body: list[nodes.Stmt], span: Any) -> nodes.Stmt:
        return nodes.For(
            tuple(self.targets),
            tuple(self.sources),
            body,
            self.style,
            self.backwards,
            span=span,  # type: ignore[arg-type]
        )


class Attempt:
    """One run of a loop body from a head in which the names in `slots` are variables."""

    def __init__(
        self, lowering: Any, loop: Loop, slots: dict[Slot, list[Value]], entry: State
    ) -> None:
        self.low, self.loop, self.slots, self.entry = lowering, loop, slots, entry
        self.retyped: dict[str, Type] = {}
        self.head: State = State()
        self.phis: dict[Slot, Value] = {}
        self.body: list[nodes.Stmt] = []
        self.entered = True

    def run(self, header: Any, target: ast.expr | None, body: Callable[[], str]) -> None:
        low = self.low
        for slot, seen in self.slots.items():
            if slot[0] == "h":
                contents = self._phi_contents("item", [v.contents for v in seen])  # type: ignore[attr-defined]
                low.state.heap[slot[1]] = self.phis[slot] = contents
            else:
                low.state.vars[slot[1], slot[2]] = self.phis[slot] = self._phi(slot[2], seen)
        self.head = low.state.copy()
        low.loops.append(self.loop)
        depth, low.flag_depth = low.flag_depth, 0
        low.builder.blocks.append([])
        flags = low.flags()
        for name in flags:
            low.state.vars[low.frame.id, name] = Static(False)
        self.entered = header.bind(target)
        if self.entered:
            nested = getattr(header, "nested", None)
            if nested is not None:
                status = low.choose(nested, body, lambda: low.jump("break", self.loop), header.stmt)
            else:
                status = body()
            if status != JUMP:
                self.loop.paths.append(("end", Path(low.state, low.builder.block)))
        for _, path in self.loop.paths:
            for name in flags:
                path.state.vars.pop((low.frame.id, name), None)
        self.body = low.builder.blocks.pop()
        low.flag_depth = depth
        low.loops.pop()

    def _phi(self, name: str, seen: list[Value]) -> Value:
        """The value a slot has at the head: a variable, or a container of variables."""
        low = self.low
        present = [v for v in seen if v is not None]
        if all(isinstance(v, _Frozen) and _alike(present[0], v) for v in present):
            return low.new(self._phi_contents(name, [v.contents for v in present]))  # type: ignore[attr-defined]
        kind: Type = BOTTOM
        for value in present:
            kind = join(kind, _type_of(value, low.state))
        kind = forget(kind)
        if isinstance(kind, Bottom):
            return Clash(name, "it has no value yet")
        return Dyn(low.builder.fresh(hint(name), kind))

    def _phi_contents(self, name: str, found: list[Any]) -> Any:
        head = found[0]
        if isinstance(head, Sequence):
            columns = zip(*(c.items for c in found), strict=True)
            return replace(
                head, items=tuple(self._phi(f"{name}_{i}", list(c)) for i, c in enumerate(columns))
            )
        attribute = "items" if isinstance(head, Mapping) else "fields"
        rows = []
        for i, (key, _) in enumerate(getattr(head, attribute)):
            label = key if isinstance(key, str) and key.isidentifier() else name
            rows.append((key, self._phi(label, [getattr(c, attribute)[i][1] for c in found])))
        return replace(head, **{attribute: tuple(rows)})

    # --- what changed ------------------------------------------------------------------------
    def changes(self) -> bool:
        """Record slots that differ between head and ends; True if the head must change."""
        grown = False
        self.retyped = self._retyped()
        if self.retyped:
            grown = True
        for _, path in self.loop.paths:
            for slot, value in _slots(path.state).items():
                if not self._concerns(slot, path.state):
                    continue
                grown |= self._compare(slot, value, path.state)
        return grown

    def _concerns(self, slot: Slot, state: State) -> bool:
        active = {f.id for f in self.low.frames}
        if slot[0] == "v":
            return slot[1] in active or slot in _slots(self.head)
        return slot in _slots(self.head)

    def _compare(self, slot: Slot, value: Any, state: State) -> bool:
        head = _slots(self.head).get(slot)
        if slot in self.phis:
            if self._covers(self.phis[slot], value, state):
                return False
            self.slots[slot].append(_freeze(value, state))
            return True
        if head is not None and head == value:
            return False
        if (
            head is None
            and isinstance(value, Static)
            and type(value.value) not in (int, float, complex)
        ):
            return False
        if slot[0] == "h" and not _alike(head, value):
            raise NeedsResidual(slot[1])
        seen = [] if head is None else [_freeze(head, self.head)]
        self.slots[slot] = [*seen, _freeze(value, state)]
        return True

    def _covers(self, phi: Any, value: Any, state: State) -> bool:
        """Whether the head's variable can hold the value that comes round."""
        if isinstance(phi, Clash):
            return not isinstance(value, Dyn | Static) or True
        if isinstance(phi, Dyn):
            kind = _type_of(value, state)
            if isinstance(kind, Opaque) and kind.what == "clash":
                return True
            return forget(join(phi.type, kind)) == phi.type
        if isinstance(phi, Heap):
            if not isinstance(value, Heap):
                return False
            return self._covers(self.head.heap[phi.id], state.heap[value.id], state)
        if isinstance(phi, Sequence | Mapping | Instance):
            if not _alike(phi, value):
                return False
            return all(
                self._covers(p, v, state) for p, v in zip(_parts(phi), _parts(value), strict=True)
            )
        return phi == value

    def _retyped(self) -> dict[str, Type]:
        """Lists whose element type grew inside the body."""
        found: dict[str, Type] = {}
        entry = {v.name: v.type for v in variables(self.entry)}
        for _, path in self.loop.paths:
            for var in variables(path.state):
                old = entry.get(var.name)
                if isinstance(old, List | Dict) and join(old, var.type) != old:
                    found[var.name] = join(found.get(var.name, BOTTOM), join(old, var.type))
        return found

    # --- the finished loop -------------------------------------------------------------------
    def finish(self, header: Any, node: ast.AST) -> str:
        """Emit the loop with the moves that carry its variables round."""
        low = self.low
        pre: list[tuple[str, nodes.Expr]] = []
        for slot, phi in self.phis.items():
            held = _slots(self.entry).get(slot)
            if held is not None:
                pre += self._moves(phi, held, self.entry)
        for name, expr in pre:
            low.builder.emit(nodes.Assign((name,), (expr,), move=True))
        for kind, path in self.loop.paths:
            pairs: list[tuple[str, nodes.Expr]] = []
            for slot, phi in self.phis.items():
                value = _slots(path.state).get(slot)
                if value is not None:
                    pairs += self._moves(phi, value, path.state)
            pairs = [(n, e) for n, e in pairs if not (isinstance(e, nodes.Var) and e.name == n)]
            if pairs:
                path.add(
                    nodes.Assign(tuple(n for n, _ in pairs), tuple(e for _, e in pairs), move=True)
                )
            if kind != "end":
                path.add(nodes.Exit(kind))
        low.builder.emit(header.build(self.body, low.span(node)))
        low.state = self._after(header)
        return FALL

    def _after(self, header: Any) -> State:
        """The state behind the loop: the head's, with what the body may have added."""
        state = self.head.copy()
        for _, path in self.loop.paths:
            for slot, value in _slots(path.state).items():
                if (
                    slot[0] == "v"
                    and slot[1:] not in state.vars
                    and self._concerns(slot, path.state)
                ):
                    state.vars[slot[1], slot[2]] = (
                        value
                        if isinstance(value, Static)
                        else Clash(slot[2], "it is made anew in each iteration of a loop")
                    )
                elif slot[0] == "h" and slot[1] not in state.heap:
                    state.heap[slot[1]] = path.state.heap[slot[1]]
        return state

    def _moves(self, phi: Any, value: Any, state: State) -> list[tuple[str, nodes.Expr]]:
        if isinstance(phi, Dyn):
            if isinstance(value, Clash):
                return []
            return [(phi.expr.name, residual(value, state))]  # type: ignore[union-attr]
        if isinstance(phi, Heap):
            phi = self.head.heap[phi.id]
            value = state.heap[value.id]
        if isinstance(phi, Sequence | Mapping | Instance):
            pairs = zip(_parts(phi), _parts(value), strict=True)
            return [move for p, v in pairs for move in self._moves(p, v, state)]
        return []


@dataclass(frozen=True, slots=True)
class _Frozen(Value):
    """A container seen at the end of an attempt, kept beyond the attempt's heap."""

    contents: Any


@dataclass(frozen=True, slots=True)
class _Typed(Value):
    """A value of an earlier attempt, of which only the type matters now."""

    type: Type


def variables(state: State) -> list[nodes.Var]:
    """All variables that names and containers of a state hold."""
    held = list(state.vars.values())
    for contents in state.heap.values():
        held += _parts(contents)
    return [v.expr for v in held if isinstance(v, Dyn) and isinstance(v.expr, nodes.Var)]


def _freeze(value: Any, state: State) -> Any:
    """A value without reference to the state it was seen in."""
    if isinstance(value, Heap):
        value = state.heap[value.id]
    if isinstance(value, Sequence):
        return _Frozen(replace(value, items=tuple(_freeze(v, state) for v in value.items)))
    if isinstance(value, Mapping):
        return _Frozen(Mapping(tuple((k, _freeze(v, state)) for k, v in value.items)))
    if isinstance(value, Instance):
        return _Frozen(
            replace(value, fields=tuple((k, _freeze(v, state)) for k, v in value.fields))
        )
    if isinstance(value, Dyn):
        return _Typed(value.type)
    return value


def _type_of(value: Any, state: State) -> Type:
    if isinstance(value, _Typed):
        return value.type
    if isinstance(value, _Frozen):
        return _container_type(value.contents, state)
    if isinstance(value, Clash):
        return Opaque("clash")
    try:
        return residual(value, state).type
    except Exception:
        return Opaque("object")


def _container_type(contents: Any, state: State) -> Type:
    """The type a container has when generated code builds it."""
    if not isinstance(contents, Sequence):
        return Opaque("container")
    kinds = tuple(_type_of(v, state) for v in contents.items)
    return Tuple(kinds) if contents.kind == "tuple" else List(joined(kinds))


def _parts(contents: Any) -> tuple[Any, ...]:
    if isinstance(contents, _Frozen):
        contents = contents.contents
    if isinstance(contents, Sequence):
        return contents.items
    table = contents.items if isinstance(contents, Mapping) else contents.fields
    return tuple(v for _, v in table)


def _alike(a: Any, b: Any) -> bool:
    """Whether two containers have the same make: kind, length, keys, class."""
    a = a.contents if isinstance(a, _Frozen) else a
    b = b.contents if isinstance(b, _Frozen) else b
    if type(a) is not type(b):
        return False
    if isinstance(a, Sequence):
        return a.kind == b.kind and len(a.items) == len(b.items)
    if isinstance(a, Mapping):
        return [k for k, _ in a.items] == [k for k, _ in b.items]
    if isinstance(a, Instance):
        return a.cls is b.cls and [k for k, _ in a.fields] == [k for k, _ in b.fields]
    return False


def _slots(state: State) -> dict[Slot, Any]:
    found: dict[Slot, Any] = {("v", *key): value for key, value in state.vars.items()}
    found.update({("h", identity): contents for identity, contents in state.heap.items()})
    return found


__all__ = ["Array", "Loops", "Scalar"]

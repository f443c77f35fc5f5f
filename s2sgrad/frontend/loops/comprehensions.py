"""Floor 4: comprehensions and generators: loops that append, or that accumulate."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import (
    FALL,
)
from s2sgrad.frontend.loops.generator_texts import endless
from s2sgrad.frontend.loops.listed_generators import items_listed
from s2sgrad.frontend.state import Frame
from s2sgrad.frontend.values import (
    Func,
    Generator,
    Iterator,
    Mapping,
    Static,
    Value,
    Yielding,
    is_endless,
)


class Comprehensions(Base):
    """Lowering of comprehensions, and of what consumes a generator."""

    def expr_ListComp(self, node: ast.ListComp) -> Value:
        return self.comprehend(node.elt, node.generators, node)

    def expr_GeneratorExp(self, node: ast.GeneratorExp) -> Value:
        first = self.expr(node.generators[0].iter)
        return Generator(node, self.frame, self.as_they_come(first, node.generators[0].iter))

    def expr_DictComp(self, node: ast.DictComp) -> Value:
        """A dict: taken apart where its keys are known, else filled by a generated loop."""

        def put(owner: Value) -> None:
            key = self.expr(node.key)
            self.set_item(owner, key, self.expr(node.value), node, bare=self.known(key))

        first = self.expr(node.generators[0].iter)
        return self._collected(self.new(Mapping(())), put, node.generators, first, node)

    def expr_SetComp(self, node: ast.SetComp) -> Value:
        """The set of what a list comprehension gives."""
        return self.call(Static(set), [self.comprehend(node.elt, node.generators, node)], {}, node)

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
        self,
        element: ast.expr,
        generators: list[ast.comprehension],
        node: ast.AST,
        first: Value | None = None,
    ) -> Value:
        """A list: taken apart where its length is known, else built by a generated loop.

        first: what the first `for` goes through, where that was found earlier.
        """
        first = self.expr(generators[0].iter) if first is None else first
        base = self.label("items")

        def put(owner: Value) -> None:
            value = self.expr(element)
            self.target_hint = base
            self.container_method(owner, "append", [value], {}, node)

        return self._collected(self.sequence([], "list"), put, generators, first, node)

    def _collected(
        self,
        start: Value,
        put: Callable[[Value], None],
        generators: list[ast.comprehension],
        first: Value,
        node: ast.AST,
    ) -> Value:
        """A container that `put` fills in the loops of a comprehension."""
        holder = "<made>"
        frame = self.inner_frame(generators)
        self.set(frame, holder, start)
        self.frames.append(frame)

        def add() -> str:
            owner = self.get(frame, holder)
            assert owner is not None
            put(owner)
            return FALL

        try:
            self._generate(generators, add, node, first)
        finally:
            self.frames.pop()
        result = self.get(frame, holder)
        self.state.vars.pop((frame.id, holder))
        if not self.is_read_later(frame):
            for key in [k for k in self.state.vars if k[0] == frame.id]:
                del self.state.vars[key]
        assert result is not None
        return result

    def comprehend_value(self, value: Value, node: ast.AST) -> Value:
        """The list of what an iterator or generator gives."""
        if isinstance(value, Generator):
            made = value.node
            if (listed := items_listed(value)) is not None:
                return listed
            self.frames.append(value.scope)
            try:
                return self.comprehend(made.elt, made.generators, made, value.first)
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

    def as_map(self, value: Generator) -> Iterator | None:
        """`f(v) for v in items` as `map(lambda v: f(v), items)`, which loops can run over."""
        first = value.node.generators[0]
        if len(value.node.generators) > 1 or first.ifs or not isinstance(first.target, ast.Name):
            return None
        if any(isinstance(n, ast.NamedExpr) for n in ast.walk(value.node.elt)):
            return None  # it binds a name outside
        if isinstance(value.first, Yielding) or self.holds_others(value.first):
            return None
        if self.comes_with_changes(value.first):
            return None
        parameter = ast.copy_location(ast.arg(first.target.id), first.target)
        spec = ast.arguments([], [parameter], None, [], [], None, [])
        made = ast.copy_location(ast.Lambda(spec, value.node.elt), value.node)
        frame = value.scope
        source = dataclasses.replace(frame.source, node=made, name="<lambda>")
        return Iterator("map", (Func(source, "<lambda>", frame), value.first))

    def _generate(
        self,
        generators: list[ast.comprehension],
        leaf: Callable[[], str],
        node: ast.AST,
        source: Value | None = None,
    ) -> str:
        """The loops of a comprehension; `source` is what the first of them goes through.

        Python looks that up outside of the comprehension: in `[a for a in a]` it is the outer `a`.
        """
        if not generators:
            return leaf()
        first, rest = generators[0], generators[1:]
        source = self.expr(first.iter) if source is None else source

        def body(conditions: tuple[ast.expr, ...] = tuple(first.ifs)) -> str:
            if not conditions:
                return self._generate(rest, leaf, node)
            test = self.test(conditions[0])
            known = self.truth(test)
            if known is not None:
                return body(conditions[1:]) if known else FALL
            return self.choose(
                self.residual(test), lambda: body(conditions[1:]), lambda: FALL, node
            )

        return self.each(first.target, self._ending(source, node), body, node)

    def _ending(self, source: Value, node: ast.AST) -> Value:
        """What a comprehension or sum goes through, which must come to an end."""
        first = source
        while isinstance(first, Generator):
            first = first.first
        made = first.function.source.node if isinstance(first, Yielding) else None
        if is_endless(source) or (made is not None and endless(made)):
            raise self.refuse(
                "taking all items of an iterator without end",
                node,
                "there is no last item",
                "zip it with a range that says how many are wanted",
            )
        return source

    def reduce_loop(self, items: Value, start: Value, combine: Any, node: ast.AST) -> Value:
        """`sum(...)` of a generator or sequence: a loop that accumulates."""
        frame = self.frame
        held, each = "<total>", "<each>"
        while (frame.id, held) in self.state.vars:  # `sum(map(sum, rows))` is two in one
            held, each = f"<{held}>", f"<{each}>"
        self.set(frame, held, self.kept("total", start, node))

        def add(value: Value) -> str:
            made = combine(self.get(frame, held), value)
            self.set(frame, held, self.kept("total", made, node))
            return FALL

        if isinstance(items, Generator):
            self.frames.append(items.scope)
            inner = self.inner_frame(items.node.generators)
            self.frames.append(inner)
            try:
                made = items.node
                self._generate(made.generators, lambda: add(self.expr(made.elt)), node, items.first)
            finally:
                self.frames.pop()
                self.frames.pop()
        else:
            name = ast.copy_location(ast.Name(each, ast.Store()), node)
            items = self._ending(items, node)
            self.each(name, items, lambda: add(self.get(self.frame, each)), node)  # type: ignore[arg-type]
        return self.state.vars.pop((frame.id, held))

"""Floor 4: the heads of loops in generated code: what they run over and what they bind."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from s2sgrad.analysis.indexing import size_of
from s2sgrad.analysis.infer import element_type
from s2sgrad.analysis.whole import may_be_whole
from s2sgrad.frontend.expressions.counted_lists import with_count
from s2sgrad.frontend.holding import ANY, type_now
from s2sgrad.frontend.item_sizes import Found
from s2sgrad.frontend.state import joined
from s2sgrad.frontend.values import (
    Dyn,
    Func,
    Generator,
    Iterator,
    Static,
    Value,
)
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.assumptions import note_counter
from s2sgrad.ir.types import (
    BOOL,
    INT,
    STR,
    Array,
    Bottom,
    Dict,
    List,
    Maybe,
    Number,
    Opaque,
    Tuple,
    Type,
)


class WhileHeader:
    """`while test:`; a test that needs statements becomes a break inside."""

    def __init__(self, lowering: Any, stmt: Any) -> None:
        self.low, self.stmt = lowering, stmt
        self.test: nodes.Expr = nodes.Const(True, type=BOOL)
        self.nested: nodes.Expr | None = None

    def asked(self) -> Value:
        """The test."""
        return self.low.test(self.stmt.test)

    def bind(self, target: ast.expr | None) -> bool:
        """Evaluate the test at the head; False if the body never runs."""
        low = self.low
        before = len(low.builder.block)
        self.nested = None
        value = low.condition(self.asked(), self.stmt)
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

    def is_empty(self) -> bool:
        """Whether nothing has been put into what the loop goes through."""
        return False

    def build(self, body: list[nodes.Stmt], span: Any) -> nodes.Stmt:
        """The finished loop."""
        return nodes.While(self.test, body, span=span)  # type: ignore[arg-type]


def _note_counter(name: str, source: nodes.Expr) -> None:
    """Note between which sizes the counter of a loop over a range runs."""
    if not isinstance(source, nodes.Call) or source.function is not range:
        return
    found = [size_of(a) for a in source.args]
    if None in found:
        return
    known = [s for s in found if s is not None]
    start, stop = (sizes.of(0), known[0]) if len(known) == 1 else known[:2]
    step = known[2].constant if len(known) == 3 else 1
    if step == 1:
        note_counter(name, start, stop)
    elif step == -1:
        note_counter(name, stop + sizes.ONE, start + sizes.ONE)


def argument_names(function: Value, target: ast.expr | None, count: int) -> list[ast.expr | None]:
    """What to call the items that a loop hands to a function: as its parameters, or as the targets
    of the loop where it hands them on. `for k, v in ((key, d[key]) for key in d)`: key is k."""
    if not isinstance(function, Func) or not isinstance(function.source.node, ast.Lambda):
        return [None] * count
    names = [a.arg for a in function.args.args][:count]
    found: dict[str, ast.expr] = {name: ast.Name(name) for name in names}
    body = function.source.node.body
    pairs = [(target, body)]
    if isinstance(target, ast.Tuple | ast.List) and isinstance(body, ast.Tuple):
        pairs = list(zip(target.elts, body.elts, strict=False))
    for t, part in pairs:
        if isinstance(t, ast.Name) and isinstance(part, ast.Name) and part.id in found:
            found[part.id] = t
    return [found.get(name) for name in names] + [None] * (count - len(names))


class Header:
    """`for targets in sources:` of a loop whose length is known only at run time."""

    def __init__(self, lowering: Any, iterable: Value, node: ast.AST) -> None:
        self.low, self.node = lowering, node
        self.sources: list[nodes.Expr] = []
        self.targets: list[str] = []
        self.backwards = False
        self.counter: Any = None  # of all that counts along: one
        self.place: Found = {}  # what is known of sizes where the loop is
        self.pattern = self._pattern(iterable, iterable)
        if all(nodes.counts(s) for s in self.sources):
            raise lowering.refuse(
                "a for loop over itertools.count alone", node, "nothing says how far it may go",
                "write range() with a limit, or a while loop",
            )  # fmt: skip

    def is_empty(self) -> bool:
        """Whether nothing has been put into what the loop goes through."""
        kinds = (type_now(s, self.low.builder.types) for s in self.sources)
        return any(isinstance(k, List | Dict) and isinstance(k.item, Bottom) for k in kinds)

    def _pattern(self, value: Value, iterable: Value) -> Any:
        """A tree: ("leaf", type, source number), ("tuple", parts), ("call", function, parts),
        ("plus", counter, start and step) or ("item", list, place).

        iterable: what the loop runs over, of which the value is a part, or the whole.
        """
        low = self.low
        if low.held_object(value) is not None:
            value = low.items_of(value, self.node)
        if isinstance(value, Iterator):
            if value.kind == "range":
                bounds = tuple(low.residual(p, self.node) for p in value.parts)
                return self._leaf(nodes.Call(range, "range", bounds, type=List(INT)), INT)
            if value.kind == "enumerate":
                return ("tuple", [self._counter(), self._pattern(value.parts[0], iterable)])
            if value.kind == "count":
                plain = value.parts == (Static(0), Static(1))
                return self._counter() if plain else ("plus", self._counter(), value.parts)
            if value.kind == "zip":
                return ("tuple", [self._pattern(p, iterable) for p in value.parts])
            if value.kind == "reversed":
                if value is iterable:
                    self.backwards = True
                    return self._pattern(value.parts[0], iterable)
                return self._turned(value.parts[0], iterable)
            if value.kind == "map":
                return (
                    "call",
                    value.parts[0],
                    [self._pattern(p, iterable) for p in value.parts[1:]],
                )
        if isinstance(value, Generator):
            value = low.comprehend_value(value, self.node)
        expr = low.residual(value, self.node)
        of_texts = expr.type in (STR, Opaque("ndarray"))  # letters, or an array of texts
        if of_texts or (isinstance(expr.type, Tuple) and not isinstance(expr, nodes.Sequence)):
            expr = low.residual(low.on_list([value], {}, self.node), self.node)
        if isinstance(expr, nodes.Sequence) and isinstance(expr.type, Tuple):
            expr = replace(expr, kind="list", type=List(joined(expr.type.items)))
        if not isinstance(expr.type, Array | List | Number | Maybe | Dict | Bottom):
            raise low.refuse(
                "can't loop over this",
                self.node,
                "it is not an array, list, range, zip...",
                "go through a list or an array, and pass list(items) where an argument is a deque",
            )
        if isinstance(expr.type, Dict):
            expr = low.keys_of(expr, self.node)
        if not isinstance(expr, nodes.Var):
            expr = low.builder.bind("rows", expr)
        return self._leaf(with_count(expr, low.builder.block), self._item_type(expr.type))

    def _turned(self, value: Value, iterable: Value) -> Any:
        """`reversed(value)` beside other sources: the loop itself runs forwards."""
        is_dict = isinstance(value, Dyn) and isinstance(value.type, Dict)
        if is_dict or isinstance(value, Iterator | Generator):
            value = self.low.on_list([value], {}, self.node)
        if isinstance(value, Dyn) and isinstance(value.type, List):  # the loop may write into it
            last = self.low.binary(
                "-", self.low.on_len([value], {}, self.node), Static(1), self.node
            )
            places = Iterator("range", (last, Static(-1), Static(-1)))
            return ("item", value, self._pattern(places, iterable))
        step = nodes.Slice(None, None, nodes.Const(-1, type=INT), type=Opaque("slice"))
        return self._pattern(self.low.index(value, Dyn(step), self.node), iterable)

    def _leaf(self, source: nodes.Expr, kind: Type) -> Any:
        self.sources.append(source)
        return ("leaf", kind, len(self.sources) - 1)

    def _counter(self) -> Any:
        if self.counter is None:
            count = nodes.Call("count", "count", (), type=List(INT))
            self.counter = self._leaf(count, INT)
        return self.counter

    def bind(self, target: ast.expr | None) -> bool:
        """Bind the targets to fresh variables of the loop."""
        self.targets = [""] * len(self.sources)
        self.place = {}
        value = self._value(self.pattern, target)
        self.low.bind_pattern(target, value)
        return True

    def _counts(self, source: nodes.Expr) -> bool:
        """Whether a source gives the numbers of the iterations."""
        if len(self.sources) > 1 or not isinstance(source, nodes.Call):
            return nodes.counts(source)
        return source.function is range and len(source.args) == 1

    def _kind_now(self, number: int, kind: Type) -> Type:
        """The type of a source's items: the loop may have been run with less known of a list."""
        source = self.sources[number]
        if not isinstance(source, nodes.Var) or not isinstance(source.type, List):
            return kind
        kind = type_now(source, self.low.builder.types)
        if isinstance(kind, List) and isinstance(source.type, List):
            kind = replace(kind, count=source.type.count)  # as long as it is where the loop begins
        self.sources[number] = now = replace(source, type=kind)
        return self._item_type(now.type)

    def _item_type(self, kind: Type) -> Type:
        """The type of a source's items; what stands beside each other is of one place."""
        return self.low.item_at(kind, self.place) or element_type(kind)

    def _value(self, pattern: Any, target: ast.expr | None) -> Value:
        low = self.low
        elements = target.elts if isinstance(target, ast.Tuple | ast.List) else None
        if pattern[0] == "leaf" and self.targets[pattern[2]]:
            return Dyn(nodes.Var(self.targets[pattern[2]], type=INT))
        if pattern[0] == "leaf":
            base = (
                target.id if isinstance(target, ast.Name) and target.id.isidentifier() else "item"
            )
            kind = self._kind_now(pattern[2], pattern[1])
            var = low.builder.fresh(base, kind)
            self.targets[pattern[2]] = var.name
            if isinstance(kind, List | Dict | Tuple):
                place = nodes.Index(self.sources[pattern[2]], (ANY,))
                low.builder.paths[var.name] = [place]
            source = self.sources[pattern[2]]
            if may_be_whole(source, low.builder.whole):
                low.builder.whole.add(var.name)
            _note_counter(var.name, source)
            low.builder.places[var.name] = self.place if self._counts(source) else {}
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
            start, step = pattern[2]
            steps = counter if step == Static(1) else low.binary("*", counter, step, self.node)
            return low.binary("+", steps, start, self.node)
        if pattern[0] == "item":
            number = self._value(pattern[2], ast.Name("k"))
            return low.index(pattern[1], number, self.node)
        function, parts = pattern[1], pattern[2]
        hints = argument_names(function, target, len(parts))
        args = [self._value(p, t) for p, t in zip(parts, hints, strict=True)]
        names = (t.id if isinstance(t, ast.Name) else "" for t in elements or ())
        low.result_names = function, tuple(names)
        return low.call(function, args, {}, self.node)

    def build(self, body: list[nodes.Stmt], span: Any) -> nodes.Stmt:
        """The finished loop."""
        return nodes.For(
            tuple(self.targets),
            tuple(self.sources),
            body,  # type: ignore[arg-type]
            self.backwards,
            span=span,
        )

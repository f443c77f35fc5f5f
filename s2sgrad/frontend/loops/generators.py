"""Floor 4: functions with `yield`, whose body is run by whoever consumes them.

`for v in pairs(x): body` runs the body of `pairs` in place of the loop, and `body` in place of each
of its `yield`s. What a call of such a function gives is a generator expression over the items of a
`Yielding`; so lists, sums and comprehensions need not know of it.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.exits import DONE, FALL, JUMP, RETURNED, STOP, breaks, may_fall_off, returns
from s2sgrad.frontend.loops.changed import bound_after, changed_names, read_names
from s2sgrad.frontend.loops.generator_rows import GeneratorRows
from s2sgrad.frontend.loops.generator_texts import (
    SOURCE,
    Handed,
    as_function,
    as_steps,
    endless,
    from_outside,
    in_context,
    items_of_call,
    own_parts,
    rewritten,
    yields,
)
from s2sgrad.frontend.loops.loop import Loop
from s2sgrad.frontend.models import generators as models
from s2sgrad.frontend.refusals import GENERATORS
from s2sgrad.frontend.scopes import local_names
from s2sgrad.frontend.state import Frame
from s2sgrad.frontend.values import Bound, Dyn, Func, Generator, Iterator, Static, Value, Yielding
from s2sgrad.ir.types import Scalar

_BEGUN = "<begun>"
_LATE = (itertools.groupby, itertools.cycle, itertools.tee)
_OF_ONE = (
    itertools.combinations, itertools.combinations_with_replacement, itertools.permutations,
)  # fmt: skip
_Consumer = Callable[[Value], Value]


@dataclass(frozen=True)
class _Place:
    """Where a generator is consumed: how many activations and loops there are outside of it."""

    frames: int
    loops: int
    flag_depth: int


class Generators(GeneratorRows):
    """Lowering of generator functions. consumers: activation -> what runs at each `yield`."""

    consumers: dict[int, _Consumer]
    flag_depth: int
    loops: list[Loop]

    def generator_of(self, function: Func, frame: Frame, node: ast.AST) -> Value:
        """What the call of a generator function gives; its arguments are bound."""
        self.set(frame, _BEGUN, Static(False))
        return Generator(items_of_call(node), self.frame, Yielding(function, frame, node))

    def check_plain(self, node: ast.AST) -> None:
        """Refuse generator functions where their body is not run by a consumer."""
        for part in own_parts(node) if yields(node) else ():
            if isinstance(part, ast.Yield | ast.YieldFrom):
                raise self.refuse("a generator can't be transformed here", part, *GENERATORS)

    def is_yielding(self, value: Value) -> bool:
        """Whether the body of a generator function has to run for the items of a value."""
        if not isinstance(value, Generator):
            return isinstance(value, Yielding)
        source = value.node.generators[0].iter
        return isinstance(value.first, Yielding) and getattr(source, "id", "") == SOURCE

    def runs_others(self, value: Value) -> bool:
        """Whether code has to run between the items of a value, that may see what a loop over
        them has changed."""
        if self.is_yielding(value) or self.is_stepping(value) or self.holds_others(value):
            return True
        if isinstance(value, Generator) and self.comes_with_changes(value):
            return True
        return (
            isinstance(value, Generator)
            and (self.may_change(value.node) or self.calls_with_changes(value))
            and self.as_map(value) is None
        )

    def holds_others(self, value: Value) -> bool:
        """Whether zip, enumerate or map goes through such a value."""
        if not isinstance(value, Iterator) or value.kind not in ("zip", "enumerate", "map"):
            return False
        return any(map(self.runs_others, value.parts))

    def run_generator(
        self,
        target: ast.expr,
        value: Value,
        body: Callable[[], str],
        node: ast.AST,
        flag: str,
    ) -> str:
        """`for target in value: body`; how it ended."""
        made = value.first if isinstance(value, Generator) else value
        assert isinstance(made, Yielding)
        stmts = node.body if isinstance(node, ast.For) else []
        if any(map(returns, stmts)) and self.get(self.frame, RETURNED) is None:
            self.set(self.frame, RETURNED, Static(False))

        def consume(item: Value) -> Value:
            return self._turn(target, item, body, flag)

        left = breaks(stmts) or any(map(returns, stmts))
        return self._run(made, rewritten(made.function.source.node, left), consume, node)

    def _turn(self, target: ast.expr, item: Value, body: Callable[[], str], flag: str) -> Value:
        """Run the consumer's body for one item; whether it has left its loop."""
        self.loops.append(Loop(self.frame, unrolled=True, broke_flag=flag))
        depth, self.flag_depth = self.flag_depth, 0
        try:
            self.bind_pattern(target, item)
            for name in self.flags():
                self.state.vars.pop((self.frame.id, name), None)
            status = body()
            stop = self.get(self.frame, self.flag(STOP)) or Static(False)
            returned = self.get(self.frame, RETURNED) or Static(False)
            for name in self.flags():
                self.state.vars.pop((self.frame.id, name), None)
        finally:
            self.flag_depth = depth
            self.loops.pop()
        if status in (JUMP, DONE):  # a run does not come back from there
            return Static(True)
        return self.either_true(stop, returned)

    def either_true(self, a: Value, b: Value) -> Value:
        """`a or b` of two truth values."""
        known = self.truth(a), self.truth(b)
        if True in known:
            return Static(True)
        if known[0] is False:
            return b
        return a if known[1] is False else self.binary("|", a, b, ast.Pass())

    def _run(self, made: Yielding, text: ast.FunctionDef, consume: _Consumer, node: ast.AST) -> str:
        """Run the body of a generator function; `consume` is called at each `yield`."""
        frame = made.scope
        if self.get(frame, _BEGUN) != Static(False):
            raise self.refuse(
                "a generator that was gone through before, or on some paths", node,
                "how far it has come is not known while compiling",
                "make a list of its items first: items = list(...)",
            )  # fmt: skip
        self.set(frame, _BEGUN, Static(True))
        outside = _Place(len(self.frames), len(self.loops), self.flag_depth)

        def at_yield(item: Value) -> Value:
            return self._outside(outside, lambda: consume(item))

        before = self.consumers.get(frame.id)
        self.consumers[frame.id] = at_yield
        self.frames.append(frame)
        self.flag_depth = 0
        try:
            ending = ast.copy_location(ast.Return(None), text.body[-1])
            body = [*text.body, ending] if may_fall_off(text.body) else text.body
            status = self.run_block(body)
        finally:
            self.flag_depth = outside.flag_depth
            del self.frames[outside.frames :]
            self.consumers.pop(frame.id)
            if before is not None:
                self.consumers[frame.id] = before
        self._forget(frame, Static(None))
        return JUMP if status == JUMP else FALL

    def _outside(self, place: _Place, run: Callable[[], Value]) -> Value:
        """Run something where a generator is consumed, while that waits at a `yield`."""
        waiting, depth = self.frames[place.frames :], self.flag_depth
        del self.frames[place.frames :]
        self.flag_depth = place.flag_depth
        try:
            return run()
        finally:
            self.frames[place.frames :] = waiting
            self.flag_depth = depth

    def expr_Handed(self, node: Handed) -> Value:
        """Hand an item to the consumer; whether that has left its loop."""
        consume = self.consumers[self.frame.id]
        return consume(Static(None) if node.value is None else self.expr(node.value))

    def expr_Yield(self, node: ast.Yield) -> Value:
        """A `yield` inside of an expression, which `send` may give a value."""
        raise self.refuse("the value of a 'yield' is used", node, *GENERATORS)

    # --- what else is computed item by item --------------------------------------------------
    def lazy_stand_in(self, function: Any, args: list[Value], node: ast.AST) -> Any:
        """A generator function to be read in place of one of itertools, where the list of its
        items would not be the same: what it goes through may change meanwhile."""
        try:
            found = models.LAZY.get(function)
        except TypeError:
            return None
        if function in _LATE and self.may_change(node):
            raise self.refuse(
                f"{function.__name__} of what changes in this function", node,
                "which items it gives depends on when it is gone through",
                f"give it a copy: {function.__name__}(list(items))",
            )  # fmt: skip
        if found is None:
            return None
        lazy = self.may_change(node) or any(map(self.runs_others, args))
        lazy = lazy or any(map(_counts, args))
        return found if lazy or any(self._reads_late(a, node) for a in args) else None

    def taken_at_once(self, function: Any, args: list[Value], node: ast.AST) -> list[Value]:
        """The arguments of a function of itertools, as lists where it goes through them before it
        gives anything: they may have changed by the time its first item is taken."""
        one = any(function is f for f in _OF_ONE)
        if not (one or function is itertools.product) or not self.may_change(node):
            return args
        count = 1 if one else len(args)
        listed = [self.call(Static(list), [a], {}, node) for a in args[:count]]
        return [*listed, *args[count:]]

    def _reads_late(self, function: Value, made: ast.AST) -> bool:
        """Whether a function reads names of those around it that may be bound or changed after an
        iterator is made that calls it for its items: it reads what they are by then."""
        if not isinstance(function, Func):
            return False
        text, scope = function.source.node, function.scope
        free = from_outside(text) - local_names(text)
        while scope is not None and free.isdisjoint(bound_after(scope.source.node, made)):
            scope = scope.parent
        return scope is not None or self.may_change(made, free)

    def may_change(self, made: ast.AST, names: set[str] | None = None) -> bool:
        """Whether a function that is being run changes in place what an iterator is made of."""
        names = read_names(made) if names is None else names
        own = [f for f in self.frames if f.stands_at is None]
        return any(
            not names.isdisjoint(changed_names(f.source.node, made, partial(self._is_number, f)))
            for f in own
        )

    def _is_number(self, frame: Frame, name: str) -> bool:
        """Whether a name holds a number."""
        held = self.get(frame, name)
        if isinstance(held, Static):
            return isinstance(held.value, int | float | complex)
        return isinstance(held, Dyn) and isinstance(held.type, Scalar)

    def steps_of(self, value: Value, node: ast.AST) -> Value:
        """The items that an object's `__next__` gives, until it raises StopIteration."""
        method = self.attribute(value, "__next__", node)
        inner = method.function if isinstance(method, Bound) else None
        inner = self.function_value(inner.value) if isinstance(inner, Static) else inner
        if not isinstance(inner, Func) or not isinstance(inner.source.node, ast.FunctionDef):
            raise self.refuse(
                "iterating over this object",
                node,
                "its __next__ has no source",
                "loop over a list, a range or an array",
            )
        source = replace(inner.source, node=as_steps(inner.source.node))
        return self.call(Bound(replace(inner, source=source), value), [], {}, node)

    def as_function(self, value: Generator, node: ast.AST) -> Value:
        """A generator expression as a call of a generator function."""
        made = as_function(value.node)
        source = replace(value.scope.source, node=made, name="<generator>")
        function = Func(source, "<generator>", value.scope)
        frame = self.make_frame(function)
        self.set(frame, SOURCE, value.first)
        return self.generator_of(function, frame, node)

    # --- in iterators, and as contexts -------------------------------------------------------
    def listed_ahead(self, value: Value, node: ast.AST) -> Value:
        """The items as a list, although not all of them may be wanted."""
        first = value.first if isinstance(value, Generator) else value
        made = getattr(value, "node", node)
        names = read_names(made)
        if isinstance(first, Yielding):
            text, made = first.function.source.node, first.made
            assert isinstance(text, ast.FunctionDef)
            names = read_names(made) | from_outside(text)
            if (
                endless(text)
                or not changed_names(text).isdisjoint(from_outside(text))
                or self.free_bound_anew(text, made)
            ):
                raise self.refuse(
                    "a generator of which items are taken one by one", node,
                    "it has no end, changes what others may read meanwhile, or reads names that "
                    "are bound again before its items are taken",
                    "go through it with a for loop, and break; or write it as `while True:` with "
                    "one `yield`, and give it what it reads as arguments",
                )  # fmt: skip
        if self.may_change(made, names) or self._reads_bound_anew(value):
            raise self.refuse(
                "a generator over what changes while its items are taken one by one", node,
                "when it reads what is not known while compiling",
                "go through it with a for loop, or make a list of its items first",
            )  # fmt: skip
        return self.comprehend_value(value, node)

    def _reads_bound_anew(self, value: Value) -> bool:
        """Whether a generator expression reads names that may be bound anew once it is made."""
        if not isinstance(value, Generator) or self.is_yielding(value):
            return False
        names = [n for n in ast.walk(value.node) if isinstance(n, ast.Name)]
        own = {n.id for n in names if isinstance(n.ctx, ast.Store)}
        later = bound_after(value.scope.source.node, value.node)
        return any(n.id in later - own for n in names if not _in_first(value.node, n))

    def free_bound_anew(
        self, text: ast.FunctionDef, made: ast.AST, part: ast.FunctionDef | None = None
    ) -> bool:
        """Whether a generator, or a part of it, reads names of the functions around it that may be
        bound once more after it was made: its items are those of the moment when each is taken."""
        free = from_outside(part or text) - local_names(part or text)
        around = [f.source.node for f in self.frames if _stands_in(text, f.source.node)]
        return any(not free.isdisjoint(bound_after(node, made)) for node in around)

    def run_context(self, manager: Generator, body: _Consumer, node: ast.AST) -> None:
        """`with manager as value: body(value)`, of a function under contextlib.contextmanager."""
        made = manager.first
        assert isinstance(made, Yielding)
        loops, turns = len(self.loops), [0]

        def consume(item: Value) -> Value:
            turns[0] += 1
            if turns[0] > 1 or len(self.loops) != loops:
                raise UnsupportedError(
                    "a context manager whose 'yield' is not reached once", self.span(node),
                    "it stands in a loop or branch", "let one 'yield' stand by itself",
                )  # fmt: skip
            return body(item)

        self._run(made, in_context(made.function.source.node), consume, node)


def as_context(value: Value) -> Generator | None:
    """The generator that a context manager was made of."""
    made = isinstance(value, Generator) and isinstance(value.first, Yielding)
    return value if made else None  # type: ignore[return-value]


def _in_first(made: ast.GeneratorExp, name: ast.Name) -> bool:
    """Whether a name is read where the generator is made, and not item by item."""
    return name in ast.walk(made.generators[0].iter)


def _counts(value: Value) -> bool:
    """Whether a function binds names of those around it at each call."""
    text = value.source.node if isinstance(value, Func) else None
    return text is not None and any(isinstance(n, ast.Nonlocal) for n in ast.walk(text))


def _stands_in(text: ast.FunctionDef, node: ast.AST) -> bool:
    """Whether a function is written inside of another one."""
    inner = (n for n in ast.walk(node) if n is not node and isinstance(n, ast.FunctionDef))
    return any((n.name, n.lineno) == (text.name, text.lineno) for n in inner)


__all__ = ["Generators", "as_context"]

"""Floor 4: recursive functions specialised to the types of their arguments.

A body is lowered again and again until the type of its result, on which it may rest itself, is
the one that was guessed.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any

from s2sgrad.analysis.changes import Changes
from s2sgrad.analysis.effects import effects, holds_arrays
from s2sgrad.frontend.freeze import freeze
from s2sgrad.frontend.functions.guessed_results import guess, returns_nothing
from s2sgrad.frontend.functions.handing_back import Change, HandBack, HandingBack, growing
from s2sgrad.frontend.functions.let_go import lets_go
from s2sgrad.frontend.functions.unfolding import Unfold
from s2sgrad.frontend.state import WAITING, residual
from s2sgrad.frontend.values import (
    Chosen,
    Dyn,
    Func,
    Instance,
    Mapping,
    Sequence,
    Value,
    with_bound,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import Assumptions, relying_on
from s2sgrad.ir.nested import nested
from s2sgrad.ir.types import (
    BOTTOM,
    Array,
    Bottom,
    Dict,
    List,
    Maybe,
    Nested,
    Number,
    Scalar,
    Tuple,
    Type,
    forget,
    join,
)  # fmt: skip

DEEPEST_KINDS = 4  # calls inside each other, each with arguments of another make
MOST_KINDS = 12  # where only the types of numbers, and of those in dicts and lists, become known
ROUNDS = 8  # lowerings of a body until the type of its result is known


@dataclass(eq=False)
class UserPair:
    """A recursive user function, specialised to argument types.

    key: its node, and the types of its arguments and of the outer variables that it reads.
    result: the type of what it returns. lowered: its body, once done.
    captured: (name, value, where) of what it reads from outside, passed along.
    shared: positions of the arguments whose memory the result may share.
    changes: what it changes, and hands back behind the result (a tuple then, unless `bare`: the
    function itself returns nothing).
    relies: pairs whose result's type is still a guess, on which this one's rests.
    stands_in: whether it was taken for others, of which nothing could be told yet.
    returned: where it returns a list or dict that it changes, the places of the changed parameters.
    """

    name: str
    result: Type = BOTTOM
    key: Any = field(default=None, repr=False)
    lowered: Any = None
    captured: dict[tuple[str, int], tuple[str, Any, Any]] = field(default_factory=dict, repr=False)
    shared: frozenset[int] = frozenset()
    changes: tuple[Change, ...] = ()
    bare: bool = False
    relies: set[UserPair] = field(default_factory=set, repr=False)
    stands_in: bool = False
    returned: tuple[int | None, ...] = ()

    @property
    def __name__(self) -> str:
        return f"{self.name}_forward"


class Specialising(HandingBack):
    """Lowering the bodies of functions that call themselves."""

    recursive: set[ast.AST]
    pairs: dict[Any, UserPair]
    open: list[UserPair]  # those being lowered, outer ones first

    def shape(self, value: Value, flat: list[nodes.Expr], node: ast.AST) -> Any:
        """What a pair is specialised to: a type for each number, other values as they are."""
        raise NotImplementedError

    def guessing(self) -> bool:
        """Whether nothing is known yet of what a function being lowered returns."""
        return any(isinstance(pair.result, Bottom) for pair in self.open)

    def is_reading(self, function: Any) -> bool:
        """Whether the body of a function is being lowered: a stand-in calls what it stands for."""
        code = getattr(function, "__code__", None)
        own = (getattr(code, "co_filename", ""), getattr(code, "co_name", ""))
        frames = ((f.source.filename, getattr(f.source.node, "name", "")) for f in self.frames)
        return any(frame == own for frame in frames)

    def specialised(self, function: Func, shapes: Any, around: Any, node: ast.AST) -> UserPair:
        definition = function.source.node
        key = (definition, shapes, around, self.by_value)
        if (open_one := self._standing_in(function, shapes)) is not None:
            open_one.stands_in = True
            self.open[-1].relies.add(open_one)
            return open_one
        try:
            pair = self.pairs.get(key)
        except TypeError:
            raise self.refuse(
                f"the arguments of the recursive '{function.name}' are not plain",
                node,
                "a recursive function becomes one of generated code, which takes numbers, "
                "arrays, and containers and objects of them",
                "read the others from outside: define the function inside the one that knows them",
            ) from None
        if pair is None:
            pair = self._new_pair(key, function, shapes, around, node)
        if pair.returned and not lets_go(node, self.source.node, definition, pair.returned):
            raise self.refuse(
                "a recursive function returns a list or dict that it changes",
                node,
                "it works on a copy, and its caller would see two",
                "return nothing: the caller has the list, and sees what was changed",
            )
        self.by_value |= pair.lowered is not None and pair.lowered.lowering.by_value
        if self.open:
            self.open[-1].relies |= {pair} if pair in self.open else pair.relies
        return pair

    def _new_pair(
        self, key: Any, function: Func, shapes: Any, around: Any, node: ast.AST
    ) -> UserPair:
        """A new pair, with all that is to be known of it."""
        self._check_growth(key)
        pair = self.pairs[key] = UserPair(self._pair_name(function), guess(function), key)
        pair.bare = returns_nothing(function.source.node)
        self.open.append(pair)
        try:
            self._settle(pair, function, shapes, around, node)
        finally:
            self.open.pop()
            if pair.lowered is None:
                del self.pairs[key]
        return pair

    def _standing_in(self, function: Func, shapes: Any) -> UserPair | None:
        """The pair that a call is taken for whose arguments come from a result of which nothing is
        known yet, `best = f(left, best); return f(right, best)`: it is lowered again."""
        if all(shape != ("number", BOTTOM) for _, shape in shapes):
            return None
        open_ones = [p for p in reversed(self.open) if isinstance(p.result, Bottom)]
        same = [p for p in open_ones if p.key[0] is function.source.node]
        return next(iter((*same, *open_ones)), None)

    def _check_growth(self, key: Any) -> None:
        """Let generated code build the lists that are longer with each call."""
        before = [p.key for p in self.open if p.key[0] is key[0]]
        if len(before) < DEEPEST_KINDS:
            return
        last = dict((*before[-1][1], *before[-1][2]))
        found = [
            path
            for name, shape in (*key[1], *key[2])
            for path in growing((name,), last.get(name), shape)
        ]
        told = all(
            last.get(name) == shape or _is_known_better(last.get(name), shape)
            for name, shape in (*key[1], *key[2])
        )
        if told and len(before) < MOST_KINDS:
            return
        if not set(found) - self.handing.get(key[0], {}).keys():
            raise self.refuse(
                "each call of this recursive function has arguments of another make",
                key[0],
                "tuples in its arguments are longer, or nested deeper, with each call",
                "pass lists of numbers or arrays, or numbers that count",
            )
        raise HandBack(key[0], found)

    def _settle(
        self, pair: UserPair, function: Func, shapes: Any, around: Any, node: ast.AST
    ) -> None:
        """Lower the body until its result, which it may rest on, has the type that was guessed."""
        for _ in range(ROUNDS):
            pair.relies.clear()
            pair.stands_in = False
            lowered = self._lower_body(function, shapes, around, pair, node)
            now = residual(lowered.result, lowered.lowering.state)
            changes = lowered.changes
            kind = general(now.type)
            kind = nested(join(pair.result, kind)) if changes == pair.changes else kind
            shared = pair.shared | _shared(now, lowered.function, changes)
            known = (kind, shared, changes) == (pair.result, pair.shared, pair.changes)
            if known and not lowered.lowering.captures:
                break
            pair.result, pair.shared, pair.changes = kind, shared, changes
            pair.captured |= lowered.lowering.captured_objects()
            self._drop(pair)
        else:
            raise self.refuse(
                f"what the recursive '{function.name}' returns has no type that covers all of it",
                node,
                "its results are nested as deep as it calls itself",
                "return numbers, arrays, or lists of them",
            )
        if isinstance(pair.result, Bottom) or pair.stands_in:
            raise self.refuse(
                f"the recursive '{function.name}' calls itself on every path",
                node,
                "with arguments like these it is not seen to return anything",
                "test for the end by values or sizes that it is given",
            )
        self._check_writes(function, lowered)
        pair.lowered = lowered
        pair.relies.discard(pair)
        for other in self.pairs.values():
            if pair in other.relies:
                other.relies = (other.relies - {pair}) | pair.relies

    def _drop(self, pair: UserPair) -> None:
        """Forget what was lowered with an older guess of a pair's result."""
        for key, other in list(self.pairs.items()):
            if pair in other.relies and other not in self.open:
                del self.pairs[key]

    def _pair_name(self, function: Func) -> str:
        """The function's name; a number behind it tells its kinds of arguments apart."""
        base = function.name if function.name.isidentifier() else "inner"
        taken = {p.name for p in self.pairs.values()}
        numbered = (f"{base}_{i}" for i in count(2))
        return base if base not in taken else next(n for n in numbered if n not in taken)

    def _check_writes(self, function: Func, lowered: Any) -> None:
        """Write a function out that changes its arguments: they can't be followed through it. One
        that makes or changes linked objects is likely to go as deep as they do: it hands them back.
        """
        if function.source.node in self.handing:
            return
        body, types = lowered.function.body, lowered.function.types
        changes = Changes(body, effects(body), types)
        if any(map(changes.of_argument, lowered.function.parameters)):
            node = function.source.node
            raise HandBack(node) if self.linked and node not in self.unfold else Unfold(node)

    def _beside(self, inner: Any) -> Any:
        """A lowering of another body, which knows what this one does."""
        inner.recursive, inner.pairs, inner.open = self.recursive, self.pairs, self.open
        inner.tools, inner.islands, inner.called = self.tools, self.islands, self.called
        inner.made_at, inner.built = self.made_at, self.built
        inner.passed, inner.in_place, inner.unfold = self.passed, self.in_place, self.unfold
        inner.handing, inner.unroll, inner.rolled = self.handing, self.unroll, self.rolled
        inner.linked, inner.linking = self.linked, self.linking
        inner.made_of, inner.part_classes = self.made_of, self.part_classes
        inner.classes_here, inner.never_linked = self.classes_here, self.never_linked
        inner.frame_ids, inner.by_value = self.frame_ids, self.by_value
        inner.entered, inner.spelled = self.entered, self.spelled
        inner.filled, inner.with_none = self.filled, self.with_none
        inner.from_class, inner.local_classes = self.from_class, self.local_classes
        inner.builder.ids = self.builder.ids
        return inner

    def _lower_body(
        self, function: Func, shapes: Any, around: Any, pair: UserPair, node: ast.AST
    ) -> Any:
        from s2sgrad.frontend.lower import Lowered, Lowering

        inner = self._beside(Lowering())
        frame = inner.make_frame(function)
        inner.frames.append(frame)
        parameters: list[str] = []
        arguments: dict[str, Value] = {}
        started: dict[Any, Value] = {}
        for name, shape in shapes:
            started[name] = arguments[name] = _parameter(inner, name, shape, parameters)
            inner.set(frame, name, arguments[name])
        for key, shape in around:
            started[key] = _parameter(inner, key[1], shape, parameters)
            inner.state.vars[key] = arguments[f"{key[1]} outside"] = started[key]
        for key, held in pair.captured.items():
            shape = self.shape(self.outside(*held), [], node)
            arguments[f"{key} captured"] = inner.take_outside(
                key, partial(_parameter, inner, held[0], shape, parameters)
            )
        heap = dict(inner.state.heap)
        given = {(WAITING, name): v for name, v in started.items() if isinstance(name, str)}
        inner.state.vars |= given  # the caller's names, of which none is known here
        frame.owner = next(iter(arguments.values()), None)
        with relying_on(Assumptions({})):
            result = inner.run_body(function)
        outer = {key[1]: inner.state.vars.pop(key) for key in given}
        self.guards.update(inner.guards)
        body = freeze(inner.builder.blocks[0])
        changes: dict[Change, Value] = {}
        if function.source.node in self.handing:
            outer |= {key: inner.state.vars[key] for key, _ in around if key in inner.state.vars}
            changes = inner.changes(started, outer, heap, parameters, body, function.source.node)
            if not pair.bare and inner.returns_changed(result, [*changes.values()], body):
                plain = len(parameters) == len(shapes)
                pair.returned = tuple(c.position if plain else None for c in changes)
            result = inner.with_changes(result, list(changes.values()), pair.bare)
        elif any(inner.state.heap.get(i) != contents for i, contents in heap.items()):
            raise Unfold(function.source.node)
        inner.check_rebinding(body, result)
        made = nodes.Function(
            pair.name,
            tuple(parameters),
            body,
            dict(inner.builder.types),
            {},
            span=function.source.span(function.source.node),
        )
        flat: dict[str, Value] = {
            p: Dyn(nodes.Var(p, type=inner.builder.types[p])) for p in parameters
        }
        return Lowered(
            made, inner, flat, result, {}, inner.letters, heap, {}, changes=tuple(changes)
        )


def general(kind: Type) -> Type:
    """A type without sizes and constants: what a recursive function is specialised to."""
    if isinstance(kind, Array) and kind.shape is not None:
        return Array(kind.dtype, (None,) * len(kind.shape))
    if isinstance(kind, Tuple):
        return Tuple(tuple(general(i) for i in kind.items), kind.made_by)
    if isinstance(kind, Nested):
        return Nested(general(kind.record))
    if isinstance(kind, Maybe):
        return Maybe(general(kind.item))
    return List(general(kind.item)) if isinstance(kind, List) else forget(kind)


def _shared(
    result: nodes.Expr, function: nodes.Function, changes: tuple[Change, ...]
) -> frozenset[int]:
    """The parameters whose memory a result may share; of what is changed it holds copies."""
    if not holds_arrays(result.type):
        return frozenset()
    memory = effects(function.body)
    held = [n for e in nodes.walk(result) if holds_arrays(e.type) for n in nodes.names_in(e)]
    groups = {memory.find(n) for n in held}
    copied = {c.position for c in changes}
    return frozenset(
        i
        for i, name in enumerate(function.parameters)
        if i not in copied and holds_arrays(function.types[name]) and memory.find(name) in groups
    )


def _is_known_better(before: Any, now: Any) -> bool:
    """Whether two arguments are numbers, or held as such, of which more may be known by now."""
    kinds = (now[1], before[1]) if before and before[0] == now[0] == "number" else (None,)
    return all(isinstance(k, Scalar | Array | Number | Dict | List | Bottom) for k in kinds)


def _parameter(inner: Any, name: str, shape: Any, parameters: list[str]) -> Value:
    match shape:
        case ("number", kind):
            var = inner.builder.fresh(name, kind)
            parameters.append(var.name)
            return Dyn(var)
        case ("known", value):
            return value
        case ("made with", value, which, *shapes):
            chosen = None if which is None else _parameter(inner, name, which, parameters)
            held = [_parameter(inner, f"{name}_{i}", s, parameters) for i, s in enumerate(shapes)]
            value = with_bound(value, lambda _: held.pop(0))
            if isinstance(value, Chosen) and isinstance(chosen, Dyn):
                return replace(value, which=chosen.expr)
            return value
        case ("dict", *rows):
            return inner.new(
                Mapping(
                    tuple((k, _parameter(inner, f"{name}_{k}", s, parameters)) for k, s in rows)
                )
            )
        case ("object", cls, given, outside, *rows):
            fields = tuple((k, _parameter(inner, f"{name}_{k}", s, parameters)) for k, s in rows)
            return inner.new(Instance(cls, fields, given, outside))
        case (kind, made_by, *items):
            parts = tuple(
                _parameter(inner, f"{name}_{i}", s, parameters) for i, s in enumerate(items)
            )
            return inner.new(Sequence(kind, parts, made_by))
    raise TypeError(shape)

"""Floor 4: lower match statements: what is known of the subject decides now, the rest is tests."""

from __future__ import annotations

import ast
from collections import abc
from functools import partial
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import FALL, NOT_REACHED
from s2sgrad.frontend.expressions.expressions import tuple_items
from s2sgrad.frontend.options import chosen_of, is_option, numbered
from s2sgrad.frontend.side_effects import changed
from s2sgrad.frontend.values import Chosen, Dyn, Heap, Mapping, Sequence, Static, Value, is_mixed
from s2sgrad.ir import nodes
from s2sgrad.ir.types import BOOL, INT, Array, Dict, List, Maybe, Opaque

Names = dict[str, Value]
Match = tuple[Value, Names]  # whether it matches, and what the pattern's names are then
NO: Match = (Static(False), {})
_TEXTS = (str, bytes, bytearray)
_WHOLE = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def _captured(pattern: ast.pattern) -> set[str]:
    """The names that a pattern binds."""
    named = ast.MatchAs | ast.MatchStar
    return {n.name for n in ast.walk(pattern) if isinstance(n, named) and n.name}


class Matching(Base):
    """Lowering of match statements."""

    flag_depth: int

    def stmt_Match(self, stmt: ast.Match) -> str:
        """The first case that matches; cases that can't match are left out."""
        value = self.expr(stmt.subject)
        held = Dyn(self.named(value, "subject", stmt)) if isinstance(value, Dyn) else value
        if is_mixed(held):  # what each case tells of it narrows it for those behind
            self.set(self.frame, _subject(stmt), held)
        return self._cases(stmt.cases, held, stmt)

    def _cases(self, cases: list[ast.match_case], value: Value, node: ast.Match) -> str:
        value = self.get(self.frame, _subject(node)) or value
        if not cases:
            self.state.vars.pop((self.frame.id, _subject(node)), None)
            return FALL
        test, names = self.matches(cases[0].pattern, value, node)
        otherwise = partial(self._cases, cases[1:], value, node)
        both = self._with_guard(cases[0], test, names, node)
        guard = cases[0].guard if both is None else None
        taken = partial(self._taken, cases, guard, value, names, node)
        return self._either(test if both is None else both, taken, otherwise, node)

    def _with_guard(
        self, case: ast.match_case, test: Value, names: Names, node: ast.Match
    ) -> Value | None:
        """`test and guard`, so that the cases behind are written once; None where computing the
        guard takes statements, or the names it is given are read where it fails."""
        binds = any(isinstance(n, ast.NamedExpr) for n in ast.walk(case))
        if case.guard is None or binds or self.truth(test) is not None:
            return None
        if any(self._read_elsewhere(name, node) for name in names):
            return None
        before, fresh = self.state, self.builder.names
        self.state = before.copy()
        self.builder.blocks.append([])
        depth = len(self.builder.blocks)
        for name, held in names.items():
            self.set_name(name, held)
        start = self.state.copy()
        try:
            guard = self.test(case.guard)
        except NOT_REACHED:
            guard = None
        statements = self.builder.blocks[depth - 1] or changed(start, self.state)
        del self.builder.blocks[depth - 1 :]
        self.state = before
        if guard is None or statements:
            self.builder.names = fresh
            return None
        if (known := self.truth(guard)) is not None:
            return test if known else Static(False)
        return _joined("and", [self.residual(test, node), self.residual(guard, node)])

    def _read_elsewhere(self, name: str, node: ast.Match) -> bool:
        """Whether a name is read where no case of the match has bound it."""
        own = {
            id(n) for c in node.cases if name in _captured(c.pattern) for n in ast.walk(c)
        }  # fmt: skip
        return any(
            isinstance(n, ast.Name) and n.id == name and id(n) not in own
            for n in ast.walk(self.source.node)
        )

    def _either(self, test: Value, taken: Any, otherwise: Any, node: ast.AST) -> str:
        known = self.truth(test)
        if known is not None:
            return taken() if known else otherwise()
        return self.choose(self.residual(test, node), taken, otherwise, node)

    def _taken(
        self,
        cases: list[ast.match_case],
        guard: ast.expr | None,
        value: Value,
        names: Names,
        node: ast.Match,
    ) -> str:
        """A case whose pattern matches: its guard decides."""
        value = self.state.vars.pop((self.frame.id, _subject(node)), value)
        for name, held in names.items():
            self.set_name(name, self.kept(name, held, node))
        body = partial(self.run_block, cases[0].body)
        if guard is None:
            return body()
        test = self.test(guard)
        return self._either(test, body, partial(self._cases, cases[1:], value, node), node)

    # --- patterns ----------------------------------------------------------------------------
    def matches(self, pattern: ast.pattern, value: Value, node: ast.AST) -> Match:
        """Whether a value fits a pattern, and what the pattern's names stand for."""
        if isinstance(value, Chosen) and is_mixed(value):
            return self._matches_chosen(pattern, value, node)
        parts = isinstance(pattern, ast.MatchSequence | ast.MatchMapping | ast.MatchClass)
        if parts and isinstance(value, Dyn) and isinstance(value.type, Maybe):
            return self._unless_none(pattern, value, node)
        match pattern:
            case ast.MatchValue(value=constant):
                other = self.expr(constant)
                plain = not isinstance(value, Heap) and not _is_array(value)
                return (self.compare("==", value, other, node), {}) if plain else NO
            case ast.MatchSingleton(value=single):
                return self.compare("is", value, Static(single), node), {}
            case ast.MatchAs(pattern=None, name=name):
                return Static(True), {} if name is None else {name: value}
            case ast.MatchAs(pattern=ast.pattern() as inner, name=str(name)):
                test, names = self.matches(inner, value, node)
                return test, {**names, name: value}
            case ast.MatchOr(patterns=patterns):
                return self._any_of(patterns, value, node)
            case ast.MatchSequence(patterns=patterns):
                return self._sequence(patterns, value, node)
            case ast.MatchMapping():
                return self._mapping(pattern, value, node)
            case ast.MatchClass():
                return self._class(pattern, value, node)
        raise self.refuse(
            "this pattern can't be matched",
            node,
            "generated code has no test for it",
            "use if / elif",
        )

    def _matches_chosen(self, pattern: ast.pattern, value: Chosen, node: ast.AST) -> Match:
        """Which of several things fit a pattern; its names stand for parts of those."""
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
            return Static(True), {} if pattern.name is None else {pattern.name: value}
        found = {n: self.matches(pattern, v, node) for n, v in numbered(value).items()}
        found = {n: match for n, match in found.items() if self.truth(match[0]) is not False}
        if not found:
            return NO
        tests = []
        for number, (test, _) in found.items():
            asked = is_option(value.which, number)
            if not self.truth(test):
                args = (asked, self.residual(test, node))
                asked = nodes.Call("and", "and", args, form="operator", type=BOOL)
            tests.append(asked)
        names = {}
        for name in next(iter(found.values()))[1]:
            parts = {number: held[name] for number, (_, held) in found.items()}
            first = next(iter(parts.values()))
            same = all(part == first for part in parts.values())
            names[name] = first if same else chosen_of(value.which, parts)
        if len(found) == len(value.options) and all(self.truth(t) for t, _ in found.values()):
            return Static(True), names
        return _joined("or", tests), names

    def _unless_none(self, pattern: ast.pattern, value: Dyn, node: ast.AST) -> Match:
        """What may be None fits the pattern where it is there, and what is there does."""
        if isinstance(pattern, ast.MatchClass):
            cls = self.constant_value(self.expr(pattern.cls))
            if cls is object and not (pattern.patterns or pattern.kwd_patterns):
                return Static(True), {}
            if isinstance(cls, type) and isinstance(None, cls):
                raise self._untold(node)
        value = self._at_hand(value, node)
        there = self.compare("is not", value, Static(None), node)
        before = len(self.builder.block)
        test, names = self.matches(pattern, self.not_none(value), node)
        if len(self.builder.block) > before:  # it would run for None too
            raise self._untold(node)
        return self._both(there, test, node), names

    def _both(self, first: Value, second: Value, node: ast.AST) -> Value:
        """`first and second`, where the second is not asked unless the first holds."""
        if (known := self.truth(first)) is not None:
            return second if known else first
        if (known := self.truth(second)) is not None:
            return first if known else second
        return _joined("and", [self.residual(first, node), self.residual(second, node)])

    def _at_hand(self, value: Dyn, node: ast.AST) -> Dyn:
        """A value that may be read several times: an item of what has a name is not looked for
        before it is known to be there."""
        return value if _is_path(value.expr) else Dyn(self.named(value, "subject", node))

    def _any_of(self, patterns: list[ast.pattern], value: Value, node: ast.AST) -> Match:
        tests: list[nodes.Expr] = []
        for pattern in patterns:
            test, names = self.matches(pattern, value, node)
            known = self.truth(test)
            if known and not tests:
                return test, names
            if known is False:
                continue
            if names:
                raise self.refuse(
                    "a pattern with names, one of several", node,
                    "which of them matches is known only at run time", "write a case for each",
                )  # fmt: skip
            tests.append(self.residual(test, node))
        if not tests:
            return NO
        return _joined("or", tests), {}

    def _all_of(self, pairs: list[tuple[ast.pattern, Value]], node: ast.AST) -> Match:
        names: Names = {}
        tests: list[nodes.Expr] = []
        for pattern, value in pairs:
            test, found = self.matches(pattern, value, node)
            known = self.truth(test)
            if known is False:
                return NO
            names |= found
            tests += [] if known else [self.residual(test, node)]
        if not tests:
            return Static(True), names
        return _joined("and", tests), names

    def _sequence(self, patterns: list[ast.pattern], value: Value, node: ast.AST) -> Match:
        cls = self.python_class(value)
        if cls is not None and (not issubclass(cls, abc.Sequence) or issubclass(cls, _TEXTS)):
            return NO
        if cls is not None and not issubclass(cls, tuple | list):  # a deque, or a range
            value = self.call(Static(list), [value], {}, node)
        contents = self.contents(value)
        items: list[Value] | None = None
        if isinstance(contents, Sequence):
            items = list(contents.items)
        elif isinstance(value, Static) and isinstance(value.value, tuple | list):
            items = [self.object_value(v) for v in value.value]
        elif isinstance(value, Dyn):
            found = tuple_items(value)
            items = None if found is None else list(found)
            if found is None and isinstance(value.type, List):
                return self._list_at_run_time(patterns, value, node)
            if found is None and isinstance(value.type, Opaque):
                raise self.refuse(
                    "matching a list whose length is known only at run time",
                    node,
                    "which names the pattern binds depends on it",
                    "test len() with if / elif",
                )
        if items is None:
            return NO
        star = next((i for i, p in enumerate(patterns) if isinstance(p, ast.MatchStar)), None)
        if star is None:
            fits = len(patterns) == len(items)
            return self._all_of(list(zip(patterns, items, strict=False)), node) if fits else NO
        after = len(patterns) - star - 1
        if len(items) < star + after:
            return NO
        end = len(items) - after
        pairs = [*zip(patterns[:star], items, strict=False)]
        pairs += zip(patterns[star + 1 :], items[end:], strict=True)
        test, names = self._all_of(pairs, node)
        rest = patterns[star]
        if isinstance(rest, ast.MatchStar) and rest.name:
            names[rest.name] = self.sequence(items[star:end], "list")
        return test, names

    def _list_at_run_time(self, patterns: list[ast.pattern], value: Dyn, node: ast.AST) -> Match:
        """A list whose length is asked first: `and` looks at no item that is not there."""
        value = self._at_hand(value, node)
        star = next((i for i, p in enumerate(patterns) if isinstance(p, ast.MatchStar)), None)
        count = len(patterns) - (star is not None)
        sign = "==" if star is None else ">="
        fits = self.compare(sign, self.on_len([value], {}, node), Static(count), node)
        places = [
            i if star is None or i < star else i - len(patterns) for i in range(len(patterns))
        ]
        pairs = [
            (p, self.index(value, Static(at), node))
            for p, at in zip(patterns, places, strict=True)
            if not isinstance(p, ast.MatchStar)
        ]
        test, names = self._all_of(pairs, node)
        if star is not None and (name := patterns[star].name):  # type: ignore[attr-defined]
            after = len(patterns) - star - 1
            upper = nodes.Const(-after, type=INT) if after else None
            part = nodes.Slice(nodes.Const(star, type=INT), upper, None, type=Opaque("slice"))
            names[name] = self.index(value, Dyn(part), node)
        return self._both(fits, test, node), names

    def _mapping(self, pattern: ast.MatchMapping, value: Value, node: ast.AST) -> Match:
        contents = self.contents(value)
        if isinstance(value, Static) and isinstance(value.value, dict):
            rows = {k: self.object_value(v) for k, v in value.value.items()}
        elif isinstance(contents, Mapping):
            rows = dict(contents.items)
        elif isinstance(value, Dyn) and isinstance(kind := value.type, Dict) and kind.fields:
            if kind.made_by is not None:
                return NO
            return self._held_dict(pattern, self._at_hand(value, node), node)
        elif isinstance(value, Dyn) and isinstance(value.type, Dict | Opaque):
            raise self.refuse(
                "matching a dict whose keys are known only at run time",
                node,
                "which names the pattern binds depends on them",
                "use if / elif",
            )
        else:
            return NO
        keys = [self.constant_value(self.expr(k)) for k in pattern.keys]
        if any(k not in rows for k in keys):
            return NO
        pairs = zip(pattern.patterns, (rows[k] for k in keys), strict=True)
        test, names = self._all_of(list(pairs), node)
        if pattern.rest:
            left = tuple((k, v) for k, v in rows.items() if k not in keys)
            names[pattern.rest] = self.new(Mapping(left))
        return test, names

    def _held_dict(self, pattern: ast.MatchMapping, value: Dyn, node: ast.AST) -> Match:
        """A dict that generated code holds, which may have some of its keys on some paths only."""
        if pattern.rest:
            raise self._untold(node)
        keys = [self.expr(k) for k in pattern.keys]
        if {self.constant_value(k) for k in keys} - dict(value.type.fields).keys():  # type: ignore[attr-defined]
            return NO
        pairs = zip(pattern.patterns, (self.index(value, k, node) for k in keys), strict=True)
        test, names = self._all_of(list(pairs), node)
        for key in reversed(keys):
            test = self._both(self.compare("in", key, value, node), test, node)
        return test, names

    def _class(self, pattern: ast.MatchClass, value: Value, node: ast.AST) -> Match:
        cls, actual = self.constant_value(self.expr(pattern.cls)), self.python_class(value)
        if actual is None and is_mixed(opened := self.opened(value)):
            return self.matches(pattern, opened, node)
        if actual is None or not isinstance(cls, type) or self.may_be_real(value):
            if self.truth(self.on_isinstance([value, Static(cls)], {}, node)) is False:
                return NO
            raise self._untold(node)
        if self.may_be_int(value) and issubclass(int, cls) != issubclass(actual, cls):
            raise self.whole_or_not("this pattern", node)
        if not issubclass(actual, cls):
            return NO
        pairs: list[tuple[ast.pattern, Value]] = []
        positional = list(pattern.patterns)
        if cls in _WHOLE and positional:
            pairs.append((positional.pop(0), value))
        fields = [*getattr(cls, "__match_args__", ())[: len(positional)], *pattern.kwd_attrs]
        inner = [*positional, *pattern.kwd_patterns]
        for name, part in zip(fields, inner, strict=True):
            pairs.append((part, self.attribute(value, name, node)))
        return self._all_of(pairs, node)

    def _untold(self, node: ast.AST) -> Exception:
        return self.refuse(
            "can't tell while compiling what this pattern gives here", node,
            "the class of the value differs by path, or only a run knows it",
            "test with if / elif and isinstance(...)",
        )  # fmt: skip


def _joined(sign: str, tests: list[nodes.Expr]) -> Dyn:
    if len(tests) == 1:
        return Dyn(tests[0])
    return Dyn(nodes.Call(sign, sign, tuple(tests), form="operator", type=BOOL))


def _is_path(expr: nodes.Expr) -> bool:
    """Whether an expression is a name, or a fixed item of what is one."""
    while isinstance(expr, nodes.Index) and all(isinstance(p, nodes.Const) for p in expr.index):
        expr = expr.base
    return isinstance(expr, nodes.Var)


def _subject(node: ast.Match) -> str:
    """The name under which one of several things is held while cases are tried."""
    return f"<subject {node.lineno} {node.col_offset}>"


def _is_array(value: Value) -> bool:
    return isinstance(value, Dyn) and isinstance(value.type, Array | List | Dict)
